//! Detects the key order of Curve tracks: scores both orders and picks the better one.

use core::cmp::Ordering;

use inbetween_core::{Budget, Limits, ReadError, ValueKind, num};

use crate::file::AnimxFile;
use crate::index::TrackRanges;
use crate::layout::{AnimxLayout, CurveKeyOrder, Evidence, TrackType};
use crate::track::AnimxTrack;
use crate::walk::{Walk, walk};

/// The number of keys per track to sample: the first ones, and the last if it can be found without
/// a scan.
const KEYS_OF_TRACK: usize = 64;

/// The number of keys per file to sample.
const KEYS_OF_FILE: usize = 4_096;

/// Which keys to score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scan {
    /// A sample, so that the cost depends only on the number of tracks.
    Sample,
    /// All keys.
    Full,
}

/// The detected or requested key order.
#[derive(Debug)]
pub(crate) struct Choice {
    pub(crate) order: CurveKeyOrder,
    pub(crate) evidence: Evidence,
    pub(crate) tracks: TrackRanges,
}

const DEFAULT: CurveKeyOrder = AnimxLayout::DEFAULT.curve_key;

/// Chooses the order of the Curve keys from a sample, unless the caller requested one.
pub(crate) fn choose(
    file: &AnimxFile<'_>,
    requested: Option<CurveKeyOrder>,
    budget: &mut Budget,
) -> Result<Choice, ReadError> {
    if let Some(order) = requested {
        let tracks = walk(file, order, budget).ranges?;
        return Ok(Choice { order, evidence: Evidence::Requested, tracks });
    }
    let Walk { ranges, depends } = walk(file, DEFAULT, &mut budget.clone());
    let score_of = |tracks: &_, order| KeyOrderScore::new(file, tracks, order, Scan::Sample, 1);
    let other = DEFAULT.other();
    if !depends {
        let tracks = ranges?;
        let (order, evidence) =
            decide(&score_of(&tracks, DEFAULT), &score_of(&tracks, other), duration(file));
        return Ok(Choice { order, evidence, tracks });
    }
    let evidence = Evidence::OnlyStructure;
    match (ranges, walk(file, other, budget).ranges) {
        (Ok(tracks), Ok(others)) => {
            let scores = (score_of(&tracks, DEFAULT), score_of(&others, other));
            let (order, evidence) = decide(&scores.0, &scores.1, duration(file));
            let tracks = if order == DEFAULT { tracks } else { others };
            Ok(Choice { order, evidence, tracks })
        }
        (Ok(tracks), Err(_)) => Ok(Choice { order: DEFAULT, evidence, tracks }),
        (Err(_), Ok(tracks)) => Ok(Choice { order: other, evidence, tracks }),
        // The order that fails later in the file is the likelier one.
        (Err(error), Err(others)) => {
            let at = |error: &ReadError| error.position().map(inbetween_core::Position::offset);
            Err(if at(&others) > at(&error) { others } else { error })
        }
    }
}

/// Whether a full scan confirms the key order found by sampling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Confirmation {
    /// The orders agree, or there was no choice.
    Agrees,
    /// The full scan found the other order, which is now used.
    Disagrees,
}

/// What is known about the times in the current key order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CurrentTimes {
    /// All of them are valid, and not all are in the other order.
    Confirmed,
    /// All of them are valid.
    Valid,
    /// Not all were checked, or some are invalid.
    Unknown,
}

/// Scans all keys of a file that was read by sampling, and switches to the order that they support.
pub(crate) fn confirm(
    file: &mut AnimxFile<'_>,
    current: CurrentTimes,
    budget: &mut Budget,
) -> Confirmation {
    if matches!(file.evidence, Evidence::Requested | Evidence::NoCurves) || file.is_sealed() {
        return Confirmation::Agrees;
    }
    let own = file.layout.curve_key;
    let Some(FullScan { order, evidence, others }) = scan_all(file, current, budget) else {
        return Confirmation::Agrees;
    };
    file.evidence = evidence;
    if order == own {
        return Confirmation::Agrees;
    }
    if let Some(others) = others {
        file.index.tracks = others;
    }
    file.layout.curve_key = order;
    Confirmation::Disagrees
}

