//! The command as its users run it: one process per run, in a directory of its own.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests are tests as well")]

mod batch;
mod bench;
mod check;
mod clip;
mod clips;
mod component;
mod convert;
mod diff;
mod edit;
mod examples;
mod explain;
mod files;
mod formats;
mod gltf;
mod guide;
mod info;
#[cfg(target_os = "linux")]
mod inputs;
mod interrupt;
mod man;
#[cfg(target_os = "linux")]
mod memory;
mod mistakes;
mod model;
mod names;
mod pipes;
mod plot;
mod readme;
mod reduce;
mod sample;
mod skeleton;
mod text;
