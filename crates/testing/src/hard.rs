//! Random animations that are hard to convert and edit correctly.
//!
//! They have keys very close to a frame, equal times, steps, last Bezier keys with handles, angles
//! of exactly 2 pi, axes with different interpolations, negated quaternions, `f64` values that are
//! or are not exact in `f32`, NaN, empty names, tracks with their own blends, stated durations of
//! 0, negative times, and uniform keys. One in twenty is outside of the [domain].

mod keys;

use inbetween_core::{
    Animation, Axis, Blend, BlendMode, Clock, EulerOrder, FirstTime, FullTurn, LastBezier, Looping,
    Marker, Property, Rules, Slerp, StatedDuration, Target, Text, Track, ValueKind,
};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use keys::{HardKeys, seconds};

use crate::documents::X4_ORDER;
use crate::domain::{self, Reach};

/// The engine or format that the animations are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suits {
    /// Everything that the common model stores.
    Anything,
    /// Features of X4: vectors and angles, whole or per axis, with handles.
    X4,
    /// Features of Resonite: all kinds of values, with tangents.
    Resonite,
    /// Features of SEAnim: vectors, quaternions and weights.
    SeAnim,
}

impl Suits {
    /// Returns the kind of animations for a format.
    pub fn format(id: &str) -> Self {
        match id {
            "x4-ani" => Self::X4,
            "animj" | "animx" => Self::Resonite,
            "cast" | "seanim" => Self::SeAnim,
            _ => Self::Anything,
        }
    }

    /// Returns the rules of the engine, as its format states them.
    pub const fn rules(self) -> Rules {
        match self {
            Self::X4 => Rules::LINEAR
                .with_clock(Clock::F32)
                .with_first_time(FirstTime::FirstKey)
                .with_last_bezier(LastBezier::RightHandle)
                .with_full_turn(FullTurn::BeginsAtZero)
                .with_stated_duration(StatedDuration::Exact),
            Self::Resonite => Rules::LINEAR.with_clock(Clock::F32).with_slerp(Slerp::Raw),
            Self::SeAnim | Self::Anything => Rules::LINEAR,
        }
    }

    fn properties(self) -> Vec<Quantity> {
        use Quantity::{Angles, AnglesOf, Custom, Rotation, Vector, VectorAxes, Weight};
        match self {
            Self::X4 => vec![Vector, VectorAxes, VectorAxes, Angles, AnglesOf, AnglesOf],
            Self::Resonite => vec![Vector, Rotation, Custom, Weight],
            Self::SeAnim => vec![Vector, Rotation, Weight],
            Self::Anything => vec![Vector, VectorAxes, Rotation, Angles, AnglesOf, Weight, Custom],
        }
    }
}

/// The values of the tracks that animate one property.
#[derive(Clone, Copy, Debug)]
enum Quantity {
    Vector,
    VectorAxes,
    Rotation,
    Angles,
    AnglesOf,
    Weight,
    Custom,
}

/// The blends of tracks that differ from the mode of their clip.
const OWN_BLENDS: [Option<Blend>; 2] = [Some(Blend::RestRelative), Some(Blend::Additive)];

/// Returns a strategy for animations of one to three properties, with the rules of their engine.
pub fn animations(suits: Suits) -> impl Strategy<Value = Animation> {
    let names = select(vec![Some("walk"), Some("walk"), Some(""), None]);
    let durations = prop_oneof![
        3 => Just(None),
        2 => Just(Some(0.0)),
        2 => select(vec![0.25, 0.5, 1.0, 2.0, 10.0]).prop_map(Some),
        1 => seconds().prop_map(Some),
    ];
    let rates = select(vec![None, None, Some(30.0), Some(24.0), Some(60.0), Some(29.97)]);
    let looping = prop_oneof![3 => Just(Looping::Once), 1 => Just(Looping::Loop)];
    let blend = prop_oneof![8 => Just(BlendMode::Absolute), 1 => Just(BlendMode::Additive)];
    let markers = prop::collection::vec((0_u8..30, select(vec!["step", "", "end"])), 0..2);
    let blends = prop_oneof![8 => Just(None), 2 => select(&OWN_BLENDS[..])];
    let tracks = prop::collection::vec((tracks(suits), blends), 1..4);
    let head = (names, durations, rates, looping, blend, markers);
    (head, tracks, domain::reach()).prop_map(
        move |((name, duration, frame_rate, looping, blend, markers), tracks, reach)| {
            let tracks: Vec<(Vec<Track>, Option<Blend>)> =
                tracks.into_iter().map(|(draft, blend)| (draft.tracks(reach), blend)).collect();
            let marker = |(frame, name): (u8, &str)| Marker {
                time: f64::from(frame) / 30.0,
                name: name.into(),
            };
            let mut markers: Vec<Marker> = markers.into_iter().map(marker).collect();
            markers.sort_by(|one, other| one.time.total_cmp(&other.time));
            let blends: Vec<Option<Blend>> =
                tracks.iter().flat_map(|(tracks, blend)| tracks.iter().map(|_| *blend)).collect();
            let tracks = tracks.into_iter().map(|(tracks, _)| tracks);
            let tracks = tracks.enumerate().flat_map(placed).collect();
            let mut clip = Animation::new(tracks)
                .with_rules(suits.rules())
                .with_looping(looping)
                .with_blend(blend)
                .with_markers(markers);
            for (track, blend) in clip.tracks.iter_mut().zip(blends) {
                let blend = blend.filter(|_| !is_number(&track.target().property));
                if let Some(blend) = blend {
                    track.set_blend(blend);
                }
            }
            clip.name = name.map(Text::from);
            clip.duration = duration;
            clip.frame_rate = frame_rate;
            clip
        },
    )
}

