//! Reads the keys of a track directly into columns.

use inbetween_core::memory::OutOfMemory;
use inbetween_core::{Interpolation, Values, grow};

use super::Reader;
use super::members::Names;
use super::shape::Object;
use super::values::Column;
use crate::check::{KeyFacts, KeyMembers};
use crate::codes;
use crate::file::{AnimjKeys, AnimjTangents, Sides};
use crate::reader_path::Step;
use crate::suggest::suggest;
use inbetween_core::json::{JsonError, JsonResult, Mark, Number};

/// The members of a Discrete key; a Curve key has all of these.
const DISCRETE: &[&str] = &["time", "value"];
pub(super) const CURVE: &[&str] =
    &["time", "value", "interpolation", "leftTangent", "rightTangent"];

/// The path depths of `/tracks/0/data/keyframes/0/value`.
const ITEM: usize = 4;
pub(super) const MEMBER: usize = 5;

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
        let mut column = C::with_memory_of(&mut self.budget);
        let (mut first, mut index) = (true, 0_usize);
        let start = self.begin_keyframes()?;
        while self.json.next_item(&mut first)? {
            let at = self.json.offset();
            self.take_repairs_at(ITEM);
            self.place.set(ITEM, Step::Item(index));
            self.charge(C::SIZE)?;
            let value = self.raw_key::<C>()?;
            if self.checks() {
                let quaternion = value.as_ref().and_then(C::length);
                self.check_key(&KeyFacts { at, index, quaternion, ..KeyFacts::default() });
            }
            column.push(value).map_err(|error| self.out_of_memory(error))?;
            index = index.saturating_add(1);
        }
        self.end_keyframes(start, index);
        Ok(AnimjKeys::Raw { interval: 0.0, values: column.finish() })
    }

    /// Reads the keys of a Discrete track.
    pub(super) fn discrete<C: Column>(&mut self) -> JsonResult<AnimjKeys> {
        let (mut times, mut column) = (Vec::new(), C::with_memory_of(&mut self.budget));
        let (mut first, mut index) = (true, 0_usize);
        let start = self.begin_keyframes()?;
        while self.json.next_item(&mut first)? {
            self.take_repairs_at(ITEM);
            self.place.set(ITEM, Step::Item(index));
            self.charge(C::SIZE.saturating_add(TIME))?;
            let key = self.key::<C>(index, DISCRETE)?;
            index = index.saturating_add(1);
            let Some(key) = key else { continue };
            self.push(&mut times, key.time.unwrap_or_default())?;
            column.push(key.value).map_err(|error| self.out_of_memory(error))?;
        }
        self.end_keyframes(start, index);
        self.sort_keys(start, &times, index);
        times.shrink_to_fit();
        Ok(AnimjKeys::Discrete { times, values: column.finish() })
    }

    /// Reads the keys of a Curve track.
    pub(super) fn curve<C: Column>(&mut self) -> JsonResult<AnimjKeys> {
        let (mut times, mut column) = (Vec::new(), C::with_memory_of(&mut self.budget));
        let mut interpolation = Vec::new();
        let mut tangents: Option<Tangents<C>> = None;
        let (mut first, mut index) = (true, 0_usize);
        let start = self.begin_keyframes()?;
        while self.json.next_item(&mut first)? {
            self.take_repairs_at(ITEM);
            self.place.set(ITEM, Step::Item(index));
            self.charge(C::SIZE.saturating_add(TIME).saturating_add(1))?;
            let key = self.key::<C>(index, CURVE)?;
            index = index.saturating_add(1);
            let Some(key) = key else { continue };
            if key.left.is_some() || key.right.is_some() || tangents.is_some() {
                let sides = Sides::of(key.left.is_some(), key.right.is_some());
                let columns = match &mut tangents {
                    Some(columns) => columns,
                    None => tangents.insert(self.tangents_for(times.len())?),
                };
                self.charge(C::SIZE.saturating_mul(2).saturating_add(1))?;
                let pushed = columns.push(key.left, key.right, sides);
                pushed.map_err(|error| self.out_of_memory(error))?;
            }
            self.push(&mut times, key.time.unwrap_or_default())?;
            column.push(key.value).map_err(|error| self.out_of_memory(error))?;
            self.push(&mut interpolation, key.interpolation.unwrap_or_default())?;
        }
        self.end_keyframes(start, index);
        self.sort_keys(start, &times, index);
        times.shrink_to_fit();
        interpolation.shrink_to_fit();
        let tangents = tangents.map(|tangents| Box::new(tangents.finish()));
        Ok(AnimjKeys::Curve { times, values: column.finish(), interpolation, tangents })
    }

    fn begin_keyframes(&mut self) -> JsonResult<Mark<'t>> {
        let start = self.json.mark();
        self.json.begin_array("an array of keyframes").map(|()| start)
    }

    fn end_keyframes(&mut self, start: Mark<'t>, items: usize) {
        self.take_repairs_at(ITEM);
        self.place.up_to(ITEM);
        self.checks.end_keys(items);
        if items == 0 {
            self.note_no_keys(self.json.offset_of(start));
        }
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
        known: &'static [&'static str],
    ) -> JsonResult<Option<Key<C::Item<'t>>>> {
        let mark = self.json.mark();
        match self.key_members::<C>(index, known, mark) {
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
        known: &'static [&'static str],
        mark: Mark<'t>,
    ) -> JsonResult<Key<C::Item<'t>>> {
        let at = self.json.offset();
        self.json.begin_object("an object with time and value")?;
        let object = Object::key(mark, C::COMPONENTS);
        let mut names = Names::new(known, MEMBER);
        let mut key = Key { time: None, value: None, interpolation: None, left: None, right: None };
        let mut first = true;
        while let Some(found) =
            self.next_dropping(&mut names, &mut first, &object, strip_name(known.len()))?
        {
            self.meet(&mut names, found);
            match found {
                0 => key.time = self.seconds()?,
                1 => key.value = self.value::<C>()?,
                2 => key.interpolation = self.interpolation()?,
                3 => key.left = self.value::<C>()?,
                _ => key.right = self.value::<C>()?,
            }
        }
        self.place.up_to(MEMBER);
        if self.checks() {
            let quaternion = key.value.as_ref().and_then(C::length);
            self.check_key(&facts(at, index, &names, &key, quaternion));
            self.end_of_names(&names);
        }
        Ok(key)
    }

    /// Reads a value; returns `None` for one that a check skips.
    #[inline]
    fn value<C: Column>(&mut self) -> JsonResult<Option<C::Item<'t>>> {
        let mark = self.json.mark();
        match C::read(self) {
            Ok(value) => Ok(Some(value)),
            Err(fault) => self.recover(mark, fault).map(|()| None),
        }
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
                NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(&name))
            }
            Some(b'0'..=b'9' | b'-') => {
                let number = self.json.number()?.to_i128();
                number.and_then(|it| usize::try_from(it).ok()).and_then(|it| NAMES.get(it))
            }
            _ => return Err(self.json.unexpected(EXPECTED)),
        };
        if let Some((_, interpolation)) = interpolation {
            return Ok(*interpolation);
        }
        self.json.go_to(found);
        let found = self.json.found();
        let known = NAMES.iter().map(|(known, _)| *known);
        let meant = suggest(found.trim_matches('"'), known);
        let fault = JsonError::value(at, codes::INTERPOLATION_UNKNOWN, EXPECTED, found);
        Err(fault.suggesting(meant))
    }
}

/// The interpolations by Resonite's names, in the order of their numbers.
pub(crate) const NAMES: [(&str, Interpolation); 4] = [
    ("Hold", Interpolation::Hold),
    ("Linear", Interpolation::Linear),
    ("Tangent", Interpolation::Hermite),
    ("CubicBezier", Interpolation::Bezier),
];

/// Reads the name of one of the first `known` members of a key from the start of a text.
#[inline]
fn strip_name<'t>(known: usize) -> impl Copy + FnOnce(&'t [u8]) -> Option<(usize, &'t [u8])> {
    move |text| {
        if let Some(rest) = text.strip_prefix(b"\"time\"") {
            return Some((0, rest));
        }
        if let Some(rest) = text.strip_prefix(b"\"value\"") {
            return Some((1, rest));
        }
        if known <= 2 {
            return None;
        }
        if let Some(rest) = text.strip_prefix(b"\"interpolation\"") {
            return Some((2, rest));
        }
        if let Some(rest) = text.strip_prefix(b"\"leftTangent\"") {
            return Some((3, rest));
        }
        text.strip_prefix(b"\"rightTangent\"").map(|rest| (4, rest))
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
