//! The laws, which every format must obey for every input.
//!
//! Property tests, the replay of fixtures, fuzz targets and `cargo xtask compat` run them. A broken
//! law panics with the expected and the found value.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use inbetween_core::{
    Budget, ClipSummary, Code, Confidence, Document, FileEncoding, Finding, Format, Hint,
    Inspection, Limits, ReadError, ReadErrorKind, Severity, Track, TrackSummary, WriteError,
    WriteErrorKind, codes, each_clip,
};

use crate::difference::difference;
use crate::lines::with_lines;
use crate::mutate::{Change, single_byte_changes};

/// A file that was written again through the exact model of its format: from the kept bytes, and
/// from owned parts alone. If the parts of a file cannot be written, the rewriter panics.
pub type Rewritten = Result<[Vec<u8>; 2], ReadError>;

/// Rewrites the files of a format. [`rewriter!`](crate::rewriter) makes one.
pub type Rewriter<'a> = &'a dyn Fn(&[u8], &Limits) -> Rewritten;

/// Returns the function that rewrites files through an exact model: a [`Rewriter`] by reference.
///
/// `rewriter!(SeanimFile::parse)` is that of a binary format, `rewriter!(format.parse)` that of one
/// with options, and `rewriter!(text AnimjFile)` that of a text format.
#[macro_export]
macro_rules! rewriter {
    (text $file:ty) => {
        |bytes: &[u8], limits: &$crate::Limits| -> $crate::laws::Rewritten {
            let file = <$file>::parse(bytes, limits)?.value;
            let kept = file.to_text(Default::default()).into_bytes();
            let parts = <$file>::from_parts(file.into_parts()).expect("the parts are of a file");
            Ok([kept, parts.to_text(Default::default()).into_bytes()])
        }
    };
    ($($parse:tt)+) => {
        |bytes: &[u8], limits: &$crate::Limits| -> $crate::laws::Rewritten {
            let file = $($parse)+(bytes, limits)?;
            let kept = file.to_bytes().to_vec();
            Ok([kept, file.into_parts().to_bytes().expect("the parts are of a file")])
        }
    };
}

/// Runs the laws of reading, except those of small limits, and those of round trips.
pub fn all(format: &dyn Format, rewriter: Rewriter<'_>, bytes: &[u8]) {
    no_panic(format, rewriter, bytes);
    probe_agrees(format, bytes);
    start_agrees(format, bytes);
    clips_one_by_one(format, bytes);
    round_trips(format, rewriter, bytes);
}

/// Runs the laws of reading.
pub fn reading(format: &dyn Format, rewriter: Rewriter<'_>, bytes: &[u8]) {
    no_panic(format, rewriter, bytes);
    probe_agrees(format, bytes);
    start_agrees(format, bytes);
    clips_one_by_one(format, bytes);
    limits_hold(format, rewriter, bytes);
}

/// Runs the laws of round trips.
pub fn round_trips(format: &dyn Format, rewriter: Rewriter<'_>, bytes: &[u8]) {
    bytes_round_trip(format, rewriter, bytes);
    model_round_trip(format, bytes);
}

/// Checks that the clips and findings of a file are the same when its clips are read one at a time.
pub fn clips_one_by_one(format: &dyn Format, bytes: &[u8]) {
    let Ok(whole) = format.read(bytes, &Limits::default()) else { return };
    let mut budget = Budget::new(&Limits::default(), bytes.len());
    let mut reader = format.open(bytes, &mut budget).expect("it was read at once");
    let mut single = reader.without_clips();
    let origin = single.origin.clone();
    let format_id = origin.as_ref().map(|origin| origin.format);
    assert_eq!(format_id, Some(format.info().id), "a document comes from its format");
    let mut findings = reader.file_findings();
    let (skeleton, names) = (single.skeleton.clone(), reader.names().to_vec());
    let read = each_clip(&mut *reader, &mut budget, |index, clip| {
        assert_eq!(clip.value.skeleton, skeleton, "a clip has the skeleton of its file");
        assert_eq!(clip.value.origin, origin, "a clip has the origin of its file");
        match clip.value.clips.as_slice() {
            [clip] => assert_eq!(clip.name, names[index], "a clip has its name"),
            clips => {
                assert!(clips.is_empty(), "a clip is a document of one");
                assert!(has_skipped(&clip.findings), "a clip is missing without a finding");
            }
        }
        single.clips.extend(clip.value.clips);
        findings.extend(clip.findings);
    });
    read.expect("it was read at once");
    assert_eq!(difference(&single, &whole.value), None);
    assert_eq!((findings, origin), (whole.findings, whole.value.origin));
}

