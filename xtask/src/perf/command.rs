//! The rows of the command line: comparing two files, and converting a batch of small ones.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use inbetween::Document;

use super::plain_loop::playing;
use super::set::{Sets, read, write, write_clip};
use super::table::{Row, medians, ratio, timed};
use crate::costs::cases::text;
use crate::inputs::clips;
use crate::shell::{cargo, output, root};

pub(super) fn rows(sets: &Sets<'_>) -> Result<Vec<Row>, String> {
    let build = ["build", "--release", "--quiet", "--package", "inbetween-cli", "--locked"];
    output(&mut cargo(build))?;
    let folder = tempfile::tempdir().map_err(text)?;
    let (path, clips) = (folder.path(), clips()?);
    let mut documents = Vec::new();
    for id in ["cast", "gltf"] {
        let format = sets.files(id).format;
        let bytes = write(format, Document::new(clips.clone()))?;
        fs::write(path.join(id), &bytes).map_err(text)?;
        documents.push(read(format, &bytes)?);
    }
    let diff = |_| timed(|| run(path, &["diff", "cast", "gltf"]));
    let play = |_| playing(&documents[0], &documents[1]);
    let diff = ratio(medians(1, [&diff, &play])?);

    let mut small = clips[0].clone();
    small.tracks.truncate(2);
    let small = write_clip(sets.files("seanim").format, small)?;
    fs::create_dir(path.join("in")).map_err(text)?;
    for number in 0..1000 {
        fs::write(path.join(format!("in/{number}.seanim")), &small).map_err(text)?;
    }
    let convert = ["convert", "in", "--to", "animx", "--out-dir", "out", "--force", "--quiet"];
    let batch = |_| timed(|| run(path, &convert));
    let bare_loop = |_| timed(|| replace_all(path).map_err(text));
    let batch = ratio(medians(1, [&batch, &bare_loop])?);
    Ok(vec![
        Row::at_most("diff, to the plain loop", 3.0, diff),
        Row::at_most("batch of 1,000 small files, to a bare loop", 1.5, batch),
    ])
}

/// Runs the command to its end. Two files that differ give code 1.
fn run(folder: &Path, arguments: &[&str]) -> Result<(), String> {
    let mut command = Command::new(root().join("target/release/inbetween"));
    command.args(arguments).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
    let code = command.status().map_err(text)?.code();
    if matches!(code, Some(0 | 1)) { Ok(()) } else { Err(format!("{arguments:?}: code {code:?}")) }
}

/// Replaces each output of the batch by its input, as durably as the command does.
fn replace_all(folder: &Path) -> std::io::Result<()> {
    let (out, new) = (folder.join("out"), folder.join("out/new"));
    for number in 0..1000 {
        fs::write(&new, fs::read(folder.join(format!("in/{number}.seanim")))?)?;
        File::open(&new)?.sync_all()?;
        fs::rename(&new, out.join(format!("{number}.animx")))?;
    }
    File::open(out)?.sync_all()
}
