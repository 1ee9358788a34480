//! The codes of findings about edits.

inbetween_core::codes! {
    /// Keys or markers are outside the kept range. They are removed. Choose a larger range to keep
    /// them.
    CUT = "edit/cut", Info, Observation, [Edit("trim")];
    /// The trimmed range reaches beyond the end of the clip. The clip holds its last pose there.
    /// Choose a range within the clip if that is not intended.
    BEYOND_END = "edit/beyond-end", Warning, Observation, [Edit("trim")];
    /// Some keys are redundant within the error bound. They are removed, and the track plays
    /// differently by at most the stated error. Use a smaller bound to keep more keys.
    REDUCED = "edit/reduced", Warning, Loss, [Edit("reduce")];
    /// Some keys make no difference. They are removed, and the track plays exactly as before. No
    /// action is needed.
    REDUNDANT_KEYS_REMOVED = "edit/redundant-keys-removed", Info, Observation;
    /// The written file was compared with the same file without the reduction, both played by the
    /// target engine. The message states the largest error at keys and between them. No action is
    /// needed.
    REDUCTION_MEASURED = "edit/reduction-measured", Info, Observation;
    /// The written file differs from the unreduced one by more than the bound of the reduction.
    /// Times moved to frames, or a later edit enlarged the error. Reduce after all other edits, or
    /// use a smaller bound.
    BOUND_EXCEEDED = "edit/bound-exceeded", Warning, Loss, [Edit("reduce")];
    /// The edit cuts a segment that cannot be split exactly: a curve of quaternions, a segment
    /// between rotations that are not normalized, or one of integers. The part that is kept plays
    /// within the stated error. Cut at a key to avoid this.
    SEGMENT_APPROXIMATED = "edit/segment-approximated", Info, Observation;
    /// The edit moves keys before time 0. Most engines do not play them. Trim them, or shift the
    /// clip by a larger value.
    BEFORE_START = "edit/before-start", Warning, Observation, [Edit("trim"), Edit("shift")];
    /// The frames of the clip are played at the requested rate instead of the stated one. All times
    /// in seconds change. No action is needed.
    FRAME_RATE_REPLACED = "edit/frame-rate-replaced", Info, Observation, [Option("from-fps")];
    /// The edit makes different key times equal, because the difference is below the precision of
    /// the number. Only the last of these keys shows. Use a smaller factor or shift.
    TIMES_MERGED = "edit/times-merged", Warning, Loss;
    /// A track jumps between held values, and at the exact time of a jump it shows the value after
    /// it. Played backward, it shows the other value at that instant. No action is needed unless
    /// you sample exactly there.
    JUMP_INSTANTS = "edit/jump-instants", Info, Observation;
    /// The clip has no marker, or no requested time within it, at which to split. It stays whole.
    /// Give times within the clip.
    NO_SPLIT_POINT = "edit/no-split-point", Warning, Observation, [Edit("split")];
    /// A track is not present in all of the joined clips. In the others it holds its last value.
    /// Give those clips the track too, for example by filling it from a rest pose before joining.
    JOINED_GAP = "edit/joined-gap", Warning, Observation, [Edit("fill")];
    /// The clips have different names, frame rates or loop settings. Those of the first clip are
    /// kept and the others are lost. Put the clip whose settings you want first.
    CLIP_METADATA_DROPPED = "edit/clip-metadata-dropped", Warning, Loss;
    /// A pattern matches no track. It has no effect. Compare it with the tracks of the file:
    /// patterns are `NODE` or `NODE/PROPERTY`, and case-sensitive unless case is ignored.
    PATTERN_UNUSED = "edit/pattern-unused", Warning, Observation, [Option("ignore-case")];
    /// A name or a pattern of an edit matches nothing. It has no effect. Compare it with the names
    /// in the file, which are case-sensitive unless case is ignored.
    NAME_UNUSED = "edit/name-unused", Warning, Observation, [Option("ignore-case")];
    /// Values became too large for their type. They are infinite now. Use a smaller factor, or
    /// convert the values to 64 bits first.
    OUT_OF_RANGE = "edit/out-of-range", Warning, Loss, [Edit("to_f64")];
    /// A custom property holds vectors or rotations of unknown meaning. The edit leaves it
    /// unchanged. Correct it by hand if it depends on the axes or the unit.
    CUSTOM_PROPERTY_UNCHANGED = "edit/custom-property-unchanged", Info, Observation;
    /// Some bones have no keys. They get one key with the value of the rest pose. No action is
    /// needed.
    FILLED = "edit/filled", Info, Observation;
    /// The skeleton has no parent links. Blend overrides apply only to the nodes they name, not to
    /// their descendants. Give a skeleton with parents.
    NO_PARENTS = "edit/no-parents", Warning, Observation;
    /// A node of an additive or relative clip is not in the skeleton. Its rest pose is taken as
    /// position 0 with the identity rotation, so the result is probably wrong. Add the node to the
    /// skeleton.
    REST_MISSING = "edit/rest-missing", Warning, Loss;
    /// Some animated nodes are not in the given skeleton, which gives them neither a parent nor a rest
    /// pose. Compare the names, which are case-sensitive, and rename the nodes or add the bones.
    NOT_IN_SKELETON = "edit/not-in-skeleton", Warning, Observation, [Edit("rename")];
    /// The blend mode is not defined by any known specification. The values are treated as
    /// absolute. Set a known mode in the program that exports the file.
    BLEND_UNKNOWN = "edit/blend-unknown", Warning, Loss;
    /// The Euler angles of a node do not form a single rotation: an axis has two tracks, the angles
    /// have two orders, or a whole rotation is present too. These tracks are not resolved; their
    /// values are treated as absolute. Drop all but one.
    NOT_RESOLVED = "edit/not-resolved", Warning, Loss, [Edit("drop")];
    /// The axes and lengths of the file were converted to those of the format that is written. The
    /// message says how. Keep them, or choose others, if that is not right for your model.
    COORDINATES_MAPPED = "edit/coordinates-mapped", Info, Observation,
        [Option("axes"), Option("unit")];
    /// The axes and lengths of the file were converted, and one of the formats states no unit, so the
    /// usual one was assumed. The message says which. Name the unit, or keep lengths, if the model has
    /// another size.
    UNIT_ASSUMED = "edit/unit-assumed", Info, Observation, [Option("unit"), Option("axes")];
    /// The axes or the unit of the format that is written differ from those of the file, and the numbers
    /// were kept. Convert them if the model lies on its side, is mirrored or has another size.
    COORDINATES_KEPT = "edit/coordinates-kept", Info, Observation, [Option("axes")];
    /// Another axis points up in the written format. The clip should be turned at its top bones, but
    /// the file does not tell which these are, so the clip lies on its side. Give a skeleton with
    /// parents, or turn every bone.
    TURN_LEFT_OUT = "edit/turn-left-out", Warning, Observation,
        [Option("skeleton"), Option("axes-at")];
    /// A node above the bones is animated, or its scale differs along its axes. It is not multiplied
    /// into the top bones, and becomes a bone itself. Apply its transform in the program that
    /// exports the file.
    PARENT_NOT_FOLDED = "edit/parent-not-folded", Warning, Observation;
    /// The clip was put on the bones of a rig. The message counts the nodes that are bones of it, and
    /// says which axes and which unit the comparison of both rest poses shows. Choose others if that is
    /// not right.
    PUT_ON_RIG = "edit/put-on-rig", Info, Observation, [Option("axes"), Option("unit")];
    /// Some animated nodes are not bones of the rig. Their tracks are dropped. Compare the names, and
    /// rename the nodes first.
    NOT_ON_RIG = "edit/not-on-rig", Warning, Loss, [Edit("rename")];
    /// The lengths of the clip and of the rig do not show which unit the clip has. The usual one of its
    /// format is taken. Name the unit if the model breaks apart.
    UNIT_UNCLEAR = "edit/unit-unclear", Warning, Observation, [Option("unit")];
    /// The hips stand as high as those of a person in another unit than the usual one of the format. The
    /// model may come out too large or too small. Name the unit.
    UNIT_UNLIKELY = "edit/unit-unlikely", Warning, Observation, [Option("unit")];
    /// Tracks hold the rest pose all the time. They are dropped, and the clip plays the same on its model.
    /// No action is needed.
    CONSTANT_DROPPED = "edit/constant-dropped", Info, Observation;
    /// Tracks never change, but hold another value than the rest pose, or no rest pose is known. They
    /// stay. Give a skeleton with the rest pose, or drop them by their names.
    CONSTANT_KEPT = "edit/constant-kept", Info, Observation, [Option("skeleton"), Edit("drop")];
    /// The clip ends where it starts now: tracks got a key with their first value at its end. The
    /// message says when. No action is needed.
    LOOP_CLOSED = "edit/loop-closed", Info, Observation;
    /// The track is chosen for multiplication, but rotations as quaternions, and values that are not
    /// floats, have no multiple. It stays. Choose other tracks.
    NOT_SCALED = "edit/not-scaled", Warning, Observation;
    /// All clips of the file became one, which plays them at once under the name of the first. No action
    /// is needed.
    CLIPS_MERGED = "edit/clips-merged", Info, Observation;
}
