//! Guesses the frame rate of clips that state none.

use super::frames::valid_rate;
use crate::{Animation, Track, num};

/// The rates that are tried first, lowest first, then those of NTSC video.
const COMMON_RATES: [f64; 11] = [
    24.0,
    25.0,
    30.0,
    48.0,
    50.0,
    60.0,
    120.0,
    24_000.0 / 1001.0,
    30_000.0 / 1001.0,
    60_000.0 / 1001.0,
    120_000.0 / 1001.0,
];

/// The highest rate that is guessed from an even spacing of keys.
const HIGHEST: f64 = 1000.0;

/// The lowest rate that is guessed from an even spacing of keys. Wider spacings get several frames,
/// so that the end of a clip is near a frame.
const LOWEST: f64 = 10.0;

/// A frame rate that puts all keys of some clips on frames.
///
/// All clips of a file share one guess, so that they are written at the same rate.
///
/// # Examples
///
/// ```
/// use inbetween_core::RateGuess;
///
/// let mut guess = RateGuess::default();
/// guess.add_times([0.0, 1.0 / 17.0, 2.0 / 17.0]);
/// assert_eq!(guess.rate(), Some(17.0));
/// // 17 and 30 frames per second have no frames in common within a second.
/// guess.add_times([0.0, 1.0 / 30.0]);
/// assert_eq!(guess.rate(), None);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RateGuess {
    /// The common rates that put all keys so far on frames.
    common: Vec<f64>,
    spacing: Spacing,
    has_keys: bool,
    /// The last time of all keys.
    last: f64,
}

impl Default for RateGuess {
    fn default() -> Self {
        Self {
            common: COMMON_RATES.to_vec(),
            spacing: Spacing::Unknown,
            has_keys: false,
            last: 0.0,
        }
    }
}

impl RateGuess {
    /// Adds the keys and markers of a clip, if it states no frame rate.
    ///
    /// Only keys of tracks that are written count.
    pub fn add(&mut self, clip: &Animation, is_written: impl Fn(&Track) -> bool) {
        if clip.frame_rate.is_some_and(valid_rate) {
            return;
        }
        for track in clip.tracks.iter().filter(|track| is_written(track)) {
            self.add_times(track.data().times());
        }
        self.add_times(clip.markers.iter().map(|marker| marker.time));
    }

    /// Adds the times of a track, in seconds.
    pub fn add_times(&mut self, times: impl IntoIterator<Item = f64>) {
        let mut before = None;
        for time in times {
            self.has_keys = true;
            self.last = self.last.max(time);
            self.common.retain(|rate| num::is_on_frame(time, *rate));
            let rounding = 2.0 * num::ulp_f32(time);
            if let Some(before) = before {
                let gap: f64 = time - before;
                self.spacing = self.spacing.with(gap.abs(), 2.0 * rounding);
            }
            self.spacing = self.spacing.with(time.abs(), rounding);
            before = Some(time);
        }
    }

    /// Returns whether there are keys.
    pub const fn has_keys(&self) -> bool {
        self.has_keys
    }

    /// Returns the rate, rounded to `f32`: the lowest common one that puts all keys on frames, else
    /// that of their even spacing. `None` without keys, or if no rate fits.
    pub fn rate(&self) -> Option<f64> {
        let common = self.common.first().copied().filter(|_| self.has_keys);
        let rate = common.or_else(|| self.spacing.rate(self.last))?;
        Some(f64::from(num::f32_from_f64(rate)))
    }
}

/// The longest time of which all keys so far are multiples.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Spacing {
    /// All keys are at 0.
    Unknown,
    Even {
        seconds: f64,
        /// How far `seconds` may be off, because times are rounded.
        error: f64,
    },
    Uneven,
}

impl Spacing {
    /// Returns the spacing of which another time is a multiple, too.
    fn with(self, seconds: f64, error: f64) -> Self {
        let new = Self::Even { seconds, error };
        match self {
            _ if !seconds.is_finite() => Self::Uneven,
            Self::Uneven => self,
            // Keys at the same time, or two that rounding makes appear apart.
            _ if seconds <= error => self,
            Self::Unknown => new,
            Self::Even { seconds: own, error: own_error } => {
                let (known, found) = ((own, own_error), (seconds, error));
                let (long, short) = if own < seconds { (found, known) } else { (known, found) };
                common_part(long, short, self)
            }
        }
    }

