//! What findings state about a channel.

use inbetween_core::Finding;

use super::Reports;
use super::channel::Channel;
use super::excuses::{JOINED, NOT_FINITE, NOT_MEASURED, STORED_OTHERWISE, TRACK_LOST, has_code};

/// The sum of the findings of a channel.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stated {
    /// The sum of the stated errors; infinite if one is reported as not measured.
    pub(super) error: f64,
    /// The sum of the stated time shifts, in seconds.
    pub(super) time_shift: f64,
    /// Whether keys are reported that are NaN, infinite or no valid rotation.
    pub(super) names_not_finite: bool,
    /// Whether the values are stored in another way.
    pub(super) is_stored_otherwise: bool,
}

impl Stated {
    pub(super) fn of(
        before: &Channel<'_>,
        after: &Channel<'_>,
        reports: Reports<'_>,
    ) -> Result<Self, String> {
        let mut stated = Self::default();
        for finding in reports.of_pair(before, after) {
            stated.is_stored_otherwise |= has_code(finding, STORED_OTHERWISE);
            stated.names_not_finite |= has_code(finding, NOT_FINITE);
            if has_code(finding, NOT_MEASURED) {
                stated.error = f64::INFINITY;
            }
            let Some(error) = finding.error else { continue };
            if !(error.value.is_finite() && error.time_shift.is_finite()) {
                return Err(format!("an error is not finite: {finding}"));
            }
            stated.error += error.value;
            stated.time_shift += error.time_shift;
        }
        Ok(stated)
    }
}

/// The tracks of the source that findings report as lost.
#[derive(Debug, Default)]
pub(super) struct Lost {
    /// Tracks that are lost on their own.
    pub(super) alone: Vec<usize>,
    /// Tracks that are lost with the components joined to them.
    pub(super) joined: Vec<usize>,
}

impl Lost {
    pub(super) fn of(findings: &[Finding]) -> Self {
        let joined: Vec<usize> = joined_tracks(findings).collect();
        let lost = findings.iter().filter(|finding| has_code(finding, TRACK_LOST));
        let (joined, alone) = lost.filter_map(track_of).partition(|track| joined.contains(track));
        Self { alone, joined }
    }
}

/// Returns the tracks at which findings report joined components.
pub(super) fn joined_tracks(findings: &[Finding]) -> impl Iterator<Item = usize> {
    findings.iter().filter(|finding| has_code(finding, JOINED)).filter_map(track_of)
}

/// Returns the track of a finding; `None` if it is about the whole clip.
pub(super) fn track_of(finding: &Finding) -> Option<usize> {
    finding.place.track.as_ref().map(|track| track.index)
}
