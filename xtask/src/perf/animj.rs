//! Reading and writing `AnimJ`, compared with typed `serde_json`.

use inbetween::Format;
use inbetween::animj::{Animj, AnimjFile, Style};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::files::{File, Files, Shape, Size, limits, text};
use super::formats::{name, sized};
use super::row::{Measured, Pages, Row, Taken, pair, turns};
use super::typed::{self, Quaternion, Vector3};

const ID: &str = "animj";

pub(crate) fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for shape in [Shape::Long, Shape::Short, Shape::Strings] {
        rows.extend(sized(ID, shape, |_, shape, size| of_file(shape, size)));
    }
    rows.extend(of_file(Shape::Turns, Size::Mib1));
    rows
}

fn of_file(shape: Shape, size: Size) -> Vec<Row> {
    let name = |what| name(ID, shape, size, what);
    let read = move |files: &mut Files| {
        let file = files.get(ID, shape, size)?;
        match shape {
            Shape::Turns => reading::<Quaternion<f32>>(&file),
            Shape::Strings => reading::<String>(&file),
            _ => reading::<Vector3<f32>>(&file),
        }
    };
    let write = move |files: &mut Files| {
        let file = files.get(ID, shape, size)?;
        Ok(match shape {
            Shape::Turns => writing::<Quaternion<f32>>(&file),
            Shape::Strings => writing::<String>(&file),
            _ => writing::<Vector3<f32>>(&file),
        })
    };
    let print = move |files: &mut Files| {
        let file = files.get(ID, shape, size)?;
        match shape {
            Shape::Turns => printing::<Quaternion<f32>>(&file),
            Shape::Strings => printing::<String>(&file),
            _ => printing::<Vector3<f32>>(&file),
        }
    };
    vec![
        Row::at_least(name("read, times as fast as serde_json"), 1.5, read),
        Row::at_least(name("write from a document, times as fast as to_vec"), 1.2, write),
        Row::at_least(name("write from parts, times as fast as to_vec"), 1.2, print),
    ]
}

/// Measures reading against `serde_json` into the same columns.
fn reading<T: DeserializeOwned>(file: &File) -> Taken {
    let keys: usize = file.document.clips.iter().flat_map(|clip| &clip.tracks).map(keys).sum();
    let typed = typed::read::<T>(&file.bytes);
    let theirs: usize = typed.tracks.iter().map(|track| track.data.keyframes.values.len()).sum();
    if keys != theirs {
        return Err(format!("{keys} keys against {theirs} of the baseline"));
    }
    let read = || Animj::default().read(&file.bytes, &limits());
    Ok(turns(read, || typed::read::<T>(&file.bytes)).faster())
}

fn keys(track: &inbetween::Track) -> usize {
    track.data().len()
}

/// Measures writing a document without white space against `to_vec`.
fn writing<T: DeserializeOwned + Serialize>(file: &File) -> Measured {
    let (format, limits) = (Animj::default().style(Style::Compact), limits());
    let typed = typed::read::<T>(&file.bytes);
    let document = || file.document.clone();
    let write = |document| format.write(document, &limits);
    pair(Pages::Reused, document, write, || serde_json::to_vec(&typed)).faster()
}

/// Measures printing the exact file without white space against `to_vec`.
fn printing<T: DeserializeOwned + Serialize>(file: &File) -> Taken {
    let exact = AnimjFile::parse(&file.bytes, &limits()).map_err(text)?.value;
    let typed = typed::read::<T>(&file.bytes);
    Ok(turns(|| exact.to_text(Style::Compact), || serde_json::to_vec(&typed)).faster())
}
