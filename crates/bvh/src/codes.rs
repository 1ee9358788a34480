//! The codes of findings about BVH files.

use inbetween_core::{Code, codes as shared, join_codes};

/// The facts that other formats have too.
const SHARED: &[Code] = &[
    shared::PART_SKIPPED,
    shared::DUPLICATE_BONE,
    shared::FRAME_RATE_INVALID,
    shared::NUMBER_NOT_FINITE,
    shared::FRAME_RATE_REPLACED,
    shared::MARKERS_DROPPED,
    shared::RATE_ROUNDED,
    shared::BOUND_EXCEEDED,
    shared::SCENE_LEFT_OUT,
    shared::SECOND_TRACK_DROPPED,
    shared::BLEND_DROPPED,
    shared::BLEND_OVERRIDES_DROPPED,
    shared::COMPONENTS_JOINED,
    shared::CURVE_BAKED,
    shared::DURATION_CHANGED,
    shared::DURATION_EXTENDED,
    shared::EULER_BAKED,
    shared::FRAME_RATE_DEFAULT,
    shared::FRAME_RATE_GUESSED,
    shared::KEYS_MERGED,
    shared::KEYS_OFF_GRID,
    shared::KEYS_TRANSLATED,
    shared::KIND_NARROWED,
    shared::LOOPING_DROPPED,
    shared::NAME_DROPPED,
    shared::NEGATIVE_TIMES_CUT,
    shared::RESAMPLED,
    shared::SHAPE_CHANGED,
    shared::ROTATIONS_NORMALIZED,
    shared::UNEVEN_ROTATIONS_NORMALIZED,
    shared::VALUE_UNDEFINED,
    shared::VALUE_NOT_FINITE,
    shared::ERROR_NOT_MEASURED,
    shared::AXES_MISSING,
    shared::TANGENTS_DROPPED,
    shared::TIMES_ROUNDED,
    shared::TRACK_DROPPED,
    shared::EMPTY_TRACKS_DROPPED,
    shared::VALUES_NARROWED,
];

/// Every code that the crate uses.
pub(crate) static USED: [Code; ALL.len() + SHARED.len()] = join_codes(ALL, SHARED);

inbetween_core::codes! {
    /// The text starts with a byte order mark. Blender and other programs do not find HIERARCHY and
    /// refuse the file. Remove the mark.
    BYTE_ORDER_MARK = "bvh/byte-order-mark", Warning, Observation, [Fix];
    /// A number has a decimal comma. Other programs refuse it or read the digits before the comma.
    /// Export the file with a decimal point.
    DECIMAL_COMMA = "bvh/decimal-comma", Warning, Observation;
    /// Frames is not the number of complete rows. Programs disagree about which of the two counts;
    /// conversions use the smaller one. Correct Frames.
    FRAME_COUNT = "bvh/frame-count", Warning, Observation, [Fix];
    /// The last row lacks numbers. It is not read, and some programs refuse the file. Export the file
    /// again.
    ROW_INCOMPLETE = "bvh/row-incomplete", Warning, Observation;
    /// The number of channels is not the number of their names. The names count. Correct the number.
    CHANNEL_COUNT = "bvh/channel-count", Warning, Observation, [Fix];
    /// A joint names an axis more than once. Every channel is a factor of its rotation here, and
    /// Blender uses only the last one. Name each axis once.
    CHANNEL_REPEATED = "bvh/channel-repeated", Warning, Observation;
    /// A joint has some but not all position channels. The other coordinates are 0, as in Blender. Add
    /// the missing channels.
    POSITION_PARTIAL = "bvh/position-partial", Warning, Observation;
    /// A root has an OFFSET that is not 0, and position channels. The positions replace the offset
    /// here and in most programs; three.js adds the two. Set the offset to 0.
    ROOT_OFFSET = "bvh/root-offset", Info, Observation;
    /// The file has several roots. three.js and `UniVRM` read only the first. Give them a common
    /// parent.
    SEVERAL_ROOTS = "bvh/several-roots", Info, Observation;
    /// A joint with a parent has position channels. Some programs refuse them or ignore them. No
    /// action is needed for programs that read them.
    JOINT_POSITIONS = "bvh/joint-positions", Info, Observation;
    /// Rows after the stated number of frames are not read. Correct Frames to play them.
    ROWS_DROPPED = "bvh/rows-dropped", Warning, Loss, [Fix];
    /// Tracks name their joints, and two joints have the same name, or a name has spaces or braces. The
    /// joint gets another name. To choose it, rename the bone before.
    JOINT_RENAMED = "bvh/joint-renamed", Warning, Loss;
    /// End sites are the tips of bones, and other formats store no tips. They are left out. No action
    /// is needed.
    END_SITES_LEFT_OUT = "bvh/end-sites-left-out", Info, Observation;
    /// BVH stores rotations as angles, one row per frame. The rotations are converted, within the
    /// stated error between the rows. Choose a higher frame rate to make the error smaller.
    ROTATION_AS_EULER = "bvh/rotation-as-euler", Info, Observation, [Option("fps")];
    /// Every joint has channels for its rotation, and a root for its position, and some of them have
    /// no track. They hold the rest pose. No action is needed.
    CHANNELS_FILLED = "bvh/channels-filled", Info, Observation;
    /// The position of a joint does not move. Its OFFSET holds it, so it needs no channels. No action
    /// is needed.
    POSITION_CONSTANT = "bvh/position-constant", Info, Observation;
    /// BVH has no rest rotations. They are part of the written offsets and rotations, so the joints get
    /// other local axes, and every pose looks the same. To convert back, give the original skeleton.
    REST_ROTATIONS_FOLDED = "bvh/rest-rotations-folded", Info, Observation, [Option("skeleton")];
    /// BVH has no scales. Bones that the rest pose scales keep their offsets without it. Apply the
    /// scale in the modeling program.
    REST_SCALES_DROPPED = "bvh/rest-scales-dropped", Warning, Loss;
    /// The skeleton is written in the order of its hierarchy, with an offset for every joint. Parts
    /// of the rest pose that were unknown become 0. No action is needed.
    SKELETON_REWRITTEN = "bvh/skeleton-rewritten", Info, Observation;
}
