//! The errors that findings state about a channel.

use inbetween_core::{Finding, Segment, codes};

use super::Reports;
use super::channel::Channel;

/// The sum of the findings of a channel.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stated {
    /// The sum of the stated errors.
    pub(super) error: f64,
    /// The sum of the stated time shifts, in seconds.
    pub(super) time_shift: f64,
    /// The number of findings that state an error.
    pub(super) count: usize,
    /// Whether keys that are NaN, infinite or no valid rotation are dropped.
    pub(super) drops_not_finite: bool,
    /// Whether any finding is about the channel.
    pub(super) is_named: bool,
    /// Whether an error is that of another component, which a format may have joined.
    pub(super) is_shared: bool,
}

impl Stated {
    pub(super) fn of(before: &Channel<'_>, after: &Channel<'_>, reports: Reports<'_>) -> Self {
        let mut stated = Self::default();
        let same = core::ptr::eq(reports.source, reports.result);
        let of_source = reports
            .source
            .iter()
            .filter(|finding| concerns(finding, before) || (same && concerns(finding, after)));
        let of_result = reports.result.iter().filter(|finding| !same && concerns(finding, after));
        for finding in of_source.chain(of_result) {
            stated.is_named = true;
            stated.drops_not_finite |= finding.code == codes::VALUE_NOT_FINITE
                || finding.code.id().ends_with("rotation-invalid");
            if let Some((error, time_shift)) = amounts(finding) {
                stated.error += error;
                stated.time_shift += time_shift;
                stated.count += 1;
                let track = track_of(finding);
                let own = track.is_none_or(|track| before.tracks().contains(&track));
                // The first of several joined components may be exact while another is not.
                let joined = before.joined_at() == track
                    && joined_tracks(reports.source).any(|joined| Some(joined) == track);
                stated.is_shared |= !own || joined;
            }
        }
        stated
    }
}

/// Returns whether a finding is about a track of a channel, or about no particular track.
///
/// Conversions report joined components at the first of them; edits report each track.
pub(super) fn concerns(finding: &Finding, channel: &Channel<'_>) -> bool {
    track_of(finding).is_none_or(|track| {
        let joins = !finding.code.id().starts_with("edit/");
        if joins { channel.is_of(track) } else { channel.tracks().contains(&track) }
    })
}

/// The tracks of the source that findings report as dropped.
#[derive(Debug, Default)]
pub(super) struct Dropped {
    /// Tracks that are dropped on their own.
    pub(super) alone: Vec<usize>,
    /// Tracks that are dropped with the components joined to them.
    pub(super) joined: Vec<usize>,
}

impl Dropped {
    pub(super) fn of(findings: &[Finding]) -> Self {
        // A track that is kept without keys has no channel when it is read back.
        let gone = ["track-dropped", "/empty-track"];
        let says = |finding: &&Finding| gone.iter().any(|code| finding.code.id().ends_with(code));
        let joined: Vec<usize> = joined_tracks(findings).collect();
        let dropped = findings.iter().filter(says).filter_map(track_of);
        let (joined, alone) = dropped.partition(|track| joined.contains(track));
        Self { alone, joined }
    }
}

/// Returns the tracks at which findings report joined components.
fn joined_tracks(findings: &[Finding]) -> impl Iterator<Item = usize> {
    let joins =
        |finding: &&Finding| [codes::COMPONENTS_JOINED, codes::EULER_BAKED].contains(&finding.code);
    findings.iter().filter(joins).filter_map(track_of)
}

/// Returns the index in the path `tracks[index]`, `clips[0].tracks[index]` and the like.
fn track_of(finding: &Finding) -> Option<usize> {
    let segments = finding.path.segments();
    segments.windows(2).find_map(|pair| match pair {
        [Segment::Field("tracks"), Segment::Index(index)] => usize::try_from(*index).ok(),
        _ => None,
    })
}

/// The factor by which an error may exceed its four printed digits, of which the last is rounded.
const DIGITS: f64 = 1.001;

/// Returns the error and the time shift that a finding states.
///
/// Findings that do not carry it as a field state it in their message.
fn amounts(finding: &Finding) -> Option<(f64, f64)> {
    if let Some(error) = finding.error {
        return Some((error.value, error.time_shift));
    }
    let after = |mark: &str| -> Option<f64> {
        let start = finding.message.find(mark)? + mark.len();
        let rest = finding.message.get(start..)?;
        let end = rest.find([' ', ',', ';']).unwrap_or(rest.len());
        rest.get(..end)?.parse().ok()
    };
    if let Some(error) = after("off by at most ") {
        return Some((error * DIGITS, 0.0));
    }
    after("by at most ").map(|shift| (0.0, shift * 1.1))
}
