//! Implements `Format`, with the options by name.

use inbetween_core::parse::ByteCursor;
use inbetween_core::{
    Applies, Budget, ClipCount, ClipReader, ClipSummary, Confidence, Context, Document,
    FileEncoding, Finding, Format, FormatInfo, Hint, Inspection, Limits, OptionError, OptionInfo,
    Outcome, ReadError, WriteError, Written, frames, num,
};

use crate::file::CastFile;
use crate::head::node_head;
use crate::layout::{ID, MAGIC, MAGIC_1, NODE_HEAD, NodeId, PROPERTY_HEAD};
use crate::names::show;
use crate::options::{Cast, ScaleMode, Store, Up};
use crate::read::parse_header;
use crate::{check, codes, convert};

static OPTIONS: &[OptionInfo] = &[
    OptionInfo {
        name: "fps",
        value: "RATE",
        help: "Frames per second: resample keys that are not on frames, and read files without \
               a valid frame rate at this rate",
        applies: Applies::Both,
    },
    OptionInfo {
        name: "cast-names",
        value: "keep|drop",
        help: "Write the skeleton, and the names of bones without keys, as skeletons of the \
               animation [default: drop the names and write the skeleton as a model]",
        applies: Applies::Writing,
    },
    OptionInfo {
        name: "cast-scale",
        value: "absolute|additive",
        help: "Write the scales of additive animations in this mode [default: absolute]",
        applies: Applies::Writing,
    },
    OptionInfo {
        name: "cast-end",
        value: "keep|drop",
        help: "Write a key at the stated duration if no key is there [default: drop]",
        applies: Applies::Writing,
    },
    OptionInfo {
        name: "cast-up",
        value: "x|y|z",
        help: "Name this axis as up in the metadata; values do not change",
        applies: Applies::Writing,
    },
];

static INFO: FormatInfo = FormatInfo::new(ID, "Cast", FileEncoding::Binary)
    .with_extensions(&["cast"])
    .with_summary("Animations and models of Call of Duty modding: version 1 of the open container")
    .with_promise("byte-identical")
    .with_clips(ClipCount::Many)
    .with_rules(crate::RULES)
    .with_stores(convert::STORES)
    .with_coordinates(convert::COORDINATES)
    .with_codes(&codes::USED)
    .with_options(OPTIONS)
    .with_fields(convert::FIELDS);

impl Format for Cast {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn probe(&self, bytes: &[u8], hint: &Hint<'_>) -> Confidence {
        match Confidence::of_magic(bytes, MAGIC_1, hint, &INFO) {
            Confidence::No if bytes.starts_with(MAGIC) => Confidence::Possible,
            confidence => confidence,
        }
    }

    fn check_start(&self, head: &[u8]) -> Result<Option<u64>, ReadError> {
        let mut cursor = ByteCursor::new(ID, head);
        let (_, roots) = parse_header(&mut cursor)?;
        if let Ok(file) = CastFile::parse(head, &Limits::default()) {
            return Ok(Some(num::u64_from_len(file.end)));
        }
        // What the header and the first node claim must fit in a file that may be read.
        if let (true, Ok((_, first))) = (roots > 0, node_head(cursor.rest())) {
            let nodes = u64::from(roots).saturating_add(first.children.into());
            let nodes = nodes.saturating_mul(num::u64_from_len(NODE_HEAD));
            let properties =
                u64::from(first.properties).saturating_mul(num::u64_from_len(PROPERTY_HEAD));
            let (requested, limit) =
                (nodes.saturating_add(properties), Limits::default().input_bytes);
            if requested > limit {
                let error = ReadError::limit("bytes of input", requested, limit);
                return Err(cursor.place(error, "rootCount"));
            }
        }
        Ok(None)
    }

