//! Parses text into the exact model.

mod tokens;

use std::borrow::Cow;

use inbetween_core::json::{locate, resolve, unresolved};
use inbetween_core::num::{len_from_u64, u64_from_len};
use inbetween_core::{
    Budget, Code, Edit, Finding, Findings, Fix, Limits, Outcome, Path, ReadError, ReadErrorKind,
    codes as shared, grow,
};

use self::tokens::is_space;
pub(crate) use self::tokens::{Token, Tokens};
use crate::codes;
use crate::file::{BvhFile, BvhJoint, BvhMotion, Channel, Parsed};
use crate::layout::{
    BYTE_ORDER_MARK, CHANNELS, END, FRAME, FRAMES, HIERARCHY, ID, JOINT, MOTION, OFFSET, ROOT,
    SITE, TIME,
};

impl<'a> BvhFile<'a> {
    /// Reads a file without decoding its rows, with findings about the hierarchy and the numbers of
    /// rows and channels.
    ///
    /// # Errors
    ///
    /// If the text is not UTF-8, its hierarchy is broken, or it has more joints than the limits
    /// allow.
    pub fn parse(bytes: &'a [u8], limits: &Limits) -> Result<Outcome<Self>, ReadError> {
        let Parsed { file, mut findings } = Self::parse_text(utf8(bytes)?.into(), limits)?;
        resolve(&file.source, findings.as_mut_slice());
        Ok(Outcome::new(file, findings))
    }

    /// Reads a text. The findings have no lines and columns.
    pub(crate) fn parse_text(
        source: Cow<'a, str>,
        limits: &Limits,
    ) -> Result<Parsed<'a>, ReadError> {
        let mut reader = Reader {
            tokens: Tokens::new(&source, if source.starts_with(BYTE_ORDER_MARK) { 3 } else { 0 }),
            budget: Budget::new(limits, source.len()),
            findings: Findings::new(limits),
            joints: Vec::new(),
            places: Vec::new(),
        };
        let read = reader.file();
        let Reader { tokens, joints, places, findings, .. } = reader;
        let rows = tokens.offset();
        match read {
            Ok(motion) => {
                Ok(Parsed { file: Self { source, joints, places, motion, rows }, findings })
            }
            Err(Fault { at, error }) => Err(error.in_format(ID).at_position(locate(&source, at))),
        }
    }
}

/// Returns the text of a file.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, ReadError> {
    inbetween_core::json::utf8(bytes).map_err(|error| error.in_format(ID))
}

/// Checks whether a file can begin with these bytes.
pub(crate) fn check_start(head: &[u8]) -> Result<(), ReadError> {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let start = text.iter().position(|byte| !is_space(*byte)).unwrap_or(text.len());
    let text = text.get(start..).unwrap_or_default();
    let word = text.get(..HIERARCHY.len()).unwrap_or(text);
    let expected = HIERARCHY.as_bytes().get(..word.len()).unwrap_or_default();
    if !word.eq_ignore_ascii_case(expected) {
        return Err(not_bvh(&word.escape_ascii().to_string()).in_format(ID));
    }
    if word.len() < HIERARCHY.len() {
        let (needed, available) = (u64_from_len(HIERARCHY.len()), u64_from_len(word.len()));
        let kind = ReadErrorKind::UnexpectedEnd { needed, available };
        return Err(ReadError::new(kind).in_format(ID));
    }
    Ok(())
}

fn not_bvh(found: &str) -> ReadError {
    let found = match found {
        "" => "the end of the file".into(),
        found => format!("\"{found}\"").into(),
    };
    ReadError::new(ReadErrorKind::BadMagic { expected: "HIERARCHY", found })
}

/// An error at a byte, whose line and column are found once.
struct Fault {
    at: usize,
    error: ReadError,
}

type Reading<T> = Result<T, Fault>;

/// An open brace.
#[derive(Clone, Copy)]
enum Open {
    /// Of the joint with this index.
    Joint(usize),
    /// Of an end site of the joint with this index.
    Tip(usize),
}

struct Reader<'t> {
    tokens: Tokens<'t>,
    budget: Budget,
    findings: Findings,
    joints: Vec<BvhJoint>,
    places: Vec<usize>,
}

