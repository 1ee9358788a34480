//! The least that playing compressed poses takes: rows of 48-bit rotations and half floats as in a
//! clip, in the layout that is the fastest to decode, and blended by nlerp.

use std::array::from_fn;
use std::f32::consts::FRAC_1_SQRT_2;
use std::mem;

use inbetween_clip::Pose;
use inbetween_core::num::u32_from_f64;

use super::{Frames, segment};

/// Arrays of a fixed length are the fastest to decode.
const BONES: usize = 100;

/// The number that stands for 0 in a component of a rotation.
const ZERO: u16 = 16_383;

/// The largest translation; halves are relative to it.
const RANGE: f32 = 0.1;

/// Turns a half float of up to 1, shifted into place, into an `f32`.
const HALF: f32 = f32::from_bits((127 + 112) << 23);

/// The frames of [`Frames`], and the two decoded ones that a sample is between.
#[derive(Debug)]
pub(crate) struct Packed {
    /// The first words of all bones, then the second and the third ones.
    rotations: Vec<[[u16; BONES]; 3]>,
    halves: Vec<[[u16; 3]; BONES]>,
    frame: usize,
    from: Frame,
    to: Frame,
}

/// A decoded frame. Rotations are stored by component.
#[derive(Debug)]
struct Frame {
    translations: [[f32; 3]; BONES],
    rotations: [[f32; BONES]; 4],
}

impl Packed {
    pub(crate) fn new(frames: &Frames) -> Self {
        let rotations = frames.rotations.chunks(BONES).map(|row| {
            let words: [[u16; 3]; BONES] = from_fn(|bone| pack(row[bone]));
            from_fn(|part| from_fn(|bone| words[bone][part]))
        });
        let halves = frames.translations.chunks(BONES);
        let halves = halves.map(|row| from_fn(|bone| row[bone].map(|part| to_half(part / RANGE))));
        let frame = || Frame { translations: [[0.0; 3]; BONES], rotations: [[0.0; BONES]; 4] };
        let (rotations, halves) = (rotations.collect(), halves.collect());
        Self { rotations, halves, frame: usize::MAX, from: frame(), to: frame() }
    }

    /// Computes the pose at a time in seconds.
    pub(crate) fn sample(&mut self, time: f32, pose: &mut Pose) {
        let (frame, t) = segment(time);
        if frame != self.frame {
            if frame == self.frame.wrapping_add(1) {
                mem::swap(&mut self.from, &mut self.to);
            } else {
                self.from.decode(&self.rotations[frame], &self.halves[frame]);
            }
            self.to.decode(&self.rotations[frame + 1], &self.halves[frame + 1]);
            self.frame = frame;
        }
        let (from, to) =
            (self.from.translations.as_flattened(), self.to.translations.as_flattened());
        let now = pose.translations_mut().as_flattened_mut();
        for (now, (from, to)) in now.iter_mut().zip(from.iter().zip(to)) {
            *now = from + (to - from) * t;
        }
        let now = nlerp(&self.from.rotations, &self.to.rotations, t);
        for (bone, value) in pose.rotations_mut().iter_mut().enumerate().take(BONES) {
            *value = from_fn(|part| now[part][bone]);
        }
        pose.scales_mut().fill([1.0; 3]);
    }
}

impl Frame {
    fn decode(&mut self, words: &[[u16; BONES]; 3], halves: &[[u16; 3]; BONES]) {
        let [first, second, third] = words;
        let [xs, ys, zs, ws] = &mut self.rotations;
        for bone in 0..BONES {
            let [x, y, z, w] = rotation([first[bone], second[bone], third[bone]]);
            (xs[bone], ys[bone], zs[bone], ws[bone]) = (x, y, z, w);
        }
        let numbers = self.translations.as_flattened_mut().iter_mut();
        for (number, word) in numbers.zip(halves.as_flattened()) {
            *number = from_half(*word) * RANGE;
        }
    }
}

/// Returns the rotation of three words.
#[inline]
pub(crate) fn rotation(words: [u16; 3]) -> [f32; 4] {
    let [p, q, r] = words.map(|word| {
        (f32::from(word & 0x7fff) - f32::from(ZERO)) * (FRAC_1_SQRT_2 / f32::from(ZERO))
    });
    let largest = (1.0 - p * p - q * q - r * r).max(0.0).sqrt();
    let index = u32::from(words[0] >> 15) | u32::from(words[1] >> 15) << 1;
    let after_x = if index == 1 { largest } else { q };
    let before_w = if index == 2 { largest } else { q };
    [
        if index == 0 { largest } else { p },
        if index == 0 { p } else { after_x },
        if index == 3 { r } else { before_w },
        if index == 3 { largest } else { r },
    ]
}

/// Returns the number from -1 to 1 of a half float.
#[inline]
pub(crate) fn from_half(word: u16) -> f32 {
    let size = f32::from_bits(u32::from(word & 0x7fff) << 13) * HALF;
    f32::from_bits(size.to_bits() | u32::from(word & 0x8000) << 16)
}

/// Blends along the shorter arcs and normalizes.
fn nlerp(from: &[[f32; BONES]; 4], to: &[[f32; BONES]; 4], t: f32) -> [[f32; BONES]; 4] {
    let mut now = [[0.0; BONES]; 4];
    for bone in 0..BONES {
        let [from, to]: [[f32; 4]; 2] = [from, to].map(|row| from_fn(|part| row[part][bone]));
        let blended = super::nlerp(from, to, t);
        for (now, blended) in now.iter_mut().zip(blended) {
            now[bone] = blended;
        }
    }
    now
}

/// Returns the words of a rotation whose largest component is `w`, as all of [`Frames`] are.
pub(crate) fn pack([x, y, z, _]: [f32; 4]) -> [u16; 3] {
    let word = |part: f32| {
        let steps = f64::from(part) * 2.0_f64.sqrt() * f64::from(ZERO);
        u16::try_from(u32_from_f64(steps.round() + f64::from(ZERO))).unwrap_or(0)
    };
    [word(x) | 0x8000, word(y) | 0x8000, word(z)]
}

/// Returns the half float nearest to a number from -1 to 1.
pub(crate) fn to_half(number: f32) -> u16 {
    let size = ((number.abs() / HALF).to_bits() + (1 << 12)) >> 13;
    let sign = if number < 0.0 { 0x8000 } else { 0 };
    u16::try_from(size).unwrap_or(0) | sign
}
