//! Clips -> animations.

use inbetween_core::{
    Animation, Blend as SourceBlend, Interpolation, Interpolations, Looping as SourceLooping,
    Property as SourceProperty, Rules, StatedDuration, Target, Text, TrackData, ValueKind, rows,
};

use crate::clip::{Keys, Segments};
use crate::{Blend, Clip, Clock, Looping, Property, Track};

/// Returns the animation of a clip: the same keys, with the values that playback decodes.
///
/// It states the duration of the clip exactly and has no markers. Its rules are
/// [`Rules::LINEAR`] with the clock of the clip.
///
/// # Examples
///
/// ```
/// use inbetween_clip::{Bounds, build, to_animation};
/// use inbetween_core::{Animation, Property, Target, Track, TrackData};
///
/// let data = TrackData::uniform(0.5, vec![[0.0_f32; 3], [0.0, 1.0, 0.0]]);
/// let hips = Track::new(Target::new("hips", Property::Translation), data)?;
/// let clip = build(&Animation::new(vec![hips]), &Bounds::default())?.value.clip;
/// assert_eq!(to_animation(&clip).tracks[0].data().time(1), Some(0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_animation(clip: &Clip) -> Animation {
    let clock = match clip.clock() {
        Clock::F32 => inbetween_core::Clock::F32,
        Clock::F64 => inbetween_core::Clock::F64,
    };
    let rules = Rules::LINEAR.with_clock(clock).with_stated_duration(StatedDuration::Exact);
    let looping = match clip.looping() {
        Looping::Once => SourceLooping::Once,
        Looping::Loop => SourceLooping::Loop,
    };
    let nodes: Vec<Option<Text>> = clip.nodes().map(|node| node.map(Text::from)).collect();
    let track = |track: &Track| {
        let node = nodes.get(track.node()).cloned().flatten();
        let target = Target::of(node, property(track.property())).with_blend(blend(track.blend()));
        // The loader and the builder check what the property accepts.
        inbetween_core::Track::new(target, data(clip, track)).ok()
    };
    let tracks = clip.tracks().iter().filter_map(track).collect();
    let mut animation = Animation::new(tracks).with_rules(rules).with_looping(looping);
    animation = animation.with_duration(clip.duration());
    animation.name = clip.name().map(Text::from);
    animation.frame_rate = clip.frame_rate();
    animation
}

fn property(property: &Property) -> SourceProperty {
    match property {
        Property::Translation => SourceProperty::Translation,
        Property::Rotation => SourceProperty::Rotation,
        Property::Scale => SourceProperty::Scale,
        Property::Weight(name) => SourceProperty::Weight(Text::from(&**name)),
        Property::Custom(name) => SourceProperty::Custom(name.as_deref().map(Text::from)),
    }
}

const fn blend(blend: Blend) -> SourceBlend {
    match blend {
        Blend::Absolute => SourceBlend::Absolute,
        Blend::RestRelative => SourceBlend::RestRelative,
        Blend::Additive => SourceBlend::Additive,
    }
}

fn data(clip: &Clip, track: &Track) -> TrackData {
    let rotation = *track.property() == Property::Rotation;
    let (times, rows, segments) = match &track.keys {
        Keys::Constant(value) => (vec![0.0], vec![*value], Segments::Linear),
        Keys::Sampled(column) => {
            let set = clip.set(column);
            let times = set.map(|set| set.timeline.times());
            let keys = 0..times.map_or(0, crate::times::Times::len);
            let seconds = keys.clone().filter_map(|key| times?.get(key, clip.base)).collect();
            let row = |key| {
                let words = set?.value(column, track.width(), key);
                Some(column.storage.numbers(words))
            };
            (seconds, keys.filter_map(row).collect(), column.segments)
        }
    };
    let kind = match track.width() {
        _ if rotation => ValueKind::FloatQ,
        1 => ValueKind::Float,
        2 => ValueKind::Float2,
        3 => ValueKind::Float3,
        _ => ValueKind::Float4,
    };
    let values = rows::column(kind, rows.into_iter().map(|row: [f32; 4]| row.map(f64::from)));
    let keys = match segments {
        Segments::Linear => {
            let linear = Interpolations::Shared(Interpolation::Linear);
            TrackData::curve(times, values, linear, None)
        }
        Segments::Hold => TrackData::stepped(times, values),
    };
    // The loader and the builder check that times are finite and in order.
    keys.unwrap_or_else(|_| TrackData::empty(kind))
}
