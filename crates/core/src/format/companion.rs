//! Companion files, which belong to files of a format.

use core::fmt;

use crate::{Finding, Limits, ReadError};

/// Static facts about a kind of companion.
#[derive(Debug)]
pub struct CompanionInfo {
    /// The name, without dashes, which becomes a flag of the command line.
    pub name: &'static str,
    /// A placeholder for the value in help texts: `FILE.xml`.
    pub value: &'static str,
    /// What it is for, as one imperative sentence.
    pub help: &'static str,
}

/// A second file that belongs to a file of a format, such as the component XML that names the
/// animations of an X4 .ANI file. It checks the two together.
pub trait Companion: fmt::Debug + Send + Sync {
    /// Returns the static facts about the companion.
    fn info(&self) -> &'static CompanionInfo;

    /// Returns the differences between a file and its companion.
    ///
    /// # Errors
    ///
    /// If `companion` cannot be read or exceeds the limits, or `bytes` are not a file of the
    /// format.
    fn check(
        &self,
        bytes: &[u8],
        companion: &[u8],
        limits: &Limits,
    ) -> Result<Vec<Finding>, ReadError>;
}
