//! The fuzz targets.
//!
//! The tests of `xtask` run them too, on the fixtures and on every input that once broke a law.

mod rewriters;
#[cfg(target_os = "linux")]
mod seeds;
mod targets;

/// Runs the laws of a target on an input.
///
/// # Panics
///
/// If a law is broken, or there is no such target.
pub fn run(target: &str, bytes: &[u8]) {
    targets::run(target, bytes);
}
