//! The common model: what the four formats have in common.

use std::sync::Arc;

use crate::{EulerOrder, TrackData, ValueKind, WriteError, WriteErrorKind};

/// Shared text: names are held once however many tracks carry them.
pub type Text = Arc<str>;

/// Everything that was read from a file, or is to be written to one.
///
/// X4 files hold many clips; the other formats hold one.
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
/// let document = Document::single(Animation { tracks: vec![track], ..Animation::default() });
/// assert_eq!(document.clips[0].effective_duration(), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// The clips, in file order.
    pub clips: Vec<Animation>,
}

impl Document {
    /// Makes a document of one clip.
    pub fn single(clip: Animation) -> Self {
        Self { clips: vec![clip] }
    }

    /// Returns the one clip of a document for a format that holds one; `format` is its id.
    ///
    /// # Errors
    ///
    /// [`WriteErrorKind::ClipCount`] when there are more clips or none.
    pub fn into_single(self, format: &'static str) -> Result<Animation, WriteError> {
        let found = self.clips.len();
        let mut clips = self.clips.into_iter();
        match (clips.next(), found) {
            (Some(clip), 1) => Ok(clip),
            _ => Err(WriteError::new(format, WriteErrorKind::ClipCount { found })),
        }
    }

    /// Returns the index of the clip with a name: of the one that is spelled so, else of the first
    /// one that is so in ASCII letters of any case, as X4 compares names.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::{Animation, Document};
    ///
    /// let clip = |name: &str| Animation { name: Some(name.into()), ..Animation::default() };
    /// let document = Document { clips: vec![clip("opening"), clip("Closing")] };
    /// assert_eq!(document.find_clip("CLOSING"), Some(1));
    /// assert_eq!(document.find_clip("close"), None);
    /// ```
    pub fn find_clip(&self, name: &str) -> Option<usize> {
        let named = |same: fn(&str, &str) -> bool| {
            self.clips
                .iter()
                .position(|clip| clip.name.as_deref().is_some_and(|known| same(known, name)))
        };
        named(|known, name| known == name).or_else(|| named(str::eq_ignore_ascii_case))
    }

    /// Returns how many bytes of memory the key columns, markers and names hold.
    pub fn heap_bytes(&self) -> usize {
        self.clips.iter().fold(0, |sum, clip| sum.saturating_add(clip.heap_bytes()))
    }
}

/// One clip: tracks and markers on one clock.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Animation {
    /// The name of the clip; `None` where the file has none or a null one.
    pub name: Option<Text>,
    /// Seconds, as the file states them; `None` where it does not. The keys may go on
    /// longer: see [`effective_duration`](Self::effective_duration).
    pub duration: Option<f64>,
    /// Frames a second, where the file counts in frames.
    pub frame_rate: Option<f64>,
    /// Whether the clip repeats.
    pub looping: Looping,
    /// How the values apply to the pose below.
    pub blend: BlendMode,
    /// Nodes that blend in another way than the clip does.
    pub blend_overrides: Vec<BlendOverride>,
    /// The tracks, in file order.
    pub tracks: Vec<Track>,
    /// The markers, in file order.
    pub markers: Vec<Marker>,
}

impl Animation {
    /// Returns the duration in seconds that plays: the stated one, or the last key or
    /// marker if that is later; at least 0.
    pub fn effective_duration(&self) -> f64 {
        let stated = self.duration.filter(|duration| duration.is_finite()).unwrap_or(0.0);
        let keys = self.tracks.iter().filter_map(|track| track.data.end());
        let markers = self.markers.iter().map(|marker| marker.time);
        keys.chain(markers).fold(stated.max(0.0), f64::max)
    }

    fn heap_bytes(&self) -> usize {
        let tracks = self.tracks.iter().map(|track| track.data.heap_bytes());
        // Shared text has two counters in front of its bytes.
        let marker = size_of::<Marker>().saturating_add(size_of::<[usize; 2]>());
        let markers = self.markers.iter().map(|each| each.name.len().saturating_add(marker));
        tracks.chain(markers).fold(0, usize::saturating_add)
    }
}

/// Whether a clip repeats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Looping {
    /// The clip ends, or the format has no word for repeating.
    #[default]
    Once,
    /// The clip starts again when it ends.
    Loop,
}

/// How the values of a clip apply to the pose below.
///
/// The names are those of SEAnim (`docs/formats/seanim.md`); the other formats are
/// always absolute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BlendMode {
    /// The values are the local pose.
    #[default]
    Absolute,
    /// Translations and rotations add to the pose below.
    Additive,
    /// Translations add to the rest pose; the rest is the local pose.
    Relative,
    /// As relative; one bone carries the movement of the whole model.
    Delta,
    /// A value that no specification names.
    Other(u8),
}

impl BlendMode {
    /// Returns the name in lower case, or the number of an unnamed value.
    pub fn name(self) -> std::borrow::Cow<'static, str> {
        match self {
            Self::Absolute => "absolute".into(),
            Self::Additive => "additive".into(),
            Self::Relative => "relative".into(),
            Self::Delta => "delta".into(),
            Self::Other(value) => value.to_string().into(),
        }
    }
}

/// A node that blends in another way than its clip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlendOverride {
    /// The name of the node.
    pub node: Text,
    /// How it blends.
    pub mode: BlendMode,
}

