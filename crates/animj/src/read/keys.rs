//! Reads the keys of a track directly into columns.

use inbetween_core::memory::OutOfMemory;
use inbetween_core::{Edit, Interpolation, Values, codes as shared, grow};

use super::Reader;
use super::members::Names;
use super::not_finite::{NumberPlace, Role};
use super::shape::{KEY_MEMBER, Object};
use super::values::Column;
use crate::check::{KeyFacts, KeyMembers};
use crate::codes;
use crate::file::{AnimjKeys, AnimjTangents, Sides};
use crate::layout::{CURVE, DISCRETE, INTERPOLATIONS, TrackType};
use crate::reader_path::Step;
use crate::suggest::suggest;
use inbetween_core::json::{JsonError, JsonResult, Mark, Number};

/// The path depth of `/tracks/0/data/keyframes/0`.
const ITEM: usize = 4;

/// The number of bytes of a time in a document.
const TIME: usize = size_of::<f64>();

/// A key while it is read.
struct Key<T> {
    time: Option<f32>,
    value: Option<T>,
    interpolation: Option<Interpolation>,
    left: Option<T>,
    right: Option<T>,
}

/// The tangent columns while they are read; they start with the first tangent.
struct Tangents<C> {
    left: C,
    right: C,
    given: Vec<Sides>,
}

impl<'t> Reader<'t> {
    /// Reads the keys of a Raw track; the interval is set later.
    pub(super) fn raw<C: Column>(&mut self) -> JsonResult<AnimjKeys> {
        let mut column = C::default();
        let (mut first, mut index) = (true, 0_usize);
        let start = self.begin_keyframes()?;
        while self.json.next_item(&mut first)? {
            let at = self.json.offset();
            self.take_repairs_at(ITEM);
            self.place.set(ITEM, Step::Item(index));
            self.charge(C::SIZE)?;
            self.number.role = Role::RawValue;
            let value = self.raw_key::<C>()?;
            if self.checks() {
                let quaternion = value.as_ref().and_then(C::length);
                let key = KeyFacts { at, index, quaternion, ..KeyFacts::default() };
                let (checks, mut noting) = self.checking();
                checks.key(&mut noting, &key);
            }
            column.push(value).map_err(|error| self.out_of_memory(error))?;
            index = index.saturating_add(1);
        }
        self.end_keyframes(start, index);
        Ok(AnimjKeys::Raw { interval: 0.0, values: column.finish() })
    }

    /// Reads the keys of a Discrete or Curve track.
    pub(super) fn keyed<C: Column>(&mut self, track_type: TrackType) -> JsonResult<AnimjKeys> {
        let curve = track_type == TrackType::Curve;
        let size = C::SIZE.saturating_add(TIME).saturating_add(usize::from(curve));
        let (mut times, mut column) = (Vec::new(), C::default());
        let mut interpolation = Vec::new();
        let mut tangents: Option<Tangents<C>> = None;
        let (mut first, mut index) = (true, 0_usize);
        let start = self.begin_keyframes()?;
        while self.json.next_item(&mut first)? {
            let (comma, at) = (self.json.comma(), self.json.offset());
            self.take_repairs_at(ITEM);
            self.place.set(ITEM, Step::Item(index));
            self.charge(size)?;
            let key = self.key::<C>(index, curve)?;
            self.drop_key(index, comma, at);
            index = index.saturating_add(1);
            let Some(key) = key else { continue };
            if key.left.is_some() || key.right.is_some() || tangents.is_some() {
                self.push_tangents(&mut tangents, times.len(), key.left, key.right)?;
            }
            self.push(&mut times, key.time.unwrap_or_default())?;
            column.push(key.value).map_err(|error| self.out_of_memory(error))?;
            if curve {
                self.push(&mut interpolation, key.interpolation.unwrap_or_default())?;
            }
        }
        self.end_keyframes(start, index);
        self.sort_keys(start, &times, index);
        times.shrink_to_fit();
        let values = column.finish();
        if !curve {
            return Ok(AnimjKeys::Discrete { times, values });
        }
        interpolation.shrink_to_fit();
        let tangents = tangents.map(|tangents| Box::new(tangents.finish()));
        Ok(AnimjKeys::Curve { times, values, interpolation, tangents })
    }

