//! Decodes curves.

use std::borrow::Cow;

use inbetween_core::{Budget, ReadError, Text, grow, memory::OutOfMemory};

use crate::layout::{CLAMP, DEFAULT_ORDER, THIRD};
use crate::yaml::{Block, Fault, Node, Reading, Scalar, Yaml};

/// The keys of a curve of `N` numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Keys<const N: usize> {
    pub(crate) times: Vec<f32>,
    pub(crate) values: Vec<[f32; N]>,
    /// The slopes before and after each key, in units per second.
    pub(crate) slopes: [Vec<[f32; N]>; 2],
    /// The weights before and after each key; empty if no key has a weight.
    pub(crate) weights: Vec<[[f32; N]; 2]>,
}

impl<const N: usize> Default for Keys<N> {
    fn default() -> Self {
        let slopes = [Vec::new(), Vec::new()];
        Self { times: Vec::new(), values: Vec::new(), slopes, weights: Vec::new() }
    }
}

/// A key.
#[derive(Clone, Copy, Debug)]
struct Key<const N: usize> {
    time: f32,
    value: [f32; N],
    slopes: [[f32; N]; 2],
    mode: i64,
    weights: [[f32; N]; 2],
}

/// The keys of a curve.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CurveKeys {
    Number(Keys<1>),
    Vector(Keys<3>),
    Rotation(Keys<4>),
    /// References to objects, as text.
    Objects(Vec<f32>, Vec<Text>),
}

/// A curve, and what it animates.
#[derive(Clone, Debug)]
pub(crate) struct Curve<'t> {
    /// Where it begins.
    pub(crate) at: usize,
    pub(crate) keys: CurveKeys,
    /// The path of its node; `None` if the curve ends before it, as in a file that was cut.
    pub(crate) path: Option<Cow<'t, str>>,
    pub(crate) attribute: Cow<'t, str>,
    pub(crate) class: u64,
    /// The script of a curve of a script, as text.
    pub(crate) script: Text,
    pub(crate) order: usize,
    /// Whether it clamps outside of its keys.
    pub(crate) is_clamped: bool,
    /// The first thing in it that cannot be read, at its byte.
    pub(crate) broken: Broken,
}

impl Curve<'_> {
    /// Returns the path of the node.
    pub(crate) fn path(&self) -> &str {
        self.path.as_deref().unwrap_or_default()
    }
}

/// Reads one item of a list of curves.
pub(crate) struct CurveReader<'r, 't> {
    pub(crate) yaml: &'r mut Yaml<'t>,
    pub(crate) budget: &'r mut Budget,
}

/// The first error in a curve, which does not end reading.
type Broken = Option<(usize, ReadError)>;

