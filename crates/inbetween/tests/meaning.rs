//! The law of meaning for every ordered pair of formats, on random animations.

#![cfg(all(feature = "animj", feature = "animx", feature = "seanim", feature = "x4-ani"))]

use inbetween::seanim::Seanim;
use inbetween::{Animation, Document, Format, Limits, Registry};
use inbetween_testing::hard::Suits;
use inbetween_testing::meaning::cases::{Case, Verdict, run};
use inbetween_testing::meaning::conversion;

/// Animations of each pair in `cargo test`.
const ANIMATIONS: u32 = 300;

/// A clip as a file of one format becomes one of another.
fn converted(from: &dyn Format, to: &dyn Format, clip: &Animation) -> Result<Verdict, String> {
    let limits = Limits::default();
    let clip = clip.clone().with_rules(from.info().rules);
    let Ok(written) = from.write(Document::single(clip), &limits) else {
        return Ok(Verdict::Refused);
    };
    let read = from.read(&written.value, &limits).map_err(|error| error.to_string())?;
    let Some(source) = read.value.clips.first() else { return Ok(Verdict::Refused) };
    let kept = conversion(to, source, &limits)?;
    Ok(kept.map_or(Verdict::Refused, Verdict::Kept))
}

/// Every format writes animations that were made in memory.
#[test]
fn what_is_made_in_memory_plays_the_same_in_every_format() {
    let case = |to: &'static str| {
        Case::new(format!("memory to {to}"), Suits::Anything, move |clip| {
            let registry = Registry::with_builtin();
            let to = registry.by_id(to).ok_or("no such format")?;
            let kept = conversion(to, clip, &Limits::default())?;
            Ok(kept.map_or(Verdict::Refused, Verdict::Kept))
        })
    };
    let registry = Registry::with_builtin();
    let cases: Vec<Case<'_>> = registry.formats().map(|to| case(to.info().id)).collect();
    run(&cases, ANIMATIONS);
}

/// Frames at a rate that the caller asks for, which keys are not on.
#[test]
fn a_requested_frame_rate_keeps_what_plays() {
    let cases = [Suits::Anything, Suits::X4, Suits::Resonite].map(|suits| {
        Case::new(format!("{suits:?} to seanim at 24 frames per second"), suits, |clip| {
            let to = Seanim::default().frame_rate(24.0);
            // The requested rate replaces any other.
            let mut clip = clip.clone();
            clip.frame_rate = None;
            let kept = conversion(&to, &clip, &Limits::default())?;
            Ok(kept.map_or(Verdict::Refused, Verdict::Kept))
        })
    });
    run(&cases, ANIMATIONS);
}

/// Runs the pairs that begin at a format.
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

#[test]
fn animj_keeps_what_plays_in_every_format() {
    from("animj");
}

#[test]
fn animx_keeps_what_plays_in_every_format() {
    from("animx");
}

#[test]
fn cast_keeps_what_plays_in_every_format() {
    from("cast");
}

#[test]
fn gltf_keeps_what_plays_in_every_format() {
    from("gltf");
}

#[test]
fn seanim_keeps_what_plays_in_every_format() {
    from("seanim");
}

#[test]
fn x4_ani_keeps_what_plays_in_every_format() {
    from("x4-ani");
}