/// Returns whether a part of a file was broken.
fn has_skipped(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.code == codes::PART_SKIPPED)
}

/// Checks that no operation panics, that inspecting and checking accept the files that reading
/// accepts, and that inspecting lists the tracks and markers of the document.
pub fn no_panic(format: &dyn Format, rewriter: Rewriter<'_>, bytes: &[u8]) {
    let limits = Limits::default();
    let inspection = format.inspect(bytes, &limits);
    let check = format.check(bytes, &limits);
    let rewritten = rewriter(bytes, &limits);
    for extension in [None, Some("json"), format.info().extensions.first().copied()] {
        let _ = format.probe(bytes, &Hint { extension });
    }
    if let Ok(outcome) = format.read(bytes, &limits) {
        let inspection = inspection.unwrap_or_else(|error| panic!("read, but {error}"));
        assert_eq!(check.as_ref().err(), None, "read, but check refuses");
        if has_skipped(&outcome.findings) {
            let mut found = check.iter().flatten();
            assert!(found.any(|found| found.severity() == Severity::Error), "check is silent");
        } else {
            assert_same_clips(format, &inspection, &outcome.value);
            assert_eq!(rewritten.err(), None, "read, but not rewritten");
        }
        assert_known_codes(format, &outcome.findings);
    }
    assert_known_codes(format, &check.unwrap_or_default());
}

/// Fails if an inspection lists other tracks or markers than a document has. It may count keys that
/// reading drops, since it does not look at their times.
fn assert_same_clips(format: &dyn Format, inspection: &Inspection, document: &Document) {
    let expected: Vec<_> = document.clips.iter().map(ClipSummary::from).collect();
    let id = format.info().id;
    assert_eq!(inspection.clips.len(), expected.len(), "{id}: clips");
    for (seen, clip) in inspection.clips.iter().zip(&expected) {
        assert_eq!(seen.tracks.len(), clip.tracks.len(), "{id}: tracks");
        for (seen, track) in seen.tracks.iter().zip(&clip.tracks) {
            assert!(seen.keys >= track.keys, "{id}: {seen:?} for {track:?}");
            assert_eq!(*seen, TrackSummary { keys: seen.keys, ..track.clone() }, "{id}: track");
        }
        assert_eq!(format!("{:?}", seen.markers), format!("{:?}", clip.markers), "{id}: markers");
    }
}

fn assert_known_codes(format: &dyn Format, findings: &[Finding]) {
    for finding in findings {
        let known = format.info().codes.contains(&finding.code);
        assert!(known, "{} is reported, but missing in FormatInfo::codes", finding.code);
    }
}

/// Checks that the probe recognizes a file that can be read, and that the correct extension never
/// lowers its confidence.
pub fn probe_agrees(format: &dyn Format, bytes: &[u8]) {
    let extension = format.info().extensions.first().copied();
    let without = format.probe(bytes, &Hint::default());
    let with = format.probe(bytes, &Hint { extension });
    assert!(with >= without, "the own extension makes the probe less sure: {with:?} < {without:?}");
    if format.read(bytes, &Limits::default()).is_ok() {
        assert!(with > Confidence::No, "read, but the probe does not claim it");
    }
}

/// The length of the shortest start of a file that must be enough for its magic number.
const START: usize = 16;

/// Checks that the start of a file that can be read is accepted, that it shows the same end of the data
/// as the whole file, and that the data up to that end can be read.
pub fn start_agrees(format: &dyn Format, bytes: &[u8]) {
    let whole = format.check_start(bytes);
    if format.read(bytes, &Limits::default()).is_err() {
        return;
    }
    if let Ok(Some(end)) = whole {
        let data = usize::try_from(end).ok().and_then(|end| bytes.get(..end));
        let read = data.map(|data| format.read(data, &Limits::default()).is_ok());
        assert_eq!(read, Some(true), "the file without what follows byte {end}");
    }
    for length in [START, bytes.len() / 2, bytes.len()] {
        let Some(start) = bytes.get(..length).filter(|start| start.len() >= START) else {
            continue;
        };
        match format.check_start(start) {
            Ok(Some(end)) => assert_eq!(whole, Ok(Some(end)), "the end shown by {length} bytes"),
            Ok(None) => {}
            Err(error) => assert!(is_end(&error), "read, but its first {length} bytes: {error}"),
        }
    }
}

fn is_end(error: &ReadError) -> bool {
    matches!(error.kind(), ReadErrorKind::UnexpectedEnd { .. })
}

