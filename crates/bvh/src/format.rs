//! Implements `Format`, with the options by name.

use inbetween_core::{
    Applies, Budget, ClipReader, ClipSummary, Confidence, Context, Document, FileEncoding, Finding,
    Format, FormatInfo, Hint, Inspection, Limits, OptionError, OptionInfo, Outcome, ReadError,
    ReadErrorKind, WholeFile, WriteError, Written, frames,
};

use crate::layout::ID;
use crate::options::{Bvh, order_of};
use crate::{BvhFile, check, codes, convert, layout, read};

static OPTIONS: &[OptionInfo] = &[
    OptionInfo {
        name: "fps",
        value: "RATE",
        help: "Frames per second: resample keys that are not on frames, and read files without \
               a valid frame rate at this rate",
        applies: Applies::Both,
    },
    OptionInfo {
        name: "bvh-order",
        value: "XYZ|XZY|YXZ|YZX|ZXY|ZYX",
        help: "Write the rotation channels in this order, left to right; angles keep their order \
               without it, and quaternions become ZXY",
        applies: Applies::Writing,
    },
];

static INFO: FormatInfo = FormatInfo::new(ID, "BVH", FileEncoding::Text)
    .with_extensions(&["bvh"])
    .with_summary("Skeletons with motion capture as text: joints, and one row of angles per frame")
    .with_promise("the same joints and numbers")
    .with_rules(crate::RULES)
    .with_stores(convert::STORES)
    .with_coordinates(layout::COORDINATES)
    .with_codes(&codes::USED)
    .with_options(OPTIONS)
    .with_fields(convert::FIELDS);

impl Format for Bvh {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn probe(&self, bytes: &[u8], hint: &Hint<'_>) -> Confidence {
        let cut = |error: &ReadError| matches!(error.kind(), ReadErrorKind::UnexpectedEnd { .. });
        match read::check_start(bytes) {
            Ok(()) => Confidence::Certain,
            Err(error) if cut(&error) && hint.names(&INFO) && !bytes.is_empty() => {
                Confidence::Possible
            }
            Err(_) => Confidence::No,
        }
    }

    fn check_start(&self, head: &[u8]) -> Result<Option<u64>, ReadError> {
        read::check_start(head).map(|()| None)
    }

    fn inspect(&self, bytes: &[u8], limits: &Limits) -> Result<Inspection, ReadError> {
        let file = BvhFile::parse(bytes, limits)?.value;
        let mut budget = Budget::new(limits, bytes.len());
        let document = convert::to_document(&file, self, &mut budget)?.value;
        let clips = document.clips.iter().map(ClipSummary::from).collect();
        Ok(Inspection { layout: String::new(), facts: facts(&file), clips })
    }

    fn check(&self, bytes: &[u8], limits: &Limits) -> Result<Vec<Finding>, ReadError> {
        check::check(bytes, limits)
    }

    fn open<'b>(
        &self,
        bytes: &'b [u8],
        budget: &mut Budget,
    ) -> Result<Box<dyn ClipReader + 'b>, ReadError> {
        let file = BvhFile::parse(bytes, budget.limits())?.value;
        Ok(Box::new(WholeFile::new(convert::to_document(&file, self, budget)?)))
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
        match name {
            "fps" => {
                let rate = value.parse().ok().filter(|rate| frames::valid_rate(*rate));
                let rate = rate.ok_or_else(|| bad("a positive number of frames per second"))?;
                Ok(Box::new(self.clone().frame_rate(rate)))
            }
            "bvh-order" => {
                let order = order_of(value).ok_or_else(|| bad("XYZ, XZY, YXZ, YZX, ZXY or ZYX"))?;
                Ok(Box::new(self.clone().order(order)))
            }
            _ => Err(OptionError::Unknown),
        }
    }
}

/// Lists the facts that the common model does not store.
fn facts(file: &BvhFile<'_>) -> Vec<(&'static str, String)> {
    let mut facts = vec![("joints", file.joints().len().to_string())];
    let tips = file.joints().iter().map(|joint| joint.tips.len()).fold(0, usize::saturating_add);
    facts.push(("end sites", tips.to_string()));
    if let Some(motion) = file.motion() {
        facts.push(("rows", motion.complete.to_string()));
        facts.push(("frame time", motion.frame_time.to_string()));
    }
    facts
}
