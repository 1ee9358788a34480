//! Implements `Format`, with the options by name.

use inbetween_core::json::check_start;
use inbetween_core::resonite::EmptyTracks;
use inbetween_core::{
    Applies, Budget, ClipReader, ClipSummary, Confidence, Context, Document, FileEncoding, Finding,
    Format, FormatInfo, Hint, Inspection, Limits, OptionError, OptionInfo, Outcome, ReadError,
    WholeFile, WriteError, Written,
};

use crate::layout::ID;
use crate::options::{Animj, Matrices, Nan};
use crate::read;
use crate::{Style, codes, convert, detect};

static OPTIONS: &[OptionInfo] = &[
    OptionInfo {
        name: "style",
        value: "pretty|compact",
        help: "Write one line per key, or everything on one line",
        applies: Applies::Writing,
    },
    OptionInfo {
        name: "matrices",
        value: "drop|rows",
        help: "Drop tracks of matrices, which Resonite reads as zero, or write them as rows",
        applies: Applies::Writing,
    },
    OptionInfo {
        name: "empty-tracks",
        value: "keep|drop",
        help: "Keep or drop tracks without keys, which are reported to crash Resonite",
        applies: Applies::Writing,
    },
    OptionInfo {
        name: "nan",
        value: "previous|zero|drop",
        help: "When fixing, replace numbers that are NaN or infinite by that of the key before, or by \
               0, or drop their keys",
        applies: Applies::Fixing,
    },
];

static INFO: FormatInfo = FormatInfo::new(ID, "AnimJ", FileEncoding::Text)
    .with_extensions(&["animj"])
    .with_summary("Animations of Resonite as JSON text, with tracks of any value type")
    .with_promise("the same values, floats bit for bit; unknown members kept")
    .with_stores(convert::STORES)
    .with_coordinates(inbetween_core::resonite::COORDINATES)
    .with_rules(inbetween_core::resonite::RULES)
    .with_codes(&codes::USED)
    .with_options(OPTIONS)
    .with_fields(convert::FIELDS);

impl Format for Animj {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn probe(&self, bytes: &[u8], hint: &Hint<'_>) -> Confidence {
        detect::probe(bytes, hint.names(&INFO))
    }

    fn check_start(&self, head: &[u8]) -> Result<Option<u64>, ReadError> {
        check_start(head).map(|()| None).map_err(|error| error.in_format(ID))
    }

    fn inspect(&self, bytes: &[u8], limits: &Limits) -> Result<Inspection, ReadError> {
        let Outcome { value: document, findings } =
            convert::to_document(bytes, &mut Budget::new(limits, bytes.len()))?;
        let unknown = findings.iter().filter(|finding| finding.code == codes::EXTRA_DROPPED);
        let unknown = unknown.fold(0, |sum: u64, finding| sum.saturating_add(finding.count));
        Ok(Inspection {
            layout: detect::describe(bytes),
            facts: if unknown > 0 {
                vec![("unknown members", unknown.to_string())]
            } else {
                Vec::new()
            },
            clips: document.clips.iter().map(ClipSummary::from).collect(),
        })
    }

    fn check(&self, bytes: &[u8], limits: &Limits) -> Result<Vec<Finding>, ReadError> {
        read::check(bytes, self.nan_rule(), limits)
    }

    fn open<'b>(
        &self,
        bytes: &'b [u8],
        budget: &mut Budget,
    ) -> Result<Box<dyn ClipReader + 'b>, ReadError> {
        Ok(Box::new(WholeFile::new(convert::to_document(bytes, budget)?)))
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
        let format = match (name, value) {
            ("style", _) => {
                let known = Style::ALL.iter().find(|(known, _)| *known == value);
                self.clone().style(known.ok_or_else(|| bad("pretty or compact"))?.1)
            }
            ("matrices", "drop") => self.clone().matrices(Matrices::Drop),
            ("matrices", "rows") => self.clone().matrices(Matrices::Rows),
            ("matrices", _) => return Err(bad("drop or rows")),
            ("empty-tracks", "keep") => self.clone().empty_tracks(EmptyTracks::Keep),
            ("empty-tracks", "drop") => self.clone().empty_tracks(EmptyTracks::Drop),
            ("nan", "previous") => self.clone().nan(Nan::Previous),
            ("nan", "zero") => self.clone().nan(Nan::Zero),
            ("nan", "drop") => self.clone().nan(Nan::Drop),
            ("nan", _) => return Err(bad("previous, zero or drop")),
            ("empty-tracks", _) => return Err(bad("keep or drop")),
            _ => return Err(OptionError::Unknown),
        };
        Ok(Box::new(format))
    }
}
