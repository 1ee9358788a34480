//! Members of objects.

use std::borrow::Cow;

use super::string::StringToken;
use super::{Json, JsonResult, is_token};

/// The next member of an object.
#[derive(Clone, Debug)]
pub enum Next<'t> {
    /// A member with a known name, by the index of the name.
    Known(usize),
    /// A member with another name.
    Other(Cow<'t, str>),
    /// The end of the object.
    End,
}

impl<'t> Json<'t> {
    /// Moves to the value of the next member and returns the member's name; after the last member,
    /// leaves the object and returns `None`. `first` starts as `true`.
    ///
    /// # Errors
    ///
    /// If the text is not JSON.
    #[inline]
    pub fn next_name(&mut self, first: &mut bool) -> JsonResult<Option<Cow<'t, str>>> {
        match self.next_member(first)? {
            Some(token) => self.decode(token).map(Some),
            None => Ok(None),
        }
    }

    /// Moves to the value of the next member, or leaves the object, if the text is as programs write
    /// it: a known name, and at most one blank between tokens. Returns the index of the name, or
    /// `Some(None)` at the end. Otherwise does not move and returns `None`; then call
    /// [`next_known`](Self::next_known).
    ///
    /// `strip` takes a known name, including its quotes, from the start of the text and returns its
    /// index. Most members are read here, with fewer checks than any other needs.
    #[inline]
    pub fn next_usual(
        &mut self,
        first: &mut bool,
        strip: impl FnOnce(&'t [u8]) -> Option<(usize, &'t [u8])>,
    ) -> Option<Option<usize>> {
        let spaced = match self.rest {
            [b'}', rest @ ..] | [b' ', b'}', rest @ ..] => {
                self.leave(rest);
                return Some(None);
            }
            [b',', rest @ ..] if !*first => rest,
            rest if *first => rest,
            _ => return None,
        };
        let name = after_blank(spaced);
        let (number, end) = strip(name)?;
        let [b':', spaced @ ..] = end else { return None };
        let value = after_blank(spaced);
        if !value.first().is_some_and(|byte| is_token(*byte)) {
            return None;
        }
        if !*first {
            self.comma = self.offset();
        }
        *first = false;
        let length = self.text.len();
        self.name = (length.saturating_sub(name.len()), length.saturating_sub(end.len()));
        self.rest = value;
        Some(Some(number))
    }

    /// Like [`next_name`](Self::next_name), with the index of a known name, which `strip` takes from
    /// the start of the text.
    ///
    /// # Errors
    ///
    /// If the text is not JSON.
    pub fn next_known(
        &mut self,
        first: &mut bool,
        strip: impl FnOnce(&'t [u8]) -> Option<(usize, &'t [u8])>,
    ) -> JsonResult<Next<'t>> {
        if !self.next_in(b'}', "',' or '}'", first)? {
            return Ok(Next::End);
        }
        let start = self.offset();
        if let Some((number, rest)) = strip(self.rest) {
            self.rest = rest;
            self.colon(start)?;
            return Ok(Next::Known(number));
        }
        let token = self.name_token(start)?;
        self.decode(token).map(Next::Other)
    }

    #[inline]
    pub(super) fn next_member(&mut self, first: &mut bool) -> JsonResult<Option<StringToken<'t>>> {
        if !self.next_in(b'}', "',' or '}'", first)? {
            return Ok(None);
        }
        self.name_token(self.offset()).map(Some)
    }

    fn name_token(&mut self, start: usize) -> JsonResult<StringToken<'t>> {
        let token = match self.rest {
            [b'"', ..] => self.string_token()?,
            _ => return Err(self.not_json("a name in double quotes")),
        };
        self.colon(start)?;
        Ok(token)
    }

    /// Moves from the end of a name to the start of its value.
    #[inline]
    fn colon(&mut self, start: usize) -> JsonResult<()> {
        self.name = (start, self.offset());
        self.space();
        match self.rest {
            [b':', rest @ ..] => self.rest = rest,
            _ => return Err(self.not_json("':'")),
        }
        self.space();
        Ok(())
    }
}

/// Skips one blank, if there is one.
#[inline]
const fn after_blank(rest: &[u8]) -> &[u8] {
    match rest {
        [b' ', after @ ..] => after,
        _ => rest,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::json;
    use super::*;

    fn strip(text: &[u8]) -> Option<(usize, &[u8])> {
        text.strip_prefix(b"\"a\"").map(|rest| (7, rest))
    }

    /// Returns the names, those of known members with their indices, and where names and values
    /// start.
    fn members(text: &str) -> Result<Vec<(String, usize, usize)>, usize> {
        let mut json = json(text);
        let (mut first, mut seen) = (true, Vec::new());
        let mut read = || {
            json.begin_object("an object")?;
            loop {
                let name = match json.next_usual(&mut first, strip) {
                    Some(Some(number)) => number.to_string(),
                    Some(None) => return json.end(),
                    None => match json.next_known(&mut first, strip)? {
                        Next::Known(number) => number.to_string(),
                        Next::Other(name) => name.into_owned(),
                        Next::End => return json.end(),
                    },
                };
                seen.push((name, json.name().0, json.offset()));
                json.skip_value()?;
            }
        };
        read().map_err(|error| error.0.at)?;
        Ok(seen)
    }

    #[test]
    fn every_layout_has_the_same_members() {
        let seen = |list: &[(&str, usize, usize)]| {
            Ok(list.iter().map(|(name, start, value)| ((*name).into(), *start, *value)).collect())
        };
        assert_eq!(members("{}"), Ok(Vec::new()));
        assert_eq!(members("{ }"), Ok(Vec::new()));
        assert_eq!(
            members(r#"{"a":1,"b":2,"a":3}"#),
            seen(&[("7", 1, 5), ("b", 7, 11), ("7", 13, 17)])
        );
        assert_eq!(members(r#"{ "a": 1, "a": 2 }"#), seen(&[("7", 2, 7), ("7", 10, 15)]));
        assert_eq!(members("{\n\"a\" :\t1 ,  \"a\":2\n}"), seen(&[("7", 2, 8), ("7", 13, 17)]));
    }

    #[test]
    fn rejects_members_without_separators() {
        assert_eq!(members(r#"{"a":1 "a":2}"#), Err(7));
        assert_eq!(members(r#"{,"a":1}"#), Err(1));
        assert_eq!(members(r#"{"a":1,}"#), Err(6));
        assert_eq!(members(r#"{"a" 1}"#), Err(5));
        assert_eq!(members(r#"{"a":}"#), Err(5));
        assert_eq!(members(r#"{"a": /"#), Err(6));
    }
}
