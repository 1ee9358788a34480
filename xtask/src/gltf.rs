//! Checks the glTF files of conversions with other programs: the Khronos validator, and three.js as
//! a second player.

mod mocap;
mod soldier;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use inbetween::edit::MapOptions;
use inbetween::gltf::{Curves, Gltf, codes as gltf_codes};
use inbetween::{Animation, Format, Interpolation, Property, Reading, Registry, Value};
use inbetween_testing::{CaseKind, cases};
use serde_json::json;

use crate::Outcome;
use crate::shell::{root, run, runs};

/// The number of times at which each clip is compared.
const TIMES: u16 = 20;

/// Returns whether node and its package manager are installed.
pub(crate) fn can_run() -> bool {
    runs(Command::new("node").arg("--version")) && runs(Command::new("npm").arg("--version"))
}

/// Validates and plays every file, and checks that the scripts reject broken files.
pub(crate) fn check() -> Outcome {
    let tools = install()?;
    let files = write_files(&tools.join("files"))?;
    let tool = |script: &str, files: &[PathBuf]| {
        let mut command = Command::new("node");
        command.arg(script).args(files).current_dir(&tools);
        command
    };
    let mocap = mocap::write_files(&tools.join("files")).map_err(|error| error.to_string())?;
    let played = [files.clone(), mocap].concat();
    for (script, files) in [("validate.mjs", &files), ("play.mjs", &played)] {
        println!("$ node {script} with {} files", files.len());
        let status = tool(script, files).status().map_err(|error| error.to_string())?;
        if !status.success() {
            return Err(format!("{script} complains about these files"));
        }
    }
    for (script, broken) in broken(&tools.join("broken"))? {
        if runs(&mut tool(script, std::slice::from_ref(&broken))) {
            return Err(format!("{script} does not complain about {}", broken.display()));
        }
    }
    Ok(())
}

/// Installs the tools from their lock file; returns their directory.
fn install() -> Result<PathBuf, String> {
    const PACKAGES: [&str; 2] = ["package.json", "package-lock.json"];
    let (from, to) = (root().join("xtask/gltf"), root().join("target/gltf-tools"));
    fs::create_dir_all(&to).map_err(|error| error.to_string())?;
    let mut changed = !to.join("node_modules").is_dir();
    for name in PACKAGES.into_iter().chain(["validate.mjs", "play.mjs"]) {
        let text = fs::read(from.join(name)).map_err(|error| format!("{name}: {error}"))?;
        let there = to.join(name);
        if fs::read(&there).ok().as_ref() != Some(&text) {
            changed |= PACKAGES.contains(&name);
            fs::write(&there, text).map_err(|error| format!("{name}: {error}"))?;
        }
    }
    if changed {
        let arguments = ["ci", "--no-audit", "--no-fund", "--ignore-scripts"];
        run(Command::new("npm").args(arguments).current_dir(&to))?;
    }
    Ok(to)
}

/// Writes every fixture of every format to files with splines and with linear keys, each with a
/// list of expected values.
fn write_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let registry = Registry::with_builtin();
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    let mut files = Vec::new();
    for case in cases::all().into_iter().filter(|case| case.kind == CaseKind::Ok) {
        let from = registry.by_id(case.format).ok_or("no such format")?;
        // The other player decodes compressed views by itself.
        if case.name.starts_with("compressed-") {
            let path = folder.join(format!("{}-{}.glb", case.format, case.name));
            write_file(&path, &case.bytes, 0.0)?;
            files.push(path);
        }
        for (name, curves) in [("spline", Curves::Spline), ("bake", Curves::Bake)] {
            let to = Gltf::default().with_curves(curves);
            let Ok(reading) = Reading::new(from, &case.bytes, registry.limits()) else {
                continue;
            };
            let Ok(mapped) = reading.mapped(to.info(), MapOptions::default()) else { continue };
            let Ok(made) = mapped.write(&to) else { continue };
            // A file that lacks a texture is not valid, and its finding says so.
            if made.findings.iter().any(|it| it.code == gltf_codes::FILE_NOT_EMBEDDED) {
                continue;
            }
            let path = folder.join(format!("{}-{}-{name}.glb", case.format, case.name));
            write_file(&path, &made.bytes, 0.0)?;
            files.push(path);
        }
    }
    if files.is_empty() {
        return Err("no fixture became a file".into());
    }
    files.push(write_soldier(folder, 1.0)?);
    Ok(files)
}

