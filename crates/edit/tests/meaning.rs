//! The law of meaning for every edit, on random animations and by the rules of every engine.

#![expect(clippy::unwrap_used, reason = "a panic is how a broken law shows")]

use inbetween_core::{
    Animation, Axes, Axis, Blend, BlendMode, Document, Looping, Outcome, Property, Quat, Rules,
    Skeleton, Target, Track,
};
use inbetween_edit::{
    Case as Letters, EditError, NamePattern, Named, ReduceBounds, Renaming, Settings, SplitAt,
    TimeRange, TrackPattern, add_marker, append, change_axes, copy_clip, drop, drop_clips,
    drop_markers, fill, join, merge, reduce, rename, rename_by, resample, resolve, retime, reverse,
    scale, select, set_blend, set_frame_rate, set_looping, shift, split, to_f32, to_f64, trim,
};
use inbetween_testing::hard::Suits;
use inbetween_testing::meaning::cases::{Case, Verdict, run};
use inbetween_testing::meaning::{Promise, RestPose, Stays, TimeMap, View, check_drawn};

/// The number of animations per edit and engine in `cargo test`.
const ANIMATIONS: u32 = 200;

/// An edit of one clip.
type Edit = fn(Document, &Settings) -> Result<Outcome<Document>, EditError>;

/// Returns the promise of an edit for a clip.
type PromiseFor = fn(&Animation) -> Promise;

const SAME: Promise = Promise::NOTHING_CHANGES;
const OTHER_HEAD: Promise = Promise { head: Stays::Changes, ..SAME };
const OTHER_STORAGE: Promise = Promise { storage: Stays::Changes, ..SAME };

/// The promise of an edit whose result at 0 s shows the source at another time.
fn later(offset: f64) -> Promise {
    Promise { time: TimeMap { offset, ..TimeMap::IDENTITY }, ..OTHER_HEAD }
}

/// The promise of a change of axes.
fn other_axes(axes: [(Axis, f64); 3]) -> Promise {
    Promise { view: View { axes, ..View::IDENTITY }, ..OTHER_STORAGE }
}

/// The engines, each with its kind of animations.
const ENGINES: [(&str, Suits); 4] = [
    ("X4", Suits::X4),
    ("Resonite", Suits::Resonite),
    ("SEAnim", Suits::SeAnim),
    ("no engine", Suits::Anything),
];

fn run_edit(name: &str, edit: Edit, promise: PromiseFor) {
    let cases = ENGINES.map(|(engine, suits)| {
        Case::new(format!("{name}, {engine}"), suits, move |clip| {
            let Ok(outcome) = edit(Document::single(clip.clone()), &Settings::default()) else {
                return Ok(Verdict::Refused);
            };
            let result = outcome.value.clips.first().ok_or("no clip is left")?;
            let kept = check_drawn(clip, &promise(clip), result, &outcome.findings);
            let reported = |error| format!("{error}\n  reported: {:?}", outcome.findings);
            kept.map(|()| Verdict::Kept).map_err(reported)
        })
    });
    run(&cases, ANIMATIONS);
}

fn range(start: f64, end: f64) -> TimeRange {
    TimeRange::new(Some(start), Some(end)).unwrap()
}

#[test]
fn a_trim_keeps_playback() {
    let edit: Edit = |clip, settings| trim(clip, range(0.25, 0.81), settings);
    run_edit("trim", edit, |_| later(0.25));
}

#[test]
fn a_retime_keeps_playback() {
    const TIME: TimeMap = TimeMap { factor: 1.0 / 1.7, ..TimeMap::IDENTITY };
    let edit: Edit = |clip, settings| retime(clip, 1.7, settings);
    run_edit("retime", edit, |_| Promise { time: TIME, ..SAME });
}

#[test]
fn a_shift_to_later_keeps_playback() {
    run_edit("shift to later", |clip, settings| shift(clip, 0.31, settings), |_| later(-0.31));
}

#[test]
fn a_shift_to_earlier_keeps_playback() {
    run_edit("shift to earlier", |clip, settings| shift(clip, -0.13, settings), |_| later(0.13));
}

#[test]
fn a_shift_of_keys_before_0_keeps_playback() {
    run_edit("shift far earlier", |clip, settings| shift(clip, -0.5, settings), |_| later(0.5));
}

#[test]
fn a_faster_retime_keeps_playback() {
    const TIME: TimeMap = TimeMap { factor: 1.0 / 0.37, ..TimeMap::IDENTITY };
    let edit: Edit = |clip, settings| retime(clip, 0.37, settings);
    run_edit("retime faster", edit, |_| Promise { time: TIME, ..SAME });
}

#[test]
fn a_resample_between_the_frames_keeps_playback() {
    let edit: Edit = |clip, settings| resample(clip, 29.97, settings);
    run_edit("resample between frames", edit, |_| OTHER_HEAD);
}

