//! The law of meaning for every ordered pair of formats, on random animations.

#![cfg(feature = "formats")]

use inbetween::seanim::Seanim;
use inbetween::{
    Animation, Document, Format, Interpolation, Interpolations, Limits, Property, Registry, Target,
    Track, TrackData,
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

/// Names that a format could read as something else are kept, or their change is reported.
#[test]
fn odd_names_are_kept_or_reported_in_every_format() {
    const NAMES: [&str; 16] = [
        "", "a/b", "b", "a", "b/", "/b", "c/b", "a//b", "A", "a b", " a", "a.b", "a|b:c", "#1",
        "{a}", "a\nb",
    ];
    let registry = Registry::with_builtin();
    let track = |node: &str, y: f32| {
        let values = vec![[1.0, y, 0.0], [1.0, y, 2.0]];
        let linear = Interpolations::Shared(Interpolation::Linear);
        let keys = TrackData::curve(vec![0.0, 1.0], values, linear, None).unwrap();
        Track::new(Target::new(node, Property::Translation), keys).unwrap()
    };
    let mut failed = Vec::new();
    for to in registry.formats() {
        for one in NAMES {
            for other in NAMES.into_iter().filter(|other| *other != one) {
                let clip = Animation::new(vec![track(one, 3.0), track(other, 4.0)]);
                let clip = clip.with_frame_rate(30.0);
                if let Err(error) = conversion(to, &clip, &Limits::default()) {
                    failed.push(format!(
                        "{} {one:?} {other:?}: {}",
                        to.info().id,
                        &error[..error.len().min(120)]
                    ));
                }
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