/// Which keys the key order of a file was chosen from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Basis {
    /// From all keys, or from none, since there was no choice.
    All,
    /// From a sample that decides clearly.
    Sample,
}

/// Scans all keys only if it matters: if the sample fits both orders or refutes both, or if the
/// order of strings determines where tracks begin.
pub(crate) fn confirm_if_unclear(file: &mut AnimxFile<'_>, budget: &mut Budget) -> Basis {
    if matches!(file.evidence, Evidence::Requested | Evidence::NoCurves) {
        return Basis::All;
    }
    let curves = || file.tracks().filter(|track| track.track_type() == TrackType::Curve);
    let undecided = matches!(file.evidence, Evidence::Ambiguous | Evidence::LeastRefuted);
    if undecided || curves().any(|track| track.kind() == ValueKind::String) {
        confirm(file, CurrentTimes::Unknown, budget);
        return Basis::All;
    }
    let keys = curves().map(|track| track.len()).fold(0, usize::saturating_add);
    let few = keys <= KEYS_OF_FILE && curves().all(|track| track.len() <= KEYS_OF_TRACK);
    if few { Basis::All } else { Basis::Sample }
}

/// Returns whether a file with valid times would be read in the same key order by detection.
pub(crate) fn reads_back(file: &AnimxFile<'_>) -> bool {
    let limits = Limits::default().with_items(u64::MAX);
    let scan = scan_all(file, CurrentTimes::Valid, &mut Budget::new(&limits, 0));
    scan.is_none_or(|scan| {
        scan.order == file.layout.curve_key || scan.evidence == Evidence::NoCurves
    })
}

/// What the tracks of a file show about the other key order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OtherOrder {
    /// There is no Curve track yet.
    NoCurves,
    /// All times are valid so far.
    Possible,
    /// A time is invalid.
    Refuted,
    /// A Curve track of strings moves the tracks after it, so only a scan of the file can tell.
    Unknown,
}

impl OtherOrder {
    /// Returns what is known with one more track. After a refutation no more times are read.
    pub(crate) fn with_track(self, track: &AnimxTrack<'_>) -> Self {
        if track.track_type() != TrackType::Curve || self == Self::Unknown {
            return self;
        }
        if track.is_curve_of_texts() {
            return Self::Unknown;
        }
        if self == Self::Refuted {
            return self;
        }
        let mut score = KeyOrderScore::NONE;
        score.add(track.in_other_order().times(), 1);
        if score.refutations > 0 { Self::Refuted } else { Self::Possible }
    }
}

/// The result of scanning all keys in both orders.
struct FullScan {
    order: CurveKeyOrder,
    evidence: Evidence,
    /// The ranges of the tracks in the other order, if that order moves them.
    others: Option<TrackRanges>,
}

/// Scans all keys in both orders; returns `None` if the other order gives no valid tracks.
fn scan_all(file: &AnimxFile<'_>, current: CurrentTimes, budget: &mut Budget) -> Option<FullScan> {
    let own = file.layout.curve_key;
    let confirmed = Some(FullScan { order: own, evidence: Evidence::OtherRefuted, others: None });
    if current == CurrentTimes::Confirmed {
        return confirmed;
    }
    let depends = file.tracks().any(|track| track.is_curve_of_texts());
    let others = if depends { Some(walk(file, own.other(), budget).ranges.ok()?) } else { None };
    let ranges = others.as_ref().unwrap_or(&file.index.tracks);
    let score = |ranges, order, limit| KeyOrderScore::new(file, ranges, order, Scan::Full, limit);
    let mine = match current {
        // One invalid time in the other order is enough to decide.
        CurrentTimes::Valid if score(ranges, own.other(), 1).refutations > 0 => {
            return confirmed;
        }
        _ => score(&file.index.tracks, own, u64::MAX),
    };
    // One refutation more than in the current order is enough to decide.
    let theirs = score(ranges, own.other(), mine.refutations.saturating_add(1));
    let (default, other) = if own == DEFAULT { (mine, theirs) } else { (theirs, mine) };
    let (order, evidence) = decide(&default, &other, duration(file));
    Some(FullScan { order, evidence, others })
}

