//! Text forms of about 10 MB, compared with `serde_json` on the same mirror types. The difference
//! comes from our parsing, line breaks, limits and the building of files.

use std::io::{self, Write};

use inbetween::seanim::Seanim;
use inbetween::text::Float;
use inbetween::x4_ani::X4ani;
use inbetween::{Limits, TextForm};
use inbetween_testing::ByteBuilder;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Serializer;
use serde_json::ser::Formatter;

use super::files::{Files, text};
use super::row::{Pair, Row, Taken, turns};

const LISTS: u16 = 50;
const KEYS: u16 = 2_000;

pub(crate) fn rows() -> Vec<Row> {
    let x4_ani = of_form("x4-ani", |what| {
        let (form, bytes) = (X4ani::default(), x4_ani());
        measure::<X4File<Float<f32>>>(&form, &bytes, what)
    });
    let seanim = of_form("seanim", |what| {
        let (form, bytes) = (Seanim::default(), seanim());
        measure::<SeanimFile<Float<f32>>>(&form, &bytes, what)
    });
    x4_ani.into_iter().chain(seanim).collect()
}

/// What is done with a text form.
#[derive(Clone, Copy)]
enum What {
    Unpack,
    Pack,
    /// Only printing, with the line breaks and blanks that make the text readable.
    Lines,
}

/// How one direction of a text form is measured.
type OfForm = fn(What) -> Result<(Pair, usize), String>;

/// Creates the rows of a text form: ratios, and megabytes of text per second.
fn of_form(id: &str, measure: OfForm) -> [Row; 5] {
    let faster = |what| move |_: &mut Files| Ok(measure(what)?.0.faster());
    let rate = |what| {
        move |_: &mut Files| -> Taken {
            let (pair, text) = measure(what)?;
            Ok(pair.text_rate(text))
        }
    };
    let name = |what| format!("{id}: {what}");
    [
        Row::at_least(name("unpack, times as fast as serde_json"), 1.0, faster(What::Unpack)),
        Row::at_least(name("pack, times as fast as serde_json"), 1.0, faster(What::Pack)),
        Row::ratio(name("print in lines, times as fast as serde_json"), faster(What::Lines)),
        Row::rate(name("unpack, text"), " MB/s", None, rate(What::Unpack)),
        Row::rate(name("pack, text"), " MB/s", None, rate(What::Pack)),
    ]
}

/// Returns the times, and the length of the text.
fn measure<M: Serialize + DeserializeOwned>(
    form: &dyn TextForm,
    bytes: &[u8],
    what: What,
) -> Result<(Pair, usize), String> {
    let limits = Limits::default();
    let unpacked = form.unpack(bytes, &limits).map_err(text)?;
    let mirror: M = serde_json::from_slice(&unpacked).map_err(text)?;
    if form.pack(&unpacked, &limits).map_err(text)? != bytes {
        return Err("the text packs to another file".into());
    }
    let pair = match what {
        What::Unpack => turns(|| form.unpack(bytes, &limits), || serde_json::to_vec(&mirror)),
        What::Pack => {
            turns(|| form.pack(&unpacked, &limits), || serde_json::from_slice::<M>(&unpacked))
        }
        What::Lines => turns(|| print_in_lines(&mirror), || serde_json::to_vec(&mirror)),
    };
    Ok((pair, unpacked.len()))
}

/// Prints a mirror type with the line breaks and blanks of the text form.
fn print_in_lines(mirror: &impl Serialize) -> Vec<u8> {
    let mut text = Vec::with_capacity(128);
    let printed = mirror.serialize(&mut Serializer::with_formatter(&mut text, Lines { depth: 0 }));
    printed.map(|()| text).unwrap_or_default()
}

/// A formatter that starts a line for each item down to the lists of keys. A key is on one line.
struct Lines {
    depth: usize,
}

impl Lines {
    /// The depth of a list of keys: the file, the list of records or bones, one of these, the list.
    const KEYS: usize = 4;

