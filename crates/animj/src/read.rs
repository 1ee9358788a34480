//! Reads text into the exact model or only into findings.
//!
//! One reader does both. Reading is as strict as JSON; checking recovers from mistakes where
//! possible and reports them.

mod arrays;
mod data;
mod keys;
mod members;
mod not_finite;
mod root;
mod shape;
mod sort;
mod track;
mod values;

use inbetween_core::memory::OutOfMemory;
use inbetween_core::resonite::SharedNames;
use inbetween_core::{
    Budget, Code, Finding, Findings, Limits, Outcome, ReadError, ReadErrorKind, Remedy,
    codes as shared,
};

use self::arrays::QuaternionArrays;
use self::not_finite::NumberPlace;
use crate::check::{Checks, Noting};
use crate::codes;
use crate::file::AnimjFile;
use crate::layout::ID;
use crate::notes::Notes;
use crate::options::Nan;
use crate::reader_path::ReaderPath;
use inbetween_core::json::{
    Json, JsonError, JsonErrorCause, JsonResult, Mark, Recovery, Tolerance, locate,
};

/// The purpose of reading a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// For the exact model: unknown members are kept.
    Exact,
    /// For an exact model that becomes a document: unknown members are reported and dropped,
    /// because a document may cost little more memory than its columns.
    Document,
    /// For findings: nothing is kept.
    Check,
}

fn read(
    bytes: &[u8],
    budget: &mut Budget,
    purpose: Purpose,
) -> Result<(AnimjFile, Findings), ReadError> {
    let text = utf8(bytes)?;
    // The reader owns its budget, because it charges every key. If it fails, nothing was charged.
    let mut reader = Reader::new(text, budget.clone(), purpose);
    match reader.begin().and_then(|()| reader.root()) {
        Ok(parts) => {
            *budget = reader.budget;
            Ok((AnimjFile { parts }, reader.notes.into_findings(text)))
        }
        Err(fault) => Err(reader.error(text, fault)),
    }
}

