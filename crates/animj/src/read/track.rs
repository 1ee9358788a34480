//! A track object: `trackType`, `valueType`, `data`.

use std::borrow::Cow;

use inbetween_core::{Code, Edit, ReadErrorKind, ValueKind, shown};

use super::data::unsupported_kind;
use super::members::{Name, Names, Unknown};
use super::{Purpose, Reader};
use crate::codes;
use crate::file::AnimjTrack;
use crate::layout::{TRACK, TrackType};
use crate::reader_path::Step;
use crate::suggest::suggest;
use inbetween_core::codes as shared;
use inbetween_core::json::{JsonError, JsonErrorCause, JsonResult, Mark, Recovery};

/// The path depth below `/tracks/0`.
const MEMBER: usize = 2;

/// The state of reading a track.
struct Draft<'t> {
    track_type: Option<TrackType>,
    kind: Option<ValueKind>,
    /// The offset of the last `data`.
    data: Option<Mark<'t>>,
    /// The track, and the types with which it was read.
    track: Option<(TrackType, ValueKind, AnimjTrack)>,
    order: Order,
}

/// The order of the members, and the positions of the known ones.
#[derive(Default)]
struct Order {
    /// The number of members.
    members: usize,
    known: [Option<Span>; 3],
    /// The position of the first duplicate known member.
    again: Option<usize>,
}

/// The position of a member.
#[derive(Clone, Copy)]
struct Span {
    /// Its index among the members.
    number: usize,
    /// The comma before it, unless it is the first one.
    comma: usize,
    begin: usize,
    end: usize,
}

/// Types that Resonite has, but no tracks of.
const UNSUPPORTED: [&str; 6] = ["colorX", "char", "DateTime", "TimeSpan", "decimal", "enum"];

impl<'t> Reader<'t> {
    /// Reads a track; returns `None` for one that a check skips.
    pub(super) fn track(&mut self) -> JsonResult<Option<AnimjTrack>> {
        let mark = self.json.mark();
        match self.track_or_fault() {
            Ok(track) => Ok(track),
            Err(fault) if self.purpose == Purpose::Document => {
                self.skip_track(mark, fault).map(|()| None)
            }
            Err(fault) => self.recover(mark, fault).map(|()| None),
        }
    }

    /// Reports a broken track and skips it.
    #[cold]
    fn skip_track(&mut self, mark: Mark<'t>, fault: JsonError) -> JsonResult<()> {
        let place = self.place;
        self.json.go_to(mark);
        if fault.0.recovery == Recovery::Stop || self.json.skip_value().is_err() {
            return Err(fault);
        }
        let JsonErrorCause { at, kind, hint, .. } = &*fault.0;
        let hint = hint.as_ref().map_or_else(String::new, |hint| format!("; {hint}"));
        let message = format!("a track: {kind}{hint}");
        self.report(shared::PART_SKIPPED, *at, || message.into());
        self.skipped.get_or_insert((fault, place));
        Ok(())
    }

    fn track_or_fault(&mut self) -> JsonResult<Option<AnimjTrack>> {
        let start = self.json.offset();
        self.json.begin_object("a track object")?;
        let inside = self.json.offset();
        let mut names = Names::new(TRACK, MEMBER);
        let order = Order::default();
        let mut draft = Draft { track_type: None, kind: None, data: None, track: None, order };
        while let Some(name) = self.next_member(&mut names)? {
            self.take_repairs_at(MEMBER);
            let (comma, begin) = (self.json.comma(), self.json.name().0);
            let known = match name {
                Name::Known(index) => {
                    self.meet(&mut names, index);
                    self.track_member(&mut draft, index)?;
                    Some(index)
                }
                Name::Unknown(name) => {
                    self.unknown(&mut names, &name, Unknown::Refused)?;
                    None
                }
            };
            draft.order.add(known, comma, begin, self.json.offset());
            self.take_repairs();
        }
        self.place.up_to(MEMBER);
        self.take_repairs();
        self.reread_data(&mut draft)?;
        let missing = names.missing().next();
        if self.checks() {
            self.check_order(&draft.order, inside);
            self.end_of_names(&names);
        }
        if let Some(missing) = missing {
            return self.missing_member(start, missing).map(|()| None);
        }
        Ok(draft.track.map(|(_, _, track)| track))
    }

    fn track_member(&mut self, draft: &mut Draft<'t>, index: usize) -> JsonResult<()> {
        let mark = self.json.mark();
        match index {
            0 => draft.track_type = self.type_name(Self::track_type)?,
            1 => draft.kind = self.type_name(Self::value_type)?,
            _ => {
                draft.data = Some(mark);
                draft.track = None;
                if let (Some(track_type), Some(kind)) = (draft.track_type, draft.kind) {
                    draft.read_data(self, track_type, kind)?;
                } else if self.json.at_null() {
                    return self.recover(mark, self.json.unexpected("an object with keyframes"));
                } else {
                    self.json.skip_value()?;
                }
            }
        }
        Ok(())
    }

