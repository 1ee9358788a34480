//! Which order the Curve keys of a file have: what speaks for either, and who wins.

use core::cmp::Ordering;

use inbetween_core::{Budget, Limits, ReadError, num};

use crate::read::{TrackRanges, Walk, walk};
use crate::{AnimxFile, AnimxLayout, AnimxTrack, CurveKeyOrder, Evidence, TrackType};

/// How many keys of a track a quick look takes in: the first ones, and the last where that is
/// found at once.
const KEYS_OF_TRACK: usize = 64;

/// How many keys of a file a quick look takes in.
const KEYS_OF_FILE: usize = 4_096;

/// How closely to look at the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    /// At some, so that the cost follows the number of tracks.
    Quick,
    /// At all.
    Whole,
}

/// What was chosen.
#[derive(Debug)]
pub(crate) struct Choice {
    pub(crate) order: CurveKeyOrder,
    pub(crate) evidence: Evidence,
    pub(crate) tracks: TrackRanges,
}

const DEFAULT: CurveKeyOrder = AnimxLayout::DEFAULT.curve_key;

/// Chooses the order of the Curve keys from a quick look, unless it was asked for.
pub(crate) fn choose(
    file: &AnimxFile<'_>,
    asked: Option<CurveKeyOrder>,
    budget: &mut Budget,
) -> Result<Choice, ReadError> {
    if let Some(order) = asked {
        let tracks = walk(file, order, budget).ranges?;
        return Ok(Choice { order, evidence: Evidence::Asked, tracks });
    }
    let Walk { ranges, depends } = walk(file, DEFAULT, &mut budget.clone());
    let testify = |tracks: &_, order| Testimony::hear(file, tracks, order, Look::Quick, 1);
    let other = DEFAULT.other();
    if !depends {
        let tracks = ranges?;
        let (order, evidence) =
            decide(&testify(&tracks, DEFAULT), &testify(&tracks, other), duration(file));
        return Ok(Choice { order, evidence, tracks });
    }
    let evidence = Evidence::OnlyStructure;
    match (ranges, walk(file, other, budget).ranges) {
        (Ok(tracks), Ok(others)) => {
            let witnesses = (testify(&tracks, DEFAULT), testify(&others, other));
            let (order, evidence) = decide(&witnesses.0, &witnesses.1, duration(file));
            let tracks = if order == DEFAULT { tracks } else { others };
            Ok(Choice { order, evidence, tracks })
        }
        (Ok(tracks), Err(_)) => Ok(Choice { order: DEFAULT, evidence, tracks }),
        (Err(_), Ok(tracks)) => Ok(Choice { order: other, evidence, tracks }),
        // The order that leads farther is the likelier one.
        (Err(error), Err(others)) => {
            let at = |error: &ReadError| error.position().map(inbetween_core::Position::offset);
            Err(if at(&others) > at(&error) { others } else { error })
        }
    }
}

/// Whether all keys of a file speak for the order that the first ones speak for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// They do, or there was nothing to choose.
    Agrees,
    /// They speak for the other order, which was taken.
    Disagrees,
}

/// What is known of the times under the order that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// All of them can be times.
    Clean,
    /// Nobody has looked at all of them, or some cannot be times.
    Unknown,
}

/// Looks at all keys of a file that was read after a quick look, and takes the order that they
/// speak for.
pub(crate) fn settle(file: &mut AnimxFile<'_>, taken: Taken, budget: &mut Budget) -> Verdict {
    if matches!(file.evidence, Evidence::Asked | Evidence::NoCurves) || file.is_sealed() {
        return Verdict::Agrees;
    }
    let own = file.layout.curve_key;
    let Some(Hearing { order, evidence, others }) = hear_all(file, taken, budget) else {
        return Verdict::Agrees;
    };
    file.evidence = evidence;
    if order == own {
        return Verdict::Agrees;
    }
    if let Some(others) = others {
        file.index.tracks = others;
    }
    file.layout.curve_key = order;
    Verdict::Disagrees
}

/// Says whether a file of clean times that was read in the order that was asked for would be read
/// in the same order without being told.
pub(crate) fn reads_back(file: &AnimxFile<'_>) -> bool {
    let limits = Limits::default().with_items(u64::MAX);
    let heard = hear_all(file, Taken::Clean, &mut Budget::new(&limits, 0));
    heard.is_none_or(|heard| {
        heard.order == file.layout.curve_key || heard.evidence == Evidence::NoCurves
    })
}

