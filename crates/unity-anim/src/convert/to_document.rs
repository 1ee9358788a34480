//! Converts the exact model to the common model.

use inbetween_core::json::{resolve, unresolved};
use inbetween_core::{
    Animation, Axis, Budget, Code, Context, Document, Finding, Findings, Looping, Marker, Model,
    Origin, Property, ReadError, StatedError, Strings, Target, Text, Track, TrackData,
    codes as shared, shown,
};

use super::keys::{Unit, component};
use super::names::Nodes;
use super::property::{Binding, NO_SCRIPT};
use super::weights::{Bound, flatten};
use crate::RULES;
use crate::codes;
use crate::file::UnityAnimFile;
use crate::layout::{
    ANIMATOR, FULL_WEIGHT, ID, LEGACY, LOOP, List, NAME, SAMPLE_RATE, START, STOP, TRANSFORM,
    WRAP_MODE, euler_order,
};
use crate::read::clip::{Clip, Event, clip};
use crate::read::curve::{Curve, CurveKeys, Keys};

/// A file in the common model.
pub(crate) struct Read {
    pub(crate) document: Document,
    pub(crate) findings: Findings,
    /// The indices of the objects of its clips: those of broken clips are left out.
    pub(crate) objects: Vec<usize>,
}

/// Converts a file.
pub(crate) fn to_document(
    file: &UnityAnimFile<'_>,
    budget: &mut Budget,
) -> Result<Read, ReadError> {
    let limits = budget.limits().clone();
    let mut context = Context::new(budget);
    let count = file.clips().count();
    let (mut clips, mut objects, mut first) = (Vec::new(), Vec::new(), None);
    for (index, object) in file.objects.iter().enumerate().filter(|(_, it)| it.is_clip()) {
        let read = clip(file, object, &limits, (context.budget, &mut context.findings));
        match read {
            Ok(read) => {
                clips.push(read);
                objects.push(index);
            }
            Err(fault) if fault.error.is_limit() || count == 1 => {
                return Err(fault.locate(&file.source));
            }
            Err(fault) => {
                let position = unresolved(fault.at);
                let finding = Finding::skipped("a clip", &fault.error).position(position);
                context.findings.push(finding);
                first.get_or_insert(fault);
            }
        }
    }
    if let (Some(fault), true) = (first, clips.is_empty()) {
        return Err(fault.locate(&file.source));
    }
    let curves = clips.iter().flat_map(|clip| &clip.curves).map(|(_, curve)| curve);
    let components = clips.iter().flat_map(|clip| &clip.components).map(|(.., curve)| curve);
    let paths = curves.chain(components).map(Curve::path);
    let nodes = Nodes::new(paths, context.budget).map_err(|error| error.in_format(ID))?;
    if nodes.kept > 0 {
        let message = inbetween_core::counted(nodes.kept, "node");
        context.say(codes::PATHS_KEPT, message);
    }
    let broken =
        |error: String| ReadError::invalid("paths that form a skeleton", error).in_format(ID);
    let skeleton = nodes.skeleton().map_err(|error| broken(error.to_string()))?;
    let has_parameters =
        clips.iter().flat_map(|clip| &clip.events).any(|event| event.has_parameters);
    let mut document = Document::new(Vec::new());
    let many = clips.len() > 1;
    for (index, clip) in clips.into_iter().enumerate() {
        let name: Text = clip.values.get(NAME).map_or("", |name| &*name.text).into();
        context.findings.enter_clip(many.then_some((index, Some(&name))));
        let mut converter = Converter { nodes: &nodes, context: &mut context, tracks: Vec::new() };
        let clip = converter.clip(clip, name)?;
        document.clips.push(clip);
    }
    context.findings.enter_clip(None);
    document.skeleton = skeleton;
    let mut origin = Origin::new(ID);
    let others = file.objects.len().saturating_sub(count);
    if others > 0 {
        origin.scene.push("objects that are no clips".into());
    }
    if has_parameters {
        origin.scene.push("parameters of events".into());
    }
    origin.model = Some(model(file.source.as_bytes()));
    resolve(&file.source, context.findings.as_mut_slice());
    Ok(Read { document: document.with_origin(origin), findings: context.findings, objects })
}

/// Returns the text of a file for its writer.
pub(super) fn model(text: &[u8]) -> Model {
    Model {
        bytes: text.into(),
        neighbors: None,
        nodes: None,
        animations: inbetween_core::OldAnimations::Replaced,
    }
}

struct Converter<'c, 'b> {
    nodes: &'c Nodes,
    context: &'c mut Context<'b>,
    tracks: Vec<Track>,
}

