//! Implements `Format`, with the options by name.

use inbetween_core::parse::ByteCursor;
use inbetween_core::resonite::EmptyTracks;
use inbetween_core::{
    Applies, Budget, ClipReader, ClipSummary, Confidence, Context, Document, FileEncoding, Finding,
    Format, FormatInfo, Hint, Inspection, Limits, OptionError, OptionInfo, Outcome, ReadError,
    WholeFile, WriteError, Written, num,
};

use crate::file::AnimxFile;
use crate::key_order::{self, Basis};
use crate::layout::{AnimxLayout, CurveKeyOrder, Encoding, Evidence, ID, MAGIC, TangentOrder};
use crate::options::{Animx, ENCODING};
use crate::read::parse_header;
use crate::{check, codes, convert, packing};

static OPTIONS: &[OptionInfo] = &[
    OptionInfo {
        name: ENCODING,
        value: "plain|lz4|lzma",
        help: "Compress the tracks with this encoding; Resonite saves lzma [default: that of an \
               AnimX input, else plain]",
        applies: Applies::Writing,
    },
    OptionInfo {
        name: "animx-layout",
        value: "KEYS[,TANGENTS]",
        help: "Force Curve keys to `value-first` or `time-first` and tangents to `left-right` or \
               `right-left` [default: detect when reading, value-first,left-right when writing]",
        applies: Applies::Both,
    },
    OptionInfo {
        name: "from-layout",
        value: "KEYS[,TANGENTS]",
        help: "Like animx-layout, but only for the input",
        applies: Applies::Reading,
    },
    OptionInfo {
        name: "to-layout",
        value: "KEYS[,TANGENTS]",
        help: "Like animx-layout, but only for the output",
        applies: Applies::Writing,
    },
    OptionInfo {
        name: "empty-tracks",
        value: "keep|drop",
        help: "Keep or drop tracks without keys, which are reported to crash Resonite",
        applies: Applies::Writing,
    },
];

static INFO: FormatInfo = FormatInfo::new(ID, "AnimX", FileEncoding::Binary)
    .with_extensions(&["animx"])
    .with_summary(
        "Animations of Resonite in binary form, with tracks of any value type: plain, LZ4, LZMA",
    )
    .with_promise("byte-identical; a packed file that is changed, the same unpacked tracks")
    .with_stores(inbetween_core::resonite::STORES)
    .with_coordinates(inbetween_core::resonite::COORDINATES)
    .with_rules(inbetween_core::resonite::RULES)
    .with_codes(&codes::USED)
    .with_options(OPTIONS)
    .with_fields(convert::FIELDS);

impl Format for Animx {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn probe(&self, bytes: &[u8], hint: &Hint<'_>) -> Confidence {
        Confidence::of_magic(bytes, MAGIC, hint, &INFO)
    }

    fn check_start(&self, head: &[u8]) -> Result<Option<u64>, ReadError> {
        let (header, _) = parse_header(&mut ByteCursor::new(ID, head))?;
        if header.encoding != Encoding::Plain {
            return Ok(None);
        }
        // What follows may change the detected order of the keys, so the end must not depend on it.
        let end_in = |order| {
            let layout = AnimxLayout { curve_key: order, ..AnimxLayout::default() };
            let file = AnimxFile::parse_as(head, layout, &Limits::default()).ok()?;
            Some(num::u64_from_len(head.len().saturating_sub(file.trailing().len())))
        };
        let order = AnimxLayout::DEFAULT.curve_key;
        Ok(end_in(order).filter(|end| end_in(order.other()) == Some(*end)))
    }

    fn inspect(&self, bytes: &[u8], limits: &Limits) -> Result<Inspection, ReadError> {
        let mut file = self.parse(bytes, limits)?;
        let basis = key_order::confirm_if_unclear(&mut file, &mut Budget::new(limits, bytes.len()));
        let clips = vec![if file.is_sealed() {
            let stated = f64::from(file.header().global_duration);
            ClipSummary { duration: Some(stated.max(0.0)), ..header_summary(&file) }
        } else {
            let (tracks, markers) =
                convert::summarize(&file, &mut Budget::new(limits, bytes.len()))?;
            ClipSummary { tracks, markers, ..header_summary(&file) }
        }];
        Ok(Inspection { layout: layout(&file, basis), facts: facts(&file), clips })
    }

    fn check(&self, bytes: &[u8], limits: &Limits) -> Result<Vec<Finding>, ReadError> {
        check::check(self.parse(bytes, limits)?, limits)
    }

