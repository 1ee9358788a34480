//! The law of meaning for every way of baking, on random animations and by the rules of every
//! engine.

use inbetween_core::lower::enclosing_frames;
use inbetween_core::{
    Animation, BakeError, Baked, Budget, DEFAULT_BOUND, Finding, Limits, Path, Property, Rules,
    StatedError, Target, Track, bake_at_rate, bake_euler_at_rate, bake_euler_to_bound,
    bake_to_bound, bake_to_euler, codes,
};
use inbetween_testing::documents::X4_ORDER;
use inbetween_testing::hard::Suits;
use inbetween_testing::meaning::cases::{Case, Verdict, run};
use inbetween_testing::meaning::{Promise, Stays, check, open};

/// Animations of each way of baking and each engine in `cargo test`.
const ANIMATIONS: u32 = 200;

/// Where keys are made.
#[derive(Clone, Copy)]
enum Grid {
    Frames(f64),
    Bound(f64),
}

const ENGINES: [(&str, Suits); 4] = [
    ("X4", Suits::X4),
    ("Resonite", Suits::Resonite),
    ("SEAnim", Suits::SeAnim),
    ("no engine", Suits::Anything),
];

/// Bakes a track; angles become quaternions, and with a bound quaternions become angles.
fn baked(track: &Track, rules: Rules, grid: Grid) -> Result<Option<(Target, Baked)>, BakeError> {
    let (target, data) = track.clone().into_parts();
    let rules = rules.of(&target.property);
    let mut budget = Budget::new(&Limits::default(), 0);
    let quaternions = Target { property: Property::Rotation, ..target.clone() };
    let baked = match (grid, &target.property, target.component) {
        (_, _, _) if data.is_empty() => return Ok(None),
        (Grid::Frames(rate), property, component) => {
            let Some(frames) = enclosing_frames(&data, rate) else { return Ok(None) };
            match (property, component) {
                (Property::RotationEuler(order), None) => {
                    let order = *order;
                    let angles =
                        bake_euler_at_rate(&data, order, rate, frames, rules, &mut budget)?;
                    return Ok(Some((quaternions, angles)));
                }
                _ => bake_at_rate(&data, rate, frames, rules, &mut budget)?,
            }
        }
        (Grid::Bound(bound), Property::RotationEuler(order), None) => {
            let angles = bake_euler_to_bound(&data, *order, bound, rules, &mut budget)?;
            return Ok(Some((quaternions, angles)));
        }
        (Grid::Bound(bound), Property::Rotation, _) => {
            let order = X4_ORDER;
            let angles = bake_to_euler(&data, order, bound, rules, &mut budget)?;
            let property = Property::RotationEuler(order);
            return Ok(Some((Target { property, ..target }, angles)));
        }
        (Grid::Bound(bound), _, _) => bake_to_bound(&data, bound, rules, &mut budget)?,
    };
    Ok(Some((target, baked)))
}

fn keeps(clip: &Animation, grid: Grid) -> Result<Verdict, String> {
    let mut result = clip.clone().with_tracks(Vec::new()).with_rules(Rules::LINEAR);
    let mut findings = Vec::new();
    for (index, track) in clip.tracks.iter().enumerate() {
        let Ok(Some((target, baked))) = baked(track, clip.rules, grid) else {
            return Ok(Verdict::Refused);
        };
        let finding = Finding::new(codes::RESAMPLED, "").at(Path::item("tracks", index));
        findings.push(finding.error(StatedError::of_value(baked.max_error)));
        let track = Track::new(target, baked.data).map_err(|error| error.to_string())?;
        result.tracks.push(track);
    }
    let promise =
        Promise { storage: Stays::Changes, head: Stays::Changes, ..Promise::NOTHING_CHANGES };
    let kept = check(clip, &promise, &result, &findings);
    kept.map(Verdict::Kept).map_err(|error| format!("{error}\n  reported: {findings:?}"))
}

fn run_baking(name: &str, grid: Grid) {
    let cases = ENGINES.map(|(engine, suits)| {
        Case::new(format!("{name}, {engine}"), suits, move |clip| keeps(clip, grid))
    });
    run(&cases, open::BAKING, ANIMATIONS);
}

#[test]
fn baking_at_a_rate_states_its_error() {
    run_baking("bake at a rate", Grid::Frames(30.0));
}

#[test]
fn baking_to_a_bound_states_its_error() {
    run_baking("bake to a bound", Grid::Bound(DEFAULT_BOUND));
}
