//! Builds the exact model from owned parts and checks every invariant.

use inbetween_core::num::u64_from_len;
use inbetween_core::{Interpolation, Path, Segment, Values, WriteError, rows, shown};

use crate::file::{AnimjFile, AnimjKeys, AnimjParts, AnimjTangents, AnimjTrack};
use crate::layout::{ID, ROOT, TrackType};
use crate::member::Member;
use crate::reader_path::pointer;

impl AnimjFile {
    /// Creates a file from owned parts.
    ///
    /// # Errors
    ///
    /// If an invariant of the type does not hold; the error has the path in the file to be written.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_animj::{AnimjFile, AnimjParts};
    ///
    /// let parts = AnimjParts { global_duration: f32::NAN, ..AnimjParts::default() };
    /// let error = AnimjFile::from_parts(parts).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "animj: /globalDuration: NaN cannot be written: JSON numbers are finite"
    /// );
    /// ```
    pub fn from_parts(parts: AnimjParts) -> Result<Self, WriteError> {
        check_duration(parts.global_duration)?;
        check_extra(&parts.extra, ROOT)?;
        for (index, track) in parts.tracks.iter().enumerate() {
            check_track(index, track)?;
        }
        Ok(Self { parts })
    }
}

/// Checks the duration of a file.
pub(crate) fn check_duration(duration: f32) -> Result<(), WriteError> {
    must_be_finite(duration.is_finite(), duration)
        .map_err(|error| error.at_path(pointer(vec![Segment::Field("globalDuration")])))
}

/// Checks the track with an index.
pub(crate) fn check_track(index: usize, track: &AnimjTrack) -> Result<(), WriteError> {
    let place = TrackPath { track: index };
    let (track_type, interval, times, values) = match &track.keys {
        AnimjKeys::Raw { interval, values } => (TrackType::Raw, *interval, None, values),
        AnimjKeys::Discrete { times, values } => (TrackType::Discrete, 0.0, Some(times), values),
        AnimjKeys::Curve { times, values, interpolation, tangents } => {
            check_curve(place, values, interpolation, tangents.as_deref())?;
            (TrackType::Curve, 0.0, Some(times), values)
        }
    };
    check_extra(&track.extra, track_type.data_names())
        .map_err(|error| error.at_path(place.data()))?;
    must_be_finite(interval.is_finite(), interval)
        .map_err(|error| error.at_path(place.member("interval")))?;
    if let Some(times) = times {
        same_length(place, "times", times.len(), values.len())?;
        if let Some((key, time)) = times.iter().enumerate().find(|(_, time)| !time.is_finite()) {
            return must_be_finite(false, *time)
                .map_err(|error| error.at_path(place.key(key, "time")));
        }
    }
    check_values(place, values, (track_type != TrackType::Raw).then_some("value"))
}

fn check_curve(
    place: TrackPath,
    values: &Values,
    interpolation: &[Interpolation],
    tangents: Option<&AnimjTangents>,
) -> Result<(), WriteError> {
    same_length(place, "interpolations", interpolation.len(), values.len())?;
    let Some(AnimjTangents { left, right, given }) = tangents else { return Ok(()) };
    same_length(place, "sides of tangents", given.len(), values.len())?;
    for (side, name) in [(left, "leftTangent"), (right, "rightTangent")] {
        same_length(place, name, side.len(), values.len())?;
        if side.kind() != values.kind() {
            let what =
                format!("{name} of kind {} on values of kind {}", side.kind(), values.kind());
            return Err(inconsistent(what).at_path(place.data()));
        }
        check_values(place, side, Some(name))?;
    }
    Ok(())
}

/// The path of a track in the file to be written.
#[derive(Clone, Copy)]
struct TrackPath {
    track: usize,
}

impl TrackPath {
    fn segments(self) -> Vec<Segment> {
        let track = Segment::Index(u64_from_len(self.track));
        vec![Segment::Field("tracks"), track, Segment::Field("data")]
    }

    fn data(self) -> Path {
        pointer(self.segments())
    }

    fn member(self, name: &'static str) -> Path {
        self.data().then(name)
    }

