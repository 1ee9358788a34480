//! The commands, one module each.

pub(crate) mod check;
pub(crate) mod convert;
pub(crate) mod edit;
pub(crate) mod formats;
pub(crate) mod info;
pub(crate) mod paper;
pub(crate) mod sample;
pub(crate) mod text;
