//! Tracks from arrays.

use inbetween::core::{
    Axis, Blend, EulerOrder, Handle, Interpolations, Strings, Tangents, TrackData, with_kind,
};
use inbetween::{Interpolation, Property, Target, Track, ValueKind, Values};
use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::arrays::{Cell, numbers};
use crate::errors::{type_error, value_error};

const INTERPOLATIONS: [(Interpolation, &str); 4] = [
    (Interpolation::Hold, "hold"),
    (Interpolation::Linear, "linear"),
    (Interpolation::Hermite, "hermite"),
    (Interpolation::Bezier, "bezier"),
];

pub(crate) fn interpolation_name(interpolation: Interpolation) -> &'static str {
    let known = INTERPOLATIONS.iter().find(|(known, _)| *known == interpolation);
    known.map_or("linear", |(_, name)| name)
}

fn interpolation(name: &str) -> PyResult<Interpolation> {
    let known = INTERPOLATIONS.iter().find(|(_, known)| *known == name);
    let (interpolation, _) = known.ok_or_else(|| {
        value_error(format!("expected hold, linear, hermite or bezier, found '{name}'"))
    })?;
    Ok(*interpolation)
}

/// Returns the name of an order: the axes of the product from left to right, with a sign before those
/// whose angles are negated.
pub(crate) fn order_name(order: EulerOrder) -> String {
    let sign = |sign: i8| if sign < 0 { "-" } else { "" };
    let axes = order.axes().into_iter().zip(order.signs());
    axes.flat_map(|(axis, negated)| [sign(negated), axis.name()]).collect()
}

fn order(name: &str) -> PyResult<EulerOrder> {
    let wrong = || value_error(format!("expected an order such as xyz or -zxy, found '{name}'"));
    let (mut axes, mut signs, mut next) = (Vec::new(), Vec::new(), 1_i8);
    for letter in name.chars() {
        if letter == '-' {
            next = -1;
            continue;
        }
        axes.push(axis(letter).ok_or_else(wrong)?);
        signs.push(core::mem::replace(&mut next, 1));
    }
    let three = <[Axis; 3]>::try_from(axes).ok().zip(<[i8; 3]>::try_from(signs).ok());
    three.and_then(|(axes, signs)| EulerOrder::new(axes, signs)).ok_or_else(wrong)
}

fn axis(letter: char) -> Option<Axis> {
    Axis::ALL.into_iter().find(|axis| axis.name().starts_with(letter))
}

/// Returns the property with a name as `Property::name` prints it.
fn property(name: Option<&str>, euler_order: &str) -> PyResult<Property> {
    Ok(match name {
        Some("Position") => Property::Translation,
        Some("Rotation") => Property::Rotation,
        Some("RotationEuler") => Property::RotationEuler(order(euler_order)?),
        Some("Scale") => Property::Scale,
        Some(name) => match name.strip_prefix("Weight:") {
            Some(shape) => Property::Weight(shape.into()),
            None => Property::Custom(Some(name.into())),
        },
        None => Property::Custom(None),
    })
}

/// Returns what a track animates.
pub(crate) fn target(
    node: Option<&str>,
    name: Option<&str>,
    component: Option<&str>,
    blend: &str,
    euler_order: &str,
) -> PyResult<Target> {
    let mut target = Target::of(node.map(Into::into), property(name, euler_order)?);
    if let Some(component) = component {
        let known = Axis::ALL.into_iter().find(|axis| axis.name() == component);
        let wrong = || value_error(format!("component: expected x, y or z, found '{component}'"));
        target = target.with_component(known.ok_or_else(wrong)?);
    }
    let blends = [Blend::Absolute, Blend::RestRelative, Blend::Additive];
    let known = blends.into_iter().find(|known| known.name() == blend);
    let expected = "absolute, rest-relative or additive";
    let wrong = || value_error(format!("blend: expected {expected}, found '{blend}'"));
    Ok(target.with_blend(known.ok_or_else(wrong)?))
}

/// Makes a track of a label such as `hips/Position` or `hips/Position.x`.
pub(crate) fn labelled(
    label: &str,
    times: &Bound<'_, PyAny>,
    values: &Bound<'_, PyAny>,
    interpolation: &str,
) -> PyResult<Track> {
    let (node, name) = label.rsplit_once('/').ok_or_else(|| {
        value_error("expected a node and a property such as hips/Position".to_owned())
    })?;
    let parts = ["Position", "RotationEuler", "Scale"].into_iter().find_map(|property| {
        let component = name.strip_prefix(property)?.strip_prefix('.')?;
        Some((property, component))
    });
    let (name, component) = parts.map_or((name, None), |(name, axis)| (name, Some(axis)));
    let target = target(Some(node), Some(name), component, "absolute", "xyz")?;
    let interpolation = pyo3::types::PyString::new(times.py(), interpolation);
    let keys = Keys { interpolation: Some(interpolation.as_any()), ..Keys::new(times, values) };
    keys.track(target)
}