    fn item(self, key: usize) -> Path {
        let mut segments = self.segments();
        segments.extend([Segment::Field("keyframes"), Segment::Index(u64_from_len(key))]);
        pointer(segments)
    }

    fn key(self, key: usize, member: &'static str) -> Path {
        self.item(key).then(member)
    }
}

fn check_extra(extra: &[Member], known: &[&str]) -> Result<(), WriteError> {
    match extra.iter().find(|member| known.contains(&member.name())) {
        Some(member) => Err(inconsistent(format!("an extra member \"{}\"", shown(member.name())))),
        None => Ok(()),
    }
}

fn same_length(
    place: TrackPath,
    what: &str,
    found: usize,
    values: usize,
) -> Result<(), WriteError> {
    if found == values {
        return Ok(());
    }
    Err(inconsistent(format!("{found} {what} for {values} values")).at_path(place.data()))
}

fn inconsistent(what: String) -> WriteError {
    WriteError::inconsistent(what).in_format(ID)
}

fn must_be_finite(is_finite: bool, number: impl std::fmt::Display) -> Result<(), WriteError> {
    if is_finite {
        return Ok(());
    }
    Err(WriteError::not_representable(number.to_string(), "JSON numbers are finite").in_format(ID))
}

fn check_values(
    place: TrackPath,
    values: &Values,
    member: Option<&'static str>,
) -> Result<(), WriteError> {
    let Some((key, number)) = rows::not_finite(values).next() else { return Ok(()) };
    let path = match member {
        Some(member) => place.key(key, member),
        None => place.item(key),
    };
    must_be_finite(false, number).map_err(|error| error.at_path(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(keys: AnimjKeys) -> String {
        let track = AnimjTrack { node: None, property: None, keys, extra: Vec::new() };
        let parts = AnimjParts { tracks: vec![track], ..AnimjParts::default() };
        AnimjFile::from_parts(parts).unwrap_err().to_string()
    }

    #[test]
    fn rejects_columns_of_unequal_length() {
        let keys = AnimjKeys::Discrete { times: vec![0.0], values: vec![1_i32, 2].into() };
        assert_eq!(error(keys), "animj: /tracks/0/data: 1 times for 2 values");
    }

    #[test]
    fn rejects_tangents_of_another_kind() {
        let tangents = AnimjTangents {
            left: vec![0.0_f64].into(),
            right: vec![0.0_f32].into(),
            given: vec![crate::Sides::Both],
        };
        let keys = AnimjKeys::Curve {
            times: vec![0.0],
            values: vec![0.0_f32].into(),
            interpolation: vec![Interpolation::Hermite],
            tangents: Some(Box::new(tangents)),
        };
        assert_eq!(
            error(keys),
            "animj: /tracks/0/data: leftTangent of kind double on values of kind float"
        );
    }

    #[test]
    fn names_the_key_of_a_non_finite_number() {
        let keys = AnimjKeys::Discrete {
            times: vec![0.0, 1.0],
            values: vec![[0.0_f32; 3], [0.0, f32::INFINITY, 0.0]].into(),
        };
        assert_eq!(
            error(keys),
            "animj: /tracks/0/data/keyframes/1/value: inf cannot be written: JSON numbers are finite"
        );
        let keys = AnimjKeys::Raw { interval: 1.0, values: vec![f64::NAN].into() };
        assert_eq!(
            error(keys),
            "animj: /tracks/0/data/keyframes/0: NaN cannot be written: JSON numbers are finite"
        );
    }

    #[test]
    fn rejects_an_extra_member_that_would_be_read_as_a_known_one() {
        let extra = vec![Member::new("interval", "1").unwrap()];
        let raw = AnimjKeys::Raw { interval: 1.0, values: vec![0_u8].into() };
        let discrete = AnimjKeys::Discrete { times: vec![1.0], values: vec![0_u8].into() };
        let file = |keys| {
            let track = AnimjTrack { node: None, property: None, keys, extra: extra.clone() };
            AnimjFile::from_parts(AnimjParts { tracks: vec![track], ..AnimjParts::default() })
        };
        assert!(file(raw).is_err());
        assert!(file(discrete).is_ok());
    }
}
