//! Loads files from disk, and relates their names to clips and formats.

pub use crate::file_names::{file_names, safe_name};
pub use crate::folder::beside;
pub use crate::load::{Expected, load, load_from};
pub use crate::registry::hint_of;
