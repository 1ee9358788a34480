//! Reverses clips.

use inbetween_core::rows::{each_row, row};
use inbetween_core::{
    Document, FullTurn, Interpolation, Interpolations, KeyColumns, LastBezier, Outcome, Quat,
    SegmentKind, Shape, Slerp, Tangents, TrackData, Values, codes as shared, counted, is_unit,
};

use crate::retime::early_keys;
use crate::work::Work;
use crate::{EditError, Settings, codes};

/// Reverses every clip.
///
/// A value at time t moves to the end of the clip minus t. The end is the stated duration, or the
/// last key or marker of a clip without one. Left and right tangents and handles are exchanged, and
/// Hermite tangents are negated. A value that is held after a key is held before it in reverse, so
/// keys are added if a curve ends at another value than the one held next.
///
/// One instant cannot be kept: exactly at a jump between held values, a track shows the value after
/// the jump, which in reverse is the other value. A jump exactly at the end of the clip is lost for
/// this reason.
///
/// Reversing twice gives the same document. It is equal bit for bit if the times are exact in
/// binary and uniform keys end with the clip, except for handles at the ends, which no segment
/// uses; see `docs/editing.md`.
///
/// # Errors
///
/// If a time becomes infinite.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document, Property, Target, Track, TrackData, Values};
/// use inbetween_edit::{Settings, reverse};
///
/// let data = TrackData::uniform(0.5, vec![1.0_f32, 2.0, 3.0]);
/// let track = Track::new(Target::new("lamp", Property::Custom(None)), data)?;
/// let clip = Animation::new(vec![track]);
/// let reversed = reverse(Document::single(clip), &Settings::default())?.value;
/// let values = reversed.clips[0].tracks[0].data().values();
/// assert_eq!(*values, Values::from(vec![3.0_f32, 2.0, 1.0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn reverse(document: Document, settings: &Settings) -> Result<Outcome<Document>, EditError> {
    let work = Work::on(&document, settings);
    work.clips(document, |work, mut clip| {
        let end = clip.effective_duration();
        let before = early_keys(&clip);
        clip.tracks = work.tracks(clip.tracks, |work, target, data| {
            let rules = work.rules;
            // A full turn or a last handle changes the shown value depending on the order of keys,
            // so it is resolved before the order changes.
            let plain = rules.with_full_turn(FullTurn::Kept).with_last_bezier(LastBezier::Value);
            let data = work.translate(&target, data, (rules, plain))?;
            let data = reverse_track(data, end, work)?;
            let data = work.translate(&target, data, (plain, rules))?;
            Ok((target, data))
        })?;
        clip.markers.reverse();
        for marker in &mut clip.markers {
            marker.time = end - marker.time;
        }
        let early = early_keys(&clip).saturating_sub(before);
        if early > 0 {
            let message = format!("{} more, after the end", counted(early, "key"));
            work.say(codes::BEFORE_START, message);
        }
        if clip.effective_duration() < end || (clip.duration.is_none() && early > 0) {
            clip.duration = Some(end);
        }
        Ok(clip)
    })
}

fn reverse_track(data: TrackData, end: f64, work: &mut Work<'_>) -> Result<TrackData, EditError> {
    // A single key shows at all times, so it does not move.
    if data.len() < 2 || !data.plays() {
        return Ok(data);
    }
    let slerp = work.rules.slerp;
    if let Shape::Uniform { interval } = data.shape() {
        let leaps = (1..data.len()).any(|later| is_leap(data.values(), later, slerp));
        if data.kind().interpolates() && data.end() == Some(end) && !leaps {
            let backwards: Vec<usize> = (0..data.len()).rev().collect();
            return Ok(TrackData::uniform(*interval, data.values().gather(&backwards)));
        }
        work.say(shared::SHAPE_CHANGED, "keys at an interval got individual times");
    }
    let keys = KeyColumns::of(data);
    let jumps = jumps(&keys);
    if jumps > 0 {
        work.say(codes::JUMP_INSTANTS, counted(jumps, "jump"));
    }
    let reversed = mirrored(keys, end, slerp);
    if let Some(time) = reversed.times.iter().find(|time| !time.is_finite()) {
        return Err(work.too_late(*time));
    }
    Ok(reversed.into_data()?)
}

/// Returns whether a slerp to a key shows its rotation from the key before it on, as Resonite's can
/// if one of the two is not unit.
fn is_leap(values: &Values, later: usize, slerp: Slerp) -> bool {
    if slerp != Slerp::Raw || !values.kind().is_quaternion() {
        return false;
    }
    let rotation = |key: usize| Quat::from_array(row::<4>(values, key));
    let (from, to) = (rotation(later.saturating_sub(1)), rotation(later));
    let are_alike = from == to || (is_unit(from) && is_unit(to));
    !are_alike && from.slerp(to, 0.5) == to.aligned_to(from)
}

/// Returns the number of held values that jump to the next key.
fn jumps(keys: &KeyColumns) -> usize {
    let segments = 0..keys.times.len().saturating_sub(1);
    let jumps = segments.filter(|&key| {
        let next = key + 1;
        keys.segment(key) == SegmentKind::Hold
            && keys.times.get(key) != keys.times.get(next)
            && keys.values.get(key) != keys.values.get(next)
    });
    jumps.count()
}

