//! What the fuzz targets do.
//!
//! The tests of `xtask` do it too, with the fixtures and with every input that once broke a
//! law.

mod targets;

/// Runs the laws of a target on an input.
///
/// # Panics
///
/// If a law is broken, or there is no such target.
pub fn run(target: &str, bytes: &[u8]) {
    targets::run(target, bytes);
}
