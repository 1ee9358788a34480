//! The numbers of the format: the magic number, the version, flags, sizes and limits.

use core::ops::RangeInclusive;

/// The id of the format.
#[cfg(feature = "build")]
pub(crate) const ID: &str = "clip";

/// The magic number: the first eight bytes of every file.
pub const MAGIC: &[u8; 8] = b"INBCLIP\0";

/// The version of the byte form that [`save`](crate::save) writes, and the only one that
/// [`load`](crate::load) reads.
pub const VERSION: u16 = 1;

/// The length of a string that is null.
pub(crate) const NULL: u32 = u32::MAX;

pub(crate) const LOOPS: u8 = 1;
pub(crate) const NARROW_CLOCK: u8 = 2;
pub(crate) const STATES_RATE: u8 = 4;

/// The frame rates of clips. Outside of them, frames have no useful times.
pub(crate) const RATES: RangeInclusive<f64> = 1e-3..=1e6;

/// The largest magnitude of a number in a clip: the difference of two of them is finite, and so is
/// everything that playback computes.
pub(crate) const LARGEST: f32 = 1e30;

/// The sizes in bytes of a clip without a name, nodes, key sets and tracks, of a node without a
/// name, and of a key set with one key.
pub(crate) const LEAST_CLIP: usize = 33;
pub(crate) const LEAST_NODE: usize = 4;
pub(crate) const LEAST_SET: usize = 13;
