//! Documents made in memory: `n` of something, a realistic set, and clips that are hard to bake.

use std::f32::consts::FRAC_PI_2;

use inbetween::core::num::{f32_from_f64, f64_from_index};
use inbetween::core::{Element, Rules, Tangents};
use inbetween::x4_ani::EULER_ORDER;
use inbetween::{
    Animation, Document, Interpolation, Interpolations, Marker, Property, Quat, Target, Track,
    TrackData,
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
            Self::CurveKeys => {
                let values = (0..n).map(place).collect();
                one(clip(vec![bezier("node", Property::Translation, 30.0, values)?]))
            }
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
    linear(node, Property::Translation, (0..keys).map(place).collect())
}

fn rotation(node: &str, keys: usize) -> Result<Track, String> {
    linear(node, Property::Rotation, (0..keys).map(turn).collect())
}

fn turn(key: usize) -> Quat<f32> {
    Quat::from_axis_angle([0.0_f32, 0.6, 0.8], (number(key) * 0.1).sin())
}

fn linear<T: Element>(node: &str, property: Property, values: Vec<T>) -> Result<Track, String> {
    let times = (0..values.len()).map(time).collect();
    let linear = Interpolations::Shared(Interpolation::Linear);
    track(node, property, TrackData::curve(times, values, linear, None))
}

/// Creates a track of Bezier keys, `rate` a second.
fn bezier(
    node: &str,
    property: Property,
    rate: f64,
    values: Vec<[f32; 3]>,
) -> Result<Track, String> {
    let times = (0..values.len()).map(|key| f64_from_index(key) / rate).collect();
    let beside = |by: f32| -> Vec<[f32; 3]> {
        values.iter().map(|value| value.map(|part| part + by)).collect()
    };
    let tangents = Tangents::Values { left: beside(-0.1).into(), right: beside(0.1).into() };
    let bezier = Interpolations::Shared(Interpolation::Bezier);
    track(node, property, TrackData::curve(times, values, bezier, Some(tangents)))
}

fn track<E: ToString>(
    node: &str,
    property: Property,
    data: Result<TrackData, E>,
) -> Result<Track, String> {
    let data = data.map_err(|error| error.to_string())?;
    Track::new(Target::new(node, property), data).map_err(|error| error.to_string())
}

/// Creates 40 clips of 2 to 8 seconds at 30 frames per second, with 100 bones, of which 60 move on
/// every frame.
pub(crate) fn clips() -> Result<Vec<Animation>, String> {
    let clip = |number: usize| {
        let mut tracks = Vec::new();
        for bone in 0..100 {
            let first = bone * 7 + number;
            let keys = || first..first + if bone < 60 { 60 + number * 180 / 39 } else { 1 };
            let node = format!("bone_{bone}");
            tracks.push(linear(&node, Property::Translation, keys().map(place).collect())?);
            tracks.push(linear(&node, Property::Rotation, keys().map(turn).collect())?);
        }
        let clip = Animation::new(tracks).with_name(format!("clip_{number}"));
        Ok(clip.with_frame_rate(30.0))
    };
    (0..40).map(clip).collect()
}

/// Creates 200 clips of doors: 12 tracks of the positions and angles of 6 parts, with 2 to 10 Bezier
/// keys, two a second.
pub(crate) fn doors() -> Result<Vec<Animation>, String> {
    let clip = |number: usize| {
        let mut tracks = Vec::new();
        for part in 0..6 {
            let keys = || part..part + 2 + (number + part) % 9;
            let values = || keys().map(|key| place(key * 10)).collect();
            let node = format!("part_{part}");
            tracks.push(bezier(&node, Property::Translation, 2.0, values())?);
            tracks.push(bezier(&node, Property::RotationEuler(EULER_ORDER), 2.0, values())?);
        }
        Ok(Animation::new(tracks).with_name(format!("door_{number}")))
    };
    (0..200).map(clip).collect()
}

/// Creates clips that are hard to bake, with names and the formats of their files.
pub(crate) fn hard_clips() -> Result<[(&'static str, &'static str, Animation); 4], String> {
    let far = || vec![[0.0; 3], [5e3, 3e3, 1e3]];
    let [place, angles] = [Property::Translation, Property::RotationEuler(EULER_ORDER)];
    let quarter = |key: u8| Quat::from_axis_angle([0.0, 1.0, 0.0], f32::from(key) * FRAC_PI_2);
    let locks = (0..200).map(quarter).collect();
    let clips = [
        ("distant keys", "animx", bezier("node", place.clone(), 1e-3, far())?),
        ("dense keys", "animx", bezier("node", place, 1e5, far().repeat(5000))?),
        ("fast spin", "x4-ani", bezier("node", angles, 0.1, far())?),
        ("gimbal lock", "seanim", linear("node", Property::Rotation, locks)?),
    ];
    let clip = |track: Track| Animation::new(vec![track]).with_name("clip");
    Ok(clips.map(|(name, id, track)| (name, id, clip(track))))
}