fn duration(file: &AnimxFile<'_>) -> f32 {
    file.header.global_duration
}

/// How plausible the times of a file are in one key order.
#[derive(Clone, Copy, Debug, PartialEq)]
struct KeyOrderScore {
    /// The number of scanned keys.
    keys: u64,
    /// The number of keys whose times are not finite, are negative, or decrease.
    refutations: u64,
    /// The latest time.
    largest: f32,
    /// The number of tracks whose first key is at 0.
    begin_at_zero: u64,
}

impl KeyOrderScore {
    const NONE: Self =
        Self { keys: 0, refutations: 0, largest: f32::NEG_INFINITY, begin_at_zero: 0 };

    /// Scores the Curve keys of a file; stops after `limit` keys that refute the order.
    fn new(
        file: &AnimxFile<'_>,
        tracks: &TrackRanges,
        order: CurveKeyOrder,
        scan: Scan,
        limit: u64,
    ) -> Self {
        let mut score = Self::NONE;
        let layout = AnimxLayout { curve_key: order, ..file.layout };
        let curves = tracks.iter().filter_map(|range| file.track_at(range, layout));
        for track in curves.filter(|track| track.track_type() == TrackType::Curve) {
            let scanned = num::len_from_u64(score.keys);
            match (scan, track.fixed_times()) {
                (Scan::Sample, _) if scanned >= KEYS_OF_FILE => break,
                (Scan::Sample, _) => score.add(sampled_times(&track), limit),
                (Scan::Full, Some(times)) => score.add(times.iter(), limit),
                (Scan::Full, None) => score.add(track.times(), limit),
            }
            if score.refutations >= limit {
                break;
            }
        }
        score
    }

    fn add(&mut self, times: impl Iterator<Item = f32>, limit: u64) {
        let mut last = 0.0_f32;
        for (index, time) in times.enumerate() {
            self.keys = self.keys.saturating_add(1);
            if index == 0 && time == 0.0 {
                self.begin_at_zero = self.begin_at_zero.saturating_add(1);
            }
            // False for NaN too. `last` starts at 0, so a negative first key counts as refuting.
            if time >= last && time < f32::INFINITY {
                self.largest = self.largest.max(time);
                last = time;
                continue;
            }
            self.refutations = self.refutations.saturating_add(1);
            if self.refutations >= limit {
                return;
            }
            if time.is_finite() {
                last = time.max(0.0);
            }
        }
    }
}

/// Returns the first times of a track, and the last one if it can be found without a scan.
fn sampled_times(track: &AnimxTrack<'_>) -> impl Iterator<Item = f32> {
    let last = if track.len() > KEYS_OF_TRACK { track.last_time() } else { None };
    let first = if last.is_some() { KEYS_OF_TRACK.saturating_sub(1) } else { KEYS_OF_TRACK };
    track.times().take(first).chain(last)
}

/// Returns how strongly a score supports its order, given the duration of the file.
type Criterion = fn(&KeyOrderScore, f32) -> u64;

/// The criteria in order: the first one that differs decides for the order with the higher value.
const CRITERIA: [(Evidence, Criterion); 4] = [
    (Evidence::OtherRefuted, |score, _| u64::from(score.refutations == 0)),
    (Evidence::WithinDuration, |score, end| u64::from(end > 0.0 && score.largest <= end)),
    (Evidence::EndsWithDuration, |score, end| u64::from(end > 0.0 && score.largest == end)),
    (Evidence::BeginsAtZero, |score, _| score.begin_at_zero),
];