/// Returns an error with the label of its track.
pub(crate) fn about(py: Python<'_>, label: &str, error: PyErr) -> PyErr {
    let message = format!("{label}: {}", error.value(py));
    PyErr::from_type(error.get_type(py), message)
}

/// The keys of a track as arguments.
pub(crate) struct Keys<'a, 'py> {
    pub(crate) times: &'a Bound<'py, PyAny>,
    pub(crate) values: &'a Bound<'py, PyAny>,
    pub(crate) kind: Option<&'a str>,
    pub(crate) interpolation: Option<&'a Bound<'py, PyAny>>,
    pub(crate) shape: Option<&'a str>,
    pub(crate) interval: Option<f64>,
    pub(crate) left: Option<&'a Bound<'py, PyAny>>,
    pub(crate) right: Option<&'a Bound<'py, PyAny>>,
    pub(crate) tangents: Option<&'a str>,
}

impl<'a, 'py> Keys<'a, 'py> {
    fn new(times: &'a Bound<'py, PyAny>, values: &'a Bound<'py, PyAny>) -> Self {
        Self {
            times,
            values,
            kind: None,
            interpolation: None,
            shape: None,
            interval: None,
            left: None,
            right: None,
            tangents: None,
        }
    }

    /// Makes the track.
    pub(crate) fn track(&self, target: Target) -> PyResult<Track> {
        let kind = self.kind_of(&target)?;
        // A track of a file can have the name of a property, but values of another kind.
        let is_other = self.kind.is_some() && !target.property.accepts(kind, target.component);
        let custom = Property::Custom(Some(target.property.name().as_ref().into()));
        let target = if is_other { Target { property: custom, ..target } } else { target };
        let values = column(self.values, kind)?;
        let data = match self.shape {
            Some("uniform") => {
                let interval =
                    self.interval.ok_or_else(|| value_error("uniform keys need interval="))?;
                TrackData::uniform(interval, values)
            }
            Some("stepped") => TrackData::stepped(self.seconds()?, values).map_err(keys_error)?,
            None | Some("curve") => {
                let interpolations = self.interpolations()?;
                let tangents = self.both_tangents(kind, values.len())?;
                let curve = TrackData::curve(self.seconds()?, values, interpolations, tangents);
                curve.map_err(keys_error)?
            }
            Some(other) => {
                let expected = "uniform, stepped or curve";
                return Err(value_error(format!("shape: expected {expected}, found '{other}'")));
            }
        };
        Track::new(target, data).map_err(|error| value_error(error.to_string()))
    }

    fn seconds(&self) -> PyResult<Vec<f64>> {
        match numbers::<f64>(self.times)? {
            (times, shape) if shape.len() == 1 => Ok(times),
            (_, shape) => {
                Err(value_error(format!("times: expected the shape (n,), found {shape:?}")))
            }
        }
    }

    fn interpolations(&self) -> PyResult<Interpolations> {
        let Some(given) = self.interpolation else {
            return Ok(Interpolations::Shared(Interpolation::Linear));
        };
        if let Ok(name) = given.extract::<String>() {
            return interpolation(&name).map(Interpolations::Shared);
        }
        let names: Vec<String> = given.extract()?;
        let each = names.iter().map(|name| interpolation(name)).collect::<PyResult<_>>()?;
        Ok(Interpolations::PerKey(each))
    }

    fn both_tangents(&self, kind: ValueKind, keys: usize) -> PyResult<Option<Tangents>> {
        let (left, right) = match (self.left, self.right) {
            (None, None) => return Ok(None),
            (Some(left), Some(right)) => (left, right),
            _ => return Err(value_error("tangents need both left= and right=")),
        };
        match self.tangents {
            None | Some("values") => {
                let (left, right) = (column(left, kind)?, column(right, kind)?);
                Ok(Some(Tangents::Values { left, right }))
            }
            Some("handles") => {
                let (left, right) = (handles(left, keys)?, handles(right, keys)?);
                Ok(Some(Tangents::Handles { left, right }))
            }
            Some(other) => {
                let expected = "values or handles";
                Err(value_error(format!("tangents: expected {expected}, found '{other}'")))
            }
        }
    }

