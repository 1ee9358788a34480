//! The rows of reading, converting, editing and writing the set.

use inbetween::animj::{Animj, Style};
use inbetween::animx::{Animx, AnimxLayout, CurveKeyOrder};
use inbetween::clip::{Bounds, ClipFile, build, save};
use inbetween::core::num::f64_from_index;
use inbetween::{Document, Registry};
use resonite_core::animation::Animation as Resonite;

use super::others::{File, gltf_keys};
use super::plain_loop::{keys, playing};
use super::set::{Files, IDS, Sets, X4, read, write};
use super::table::{Row, Took, medians, ratio, timed, worsen};
use crate::costs::cases::{edited, text};
use crate::inputs::clips;

/// Returns the rows of all pairs.
pub(super) fn conversions(sets: &Sets<'_>) -> Result<Vec<Row>, String> {
    let (mut rows, mut worst, mut most_keys) = (Vec::new(), Default::default(), Default::default());
    for from in IDS.map(|id| sets.files(id)) {
        for to in sets.of(from.id()).iter().filter(|to| to.id() != from.id()) {
            let name = format!("{} to {}", from.id(), to.id());
            let (row, slower, keys) = pair(&name, from, to)?;
            rows.push(row);
            worsen(&mut worst, slower, &name);
            worsen(&mut most_keys, keys, &name);
        }
    }
    let name = "any pair, to reading and writing the slower of its formats";
    rows.push(Row::at_most(name, 3.0, worst));
    rows.push(Row::at_most("keys of any pair to curves, to the source", 1.5, most_keys));
    Ok(rows)
}

/// Returns the row of a pair, its time to that of reading and writing the slower format, and its keys
/// to those of the source. X4 stores angles and Bezier keys, so conversions from and to it bake.
fn pair(name: &str, from: &Files<'_>, to: &Files<'_>) -> Result<(Row, f64, f64), String> {
    let convert = |file: usize| write(to.format, from.read(file)?);
    let results = (0..from.bytes.len()).map(|file| read(to.format, &convert(file)?));
    let results = results.collect::<Result<Vec<_>, _>>()?;
    let convert = |file: usize| timed(|| convert(file));
    let play = |file: usize| playing(&from.documents[file], &results[file]);
    let [read_from, read_to] = [from, to].map(|files| move |file| files.reading(file));
    let [write_from, write_to] = [from, to].map(|files| move |file| files.writing(file));
    let [work, play, read_from, write_from, read_to, write_to] =
        medians(results.len(), [&convert, &play, &read_from, &write_from, &read_to, &write_to])?;
    let row = if from.id() == X4 || to.id() == X4 {
        Row::at_most(format!("{name}, to the plain loop"), 2.0, ratio([work, play]))
    } else {
        let figure = ratio([work, read_from + write_to]);
        Row::at_most(format!("{name}, to reading and writing"), 1.5, figure)
    };
    let count = |documents: &[Document]| f64_from_index(documents.iter().map(keys).sum());
    let has_curves = !["seanim", "cast"].contains(&to.id());
    let keys = if has_curves { count(&results) / count(&from.documents) } else { 0.0 };
    Ok((row, work / (read_from + write_from).max(read_to + write_to), keys))
}

/// Returns the rows of edits of files, of which the slower one of two formats counts.
pub(super) fn edits(sets: &Sets<'_>) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for name in ["reverse", "retime", "shift", "axes", "trim", "rename"] {
        let mut worst = Default::default();
        for files in ["seanim", X4].map(|id| sets.files(id)) {
            let edit = |file| timed(|| write(files.format, edited(name, files.read(file)?)?));
            let (read, write) = (|file| files.reading(file), |file| files.writing(file));
            let [work, read, write] = medians(files.bytes.len(), [&edit, &read, &write])?;
            worsen(&mut worst, work / (read + write), files.id());
        }
        rows.push(Row::at_most(format!("edit --{name}, to reading and writing"), 1.5, worst));
    }
    Ok(rows)
}

/// Returns the rows of reducing and resampling documents, and of building playback clips.
pub(super) fn loops(files: &Files<'_>) -> Result<Vec<Row>, String> {
    let edit = |name: &'static str| loop_row(name, files, |document| edited(name, document), Ok);
    let clip =
        loop_row("clip", files, |document| built(&document), |bytes| read(&ClipFile, &bytes));
    Ok(vec![edit("reduce")?, edit("resample")?, clip?])
}