#[test]
fn selected_and_dropped_tracks_together_keep_playback() {
    let edit: Edit = |clip, settings| {
        let hips = [TrackPattern::new("hips/*")?];
        let selected = select(clip.clone(), &hips, settings).value;
        let others = drop(clip, &hips, settings).value;
        merge(selected, others, settings)
    };
    run_edit("select and drop", edit, |_| OTHER_HEAD);
}

#[test]
fn a_merge_into_a_clip_with_other_rules_keeps_playback() {
    let into = |rules: Rules| Document::single(Animation::default().with_rules(rules));
    for (_, suits) in ENGINES {
        let name = format!("merge into {suits:?}");
        let cases = ENGINES.map(|(engine, own)| {
            Case::new(format!("{name}, {engine}"), own, move |clip| {
                let (first, second) = (into(suits.rules()), Document::single(clip.clone()));
                let Ok(outcome) = merge(first, second, &Settings::default()) else {
                    return Ok(Verdict::Refused);
                };
                let result = outcome.value.clips.first().ok_or("no clip is left")?;
                let kept = check_drawn(clip, &OTHER_HEAD, result, &outcome.findings);
                let reported = |error| format!("{error}\n  reported: {:?}", outcome.findings);
                kept.map(|()| Verdict::Kept).map_err(reported)
            })
        });
        run(&cases, ANIMATIONS);
    }
}

#[test]
fn a_reverse_keeps_playback() {
    run_edit("reverse", reverse, |clip| {
        let time = TimeMap { offset: clip.effective_duration(), factor: -1.0, duration: None };
        Promise { time, ..OTHER_HEAD }
    });
}

#[test]
fn a_resample_keeps_playback() {
    run_edit("resample", |clip, settings| resample(clip, 30.0, settings), |_| OTHER_HEAD);
}

#[test]
fn a_reduction_keeps_playback() {
    let edit: Edit = |clip, settings| reduce(clip, ReduceBounds::all(0.01), settings);
    run_edit("reduce", edit, |_| SAME);
}

#[test]
fn a_coarse_reduction_keeps_playback() {
    let edit: Edit = |clip, settings| reduce(clip, ReduceBounds::all(0.3), settings);
    run_edit("reduce to 0.3", edit, |_| SAME);
}

#[test]
fn a_fine_reduction_keeps_playback() {
    let edit: Edit = |clip, settings| reduce(clip, ReduceBounds::all(1e-4), settings);
    run_edit("reduce to 0.0001", edit, |_| SAME);
}

#[test]
fn a_reduction_without_error_keeps_playback() {
    let edit: Edit = |clip, settings| reduce(clip, ReduceBounds::all(0.0), settings);
    run_edit("reduce to 0", edit, |_| SAME);
}

#[test]
fn a_change_of_the_signs_of_axes_keeps_playback() {
    run_edit(
        "axes -x,y,-z",
        |clip, settings| axes_of(clip, "-x,y,-z", settings),
        |_| other_axes([(Axis::X, -1.0), (Axis::Y, 1.0), (Axis::Z, -1.0)]),
    );
}

#[test]
fn another_order_of_axes_keeps_playback() {
    // The new z comes from the old x, and so on.
    run_edit(
        "axes y,z,x",
        |clip, settings| axes_of(clip, "y,z,x", settings),
        |_| other_axes([(Axis::Z, 1.0), (Axis::X, 1.0), (Axis::Y, 1.0)]),
    );
}

#[test]
fn a_mirror_keeps_playback() {
    run_edit(
        "axes x,z,y",
        |clip, settings| axes_of(clip, "x,z,y", settings),
        |_| other_axes([(Axis::X, 1.0), (Axis::Z, 1.0), (Axis::Y, 1.0)]),
    );
}

fn axes_of(
    document: Document,
    axes: &str,
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    change_axes(document, axes.parse::<Axes>().unwrap(), settings)
}

#[test]
fn a_change_of_units_keeps_playback() {
    let edit: Edit = |clip, settings| scale(clip, 0.01, settings);
    run_edit("scale", edit, |_| Promise { view: View { scale: 0.01, ..View::IDENTITY }, ..SAME });
}

#[test]
fn narrower_floats_keep_playback() {
    run_edit("f32", to_f32, |_| OTHER_STORAGE);
}

#[test]
fn wider_floats_keep_playback() {
    run_edit("f64", to_f64, |_| OTHER_STORAGE);
}

#[test]
fn joined_parts_keep_playback() {
    let edit: Edit = |clip, settings| {
        let parts = split(clip, &SplitAt::Times(vec![0.2, 0.47]), settings)?;
        let mut joined = join(parts.value, settings)?;
        joined.findings.splice(0..0, parts.findings);
        Ok(joined)
    };
    run_edit("split and join", edit, |_| OTHER_HEAD);
}

#[test]
fn renamed_nodes_keep_playback() {
    let edit: Edit = |clip, settings| {
        let there = [("hips".into(), "pelvis".into())];
        let back = [("pelvis".into(), "hips".into())];
        rename(rename(clip, &there, settings)?.value, &back, settings)
    };
    run_edit("rename", edit, |_| SAME);
}

