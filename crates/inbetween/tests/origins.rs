//! Documents remember the files they were read from, and writers follow them.

#![cfg(feature = "formats")]
#![expect(clippy::unwrap_used, reason = "helpers of tests are tests as well")]

use std::path::PathBuf;

use inbetween::animj::Animj;
use inbetween::animx::{Animx, Encoding};
use inbetween::core::{Origin, for_extension, inspect_fully};
use inbetween::gltf::{Container, Gltf};
use inbetween::merge::Merge;
use inbetween::seanim::Seanim;
use inbetween::{Document, Format, Hint, Limits, Reading, Registry, Source};

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(fixture(name)).unwrap()
}

/// Reads a fixture and writes it in a format, as the README does.
fn rewritten(name: &str, to: &dyn Format) -> Vec<u8> {
    inbetween::write(inbetween::read_path(fixture(name)).unwrap().value, to).unwrap().value
}

/// The encoding that the header of an AnimX file states.
fn encoding(file: &[u8]) -> Encoding {
    inbetween::animx::AnimxFile::parse(file, &Limits::default()).unwrap().header().encoding
}

#[test]
fn reading_and_writing_gives_the_same_bytes_as_converting() {
    let formats: [&dyn Format; 4] =
        [&Animj::default(), &Animx::default(), &Gltf::default(), &Seanim::default()];
    let mut files = vec!["animx/ok/lz4.animx", "gltf/ok/text-with-data-uri.gltf"];
    files.extend(["gltf/ok/walk.glb", "seanim/ok/walk.seanim", "animx/ok/empty-tracks.animx"]);
    #[cfg(feature = "lzma")]
    files.push("animx/ok/lzma.animx");
    for name in files {
        for to in formats {
            let extension = fixture(name).extension().unwrap().to_str().unwrap().to_owned();
            let (registry, bytes) = (Registry::with_builtin(), bytes(name));
            let hint = Hint { extension: Some(&extension) };
            let from = registry.detect(&bytes, &hint).unwrap().format;
            let reading = Reading::new(from, &bytes, registry.limits()).unwrap();
            let converted = reading.write(to).unwrap();
            let id = to.info().id;
            assert!(rewritten(name, to) == converted.bytes, "{name} to {id}");
        }
    }
}

#[test]
fn a_file_keeps_its_compression_unless_the_caller_chooses_one() {
    assert_eq!(encoding(&rewritten("animx/ok/lz4.animx", &Animx::default())), Encoding::Lz4);
    #[cfg(feature = "lzma")]
    assert_eq!(encoding(&rewritten("animx/ok/lzma.animx", &Animx::default())), Encoding::Lzma);
    let plain = Animx::default().encoding(Encoding::Plain);
    assert_eq!(encoding(&rewritten("animx/ok/lz4.animx", &plain)), Encoding::Plain);
    // The compression of another format means nothing.
    let other = Document::single(inbetween::Animation::default())
        .with_origin(Origin::new("other").with_option("encoding", "lz4"));
    let file = inbetween::write(other, &Animx::default()).unwrap().value;
    assert_eq!(encoding(&file), Encoding::Plain);
}

#[test]
fn a_gltf_text_stays_text_unless_the_caller_chooses_a_container() {
    let name = "gltf/ok/text-with-data-uri.gltf";
    assert!(rewritten(name, &Gltf::default()).starts_with(b"{"));
    let binary = Gltf::default().with_container(Container::Glb);
    assert!(rewritten(name, &binary).starts_with(b"glTF"));
    assert!(rewritten("gltf/ok/walk.glb", &Gltf::default()).starts_with(b"glTF"));
}

#[test]
fn an_extension_sets_the_option_that_lists_it() {
    let text = for_extension(&Gltf::default(), "GLTF").unwrap();
    assert_eq!(text.extension(), "gltf");
    assert!(for_extension(&Gltf::default(), "animj").is_none());
    assert!(for_extension(&Animx::default(), "animx").is_none());
}

#[test]
fn tracks_without_keys_are_kept_only_in_files_of_the_same_format() {
    let counts = |name: &str, to: &dyn Format| {
        let file = rewritten(name, to);
        let clips = inspect_fully(to, &file, &Limits::default()).unwrap().value.clips;
        let tracks = clips.iter().flat_map(|clip| &clip.tracks);
        tracks.filter(|track| track.keys == 0).count()
    };
    let walk = inbetween::read_path(fixture("seanim/ok/walk.seanim")).unwrap().value;
    let tracks = walk.clips.iter().flat_map(|clip| &clip.tracks);
    assert!(tracks.filter(|track| track.data().is_empty()).count() > 0);
    assert_eq!(counts("seanim/ok/walk.seanim", &Animj::default()), 0);
    assert_eq!(counts("seanim/ok/walk.seanim", &Animx::default()), 0);
    assert_eq!(counts("animx/ok/empty-tracks.animx", &Animj::default()), 0);
    assert!(counts("animx/ok/empty-tracks.animx", &Animx::default()) > 0);
}

#[test]
fn clips_keep_the_origin_of_their_file_and_merged_files_have_none() {
    let (gltf, limits) = (Gltf::default(), Limits::default());
    let text = bytes("gltf/ok/text-with-data-uri.gltf");
    let read = || Reading::new(&gltf, &text, &limits).unwrap();
    let origin = Origin::new("gltf").with_option("gltf-container", "gltf");
    assert_eq!(read().document.origin.as_ref(), Some(&origin));
    for (_, clip) in read().split() {
        assert_eq!(clip.document.origin.as_ref(), Some(&origin));
    }
    let mut source = Source::open(&gltf, &text, &limits).unwrap();
    while let Some((_, clip)) = source.next_clip().unwrap() {
        assert_eq!(clip.document.origin.as_ref(), Some(&origin));
    }
    let mut joined = read();
    let walk = bytes("seanim/ok/walk.seanim");
    let walk = Reading::new(&Seanim::default(), &walk, &limits).unwrap();
    joined.append(walk.clone(), ["text", "walk"]).unwrap();
    assert_eq!(joined.document.origin.as_ref(), Some(&origin));
    let to = Gltf::default();
    let merged = Merge::new([("walk", walk.clone()), ("again", walk)], &to).unwrap();
    assert_eq!(merged.document().origin, None);
}

#[test]
fn a_file_without_clips_has_an_origin() {
    let limits = Limits::default();
    let none = bytes("gltf/ok/no-animations.glb");
    let read = Gltf::default().read(&none, &limits).unwrap().value;
    assert!(read.clips.is_empty());
    assert!(read.origin_in("gltf").is_some());
}

#[test]
fn documents_are_equal_whatever_files_they_come_from() {
    let one = inbetween::read(&bytes("seanim/ok/walk.seanim")).unwrap().value;
    let mut other = one.clone();
    other.origin = None;
    assert_eq!(one, other);
}
