//! File names for clips.

use inbetween_core::clip_names::Unique;
use inbetween_core::{Document, Text};

/// Returns a name for the file of each clip, without an extension.
///
/// The names are valid on any file system, whatever the clips are called. Letters and digits of any
/// script, `-`, `+`, `_` and spaces are kept; everything else becomes `_`. No name is empty or a
/// device name. A name has at most 100 bytes, and a number if another one differs at most in case.
///
/// # Examples
///
/// ```
/// use inbetween::Animation;
/// use inbetween::Document;
/// use inbetween::files::file_names;
///
/// let clip = |name: &str| Animation::default().with_name(name);
/// let clips = ["../../etc/passwd", "NUL", "open", "Open"].map(clip);
/// let names = file_names(&Document::new(clips.into()));
/// assert_eq!(names, ["______etc_passwd", "NUL_", "open", "Open_2"].map(Into::into));
/// ```
pub fn file_names(document: &Document) -> Vec<Text> {
    let mut names = Unique::default();
    let clips = document.clips.iter();
    clips.map(|clip| names.take(&safe_name(clip.name.as_deref().unwrap_or_default()))).collect()
}

/// The longest file name: most file systems allow 255 bytes, and the name of the source file, a
/// number and an extension must fit too.
const LONGEST: usize = 100;

/// The device names of Windows, with or without a number.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
const PORTS: [&str; 2] = ["com", "lpt"];

/// Returns a name that is valid on any file system, as [`file_names`] makes those of clips.
///
/// # Examples
///
/// ```
/// use inbetween::files::safe_name;
///
/// assert_eq!(safe_name("a/b:c?"), "a_b_c_");
/// ```
pub fn safe_name(name: &str) -> String {
    let kept = |c: char| c.is_alphanumeric() || matches!(c, '-' | '+' | '_' | ' ');
    let mut safe = String::new();
    for c in name.trim().chars().map(|c| if kept(c) { c } else { '_' }) {
        if safe.len().saturating_add(c.len_utf8()) > LONGEST {
            break;
        }
        safe.push(c);
    }
    safe.truncate(safe.trim_end().len());
    let lower = safe.to_lowercase();
    let port = PORTS.iter().any(|port| {
        let mut number = lower.strip_prefix(port).unwrap_or_default().chars();
        number.next().is_some_and(char::is_numeric) && number.next().is_none()
    });
    match () {
        () if safe.is_empty() => "clip".to_owned(),
        () if port || DEVICES.contains(&lower.as_str()) => safe + "_",
        () => safe,
    }
}

#[cfg(test)]
mod tests {
    use inbetween_core::Animation;

    use super::*;

    fn names(given: &[&str]) -> Vec<String> {
        let clip = |name: &&str| Animation::default().with_name(*name);
        let document = Document::new(given.iter().map(clip).collect());
        file_names(&document).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn file_names_cannot_leave_their_directory() {
        assert_eq!(
            names(&["../up", "/etc/x", "C:\\x", "a\0b", ".hidden", "x.", "\u{202e}gpj"]),
            ["___up", "_etc_x", "C__x", "a_b", "_hidden", "x_", "_gpj"]
        );
    }

    #[test]
    fn device_names_get_a_suffix() {
        assert_eq!(
            names(&["con", "Aux", "com1", "LPT9", "com¹", "com10", "console"]),
            ["con_", "Aux_", "com1_", "LPT9_", "com¹_", "com10", "console"]
        );
    }

    #[test]
    fn names_are_never_empty_duplicate_or_long() {
        assert_eq!(names(&["", " ", "Clip", "é", "É"]), ["clip", "clip_2", "Clip_3", "é", "É_2"]);
        let long = names(&[&"é".repeat(80), &"é".repeat(70)]);
        assert_eq!((long[0].len(), long[1].as_str()), (100, &*format!("{}_2", "é".repeat(50))));
    }
}
