//! Converts the keys of a group to tracks.

use inbetween_core::keys::KeyOrder;
use inbetween_core::num::u64_from_len;
use inbetween_core::{
    Axis, Budget, Code, Finding, Findings, Handle, Interpolation, Interpolations, KeysError,
    ReadError, Tangents, TrackData, Values, View,
};

use crate::evaluate::{counts_as_zero, is_two_pi, ruling_type, spline_points};
use crate::layout::ID;
use crate::{ControlPoints, Group, KeyType, X4aniKey, codes};

/// The tracks of a group: one of vectors, or one per axis if the axes of a key have different
/// interpolations.
pub(super) type Decoded = Vec<(Option<Axis>, Result<TrackData, KeysError>)>;

/// Decodes the keys of a group, and reports the data that is lost.
pub(super) fn decode(
    keys: View<'_, X4aniKey>,
    group: Group,
    budget: &mut Budget,
    findings: &mut Findings,
) -> Result<Decoded, ReadError> {
    let charge = |budget: &mut Budget, bytes: usize| {
        let bytes = keys.len().saturating_mul(bytes);
        budget.charge_columns(bytes).map_err(|error| error.in_format(ID))
    };
    charge(budget, PLAIN_KEY)?;
    let Plain { key_type, times: seconds, values } = Plain::of(keys);
    let facts = match key_type {
        Some(key_type) => Facts::of_plain(&values, group, key_type),
        None => Facts::of(keys, group),
    };
    facts.report(findings);
    // Where each axis is a track, its values are decoded again.
    let values = (!facts.mixed).then_some(values);
    charge(budget, facts.more_bytes())?;
    let (order, values) = KeyOrder::of_columns(seconds, values, |index| time(keys, index));
    order.report(findings);
    let columns = Columns { keys, handles: facts.handles, shared: facts.shared };
    Ok(if facts.mixed {
        let axis = |axis, order| (Some(axis), columns.axis(axis, order));
        vec![axis(Axis::X, order.clone()), axis(Axis::Y, order.clone()), axis(Axis::Z, order)]
    } else {
        vec![(None, columns.whole(order, values.flatten()))]
    })
}

/// Returns the time of a key that is known to exist.
fn time(keys: View<'_, X4aniKey>, index: usize) -> f64 {
    let times = View::<f32>::field(keys.bytes(), X4aniKey::SIZE, X4aniKey::TIME);
    times.get(index).map_or(f64::NAN, f64::from)
}

/// The bytes that a plain key takes in columns.
const PLAIN_KEY: usize = size_of::<f64>() + size_of::<[f32; 3]>() + size_of::<Interpolation>();

/// The times and the values of keys in the order of the file, and whether there is anything else in
/// them.
struct Plain {
    /// The type of all axes of all keys, if it is step or linear and all bytes after the times
    /// are 0. Such keys use no other feature.
    key_type: Option<KeyType>,
    times: Vec<f64>,
    values: Vec<[f32; 3]>,
}

impl Plain {
    fn of(keys: View<'_, X4aniKey>) -> Self {
        let mut times = Vec::with_capacity(keys.len());
        let mut values = Vec::with_capacity(keys.len());
        let [first, ..] = keys.get(0).map_or([KeyType::UNKNOWN; 3], |key| key.types);
        let is_known = matches!(first, KeyType::STEP | KeyType::LINEAR);
        let mut key_type = is_known.then_some(first);
        for block in keys.blocks() {
            key_type = key_type.filter(|key_type| are_plain(block, *key_type));
            block.append(None, |key| f64::from(key.time), &mut times);
            block.append(None, |key| key.value, &mut values);
        }
        Self { key_type, times, values }
    }
}

