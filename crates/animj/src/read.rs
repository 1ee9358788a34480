//! From text to the exact model, to a document, or to findings alone.
//!
//! One reader does all three. Reading is strict where JSON is; checking gets over what it
//! can and notes it.

mod data;
mod keys;
mod members;
mod root;
mod shape;
mod sort;
mod track;
mod values;

use inbetween_core::resonite::SharedNames;
use inbetween_core::{Budget, Code, Finding, Findings, Limits, ReadError, ReadErrorKind};

use crate::check::Checks;
use crate::codes;
use crate::file::{AnimjFile, AnimjTrack};
use crate::json::{Cause, Fault, Json, Mark, Parsed, Tolerance, WayOn};
use crate::member::Member;
use crate::notes::Notes;
use crate::place::{Place, locate};
pub(crate) use data::TrackType;
pub(crate) use keys::NAMES as INTERPOLATIONS;
pub(crate) use root::NAMES as ROOT_NAMES;

/// The id of the format, in errors.
pub(crate) const ID: &str = "animj";

/// What a file is read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// For the exact model: what the format does not know is kept.
    Exact,
    /// For a document.
    Document,
    /// For what is worth saying about it.
    Check,
}

/// What takes the tracks as they come.
pub(crate) trait Tracks {
    /// Begins the list of tracks, again if the file has two.
    fn begin(&mut self) {}

    /// Returns how many tracks can come before memory has to move; 0 asks for
    /// [`reserve`](Self::reserve).
    fn room(&self) -> usize {
        usize::MAX
    }

    /// Returns how many tracks there are.
    fn len(&self) -> usize {
        0
    }

    /// Makes room for exactly so many more.
    fn reserve(&mut self, _more: usize) {}

    /// Takes the next track.
    ///
    /// # Errors
    ///
    /// Never for tracks that the reader makes.
    fn push(&mut self, track: AnimjTrack, findings: &mut Findings) -> Result<(), ReadError>;
}

/// What a file says beside its tracks.
#[derive(Debug, Default)]
pub(crate) struct Root {
    pub(crate) name: Option<inbetween_core::Text>,
    pub(crate) global_duration: f32,
    pub(crate) extra: Vec<Member>,
}

/// Reads a file for the exact model.
pub(crate) fn exact(
    bytes: &[u8],
    limits: &Limits,
    tracks: &mut dyn Tracks,
) -> Result<(Root, Findings), ReadError> {
    read(bytes, &mut Budget::new(limits, bytes.len()), Purpose::Exact, tracks)
}

/// Reads a file for a document.
pub(crate) fn document(
    bytes: &[u8],
    budget: &mut Budget,
    tracks: &mut dyn Tracks,
) -> Result<(Root, Findings), ReadError> {
    read(bytes, budget, Purpose::Document, tracks)
}

fn read(
    bytes: &[u8],
    budget: &mut Budget,
    purpose: Purpose,
    tracks: &mut dyn Tracks,
) -> Result<(Root, Findings), ReadError> {
    let text = utf8(bytes)?;
    // The reader owns what it spends: it charges for every key.
    let mut reader = Reader::new(text, budget.clone(), purpose);
    match reader.begin().and_then(|()| reader.root(tracks)) {
        Ok(root) => {
            *budget = reader.budget;
            Ok((root, reader.notes.into_findings(text)))
        }
        Err(fault) => Err(reader.error(text, fault)),
    }
}

/// Returns what is worth saying about a file, in the order of the places.
pub(crate) fn check(bytes: &[u8], limits: &Limits) -> Result<Vec<Finding>, ReadError> {
    let text = match utf8(bytes) {
        Ok(text) => text,
        Err(error) if looks_like_json(bytes) => return Ok(vec![not_utf8(&error)]),
        Err(error) => return Err(error),
    };
    let mut reader = Reader::new(text, Budget::new(limits, bytes.len()), Purpose::Check);
    if let Err(fault) = reader.begin() {
        return Err(reader.error(text, fault));
    }
    match reader.root(&mut Ignored) {
        Err(fault) if matches!(fault.0.kind, ReadErrorKind::Limit { .. }) => {
            return Err(reader.error(text, fault));
        }
        Err(fault) => {
            reader.take_slips();
            let place = reader.place;
            reader.notes.fault(fault, || place.path());
        }
        Ok(_) => {}
    }
    let mut findings = reader.notes.into_findings(text).into_vec();
    let offset =
        |finding: &Finding| finding.position.map_or(u64::MAX, inbetween_core::Position::offset);
    findings.sort_by_key(offset);
    Ok(findings)
}

/// Tracks that nobody keeps.
struct Ignored;

impl Tracks for Ignored {
    fn push(&mut self, _: AnimjTrack, _: &mut Findings) -> Result<(), ReadError> {
        Ok(())
    }
}

fn looks_like_json(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().first() == Some(&b'{')
}

fn not_utf8(error: &ReadError) -> Finding {
    let finding = Finding::new(codes::NOT_UTF8, error.kind().to_string());
    match error.position() {
        Some(position) => finding.position(position),
        None => finding,
    }
}

/// Returns the text of a file.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, ReadError> {
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(error) => error,
    };
    let end = error.valid_up_to();
    let valid = bytes.get(..end).and_then(|valid| std::str::from_utf8(valid).ok());
    let found = match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "UTF-16 text".to_owned(),
        _ => bytes.get(end).map_or_else(String::new, |byte| format!("byte {byte:#04x}")),
    };
    let error = ReadError::invalid("UTF-8 text", found).in_format(ID).with_hint("save it as UTF-8");
    Err(error.at_position(locate(valid.unwrap_or_default(), end)))
}

