//! Files that belong to files of a format without being of it.

use core::fmt;

use crate::{Finding, Limits, ReadError};

/// What there is to know about a kind of companion without a file.
#[derive(Debug)]
pub struct CompanionInfo {
    /// The name, without dashes: a flag of the command line.
    pub name: &'static str,
    /// What the value is, for the help text: `FILE.xml`.
    pub value: &'static str,
    /// What it is for, in one sentence.
    pub help: &'static str,
}

/// A second file that belongs to a file of a format, such as the component XML that names the
/// animations of an X4 .ANI file: what a check asks of the two together.
pub trait Companion: fmt::Debug + Send + Sync {
    /// Returns what there is to know without a file.
    fn info(&self) -> &'static CompanionInfo;

    /// Returns what of a file does not fit its companion.
    ///
    /// # Errors
    ///
    /// When `companion` cannot be read or costs more than the limits allow, or `bytes` are not a
    /// file of the format.
    fn check(
        &self,
        bytes: &[u8],
        companion: &[u8],
        limits: &Limits,
    ) -> Result<Vec<Finding>, ReadError>;
}
