//! The guides in `docs/guides`, run as their readers would.
//!
//! The first words after the fence of a block state its kind:
//!
//! * `console`: lines that start with `$ inbetween` are run, and the lines after each are its
//!   output. `console 1` ends with exit code 1.
//! * `sh`: commands of other programs, which are not run.
//! * `diff FILE`: a change of a file; the unchanged and the removed lines must occur once in it.
//! * any language and a FILE: the content of a new file, or a part of an existing one.
//!
//! A picture of a guide, `![text](pictures/FILE)`, is written to FILE by a command of the guide.
//!
//! With `INBETWEEN_BLESS` set, the output and the pictures of the commands are written to the
//! guide.

#![expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "helpers of tests are tests as well"
)]

use std::fs;
use std::path::{Path, PathBuf};

use crate::bench::{Bench, fixture};

/// A block of a guide.
enum Block {
    Console { runs: Vec<Run>, code: i32 },
    Shown,
    Change { file: String, old: String, new: String },
    Content { file: String, text: String },
}

struct Run {
    command: String,
    /// The lines of the guide with its output.
    lines: std::ops::Range<usize>,
}

/// Splits the lines of a guide into its blocks.
fn blocks(lines: &[&str]) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let start = at + 1;
        at = start;
        let Some(info) = line.strip_prefix("```") else { continue };
        while lines.get(at).is_some_and(|line| !line.starts_with("```")) {
            at += 1;
        }
        assert!(at < lines.len(), "a block of {info} does not end");
        blocks.push(block(info, lines, start..at));
        at += 1;
    }
    blocks
}

fn block(info: &str, lines: &[&str], range: std::ops::Range<usize>) -> Block {
    let body = &lines[range.clone()];
    match info.split_once(' ') {
        None if info == "console" => Block::Console { runs: runs(lines, range), code: 0 },
        Some(("console", code)) => {
            Block::Console { runs: runs(lines, range), code: code.parse().unwrap() }
        }
        None if info == "sh" => Block::Shown,
        Some(("diff", file)) => {
            let side = |gone: char| {
                let kept = body.iter().filter(|line| !line.starts_with(gone));
                whole_lines(kept.map(|line| line.get(1..).unwrap_or_default()))
            };
            Block::Change { file: file.to_owned(), old: side('+'), new: side('-') }
        }
        Some((_, file)) => {
            let text = whole_lines(body.iter().copied());
            Block::Content { file: file.to_owned(), text }
        }
        None => panic!("a block of {info:?} says neither a file nor console"),
    }
}

fn whole_lines<'l>(lines: impl Iterator<Item = &'l str>) -> String {
    lines.flat_map(|line| [line, "\n"]).collect()
}

fn runs(lines: &[&str], range: std::ops::Range<usize>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for at in range {
        if let Some(command) = lines[at].strip_prefix("$ inbetween ") {
            runs.push(Run { command: command.to_owned(), lines: at + 1..at + 1 });
        } else {
            let run = runs.last_mut().unwrap_or_else(|| panic!("no command before {}", lines[at]));
            run.lines.end = at + 1;
        }
    }
    runs
}

fn text(bench: &Bench, file: &str) -> String {
    String::from_utf8(bench.get(file)).unwrap().replace("\r\n", "\n")
}

/// Runs a guide in a directory with its initial files.
fn follow(guide: &str, mut bench: Bench) -> Bench {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guides")).join(guide);
    let before = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    let lines: Vec<&str> = before.lines().collect();
    let mut after: Vec<String> = Vec::new();
    let mut copied = 0;
    for block in blocks(&lines) {
        match block {
            Block::Content { file, text: part } if bench.path(&file).exists() => {
                let whole = text(&bench, &file);
                assert!(whole.contains(&part), "{file} does not hold this:\n{part}\nbut:\n{whole}");
            }
            Block::Content { file, text } => bench = bench.with(&file, text),
            Block::Change { file, old, new } => {
                let whole = text(&bench, &file);
                let found = whole.matches(&old).count();
                assert_eq!(found, 1, "{file} does not hold this once:\n{old}\nbut:\n{whole}");
                bench = bench.with(&file, whole.replace(&old, &new));
            }
            Block::Shown => {}
            Block::Console { runs, code } => {
                for run in runs {
                    let arguments: Vec<&str> = run.command.split_whitespace().collect();
                    let ran = bench.run(&arguments);
                    let printed = format!("{}{}", ran.text(), ran.err);
                    assert_eq!(ran.code, code, "{}: {printed}", run.command);
                    after.extend(lines[copied..run.lines.start].iter().map(|&line| line.into()));
                    after.extend(printed.lines().map(str::to_owned));
                    copied = run.lines.end;
                }
            }
        }
    }
    after.extend(lines[copied..].iter().map(|&line| line.into()));
    let after = after.join("\n") + "\n";
    check_pictures(&before, &path, &bench);
    if blessed() {
        fs::write(&path, after).unwrap();
    } else {
        assert_eq!(
            before,
            after,
            "{}: what commands print has changed",
            Path::new(guide).display()
        );
    }
    bench
}

fn blessed() -> bool {
    std::env::var_os("INBETWEEN_BLESS").is_some()
}

