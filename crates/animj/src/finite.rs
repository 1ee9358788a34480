//! Finds numbers that JSON cannot represent.

use core::ops::ControlFlow;

use inbetween_core::{Color, Color32, Quat, Values, kind_table};

/// Returns the first non-finite number and the index of its key.
pub(crate) fn first(values: &Values) -> Option<(usize, f64)> {
    let mut found = None;
    each(values, &mut |key, number| {
        found = Some((key, number));
        ControlFlow::Break(())
    });
    found
}

/// Marks the keys with non-finite numbers.
pub(crate) fn mark(values: &Values, marks: &mut [bool]) {
    each(values, &mut |key, _| {
        if let Some(mark) = marks.get_mut(key) {
            *mark = true;
        }
        ControlFlow::Continue(())
    });
}

/// Calls a function with every key that holds a non-finite number, and this number.
fn each(values: &Values, found: &mut dyn FnMut(usize, f64) -> ControlFlow<()>) {
    macro_rules! search {
        (fixed { $($id:literal $variant:ident $name:literal $type:ty, $size:literal;)* }
         pooled { $($pooled:tt)* }) => {
            match values {
                $(Values::$variant(column) => search(column, found),)*
                _ => {}
            }
        };
    }
    kind_table!(search);
}

fn search<T: Finite>(column: &[T], found: &mut dyn FnMut(usize, f64) -> ControlFlow<()>) {
    for (key, value) in column.iter().enumerate() {
        if value.not_finite().is_some_and(|number| found(key, number).is_break()) {
            return;
        }
    }
}

/// A value that may hold non-finite numbers.
trait Finite {
    /// Returns the first non-finite number in it.
    fn not_finite(&self) -> Option<f64>;
}

macro_rules! always_finite {
    ($($type:ty),*) => {$(
        impl Finite for $type {
            fn not_finite(&self) -> Option<f64> {
                None
            }
        }
    )*};
}
always_finite!(bool, u8, u16, u32, u64, i8, i16, i32, i64, Color32);

impl Finite for f64 {
    fn not_finite(&self) -> Option<f64> {
        Some(*self).filter(|number| !number.is_finite())
    }
}

impl Finite for f32 {
    fn not_finite(&self) -> Option<f64> {
        f64::from(*self).not_finite()
    }
}

impl<T: Finite, const N: usize> Finite for [T; N] {
    fn not_finite(&self) -> Option<f64> {
        self.iter().find_map(T::not_finite)
    }
}

impl<T: Finite + Copy> Finite for Quat<T> {
    fn not_finite(&self) -> Option<f64> {
        self.to_array().not_finite()
    }
}

impl Finite for Color {
    fn not_finite(&self) -> Option<f64> {
        self.to_array().not_finite()
    }
}