/// Returns whether all axes have this type, and all bytes after the times are 0.
///
/// A loop without branches collects the bits of all keys, as words of two fields.
fn are_plain(keys: View<'_, X4aniKey>, key_type: KeyType) -> bool {
    let words: View<'_, [u64; 16]> = View::new(keys.bytes(), ());
    let one_type = u64::from(key_type.0);
    let [x, yz] = [one_type << 32, one_type << 32 | one_type];
    // The bits of words whose first field may be anything, and those of the others.
    let (mut seconds, mut others) = (0, 0);
    for [_, z_and_type, types, time_and_point, rest @ ..] in words.iter() {
        seconds |= (z_and_type ^ x) | time_and_point;
        others |= rest.into_iter().fold(types ^ yz, |bits, word| bits | word);
    }
    seconds >> 32 | others == 0
}

/// The features that the keys of a group use.
#[derive(Default)]
struct Facts {
    /// Whether the axes of a key have different interpolations.
    mixed: bool,
    /// Whether any control point is used or set.
    handles: bool,
    /// The interpolation of all axes of all keys, if they are known to be the same.
    shared: Option<Interpolation>,
    extra: Seen,
    zero: Seen,
    spline: Seen,
    nan: Seen,
    last: Seen,
    two_pi: Seen,
}

/// The first key with a feature, and the number of keys with it.
#[derive(Default)]
struct Seen {
    first: usize,
    count: usize,
}

impl Seen {
    fn note(&mut self, key: usize, there: bool) {
        if there {
            if self.count == 0 {
                self.first = key;
            }
            self.count = self.count.saturating_add(1);
        }
    }
}

impl Facts {
    /// Finds the features of plain keys: their type, and segments that start at 2 pi.
    fn of_plain(values: &[[f32; 3]], group: Group, key_type: KeyType) -> Self {
        let shared = Some(interpolation(key_type));
        let mut facts = Self { shared, ..Self::default() };
        let numbers = values.as_flattened().iter();
        let are_turns = group == Group::Rotation && key_type == KeyType::LINEAR;
        // Most angles never are: a loop without branches finds that out.
        if are_turns && numbers.fold(false, |any, &number| any | is_two_pi(number)) {
            for (index, (from, to)) in values.iter().zip(values.iter().skip(1)).enumerate() {
                let mut axes = from.iter().zip(to);
                facts.two_pi.note(index, axes.any(|(&from, &to)| counts_as_zero(group, from, to)));
            }
        }
        facts
    }

    fn of(keys: View<'_, X4aniKey>, group: Group) -> Self {
        let mut facts = Self::default();
        let last = keys.len().saturating_sub(1);
        let mut before: Option<X4aniKey> = None;
        for (index, key) in keys.iter().enumerate() {
            let types = Axis::ALL.map(|axis| ruling_type(&key, axis));
            let [x, y, z] = types.map(interpolation);
            facts.mixed |= x != y || y != z;
            let points = key.control_points;
            facts.handles |= types.contains(&KeyType::BEZIER)
                || types.iter().any(|each| each.is_approximate())
                || points.iter().any(|points| !points.is_unset());
            facts.extra.note(index, key.has_extra());
            facts.zero.note(index, types.iter().any(|each| each.is_zero()));
            facts.spline.note(index, types.iter().any(|each| each.is_approximate()));
            let numbers = points.iter().flat_map(|points| points.to_array());
            facts.nan.note(index, numbers.into_iter().any(loses_bits));
            facts.last.note(index, index == last && shows_handle(&key));
            if let Some(from) = before {
                let at = index.saturating_sub(1);
                facts.two_pi.note(at, starts_at_two_pi(group, &from, &key));
            }
            before = Some(key);
        }
        facts
    }

    fn report(&self, findings: &mut Findings) {
        let mut say = |code: Code, seen: &Seen, what: &str| {
            if seen.count > 0 {
                let message = format!("{what}, first in key {}", seen.first);
                findings.push(Finding::new(code, message).count(u64_from_len(seen.count)));
            }
        };
        say(codes::KEY_EXTRA_DROPPED, &self.extra, "bytes other than 0");
        say(codes::TYPE_DROPPED, &self.zero, "the values hold instead of showing 0");
        say(codes::SPLINE_AS_BEZIER, &self.spline, "type 6 or 7 became type 5");
        say(codes::NAN_CHANGED, &self.nan, "a control point is NaN");
        say(codes::LAST_KEY_HANDLE, &self.last, "X4 shows CP1 instead of the value");
        say(
            codes::STARTS_AT_TWO_PI,
            &self.two_pi,
            "X4 interpolates this segment from 0 instead of 2 pi",
        );
    }