impl<'t> CurveReader<'_, 't> {
    /// Reads a curve of `N` numbers; `None` are objects.
    pub(crate) fn curve(&mut self, width: Option<usize>, list: &Block) -> Reading<Curve<'t>> {
        let at = self.yaml.offset();
        self.budget.charge_items(1).map_err(|error| Fault { at, error })?;
        let mut curve = Curve {
            at,
            // Those of a curve without a list of keys.
            keys: match width {
                None => CurveKeys::Objects(Vec::new(), Vec::new()),
                Some(1) => CurveKeys::Number(Keys::default()),
                Some(3) => CurveKeys::Vector(Keys::default()),
                Some(_) => CurveKeys::Rotation(Keys::default()),
            },
            path: None,
            attribute: Cow::Borrowed(""),
            class: 0,
            script: Text::from(""),
            order: DEFAULT_ORDER,
            is_clamped: true,
            broken: None,
        };
        let mut map = self.map(list)?;
        while let Some(key) = self.yaml.key(&mut map)? {
            match &*key.text {
                "curve" => self.keys(width, &map, &mut curve)?,
                "path" => curve.path = Some(self.scalar(&map)?.text),
                "attribute" => curve.attribute = self.scalar(&map)?.text,
                "classID" => {
                    let class = self.scalar(&map)?;
                    curve.class = class.text.parse().unwrap_or_else(|_| {
                        curve.broken.get_or_insert_with(|| not_a_number(&class));
                        0
                    });
                }
                "script" => curve.script = self.flow_text(&map)?,
                _ => self.yaml.skip_value(&map)?,
            }
        }
        Ok(curve)
    }

    fn map(&mut self, parent: &Block) -> Reading<Block> {
        let at = self.yaml.offset();
        match self.yaml.value(parent)? {
            Node::Map(map) => Ok(map),
            other => Yaml::fault(at, "a map", &other.found()),
        }
    }

    fn scalar(&mut self, parent: &Block) -> Reading<Scalar<'t>> {
        let at = self.yaml.offset();
        match self.yaml.value(parent)? {
            Node::Scalar(scalar) => Ok(scalar),
            other => Yaml::fault(at, "a single value", &other.found()),
        }
    }

    /// Returns the text of a reference to an object, in one form for all line breaks.
    fn flow_text(&mut self, parent: &Block) -> Reading<Text> {
        let mut map = match self.yaml.value(parent)? {
            Node::Map(map) => map,
            Node::Scalar(scalar) => return Ok(scalar.text.as_ref().into()),
            list @ Node::List(_) => {
                self.yaml.skip(&list)?;
                return Ok("".into());
            }
        };
        let mut members = Vec::new();
        while let Some(key) = self.yaml.key(&mut map)? {
            let value = self.scalar(&map)?;
            members.push(format!("{}: {}", key.text, value.text));
        }
        Ok(format!("{{{}}}", members.join(", ")).into())
    }

    fn keys(&mut self, width: Option<usize>, parent: &Block, curve: &mut Curve<'t>) -> Reading<()> {
        let Some(width) = width else {
            let (mut times, mut values) = (Vec::new(), Vec::new());
            self.list(parent, |reader, list| {
                reader.object_key(list, (&mut times, &mut values), &mut curve.broken)
            })?;
            curve.keys = CurveKeys::Objects(times, values);
            return Ok(());
        };
        let mut map = self.map(parent)?;
        while let Some(key) = self.yaml.key(&mut map)? {
            match &*key.text {
                "m_Curve" => {
                    let broken = &mut curve.broken;
                    curve.keys = match width {
                        1 => CurveKeys::Number(self.key_list(&map, broken)?),
                        3 => CurveKeys::Vector(self.key_list(&map, broken)?),
                        _ => CurveKeys::Rotation(self.key_list(&map, broken)?),
                    };
                }
                "m_PreInfinity" | "m_PostInfinity" => {
                    let mode = self.scalar(&map)?;
                    curve.is_clamped &= mode.text.parse() == Ok(CLAMP);
                }
                "m_RotationOrder" => {
                    curve.order = self.scalar(&map)?.text.parse().unwrap_or(DEFAULT_ORDER);
                }
                _ => self.yaml.skip_value(&map)?,
            }
        }
        Ok(())
    }

    /// Calls `item` for each item of a list.
    fn list(
        &mut self,
        parent: &Block,
        mut item: impl FnMut(&mut Self, &Block) -> Reading<()>,
    ) -> Reading<()> {
        let at = self.yaml.offset();
        let mut list = match self.yaml.value(parent)? {
            Node::List(list) => list,
            Node::Scalar(scalar) if scalar.text.is_empty() => return Ok(()),
            other => return Yaml::fault(at, "a list", &other.found()),
        };
        while self.yaml.item(&mut list)? {
            item(self, &list)?;
        }
        Ok(())
    }

    fn key_list<const N: usize>(
        &mut self,
        parent: &Block,
        broken: &mut Broken,
    ) -> Reading<Keys<N>> {
        let mut keys = Keys::default();
        self.list(parent, |reader, list| {
            let at = reader.yaml.offset();
            let key = reader.key(list, broken)?;
            // A key in the common model: its time as f64, its value and two tangents.
            let size = size_of::<[f32; N]>().saturating_mul(3).saturating_add(size_of::<f64>());
            let weights = if keys.weights.is_empty() { 0 } else { size_of::<[[f32; N]; 2]>() };
            let size = size.saturating_add(weights);
            let fault = |error: ReadError| Fault { at, error };
            reader.budget.charge_columns(size).map_err(fault)?;
            keys.push(key).map_err(|error| fault(error.into()))
        })?;
        Ok(keys)
    }

    fn key<const N: usize>(&mut self, list: &Block, broken: &mut Broken) -> Reading<Key<N>> {
        let mut key = Key {
            time: 0.0,
            value: [0.0; N],
            slopes: [[0.0; N]; 2],
            mode: 0,
            weights: [[THIRD; N]; 2],
        };
        let (at, mut has_time, mut has_value) = (self.yaml.offset(), false, false);
        let mut map = self.map(list)?;
        while let Some(name) = self.yaml.key(&mut map)? {
            has_time |= name.text == "time";
            has_value |= name.text == "value";
            match &*name.text {
                "time" => [key.time] = self.numbers(&map, broken, f32::is_finite)?,
                "value" => key.value = self.numbers(&map, broken, f32::is_finite)?,
                "inSlope" => key.slopes[0] = self.numbers(&map, broken, |it| !it.is_nan())?,
                "outSlope" => key.slopes[1] = self.numbers(&map, broken, |it| !it.is_nan())?,
                "inWeight" => key.weights[0] = self.numbers(&map, broken, f32::is_finite)?,
                "outWeight" => key.weights[1] = self.numbers(&map, broken, f32::is_finite)?,
                "weightedMode" => key.mode = self.scalar(&map)?.text.parse().unwrap_or(0),
                _ => self.yaml.skip_value(&map)?,
            }
        }
        require(at, has_time && has_value, broken);
        let has_weights = [key.mode & 1 != 0, key.mode & 2 != 0];
        for (weights, has) in key.weights.iter_mut().zip(has_weights) {
            if !has {
                *weights = [THIRD; N];
            }
        }
        Ok(key)
    }

    /// Reads a number, or a map of the numbers x, y, z and w.
    fn numbers<const N: usize>(
        &mut self,
        parent: &Block,
        broken: &mut Broken,
        is_valid: impl Fn(f32) -> bool,
    ) -> Reading<[f32; N]> {
        let (at, mut numbers, mut has) = (self.yaml.offset(), [0.0; N], [false; N]);
        let mut map = match self.yaml.value(parent)? {
            Node::Scalar(scalar) => {
                let number = number(&scalar).filter(|number| N == 1 && is_valid(*number));
                if let (Some(number), Some(slot)) = (number, numbers.first_mut()) {
                    *slot = number;
                } else {
                    broken.get_or_insert_with(|| not_a_number(&scalar));
                }
                return Ok(numbers);
            }
            Node::Map(map) => map,
            list @ Node::List(_) => {
                let error = || ReadError::invalid("a number", "a list");
                broken.get_or_insert_with(|| (self.yaml.offset(), error()));
                self.yaml.skip(&list)?;
                return Ok(numbers);
            }
        };
        while let Some(name) = self.yaml.key(&mut map)? {
            let scalar = self.scalar(&map)?;
            let part = match &*name.text {
                "x" => 0,
                "y" => 1,
                "z" => 2,
                "w" => 3,
                _ => continue,
            };
            let (Some(slot), Some(has)) = (numbers.get_mut(part), has.get_mut(part)) else {
                continue;
            };
            *has = true;
            match number(&scalar).filter(|number| is_valid(*number)) {
                Some(number) => *slot = number,
                None => {
                    broken.get_or_insert_with(|| not_a_number(&scalar));
                }
            }
        }
        if has.contains(&false) {
            let error = || ReadError::invalid(inbetween_core::counted(N, "number"), "fewer");
            broken.get_or_insert_with(|| (at, error()));
        }
        Ok(numbers)
    }

    fn object_key(
        &mut self,
        list: &Block,
        (times, values): (&mut Vec<f32>, &mut Vec<Text>),
        broken: &mut Broken,
    ) -> Reading<()> {
        let at = self.yaml.offset();
        let (mut time, mut value) = (None, None);
        let mut map = self.map(list)?;
        while let Some(name) = self.yaml.key(&mut map)? {
            match &*name.text {
                "time" => time = Some(self.numbers::<1>(&map, broken, f32::is_finite)?),
                "value" => value = Some(self.flow_text(&map)?),
                _ => self.yaml.skip_value(&map)?,
            }
        }
        require(at, time.is_some() && value.is_some(), broken);
        let ([time], value) = (time.unwrap_or_default(), value.unwrap_or_else(|| "".into()));
        let fault = |error: ReadError| Fault { at, error };
        let size = size_of::<f64>().saturating_add(size_of::<Option<Text>>());
        let size = size.saturating_add(value.len());
        self.budget.charge_columns(size).map_err(fault)?;
        let no_memory = |error: OutOfMemory| fault(error.into());
        grow::try_column(times, 1).and_then(|()| grow::try_column(values, 1)).map_err(no_memory)?;
        times.push(time);
        values.push(value);
        Ok(())
    }
}

