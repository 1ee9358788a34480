//! Copies, drops and appends whole clips.

use std::collections::HashSet;

use inbetween_core::{Animation, Document, Finding, Marker, Outcome, Text, Track, memory, num};

use crate::names::NamePattern;
use crate::work::Work;
use crate::{EditError, Settings, codes};

/// Adds a copy of a clip, under a new name, after the last clip.
///
/// The name is compared as in [`Document::find_clip`].
///
/// # Errors
///
/// If no clip has the name, a clip has the new name, or the system has too little memory for the
/// copy.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document};
/// use inbetween_edit::{Settings, copy_clip};
///
/// let doors = Document::single(Animation::default().with_name("opening"));
/// let doors = copy_clip(doors, "opening", "closing", &Settings::default())?.value;
/// assert_eq!(doors.find_clip("closing"), Some(1));
/// # Ok::<(), inbetween_edit::EditError>(())
/// ```
pub fn copy_clip(
    mut document: Document,
    name: &str,
    new: impl Into<Text>,
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    let index = document.find_clip(name);
    let index = index.ok_or_else(|| EditError::NoClip { name: name.to_owned() })?;
    let new = new.into();
    check_new(&document, &new)?;
    let work = Work::on(&document, settings);
    let Some(clip) = document.clips.get(index) else {
        return Err(EditError::NoClip { name: name.to_owned() });
    };
    charge(clip, &work)?;
    let copy = clip.clone().with_name(new);
    document.clips.push(copy);
    Ok(Outcome { value: document, findings: Vec::new() })
}

/// Charges the memory of a copy.
fn charge(clip: &Animation, work: &Work<'_>) -> Result<(), EditError> {
    let items = clip.tracks.len() + clip.blend_overrides.len() + 1;
    let heads = items.saturating_mul(size_of::<Track>());
    let markers = clip.markers.len() * size_of::<Marker>();
    let columns = clip.tracks.iter().map(|track| track.data().heap_bytes());
    let bytes = columns.fold(heads.saturating_add(markers), usize::saturating_add);
    let left = work.budget.lock().bytes_left();
    work.budget.lock().charge_bytes(bytes).map_err(|_| EditError::Limit {
        what: "the copy of the clip",
        bytes: num::u64_from_len(bytes),
        left,
    })?;
    work.baking(memory::ensure(bytes).map_err(Into::into))
}

/// Drops the clips whose name one of the patterns matches, or whose number: `#2` is the second clip.
///
/// A clip without a name has the empty name. Patterns that match no clip are reported.
pub fn drop_clips(mut document: Document, patterns: &[NamePattern]) -> Outcome<Document> {
    let numbers: Vec<String> = (1..=document.clips.len()).map(clip_number).collect();
    let names = document.clips.iter().map(|clip| clip.name.as_deref());
    let findings = unused(patterns, names.chain(numbers.iter().map(|number| Some(&**number))));
    let mut numbers = numbers.iter();
    document.clips.retain(|clip| {
        let (name, number) = (clip.name.as_deref().unwrap_or_default(), numbers.next());
        !patterns.iter().any(|pattern| {
            pattern.matches(name) || number.is_some_and(|number| pattern.as_str() == number)
        })
    });
    Outcome { value: document, findings }
}

/// Returns the number by which a clip is picked: `#2` for the second one.
pub(crate) fn clip_number(number: usize) -> String {
    format!("#{number}")
}

/// Reports the patterns that match none of the names.
pub(crate) fn unused<'n>(
    patterns: &[NamePattern],
    names: impl Iterator<Item = Option<&'n str>>,
) -> Vec<Finding> {
    let names: HashSet<&str> = names.map(Option::unwrap_or_default).collect();
    let is_unused = |pattern: &&NamePattern| !names.iter().any(|name| pattern.matches(name));
    let finding = |pattern: &NamePattern| {
        Finding::new(codes::NAME_UNUSED, format!("nothing matches {}", pattern.as_str()))
    };
    patterns.iter().filter(is_unused).map(finding).collect()
}

/// Adds the clips of another document after those of the first.
///
/// # Errors
///
/// If both have a clip of the same name, or a bone has another parent. See
/// [`Document::adopt_skeleton`].
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document};
/// use inbetween_edit::append;
///
/// let clip = |name: &str| Document::single(Animation::default().with_name(name));
/// let doors = append(clip("opening"), clip("closing"))?.value;
/// assert_eq!(doors.clips.len(), 2);
/// assert!(append(doors, clip("Opening")).is_err());
/// # Ok::<(), inbetween_edit::EditError>(())
/// ```
pub fn append(mut first: Document, second: Document) -> Result<Outcome<Document>, EditError> {
    let known: HashSet<String> = names(&first).map(str::to_ascii_lowercase).collect();
    if let Some(name) = names(&second).find(|name| known.contains(&name.to_ascii_lowercase())) {
        return Err(EditError::ClipExists { name: name.to_owned() });
    }
    first.adopt_scene(second.origin.as_ref());
    let found = first.adopt_skeleton(second.skeleton, DOCUMENTS)?;
    first.clips.extend(second.clips);
    Ok(Outcome { value: first, findings: found.into_iter().collect() })
}

/// The names of two documents in messages.
pub(crate) const DOCUMENTS: [&str; 2] = ["the first document", "the second document"];

/// Returns the names of the clips that have one.
fn names(document: &Document) -> impl Iterator<Item = &str> {
    document.clips.iter().filter_map(|clip| clip.name.as_deref())
}

/// Returns an error if a clip has this name.
fn check_new(document: &Document, name: &str) -> Result<(), EditError> {
    if names(document).any(|known| known.eq_ignore_ascii_case(name)) {
        return Err(EditError::ClipExists { name: name.to_owned() });
    }
    Ok(())
}