/// Returns the findings about a file, sorted by position.
pub(crate) fn check(
    bytes: &[u8],
    nan: Option<Nan>,
    limits: &Limits,
) -> Result<Vec<Finding>, ReadError> {
    let text = match utf8(bytes) {
        Ok(text) => text,
        Err(error) if looks_like_json(bytes) => return Ok(vec![not_utf8(&error)]),
        Err(error) => return Err(error),
    };
    let mut reader = Reader::new(text, Budget::new(limits, bytes.len()), Purpose::Check);
    reader.nan = nan;
    if let Err(fault) = reader.begin() {
        return Err(reader.error(text, fault));
    }
    match reader.root() {
        Err(fault) if matches!(fault.0.kind, ReadErrorKind::Limit { .. }) => {
            return Err(reader.error(text, fault));
        }
        Err(fault) => {
            reader.take_repairs();
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

fn looks_like_json(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().first() == Some(&b'{')
}

fn not_utf8(error: &ReadError) -> Finding {
    let finding = Finding::new(shared::NOT_UTF8, error.kind().to_string());
    match error.position() {
        Some(position) => finding.position(position),
        None => finding,
    }
}

/// Returns the text of a file.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, ReadError> {
    inbetween_core::json::utf8(bytes).map_err(|error| error.in_format(ID))
}

/// The reader: the JSON cursor, the budget, the findings and the current path.
#[derive(Debug)]
pub(crate) struct Reader<'t> {
    json: Json<'t>,
    pub(crate) place: ReaderPath,
    pub(crate) notes: Notes,
    pub(crate) checks: Checks,
    budget: Budget,
    /// The decoded bytes allowed at the start.
    decoded: u64,
    purpose: Purpose,
    shared_names: SharedNames,
    /// The range of the value of the last trackType, including quotes.
    track_type: (usize, usize),
    /// The error of the first track that was skipped, with its place.
    skipped: Option<(JsonError, ReaderPath)>,
    /// What takes the place of numbers that are not finite.
    nan: Option<Nan>,
    number: NumberPlace<'t>,
    quaternions: QuaternionArrays,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, budget: Budget, purpose: Purpose) -> Self {
        let tolerance = match purpose {
            Purpose::Check => Tolerance::Repair,
            Purpose::Exact | Purpose::Document => Tolerance::Strict,
        };
        Self {
            json: Json::new(text, budget.limits().depth, tolerance, &codes::JSON),
            place: ReaderPath::root(),
            notes: Notes::new(budget.limits(), text.len()),
            checks: Checks::default(),
            decoded: budget.bytes_left(),
            budget,
            purpose,
            shared_names: SharedNames::default(),
            track_type: (0, 0),
            skipped: None,
            nan: None,
            number: NumberPlace::default(),
            quaternions: QuaternionArrays::default(),
        }
    }

    /// Returns whether this is a check.
    #[inline]
    fn checks(&self) -> bool {
        self.purpose == Purpose::Check
    }

    /// Charges decoded bytes to the budget.
    #[inline]
    fn charge(&mut self, bytes: usize) -> JsonResult<()> {
        match self.budget.charge_bytes(bytes) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.limit(&error)),
        }
    }

    /// Appends a value to a column.
    #[inline]
    fn push<T>(&self, column: &mut Vec<T>, value: T) -> JsonResult<()> {
        inbetween_core::grow::try_column(column, 1).map_err(|error| self.out_of_memory(error))?;
        column.push(value);
        Ok(())
    }

    #[cold]
    fn out_of_memory(&self, error: OutOfMemory) -> JsonError {
        self.limit(&error.into())
    }

    #[cold]
    fn limit(&self, error: &ReadError) -> JsonError {
        JsonError::stop(self.json.offset(), codes::NOT_JSON, error.kind().clone())
    }

    /// Adds a finding at the current position, in a check.
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

    /// Returns the checks, and where they note findings about the current place.
    fn checking(&mut self) -> (&mut Checks, Noting<'_>) {
        (&mut self.checks, Noting { place: self.place, notes: &mut self.notes })
    }

    /// Reports data that the result lacks or changes.
    fn report(
        &mut self,
        code: Code,
        at: usize,
        message: impl FnOnce() -> std::borrow::Cow<'static, str>,
    ) {
        let place = self.place;
        self.notes.add(code, at, || place.path(), message);
    }

    /// Reports the repairs made by the JSON reader.
    #[inline]
    fn take_repairs(&mut self) {
        if !self.json.repairs.list.is_empty() {
            self.note_repairs();
        }
    }

    /// Like [`take_repairs`](Self::take_repairs), for repairs found while leaving nested values.
    #[inline]
    fn take_repairs_at(&mut self, depth: usize) {
        if !self.json.repairs.list.is_empty() {
            self.place.up_to(depth);
            self.note_repairs();
        }
    }

    #[cold]
    fn note_repairs(&mut self) {
        let place = self.place;
        for repair in std::mem::take(&mut self.json.repairs.list) {
            self.notes.repair(repair, || place.path());
        }
    }

    /// Reports an error and skips its value in a check; otherwise returns the error.
    #[cold]
    fn recover(&mut self, mark: Mark<'t>, fault: JsonError) -> JsonResult<()> {
        if !self.checks() || fault.0.recovery == Recovery::Stop {
            return Err(fault);
        }
        let place = self.place;
        self.notes.fault(fault, || place.path());
        self.skip_quietly(mark)
    }

    /// Skips the value at a mark without listing its repairs.
    fn skip_quietly(&mut self, mark: Mark<'t>) -> JsonResult<()> {
        self.json.go_to(mark);
        let muted = std::mem::replace(&mut self.json.repairs.muted, true);
        let skipped = self.json.skip_value();
        self.json.repairs.muted = muted;
        skipped.map(|_| ())
    }

    fn error(&self, text: &str, fault: JsonError) -> ReadError {
        let JsonErrorCause { at, kind, hint, remedy, .. } = *fault.0;
        let mut error = ReadError::new(kind)
            .in_format(ID)
            .at_path(self.place.path())
            .at_position(locate(text, at));
        if let Some(hint) = hint {
            error = error.with_hint(hint);
        }
        // A check goes on after mistakes.
        let is_other = self.checks() || error.is_limit();
        match remedy.or((!is_other).then_some(Remedy::Check)) {
            Some(remedy) => error.with_remedy(remedy),
            None => error,
        }
    }
}

impl AnimjFile {
    /// Reads a file.
    ///
    /// The findings report members that are not kept: unknown ones in keys and values, and
    /// duplicates. They also report `color32` channels given as fractions, which become integers.
    ///
    /// # Errors
    ///
    /// If the text is not AnimJ, with line, column and JSON pointer, or exceeds the limits. Text
    /// that Resonite refuses but that has one clear meaning is accepted; use
    /// [`Animj::check`](inbetween_core::Format::check) to find such problems.
    pub fn parse(bytes: &[u8], limits: &Limits) -> Result<Outcome<Self>, ReadError> {
        let mut budget = Budget::new(limits, bytes.len());
        let (file, findings) = read(bytes, &mut budget, Purpose::Exact)?;
        Ok(Outcome::new(file, findings))
    }

    /// Reads a file for conversion to a document: unknown members are reported and dropped, so that
    /// they cost no memory.
    pub(crate) fn parse_for_document(
        bytes: &[u8],
        budget: &mut Budget,
    ) -> Result<(Self, Findings), ReadError> {
        read(bytes, budget, Purpose::Document)
    }
}