fn loop_row<T>(
    name: &str,
    files: &Files<'_>,
    work: impl Fn(Document) -> Result<T, String>,
    result: impl Fn(T) -> Result<Document, String>,
) -> Result<Row, String> {
    let sources = &files.documents;
    let results = sources.iter().map(|document| result(work(document.clone())?));
    let results = results.collect::<Result<Vec<_>, _>>()?;
    let work = |file: usize| {
        let document = sources[file].clone();
        timed(|| work(document))
    };
    let play = |file: usize| playing(&sources[file], &results[file]);
    let figure = ratio(medians(sources.len(), [&work, &play])?);
    Ok(Row::at_most(format!("{name}, to the plain loop"), 3.0, figure))
}

fn built(document: &Document) -> Result<Vec<u8>, String> {
    let built = build(&document.clips[0], &Bounds::default()).map_err(text)?;
    Ok(save(&[built.value.clip]))
}

/// Returns the rows that compare reading and writing binary files with copying them.
pub(super) fn copies(sets: &Sets<'_>) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for id in IDS.into_iter().filter(|id| *id != "animj") {
        let (files, count) = (sets.files(id), sets.files(id).bytes.len());
        let (read, write) = (|file| files.reading(file), |file| files.writing(file));
        let copy = |file: usize| timed(|| Ok(files.bytes[file].clone()));
        let [read, write] = [medians(count, [&read, &copy])?, medians(count, [&write, &copy])?];
        let most = if id == X4 { 1.5 } else { 3.0 };
        rows.push(Row::at_most(format!("read {id}, to copying the file"), most, ratio(read)));
        rows.push(Row::at_most(format!("write {id}, to copying the file"), 4.0, ratio(write)));
    }
    Ok(rows)
}

/// Returns the rows that compare formats of text with AnimJ: bytes read a second.
pub(super) fn texts(registry: &Registry, sets: &Sets<'_>) -> Result<Vec<Row>, String> {
    let animj = sets.files("animj");
    let length = |files: &Files<'_>| f64_from_index(files.bytes.iter().map(Vec::len).sum());
    let mut rows = Vec::new();
    for format in ["bvh", "unity-anim"].into_iter().filter_map(|id| registry.by_id(id)) {
        let files = Files::new(format, &clips()?)?;
        let pieces: [&dyn Fn(usize) -> Took; 2] =
            [&|it| animj.reading(it), &|it| files.reading(it)];
        let [of_animj, own] = medians(animj.bytes.len(), pieces)?;
        let (figure, of) = ratio([of_animj * length(&files), own * length(animj)]);
        let name = format!("read {}, times as fast per byte as animj", files.id());
        rows.push(Row::at_least(name, 0.5, (figure, of.replace(" ms", ""))));
    }
    Ok(rows)
}

/// Returns the rows that compare other programs with the same files.
pub(super) fn others(sets: &Sets<'_>) -> Result<Vec<Row>, String> {
    let [animj, gltf] = ["animj", "gltf"].map(|id| sets.files(id));
    let layout = AnimxLayout { curve_key: CurveKeyOrder::TimeFirst, ..AnimxLayout::DEFAULT };
    let format = Animx::default().writing_layout(layout);
    let time_first = Files::new(&format, &clips()?)?;
    let row = |what: &str, other: &str, least, pieces: [&dyn Fn(usize) -> Took; 2]| {
        let figure = ratio(medians(animj.bytes.len(), pieces)?);
        Ok::<_, String>(Row::at_least(format!("{what}, times as fast as {other}"), least, figure))
    };
    let write_animj = |file: usize| {
        let document = animj.documents[file].clone();
        timed(|| write(&Animj::default().style(Style::Compact), document))
    };
    let json = |file: usize| serde_json::from_slice::<File>(&animj.bytes[file]).map_err(text);
    let write_json = |file: usize| {
        let keys = json(file)?;
        timed(|| serde_json::to_vec(&keys).map_err(text))
    };
    let read_json = |file: usize| timed(|| json(file));
    let resonite = |file: usize| Resonite::from_animx(&*time_first.bytes[file]);
    let read_resonite = |file| timed(|| resonite(file).map_err(|error| format!("{error:?}")));
    let read_gltf = |file: usize| timed(|| gltf_keys(&gltf.bytes[file]));
    let own = [animj, &time_first, gltf].map(|files| move |file| files.reading(file));
    Ok(vec![
        row("read animj", "serde_json", 1.5, [&read_json, &own[0]])?,
        row("write animj", "serde_json", 1.2, [&write_json, &write_animj])?,
        row("read animx", "resonite-core", 2.0, [&read_resonite, &own[1]])?,
        row("read gltf", "the gltf crate", 2.0, [&read_gltf, &own[2]])?,
    ])
}