/// Chooses between the default order and the other one.
fn decide(
    default: &KeyOrderScore,
    other: &KeyOrderScore,
    duration: f32,
) -> (CurveKeyOrder, Evidence) {
    if default.keys == 0 && other.keys == 0 {
        return (DEFAULT, Evidence::NoCurves);
    }
    if default.refutations > 0 && other.refutations > 0 {
        let fewer = default.refutations <= other.refutations;
        return (if fewer { DEFAULT } else { DEFAULT.other() }, Evidence::LeastRefuted);
    }
    for (evidence, value) in CRITERIA {
        match value(default, duration).cmp(&value(other, duration)) {
            Ordering::Greater => return (DEFAULT, evidence),
            Ordering::Less => return (DEFAULT.other(), evidence),
            Ordering::Equal => {}
        }
    }
    (DEFAULT, Evidence::Ambiguous)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(times: &[f32]) -> KeyOrderScore {
        let mut score = KeyOrderScore::NONE;
        score.add(times.iter().copied(), u64::MAX);
        score
    }

    #[test]
    fn invalid_times_refute_an_order() {
        assert_eq!(score(&[0.0, 0.0, 1.0]).refutations, 0);
        assert_eq!(score(&[-0.5]).refutations, 1);
        assert_eq!(score(&[-0.0]).refutations, 0);
        assert_eq!(score(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY]).refutations, 3);
        // Only the decreasing step counts, not the keys after it.
        assert_eq!(score(&[5.0, 1.0, 2.0, 3.0]).refutations, 1);
        assert_eq!(score(&[5.0, -1.0, 0.5]).refutations, 1);
    }

    #[test]
    fn an_order_without_refutations_wins() {
        let (good, bad) = (score(&[0.0, 1.0]), score(&[1.0, 0.0]));
        assert_eq!(decide(&good, &bad, 9.0), (DEFAULT, Evidence::OtherRefuted));
        assert_eq!(decide(&bad, &good, 9.0), (DEFAULT.other(), Evidence::OtherRefuted));
    }

    #[test]
    fn the_order_with_fewer_refutations_wins() {
        let (one, two) = (score(&[1.0, 0.0]), score(&[2.0, 1.0, 0.0]));
        assert_eq!(decide(&two, &one, 9.0), (DEFAULT.other(), Evidence::LeastRefuted));
        assert_eq!(decide(&one, &two, 9.0), (DEFAULT, Evidence::LeastRefuted));
        assert_eq!(decide(&one, &one, 9.0), (DEFAULT, Evidence::LeastRefuted));
    }

    #[test]
    fn the_duration_decides_between_two_valid_orders() {
        let (short, long) = (score(&[0.5, 2.0]), score(&[0.5, 4.0]));
        assert_eq!(decide(&long, &short, 2.0), (DEFAULT.other(), Evidence::WithinDuration));
        assert_eq!(decide(&short, &long, 4.0), (DEFAULT.other(), Evidence::EndsWithDuration));
        // Both end later, or there is no duration.
        assert_eq!(decide(&long, &short, 1.0), (DEFAULT, Evidence::Ambiguous));
        assert_eq!(decide(&long, &short, 0.0), (DEFAULT, Evidence::Ambiguous));
        assert_eq!(decide(&long, &short, f32::NAN), (DEFAULT, Evidence::Ambiguous));
    }

    #[test]
    fn a_first_key_at_zero_decides_next_and_the_default_last() {
        let (at_zero, later) = (score(&[0.0, 2.0]), score(&[0.5, 2.0]));
        assert_eq!(decide(&later, &at_zero, 3.0), (DEFAULT.other(), Evidence::BeginsAtZero));
        assert_eq!(decide(&later, &later, 3.0), (DEFAULT, Evidence::Ambiguous));
        assert_eq!(
            decide(&KeyOrderScore::NONE, &KeyOrderScore::NONE, 3.0),
            (DEFAULT, Evidence::NoCurves)
        );
    }
}
