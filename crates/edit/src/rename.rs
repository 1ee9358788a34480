//! Renames nodes, properties, clips and markers.

use std::collections::{BTreeMap, HashMap, HashSet};

use inbetween_core::{
    Animation, Document, Finding, Outcome, Property, Target, Text, codes as shared, counted, shown,
};

use crate::clips::clip_number;
use crate::names::{Renaming, Uses};
use crate::work::Work;
use crate::{EditError, Settings, codes};

/// What a renaming applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Named {
    /// The nodes of tracks, blend overrides and the skeleton.
    Nodes,
    /// The properties of tracks, by the names that patterns use: `Position`, `Weight:smile`, or a
    /// custom name. Components keep their axis.
    Properties,
    /// The clips, by their names or numbers: `#2` is the second one. A clip without a name has the
    /// empty name.
    Clips,
    /// The markers.
    Markers,
}

/// Renames nodes by a map of exact names, all at once, so that two can swap names.
///
/// Tracks, blend overrides and the bones of the skeleton follow. Names that no node has are
/// reported, and so are tracks that become the same as others.
///
/// # Errors
///
/// If two bones of the skeleton get the same name.
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
    document: Document,
    map: &[(Text, Text)],
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    rename_by(document, Named::Nodes, &Renaming::exact(map), settings)
}

/// Renames nodes, properties, clips or markers by patterns, all at once.
///
/// Rules that match nothing are reported, and so are tracks that become the same as others.
///
/// # Errors
///
/// If two bones of the skeleton or two clips get the same name, or a property does not accept the
/// values of a track.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document, Marker};
/// use inbetween_edit::{Case, Named, Renaming, Settings, rename_by};
///
/// let marker = Marker { time: 0.0, name: "step_l".into() };
/// let clip = Animation::default().with_markers(vec![marker]);
/// let rules = Renaming::new(&[("step_*".into(), "foot.*".into())], Case::Sensitive)?;
/// let renamed = rename_by(Document::single(clip), Named::Markers, &rules, &Settings::default())?;
/// assert_eq!(&*renamed.value.clips[0].markers[0].name, "foot.l");
/// # Ok::<(), inbetween_edit::EditError>(())
/// ```
pub fn rename_by(
    document: Document,
    named: Named,
    renaming: &Renaming,
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    let mut uses = Uses::of(renaming);
    let mut outcome = match named {
        Named::Nodes => rename_nodes(document, &mut uses, settings)?,
        Named::Properties => rename_properties(document, &mut uses, settings)?,
        Named::Clips => rename_clips(document, &mut uses)?,
        Named::Markers => rename_markers(document, &mut uses),
    };
    let mut unused = uses.unused();
    if !unused.is_empty() {
        unused.sort_unstable();
        let some: Vec<&str> = unused.iter().take(8).copied().collect();
        let more = if unused.len() > some.len() { ", ..." } else { "" };
        let count = counted(unused.len(), "name");
        let message = format!("{count} of the map: {}{more}", some.join(", "));
        outcome.findings.push(Finding::new(codes::NAME_UNUSED, message));
    }
    Ok(outcome)
}

fn rename_nodes(
    mut document: Document,
    uses: &mut Uses<'_>,
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    // A writer renames the nodes of the model too.
    let mut renamed: BTreeMap<Text, Text> = BTreeMap::new();
    let mut replace = |name: &mut Text| {
        let old = name.clone();
        uses.replace(name);
        if *name != old {
            renamed.insert(old, name.clone());
        }
    };
    if let Some(skeleton) = &document.skeleton {
        let renamed = skeleton.map(|bone| {
            for name in [Some(&mut bone.node), bone.parent.as_mut()].into_iter().flatten() {
                replace(name);
            }
        });
        document.skeleton = Some(renamed?);
    }
    let work = Work::on(&document, settings);
    let mut outcome = work.clips(document, |work, mut clip| {
        let known = doubles(&clip);
        clip.tracks = work.tracks(clip.tracks, |_, mut target, data| {
            if let Some(node) = &mut target.node {
                replace(node);
            }
            Ok((target, data))
        })?;
        for each in &mut clip.blend_overrides {
            replace(&mut each.node);
        }
        report_doubles(&clip, &known, work);
        Ok(clip)
    })?;
    if let Some(origin) = outcome.value.origin.as_mut().filter(|origin| origin.model.is_some()) {
        origin.renamed.push(renamed.into_iter().collect());
    }
    Ok(outcome)
}

