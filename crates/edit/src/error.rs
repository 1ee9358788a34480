//! Why an edit cannot be made.

use core::fmt;

use inbetween_core::{BakeError, KeysError, Path, Target, TrackError, shown};

/// Why an edit cannot be made.
///
/// Prints the place first, then what was expected and what was found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum EditError {
    /// A number is not one that the operation takes.
    Number {
        /// What the number is.
        what: &'static str,
        /// What it may be.
        expected: &'static str,
        /// What it is.
        found: f64,
    },
    /// A range ends before it starts.
    Range {
        /// Seconds.
        start: f64,
        /// Seconds.
        end: f64,
    },
    /// Times would be too large for seconds as `f64`.
    Times {
        /// The track, marker or clip.
        path: Path,
        /// The time as it was, in seconds.
        time: f64,
    },
    /// A track reaches beyond the last frame that can be counted.
    Frames {
        /// The track.
        path: Path,
        /// Frames a second.
        rate: f64,
        /// The time of the last key in seconds.
        end: f64,
    },
    /// Keys cannot be made, or cost too much.
    Bake {
        /// The track.
        path: Path,
        /// Why.
        error: BakeError,
    },
    /// The result would cost more than the limits allow.
    Limit {
        /// What there would be too much of.
        what: &'static str,
        /// Bytes that it needs.
        bytes: u64,
        /// Bytes that the limits leave.
        left: u64,
    },
    /// A text is no pattern.
    Pattern {
        /// The text.
        pattern: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A text names no axes.
    Axes {
        /// The text.
        found: String,
    },
    /// Two documents animate the same.
    Conflict {
        /// What both animate.
        target: Box<Target>,
    },
    /// Two documents blend the same node in different ways.
    Blend {
        /// The node.
        node: String,
    },
    /// There is no clip to work on.
    NoClips,
    /// The operation needs a rest pose.
    NoSkeleton {
        /// The operation.
        operation: &'static str,
    },
    /// Columns do not make a track.
    Keys(KeysError),
    /// A property cannot have the values.
    Track(TrackError),
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number { what, expected, found } => {
                write!(f, "{what}: expected {expected}, found {found}")
            }
            Self::Range { start, end } => write!(
                f,
                "range: expected a start that is not after the end, found {start} to {end}; \
                 exchange them, and reverse the clip if it is to play backwards"
            ),
            Self::Times { path, time } => write!(
                f,
                "{path}: the time {time} s would become too large a number; take a smaller factor \
                 or amount"
            ),
            Self::Frames { path, rate, end } => write!(
                f,
                "{path}: expected at most {} frames, found keys to {end:e} s at {rate:e} frames a \
                 second; take a lower rate, or trim the clip first",
                u32::MAX
            ),
            Self::Bake { path, error } => write!(f, "{path}: {error}"),
            Self::Limit { what, bytes, left } => write!(
                f,
                "{what} need {bytes} bytes, the limit leaves {left}; work on fewer, or raise the \
                 limit"
            ),
            Self::Pattern { pattern, problem } => {
                write!(f, "{}: not a pattern: {problem}", shown(pattern))
            }
            Self::Axes { found } => write!(
                f,
                "axes: expected each of x, y and z once, with or without a minus, such as x,z,-y; \
                 found {found}"
            ),
            Self::Conflict { target } => write!(
                f,
                "{}: more than one document animates it; drop it from all but one, or rename the \
                 node in one of them",
                shown(&crate::select::describe(target))
            ),
            Self::Blend { node } => write!(
                f,
                "{}: the documents blend it in different ways; resolve the blend modes of both \
                 first",
                shown(node)
            ),
            Self::NoClips => f.write_str("expected a clip, found none"),
            Self::NoSkeleton { operation } => write!(
                f,
                "{operation}: expected a rest pose, found none; give a skeleton, or the absolute \
                 clip whose first frame is the rest pose"
            ),
            Self::Keys(error) => error.fmt(f),
            Self::Track(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for EditError {}

impl From<KeysError> for EditError {
    fn from(error: KeysError) -> Self {
        Self::Keys(error)
    }
}

impl From<TrackError> for EditError {
    fn from(error: TrackError) -> Self {
        Self::Track(error)
    }
}
