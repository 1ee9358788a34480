//! Joins consecutive clips into one.

use std::collections::HashMap;

use inbetween_core::{
    Animation, Blend, Document, Handle, Interpolation, Interpolations, KeyColumns, LastBezier,
    Marker, Outcome, SegmentKind, Tangents, Target, Track, Value, ValueKind, Values, counted,
};

use crate::cut::cut;
use crate::merge::report_heads;
use crate::time_range::TimeRange;
use crate::trim::moved;
use crate::work::Work;
use crate::{EditError, Settings, codes};
use inbetween_core::rows::set_row;

/// Joins all clips of a document into one; each starts where the previous one ends.
///
/// This undoes [`split`](crate::split): if the cuts were at keys, the keys come back unchanged,
/// otherwise playback does. Tracks with the same target become one. Keys outside their clip's
/// duration are cut where they would reach into the next clip. If a clip lacks a track, the track
/// holds its value there, which is reported. Name, frame rate, blend modes and looping come from
/// the first clip; differences are reported.
///
/// # Errors
///
/// If there is no clip, clips blend a property in different ways, or baking a cut curve exceeds the
/// limits.
pub fn join(mut document: Document, settings: &Settings) -> Result<Outcome<Document>, EditError> {
    let mut work = Work::on(&document, settings);
    let clip_count = document.clips.len();
    let mut clips = core::mem::take(&mut document.clips).into_iter().enumerate();
    let Some((_, first)) = clips.next() else { return Err(EditError::NoClips) };
    if clip_count == 1 {
        document.clips.push(first);
        return Ok(Outcome::new(document, work.findings));
    }
    let mut offset = first.effective_duration();
    let whole = first.head();
    let mut joined = Joined::default();
    work.enter_clip(Some(0), &first);
    joined.add(&first, 0.0, false, &mut work)?;
    for (index, clip) in clips {
        work.enter_clip(Some(index), &clip);
        let clip = work.play_by(clip, whole.rules)?;
        work.enter_clip(Some(index), &clip);
        report_heads(&whole, &clip, &mut work);
        joined.add(&clip, offset, index + 1 == clip_count, &mut work)?;
        offset += clip.effective_duration();
    }
    work.enter_clip(None, &whole);
    let mut tracks = Vec::with_capacity(joined.tracks.len());
    for (index, line) in joined.tracks.into_iter().enumerate() {
        if line.pieces < clip_count {
            work.findings.enter_track(index, &line.target);
            let message = format!("present in {} of {clip_count} clips", line.pieces);
            work.say(codes::JOINED_GAP, message);
        }
        let mut data = line.keys.into_data()?;
        if !line.ends {
            work.findings.enter_track(index, &line.target);
            work.play(&line.target);
            let plain = work.rules.with_last_bezier(LastBezier::Value);
            data = work.translate(&line.target, data, (plain, work.rules))?;
        }
        tracks.push(Track::new(line.target, data)?);
    }
    work.findings.leave();
    let mut clip = whole.with_tracks(tracks).with_markers(joined.markers).with_duration(offset);
    clip.restate_blend();
    document.clips.push(clip);
    Ok(Outcome::new(document, work.findings))
}

/// The clips joined so far.
#[derive(Debug, Default)]
struct Joined {
    tracks: Vec<Line>,
    places: HashMap<(Target, ValueKind, usize), usize>,
    /// The blend of each property of a node.
    blends: HashMap<Target, Blend>,
    markers: Vec<Marker>,
}

/// A track of the joined clip.
#[derive(Debug)]
struct Line {
    target: Target,
    keys: KeyColumns,
    pieces: usize,
    /// Whether the last clip has the track, so that its last key is also that of the joined track.
    ends: bool,
}

