//! A clip of one track of 20,000 keys that move smoothly and a little unevenly.

use inbetween_core::{
    Animation, Document, Element, Interpolation, Interpolations, Property, Quat, Target, Track,
    TrackData,
};

/// The number of keys of the track.
pub(crate) const KEYS: u16 = 20_000;

/// A kind of value that moves.
pub(crate) trait Smooth: Element {
    /// The property that it animates.
    const PROPERTY: Property;

    /// Returns the value of a key.
    fn at(key: f32) -> Self;
}

impl Smooth for [f32; 3] {
    const PROPERTY: Property = Property::Translation;

    fn at(key: f32) -> Self {
        [(key * 0.01).sin(), (key * 0.37).sin() * 1e-3, key * 1e-4]
    }
}

impl Smooth for Quat<f32> {
    const PROPERTY: Property = Property::Rotation;

    fn at(key: f32) -> Self {
        let angle = (key * 0.01).sin() + (key * 0.37).sin() * 1e-3;
        Self::from_axis_angle([0.0, 0.6, 0.8], angle)
    }
}

/// Creates the clip.
pub(crate) fn document<T: Smooth>() -> Result<Document, String> {
    let times = (0..KEYS).map(|key| f64::from(key) / 30.0).collect();
    let values: Vec<T> = (0..KEYS).map(|key| T::at(f32::from(key))).collect();
    let linear = Interpolations::Shared(Interpolation::Linear);
    let data = TrackData::curve(times, values, linear, None).map_err(|error| error.to_string())?;
    let track = Track::new(Target::new("node", T::PROPERTY), data);
    let track = track.map_err(|error| error.to_string())?;
    Ok(Document::single(Animation::new(vec![track])))
}

/// Returns the number of bytes of the keys in a file of Resonite: a time of four bytes and the
/// value each.
pub(crate) fn raw_bytes<T>() -> u64 {
    let key = inbetween_core::num::u64_from_len(size_of::<T>()).saturating_add(4);
    u64::from(KEYS).saturating_mul(key)
}