/// Checks the round trip of the exact model. A binary file that is accepted is rewritten byte for
/// byte, from the kept bytes and from owned parts. Rewriting a text file keeps the document, gives
/// the same result in both ways, and changes nothing when repeated.
pub fn bytes_round_trip(format: &dyn Format, rewriter: Rewriter<'_>, bytes: &[u8]) {
    let limits = Limits::default();
    let Ok([rewritten, rebuilt]) = rewriter(bytes, &limits) else {
        return;
    };
    match format.info().encoding {
        FileEncoding::Binary => {
            assert_same_bytes("rewrite", bytes, &rewritten);
            assert_same_bytes("rebuild", bytes, &rebuilt);
        }
        FileEncoding::Text => {
            assert_same_bytes("rebuild after rewrite", &rewritten, &rebuilt);
            let [again, _] = rewriter(&rewritten, &limits)
                .unwrap_or_else(|error| panic!("cannot rewrite twice: {error}"));
            assert_same_bytes("the second rewrite", &rewritten, &again);
            assert_same_document(format, bytes, &rewritten);
        }
    }
}

fn assert_same_bytes(what: &str, expected: &[u8], found: &[u8]) {
    if expected == found {
        return;
    }
    let at = expected.iter().zip(found).take_while(|(a, b)| a == b).count();
    let part = |bytes: &[u8]| bytes[at..bytes.len().min(at + 16)].escape_ascii().to_string();
    panic!(
        "{what}: {} bytes became {}; they differ from byte {at:#x} on: \"{}\" became \"{}\"",
        expected.len(),
        found.len(),
        part(expected),
        part(found)
    );
}

fn assert_same_document(format: &dyn Format, before: &[u8], after: &[u8]) {
    let limits = Limits::default();
    match (format.read(before, &limits), format.read(after, &limits)) {
        (Ok(before), Ok(after)) => {
            let changed = difference(&before.value, &after.value);
            assert_eq!(changed, None, "rewriting changes the document");
        }
        (Ok(_), Err(error)) => panic!("what was rewritten is refused: {error}"),
        (Err(_), _) => {}
    }
}

/// The result of writing a document and reading it back.
#[derive(Clone, Debug, PartialEq)]
pub enum RoundTrip {
    /// The file could not be read, so there was nothing to write.
    NotRead,
    /// The format cannot represent the document.
    Refused(WriteError),
    /// The writer reported nothing, and the document read back is the same.
    Kept,
    /// The writer reported these codes; further round trips change nothing.
    Reported(Vec<Code>),
}

/// Checks [`document_round_trip`] for the document of a file.
pub fn model_round_trip(format: &dyn Format, bytes: &[u8]) -> RoundTrip {
    match format.read(bytes, &Limits::default()) {
        Ok(outcome) => document_round_trip(format, &outcome.value),
        Err(_) => RoundTrip::NotRead,
    }
}

/// Checks that writing a document and reading it back keeps it, except for reported changes.
///
/// 1. The writer rejects only documents that the format cannot represent, that are too large, or
///    that have the wrong number of clips.
/// 2. The written file can be read.
/// 3. If the writer reported nothing, the document read back is the same, except that an empty clip
///    name equals no name.
/// 4. The document read back is written without a loss, and further round trips change nothing,
///    unless the writer reported that its own reader needs an option to read the file. What a
///    [model](inbetween_core::Origin::model) lacks, it lacks again.
pub fn document_round_trip(format: &dyn Format, document: &Document) -> RoundTrip {
    RoundTrip::of(settle(format, document).map(|(reported, _)| reported))
}

/// Checks that the document of a file survives a conversion to another format and back: each
/// direction obeys [`document_round_trip`], and if nothing was reported, the document is the same.
pub fn conversion_round_trip(from: &dyn Format, to: &dyn Format, bytes: &[u8]) -> RoundTrip {
    let Ok(first) = from.read(bytes, &Limits::default()) else { return RoundTrip::NotRead };
    let there_and_back = settle(to, &first.value).and_then(|(mut reported, converted)| {
        let (more, back) = settle(from, &converted)?;
        reported.extend(more);
        if reported.is_empty() {
            assert_kept(&first.value, &back);
        }
        Ok(reported)
    });
    RoundTrip::of(there_and_back)
}

impl RoundTrip {
    fn of(reported: Result<Vec<Finding>, WriteError>) -> Self {
        match reported {
            Err(error) => Self::Refused(error),
            Ok(reported) if reported.is_empty() => Self::Kept,
            Ok(reported) => Self::Reported(reported.iter().map(|finding| finding.code).collect()),
        }
    }
}

