//! The rows of every format: looking into files, reading, decoding and writing them.

use std::any::Any;
use std::hint::black_box;
use std::rc::Rc;

use inbetween::animx::AnimxFile;
use inbetween::cast::{CastFile, PropertyValues};
use inbetween::clip::{load, save};
use inbetween::gltf::GltfFile;
use inbetween::seanim::{Channel, SeanimFile, SeanimKeys};
use inbetween::x4_ani::{Group, X4aniFile};
use inbetween::{Document, Record, View};

use super::files::{FORMATS, File, Files, Shape, Size, format, limits, text};
use super::row::{Pages, Pair, Row, Taken, pair, turns};

pub(crate) fn rows() -> Vec<Row> {
    let ids = FORMATS.map(|make| make().info().id);
    let inspecting = ids.into_iter().map(inspect);
    inspecting.chain(shapes().flat_map(|(id, shape)| sized(id, shape, of_file))).collect()
}

/// Returns the binary formats with the shapes of their files.
pub(crate) fn shapes() -> impl Iterator<Item = (&'static str, Shape)> {
    let binary = FORMATS.map(|make| make().info().id).into_iter().filter(|id| *id != "animj");
    binary.flat_map(|id| {
        let strings = (id == "animx").then_some(Shape::Strings);
        [Shape::Long, Shape::Short].into_iter().chain(strings).map(move |shape| (id, shape))
    })
}