impl Joined {
    fn add(
        &mut self,
        clip: &Animation,
        offset: f64,
        last: bool,
        work: &mut Work<'_>,
    ) -> Result<(), EditError> {
        let start = (offset > 0.0).then_some(0.0);
        let end = (!last).then(|| clip.effective_duration());
        let range = TimeRange::new(start, end)?;
        let mut gone = 0_usize;
        let mut seen: HashMap<(Target, ValueKind), usize> = HashMap::new();
        for (index, track) in clip.tracks.iter().enumerate() {
            work.findings.enter_track(index, track.target());
            work.play(track.target());
            let (data, keys) = cut(track.data(), range, work)?;
            gone += keys;
            let first = work.rules.sample(&data, 0.0);
            // Other keys will follow the last one, so its value must be the shown one.
            let data = if last {
                data
            } else {
                let plain = work.rules.with_last_bezier(LastBezier::Value);
                work.translate(track.target(), data, (work.rules, plain))?
            };
            let occurrence = seen.entry((track.target().clone(), data.kind())).or_insert(0);
            let key = (track.target().clone(), data.kind(), *occurrence);
            *occurrence += 1;
            let mut keys = KeyColumns::of(data);
            keys.change_times(|time| time + offset);
            if let Some(time) = keys.times.iter().find(|time| !time.is_finite()) {
                return Err(work.too_late(*time));
            }
            let property = Target { blend: Blend::Absolute, ..track.target().clone() };
            let blend = *self.blends.entry(property).or_insert(track.target().blend);
            if blend != track.target().blend {
                return Err(EditError::Blend { node: track.target().label() });
            }
            let known = self.places.get(&key).and_then(|&place| self.tracks.get_mut(place));
            if let Some(line) = known {
                line.pieces += 1;
                line.ends = last;
                append(&mut line.keys, keys, offset, first);
            } else {
                self.places.insert(key, self.tracks.len());
                let target = track.target().clone();
                self.tracks.push(Line { target, keys, pieces: 1, ends: last });
            }
        }
        work.findings.leave();
        if gone > 0 {
            work.say(codes::CUT, format!("{} outside their clip", counted(gone, "key")));
        }
        self.markers.extend(clip.markers.iter().cloned().map(|marker| moved(marker, offset)));
        Ok(())
    }
}

/// Appends the keys of the next clip, which starts at `seam` and shows `shown` there.
fn append(keys: &mut KeyColumns, mut next: KeyColumns, seam: f64, shown: Option<Value>) {
    let Some(last) = keys.times.len().checked_sub(1) else {
        *keys = next;
        return;
    };
    if next.times.is_empty() {
        return;
    }
    let same = keys.values.get(last) == next.values.get(0);
    let from_seam = next.times.first() == Some(&seam);
    let to_seam = keys.times.get(last) == Some(&seam);
    let holds = keys.segment(last) == SegmentKind::Hold && next.segment(0) == SegmentKind::Hold;
    agree_on_tangents(keys, &mut next);
    if same && from_seam && (to_seam || holds) {
        if to_seam {
            // One key is used for both sides of the seam: it ends the segment before it and starts
            // the one after it.
            copy_right_side(keys, last, &next);
        }
        let rest: Vec<usize> = (1..next.times.len()).collect();
        return extend(keys, next.gather(&rest));
    }
    if !from_seam {
        // Before its first key a track has that key's value, but only within its own clip.
        let copies: Vec<usize> = [0].into_iter().chain(0..next.times.len()).collect();
        next = next.gather(&copies);
        if let Some(first) = next.times.first_mut() {
            *first = seam;
        }
        // By some rules, the first key of a track shows another value than its own.
        if let Some(value) = shown {
            next.values.set(0, value);
        }
        next.set_interpolation(0, Interpolation::Hold);
    }
    if !to_seam {
        keys.set_interpolation(last, Interpolation::Hold);
    }
    extend(keys, next);
}

