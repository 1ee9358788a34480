//! The properties of a clip other than its tracks.

use inbetween_core::{Animation, Marker};

use super::interval::ulp;
use super::{Reports, TimeMap};

/// Checks that every change is reported by a finding.
pub(super) fn check(
    source: &Animation,
    map: TimeMap,
    result: &Animation,
    reports: Reports<'_>,
) -> Result<(), String> {
    let require = |same: bool, words: &[&str], what: &dyn Fn() -> String| {
        if same || reports.name(words) {
            Ok(())
        } else {
            Err(format!("{}, and no finding names it", what()))
        }
    };
    // A missing name equals an empty one.
    let [before, after] = [source, result].map(|clip| clip.name.as_deref().unwrap_or_default());
    require(before == after, &["name", "clip-named", "clip-renamed", "null-text"], &|| {
        format!("the name {before:?} became {after:?}")
    })?;
    require(source.looping == result.looping, &["looping"], &|| {
        format!("{:?} became {:?}", source.looping, result.looping)
    })?;
    // Stated blend modes that are not those of the tracks are replaced.
    let stated = source.states_blend();
    require(!stated || source.blend == result.blend, &["blend"], &|| {
        format!("the blend mode {:?} became {:?}", source.blend, result.blend)
    })?;
    let overrides = source.blend_overrides == result.blend_overrides;
    require(!stated || overrides, &["override", "modifier"], &|| "blend overrides changed".into())?;
    // A format without frame rates loses nothing, since times are seconds; nor does a requested
    // rate.
    let rates = [source.frame_rate, result.frame_rate];
    let rate = rates.contains(&None) || source.frame_rate == result.frame_rate;
    require(rate, &["rate"], &|| {
        format!("the frame rate {:?} became {:?}", source.frame_rate, result.frame_rate)
    })?;
    let markers = same_markers(&source.markers, map, &result.markers);
    require(markers, &["marker", "times", "grid"], &|| {
        format!("the markers {:?} became {:?}", source.markers, result.markers)
    })?;
    let expected = map.duration.unwrap_or_else(|| (source.effective_duration() / map.factor).abs());
    let found = result.effective_duration();
    // The end may move by the stated time shift of jumps.
    let findings = reports.source.iter().chain(reports.result);
    let shifts = findings.filter_map(|finding| finding.error).map(|error| error.time_shift);
    let shift = shifts.fold(0.0, f64::max);
    let step = 4.0 * ulp(map.magnitude(expected), true) + shift;
    let dropped = ["duration", "dropped", "not-finite", "invalid", "times", "grid", "frame-count"];
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
