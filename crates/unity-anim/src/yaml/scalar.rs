//! Scalars: plain ones, and those in quotes.

use std::borrow::Cow;

use inbetween_core::ReadError;

use super::{COMMENT, Reading, Scalar, Yaml, quoted};

impl<'t> Yaml<'t> {
    /// Reads a scalar. In block style, it goes on in lines that begin after the column `limit`; between
    /// brackets, it ends at a comma or a bracket.
    pub(super) fn scalar(&mut self, limit: Option<usize>) -> Reading<Scalar<'t>> {
        let at = self.at;
        let text = match self.ahead(0) {
            Some(b'"') => self.double_quoted()?,
            Some(b'\'') => self.single_quoted()?,
            Some(b'*') => return Self::fault(at, "a value", "an alias, which Unity never writes"),
            Some(b'&') => return Self::fault(at, "a value", "an anchor, which Unity never writes"),
            Some(b'!') => return Self::fault(at, "a value", "a tag, which Unity never writes"),
            Some(b'|' | b'>') => {
                return Self::fault(at, "a value", "a block of text, which Unity never writes");
            }
            Some(b'%' | b'@' | b'`' | b'#') => {
                return Self::fault(at, "a value", &self.found());
            }
            _ => match limit {
                Some(limit) => self.plain(limit)?,
                None => self.plain_in_flow(),
            },
        };
        Ok(Scalar { at, end: self.at, text })
    }

    /// Reads up to the end of the line, and the lines after it that are indented deeper.
    fn plain(&mut self, limit: usize) -> Reading<Cow<'t, str>> {
        let mut text = Cow::Borrowed(self.rest_of_line()?);
        loop {
            let before = self.clone();
            match self.next_line() {
                Ok(Some(column)) if column > limit => {
                    // Empty lines would be line breaks; Unity writes none in plain text.
                    let line = self.rest_of_line()?;
                    let folded = text.to_mut();
                    folded.push(' ');
                    folded.push_str(line);
                }
                _ => {
                    *self = before;
                    return Ok(text);
                }
            }
        }
    }

    fn rest_of_line(&mut self) -> Reading<&'t str> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = rest.bytes().position(|byte| byte == b'\n').unwrap_or(rest.len());
        let line = rest.get(..length).unwrap_or_default().trim_end_matches([' ', '\r']);
        if let Some(comment) = line.find(" #") {
            let at = self.at.saturating_add(comment).saturating_add(1);
            return Self::fault(at, "no comments", COMMENT);
        }
        self.advance(line.len());
        Ok(line)
    }

    /// Reads up to a comma, a bracket, or the colon of a key.
    fn plain_in_flow(&mut self) -> Cow<'t, str> {
        let at = self.at;
        while let Some(byte) = self.ahead(0) {
            let ends = matches!(byte, b',' | b'}' | b']' | b'{' | b'[');
            let is_colon = byte == b':' && matches!(self.ahead(1), Some(b' ' | b'\n'));
            if ends || is_colon {
                break;
            }
            self.advance(1);
        }
        let text = self.text.get(at..self.at).unwrap_or_default().trim_end();
        if !text.contains('\n') {
            return Cow::Borrowed(text);
        }
        Cow::Owned(text.split_ascii_whitespace().collect::<Vec<_>>().join(" "))
    }

    fn single_quoted(&mut self) -> Reading<Cow<'t, str>> {
        let start = self.at;
        self.advance(1);
        let mut text = Cow::Borrowed("");
        loop {
            self.run(&mut text, |byte| matches!(byte, b'\'' | b'\n'));
            match (self.ahead(0), self.ahead(1)) {
                (Some(b'\''), Some(b'\'')) => {
                    text.to_mut().push('\'');
                    self.advance(2);
                }
                (Some(b'\''), _) => {
                    self.advance(1);
                    return Ok(text);
                }
                (Some(_), _) => self.fold(&mut text),
                (None, _) => return Self::fault(start, "a closing quote", "the end of the object"),
            }
        }
    }

    fn double_quoted(&mut self) -> Reading<Cow<'t, str>> {
        let start = self.at;
        self.advance(1);
        let mut text = Cow::Borrowed("");
        loop {
            self.run(&mut text, |byte| matches!(byte, b'"' | b'\\' | b'\n'));
            match self.ahead(0) {
                Some(b'"') => {
                    self.advance(1);
                    return Ok(text);
                }
                Some(b'\\') => self.escape(&mut text)?,
                Some(_) => self.fold(&mut text),
                None => return Self::fault(start, "a closing quote", "the end of the object"),
            }
        }
    }

    /// Appends the bytes up to one that ends the run.
    fn run(&mut self, text: &mut Cow<'t, str>, ends: impl Fn(u8) -> bool) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = rest.bytes().position(ends).unwrap_or(rest.len());
        let run = rest.get(..length).unwrap_or_default();
        if text.is_empty() {
            *text = Cow::Borrowed(run);
        } else {
            text.to_mut().push_str(run);
        }
        self.advance(length);
    }

    /// Reads a line end in quotes: one is a space, each more is a line break.
    fn fold(&mut self, text: &mut Cow<'t, str>) {
        let kept = text.trim_end_matches([' ', '\r']).len();
        let text = text.to_mut();
        text.truncate(kept);
        let mut lines = 0_usize;
        while let Some(byte) = self.ahead(0).filter(|byte| matches!(byte, b'\n' | b'\r' | b' ')) {
            lines = lines.saturating_add(usize::from(byte == b'\n'));
            self.advance(1);
        }
        match lines {
            0 | 1 => text.push(' '),
            more => text.extend(std::iter::repeat_n('\n', more.saturating_sub(1))),
        }
    }

    fn escape(&mut self, text: &mut Cow<'t, str>) -> Reading<()> {
        let at = self.at;
        let letter = self.ahead(1);
        self.advance(2);
        let character = match letter {
            Some(b'n') => '\n',
            Some(b't') => '\t',
            Some(b'r') => '\r',
            Some(b'0') => '\0',
            Some(b'a') => '\u{7}',
            Some(b'b') => '\u{8}',
            Some(b'v') => '\u{b}',
            Some(b'f') => '\u{c}',
            Some(b'e') => '\u{1b}',
            Some(b'N') => '\u{85}',
            Some(b'_') => '\u{a0}',
            Some(b'L') => '\u{2028}',
            Some(b'P') => '\u{2029}',
            Some(byte @ (b'"' | b'\\' | b'/' | b' ')) => char::from(byte),
            Some(b'x') => self.code(at, 2)?,
            Some(b'u') => self.code(at, 4)?,
            Some(b'U') => self.code(at, 8)?,
            Some(b'\n' | b'\r') => {
                // The line break does not count.
                self.white();
                return Ok(());
            }
            _ => {
                let rest = self.text.get(at..).unwrap_or_default();
                let found: String = rest.chars().take(2).collect();
                return Self::fault(at, "an escape of YAML", &quoted(&found));
            }
        };
        text.to_mut().push(character);
        Ok(())
    }

    /// Reads the digits of a character; two halves of UTF-16 are one character.
    fn code(&mut self, at: usize, digits: usize) -> Reading<char> {
        let first = self.hex(at, digits)?;
        let mut code = first;
        let follows = self.ahead(0) == Some(b'\\') && self.ahead(1) == Some(b'u');
        if (0xd800..0xdc00).contains(&first) && follows {
            self.advance(2);
            let second = self.hex(at, 4)?;
            if (0xdc00..0xe000).contains(&second) {
                let (high, low) = (first & 0x3ff, second & 0x3ff);
                code = 0x1_0000_u32.saturating_add(high << 10 | low);
            }
        }
        match char::from_u32(code) {
            Some(character) => Ok(character),
            None => Self::fault(at, "the code of a character", &format!("{first:#06x}")),
        }
    }

    fn hex(&mut self, at: usize, digits: usize) -> Reading<u32> {
        let end = self.at.saturating_add(digits);
        let text = self.text.get(self.at..end).unwrap_or_default();
        let all_digits = text.bytes().all(|byte| byte.is_ascii_hexdigit());
        match u32::from_str_radix(text, 16) {
            Ok(code) if all_digits => {
                self.advance(digits);
                Ok(code)
            }
            _ => {
                let digits = inbetween_core::counted(digits, "hexadecimal digit");
                let rest = self.text.get(at..).unwrap_or_default();
                let of_text = |letter: &char| !matches!(letter, '"' | '\n' | '\r');
                let found: String = rest.chars().take_while(of_text).take(10).collect();
                Err(super::Fault { at, error: ReadError::invalid(digits, quoted(&found)) })
            }
        }
    }
}
