//! Members: known, unknown, missing and duplicate.

use std::borrow::Cow;

use inbetween_core::{Code, Edit, shown};

use super::shape::Object;
use super::{Purpose, Reader};
use crate::codes;
use crate::member::Member;
use crate::notes::ListedItem;
use crate::reader_path::Step;
use crate::suggest::suggest;
use inbetween_core::json::JsonResult;

/// The names that an object may have, and those that it has.
#[derive(Debug)]
pub(super) struct Names {
    known: &'static [&'static str],
    /// The path depth of the object.
    depth: usize,
    /// Whether no member was read yet.
    first: bool,
    /// The index of the name that usually comes next.
    next: usize,
    /// One bit per name.
    seen: u32,
    slips: Vec<CaseSlip>,
    /// Whether the object has unknown members.
    has_unknown: bool,
}

/// The name of a member.
#[derive(Debug)]
pub(super) enum Name<'t> {
    /// The index of a known one.
    Known(usize),
    Unknown(Cow<'t, str>),
}

/// A name that differs from a known one only in case.
#[derive(Clone, Copy, Debug)]
struct CaseSlip {
    start: usize,
    end: usize,
    meant: usize,
}

/// How to treat an unknown member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unknown {
    /// Resonite ignores it, and it is kept.
    Kept,
    /// Resonite ignores it, and it is dropped.
    Dropped,
    /// Resonite refuses it.
    Refused,
}

impl Names {
    pub(super) const fn new(known: &'static [&'static str], depth: usize) -> Self {
        Self { known, depth, first: true, next: 0, seen: 0, slips: Vec::new(), has_unknown: false }
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.known.iter().position(|known| *known == name)
    }

    /// Returns a known name.
    pub(super) fn name(&self, index: usize) -> &'static str {
        self.known.get(index).copied().unwrap_or_default()
    }

    /// An object has at most five known members.
    #[inline]
    fn bit(index: usize) -> u32 {
        u32::try_from(index).ok().and_then(|index| 1_u32.checked_shl(index)).unwrap_or(0)
    }

    /// Returns the names that the object has, one bit per known name.
    pub(super) const fn seen(&self) -> u32 {
        self.seen
    }

    #[inline]
    pub(super) fn has(&self, index: usize) -> bool {
        self.seen & Self::bit(index) != 0
    }

    pub(super) fn missing(&self) -> impl Iterator<Item = &'static str> {
        let known = self.known.iter().enumerate();
        known.filter(|(index, _)| !self.has(*index)).map(|(_, name)| *name)
    }
}

impl<'t> Reader<'t> {
    /// Moves to a known member if it comes next, and returns whether it does.
    #[inline]
    pub(super) fn at_member(
        &mut self,
        names: &mut Names,
        index: usize,
        name: impl AsRef<[u8]>,
    ) -> bool {
        let found = self.json.take_name(name, &mut names.first);
        if found {
            self.meet(names, index);
        }
        found
    }

    /// Moves to the next known member of a key or a value and returns its index; drops other
    /// members before it.
    #[inline]
    pub(super) fn next_dropping(
        &mut self,
        names: &mut Names,
        object: Object<'t>,
    ) -> JsonResult<Option<usize>> {
        if self.json.take_end() { Ok(None) } else { self.next_of_any(names, &object) }
    }

    #[inline(never)]
    fn next_of_any(&mut self, names: &mut Names, object: &Object<'t>) -> JsonResult<Option<usize>> {
        while let Some(name) = self.next_member(names)? {
            match name {
                Name::Known(index) => {
                    self.meet(names, index);
                    return Ok(Some(index));
                }
                Name::Unknown(name) => self.drop_member(names, &name, object)?,
            }
        }
        Ok(None)
    }

