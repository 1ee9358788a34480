//! The playback rules of engines, for tests.
#![allow(dead_code, reason = "each test file uses some")]

use inbetween_core::{Axis, Clock, EulerOrder, FullTurn, LastBezier, Rules, resonite};

pub(crate) const RESONITE: Rules = resonite::RULES;

/// X4, for everything except angles.
pub(crate) const X4: Rules =
    Rules::LINEAR.with_clock(Clock::F32).with_last_bezier(LastBezier::RightHandle);

/// X4, for angles.
pub(crate) const X4_ANGLES: Rules = X4.with_full_turn(FullTurn::BeginsAtZero);

/// The order of the angles of X4.
pub(crate) const X4_ORDER: EulerOrder =
    EulerOrder::new([Axis::Y, Axis::Z, Axis::X], [1, -1, -1]).unwrap();

pub(crate) const ALL: [Rules; 4] = [RESONITE, X4, X4_ANGLES, Rules::LINEAR];
