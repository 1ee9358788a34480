//! Reads a file of any known format and lists its contents.
//!
//! `cargo run -p inbetween --example read_any -- walk.seanim`

use std::error::Error;
use std::fmt::Write;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("expected the path of a file")?;
    let text = describe(path.as_ref())?;
    std::io::Write::write_all(&mut std::io::stdout(), text.as_bytes())?;
    Ok(())
}

/// Returns one line for each clip and each of its tracks.
pub(crate) fn describe(path: &Path) -> Result<String, Box<dyn Error>> {
    let read = inbetween::read_path(path)?;
    let mut text = String::new();
    for clip in &read.value.clips {
        writeln!(text, "{} s, {} tracks", clip.effective_duration(), clip.tracks.len())?;
        for track in &clip.tracks {
            let (target, data) = (track.target(), track.data());
            let node = target.node.as_deref().unwrap_or("(no node)");
            let property = target.property.name();
            writeln!(text, "{node} {property}: {} keys of {}", data.len(), data.kind())?;
        }
    }
    for loss in &read.findings {
        writeln!(text, "{loss}")?;
    }
    Ok(text)
}