impl Reader<'_> {
    fn file(&mut self) -> Reading<Option<BvhMotion>> {
        if self.tokens.offset() > 0 {
            let edits = vec![Edit { start: 0, end: 3, replacement: b"".as_slice().into() }];
            let fix = Fix { title: "remove the byte order mark".into(), edits };
            self.note(codes::BYTE_ORDER_MARK, 0, || "before HIERARCHY".into(), Some(fix));
        }
        let first = self.tokens.next();
        if !first.is_some_and(|token| token.is(HIERARCHY)) {
            let (at, text) = first.map_or((0, ""), |token| (token.at, token.text));
            let start: String = text.chars().take(HIERARCHY.len()).collect();
            return Err(Fault { at, error: not_bvh(&start.escape_debug().to_string()) });
        }
        self.hierarchy()
    }

    /// Adds a finding about a joint or the file.
    fn note(&mut self, code: Code, at: usize, message: impl FnOnce() -> String, fix: Option<Fix>) {
        let finding = || {
            let mut finding = Finding::new(code, message()).position(unresolved(at));
            finding.fix = fix;
            finding
        };
        self.findings.add(code, finding);
    }

    /// Reads the joints, and the rows if there are some.
    fn hierarchy(&mut self) -> Reading<Option<BvhMotion>> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            let Some(token) = self.tokens.next() else {
                if open.is_empty() {
                    return Ok(None);
                }
                return Err(self.expected("}", None));
            };
            match open.last().copied() {
                None if token.is(ROOT) => open.push(self.joint(token.at, None)?),
                None if token.is(MOTION) => return Ok(Some(self.motion())),
                None => return Err(self.expected("ROOT or MOTION", Some(token))),
                Some(_) if token.text == "}" => {
                    open.pop();
                }
                Some(Open::Tip(joint)) if token.is(OFFSET) => {
                    let offset = self.offset()?;
                    let tips = self.joints.get_mut(joint).map(|joint| &mut joint.tips);
                    if let Some(tip) = tips.and_then(|tips| tips.last_mut()) {
                        *tip = offset;
                    }
                }
                Some(Open::Tip(_)) => return Err(self.expected("OFFSET or }", Some(token))),
                Some(Open::Joint(parent)) if token.is(JOINT) => {
                    open.push(self.joint(token.at, Some(parent))?);
                }
                Some(Open::Joint(joint)) if token.is(END) => open.push(self.tip(joint)?),
                Some(Open::Joint(joint)) if token.is(OFFSET) => {
                    let offset = self.offset()?;
                    if let Some(joint) = self.joints.get_mut(joint) {
                        joint.offset = offset;
                    }
                }
                Some(Open::Joint(joint)) if token.is(CHANNELS) => self.channels(joint, token.at)?,
                Some(Open::Joint(_)) => {
                    let expected = "OFFSET, CHANNELS, JOINT, End Site or }";
                    return Err(self.expected(expected, Some(token)));
                }
            }
        }
    }

    /// Returns the error of a token, or of the end of the file.
    fn expected(&self, expected: &'static str, found: Option<Token<'_>>) -> Fault {
        let (at, found) = match found {
            Some(token) => (token.at, format!("\"{}\"", inbetween_core::shown(token.text))),
            None => (self.tokens.offset(), "the end of the file".to_owned()),
        };
        Fault { at, error: ReadError::invalid(expected, found) }
    }

    fn charge(&mut self, at: usize) -> Reading<()> {
        self.budget.charge_items(1).map_err(|error| Fault { at, error })
    }

    fn brace(&mut self) -> Reading<()> {
        match self.tokens.next() {
            Some(token) if token.text == "{" => Ok(()),
            found => Err(self.expected("{", found)),
        }
    }

    fn joint(&mut self, at: usize, parent: Option<usize>) -> Reading<Open> {
        self.charge(at)?;
        let name = self.tokens.line().text.into();
        self.brace()?;
        let index = self.joints.len();
        let no_memory =
            |error: inbetween_core::memory::OutOfMemory| Fault { at, error: error.into() };
        grow::try_column(&mut self.joints, 1).map_err(no_memory)?;
        grow::try_column(&mut self.places, 1).map_err(no_memory)?;
        self.places.push(at);
        self.joints.push(BvhJoint { name, parent, ..BvhJoint::default() });
        Ok(Open::Joint(index))
    }

    fn tip(&mut self, joint: usize) -> Reading<Open> {
        let site = self.tokens.next();
        if !site.is_some_and(|token| token.is(SITE)) {
            return Err(self.expected("Site", site));
        }
        self.charge(site.map_or(0, |token| token.at))?;
        // Some programs name end sites.
        self.tokens.line();
        self.brace()?;
        if let Some(joint) = self.joints.get_mut(joint) {
            joint.tips.push([0.0; 3]);
        }
        Ok(Open::Tip(joint))
    }

    fn offset(&mut self) -> Reading<[f64; 3]> {
        Ok([self.coordinate()?, self.coordinate()?, self.coordinate()?])
    }

    fn coordinate(&mut self) -> Reading<f64> {
        let token = self.tokens.next();
        let number = token.and_then(Token::number);
        if let Some(token) = token.filter(|token| token.has_comma()) {
            self.note(codes::DECIMAL_COMMA, token.at, || token.text.to_owned(), None);
        }
        number.ok_or_else(|| self.expected("a number", token))
    }

    fn channels(&mut self, joint: usize, at: usize) -> Reading<()> {
        let token = self.tokens.next();
        let stated = token.and_then(|token| token.text.parse::<u64>().ok());
        let (Some(token), Some(stated)) = (token, stated) else {
            return Err(self.expected("the number of channels", token));
        };
        if self.joints.get(joint).is_some_and(|joint| !joint.channels.is_empty()) {
            return Err(Fault {
                at,
                error: ReadError::invalid("one list of channels", "a second"),
            });
        }
        let mut channels = Vec::new();
        let mut ahead = self.tokens.clone();
        while let Some(channel) = ahead.next().and_then(|token| Channel::of_name(token.text)) {
            self.tokens = ahead.clone();
            self.charge(self.tokens.offset())?;
            channels.push(channel);
        }
        let found = u64_from_len(channels.len());
        let next = self.tokens.clone().next();
        let keywords = [OFFSET, CHANNELS, JOINT, END, "{", "}"];
        if found < stated && !next.is_some_and(|next| keywords.iter().any(|word| next.is(word))) {
            return Err(self.expected("a channel such as Xposition", next));
        }
        if found != stated {
            let message = || format!("{stated} stated, {found} named");
            let fix = replace(token, found, "state the number of named channels");
            self.note(codes::CHANNEL_COUNT, token.at, message, Some(fix));
        }
        if let Some(joint) = self.joints.get_mut(joint) {
            joint.channels = channels;
        }
        Ok(())
    }

    /// Reads the facts about the rows, and counts them.
    fn motion(&mut self) -> BvhMotion {
        let at = self.tokens.offset();
        let (mut frames, mut frame_time) = (None, None);
        loop {
            if let Some(token) = self.tokens.field(&[FRAMES]).filter(|_| frames.is_none()) {
                frames = Some(token);
            } else if let Some(token) =
                self.tokens.field(&[FRAME, TIME]).filter(|_| frame_time.is_none())
            {
                frame_time = Some(token);
            } else {
                break;
            }
        }
        let stated = frames.and_then(|token| token.text.parse::<u64>().ok());
        let seconds = frame_time.and_then(Token::number).unwrap_or(0.0);
        if !(seconds > 0.0 && seconds.is_finite()) {
            let message = || match frame_time {
                Some(token) => format!("Frame Time \"{}\"", inbetween_core::shown(token.text)),
                None => "no Frame Time".to_owned(),
            };
            let at = frame_time.map_or(at, |token| token.at);
            self.note(shared::FRAME_RATE_INVALID, at, message, None);
        }
        if let Some(token) = frame_time.filter(|token| token.has_comma()) {
            self.note(codes::DECIMAL_COMMA, token.at, || token.text.to_owned(), None);
        }
        let complete = self.count_rows(stated);
        self.check_count(complete, stated, frames, at);
        BvhMotion { frames: stated, frame_time: seconds, complete }
    }

    /// Returns the number of complete rows, and reports a last one that is cut off.
    fn count_rows(&mut self, stated: Option<u64>) -> u64 {
        let width = self.joints.iter().map(|joint| joint.channels.len());
        let width = u64_from_len(width.fold(0, usize::saturating_add));
        if width == 0 {
            return stated.unwrap_or(0);
        }
        let count = u64_from_len(self.tokens.remaining());
        let complete = count.checked_div(width).unwrap_or(0);
        let rest = count.checked_rem(width).unwrap_or(0);
        if rest > 0 {
            let whole = len_from_u64(complete.saturating_mul(width));
            let at = self.tokens.clone().nth(whole).map_or(0, |token| token.at);
            let message = || format!("{rest} of {width} numbers");
            self.note(codes::ROW_INCOMPLETE, at, message, None);
        }
        complete
    }

    /// Reports a number of rows that is missing, or not that of the file.
    fn check_count(
        &mut self,
        complete: u64,
        stated: Option<u64>,
        frames: Option<Token<'_>>,
        motion: usize,
    ) {
        if stated == Some(complete) {
            return;
        }
        let message = || match (stated, frames) {
            (Some(stated), _) => format!("{stated} stated, {complete} in the file"),
            (None, Some(token)) => format!("\"{}\"", inbetween_core::shown(token.text)),
            (None, None) => "no Frames".to_owned(),
        };
        let fix = frames.map(|token| replace(token, complete, "state the number of rows"));
        let at = frames.map_or(motion, |token| token.at);
        self.note(codes::FRAME_COUNT, at, message, fix);
    }
}

/// Returns the fix that writes a number instead of a word.
fn replace(token: Token<'_>, number: u64, title: &'static str) -> Fix {
    let end = token.at.saturating_add(token.text.len());
    let replacement = number.to_string().into_bytes().into();
    Fix { title: title.into(), edits: vec![Edit { start: token.at, end, replacement }] }
}

/// Returns the path of a joint in the file.
pub(crate) fn joint_path(index: usize) -> Path {
    Path::item("joints", index)
}
