//! The codes of findings about edits.

inbetween_core::codes! {
    /// Keys and markers outside the range were cut.
    CUT = "edit/cut", Info, Observation;
    /// A cut went through a segment that no segment of its kind can continue, so the track became
    /// linear keys to the error bound.
    SEGMENT_BAKED = "edit/segment-baked", Warning, Loss;
    /// A cut went through a segment of whole numbers, whose rounding differs from then on.
    SEGMENT_ROUNDED = "edit/segment-rounded", Warning, Loss;
}
