//! The codes of findings about edits.

inbetween_core::codes! {
    /// Keys and markers outside the range were cut.
    CUT = "edit/cut", Info, Observation;
    /// Keys were removed that the track plays without within the bound.
    REDUCED = "edit/reduced", Warning, Loss;
    /// Keys were removed that make no difference: the track plays as before.
    KEYS_SPARED = "edit/keys-spared", Info, Observation;
    /// How far the written file plays from what it would play with all keys, as its program plays
    /// both: at every key and between them.
    REDUCTION_MEASURED = "edit/reduction-measured", Info, Observation;
    /// The written file plays farther from what it would play with all keys than the bound allows:
    /// times moved to frames, or an edit after the reduction. Reduce last, and with a smaller bound.
    BOUND_EXCEEDED = "edit/bound-exceeded", Warning, Loss;
    /// A cut went through a curve that has no curve of its kind for a part, so the segment became
    /// linear keys to the error bound. The other segments stay what they are.
    SEGMENT_BAKED = "edit/segment-baked", Warning, Loss;
    /// A cut went through a line of whole numbers, whose rounding is another one from there.
    SEGMENT_ROUNDED = "edit/segment-rounded", Warning, Loss;
    /// Keys came to be before 0, where most engines do not play. Trim the clip, or shift it.
    BEFORE_START = "edit/before-start", Warning, Observation;
    /// Keys that had times of their own now share one, since the times differ by less than
    /// numbers of this size can. Take a smaller factor or amount.
    TIMES_MERGED = "edit/times-merged", Warning, Loss;
    /// Exactly at the time of a jump between held values a track shows the value after it; played
    /// backwards that is the one from the other side.
    JUMP_INSTANTS = "edit/jump-instants", Info, Observation;
    /// A clip has no marker or time within it to be split at, so it stays whole.
    SPLIT_NOWHERE = "edit/split-nowhere", Warning, Observation;
    /// A track is not in all the clips that were joined; where it is not, its last value holds.
    JOINED_GAP = "edit/joined-gap", Warning, Observation;
    /// A clip that was merged or joined has another name, frame rate or way of repeating than the
    /// first one, which counts.
    MERGED_HEADS = "edit/merged-heads", Warning, Loss;
    /// A pattern fits no track. Patterns are NODE or NODE/PROPERTY, and upper and lower case
    /// differ.
    PATTERN_UNUSED = "edit/pattern-unused", Warning, Observation;
    /// Names of the map are those of no node. Upper and lower case differ.
    NAME_UNUSED = "edit/name-unused", Warning, Observation;
    /// Two nodes got the same name, so two tracks animate the same.
    TARGET_TWICE = "edit/target-twice", Warning, Observation;
    /// Positions became too large for their kind and are infinite. Take a smaller factor, or
    /// widen the values first.
    OUT_OF_RANGE = "edit/out-of-range", Warning, Loss;
    /// A custom property could be a vector or a rotation. What it means is not known, so it stays.
    CUSTOM_UNTOUCHED = "edit/custom-untouched", Info, Observation;
    /// Bones without keys got one with the value of the rest pose.
    FILLED = "edit/filled", Info, Observation;
    /// The skeleton says not who hangs on whom, so blend overrides reach their own nodes alone.
    /// Give a skeleton with parents.
    NO_PARENTS = "edit/no-parents", Warning, Observation;
    /// Nodes that add to the pose below are not in the skeleton; they were taken to rest at 0
    /// without a turn. Add them to the skeleton.
    REST_MISSING = "edit/rest-missing", Warning, Loss;
    /// The blend mode is one that no specification names, so the values were taken as the pose.
    BLEND_UNKNOWN = "edit/blend-unknown", Warning, Loss;
    /// Single Euler angles that add to the pose below make no one rotation: two tracks of an axis,
    /// angles of two orders, or a whole rotation beside them. They were taken as the pose. Drop all
    /// but one.
    NOT_RESOLVED = "edit/not-resolved", Warning, Loss;
}