    /// Returns to `data` that came before the types needed to read it.
    fn reread_data(&mut self, draft: &mut Draft<'t>) -> JsonResult<()> {
        let (Some(mark), Some(track_type), Some(kind)) = (draft.data, draft.track_type, draft.kind)
        else {
            return Ok(());
        };
        if draft.track.as_ref().is_some_and(|known| (known.0, known.1) == (track_type, kind)) {
            return Ok(());
        }
        let here = self.json.mark();
        self.json.go_to(mark);
        self.place.set(MEMBER, Step::Member("data"));
        // It was skipped before, and its mistakes were reported then.
        let muted = std::mem::replace(&mut self.json.repairs.muted, true);
        draft.track = None;
        if !self.json.at_null() {
            draft.read_data(self, track_type, kind)?;
        }
        self.json.repairs.muted = muted;
        self.json.go_to(here);
        self.place.up_to(MEMBER);
        Ok(())
    }

    /// Reads the name of a type; returns `None` for one that a check skips.
    fn type_name<T>(&mut self, read: fn(&mut Self) -> JsonResult<T>) -> JsonResult<Option<T>> {
        let mark = self.json.mark();
        match read(self) {
            Ok(found) => Ok(Some(found)),
            Err(fault) => self.recover(mark, fault).map(|()| None),
        }
    }

    fn track_type(&mut self) -> JsonResult<TrackType> {
        const EXPECTED: &str = "\"Raw\", \"Discrete\" or \"Curve\"";
        let at = self.json.offset();
        if let Some(found) = self.numbered_track_type(at)? {
            return Ok(found);
        }
        let name = self.json.string(EXPECTED)?;
        self.track_type = (at, self.json.offset());
        let named = |matches: &dyn Fn(&str) -> bool| {
            TrackType::ALL.into_iter().find(|(known, _)| matches(known))
        };
        if let Some((_, found)) = named(&|known| *known == *name) {
            return Ok(found);
        }
        if let Some((known, found)) = named(&|known| known.eq_ignore_ascii_case(&name)) {
            self.case_slip(codes::TRACK_TYPE_CASE, at, &name, known);
            return Ok(found);
        }
        if name.eq_ignore_ascii_case("Bezier") {
            let kind = ReadErrorKind::Unsupported { what: "trackType \"Bezier\"".into() };
            let fault = JsonError::new(at, codes::BEZIER_TRACK, kind, Recovery::Skip);
            return Err(fault.hint("write a Curve track whose keys are CubicBezier"));
        }
        let found = format!("\"{}\"", shown(&name));
        let fault = JsonError::value(at, codes::TRACK_TYPE_UNKNOWN, EXPECTED, found);
        let known = TrackType::ALL.into_iter().map(|(known, _)| known);
        Err(fault.suggesting(suggest(&name, known)))
    }