    fn inspect(&self, bytes: &[u8], limits: &Limits) -> Result<Inspection, ReadError> {
        let (file, broken) = CastFile::parse_sound(bytes, limits)?;
        let facts = facts(&file);
        let header = file.header();
        let layout = format!("version {}, {} nodes", header.version, file.node_count());
        let mut budget = Budget::new(limits, bytes.len());
        let document =
            convert::Clips::new((file, broken), self, &mut budget)?.read_all(&mut budget)?.value;
        let clips = document.clips.iter().map(ClipSummary::from).collect();
        Ok(Inspection { layout, facts, clips })
    }

    fn check(&self, bytes: &[u8], limits: &Limits) -> Result<Vec<Finding>, ReadError> {
        let (file, broken) = CastFile::parse_sound(bytes, limits)?;
        Ok(check::check(&file, &broken, limits))
    }

    fn open<'b>(
        &self,
        bytes: &'b [u8],
        budget: &mut Budget,
    ) -> Result<Box<dyn ClipReader + 'b>, ReadError> {
        let read = CastFile::parse_sound(bytes, budget.limits())?;
        Ok(Box::new(convert::Clips::new(read, self, budget)?))
    }

    fn write_within(
        &self,
        document: Document,
        budget: &mut Budget,
    ) -> Result<Outcome<Written>, WriteError> {
        Context::writing(ID, budget, |context| convert::from_document(document, self, context))
    }

    fn with_option(&self, name: &str, value: &str) -> Result<Box<dyn Format>, OptionError> {
        let bad = |expected: &'static str| OptionError::BadValue { expected: expected.into() };
        let store = || match value {
            "keep" => Ok(Store::Keep),
            "drop" => Ok(Store::Drop),
            _ => Err(bad("keep or drop")),
        };
        let format = self.clone();
        Ok(Box::new(match name {
            "fps" => {
                let rate = value.parse().ok().filter(|rate| frames::valid_rate(*rate));
                format.frame_rate(rate.ok_or(bad("a positive number of frames per second"))?)
            }
            "cast-names" => format.with_names(store()?),
            "cast-end" => format.with_end(store()?),
            "cast-scale" => format.with_scale_mode(match value {
                "absolute" => ScaleMode::Absolute,
                "additive" => ScaleMode::Additive,
                _ => return Err(bad("absolute or additive")),
            }),
            "cast-up" => {
                let up = [Up::X, Up::Y, Up::Z].into_iter().find(|up| up.name() == value);
                format.with_up(up.ok_or(bad("x, y or z"))?)
            }
            _ => return Err(OptionError::Unknown),
        }))
    }

    #[cfg(feature = "text")]
    fn text(&self) -> Option<&dyn inbetween_core::TextForm> {
        Some(self)
    }
}

/// Lists the facts that the common model does not store.
fn facts(file: &CastFile<'_>) -> Vec<(&'static str, String)> {
    let names: [(&'static str, NodeId); 7] = [
        ("models", NodeId::MODEL),
        ("meshes", NodeId::MESH),
        ("materials", NodeId::MATERIAL),
        ("bones", NodeId::BONE),
        ("curves", NodeId::CURVE),
        ("mode overrides", NodeId::CURVE_MODE_OVERRIDE),
        ("instances", NodeId::INSTANCE),
    ];
    let counts =
        names.map(|(name, id)| (name, file.nodes().filter(|node| node.id() == id).count()));
    let counts = counts.into_iter().filter(|(_, count)| *count > 0);
    let mut facts: Vec<_> = counts.map(|(name, count)| (name, count.to_string())).collect();
    let metadata = file.nodes().find(|node| node.id() == NodeId::METADATA);
    for (name, property) in [("software", "s"), ("author", "a"), ("up axis", "up")] {
        if let Some(text) = metadata.as_ref().and_then(|node| node.string(property)) {
            facts.push((name, show(text)));
        }
    }
    if !file.trailing().is_empty() {
        facts.push(("trailing", format!("{} bytes", file.trailing().len())));
    }
    facts
}
