//! Findings: one type for warnings, checks and losses.

use core::fmt::{self, Write};
use std::borrow::Cow;

use super::number::significant;
use super::place::Location;
use crate::{Path, Place, Position, ReadError, Remedy};

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// A detail that needs no action.
    Hint,
    /// Information.
    Info,
    /// Probably a mistake.
    Warning,
    /// The program that owns the format would refuse or misread the file.
    Error,
}

impl Severity {
    /// Every severity, the lowest first.
    pub const ALL: [Self; 4] = [Self::Hint, Self::Info, Self::Warning, Self::Error];

    /// Returns the name in lowercase.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hint => "hint",
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// Returns the severity with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|severity| severity.name() == name)
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Whether a finding is an observation or a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Nature {
    /// A fact about the file.
    Observation,
    /// Data or meaning that the result of a conversion lacks or only approximates.
    Loss,
}

/// A row of the table of findings.
#[derive(Debug)]
pub struct CodeInfo {
    /// Stable, kebab-case, prefixed by the format's id or by `convert` or `core`.
    pub id: &'static str,
    /// The severity.
    pub severity: Severity,
    /// Whether findings of this code are losses.
    pub nature: Nature,
    /// Three sentences: the problem, its effect and the solution.
    pub help: &'static str,
    /// What the user can do about it with this library; usually empty.
    pub remedies: &'static [Remedy],
}

/// The code of a finding: a reference to a row of a static table.
#[derive(Clone, Copy)]
pub struct Code(&'static CodeInfo);

impl Code {
    /// Creates the code of a row; use [`codes!`](crate::codes!).
    pub const fn new(info: &'static CodeInfo) -> Self {
        Self(info)
    }

    /// Returns the stable id.
    pub const fn id(self) -> &'static str {
        self.0.id
    }

    /// Returns the severity of findings with this code.
    pub const fn severity(self) -> Severity {
        self.0.severity
    }

    /// Returns whether findings with this code are losses.
    pub const fn is_loss(self) -> bool {
        matches!(self.0.nature, Nature::Loss)
    }

    /// Returns the explanation of the code.
    pub const fn help(self) -> &'static str {
        self.0.help
    }

    /// Returns what the user can do about it with this library; usually nothing.
    pub const fn remedies(self) -> &'static [Remedy] {
        self.0.remedies
    }
}

impl PartialEq for Code {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

impl Eq for Code {}

impl core::hash::Hash for Code {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.id().hash(state);
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// Defines the codes of a crate: one constant per code, and the list `ALL`. A code may end with its
/// remedies.
///
/// # Examples
///
/// ```
/// mod codes {
///     inbetween_core::codes! {
///         /// Keys are not in the order of their times.
///         KEYS_UNSORTED = "mine/keys-unsorted", Warning, Observation;
///         /// The frame rate is missing.
///         NO_RATE = "mine/no-rate", Warning, Observation, [Option("fps"), TextForm];
///     }
/// }
/// assert_eq!(codes::ALL[0].id(), "mine/keys-unsorted");
/// assert_eq!(codes::NO_RATE.remedies().len(), 2);
/// assert_eq!(codes::KEYS_UNSORTED.help(), "Keys are not in the order of their times.");
/// ```
#[macro_export]
macro_rules! codes {
    ($(
        $(#[doc = $help:literal])+
        $name:ident = $id:literal, $severity:ident, $nature:ident
            $(, [$($remedy:ident $(($target:literal))?),+])?;
    )*) => {
        $(
            $(#[doc = $help])+
            pub const $name: $crate::Code = {
                static INFO: $crate::CodeInfo = $crate::CodeInfo {
                    id: $id,
                    severity: $crate::Severity::$severity,
                    nature: $crate::Nature::$nature,
                    help: concat!($($help),+).trim_ascii_start(),
                    remedies: &[$($($crate::Remedy::$remedy $(($target))?),+)?],
                };
                $crate::Code::new(&INFO)
            };
        )*

        /// Every code of this table, in its order.
        pub const ALL: &[$crate::Code] = &[$($name),*];
    };
}

/// Joins two lists of codes: those of a format, and the shared ones that it uses.
///
/// # Panics
///
/// If `N` is not the sum of the lengths; in a constant, this is a compile error.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Code, codes, join_codes};
///
/// const SHARED: &[Code] = &[codes::TIMES_SORTED];
/// const JOINED: [Code; 2] = join_codes(&[codes::NAME_DROPPED], SHARED);
/// assert_eq!(JOINED[1], codes::TIMES_SORTED);
/// ```
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "runs when it is compiled, where a wrong index does not compile"
)]
pub const fn join_codes<const N: usize>(own: &[Code], shared: &[Code]) -> [Code; N] {
    assert!(own.len() + shared.len() == N, "N is not the sum of the lengths");
    let mut joined = [crate::codes::FINDINGS_TRUNCATED; N];
    let mut next = 0;
    while next < N {
        joined[next] = if next < own.len() { own[next] } else { shared[next - own.len()] };
        next += 1;
    }
    joined
}

/// A change of the file that fixes a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// A description of the change, in the imperative.
    pub title: Cow<'static, str>,
    /// The changes; they do not overlap.
    pub edits: Vec<Edit>,
}

/// A range of bytes and its replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The first byte to replace.
    pub start: usize,
    /// The byte after the last one to replace; `start` to insert.
    pub end: usize,
    /// The replacement.
    pub replacement: Cow<'static, [u8]>,
}

