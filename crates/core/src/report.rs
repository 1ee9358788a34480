//! Findings and their fixes, codes, errors, paths, and limits.

pub mod codes;
mod error;
mod finding;
mod findings;
pub mod fix;
mod limits;
mod location;
mod number;
mod place;
mod remedy;
mod shown;

pub use error::{ReadError, ReadErrorKind, WriteError, WriteErrorKind};
pub use finding::{Code, CodeInfo, Edit, Finding, Fix, Nature, Severity, StatedError, join_codes};
pub use findings::{Findings, Outcome, SharedFindings};
#[cfg(feature = "fit")]
pub(crate) use limits::RAISE_LIMIT;
pub use limits::{Budget, Count, Limits, SharedBudget};
pub use location::{Path, PathStyle, Position, Segment, Space};
pub use number::{counted, plural, significant};
pub use place::{ClipPlace, Location, Place, TrackName, TrackPlace};
pub use remedy::Remedy;
pub use shown::{Shown, printable, printable_json, shown};
