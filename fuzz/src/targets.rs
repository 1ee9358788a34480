//! The laws of each target.

#[path = "clips.rs"]
mod clips;
#[path = "edits.rs"]
mod edits;

use inbetween::animx::{Animx, AnimxFile, AnimxHeader, AnimxParts, Encoding};
use inbetween::core::{ClipSampler, value_error};
use inbetween::x4_ani::{X4aniFile, X4aniParts, lint};
use inbetween::{Animation, Format, Hint, Limits, Registry, convert_as};
use inbetween_testing::{difference, laws, meaning, rewriter, text_laws};

use crate::rewriters;

/// Runs the laws of `read_<format>`, `round_trip_<format>`, `pack`, `component_xml`,
/// `animx_tracks`, `clip`, `edit` or `facade` on an input; panics if one is broken.
pub(crate) fn run(target: &str, bytes: &[u8]) {
    let registry = Registry::with_builtin();
    let of = |name: &str| {
        let id = name.replace('_', "-");
        let found = registry.by_id(&id).zip(rewriters::of(&id));
        found.unwrap_or_else(|| panic!("target {target} names no format"))
    };
    if let Some(name) = target.strip_prefix("read_") {
        let (format, rewrite) = of(name);
        laws::reading(format, &rewrite, bytes);
    } else if let Some(name) = target.strip_prefix("round_trip_") {
        let (format, rewrite) = of(name);
        laws::round_trips(format, &rewrite, bytes);
    } else if target == "pack" {
        pack(&registry, bytes);
    } else if target == "component_xml" {
        component(bytes);
    } else if target == "animx_tracks" {
        animx_tracks(bytes);
    } else if target == "clip" {
        clips::clip(&registry, bytes);
    } else if target == "edit" {
        edits::edit(&registry, bytes);
    } else {
        assert_eq!(target, "facade", "there is no such target");
        facade(&registry, bytes);
    }
}

/// Reads the input as every format that a hint suggests, and checks, samples and converts it to all
/// formats. Each format is tried once, since several hints lead to the same one.
fn facade(registry: &Registry, bytes: &[u8]) {
    let mut seen = Vec::new();
    let extensions = registry.formats().flat_map(|format| format.info().extensions);
    for extension in [None, Some("json")].into_iter().chain(extensions.copied().map(Some)) {
        let hint = Hint { extension };
        let Ok(found) = registry.detect(bytes, &hint) else { continue };
        let from = found.format;
        if seen.contains(&from.info().id) {
            continue;
        }
        seen.push(from.info().id);
        let read = from.read(bytes, registry.limits());
        let check = from.check(bytes, registry.limits());
        assert!(read.is_err() || check.is_ok(), "read, but not checked");
        for clip in read.iter().flat_map(|read| &read.value.clips) {
            sample(clip);
            keeps_meaning(registry, from, clip);
        }
        for to in registry.formats() {
            let converted = convert_as(from, bytes, to, registry.limits());
            assert!(read.is_ok() || converted.is_err(), "converted, but not read");
            if extension.is_none() {
                laws::conversion_round_trip(from, to, bytes);
            }
        }
    }
}

/// Checks that a clip plays the same in every format, within the stated errors.
///
/// Clips with many keys are left to the campaign, because sampling them takes long.
fn keeps_meaning(registry: &Registry, from: &dyn Format, clip: &Animation) {
    let keys: usize = clip.tracks.iter().map(|track| track.data().len()).sum();
    if clip.tracks.len() > 16 || keys > 500 {
        return;
    }
    for to in registry.formats() {
        let kept = meaning::conversion(to, clip, registry.limits());
        let pair = [from, to].map(|format| format.info().id).join(" to ");
        assert!(kept.is_ok(), "{pair}: {}", kept.err().unwrap_or_default());
    }
}

/// Checks that every track with keys has a value at every time, and the same value alone as in its
/// clip.
fn sample(clip: &Animation) {
    let end = clip.effective_duration();
    let sampler = ClipSampler::new(clip);
    let mut pose = sampler.pose();
    for time in [0.0, end / 2.0, end, f64::NAN, 1e300, -1.0] {
        sampler.sample_into(time, &mut pose);
        for (index, track) in clip.tracks.iter().enumerate() {
            let rules = clip.rules.of(&track.target().property);
            let alone = rules.sample(track.data(), clip.clip_time(time));
            assert_eq!(alone.is_some(), !track.data().is_empty(), "track {index} at {time} s");
            if let (Some(alone), Some(posed)) = (alone, sampler.value(&pose, index)) {
                assert_eq!(value_error(&alone, &posed), 0.0, "track {index} at {time} s");
            }
        }
    }
}

/// Packs the input as a text form of every format, and checks its text form as a file of every
/// format.
fn pack(registry: &Registry, bytes: &[u8]) {
    for format in registry.formats().filter(|format| format.text().is_some()) {
        let rewrite = rewriters::of(format.info().id).expect("every format rewrites its files");
        text_laws::packing(format, &rewrite, bytes);
        text_laws::text_round_trip(format, &rewrite, bytes);
    }
    if let Ok(format) = registry.format_of_text(bytes) {
        assert!(registry.detect(bytes, &Hint::default()).is_err(), "a text form is no file");
        assert!(format.text().is_some(), "the format of a text form has text forms");
    }
}

/// Checks the input as the component XML of a file without records: an error or findings, but no
/// panic.
fn component(bytes: &[u8]) {
    let file = X4aniFile::from_parts(&X4aniParts::default()).expect("no records make a file");
    let limits = Limits::default().with_findings(100);
    if let Ok(findings) = lint(&file, bytes, &limits) {
        assert!(findings.len() <= 101, "{} findings with a limit of 100", findings.len());
    }
}

/// Checks that the tracks of the input, or the input as tracks, are the same in every encoding.
/// This lets the fuzzer reach the code behind the compression.
fn animx_tracks(bytes: &[u8]) {
    let limits = Limits::default();
    let parsed = AnimxFile::parse(bytes, &limits).ok();
    let (header, section) = match &parsed {
        Some(file) => (*file.header(), file.section().unwrap_or_default()),
        None => (AnimxHeader::default(), bytes),
    };
    let tracks = if parsed.is_some() { header.track_count.value() } else { 1 };
    let packed = |encoding| {
        let parts = AnimxParts {
            version: header.version,
            global_duration: header.global_duration,
            encoding,
            trailing: section.to_vec(),
            ..AnimxParts::default()
        };
        let file = AnimxFile::from_parts(&parts).expect("bytes after no tracks");
        let mut file = file.to_bytes().to_vec();
        // The number of tracks follows the magic number and the version.
        file[10] = u8::try_from(tracks).unwrap_or(u8::MAX) & 0x7f;
        file
    };
    let plain = Animx::default().read(&packed(Encoding::Plain), &limits);
    // Packing with LZMA is slow.
    let rare = section.len().is_multiple_of(8);
    let encodings = [Encoding::Lz4, Encoding::Lzma].into_iter().take(if rare { 2 } else { 1 });
    for file in encodings.map(packed) {
        laws::all(&Animx::default(), &rewriter!(AnimxFile::parse), &file);
        match (&plain, Animx::default().read(&file, &limits)) {
            (Ok(plain), Ok(packed)) => {
                assert_eq!(difference(&plain.value, &packed.value), None, "packed, it differs");
            }
            (plain, packed) => assert_eq!(plain.is_ok(), packed.is_ok(), "packed, it differs"),
        }
    }
}
