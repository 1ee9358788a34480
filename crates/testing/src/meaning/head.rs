//! What a clip holds beside its tracks.

use inbetween_core::{Animation, Finding, Marker};

use super::TimeMap;
use super::interval::ulp;

/// Checks that everything that changed is named by a finding.
pub(super) fn check(
    source: &Animation,
    map: TimeMap,
    result: &Animation,
    findings: &[Finding],
) -> Result<(), String> {
    let named = |words: &[&str]| {
        findings.iter().any(|finding| words.iter().any(|word| finding.code.id().contains(word)))
    };
    let require = |same: bool, words: &[&str], what: &dyn Fn() -> String| {
        if same || named(words) {
            Ok(())
        } else {
            Err(format!("{}, and no finding names it", what()))
        }
    };
    // An absent name and an empty one are the same.
    let [before, after] = [source, result].map(|clip| clip.name.as_deref().unwrap_or_default());
    require(before == after, &["name", "clip-named", "clip-renamed", "null-text"], &|| {
        format!("the name {before:?} became {after:?}")
    })?;
    require(source.looping == result.looping, &["looping"], &|| {
        format!("{:?} became {:?}", source.looping, result.looping)
    })?;
    require(source.blend == result.blend, &["blend"], &|| {
        format!("the blend mode {:?} became {:?}", source.blend, result.blend)
    })?;
    let overrides = source.blend_overrides == result.blend_overrides;
    require(overrides, &["override", "modifier"], &|| "blend overrides changed".into())?;
    // That a format stores none is no loss, since times are seconds.
    let rate = result.frame_rate.is_none() || source.frame_rate == result.frame_rate;
    require(rate, &["rate"], &|| {
        format!("the frame rate {:?} became {:?}", source.frame_rate, result.frame_rate)
    })?;
    let markers = same_markers(&source.markers, map, &result.markers);
    require(markers, &["marker", "times", "grid"], &|| {
        format!("the markers {:?} became {:?}", source.markers, result.markers)
    })?;
    let expected = map.duration.unwrap_or_else(|| (source.effective_duration() / map.factor).abs());
    let found = result.effective_duration();
    let step = 4.0 * ulp(map.magnitude(expected), true);
    let dropped = ["duration", "dropped", "times", "grid", "frame-count"];
    require((expected - found).abs() <= step, &dropped, &|| {
        format!("{expected} s became {found} s")
    })
}

fn same_markers(before: &[Marker], map: TimeMap, after: &[Marker]) -> bool {
    before.len() == after.len()
        && before.iter().zip(after).all(|(before, after)| {
            let expected = map.result(before.time);
            let step = 4.0 * ulp(map.magnitude(expected), true);
            before.name == after.name && (expected - after.time).abs() <= step
        })
}