    fn begin<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        out.write_all(bracket)
    }

    fn item<W: ?Sized + Write>(&self, out: &mut W, first: bool) -> io::Result<()> {
        if self.depth > Self::KEYS {
            return if first { Ok(()) } else { out.write_all(b", ") };
        }
        let line = b",\n        ".get(..2 + 2 * self.depth).unwrap_or_default();
        out.write_all(if first { line.get(1..).unwrap_or_default() } else { line })
    }

    fn end<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth -= 1;
        if self.depth < Self::KEYS {
            self.item(out, true)?;
        }
        out.write_all(bracket)
    }
}

impl Formatter for Lines {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.begin(out, b"[")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.item(out, first)
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.end(out, b"]")
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.begin(out, b"{")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.item(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.end(out, b"}")
    }
}

#[derive(Deserialize, Serialize)]
struct X4File<F> {
    format: String,
    text_version: u32,
    records: Vec<X4Record<F>>,
}

#[derive(Deserialize, Serialize)]
struct X4Record<F> {
    part: String,
    subname: String,
    duration: F,
    rotations: Vec<X4Key<F>>,
}

#[derive(Deserialize, Serialize)]
struct X4Key<F> {
    time: F,
    frame: f64,
    value: [F; 3],
    degrees: [f64; 3],
    interpolation: String,
    control_points: X4Axes<F>,
}

#[derive(Deserialize, Serialize)]
struct X4Axes<F> {
    x: X4Points<F>,
}

#[derive(Deserialize, Serialize)]
struct X4Points<F> {
    out: [F; 2],
    r#in: [F; 2],
}

/// Builds a file as described in `docs/formats/x4-ani.md`.
fn x4_ani() -> Vec<u8> {
    let head = ByteBuilder::new().i32s(&[i32::from(LISTS), 16 + 160 * i32::from(LISTS), 1, 0]);
    let table = head.each(0..LISTS, |file, list| {
        let file = file.padded_str(format!("part_{list}"), 64).padded_str("loop", 64);
        file.i32s(&[0, i32::from(KEYS), 0, 0, 0]).f32(f32::from(KEYS) / 30.0).zeros(8)
    });
    let keys = table.each(0..LISTS, |file, list| {
        file.each(0..KEYS, |file, key| {
            let (sin, cos) = (f32::from(key) * 0.001 + f32::from(list)).sin_cos();
            let file = file.f32s(&[sin, cos, 0.5]).u32s(&[5; 3]).f32(f32::from(key) / 30.0);
            file.f32s(&[cos, 0.25, sin, 0.75]).zeros(32 + 52)
        })
    });
    keys.build()
}

#[derive(Deserialize, Serialize)]
struct SeanimFile<F> {
    format: String,
    text_version: u32,
    anim_type: String,
    presence: Vec<String>,
    frame_rate: F,
    frame_count: u32,
    bones: Vec<SeanimBone<F>>,
}

#[derive(Deserialize, Serialize)]
struct SeanimBone<F> {
    name: String,
    rotations: Vec<SeanimKey<F>>,
}

#[derive(Deserialize, Serialize)]
struct SeanimKey<F> {
    frame: u32,
    value: [F; 4],
}

/// Builds a file as described in `docs/formats/seanim.md`.
fn seanim() -> Vec<u8> {
    let head = ByteBuilder::new().bytes("SEAnim").u16(1).u16(28).u8s(&[0, 0, 0x02, 0, 0, 0]);
    let head = head.f32(30.0).u32(u32::from(KEYS)).u32(u32::from(LISTS)).u8s(&[0; 4]).u32(0);
    let names = head.each(0..LISTS, |file, list| file.cstr(format!("j_bone_{list}")));
    let keys = names.each(0..LISTS, |file, list| {
        file.u8(0).u16(KEYS).each(0..KEYS, |file, key| {
            let (sin, cos) = (f32::from(key) * 0.001 + f32::from(list)).sin_cos();
            file.u16(key).f32s(&[sin, 0.0, 0.0, cos])
        })
    });
    keys.build()
}
