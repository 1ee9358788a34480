//! Keys: records of 128 bytes.

use core::fmt;

use inbetween_core::{Axis, Record};

/// The interpolation from a key to the next one on an axis; unknown numbers are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct KeyType(pub u32);

impl KeyType {
    /// The engine shows 0.
    pub const UNKNOWN: Self = Self(0);
    /// The value holds until the next key.
    pub const STEP: Self = Self(1);
    /// Linear to the next key.
    pub const LINEAR: Self = Self(2);
    /// Not implemented by the engine, which shows 0.
    pub const QUADRATIC: Self = Self(3);
    /// Not implemented by the engine, which shows 0.
    pub const CUBIC: Self = Self(4);
    /// A Bezier curve over the values of the control points, with linear time.
    pub const BEZIER: Self = Self(5);
    /// Similar to a Kochanek-Bartels spline; the exact formula is not known.
    pub const BEZIER_LINEAR_TIME: Self = Self(6);
    /// A Kochanek-Bartels spline by tension, continuity and bias.
    pub const TCB: Self = Self(7);

    /// Returns the name of the type, or `None` for an unknown number.
    pub const fn name(self) -> Option<&'static str> {
        Some(match self.0 {
            0 => "unknown",
            1 => "step",
            2 => "linear",
            3 => "quadratic",
            4 => "cubic",
            5 => "bezier",
            6 => "bezier, linear time",
            7 => "tcb",
            _ => return None,
        })
    }

    /// Returns whether the engine shows 0 for keys of this type.
    pub const fn is_zero(self) -> bool {
        !matches!(self.0, 1 | 2 | 5 | 6 | 7)
    }

    /// Returns whether the exact curve is not known: types 6 and 7.
    pub const fn is_approximate(self) -> bool {
        matches!(self.0, 6 | 7)
    }
}

/// Prints the name and the number: `bezier (5)`.
impl fmt::Display for KeyType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(f, "{name} ({})", self.0),
            None => write!(f, "{}", self.0),
        }
    }
}

/// The control points of a key on one axis: absolute times in seconds and values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct ControlPoints {
    /// CP1 time: the point that shapes the segment after the key.
    pub out_time: f32,
    /// CP1 value.
    pub out_value: f32,
    /// CP2 time: the point that shapes the segment before the key.
    pub in_time: f32,
    /// CP2 value.
    pub in_value: f32,
}

impl ControlPoints {
    /// Returns the four numbers in file order.
    pub const fn to_array(self) -> [f32; 4] {
        [self.out_time, self.out_value, self.in_time, self.in_value]
    }

    /// Creates control points from the four numbers in file order.
    pub const fn from_array([out_time, out_value, in_time, in_value]: [f32; 4]) -> Self {
        Self { out_time, out_value, in_time, in_value }
    }

    /// Returns whether all bits are 0, which means that no control points were set.
    pub fn is_unset(self) -> bool {
        self.to_array().iter().all(|number| number.to_bits() == 0)
    }
}

/// A key, with the fields in file order (`docs/formats/x4-ani.md`).
///
/// Two keys are equal if they are equal bit for bit, including NaN.
#[derive(Clone, Copy, Debug, Default)]
// The fields have the order of the file, so decoding and encoding copy 16 bytes at a time.
#[repr(C)]
pub struct X4aniKey {
    /// Meters, radians or factors, depending on the group of the key.
    pub value: [f32; 3],
    /// The interpolation of each axis.
    pub types: [KeyType; 3],
    /// Seconds from the start of the clip; times below 0 and after the end are normal.
    pub time: f32,
    /// The control points of each axis.
    pub control_points: [ControlPoints; 3],
    /// Of [`KeyType::TCB`]; the five numbers of the spline are 0 in all known files.
    pub tension: f32,
    /// Of [`KeyType::TCB`].
    pub continuity: f32,
    /// Of [`KeyType::TCB`].
    pub bias: f32,
    /// Of [`KeyType::TCB`]; not used.
    pub ease_in: f32,
    /// Of [`KeyType::TCB`]; not used.
    pub ease_out: f32,
    /// Whether the derivatives below are calculated.
    pub derivatives_calculated: i32,
    /// The derivative before the key.
    pub derivative_in: [f32; 3],
    /// The derivative after the key.
    pub derivative_out: [f32; 3],
    /// The slot of a pointer to an angle key; 0 in all known files.
    pub angle_key: u32,
}

