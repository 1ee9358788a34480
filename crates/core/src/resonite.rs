//! The mapping between documents and Resonite's two formats, AnimX and AnimJ.
//!
//! Both formats hold the same tracks: values of any kind, per node and property, with `f32` times.
//! The names of properties, the track of the markers, and the losses of a document are defined here
//! once, so that files convert between the two formats unchanged.

#[cfg(feature = "fit")]
mod keys;
#[cfg(feature = "fit")]
mod outgoing;

use std::sync::LazyLock;

use crate::stores::{CurveForm, Head, Rotations, Stores, Times};
use crate::{
    Axis, Clock, Coordinates, Document, Handedness, Marker, Property, Rules, Shape, Slerp, Strings,
    Target, Text, Track, Unit, ValueKind, Values,
};

#[cfg(feature = "fit")]
pub use keys::{OutgoingTrack, ResoniteKeys};
#[cfg(feature = "fit")]
pub use outgoing::Outgoing;

/// The playback rules of Resonite: times, `t` and computations on `f32` values use `f32`; slerp
/// uses the dot product of two quaternions without normalizing them (`docs/formats/animx.md`,
/// "Evaluation").
pub const RULES: Rules = Rules::LINEAR.with_clock(Clock::F32).with_slerp(Slerp::Raw);

/// What both formats store. Markers are a track.
pub const STORES: Stores = Stores {
    head: &[Head::Name, Head::Markers],
    component: |_| false,
    rotations: Rotations::Quaternions,
    curves: CurveForm::Tangents,
    times: Times::FromZero,
    ..Stores::ALL
};

/// The axes and the unit of Resonite (`docs/formats/axes.md`).
pub const COORDINATES: Coordinates =
    Coordinates::new(Handedness::Left, Axis::Y).with_front(Axis::Z).with_unit(Unit::Stated(1.0));

/// What to do with tracks without keys, which are reported to crash Resonite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EmptyTracks {
    /// Write them, with a finding.
    Keep,
    /// Drop them, with a finding.
    Drop,
}

impl EmptyTracks {
    /// Returns the rule for writing a document in the format with the id `to`, unless the caller
    /// chose one.
    ///
    /// A file of the format keeps its tracks. Those of other documents are dropped: formats such as
    /// SEAnim have them for every bone without keys.
    pub fn for_document(document: &Document, to: &str) -> Self {
        if document.origin_in(to).is_some() { Self::Keep } else { Self::Drop }
    }

    /// Returns what a format stores by this rule.
    #[must_use]
    pub const fn of(self, stores: Stores) -> Stores {
        match self {
            Self::Keep => stores,
            Self::Drop => Stores { empty_track: |_| false, ..stores },
        }
    }
}

/// The node and property of the Discrete track of strings that holds the markers.
pub const MARKERS: (&str, &str) = ("Markers", "Name");

/// The prefix of property names for the weight of a shape.
const WEIGHT: &str = "Weight:";

/// Returns the property for a name and the kind of its values.
///
/// [`Property::name`] is the inverse.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Property, ValueKind, resonite};
///
/// let property = resonite::property(Some("Position".into()), ValueKind::Float3);
/// assert_eq!(property, Property::Translation);
/// let property = resonite::property(Some("Position".into()), ValueKind::Int);
/// assert_eq!(property, Property::Custom(Some("Position".into())));
/// ```
pub fn property(name: Option<Text>, kind: ValueKind) -> Property {
    let known = match name.as_deref() {
        Some("Position") => Some(Property::Translation),
        Some("Rotation") => Some(Property::Rotation),
        Some("Scale") => Some(Property::Scale),
        Some(name) => name.strip_prefix(WEIGHT).map(|shape| Property::Weight(shape.into())),
        None => None,
    };
    known.filter(|known| known.accepts(kind, None)).unwrap_or(Property::Custom(name))
}

/// Returns the name of a property in a file; `None` is null.
pub(crate) fn file_name(property: &Property) -> Option<Text> {
    // Shared by all tracks of a property, so that not each of them allocates its name.
    static SHARED: LazyLock<[Text; 3]> =
        LazyLock::new(|| ["Position", "Rotation", "Scale"].map(Text::from));
    let [position, rotation, scale] = &*SHARED;
    Some(match property {
        Property::Custom(name) => return name.clone(),
        Property::Translation => position.clone(),
        Property::Rotation => rotation.clone(),
        Property::Scale => scale.clone(),
        property => Text::from(property.name()),
    })
}

/// Returns whether a Discrete track with this node, property and values holds markers: it has keys,
/// and no name is null.
pub fn holds_markers(node: Option<&str>, property: Option<&str>, values: &Values) -> bool {
    let fit = |names: &Strings| !names.is_empty() && !names.has_nulls();
    is_named_as_markers(node, property) && values.as_strings().is_some_and(fit)
}

/// Returns whether a track with this node and property would hold markers if its values fit.
pub fn is_named_as_markers(node: Option<&str>, property: Option<&str>) -> bool {
    (node, property) == (Some(MARKERS.0), Some(MARKERS.1))
}

/// Returns the markers for the times and names of a track.
pub fn markers(times: impl IntoIterator<Item = f64>, names: &Strings) -> Vec<Marker> {
    let names = names.iter().map(|name| Text::from(name.unwrap_or_default()));
    times.into_iter().zip(names).map(|(time, name)| Marker { time, name }).collect()
}

/// Returns how many tracks of a clip come before its markers in a file: all of them, except those
/// from the first one on that readers would mistake for the markers.
pub fn tracks_before_markers<'t>(mut tracks: impl ExactSizeIterator<Item = &'t Track>) -> usize {
    let all = tracks.len();
    let rival = tracks.position(|track| {
        let (Target { node, property, .. }, data) = (track.target(), track.data());
        let stepped = matches!(data.shape(), Shape::Stepped { .. });
        stepped && holds_markers(node.as_deref(), file_name(property).as_deref(), data.values())
    });
    rival.unwrap_or(all)
}

/// Holds the last few names, so that a repeated name is stored once.
///
/// A node usually repeats immediately, and a property every few tracks. A set of all names would
/// cost every track of a hostile file more than the name itself.
#[derive(Debug, Default)]
pub struct SharedNames {
    recent: [Option<Text>; 8],
    next: usize,
}

impl SharedNames {
    /// Returns the name, shared if it occurred recently.
    pub fn share(&mut self, name: &str) -> Text {
        if let Some(known) = self.recent.iter().flatten().find(|known| &***known == name) {
            return known.clone();
        }
        let text = Text::from(name);
        if let Some(place) = self.recent.get_mut(self.next) {
            *place = Some(text.clone());
        }
        self.next = (self.next + 1) % self.recent.len();
        text
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn names_map_to_properties_only_for_matching_values() {
        let of = |name: &str, kind| property(Some(name.into()), kind);
        assert_eq!(of("Rotation", ValueKind::DoubleQ), Property::Rotation);
        assert_eq!(of("Rotation", ValueKind::Float3), Property::Custom(Some("Rotation".into())));
        assert_eq!(of("Weight:a", ValueKind::Float), Property::Weight("a".into()));
        assert_eq!(property(None, ValueKind::Float), Property::Custom(None));
    }

    #[test]
    fn a_repeated_name_is_stored_once() {
        let mut names = SharedNames::default();
        let first = names.share("hips");
        for other in ["Position", "Rotation", "Scale"] {
            names.share(other);
        }
        assert!(Arc::ptr_eq(&first, &names.share("hips")));
    }
}
