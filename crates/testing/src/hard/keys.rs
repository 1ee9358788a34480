//! Keys of any kind.

use core::f32::consts::{PI, TAU};

use inbetween_core::num::{f32_from_f64, finite_f32_from_f64};
use inbetween_core::{
    Handle, Interpolation, Interpolations, Quat, Strings, Tangents, TrackData, ValueKind, Values,
};
use proptest::prelude::*;
use proptest::sample::select;

use crate::domain::{BAD_VALUES, Reach};

/// A key: its time, and the numbers for its value and tangents.
#[derive(Clone, Debug)]
struct Key {
    /// The number of frames after the previous key.
    frames: u8,
    beside: Beside,
    interpolation: Interpolation,
    value: f64,
    left: f64,
    right: f64,
    /// Whether a quaternion is negated.
    turned: bool,
}

/// The distance of a key from its frame.
#[derive(Clone, Copy, Debug)]
enum Beside {
    Exactly,
    AsF32,
    StepBefore,
    StepAfter,
    NarrowStepBefore,
    NarrowStepAfter,
    Hair,
    Between,
}

impl Beside {
    fn time(self, frame: f64) -> f64 {
        let time = frame / 30.0;
        let narrow = f32_from_f64(time);
        match self {
            // The neighbors of 0 are subnormal numbers, which no engine uses as times.
            Self::StepBefore | Self::StepAfter | Self::NarrowStepBefore | Self::NarrowStepAfter
                if time == 0.0 =>
            {
                time
            }
            Self::Exactly => time,
            Self::AsF32 => f64::from(narrow),
            Self::StepBefore => time.next_down(),
            Self::StepAfter => time.next_up(),
            Self::NarrowStepBefore => f64::from(narrow.next_down()),
            Self::NarrowStepAfter => f64::from(narrow.next_up()),
            Self::Hair => time + 1e-7,
            Self::Between => (frame + 0.41) / 30.0,
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum KeyShape {
    Uniform(f64),
    Stepped,
    Shared(Interpolation),
    PerKey,
}

#[derive(Clone, Copy, Debug)]
enum Sides {
    None,
    Values,
    Handles,
}

/// The keys of a track of any kind.
#[derive(Clone, Debug)]
pub(super) struct HardKeys {
    start: i8,
    list: Vec<Key>,
    shape: KeyShape,
    sides: Sides,
    /// Whether `f64` values are exact in `f32`.
    narrows: bool,
}

/// Returns a strategy for stated durations.
pub(super) fn seconds() -> impl Strategy<Value = f64> {
    (0_u8..60, beside()).prop_map(|(frame, beside)| beside.time(f64::from(frame)))
}

fn beside() -> impl Strategy<Value = Beside> {
    use Beside::{
        AsF32, Between, Exactly, Hair, NarrowStepAfter, NarrowStepBefore, StepAfter, StepBefore,
    };
    prop_oneof![
        6 => Just(Exactly),
        4 => Just(AsF32),
        4 => select(vec![
            StepBefore, StepAfter, NarrowStepBefore, NarrowStepAfter, Hair, Between,
        ]),
    ]
}

fn number() -> impl Strategy<Value = f64> {
    let turn = f64::from(TAU);
    prop_oneof![
        8 => (-64_i8..64).prop_map(|eighths| f64::from(eighths) / 8.0),
        6 => -4.0..4.0_f64,
        4 => select(vec![turn, turn, -turn, f64::from(PI), 0.0, -0.0, 0.1, 1.0]),
    ]
}

fn key() -> impl Strategy<Value = Key> {
    use Interpolation::{Bezier, Hermite, Hold, Linear};
    let frames = prop_oneof![1 => Just(0), 6 => 1_u8..12];
    let value = prop_oneof![80 => number(), 1 => select(&BAD_VALUES[..])];
    let each = select(vec![Linear, Linear, Hold, Bezier, Bezier, Hermite]);
    (frames, beside(), each, value, number(), number(), any::<bool>()).prop_map(
        |(frames, beside, interpolation, value, left, right, turned)| Key {
            frames,
            beside,
            interpolation,
            value,
            left,
            right,
            turned,
        },
    )
}

/// Returns a strategy for one to six keys.
pub(super) fn keys(handles: bool) -> impl Strategy<Value = HardKeys> {
    use Interpolation::{Bezier, Hermite, Hold, Linear};
    let start = prop_oneof![6 => Just(0_i8), 1 => -8_i8..8];
    let shape = prop_oneof![
        1 => select(vec![1.0 / 30.0, 0.1, 0.25, 0.0]).prop_map(KeyShape::Uniform),
        1 => Just(KeyShape::Stepped),
        4 => Just(KeyShape::Shared(Linear)),
        2 => select(vec![Bezier, Hold, Hermite]).prop_map(KeyShape::Shared),
        4 => Just(KeyShape::PerKey),
    ];
    let sides = if handles {
        select(vec![Sides::Handles, Sides::Handles, Sides::Values, Sides::None])
    } else {
        select(vec![Sides::Values, Sides::None])
    };
    (start, prop::collection::vec(key(), 1..7), shape, sides, any::<bool>()).prop_map(
        |(start, list, shape, sides, narrows)| HardKeys { start, list, shape, sides, narrows },
    )
}

impl HardKeys {
    fn times(&self, reach: Reach) -> Vec<f64> {
        let mut frame = reach.start + f64::from(self.start);
        let mut times = Vec::with_capacity(self.list.len());
        for (index, key) in self.list.iter().enumerate() {
            if index > 0 {
                frame += f64::from(key.frames);
            }
            times.push(key.beside.time(frame));
        }
        times.sort_by(f64::total_cmp);
        times
    }

    /// Returns the keys with values of a kind.
    pub(super) fn data(&self, kind: ValueKind, reach: Reach) -> TrackData {
        let values = self.column(kind, reach, |key| key.value);
        let data = match self.shape {
            KeyShape::Uniform(interval) => Ok(TrackData::uniform(interval, values)),
            KeyShape::Stepped => TrackData::stepped(self.times(reach), values),
            KeyShape::Shared(shared) => {
                let interpolation = Interpolations::Shared(shared);
                TrackData::curve(
                    self.times(reach),
                    values,
                    interpolation,
                    self.tangents(kind, reach),
                )
            }
            KeyShape::PerKey => {
                let each = self.list.iter().map(|key| key.interpolation).collect();
                let interpolation = Interpolations::PerKey(each);
                TrackData::curve(
                    self.times(reach),
                    values,
                    interpolation,
                    self.tangents(kind, reach),
                )
            }
        };
        data.expect("sorted times and columns of one length")
    }

    fn tangents(&self, kind: ValueKind, reach: Reach) -> Option<Tangents> {
        let scalar = matches!(kind, ValueKind::Float | ValueKind::Double);
        match self.sides {
            Sides::None => None,
            Sides::Handles if scalar || kind.is_vector3() => {
                let width = if scalar { 1 } else { 3 };
                let times = self.times(reach);
                let side = |of: fn(&Key) -> f64| {
                    let keys = self.list.iter().zip(&times);
                    let handles = keys.flat_map(|(key, time)| {
                        let handle = Handle { time: *time, value: of(key) * reach.factor };
                        std::iter::repeat_n(handle, width)
                    });
                    handles.collect()
                };
                Some(Tangents::Handles { left: side(|key| key.left), right: side(|key| key.right) })
            }
            _ => {
                let left = self.column(kind, reach, |key| key.left);
                let right = self.column(kind, reach, |key| key.right);
                Some(Tangents::Values { left, right })
            }
        }
    }

    fn column(&self, kind: ValueKind, reach: Reach, of: fn(&Key) -> f64) -> Values {
        let of = |key: &Key| of(key) * reach.factor;
        let wide = |key: &Key| {
            let number = of(key);
            if self.narrows { f64::from(finite_f32_from_f64(number)) } else { number }
        };
        let numbers = || self.list.iter().map(wide);
        let narrow = || self.list.iter().map(of).map(finite_f32_from_f64);
        let turns = || self.list.iter().map(|key| rotation(of(key), key.turned));
        match kind {
            ValueKind::Float => narrow().collect::<Vec<f32>>().into(),
            ValueKind::Double => numbers().collect::<Vec<f64>>().into(),
            ValueKind::Float2 => narrow().map(|x| [x, 1.0 - x]).collect::<Vec<_>>().into(),
            ValueKind::Float3 => narrow().map(|x| [x, -x, x * 0.5]).collect::<Vec<_>>().into(),
            ValueKind::Double3 => numbers().map(|x| [x, -x, x * 0.5]).collect::<Vec<_>>().into(),
            ValueKind::FloatQ => {
                let narrow = |turn: Quat<f64>| Quat::from_array(turn.to_array().map(f32_from_f64));
                turns().map(narrow).collect::<Vec<Quat<f32>>>().into()
            }
            ValueKind::DoubleQ => turns().collect::<Vec<Quat<f64>>>().into(),
            ValueKind::Int => {
                let whole = |x: f64| i32::try_from(inbetween_core::num::i128_from_f64(x * 10.0));
                numbers().map(|x| whole(x).unwrap_or(0)).collect::<Vec<i32>>().into()
            }
            ValueKind::Bool => numbers().map(|x| x > 0.0).collect::<Vec<bool>>().into(),
            ValueKind::Color32 => {
                let part =
                    |x: f64| u8::try_from(inbetween_core::num::i128_from_f64(x.abs() * 30.0));
                let color = |x: f64| {
                    let part = part(x).unwrap_or(255);
                    inbetween_core::Color32::from_array([part, 255 - part, 7, 255])
                };
                numbers().map(color).collect::<Vec<_>>().into()
            }
            _ => (0..self.list.len())
                .map(|key| Some(["a", "b", ""][key % 3]))
                .collect::<Strings>()
                .into(),
        }
    }
}

/// Returns a rotation by a number of quarter radians, of either sign.
fn rotation(number: f64, turned: bool) -> Quat<f64> {
    let rotation = Quat::from_axis_angle([0.6, 0.0, 0.8], number * 0.25);
    if turned { -rotation } else { rotation }
}