    /// Returns the number of bytes that the columns of a key take, beyond those of a plain key.
    const fn more_bytes(&self) -> usize {
        let handles = if self.handles { size_of::<[Handle; 6]>() } else { 0 };
        // Two more tracks have times and interpolations of their own.
        let tracks = if self.mixed {
            size_of::<[f64; 2]>().saturating_add(size_of::<[Interpolation; 2]>())
        } else {
            0
        };
        handles.saturating_add(tracks)
    }
}

/// The bit of a NaN that is not signaling.
const QUIET: u32 = 0x0040_0000;

/// Returns whether the bits of a NaN change: only some processors preserve signaling NaN.
fn loses_bits(number: f32) -> bool {
    number.is_nan() && number.to_bits() & QUIET == 0
}

/// Widens a number, and makes a signaling NaN a quiet one on every processor.
fn widen(number: f32) -> f64 {
    let bits = if loses_bits(number) { QUIET } else { 0 };
    f64::from(f32::from_bits(number.to_bits() | bits))
}

/// Returns whether the game shows the CP1 value of a last key, and it differs from the key's value.
pub(crate) fn shows_handle(key: &X4aniKey) -> bool {
    Axis::ALL.into_iter().any(|axis| {
        let (value, key_type, points) = key.axis(axis);
        key_type == KeyType::BEZIER && points.out_value != value
    })
}

/// Returns whether X4 treats an angle of 2 pi as 0 in the segment between two keys.
pub(crate) fn starts_at_two_pi(group: Group, from: &X4aniKey, to: &X4aniKey) -> bool {
    Axis::ALL.into_iter().any(|axis| {
        ruling_type(from, axis) == KeyType::LINEAR
            && counts_as_zero(group, from.axis(axis).0, to.axis(axis).0)
    })
}

const fn interpolation(key_type: KeyType) -> Interpolation {
    match key_type.0 {
        2 => Interpolation::Linear,
        5..=7 => Interpolation::Bezier,
        _ => Interpolation::Hold,
    }
}

/// The keys of a group, and the columns that they become.
struct Columns<'a> {
    keys: View<'a, X4aniKey>,
    handles: bool,
    shared: Option<Interpolation>,
}