/// Writes a document and reads it back until nothing changes; returns the findings and the
/// resulting document.
fn settle(
    format: &dyn Format,
    document: &Document,
) -> Result<(Vec<Finding>, Document), WriteError> {
    let (reported, second) = write_and_read(format, document).inspect_err(|error| {
        let inconsistent = matches!(error.kind(), WriteErrorKind::Inconsistent { .. });
        assert!(!inconsistent, "the writer tripped over its own columns: {error}");
    })?;
    if reported.is_empty() {
        assert_kept(document, &second);
    }
    if reported.iter().any(misleads) {
        return Ok((reported, second));
    }
    let (again, third) = write_and_read(format, &second)
        .unwrap_or_else(|error| panic!("what was written is refused the second time: {error}"));
    // What is odd about a model stays so.
    let model = second.origin.as_ref().is_some_and(|origin| origin.model.is_some());
    let is_of_model = |finding: &Finding| {
        let is_same = |it: &Finding| (it.code, &it.message) == (finding.code, &finding.message);
        model && reported.iter().any(is_same)
    };
    let lossy = again.iter().filter(|finding| finding.code.is_loss() && !is_of_model(finding));
    let lossy: Vec<_> = lossy.collect();
    assert!(lossy.is_empty(), "what was written is written with losses: {lossy:?}");
    assert_eq!(difference(&second, &third), None, "the document changes again");
    Ok((reported, second))
}

/// Checks that a document is unchanged if nothing was reported.
///
/// An empty clip name equals no name: formats that always store a name write "" for a missing one,
/// and formats without names lose nothing if it is empty. Stated blend modes that are not those of
/// the tracks do not count either, nor whether a straight segment is linear or a curve. The nodes of a model stay, but those that neither a skin nor a track
/// needs are no bones.
fn assert_kept(before: &Document, after: &Document) {
    let model = before.origin.as_ref().is_some_and(|origin| origin.model.is_some());
    let [before, after] = [before, after].map(|document| {
        let mut document = document.clone();
        document.skeleton = document.skeleton.filter(|_| !model);
        for clip in &mut document.clips {
            clip.name = clip.name.take().filter(|name| !name.is_empty());
            clip.restate_blend();
            for track in &mut clip.tracks {
                let data = with_lines(track.data());
                *track = Track::new(track.target().clone(), data).expect("the same kind");
            }
        }
        document
    });
    let changed = difference(&before, &after);
    assert_eq!(changed, None, "nothing was reported, but the document changed");
}

/// Returns whether a writer reports that its file needs an option to be read.
fn misleads(finding: &Finding) -> bool {
    finding.code.id().ends_with("/layout-misleads")
}

/// Writes a document, reads it back, and returns the result with the findings of both.
fn write_and_read(
    format: &dyn Format,
    document: &Document,
) -> Result<(Vec<Finding>, Document), WriteError> {
    let limits = Limits::default();
    let written = format.write(document.clone(), &limits)?;
    assert_known_codes(format, &written.findings);
    let read = format.read(&written.value, &limits);
    let read = read.unwrap_or_else(|error| panic!("what was written is not read: {error}"));
    let mut reported = written.findings;
    reported.extend(read.findings);
    Ok((reported, read.value))
}

/// Checks that small limits give a limit error, or the same document if the file is within them.
pub fn limits_hold(format: &dyn Format, rewriter: Rewriter<'_>, bytes: &[u8]) {
    let Ok(whole) = format.read(bytes, &Limits::default()) else {
        return;
    };
    let tracks: usize = whole.value.clips.iter().map(|clip| clip.tracks.len()).sum();
    let keys = whole.value.clips.iter().flat_map(|clip| &clip.tracks);
    let columns: usize = keys.map(|track| track.data().heap_bytes()).sum();
    let default = Limits::default;
    for items in [0, 1, 2, 7] {
        read_within(format, rewriter, bytes, &whole.value, &Limits::default().with_items(items));
    }
    for decoded in [0, 1, columns / 2] {
        let decoded = inbetween_core::num::u64_from_len(decoded);
        read_within(format, rewriter, bytes, &whole.value, &default().with_decoded_bytes(decoded));
    }
    read_within(format, rewriter, bytes, &whole.value, &Limits::default().with_depth(1));
    if tracks > 0 {
        let none = format.read(bytes, &Limits::default().with_items(0));
        assert!(none.is_err(), "{tracks} tracks were read with a limit of no items");
    }
    if columns > 0 {
        let none = format.read(bytes, &Limits::default().with_decoded_bytes(0));
        assert!(none.is_err(), "{columns} bytes of keys were read with a limit of none");
    }
    let one = Limits::default().with_findings(1);
    let check = format.check(bytes, &one).unwrap_or_default();
    assert!(check.len() <= 2, "{} findings with a limit of 1", check.len());
}

