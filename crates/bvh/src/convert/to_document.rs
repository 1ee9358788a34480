//! Converts the exact model to the common model.

use inbetween_core::frames::{self, DEFAULT_RATE};
use inbetween_core::keys::KeyOrder;
use inbetween_core::{
    Animation, Budget, Context, Document, Finding, Findings, Interpolation, Interpolations, Origin,
    Outcome, Path, ReadError, Target, Track, TrackData, codes as shared,
};

use crate::layout::ID;
use crate::{BvhFile, BvhHeader, BvhTrack, RULES};

/// Converts a file.
pub(crate) fn to_document(
    file: &BvhFile<'_>,
    budget: &mut Budget,
) -> Result<Outcome<Document>, ReadError> {
    let mut context = Context::new(budget);
    report_dropped(file, &mut context.findings);
    let header = file.header();
    let rate = frame_rate(header, &mut context.findings);
    let mut tracks = Vec::with_capacity(file.tracks().len());
    for (index, track) in file.tracks().enumerate() {
        let target = Target::new(track.name(), track.channel().property());
        context.findings.enter_track(index, &target);
        let read = read_track(&track, target, rate, &mut context);
        let path = || Path::item("tracks", index);
        tracks.push(read.map_err(|error| error.in_format(ID).at_path(path()))?);
    }
    let clip = Animation::new(tracks)
        .with_rules(RULES)
        .with_duration(header.duration)
        .with_frame_rate(rate);
    let document = Document::single(clip).with_origin(Origin::new(ID));
    Ok(Outcome::new(document, context.findings))
}

/// Returns the frame rate used to compute times.
fn frame_rate(header: &BvhHeader, findings: &mut Findings) -> f64 {
    let stated = f64::from(header.frame_rate);
    if frames::valid_rate(stated) {
        return stated;
    }
    let message = format!("{stated} frames per second, using {DEFAULT_RATE}");
    let finding = Finding::new(shared::FRAME_RATE_REPLACED, message);
    findings.push(finding.at(Path::field("frameRate")));
    DEFAULT_RATE
}

/// Reports data that the common model does not support.
fn report_dropped(file: &BvhFile<'_>, findings: &mut Findings) {
    let reserved = file.header().reserved;
    if reserved != 0 {
        let finding = Finding::new(shared::RESERVED_DROPPED, format!("{reserved:#06x}"));
        findings.push(finding.at(Path::field("reserved")));
    }
    if !file.trailing().is_empty() {
        let message = format!("{} bytes", file.trailing().len());
        findings.push(Finding::new(shared::TRAILING_DROPPED, message));
    }
}

/// Decodes a track with its keys sorted by time.
fn read_track(
    track: &BvhTrack<'_>,
    target: Target,
    rate: f64,
    context: &mut Context<'_>,
) -> Result<Track, ReadError> {
    // The columns are charged before they are allocated: a time, and the numbers of a key.
    let key = track.channel().kind().encoded_size().unwrap_or(0).saturating_add(size_of::<f64>());
    context.budget.charge_columns(track.len().saturating_mul(key))?;
    let seconds = |frame: u32| f64::from(frame) / rate;
    let time = |key: usize| track.frame(key).map_or(f64::NAN, seconds);
    let mut times = Vec::with_capacity(track.len());
    times.extend(track.frames().map(seconds));
    let order = KeyOrder::of(times, time);
    order.report(&mut context.findings);
    let values = track.values(order.indices());
    let linear = Interpolations::Shared(Interpolation::Linear);
    let broken = |error: String| ReadError::invalid("keys that make a track", error);
    let data = TrackData::curve(order.into_times(time), values, linear, None);
    let data = data.map_err(|error| broken(error.to_string()))?;
    Track::new(target, data).map_err(|error| broken(error.to_string()))
}
