//! Converts the errors of serde to ours.

use std::borrow::Cow;

use serde_json::error::Category;

use super::locate::{locate, offset, position};
use super::without_mark;
use crate::{
    Path, PathStyle, ReadError, ReadErrorKind, Segment, WriteError, num, printable, shown,
};

type Traced = serde_path_to_error::Error<serde_json::Error>;

/// Creates the error of a text that does not match the mirror types.
pub(super) fn of_json(text: &[u8], traced: Option<Traced>, plain: serde_json::Error) -> ReadError {
    let (path, error) = match traced {
        Some(traced) => (segments(traced.path()), traced.into_inner()),
        None => (Vec::new(), plain),
    };
    let syntax = error.classify() != Category::Data;
    let near = offset(text, error.line(), error.column());
    let message = message(&error);
    if syntax {
        // The value was not read completely, so only the byte offset is known.
        let message = format!("not JSON: {message}");
        let kind = ReadErrorKind::Json { message: message.into() };
        return ReadError::new(kind).at_path(pointer(path)).at_position(position(text, near));
    }
    let (at, steps) = locate(text, &path);
    let at = if steps == path.len() { at } else { near };
    ReadError::new(kind(&message)).at_path(pointer(path)).at_position(position(text, at))
}

/// Creates the error of parts that do not form a valid file, with their position in the text.
///
/// The path of the error uses the names of the parts, which are also the names of the members in
/// the text.
pub fn refused(error: &WriteError, text: &[u8]) -> ReadError {
    let text = without_mark(text);
    let (at, steps) = locate(text, error.path().segments());
    let found = error.path().segments().get(..steps).unwrap_or_default();
    let what = error.kind().to_string().into();
    ReadError::new(ReadErrorKind::Refused { what })
        .in_format(error.format())
        .at_path(pointer(found.to_vec()))
        .at_position(position(text, at))
}

/// Creates the error of a member of the root that contradicts another part of the text.
pub fn contradicted(
    text: &[u8],
    member: &'static str,
    expected: String,
    found: String,
) -> ReadError {
    let text = without_mark(text);
    let path = vec![Segment::Field(member)];
    let (at, _) = locate(text, &path);
    ReadError::invalid(expected, found).at_path(pointer(path)).at_position(position(text, at))
}

/// Creates the error of a text that does not start with the members of a text form.
pub(super) fn of_no_text_form(text: &[u8], expected: String) -> ReadError {
    let found: Cow<'static, str> = match serde_json::from_slice::<serde::de::IgnoredAny>(text) {
        Ok(_) => "other JSON".into(),
        Err(error) if text.first().is_some_and(|first| b" \t\r\n{".contains(first)) => {
            return of_json(text, None, error);
        }
        Err(_) if text.is_empty() => "an empty file".into(),
        Err(_) => "something that is not JSON".into(),
    };
    ReadError::invalid(expected, found)
}

fn pointer(segments: Vec<Segment>) -> Path {
    Path::new(PathStyle::JsonPointer, segments)
}

fn segments(path: &serde_path_to_error::Path) -> Vec<Segment> {
    let segment = |segment: &serde_path_to_error::Segment| match segment {
        serde_path_to_error::Segment::Seq { index } => {
            Some(Segment::Index(num::u64_from_len(*index)))
        }
        serde_path_to_error::Segment::Map { key } => Some(Segment::Name(key.as_str().into())),
        _ => None,
    };
    path.iter().filter_map(segment).collect()
}

/// Returns the message without the line and the column at its end.
fn message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).unwrap_or(&text).to_owned()
}

/// Extracts the expected and found values from a message of serde.
fn kind(message: &str) -> ReadErrorKind {
    let both = |expected: String, found: String| {
        let (expected, found) = (expected.into(), found.into());
        ReadErrorKind::Invalid { expected, found }
    };
    let quoted = |rest: &str| rest.split('`').nth(1).map(str::to_owned);
    if let Some(rest) = message
        .strip_prefix("invalid type: ")
        .or_else(|| message.strip_prefix("invalid value: "))
        .or_else(|| message.strip_prefix("invalid length "))
    {
        // The found value may be any text; the expected value is ours.
        if let Some((found, expected)) = rest.rsplit_once(", expected ") {
            let length = message.starts_with("invalid length");
            let found = if length { format!("{found} items") } else { cut(found) };
            return both(plainly(expected).into(), plainly(&found.replace('`', "")).into());
        }
    }
    if let Some(name) = message.strip_prefix("missing field ").and_then(quoted) {
        return both(format!("the member \"{name}\""), "none".to_owned());
    }
    if let Some(name) = message.strip_prefix("duplicate field ").and_then(quoted) {
        return both(format!("the member \"{name}\" once"), "it twice".to_owned());
    }
    for (start, what) in [("unknown field ", "the member "), ("unknown variant ", "")] {
        let rest = message.strip_prefix(start).and_then(|rest| rest.strip_prefix('`'));
        if let Some((name, known)) = rest.and_then(|rest| rest.rsplit_once("`, expected ")) {
            let known = known.replace('`', "");
            return both(known, format!("{what}\"{}\"", shown(name)));
        }
    }
    ReadErrorKind::Json { message: cut(message).into() }
}

/// Translates serde's names of types to those of JSON.
fn plainly(words: &str) -> &str {
    match words {
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" => "a whole number of at least 0 with 64 bits",
        "i8" => "a whole number from -128 to 127",
        "i16" => "a whole number from -32768 to 32767",
        "i32" => "a whole number from -2147483648 to 2147483647",
        "i64" => "a whole number of 64 bits",
        "f64" => "a number",
        "a boolean" => "true or false",
        "a sequence" | "sequence" => "a list",
        "map" => "an object",
        "unit value" => "null",
        _ if words.starts_with("struct ") => "an object",
        _ => words,
    }
}

/// Cuts text that is too long to read.
fn cut(text: &str) -> String {
    const LONGEST: usize = 120;
    printable(text).at_most(LONGEST).to_string()
}
