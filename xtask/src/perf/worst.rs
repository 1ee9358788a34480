//! The rows of the worst case: any input, broken ones too, and any conversion or edit.

use inbetween::Registry;
use inbetween::core::num::f64_from_index;
use inbetween_testing::cases::{self, Case};

use super::plain_loop::keys;
use super::set::{read, write, write_clip};
use super::table::{Row, timed, worsen};
use crate::costs::cases::{edit_names, edited};
use crate::inputs::hard_clips;

/// Converts each input to each format and edits it, and returns the rows of the worst results.
pub(super) fn rows(registry: &Registry) -> Result<Vec<Row>, String> {
    let (mut seconds, mut most_keys) = Default::default();
    for Case { format, name, bytes, .. } in inputs(registry)? {
        let from = registry.by_id(format).ok_or("a format is missing")?;
        let source_keys = f64_from_index(keys(&read(from, &bytes).unwrap_or_default()));
        let edits = edit_names().map(|edit| (edit, from));
        for (what, to) in registry.formats().map(|to| (to.info().id, to)).chain(edits) {
            let work = || match read(from, &bytes)? {
                document if what == to.info().id => write(to, document),
                document => write(to, edited(what, document)?),
            };
            let written = work().unwrap_or_default();
            let time = timed(|| Ok(work()))?.min(timed(|| Ok(work()))?).min(timed(|| Ok(work()))?);
            // Below 1 KiB, the clock and the allocator count.
            let size = f64_from_index((bytes.len() + written.len()).max(1024)) / 1_048_576.0;
            worsen(&mut seconds, time.as_secs_f64() / size, &format!("{name}: {what}"));
            let result = read(to, &written).unwrap_or_default();
            let frames = result.clips.iter().map(|clip| {
                let rate = clip.frame_rate.unwrap_or(60.0).clamp(30.0, 240.0);
                (rate * clip.effective_duration() + 1.0) * f64_from_index(clip.tracks.len())
            });
            let most = f64_from_index(keys(&result)) / (frames.sum::<f64>() + source_keys) / 2.0;
            worsen(&mut most_keys, most, &format!("{name}: {what}"));
        }
    }
    Ok(vec![
        Row::at_most("worst case: seconds per MiB of input and output", 2.0, seconds),
        Row::at_most("worst case: written keys, to their bound", 1.0, most_keys),
    ])
}

/// Returns the fixtures, and files that are hard to bake.
fn inputs(registry: &Registry) -> Result<Vec<Case>, String> {
    let mut inputs = cases::all();
    for (name, id, clip) in hard_clips()? {
        let format = registry.by_id(id).ok_or("a format is missing")?;
        inputs.push(Case::ok(id, name, write_clip(format, clip)?));
    }
    Ok(inputs)
}
