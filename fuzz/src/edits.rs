//! Edits of documents, chosen by the input.

use inbetween::core::{Axes, Axis, Coordinates, Handedness, Shape, Unit};
use inbetween::edit::{
    self, Case, EditError, MapOptions, Named, ReduceBounds, Renaming, Route, Settings, SplitAt,
    TimeRange, TrackPattern, UnitChoice,
};
use inbetween::{
    Animation, BlendMode, Document, Hint, Limits, Outcome, Registry, Skeleton, Track, TrackData,
};
use inbetween_testing::meaning::{self, Promise, Stays, TimeMap, View};

/// The number of edits.
const EDITS: u8 = 25;

/// The largest number of consecutive edits.
const CHAIN: usize = 4;

/// Applies edits to a document.
///
/// If the whole input is a file, every edit is applied to it once. Otherwise the first byte is the
/// number of consecutive edits, then three bytes each choose an edit and its two numbers, and the
/// remaining bytes are the file.
pub(crate) fn edit(registry: &Registry, bytes: &[u8]) {
    if let Some(document) = read(registry, bytes) {
        for kind in 0..EDITS {
            chain(document.clone(), &[[kind, 9, 11]]);
        }
        return;
    }
    let Some((&count, rest)) = bytes.split_first() else { return };
    let (steps, _) = rest.as_chunks::<3>();
    let steps = &steps[..steps.len().min(usize::from(count) % CHAIN + 1)];
    if let Some(document) = read(registry, &rest[steps.len() * 3..]) {
        chain(document, steps);
    }
}

fn limits() -> Limits {
    Limits::default().with_decoded_bytes(1 << 20).with_items(1 << 14).with_findings(100)
}

fn read(registry: &Registry, bytes: &[u8]) -> Option<Document> {
    let format = registry.detect(bytes, &Hint::default()).ok()?.format;
    Some(format.read(bytes, &limits()).ok()?.value)
}

/// Applies edits one after the other as long as they succeed.
fn chain(mut document: Document, steps: &[[u8; 3]]) {
    sound(&document, "what was read");
    let settings = Settings::default().limits(limits());
    for &[kind, a, b] in steps {
        let kind = kind % EDITS;
        let (a, b) = (number(a), number(b));
        let before = document.clone();
        let Ok(outcome) = make(kind, document, a, b, &settings) else { return };
        keeps_meaning(&before, &outcome, kind, [a, b]);
        assert!(outcome.findings.len() <= 101, "edit {kind}: more findings than the limit");
        document = outcome.value;
        sound(&document, &format!("edit {kind}"));
    }
}

/// Checks the law of meaning for a clip with few keys.
fn keeps_meaning(before: &Document, outcome: &Outcome<Document>, kind: u8, numbers: [f64; 2]) {
    // With many clips, the findings of one clip apply to all of them.
    let ([source], [result]) = (before.clips.as_slice(), outcome.value.clips.as_slice()) else {
        return;
    };
    let keys: usize = source.tracks.iter().map(|track| track.data().len()).sum();
    let Some(promise) = promise(kind, numbers, source) else { return };
    if source.tracks.len() <= 16 && keys <= 500 {
        let kept = meaning::check_drawn(source, &promise, result, &outcome.findings);
        assert!(kept.is_ok(), "edit {kind}: {}", kept.err().unwrap_or_default());
    }
}

/// Returns the promise of an edit for ordinary numbers; `None` for edits that change what is
/// animated.
fn promise(kind: u8, [a, b]: [f64; 2], source: &Animation) -> Option<Promise> {
    let same = Promise::NOTHING_CHANGES;
    let other_head = Promise { head: Stays::Changes, ..same };
    let other_storage = Promise { storage: Stays::Changes, ..same };
    let timed = |offset, factor| {
        let time = TimeMap { offset, factor, ..TimeMap::IDENTITY };
        Some(Promise { time, ..other_head })
    };
    let usual = (0.25..8.0).contains(&a);
    match kind {
        0 if (0.0..b).contains(&a) => timed(a, 1.0),
        2 if usual => timed(0.0, 1.0 / a),
        3 if a.abs() < 8.0 => timed(-a, 1.0),
        4 => timed(source.effective_duration(), -1.0),
        8 | 22 => Some(other_head),
        9 | 10 => Some(other_storage),
        11 if usual => Some(same),
        12 => Some(same),
        13 => {
            // `-z,x,y`: the old x becomes the new y, and so on.
            let axes = [(Axis::Y, 1.0), (Axis::Z, 1.0), (Axis::X, -1.0)];
            Some(Promise { view: View { axes, ..View::IDENTITY }, ..other_storage })
        }
        14 if usual => Some(Promise { view: View { scale: a, ..View::IDENTITY }, ..same }),
        20 if usual => Some(other_head),
        _ => None,
    }
}

