//! Parses text into the exact model, and decodes clips.

pub(crate) mod clip;
pub(crate) mod curve;

use std::borrow::Cow;

use inbetween_core::json::locate;
use inbetween_core::{
    Budget, Findings, Limits, Outcome, ReadError, ReadErrorKind, grow, memory::OutOfMemory,
};

use crate::file::{UnityAnimFile, UnityObject};
use crate::layout::{ID, SEPARATOR, TAG, YAML};
use crate::yaml::Fault;

impl<'a> UnityAnimFile<'a> {
    /// Finds the objects of a file, without reading their text.
    ///
    /// # Errors
    ///
    /// If the text is not UTF-8, does not begin like a text file of Unity, a line between objects is
    /// broken, or there are more objects than the limits allow.
    pub fn parse(bytes: &'a [u8], limits: &Limits) -> Result<Outcome<Self>, ReadError> {
        let file = Self::parse_text(utf8(bytes)?.into(), limits)?;
        Ok(Outcome::new(file, Findings::new(limits)))
    }

    /// Finds the objects of a text.
    pub(crate) fn parse_text(source: Cow<'a, str>, limits: &Limits) -> Result<Self, ReadError> {
        check_start(source.as_bytes()).map_err(|error| match error.kind() {
            ReadErrorKind::UnexpectedEnd { .. } => incomplete_head(&source),
            _ => error,
        })?;
        let mut budget = Budget::new(limits, source.len());
        match objects(&source, &mut budget) {
            Ok(objects) => Ok(Self { source, objects }),
            Err(fault) => Err(fault.locate(&source)),
        }
    }
}

impl Fault {
    /// Returns the error with its line and column.
    pub(crate) fn locate(self, source: &str) -> ReadError {
        self.error.in_format(ID).at_position(locate(source, self.at))
    }
}

/// Returns the text of a file.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, ReadError> {
    let hint = "set Asset Serialization to Force Text in Unity, and save the clip again";
    inbetween_core::json::utf8(bytes).map_err(|error| error.in_format(ID).with_hint(hint))
}

/// Checks whether a file can begin with these bytes.
pub(crate) fn check_start(head: &[u8]) -> Result<(), ReadError> {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let start = text.get(..YAML.len()).unwrap_or(text);
    if !YAML.as_bytes().starts_with(start) {
        let found = format!("\"{}\"", start.escape_ascii()).into();
        let kind = ReadErrorKind::BadMagic { expected: YAML, found };
        return Err(ReadError::new(kind).in_format(ID));
    }
    let mut lines = text.split(|byte| *byte == b'\n').skip(1);
    let line = lines.next().unwrap_or_default();
    if line.windows(TAG.len()).any(|part| part == TAG.as_bytes()) {
        return Ok(());
    }
    // Another program may write YAML, too.
    if lines.next().is_some() {
        let expected = "%TAG !u! tag:unity3d.com,2011:";
        let found = format!("\"{}\"", line.escape_ascii()).into();
        return Err(ReadError::new(ReadErrorKind::BadMagic { expected, found }).in_format(ID));
    }
    let (needed, available) = (64, inbetween_core::num::u64_from_len(text.len()));
    let kind = ReadErrorKind::UnexpectedEnd { needed, available };
    Err(ReadError::new(kind).in_format(ID))
}

/// Returns the error of a file that ends before its first two lines do.
fn incomplete_head(source: &str) -> ReadError {
    let found = match source.trim_start_matches('\u{feff}') {
        "" => "an empty file".into(),
        text => format!("\"{}\"", inbetween_core::shown(text)).into(),
    };
    let expected = "%YAML 1.1 and %TAG !u! tag:unity3d.com,2011:";
    ReadError::new(ReadErrorKind::BadMagic { expected, found }).in_format(ID)
}

fn objects(source: &str, budget: &mut Budget) -> Result<Vec<UnityObject>, Fault> {
    let mut objects: Vec<UnityObject> = Vec::new();
    let mut at = 0_usize;
    for line in source.split_inclusive('\n') {
        let next = at.saturating_add(line.len());
        if line.starts_with(SEPARATOR) {
            let failed = |error: ReadError| Fault { at, error };
            budget.charge_items(1).map_err(failed)?;
            let no_memory = |error: OutOfMemory| failed(error.into());
            grow::try_column(&mut objects, 1).map_err(no_memory)?;
            let object = object(line, next).ok_or_else(|| {
                let found = format!("\"{}\"", inbetween_core::shown(line.trim_end()));
                failed(ReadError::invalid("--- !u!CLASS &ID", found))
            })?;
            objects.push(object);
        } else if let Some(last) = objects.last_mut() {
            last.body.end = next;
        }
        at = next;
    }
    Ok(objects)
}

/// Reads the line before an object, whose text begins at `start`.
fn object(line: &str, start: usize) -> Option<UnityObject> {
    let mut words = line.split_ascii_whitespace().skip(1);
    let class = words.next()?.strip_prefix("!u!")?.parse().ok()?;
    let id = words.next()?.strip_prefix('&')?.parse().ok()?;
    let is_stripped = match words.next() {
        None => false,
        Some("stripped") => true,
        Some(_) => return None,
    };
    Some(UnityObject { class, id, is_stripped, body: start..start })
}
