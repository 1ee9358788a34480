//! The words of the format, what its axes mean, and how its rows play.

use inbetween_core::{Axis, Coordinates, Handedness, Rules};

/// The playback rules of BVH: programs read rows as linear keys.
pub const RULES: Rules = Rules::LINEAR;

/// No file states its unit. Programs agree on right-handed axes, and nearly all files have Y up.
pub(crate) const COORDINATES: Coordinates =
    Coordinates::new(Handedness::Right, Axis::Y).with_front(Axis::Z);

/// The id of the format, in errors and findings.
pub(crate) const ID: &str = "bvh";

/// The first word of a file.
pub(crate) const HIERARCHY: &str = "HIERARCHY";

/// Opens a joint without a parent.
pub(crate) const ROOT: &str = "ROOT";

/// Opens a joint within another one.
pub(crate) const JOINT: &str = "JOINT";

/// The first of the two words that open the tip of a bone.
pub(crate) const END: &str = "End";

/// The second word that opens the tip of a bone.
pub(crate) const SITE: &str = "Site";

/// Precedes the position of a joint in its parent.
pub(crate) const OFFSET: &str = "OFFSET";

/// Precedes the number and the names of the channels of a joint.
pub(crate) const CHANNELS: &str = "CHANNELS";

/// Opens the rows of numbers.
pub(crate) const MOTION: &str = "MOTION";

/// Precedes the number of rows.
pub(crate) const FRAMES: &str = "Frames";

/// The first of the two words before the seconds from row to row.
pub(crate) const FRAME: &str = "Frame";

/// The second of the two words before the seconds from row to row.
pub(crate) const TIME: &str = "Time";

/// The byte order mark that some editors write before the text.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

/// The channels, by name, axis and whether they turn.
pub(crate) const CHANNEL_NAMES: [(&str, Axis, bool); 6] = [
    ("Xposition", Axis::X, false),
    ("Yposition", Axis::Y, false),
    ("Zposition", Axis::Z, false),
    ("Xrotation", Axis::X, true),
    ("Yrotation", Axis::Y, true),
    ("Zrotation", Axis::Z, true),
];
