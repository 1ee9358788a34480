//! Changes what clips state about themselves.

use inbetween_core::{BlendMode, Document, Looping, Outcome};

use crate::EditError;
use crate::work::check_number;

/// Makes every clip repeat or play once.
pub fn set_looping(mut document: Document, looping: Looping) -> Outcome<Document> {
    for clip in &mut document.clips {
        clip.looping = looping;
    }
    Outcome { value: document, findings: Vec::new() }
}

/// States another frame rate, in frames per second, for every clip.
///
/// Key times in seconds are unchanged. To put keys on the new frames, use
/// [`resample`](crate::resample).
///
/// # Errors
///
/// If the rate is not a positive number.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document};
/// use inbetween_edit::set_frame_rate;
///
/// let clip = Document::single(Animation::default());
/// assert_eq!(set_frame_rate(clip, 24.0)?.value.clips[0].frame_rate, Some(24.0));
/// # Ok::<(), inbetween_edit::EditError>(())
/// ```
pub fn set_frame_rate(mut document: Document, rate: f64) -> Result<Outcome<Document>, EditError> {
    check_number("frame rate", "a positive number such as 30", rate, rate > 0.0)?;
    for clip in &mut document.clips {
        clip.frame_rate = Some(rate);
    }
    Ok(Outcome { value: document, findings: Vec::new() })
}

/// States another blend mode for every clip, without changing values.
///
/// Nodes with a blend mode of their own keep it. To convert values to absolute poses, use
/// [`resolve`](crate::resolve).
pub fn set_blend(mut document: Document, blend: BlendMode) -> Outcome<Document> {
    for clip in &mut document.clips {
        clip.blend = blend;
        clip.expand_blend();
    }
    Outcome { value: document, findings: Vec::new() }
}
