//! Times in seconds or frames.

use core::fmt;
use core::str::FromStr;

use inbetween_core::{Animation, Document};

use crate::EditError;

/// A time in seconds, or in frames of the clip.
///
/// `0.5` is half a second, and `15f` is frame 15.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document};
/// use inbetween_edit::Time;
///
/// let clip = Document::single(Animation::default().with_frame_rate(30.0));
/// assert_eq!("15f".parse::<Time>()?.seconds(&clip)?, 0.5);
/// assert_eq!("0.25".parse::<Time>()?.seconds(&clip)?, 0.25);
/// # Ok::<(), inbetween_edit::EditError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Time {
    /// Seconds from the start of the clip.
    Seconds(f64),
    /// Frames from the start of the clip, at its frame rate.
    Frames(f64),
}

impl Time {
    /// Returns the time in seconds.
    ///
    /// # Errors
    ///
    /// If the time is in frames and a clip of the document has no frame rate, or another one than
    /// the first clip.
    pub fn seconds(self, document: &Document) -> Result<f64, EditError> {
        if let Self::Seconds(seconds) = self {
            return Ok(seconds);
        }
        let (first, others) = document.clips.split_first().ok_or(EditError::NoFrameRate)?;
        let seconds = self.in_clip(first)?;
        let same = others.iter().all(|clip| clip.frame_rate == first.frame_rate);
        if same { Ok(seconds) } else { Err(EditError::FrameRatesDiffer) }
    }

    /// Returns the time in seconds of one clip.
    ///
    /// # Errors
    ///
    /// If the time is in frames and the clip has no frame rate.
    pub fn in_clip(self, clip: &Animation) -> Result<f64, EditError> {
        let usable = |rate: &f64| *rate > 0.0 && rate.is_finite();
        match (self, clip.frame_rate.filter(usable)) {
            (Self::Seconds(seconds), _) => Ok(seconds),
            (Self::Frames(frames), Some(rate)) => Ok(frames / rate),
            (Self::Frames(_), None) => Err(EditError::NoFrameRate),
        }
    }
}

impl FromStr for Time {
    type Err = EditError;

    fn from_str(text: &str) -> Result<Self, EditError> {
        let trimmed = text.trim();
        let (number, time): (&str, fn(f64) -> Self) = match trimmed.strip_suffix('f') {
            Some(frames) => (frames, Self::Frames),
            None => (trimmed, Self::Seconds),
        };
        // `inf` ends with the suffix too, and is not a time.
        let number = number.parse().ok().filter(|number: &f64| number.is_finite());
        number.map(time).ok_or_else(|| EditError::Time { found: text.to_owned() })
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seconds(seconds) => write!(f, "{seconds} s"),
            Self::Frames(frames) => write!(f, "frame {frames}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_need_one_frame_rate() {
        let clip = |rate: Option<f64>| {
            let mut clip = Animation::default();
            clip.frame_rate = rate;
            clip
        };
        let seconds = |rates: &[Option<f64>]| {
            Time::Frames(12.0)
                .seconds(&Document::new(rates.iter().map(|&rate| clip(rate)).collect()))
        };
        assert_eq!(seconds(&[Some(24.0), Some(24.0)]), Ok(0.5));
        assert_eq!(seconds(&[Some(24.0), Some(30.0)]), Err(EditError::FrameRatesDiffer));
        assert_eq!(seconds(&[Some(24.0), None]), Err(EditError::FrameRatesDiffer));
        for without in [&[None][..], &[Some(0.0)], &[]] {
            assert_eq!(seconds(without), Err(EditError::NoFrameRate));
        }
    }

    #[test]
    fn only_numbers_are_times() {
        for bad in ["", "f", "inf", "NaN", "NaNf", "1e999", "one", "1s"] {
            assert!(bad.parse::<Time>().is_err(), "{bad}");
        }
        assert_eq!("-1.5f".parse(), Ok(Time::Frames(-1.5)));
    }
}
