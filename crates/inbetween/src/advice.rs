//! What only the played content of a file tells: likely mistakes, and how a program treats it.

use core::ops::ControlFlow;

use inbetween_core::{
    Animation, Code, Document, Finding, Findings, Format, FormatInfo, Interpolation, Limits,
    Looping, Property, Quat, ReadError, Skeleton, Track, TrackData, codes, counted, rows, shown,
    significant,
};

use crate::Profile;
use crate::profile::Segments;

/// Checks a file: its bytes, what plays, and what a program does with it.
///
/// # Errors
///
/// If the bytes are too far from a file of the format to be checked.
pub fn check(
    format: &dyn Format,
    bytes: &[u8],
    profile: Option<&Profile>,
    limits: &Limits,
) -> Result<Vec<Finding>, ReadError> {
    let mut findings = format.check(bytes, limits)?;
    // A file that cannot be read has errors that say so.
    if let Ok(read) = format.read(bytes, limits) {
        findings.extend(advise(&read.value, format.info(), profile));
    }
    Ok(findings)
}

/// Returns likely mistakes in the content of a file, and what a program does with it.
///
/// The checks of formats look at bytes; this looks at what plays. A guess is a warning only if it is
/// nearly certain.
///
/// # Examples
///
/// ```
/// use inbetween::{Animation, Document, Property, Target, Track, TrackData, advise};
///
/// let values = vec![[0.0_f32; 3], [0.0, -1.2e31, 0.0], [1.0; 3]];
/// let track = Track::new(Target::new("hips", Property::Translation), TrackData::uniform(1.0, values))?;
/// let document = Document::single(Animation::new(vec![track]));
/// let info = inbetween::core::FormatInfo::new("mine", "Mine", inbetween::core::FileEncoding::Binary);
/// let found = advise(&document, &info, None);
/// assert_eq!(found[0].to_string(), "warning: value-spike: hips/Position, key 1: -1.2e31, and no other value is beyond 1");
/// # Ok::<(), inbetween::core::TrackError>(())
/// ```
pub fn advise(document: &Document, from: &FormatInfo, profile: Option<&Profile>) -> Vec<Finding> {
    let mut findings = Findings::new(&Limits::default());
    let many = document.clips.len() > 1;
    for (index, clip) in document.clips.iter().enumerate() {
        findings.enter_clip(many.then_some((index, clip.name.as_ref())));
        late(clip, &mut findings);
        seam(clip, &mut findings);
        for (index, track) in clip.tracks.iter().enumerate() {
            findings.enter_track(index, track.target());
            spike(track.data(), &mut findings);
            if let Some(code) = profile.and_then(|profile| treatment(profile, from, track)) {
                findings.push(Finding::new(code, treated(track)));
            }
        }
    }
    findings.enter_clip(None);
    if let Some(profile) = profile {
        findings.extend(profile.of_format(from));
        names(document, profile, &mut findings);
    }
    findings.into_vec()
}

/// Reports a clip whose first key is late: programs wait for it, or cut the time before it.
fn late(clip: &Animation, findings: &mut Findings) {
    let starts = clip.tracks.iter().filter_map(|track| track.data().time(0));
    let first = starts.fold(f64::INFINITY, f64::min);
    if first.is_finite() && first > 1e-6 {
        let message = format!("the first key is at {} s", significant(first));
        findings.push(Finding::new(codes::STARTS_LATE, message));
    }
}

/// Reports tracks of a repeated clip that end elsewhere than they start.
fn seam(clip: &Animation, findings: &mut Findings) {
    if clip.looping != Looping::Loop {
        return;
    }
    let open = clip.tracks.iter().filter(|track| {
        let (data, property) = (track.data(), &track.target().property);
        let moves =
            matches!(property, Property::Translation | Property::Rotation | Property::Scale);
        let last = data.len().saturating_sub(1);
        moves && data.plays() && !is_closed(data, last)
    });
    let mut open = open.peekable();
    if let Some(first) = open.peek() {
        let first = shown(&first.target().label()).to_string();
        let message = match open.count() {
            1 => format!("{first} ends elsewhere than it starts"),
            count => format!("{count} tracks end elsewhere than they start, first {first}"),
        };
        findings.push(Finding::new(codes::LOOP_SEAM, message));
    }
}

