//! Converts a file to the format of the new file's extension.
//!
//! `cargo run -p inbetween --example convert -- walk.seanim walk.animj`

use std::error::Error;
use std::path::Path;

use inbetween::files::{hint_of, load};
use inbetween::{Conversion, Registry};

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<_> = std::env::args_os().skip(1).collect();
    let [old, new] = paths.as_slice() else { return Err("expected two paths".into()) };
    let converted = convert(old.as_ref(), new.as_ref())?;
    for loss in &converted.findings {
        std::io::Write::write_all(&mut std::io::stderr(), format!("{loss}\n").as_bytes())?;
    }
    Ok(())
}

/// Converts `old` to `new`; returns the result with its findings.
pub(crate) fn convert(old: &Path, new: &Path) -> Result<Conversion, Box<dyn Error>> {
    let registry = Registry::with_builtin();
    let extension = hint_of(new).extension.unwrap_or_default();
    let to = registry.by_extension(extension).ok_or("no format has this extension")?;
    let bytes = load(old, registry.limits())?;
    let converted = registry.convert(&bytes, &hint_of(old), to)?;
    std::fs::write(new, &converted.bytes)?;
    Ok(converted)
}
