//! Sampling of whole poses.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

use crate::clip::{Clip, Identity, Keys, Looping, Property, Track};
use crate::four::LANES;
use crate::pose::Pose;
use crate::rotation::{self, Arcs, Rotation, Rotations};
use crate::rows::{KeySet, Row};
use crate::times::Place;

/// The playback position of one instance of a clip, and the bones that its nodes move.
///
/// Created by [`Clip::context`] and [`Clip::context_for`]. It keeps the two decoded rows of keys
/// around its time, so that playback decodes each key once. It never changes a value. Sampling
/// allocates only if the context comes from another clip.
#[derive(Clone, Debug)]
pub struct Context {
    /// The clip that the other fields belong to.
    clip: Identity,
    /// The bone of each node; `None` for nodes that the skeleton lacks.
    bones: Vec<Option<usize>>,
    constants: Constants,
    sets: Vec<SetState>,
}

/// The part of a pose that a track changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Translation,
    Rotation,
    Scale,
}

impl Part {
    const fn of(property: &Property) -> Option<Self> {
        match property {
            Property::Translation => Some(Self::Translation),
            Property::Rotation => Some(Self::Rotation),
            Property::Scale => Some(Self::Scale),
            Property::Weight(_) | Property::Custom(_) => None,
        }
    }
}

/// The values of tracks that have only one.
#[derive(Clone, Debug, Default)]
struct Constants {
    translations: Vec<Held<[f32; 3]>>,
    rotations: Vec<Held<Rotation>>,
    scales: Vec<Held<[f32; 3]>>,
}

impl Constants {
    /// Creates them from the value of each bone.
    fn new(values: &BTreeMap<(Part, usize), Rotation>) -> Self {
        let mut constants = Self::default();
        for (&(part, bone), &value) in values {
            let [x, y, z, _] = value;
            match part {
                Part::Translation => Held::add(&mut constants.translations, bone, [x, y, z]),
                Part::Rotation => Held::add(&mut constants.rotations, bone, value),
                Part::Scale => Held::add(&mut constants.scales, bone, [x, y, z]),
            }
        }
        constants
    }

    fn write(&self, pose: &mut Pose) {
        self.translations.iter().for_each(|held| held.write(pose.translations_mut()));
        self.rotations.iter().for_each(|held| held.write(pose.rotations_mut()));
        self.scales.iter().for_each(|held| held.write(pose.scales_mut()));
    }
}

/// Constant values of successive bones, which are written as one block.
#[derive(Clone, Debug)]
struct Held<T> {
    /// The first bone.
    bone: usize,
    values: Vec<T>,
}

impl<T: Copy> Held<T> {
    /// Adds the value of a bone after those of lower bones.
    fn add(all: &mut Vec<Self>, bone: usize, value: T) {
        match all.last_mut() {
            Some(last) if last.bone.checked_add(last.values.len()) == Some(bone) => {
                last.values.push(value);
            }
            _ => all.push(Self { bone, values: vec![value] }),
        }
    }

