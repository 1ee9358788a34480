//! Where keys are created: on frames, or as needed within a bound.

use crate::num;

/// The default error bound of rotations: 0.01 degrees, in radians.
pub const DEFAULT_BOUND: f64 = 0.01_f64.to_radians();

/// The times at which keys are created.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Grid {
    /// On frames from 0 on, so many per second.
    Frames(f64, FrameKeys),
    /// As needed for an error within a bound.
    Bound(Bound),
}

/// The frames that get a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameKeys {
    /// Every frame from the first key to the last.
    Every,
    /// If all keys are on frames: these, every frame of a curve, and the frame before a jump.
    /// Otherwise every frame.
    Needed,
    /// The frames nearest to the keys, of which the last one on a frame shows, every frame of a
    /// curve, and the frame before a jump.
    Nearest,
}

/// The largest error of keys that are not on frames, and how many of them there may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// The largest error: radians for rotations, the unit of the values for others.
    pub error: f64,
    /// The segments of the new keys.
    pub curves: Curves,
    /// The shortest half of a segment in seconds. If that is not enough for the bound, the error
    /// exceeds it.
    pub shortest: f64,
}

/// The segments that a target can play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curves {
    /// Linear segments only.
    Linear,
    /// Linear and held segments and Bezier curves.
    Cubic,
}

/// The largest number of parts that a segment is halved into.
const MOST_HALVES: f64 = 32_768.0;

impl Bound {
    /// The default bound, for a clip without a frame rate: segments are at least half a frame long
    /// at 60 frames per second.
    pub const fn new(curves: Curves) -> Self {
        Self { error: DEFAULT_BOUND, curves, shortest: 0.5 / 60.0 }
    }

    /// Returns the bound with another largest error.
    #[must_use]
    pub const fn with_error(mut self, error: f64) -> Self {
        self.error = error;
        self
    }

    /// Returns the bound for a clip with this frame rate: segments are at least half a frame long,
    /// at 30 to 240 frames per second.
    #[must_use]
    pub const fn with_frame_rate(self, rate: Option<f64>) -> Self {
        match rate {
            Some(rate) if rate > 0.0 => self.with_shortest(0.5 / rate.clamp(30.0, 240.0)),
            _ => self,
        }
    }

    /// Returns the bound with another shortest half of a segment in seconds.
    #[must_use]
    pub const fn with_shortest(mut self, shortest: f64) -> Self {
        self.shortest = shortest;
        self
    }

    /// Returns the time that halves a segment; `None` if the halves would be too short.
    pub(super) fn middle(&self, start: f64, end: f64, whole: f64) -> Option<f64> {
        // Rounding must not keep a frame from being halved.
        let shortest = self.shortest.max(whole / MOST_HALVES) * (1.0 - 1e-4);
        let middle = f64::midpoint(start, end);
        // A time that every format can store, so that rounding moves no key.
        let single = f64::from(num::f32_from_f64(middle));
        let is_near = (single - middle).abs() <= (end - start) / 8.0;
        let middle = if is_near { single } else { middle };
        (middle - start >= shortest && end - middle >= shortest).then_some(middle)
    }
}
