//! Arrays in place of objects with one member per number.

use inbetween_core::{Edit, Quat};

use super::Reader;
use super::values::Scalar;
use crate::codes;
use inbetween_core::json::{JsonError, JsonResult};

/// The members of a quaternion, in the two orders of programs.
const ORDERS: [[&str; 4]; 2] = [["x", "y", "z", "w"], ["w", "x", "y", "z"]];

/// The largest angle in radians between a rotation and the next key that speaks for an order.
const NEAR: f64 = core::f64::consts::FRAC_PI_4;

/// The smallest angle in radians that speaks against an order.
const FAR: f64 = core::f64::consts::FRAC_PI_2;

/// The largest difference of the length of a quaternion from 1.
const UNIT: f64 = 0.01;

/// The title of the fix.
const TITLE: &str = "write objects instead of arrays";

/// The offsets of an array: of its start, of its items, and after its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArraySpan<const N: usize> {
    start: usize,
    items: [usize; N],
    end: usize,
}

impl<const N: usize> ArraySpan<N> {
    /// Returns the edits that make an object of the array. The items stay as they are.
    fn edits(&self, names: &[&str]) -> Vec<Edit> {
        let last = self.end.saturating_sub(1);
        let edit = |start: usize, end: usize, text: String| Edit {
            start,
            end,
            replacement: text.into_bytes().into(),
        };
        let items = self.items.iter().zip(names);
        let items = items.map(|(item, name)| edit(*item, *item, format!("\"{name}\": ")));
        let open = edit(self.start, self.start.saturating_add(1), "{".to_owned());
        core::iter::once(open).chain(items).chain([edit(last, self.end, "}".to_owned())]).collect()
    }
}

/// The quaternions of a track that are arrays, and which order of their numbers fits the keys that
/// are objects.
#[derive(Debug, Default)]
pub(super) struct QuaternionArrays {
    arrays: Vec<ArraySpan<4>>,
    /// The keys that speak for each of [`ORDERS`].
    votes: [usize; 2],
    /// The last key, and whether it is an object.
    last: Option<(Quat<f64>, Written)>,
    /// Whether an array is no rotation in any order.
    has_others: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written {
    Object,
    Array,
}

impl QuaternionArrays {
    /// Adds a key, which is next to the last one.
    fn key(&mut self, key: Quat<f64>, written: Written) {
        let [x, y, z, w] = key.to_array();
        match (self.last.replace((key, written)), written) {
            (Some((known, Written::Object)), Written::Array) => self.vote(known, [x, y, z, w]),
            (Some((array, Written::Array)), Written::Object) => self.vote(key, array.to_array()),
            _ => {}
        }
    }

    /// Compares an array with a known rotation next to it.
    fn vote(&mut self, known: Quat<f64>, [a, b, c, d]: [f64; 4]) {
        let [x_first, w_first] =
            [[a, b, c, d], [b, c, d, a]].map(|array| known.angle_to(Quat::from_array(array)));
        let pairs = [(x_first, w_first), (w_first, x_first)];
        for (vote, (own, other)) in self.votes.iter_mut().zip(pairs) {
            *vote = vote.saturating_add(usize::from(own <= NEAR && other > FAR));
        }
    }

    /// Returns the only order that fits.
    fn order(&self) -> Option<[&'static str; 4]> {
        let [x_first, w_first] = ORDERS;
        let [of_x, of_w] = self.votes;
        match (of_x, of_w) {
            _ if self.has_others => None,
            (1.., 0) => Some(x_first),
            (0, 1..) => Some(w_first),
            _ => None,
        }
    }
}

impl Reader<'_> {
    /// Returns whether the next value is an array that a check reads.
    #[inline]
    pub(super) fn at_array(&self) -> bool {
        self.json.peek() == Some(b'[') && self.checks()
    }

    /// Reads an array in place of an object.
    #[cold]
    pub(super) fn array_value<S: Scalar, const N: usize>(
        &mut self,
        expected: &'static str,
        known: &'static [&'static str],
    ) -> JsonResult<[S; N]> {
        let (values, span) = self.array_items(expected)?;
        self.note_array(span.start, N);
        self.notes.fix(codes::VALUE_AS_ARRAY, TITLE, span.edits(known));
        Ok(values)
    }

    /// Reads an array in place of a quaternion. It is fixed at the end of the keys, if they leave one
    /// order. Until then, x comes first.
    #[cold]
    pub(super) fn quaternion_array<S: Scalar>(
        &mut self,
        expected: &'static str,
    ) -> JsonResult<[S; 4]>
    where
        f64: From<S>,
    {
        let (values, span) = self.array_items::<S, 4>(expected)?;
        self.note_array(span.start, 4);
        let wide = Quat::from_array(values.map(f64::from));
        let room = self.notes.edits_left() / 6;
        let arrays = &mut self.quaternions;
        arrays.has_others |= (wide.length() - 1.0).abs() > UNIT;
        if arrays.arrays.len() < room {
            arrays.arrays.push(span);
        }
        if self.number.is_value() {
            self.quaternions.key(wide, Written::Array);
        }
        Ok(values)
    }

    /// Takes a quaternion that is an object.
    pub(super) fn quaternion_object(&mut self, key: Quat<f64>) {
        if self.number.is_value() {
            self.quaternions.key(key, Written::Object);
        }
    }

    /// Ends the keys of a track.
    pub(super) fn end_of_arrays(&mut self) {
        let arrays = core::mem::take(&mut self.quaternions);
        let Some(order) = arrays.order() else { return };
        for span in arrays.arrays {
            self.notes.fix(codes::VALUE_AS_ARRAY, TITLE, span.edits(&order));
        }
    }

    fn note_array(&mut self, start: usize, numbers: usize) {
        let message = || format!("an array of {numbers} numbers instead of an object").into();
        self.note(codes::VALUE_AS_ARRAY, start, message);
    }

    /// Reads exactly as many items as there are members.
    fn array_items<S: Scalar, const N: usize>(
        &mut self,
        expected: &'static str,
    ) -> JsonResult<([S; N], ArraySpan<N>)> {
        let start = self.json.offset();
        let (mut values, mut items) = ([S::default(); N], [0; N]);
        let (mut first, mut count) = (true, 0_usize);
        self.json.begin_array(expected)?;
        while self.json.next_item(&mut first)? {
            let at = self.json.offset();
            match (values.get_mut(count), items.get_mut(count)) {
                (Some(value), Some(item)) => {
                    self.number.component = count;
                    (*item, *value) = (at, S::read(self)?);
                }
                _ => self.json.skip_value().map(|_| ())?,
            }
            count = count.saturating_add(1);
        }
        if count != N {
            let found = format!("an array of {count} items");
            return Err(JsonError::value(start, codes::WRONG_TYPE, expected, found));
        }
        Ok((values, ArraySpan { start, items, end: self.json.offset() }))
    }
}