impl<const N: usize> Keys<N> {
    fn push(&mut self, key: Key<N>) -> Result<(), OutOfMemory> {
        grow::try_column(&mut self.times, 1)?;
        grow::try_column(&mut self.values, 1)?;
        for (column, slope) in self.slopes.iter_mut().zip(key.slopes) {
            grow::try_column(column, 1)?;
            column.push(slope);
        }
        if key.mode & 3 != 0 && self.weights.is_empty() {
            inbetween_core::memory::reserve(&mut self.weights, self.times.len())?;
            self.weights.resize(self.times.len(), [[THIRD; N]; 2]);
        }
        if key.mode & 3 != 0 || !self.weights.is_empty() {
            grow::try_column(&mut self.weights, 1)?;
            self.weights.push(key.weights);
        }
        self.times.push(key.time);
        self.values.push(key.value);
        Ok(())
    }
}

/// Returns the number of a scalar. Programs write infinity in several ways.
fn number(scalar: &Scalar<'_>) -> Option<f32> {
    match &*scalar.text {
        "∞" | ".inf" => Some(f32::INFINITY),
        "-∞" | "-.inf" => Some(f32::NEG_INFINITY),
        text => text.parse().ok(),
    }
}

/// Reports a key without its time or its value: a default would be a pose that nobody made.
fn require(at: usize, is_complete: bool, broken: &mut Broken) {
    if !is_complete {
        let error = || ReadError::invalid("a key with a time and a value", "one without");
        broken.get_or_insert_with(|| (at, error()));
    }
}

fn not_a_number(scalar: &Scalar<'_>) -> (usize, ReadError) {
    let is_infinite = number(scalar).is_some_and(f32::is_infinite);
    let expected = if is_infinite { "a finite number" } else { "a number" };
    (scalar.at, ReadError::invalid(expected, scalar.found()))
}
