//! The numbers and names of the format: its id, its magic number, and how its keys play.

use inbetween_core::Rules;

/// The playback rules of Bvh: linear segments and slerp in `f64`.
pub const RULES: Rules = Rules::LINEAR;

/// The id of the format, in errors and findings.
pub(crate) const ID: &str = "bvh";

/// The magic number.
pub(crate) const MAGIC: &[u8] = b"BVH0";

/// The only version.
pub(crate) const VERSION: u16 = 1;
