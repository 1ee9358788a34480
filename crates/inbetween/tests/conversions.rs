//! Every fixture in every format, compared with the list of conversions.

#![cfg(feature = "formats")]
#![expect(clippy::expect_used, reason = "a test may end where it fails")]

use std::collections::BTreeSet;

use inbetween::core::{Budget, Extent, Origin};
use inbetween::{Animation, Code, Document, Registry};
use inbetween_testing::cases::{self, CaseKind, FormatCases};
use inbetween_testing::conversions::{ConvertedClip, FEATURES, Fate, losses};
use inbetween_testing::documents::suited;

/// Every clip of every fixture, with its format and the name of its file.
fn clips() -> Vec<(&'static FormatCases, String, Animation)> {
    let registry = Registry::with_builtin();
    let mut clips = Vec::new();
    for case in cases::all().into_iter().filter(|case| case.kind == CaseKind::Ok) {
        let format = registry.by_id(case.format).expect("a format of the registry");
        let read = format.read(&case.bytes, registry.limits()).expect("a good file");
        let from = cases::targets().find(|format| format.id == case.format);
        let from = from.expect("a format of the list");
        let name = format!("{} {}", case.format, case.name);
        clips.extend(read.value.clips.into_iter().map(|clip| (from, name.clone(), clip)));
    }
    clips
}

/// Changes that the list has, although nobody misses anything in the result.
const NOTES: [&str; 14] = [
    "bvh/rotation-as-euler",
    "convert/components-joined",
    "convert/curve-baked",
    "convert/euler-baked",
    "convert/frame-rate-dropped",
    "convert/handles-converted",
    "convert/keys-off-grid",
    "convert/markers-moved",
    "convert/name-dropped",
    "convert/null-text",
    "convert/tangents-dropped",
    "convert/values-narrowed",
    "x4-ani/rotation-as-euler",
    "x4-ani/spline-as-bezier",
];

/// Writes a clip; returns the ids of the losses and the document that is read back.
fn written(
    clip: &Animation,
    to: &'static FormatCases,
) -> Option<(BTreeSet<&'static str>, Option<Animation>)> {
    let registry = Registry::with_builtin();
    let format = registry.by_id(to.id).expect("a format of the registry");
    // The list says what the format can store, also of documents of its own.
    let document = Document::single(clip.clone()).with_origin(Origin::new(to.id));
    let written = format.write(suited(document, format), registry.limits()).ok()?;
    let listed = |code: Code| code.is_loss() || NOTES.contains(&code.id());
    let findings = written.findings.iter().map(|finding| finding.code);
    let findings = findings.filter(|code| listed(*code)).map(Code::id).collect();
    let read = format.read(&written.value, registry.limits()).expect("it was just written").value;
    Some((findings, read.clips.into_iter().next()))
}

/// Writes a clip and compares the losses with the list; returns the document that is read back.
fn compare(
    clip: &Animation,
    to: &'static FormatCases,
    name: &str,
    wrong: &mut Vec<String>,
) -> Option<Animation> {
    let (mut found, after) = written(clip, to)?;
    // The list has features of clips; these depend on measured values and on the rest pose.
    for code in [
        "convert/axes-missing",
        "convert/bound-exceeded",
        "convert/uneven-rotations-normalized",
        "convert/value-undefined",
    ] {
        found.remove(code);
    }
    let rate = after.as_ref().and_then(|clip| clip.frame_rate);
    let expected = losses(&ConvertedClip { clip, to, rate });
    if found != expected {
        wrong.push(format!("{name} to {}: {found:?}, the list says {expected:?}", to.id));
    }
    after
}

#[test]
fn every_fixture_has_exactly_the_losses_of_the_list_in_a_round_trip() {
    let mut wrong = Vec::new();
    for (from, name, clip) in clips() {
        for to in cases::targets() {
            if let Some(after) = compare(&clip, to, &name, &mut wrong) {
                compare(&after, from, &format!("{name} to {} and back", to.id), &mut wrong);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn written_files_keep_the_features_of_the_list() {
    let mut wrong = Vec::new();
    for (_, name, clip) in clips() {
        for to in cases::targets() {
            let Some((_, Some(after))) = written(&clip, to) else { continue };
            let converted = ConvertedClip { clip: &clip, to, rate: after.frame_rate };
            for feature in FEATURES.iter().filter(|feature| feature.is_on(&converted)) {
                if !feature.is_as_listed(&converted, &after) {
                    wrong.push(format!("{name} to {}: {}", to.id, feature.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_row_of_the_list_has_a_fixture_for_every_format() {
    let clips = clips();
    let mut bare = Vec::new();
    for feature in FEATURES {
        for to in cases::targets().filter(|to| feature.fate(to) != Fate::Elsewhere) {
            let shown = clips.iter().any(|(_, _, clip)| {
                let after = written(clip, to).and_then(|(_, after)| after);
                let rate = after.and_then(|clip| clip.frame_rate);
                feature.is_on(&ConvertedClip { clip, to, rate })
            });
            if !shown {
                bare.push(format!("{} to {}", feature.name, to.id));
            }
        }
    }
    assert!(bare.is_empty(), "no fixture has\n{}", bare.join("\n"));
}

#[test]
fn a_conversion_counts_the_content_of_the_new_file() {
    let registry = Registry::with_builtin();
    for (_, name, clip) in clips() {
        for to in cases::targets() {
            let format = registry.by_id(to.id).expect("a format of the registry");
            let document = Document::single(clip.clone());
            let mut budget = Budget::new(registry.limits(), document.heap_bytes());
            let Ok(written) = format.write_within(document, &mut budget) else { continue };
            let (held, bytes) = (written.value.extent(), written.value.bytes);
            let read = format.read(&bytes, registry.limits()).expect("it was just written").value;
            let tracks = || read.clips.iter().flat_map(|clip| &clip.tracks);
            // X4 has one list of keys for all axes, which are read as separate tracks if they
            // differ.
            if tracks().all(|track| track.target().component.is_none()) {
                let read = Extent::from(&read);
                let counts =
                    |extent: Extent| (extent.clips, extent.tracks, extent.keys, extent.markers);
                assert_eq!(counts(held), counts(read), "{name} to {}", to.id);
            }
        }
    }
}
