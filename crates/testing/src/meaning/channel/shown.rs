//! The value of a channel at a time, and differences between such values.

use inbetween_core::num::f32_from_f64;
use inbetween_core::{Color, Color32, Quat, Value, Values, kind_table};

/// The value of a channel at a time.
#[derive(Clone, Debug)]
pub(crate) enum Shown {
    /// Numbers that are compared component by component.
    Numbers(Vec<f64>),
    /// A rotation.
    Rotation(Quat<f64>),
    /// A string, which is equal or not.
    Text(Option<String>),
}

impl Shown {
    /// Returns the first number, or NaN if there is none.
    pub(crate) fn first(&self) -> f64 {
        match self {
            Self::Numbers(numbers) => numbers.first().copied().unwrap_or(f64::NAN),
            _ => f64::NAN,
        }
    }

    /// Returns the largest magnitude of the numbers.
    pub(crate) fn magnitude(&self) -> f64 {
        match self {
            Self::Numbers(numbers) => numbers.iter().fold(0.0, |most, each| each.abs().max(most)),
            Self::Rotation(_) => 1.0,
            Self::Text(_) => 0.0,
        }
    }

    /// Returns whether there is neither NaN nor an infinity, nor an invalid rotation.
    pub(crate) fn is_finite(&self) -> bool {
        match self {
            Self::Numbers(numbers) => numbers.iter().all(|number| number.is_finite()),
            // One that `f32` cannot hold is no rotation in most formats.
            Self::Rotation(rotation) => {
                let narrow = Quat::from_array(rotation.to_array().map(f32_from_f64));
                !rotation.angle_to(Quat::from(narrow)).is_nan()
            }
            Self::Text(_) => true,
        }
    }

    /// Returns only the number at an index.
    pub(crate) fn component(self, index: Option<usize>) -> Self {
        match (self, index) {
            (Self::Numbers(numbers), Some(index)) => {
                Self::Numbers(numbers.get(index).copied().into_iter().collect())
            }
            (shown, _) => shown,
        }
    }

    /// Returns the largest difference of a component, or the angle between two rotations.
    pub(crate) fn distance(&self, other: &Self) -> f64 {
        match (self, other) {
            (Self::Numbers(one), Self::Numbers(other)) if one.len() == other.len() => {
                one.iter().zip(other).map(|(one, other)| apart(*one, *other)).fold(0.0, f64::max)
            }
            (Self::Rotation(one), Self::Rotation(other)) => angle(*one, *other),
            (Self::Text(one), Self::Text(other)) if one == other => 0.0,
            _ => f64::INFINITY,
        }
    }
}

fn apart(one: f64, other: f64) -> f64 {
    if one == other || (one.is_nan() && other.is_nan()) {
        return 0.0;
    }
    let apart = (one - other).abs();
    if apart.is_nan() { f64::INFINITY } else { apart }
}

fn angle(one: Quat<f64>, other: Quat<f64>) -> f64 {
    if one.to_array().map(f64::to_bits) == other.to_array().map(f64::to_bits) {
        return 0.0;
    }
    let angle = one.angle_to(other);
    match [one, other].map(|rotation| !rotation.angle_to(rotation).is_nan()) {
        // Two rotations that are both invalid do not differ.
        [false, false] => 0.0,
        [true, true] => angle,
        _ => f64::INFINITY,
    }
}

/// Returns the numbers of all values of a column.
pub(crate) fn numbers(column: &Values) -> Vec<f64> {
    let of_key = |key| match column.get(key).map(Shown::from) {
        Some(Shown::Numbers(numbers)) => numbers,
        Some(Shown::Rotation(rotation)) => rotation.to_array().to_vec(),
        _ => Vec::new(),
    };
    (0..column.len()).flat_map(of_key).collect()
}

/// A value as a list of numbers.
trait Numbers {
    fn numbers(self, list: &mut Vec<f64>);
}

macro_rules! numbers_from {
    ($($type:ty),*) => {$(
        impl Numbers for $type {
            fn numbers(self, list: &mut Vec<f64>) {
                list.push(f64::from(self));
            }
        }
    )*};
}
numbers_from!(u8, u16, u32, i8, i16, i32, f32, f64, bool);

impl Numbers for u64 {
    fn numbers(self, list: &mut Vec<f64>) {
        list.push(inbetween_core::num::f64_from_u64(self));
    }
}

impl Numbers for i64 {
    fn numbers(self, list: &mut Vec<f64>) {
        list.push(inbetween_core::num::f64_from_i128(i128::from(self)));
    }
}

impl<T: Numbers, const N: usize> Numbers for [T; N] {
    fn numbers(self, list: &mut Vec<f64>) {
        for part in self {
            part.numbers(list);
        }
    }
}

impl Numbers for Color {
    fn numbers(self, list: &mut Vec<f64>) {
        self.to_array().numbers(list);
    }
}

impl Numbers for Color32 {
    fn numbers(self, list: &mut Vec<f64>) {
        self.to_array().numbers(list);
    }
}

impl<T: Numbers> Numbers for Quat<T> {
    fn numbers(self, list: &mut Vec<f64>) {
        let Self { x, y, z, w } = self;
        [x, y, z, w].numbers(list);
    }
}

impl From<Value> for Shown {
    #[expect(unreachable_patterns, reason = "the table has the quaternions too")]
    fn from(value: Value) -> Self {
        macro_rules! shown {
            (fixed { $($id:literal $variant:ident $name:literal $type:ty, $size:literal;)* }
             pooled { $pid:literal $pooled:ident $pname:literal; }) => {
                match value {
                    Value::FloatQ(rotation) => Self::Rotation(rotation.into()),
                    Value::DoubleQ(rotation) => Self::Rotation(rotation),
                    Value::$pooled(text) => Self::Text(text.as_deref().map(str::to_owned)),
                    $(Value::$variant(value) => {
                        let mut list = Vec::new();
                        value.numbers(&mut list);
                        Self::Numbers(list)
                    })*
                    other => panic!("no numbers of {other:?}"),
                }
            };
        }
        kind_table!(shown)
    }
}
