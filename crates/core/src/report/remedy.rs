//! What someone can do about a finding or an error.

/// What someone can do about a finding or an error.
///
/// Texts of this library name no command-line flags. A program prints a remedy in its own terms: as
/// a flag, a button or the name of a function.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Remedy, codes};
///
/// assert_eq!(codes::TIME_NEGATIVE.remedies(), [Remedy::Edit("trim"), Remedy::Edit("shift")]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Remedy {
    /// Check the file, which lists all of its problems.
    Check,
    /// Apply the automatic fixes of the file.
    Fix,
    /// Set this option of the format, the conversion or the edit, such as `fps`.
    Option(&'static str),
    /// Apply this edit. The name is that of a function of `inbetween-edit`, such as `trim`, or
    /// `rename_clip` for `rename` with clips.
    Edit(&'static str),
    /// Change the file in its exact text form, which keeps everything else as it is.
    TextForm,
    /// Raise [`Limits::decoded_bytes`](crate::Limits::decoded_bytes).
    RaiseLimit,
    /// Raise [`Limits::input_bytes`](crate::Limits::input_bytes).
    RaiseInputLimit,
}
