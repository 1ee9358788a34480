//! The files that are measured, in every format: made in memory, of a shape and a size.

use std::rc::Rc;

use inbetween::animj::Animj;
use inbetween::animx::Animx;
use inbetween::cast::Cast;
use inbetween::clip::{Bounds, ClipFile, build_document, save};
use inbetween::gltf::Gltf;
use inbetween::num::{f32_from_f64, f64_from_index};
use inbetween::seanim::Seanim;
use inbetween::x4_ani::X4ani;
use inbetween::{
    Animation, Budget, Document, Element, Format, Interpolation, Interpolations, KeysError, Limits,
    Property, Quat, Strings, Target, Track, TrackData,
};

/// Creates every format, the playback clip included.
pub(crate) const FORMATS: [fn() -> Box<dyn Format>; 7] = [
    || Box::new(Animx::default()),
    || Box::new(Animj::default()),
    || Box::new(Seanim::default()),
    || Box::new(X4ani::default()),
    || Box::new(Cast::default()),
    || Box::new(Gltf::default()),
    || Box::new(ClipFile),
];

/// Returns the format with an id.
pub(crate) fn format(id: &str) -> Result<Box<dyn Format>, String> {
    let found = FORMATS.iter().map(|make| make()).find(|format| format.info().id == id);
    found.ok_or_else(|| format!("there is no format {id}"))
}

/// What a file consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// 8 bones with long tracks.
    Long,
    /// Many bones, with 8 keys in each track.
    Short,
    /// 16 tracks of strings.
    Strings,
    /// 8 bones with only rotations.
    Turns,
    /// 1 bone.
    Tiny,
}

impl Shape {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Long => "few long tracks",
            Self::Short => "many short tracks",
            Self::Strings => "strings",
            Self::Turns => "rotations",
            Self::Tiny => "one bone",
        }
    }
}

/// The size of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    Kib1,
    Mib1,
    Mib50,
}

impl Size {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Kib1 => "1 KiB",
            Self::Mib1 => "1 MiB",
            Self::Mib50 => "50 MiB",
        }
    }

    const fn bytes(self) -> usize {
        match self {
            Self::Kib1 => 1 << 10,
            Self::Mib1 => 1 << 20,
            Self::Mib50 => 50 << 20,
        }
    }
}

/// A file and the document that its format reads from it.
pub(crate) struct File {
    pub(crate) bytes: Vec<u8>,
    pub(crate) document: Document,
}

