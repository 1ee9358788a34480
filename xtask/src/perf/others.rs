//! What other programs read: `AnimJ` into structs with `serde_json`, and glTF with the `gltf` crate.

use gltf::animation::util::ReadOutputs;
use serde::{Deserialize, Serialize};

use crate::costs::cases::text;

/// Defines structs whose fields are the members of JSON objects.
macro_rules! objects {
    ($($name:ident { $($(#[$meta:meta])* $field:ident: $type:ty,)* })*) => {$(
        #[derive(Deserialize, Serialize)]
        #[serde(rename_all = "camelCase")]
        pub(super) struct $name { $($(#[$meta])* $field: $type,)* }
    )*};
}

objects! {
    File { name: Option<String>, global_duration: f32, tracks: Vec<Curve>, }
    Curve { track_type: String, value_type: String, data: Data, }
    Data { node: Option<String>, property: Option<String>, keyframes: Vec<Key>, }
    Key { time: f32, value: Value, interpolation: Interpolation, }
    Value { x: f32, y: f32, z: f32, #[serde(skip_serializing_if = "Option::is_none")] w: Option<f32>, }
}

#[derive(Deserialize, Serialize)]
pub(super) enum Interpolation {
    Linear,
}

pub(super) type Columns = (Vec<Vec<f32>>, Vec<Vec<[f32; 3]>>, Vec<Vec<[f32; 4]>>);

/// Reads the times, vectors and rotations of all channels of a `.glb`.
pub(super) fn gltf_keys(bytes: &[u8]) -> Result<Columns, String> {
    let file = gltf::Gltf::from_slice(bytes).map_err(text)?;
    let (mut times, mut vectors, mut rotations) = Columns::default();
    for channel in file.animations().flat_map(|animation| animation.channels()) {
        let reader = channel.reader(|_| file.blob.as_deref());
        times.extend(reader.read_inputs().map(Iterator::collect));
        match reader.read_outputs() {
            Some(ReadOutputs::Translations(values)) => vectors.push(values.collect()),
            Some(ReadOutputs::Rotations(values)) => rotations.push(values.into_f32().collect()),
            _ => return Err("the set has translations and rotations".into()),
        }
    }
    Ok((times, vectors, rotations))
}
