//! The law of meaning for every ordered pair of formats, on random animations.

#![cfg(feature = "formats")]
#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween::seanim::Seanim;
use inbetween::{
    Animation, Document, Format, Interpolation, Interpolations, Limits, Marker, Property, Registry,
    Target, Track, TrackData, Values,
};
use inbetween_testing::documents::suited;
use inbetween_testing::hard::Suits;
use inbetween_testing::meaning::cases::{Case, Verdict, run};
use inbetween_testing::meaning::conversion;

/// The number of animations per pair in `cargo test`.
const ANIMATIONS: u32 = 300;

/// Converts a clip as a file of one format to another format.
fn converted(from: &dyn Format, to: &dyn Format, clip: &Animation) -> Result<Verdict, String> {
    let limits = Limits::default();
    let clip = clip.clone().with_rules(from.info().rules);
    let Ok(written) = from.write(suited(Document::single(clip), from), &limits) else {
        return Ok(Verdict::Refused);
    };
    let read = from.read(&written.value, &limits).map_err(|error| error.to_string())?;
    let Some(source) = read.value.clips.first() else { return Ok(Verdict::Refused) };
    conversion(to, source, &limits)
}

/// Names that a format could read as something else.
const NAMES: [&str; 20] = [
    "", "a/b", "b", "a", "b/", "/b", "c/b", "a//b", "A", "a b", " a", "a.b", "a|b:c", "#1", "{a}",
    "a\nb", "\"a\"", "'", "null", "\u{e9}",
];

/// Two names of nodes are kept, or their change is reported.
#[test]
fn odd_names_of_nodes_are_kept_or_reported_in_every_format() {
    let others = |one: &'static str| NAMES.into_iter().filter(move |other| *other != one);
    let pairs = NAMES.into_iter().flat_map(|one| others(one).map(move |other| [one, other]));
    let clip = |names: [&'static str; 2]| {
        let node = |node, y: f32| {
            odd_track(node, Property::Translation, vec![[1.0, y, 0.0], [1.0, y, 2.0]])
        };
        (format!("{names:?}"), Animation::new(vec![node(names[0], 3.0), node(names[1], 4.0)]))
    };
    all_keep(&pairs.map(clip).collect::<Vec<_>>());
}

/// The names of clips, markers, blend shapes and properties are kept, or their change is reported.
#[test]
fn odd_names_of_other_things_are_kept_or_reported_in_every_format() {
    let clips = |name: &'static str| {
        let weight =
            |shape: &str, y: f32| odd_track("a", Property::Weight(shape.into()), vec![0.0_f32, y]);
        let custom = |node, property: &str| {
            odd_track(node, Property::Custom(Some(property.into())), vec![0.0_f32, 1.0])
        };
        let marker = Marker { time: 0.5, name: name.into() };
        [
            ("clip", Animation::new(vec![weight("c", 1.0)]).with_name(name)),
            ("marker", Animation::new(vec![weight("c", 1.0)]).with_markers(vec![marker])),
            ("shape", Animation::new(vec![weight(name, 1.0), weight("c", 0.5)])),
            ("property", Animation::new(vec![custom("a", name), custom("a", "c")])),
            ("node of a property", Animation::new(vec![custom(name, "Class108.m_Range")])),
        ]
    };
    let clips = NAMES
        .into_iter()
        .flat_map(|name| clips(name).map(|(what, clip)| (format!("{what} {name:?}"), clip)));
    all_keep(&clips.collect::<Vec<_>>());
}

fn odd_track(node: &str, property: Property, values: impl Into<Values>) -> Track {
    let linear = Interpolations::Shared(Interpolation::Linear);
    let keys = TrackData::curve(vec![0.0, 1.0], values, linear, None).unwrap();
    Track::new(Target::new(node, property), keys).unwrap()
}

/// Checks the law on conversions of clips to all formats.
fn all_keep(clips: &[(String, Animation)]) {
    let registry = Registry::with_builtin();
    let mut failed = Vec::new();
    for to in registry.formats() {
        for (name, clip) in clips {
            let clip = clip.clone().with_frame_rate(30.0);
            if let Err(error) = conversion(to, &clip, &Limits::default()) {
                let error = error.lines().next().unwrap_or_default();
                failed.push(format!("{} of {name}: {error}", to.info().id));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Every format writes animations made in memory.
#[test]
fn animations_made_in_memory_play_the_same_in_every_format() {
    let case = |to: &'static str| {
        Case::new(format!("memory to {to}"), Suits::Anything, move |clip| {
            let registry = Registry::with_builtin();
            let to = registry.by_id(to).ok_or("no such format")?;
            conversion(to, clip, &Limits::default())
        })
    };
    let registry = Registry::with_builtin();
    let cases: Vec<Case<'_>> = registry.formats().map(|to| case(to.info().id)).collect();
    run(&cases, ANIMATIONS);
}

/// Keys are not on the frames of the requested rate.
#[test]
fn a_requested_frame_rate_keeps_playback() {
    let cases = [Suits::Anything, Suits::X4, Suits::Resonite].map(|suits| {
        Case::new(format!("{suits:?} to seanim at 24 frames per second"), suits, |clip| {
            let to = Seanim::default().frame_rate(24.0);
            // The requested rate replaces any other.
            let mut clip = clip.clone();
            clip.frame_rate = None;
            conversion(&to, &clip, &Limits::default())
        })
    });
    run(&cases, ANIMATIONS);
}

/// Runs the pairs with a given source format.
fn from(id: &'static str) {
    let case = |to: &'static str| {
        Case::new(format!("{id} to {to}"), Suits::format(id), move |clip| {
            let registry = Registry::with_builtin();
            let format = |id| registry.by_id(id).ok_or("no such format");
            converted(format(id)?, format(to)?, clip)
        })
    };
    let registry = Registry::with_builtin();
    let cases: Vec<Case<'_>> = registry.formats().map(|to| case(to.info().id)).collect();
    run(&cases, ANIMATIONS);
}

// begin generated: format tests
#[test]
fn animj_keeps_playback_in_every_format() {
    from("animj");
}

#[test]
fn animx_keeps_playback_in_every_format() {
    from("animx");
}

#[test]
fn bvh_keeps_playback_in_every_format() {
    from("bvh");
}

#[test]
fn cast_keeps_playback_in_every_format() {
    from("cast");
}

#[test]
fn gltf_keeps_playback_in_every_format() {
    from("gltf");
}

#[test]
fn seanim_keeps_playback_in_every_format() {
    from("seanim");
}

#[test]
fn unity_anim_keeps_playback_in_every_format() {
    from("unity-anim");
}

#[test]
fn x4_ani_keeps_playback_in_every_format() {
    from("x4-ani");
}
// end generated: format tests
