//! Documents of any size: `n` clips, bones, keys, or markers.

use inbetween::num::{f32_from_f64, f64_from_index};
use inbetween::{
    Animation, Document, Element, Interpolation, Interpolations, Marker, Property, Quat, Rules,
    Tangents, Target, Track, TrackData,
};

/// An item that a document can have many of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Many {
    /// Clips, each with one bone of its own.
    Clips,
    /// Clips of one name and one bone.
    SameClips,
    /// Bones, each with a location.
    Bones,
    /// Keys of a location with linear segments.
    Keys,
    /// Keys of a rotation, which some formats bake to angles.
    Turns,
    /// Keys of a location with curves.
    CurveKeys,
    /// Markers, and the same number of keys.
    Markers,
}

impl Many {
    pub(crate) const ALL: [Self; 7] = [
        Self::Clips,
        Self::SameClips,
        Self::Bones,
        Self::Keys,
        Self::Turns,
        Self::CurveKeys,
        Self::Markers,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Clips => "clips",
            Self::SameClips => "clips of one name",
            Self::Bones => "bones",
            Self::Keys => "keys",
            Self::Turns => "rotation keys",
            Self::CurveKeys => "curve keys",
            Self::Markers => "markers",
        }
    }

    /// Returns whether a document of these has several clips.
    pub(crate) const fn is_clips(self) -> bool {
        matches!(self, Self::Clips | Self::SameClips)
    }

    /// Returns the size of a case: large enough that quadratic costs show.
    pub(crate) const fn size(self) -> usize {
        match self {
            Self::Clips | Self::SameClips => 200,
            Self::Keys => 600,
            Self::Turns => 60,
            Self::Bones | Self::CurveKeys | Self::Markers => 300,
        }
    }

    /// Creates a document of size `n` for an engine that plays by `rules`.
    pub(crate) fn document(self, n: usize, rules: Rules) -> Result<Document, String> {
        let clip = |tracks: Vec<Track>| Animation::new(tracks).with_rules(rules).with_duration(1.0);
        let one = |clip| Ok(Document::single(clip));
        match self {
            Self::Clips | Self::SameClips => {
                let clips = (0..n).map(|index| {
                    let (name, node) = match self {
                        Self::Clips => (format!("clip_{index}"), format!("node_{index}")),
                        _ => ("clip".to_owned(), "node".to_owned()),
                    };
                    Ok(clip(vec![location(&node, 4)?]).with_name(name))
                });
                Ok(Document::new(clips.collect::<Result<_, String>>()?))
            }
            Self::Bones => {
                let bones = (0..n).map(|bone| location(&format!("bone_{bone}"), 3));
                one(clip(bones.collect::<Result<_, _>>()?))
            }
            Self::Keys => one(clip(vec![location("node", n)?])),
            Self::Turns => one(clip(vec![rotation("node", n)?])),
            Self::CurveKeys => one(clip(vec![curve("node", n)?])),
            Self::Markers => {
                let markers = (0..n).map(|index| Marker {
                    time: time(index),
                    name: format!("marker_{index}").into(),
                });
                one(clip(vec![location("node", n)?]).with_markers(markers.collect()))
            }
        }
    }
}

fn time(key: usize) -> f64 {
    f64_from_index(key) / 30.0
}

fn number(key: usize) -> f32 {
    f32_from_f64(f64_from_index(key))
}

/// Values on a curve, so that a reduction keeps some keys of each part.
fn place(key: usize) -> [f32; 3] {
    let key = number(key);
    [(key * 0.1).sin(), (key * 0.37).sin(), key * 1e-4]
}

fn location(node: &str, keys: usize) -> Result<Track, String> {
    lines(node, Property::Translation, (0..keys).map(place).collect())
}

fn rotation(node: &str, keys: usize) -> Result<Track, String> {
    let turn = |key| Quat::from_axis_angle([0.0_f32, 0.6, 0.8], (number(key) * 0.1).sin());
    lines(node, Property::Rotation, (0..keys).map(turn).collect())
}

fn lines<T: Element>(node: &str, property: Property, values: Vec<T>) -> Result<Track, String> {
    let times = (0..values.len()).map(time).collect();
    let linear = Interpolations::Shared(Interpolation::Linear);
    track(node, property, TrackData::curve(times, values, linear, None))
}

fn curve(node: &str, keys: usize) -> Result<Track, String> {
    let times = (0..keys).map(time).collect();
    let values: Vec<[f32; 3]> = (0..keys).map(place).collect();
    let beside = |by: f32| -> Vec<[f32; 3]> {
        values.iter().map(|value| value.map(|part| part + by)).collect()
    };
    let tangents = Tangents::Values { left: beside(-0.1).into(), right: beside(0.1).into() };
    let bezier = Interpolations::Shared(Interpolation::Bezier);
    track(node, Property::Translation, TrackData::curve(times, values, bezier, Some(tangents)))
}

fn track<E: ToString>(
    node: &str,
    property: Property,
    data: Result<TrackData, E>,
) -> Result<Track, String> {
    let data = data.map_err(|error| error.to_string())?;
    Track::new(Target::new(node, property), data).map_err(|error| error.to_string())
}
