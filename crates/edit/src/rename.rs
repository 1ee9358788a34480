//! Renames nodes.

use std::collections::{HashMap, HashSet};

use inbetween_core::{Animation, Document, Outcome, Target, Text, shown};

use crate::select::describe;
use crate::work::Work;
use crate::{EditError, Settings, codes};

/// Renames nodes by a map, all at once, so that two can swap names.
///
/// Tracks, blend overrides and the bones of the skeleton follow. Names that no node has are reported, and so are tracks that
/// become the same as others.
///
/// # Errors
///
/// When two bones of the skeleton get the same name.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document, Property, Target, Track, TrackData};
/// use inbetween_edit::{Settings, rename};
///
/// let data = TrackData::uniform(1.0, vec![[0.0_f32; 3]]);
/// let track = Track::new(Target::new("hip", Property::Scale), data)?;
/// let clip = Animation::new(vec![track]);
/// let map = [("hip".into(), "Hips".into())];
/// let renamed = rename(Document::single(clip), &map, &Settings::default())?.value;
/// assert_eq!(renamed.clips[0].tracks[0].target().node.as_deref(), Some("Hips"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rename(
    mut document: Document,
    map: &[(Text, Text)],
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    let names: HashMap<&str, &Text> = map.iter().map(|(old, new)| (old.as_ref(), new)).collect();
    let mut unused: HashSet<&str> = names.keys().copied().collect();
    if let Some(skeleton) = &document.skeleton {
        let renamed = skeleton.map(|bone| {
            for name in [Some(&mut bone.node), bone.parent.as_mut()].into_iter().flatten() {
                replace(name, &names, &mut unused);
            }
        });
        document.skeleton = Some(renamed?);
    }
    let work = Work::on(&document, settings);
    let mut outcome = work.clips(document, |work, mut clip| {
        let known = doubles(&clip);
        clip.tracks = work.tracks(clip.tracks, |_, mut target, data| {
            if let Some(node) = &mut target.node {
                replace(node, &names, &mut unused);
            }
            Ok((target, data))
        })?;
        for each in &mut clip.blend_overrides {
            replace(&mut each.node, &names, &mut unused);
        }
        let mut seen: HashSet<&Target> = HashSet::new();
        for (index, track) in clip.tracks.iter().enumerate() {
            if !seen.insert(track.target()) && !known.contains(&index) {
                work.enter_track(index);
                work.say(codes::DUPLICATE_TARGET, shown(&describe(track.target())).to_string());
            }
        }
        work.leave_tracks();
        Ok(clip)
    })?;
    if !unused.is_empty() {
        let mut unused: Vec<&str> = unused.into_iter().collect();
        unused.sort_unstable();
        let shown: Vec<&str> = unused.iter().take(8).copied().collect();
        let more = if unused.len() > shown.len() { ", ..." } else { "" };
        let count = crate::trim::count(unused.len(), "name");
        let message = format!("{count} of the map: {}{more}", shown.join(", "));
        outcome.findings.push(inbetween_core::Finding::new(codes::NAME_UNUSED, message));
    }
    Ok(outcome)
}

fn replace<'m>(node: &mut Text, names: &HashMap<&'m str, &Text>, unused: &mut HashSet<&'m str>) {
    if let Some((old, new)) = names.get_key_value(node.as_ref()) {
        unused.remove(old);
        *node = Text::clone(new);
    }
}

/// Returns the tracks with the same target as an earlier one.
fn doubles(clip: &Animation) -> HashSet<usize> {
    let mut seen: HashSet<&Target> = HashSet::new();
    let tracks = clip.tracks.iter().enumerate();
    tracks.filter(|(_, track)| !seen.insert(track.target())).map(|(index, _)| index).collect()
}
