//! Views that an extension compresses, in models and beside buffers that are not read.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test may end where it fails")]

use std::sync::Arc;

use inbetween_core::{Format, Limits, Neighbors, ReadError};
use inbetween_gltf::{Container, Gltf, GltfFile};
use inbetween_testing::cases;

fn case(name: &str) -> Vec<u8> {
    cases::of("gltf").into_iter().find(|case| case.name == name).unwrap().bytes
}

fn json(bytes: &[u8]) -> String {
    GltfFile::parse(bytes, &Limits::default()).unwrap().json().to_owned()
}

/// Reads a file and writes it again.
fn edited(bytes: &[u8], container: Container) -> Vec<u8> {
    let (format, limits) = (Gltf::default().with_container(container), Limits::default());
    let document = format.read(bytes, &limits).unwrap().value;
    let written = format.write(document.clone(), &limits).unwrap();
    assert_eq!(written.findings, []);
    assert_eq!(format.read(&written.value, &limits).unwrap().value, document);
    written.value
}

#[test]
fn an_edited_model_keeps_its_compressed_vertices_alone() {
    let before = case("model-of-compressed-views");
    let after = edited(&before, Container::Glb);
    let binary = |bytes| GltfFile::parse(bytes, &Limits::default()).unwrap().into_parts();
    let (before, after) = (binary(before), binary(after));
    let [old, new] = [&before, &after].map(|parts| parts.chunks.first().unwrap().data.clone());
    // The data of the vertices was the last. Now it stands between 8 bytes, which are what alignment
    // leaves of two views that were cut out, and the new keys.
    let vertices = old.len().checked_sub(68).unwrap();
    assert_eq!(new[8..76], old[vertices..]);
    assert_eq!(new.len(), 76 + 20 * (4 + 12));
    let text = String::from_utf8(after.json).unwrap();
    assert!(text.contains(r#""extensionsRequired":["EXT_meshopt_compression"]"#), "{text}");
    assert_eq!(text.matches("ATTRIBUTES").count(), 1, "{text}");
}

#[test]
fn a_model_becomes_a_text_file_without_bytes_for_its_fallback() {
    let text = json(&edited(&case("model-of-compressed-views"), Container::Gltf));
    assert_eq!(text.matches("data:").count(), 1, "{text}");
    assert!(
        text.contains(
            r#"{"byteLength": 356, "extensions": {"EXT_meshopt_compression": {"fallback": true}}}"#
        ),
        "{text}"
    );
}

/// A file whose first buffer has a file of its own for programs without the extension.
fn with_a_fallback_beside_it(mark: &str) -> Vec<u8> {
    let file = case("compressed-views");
    let parts = GltfFile::parse(file, &Limits::default()).unwrap().into_parts();
    let data = &parts.chunks.first().unwrap().data;
    // A data URI may hold its bytes as hexadecimal digits.
    let data: Vec<String> = data.iter().map(|byte| format!("%{byte:02x}")).collect();
    let text = String::from_utf8(parts.json).unwrap();
    let start = text.find(r#", "buffers""#).unwrap();
    let buffers = format!(
        r#", "cameras": [], "buffers": [{{"byteLength": 320, "uri": "fallback.bin"{mark}}}, {{"byteLength": 220, "uri": "data:,{}"}}]"#,
        data.concat()
    );
    let (before, after) = text.split_at(start);
    let (_, after) = after.split_once(']').unwrap();
    let text = [before, &buffers, after].concat();
    let text = text.replace(r#""buffer": 1"#, r#""buffer": 2"#);
    let text = text.replace(r#""buffer": 0"#, r#""buffer": 1"#);
    text.replace(r#""buffer": 2"#, r#""buffer": 0"#).into_bytes()
}

/// A folder without files.
#[derive(Debug)]
struct Nothing;

impl Neighbors for Nothing {
    fn load(&self, path: &str, _: u64) -> Result<Vec<u8>, ReadError> {
        panic!("{path} is requested")
    }
}

#[test]
fn the_fallback_of_compressed_views_is_not_read() {
    for mark in ["", r#", "extensions": {"EXT_meshopt_compression": {"fallback": true}}"#] {
        let bytes = with_a_fallback_beside_it(mark);
        let format = Gltf::default().with_neighbors(Arc::new(Nothing));
        let read = format.read(&bytes, &Limits::default()).unwrap();
        assert_eq!(read.findings, [], "{mark}");
        assert_eq!(read.value.clips[0].tracks[0].data().len(), 20);
        assert_eq!(format.check(&bytes, &Limits::default()).unwrap(), []);
    }
}

#[test]
fn keys_are_not_written_into_a_fallback() {
    let mark = r#", "extensions": {"EXT_meshopt_compression": {"fallback": true}}"#;
    let text = json(&edited(&with_a_fallback_beside_it(mark), Container::Gltf));
    let fallback = format!(r#"{{"byteLength": 320, "uri": "fallback.bin"{mark}}}"#);
    assert!(text.contains(&fallback), "{text}");
    assert!(text.contains(r#"{"buffer":1,"byteOffset":8,"byteLength":320}"#), "{text}");
}
