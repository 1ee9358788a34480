//! Replacing curves by keys that every format can hold.

mod bound;
pub mod lower;
mod rate;

pub use bound::{DEFAULT_BOUND, bake_euler_to_bound, bake_to_bound, bake_to_euler};
pub(crate) use rate::PROBES;
pub use rate::{BakeError, Baked, bake_at_rate, bake_euler_at_rate, element_error, value_error};