    /// Reads the number of a trackType, in a check.
    fn numbered_track_type(&mut self, at: usize) -> JsonResult<Option<TrackType>> {
        if !self.checks() || !self.json.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return Ok(None);
        }
        let mark = self.json.mark();
        let number = self.json.number()?;
        let index = number.to_i128().and_then(|number| usize::try_from(number).ok());
        let Some((name, found)) = index.and_then(|index| TrackType::ALL.get(index).copied()) else {
            self.json.go_to(mark);
            return Ok(None);
        };
        // Its range stays empty: the number is replaced whole.
        self.track_type = (at, at);
        let replacement = Cow::Owned(format!("\"{name}\"").into_bytes());
        let edits = vec![Edit { start: at, end: self.json.offset(), replacement }];
        let (place, message) = (self.place, format!("{} instead of \"{name}\"", number.text()));
        let fix = ("write the name of trackType", edits);
        let code = codes::TRACK_TYPE_NUMBER;
        self.notes.add_fixable(code, at, || place.path(), || message.into(), fix);
        Ok(Some(found))
    }

    fn value_type(&mut self) -> JsonResult<ValueKind> {
        const EXPECTED: &str = "the name of a value type, such as \"float3\"";
        let at = self.json.offset();
        let name = self.json.string(EXPECTED)?;
        if let Some(kind) = ValueKind::from_name(&name) {
            return Ok(kind);
        }
        let is = |known: &str| known.eq_ignore_ascii_case(&name);
        if let Some(kind) = ValueKind::ALL.into_iter().find(|kind| is(kind.name())) {
            self.case_slip(codes::VALUE_TYPE_CASE, at, &name, kind.name());
            return Ok(kind);
        }
        if let Some(known) = UNSUPPORTED.into_iter().find(|known| is(known)) {
            return Err(unsupported_kind(at, known));
        }
        let found = format!("\"{}\"", shown(&name));
        let fault = JsonError::value(at, codes::VALUE_TYPE_UNKNOWN, EXPECTED, found);
        let known = ValueKind::ALL.into_iter().map(ValueKind::name);
        Err(fault.suggesting(suggest(&name, known)))
    }

    fn case_slip(&mut self, code: Code, at: usize, found: &str, meant: &'static str) {
        if !self.checks() {
            return;
        }
        let replacement = Cow::Owned(format!("\"{meant}\"").into_bytes());
        let edits = vec![Edit { start: at, end: self.json.offset(), replacement }];
        let place = self.place;
        let message = || format!("\"{found}\" instead of \"{meant}\"").into();
        let fix = ("correct the case of the type", edits);
        self.notes.add_fixable(code, at, || place.path(), message, fix);
    }

    fn missing_member(&mut self, start: usize, name: &str) -> JsonResult<()> {
        let expected = format!("{name} in the track object");
        let fault = JsonError::value(start, codes::TRACK_MEMBER_MISSING, expected, "none");
        if self.checks() {
            let place = self.place;
            self.notes.fault(fault, || place.path());
            return Ok(());
        }
        Err(fault)
    }

    /// Reports members in an order that Resonite refuses.
    fn check_order(&mut self, order: &Order, inside: usize) {
        const CODE: Code = codes::TRACK_MEMBER_ORDER;
        let [Some(track_type), Some(value_type), Some(data)] = order.known else { return };
        let place = self.place;
        let path = || place.path();
        if let Some(again) = order.again {
            // The correct member is unknown, so nothing is moved.
            let message = || "a track needs trackType, valueType and data exactly once".into();
            self.notes.add(CODE, again, path, message);
            return;
        }
        let moved: &[Span] = match (track_type.number, value_type.number) {
            (0, 1) => &[],
            (0, _) => &[value_type],
            (_, 0) => &[track_type],
            _ => &[track_type, value_type],
        };
        let message = || "expected trackType, valueType, data in this order".into();
        if !moved.is_empty() {
            let front = if track_type.number == 0 { track_type.end } else { inside };
            let edits = self.moves(moved, inside, front);
            let fix = ("move trackType and valueType to the front", edits);
            self.notes.add_fixable(CODE, data.begin, path, message, fix);
        } else if data.number != 2 {
            self.notes.add(CODE, data.begin, path, message);
        }
    }

    /// Returns the edits that move members to `front`, which is the start of the object (`inside`)
    /// or the end of its first member.
    fn moves(&self, moved: &[Span], inside: usize, front: usize) -> Vec<Edit> {
        let space = self.space_at(inside);
        let mut text = String::new();
        let mut edits = Vec::new();
        for &Span { comma, begin, end, .. } in moved {
            let member = self.json.slice(begin, end);
            let parts = if front == inside { [space, member, ","] } else { [",", space, member] };
            text.extend(parts);
            // The comma before the member moves too.
            edits.push(Edit { start: comma, end, replacement: Cow::Borrowed(b"") });
        }
        edits.push(Edit { start: front, end: front, replacement: text.into_bytes().into() });
        edits
    }

    /// Returns the white space at an offset.
    fn space_at(&self, inside: usize) -> &'t str {
        let rest = self.json.slice(inside, self.json.offset());
        let blanks = rest.len().saturating_sub(rest.trim_ascii_start().len());
        self.json.slice(inside, inside.saturating_add(blanks))
    }
}

impl<'t> Draft<'t> {
    fn read_data(
        &mut self,
        reader: &mut Reader<'t>,
        track_type: TrackType,
        kind: ValueKind,
    ) -> JsonResult<()> {
        let mark = reader.json.mark();
        match reader.data(track_type, kind) {
            Ok(track) => self.track = Some((track_type, kind, track)),
            Err(fault) => reader.recover(mark, fault)?,
        }
        Ok(())
    }
}

impl Order {
    fn add(&mut self, known: Option<usize>, comma: usize, begin: usize, end: usize) {
        let span = Span { number: self.members, comma, begin, end };
        match known.and_then(|known| self.known.get_mut(known)) {
            Some(place @ None) => *place = Some(span),
            Some(Some(_)) => self.again = self.again.or(Some(begin)),
            None => {}
        }
        self.members = self.members.saturating_add(1);
    }
}
