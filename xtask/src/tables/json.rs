//! The members of JSON reports, from the types that are printed.

use std::path::Path;

use super::{code, table};
use crate::shell::read;

/// The files with the types, in the order of their sections.
const FILES: [&str; 7] = [
    "crates/cli/src/json.rs",
    "crates/inbetween/src/json/inspection.rs",
    "crates/inbetween/src/json/format.rs",
    "crates/inbetween/src/json/finding.rs",
    "crates/cli/src/json/diff.rs",
    "crates/cli/src/json/clip.rs",
    "crates/cli/src/json/log.rs",
];

/// An object: what it is, and its members.
struct Object {
    file: &'static str,
    name: String,
    about: String,
    members: Vec<Member>,
}

/// A member: its name, its type and what it means.
struct Member {
    name: String,
    kind: String,
    about: String,
    /// Whether it is left out instead of null.
    optional: bool,
}

/// Generates a section for each object.
pub(super) fn members() -> Result<String, String> {
    let mut objects = Vec::new();
    for file in FILES {
        let text = read(Path::new(file))?;
        objects.extend(of_file(file, &text)?);
    }
    let mut sections = Vec::new();
    for object in &objects {
        let mut rows = Vec::new();
        for Member { name, kind: of, about, optional } in &object.members {
            let mut words = kind(of, object.file, &objects)?;
            if *optional {
                words = words.replace(" or null", ", if there is one");
            }
            rows.push(vec![code(name), words, about.clone()]);
        }
        let title = object.about.trim_end_matches('.');
        sections.push(format!("### {title}\n\n{}", table(&["member", "type", "meaning"], rows)));
    }
    Ok(sections.join("\n"))
}

/// Finds the types that are printed, and their members.
fn of_file(file: &'static str, text: &str) -> Result<Vec<Object>, String> {
    let mut objects: Vec<Object> = Vec::new();
    let (mut about, mut is_printed, mut is_open, mut is_optional) =
        (String::new(), false, false, false);
    for line in text.lines() {
        let code = line.trim().trim_start_matches("pub(crate) ").trim_start_matches("pub ");
        if let Some(comment) = code.strip_prefix("///") {
            if !about.is_empty() {
                about.push(' ');
            }
            about.push_str(comment.trim());
        } else if code.starts_with("#[derive(") {
            is_printed = code.contains("Serialize");
        } else if code.starts_with("#[serde(skip_serializing_if") {
            is_optional = true;
        } else if code.starts_with("#[serde(flatten)]") {
            // Its members are those of the types that it stands for.
            "-".clone_into(&mut about);
        } else if let (true, Some(name)) = (is_printed, code.strip_prefix("struct ")) {
            let name = name.split(['<', ' ', '(']).next().unwrap_or_default().to_owned();
            is_open = code.ends_with('{');
            if is_open {
                let about = std::mem::take(&mut about);
                objects.push(Object { file, name, about, members: Vec::new() });
            }
        } else if line == "}" {
            (is_open, is_printed) = (false, false);
        } else if let (true, Some((name, kind)), Some(object)) =
            (is_open, code.split_once(": "), objects.last_mut())
        {
            let about = std::mem::take(&mut about);
            let optional = std::mem::take(&mut is_optional);
            if about.is_empty() {
                return Err(format!("{file}: {name} of {} has no comment", object.name));
            }
            if about != "-" {
                let (name, kind) = (name.to_owned(), kind.trim_end_matches(',').to_owned());
                object.members.push(Member { name, kind, about, optional });
            }
        } else if !code.starts_with("#[") {
            about.clear();
        }
    }
    match objects.iter().find(|object| object.about.is_empty()) {
        Some(object) => Err(format!("{file}: {} has no comment", object.name)),
        None => Ok(objects),
    }
}

/// Returns the words for a type.
///
/// # Errors
///
/// If the type is not known, so that it must be added here.
fn kind(text: &str, file: &str, objects: &[Object]) -> Result<String, String> {
    let within = |start: &str| text.strip_prefix(start)?.strip_suffix('>');
    if let Some(inner) = within("Option<") {
        return Ok(format!("{} or null", kind(inner, file, objects)?));
    }
    if let Some(inner) = within("Vec<") {
        return Ok(format!("array: {}", kind(inner, file, objects)?));
    }
    let of_array = text.trim_start_matches("&'static ").strip_prefix('[');
    if let Some(inner) = of_array.and_then(|inner| inner.strip_suffix(']')) {
        let inner = inner.split(';').next().unwrap_or_default();
        return Ok(format!("array: {}", kind(inner, file, objects)?));
    }
    let name = text.split('<').next().unwrap_or_default();
    let own = objects.iter().find(|object| object.name == name && object.file == file);
    if let Some(object) = own.or_else(|| objects.iter().find(|object| object.name == name)) {
        let mut about = object.about.trim_end_matches('.').chars();
        let first = about.next().map(|first| first.to_ascii_lowercase());
        return Ok(first.into_iter().chain(about).collect());
    }
    let known = match name {
        "bool" => "boolean",
        "f64" => "number",
        "u64" | "usize" => "integer",
        "Facts" => "object",
        "Json" => "string, number or boolean",
        "String" | "&'static str" | "&'a str" | "std::borrow::Cow" => "string",
        other => return Err(format!("{file}: {other} is no known type of a member")),
    };
    Ok(known.to_owned())
}
