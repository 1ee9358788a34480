//! The names of the files of clips.

use std::collections::HashSet;

use inbetween::core::{ClipCount, FormatInfo};
use inbetween::files::safe_name;

use crate::exit::Failure;

/// A text with the names of the input and of the clip: `{file}.{clip}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NameTemplate(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    /// The name of the input without its extension.
    File,
    Clip,
}

impl NameTemplate {
    /// Parses a template, whose text must be valid in names on any file system.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let expected = "expected a name such as {file}.{clip}, which are the name of the input and \
                        that of the clip";
        let (mut parts, mut rest) = (Vec::new(), text);
        while !rest.is_empty() {
            let known = [("{file}", Part::File), ("{clip}", Part::Clip)];
            let part = known
                .into_iter()
                .find_map(|(name, part)| rest.strip_prefix(name).map(|after| (part, after)));
            if let Some((part, after)) = part {
                parts.push(part);
                rest = after;
                continue;
            }
            let end = rest.char_indices().skip(1).find(|(_, c)| *c == '{').map(|(at, _)| at);
            let (own, after) = rest.split_at(end.unwrap_or(rest.len()));
            let is_odd = |c: &char| !c.is_alphanumeric() && !" -+_.".contains(*c);
            if let Some(odd) = own.chars().find(is_odd) {
                return Err(format!("{expected}; found {odd:?}, which such a name cannot have"));
            }
            parts.push(Part::Text(own.to_owned()));
            rest = after;
        }
        if parts.contains(&Part::Clip) { Ok(Self(parts)) } else { Err(expected.to_owned()) }
    }

    /// Returns the name of the file of a clip, without its extension.
    fn name(&self, file: &str, clip: &str) -> String {
        let parts = self.0.iter().map(|part| match part {
            Part::Text(text) => text.clone(),
            Part::File => file.to_owned(),
            Part::Clip => safe_name(clip),
        });
        let name = parts.collect::<String>();
        // A device of Windows is one with any extension, and gets a character more.
        let (first, rest) = name.split_at(name.find('.').unwrap_or(name.len()));
        let safe = safe_name(first);
        let is_device = safe.strip_suffix('_') == Some(first);
        if is_device { format!("{safe}{rest}") } else { name }
    }

    /// Returns an error if the template has no effect, or gives several inputs the same names.
    pub(super) fn check_use(&self, batch: bool, to: &FormatInfo) -> Result<(), Failure> {
        let problem = if to.clips == ClipCount::Many {
            format!("has no effect, since a file of {} stores all clips", to.name)
        } else if batch && !self.0.contains(&Part::File) {
            "needs {file} for several inputs, whose clips may have equal names".to_owned()
        } else {
            return Ok(());
        };
        Err(Failure::Usage(format!("--name-template {problem}")))
    }
}

/// The names of the clips of one input.
#[derive(Debug)]
pub(super) struct ClipFileNames<'t> {
    template: &'t NameTemplate,
    /// The names without upper case letters, which are equal on some systems.
    taken: HashSet<String>,
}

impl<'t> ClipFileNames<'t> {
    pub(super) fn new(template: &'t NameTemplate) -> Self {
        Self { template, taken: HashSet::new() }
    }

    /// Returns the name for the next clip; the second of two equal names gets ` 2`.
    pub(super) fn take(&mut self, file: &str, clip: &str) -> String {
        let name = self.template.name(file, clip);
        let mut unique = name.clone();
        let mut number = 2_usize;
        while !self.taken.insert(unique.to_lowercase()) {
            unique = format!("{name} {number}");
            number = number.saturating_add(1);
        }
        unique
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(template: &str, clips: &[&str]) -> Vec<String> {
        let template = NameTemplate::parse(template).unwrap();
        let mut names = ClipFileNames::new(&template);
        clips.iter().map(|clip| names.take("robot", clip)).collect()
    }

    #[test]
    fn equal_names_get_a_number() {
        let found = names("{clip}", &["Walk", "walk", "Walk", "Walk 2"]);
        assert_eq!(found, ["Walk", "walk 2", "Walk 3", "Walk 2 2"]);
        assert_eq!(names("{file} - {clip}+x", &["Run"]), ["robot - Run+x"]);
    }

    #[test]
    fn names_are_valid_everywhere_and_stay_in_the_directory() {
        let found =
            names("{clip}", &["../evil", "CON", "a/b:c?", "", "Armature|mixamo.com|Layer0"]);
        assert_eq!(found, ["___evil", "CON_", "a_b_c_", "clip", "Armature_mixamo_com_Layer0"]);
        assert_eq!(names("NUL.{clip}", &["Run"]), ["NUL_.Run"]);
        assert_eq!(names("..{clip}", &["Run"]), ["..Run"]);
    }

    #[test]
    fn a_template_needs_the_clip_and_no_odd_characters() {
        for bad in
            ["", "{file}", "clip", "a/{clip}", "{clip}:", "{clip}\\x", "{name}.{clip}", "{clip"]
        {
            assert!(NameTemplate::parse(bad).is_err(), "{bad}");
        }
        let error = NameTemplate::parse("../{clip}").unwrap_err();
        assert!(error.contains("found '/'"), "{error}");
    }
}
