//! Reading and writing bytes: the nom bridge, encoded numbers, views of records, and columns that
//! grow without trusting a claimed count.

pub mod grow;
pub mod parse;
mod record;
mod seven_bit;
pub mod wire;

pub use record::{Record, View};
pub use seven_bit::SevenBit;