/// Returns whether the last value of a track is the first one, within what the eye sees.
fn is_closed(data: &TrackData, last: usize) -> bool {
    if data.kind().is_quaternion() {
        let rotation = |key| Quat::from_array(rows::row::<4>(data.values(), key));
        // A rotation without direction is another finding.
        let angle = rotation(0).angle_to(rotation(last));
        return angle.is_nan() || angle <= 0.5_f64.to_radians();
    }
    let (start, end) = (rows::numbers(data.values(), 0), rows::numbers(data.values(), last));
    let (Some(start), Some(end)) = (start, end) else { return true };
    let scale = start.iter().fold(1.0_f64, |scale, part| scale.max(part.abs()));
    start.iter().zip(&end).all(|(one, other)| (one - other).abs() <= 1e-3 * scale)
}

/// A value is a spike from this magnitude on, if it is this many times as large as all others.
const SPIKE: (f64, f64) = (1e6, 1e4);

/// Reports a value that is far outside all others of its track.
fn spike(data: &TrackData, findings: &mut Findings) {
    let width = rows::width(data.kind());
    if data.kind().is_quaternion() || data.len() < 3 {
        return;
    }
    for part in 0..width {
        let (mut largest, mut second) = ((0.0_f64, 0), 0.0_f64);
        let each = (0..data.len()).try_for_each(|key| {
            let Some(row) = rows::numbers(data.values(), key) else {
                return ControlFlow::Break(());
            };
            let value = row.get(part).copied().unwrap_or_default();
            if value.is_finite() && value.abs() > largest.0.abs() {
                second = largest.0.abs();
                largest = (value, key);
            } else if value.is_finite() {
                second = second.max(value.abs());
            }
            ControlFlow::Continue(())
        });
        let (value, key) = largest;
        let (from, times) = SPIKE;
        if each.is_continue() && value.abs() >= from && value.abs() >= times * second {
            let (value, second) = (significant(value), significant(second));
            let message = format!("{value}, and no other value is beyond {second}");
            findings.push(Finding::new(codes::VALUE_SPIKE, message).key(key));
        }
    }
}

/// Returns what a program does with the segments of a track, if it does not play them.
fn treatment(profile: &Profile, from: &FormatInfo, track: &Track) -> Option<Code> {
    let data = track.data();
    let keys = || 0..data.len().saturating_sub(1);
    let has = |wanted: fn(Interpolation) -> bool| {
        data.plays() && keys().any(|key| wanted(data.interpolation(key)))
    };
    let curved = |each| matches!(each, Interpolation::Hermite | Interpolation::Bezier);
    match profile.segments(from)? {
        Segments::Linear => {
            has(|each| each != Interpolation::Linear).then_some(codes::PLAYS_LINEAR)
        }
        Segments::WithoutTangents => has(curved).then_some(codes::TANGENTS_IGNORED),
        Segments::Resampled => has(curved).then_some(codes::CURVES_RESAMPLED),
    }
}

fn treated(track: &Track) -> String {
    format!("{} of {}", track.data().shape().name(), counted(track.data().len(), "key"))
}

/// Reports names of nodes that a program changes.
fn names(document: &Document, profile: &Profile, findings: &mut Findings) {
    let bones = document.skeleton.iter().flat_map(Skeleton::bones);
    let bones = bones.map(|bone| &*bone.node);
    let tracks = document.clips.iter().flat_map(|clip| &clip.tracks);
    let nodes = tracks.filter_map(|track| track.target().node.as_deref());
    let changed = |name: &&str| name.contains(profile.changed_letters);
    for name in bones.chain(nodes).filter(changed) {
        let message = format!("\"{}\"", shown(name));
        findings.add(codes::NAME_CHANGED, || Finding::new(codes::NAME_CHANGED, message));
    }
}
