//! Edits of names, clips, markers and heads.

#![expect(clippy::unwrap_used, reason = "a panic is how a broken rule shows")]

use inbetween_core::{
    Animation, BlendMode, BlendOverride, Document, Looping, Marker, Outcome, Property, Target,
    Text, Track, TrackData,
};
use inbetween_edit::{
    Case, EditError, NamePattern, Named, Renaming, Settings, TimeRange, TrackPattern, add_marker,
    append, copy_clip, drop, drop_clips, drop_markers, rename_by, set_blend, set_frame_rate,
    set_looping, trim,
};

fn settings() -> Settings {
    Settings::default()
}

fn track(node: &str, property: &str) -> Track {
    let property = Property::Custom(Some(property.into()));
    let data = TrackData::uniform(1.0, vec![0.0_f32, 1.0]);
    Track::new(Target::new(node, property), data).unwrap()
}

fn clip(name: &str, tracks: Vec<Track>) -> Animation {
    Animation::new(tracks).with_name(name)
}

fn document() -> Document {
    let tracks = vec![track("hand_l", "On"), track("hand_r", "On"), track("Head", "Glow")];
    Document::single(
        clip("walk", tracks).with_markers(vec![marker(0.5, "step_l"), marker(1.0, "step_r")]),
    )
}

fn marker(time: f64, name: &str) -> Marker {
    Marker { time, name: name.into() }
}

fn renaming(old: &str, new: &str, case: Case) -> Renaming {
    Renaming::new(&[(old.into(), new.into())], case).unwrap()
}

fn nodes(document: &Document) -> Vec<&str> {
    let tracks = document.clips.iter().flat_map(|clip| &clip.tracks);
    tracks.filter_map(|track| track.target().node.as_deref()).collect()
}

fn codes(outcome: &Outcome<Document>) -> Vec<&'static str> {
    outcome.findings.iter().map(|finding| finding.code.id()).collect()
}

fn pattern(text: &str) -> NamePattern {
    NamePattern::new(text, Case::Sensitive).unwrap()
}

#[test]
fn nodes_are_renamed_by_pattern() {
    let rules = renaming("*_?", "?.*", Case::Sensitive);
    let renamed = rename_by(document(), Named::Nodes, &rules, &settings()).unwrap();
    assert_eq!(nodes(&renamed.value), ["hand.l", "hand.r", "Head"]);
    assert!(renamed.findings.is_empty());
    let rules = renaming("HEAD", "Skull", Case::Ignored);
    let renamed = rename_by(document(), Named::Nodes, &rules, &settings()).unwrap();
    assert_eq!(nodes(&renamed.value), ["hand_l", "hand_r", "Skull"]);
    let rules = renaming("tail*", "Tail*", Case::Sensitive);
    let renamed = rename_by(document(), Named::Nodes, &rules, &settings()).unwrap();
    assert_eq!(codes(&renamed), ["edit/name-unused"]);
}

#[test]
fn properties_are_renamed_to_custom_names_and_weights() {
    for (new, expected) in [
        ("Enabled", Property::Custom(Some("Enabled".into()))),
        ("Weight:smile", Property::Weight("smile".into())),
    ] {
        let rules = renaming("Glow", new, Case::Sensitive);
        let renamed = rename_by(document(), Named::Properties, &rules, &settings()).unwrap();
        assert_eq!(renamed.value.clips[0].tracks[2].target().property, expected);
    }
    // A number cannot be a position.
    let rules = renaming("Glow", "Position", Case::Sensitive);
    let error = rename_by(document(), Named::Properties, &rules, &settings()).unwrap_err();
    assert!(matches!(error, EditError::Track(_)), "{error}");
}

#[test]
fn tracks_that_get_the_target_of_another_are_reported() {
    let rules = renaming("hand_*", "hand", Case::Sensitive);
    let renamed = rename_by(document(), Named::Nodes, &rules, &settings()).unwrap();
    assert_eq!(codes(&renamed), ["duplicate-track"]);
}

#[test]
fn renamed_clips_must_have_different_names() {
    let two = || Document::new(vec![clip("walk", Vec::new()), clip("run", Vec::new())]);
    let rules = renaming("*", "anim_*", Case::Sensitive);
    let renamed = rename_by(two(), Named::Clips, &rules, &settings()).unwrap().value;
    assert_eq!(renamed.find_clip("anim_run"), Some(1));
    let rules = renaming("run", "WALK", Case::Sensitive);
    let error = rename_by(two(), Named::Clips, &rules, &settings()).unwrap_err();
    assert_eq!(error, EditError::ClipExists { name: "WALK".into() });
}

#[test]
fn the_name_of_a_copy_must_be_free() {
    let copied = copy_clip(document(), "WALK", "run", &settings()).unwrap().value;
    let names: Vec<Option<&str>> = copied.clips.iter().map(|clip| clip.name.as_deref()).collect();
    assert_eq!(names, [Some("walk"), Some("run")]);
    assert_eq!(copied.clips[0].tracks, copied.clips[1].tracks);
    let error = |old: &str, new: &str| copy_clip(document(), old, new, &settings()).unwrap_err();
    assert_eq!(error("jump", "run"), EditError::NoClip { name: "jump".into() });
    assert_eq!(error("walk", "Walk"), EditError::ClipExists { name: "Walk".into() });
}