impl Columns<'_> {
    /// Returns a track of all axes. Its values are known if the keys are sorted.
    fn whole(
        &self,
        order: KeyOrder,
        values: Option<Vec<[f32; 3]>>,
    ) -> Result<TrackData, KeysError> {
        let decoded = || self.keys.column(order.indices(), |key| key.value);
        let values = values.unwrap_or_else(decoded);
        let tangents = self.tangents(&order, &Axis::ALL);
        self.track(order, Axis::X, values.into(), tangents)
    }

    fn axis(&self, axis: Axis, order: KeyOrder) -> Result<TrackData, KeysError> {
        let values = self.keys.column(order.indices(), |key| key.axis(axis).0);
        let curved = |key: X4aniKey| {
            interpolation(ruling_type(&key, axis)).needs_tangents() || !key.axis(axis).2.is_unset()
        };
        let handles = self.keys.iter().any(curved);
        let tangents = if handles { self.tangents(&order, &[axis]) } else { None };
        self.track(order, axis, values.into(), tangents)
    }

    fn track(
        &self,
        order: KeyOrder,
        axis: Axis,
        values: Values,
        tangents: Option<Tangents>,
    ) -> Result<TrackData, KeysError> {
        let interpolations = self.interpolations(&order, axis);
        let times = order.into_times(|index| time(self.keys, index));
        TrackData::curve(times, values, interpolations, tangents)
    }

    /// Calls a function with each key and its index, sorted by time.
    fn each(&self, order: &KeyOrder, mut of: impl FnMut(usize, X4aniKey)) {
        match order.indices() {
            None => self.keys.iter().enumerate().for_each(|(index, key)| of(index, key)),
            Some(indices) => {
                let keys = indices.iter().filter_map(|&index| Some((index, self.keys.get(index)?)));
                keys.for_each(|(index, key)| of(index, key));
            }
        }
    }

    fn len(&self, order: &KeyOrder) -> usize {
        order.indices().map_or(self.keys.len(), <[usize]>::len)
    }

    fn interpolations(&self, order: &KeyOrder, axis: Axis) -> Interpolations {
        if let Some(shared) = self.shared {
            return Interpolations::Shared(shared);
        }
        let one = |key: X4aniKey| interpolation(ruling_type(&key, axis));
        let (mut first, mut is_same) = (None, true);
        self.each(order, |_, key| {
            let own = one(key);
            is_same &= *first.get_or_insert(own) == own;
        });
        if is_same {
            Interpolations::Shared(first.unwrap_or_default())
        } else {
            let mut each = Vec::with_capacity(self.len(order));
            self.each(order, |_, key| each.push(one(key)));
            Interpolations::PerKey(each)
        }
    }

    /// Returns the handles of some axes, key by key.
    fn tangents(&self, order: &KeyOrder, axes: &[Axis]) -> Option<Tangents> {
        if !self.handles {
            return None;
        }
        let room = self.len(order).saturating_mul(axes.len());
        let (mut left, mut right) = (Vec::with_capacity(room), Vec::with_capacity(room));
        self.each(order, |index, key| {
            for &axis in axes {
                let points = self.points(index, &key, axis);
                let handle = |time, value| Handle { time: widen(time), value: widen(value) };
                left.push(handle(points.in_time, points.in_value));
                right.push(handle(points.out_time, points.out_value));
            }
        });
        Some(Tangents::Handles { left, right })
    }

    /// Returns the control points of a key: its own, or those that are equivalent to a spline.
    fn points(&self, index: usize, key: &X4aniKey, axis: Axis) -> ControlPoints {
        let mut points = key.axis(axis).2;
        if ruling_type(key, axis).is_approximate() {
            // The last key shows its value; a Bezier key would show CP1 instead.
            (points.out_time, points.out_value) = (key.time, key.axis(axis).0);
            if let Some(next) = self.keys.get(index.saturating_add(1)) {
                let [out, _] = spline_points(self.keys, index, axis);
                points.out_time = key.time + (next.time - key.time) / 3.0;
                points.out_value = out;
            }
        }
        let before = index.checked_sub(1).and_then(|at| Some((at, self.keys.get(at)?)));
        if let Some((at, before)) = before
            && ruling_type(&before, axis).is_approximate()
        {
            let [_, into] = spline_points(self.keys, at, axis);
            points.in_time = key.time - (key.time - before.time) / 3.0;
            points.in_value = into;
        }
        points
    }
}

#[cfg(test)]
mod tests {
    use inbetween_core::num::{f32_from_f64, f64_from_index};
    use inbetween_core::wire;

    use super::*;

    #[test]
    fn one_key_of_another_kind_is_found_in_any_block() {
        let seconds = |key: usize| f32_from_f64(f64_from_index(key));
        let keys = (0..150).map(|key| X4aniKey::new(seconds(key), [1.0, 2.0, 3.0], KeyType::STEP));
        let keys: Vec<X4aniKey> = keys.collect();
        let of = |keys: &[X4aniKey]| {
            let mut bytes = Vec::new();
            wire::append(keys, &mut bytes);
            let plain = Plain::of(View::new(&bytes, ()));
            assert!(plain.times.iter().zip(0..).all(|(time, key)| *time == f64_from_index(key)));
            assert_eq!((plain.times.len(), plain.values), (150, vec![[1.0, 2.0, 3.0]; 150]));
            plain.key_type
        };
        assert_eq!(of(&keys), Some(KeyType::STEP));
        for at in [0, 63, 64, 149] {
            let mut changed = keys.clone();
            changed[at].types[2] = KeyType::LINEAR;
            assert_eq!(of(&changed), None, "{at}");
            changed[at] = X4aniKey { ease_out: -0.0, ..keys[at] };
            assert_eq!(of(&changed), None, "{at}");
        }
    }
}
