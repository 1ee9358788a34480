//! Four numbers that are computed together.
//!
//! Loops over four lanes compile to one vector instruction each, on every target that has them.

use core::ops::{Add, Div, Mul, Sub};

use crate::num::sqrt;

/// The number of lanes.
pub(crate) const LANES: usize = 4;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Four(pub(crate) [f32; LANES]);

impl Four {
    pub(crate) const fn splat(value: f32) -> Self {
        Self([value; LANES])
    }

    #[inline]
    fn zip(mut self, other: Self, combine: impl Fn(f32, f32) -> f32) -> Self {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own = combine(*own, other);
        }
        self
    }

    #[inline]
    pub(crate) fn map(self, change: impl Fn(f32) -> f32) -> Self {
        Self(self.0.map(change))
    }

    /// Returns the square roots.
    #[inline]
    pub(crate) fn sqrt(self) -> Self {
        self.map(sqrt)
    }

    /// Returns `self` in lanes whose index fulfills the condition, and `other` in the others.
    #[inline]
    pub(crate) fn where_index(
        mut self,
        index: [u32; LANES],
        condition: impl Fn(u32) -> bool,
        other: Self,
    ) -> Self {
        // As wide as the numbers, the indices become masks in one instruction.
        for ((own, other), index) in self.0.iter_mut().zip(other.0).zip(index) {
            *own = if condition(index) { *own } else { other };
        }
        self
    }
}

impl Add for Four {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        self.zip(other, |own, other| own + other)
    }
}

impl Sub for Four {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |own, other| own - other)
    }
}

impl Mul for Four {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |own, other| own * other)
    }
}

impl Div for Four {
    type Output = Self;

    #[inline]
    fn div(self, other: Self) -> Self {
        self.zip(other, |own, other| own / other)
    }
}
