//! Sampling of whole poses.

use alloc::vec;
use alloc::vec::Vec;

use crate::clip::{Column, KeySet, Keys, Segments};
use crate::num::index;
use crate::pose::lerp;
use crate::rotation::Rotation;
use crate::times::Place;
use crate::{Clip, Looping, Pose, Property, RotationBlend, Track};

/// The playback position of one instance of a clip, and the bones that its nodes move.
///
/// Created by [`Clip::context`] and [`Clip::context_for`]. The position only makes forward playback
/// cheap: it never changes a value. Sampling allocates only if the context comes from another clip.
#[derive(Clone, Debug, PartialEq)]
pub struct Context {
    /// The bone of each node; `None` for nodes that the skeleton lacks.
    bones: Vec<Option<usize>>,
    /// The last active key of each key set.
    keys: Vec<u32>,
    places: Vec<Place>,
}

impl Clip {
    /// Creates a context for poses with one bone per node, in the order of [`nodes`](Self::nodes).
    pub fn context(&self) -> Context {
        self.with_bones((0..self.nodes.len()).map(Some).collect())
    }

    /// Creates a context for poses of a skeleton; `bone` returns the index of the bone with a name.
    /// Tracks of nodes that it does not know, and of nodes without a name, move nothing.
    pub fn context_for(&self, mut bone: impl FnMut(&str) -> Option<usize>) -> Context {
        self.with_bones(self.nodes().map(|node| node.and_then(&mut bone)).collect())
    }

    fn with_bones(&self, bones: Vec<Option<usize>>) -> Context {
        let sets = self.sets.len();
        Context { bones, keys: vec![0; sets], places: vec![Place::default(); sets] }
    }

    /// Writes the pose at a time in seconds since the start of the clip.
    ///
    /// A looping clip wraps times at its duration. Otherwise the first and last values hold. NaN
    /// gives the first values. Properties that no track animates, and bones that the pose lacks,
    /// stay unchanged. If two tracks animate the same property of a node, the later one counts.
    ///
    /// Forward playback visits every key once at most. A jump costs a search: O(1) for keys at even
    /// distances, else a few probes within an indexed part of the times.
    pub fn sample(&self, time: f64, context: &mut Context, pose: &mut Pose) {
        self.place(time, context);
        for track in &self.tracks {
            let bone = context.bones.get(index(track.node)).copied().flatten();
            let Some(bone) = bone else { continue };
            match track.property {
                Property::Translation => {
                    if let Some(value) = pose.translations_mut().get_mut(bone) {
                        *value = self.numbers(track, &context.places);
                    }
                }
                Property::Rotation => {
                    if let Some(value) = pose.rotations_mut().get_mut(bone) {
                        *value = self.rotation(track, &context.places);
                    }
                }
                Property::Scale => {
                    if let Some(value) = pose.scales_mut().get_mut(bone) {
                        *value = self.numbers(track, &context.places);
                    }
                }
                Property::Weight(_) | Property::Custom(_) => {}
            }
        }
    }

    /// Writes the numbers of all weights and custom properties at a time in seconds, one track
    /// after the other in the order of [`tracks`](Self::tracks). Numbers that do not fit into
    /// `curves` are skipped; [`curve_len`](Self::curve_len) says how many there are.
    pub fn sample_curves(&self, time: f64, context: &mut Context, curves: &mut [f32]) {
        self.place(time, context);
        let mut slots = curves.iter_mut();
        for track in self.tracks.iter().filter(|track| track.property.is_curve()) {
            let numbers: [f32; 4] = self.numbers(track, &context.places);
            for (slot, number) in slots.by_ref().take(track.width()).zip(numbers) {
                *slot = number;
            }
        }
    }

    /// Returns the time within the clip: for a looping clip, modulo the duration.
    fn clip_time(&self, time: f64) -> f64 {
        if self.looping == Looping::Once || !time.is_finite() {
            return time;
        }
        let rest = libm::fmod(time, self.duration);
        let rest = if rest < 0.0 { rest + self.duration } else { rest };
        // A tiny negative remainder rounds up to the duration, and a remainder by 0 is NaN.
        if rest < self.duration { rest } else { 0.0 }
    }

    fn place(&self, time: f64, context: &mut Context) {
        let time = self.clip_time(time);
        context.keys.resize(self.sets.len(), 0);
        context.places.resize(self.sets.len(), Place::default());
        let positions = context.keys.iter_mut().zip(&mut context.places);
        for (set, (key, place)) in self.sets.iter().zip(positions) {
            *place = set.timeline.place(key, time);
        }
    }

    #[inline]
    fn numbers<const N: usize>(&self, track: &Track, places: &[Place]) -> [f32; N] {
        match &track.keys {
            Keys::Constant(value) => first(*value),
            Keys::Sampled(column) => {
                let Some(segment) = self.segment(column, track.width(), places) else {
                    return [0.0; N];
                };
                let from = column.storage.numbers(segment.from);
                segment.to.map_or(from, |to| lerp(from, column.storage.numbers(to), segment.t))
            }
        }
    }

    #[inline]
    fn rotation(&self, track: &Track, places: &[Place]) -> Rotation {
        match &track.keys {
            Keys::Constant(value) => *value,
            Keys::Sampled(column) => {
                let Some(segment) = self.segment(column, track.width(), places) else {
                    return crate::rotation::IDENTITY;
                };
                let from = column.storage.rotation(segment.from);
                segment.to.map_or(from, |to| {
                    let to = column.storage.rotation(to);
                    RotationBlend::Slerp.between(from, to, segment.t)
                })
            }
        }
    }

    #[inline]
    fn segment(&self, column: &Column, width: usize, places: &[Place]) -> Option<Segment<'_>> {
        let set = self.set(column)?;
        let place = places.get(index(column.set))?;
        Some(set.segment(column, width, *place))
    }
}

/// The words of the two values that a time is between; `to` only after the first one.
struct Segment<'a> {
    from: &'a [u16],
    to: Option<&'a [u16]>,
    t: f32,
}

impl KeySet {
    #[inline]
    fn segment(&self, column: &Column, width: usize, place: Place) -> Segment<'_> {
        let moves = place.t > 0.0 && column.segments == Segments::Linear;
        let to = moves.then(|| self.value(column, width, place.key.saturating_add(1)));
        Segment { from: self.value(column, width, place.key), to, t: place.t }
    }
}

/// Returns the first numbers of a value.
fn first<const N: usize>(value: [f32; 4]) -> [f32; N] {
    let mut numbers = [0.0; N];
    for (number, value) in numbers.iter_mut().zip(value) {
        *number = value;
    }
    numbers
}
