//! What the format stores.

use inbetween_core::resonite;
use inbetween_core::stores::{Numbers, Stores};

/// What the format stores: JSON has no NaN and no infinities.
pub(crate) const STORES: Stores = Stores { numbers: Numbers::Finite, ..resonite::STORES };
