//! The properties of a clip other than its tracks.

use inbetween_core::{Animation, Marker, Target, Track, num};

use super::excuses::{
    BLEND, DURATION, LONGER_DURATION, LOOPING, MARKERS, NAME, NOT_FINITE, OVERRIDES, RATE,
    REORDERED, TRACK_LOST, has_code,
};
use super::interval::ulp;
use super::stated::{joined_tracks, track_of};
use super::{Reports, TimeMap};

/// Checks that every change is reported by a finding about the clip.
pub(super) fn check(
    source: &Animation,
    map: TimeMap,
    result: &Animation,
    reports: Reports<'_>,
) -> Result<(), String> {
    let require = |same: bool, codes: &[&str], what: &dyn Fn() -> String| {
        if same || reports.of_clip(codes) {
            Ok(())
        } else {
            Err(format!("{}, and no finding names it", what()))
        }
    };
    // A missing name equals an empty one.
    let [before, after] = [source, result].map(|clip| clip.name.as_deref().unwrap_or_default());
    require(before == after, NAME, &|| format!("the name {before:?} became {after:?}"))?;
    require(source.looping == result.looping, LOOPING, &|| {
        format!("{:?} became {:?}", source.looping, result.looping)
    })?;
    // Stated blend modes that are not those of the tracks are replaced.
    let stated = source.states_blend();
    require(!stated || source.blend == result.blend, BLEND, &|| {
        format!("the blend mode {:?} became {:?}", source.blend, result.blend)
    })?;
    let overrides = source.blend_overrides == result.blend_overrides;
    require(!stated || overrides, OVERRIDES, &|| "blend overrides changed".into())?;
    // A format without frame rates loses nothing, since times are seconds; nor does a requested
    // rate.
    let rates = [source.frame_rate, result.frame_rate];
    let rate = rates.contains(&None) || source.frame_rate == result.frame_rate;
    require(rate, RATE, &|| {
        format!("the frame rate {:?} became {:?}", source.frame_rate, result.frame_rate)
    })?;
    let reordered = reports.of_clip(REORDERED);
    let markers = same_markers(&source.markers, map, result, reordered);
    require(markers, MARKERS, &|| {
        format!("the markers {:?} became {:?}", source.markers, result.markers)
    })?;
    let mut rest = without_lost_keys(source, reports);
    // Markers that moved or are lost were compared above.
    let mapped = |marker: &Marker| Marker { time: map.source(marker.time), ..marker.clone() };
    rest.markers = result.markers.iter().map(mapped).collect();
    let expected = |clip: &Animation| {
        map.duration.unwrap_or_else(|| (clip.effective_duration() / map.factor).abs())
    };
    let (shortest, longest) = (expected(&rest), expected(source));
    let found = result.effective_duration();
    // The end may move by the stated time shift of jumps.
    let findings = reports.source.iter().chain(reports.result);
    let shifts = findings.filter_map(|finding| finding.error).map(|error| error.time_shift);
    let step = 4.0 * ulp(map.magnitude(longest), true) + shifts.fold(0.0, f64::max);
    let same = (shortest - step..=longest + step).contains(&found)
        || [shortest, longest].iter().any(|end| is_its_frame(*end, found, result.frame_rate));
    let codes = if found > longest { LONGER_DURATION } else { DURATION };
    require(same, codes, &|| format!("{longest} s became {found} s"))
}

/// Returns a clip without the tracks that lose keys, which may be the last ones, and without those
/// that are joined to them.
fn without_lost_keys(clip: &Animation, reports: Reports<'_>) -> Animation {
    let codes = [TRACK_LOST, NOT_FINITE].concat();
    let findings = reports.source.iter().filter(|finding| has_code(finding, &codes));
    let lost: Vec<usize> = findings.filter_map(track_of).collect();
    let whole = |track: &Track| Target { component: None, ..track.target().clone() };
    let joined = joined_tracks(reports.source).filter(|track| lost.contains(track));
    let joined: Vec<Target> =
        joined.filter_map(|track| clip.tracks.get(track)).map(whole).collect();
    let tracks = clip.tracks.iter().enumerate();
    let kept = tracks.filter(|(index, track)| {
        let is_joined = track.target().component.is_some() && joined.contains(&whole(track));
        !lost.contains(index) && !is_joined
    });
    clip.clone().with_tracks(kept.map(|(_, track)| track.clone()).collect())
}

/// Returns whether a time is on a frame up to rounding, and another is this frame.
fn is_its_frame(time: f64, found: f64, rate: Option<f64>) -> bool {
    rate.is_some_and(|rate| {
        let frame = (time * rate).round() / rate;
        num::is_on_frame(time, rate) && (found - frame).abs() <= 4.0 * ulp(frame.abs(), true)
    })
}

/// Returns whether markers are the same, or `reordered` ones.
fn same_markers(before: &[Marker], map: TimeMap, result: &Animation, reordered: bool) -> bool {
    let mut mapped: Vec<Marker> = before.to_vec();
    for marker in &mut mapped {
        marker.time = map.result(marker.time);
    }
    let mut after = result.markers.clone();
    if reordered {
        for markers in [&mut mapped, &mut after] {
            markers.sort_by(|one, other| {
                one.name.cmp(&other.name).then(one.time.total_cmp(&other.time))
            });
        }
    }
    let same = |(before, after): (&Marker, &Marker)| {
        let step = 4.0 * ulp(map.magnitude(before.time), true);
        before.name == after.name
            && ((before.time - after.time).abs() <= step
                || is_its_frame(before.time, after.time, result.frame_rate))
    };
    mapped.len() == after.len() && mapped.iter().zip(&after).all(same)
}
