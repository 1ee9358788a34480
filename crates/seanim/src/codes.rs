//! The codes of findings about SEAnim files.

use inbetween_core::{Code, codes as shared};

/// The codes of this crate and the shared ones that it uses.
pub(crate) static USED: [Code; ALL.len() + SHARED.len()] = inbetween_core::join_codes(ALL, SHARED);

const SHARED: &[Code] = &[
    shared::BOUND_EXCEEDED,
    shared::SCENE_LEFT_OUT,
    shared::DUPLICATE_BONE,
    shared::DUPLICATE_FRAME,
    shared::FRAME_RATE_INVALID,
    shared::FRAME_RATE_REPLACED,
    shared::KEYS_UNSORTED,
    shared::NAME_ENCODING,
    shared::NAME_REENCODED,
    shared::NUMBER_NOT_FINITE,
    shared::OVERRIDE_DROPPED,
    shared::RATE_ROUNDED,
    shared::RESERVED_DROPPED,
    shared::RESERVED_NOT_ZERO,
    shared::ROTATION_NOT_UNIT,
    shared::SHAPE_NODE_DROPPED,
    shared::TRAILING_BYTES,
    shared::TRAILING_DROPPED,
    shared::SKELETON_DROPPED,
    shared::ROTATIONS_NORMALIZED,
    shared::UNEVEN_ROTATIONS_NORMALIZED,
    shared::VALUE_UNDEFINED,
    shared::ERROR_NOT_MEASURED,
    shared::AXES_MISSING,
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
    shared::BLEND_DROPPED,
    shared::KIND_NARROWED,
    shared::VALUES_NARROWED,
];

