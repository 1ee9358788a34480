//! Members of objects.

use std::borrow::Cow;

use super::string::StringToken;
use super::{Json, JsonResult, after_space, is_token};

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

    /// Moves to the value of the next member if it has this name, and returns whether it does. If it
    /// returns `false`, it does not move, and [`next_name`](Self::next_name) reads the member: it may
    /// have this name after all, in an unusual layout.
    ///
    /// Most programs write members in one order. Comparing a name with the expected one takes a
    /// fraction of the time of reading any name and searching for it.
    #[inline]
    pub fn take_name(&mut self, name: impl AsRef<[u8]>, first: &mut bool) -> bool {
        let rest = match self.rest {
            rest if *first => rest,
            [b',', rest @ ..] => rest,
            _ => return false,
        };
        let start = after_space(rest);
        let [b'"', inside @ ..] = start else { return false };
        let Some([b'"', end @ ..]) = inside.strip_prefix(name.as_ref()) else { return false };
        let ([b':', b' ', value @ ..] | [b':', value @ ..]) = end else { return false };
        if !value.first().is_some_and(|byte| is_token(*byte)) {
            return false;
        }
        if !*first {
            self.comma = self.rest.len();
        }
        *first = false;
        self.name = (start.len(), end.len());
        self.rest = value;
        true
    }

    /// Leaves the object if it has no more members, and returns whether it has none. If it returns
    /// `false`, it does not move, like [`take_name`](Self::take_name).
    #[inline]
    pub fn take_end(&mut self) -> bool {
        match after_space(self.rest) {
            [b'}', rest @ ..] => {
                self.leave(rest);
                true
            }
            _ => false,
        }
    }

    #[inline]
    pub(super) fn next_member(&mut self, first: &mut bool) -> JsonResult<Option<StringToken<'t>>> {
        if !self.next_in(b'}', "',' or '}'", first)? {
            return Ok(None);
        }
        self.name_token(self.rest.len()).map(Some)
    }

    fn name_token(&mut self, start: usize) -> JsonResult<StringToken<'t>> {
        let token = match self.rest {
            [b'"', ..] => self.string_token()?,
            _ => return Err(self.not_json("a name in double quotes")),
        };
        self.colon(start)?;
        Ok(token)
    }

    /// Moves from the end of a name to the start of its value. `start` is the number of bytes from the
    /// start of the name.
    #[inline]
    fn colon(&mut self, start: usize) -> JsonResult<()> {
        self.name = (start, self.rest.len());
        self.space();
        match self.rest {
            [b':', rest @ ..] => self.rest = rest,
            _ => return Err(self.not_json("':'")),
        }
        self.space();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::json;

    /// Returns the names, and where they, the commas before them, and their values start. Reads
    /// members with the name `expected` by comparing.
    fn members(text: &str, expected: &str) -> Result<Vec<(String, [usize; 4])>, usize> {
        let mut json = json(text);
        let (mut first, mut seen) = (true, Vec::new());
        let mut read = || {
            json.begin_object("an object")?;
            while !json.take_end() {
                let name = if json.take_name(expected, &mut first) {
                    expected.to_owned()
                } else {
                    let Some(name) = json.next_name(&mut first)? else { break };
                    name.into_owned()
                };
                let (start, end) = json.name();
                seen.push((name, [json.comma(), start, end, json.offset()]));
                json.skip_value()?;
            }
            json.end()
        };
        read().map_err(|error| error.0.at)?;
        Ok(seen)
    }

    /// Asserts that members are the same whether their names are compared or not.
    fn same(text: &str) -> Result<Vec<(String, [usize; 4])>, usize> {
        let seen = members(text, "no name");
        assert_eq!(members(text, "a"), seen, "{text}");
        seen
    }

    #[test]
    fn every_layout_has_the_same_members() {
        let seen = |list: &[(&str, [usize; 4])]| {
            Ok(list.iter().map(|(name, places)| ((*name).into(), *places)).collect())
        };
        assert_eq!(same("{}"), Ok(Vec::new()));
        assert_eq!(same("{ }"), Ok(Vec::new()));
        assert_eq!(
            same(r#"{"a":1,"b":2,"a":3}"#),
            seen(&[("a", [0, 1, 4, 5]), ("b", [6, 7, 10, 11]), ("a", [12, 13, 16, 17])])
        );
        assert_eq!(
            same(r#"{ "a": 1, "a": 2 }"#),
            seen(&[("a", [0, 2, 5, 7]), ("a", [8, 10, 13, 15])])
        );
        assert_eq!(
            same("{\n\"a\" :\t1 ,  \"a\":2\n}"),
            seen(&[("a", [0, 2, 5, 8]), ("a", [10, 13, 16, 17])])
        );
        assert_eq!(same(r#"{"\u0061":1}"#), seen(&[("a", [0, 1, 9, 10])]));
    }

    #[test]
    fn rejects_members_without_separators() {
        assert_eq!(same(r#"{"a":1 "a":2}"#), Err(7));
        assert_eq!(same(r#"{,"a":1}"#), Err(1));
        assert_eq!(same(r#"{"a":1,}"#), Err(6));
        assert_eq!(same(r#"{"a" 1}"#), Err(5));
        assert_eq!(same(r#"{"a":}"#), Err(5));
        assert_eq!(same(r#"{"a": /"#), Err(6));
    }
}