    /// Returns the frames per second up to the last key, as a round number if that is within the error.
    fn rate(self, last: f64) -> Option<f64> {
        let Self::Even { seconds, error } = self else { return None };
        let mut rate = 1.0 / seconds;
        let doubt = error / seconds + 1e-7;
        if rate > HIGHEST * (1.0 + doubt) {
            return None;
        }
        // Two keys far apart are always even.
        let is_evidence = rate >= LOWEST || last > 1.5 * seconds;
        while rate < LOWEST {
            rate *= 2.0;
        }
        let round = [rate.round(), (2.0 * rate).round() / 2.0, (1.001 * rate).round() / 1.001];
        let near = round.into_iter().find(|near| (near - rate).abs() <= doubt * rate);
        near.or(is_evidence.then_some(rate)).filter(|rate| valid_rate(*rate))
    }
}

/// Returns the part of two lengths, each given with its error, of which both are multiples. The
/// shorter one has at most a few of them: more would fit times that are rounded to milliseconds, and
/// are on no frames.
fn common_part(long: (f64, f64), short: (f64, f64), known: Spacing) -> Spacing {
    const MOST_PARTS: u8 = 8;
    const ON_FRAME: f64 = 1e-4;
    const CANNOT_TELL: f64 = 0.02;
    let quotient = long.0 / short.0;
    let doubt = (long.1 + quotient * short.1) / short.0;
    for parts in (1..=MOST_PARTS).map(f64::from) {
        let (steps, doubt) = (quotient * parts, (doubt * parts).max(ON_FRAME));
        if doubt > CANNOT_TELL || !steps.is_finite() {
            return known;
        }
        let whole = steps.round();
        if (steps - whole).abs() <= doubt {
            let divided = |(seconds, error): (f64, f64), by: f64| (seconds / by, error / by);
            let (by_long, by_short) = (divided(long, whole), divided(short, parts));
            let (seconds, error) = if by_long.1 < by_short.1 { by_long } else { by_short };
            return Spacing::Even { seconds, error };
        }
    }
    Spacing::Uneven
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(tracks: &[&[f64]]) -> Option<f64> {
        let mut guess = RateGuess::default();
        for times in tracks {
            guess.add_times(times.iter().copied());
        }
        guess.rate()
    }

    /// Returns the times of frames as files store them.
    fn frames(rate: f64, frames: impl IntoIterator<Item = u32>) -> Vec<f64> {
        let time = |frame: u32| f64::from(num::f32_from_f64(f64::from(frame) / rate));
        frames.into_iter().map(time).collect()
    }

    #[test]
    fn the_lowest_common_rate_comes_first() {
        assert_eq!(of(&[&[0.0]]), Some(24.0));
        assert_eq!(of(&[&[0.0, 1.0 / 12.0, 0.5]]), Some(24.0));
        assert_eq!(of(&[&[0.0, 0.1]]), Some(30.0));
        assert_eq!(of(&[&[0.0, 1.0 / 24.0], &[0.0, 0.1]]), Some(120.0));
        assert_eq!(of(&[&frames(25.0, 1..40)]), Some(25.0));
    }

    #[test]
    fn the_rates_of_ntsc_video_are_found() {
        for rate in [24_000.0, 30_000.0, 60_000.0] {
            let rate = rate / 1001.0;
            let stored = f64::from(num::f32_from_f64(rate));
            assert_eq!(of(&[&frames(rate, 0..60)]), Some(stored));
            assert_eq!(of(&[&frames(rate, [0, 7, 30, 3001])]), Some(stored));
        }
    }

    #[test]
    fn any_even_spacing_is_a_rate() {
        for rate in [11.0, 17.0, 17.5, 31.0, 72.0, 90.0, 100.0, 144.0, 240.0, 1000.0] {
            assert_eq!(of(&[&frames(rate, 0..50)]), Some(rate), "{rate}");
            assert_eq!(of(&[&frames(rate, 100..150)]), Some(rate), "{rate} from frame 100");
        }
        assert_eq!(of(&[&frames(17.0, [0, 3, 8, 30])]), Some(17.0));
        assert_eq!(of(&[&[0.0, 10.0], &frames(17.0, 0..30)]), Some(17.0));
        let slow = of(&[&[0.0, 0.77, 1.54]]).unwrap();
        assert!((slow - 8.0 / 0.77).abs() < 1e-5, "{slow}");
        let odd = of(&[&frames(33.37, 0..100)]).unwrap();
        assert!(frames(33.37, 0..100).iter().all(|time| num::is_on_frame(*time, odd)), "{odd}");
    }

    #[test]
    fn uneven_keys_have_no_rate() {
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[&[0.0, 0.333, 0.667, 1.0]]), None);
        assert_eq!(of(&[&[0.0, 1.0, 1.018]]), None);
        assert_eq!(of(&[&[0.0, 1.018]]), None);
        assert_eq!(of(&[&frames(17.0, 0..10), &frames(30.0, 0..10)]), None);
        assert_eq!(of(&[&frames(2000.0, 0..10)]), None);
        assert_eq!(of(&[&[0.0, f64::NAN]]), None);
        assert_eq!(of(&[&[0.0, f64::INFINITY]]), None);
    }
}