    fn begin_keyframes(&mut self) -> JsonResult<Mark<'t>> {
        let start = self.json.mark();
        self.json.begin_array("an array of keyframes").map(|()| start)
    }

    fn end_keyframes(&mut self, start: Mark<'t>, items: usize) {
        self.take_repairs_at(ITEM);
        self.place.up_to(ITEM);
        self.checks.end_keys(items);
        self.number = NumberPlace::default();
        self.end_of_arrays();
        if items == 0 {
            self.note_no_keys(self.json.offset_of(start));
        }
    }

    /// Appends the tangents of a key after `keys` others.
    #[inline(never)]
    fn push_tangents<C: Column>(
        &mut self,
        tangents: &mut Option<Tangents<C>>,
        keys: usize,
        left: Option<C::Item<'t>>,
        right: Option<C::Item<'t>>,
    ) -> JsonResult<()> {
        let columns = match tangents {
            Some(columns) => columns,
            None => tangents.insert(self.tangents_for(keys)?),
        };
        self.charge(C::SIZE.saturating_mul(2).saturating_add(1))?;
        let sides = Sides::of(left.is_some(), right.is_some());
        columns.push(left, right, sides).map_err(|error| self.out_of_memory(error))
    }

    /// Returns tangent columns of default values.
    #[cold]
    fn tangents_for<C: Column>(&mut self, keys: usize) -> JsonResult<Tangents<C>> {
        let size = C::SIZE.saturating_mul(2).saturating_add(1);
        self.charge(size.saturating_mul(keys))?;
        let mut columns = Tangents { left: C::default(), right: C::default(), given: Vec::new() };
        for _ in 0..keys {
            let pushed = columns.push(None, None, Sides::None);
            pushed.map_err(|error| self.out_of_memory(error))?;
        }
        Ok(columns)
    }

    /// Reads a key of a Raw track; returns `None` for one that a check skips.
    #[inline]
    fn raw_key<C: Column>(&mut self) -> JsonResult<Option<C::Item<'t>>> {
        let mark = self.json.mark();
        match C::read(self) {
            Ok(value) => Ok(Some(value)),
            Err(fault) => {
                let fault = self.keyed_in_raw(mark, C::COMPONENTS, fault);
                self.recover(mark, fault).map(|()| None)
            }
        }
    }

    /// Reads a key of another track; returns `None` for one that a check skips.
    #[inline]
    fn key<C: Column>(
        &mut self,
        index: usize,
        curve: bool,
    ) -> JsonResult<Option<Key<C::Item<'t>>>> {
        let mark = self.json.mark();
        match self.key_members::<C>(index, curve, mark) {
            Ok(key) => Ok(Some(key)),
            Err(fault) => {
                let fault = self.bare_in_keyed(mark, C::FIRST, fault);
                self.recover(mark, fault).map(|()| None)
            }
        }
    }

    #[inline]
    fn key_members<C: Column>(
        &mut self,
        index: usize,
        curve: bool,
        mark: Mark<'t>,
    ) -> JsonResult<Key<C::Item<'t>>> {
        self.json.begin_object("an object with time and value")?;
        let mut names = Names::new(if curve { CURVE } else { DISCRETE }, KEY_MEMBER);
        let mut key = Key { time: None, value: None, interpolation: None, left: None, right: None };
        // Usually the members come in this order.
        if self.at_member(&mut names, 0, b"time") {
            key.time = self.key_time()?;
        }
        if self.at_member(&mut names, 1, b"value") {
            key.value = self.value::<C>(Role::Value)?;
        }
        if curve && self.at_member(&mut names, 2, b"interpolation") {
            key.interpolation = self.interpolation()?;
        }
        while let Some(found) = self.next_dropping(&mut names, Object::key(mark, C::COMPONENTS))? {
            match found {
                0 => key.time = self.key_time()?,
                1 => key.value = self.value::<C>(Role::Value)?,
                2 => key.interpolation = self.interpolation()?,
                3 => key.left = self.value::<C>(Role::Tangent)?,
                _ => key.right = self.value::<C>(Role::Tangent)?,
            }
        }
        self.place.up_to(KEY_MEMBER);
        if self.checks() {
            let at = self.json.offset_of(mark);
            let quaternion = key.value.as_ref().and_then(C::length);
            let (checks, mut noting) = self.checking();
            checks.key(&mut noting, &facts(at, index, &names, &key, quaternion));
            self.end_of_names(&names);
        }
        Ok(key)
    }

    /// Reads a value; returns `None` for one that a check skips.
    #[inline]
    fn value<C: Column>(&mut self, role: Role) -> JsonResult<Option<C::Item<'t>>> {
        let mark = self.json.mark();
        (self.number.role, self.number.component) = (role, 0);
        match C::read(self) {
            Ok(value) => Ok(Some(value)),
            Err(fault) => self.recover(mark, fault).map(|()| None),
        }
    }

    /// Reads the time of a key.
    #[inline]
    fn key_time(&mut self) -> JsonResult<Option<f32>> {
        self.number.role = Role::Time;
        self.seconds()
    }

    /// Reads a number of seconds; returns `None` for one that a check skips.
    #[inline]
    pub(super) fn seconds(&mut self) -> JsonResult<Option<f32>> {
        let mark = self.json.mark();
        match self.float("a number that a float can hold", Number::to_f32) {
            Ok(seconds) => Ok(Some(seconds)),
            Err(fault) => self.recover(mark, fault).map(|()| None),
        }
    }

    #[inline]
    fn interpolation(&mut self) -> JsonResult<Option<Interpolation>> {
        let mark = self.json.mark();
        match self.interpolation_or_fault() {
            Ok(interpolation) => Ok(Some(interpolation)),
            Err(fault) => self.recover(mark, fault).map(|()| None),
        }
    }

    fn interpolation_or_fault(&mut self) -> JsonResult<Interpolation> {
        const EXPECTED: &str = "Hold, Linear, Tangent, CubicBezier or 0 to 3";
        let (at, found) = (self.json.offset(), self.json.mark());
        let interpolation = match self.json.peek() {
            Some(b'"') => {
                if let Some(found) = self.json.take(b"\"Linear\"", Interpolation::Linear) {
                    return Ok(found);
                }
                let name = self.json.string(EXPECTED)?;
                let named =
                    INTERPOLATIONS.iter().find(|(known, _)| known.eq_ignore_ascii_case(&name));
                named.or_else(|| self.quoted_interpolation(at, &name))
            }
            Some(b'0'..=b'9' | b'-') => {
                let number = self.json.number()?.to_i128();
                number.and_then(|it| usize::try_from(it).ok()).and_then(|it| INTERPOLATIONS.get(it))
            }
            _ => return Err(self.json.unexpected(EXPECTED)),
        };
        if let Some((_, interpolation)) = interpolation {
            return Ok(*interpolation);
        }
        self.json.go_to(found);
        let found = self.json.found();
        let known = INTERPOLATIONS.iter().map(|(known, _)| *known);
        let meant = suggest(found.trim_matches('"'), known);
        let fault = JsonError::value(at, shared::INTERPOLATION_UNKNOWN, EXPECTED, found);
        Err(fault.suggesting(meant))
    }
}

