//! The native part of the Python package `inbetween`.
//!
//! Python objects share the document that was read: clips and tracks are indices into it, and the
//! columns that numpy shows are its memory.

mod arrays;
mod build;
mod clip;
mod coordinates;
mod document;
mod edits;
mod errors;
mod functions;
mod html;
mod names;
mod options;
mod report;
mod skeleton;
mod source;
mod track;

/// The module `inbetween._native`.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::clip::{Clip, Clips};
    #[pymodule_export]
    use crate::document::Document;
    #[pymodule_export]
    use crate::functions::{
        check, convert, detect, explain, format_of_extension, formats, plot, read, run_command,
        save,
    };
    #[pymodule_export]
    use crate::skeleton::Skeleton;
    #[pymodule_export]
    use crate::track::{Track, Tracks};

    /// The version of the package.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name that Python expects")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
