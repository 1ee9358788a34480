//! Skipping values.

use super::{Json, JsonResult};

#[derive(Clone, Copy, Debug)]
enum Container {
    Object,
    Array,
}

impl<'t> Json<'t> {
    /// Skips a value and returns its text.
    ///
    /// # Errors
    ///
    /// If the text is not JSON, or nests too deep.
    pub fn skip_value(&mut self) -> JsonResult<&'t str> {
        let start = self.offset();
        // Not recursive: the caller may choose a depth limit that the stack does not allow.
        let mut stack = Vec::new();
        loop {
            let mut first = true;
            match self.peek() {
                Some(b'{') => {
                    self.begin_object("an object")?;
                    stack.push(Container::Object);
                }
                Some(b'[') => {
                    self.begin_array("an array")?;
                    stack.push(Container::Array);
                }
                _ => {
                    self.skip_scalar()?;
                    first = false;
                }
            }
            while !self.next_of(stack.last().copied(), &mut first)? {
                if stack.pop().is_none() {
                    return Ok(self.slice(start, self.offset()));
                }
            }
        }
    }

    /// Returns the number of bytes that follow.
    pub const fn rest_length(&self) -> usize {
        self.rest.len()
    }

    fn next_of(&mut self, container: Option<Container>, first: &mut bool) -> JsonResult<bool> {
        let more = match container {
            Some(Container::Object) => self.next_member(first)?.is_some(),
            Some(Container::Array) => self.next_item(first)?,
            None => false,
        };
        *first = false;
        Ok(more)
    }

    fn skip_scalar(&mut self) -> JsonResult<()> {
        match self.peek() {
            Some(b'"') => self.string_token().map(|_| ()),
            Some(b'-' | b'0'..=b'9') if self.number().is_ok() => Ok(()),
            _ if self.peek_literal().is_some() => self.literal("a value").map(|_| ()),
            _ => self.skip_word(),
        }
    }
}
