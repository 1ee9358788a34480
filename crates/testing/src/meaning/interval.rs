//! Steps of floats.

use inbetween_core::num::f32_from_f64;

/// Returns the distance from a number to the next larger one in `f32` or `f64`; 0 if it is not
/// finite. Numbers beyond those of `f32` have the distance between the largest two of these.
pub(super) fn ulp(number: f64, narrow: bool) -> f64 {
    let number = number.abs();
    let step = if narrow && number.is_finite() {
        let number = f32_from_f64(number).min(f32::MAX.next_down());
        f64::from(number.next_up()) - f64::from(number)
    } else {
        number.next_up() - number
    };
    if step.is_finite() { step } else { 0.0 }
}

/// Returns a time with one representable time before and after it, in `f64` and in `f32`.
pub(super) fn around(time: f64) -> [f64; 5] {
    let narrow = f32_from_f64(time);
    [
        f64::from(narrow.next_down()),
        time.next_down(),
        time,
        time.next_up(),
        f64::from(narrow.next_up()),
    ]
}
