//! The codes of findings about SEAnim files.

use inbetween_core::{Code, codes as shared};

/// The codes of this crate and the shared ones that it uses.
pub(crate) static USED: [Code; ALL.len() + SHARED.len()] = inbetween_core::join_codes(ALL, SHARED);

const SHARED: &[Code] = &[
    shared::SLERP_DIFFERS,
    shared::KEYS_TRANSLATED,
    shared::KEYS_MERGED,
    shared::COMPONENTS_JOINED,
    shared::CURVE_BAKED,
    shared::DURATION_CHANGED,
    shared::DURATION_EXTENDED,
    shared::EULER_BAKED,
    shared::FRAME_RATE_DEFAULT,
    shared::FRAME_RATE_GUESSED,
    shared::KEYS_OFF_GRID,
    shared::NAME_DROPPED,
    shared::NEGATIVE_TIMES_CUT,
    shared::NULL_TEXT,
    shared::RESAMPLED,
    shared::SHAPE_CHANGED,
    shared::TANGENTS_DROPPED,
    shared::TIMES_ROUNDED,
    shared::TIMES_SORTED,
    shared::TRACKS_REORDERED,
    shared::TRACK_DROPPED,
    shared::VALUES_NARROWED,
];

inbetween_core::codes! {
    /// The frames are as wide as specification 1.0.1 says (by frameCount - 1). Current programs
    /// use 1.0.2 and cannot read the file; converting or rebuilding it writes 1.0.2.
    LEGACY_WIDTHS = "seanim/legacy-widths", Warning, Observation;
    /// A count says that a block is there and its presence bit says that it is not. The reading
    /// that explains all bytes was taken.
    PRESENCE_DISAGREES = "seanim/presence-disagrees", Warning, Observation;
    /// Bytes after the last block that no specification explains. They are kept on rewriting.
    TRAILING_BYTES = "seanim/trailing-bytes", Warning, Observation;
    /// A key or note is at or after frameCount, which should be the largest frame plus 1.
    /// RedFox writes such files.
    FRAME_BEYOND_COUNT = "seanim/frame-beyond-count", Warning, Observation;
    /// The custom bit is set but no custom block follows. io_anim_seanim drops the block and
    /// keeps the bit when it saves a file.
    CUSTOM_MISSING = "seanim/custom-missing", Warning, Observation;
    /// A bone with a name beyond ASCII has no keys, and bytes are left over: io_anim_seanim
    /// loses the NUL of such names, and all that follows is misread.
    NAME_LOST_NUL = "seanim/name-lost-nul", Error, Observation;
    /// headerSize is 26, as the text of the specification has it; other programs write 28.
    HEADER_SIZE_26 = "seanim/header-size-26", Info, Observation;
    /// The header is longer than 28 bytes. What is in the rest is not known; it is kept on
    /// rewriting.
    HEADER_EXTRA = "seanim/header-extra", Info, Observation;
    /// A name is not UTF-8. It is shown as Latin-1; its bytes are kept on rewriting.
    NAME_ENCODING = "seanim/name-encoding", Info, Observation;
    /// Keys are not in the order of their frames. Most programs expect them sorted.
    KEYS_UNSORTED = "seanim/keys-unsorted", Warning, Observation;
    /// Two keys of a channel are on the same frame; programs differ in which one counts.
    DUPLICATE_FRAME = "seanim/duplicate-frame", Warning, Observation;
    /// The first key of a channel is not on frame 0; its value holds before.
    FIRST_KEY_LATE = "seanim/first-key-late", Info, Observation;
    /// Bones that have no keys keep the pose below.
    BONE_WITHOUT_KEYS = "seanim/bone-without-keys", Info, Observation;
    /// Two bones have the same name; programs bind by name and take one of them.
    DUPLICATE_BONE = "seanim/duplicate-bone", Warning, Observation;
    /// A modifier names a bone that the file does not have; some programs crash on it.
    MODIFIER_BONE = "seanim/modifier-bone", Error, Observation;
    /// A modifier has an animation type that no specification names.
    MODIFIER_TYPE = "seanim/modifier-type", Warning, Observation;
    /// The animation type is none of absolute, additive, relative and delta.
    UNKNOWN_ANIM_TYPE = "seanim/unknown-anim-type", Warning, Observation;
    /// Bone flags are neither 0 nor 1 (cosmetic).
    BONE_FLAGS = "seanim/bone-flags", Warning, Observation;
    /// A rotation is not of unit length. Programs that do not normalise it scale the bone.
    ROTATION_NOT_UNIT = "seanim/rotation-not-unit", Warning, Observation;
    /// A value is NaN or infinite.
    VALUE_NOT_FINITE = "seanim/value-not-finite", Error, Observation;
    /// The frame rate is not a positive number, so frames have no time. Give one with `--fps`.
    FRAMERATE_INVALID = "seanim/framerate-invalid", Error, Observation;
    /// The frame rate is not a whole number; some programs round it.
    FRAMERATE_FRACTIONAL = "seanim/framerate-fractional", Info, Observation;
    /// The same note stands twice on one frame, as merging files a bone at a time leaves it.
    DUPLICATE_NOTE = "seanim/duplicate-note", Warning, Observation;
    /// Reserved bytes or bits are not 0. They are kept on rewriting.
    RESERVED_NOT_ZERO = "seanim/reserved-not-zero", Info, Observation;
    /// There is neither a bone nor a note block, against the specification.
    NO_DATA_BLOCK = "seanim/no-data-block", Warning, Observation;

    /// Bytes of the header after the first 28 have no word in the common model.
    HEADER_EXTRA_DROPPED = "seanim/header-extra-dropped", Warning, Loss;
    /// Reserved bytes or bits that are not 0 have no word in the common model.
    RESERVED_DROPPED = "seanim/reserved-dropped", Warning, Loss;
    /// Bone flags, such as COSMETIC, have no word in the common model.
    BONE_FLAGS_DROPPED = "seanim/bone-flags-dropped", Warning, Loss;
    /// Bones without any channel make no track, so their names are lost.
    BONES_DROPPED = "seanim/bones-dropped", Warning, Loss;
    /// A modifier of a bone that the file does not have was dropped.
    MODIFIER_DROPPED = "seanim/modifier-dropped", Warning, Loss;
    /// The custom block has no word in the common model.
    CUSTOM_DROPPED = "seanim/custom-dropped", Warning, Loss;
    /// The two unused numbers of blend shape keys are not 0 and have no word in the common
    /// model.
    SHAPE_PADDING_DROPPED = "seanim/shape-padding-dropped", Warning, Loss;
    /// Bytes after the last block have no word in the common model.
    TRAILING_DROPPED = "seanim/trailing-dropped", Warning, Loss;
    /// The file has a list of blend shapes without any, or states the precision of bones that it
    /// has not. Neither means anything, so it is not written again.
    UNUSED_DROPPED = "seanim/unused-dropped", Info, Observation;
    /// A name that is not UTF-8 was read as Latin-1 and is written as UTF-8.
    NAME_REENCODED = "seanim/name-reencoded", Warning, Loss;
    /// The frame rate of the file is not a positive number; another one was taken for the times.
    FRAMERATE_REPLACED = "seanim/framerate-replaced", Warning, Loss;
    /// frameCount is not the largest frame plus 1, or 0; it is written anew from the keys and the
    /// duration.
    FRAME_COUNT_CHANGED = "seanim/frame-count-changed", Info, Observation;
    /// A blend shape belongs to a node; the shapes of a SEAnim file belong to none.
    SHAPE_NODE_DROPPED = "seanim/shape-node-dropped", Warning, Loss;
    /// A node that blends in another way has no track of a bone, so nothing says it in the file.
    OVERRIDE_DROPPED = "seanim/override-dropped", Warning, Loss;
    /// Bones without a channel that other bones have got one without keys, since the file has the
    /// same channels for all.
    CHANNELS_FILLED = "seanim/channels-filled", Info, Observation;
    /// Some bones have f32 values and some f64. All were written as f64, which is exact.
    VALUES_WIDENED = "seanim/values-widened", Info, Observation;
    /// The frame rate was rounded to the nearest f32, which the file stores.
    RATE_ROUNDED = "seanim/rate-rounded", Info, Observation;
}