fn read_within(
    format: &dyn Format,
    rewriter: Rewriter<'_>,
    bytes: &[u8],
    whole: &Document,
    limits: &Limits,
) {
    match format.read(bytes, limits) {
        Ok(outcome) => {
            assert_eq!(difference(whole, &outcome.value), None, "{limits:?} change the document");
        }
        Err(error) => {
            let limit = matches!(error.kind(), ReadErrorKind::Limit { .. });
            assert!(limit, "{limits:?} give another error than a limit: {error}");
        }
    }
    let _ = format.inspect(bytes, limits);
    let _ = format.check(bytes, limits);
    let _ = rewriter(bytes, limits);
}

/// Checks all laws for the file truncated at every byte, or at 2,000 of them if it is long.
pub fn every_truncation(format: &dyn Format, rewriter: Rewriter<'_>, bytes: &[u8]) {
    for length in crate::mutate::positions(bytes.len()) {
        in_context(
            || all(format, rewriter, &bytes[..length]),
            || {
                let kept = bytes[..length].escape_ascii();
                format!("a file that is cut off after {length} bytes: \"{kept}\"")
            },
        );
    }
}

/// Checks all laws for the file with any single byte changed to several values, or with 2,000 bytes
/// changed one at a time if it is long.
pub fn every_single_byte_change(format: &dyn Format, rewriter: Rewriter<'_>, bytes: &[u8]) {
    let mut changed = bytes.to_vec();
    for Change { at, value } in single_byte_changes(bytes) {
        changed[at] = value;
        in_context(
            || all(format, rewriter, &changed),
            || {
                let changed = changed.escape_ascii();
                format!("a file with byte {at:#x} set to {value:#04x}: \"{changed}\"")
            },
        );
        changed[at] = bytes[at];
    }
}

/// Checks [`conversion_round_trip`] to some formats for a file with single bytes changed, one at a time:
/// at most `most` changes, spread over the file. Returns how many changed files are still read.
pub fn changes_convert(from: &dyn Format, to: &[&dyn Format], bytes: &[u8], most: usize) -> usize {
    let every = single_byte_changes(bytes);
    let step = every.len().div_ceil(most.max(1)).max(1);
    let mut changed = bytes.to_vec();
    let mut read = 0;
    for Change { at, value } in every.into_iter().step_by(step) {
        changed[at] = value;
        for to in to {
            in_context(
                || {
                    let trip = conversion_round_trip(from, *to, &changed);
                    read += usize::from(!matches!(trip, RoundTrip::NotRead));
                },
                || {
                    let (to, changed) = (to.info().id, changed.escape_ascii());
                    format!("to {to}, byte {at:#x} set to {value:#04x}: \"{changed}\"")
                },
            );
        }
        changed[at] = bytes[at];
    }
    read / to.len().max(1)
}

/// Checks [`document_round_trip`] for documents made in memory.
pub fn replay_documents(format: &dyn Format) {
    for (name, document) in crate::documents::all() {
        in_context(
            || drop(document_round_trip(format, &document)),
            || format!("the document with {name}"),
        );
    }
}

/// Runs a law, and adds the input to the message if the law is broken.
#[expect(clippy::print_stderr, reason = "a test prints what it was about before it fails")]
pub(crate) fn in_context(law: impl FnOnce(), context: impl FnOnce() -> String) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(law)) {
        eprintln!("a law is broken by {}", context());
        resume_unwind(panic);
    }
}

/// Replays the fixtures of a format: all laws, small limits, truncations and changes.
///
/// `matches` selects files by a part of their path, so that several tests can share the work.
pub fn replay_fixtures(
    format: &dyn Format,
    rewriter: Rewriter<'_>,
    matches: impl Fn(&str) -> bool,
) {
    for fixture in crate::fixtures::of(format.info().id) {
        let name = fixture.path.display().to_string();
        if matches(&name) {
            in_context(|| reading(format, rewriter, &fixture.bytes), || name.clone());
            in_context(|| round_trips(format, rewriter, &fixture.bytes), || name);
            every_truncation(format, rewriter, &fixture.bytes);
            every_single_byte_change(format, rewriter, &fixture.bytes);
        }
    }
}
