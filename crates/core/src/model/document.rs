//! Documents: the content of a file in the common model.

use super::skeleton_union::Union;
use super::{Mapped, Origin, RateGuess};
use crate::{Animation, Finding, Skeleton, SkeletonsDiffer, WriteError, WriteErrorKind};

/// The content of a file that was read or will be written.
///
/// X4, Cast and glTF files hold many clips; files of the other formats hold one.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document, Interpolation, Interpolations};
/// use inbetween_core::{Property, Target, Track, TrackData};
///
/// let data = TrackData::curve(
///     vec![0.0, 1.0],
///     vec![[0.0_f32, 0.0, 0.0], [0.0, 2.0, 0.0]],
///     Interpolations::Shared(Interpolation::Linear),
///     None,
/// )?;
/// let track = Track::new(Target::new("door", Property::Translation), data)?;
/// let document = Document::single(Animation::new(vec![track]));
/// assert_eq!(document.clips[0].effective_duration(), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Document {
    /// The clips, in file order.
    pub clips: Vec<Animation>,
    /// The bones that the clips move, with their parents and rest pose; `None` if the file has
    /// none.
    pub skeleton: Option<Skeleton>,
    /// The file that the document was read from; `None` if it was made in memory. Edits keep it, and
    /// a document that gets the clips of others keeps its own.
    pub origin: Option<Origin>,
    /// The frame rate for clips that state none, if it was guessed from more clips than these.
    pub rate_guess: Option<RateGuess>,
    /// The change of coordinates by which the document was made, if that is known.
    pub mapped: Option<Mapped>,
}

/// Compares the clips and the skeletons. Documents that play the same are equal, whatever files they
/// were read from: the origin, the guessed rate and the change of coordinates are about the next file.
impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        self.clips == other.clips && self.skeleton == other.skeleton
    }
}

impl Document {
    /// Creates a document of clips.
    pub const fn new(clips: Vec<Animation>) -> Self {
        Self { clips, skeleton: None, origin: None, rate_guess: None, mapped: None }
    }

    /// Creates a document of one clip.
    pub fn single(clip: Animation) -> Self {
        Self::new(vec![clip])
    }

    /// Returns the document with a skeleton.
    #[must_use]
    pub fn with_skeleton(mut self, skeleton: Skeleton) -> Self {
        self.skeleton = Some(skeleton);
        self
    }

    /// Returns the document with the file that it was read from.
    #[must_use]
    pub fn with_origin(mut self, origin: Origin) -> Self {
        self.origin = Some(origin);
        self
    }

    /// Returns the origin if it is a file of the format with this id. Writers follow its options
    /// where the caller chose none.
    pub fn origin_in(&self, format: &str) -> Option<&Origin> {
        self.origin.as_ref().filter(|origin| origin.format == format)
    }

    /// Forgets the [model](Origin::model) of the file, because it does not follow a change. A writer of its
    /// format then reports the parts that it loses.
    pub fn forget_model(&mut self) {
        if let Some(origin) = &mut self.origin {
            origin.model = None;
        }
    }

    /// Returns a document for each clip, with the skeleton and everything else of this one.
    pub fn split(self) -> impl ExactSizeIterator<Item = Self> {
        let Self { clips, skeleton, origin, rate_guess, mapped } = self;
        clips.into_iter().map(move |clip| Self {
            clips: vec![clip],
            skeleton: skeleton.clone(),
            origin: origin.clone(),
            rate_guess: rate_guess.clone(),
            mapped,
        })
    }

    /// Returns the clip of a document for a format that stores one. The skeleton is dropped:
    /// [`Fit`](crate::Fit) has taken it before.
    ///
    /// # Errors
    ///
    /// [`WriteErrorKind::ClipCount`] if the document has several clips or none.
    pub fn into_single(self) -> Result<Animation, WriteError> {
        let found = self.clips.len();
        let mut clips = self.clips.into_iter();
        match (clips.next(), found) {
            (Some(clip), 1) => Ok(clip),
            _ => Err(WriteError::new(WriteErrorKind::ClipCount { found })),
        }
    }

    /// Takes the bones of another document whose clips will be added to this one, and returns a
    /// finding if the rest poses of common bones differ by more than rounding: 1e-3 of the length
    /// of the bone, 0.1 degrees, or 1e-3 of the scale. The rest poses of this document are kept.
    ///
    /// # Errors
    ///
    /// If a bone has different parents in the two documents. The error names the documents as given
    /// here: this one, then the other.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::{Bone, Document, Skeleton};
    ///
    /// let bone = |node: &str| Bone { node: node.into(), ..Bone::default() };
    /// let skeleton = |node: &str| Skeleton::new(vec![bone(node)]);
    /// let mut walk = Document::default().with_skeleton(skeleton("hips")?);
    /// walk.adopt_skeleton(None, ["walk", "idle"])?;
    /// walk.adopt_skeleton(Some(skeleton("hips")?), ["walk", "run"])?;
    /// walk.adopt_skeleton(Some(skeleton("sword")?), ["walk", "attack"])?;
    /// assert_eq!(walk.skeleton.unwrap().bones().len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn adopt_skeleton(
        &mut self,
        skeleton: Option<Skeleton>,
        names: [&str; 2],
    ) -> Result<Option<Finding>, SkeletonsDiffer> {
        let (Some(own), Some(other)) = (&self.skeleton, &skeleton) else {
            self.skeleton = self.skeleton.take().or(skeleton);
            return Ok(None);
        };
        if own.first_difference(other).is_none() {
            return Ok(None);
        }
        let union = Union::of(own, other);
        union.check_parents(names)?;
        let finding = union.finding(names[1]);
        self.skeleton = Some(union.skeleton);
        Ok(finding)
    }

    /// Takes the names of the [parts](Origin::scene) that the file of another document holds besides
    /// animations; its clips will be added to this one.
    pub fn adopt_scene(&mut self, other: Option<&Origin>) {
        if let (Some(own), Some(other)) = (&mut self.origin, other) {
            for part in other.scene.iter().chain(&other.added_scene) {
                if !own.added_scene.contains(part) {
                    own.added_scene.push(part.clone());
                }
            }
        }
    }

    /// Takes the bones of another skeleton that this document lacks. Where both have a bone, this
    /// document's parent and rest pose are kept, even if they differ.
    pub fn adopt_rest_poses(&mut self, skeleton: Option<Skeleton>) {
        self.skeleton = match (self.skeleton.take(), skeleton) {
            (Some(own), Some(other)) => Some(Union::of(&own, &other).skeleton),
            (own, other) => own.or(other),
        };
    }

    /// Returns the index of the clip with a name: an exact match, otherwise the first match that
    /// ignores ASCII case, as X4 compares names.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::{Animation, Document};
    ///
    /// let clip = |name: &str| Animation::default().with_name(name);
    /// let document = Document::new(vec![clip("opening"), clip("Closing")]);
    /// assert_eq!(document.find_clip("CLOSING"), Some(1));
    /// assert_eq!(document.find_clip("close"), None);
    /// ```
    pub fn find_clip(&self, name: &str) -> Option<usize> {
        crate::clip_names::find(self.clips.iter().map(|clip| clip.name.as_deref()), name)
    }

    /// Returns how many bytes of memory the key columns, markers, names and bones hold.
    pub fn heap_bytes(&self) -> usize {
        let bones = self.skeleton.as_ref().map_or(0, Skeleton::heap_bytes);
        self.clips.iter().fold(bones, |sum, clip| sum.saturating_add(clip.heap_bytes()))
    }
}