    fn open<'b>(
        &self,
        bytes: &'b [u8],
        budget: &mut Budget,
    ) -> Result<Box<dyn ClipReader + 'b>, ReadError> {
        let read = convert::to_document(&mut self.parse(bytes, budget.limits())?, budget)?;
        Ok(Box::new(WholeFile::new(read)))
    }

    fn write_within(
        &self,
        document: Document,
        budget: &mut Budget,
    ) -> Result<Outcome<Written>, WriteError> {
        Context::writing(ID, budget, |context| convert::from_document(document, *self, context))
    }

    fn with_option(&self, name: &str, value: &str) -> Result<Box<dyn Format>, OptionError> {
        let bad = |expected: &'static str| OptionError::BadValue { expected: expected.into() };
        let format = match name {
            ENCODING => self.encoding(parse_encoding(value)?),
            "animx-layout" => self.layout(parse_layout(value)?),
            "from-layout" => self.reading_layout(parse_layout(value)?),
            "to-layout" => self.writing_layout(parse_layout(value)?),
            "empty-tracks" => match value {
                "keep" => self.empty_tracks(EmptyTracks::Keep),
                "drop" => self.empty_tracks(EmptyTracks::Drop),
                _ => return Err(bad("keep or drop")),
            },
            _ => return Err(OptionError::Unknown),
        };
        Ok(Box::new(format))
    }

    #[cfg(feature = "text")]
    fn text(&self) -> Option<&dyn inbetween_core::TextForm> {
        Some(self)
    }
}

fn parse_encoding(value: &str) -> Result<Encoding, OptionError> {
    match Encoding::of_name(value) {
        Some(encoding) if packing::packs(encoding) => Ok(encoding),
        Some(_) => Err(OptionError::BadValue { expected: packing::NO_LZMA.into() }),
        None => Err(OptionError::BadValue { expected: "plain, lz4 or lzma".into() }),
    }
}

fn parse_layout(value: &str) -> Result<AnimxLayout, OptionError> {
    let bad = || OptionError::BadValue {
        expected: "value-first or time-first, optionally followed by ,left-right or ,right-left"
            .into(),
    };
    let default = AnimxLayout::DEFAULT;
    let (keys, tangents) = value.split_once(',').unwrap_or((value, default.tangents.name()));
    let orders = [CurveKeyOrder::ValueFirst, CurveKeyOrder::TimeFirst];
    let curve_key = orders.into_iter().find(|order| order.name() == keys.trim());
    let orders = [TangentOrder::LeftRight, TangentOrder::RightLeft];
    let tangents = orders.into_iter().find(|order| order.name() == tangents.trim());
    let (curve_key, tangents) = curve_key.zip(tangents).ok_or_else(bad)?;
    Ok(AnimxLayout { curve_key, tangents })
}

/// Returns what the header says about the clip.
fn header_summary(file: &AnimxFile<'_>) -> ClipSummary {
    ClipSummary {
        name: Some(file.name().to_str_lossy().into_owned()),
        duration: None,
        first_key: None,
        stated_duration: Some(f64::from(file.header().global_duration)),
        frame_rate: None,
        looping: inbetween_core::Looping::Once,
        blend: inbetween_core::BlendMode::Absolute,
        tracks: Vec::new(),
        markers: Vec::new(),
    }
}

/// Describes how a file was read: `value-first curve keys (as requested), left-right tangents`.
fn layout(file: &AnimxFile<'_>, basis: Basis) -> String {
    let AnimxLayout { curve_key, tangents } = file.layout();
    match file.evidence() {
        _ if file.is_sealed() => "not known".into(),
        Evidence::NoCurves => "no curve keys".into(),
        evidence => {
            let (order, why) = (curve_key.name(), evidence.words());
            let sample = if basis == Basis::Sample { ", in a sample of the keys" } else { "" };
            format!("{order} curve keys ({why}{sample}), {} tangents", tangents.name())
        }
    }
}

/// Lists the facts that the common model does not store.
fn facts(file: &AnimxFile<'_>) -> Vec<(&'static str, String)> {
    let header = file.header();
    let packed = file.packed_section().len();
    let encoding = header.encoding.name();
    let encoding = match (header.encoding, file.section()) {
        (Encoding::Plain, _) => encoding.to_owned(),
        (_, Some(section)) => format!("{encoding}, {packed} bytes for {}", section.len()),
        (_, None) => format!("{encoding}, {packed} bytes"),
    };
    let mut facts = vec![
        ("version", header.version.number().to_string()),
        ("encoding", encoding),
        ("tracks", header.track_count.value().to_string()),
    ];
    if file.is_sealed() {
        facts.push((
            "missing",
            format!("the tracks, which are compressed with LZMA: {}", packing::NO_LZMA),
        ));
    }
    if !file.trailing().is_empty() {
        facts.push(("trailing", format!("{} bytes", file.trailing().len())));
    }
    facts
}
