//! A track object: `trackType`, `valueType`, `data`.

use std::borrow::Cow;

use inbetween_core::{Code, Edit, ReadErrorKind, ValueKind, shown};

use super::Reader;
use super::data::{TrackType, unsupported_kind};
use super::members::{Names, Unknown};
use crate::codes;
use crate::file::AnimjTrack;
use crate::json::{Fault, Mark, Parsed, WayOn};
use crate::place::Step;

/// The members of a track object, in the order that the game asks for.
const NAMES: &[&str] = &["trackType", "valueType", "data"];

/// The depth of the steps below `/tracks/0`.
const MEMBER: usize = 2;

/// What is known of a track while it is read.
struct Draft<'t> {
    track_type: Option<TrackType>,
    kind: Option<ValueKind>,
    /// Where the last `data` begins.
    data: Option<Mark<'t>>,
    /// The track, and the types that it was read with.
    track: Option<(TrackType, ValueKind, AnimjTrack)>,
    order: Order,
}

/// The order of the members, and where the known ones are.
#[derive(Default)]
struct Order {
    /// How many members there were.
    members: usize,
    known: [Option<Span>; 3],
    /// Where the first known member stands that is given again.
    again: Option<usize>,
}

/// Where a member stands.
#[derive(Clone, Copy)]
struct Span {
    /// Its number among the members.
    number: usize,
    /// The comma before it, if it is not the first one.
    comma: usize,
    begin: usize,
    end: usize,
}

/// Types that the game has, but no tracks of.
const UNSUPPORTED: [&str; 6] = ["colorX", "char", "DateTime", "TimeSpan", "decimal", "enum"];

impl<'t> Reader<'t> {
    /// Reads a track; `None` for what a check skips.
    pub(super) fn track(&mut self) -> Parsed<Option<AnimjTrack>> {
        let mark = self.json.mark();
        match self.track_or_fault() {
            Ok(track) => Ok(track),
            Err(fault) => self.recover(mark, fault).map(|()| None),
        }
    }

    fn track_or_fault(&mut self) -> Parsed<Option<AnimjTrack>> {
        let start = self.json.offset();
        self.json.begin_object("a track object")?;
        let inside = self.json.offset();
        let mut names = Names::new(NAMES, MEMBER);
        let order = Order::default();
        let mut draft = Draft { track_type: None, kind: None, data: None, track: None, order };
        let mut first = true;
        while let Some(name) = self.json.next_name(&mut first)? {
            self.take_slips_at(MEMBER);
            let (comma, begin) = (self.json.comma, self.json.name.0);
            let found = names.find(&name);
            match found {
                Some(index) => {
                    self.meet(&mut names, index);
                    self.track_member(&mut draft, index)?;
                }
                None => self.unknown(&mut names, &name, Unknown::Refused).map(|_| ())?,
            }
            draft.order.add(found, comma, begin, self.json.offset());
            self.take_slips();
        }
        self.place.up_to(MEMBER);
        self.take_slips();
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

    fn track_member(&mut self, draft: &mut Draft<'t>, index: usize) -> Parsed<()> {
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

    /// Goes back to `data` that came before the types that it is read with.
    fn reread_data(&mut self, draft: &mut Draft<'t>) -> Parsed<()> {
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
        // What stands there was skipped before, with its slips.
        let muted = std::mem::replace(&mut self.json.slips.muted, true);
        draft.track = None;
        if !self.json.at_null() {
            draft.read_data(self, track_type, kind)?;
        }
        self.json.slips.muted = muted;
        self.json.go_to(here);
        self.place.up_to(MEMBER);
        Ok(())
    }

    /// Reads the name of a type; `None` for what a check skips.
    fn type_name<T>(&mut self, read: fn(&mut Self) -> Parsed<T>) -> Parsed<Option<T>> {
        let mark = self.json.mark();
        match read(self) {
            Ok(found) => Ok(Some(found)),
            Err(fault) => self.recover(mark, fault).map(|()| None),
        }
    }

    fn track_type(&mut self) -> Parsed<TrackType> {
        const EXPECTED: &str = "\"Raw\", \"Discrete\" or \"Curve\"";
        let at = self.json.offset();
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
            let fault = Fault::new(at, codes::BEZIER_TRACK, kind, WayOn::Skip);
            return Err(fault.hint("write a Curve track whose keys are CubicBezier"));
        }
        let found = format!("\"{}\"", shown(&name));
        Err(Fault::value(at, codes::TRACK_TYPE_UNKNOWN, EXPECTED, found))
    }

    fn value_type(&mut self) -> Parsed<ValueKind> {
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
        Err(Fault::value(at, codes::VALUE_TYPE_UNKNOWN, EXPECTED, found))
    }

    fn case_slip(&mut self, code: Code, at: usize, found: &str, meant: &'static str) {
        if !self.checks() {
            return;
        }
        let replacement = Cow::Owned(format!("\"{meant}\"").into_bytes());
        let edits = vec![Edit { start: at, end: self.json.offset(), replacement }];
        let place = self.place;
        let message = || format!("\"{found}\" instead of \"{meant}\"").into();
        let fix = ("spell the type as the game does", edits);
        self.notes.add_mended(code, at, || place.path(), message, fix);
    }

    fn missing_member(&mut self, start: usize, name: &str) -> Parsed<()> {
        let expected = format!("{name} in the track object");
        let fault = Fault::value(start, codes::TRACK_MEMBER_MISSING, expected, "none");
        if self.checks() {
            let place = self.place;
            self.notes.fault(fault, || place.path());
            return Ok(());
        }
        Err(fault)
    }

    /// Notes members in an order that the game refuses.
    fn check_order(&mut self, order: &Order, inside: usize) {
        const CODE: Code = codes::TRACK_MEMBER_ORDER;
        let [Some(track_type), Some(value_type), Some(data)] = order.known else { return };
        let place = self.place;
        let path = || place.path();
        if let Some(again) = order.again {
            // Which one is meant is not for us to say, so nothing moves.
            let message = || "the game needs trackType, valueType and data once each".into();
            self.notes.add(CODE, again, path, message);
            return;
        }
        let moved: &[Span] = match (track_type.number, value_type.number) {
            (0, 1) => &[],
            (0, _) => &[value_type],
            (_, 0) => &[track_type],
            _ => &[track_type, value_type],
        };
        let message = || "the game needs trackType, valueType, data in this order".into();
        if !moved.is_empty() {
            let front = if track_type.number == 0 { track_type.end } else { inside };
            let edits = self.moves(moved, inside, front);
            let fix = ("move trackType and valueType to the front", edits);
            self.notes.add_mended(CODE, data.begin, path, message, fix);
        } else if data.number != 2 {
            self.notes.add(CODE, data.begin, path, message);
        }
    }

    /// Returns the edits that move members to `front`, which is `inside`, the beginning of
    /// the object, or the end of its first member.
    fn moves(&self, moved: &[Span], inside: usize, front: usize) -> Vec<Edit> {
        let space = self.space_at(inside);
        let mut text = String::new();
        let mut edits = Vec::new();
        for &Span { comma, begin, end, .. } in moved {
            let member = self.json.slice(begin, end);
            let parts = if front == inside { [space, member, ","] } else { [",", space, member] };
            text.extend(parts);
            // The comma before the member goes with it.
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
    ) -> Parsed<()> {
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
