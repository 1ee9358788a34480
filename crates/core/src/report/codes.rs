//! The codes of findings that no single format owns.

crate::codes! {
    /// There are more findings than the limit allows to list. Raise the limit or mend the
    /// listed ones first.
    FINDINGS_TRUNCATED = "core/findings-truncated", Info, Observation;
    /// Keys at times that are NaN or infinite cannot be placed and were dropped.
    TIME_NOT_FINITE = "convert/time-not-finite", Warning, Loss;
    /// Keys were not in the order of their times. They were sorted; keys at equal times kept
    /// their order.
    TIMES_SORTED = "convert/times-sorted", Warning, Loss;
    /// The target has no NaN and no infinity: keys with such values were dropped, and an interval
    /// that is not finite became 0, which plays the same.
    VALUE_NOT_FINITE = "convert/value-not-finite", Warning, Loss;
    /// Times were rounded to what the target stores: the nearest f32, or the frame that they are
    /// nearly on.
    TIMES_ROUNDED = "convert/times-rounded", Info, Observation;
    /// Values were rounded from f64 to f32, which the target format stores.
    VALUES_NARROWED = "convert/values-narrowed", Warning, Loss;
    /// The target format plays from 0 on. The value at 0 became the first key, and the keys
    /// before it went.
    NEGATIVE_TIMES_CUT = "convert/negative-times-cut", Warning, Loss;
    /// Keys are not on the frames of the target's frame rate and moved to the nearest frame.
    /// Give a frame rate that fits, or resample.
    KEYS_OFF_GRID = "convert/keys-off-grid", Warning, Loss;
    /// Keys at different times are on the same frame of the target, where only the last of them
    /// shows. Give a higher frame rate.
    KEYS_MERGED = "convert/keys-merged", Warning, Loss;
    /// Keys were replaced by one key a frame, sampled at the frame rate that was asked for.
    RESAMPLED = "convert/resampled", Warning, Loss;
    /// A curve that the target cannot express was replaced by one key a frame.
    CURVE_BAKED = "convert/curve-baked", Warning, Loss;
    /// Bezier handles were replaced by control points, which play the same. The target does not store
    /// the times of handles, and no engine uses them.
    HANDLES_CONVERTED = "convert/handles-converted", Warning, Loss;
    /// The target engine plays some keys by other rules than the source engine, such as a last key
    /// that shows its handle. Keys were added or changed so that the target plays the same.
    KEYS_TRANSLATED = "convert/keys-translated", Info, Observation;
    /// The target engine interpolates between rotations that are very near each other, or that are
    /// not normalized, in another way than the source engine.
    SLERP_DIFFERS = "convert/slerp-differs", Info, Observation;
    /// Euler angles were replaced by quaternions, as the target needs. Whole turns between two
    /// keys need keys between them.
    EULER_BAKED = "convert/euler-baked", Warning, Loss;
    /// Tracks of single components were joined into one track of vectors.
    COMPONENTS_JOINED = "convert/components-joined", Warning, Loss;
    /// Tracks without keys play nothing, and Resonite is reported to crash on them, so they were left
    /// out. Use `--empty-tracks keep` to write them.
    EMPTY_TRACKS_DROPPED = "convert/empty-tracks-dropped", Info, Observation;
    /// The target stores a name for every clip, and the clip has none. It was written as "".
    CLIP_UNNAMED = "convert/clip-unnamed", Info, Observation;
    /// The target cannot hold this track, so the track was dropped.
    TRACK_DROPPED = "convert/track-dropped", Warning, Loss;
    /// The target has no such value kind, so the values were written as the nearest one.
    KIND_CHANGED = "convert/kind-changed", Warning, Loss;
    /// A clip has no name, so it got that of its file.
    CLIP_NAMED = "convert/clip-named", Info, Observation;
    /// Another clip has the same name, in any case, so this one got a name of its own. Rename the
    /// clip or its file.
    CLIP_RENAMED = "convert/clip-renamed", Warning, Loss;
    /// The target holds one clip, so only the one that was edited was written. Write a format of
    /// many clips to keep the others.
    CLIPS_NOT_WRITTEN = "convert/clips-not-written", Info, Observation;
    /// The target has no word for the name of the clip.
    NAME_DROPPED = "convert/name-dropped", Warning, Loss;
    /// The target has no word for a frame rate; times in seconds stay what they are.
    FRAME_RATE_DROPPED = "convert/frame-rate-dropped", Warning, Loss;
    /// The document has no frame rate. The lowest common one that has all keys on its frames
    /// was taken.
    FRAME_RATE_GUESSED = "convert/frame-rate-guessed", Info, Observation;
    /// The document has no frame rate, and its keys suggest none. 30 was taken; give another with
    /// `--fps`.
    FRAME_RATE_DEFAULT = "convert/frame-rate-default", Warning, Observation;
    /// The target has no word for a clip that repeats.
    LOOPING_DROPPED = "convert/looping-dropped", Warning, Loss;
    /// The target has no word for the way the clip blends; its values are taken as the pose.
    BLEND_DROPPED = "convert/blend-dropped", Warning, Loss;
    /// The target has no word for nodes that blend in another way than the clip.
    BLEND_OVERRIDES_DROPPED = "convert/blend-overrides-dropped", Warning, Loss;
    /// A null text became an empty one, since the target has no null.
    NULL_TEXT = "convert/null-text", Warning, Loss;
    /// The target cannot hold the stated duration; the length follows from the keys.
    DURATION_CHANGED = "convert/duration-changed", Warning, Loss;
    /// The target states the duration that plays: none was stated, or one that ends before the
    /// last key.
    DURATION_EXTENDED = "convert/duration-extended", Info, Observation;
    /// Keys come after the stated duration, where the source engine ends and the target goes on
    /// until the last key. Trim the clip to the stated duration.
    PLAYS_LONGER = "convert/plays-longer", Warning, Observation;
    /// The keys play as before but are stored in another shape: with times instead of an
    /// interval, or with another interpolation on a key that no segment begins at.
    SHAPE_CHANGED = "convert/shape-changed", Info, Observation;
    /// The target groups its tracks, so they stand in another order.
    TRACKS_REORDERED = "convert/tracks-reordered", Info, Observation;
    /// Tangents or handles of segments that do not use them were dropped.
    TANGENTS_DROPPED = "convert/tangents-dropped", Warning, Loss;
    /// The track that holds markers became the markers of the clip. Written back it comes after
    /// tracks that it came before.
    MARKERS_MOVED = "convert/markers-moved", Warning, Loss;
    /// The name of a property or track is one that readers of the target take for something else.
    NAME_TAKEN = "convert/name-taken", Info, Observation;
    /// The target has no tracks of one component. It became part of the property's name.
    COMPONENT_IN_NAME = "convert/component-in-name", Warning, Loss;
}