/// The reader: JSON, and all that it spends, notes and remembers.
#[derive(Debug)]
pub(crate) struct Reader<'t> {
    json: Json<'t>,
    pub(crate) place: Place,
    pub(crate) notes: Notes,
    pub(crate) checks: Checks,
    budget: Budget,
    /// How many bytes could be decoded at the beginning.
    decoded: u64,
    purpose: Purpose,
    shared_names: SharedNames,
    /// Where the value of the last trackType begins and ends, quotes included.
    track_type: (usize, usize),
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, budget: Budget, purpose: Purpose) -> Self {
        let tolerance = match purpose {
            Purpose::Check => Tolerance::Mend,
            Purpose::Exact | Purpose::Document => Tolerance::Strict,
        };
        Self {
            json: Json::new(text, budget.limits().depth, tolerance),
            place: Place::root(),
            notes: Notes::new(budget.limits(), text.len()),
            checks: Checks::default(),
            decoded: budget.bytes_left(),
            budget,
            purpose,
            shared_names: SharedNames::default(),
            track_type: (0, 0),
        }
    }

    /// Says whether this is a check.
    #[inline]
    fn checks(&self) -> bool {
        self.purpose == Purpose::Check
    }

    /// Spends decoded bytes.
    #[inline]
    fn charge(&mut self, bytes: usize) -> Parsed<()> {
        match self.budget.charge_bytes(bytes) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.limit(&error)),
        }
    }

    #[cold]
    fn limit(&self, error: &ReadError) -> Fault {
        Fault::stop(self.json.offset(), codes::NOT_JSON, error.kind().clone())
    }

    /// Notes something about the place where the reader is, in a check.
    pub(crate) fn note(
        &mut self,
        code: Code,
        at: usize,
        message: impl FnOnce() -> std::borrow::Cow<'static, str>,
    ) {
        if self.checks() {
            self.report(code, at, message);
        }
    }

    /// Notes what the result does not have, or not as the text says it.
    fn report(
        &mut self,
        code: Code,
        at: usize,
        message: impl FnOnce() -> std::borrow::Cow<'static, str>,
    ) {
        let place = self.place;
        self.notes.add(code, at, || place.path(), message);
    }

    /// Notes the slips that the JSON reader got over.
    #[inline]
    fn take_slips(&mut self) {
        if !self.json.slips.list.is_empty() {
            self.note_slips();
        }
    }

    /// As [`take_slips`](Self::take_slips), for slips found on the way on from below.
    #[inline]
    fn take_slips_at(&mut self, depth: usize) {
        if !self.json.slips.list.is_empty() {
            self.place.up_to(depth);
            self.note_slips();
        }
    }

    #[cold]
    fn note_slips(&mut self) {
        let place = self.place;
        for slip in std::mem::take(&mut self.json.slips.list) {
            self.notes.slip(slip, || place.path());
        }
    }

    /// Notes a fault and skips the value that has it; outside a check it stays a fault.
    #[cold]
    fn recover(&mut self, mark: Mark<'t>, fault: Fault) -> Parsed<()> {
        if !self.checks() || fault.0.way_on == WayOn::Stop {
            return Err(fault);
        }
        let place = self.place;
        self.notes.fault(fault, || place.path());
        self.json.go_to(mark);
        let muted = std::mem::replace(&mut self.json.slips.muted, true);
        let skipped = self.json.skip_value();
        self.json.slips.muted = muted;
        skipped.map(|_| ())
    }

    fn error(&self, text: &str, fault: Fault) -> ReadError {
        let Cause { at, kind, hint, .. } = *fault.0;
        let error = ReadError::new(kind)
            .in_format(ID)
            .at_path(self.place.path())
            .at_position(locate(text, at));
        match hint {
            Some(hint) => error.with_hint(hint),
            None => error,
        }
    }
}

impl AnimjFile {
    /// Reads a file.
    ///
    /// The findings tell of members that are not kept: unknown ones in keys and values, and
    /// those that are given twice; and of channels of a `color32` that are fractions, which
    /// become integers.
    ///
    /// # Errors
    ///
    /// When the text is not AnimJ, with line, column and JSON pointer, or costs more than the
    /// limits allow. What the game refuses but has one meaning is accepted; use
    /// [`Animj::check`](inbetween_core::Format::check) to hear of it.
    pub fn parse(
        bytes: &[u8],
        limits: &Limits,
    ) -> Result<inbetween_core::Outcome<Self>, ReadError> {
        let mut tracks = Vec::new();
        let (root, findings) = exact(bytes, limits, &mut tracks)?;
        let Root { name, global_duration, extra } = root;
        let parts = crate::file::AnimjParts { name, global_duration, tracks, extra };
        Ok(inbetween_core::Outcome::new(Self { parts }, findings))
    }
}

impl Tracks for Vec<AnimjTrack> {
    fn begin(&mut self) {
        self.clear();
    }

    fn push(&mut self, track: AnimjTrack, _: &mut Findings) -> Result<(), ReadError> {
        inbetween_core::grow::column(self, 1);
        Self::push(self, track);
        Ok(())
    }
}