/// A name at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// Seconds.
    pub time: f64,
    /// The text.
    pub name: Text,
}

/// A component of a vector or of Euler angles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// The first.
    X,
    /// The second.
    Y,
    /// The third.
    Z,
}

impl Axis {
    /// The three axes, in the order of the components of a vector.
    pub const ALL: [Self; 3] = [Self::X, Self::Y, Self::Z];

    /// Returns which component of a vector this is: 0, 1 or 2.
    pub const fn index(self) -> usize {
        match self {
            Self::X => 0,
            Self::Y => 1,
            Self::Z => 2,
        }
    }

    /// Returns `x`, `y` or `z`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Y => "y",
            Self::Z => "z",
        }
    }
}

/// What a track changes on its node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Property {
    /// Position, in the unit of the file (X4: metres; SEAnim: not stated).
    Translation,
    /// Rotation as a quaternion x y z w.
    Rotation,
    /// Rotation as three angles in radians.
    RotationEuler(EulerOrder),
    /// Factor by axis.
    Scale,
    /// The weight of the blend shape with this name.
    Weight(Text),
    /// A property by the name that the file gives it; `None` is a null name.
    Custom(Option<Text>),
}

impl Property {
    /// Returns what a component is that no track animates: 1 for a scale, and 0 otherwise.
    pub const fn component_at_rest(&self) -> f64 {
        if matches!(self, Self::Scale) { 1.0 } else { 0.0 }
    }

    /// Returns the name that the tool prints: `Position`, `Rotation` and `Scale` as
    /// Resonite spells them, `Weight:shape` for weights, a custom name as it is.
    pub fn name(&self) -> std::borrow::Cow<'_, str> {
        match self {
            Self::Translation => "Position".into(),
            Self::Rotation => "Rotation".into(),
            Self::RotationEuler(_) => "RotationEuler".into(),
            Self::Scale => "Scale".into(),
            Self::Weight(shape) => format!("Weight:{shape}").into(),
            Self::Custom(name) => name.as_deref().unwrap_or_default().into(),
        }
    }

    /// Says whether values of a kind can be this property, as a whole or by component.
    pub const fn accepts(&self, kind: ValueKind, component: Option<Axis>) -> bool {
        let scalar = matches!(kind, ValueKind::Float | ValueKind::Double);
        match self {
            Self::Translation | Self::RotationEuler(_) | Self::Scale => match component {
                None => kind.is_vector3(),
                Some(_) => scalar,
            },
            Self::Rotation => kind.is_quaternion() && component.is_none(),
            Self::Weight(_) => scalar && component.is_none(),
            Self::Custom(_) => true,
        }
    }
}

/// What a track animates.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// The bone, part or slot; `None` where the file has no or a null name.
    pub node: Option<Text>,
    /// What changes on it.
    pub property: Property,
    /// The one component that changes, where not all do.
    pub component: Option<Axis>,
}

impl Target {
    /// Makes a target of all components of a property.
    pub fn new(node: impl Into<Text>, property: Property) -> Self {
        Self { node: Some(node.into()), property, component: None }
    }
}

/// Keys of one property of one node.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    target: Target,
    data: TrackData,
}

impl Track {
    /// Makes a track.
    ///
    /// # Errors
    ///
    /// When the property cannot have values of this kind: translations, scales and
    /// Euler angles are `float3` or `double3` (`float` or `double` for one component),
    /// rotations `floatQ` or `doubleQ`, weights `float` or `double`.
    pub fn new(target: Target, data: TrackData) -> Result<Self, TrackError> {
        if target.property.accepts(data.kind(), target.component) {
            Ok(Self { target, data })
        } else {
            Err(TrackError { target, kind: data.kind() })
        }
    }

    /// Makes a track of a property and values that are known to fit.
    pub(crate) const fn trusted(target: Target, data: TrackData) -> Self {
        Self { target, data }
    }

    /// Returns what the track animates.
    pub const fn target(&self) -> &Target {
        &self.target
    }

    /// Returns the keys.
    pub const fn data(&self) -> &TrackData {
        &self.data
    }

    /// Takes the track apart without copying its keys.
    pub fn into_parts(self) -> (Target, TrackData) {
        (self.target, self.data)
    }
}

/// A property that cannot have values of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrackError {
    /// What the track was to animate.
    pub target: Target,
    /// The kind of the keys.
    pub kind: ValueKind,
}

impl core::fmt::Display for TrackError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} cannot have values of kind {}", self.target.property.name(), self.kind)
    }
}

impl core::error::Error for TrackError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_a_rotation_of_vectors() {
        let data = TrackData::uniform(1.0, vec![[0.0_f32; 3]]);
        assert!(Track::new(Target::new("a", Property::Rotation), data.clone()).is_err());
        assert!(Track::new(Target::new("a", Property::Translation), data).is_ok());
    }

    #[test]
    fn the_effective_duration_is_never_shorter_than_the_keys() {
        let data = TrackData::uniform(0.5, vec![0.0_f32; 5]);
        let track = Track::new(Target::new("a", Property::Custom(None)), data).unwrap();
        let clip = Animation { duration: Some(1.0), tracks: vec![track], ..Default::default() };
        assert_eq!(clip.effective_duration(), 2.0);
    }
}