/// Creates the rows of both sizes, and those that compare the two sizes.
pub(crate) fn sized(
    id: &'static str,
    shape: Shape,
    of: fn(&'static str, Shape, Size) -> Vec<Row>,
) -> Vec<Row> {
    let small = of(id, shape, Size::Mib1);
    let large = of(id, shape, Size::Mib50);
    let gating = small.iter().zip(&large).filter(|(small, _)| small.gates());
    let scaling = gating.map(|(small, large)| {
        let name = small.name.replace(Size::Mib1.name(), "50 MiB to 1 MiB");
        Row::scaling(name, large.name.clone(), small.name.clone())
    });
    let scaling: Vec<Row> = scaling.collect();
    small.into_iter().chain(large).chain(scaling).collect()
}

pub(crate) fn name(id: &str, shape: Shape, size: Size, what: &str) -> String {
    format!("{id}, {} of {}: {what}", shape.name(), size.name())
}

/// Inspecting 50 MiB compared with 1 MiB in as many tracks. Text must be read, so `AnimJ` has no
/// target.
fn inspect(id: &'static str) -> Row {
    let name = format!("{id}: inspect 50 MiB, to 1 MiB in as many tracks");
    let measure = move |files: &mut Files| {
        let (format, limits) = (format(id)?, limits());
        let large = files.get(id, Shape::Long, Size::Mib50)?;
        let small = files.get(id, Shape::Long, Size::Mib1)?;
        format.inspect(&large.bytes, &limits).map_err(text)?;
        let look = |file: &File| format.inspect(&file.bytes, &limits);
        Ok(turns(|| look(&large), || look(&small)).slower())
    };
    if id == "animj" { Row::ratio(name, measure) } else { Row::at_most(name, 2.0, measure) }
}

fn of_file(id: &'static str, shape: Shape, size: Size) -> Vec<Row> {
    let name = |what| name(id, shape, size, what);
    let file = move |files: &mut Files| files.get(id, shape, size);
    let read = move |pages| {
        move |files: &mut Files| {
            let (file, format, limits) = (file(files)?, format(id)?, limits());
            let read = |()| format.read(&file.bytes, &limits);
            Ok(pair(pages, || (), read, || fill_columns(&file.document)).slower())
        }
    };
    let mut rows = vec![
        Row::at_most(name("read, to filling columns in reused pages"), 1.3, read(Pages::Reused)),
        Row::at_most(name("read, to filling columns in fresh pages"), 1.3, read(Pages::Fresh)),
        Row::at_most(name("write from parts, to copying the file"), 1.3, move |files| {
            let file = file(files)?;
            let mut write = parts_writer(id, &file.bytes)?;
            Ok(turns(&mut write, || file.bytes.clone()).slower())
        }),
    ];
    // A clip is built within error bounds instead, and cannot be written by conversions.
    if id != "clip" {
        let what = name("write from a document, to copying the file");
        rows.push(Row::at_most(what, 2.0, move |files| write_document(id, &file(files)?)));
    }
    if shape != Shape::Strings && decode(id).is_some() {
        let what = name("decode into a used column, to copying it");
        rows.push(Row::at_most(what, 1.25, move |files| {
            let decode = decode(id).ok_or("no keys are decoded")?;
            decode(&file(files)?.bytes, Decoding::Keys).map(Pair::slower)
        }));
    }
    rows
}

fn write_document(id: &'static str, file: &Rc<File>) -> Taken {
    let (format, limits) = (format(id)?, limits());
    format.write(file.document.clone(), &limits).map_err(text)?;
    let write = |document: Document| format.write(document, &limits);
    let document = || file.document.clone();
    Ok(pair(Pages::Reused, document, write, || file.bytes.clone()).slower())
}

/// Fills new columns of the same lengths as those of a document, which is the minimum that reading
/// must do.
pub(crate) fn fill_columns(document: &Document) -> Vec<Vec<u64>> {
    let columns = document.clips.iter().flat_map(|clip| &clip.tracks).flat_map(|track| {
        let all = track.data().heap_bytes();
        let times = track.data().len() * size_of::<f64>();
        [times, all - times]
    });
    columns.map(|bytes| vec![black_box(1); bytes.div_ceil(8)]).collect()
}

type Writer = Box<dyn FnMut() -> Box<dyn Any>>;

/// Returns what writes the file again from its exact parts.
fn parts_writer(id: &str, bytes: &[u8]) -> Result<Writer, String> {
    /// Parses the file into parts once, and writes it from them each time.
    macro_rules! of_parts {
        ($file:ident) => {{
            let parts = $file::parse(bytes, &limits()).map_err(text)?.into_parts();
            parts.to_bytes().map_err(text)?;
            Ok(Box::new(move || Box::new(parts.to_bytes().ok())))
        }};
    }
    match id {
        "animx" => of_parts!(AnimxFile),
        "seanim" => of_parts!(SeanimFile),
        "x4-ani" => of_parts!(X4aniFile),
        "cast" => of_parts!(CastFile),
        "gltf" => of_parts!(GltfFile),
        "clip" => {
            let clips = load(bytes).map_err(text)?;
            Ok(Box::new(move || Box::new(save(&clips))))
        }
        _ => Err(format!("{id} has no parts")),
    }
}

/// What is done with the block of keys of each track.
#[derive(Clone, Copy)]
pub(crate) enum Decoding {
    Keys,
    /// Its bytes are appended to others.
    CopyBlocks,
    /// Its keys are appended to others one by one, as in a loop that decodes them.
    CopyKeys,
}

/// Measures decoding the keys of a file against copying the decoded keys at once.
type Decode = fn(&[u8], Decoding) -> Result<Pair, String>;

/// Returns what decodes the keys of a file, for formats that have views of keys.
pub(crate) fn decode(id: &str) -> Option<Decode> {
    match id {
        "seanim" => Some(|bytes, what| {
            let file = SeanimFile::parse(bytes, &limits()).map_err(text)?;
            let views = file.bones().filter_map(|bone| match bone.keys(Channel::Rotation) {
                Some(SeanimKeys::FloatQ(view)) => Some(view),
                _ => None,
            });
            decoding(&views.collect::<Vec<_>>(), what)
        }),
        "x4-ani" => Some(|bytes, what| {
            let file = X4aniFile::parse(bytes, &limits()).map_err(text)?;
            let views = file.records().map(|record| record.keys(Group::Position));
            decoding(&views.collect::<Vec<_>>(), what)
        }),
        "cast" => Some(|bytes, what| {
            let file = CastFile::parse(bytes, &limits()).map_err(text)?;
            let properties = file.nodes().flat_map(|node| node.properties().collect::<Vec<_>>());
            let views = properties.filter_map(|property| match property.values() {
                PropertyValues::Vector4(view) => Some(view),
                _ => None,
            });
            decoding(&views.collect::<Vec<_>>(), what)
        }),
        _ => None,
    }
}

fn decoding<R: Record + Clone>(views: &[View<'_, R>], what: Decoding) -> Result<Pair, String> {
    let keys: Vec<R> = views.iter().flat_map(View::iter).collect();
    if keys.is_empty() {
        return Err("there are no keys to decode".into());
    }
    let (mut column, mut copy) = (keys.clone(), keys.clone());
    let decode = || {
        column.clear();
        for view in views {
            view.decode_into(&mut column);
        }
        black_box(&column).len()
    };
    let copied = || {
        copy.clear();
        copy.extend_from_slice(&keys);
        black_box(&copy).len()
    };
    let bytes: usize = views.iter().map(|view| view.bytes().len()).sum();
    let mut blocks = Vec::with_capacity(bytes);
    let copied_blocks = || {
        blocks.clear();
        for view in views {
            blocks.extend_from_slice(view.bytes());
        }
        black_box(&blocks).len()
    };
    Ok(match what {
        Decoding::Keys => turns(decode, copied),
        Decoding::CopyBlocks => turns(copied_blocks, copied),
        Decoding::CopyKeys => match bytes / keys.len() {
            16 => turns(copying_keys::<_, 16>(views), copied),
            17 => turns(copying_keys::<_, 17>(views), copied),
            18 => turns(copying_keys::<_, 18>(views), copied),
            20 => turns(copying_keys::<_, 20>(views), copied),
            128 => turns(copying_keys::<_, 128>(views), copied),
            size => return Err(format!("keys of {size} bytes are not copied one by one")),
        },
    })
}

/// Returns a function that appends the bytes of each key to a column.
fn copying_keys<R: Record, const SIZE: usize>(views: &[View<'_, R>]) -> impl FnMut() -> usize {
    let mut column: Vec<[u8; SIZE]> = views.iter().flat_map(|view| chunks(view)).collect();
    move || {
        column.clear();
        for view in views {
            column.extend(chunks(view));
        }
        black_box(&column).len()
    }
}

fn chunks<'a, R: Record, const SIZE: usize>(
    view: &View<'a, R>,
) -> impl Iterator<Item = [u8; SIZE]> + use<'a, R, SIZE> {
    view.bytes().as_chunks().0.iter().copied()
}