#[test]
fn renamed_properties_keep_playback() {
    let edit: Edit = |clip, settings| {
        let there = [("glow*".into(), "Light*".into()), ("On".into(), "Enabled".into())];
        let back = [("Light*".into(), "glow*".into()), ("Enabled".into(), "On".into())];
        let [there, back] = [there, back].map(|names| Renaming::new(&names, Letters::Sensitive));
        let renamed = rename_by(clip, Named::Properties, &there?, settings)?.value;
        rename_by(renamed, Named::Properties, &back?, settings)
    };
    run_edit("rename properties", edit, |_| SAME);
}

#[test]
fn a_copied_clip_plays_the_same() {
    let edit: Edit = |clip, settings| {
        let named = Document::new(clip.clips.into_iter().map(|c| c.with_name("one")).collect());
        let copied = copy_clip(named, "One", "two", settings)?.value;
        let one = NamePattern::new("o*", Letters::Sensitive)?;
        Ok(drop_clips(copied, &[one]))
    };
    run_edit("copy and drop", edit, |_| OTHER_HEAD);
}

#[test]
fn an_appended_clip_plays_the_same() {
    let edit: Edit = |clip, _| {
        let appended = append(Document::single(Animation::default()), clip)?.value;
        let clips = appended.clips.into_iter().skip(1).collect();
        Ok(Outcome { value: Document::new(clips), findings: Vec::new() })
    };
    run_edit("append", edit, |_| SAME);
}

#[test]
fn markers_and_clip_properties_change_no_values() {
    let edit: Edit = |clip, _| {
        let marked = add_marker(clip, 0.0, "step")?.value;
        let looped = set_looping(marked, Looping::Loop).value;
        let step = NamePattern::new("STEP", Letters::Ignored)?;
        Ok(drop_markers(set_frame_rate(looped, 24.0)?.value, &[step]))
    };
    run_edit("markers, looping and frame rate", edit, |_| OTHER_HEAD);
}

#[test]
fn another_blend_mode_and_back_keeps_playback() {
    let edit: Edit = |clip, _| {
        // Tracks take the stated mode, so only tracks that have it can get theirs back.
        let stated = clip.clips.first().filter(|clip| clip.states_blend());
        let blend = stated.map(|clip| clip.blend).ok_or(EditError::NoClips)?;
        Ok(set_blend(set_blend(clip, BlendMode::Additive).value, blend))
    };
    run_edit("blend", edit, |_| OTHER_HEAD);
}

#[test]
fn a_merge_keeps_playback() {
    let edit: Edit = |clip, settings| merge(clip, Document::single(Animation::default()), settings);
    run_edit("merge", edit, |_| OTHER_HEAD);
}

/// A pose whose numbers are exact in `f32`, except for the rotation.
fn rest_pose() -> RestPose {
    let rotation = Quat::from_array([0.5, -0.5, 0.1, 0.7]).normalized();
    RestPose { translation: [0.5, -2.0, 90.0], rotation, scale: [1.0, 2.0, 0.5] }
}

fn skeleton() -> Skeleton {
    Skeleton::new(vec![rest_pose().bone("hips"), rest_pose().bone("hand")]).unwrap()
}

const ON_REST: fn(&Animation) -> Promise =
    |_| Promise { rest: Some(rest_pose()), head: Stays::Changes, storage: Stays::Changes, ..SAME };

/// Rejects clips that animate a property twice, because the shown pose is then undefined.
fn once(clip: &Document) -> Result<(), EditError> {
    let tracks: Vec<&Target> =
        clip.clips.iter().flat_map(|clip| &clip.tracks).map(Track::target).collect();
    let same = |one: &Target, other: &Target| {
        let whole = one.component.is_none() || other.component.is_none();
        let kinds = [one, other].map(|target| std::mem::discriminant(&target.property));
        let turns = |target: &Target| {
            matches!(target.property, Property::Rotation | Property::RotationEuler(_))
        };
        let alike = kinds[0] == kinds[1] || (turns(one) && turns(other));
        one.node == other.node && alike && (whole || one.component == other.component)
    };
    let twice = tracks
        .iter()
        .enumerate()
        .any(|(index, one)| tracks.iter().skip(index).skip(1).any(|other| same(one, other)));
    if twice { Err(EditError::NoClips) } else { Ok(()) }
}

#[test]
fn a_resolved_clip_plays_the_same_on_the_skeleton() {
    let edit: Edit = |clip, settings| {
        once(&clip)?;
        let resolved = resolve(clip, &skeleton(), settings)?;
        let tracks = resolved.value.clips.iter().flat_map(|clip| &clip.tracks);
        let whole = |track: &&Track| track.target().component.is_none();
        assert!(tracks.filter(whole).all(|track| track.target().blend == Blend::Absolute));
        Ok(resolved)
    };
    run_edit("resolve", edit, ON_REST);
}

#[test]
fn a_filled_clip_plays_the_same_on_the_skeleton() {
    let edit: Edit = |clip, settings| {
        once(&clip)?;
        fill(clip, &skeleton(), settings)
    };
    run_edit("fill", edit, ON_REST);
}
