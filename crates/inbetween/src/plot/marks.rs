//! Numbered marks for names that cannot be drawn.

use std::collections::HashMap;
use std::fmt;

use super::text::visible;

/// Returns whether a character can be drawn.
pub(super) type Drawable<'d> = Box<dyn Fn(char) -> bool + 'd>;

/// The names of a picture that are drawn as marks.
///
/// The decision is made by name and not by character: a name with one mark is easier to read and to
/// look up than a name in which some letters are marks.
#[derive(Default)]
pub(super) struct Marks<'d> {
    drawable: Option<&'d Drawable<'d>>,
    /// The name of each mark, in the order of their numbers.
    names: Vec<String>,
    /// The indices of the names.
    index: HashMap<String, usize>,
}

impl fmt::Debug for Marks<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Marks").field("names", &self.names).finish_non_exhaustive()
    }
}

impl<'d> Marks<'d> {
    pub(super) fn new(drawable: Option<&'d Drawable<'d>>) -> Self {
        Self { drawable, ..Self::default() }
    }

    /// Returns the visible name, or the mark that stands for it.
    pub(super) fn spelled(&self, name: &str) -> Spelled {
        let text = visible(name);
        match self.drawable {
            Some(drawable) if !text.chars().all(drawable) => {
                let next = self.names.len();
                let index = self.index.get(name).copied().unwrap_or(next);
                Spelled::Mark(format!("[{}]", index.saturating_add(1)))
            }
            _ => Spelled::Name(text),
        }
    }

    /// Records that the mark of a name is drawn.
    pub(super) fn record(&mut self, name: &str) {
        if !self.index.contains_key(name) {
            self.index.insert(name.to_owned(), self.names.len());
            self.names.push(name.to_owned());
        }
    }

    /// Returns the names whose marks were drawn.
    pub(super) fn into_names(self) -> Vec<String> {
        self.names
    }
}

/// The spelling of a name in a picture.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Spelled {
    Name(String),
    Mark(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(text: &str) -> Spelled {
        Spelled::Mark(text.to_owned())
    }

    #[test]
    fn a_name_has_one_mark() {
        let ascii: Drawable<'_> = Box::new(|c| c.is_ascii());
        let mut marks = Marks::new(Some(&ascii));
        assert_eq!(marks.spelled("hips"), Spelled::Name("hips".to_owned()));
        assert_eq!(marks.spelled("腰"), mark("[1]"));
        marks.record("腰");
        assert_eq!([marks.spelled("左手首"), marks.spelled("腰")], [mark("[2]"), mark("[1]")]);
        marks.record("左手首");
        marks.record("腰");
        assert_eq!(marks.into_names(), ["腰", "左手首"]);
    }

    #[test]
    fn hidden_characters_are_spelled_and_need_no_mark() {
        let ascii: Drawable<'_> = Box::new(|c| c.is_ascii());
        let marks = Marks::new(Some(&ascii));
        assert_eq!(marks.spelled("\u{202e}"), Spelled::Name("\\u{202e}".to_owned()));
        assert_eq!(Marks::new(None).spelled("腰"), Spelled::Name("腰".to_owned()));
    }
}