/// Gives a key the outgoing segment of the first of the next keys.
fn copy_right_side(keys: &mut KeyColumns, key: usize, next: &KeyColumns) {
    keys.set_interpolation(key, next.interpolation.get(0));
    let width = handles_a_key(keys);
    match (&mut keys.tangents, &next.tangents) {
        (Some(Tangents::Values { right, .. }), Some(Tangents::Values { right: out, .. })) => {
            if let Some(value) = out.get(0) {
                right.set(key, value);
            }
        }
        (Some(Tangents::Handles { right, .. }), Some(Tangents::Handles { right: out, .. })) => {
            let places = right.iter_mut().skip(key * width).take(width);
            for (place, handle) in places.zip(out) {
                *place = *handle;
            }
        }
        _ => {}
    }
}

fn handles_a_key(keys: &KeyColumns) -> usize {
    match &keys.tangents {
        Some(Tangents::Handles { left, .. }) => {
            left.len().checked_div(keys.times.len()).unwrap_or(0)
        }
        _ => 0,
    }
}

/// Gives both the same kind of tangents without changing playback.
fn agree_on_tangents(one: &mut KeyColumns, other: &mut KeyColumns) {
    let shape = |keys: &KeyColumns| keys.tangents.as_ref().map(core::mem::discriminant);
    if shape(one) != shape(other) {
        with_value_tangents(one);
        with_value_tangents(other);
    }
}

/// Converts handles to equivalent control points. Keys without tangents get unused ones, and curves
/// without tangents become linear, as they play.
fn with_value_tangents(keys: &mut KeyColumns) {
    if matches!(keys.tangents, Some(Tangents::Values { .. })) {
        return;
    }
    for key in 0..keys.times.len() {
        if keys.segment(key) == SegmentKind::Linear && keys.interpolation.get(key).needs_tangents()
        {
            keys.set_interpolation(key, Interpolation::Linear);
        }
    }
    let width = handles_a_key(keys).max(1);
    let points = |handles: &[Handle]| {
        let mut values = keys.values.clone();
        for (key, handles) in handles.chunks(width).enumerate() {
            let row: Vec<f64> = handles.iter().map(|handle| handle.value).collect();
            set_row(&mut values, key, &row);
        }
        values
    };
    let (left, right) = match &keys.tangents {
        Some(Tangents::Handles { left, right }) => (points(left), points(right)),
        _ => (points(&[]), points(&[])),
    };
    keys.tangents = Some(Tangents::Values { left, right });
}

/// Concatenates keys with the same kind of tangents.
fn extend(keys: &mut KeyColumns, next: KeyColumns) {
    if !next.times.is_empty() {
        let alike = match (&keys.interpolation, &next.interpolation) {
            (Interpolations::Shared(one), Interpolations::Shared(other)) => one == other,
            _ => false,
        };
        if !alike {
            let each = |keys: &KeyColumns| {
                (0..keys.times.len()).map(|key| keys.interpolation.get(key)).collect()
            };
            let mut all: Vec<Interpolation> = match &mut keys.interpolation {
                Interpolations::PerKey(known) => core::mem::take(known),
                Interpolations::Shared(_) => each(keys),
            };
            let more: Vec<Interpolation> = each(&next);
            all.extend(more);
            keys.interpolation = Interpolations::PerKey(all);
        }
    }
    keys.stepped &= next.stepped;
    push_all(&mut keys.values, &next.values);
    match (&mut keys.tangents, next.tangents) {
        (Some(Tangents::Values { left, right }), Some(Tangents::Values { left: l, right: r })) => {
            push_all(left, &l);
            push_all(right, &r);
        }
        (
            Some(Tangents::Handles { left, right }),
            Some(Tangents::Handles { left: l, right: r }),
        ) => {
            left.extend(l);
            right.extend(r);
        }
        _ => {}
    }
    keys.times.extend(next.times);
}

fn push_all(values: &mut Values, more: &Values) {
    for value in (0..more.len()).filter_map(|index| more.get(index)) {
        // Both have the kind of the track.
        let _ = values.push(value);
    }
}