type Key = (&'static str, Shape, Size);

/// Makes files, and keeps the last one, because rows of one file follow each other.
#[derive(Default)]
pub(crate) struct Files {
    last: Option<(Key, Rc<File>)>,
}

impl Files {
    /// Returns the file of a format.
    pub(crate) fn get(
        &mut self,
        id: &'static str,
        shape: Shape,
        size: Size,
    ) -> Result<Rc<File>, String> {
        if let Some((key, file)) = &self.last
            && *key == (id, shape, size)
        {
            return Ok(Rc::clone(file));
        }
        self.last = None;
        let format = format(id)?;
        let bytes = bytes(&*format, shape, size.bytes())?;
        let document = format.read(&bytes, &limits()).map_err(text)?.value;
        let file = Rc::new(File { bytes, document });
        self.last = Some(((id, shape, size), Rc::clone(&file)));
        Ok(file)
    }
}

/// Limits for files of 50 MiB with many short tracks, which have more items than most files.
pub(crate) fn limits() -> Limits {
    Limits::default().with_items(1 << 24).with_decoded_bytes(4 << 30)
}

/// Writes a file of about this size.
fn bytes(format: &dyn Format, shape: Shape, size: usize) -> Result<Vec<u8>, String> {
    // Two small files show what the file costs and what an item of it costs.
    let (few, more) = if shape == Shape::Tiny { (2, 10) } else { (64, 128) };
    let small = write(format, shape, few)?;
    if small.len() >= size {
        return Ok(small);
    }
    let item = (write(format, shape, more)?.len() - small.len()) / (more - few);
    write(format, shape, few + (size - small.len()) / item.max(1))
}

/// Writes a file of `n` keys a track, or of `n` bones if the tracks are short.
fn write(format: &dyn Format, shape: Shape, n: usize) -> Result<Vec<u8>, String> {
    let document = document(format, shape, n)?;
    let limits = limits();
    if format.info().id == "clip" {
        let mut budget = Budget::new(&limits, Size::Mib50.bytes());
        let built = build_document(document, &Bounds::default(), &mut budget).map_err(text)?;
        let clips: Vec<_> = built.value.into_iter().map(|built| built.clip).collect();
        return Ok(save(&clips));
    }
    Ok(format.write(document, &limits).map_err(text)?.value)
}

fn document(format: &dyn Format, shape: Shape, n: usize) -> Result<Document, String> {
    let (bones, keys) = match shape {
        Shape::Long | Shape::Turns => (8, n),
        Shape::Short => (n, 8),
        Shape::Strings => (16, n),
        Shape::Tiny => (1, n),
    };
    let mut tracks = Vec::new();
    for bone in 0..bones {
        let node = format!("bone_{bone}");
        let (place, turn) = (|key| place(bone, key), |key| turn(bone, key));
        let mut add = |property, data: Result<TrackData, KeysError>| {
            let track = Track::new(Target::new(node.clone(), property), data.map_err(text)?);
            tracks.push(track.map_err(text)?);
            Ok::<(), String>(())
        };
        if shape == Shape::Strings {
            let mut texts = Strings::default();
            (0..keys).for_each(|key| texts.push(Some(&format!("line {key}"))));
            add(Property::Custom(Some("text".into())), TrackData::stepped(times(keys), texts))?;
            continue;
        }
        if shape != Shape::Turns {
            add(Property::Translation, linear((0..keys).map(place).collect()))?;
        }
        match format.info().id {
            // The baseline, typed serde_json, reads one kind of values.
            "animj" if shape != Shape::Turns => {}
            "x4-ani" => {
                let property = Property::RotationEuler(inbetween::x4_ani::EULER_ORDER);
                add(property, linear((0..keys).map(place).collect()))?;
            }
            _ => add(Property::Rotation, linear((0..keys).map(turn).collect()))?,
        }
    }
    let clip = Animation::new(tracks).with_rules(format.info().rules).with_frame_rate(32.0);
    Ok(Document::single(clip.with_name("perf")))
}

/// Returns times on frames that every format stores exactly: 32 frames per second.
fn times(keys: usize) -> Vec<f64> {
    (0..keys).map(|key| f64_from_index(key) / 32.0).collect()
}

fn linear<T: Element>(values: Vec<T>) -> Result<TrackData, KeysError> {
    let linear = Interpolations::Shared(Interpolation::Linear);
    TrackData::curve(times(values.len()), values, linear, None)
}

fn angle(bone: usize, key: usize) -> f32 {
    f32_from_f64(f64_from_index(key) * 0.01 + f64_from_index(bone))
}

fn place(bone: usize, key: usize) -> [f32; 3] {
    let (sin, cos) = angle(bone, key).sin_cos();
    [sin, cos, 0.5 * sin]
}

fn turn(bone: usize, key: usize) -> Quat<f32> {
    Quat::from_axis_angle([0.0, 0.6, 0.8], angle(bone, key).sin())
}

#[expect(clippy::needless_pass_by_value, reason = "`map_err` passes values")]
pub(crate) fn text(error: impl ToString) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_about_the_requested_size() {
        for make in FORMATS {
            let format = make();
            for shape in [Shape::Long, Shape::Short] {
                let length = bytes(&*format, shape, 400_000).unwrap().len();
                let id = format.info().id;
                assert!((300_000..500_000).contains(&length), "{id} {shape:?}: {length}");
            }
        }
    }
}
