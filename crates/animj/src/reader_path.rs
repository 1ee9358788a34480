//! The reader's position, as lines and columns and as JSON pointers.

use inbetween_core::num::u64_from_len;
use inbetween_core::{Path, PathStyle, Segment};

/// The largest number of characters of a name in a path.
const LONGEST: usize = 63;

/// One step from the root to a value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Member(&'static str),
    Item(usize),
}

/// The path from the root to the reader's position.
///
/// The reader overwrites a step when it moves to the next member or item. Nothing is removed when
/// an error occurs, so the path still leads to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReaderPath {
    steps: [Step; Self::DEEPEST],
    depth: usize,
}

impl ReaderPath {
    /// `/tracks/0/data/keyframes/0/value/x`, or two indices in a row of a matrix.
    const DEEPEST: usize = 8;

    pub(crate) const fn root() -> Self {
        Self { steps: [Step::Item(0); Self::DEEPEST], depth: 0 }
    }

    /// Returns the path of a key.
    pub(crate) fn key(track: usize, key: usize) -> Self {
        use Step::{Item, Member};
        let mut place = Self::root();
        let steps = [Member("tracks"), Item(track), Member("data"), Member("keyframes"), Item(key)];
        for step in steps {
            place.set(place.depth, step);
        }
        place
    }

    /// Returns the index of the item at `depth`, if any.
    pub(crate) fn item(&self, depth: usize) -> Option<usize> {
        match self.steps.get(depth) {
            Some(Step::Item(index)) if depth < self.depth => Some(*index),
            _ => None,
        }
    }

    pub(crate) const fn depth(&self) -> usize {
        self.depth
    }

    /// Sets the step at `depth`, and removes the deeper ones.
    #[inline]
    pub(crate) fn set(&mut self, depth: usize, step: Step) {
        if let Some(known) = self.steps.get_mut(depth) {
            *known = step;
            self.depth = depth.saturating_add(1);
        }
    }

    /// Truncates the path to `depth` steps.
    pub(crate) fn up_to(&mut self, depth: usize) {
        self.depth = self.depth.min(depth);
    }

    /// Returns the path as a JSON pointer.
    pub(crate) fn path(&self) -> Path {
        pointer(self.segments().collect())
    }

    /// Returns the path of an unknown member as a JSON pointer.
    ///
    /// A long name is cut, because findings must not hold a second copy of the file.
    pub(crate) fn path_to(&self, name: &str) -> Path {
        let name = match name.char_indices().nth(LONGEST) {
            None => name.into(),
            Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default()).into(),
        };
        pointer(self.segments().chain([Segment::Name(name)]).collect())
    }

    fn segments(&self) -> impl Iterator<Item = Segment> {
        self.steps.iter().take(self.depth).map(|step| match step {
            Step::Member(name) => Segment::Field(name),
            Step::Item(index) => Segment::Index(u64_from_len(*index)),
        })
    }
}

/// Returns a JSON pointer.
pub(crate) fn pointer(segments: Vec<Segment>) -> Path {
    Path::new(PathStyle::JsonPointer, segments)
}
