//! Reading and writing bytes: the nom bridge, encoded numbers, and views of records.

pub mod parse;
mod record;
mod seven_bit;
pub mod wire;

pub use record::{Record, View};
pub use seven_bit::SevenBit;