/// What came of looking at all keys under both orders.
struct Hearing {
    order: CurveKeyOrder,
    evidence: Evidence,
    /// Where the tracks are under the other order than that of the file, where it moves them.
    others: Option<TrackRanges>,
}

/// Looks at all keys under both orders; `None` where the other order gives no tracks.
fn hear_all(file: &AnimxFile<'_>, taken: Taken, budget: &mut Budget) -> Option<Hearing> {
    let own = file.layout.curve_key;
    let depends = file.tracks().any(|track| track.is_curve_of_texts());
    let others = if depends { Some(walk(file, own.other(), budget).ranges.ok()?) } else { None };
    let ranges = others.as_ref().unwrap_or(&file.index.tracks);
    let hear =
        |ranges, order, patience| Testimony::hear(file, ranges, order, Look::Whole, patience);
    let mine = match taken {
        // The first time that cannot be one settles it.
        Taken::Clean if hear(ranges, own.other(), 1).refutations > 0 => {
            return Some(Hearing { order: own, evidence: Evidence::OtherRefuted, others });
        }
        _ => hear(&file.index.tracks, own, u64::MAX),
    };
    // One refutation more than the taken order has settles it.
    let theirs = hear(ranges, own.other(), mine.refutations.saturating_add(1));
    let (default, other) = if own == DEFAULT { (mine, theirs) } else { (theirs, mine) };
    let (order, evidence) = decide(&default, &other, duration(file));
    Some(Hearing { order, evidence, others })
}

fn duration(file: &AnimxFile<'_>) -> f32 {
    file.header.global_duration
}

/// What the times of a file say under one order.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Testimony {
    /// Keys that were looked at.
    keys: u64,
    /// Keys whose times are not finite, are negative, or decrease.
    refutations: u64,
    /// The latest time.
    largest: f32,
    /// Tracks whose first key is at 0.
    begin_at_zero: u64,
}

impl Testimony {
    const NONE: Self =
        Self { keys: 0, refutations: 0, largest: f32::NEG_INFINITY, begin_at_zero: 0 };

    /// Looks at the Curve keys of a file until `patience` of them refute the order.
    fn hear(
        file: &AnimxFile<'_>,
        tracks: &TrackRanges,
        order: CurveKeyOrder,
        look: Look,
        patience: u64,
    ) -> Self {
        let mut testimony = Self::NONE;
        let layout = AnimxLayout { curve_key: order, ..file.layout };
        let curves = tracks.iter().filter_map(|range| file.track_at(range, layout));
        for track in curves.filter(|track| track.track_type() == TrackType::Curve) {
            let seen = num::len_from_u64(testimony.keys);
            match (look, track.fixed_times()) {
                (Look::Quick, _) if seen >= KEYS_OF_FILE => break,
                (Look::Quick, _) => testimony.look_at(quick_times(&track), patience),
                (Look::Whole, Some(times)) => testimony.look_at(times, patience),
                (Look::Whole, None) => testimony.look_at(track.times(), patience),
            }
            if testimony.refutations >= patience {
                break;
            }
        }
        testimony
    }

    fn look_at(&mut self, times: impl Iterator<Item = f32>, patience: u64) {
        let mut last = 0.0_f32;
        for (index, time) in times.enumerate() {
            self.keys = self.keys.saturating_add(1);
            if index == 0 && time == 0.0 {
                self.begin_at_zero = self.begin_at_zero.saturating_add(1);
            }
            // Not so for NaN either; the first key of a track is not before 0.
            if time >= last && time < f32::INFINITY {
                self.largest = self.largest.max(time);
                last = time;
                continue;
            }
            self.refutations = self.refutations.saturating_add(1);
            if self.refutations >= patience {
                return;
            }
            if time.is_finite() {
                last = time.max(0.0);
            }
        }
    }
}

/// Returns the first times of a track, and the last one where it is found at once.
fn quick_times(track: &AnimxTrack<'_>) -> impl Iterator<Item = f32> {
    let last = if track.len() > KEYS_OF_TRACK { track.last_time() } else { None };
    let first = if last.is_some() { KEYS_OF_TRACK.saturating_sub(1) } else { KEYS_OF_TRACK };
    track.times().take(first).chain(last)
}

