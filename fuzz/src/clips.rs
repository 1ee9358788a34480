//! Playback clips, loaded from the bytes or built from the file that the bytes are.

use inbetween::Document;
use inbetween::clip::{Bounds, Clip, Pose, build_document, load, save, to_animation};
use inbetween::core::Budget;
use inbetween::{Hint, Limits, Registry};

/// Loads the input as clips, or builds clips of it and loads those.
pub(crate) fn clip(registry: &Registry, bytes: &[u8]) {
    if let Ok(clips) = load(bytes) {
        assert_eq!(save(&clips), bytes, "a clip has one byte form");
        clips.iter().for_each(play);
    } else if let Some(document) = read(registry, bytes) {
        let limits = Limits::default().with_decoded_bytes(1 << 22);
        let mut budget = Budget::new(&limits, bytes.len());
        let bounds = Bounds::default().with_rotation(0.01).with_curve(0.01);
        let Ok(built) = build_document(document, &bounds, &mut budget) else { return };
        for track in built.value.iter().flat_map(|built| &built.report.tracks) {
            assert!(track.error <= track.bound, "{track:?}");
        }
        let clips: Vec<Clip> = built.value.into_iter().map(|built| built.clip).collect();
        assert_eq!(load(&save(&clips)).as_ref(), Ok(&clips), "saved and loaded");
        clips.iter().for_each(play);
    }
}

fn read(registry: &Registry, bytes: &[u8]) -> Option<Document> {
    let limits = Limits::default().with_decoded_bytes(1 << 20).with_items(1 << 14);
    let format = registry.detect(bytes, &Hint::default()).ok()?.format;
    Some(format.read(bytes, &limits).ok()?.value)
}

/// Every value is finite at every time, and the clip is a sound animation.
fn play(clip: &Clip) {
    let mut context = clip.context();
    let mut pose = Pose::new(clip.nodes().len());
    let mut curves = vec![0.0; clip.curve_len()];
    let end = clip.duration();
    for time in [0.0, end / 3.0, end, -1.0, 1e300, f64::NAN, f64::INFINITY] {
        clip.sample(time, &mut context, &mut pose);
        clip.sample_curves(time, &mut context, &mut curves);
        let vectors = pose.translations().iter().chain(pose.scales()).flatten();
        let numbers = vectors.chain(pose.rotations().iter().flatten()).chain(&curves);
        assert!(numbers.copied().all(f32::is_finite), "at {time}");
    }
    assert_eq!(to_animation(clip).tracks.len(), clip.tracks().len());
}