impl Converter<'_, '_> {
    fn clip(&mut self, clip: Clip<'_>, name: Text) -> Result<Animation, ReadError> {
        let is_legacy = clip.is_set(LEGACY);
        let start = clip.number(START).filter(|_| !is_legacy).unwrap_or(0.0);
        let stop = clip.number(STOP).filter(|stop| !is_legacy && *stop >= start);
        let rate = clip.number(SAMPLE_RATE).filter(|rate| *rate > 0.0);
        let wrap = clip.number(WRAP_MODE);
        let repeats =
            if is_legacy { wrap == Some(2.0) || wrap == Some(4.0) } else { clip.is_set(LOOP) };
        let is_odd = rate.is_none() && clip.values.contains_key(SAMPLE_RATE);
        self.settings(&clip, (start, wrap, is_odd));
        let muscles = |(list, curve): &&(List, Curve<'_>)| {
            *list == List::Float && curve.class == ANIMATOR && curve.path().is_empty()
        };
        let muscles = clip.curves.iter().filter(muscles).count();
        if muscles > 0 {
            let message = inbetween_core::counted(muscles, "curve");
            self.context.say(codes::MUSCLES, message);
        }
        let markers = self.events(&clip, (start, stop));
        let rate = rate.unwrap_or(60.0);
        let unit = Unit { factor: 1.0, start };
        for (list, curve) in clip.curves {
            self.curve(list, curve, (unit, rate))?;
        }
        for (list, axis, curve) in clip.components {
            self.component(list, axis, curve, (unit, rate))?;
        }
        let mut made = Animation::new(std::mem::take(&mut self.tracks))
            .with_rules(RULES)
            .with_name(name)
            .with_frame_rate(rate)
            .with_markers(markers);
        made.duration = stop.map(|stop| stop - start);
        if repeats {
            made.looping = Looping::Loop;
        }
        Ok(made)
    }

    /// Reports settings that the common model does not have.
    fn settings(&mut self, clip: &Clip<'_>, (start, wrap, has_odd_rate): (f64, Option<f64>, bool)) {
        if start != 0.0 {
            self.context.say(codes::STARTS_LATER, format!("m_StartTime {start}"));
        }
        if wrap == Some(4.0) {
            self.context.say(codes::PING_PONG, "m_WrapMode 4");
        }
        if clip.is_set("m_HasAdditiveReferencePose") {
            self.context.say(codes::ADDITIVE, "m_HasAdditiveReferencePose 1");
        }
        if has_odd_rate {
            self.context.say(shared::FRAME_RATE_REPLACED, "no valid m_SampleRate, using 60");
        }
    }

    fn events(&mut self, clip: &Clip<'_>, (start, stop): (f64, Option<f64>)) -> Vec<Marker> {
        let marker = |event: &Event| Marker {
            time: f64::from(event.time) - start,
            name: event.function.clone(),
        };
        let is_called = |event: &&Event| stop.is_none_or(|stop| f64::from(event.time) <= stop);
        let late = clip.events.iter().filter(|event| !is_called(event)).count();
        if late > 0 {
            self.context.say(codes::EVENTS_AFTER_END, inbetween_core::counted(late, "event"));
        }
        clip.events.iter().filter(is_called).map(marker).collect()
    }

    fn say(&mut self, code: Code, curve: &Curve<'_>) {
        let message = format!("a curve of {}", shown(curve.path()));
        let finding = Finding::new(code, message).position(unresolved(curve.at));
        self.context.findings.leave();
        self.context.findings.push(finding);
    }

    fn curve(&mut self, list: List, curve: Curve<'_>, units: (Unit, f64)) -> Result<(), ReadError> {
        if !curve.is_clamped {
            self.say(codes::INFINITY_CLAMPED, &curve);
        }
        let node = self.nodes.node(curve.path());
        match list {
            List::Rotation => self.keys(Target::new(node, Property::Rotation), curve, units),
            List::Position => self.keys(Target::new(node, Property::Translation), curve, units),
            List::Scale => self.keys(Target::new(node, Property::Scale), curve, units),
            List::Euler => {
                let property = Property::RotationEuler(euler_order(curve.order));
                self.keys(Target::new(node, property), curve, units)
            }
            List::Float | List::Object => match single_axis(&curve) {
                Some((list, axis)) if list != List::Rotation => {
                    self.component(list, axis, curve, units)
                }
                _ => {
                    let binding = Binding {
                        class: curve.class,
                        script: if curve.script.is_empty() {
                            NO_SCRIPT.into()
                        } else {
                            curve.script.clone()
                        },
                        attribute: curve.attribute.as_ref().into(),
                    };
                    self.keys(Target::new(node, binding.property()), curve, units)
                }
            },
        }
    }

    fn component(
        &mut self,
        list: List,
        axis: Axis,
        curve: Curve<'_>,
        units: (Unit, f64),
    ) -> Result<(), ReadError> {
        let property = match list {
            List::Position => Property::Translation,
            List::Scale => Property::Scale,
            _ => Property::RotationEuler(euler_order(curve.order)),
        };
        let target = Target::new(self.nodes.node(curve.path()), property).with_component(axis);
        self.keys(target, curve, units)
    }

