//! Coordinates as the class of `inbetween._report`.

use inbetween::core::{Axis, Coordinates, Handedness, Unit};
use pyo3::prelude::*;

use crate::errors::{class, value_error};

/// Returns the coordinates of an object with `handedness`, `up` and `unit`.
pub(crate) fn of_python(value: &Bound<'_, PyAny>) -> PyResult<Coordinates> {
    let text = |name: &str| value.getattr(name)?.extract::<Option<String>>();
    let wrong = |name: &str, expected: &str, found: &str| {
        value_error(format!("{name}: expected {expected} or None, found '{found}'"))
    };
    let mut coordinates = Coordinates::UNKNOWN;
    coordinates.handedness = match text("handedness")?.as_deref() {
        None => None,
        Some("left") => Some(Handedness::Left),
        Some("right") => Some(Handedness::Right),
        Some(found) => return Err(wrong("handedness", "left, right", found)),
    };
    coordinates.up = match text("up")?.as_deref() {
        None => None,
        Some(name) => {
            let known = Axis::ALL.into_iter().find(|axis| axis.name() == name);
            Some(known.ok_or_else(|| wrong("up", "x, y, z", name))?)
        }
    };
    if let Some(meters) = value.getattr("unit")?.extract::<Option<f64>>()? {
        if !(meters.is_normal() && meters > 0.0) {
            return Err(value_error(format!("unit: expected a length in meters, found {meters}")));
        }
        coordinates.unit = Unit::Stated(meters);
    }
    Ok(coordinates)
}

/// Returns coordinates as the class; a unit that is assumed for a format counts as known.
pub(crate) fn to_python(py: Python<'_>, coordinates: Coordinates) -> PyResult<Bound<'_, PyAny>> {
    let handedness = coordinates.handedness.map(|hand| match hand {
        Handedness::Left => "left",
        Handedness::Right => "right",
    });
    let unit = match coordinates.unit {
        Unit::Unknown => None,
        Unit::Assumed(meters) | Unit::Stated(meters) => Some(meters),
    };
    class(py, "Coordinates")?.call1((handedness, coordinates.up.map(Axis::name), unit))
}
