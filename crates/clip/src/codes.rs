//! The codes of findings about building clips.

inbetween_core::codes! {
    /// A track has a value that is NaN or beyond 1e30, a rotation without direction, or a time that
    /// the clock of the engine cannot hold. The track is dropped. Correct the values in the source
    /// file to keep it.
    NOT_FINITE = "clip/not-finite", Warning, Loss;
    /// The source states a blend mode for the clip or for nodes. A playback clip stores the
    /// resulting blend of each track instead, which plays the same. No action is needed.
    BLEND_EXPANDED = "clip/blend-expanded", Info, Observation;
    /// Values are stored as half floats and rotations in 48 bits, within the requested bounds. The
    /// report states the error of each track. Use smaller bounds if the difference matters.
    VALUES_COMPRESSED = "clip/values-compressed", Info, Observation;
    /// The smaller encoding of some tracks exceeds the bound. Their values are stored as 32-bit
    /// floats. Use larger bounds to make the clip smaller.
    FULL_PRECISION = "clip/full-precision", Info, Observation;
}