/// Returns whether a property is not a part of the pose. Only the pose blends.
const fn is_number(property: &Property) -> bool {
    matches!(property, Property::Weight(_) | Property::Custom(_))
}

/// Assigns a node to the tracks of a property; properties may share a node.
fn placed((index, tracks): (usize, Vec<Track>)) -> Vec<Track> {
    let node = ["hips", "hand", "hips"][index % 3];
    let named = |track: Track| {
        let (target, data) = track.into_parts();
        let target = Target { node: Some(node.into()), ..target };
        Track::new(target, data).expect("the property is the same")
    };
    tracks.into_iter().map(named).collect()
}

/// The choices for the tracks of a property.
#[derive(Clone, Debug)]
struct Draft {
    quantity: Quantity,
    property: Property,
    order: EulerOrder,
    custom: ValueKind,
    /// Whether numbers are `f64`.
    is_wide: bool,
    keys: HardKeys,
    axes: [Option<HardKeys>; 3],
}

fn tracks(suits: Suits) -> impl Strategy<Value = Draft> {
    let quantity = select(suits.properties());
    let orders = prop_oneof![
        4 => Just(X4_ORDER),
        1 => Just(EulerOrder::new([Axis::X, Axis::Y, Axis::Z], [1, 1, 1]).expect("three axes")),
    ];
    let order = if suits == Suits::X4 { Just(X4_ORDER).boxed() } else { orders.boxed() };
    let handles = matches!(suits, Suits::X4 | Suits::Anything);
    let keys = keys::keys(handles);
    let axes =
        (keys::keys(handles), option::of(keys::keys(handles)), option::of(keys::keys(handles)));
    let custom = select(vec![
        ValueKind::Float,
        ValueKind::Double,
        ValueKind::Int,
        ValueKind::Bool,
        ValueKind::Float2,
        ValueKind::Double3,
        ValueKind::FloatQ,
        ValueKind::Color32,
    ]);
    let what = (quantity, any::<bool>(), order, custom, any::<bool>());
    (what, keys, axes).prop_map(|((quantity, scale, order, custom, is_wide), keys, axes)| Draft {
        quantity,
        property: if scale { Property::Scale } else { Property::Translation },
        order,
        custom,
        is_wide,
        keys,
        axes: [Some(axes.0), axes.1, axes.2],
    })
}

impl Draft {
    fn tracks(&self, reach: Reach) -> Vec<Track> {
        let kind = |narrow, wide| if self.is_wide { wide } else { narrow };
        let vector = kind(ValueKind::Float3, ValueKind::Double3);
        let number = kind(ValueKind::Float, ValueKind::Double);
        // Angles turn a few times at most, unless the draw is outside of the domain.
        let inside = reach.factor * 64.0 < domain::LARGEST_VALUE;
        let turning = Reach { factor: if inside { 1.0 } else { reach.factor }, ..reach };
        let angles = Property::RotationEuler(self.order);
        let whole = |property, kind, reach| vec![self.whole(property, kind, reach)];
        match self.quantity {
            Quantity::Vector => whole(self.property.clone(), vector, reach),
            Quantity::Angles => whole(angles, vector, turning),
            Quantity::Rotation => {
                whole(Property::Rotation, kind(ValueKind::FloatQ, ValueKind::DoubleQ), turning)
            }
            Quantity::Weight => whole(Property::Weight("smile".into()), number, reach),
            Quantity::Custom => whole(Property::Custom(Some("Level".into())), self.custom, reach),
            Quantity::VectorAxes => self.by_axis(&self.property, number, reach),
            Quantity::AnglesOf => self.by_axis(&angles, number, turning),
        }
    }

    fn whole(&self, property: Property, kind: ValueKind, reach: Reach) -> Track {
        let target = Target::of(None, property);
        Track::new(target, self.keys.data(kind, reach)).expect("a kind of the property")
    }

    fn by_axis(&self, property: &Property, kind: ValueKind, reach: Reach) -> Vec<Track> {
        let axes = self.axes.iter().zip(Axis::ALL);
        let track = |(keys, axis): (&Option<HardKeys>, Axis)| {
            let target = Target::of(None, property.clone()).with_component(axis);
            let data = keys.as_ref()?.data(kind, reach);
            Some(Track::new(target, data).expect("a number for an axis"))
        };
        axes.filter_map(track).collect()
    }
}