    /// Moves to the next member and returns its name, or `None` at the end of the object.
    pub(super) fn next_member(&mut self, names: &mut Names) -> JsonResult<Option<Name<'t>>> {
        let index = match names.known.get(names.next) {
            Some(name) if self.json.take_name(name, &mut names.first) => names.next,
            _ => {
                let Some(name) = self.json.next_name(&mut names.first)? else { return Ok(None) };
                match names.find(&name) {
                    Some(index) => index,
                    None => return Ok(Some(Name::Unknown(name))),
                }
            }
        };
        Ok(Some(Name::Known(index)))
    }

    /// Drops a member; rejects the object if it has only such members.
    #[cold]
    fn drop_member(
        &mut self,
        names: &mut Names,
        name: &str,
        object: &Object<'t>,
    ) -> JsonResult<()> {
        if !names.has_unknown {
            names.has_unknown = true;
            self.place.up_to(names.depth);
            self.judge(object)?;
        }
        self.unknown(names, name, Unknown::Dropped).map(|_| ())
    }

    /// Moves to a known member, which may be a duplicate.
    #[inline]
    pub(super) fn meet(&mut self, names: &mut Names, index: usize) {
        self.place.set(names.depth, Step::Member(names.name(index)));
        if names.has(index) {
            self.duplicate();
        }
        names.seen |= Names::bit(index);
        names.next = index.saturating_add(1);
    }

    #[cold]
    fn duplicate(&mut self) {
        let at = self.json.name().0;
        self.report(codes::DUPLICATE_MEMBER, at, || {
            "duplicate member; only the last one counts".into()
        });
    }

    /// Skips an unknown member, or returns it if it must be kept.
    #[cold]
    pub(super) fn unknown(
        &mut self,
        names: &mut Names,
        name: &str,
        unknown: Unknown,
    ) -> JsonResult<Option<Member>> {
        let (start, end) = self.json.name();
        self.place.up_to(names.depth);
        let json = self.json.skip_value()?;
        self.take_repairs();
        let meant = names.known.iter().position(|known| known.eq_ignore_ascii_case(name));
        if let (Some(meant), Purpose::Check) = (meant, self.purpose) {
            self.remember_case(names, CaseSlip { start, end, meant });
            return Ok(None);
        }
        let code = self.code_of_unknown(unknown);
        if let Some(code) = code {
            let place = self.place;
            let meant = meant.map(|meant| names.name(meant));
            let meant = meant.or_else(|| suggest(name, names.known.iter().copied()));
            let item = unknown_item(name, names.known, meant);
            self.notes.add_listed(code, start, || place.path_to(name), item);
        }
        if unknown != Unknown::Kept {
            return Ok(None);
        }
        self.charge(name.len().saturating_add(json.len()))?;
        Ok((self.purpose == Purpose::Exact).then(|| Member::of_valid(name, json)))
    }

    const fn code_of_unknown(&self, unknown: Unknown) -> Option<Code> {
        match (unknown, self.purpose) {
            (Unknown::Kept, Purpose::Exact) => None,
            (Unknown::Kept, Purpose::Document) => Some(codes::EXTRA_DROPPED),
            (Unknown::Kept, Purpose::Check) => Some(codes::UNKNOWN_MEMBER),
            (Unknown::Dropped, _) => Some(codes::MEMBER_DROPPED),
            (Unknown::Refused, _) => Some(codes::TRACK_MEMBER_UNKNOWN),
        }
    }

    /// Remembers a name that differs from a known one only in case.
    fn remember_case(&mut self, names: &mut Names, slip: CaseSlip) {
        let same = names.slips.iter().filter(|known| known.meant == slip.meant).count();
        // With two, neither can be renamed, so only two have to be remembered.
        if same < 2 {
            names.slips.push(slip);
        } else {
            self.note_case(names, slip);
        }
    }

    /// Reports names that differ from known ones only in case.
    pub(super) fn end_of_names(&mut self, names: &Names) {
        for slip in &names.slips {
            self.note_case(names, *slip);
            let same = names.slips.iter().filter(|other| other.meant == slip.meant).count();
            if same == 1 && !names.has(slip.meant) {
                let replacement = Cow::Borrowed(names.name(slip.meant).as_bytes());
                // The quotes stay.
                let (start, end) = (slip.start.saturating_add(1), slip.end.saturating_sub(1));
                let edits = vec![Edit { start, end, replacement }];
                self.notes.fix(codes::MEMBER_CASE, "correct the case of names", edits);
            }
        }
    }

    fn note_case(&mut self, names: &Names, CaseSlip { start, end, meant }: CaseSlip) {
        let name = self.json.slice(start, end).trim_matches('"');
        let text = format!("\"{}\" instead of \"{}\"", shown(name), names.name(meant));
        let place = self.place;
        self.notes.add_listed(
            codes::MEMBER_CASE,
            start,
            || place.path_to(name),
            ListedItem::Text(text),
        );
    }
}

fn unknown_item(name: &str, known: &[&str], meant: Option<&str>) -> ListedItem {
    let name = match meant {
        Some(meant) => format!("\"{}\" (did you mean \"{meant}\"?)", shown(name)),
        None => format!("\"{}\"", shown(name)),
    };
    ListedItem::Unknown { name, known: known.join(", ") }
}
