//! Values of every kind from seeds.

use inbetween_core::{Color, Color32, Element, Quat, Strings, ValueKind, Values, kind_table};

/// Returns a column of a kind, with one value per seed.
pub(crate) fn column(kind: ValueKind, seeds: &[u64]) -> Values {
    macro_rules! columns {
        (fixed { $($id:literal $variant:ident $name:literal $type:ty, $size:literal;)* }
         pooled { $pid:literal $pooled:ident $pname:literal; }) => {
            match kind {
                $(ValueKind::$variant => fixed::<$type>(seeds),)*
                ValueKind::$pooled => texts(seeds),
                other => panic!("no values of kind {other}"),
            }
        };
    }
    kind_table!(columns)
}

fn fixed<T: Element + Sample>(seeds: &[u64]) -> Values {
    seeds.iter().map(|&seed| T::sample(&mut Seed(seed))).collect::<Vec<T>>().into()
}

fn texts(seeds: &[u64]) -> Values {
    let text = |&seed: &u64| (seed % 5 != 4).then(|| ["", "a", "\u{e9}\"", "0"][low(seed % 4)]);
    seeds.iter().map(text).collect::<Strings>().into()
}

fn low(seed: u64) -> usize {
    inbetween_core::num::len_from_u64(seed)
}

/// Generates different numbers for the components of a value.
struct Seed(u64);

impl Seed {
    fn next(&mut self) -> u64 {
        let seed = self.0;
        self.0 = seed.rotate_left(11).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
        seed
    }
}

trait Sample {
    fn sample(seed: &mut Seed) -> Self;
}

macro_rules! sample_integers {
    ($($type:ty),*) => {$(
        impl Sample for $type {
            fn sample(seed: &mut Seed) -> Self {
                let bytes = seed.next().to_le_bytes();
                Self::from_le_bytes(*bytes.first_chunk().expect("at most eight bytes"))
            }
        }
    )*};
}
sample_integers!(u8, u16, u32, u64, i8, i32, i16, i64);

impl Sample for bool {
    fn sample(seed: &mut Seed) -> Self {
        seed.next() % 2 == 1
    }
}

macro_rules! sample_floats {
    ($($type:ident, $bits:ty;)*) => {$(
        impl Sample for $type {
            /// Usually a number of random digits, sometimes a small one, rarely one that is not
            /// finite or outside of the domain.
            fn sample(seed: &mut Seed) -> Self {
                let number = $type::from_bits(<$bits>::sample(seed));
                match seed.next() % 64 {
                    0 => number,
                    1..16 => -0.0,
                    16..32 => 1.5,
                    _ if number.is_finite() => number % 1e9,
                    _ => 0.1,
                }
            }
        }
    )*};
}
sample_floats! { f32, u32; f64, u64; }

impl<T: Sample, const N: usize> Sample for [T; N] {
    fn sample(seed: &mut Seed) -> Self {
        std::array::from_fn(|_| T::sample(seed))
    }
}

impl<T: Sample> Sample for Quat<T> {
    fn sample(seed: &mut Seed) -> Self {
        Self::from_array(Sample::sample(seed))
    }
}

impl Sample for Color {
    fn sample(seed: &mut Seed) -> Self {
        Self::from_array(Sample::sample(seed))
    }
}

impl Sample for Color32 {
    fn sample(seed: &mut Seed) -> Self {
        Self::from_array(Sample::sample(seed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_of_their_kind_and_length() {
        for kind in ValueKind::ALL {
            let values = column(kind, &[1, 2, 3]);
            assert_eq!((values.kind(), values.len()), (kind, 3));
        }
    }
}
