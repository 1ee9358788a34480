//! Plays tracks between their keys: [`Rules`](crate::Rules), samplers and poses.

mod clip;
mod column;
mod sampler;
mod segments;

pub use clip::{ClipCursor, ClipSampler, Pose, Slot};
pub(crate) use column::{Column, Reader};
pub use sampler::{PlaybackCursor, Sampler};
pub(crate) use segments::Segments;

use crate::model::Curve;
use crate::{Clock, Element, FullTurn, Real, Rules, Text, TrackData, Value, Values, kind_table};

impl Rules {
    /// Returns the value of a track at a time in seconds, or `None` for a track without keys.
    ///
    /// A time of NaN gives the first value. This searches for the segment; use
    /// [`sample_from`](Self::sample_from) to play, and [`sampler`](Self::sampler) for many samples
    /// of values of a known type.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::{Rules, TrackData, Value};
    ///
    /// let data = TrackData::uniform(0.5, vec![1_i32, 2]);
    /// assert_eq!(Rules::LINEAR.sample(&data, 0.25), Some(Value::Int(2)));
    /// assert_eq!(Rules::LINEAR.sample(&data, 9.0), Some(Value::Int(2)));
    /// ```
    pub fn sample(self, data: &TrackData, time: f64) -> Option<Value> {
        with_clock!(self, sample(data, None, time))
    }

    /// Like [`sample`](Self::sample), but starts at the cursor.
    ///
    /// The value is the same bit for bit, wherever the cursor is. At increasing times, no key is
    /// visited twice.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::{PlaybackCursor, Rules, TrackData, Value};
    ///
    /// let data = TrackData::uniform(1.0, vec![0.0_f32, 4.0, 6.0]);
    /// let mut cursor = PlaybackCursor::default();
    /// for (time, value) in [(0.5, 2.0), (1.5, 5.0), (0.25, 1.0)] {
    ///     let sampled = Rules::LINEAR.sample_from(&data, &mut cursor, time);
    ///     assert_eq!(sampled, Some(Value::Float(value)));
    /// }
    /// ```
    pub fn sample_from(
        self,
        data: &TrackData,
        cursor: &mut PlaybackCursor,
        time: f64,
    ) -> Option<Value> {
        with_clock!(self, sample(data, Some(cursor), time))
    }

    /// Returns whether keys at an interval in seconds play one after the other. If the clock rounds
    /// the interval to 0, or it is negative or not finite, only the first key shows.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::{Clock, Rules};
    ///
    /// assert!(Rules::LINEAR.plays_interval(1e-50));
    /// assert!(!Rules::LINEAR.with_clock(Clock::F32).plays_interval(1e-50));
    /// ```
    pub fn plays_interval(self, interval: f64) -> bool {
        match self.clock {
            Clock::F32 => segments::plays::<f32>(interval),
            Clock::F64 => segments::plays::<f64>(interval),
        }
    }

    /// Creates a sampler of a track with values of type `T`, or returns `None` if they have another
    /// type.
    ///
    /// The rules are resolved once, here, to a specialized loop.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::{Rules, TrackData};
    ///
    /// let data = TrackData::uniform(0.5, vec![[0.0_f32; 3], [1.0, 2.0, 3.0]]);
    /// let hips = Rules::LINEAR.sampler::<[f32; 3]>(&data).ok_or("not float3")?;
    /// assert_eq!(hips.sample(0.25), Some([0.5, 1.0, 1.5]));
    /// assert!(Rules::LINEAR.sampler::<f32>(&data).is_none());
    /// # Ok::<(), &str>(())
    /// ```
    pub fn sampler<T: Element>(self, data: &TrackData) -> Option<Sampler<'_, T>> {
        Sampler::new(data, self)
    }

    /// Returns the value at a time on a linear segment between two keys, each a time in seconds and
    /// a value. Outside of them, their values hold.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::Rules;
    ///
    /// let value = Rules::LINEAR.between((1.0, [0.0_f32, 8.0]), (3.0, [4.0, 0.0]), 2.5);
    /// assert_eq!(value, [3.0, 2.0]);
    /// ```
    pub fn between<T: Element>(self, from: (f64, T), to: (f64, T), time: f64) -> T {
        with_clock!(self, between::<T>(from, to, time))
    }

    /// Returns the value at a time up to the second key on a Bezier segment between two keys, each a
    /// time in seconds and a value. The handles are the right one of the first key and the left one
    /// of the second key.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::Rules;
    ///
    /// let value = Rules::LINEAR.bezier_between((0.0, 0.0_f32), [4.0, 4.0], (2.0, 8.0), 1.0);
    /// assert_eq!(value, 4.0);
    /// ```
    pub fn bezier_between<T: Element>(
        self,
        from: (f64, T),
        handles: [T; 2],
        to: (f64, T),
        time: f64,
    ) -> T {
        with_clock!(self, bezier_between::<T>(from, handles, to, time))
    }
}

fn between<F: Real, T: Element>(rules: Rules, from: (f64, T), to: (f64, T), time: f64) -> T {
    let t = normalized(from.0, to.0, F::from_f64(time));
    let from = match rules.full_turn {
        FullTurn::Kept => from.1,
        FullTurn::BeginsAtZero => from.1.straight_start(to.1),
    };
    if t > F::ZERO { T::linear::<F>(from, to.1, t, rules.slerp) } else { from }
}

fn bezier_between<F: Real, T: Element>(
    rules: Rules,
    from: (f64, T),
    handles: [T; 2],
    to: (f64, T),
    time: f64,
) -> T {
    let t = normalized(from.0, to.0, F::from_f64(time));
    let [right, left] = handles;
    let curve = Curve { from: from.1, right, left, to: to.1 };
    if t > F::ZERO { T::bezier::<F>(curve, t, rules.slerp) } else { from.1 }
}

/// Returns the part of a segment that is before a time.
fn normalized<F: Real>(start: f64, end: f64, now: F) -> F {
    let [start, end] = [start, end].map(F::from_f64);
    (now - start) / (end - start)
}

/// Calls a function with the float type of the rules' clock as its first type argument, and the
/// rules as its first argument.
macro_rules! with_clock {
    ($rules:expr, $function:ident $(::<$type:ty>)?($($argument:expr),*)) => {{
        let rules = $rules;
        match rules.clock {
            $crate::Clock::F32 => $function::<f32 $(, $type)?>(rules, $($argument),*),
            $crate::Clock::F64 => $function::<f64 $(, $type)?>(rules, $($argument),*),
        }
    }};
}
pub(crate) use with_clock;

macro_rules! define_sample {
    (fixed { $($id:literal $variant:ident $name:literal $type:ty, $size:literal;)* }
     pooled { $pid:literal $pooled:ident $pname:literal; }) => {
        fn sample<F: Real>(
            rules: Rules,
            data: &TrackData,
            cursor: Option<&mut PlaybackCursor>,
            time: f64,
        ) -> Option<Value> {
            let segments = Segments::new(data, rules);
            let place = match cursor {
                Some(cursor) => segments.at_cursor(cursor, time)?,
                None => segments.at(time)?,
            };
            match data.values() {
                $(Values::$variant(values) => {
                    let column = Column::new(values, data, rules);
                    column.at::<F>(place).map(Value::$variant)
                })*
                Values::$pooled(strings) => {
                    strings.get(place.key).map(|value| Value::$pooled(value.map(Text::from)))
                }
            }
        }
    };
}
kind_table!(define_sample);