impl Reader<'_> {
    /// Reads the number of an interpolation in quotes, in a check.
    #[cold]
    fn quoted_interpolation(
        &mut self,
        at: usize,
        text: &str,
    ) -> Option<&'static (&'static str, Interpolation)> {
        let known = INTERPOLATIONS.get(text.trim().parse::<usize>().ok()?)?;
        if !self.checks() {
            return None;
        }
        let replacement = format!("\"{}\"", known.0).into_bytes().into();
        let edits = vec![Edit { start: at, end: self.json.offset(), replacement }];
        let (place, message) = (self.place, || format!("\"{text}\" instead of \"{}\"", known.0));
        let fix = ("write the names of interpolations", edits);
        self.notes.add_fixable(codes::QUOTED, at, || place.path(), || message().into(), fix);
        Some(known)
    }
}

fn facts<T>(
    at: usize,
    index: usize,
    names: &Names,
    key: &Key<T>,
    quaternion: Option<f64>,
) -> KeyFacts {
    KeyFacts {
        at,
        index,
        time: key.time,
        quaternion,
        interpolation: key.interpolation,
        members: KeyMembers(names.seen()),
    }
}

impl<C: Column> Tangents<C> {
    fn push(
        &mut self,
        left: Option<C::Item<'_>>,
        right: Option<C::Item<'_>>,
        sides: Sides,
    ) -> Result<(), OutOfMemory> {
        self.left.push(left)?;
        self.right.push(right)?;
        grow::try_column(&mut self.given, 1)?;
        self.given.push(sides);
        Ok(())
    }

    fn finish(mut self) -> AnimjTangents {
        self.given.shrink_to_fit();
        let (left, right): (Values, Values) = (self.left.finish(), self.right.finish());
        AnimjTangents { left, right, given: self.given }
    }
}