inbetween_core::codes! {
    /// Frame numbers have the width of specification 1.0.1, which used frameCount - 1. Current
    /// programs use 1.0.2 and cannot read the file. Convert the file to SEAnim again to write the
    /// current width.
    LEGACY_WIDTHS = "seanim/legacy-widths", Warning, Observation;
    /// A count and its presence bit disagree about whether a block exists. The interpretation that
    /// accounts for all bytes is used. If the result looks wrong, force another one.
    PRESENCE_DISAGREES = "seanim/presence-disagrees", Warning, Observation,
        [Option("seanim-layout")];
    /// A key or note is at or after frameCount, which should be the largest frame plus 1. RedFox
    /// writes such files, and other programs may cut the last frame. Convert the file to SEAnim
    /// again to correct frameCount.
    FRAME_BEYOND_COUNT = "seanim/frame-beyond-count", Warning, Observation;
    /// The header announces a custom block, but the file has none. io_anim_seanim drops the block
    /// and keeps the bit when it saves a file; the data is already lost. Convert the file to SEAnim
    /// again to clear the bit.
    CUSTOM_MISSING = "seanim/custom-missing", Warning, Observation;
    /// A bone with a non-ASCII name has no keys, and bytes remain after the last block.
    /// io_anim_seanim omits the NUL after such names, so everything after the name is misread.
    /// Export the file again with ASCII bone names.
    NAME_LOST_NUL = "seanim/name-lost-nul", Error, Observation;
    /// headerSize is 26, as in the text of the specification; other programs write 28. The file
    /// reads the same. No action is needed.
    HEADER_SIZE_26 = "seanim/header-size-26", Info, Observation;
    /// The header is longer than 28 bytes, and the meaning of the rest is unknown. The text form
    /// keeps these bytes, and conversions drop them. No action is needed.
    HEADER_EXTRA = "seanim/header-extra", Info, Observation;
    /// The first key of a channel is after frame 0. Its value holds from the start. No action is
    /// needed.
    FIRST_KEY_LATE = "seanim/first-key-late", Info, Observation;
    /// Some bones have no keys. They keep their rest pose. No action is needed, or fill them from
    /// the rest pose.
    BONE_WITHOUT_KEYS = "seanim/bone-without-keys", Info, Observation, [Edit("fill")];
    /// A modifier refers to a bone index that the file does not have. Some programs crash on it.
    /// Convert the file to SEAnim again to remove the modifier.
    MODIFIER_BONE = "seanim/modifier-bone", Error, Observation;
    /// A modifier has an animation type that the specification does not define. Programs may ignore
    /// it or misinterpret the bone. Set a known type in the text form.
    MODIFIER_TYPE = "seanim/modifier-type", Warning, Observation, [TextForm];
    /// The animation type is not absolute, additive, relative or delta. Programs may misinterpret
    /// the values. Set a known type in the text form.
    UNKNOWN_ANIM_TYPE = "seanim/unknown-anim-type", Warning, Observation, [TextForm];
    /// The flags of a bone are neither 0 nor 1 (cosmetic). Programs ignore the other bits. No
    /// action is needed.
    BONE_FLAGS = "seanim/bone-flags", Warning, Observation;
    /// The frame rate is not an integer. Some programs round it. No action is needed unless your
    /// program plays at the wrong speed.
    FRAMERATE_FRACTIONAL = "seanim/framerate-fractional", Info, Observation;
    /// A frame has the same note twice, which happens when files are merged bone by bone. The event
    /// may fire twice. Remove one of them in the text form.
    DUPLICATE_NOTE = "seanim/duplicate-note", Warning, Observation, [TextForm];
    /// The file has neither bones nor notes, which the specification does not allow. Nothing plays.
    /// Export the file again.
    NO_DATA_BLOCK = "seanim/no-data-block", Warning, Observation;

    /// The header has bytes of unknown meaning after the first 28. The common model cannot store
    /// them, so they are dropped. Make changes in the text form to keep them.
    HEADER_EXTRA_DROPPED = "seanim/header-extra-dropped", Warning, Loss, [TextForm];
    /// A bone has flags such as COSMETIC. The common model cannot store them, so they are dropped. Make
    /// changes in the text form to keep them.
    BONE_FLAGS_DROPPED = "seanim/bone-flags-dropped", Info, Observation, [TextForm];
    /// Bones have no channels at all, so they make no tracks. Their names are lost. Fill such bones
    /// with keys from a rest pose.
    BONES_DROPPED = "seanim/bones-dropped", Warning, Loss, [Edit("fill")];
    /// A modifier refers to a bone that the file does not have. It is dropped. No action is needed.
    MODIFIER_DROPPED = "seanim/modifier-dropped", Warning, Loss;
    /// The file has a custom data block. The common model cannot store it, so it is dropped. Make
    /// changes in the text form to keep it.
    CUSTOM_DROPPED = "seanim/custom-dropped", Warning, Loss, [TextForm];
    /// The two unused numbers of blend shape keys are not 0. The common model cannot store them, so
    /// they are dropped. Make changes in the text form to keep them.
    SHAPE_PADDING_DROPPED = "seanim/shape-padding-dropped", Warning, Loss, [TextForm];
    /// The file has an empty list of blend shapes, or a precision for bones it does not have.
    /// Neither has an effect, so neither is written again. No action is needed.
    UNUSED_DROPPED = "seanim/unused-dropped", Info, Observation;
    /// frameCount is neither 0 nor the largest frame plus 1. It is computed again from the keys and
    /// the duration. No action is needed.
    FRAME_COUNT_CHANGED = "seanim/frame-count-changed", Info, Observation;
    /// Bones share a name, and a blend mode is stated for the name. Each of them gets one modifier
    /// with the last mode that is stated. Give the bones different names if they are different
    /// bones.
    MODIFIERS_RESTATED = "seanim/modifiers-restated", Info, Observation;
    /// Some bones lack a channel that other bones have, and SEAnim files have the same channels for
    /// all bones. These bones get the channel without keys. No action is needed.
    CHANNELS_FILLED = "seanim/channels-filled", Info, Observation;
    /// Some bones have 32-bit values and others 64-bit values, and SEAnim has one width per file.
    /// All are written with 64 bits, which is exact. Convert all of them to 32 bits for a smaller
    /// file.
    VALUES_WIDENED = "seanim/values-widened", Info, Observation, [Edit("to_f32")];
}
