//! Joining tracks of one component each into tracks of vectors.

use std::collections::HashMap;

use super::Lowering;
use crate::{
    Axis, BakeError, Baked, Code, Finding, Findings, Path, Property, Target, Track, TrackData,
    codes, counted,
};

impl Lowering<'_> {
    /// Joins the components of each property of each node; keeps the index of the first track.
    pub(super) fn join(
        &mut self,
        tracks: Vec<Track>,
        stores: impl Fn(&Target) -> bool,
        findings: &mut Findings,
    ) -> Result<Vec<(usize, Track)>, BakeError> {
        let mut joined: Vec<(usize, Joint)> = Vec::with_capacity(tracks.len());
        let mut open: HashMap<Target, usize> = HashMap::new();
        for (index, track) in tracks.into_iter().enumerate() {
            let (target, data) = track.into_parts();
            let Some(axis) = target.component.filter(|_| !stores(&target)) else {
                joined.push((index, Joint::Whole(Box::new((target, data)))));
                continue;
            };
            let whole = Target { component: None, ..target };
            let known = open.get(&whole).and_then(|&known| joined.get_mut(known));
            if let Some(slot) = known.and_then(|(_, joint)| joint.free_slot(axis)) {
                *slot = Some(data);
                continue;
            }
            let mut parts = Joint::Parts(whole.clone(), Box::default());
            if let Some(slot) = parts.free_slot(axis) {
                *slot = Some(data);
            }
            open.insert(whole, joined.len());
            joined.push((index, parts));
        }
        let tracks = joined.into_iter().map(|(index, joint)| match joint {
            Joint::Whole(track) => Ok((index, Track::trusted(track.0, track.1))),
            Joint::Parts(target, parts) => {
                findings.begin_scope();
                let path = Path::item("tracks", index);
                let Property::RotationEuler(order) = target.property else {
                    let data = self.join_parts(&target.property, &parts, &path, findings)?;
                    return Ok((index, Track::trusted(target, data)));
                };
                let baked = self.baker.join_quaternions(order, &parts, self.baker.target)?;
                let target = Target { property: Property::Rotation, ..target };
                report_joined(&parts, &baked, codes::EULER_BAKED, &path, findings);
                Ok((index, Track::trusted(target, baked.data)))
            }
        });
        tracks.collect()
    }

    /// Joins up to three tracks of numbers, one per axis, into one of vectors, and reports it.
    ///
    /// # Errors
    ///
    /// Same as [`Baker::join`](crate::Baker::join).
    pub fn join_parts(
        &mut self,
        property: &Property,
        parts: &[Option<TrackData>; 3],
        path: &Path,
        findings: &mut Findings,
    ) -> Result<TrackData, BakeError> {
        let baked = self.baker.join(property, parts, self.baker.target.of(property))?;
        report_joined(parts, &baked, codes::COMPONENTS_JOINED, path, findings);
        Ok(baked.data)
    }
}

fn report_joined(
    parts: &[Option<TrackData>; 3],
    baked: &Baked,
    code: Code,
    path: &Path,
    findings: &mut Findings,
) {
    let given = || parts.iter().flatten();
    let message = format!(
        "{} of {} became {}, {}",
        counted(given().count(), "track"),
        counted(given().map(TrackData::len).max().unwrap_or(0), "key"),
        counted(baked.data.len(), "key"),
        baked.error,
    );
    findings.push(Finding::new(code, message).at(path.clone()).error(baked.error));
}

/// A track, or the components of one.
enum Joint {
    Whole(Box<(Target, TrackData)>),
    Parts(Target, Box<[Option<TrackData>; 3]>),
}

impl Joint {
    /// Returns the slot of a component if it is still free.
    fn free_slot(&mut self, axis: Axis) -> Option<&mut Option<TrackData>> {
        match self {
            Self::Parts(_, parts) => parts.get_mut(axis.index()).filter(|slot| slot.is_none()),
            Self::Whole(_) => None,
        }
    }
}
