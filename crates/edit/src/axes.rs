//! Changes of axes: which axis is up, which is forward, and the handedness.

use core::fmt;
use core::str::FromStr;

use inbetween_core::{
    Axis, Bone, Document, EulerOrder, Outcome, Property, Quat, Target, TrackData, shown,
};

use crate::units::map_keys;
use crate::work::Work;
use crate::{EditError, Settings, codes};

/// A change of axes: the old axis and the sign that each new axis comes from.
///
/// Written as `x,z,-y`: the new x is the old x, the new y is the old z, and the new z is the
/// negated old y. This example converts Z-up files to Y-up. A change with an odd number of
/// exchanges and minus signs, such as `x,y,-z`, is a mirror: it converts right-handed files to
/// left-handed ones. Rotations are converted correctly in both cases.
///
/// # Examples
///
/// ```
/// use inbetween_edit::Axes;
///
/// let up: Axes = "x,z,-y".parse()?;
/// assert_eq!(up.apply([1.0, 2.0, 3.0]), [1.0, 3.0, -2.0]);
/// assert_eq!(up.inverse().to_string(), "x,-z,y");
/// assert!(!up.is_mirror());
/// assert!("x,y,-z".parse::<Axes>()?.is_mirror());
/// assert!("x,x,y".parse::<Axes>().is_err());
/// # Ok::<(), inbetween_edit::EditError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axes([Source; 3]);

/// The source of a new axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Source {
    axis: Axis,
    negative: bool,
}

impl Source {
    fn sign(self) -> f64 {
        if self.negative { -1.0 } else { 1.0 }
    }
}

impl FromStr for Axes {
    type Err = EditError;

    fn from_str(text: &str) -> Result<Self, EditError> {
        let failed = || EditError::Axes { found: text.chars().take(32).collect() };
        let source = |part: &str| {
            let part = part.trim();
            let (negative, name) = match part.strip_prefix('-') {
                Some(name) => (true, name),
                None => (false, part.strip_prefix('+').unwrap_or(part)),
            };
            let axis = Axis::ALL.into_iter().find(|axis| axis.name().eq_ignore_ascii_case(name));
            axis.map(|axis| Source { axis, negative })
        };
        let mut parts = text.split(',').map(source);
        let (Some(Some(x)), Some(Some(y)), Some(Some(z)), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(failed());
        };
        let differ = x.axis != y.axis && y.axis != z.axis && z.axis != x.axis;
        if differ { Ok(Self([x, y, z])) } else { Err(failed()) }
    }
}

impl fmt::Display for Axes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, source) in self.0.into_iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            let minus = if source.negative { "-" } else { "" };
            write!(f, "{comma}{minus}{}", source.axis.name())?;
        }
        Ok(())
    }
}

impl Axes {
    /// Returns a vector in the new axes.
    pub fn apply(self, vector: [f64; 3]) -> [f64; 3] {
        self.0.map(|source| {
            let part = source.axis.of(vector);
            if source.negative { -part } else { part }
        })
    }

    /// Returns whether the change reverses the handedness.
    pub fn is_mirror(self) -> bool {
        let [x, y, _] = self.0.map(|source| source.axis);
        let around = matches!((x, y), (Axis::X, Axis::Y) | (Axis::Y, Axis::Z) | (Axis::Z, Axis::X));
        let negatives = self.0.iter().filter(|source| source.negative).count();
        around == (negatives % 2 == 1)
    }

    /// Returns the inverse change.
    #[must_use]
    pub fn inverse(self) -> Self {
        Self(Axis::ALL.map(|old| {
            let (axis, negative) = self.destination(old);
            Source { axis, negative }
        }))
    }

    /// Returns the new axis that an old one becomes, and whether it is negated.
    fn destination(self, old: Axis) -> (Axis, bool) {
        let found = Axis::ALL.into_iter().zip(self.0).find(|(_, source)| source.axis == old);
        found.map_or((old, false), |(new, source)| (new, source.negative))
    }

    /// Returns the sign of rotations about axes that are not negated: mirrors reverse them.
    fn turn(self) -> f64 {
        if self.is_mirror() { -1.0 } else { 1.0 }
    }

    /// Returns the order of the same rotations about the new axes.
    ///
    /// The signs are kept and the angles are changed instead, so that a change of signs keeps the
    /// order, which a format may require.
    fn order(self, order: EulerOrder) -> EulerOrder {
        let axes = order.axes().map(|axis| self.destination(axis).0);
        EulerOrder::new(axes, order.signs()).unwrap_or(order)
    }
}