fn rename_properties(
    document: Document,
    uses: &mut Uses<'_>,
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    let work = Work::on(&document, settings);
    work.clips(document, |work, mut clip| {
        let known = doubles(&clip);
        let states_blend = clip.states_blend();
        clip.tracks = work.tracks(clip.tracks, |_, mut target, data| {
            if let Some(name) = uses.apply(&target.property.name()) {
                target.property = property(&target.property, &name);
            }
            Ok((target, data))
        })?;
        if states_blend {
            clip.expand_blend();
        }
        report_doubles(&clip, &known, work);
        Ok(clip)
    })
}

/// Returns the property with a name, as patterns spell it.
fn property(old: &Property, name: &str) -> Property {
    if old.name() == name {
        return old.clone();
    }
    match (name, name.strip_prefix("Weight:")) {
        ("Position", _) => Property::Translation,
        ("Rotation", _) => Property::Rotation,
        ("Scale", _) => Property::Scale,
        (_, Some(shape)) => Property::Weight(shape.into()),
        (name, None) => Property::Custom(Some(name.into())),
    }
}

fn rename_clips(
    mut document: Document,
    uses: &mut Uses<'_>,
) -> Result<Outcome<Document>, EditError> {
    let mut renamed = Vec::new();
    for (index, clip) in document.clips.iter_mut().enumerate() {
        let name = clip.name.as_deref().unwrap_or_default();
        let new = uses.apply(name).or_else(|| uses.apply(&clip_number(index + 1)));
        if let Some(new) = new {
            renamed.push(new.clone());
            clip.name = Some(new);
        }
    }
    let mut counts: HashMap<String, usize> = HashMap::new();
    for name in document.clips.iter().filter_map(|clip| clip.name.as_deref()) {
        *counts.entry(name.to_ascii_lowercase()).or_default() += 1;
    }
    // Clips of equal names that keep them are no error.
    let is_taken = |name: &Text| counts.get(&name.to_ascii_lowercase()).is_some_and(|it| *it > 1);
    match renamed.into_iter().rfind(is_taken) {
        Some(name) => Err(EditError::ClipExists { name: name.to_string() }),
        None => Ok(Outcome { value: document, findings: Vec::new() }),
    }
}

fn rename_markers(mut document: Document, uses: &mut Uses<'_>) -> Outcome<Document> {
    for marker in document.clips.iter_mut().flat_map(|clip| &mut clip.markers) {
        uses.replace(&mut marker.name);
    }
    Outcome { value: document, findings: Vec::new() }
}

/// Reports tracks that now have the same target as an earlier one, except those that already had.
fn report_doubles(clip: &Animation, known: &HashSet<usize>, work: &mut Work<'_>) {
    for index in doubles(clip).difference(known).copied().collect::<std::collections::BTreeSet<_>>()
    {
        if let Some(track) = clip.tracks.get(index) {
            work.findings.enter_track(index, track.target());
            work.say(shared::DUPLICATE_TRACK, shown(&track.target().label()).to_string());
        }
    }
    work.findings.leave();
}

/// Returns the tracks with the same target as an earlier one.
fn doubles(clip: &Animation) -> HashSet<usize> {
    let mut seen: HashSet<&Target> = HashSet::new();
    let tracks = clip.tracks.iter().enumerate();
    tracks.filter(|(_, track)| !seen.insert(track.target())).map(|(index, _)| index).collect()
}
