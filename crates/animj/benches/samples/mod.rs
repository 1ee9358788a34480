//! Files for measurements.

#![expect(clippy::expect_used, reason = "a bench may panic")]

use inbetween_animj::{AnimjFile, AnimjKeys, AnimjParts, AnimjTrack};
use inbetween_core::{Interpolation, Quat, Values, num};

/// Returns a file of Curve tracks with values between -1 and 1.
pub(crate) fn file(
    tracks: usize,
    keys: usize,
    column: fn(usize, &mut Numbers) -> Values,
) -> AnimjFile {
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    let track = |index: usize| AnimjTrack {
        node: Some(format!("bone {index}").into()),
        property: Some("Property".into()),
        keys: AnimjKeys::Curve {
            times: (0..keys)
                .map(|key| num::f32_from_f64(num::f64_from_index(key) / 30.0))
                .collect(),
            values: column(keys, &mut numbers),
            interpolation: vec![Interpolation::Linear; keys],
            tangents: None,
        },
        extra: Vec::new(),
    };
    let tracks = (0..tracks).map(track).collect();
    let parts = AnimjParts { name: Some("walk".into()), tracks, ..AnimjParts::default() };
    AnimjFile::from_parts(parts).expect("finite numbers")
}

/// A column of `float3`.
pub(crate) fn float3(keys: usize, numbers: &mut Numbers) -> Values {
    (0..keys).map(|_| [(); 3].map(|()| numbers.float())).collect::<Vec<_>>().into()
}

/// A column of `floatQ`.
pub(crate) fn float_q(keys: usize, numbers: &mut Numbers) -> Values {
    let quat = |_| Quat::from_array([(); 4].map(|()| numbers.float()));
    (0..keys).map(quat).collect::<Vec<_>>().into()
}

/// A column of `double3`.
pub(crate) fn double3(keys: usize, numbers: &mut Numbers) -> Values {
    (0..keys).map(|_| [(); 3].map(|()| numbers.double())).collect::<Vec<_>>().into()
}

/// A deterministic sequence of numbers (xorshift).
pub(crate) struct Numbers(u64);

impl Numbers {
    fn double(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        num::f64_from_u64(self.0 >> 11) / num::f64_from_u64(1 << 52) - 1.0
    }

    fn float(&mut self) -> f32 {
        num::f32_from_f64(self.double())
    }
}