/// A key of the reversed track.
#[derive(Clone, Copy, Debug)]
struct Mirrored {
    /// The index of the key that provides its value and tangents.
    key: usize,
    time: f64,
    interpolation: Interpolation,
}

fn mirrored(mut keys: KeyColumns, end: f64, slerp: Slerp) -> KeyColumns {
    mirror_tangents(&mut keys);
    let plan = plan(&keys, end, slerp);
    let each: Vec<Interpolation> = plan.iter().map(|key| key.interpolation).collect();
    let interpolation = shared_again(&keys.interpolation, each);
    let indices: Vec<usize> = plan.iter().map(|key| key.key).collect();
    let mut mirrored = keys.gather(&indices);
    mirrored.change_times(|time| end - time);
    mirrored.times = plan.iter().map(|key| key.time).collect();
    let mut mirrored = KeyColumns { interpolation, ..mirrored };
    mirrored.hide_last_handle();
    mirrored
}

/// Returns a single shared value if the list was shared before and all entries are equal.
fn shared_again(before: &Interpolations, each: Vec<Interpolation>) -> Interpolations {
    match before {
        Interpolations::Shared(shared) if each.iter().all(|one| one == shared) => {
            Interpolations::Shared(*shared)
        }
        _ => Interpolations::PerKey(each),
    }
}

/// Returns the keys of the reversed track.
///
/// A segment that holds shows the value of its first key, which is its last key in reverse. So the
/// reversed segment starts with a key of this value, added after the key at the same time where a
/// curve ends. A leap shows the value of its last key, and so holds it in reverse.
fn plan(keys: &KeyColumns, end: f64, slerp: Slerp) -> Vec<Mirrored> {
    let (Some(&first), Some(last)) = (keys.times.first(), keys.times.len().checked_sub(1)) else {
        return Vec::new();
    };
    let mirror = |key: usize| end - keys.times.get(key).copied().unwrap_or(f64::NAN);
    let holds = |key: usize| keys.segment(key) == SegmentKind::Hold;
    let is_linear = |key: usize| keys.segment(key) == SegmentKind::Linear;
    let leaps = |key: usize| is_linear(key) && is_leap(&keys.values, key + 1, slerp);
    let label = |key: usize| keys.interpolation.get(key);
    let own = |key: usize, of: usize| Mirrored { key, time: mirror(key), interpolation: label(of) };
    let is_curved = keys.tangents.is_some();
    let mut mirrored = Vec::with_capacity(keys.times.len());
    let mut before: Option<usize> = None;
    if last.checked_sub(1).is_some_and(holds) {
        // The value held by the last key comes first, at the time of the first key if that is early
        // enough.
        let time = first.min(mirror(last));
        let interpolation = if holds(last) { label(last) } else { Interpolation::Hold };
        mirrored.push(Mirrored { key: last, time, interpolation });
    }
    for segment in (0..last).rev() {
        let later = segment + 1;
        if holds(segment) && mirror(segment) == mirror(later) {
            continue;
        }
        let start = if holds(segment) { segment } else { later };
        let arrived = before.filter(|&before| !holds(before) && !leaps(before));
        let same = |key| keys.values.get(key) == keys.values.get(start);
        let from = match arrived {
            // One key serves both segments, unless the next curve needs the tangents of the other
            // key.
            Some(key) if key != start && same(key) && (holds(segment) || !is_curved) => key,
            Some(key) if key != start => {
                mirrored.push(Mirrored { interpolation: Interpolation::Hold, ..own(key, key) });
                start
            }
            _ => start,
        };
        let interpolation = if leaps(segment) { Interpolation::Hold } else { label(segment) };
        mirrored.push(Mirrored { key: from, time: mirror(later), interpolation });
        before = Some(segment);
    }
    if let Some(key) = before.filter(|&key| key > 0 && !holds(key)) {
        mirrored.push(Mirrored { interpolation: Interpolation::Hold, ..own(key, key) });
    }
    // The value of a held first segment continues after it.
    if !(before == Some(0) && holds(0)) {
        mirrored.push(own(0, last));
    }
    mirrored
}

/// Exchanges left and right tangents, and negates those that are slopes.
fn mirror_tangents(keys: &mut KeyColumns) {
    let hermite: Vec<bool> =
        (0..keys.times.len()).map(|key| keys.segment(key) == SegmentKind::Hermite).collect();
    let segments = keys.times.len().saturating_sub(1);
    let negate = |row: &mut [f64]| row.iter_mut().for_each(|number| *number = -*number);
    match &mut keys.tangents {
        Some(Tangents::Values { left, right }) => {
            let is = |key: usize| key < segments && hermite.get(key) == Some(&true);
            each_row(right, |key, row| {
                if is(key) {
                    negate(row);
                }
            });
            each_row(left, |key, row| {
                if key.checked_sub(1).is_some_and(is) {
                    negate(row);
                }
            });
            core::mem::swap(left, right);
        }
        Some(Tangents::Handles { left, right }) => core::mem::swap(left, right),
        _ => {}
    }
}
