//! glTF: two kinds of files, and buffers beside them.

use crate::bench::{Bench, fixture};

#[track_caller]
fn works(bench: &Bench, arguments: &[&str]) {
    let ran = bench.run(arguments);
    assert_eq!(ran.code, 0, "{}", ran.err);
}

#[test]
fn the_extension_of_the_output_chooses_the_kind_of_file() {
    let bench = Bench::new();
    works(&bench, &["convert", "walk.seanim", "walk.gltf"]);
    assert!(bench.get("walk.gltf").starts_with(b"{\"asset\""));
    works(&bench, &["convert", "walk.gltf", "walk.glb"]);
    assert!(bench.get("walk.glb").starts_with(b"glTF"));
    works(&bench, &["convert", "walk.glb", "again.gltf"]);
    assert_eq!(bench.get("again.gltf"), bench.get("walk.gltf"));
    let options = ["--to", "gltf", "--gltf-container", "gltf", "--out-dir", "out"];
    works(&bench, &[&["convert", "walk.seanim"], &options[..]].concat());
    assert_eq!(bench.get("out/walk.gltf"), bench.get("walk.gltf"));
}

#[test]
fn a_buffer_is_read_from_the_folder_of_its_file_alone() {
    let text = fixture("gltf", "external-buffer");
    let buffer: Vec<u8> = [0.0_f32, 0.5, 1.0].iter().flat_map(|time| time.to_le_bytes()).collect();
    let buffer = [buffer, vec![0; 36]].concat();
    let bench = Bench::empty()
        .with("models/walk.gltf", &text)
        .with("models/walk cycle.bin", &buffer)
        .with("secret.bin", &buffer);
    works(&bench, &["convert", "models/walk.gltf", "walk.animj"]);
    let above = String::from_utf8(text).unwrap().replace("walk%20cycle.bin", "../secret.bin");
    let bench = bench.with("models/above.gltf", above);
    let ran = bench.run(&["info", "models/above.gltf"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("a path out of its folder"), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_folder_is_refused() {
    let bench = Bench::empty()
        .with("models/walk.gltf", fixture("gltf", "external-buffer"))
        .with("secret.bin", vec![0; 48]);
    let link = bench.path("models/walk cycle.bin");
    std::os::unix::fs::symlink(bench.path("secret.bin"), link).unwrap();
    let ran = bench.run(&["info", "models/walk.gltf"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("it is not in the folder"), "{}", ran.err);
}
