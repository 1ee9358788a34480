//! Errors of edits.

use core::fmt;

use inbetween_core::{
    BakeError, KeysError, Place, Remedy, SkeletonError, SkeletonsDiffer, Target, TrackError, shown,
    significant,
};

/// The error of an edit that cannot be applied.
///
/// Prints the path first, then the expected and found values.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum EditError {
    /// The operation does not accept a number.
    Number {
        /// The meaning of the number.
        what: &'static str,
        /// The accepted numbers.
        expected: &'static str,
        /// The given number.
        found: f64,
    },
    /// A range ends before it starts.
    Range {
        /// Seconds.
        start: f64,
        /// Seconds.
        end: f64,
    },
    /// Times would exceed the range of `f64` seconds.
    Times {
        /// The clip and the track.
        place: Box<Place>,
        /// The original time in seconds.
        time: f64,
    },
    /// Keys cannot be baked, or exceed the limits.
    Bake {
        /// The clip and the track.
        place: Box<Place>,
        /// The error of baking.
        error: BakeError,
    },
    /// The result would exceed the limits.
    Limit {
        /// The data that needs too much memory.
        what: &'static str,
        /// The number of bytes needed.
        bytes: u64,
        /// The number of bytes remaining.
        left: u64,
    },
    /// A text is not a valid pattern.
    Pattern {
        /// The text.
        pattern: String,
        /// The syntax error.
        problem: String,
    },
    /// A text is not a time.
    Time {
        /// The text.
        found: String,
    },
    /// Frames are counted, and a clip has no frame rate.
    NoFrameRate,
    /// Frames are counted, and the clips have different frame rates.
    FrameRatesDiffer,
    /// The frames of a clip should play at another rate, and it states none.
    NoStatedRate,
    /// A clip that plays for no time should get a length.
    NoLength,
    /// No clip has a name.
    NoClip {
        /// The name.
        name: String,
    },
    /// Two clips would have the same name.
    ClipExists {
        /// The name.
        name: String,
    },
    /// Two documents animate the same property.
    Conflict {
        /// The property that both animate.
        target: Box<Target>,
    },
    /// Two documents give a node different blend modes.
    Blend {
        /// The node.
        node: String,
    },
    /// There is no clip to edit.
    NoClips,
    /// No animated node is a bone of the rig.
    NoBones {
        /// The number of animated nodes.
        nodes: usize,
    },
    /// The operation needs a rest pose.
    NoSkeleton {
        /// The operation.
        operation: &'static str,
    },
    /// The first frame of a clip that is not absolute is not a rest pose.
    NotAbsolute {
        /// The blend mode of the clip.
        blend: String,
    },
    /// Bones do not form a skeleton.
    Skeleton(SkeletonError),
    /// Two documents that should be combined have different skeletons.
    SkeletonsDiffer(SkeletonsDiffer),
    /// Columns do not form a track.
    Keys(KeysError),
    /// The values are not valid for the property.
    Track(TrackError),
}

impl EditError {
    /// Returns what the user can do about it. The message says the same in words.
    pub const fn remedy(&self) -> Option<Remedy> {
        match self {
            Self::Bake { error, .. } => error.remedy(),
            Self::Limit { .. } => Some(Remedy::RaiseLimit),
            Self::NoFrameRate | Self::FrameRatesDiffer => Some(Remedy::Edit("set_frame_rate")),
            Self::NoStatedRate => Some(Remedy::Edit("retime")),
            Self::ClipExists { .. } => Some(Remedy::Edit("rename_clip")),
            Self::NoSkeleton { .. } => Some(Remedy::Option("skeleton")),
            _ => None,
        }
    }
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
                 swap them, and reverse the clip to play it backward"
            ),
            Self::Times { place, time } => {
                write_place(place, f)?;
                let time = significant(*time);
                write!(f, "the time {time} s would become too large; use a smaller factor or shift")
            }
            Self::Bake { place, error } => {
                write_place(place, f)?;
                error.fmt(f)
            }
            Self::Limit { what, bytes, left } => write!(
                f,
                "{what} need {bytes} bytes, {left} remain within the limit; use fewer, or raise the \
                 limit"
            ),
            Self::Pattern { pattern, problem } => {
                write!(f, "{}: not a pattern: {problem}", shown(pattern))
            }
            Self::Time { found } => write!(
                f,
                "expected seconds such as 0.5 or frames such as 15f, found '{}'",
                shown(found)
            ),
            Self::NoFrameRate => f.write_str(
                "frames are counted, and the clip has no frame rate; use seconds, or set the rate \
                 first",
            ),
            Self::FrameRatesDiffer => f.write_str(
                "frames are counted, and the clips have different frame rates; use seconds, or set \
                 one rate first",
            ),
            Self::NoStatedRate => f.write_str(
                "the clip states no frame rate, so its keys have seconds and no frames; change its \
                 length instead",
            ),
            Self::NoLength => {
                f.write_str("the clip plays for no time, so it cannot get a length; give it keys")
            }
            Self::NoClip { name } => write!(f, "no clip is called '{}'", shown(name)),
            Self::ClipExists { name } => write!(
                f,
                "two clips would be called '{}' (clip names are case-insensitive); choose another \
                 name, or rename one of them",
                shown(name)
            ),
            Self::Conflict { target } => write!(
                f,
                "{}: several clips animate it; drop it from all but one, or rename the node in one \
                 of them",
                shown(&target.label())
            ),
            Self::Blend { node } => write!(
                f,
                "{}: the documents give it different blend modes; resolve the blend modes of \
                 both first",
                shown(node)
            ),
            Self::NoClips => f.write_str("expected a clip, found none"),
            Self::NoBones { nodes } => write!(
                f,
                "none of {nodes} animated nodes is a bone of the rig; compare the names, and rename \
                 the nodes"
            ),
            Self::NoSkeleton { operation } => write!(
                f,
                "{operation} needs a rest pose, and the animation has no skeleton; give one \
                 from a .json file or an animation"
            ),
            Self::NotAbsolute { blend } => write!(
                f,
                "the first frame of a clip is a rest pose only if the clip is absolute, and this \
                 one is {blend}; take another file"
            ),
            Self::Skeleton(error) => error.fmt(f),
            Self::SkeletonsDiffer(error) => error.fmt(f),
            Self::Keys(error) => error.fmt(f),
            Self::Track(error) => error.fmt(f),
        }
    }
}

fn write_place(place: &Place, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if place.is_whole() { Ok(()) } else { write!(f, "{place}: ") }
}

/// Prints the message, so that an error that `main` returns is readable.
impl fmt::Debug for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for EditError {}

impl From<SkeletonError> for EditError {
    fn from(error: SkeletonError) -> Self {
        Self::Skeleton(error)
    }
}

impl From<SkeletonsDiffer> for EditError {
    fn from(error: SkeletonsDiffer) -> Self {
        Self::SkeletonsDiffer(error)
    }
}

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