    fn write(&self, pose: &mut [T]) {
        let slots = pose.get_mut(self.bone..).unwrap_or_default();
        slots.iter_mut().zip(&self.values).for_each(|(slot, value)| *slot = *value);
    }
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
        let mut sets: Vec<SetState> = self.sets.iter().map(SetState::new).collect();
        let mut constants = BTreeMap::new();
        let mut moved = BTreeSet::new();
        // Of two tracks of the same property of a bone, the later one counts.
        for track in self.tracks.iter().rev() {
            let bone = bones.get(track.node()).copied().flatten();
            let Some((part, bone)) = Part::of(&track.property).zip(bone) else { continue };
            if !moved.insert((bone, part)) {
                continue;
            }
            if let Keys::Constant(value) = track.keys {
                constants.insert((part, bone), value);
            } else if let Some((set, lane)) = self.lane(track)
                && let Some(state) = sets.get_mut(set)
            {
                state.connect(part, lane, bone);
            }
        }
        sets.iter_mut().for_each(SetState::arrange);
        Context { clip: self.identity, bones, constants: Constants::new(&constants), sets }
    }

    /// Returns the set of a track, and the index of its first value in a decoded row; `None` for a
    /// track with one value.
    fn lane(&self, track: &Track) -> Option<(usize, usize)> {
        let Keys::Sampled(column) = &track.keys else { return None };
        let lane = self.set(column)?.layout.lane(column.storage.section(), column.place);
        Some((crate::num::index(column.set), lane))
    }

    /// Writes the pose at a time in seconds since the start of the clip.
    ///
    /// A looping clip wraps times at its duration. Otherwise the first and last values hold. NaN
    /// gives the first values. Properties that no track animates, and bones that the pose lacks,
    /// stay unchanged. If two tracks animate the same property of a bone, the later one counts.
    ///
    /// Forward playback decodes every key once at most. A jump costs a search: O(1) for keys at
    /// even distances, else a few probes within an indexed part of the times.
    pub fn sample(&self, time: f64, context: &mut Context, pose: &mut Pose) {
        self.move_to(time, context);
        for state in &context.sets {
            let rotations = &state.now.rotations;
            state.rotations.iter().for_each(|turns| turns.write(rotations, pose.rotations_mut()));
            let numbers = &state.now.numbers;
            state.translations.iter().for_each(|run| run.write(numbers, pose.translations_mut()));
            state.scales.iter().for_each(|run| run.write(numbers, pose.scales_mut()));
        }
        context.constants.write(pose);
    }

    /// Writes the numbers of all weights and custom properties at a time in seconds, one track
    /// after the other in the order of [`tracks`](Self::tracks). Numbers that do not fit into
    /// `curves` are skipped; [`curve_len`](Self::curve_len) says how many there are.
    pub fn sample_curves(&self, time: f64, context: &mut Context, curves: &mut [f32]) {
        self.move_to(time, context);
        let mut slots = curves.iter_mut();
        for track in self.tracks.iter().filter(|track| track.property.is_curve()) {
            let numbers = match (&track.keys, self.lane(track)) {
                (Keys::Constant(value), _) => value.as_slice(),
                (_, Some((set, lane))) => {
                    let state = context.sets.get(set);
                    state.and_then(|state| state.now.numbers.get(lane..)).unwrap_or_default()
                }
                _ => &[],
            };
            for (slot, number) in slots.by_ref().zip(numbers.iter().take(track.width())) {
                *slot = *number;
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

    fn move_to(&self, time: f64, context: &mut Context) {
        if !context.clip.is(self.identity) {
            *context = self.with_bones(mem::take(&mut context.bones));
        }
        let time = self.clip_time(time);
        for (set, state) in self.sets.iter().zip(&mut context.sets) {
            state.move_to(set, time);
        }
    }
}

/// The playback position within a key set, and the tracks of it that a pose shows.
#[derive(Clone, Debug)]
struct SetState {
    /// The last active key.
    key: u32,
    place: Place,
    /// The key of the decoded rows.
    decoded: Option<usize>,
    /// The rows of that key and of the next one.
    from: Row,
    to: Row,
    /// The arcs between their rotations.
    arcs: Vec<Arcs>,
    /// The rotations and numbers at the time.
    now: Row,
    /// The bone of each rotation, or [`NO_BONE`].
    bones: Vec<usize>,
    rotations: Vec<Turns>,
    translations: Vec<Run>,
    scales: Vec<Run>,
}

/// Vectors that lie one after the other in a row, and belong to successive bones.
#[derive(Clone, Debug)]
struct Run {
    /// The first number.
    lane: usize,
    /// The first bone.
    bone: usize,
    count: usize,
}

impl Run {
    /// Adds a vector to the last run if it comes right before that, else as a run of its own.
    fn add(runs: &mut Vec<Self>, lane: usize, bone: usize) {
        let after = (Some(lane + 3), bone.checked_add(1));
        match runs.last_mut() {
            Some(run) if after == (Some(run.lane), Some(run.bone)) => {
                *run = Self { lane, bone, count: run.count + 1 };
            }
            _ => runs.push(Self { lane, bone, count: 1 }),
        }
    }

    fn write(&self, numbers: &[f32], pose: &mut [[f32; 3]]) {
        let (vectors, _) = numbers.get(self.lane..).unwrap_or_default().as_chunks();
        let slots = pose.get_mut(self.bone..).unwrap_or_default().iter_mut();
        slots.zip(vectors).take(self.count).for_each(|(slot, vector)| *slot = *vector);
    }
}

/// The bones of rotations, four at a time.
#[derive(Clone, Debug)]
enum Turns {
    /// Successive bones, as most clips have. The index is that of their first four rotations.
    Row(usize, Range<usize>),
    /// Any four bones, and the index of their rotations.
    Four(usize, [usize; LANES]),
}

impl Turns {
    /// Adds the bones of the next four rotations.
    fn add(all: &mut Vec<Self>, four: usize, bones: [usize; LANES]) {
        let [first, ..] = bones;
        let end = first.saturating_add(LANES);
        let is_row = bones.is_sorted_by(|bone, next| bone.checked_add(1) == Some(*next));
        match all.last_mut() {
            Some(Self::Row(_, before)) if is_row && before.end == first => before.end = end,
            _ if is_row => all.push(Self::Row(four, first..end)),
            _ => all.push(Self::Four(four, bones)),
        }
    }

    fn write(&self, rotations: &[Rotations], pose: &mut [Rotation]) {
        match self {
            Self::Row(first, bones) => {
                let fours = rotations.get(*first..).unwrap_or_default();
                let fours = fours.iter().take(bones.len() / LANES);
                let slots = pose.get_mut(bones.start..).unwrap_or_default();
                let (slots, rest) = slots.as_chunks_mut();
                let last = fours.clone().nth(slots.len()).map(Rotations::lanes);
                slots.iter_mut().zip(fours).for_each(|(slots, four)| *slots = four.lanes());
                rest.iter_mut().zip(last.iter().flatten()).for_each(|(slot, turn)| *slot = *turn);
            }
            Self::Four(four, bones) => {
                let Some(four) = rotations.get(*four) else { return };
                for (bone, turn) in bones.iter().zip(four.lanes()) {
                    if let Some(slot) = pose.get_mut(*bone) {
                        *slot = turn;
                    }
                }
            }
        }
    }
}

/// Stands for the bone of a rotation that the pose does not show.
const NO_BONE: usize = usize::MAX;

impl SetState {
    fn new(set: &KeySet) -> Self {
        let row = set.row();
        Self {
            key: 0,
            place: Place::default(),
            decoded: None,
            arcs: vec![Arcs::default(); row.rotations.len()],
            now: row.clone(),
            bones: vec![NO_BONE; row.rotations.len() * LANES],
            rotations: Vec::new(),
            to: row.clone(),
            from: row,
            translations: Vec::new(),
            scales: Vec::new(),
        }
    }

    /// Connects a value of the rows with a bone.
    fn connect(&mut self, part: Part, lane: usize, bone: usize) {
        match part {
            Part::Rotation => {
                if let Some(slot) = self.bones.get_mut(lane) {
                    *slot = bone;
                }
            }
            Part::Translation => Run::add(&mut self.translations, lane, bone),
            Part::Scale => Run::add(&mut self.scales, lane, bone),
        }
    }

    /// Groups the bones of the rotations after all of them are connected.
    fn arrange(&mut self) {
        let (fours, _) = self.bones.as_chunks();
        for (four, bones) in fours.iter().enumerate() {
            Turns::add(&mut self.rotations, four, *bones);
        }
    }

    fn move_to(&mut self, set: &KeySet, time: f64) {
        self.place = set.timeline.place(&mut self.key, time);
        let key = self.place.key;
        let next = key + 1;
        if self.decoded != Some(key) {
            if self.decoded.is_some_and(|decoded| decoded + 1 == key) {
                mem::swap(&mut self.from, &mut self.to);
            } else {
                set.decode(key, &mut self.from);
            }
            set.decode(next, &mut self.to);
            rotation::measure(&self.from.rotations, &self.to.rotations, &mut self.arcs);
            self.decoded = Some(key);
        }
        self.set_now(set);
    }

    /// Computes the values at the time.
    fn set_now(&mut self, set: &KeySet) {
        let (t, now) = (self.place.t, &mut self.now);
        if t > 0.0 {
            let (from, to) = (&self.from.rotations, &self.to.rotations);
            rotation::slerp(from, to, &self.arcs, t, &mut now.rotations);
            lerp(&self.from.numbers, &self.to.numbers, t, &mut now.numbers);
        } else {
            now.rotations.copy_from_slice(&self.from.rotations);
            now.numbers.copy_from_slice(&self.from.numbers);
        }
        for &(section, place) in set.lanes.held() {
            now.copy(&self.from, section, set.layout.lane(section, place));
        }
    }
}

/// Computes the numbers between two rows at a normalized time.
fn lerp(from: &[f32], to: &[f32], t: f32, now: &mut [f32]) {
    if t >= 1.0 {
        return now.copy_from_slice(to);
    }
    for (now, (from, to)) in now.iter_mut().zip(from.iter().zip(to)) {
        *now = from + (to - from) * t;
    }
}
