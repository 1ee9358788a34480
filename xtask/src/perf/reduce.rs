//! Removing redundant keys of tracks of 20,000 keys that move smoothly and slightly unevenly.

use inbetween::Quat;
use inbetween::edit::{ReduceBounds, Settings, reduce};
use inbetween::num::f64_from_u64;

use super::files::text;
use super::row::{Pages, Row, Taken, pair};
use super::smooth::{self, Smooth};

pub(crate) fn rows() -> [Row; 2] {
    [
        Row::rate("reduce float3: raw keys", " MB/s", Some(40.0), |_| one::<[f32; 3]>()),
        Row::rate("reduce floatQ: raw keys", " MB/s", Some(40.0), |_| one::<Quat<f32>>()),
    ]
}

fn one<T: Smooth>() -> Taken {
    let document = smooth::document::<T>()?;
    let (settings, bounds) = (Settings::default(), ReduceBounds::all(1e-3));
    reduce(document.clone(), bounds, &settings).map_err(text)?;
    let bytes = smooth::raw_bytes::<T>();
    let keys = vec![1_u8; usize::try_from(bytes).unwrap_or_default()];
    let work = |document| reduce(document, bounds, &settings);
    let pair = pair(Pages::Reused, || document.clone(), work, || keys.clone());
    Ok(pair.rate(f64_from_u64(bytes) / 1e6, keys.len()))
}