/// Returns quarters from -2 on, and extreme numbers for the last bytes.
fn number(byte: u8) -> f64 {
    const ODD: [f64; 8] =
        [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 1e300, 1e-300, 1e12, -0.0];
    match byte.checked_sub(248) {
        Some(odd) => ODD[usize::from(odd)],
        None => f64::from(byte) / 4.0 - 2.0,
    }
}

fn make(
    kind: u8,
    document: Document,
    a: f64,
    b: f64,
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    match kind {
        0 => edit::trim(document, TimeRange::new(Some(a), Some(b))?, settings),
        1 => edit::trim(document, TimeRange::new(None, Some(a))?, settings),
        2 => edit::retime(document, a, settings),
        3 => edit::shift(document, a, settings),
        4 => edit::reverse(document, settings),
        5 => edit::resample(document, a, settings),
        6 => edit::split(document, &SplitAt::Markers, settings),
        7 => edit::split(document, &SplitAt::Times(vec![a, b]), settings),
        8 => edit::join(document, settings),
        9 => edit::to_f32(document, settings),
        10 => edit::to_f64(document, settings),
        11 => edit::reduce(document, ReduceBounds::all(a), settings),
        12 => edit::reduce(document, ReduceBounds::all(0.0), settings),
        13 => {
            let axes = "-z,x,y".parse().unwrap_or(Axes::IDENTITY);
            edit::change_axes(document, axes, settings)
        }
        14 => edit::scale(document, a, settings),
        15 => on_itself(document, settings, edit::fill),
        16 => on_itself(document, settings, edit::resolve),
        17 => Ok(edit::drop(document, &[TrackPattern::new("*o*/{P*,R*}")?], settings)),
        18 => edit::copy_clip(document, "walk", "copy", settings),
        19 => edit::append(document, Document::single(Animation::default())),
        20 => edit::add_marker(document, a, "here"),
        21 => {
            let rules = Renaming::new(&[("*o*".into(), "*".into())], Case::Ignored)?;
            edit::rename_by(document, Named::Nodes, &rules, settings)
        }
        22 => edit::set_frame_rate(document, a),
        23 => {
            let route = Route {
                from: Coordinates::new(Handedness::Right, Axis::Y),
                to: Coordinates::new(Handedness::Left, Axis::Z).with_unit(Unit::Stated(a)),
                has_node: b < 0.0,
            };
            let unit = UnitChoice::Meters(b);
            let options = MapOptions { unit, ..MapOptions::default() };
            edit::map_coordinates(document, route, options, settings)
        }
        _ => edit::merge(document.clone(), document, settings),
    }
}

type OnSkeleton = fn(Document, &Skeleton, &Settings) -> Result<Outcome<Document>, EditError>;

/// Applies an edit with the first frame of the document itself as the rest pose.
fn on_itself(
    document: Document,
    settings: &Settings,
    make: OnSkeleton,
) -> Result<Outcome<Document>, EditError> {
    let clip = document.clips.first().cloned().ok_or(EditError::NoClips)?;
    let pose = clip.with_blend(BlendMode::Absolute).with_blend_overrides(Vec::new());
    match edit::first_frame(&pose) {
        Ok(skeleton) => make(document, &skeleton, settings),
        Err(_) => Ok(Outcome { value: document, findings: Vec::new() }),
    }
}

/// Checks the invariants of a document: the columns of a track have equal lengths, and its times
/// are finite and sorted.
fn sound(document: &Document, what: &str) {
    for track in document.clips.iter().flat_map(|clip| &clip.tracks) {
        let data = track.data();
        let times: Vec<f64> = match data.shape() {
            Shape::Uniform { .. } => continue,
            _ => (0..data.len()).filter_map(|key| data.time(key)).collect(),
        };
        assert_eq!(times.len(), data.values().len(), "{what}: times and values");
        assert!(times.iter().all(|time| time.is_finite()), "{what}: {times:?}");
        assert!(times.is_sorted(), "{what}: {times:?}");
        let (target, data) = track.clone().into_parts();
        let again = rebuilt(data);
        assert!(Track::new(target, again).is_ok(), "{what}: the property takes no such values");
    }
}

/// Rebuilds a track with the constructors that check it.
fn rebuilt(data: TrackData) -> TrackData {
    let (shape, values) = data.into_parts();
    let again = match shape {
        Shape::Curve { times, interpolation, tangents } => {
            TrackData::curve(times, values, interpolation, tangents.map(|tangents| *tangents))
        }
        Shape::Stepped { times } => TrackData::stepped(times, values),
        Shape::Uniform { interval } => Ok(TrackData::uniform(interval, values)),
        _ => unreachable!("there are three shapes"),
    };
    again.unwrap_or_else(|error| panic!("columns that make no track: {error}"))
}
