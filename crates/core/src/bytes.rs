//! Reading and writing bytes: the nom bridge, encoded values, and views of them.

pub mod parse;
mod record;
mod seven_bit;
mod view;

pub use record::{Contiguous, Record};
pub use seven_bit::SevenBit;
pub use view::View;

/// Columns as bytes.
pub mod wire {
    pub use super::record::{append, append_each, interleave};
}
