//! The cases for which the law of meaning does not hold yet.
//!
//! `cargo test` and the fuzz targets skip them; `cargo xtask campaign` runs them. Whoever fixes one
//! removes its line.

/// Conversions, as `from to into`; `memory` is a clip without an engine.
pub const CONVERSIONS: &[&str] = &[
    // Bezier keys without tangents are linear, but get tangents of zero.
    "memory to animj",
    // Keys at one time of `f32` are written at that time, and what showed between them is lost.
    "memory to animx",
    // Keys between frames move to them, and no finding states by how much.
    "memory to seanim",
    // Angles of 2 pi are written as they are, and X4 shows segments from there from 0.
    "memory to x4-ani",
    // Keys a hair beside a frame move to it, and no finding states by how much.
    "animj to seanim",
    "animx to seanim",
    // Bezier keys without tangents are linear, but get tangents of zero.
    "animx to animj",
    // A stated duration before the last key is written as it is, and X4 stops there.
    "animj to x4-ani",
    // A rotation that is NaN becomes the identity rotation, unreported.
    "animx to x4-ani",
    "seanim to x4-ani",
    // Slerp of nearly equal quaternions whose length is not 1 jumps in Resonite.
    "seanim to animj",
    "seanim to animx",
    // The error of baked angles is measured by other rules than those of the target.
    "x4-ani to animj",
    "x4-ani to animx",
    // A key that shows for one ulp of its time is lost.
    "x4-ani to seanim",
];

/// Edits, as `edit, engine`.
pub const EDITS: &[&str] = &[
    // Steps just before or after a frame are lost, and stated errors are too small.
    "resample, X4",
    "resample, Resonite",
    "resample, SEAnim",
    "resample, no engine",
    // A last Bezier key that shows its handle loses it.
    "reverse, X4",
    "split and join, X4",
    // The stated error of a baked segment is too small.
    "trim, Resonite",
    "trim, SEAnim",
    "trim, no engine",
    "split and join, Resonite",
    // What is left of a segment that is cut within a hair of its end holds its last value.
    "split and join, SEAnim",
    "split and join, no engine",
];

/// Edits of files that are written again, as `edit, format`.
pub const EDITED_FILES: &[&str] = &[
    // Cutting a curve at 0 changes what remains of it, and no finding states by how much.
    "shift to earlier, animj",
    "shift to earlier, animx",
    // An angle of 2 pi starts a segment after reversing, which X4 then shows from 0.
    "reverse, x4-ani",
    // Keys between frames move to them, and no finding states by how much.
    "shift to earlier, seanim",
    "reverse, seanim",
    // A rotation that is NaN becomes the identity rotation, unreported.
    "axes y,z,x, x4-ani",
];

/// Ways of baking, as `way, engine`.
pub const BAKING: &[&str] = &[
    // Steps just before or after a frame are lost, and stated errors are too small.
    "bake at a rate, X4",
    "bake at a rate, Resonite",
    "bake at a rate, SEAnim",
    "bake at a rate, no engine",
    // A rotation that is NaN becomes the identity rotation; stated errors are too small.
    "bake to a bound, X4",
    "bake to a bound, Resonite",
    "bake to a bound, SEAnim",
    "bake to a bound, no engine",
];
