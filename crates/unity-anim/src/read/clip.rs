//! Decodes clips.

use std::collections::HashMap;
use std::ops::Range;

use inbetween_core::json::unresolved;
use inbetween_core::{Axis, Budget, Finding, Findings, Limits, ReadError, Text, shown};

use super::curve::{Curve, CurveKeys, CurveReader};
use crate::codes;
use crate::file::{UnityAnimFile, UnityObject};
use crate::layout::{
    BINDINGS, COMPONENTS, EDITOR_CURVES, EDITOR_EULER_CURVES, EVENTS, LEGACY, LOOP, List, NAME,
    PACKED_ROTATIONS, SAMPLE_RATE, SETTINGS, START, STOP, WRAP_MODE,
};
use crate::yaml::{Block, Fault, Node, Reading, Scalar, Yaml};

/// A clip as it is in the file.
#[derive(Debug, Default)]
pub(crate) struct Clip<'t> {
    /// The single values that the reader knows, by their name, with their places in the text.
    pub(crate) values: HashMap<&'static str, Scalar<'t>>,
    /// The lines of the members that writers replace.
    pub(crate) members: HashMap<&'static str, Range<usize>>,
    /// Where the text of the clip ends.
    pub(crate) end: usize,
    /// The curves of the lists that play.
    pub(crate) curves: Vec<(List, Curve<'t>)>,
    /// Curves of one axis that only the lists of the editor have.
    pub(crate) components: Vec<(List, Axis, Curve<'t>)>,
    pub(crate) events: Vec<Event>,
}

/// An event.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Event {
    pub(crate) time: f32,
    pub(crate) function: Text,
    /// Whether it has parameters.
    pub(crate) has_parameters: bool,
}

/// The members that writers replace, besides the lists of curves.
const MEMBERS: [&str; 5] = [EDITOR_CURVES, EDITOR_EULER_CURVES, EVENTS, SETTINGS, BINDINGS];

/// The values that the reader knows.
const VALUES: [&str; 8] =
    [NAME, SAMPLE_RATE, START, STOP, LOOP, LEGACY, WRAP_MODE, "m_HasAdditiveReferencePose"];

impl Clip<'_> {
    /// Returns a number; `None` if it is missing or not a number.
    pub(crate) fn number(&self, name: &str) -> Option<f64> {
        let number: f32 = self.values.get(name)?.text.parse().ok()?;
        number.is_finite().then_some(f64::from(number))
    }

    /// Returns whether a value is 1.
    pub(crate) fn is_set(&self, name: &str) -> bool {
        self.number(name) == Some(1.0)
    }
}

/// Reads a clip, with findings about what cannot be read of it.
pub(crate) fn clip<'t>(
    file: &'t UnityAnimFile<'_>,
    object: &UnityObject,
    limits: &Limits,
    (budget, findings): (&mut Budget, &mut Findings),
) -> Reading<Clip<'t>> {
    let text = file.source.get(..object.body.end).unwrap_or_default();
    let yaml = Yaml::new(text, object.body.start, limits.depth);
    let bindings = HashMap::new();
    let line = object.body.start..object.body.start;
    let clip = Clip { end: text.len(), ..Clip::default() };
    let mut reader = ClipReader { text, yaml, budget, findings, clip, bindings, line };
    reader.object()?;
    let ClipReader { mut clip, bindings, .. } = reader;
    // Unity writes the lists of the editor last, but other programs may not.
    clip.components
        .retain(|(list, _, curve)| !bindings.contains_key(&(*list, curve.path().to_owned())));
    Ok(clip)
}

struct ClipReader<'r, 't> {
    text: &'t str,
    yaml: Yaml<'t>,
    budget: &'r mut Budget,
    findings: &'r mut Findings,
    clip: Clip<'t>,
    /// The index of the curve of a list and a path; the paths of numbers have their attribute.
    bindings: HashMap<(List, String), usize>,
    /// From the begin of the line of the last member to its name.
    line: Range<usize>,
}

