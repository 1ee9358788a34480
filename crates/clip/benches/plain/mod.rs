//! The baseline of poses: plain arrays of `f32`, one row per frame, and the loop that one would
//! write by hand over them.

pub(crate) mod packed;

use inbetween_clip::Pose;
use inbetween_core::num::index_from_f64;

pub(crate) use packed::Packed;

/// Frames per second.
pub(crate) const FRAMES: u64 = 60;

/// The frames of 10 seconds and the last one.
const COUNT: u16 = 601;

/// Translations and rotations of all bones on each frame. Scales are constant.
#[derive(Debug)]
pub(crate) struct Frames {
    bones: usize,
    translations: Vec<[f32; 3]>,
    rotations: Vec<[f32; 4]>,
}

impl Frames {
    /// Creates bones that turn and move within 0.2 m.
    pub(crate) fn new(bones: u16) -> Self {
        let keys = || (0..COUNT).flat_map(|frame| (0..bones).map(move |bone| (frame, bone)));
        let wave = |(frame, bone): (u16, u16), speed: f32| {
            (f32::from(frame) / 60.0 * speed + f32::from(bone)).sin()
        };
        let place = |key| [wave(key, 4.0), wave(key, 3.1), wave(key, 1.7)].map(|x| 0.1 * x);
        let turn = |key| {
            let (sin, cos) = (0.45 * wave(key, 4.0)).sin_cos();
            [0.0, 0.6 * sin, 0.8 * sin, cos]
        };
        Self {
            bones: bones.into(),
            translations: keys().map(place).collect(),
            rotations: keys().map(turn).collect(),
        }
    }

    /// Returns the translations and rotations of a bone.
    pub(crate) fn of_bone(&self, bone: usize) -> (Vec<[f32; 3]>, Vec<[f32; 4]>) {
        let translations = self.translations.iter().skip(bone).step_by(self.bones);
        let rotations = self.rotations.iter().skip(bone).step_by(self.bones);
        (translations.copied().collect(), rotations.copied().collect())
    }

    /// Computes the pose at a time in seconds.
    pub(crate) fn sample(&self, time: f32, pose: &mut Pose) {
        let (frame, t) = segment(time);
        let (from, to) = (frame * self.bones, (frame + 1) * self.bones);
        let (from, to) = (from..from + self.bones, to..to + self.bones);
        let pairs = self.translations[from.clone()].iter().zip(&self.translations[to.clone()]);
        for (value, (a, b)) in pose.translations_mut().iter_mut().zip(pairs) {
            *value = std::array::from_fn(|axis| a[axis] + (b[axis] - a[axis]) * t);
        }
        let pairs = self.rotations[from].iter().zip(&self.rotations[to]);
        for (value, (a, b)) in pose.rotations_mut().iter_mut().zip(pairs) {
            *value = nlerp(*a, *b, t);
        }
        pose.scales_mut().fill([1.0; 3]);
    }
}

/// Returns the frame at or before a time in seconds, and the normalized time to the next one.
fn segment(time: f32) -> (usize, f32) {
    let at = time * 60.0;
    let whole = at.floor().clamp(0.0, f32::from(COUNT - 2));
    (index_from_f64(whole.into()), (at - whole).min(1.0))
}

/// Blends along the shorter arc and normalizes.
fn nlerp(a: [f32; 4], b: [f32; 4], t: f32) -> [f32; 4] {
    let dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    let to = if dot < 0.0 { -t } else { t };
    let mixed: [f32; 4] = std::array::from_fn(|part| a[part] * (1.0 - t) + b[part] * to);
    let length = mixed.iter().map(|part| part * part).sum::<f32>().sqrt();
    mixed.map(|part| part / length)
}