/// The largest difference between the playback of a result and of its source.
///
/// It is a tight upper bound: at every time from 0 to the effective duration, the two differ by at
/// most [`value`](Self::value), plus the rounding of stored numbers. Where the source jumps, the
/// result may jump up to [`time_shift`](Self::time_shift) earlier or later.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StatedError {
    /// The difference of one component, in the unit of the values; for rotations the angle in
    /// radians.
    pub value: f64,
    /// Seconds.
    pub time_shift: f64,
}

impl StatedError {
    /// Creates the error of values whose times do not change.
    pub const fn of_value(value: f64) -> Self {
        Self { value, time_shift: 0.0 }
    }

    /// Returns the larger of each part of two errors.
    #[must_use]
    pub const fn max(self, other: Self) -> Self {
        Self {
            value: self.value.max(other.value),
            time_shift: self.time_shift.max(other.time_shift),
        }
    }
}

impl StatedError {
    /// Returns the text of an error with a leading comma, or nothing if there is no error.
    pub fn and_text(self) -> String {
        if self == Self::default() { String::new() } else { format!(", {self}") }
    }
}

impl fmt::Display for StatedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "off by at most {}", two_digits(self.value))?;
        if self.time_shift > 0.0 {
            write!(f, ", jumps by up to {} s", two_digits(self.time_shift))?;
        }
        Ok(())
    }
}

/// Formats a number with two significant digits, rounded up.
fn two_digits(number: f64) -> String {
    // The nearest number of two digits is the wanted one, or the one below it.
    let text = format!("{number:.1e}");
    let digits = text.split_once('e').and_then(|(digits, power)| {
        Some((digits.parse::<f64>().ok()?, power.parse::<i32>().ok()?))
    });
    let Some((digits, power)) = digits else { return significant(number) };
    let rounded = |digits: f64| format!("{digits:.1}e{power}").parse().unwrap_or(number);
    let nearest: f64 = rounded(digits);
    significant(if nearest < number { rounded(digits + 0.1) } else { nearest })
}

/// A fact about a file or a conversion that is worth reporting.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// The code.
    pub code: Code,
    /// The clip, track and key of the document; the first ones, if there are several.
    pub place: Place,
    /// The path in the structure of the file or of the document, if the place does not tell it.
    pub path: Path,
    /// The position in the bytes of the file; `None` if the bytes are not available.
    pub position: Option<Position>,
    /// What is wrong, with its numbers; lowercase, without a full stop.
    pub message: Cow<'static, str>,
    /// The number of occurrences in the same track, bone or file.
    pub count: u64,
    /// The fix, if there is an automatic one.
    pub fix: Option<Fix>,
    /// The largest error that it causes in the result of a conversion or an edit.
    pub error: Option<StatedError>,
}

impl Finding {
    /// Creates a finding about the whole file.
    pub fn new(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            code,
            place: Place::default(),
            path: Path::default(),
            position: None,
            message: message.into(),
            count: 1,
            fix: None,
            error: None,
        }
    }

    /// Creates the finding about a part of a file that cannot be read, and is skipped. `what` names
    /// the part, and may be empty.
    pub fn skipped(what: &str, error: &ReadError) -> Self {
        let mut message = if what.is_empty() { String::new() } else { format!("{what}: ") };
        // Writing to a String does not fail.
        let _ = write!(message, "{}", error.kind());
        if let Some(hint) = error.hint() {
            let _ = write!(message, "; {hint}");
        }
        let finding = Self::new(crate::codes::PART_SKIPPED, message).at(error.path().clone());
        Self { position: error.position(), ..finding }
    }

    /// Returns the finding with the index of its key in the track.
    #[must_use]
    pub fn key(mut self, key: usize) -> Self {
        self.place.key = Some(key);
        self
    }

    /// Returns the finding with its path in the structure of the file or of the document.
    #[must_use]
    pub fn at(mut self, path: Path) -> Self {
        self.path = path;
        self
    }

    /// Returns the finding with its position in the bytes of the file.
    #[must_use]
    pub fn position(mut self, position: Position) -> Self {
        self.position = Some(position);
        self
    }

    /// Returns the finding with its number of occurrences.
    #[must_use]
    pub fn count(mut self, count: u64) -> Self {
        self.count = count;
        self
    }

    /// Returns the finding with a fix.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }

    /// Returns the finding with the largest error of the result.
    #[must_use]
    pub const fn error(mut self, error: StatedError) -> Self {
        self.error = Some(error);
        self
    }

    /// Returns the severity.
    pub const fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// Returns the place and the path to print.
    pub const fn location(&self) -> Location<'_> {
        Location { place: &self.place, path: &self.path }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: ", self.severity(), self.code)?;
        let location = self.location();
        if !location.is_whole() {
            write!(f, "{location}: ")?;
        }
        f.write_str(&self.message)?;
        if self.count > 1 {
            write!(f, ", {} times", self.count)?;
        }
        if let Some(position) = &self.position {
            write!(f, " ({position})")?;
        }
        Ok(())
    }
}
