//! AnimJ files of about 9 MB: 60 curves of 2,000 keys, each file with one kind of values.

use std::fmt::Write as _;
use std::hint::black_box;

use inbetween::animj::Animj;
use inbetween::{Format, Limits};
use serde::de::DeserializeOwned;

use super::typed::{self, Quaternion, Vector3};
use super::{Report, Target};
use crate::Outcome;

const TRACKS: u32 = 60;
const KEYS: u32 = 2_000;

pub(crate) fn measure(report: &mut Report) -> Outcome {
    reading::<Vector3<f32>>(report, "float3", Style::Compact)?;
    reading::<Vector3<f32>>(report, "float3", Style::Pretty)?;
    reading::<Quaternion<f32>>(report, "floatQ", Style::Compact)?;
    reading::<Vector3<f64>>(report, "double3", Style::Compact)?;

    let limits = Limits::default();
    let text = file("float3", Style::Pretty);
    let document = Animj::default().read(text.as_bytes(), &limits);
    let document = document.map_err(|error| error.to_string())?.value;
    let mut documents = vec![document; 40];
    let write = || Animj::default().write(documents.pop().unwrap_or_default(), &limits);
    let filled = || vec![black_box(1_u8); text.len()];
    report.slower("animj: write, to filling the file", Target::None, write, filled);
    Ok(())
}

#[derive(Clone, Copy, Debug)]
enum Style {
    Compact,
    Pretty,
}

/// Measures reading against typed `serde_json` into the same columns.
fn reading<T: DeserializeOwned>(report: &mut Report, kind: &str, style: Style) -> Outcome {
    let text = file(kind, style);
    let bytes = text.as_bytes();
    let read = || Animj::default().read(bytes, &Limits::default());
    let keys = |file: &typed::File<T>| -> usize {
        file.tracks.iter().map(|track| track.data.keyframes.values.len()).sum()
    };
    let document = read().map_err(|error| error.to_string())?.value;
    let ours: usize =
        document.clips.iter().flat_map(|clip| &clip.tracks).map(|track| track.data().len()).sum();
    let theirs = keys(&typed::read(bytes));
    if ours != theirs {
        return Err(format!("{ours} keys against {theirs} of the baseline"));
    }
    let name = format!("animj: read {kind}, {style:?}, {} bytes; serde_json to it", bytes.len());
    report.faster(&name, Target::Least(1.0), read, || typed::read::<T>(bytes));
    Ok(())
}

/// Writes a file as described in `docs/formats/animj.md`.
fn file(kind: &str, style: Style) -> String {
    let (line, indent) = match style {
        Style::Compact => ("", ""),
        Style::Pretty => ("\n", "  "),
    };
    let mut text = format!("{{{line}{indent}\"name\":\"perf\",\"globalDuration\":100,\"tracks\":[");
    for track in 0..TRACKS {
        let comma = if track == 0 { "" } else { "," };
        let _ = write!(
            text,
            "{comma}{line}{indent}{indent}{{\"trackType\":\"Curve\",\"valueType\":\"{kind}\",\
             \"data\":{{\"node\":\"bone {track}\",\"property\":\"p\",\"keyframes\":["
        );
        for key in 0..KEYS {
            let comma = if key == 0 { "" } else { "," };
            let value = value(kind, track, key);
            let time = f64::from(key) / 30.0;
            let _ = write!(
                text,
                "{comma}{line}{indent}{indent}{indent}{{\"time\":{time:.7},\"value\":{value},\
                 \"interpolation\":\"Linear\"}}"
            );
        }
        text.push_str("]}}");
    }
    text.push_str("]}");
    text
}

/// Returns a value with as many digits as in real files: all that its type needs.
fn value(kind: &str, track: u32, key: u32) -> String {
    let (sin, cos) = (f64::from(key) * 0.01 + f64::from(track)).sin_cos();
    let narrow = inbetween::num::f32_from_f64;
    match kind {
        "float3" => format!("{{\"x\":{:?},\"y\":{:?},\"z\":0.5}}", narrow(sin), narrow(cos)),
        "floatQ" => {
            format!("{{\"x\":{:?},\"y\":0,\"z\":0,\"w\":{:?}}}", narrow(sin), narrow(cos))
        }
        _ => format!("{{\"x\":{sin:?},\"y\":{cos:?},\"z\":0.5}}"),
    }
}