impl<'t> ClipReader<'_, 't> {
    fn object(&mut self) -> Reading<()> {
        let mut object = match self.yaml.top()? {
            Node::Map(object) => object,
            other => return Yaml::fault(self.yaml.offset(), "AnimationClip:", &other.found()),
        };
        while self.yaml.key(&mut object)?.is_some() {
            let at = self.yaml.offset();
            let mut members = match self.yaml.value(&object)? {
                Node::Map(members) => members,
                other => return Yaml::fault(at, "the members of a clip", &other.found()),
            };
            self.members(&mut members)?;
        }
        // A line with less indentation would end the object silently.
        let rest = self.text.get(self.yaml.offset()..).unwrap_or_default();
        if rest.trim().is_empty() {
            return Ok(());
        }
        let start = rest.len().saturating_sub(rest.trim_start().len());
        let at = self.yaml.offset().saturating_add(start);
        Yaml::fault(at, "the end of the object", "more text")
    }

    fn members(&mut self, members: &mut Block) -> Reading<()> {
        let replaced = |name: &str| {
            List::ALL.map(List::name).into_iter().chain(MEMBERS).find(|it| *it == name)
        };
        let mut last: Option<(&'static str, usize)> = None;
        loop {
            let key = self.yaml.key(members)?;
            let start = match &key {
                Some(key) => self.line_of(key.at),
                None => self.text.len(),
            };
            if let Some((name, begin)) = last.take() {
                self.clip.members.insert(name, begin..start);
            }
            let Some(key) = key else { return Ok(()) };
            last = replaced(&key.text).map(|name| (name, start));
            self.member(&key.text, members)?;
        }
    }

    /// Returns the begin of the line of a byte, which is not before that of the last call: a line may
    /// have any number of members.
    fn line_of(&mut self, at: usize) -> usize {
        let Range { start, end } = self.line;
        let line = self.text.get(end..at).and_then(|new| new.rfind('\n'));
        let line = line.map_or(start, |line| end.saturating_add(line).saturating_add(1));
        self.line = line..at;
        line
    }

    fn member(&mut self, name: &str, members: &Block) -> Reading<()> {
        if let Some(list) = List::ALL.into_iter().find(|list| list.name() == name) {
            return self.list(members, |reader, items| reader.curve(list, items));
        }
        match name {
            EDITOR_CURVES => self.list(members, Self::editor_curve),
            EVENTS => self.list(members, Self::event),
            PACKED_ROTATIONS => {
                let (at, mut count) = (self.yaml.offset(), 0_u64);
                self.list(members, |reader, items| {
                    count = count.saturating_add(1);
                    reader.yaml.skip_value(items)
                })?;
                if count > 0 {
                    self.say(
                        codes::ROTATIONS_PACKED,
                        at,
                        format!("the rotations of {count} nodes"),
                    );
                }
                Ok(())
            }
            SETTINGS => {
                let at = self.yaml.offset();
                let mut settings = match self.yaml.value(members)? {
                    Node::Map(settings) => settings,
                    other => return Yaml::fault(at, "a map", &other.found()),
                };
                while let Some(key) = self.yaml.key(&mut settings)? {
                    self.single(&key.text, &settings)?;
                }
                Ok(())
            }
            _ => self.single(name, members),
        }
    }

    /// Reads a value that may be one of those that the reader knows.
    fn single(&mut self, name: &str, parent: &Block) -> Reading<()> {
        let value = self.yaml.value(parent)?;
        let known = VALUES.into_iter().find(|known| *known == name);
        match (known, value) {
            (Some(known), Node::Scalar(scalar)) => {
                self.clip.values.entry(known).or_insert(scalar);
                Ok(())
            }
            (_, value) => self.yaml.skip(&value),
        }
    }

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

    fn read_curve(&mut self, width: Option<usize>, items: &Block) -> Reading<Option<Curve<'t>>> {
        let mut reader = CurveReader { yaml: &mut self.yaml, budget: self.budget };
        let curve = reader.curve(width, items)?;
        let (at, error) = match &curve.broken {
            Some((at, error)) => (*at, error.clone()),
            None if curve.path.is_none() => {
                (curve.at, ReadError::invalid("a curve with a path", "none"))
            }
            None => return Ok(Some(curve)),
        };
        let what = format!("the curve of {}", shown(curve.path()));
        self.findings.leave();
        self.findings.push(Finding::skipped(&what, &error).position(unresolved(at)));
        Ok(None)
    }

    fn curve(&mut self, list: List, items: &Block) -> Reading<()> {
        let width = match list {
            List::Rotation => Some(4),
            List::Euler | List::Position | List::Scale => Some(3),
            List::Float => Some(1),
            List::Object => None,
        };
        let Some(curve) = self.read_curve(width, items)? else { return Ok(()) };
        let binding = match list {
            List::Float | List::Object => float_binding(&curve),
            _ => curve.path().to_owned(),
        };
        self.bindings.entry((list, binding)).or_insert(self.clip.curves.len());
        inbetween_core::grow::column(&mut self.clip.curves, 1);
        self.clip.curves.push((list, curve));
        Ok(())
    }

    /// Reads a curve of the editor: of a number, or of one axis.
    fn editor_curve(&mut self, items: &Block) -> Reading<()> {
        let Some(curve) = self.read_curve(Some(1), items)? else { return Ok(()) };
        let Some((list, part)) = component(&curve.attribute) else {
            let binding = float_binding(&curve);
            if !self.bindings.contains_key(&(List::Float, binding.clone())) {
                self.say(codes::ONLY_IN_EDITOR, curve.at, binding);
                self.clip.curves.push((List::Float, curve));
            }
            return Ok(());
        };
        let place = (list, curve.path().to_owned());
        let known = self.bindings.get(&place).and_then(|index| self.clip.curves.get(*index));
        match known {
            Some((_, known)) if !agrees(known, part, &curve) => {
                let message = format!("{} of {}", shown(&curve.attribute), shown(curve.path()));
                self.say(codes::EDITOR_DIFFERS, curve.at, message);
            }
            Some(_) => {}
            None => {
                let message = format!("{} of {}", shown(&curve.attribute), shown(curve.path()));
                self.say(codes::ONLY_IN_EDITOR, curve.at, message);
                if let Some(axis) = part.axis.filter(|_| list != List::Rotation) {
                    self.clip.components.push((list, axis, curve));
                }
            }
        }
        Ok(())
    }

    fn event(&mut self, items: &Block) -> Reading<()> {
        let at = self.yaml.offset();
        self.budget.charge_items(1).map_err(|error| Fault { at, error })?;
        let (mut event, mut time) = (Event::default(), None);
        let mut map = match self.yaml.value(items)? {
            Node::Map(map) => map,
            other => return Yaml::fault(at, "an event", &other.found()),
        };
        while let Some(key) = self.yaml.key(&mut map)? {
            let value = self.yaml.value(&map)?;
            let text = match value {
                Node::Scalar(scalar) => scalar.text,
                Node::Map(mut reference) => {
                    while let Some(key) = self.yaml.key(&mut reference)? {
                        let value = self.yaml.value(&reference)?;
                        let is_null = matches!(&value, Node::Scalar(it) if it.text == "0");
                        event.has_parameters |= key.text == "fileID" && !is_null;
                        self.yaml.skip(&value)?;
                    }
                    continue;
                }
                list @ Node::List(_) => {
                    self.yaml.skip(&list)?;
                    continue;
                }
            };
            match &*key.text {
                "time" => time = Some(text),
                "functionName" => event.function = text.as_ref().into(),
                "data" => event.has_parameters |= !text.is_empty(),
                "floatParameter" | "intParameter" => event.has_parameters |= text != "0",
                _ => {}
            }
        }
        event.time = time.as_ref().and_then(|time| time.parse().ok()).unwrap_or(f32::NAN);
        if event.time.is_finite() {
            self.clip.events.push(event);
        } else {
            let found = time.map_or("none".to_owned(), |time| format!("\"{}\"", shown(&time)));
            let error = ReadError::invalid("a finite time", found);
            self.findings.push(Finding::skipped("an event", &error).position(unresolved(at)));
        }
        Ok(())
    }

    fn say(&mut self, code: inbetween_core::Code, at: usize, message: String) {
        self.findings.leave();
        self.findings.add(code, || Finding::new(code, message).position(unresolved(at)));
    }
}

