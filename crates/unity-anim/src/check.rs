//! Checks a file and reports findings.

use std::collections::HashMap;

use inbetween_core::json::{locate, resolve, unresolved};
use inbetween_core::{Budget, Finding, Limits, Position, ReadError, codes as shared, shown};

use crate::file::{UnityAnimFile, UnityObject};
use crate::{codes, convert};

/// Checks a file: what reading reports, and what it need not.
pub(crate) fn check(bytes: &[u8], limits: &Limits) -> Result<Vec<Finding>, ReadError> {
    let file = UnityAnimFile::parse(bytes, limits)?.value;
    let mut budget = Budget::new(limits, bytes.len());
    let convert::Read { document, mut findings, .. } = convert::to_document(&file, &mut budget)?;
    for object in file.clips() {
        findings.leave();
        findings.extend(letters(&file, object));
    }
    if file.clips().next().is_none() {
        let message = format!("{} objects", file.objects().len());
        findings.push(Finding::new(codes::NO_CLIPS, message).position(locate(&file.source, 0)));
    }
    findings.leave();
    for clip in &document.clips {
        let mut known = HashMap::new();
        for (index, track) in clip.tracks.iter().enumerate() {
            let label = track.target().label();
            if let Some(first) = known.insert(label.clone(), index) {
                let message = format!("{}, as track {first}", shown(&label));
                findings.leave();
                findings.push(Finding::new(shared::DUPLICATE_TRACK, message));
            }
        }
    }
    resolve(&file.source, findings.as_mut_slice());
    let mut findings = findings.into_vec();
    findings.sort_by_key(|finding| finding.position.map_or(u64::MAX, Position::offset));
    Ok(findings)
}

/// Reports letters that Unity reads only in double quotes, at the first line that has some.
fn letters(file: &UnityAnimFile<'_>, object: &UnityObject) -> Option<Finding> {
    let mut at = object.body.start;
    let (mut first, mut count) = (None, 0_u64);
    for line in file.body(object).split_inclusive('\n') {
        if !line.is_ascii() && !line.contains('"') && !line.contains('∞') {
            first.get_or_insert((at, line));
            count = count.saturating_add(1);
        }
        at = at.saturating_add(line.len());
    }
    let (at, line) = first?;
    let indent = line.len().saturating_sub(line.trim_start().len());
    let position = unresolved(at.saturating_add(indent));
    let message = shown(line.trim()).to_string();
    Some(Finding::new(codes::LETTERS_UNQUOTED, message).position(position).count(count))
}
