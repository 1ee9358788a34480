//! The commands, one module each.

pub(crate) mod check;
pub(crate) mod clip;
pub(crate) mod convert;
pub(crate) mod diff;
pub(crate) mod edit;
pub(crate) mod explain;
pub(crate) mod formats;
pub(crate) mod info;
pub(crate) mod man;
pub(crate) mod plot;
pub(crate) mod sample;
pub(crate) mod skeleton;
pub(crate) mod text;