fn float_binding(curve: &Curve<'_>) -> String {
    format!("{} of class {} of {}", curve.attribute, curve.class, curve.path())
}

/// A component of a vector or a rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    index: usize,
    axis: Option<Axis>,
}

/// Returns what an attribute such as `m_LocalPosition.x` animates.
fn component(attribute: &str) -> Option<(List, Part)> {
    let (name, part) = attribute.split_once('.')?;
    let (_, list) = COMPONENTS.into_iter().find(|(known, _)| *known == name)?;
    let (index, axis) = match part {
        "x" => (0, Some(Axis::X)),
        "y" => (1, Some(Axis::Y)),
        "z" => (2, Some(Axis::Z)),
        "w" => (3, None),
        _ => return None,
    };
    Some((list, Part { index, axis }))
}

/// Returns the list and the axis of an attribute of one axis of a transform.
pub(crate) fn axis_of(attribute: &str) -> Option<(List, Axis)> {
    let (list, part) = component(attribute)?;
    Some((list, part.axis?))
}

/// Returns whether a component of a curve has the values that the editor shows at its keys.
fn agrees(curve: &Curve<'_>, part: Part, editor: &Curve<'_>) -> bool {
    let CurveKeys::Number(editor) = &editor.keys else { return true };
    let (times, value): (_, Box<dyn Fn(usize) -> Option<f32>>) = match &curve.keys {
        CurveKeys::Vector(keys) => {
            (&keys.times, Box::new(|key| keys.values.get(key)?.get(part.index).copied()))
        }
        CurveKeys::Rotation(keys) => {
            (&keys.times, Box::new(|key| keys.values.get(key)?.get(part.index).copied()))
        }
        _ => return true,
    };
    editor.times.iter().zip(&editor.values).all(|(time, [shown])| {
        let key = times.partition_point(|known| known < time);
        let is_there = times.get(key) == Some(time);
        let known = value(key).unwrap_or(f32::NAN);
        is_there && (known - shown).abs() <= 1e-5 * known.abs().max(1.0)
    })
}