/// Checks that a guide shows at least one picture, and that its commands draw each of its pictures.
fn check_pictures(guide: &str, path: &Path, bench: &Bench) {
    let pictures = guide.split("](pictures/").skip(1);
    let pictures: Vec<&str> = pictures.filter_map(|rest| rest.split(')').next()).collect();
    assert!(!pictures.is_empty(), "{}: no pictures", path.display());
    for name in pictures {
        let shown = path.with_file_name("pictures").join(name);
        let drawn = text(bench, name);
        if blessed() {
            fs::write(&shown, drawn).unwrap();
        } else {
            let shown = fs::read_to_string(&shown).unwrap().replace("\r\n", "\n");
            assert!(shown == drawn, "{name} has changed");
        }
    }
}

#[test]
fn the_guide_to_modding_x4_is_correct() {
    let bench = Bench::empty().with("cockpit_data.ani", fixture("x4-ani", "cockpit"));
    let bench = follow("x4-modding.md", bench);
    let old = fixture("x4-ani", "cockpit");
    assert_eq!(bench.get("same_data.ani"), old);
    let mut slow = old.clone();
    // Durations; the last key of the ladder; both keys of the board and their control points.
    let keys = 16 + 2 * 160;
    let times = [(16 + 148, 2.0), (16 + 160 + 148, 2.0), (keys + 128 + 24, 2.0)];
    let board = [(256 + 28, 2.0_f32 / 3.0), (384 + 24, 2.0), (384 + 36, 4.0 / 3.0)];
    let board = board.map(|(at, time)| (keys + at, time));
    for (at, time) in times.into_iter().chain(board) {
        slow[at..at + 4].copy_from_slice(&time.to_le_bytes());
    }
    assert_eq!(bench.get("slow_data.ani"), slow);
    let new = bench.get("new_data.ani");
    // One more record and two more keys.
    assert_eq!(new.len(), old.len() + 160 + 2 * 128);
    // The leftover bytes after the name of the board are still present.
    assert_eq!(new[16 + 2 * 160..][..64], old[16 + 160..][..64]);
    assert!(!old[16 + 160..][..64].ends_with(&[0; 46]));
}

#[test]
fn the_guide_to_blender_and_engines_is_correct() {
    let bench = Bench::new().with("cockpit.ani", fixture("x4-ani", "cockpit"));
    let bench = follow("blender-and-engines.md", bench);
    let splines = String::from_utf8_lossy(&bench.get("cockpit.glb")).contains("CUBICSPLINE");
    let lines = String::from_utf8_lossy(&bench.get("cockpit-blender.glb")).contains("CUBICSPLINE");
    assert_eq!((splines, lines), (true, false));
    assert!(bench.get("cockpit.gltf").starts_with(b"{"));
}

#[test]
fn the_guide_to_pipelines_is_correct() {
    let bench = follow("pipelines.md", Bench::new());
    assert_eq!(
        bench.names(),
        [
            ".gitattributes",
            "both.svg",
            "curves.svg",
            "large.seanim",
            "out/walk.cast",
            "report.jsonl",
            "walk.seanim"
        ]
    );
}

#[test]
fn the_guide_to_resonite_is_correct() {
    let bench = follow("resonite.md", Bench::empty());
    let fixed = String::from_utf8(bench.get("lamp.animj")).unwrap();
    assert!(fixed.find("trackType") < fixed.find("valueType"), "{fixed}");
}

#[test]
fn the_guide_to_motion_capture_is_correct() {
    let bench = follow("motion-capture.md", Bench::empty());
    let again = inbetween::read(&bench.get("again.bvh")).unwrap().value;
    assert_eq!(again.skeleton, inbetween::read(&bench.get("walk.bvh")).unwrap().value.skeleton);
}

#[test]
fn the_guide_to_unity_is_correct() {
    let bench = follow("unity.md", Bench::empty());
    let renamed = String::from_utf8(bench.get("renamed.anim")).unwrap();
    assert!(renamed.contains("data: whoosh") && renamed.contains("Spine/LeftArm"));
}

#[test]
fn the_guide_to_call_of_duty_is_correct() {
    let mut additive = fixture("seanim", "additive");
    // The fixture moves the origin; the guide moves a bone whose rest position is not 0.
    let name = additive.windows(10).position(|bytes| bytes == b"tag_origin").unwrap();
    additive[name..name + 10].copy_from_slice(b"j_mainroot");
    let bench = Bench::empty()
        .with("anims/walk.seanim", fixture("seanim", "walk"))
        .with("anims/relative.seanim", fixture("seanim", "relative"))
        .with("anims/additive.seanim", additive)
        .with("soldier.cast", fixture("cast", "walk"));
    let bench = follow("call-of-duty.md", bench);
    assert_eq!(bench.get("back.seanim"), fixture("seanim", "relative"));
    let aim = inbetween::read(&bench.get("cast/aim.cast")).unwrap().value.clips.remove(0);
    let values = (0..2).map(|key| aim.tracks[0].data().value(key).unwrap());
    let expected = [[0.0, 0.0, 2.0], [1.0, 2.0, 5.0]].map(inbetween::Value::Float3);
    assert_eq!(values.collect::<Vec<_>>(), expected);
}
