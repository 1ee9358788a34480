//! Findings, errors, contents of files and formats as JSON reports print them.
//!
//! Their members are part of the interface of the command line and of the web page, which
//! `docs/json.md` lists. The types serialize themselves with `serde`.

mod finding;
mod format;
mod inspection;

pub use finding::{ErrorAt, FindingAt, PositionAt};
pub use format::FormatRow;
pub use inspection::{Clip, Facts};
