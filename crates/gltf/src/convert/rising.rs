//! Keys at increasing times.

use inbetween_core::{Finding, codes as shared, num};

use super::curve::{Curve, Row, Segment, narrow};
use crate::scene::Mode;

/// The changes that made the times of keys increase.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rise {
    /// The number of jumps that became two keys.
    pub(super) jumps: usize,
    /// The time in seconds by which jumps start earlier.
    pub(super) shift: f64,
    /// The number of rounded times.
    pub(super) rounded: usize,
}

/// Returns the finding about times that were rounded, if any were.
pub(super) fn times_rounded(count: usize) -> Option<Finding> {
    let finding = || Finding::new(shared::TIMES_ROUNDED, "to f32");
    (count > 0).then(|| finding().count(num::u64_from_len(count)))
}

impl Curve {
    /// Returns keys with increasing `f32` times, for a sampler of a mode that plays all segments.
    ///
    /// If the track jumps and the mode does not support that, a key with the value before the jump
    /// is added `gap` seconds before it, at least one step of `f32`.
    pub(super) fn rise(&self, mode: Mode, gap: f64) -> (Self, Rise) {
        let mut rising =
            Rising { source: self, out: self.empty(), mode, gap, rise: Rise::default() };
        let mut first = 0;
        while first < self.len() {
            let time = narrow(self.time(first));
            let same = (first..self.len()).take_while(|key| narrow(self.time(*key)) == time);
            let last = same.last().unwrap_or(first);
            rising.add(first, last, time);
            first = last.saturating_add(1);
        }
        let times = self.times.iter().filter(|time| narrow(**time) != **time);
        rising.rise.rounded = times.count();
        // The last key starts no segment, regardless of the keys after it.
        if let Some(last) = rising.out.segments.last_mut() {
            *last = Segment::Hold;
        }
        (rising.out, rising.rise)
    }

    /// Returns a curve like this one without keys.
    fn empty(&self) -> Self {
        let (times, rows, segments) = (Vec::new(), Vec::new(), Vec::new());
        let sides = self.sides.as_ref().map(|_| [Vec::new(), Vec::new()]);
        Self { quantity: self.quantity, times, rows, segments, sides }
    }

    pub(super) fn push(&mut self, time: f64, row: Row, segment: Segment, sides: [Row; 2]) {
        // Adding 0.0 changes -0.0 to 0.0; some programs distinguish the two.
        self.times.push(time + 0.0);
        self.rows.push(row);
        self.segments.push(segment);
        if let Some([left, right]) = &mut self.sides {
            let [before, after] = sides;
            left.push(before);
            right.push(after);
        }
    }

    /// Makes the last segment linear.
    fn straighten(&mut self) {
        if let Some(last) = self.segments.last_mut() {
            *last = Segment::Line;
        }
    }
}

struct Rising<'c> {
    source: &'c Curve,
    out: Curve,
    mode: Mode,
    gap: f64,
    rise: Rise,
}

impl Rising<'_> {
    /// Adds the keys from a first to a last one that have the same time.
    fn add(&mut self, first: usize, last: usize, time: f64) {
        let source = self.source;
        let held = first.checked_sub(1).filter(|key| source.segment(*key) == Segment::Hold);
        let before = held.unwrap_or(first);
        let shown = source.row(last);
        // Steps jump anyway, except for the value before the first key.
        let jumps = source.row(before) != shown && (self.mode != Mode::Step || first == 0);
        let [left, _] = source.side(first);
        if self.mode != Mode::Step && held.is_some() {
            self.out.straighten();
        }
        if jumps && time > 0.0 {
            match self.time_before(time) {
                Some(early) => {
                    self.rise.shift = self.rise.shift.max(time - early);
                    self.out.push(early, source.row(before), self.ramp(), [left, [0.0; 4]]);
                }
                None => self.out.straighten(),
            }
            self.rise.jumps = self.rise.jumps.saturating_add(1);
        }
        // The segment before a jump now is a ramp, which has no tangents.
        let segment = source.segment(last);
        let [_, right] = source.side(last);
        self.out.push(time, shown, segment, [left, right]);
    }

    const fn ramp(&self) -> Segment {
        match self.mode {
            Mode::Step => Segment::Hold,
            _ => Segment::Line,
        }
    }

    /// Returns the time of a key before a jump; `None` if there is no time left between the keys.
    fn time_before(&self, time: f64) -> Option<f64> {
        let after = self.out.times.last().copied().unwrap_or(-1.0);
        let wanted = narrow(time - self.gap);
        let nearest = f64::from(num::f32_from_f64(time).next_down());
        let early = if self.gap > 0.0 && wanted > after { wanted.min(nearest) } else { nearest };
        (early > after && early >= 0.0).then_some(early)
    }
}