impl X4aniKey {
    /// The size in bytes.
    pub const SIZE: usize = 128;

    /// The offset of the time.
    pub(crate) const TIME: usize = 24;

    /// Creates a key with the same interpolation on all axes.
    pub fn new(time: f32, value: [f32; 3], key_type: KeyType) -> Self {
        Self { value, types: [key_type; 3], time, ..Self::default() }
    }

    /// Returns the value, type and control points of an axis.
    pub const fn axis(&self, axis: Axis) -> (f32, KeyType, ControlPoints) {
        let [x, y, z] = self.value;
        let [type_x, type_y, type_z] = self.types;
        let [points_x, points_y, points_z] = self.control_points;
        match axis {
            Axis::X => (x, type_x, points_x),
            Axis::Y => (y, type_y, points_y),
            Axis::Z => (z, type_z, points_z),
        }
    }

    /// Returns whether any field from tension to the angle key is not 0: bytes 76 to 127.
    pub fn has_extra(&self) -> bool {
        self.words().as_flattened().iter().skip(19).any(|&word| word != 0)
    }

    /// Returns the key as its four-byte numbers in file order, four per row.
    #[inline]
    pub(crate) fn words(&self) -> [[u32; 4]; 8] {
        let [x, y, z] = self.value.map(f32::to_bits);
        let [type_x, type_y, type_z] = self.types.map(|each| each.0);
        let points = self.control_points.map(|points| points.to_array().map(f32::to_bits));
        let [[xa, xb, xc, xd], [ya, yb, yc, yd], [za, zb, zc, zd]] = points;
        let [in_x, in_y, in_z] = self.derivative_in.map(f32::to_bits);
        let [out_x, out_y, out_z] = self.derivative_out.map(f32::to_bits);
        let time = self.time.to_bits();
        let spline = [self.tension, self.continuity, self.bias, self.ease_in, self.ease_out];
        let [tension, continuity, bias, ease_in, ease_out] = spline.map(f32::to_bits);
        let calculated = self.derivatives_calculated.cast_unsigned();
        [
            [x, y, z, type_x],
            [type_y, type_z, time, xa],
            [xb, xc, xd, ya],
            [yb, yc, yd, za],
            [zb, zc, zd, tension],
            [continuity, bias, ease_in, ease_out],
            [calculated, in_x, in_y, in_z],
            [out_x, out_y, out_z, self.angle_key],
        ]
    }
}

impl PartialEq for X4aniKey {
    fn eq(&self, other: &Self) -> bool {
        self.words() == other.words()
    }
}

impl Record for X4aniKey {
    type Layout = ();

    const SIZE: usize = Self::SIZE;

    // `inline`: other crates decode and encode blocks of keys, and a call for each key copies it
    // once more.
    #[inline]
    fn load(bytes: &[u8], (): ()) -> Self {
        let ((value, (types, time)), (points, (spline, (calculated, rest)))) =
            Record::load(bytes, ());
        let types: [u32; 3] = types;
        let [x, y, z]: [[f32; 4]; 3] = points;
        let [tension, continuity, bias, ease_in, ease_out] = spline;
        let (derivative_in, (derivative_out, angle_key)) = rest;
        Self {
            value,
            types: types.map(KeyType),
            time,
            control_points: [x, y, z].map(ControlPoints::from_array),
            tension,
            continuity,
            bias,
            ease_in,
            ease_out,
            derivatives_calculated: calculated,
            derivative_in,
            derivative_out,
            angle_key,
        }
    }

    #[inline]
    fn store(self, (): (), bytes: &mut [u8]) {
        self.words().store((), bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_of_a_key_belongs_to_a_field() {
        let bytes: Vec<u8> = (0..128).collect();
        let key = X4aniKey::decode(&bytes, ()).unwrap();
        let mut encoded = Vec::new();
        key.encode((), &mut encoded);
        assert_eq!(encoded, bytes);
        assert_eq!(key.types[1].0, 0x1312_1110);
        assert_eq!(key.angle_key, 0x7f7e_7d7c);
        assert_eq!(key.control_points[2].out_time.to_bits(), 0x3f3e_3d3c);
    }

    #[test]
    fn keys_are_compared_bit_for_bit() {
        let key = X4aniKey::new(0.0, [f32::NAN, 0.0, 0.0], KeyType::STEP);
        assert_eq!(key, key);
        assert_ne!(key, X4aniKey { time: -0.0, ..key });
    }
}