/// Writes a clip on a rig, and the places of its bones times a factor.
fn write_soldier(folder: &Path, factor: f64) -> Result<PathBuf, String> {
    let soldier = soldier::soldier(factor).map_err(|error| format!("the soldier: {error}"))?;
    let path = folder.join("soldier.glb");
    write_expected(&path, &soldier.file, &soldier.places)?;
    Ok(path)
}

/// Writes a file and its expected values.
fn write_expected(path: &Path, bytes: &[u8], expected: &serde_json::Value) -> Outcome {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    fs::write(path, bytes).map_err(failed)?;
    fs::write(format!("{}.json", path.display()), expected.to_string()).map_err(failed)
}

/// Writes a file and its expected values, with an error added to each number.
fn write_file(path: &Path, bytes: &[u8], off: f64) -> Outcome {
    let read = Gltf::default().read(bytes, Registry::with_builtin().limits());
    let mut document = read.map_err(|error| format!("{}: {error}", path.display()))?.value;
    // Tracks of other properties are not channels, and clips without channels are not animations.
    for clip in &mut document.clips {
        clip.tracks.retain(|track| !matches!(track.target().property, Property::Custom(_)));
    }
    let clips = document.clips.iter().filter(|clip| !clip.tracks.is_empty());
    let clips: Vec<_> =
        clips.enumerate().map(|(at, clip)| json!([at, samples(clip, off)])).collect();
    write_expected(path, bytes, &clips.into())
}

/// Returns the values of a clip at times that are not close to a jump.
fn samples(clip: &Animation, off: f64) -> Vec<serde_json::Value> {
    let end = clip.tracks.iter().filter_map(|track| track.data().end()).fold(0.0, f64::max);
    let mut list = Vec::new();
    for step in 0..TIMES {
        let time = end * (f64::from(step) + 0.37) / f64::from(TIMES);
        let mut values = Vec::new();
        for track in &clip.tracks {
            let (target, data) = (track.target(), track.data());
            if is_beside_a_jump(data, time) {
                continue;
            }
            let path = match &target.property {
                Property::Translation => "translation",
                Property::Scale => "scale",
                Property::Rotation => "rotation",
                _ => "weights",
            };
            let shape = match &target.property {
                Property::Weight(shape) => Some(&**shape),
                _ => None,
            };
            let numbers = match clip.rules.sample(data, time) {
                Some(Value::Float(number)) => vec![f64::from(number)],
                Some(Value::Float3(vector)) => vector.map(f64::from).to_vec(),
                Some(Value::FloatQ(rotation)) => {
                    inbetween::Quat::<f64>::from(rotation).normalized().to_array().to_vec()
                }
                _ => continue,
            };
            let numbers: Vec<f64> = numbers.into_iter().map(|number| number + off).collect();
            values.push(json!([target.node.as_deref(), path, shape, numbers]));
        }
        list.push(json!([time, values]));
    }
    list
}

/// Returns whether a time is near a step, or between the two keys of a jump.
fn is_beside_a_jump(data: &inbetween::TrackData, time: f64) -> bool {
    let near = 1e-4 * time.max(1.0);
    (1..data.len()).any(|key| {
        let (Some(before), Some(at)) = (data.time(key - 1), data.time(key)) else { return false };
        let jumps = at - before < near || data.interpolation(key - 1) == Interpolation::Hold;
        jumps && time > before.min(at - near) && (time - at).abs() < near
    })
}

/// Returns files that each script must reject: one with an invalid rotation, two with wrong expected
/// values, and one with a damaged number.
fn broken(folder: &Path) -> Result<[(&'static str, PathBuf); 4], String> {
    fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    let case_of = |format: &str, name: &str| {
        let mut cases = cases::of(format).into_iter();
        cases.find(|case| case.name == name).ok_or_else(|| format!("no fixture {name}"))
    };
    let case = |name: &str| case_of("gltf", name);
    let (long, shown) = (folder.join("rotation.glb"), folder.join("values.glb"));
    fs::write(&long, case("rotations-of-other-lengths")?.bytes)
        .map_err(|error| error.to_string())?;
    write_file(&shown, &case("walk")?.bytes, 1e-3)?;
    let small = write_soldier(folder, 0.999)?;
    let damaged = mocap::damaged(folder, &case_of("bvh", "walk")?.bytes);
    let damaged = damaged.map_err(|error| error.to_string())?;
    let played = [shown, small, damaged].map(|file| ("play.mjs", file));
    let [shown, small, damaged] = played;
    Ok([("validate.mjs", long), shown, small, damaged])
}