/// The source index of each component of a value, and its factor.
type Sources = Vec<(usize, f64)>;

/// Converts every clip and the skeleton to other axes.
///
/// With M for the matrix of the change and d for its determinant, 1 or -1:
///
/// | values | become |
/// |---|---|
/// | translations v | M v |
/// | rotations (v, w) | (d M v, w), the rotation M R M⁻¹ |
/// | Euler angles | the same rotations about the new axes, each with the sign of its axis times d |
/// | scales | the same factors in the order of the new axes |
///
/// Tangents and handles are converted like their values, and single components move to their new
/// axis. Only signs change, so the inverse change gives the same bits, except that signaling NaNs
/// become quiet. Custom properties that could be vectors or rotations are reported and unchanged.
///
/// # Errors
///
/// Never for valid tracks and bones; the type allows callers to chain edits.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document, Property, Target, Track, TrackData, Values};
/// use inbetween_edit::{Settings, change_axes};
///
/// let data = TrackData::uniform(1.0, vec![[1.0_f32, 2.0, 3.0]]);
/// let track = Track::new(Target::new("door", Property::Translation), data)?;
/// let clip = Animation::new(vec![track]);
/// let axes = "x,z,-y".parse()?;
/// let up = change_axes(Document::single(clip), axes, &Settings::default())?.value;
/// let values = up.clips[0].tracks[0].data().values();
/// assert_eq!(*values, Values::from(vec![[1.0_f32, 3.0, -2.0]]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn change_axes(
    mut document: Document,
    axes: Axes,
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    if let Some(skeleton) = &document.skeleton {
        document.skeleton = Some(skeleton.map(|bone| change_bone(bone, axes))?);
    }
    let work = Work::on(&document, settings);
    work.clips(document, |work, mut clip| {
        clip.tracks = work.tracks(clip.tracks, |work, mut target, data| {
            let kind = data.kind();
            let Some(sources) = sources(axes, &target) else {
                if kind.is_vector3() || kind.is_quaternion() {
                    let message = format!("{} of kind {kind} stays", shown(&target.label()));
                    work.say(codes::CUSTOM_PROPERTY_UNCHANGED, message);
                }
                return Ok((target, data));
            };
            target.component = target.component.map(|old| axes.destination(old).0);
            if let Property::RotationEuler(order) = &mut target.property {
                *order = axes.order(*order);
            }
            Ok((target, permute(data, &sources)?))
        })?;
        Ok(clip)
    })
}

/// Converts a bone to other axes.
fn change_bone(bone: &mut Bone, axes: Axes) {
    bone.translation = bone.translation.map(|vector| axes.apply(vector));
    bone.scale = bone.scale.map(|factors| axes.0.map(|source| source.axis.of(factors)));
    bone.rotation = bone.rotation.map(|Quat { x, y, z, w }| {
        let [x, y, z] = axes.apply([x, y, z]).map(|part| signed(part, axes.turn()));
        Quat { x, y, z, w }
    });
}

/// Returns how the values of a target change; `None` for properties without axes.
fn sources(axes: Axes, target: &Target) -> Option<Sources> {
    let factor = |source: Source| match &target.property {
        Property::Translation => Some(source.sign()),
        Property::Scale => Some(1.0),
        Property::Rotation | Property::RotationEuler(_) => Some(source.sign() * axes.turn()),
        _ => None,
    };
    if let Some(old) = target.component {
        let (new, negative) = axes.destination(old);
        return factor(Source { axis: new, negative }).map(|factor| vec![(0, factor)]);
    }
    let mut sources = Vec::with_capacity(4);
    for source in axes.0 {
        sources.push((source.axis.index(), factor(source)?));
    }
    if target.property == Property::Rotation {
        sources.push((3, 1.0));
    }
    Some(sources)
}

/// Permutes the components of every value, tangent and handle.
fn permute(data: TrackData, sources: &Sources) -> Result<TrackData, EditError> {
    let change = |row: &mut [f64]| {
        let before = row.to_vec();
        for (number, (source, factor)) in row.iter_mut().zip(sources) {
            *number = before.get(*source).map_or(*number, |old| signed(*old, *factor));
        }
    };
    map_keys(data, change, |handles| {
        let before = handles.to_vec();
        for (handle, (source, factor)) in handles.iter_mut().zip(sources) {
            let old = before.get(*source).copied().unwrap_or(*handle);
            *handle = old;
            handle.value = signed(old.value, *factor);
        }
    })
}

/// Returns a number times 1 or -1.
fn signed(number: f64, factor: f64) -> f64 {
    if factor < 0.0 { -number } else { number }
}
