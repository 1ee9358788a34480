//! Prints custom tracks.

use inbetween_core::{Blend, Interpolation, Interpolations, Property, Shape, Tangents, TrackData};

use super::track::CustomTrack;
use super::values;
use crate::json_text::JsonText;
use crate::layout::INTERPOLATIONS;

impl CustomTrack {
    /// Prints the track.
    pub(crate) fn print(&self, json: &mut JsonText) {
        let (target, data) = (self.track.target(), self.track.data());
        json.object(|json| {
            json.name("index").index(self.index);
            json.name("node").string(target.node.as_deref().unwrap_or_default());
            if let Property::Custom(Some(name)) = &target.property {
                json.name("property").string(name);
            }
            if target.blend != Blend::Absolute {
                json.name("blend").string(target.blend.name());
            }
            json.name("kind").string(data.kind().name());
            print_shape(data, json);
            values::print(data.values(), json.name("values"));
            print_tangents(data, json);
        });
    }
}

fn print_shape(data: &TrackData, json: &mut JsonText) {
    match data.shape() {
        Shape::Uniform { interval } => json.name("interval").number(interval),
        Shape::Stepped { times } => json.name("times").numbers(times.iter().copied()),
        Shape::Curve { times, interpolation, .. } => {
            json.name("times").numbers(times.iter().copied());
            json.name("interpolation");
            match interpolation {
                Interpolations::Shared(shared) => json.string(name(*shared)),
                Interpolations::PerKey(each) => {
                    json.array(|json| each.iter().for_each(|each| json.string(name(*each))));
                }
            }
        }
        _ => {}
    }
}

fn print_tangents(data: &TrackData, json: &mut JsonText) {
    if let Some(Tangents::Values { left, right }) = data.tangents() {
        values::print(left, json.name("leftTangents"));
        values::print(right, json.name("rightTangents"));
    }
}

fn name(interpolation: Interpolation) -> &'static str {
    let known = INTERPOLATIONS.iter().find(|(_, known)| *known == interpolation);
    known.map_or("linear", |(name, _)| name)
}
