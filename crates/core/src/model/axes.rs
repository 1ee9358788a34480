//! Changes of axes: which axis is up, which is forward, and the handedness.

use core::fmt;
use core::str::FromStr;

use crate::{Axis, EulerOrder, Quat, shown};

/// A change of axes: the old axis and the sign that each new axis comes from.
///
/// Written as `x,z,-y`: the new x is the old x, the new y is the old z, and the new z is the
/// negated old y. This example converts Z-up files to Y-up. A change with an odd number of
/// exchanges and minus signs, such as `x,y,-z`, is a mirror: it converts right-handed files to
/// left-handed ones. Rotations are converted correctly in both cases.
///
/// # Examples
///
/// ```
/// use inbetween_core::Axes;
///
/// let up: Axes = "x,z,-y".parse()?;
/// assert_eq!(up.apply([1.0, 2.0, 3.0]), [1.0, 3.0, -2.0]);
/// assert_eq!(up.inverse().to_string(), "x,-z,y");
/// assert!(!up.is_mirror());
/// assert!("x,y,-z".parse::<Axes>()?.is_mirror());
/// assert!("x,x,y".parse::<Axes>().is_err());
/// # Ok::<(), inbetween_core::AxesError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axes([Source; 3]);

/// The axis that becomes another one, and whether it is negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Source {
    axis: Axis,
    negative: bool,
}

impl Source {
    const fn plus(axis: Axis) -> Self {
        Self { axis, negative: false }
    }

    const fn minus(axis: Axis) -> Self {
        Self { axis, negative: true }
    }
}

/// The error of a text that is not a change of axes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AxesError {
    found: String,
}

impl fmt::Display for AxesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "expected each of x, y and z once, with or without a minus, such as x,z,-y; \
             found {}",
            shown(&self.found)
        )
    }
}

impl core::error::Error for AxesError {}

impl FromStr for Axes {
    type Err = AxesError;

    fn from_str(text: &str) -> Result<Self, AxesError> {
        let failed = || AxesError { found: text.chars().take(32).collect() };
        let source = |part: &str| {
            let part = part.trim();
            let (negative, name) = match part.strip_prefix('-') {
                Some(name) => (true, name),
                None => (false, part.strip_prefix('+').unwrap_or(part)),
            };
            let axis = Axis::ALL.into_iter().find(|axis| axis.name().eq_ignore_ascii_case(name));
            axis.map(|axis| Source { axis, negative })
        };
        let mut parts = text.split(',').map(source);
        let (Some(Some(x)), Some(Some(y)), Some(Some(z)), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(failed());
        };
        let differ = x.axis != y.axis && y.axis != z.axis && z.axis != x.axis;
        if differ { Ok(Self([x, y, z])) } else { Err(failed()) }
    }
}

impl fmt::Display for Axes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, source) in self.0.into_iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            let minus = if source.negative { "-" } else { "" };
            write!(f, "{comma}{minus}{}", source.axis.name())?;
        }
        Ok(())
    }
}

impl Axes {
    /// No change.
    pub const IDENTITY: Self =
        Self([Source::plus(Axis::X), Source::plus(Axis::Y), Source::plus(Axis::Z)]);

    /// The mirror between left-handed and right-handed axes that keeps up and front: `-x,y,z`.
    pub const MIRROR: Self =
        Self([Source::minus(Axis::X), Source::plus(Axis::Y), Source::plus(Axis::Z)]);

    /// The turn from Z up to Y up: `x,z,-y`.
    pub const Z_TO_Y_UP: Self =
        Self([Source::plus(Axis::X), Source::plus(Axis::Z), Source::minus(Axis::Y)]);

    /// Returns a vector in the new axes.
    pub fn apply(self, vector: [f64; 3]) -> [f64; 3] {
        self.0.map(|source| {
            let part = source.axis.of(vector);
            if source.negative { -part } else { part }
        })
    }

    /// Returns whether the change reverses the handedness.
    pub fn is_mirror(self) -> bool {
        let [x, y, _] = self.0.map(|source| source.axis);
        let around = matches!((x, y), (Axis::X, Axis::Y) | (Axis::Y, Axis::Z) | (Axis::Z, Axis::X));
        let negatives = self.0.iter().filter(|source| source.negative).count();
        around == (negatives % 2 == 1)
    }

    /// Returns the inverse change.
    #[must_use]
    pub fn inverse(self) -> Self {
        Self(Axis::ALL.map(|old| {
            let (axis, negative) = self.destination(old);
            Source { axis, negative }
        }))
    }

    /// Returns the change that applies this one first, and then another.
    ///
    /// ```
    /// use inbetween_core::Axes;
    ///
    /// let mirrored = Axes::Z_TO_Y_UP.then(Axes::MIRROR);
    /// assert_eq!(mirrored.apply([1.0, 2.0, 3.0]), [-1.0, 3.0, -2.0]);
    /// assert_eq!(Axes::Z_TO_Y_UP.then(Axes::Z_TO_Y_UP.inverse()), Axes::IDENTITY);
    /// ```
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        Self(next.0.map(|source| {
            let (axis, negative) = self.source(source.axis);
            Source { axis, negative: negative != source.negative }
        }))
    }

    /// Returns the old axis that a new one comes from, and whether it is negated.
    pub const fn source(self, new: Axis) -> (Axis, bool) {
        let [x, y, z] = self.0;
        let source = match new {
            Axis::X => x,
            Axis::Y => y,
            Axis::Z => z,
        };
        (source.axis, source.negative)
    }

    /// Returns the new axis that an old one becomes, and whether it is negated.
    pub fn destination(self, old: Axis) -> (Axis, bool) {
        let found = Axis::ALL.into_iter().zip(self.0).find(|(_, source)| source.axis == old);
        found.map_or((old, false), |(new, source)| (new, source.negative))
    }

    /// Returns the order of the same rotations about the new axes.
    ///
    /// The signs are kept and the angles are changed instead, so that a change of signs keeps the
    /// order, which a format may require.
    #[must_use]
    pub fn euler_order(self, order: EulerOrder) -> EulerOrder {
        let axes = order.axes().map(|axis| self.destination(axis).0);
        EulerOrder::new(axes, order.signs()).unwrap_or(order)
    }

    /// Returns the rotation that turns vectors as the change does; `None` for a mirror, which no
    /// rotation does.
    ///
    /// ```
    /// use inbetween_core::{Axes, Quat};
    ///
    /// let turn = Quat::from_axis_angle([1.0, 0.0, 0.0], -std::f64::consts::FRAC_PI_2);
    /// assert!(Axes::Z_TO_Y_UP.rotation().is_some_and(|found| found.angle_to(turn) < 1e-15));
    /// assert_eq!(Axes::MIRROR.rotation(), None);
    /// ```
    pub fn rotation(self) -> Option<Quat<f64>> {
        let columns = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        (!self.is_mirror()).then(|| Quat::from_axes(columns.map(|column| self.apply(column))))
    }
}