    /// Returns the kind of the values: the given one, else that of the property, the type of the
    /// numbers and the shape.
    fn kind_of(&self, target: &Target) -> PyResult<ValueKind> {
        if let Some(name) = self.kind {
            let known = ValueKind::from_name(name);
            return known
                .ok_or_else(|| value_error(format!("kind: '{name}' is no kind of values")));
        }
        let array = self.values.py().import("numpy")?.call_method1("asarray", (self.values,))?;
        let array = array.cast::<PyUntypedArray>()?;
        let dtype = array.dtype();
        if matches!(dtype.kind(), b'U' | b'O' | b'S') {
            return Ok(ValueKind::String);
        }
        let is_custom = matches!(target.property, Property::Custom(_));
        let wanted = |kind: &ValueKind| {
            target.property.accepts(*kind, target.component) && fits(*kind, array.shape())
        };
        let by_type = |kind: &ValueKind| {
            let own = with_kind!(*kind, T => dtype_is::<T>(&dtype), else false);
            // Numbers that are no floats become the widest floats where only floats are possible.
            own || (!is_custom && dtype.kind() != b'f' && kind.is_wide())
        };
        let kinds = || ValueKind::ALL.into_iter().filter(wanted).filter(by_type);
        let plain = kinds().find(|kind| !kind.is_quaternion() || !is_custom);
        plain.ok_or_else(|| {
            let (name, shape) = (target.property.name(), array.shape());
            let dtype = dtype.to_string();
            let expected = expected(target);
            type_error(format!("{name}: expected {expected}, found {dtype} of the shape {shape:?}"))
        })
    }
}

fn expected(target: &Target) -> &'static str {
    match (&target.property, target.component) {
        (Property::Rotation, _) => "floats of the shape (n, 4), quaternions xyzw",
        (Property::Weight(_), _) | (_, Some(_)) => "floats of the shape (n,)",
        (Property::Custom(_), _) => "numbers or texts",
        _ => "floats of the shape (n, 3)",
    }
}

fn fits(kind: ValueKind, shape: &[usize]) -> bool {
    let after = with_kind!(kind, T => <T as Cell>::SHAPE, else &[]);
    shape.get(1..) == Some(after)
}

fn dtype_is<T: Cell>(dtype: &Bound<'_, numpy::PyArrayDescr>) -> bool {
    let own = <T::Number as numpy::Element>::get_dtype(dtype.py());
    // Colors have the same numbers as vectors of four.
    T::KIND != ValueKind::Color && T::KIND != ValueKind::Color32 && own.is_equiv_to(dtype)
}

/// Returns values of a kind from anything that numpy makes an array of.
fn column(value: &Bound<'_, PyAny>, kind: ValueKind) -> PyResult<Values> {
    fn typed<T: Cell>(value: &Bound<'_, PyAny>) -> PyResult<Values> {
        let (numbers, shape) = numbers::<T::Number>(value)?;
        if shape.get(1..) != Some(T::SHAPE) {
            let mut expected = vec!["n".to_owned()];
            expected.extend(T::SHAPE.iter().map(ToString::to_string));
            let expected = expected.join(", ");
            let kind = T::KIND;
            return Err(value_error(format!(
                "{kind}: expected the shape ({expected}), found {shape:?}"
            )));
        }
        Ok(Values::from(T::of_numbers(&numbers)))
    }
    with_kind!(kind, T => typed::<T>(value), else {
        let texts: Vec<Option<String>> = value.try_iter()?.map(|text| text?.extract()).collect::<PyResult<_>>()?;
        Ok(Values::from(texts.iter().map(Option::as_deref).collect::<Strings>()))
    })
}

/// Returns handles from an array of the shape (keys, components, 2).
fn handles(value: &Bound<'_, PyAny>, keys: usize) -> PyResult<Vec<Handle>> {
    let (numbers, shape) = numbers::<f64>(value)?;
    if shape.len() != 3 || shape.first() != Some(&keys) || shape.last() != Some(&2) {
        let expected = format!("({keys}, components, 2)");
        return Err(value_error(format!(
            "handles: expected the shape {expected}, found {shape:?}"
        )));
    }
    let (pairs, _) = numbers.as_chunks();
    Ok(pairs.iter().map(|&[time, value]| Handle { time, value }).collect())
}

fn keys_error(error: inbetween::core::KeysError) -> PyErr {
    value_error(error.to_string())
}