/// How much a testimony speaks for its order, in a file of a duration.
type Score = fn(&Testimony, f32) -> u64;

/// What speaks for an order: the one that scores higher by the first that tells them apart wins.
const CRITERIA: [(Evidence, Score); 4] = [
    (Evidence::OtherRefuted, |said, _| u64::from(said.refutations == 0)),
    (Evidence::WithinDuration, |said, end| u64::from(end > 0.0 && said.largest <= end)),
    (Evidence::EndsWithDuration, |said, end| u64::from(end > 0.0 && said.largest == end)),
    (Evidence::BeginsAtZero, |said, _| said.begin_at_zero),
];

/// Chooses between the default order and the other one.
fn decide(default: &Testimony, other: &Testimony, duration: f32) -> (CurveKeyOrder, Evidence) {
    if default.keys == 0 && other.keys == 0 {
        return (DEFAULT, Evidence::NoCurves);
    }
    if default.refutations > 0 && other.refutations > 0 {
        let fewer = default.refutations <= other.refutations;
        return (if fewer { DEFAULT } else { DEFAULT.other() }, Evidence::LeastRefuted);
    }
    for (evidence, score) in CRITERIA {
        match score(default, duration).cmp(&score(other, duration)) {
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

    fn heard(times: &[f32]) -> Testimony {
        let mut testimony = Testimony::NONE;
        testimony.look_at(times.iter().copied(), u64::MAX);
        testimony
    }

    #[test]
    fn times_that_no_track_has_refute_an_order() {
        assert_eq!(heard(&[0.0, 0.0, 1.0]).refutations, 0);
        assert_eq!(heard(&[-0.5]).refutations, 1);
        assert_eq!(heard(&[-0.0]).refutations, 0);
        assert_eq!(heard(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY]).refutations, 3);
        // Only the step down counts, not all that follows it.
        assert_eq!(heard(&[5.0, 1.0, 2.0, 3.0]).refutations, 1);
        assert_eq!(heard(&[5.0, -1.0, 0.5]).refutations, 1);
    }

    #[test]
    fn an_order_that_is_not_refuted_wins() {
        let (good, bad) = (heard(&[0.0, 1.0]), heard(&[1.0, 0.0]));
        assert_eq!(decide(&good, &bad, 9.0), (DEFAULT, Evidence::OtherRefuted));
        assert_eq!(decide(&bad, &good, 9.0), (DEFAULT.other(), Evidence::OtherRefuted));
    }

    #[test]
    fn of_two_that_are_refuted_the_less_refuted_wins() {
        let (one, two) = (heard(&[1.0, 0.0]), heard(&[2.0, 1.0, 0.0]));
        assert_eq!(decide(&two, &one, 9.0), (DEFAULT.other(), Evidence::LeastRefuted));
        assert_eq!(decide(&one, &two, 9.0), (DEFAULT, Evidence::LeastRefuted));
        assert_eq!(decide(&one, &one, 9.0), (DEFAULT, Evidence::LeastRefuted));
    }

    #[test]
    fn the_duration_decides_between_two_that_fit() {
        let (short, long) = (heard(&[0.5, 2.0]), heard(&[0.5, 4.0]));
        assert_eq!(decide(&long, &short, 2.0), (DEFAULT.other(), Evidence::WithinDuration));
        assert_eq!(decide(&short, &long, 4.0), (DEFAULT.other(), Evidence::EndsWithDuration));
        // Both end later, or there is no duration.
        assert_eq!(decide(&long, &short, 1.0), (DEFAULT, Evidence::Ambiguous));
        assert_eq!(decide(&long, &short, 0.0), (DEFAULT, Evidence::Ambiguous));
        assert_eq!(decide(&long, &short, f32::NAN), (DEFAULT, Evidence::Ambiguous));
    }

    #[test]
    fn then_the_beginning_decides_and_last_the_default() {
        let (at_zero, later) = (heard(&[0.0, 2.0]), heard(&[0.5, 2.0]));
        assert_eq!(decide(&later, &at_zero, 3.0), (DEFAULT.other(), Evidence::BeginsAtZero));
        assert_eq!(decide(&later, &later, 3.0), (DEFAULT, Evidence::Ambiguous));
        assert_eq!(decide(&Testimony::NONE, &Testimony::NONE, 3.0), (DEFAULT, Evidence::NoCurves));
    }
}
