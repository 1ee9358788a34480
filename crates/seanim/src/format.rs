//! Implements `Format`, with the options by name.

use inbetween_core::{
    Applies, Budget, ClipReader, Confidence, Context, Document, FileEncoding, Finding, Format,
    FormatInfo, Hint, Inspection, Limits, OptionError, OptionInfo, Outcome, ReadError, WholeFile,
    WriteError, Written, frames,
};

use crate::layout::{ID, MAGIC};
use crate::options::Seanim;
use crate::{
    BlockRule, Custom, Precision, Reading, SeanimFile, WidthRule, check, codes, convert, names,
    read,
};

static OPTIONS: &[OptionInfo] = &[
    OptionInfo {
        name: "fps",
        value: "RATE",
        help: "Frames per second: resample keys that are not on frames, and read files without \
               a valid frame rate at this rate",
        applies: Applies::Both,
    },
    OptionInfo {
        name: "seanim-layout",
        value: "WIDTHS[,BLOCKS]",
        help: "Force frame widths to `standard` (1.0.2) or `legacy` (1.0.1), and the presence of \
               blocks to `flags` or `counts`, instead of detecting them",
        applies: Applies::Reading,
    },
];

static INFO: FormatInfo = FormatInfo::new(ID, "SEAnim", FileEncoding::Binary)
    .with_extensions(&["seanim"])
    .with_summary("Bone animations of Call of Duty modding: version 1 of the open binary format")
    .with_promise("byte-identical")
    .with_rules(crate::RULES)
    .with_stores(convert::STORES)
    .with_coordinates(convert::COORDINATES)
    .with_codes(&codes::USED)
    .with_options(OPTIONS)
    .with_fields(convert::FIELDS);

impl Format for Seanim {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn probe(&self, bytes: &[u8], hint: &Hint<'_>) -> Confidence {
        Confidence::of_magic(bytes, MAGIC, hint, &INFO)
    }

    fn check_start(&self, head: &[u8]) -> Result<Option<u64>, ReadError> {
        read::check_start(head)
    }

    fn inspect(&self, bytes: &[u8], limits: &Limits) -> Result<Inspection, ReadError> {
        let file = self.parse(bytes, limits)?;
        let mut budget = Budget::new(limits, bytes.len());
        let clips = vec![convert::summarize(&file, self, &mut budget)?];
        Ok(Inspection { layout: layout(&file), facts: facts(&file), clips })
    }

    fn check(&self, bytes: &[u8], limits: &Limits) -> Result<Vec<Finding>, ReadError> {
        Ok(check::check(&self.parse(bytes, limits)?, limits))
    }

    fn open<'b>(
        &self,
        bytes: &'b [u8],
        budget: &mut Budget,
    ) -> Result<Box<dyn ClipReader + 'b>, ReadError> {
        let read = convert::to_document(&self.parse(bytes, budget.limits())?, self, budget)?;
        Ok(Box::new(WholeFile::new(read)))
    }

    fn write_within(
        &self,
        document: Document,
        budget: &mut Budget,
    ) -> Result<Outcome<Written>, WriteError> {
        Context::writing(ID, budget, |context| convert::from_document(document, self, context))
    }

    fn with_option(&self, name: &str, value: &str) -> Result<Box<dyn Format>, OptionError> {
        match name {
            "fps" => {
                let rate = value.parse().ok().filter(|rate| frames::valid_rate(*rate));
                let rate = rate.ok_or(OptionError::BadValue {
                    expected: "a positive number of frames per second".into(),
                })?;
                Ok(Box::new(self.clone().frame_rate(rate)))
            }
            "seanim-layout" => Ok(Box::new(self.clone().reading(parse_reading(value)?))),
            _ => Err(OptionError::Unknown),
        }
    }

    #[cfg(feature = "text")]
    fn text(&self) -> Option<&dyn inbetween_core::TextForm> {
        Some(self)
    }
}

fn parse_reading(value: &str) -> Result<Reading, OptionError> {
    let bad = || OptionError::BadValue {
        expected: "standard or legacy, optionally followed by ,flags or ,counts".into(),
    };
    let (widths, blocks) = value.split_once(',').unwrap_or((value, "flags"));
    let widths = match widths.trim() {
        "standard" => WidthRule::Standard,
        "legacy" => WidthRule::Legacy,
        _ => return Err(bad()),
    };
    let blocks = match blocks.trim() {
        "flags" => BlockRule::Flags,
        "counts" => BlockRule::Counts,
        _ => return Err(bad()),
    };
    Ok(Reading { widths, blocks })
}

/// Describes how a file was read: `standard widths (frames u8, bones u8), blocks by flags, f32`.
fn layout(file: &SeanimFile<'_>) -> String {
    let layout = file.layout();
    let widths = match layout.reading.widths {
        WidthRule::Standard => "standard",
        WidthRule::Legacy => "legacy",
    };
    let blocks = match layout.reading.blocks {
        BlockRule::Flags => "flags",
        BlockRule::Counts => "counts",
    };
    let precision = match layout.precision {
        Precision::Single => "f32",
        Precision::Double => "f64",
    };
    let bits = |bytes: usize| bytes.saturating_mul(8);
    let (frames, bones) = (bits(layout.frame_width.bytes()), bits(layout.bone_width.bytes()));
    format!("{widths} widths (frames u{frames}, bones u{bones}), blocks by {blocks}, {precision}")
}

/// Lists the facts that the common model does not store.
fn facts(file: &SeanimFile<'_>) -> Vec<(&'static str, String)> {
    let header = file.header();
    let mut facts =
        vec![("frames", header.frame_count.to_string()), ("bones", file.bone_count().to_string())];
    if file.modifiers().len() > 0 {
        facts.push(("modifiers", file.modifiers().len().to_string()));
    }
    let delta = file.delta_bone().and_then(|bone| file.bone(usize::try_from(bone.0).ok()?));
    if let Some(bone) = delta {
        facts.push(("delta bone", names::show(bone.name())));
    }
    if let Some(shapes) = file.blend_shapes() {
        facts.push(("blend shapes", shapes.len().to_string()));
    }
    match file.custom() {
        Custom::Absent => {}
        Custom::Missing => facts.push(("custom block", "missing".into())),
        Custom::Present(bytes) => facts.push(("custom block", format!("{} bytes", bytes.len()))),
    }
    if !file.trailing().is_empty() {
        facts.push(("trailing", format!("{} bytes", file.trailing().len())));
    }
    facts
}