    /// Adds the tracks of a curve.
    fn keys(
        &mut self,
        target: Target,
        mut curve: Curve<'_>,
        (unit, rate): (Unit, f64),
    ) -> Result<(), ReadError> {
        let factor = match &target.property {
            Property::RotationEuler(_) => 1_f64.to_radians(),
            Property::Weight(_) => 1.0 / f64::from(FULL_WEIGHT),
            _ => 1.0,
        };
        let unit = Unit { factor, ..unit };
        let keys = std::mem::replace(&mut curve.keys, CurveKeys::Number(Keys::default()));
        match keys {
            CurveKeys::Number(keys) => self.plain(target, &curve, keys, (unit, rate)),
            CurveKeys::Rotation(mut keys) => {
                if keys.is_mixed() {
                    self.say(codes::ROTATION_PARTLY_HELD, &curve);
                    keys.hold_mixed();
                }
                if keys.flips() {
                    self.say(codes::ROTATION_FLIPS, &curve);
                }
                self.plain(target, &curve, keys, (unit, rate))
            }
            CurveKeys::Vector(mut keys) => {
                self.sort(&mut keys, &curve);
                if !keys.is_mixed() {
                    return self.plain(target, &curve, keys, (unit, rate));
                }
                for axis in Axis::ALL {
                    let one = component(&keys, axis.index());
                    self.plain(target.clone().with_component(axis), &curve, one, (unit, rate))?;
                }
                Ok(())
            }
            CurveKeys::Objects(times, texts) => {
                let mut order: Vec<usize> = (0..times.len()).collect();
                let time = |key: usize| times.get(key).copied().unwrap_or(0.0);
                order.sort_by(|a, b| time(*a).total_cmp(&time(*b)));
                let sorted = order.iter().map(|key| f64::from(time(*key)) - unit.start).collect();
                let mut strings = Strings::default();
                for key in order {
                    strings.push(texts.get(key).map(|text| &**text));
                }
                let data = TrackData::stepped(sorted, strings);
                self.add(target, data.map_err(|error| error.to_string()))
            }
        }
    }

    fn sort<const N: usize>(&mut self, keys: &mut Keys<N>, curve: &Curve<'_>) {
        if keys.sort() {
            self.say(shared::TIMES_SORTED, curve);
        }
    }

    fn plain<const N: usize>(
        &mut self,
        target: Target,
        curve: &Curve<'_>,
        mut keys: Keys<N>,
        (unit, rate): (Unit, f64),
    ) -> Result<(), ReadError> {
        self.sort(&mut keys, curve);
        if keys.falls_at_once() {
            self.say(codes::NEGATIVE_INFINITY, curve);
        }
        let error = match &target.property {
            // Numbers of unit quaternions differ by at most half the angle in radians.
            Property::Rotation => 5e-5,
            // Nothing tells the unit.
            Property::Custom(_) => {
                let sizes = keys.values.iter().flatten().map(|value| f64::from(value.abs()));
                1e-4 * sizes.fold(1.0, f64::max)
            }
            _ => 1e-4 / unit.factor,
        };
        let bound = Bound { error, shortest: 0.5 / rate.clamp(30.0, 240.0) };
        let before = keys.times.len();
        let largest = flatten(&mut keys, bound, self.context.budget);
        if let Some(error) = largest.map_err(|error| error.in_format(ID))? {
            // Four numbers that are each off by this turn by at most four times as much.
            let angle = if N == 4 { 4.0 } else { unit.factor };
            let stated = StatedError::of_value(error * angle * 1.1);
            let after = keys.times.len();
            let text = stated.and_text();
            let message =
                format!("{} became {after}{text}", inbetween_core::counted(before, "key"));
            let code =
                if error > bound.error { codes::WEIGHTS_COARSE } else { codes::WEIGHTS_FITTED };
            let finding = Finding::new(code, message).position(unresolved(curve.at));
            self.context.findings.leave();
            self.context.findings.push(finding.error(stated));
        }
        self.add(target, keys.into_data(unit).map_err(|error| error.to_string()))
    }

    fn add(&mut self, target: Target, data: Result<TrackData, String>) -> Result<(), ReadError> {
        let broken = |error| ReadError::invalid("keys that fit", error).in_format(ID);
        let track = Track::new(target, data.map_err(broken)?);
        self.tracks.push(track.map_err(|error| broken(error.to_string()))?);
        Ok(())
    }
}

/// Returns the axis of a transform that a curve of a number animates.
fn single_axis(curve: &Curve<'_>) -> Option<(List, Axis)> {
    if curve.class != TRANSFORM {
        return None;
    }
    crate::read::clip::axis_of(&curve.attribute)
}