#[test]
fn clips_are_dropped_by_pattern_and_a_missing_name_is_reported() {
    let two = Document::new(vec![clip("walk_a", Vec::new()), clip("run", Vec::new())]);
    let dropped = drop_clips(two, &[pattern("walk*"), pattern("jump")]);
    assert_eq!(dropped.value.clips.len(), 1);
    assert_eq!(codes(&dropped), ["edit/name-unused"]);
}

#[test]
fn appended_clips_come_last_and_need_other_names() {
    let run = || Document::single(clip("run", Vec::new()));
    let both = append(document(), run()).unwrap().value;
    assert_eq!(both.find_clip("run"), Some(1));
    assert_eq!(append(both, run()).unwrap_err(), EditError::ClipExists { name: "run".into() });
}

#[test]
fn markers_are_added_in_order_renamed_and_dropped() {
    let names = |document: &Document| -> Vec<Text> {
        document.clips[0].markers.iter().map(|marker| marker.name.clone()).collect()
    };
    let marked = add_marker(document(), 0.5, "second").unwrap().value;
    assert_eq!(
        names(&marked).iter().map(AsRef::as_ref).collect::<Vec<_>>(),
        ["step_l", "second", "step_r"]
    );
    assert!(add_marker(document(), f64::NAN, "x").is_err());
    let rules = renaming("step_*", "*", Case::Sensitive);
    let renamed = rename_by(marked, Named::Markers, &rules, &settings()).unwrap().value;
    assert_eq!(&*names(&renamed)[0], "l");
    let dropped = drop_markers(renamed, &[pattern("?"), pattern("none")]);
    assert_eq!(names(&dropped.value).len(), 1);
    assert_eq!(codes(&dropped), ["edit/name-unused"]);
}

#[test]
fn editing_clip_properties_changes_nothing_else() {
    let looped = set_looping(document(), Looping::Loop).value;
    let fast = set_frame_rate(looped, 60.0).unwrap().value;
    let added = set_blend(fast, BlendMode::Additive).value;
    let clip = &added.clips[0];
    assert_eq!((clip.looping, clip.frame_rate), (Looping::Loop, Some(60.0)));
    assert!(clip.states_blend() && clip.blend == BlendMode::Additive);
    assert_eq!(clip.tracks, document().clips[0].tracks);
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(set_frame_rate(document(), bad), Err(EditError::Number { .. })));
    }
}

#[test]
fn a_node_keeps_its_own_blend_mode() {
    let position = TrackData::uniform(1.0, vec![[0.0_f32; 3]]);
    let track = Track::new(Target::new("hips", Property::Translation), position).unwrap();
    let own = BlendOverride { node: "hips".into(), mode: BlendMode::Relative };
    let clip = Animation::new(vec![track]).with_blend_overrides(vec![own]);
    let before = clip.tracks.clone();
    let added = set_blend(Document::single(clip), BlendMode::Additive).value;
    assert_eq!(added.clips[0].tracks, before);
}

#[test]
fn braces_lists_and_case_choose_tracks() {
    let dropped = |patterns: Vec<TrackPattern>| {
        let dropped = drop(document(), &patterns, &settings());
        (nodes(&dropped.value).len(), dropped.findings.len())
    };
    let list = |text: &str| TrackPattern::list(text).unwrap();
    assert_eq!(dropped(list("hand_{l,r}")), (1, 0));
    assert_eq!(dropped(list("hand_l,Head/Glow")), (1, 0));
    assert_eq!(dropped(list("hand_[l,r]/O?")), (1, 0));
    assert_eq!(dropped(list("{hand_l,Head}/{On,Glow},none")), (1, 1));
    assert_eq!(dropped(list("head")), (3, 1));
    let ignoring: Vec<_> = list("HEAD/glow").into_iter().map(TrackPattern::ignoring_case).collect();
    assert_eq!(dropped(ignoring), (2, 0));
    for bad in ["a{b", "{1,2,3,4}{1,2,3,4}{1,2,3,4}{1,2,3,4}{1,2}"] {
        assert!(matches!(TrackPattern::list(bad), Err(EditError::Pattern { .. })), "{bad}");
    }
}

#[test]
fn a_range_beyond_the_end_is_a_warning() {
    let trimmed = |start, end| {
        let range = TimeRange::new(start, end).unwrap();
        codes(&trim(document(), range, &settings()).unwrap())
    };
    assert!(!trimmed(Some(0.0), Some(1.0)).contains(&"edit/beyond-end"));
    assert!(trimmed(Some(0.0), Some(1.5)).contains(&"edit/beyond-end"));
    assert!(trimmed(Some(2.0), None).contains(&"edit/beyond-end"));
}
