//! Names and patterns of edits that match nothing.

use std::collections::BTreeSet;

use inbetween::core::shown;
use inbetween::edit::{NamePattern, Named, TrackPattern};
use inbetween::{Document, Marker, Skeleton, Target, similar_names};

use super::Step;
use crate::exit::Failure;
use crate::operations::Operation;

/// Returns an error that names similar names if an edit would find nothing to do.
pub(super) fn check(step: &Step, document: &Document, file: &str) -> Result<(), Failure> {
    let missing = match step {
        Step::Rename(kind, rules) => {
            let names = existing(*kind, document);
            let known = names.iter().map(String::as_str);
            let unused = rules.unused(known);
            // A map may have names that some files lack, but not only such names.
            let first = unused.first().filter(|_| unused.len() == rules.len());
            first.map(|old| ((*old).to_owned(), noun(*kind), names))
        }
        Step::Plain(
            Operation::Select(patterns)
            | Operation::Drop(patterns)
            | Operation::ScaleValues(patterns, _),
        ) => tracks(patterns, document),
        Step::Plain(Operation::DropClip(pattern)) => by_name(pattern, Named::Clips, document),
        Step::Plain(Operation::DropMarker(pattern)) => by_name(pattern, Named::Markers, document),
        Step::Plain(Operation::CopyClip(name, _)) if document.find_clip(name).is_none() => {
            Some((name.clone(), noun(Named::Clips), existing(Named::Clips, document)))
        }
        Step::Plain(_)
        | Step::Skeleton(_)
        | Step::Onto(..)
        | Step::Merge(..)
        | Step::Append(..) => None,
    };
    let Some((text, noun, names)) = missing else { return Ok(()) };
    if noun == "track" && existing(Named::Nodes, document).contains(&text) {
        let message = format!("no {noun} matches '{0}'; did you mean '{0}/*'?", shown(&text));
        return Err(Failure::Usage(format!("{file}: {message}")));
    }
    let near = similar_names(&text, names.iter().map(String::as_str)).into_iter();
    let near = near.map(|name| {
        let name = shown(name).to_string();
        format!("'{}'", if noun == "track" { as_pattern(&name) } else { name })
    });
    let near: Vec<String> = near.collect();
    let hint = match near.as_slice() {
        [] if names.is_empty() => "; the file has none".to_owned(),
        [] => "; `inbetween info --all` lists them".to_owned(),
        near => format!("; did you mean {}?", near.join(" or ")),
    };
    Err(Failure::Usage(format!("{file}: no {noun} matches '{}'{hint}", shown(&text))))
}

/// Returns the pattern of tracks that matches a node whose name has characters with a meaning there.
fn as_pattern(name: &str) -> String {
    let mut pattern = String::new();
    for character in name.chars() {
        match character {
            ',' | '{' | '}' | '[' | ']' | '*' | '?' => {
                pattern.extend(['[', character, ']']);
            }
            other => pattern.push(other),
        }
    }
    pattern
}

/// What is missing: the text, the noun, and the names that exist.
type Missed = (String, &'static str, BTreeSet<String>);

fn tracks(patterns: &[TrackPattern], document: &Document) -> Option<Missed> {
    let numbered = || document.clips.iter().flat_map(|clip| clip.tracks.iter().enumerate());
    let targets = || numbered().map(|(_, track)| track.target());
    let is_used = |pattern: &TrackPattern| {
        numbered().any(|(index, track)| pattern.matches_track(index, track.target()))
    };
    let unused = patterns.iter().find(|pattern| !is_used(pattern))?;
    let text = unused.as_str();
    let names = if text.contains('/') {
        targets().map(Target::label).collect()
    } else {
        existing(Named::Nodes, document)
    };
    Some((text.to_owned(), "track", names))
}

fn by_name(pattern: &NamePattern, kind: Named, document: &Document) -> Option<Missed> {
    let names = existing(kind, document);
    let used = names.iter().any(|name| pattern.matches(name));
    (!used).then(|| (pattern.as_str().to_owned(), noun(kind), names))
}

const fn noun(named: Named) -> &'static str {
    match named {
        Named::Properties => "property",
        Named::Clips => "clip",
        Named::Markers => "marker",
        _ => "node",
    }
}

/// Returns all names of a kind in a document.
fn existing(named: Named, document: &Document) -> BTreeSet<String> {
    let tracks = document.clips.iter().flat_map(|clip| &clip.tracks);
    let bones = document.skeleton.iter().flat_map(Skeleton::bones);
    let clips = document.clips.iter();
    match named {
        Named::Properties => {
            tracks.map(|track| track.target().property.name().into_owned()).collect()
        }
        Named::Clips => {
            let own = clips.map(|clip| clip.name.as_deref().unwrap_or_default().to_owned());
            own.chain((1..=document.clips.len()).map(|number| format!("#{number}"))).collect()
        }
        Named::Markers => {
            let name = |marker: &Marker| marker.name.as_ref().into();
            clips.flat_map(|clip| &clip.markers).map(name).collect()
        }
        _ => {
            let overrides = clips.flat_map(|clip| &clip.blend_overrides);
            let of_tracks = tracks.filter_map(|track| track.target().node.as_deref());
            let nodes = of_tracks.chain(bones.map(|bone| bone.node.as_ref()));
            nodes.chain(overrides.map(|each| each.node.as_ref())).map(str::to_owned).collect()
        }
    }
}
