//! The law of meaning for every kind of baking, on random animations with the rules of every
//! engine.

use inbetween_core::{
    Animation, BakeError, Baked, Baker, Bound, Budget, Curves, Findings, FrameKeys, Grid, Limits,
    Property, Rules, Target, Track, codes,
};
use inbetween_testing::documents::X4_ORDER;
use inbetween_testing::hard::Suits;
use inbetween_testing::meaning::cases::{Case, Verdict, run};
use inbetween_testing::meaning::{Promise, Stays, check_drawn};

/// The number of animations per kind of baking and engine in `cargo test`.
const ANIMATIONS: u32 = 200;

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
    if data.is_empty() {
        return Ok(None);
    }
    let (maker, budget) = (Baker::new(grid), &mut budget);
    let (property, baked) = match (grid, &target.property, target.component) {
        (_, Property::RotationEuler(order), None) => {
            (Property::Rotation, maker.quaternions(&data, *order, rules, budget)?)
        }
        (Grid::Bound(_), Property::Rotation, _) => {
            let order = X4_ORDER;
            (Property::RotationEuler(order), maker.angles(&data, order, order, rules, budget)?)
        }
        (_, property, _) => {
            (property.clone(), maker.same_property(&data, property, rules, budget)?)
        }
    };
    Ok((!baked.data.is_empty()).then_some((Target { property, ..target }, baked)))
}

fn keeps(clip: &Animation, grid: Grid) -> Result<Verdict, String> {
    let mut result = clip.clone().with_tracks(Vec::new()).with_rules(Rules::LINEAR);
    let mut findings = Findings::new(&Limits::default());
    for (index, track) in clip.tracks.iter().enumerate() {
        let Ok(Some((target, baked))) = baked(track, clip.rules, grid) else {
            return Ok(Verdict::Refused);
        };
        findings.enter_track(index, &target);
        findings.extend(baked.findings(codes::RESAMPLED, ""));
        let track = Track::new(target, baked.data).map_err(|error| error.to_string())?;
        result.tracks.push(track);
    }
    let promise =
        Promise { storage: Stays::Changes, head: Stays::Changes, ..Promise::NOTHING_CHANGES };
    let findings = findings.into_vec();
    let kept = check_drawn(clip, &promise, &result, &findings);
    kept.map(|()| Verdict::Kept).map_err(|error| format!("{error}\n  reported: {findings:?}"))
}

fn run_baking(name: &str, grid: Grid) {
    let cases = ENGINES.map(|(engine, suits)| {
        Case::new(format!("{name}, {engine}"), suits, move |clip| keeps(clip, grid))
    });
    run(&cases, ANIMATIONS);
}

#[test]
fn baking_at_a_rate_states_its_error() {
    run_baking("bake at a rate", Grid::Frames(30.0, FrameKeys::Every));
}

#[test]
fn baking_to_a_bound_states_its_error() {
    run_baking("bake to a bound", Grid::Bound(Bound::new(Curves::Linear)));
}

#[test]
fn baking_to_curves_states_its_error() {
    run_baking("bake to curves", Grid::Bound(Bound::new(Curves::Cubic)));
}
