//! Changes members of JSON texts. All other text stays as it is.

use std::borrow::Cow;
use std::fmt::Write as _;

use inbetween_core::Limits;
use inbetween_core::json::{Json, JsonResult, push_string};

use crate::read::json_reader;

/// Returns a reader of text that was read before, so that depth is no question.
fn reader(text: &str) -> Json<'_> {
    json_reader(text, &Limits::default().with_depth(usize::MAX))
}

/// The members of an object.
#[derive(Debug, Default)]
pub(crate) struct Members<'t>(Vec<(String, Cow<'t, str>)>);

impl<'t> Members<'t> {
    /// Returns the members of an object; none of another value.
    pub(crate) fn of(text: &'t str) -> Self {
        Self::read(text).unwrap_or_default()
    }

    fn read(text: &'t str) -> JsonResult<Self> {
        let (mut json, mut members, mut first) = (reader(text), Vec::new(), true);
        json.begin_object("an object")?;
        while let Some(name) = json.next_name(&mut first)? {
            members.push((name.into_owned(), Cow::Borrowed(value(&mut json)?)));
        }
        Ok(Self(members))
    }

    /// Returns the text of a value. Of members with one name, the last one counts.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().rev().find(|(known, _)| known == name).map(|(_, text)| &**text)
    }

    /// Returns the names of the members.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// Returns a whole number.
    pub(crate) fn number(&self, name: &str) -> Option<usize> {
        number(self.get(name)?)
    }

    /// Returns the items of an array; none if there is no such member.
    pub(crate) fn items(&self, name: &str) -> Vec<String> {
        self.get(name).map(items).unwrap_or_default().into_iter().map(str::to_owned).collect()
    }

    /// Replaces a value in its place, or adds it.
    pub(crate) fn set(&mut self, name: &str, text: impl Into<Cow<'t, str>>) {
        match self.0.iter_mut().rev().find(|(known, _)| known == name) {
            Some((_, value)) => *value = text.into(),
            None => self.0.push((name.to_owned(), text.into())),
        }
    }

    /// Replaces an array, or removes one without items, which glTF does not allow.
    pub(crate) fn set_items(&mut self, name: &str, items: &[String]) {
        if items.is_empty() {
            self.remove(name);
        } else {
            self.set(name, array(items));
        }
    }

    pub(crate) fn remove(&mut self, name: &str) {
        self.0.retain(|(known, _)| known != name);
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the text of the object.
    pub(crate) fn text(&self) -> String {
        let mut out = "{".to_owned();
        for (index, (name, text)) in self.0.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            push_string(&mut out, name);
            // Writing to a string does not fail.
            let _ = write!(out, ":{text}");
        }
        out.push('}');
        out
    }
}

/// Returns the text of the next value.
fn value<'t>(json: &mut Json<'t>) -> JsonResult<&'t str> {
    json.space();
    let start = json.offset();
    json.skip_value()?;
    Ok(json.slice(start, json.offset()).trim())
}

/// Returns the texts of the items of an array; none of another value.
pub(crate) fn items(text: &str) -> Vec<&str> {
    let read = || -> JsonResult<Vec<&str>> {
        let (mut json, mut list, mut first) = (reader(text), Vec::new(), true);
        json.begin_array("an array")?;
        while json.next_item(&mut first)? {
            list.push(value(&mut json)?);
        }
        Ok(list)
    };
    read().unwrap_or_default()
}

/// Returns the text of an array.
fn array(items: &[String]) -> String {
    format!("[{}]", items.join(","))
}

/// Returns a whole number, which may be written as `2.0`.
fn number(text: &str) -> Option<usize> {
    crate::scene::members::index(&mut reader(text)).ok()
}

/// Returns a text in quotes.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::new();
    push_string(&mut out, text);
    out
}

/// Calls a function with every whole number in a value, with the names of the members around it.
pub(crate) fn each_number(
    text: &str,
    names: &mut Vec<String>,
    found: &mut impl FnMut(&[String], usize),
) {
    match text.as_bytes().first() {
        Some(b'{') => {
            let Ok(Members(members)) = Members::read(text) else { return };
            for (name, value) in members {
                names.push(name);
                if let Cow::Borrowed(value) = value {
                    each_number(value, names, found);
                }
                names.pop();
            }
        }
        Some(b'[') => items(text).into_iter().for_each(|item| each_number(item, names, found)),
        Some(b'0'..=b'9') => {
            if let Some(number) = number(text) {
                found(names, number);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_does_not_change_stays() {
        let text = r#"{ "a" : 1.50, "b" : [ 1e2 , {"c": "\u0041"} ], "a": 2 }"#;
        let mut members = Members::of(text);
        assert_eq!(members.get("a"), Some("2"));
        assert_eq!(members.items("b"), ["1e2", r#"{"c": "\u0041"}"#]);
        members.set("b", "[]");
        members.set("d", quoted("x\"y"));
        assert_eq!(members.text(), r#"{"a":1.50,"b":[],"a":2,"d":"x\"y"}"#);
        members.set_items("b", &[]);
        assert_eq!((members.get("b"), members.number("a")), (None, Some(2)));
    }

    #[test]
    fn numbers_are_found_with_their_names() {
        let mut found = Vec::new();
        let text = r#"{"a": [{"b": 3}, 4.0], "c": {"d": -1, "e": 0.5, "f": "7"}}"#;
        each_number(text, &mut Vec::new(), &mut |names, number| {
            found.push((names.join("."), number));
        });
        assert_eq!(found, [("a.b".to_owned(), 3), ("a".to_owned(), 4)]);
    }
}
