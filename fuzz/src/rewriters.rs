//! Rewrites the files of every format through its exact model.

use inbetween::clip::{load, save};
use inbetween::{Limits, ReadError};
use inbetween_testing::laws::Rewritten;
use inbetween_testing::rewriter;

/// Returns the function that rewrites the files of a format, or `None` if no format has this id.
pub(crate) fn of(id: &str) -> Option<fn(&[u8], &Limits) -> Rewritten> {
    let rewrite: fn(&[u8], &Limits) -> Rewritten = match id {
        // Clips have no parts: loading keeps everything.
        "clip" => |bytes, _| {
            let clips = load(bytes);
            let clips = clips.map_err(|error| ReadError::invalid("a clip", error.to_string()))?;
            let saved = save(&clips);
            Ok([saved.clone(), saved])
        },
        // begin generated: rewriters
        "animj" => rewriter!(text inbetween::animj::AnimjFile),
        "animx" => rewriter!(inbetween::animx::AnimxFile::parse),
        "bvh" => rewriter!(text inbetween::bvh::BvhFile),
        "cast" => rewriter!(inbetween::cast::CastFile::parse),
        "gltf" => rewriter!(inbetween::gltf::GltfFile::parse),
        "seanim" => rewriter!(inbetween::seanim::SeanimFile::parse),
        "unity-anim" => rewriter!(text inbetween::unity_anim::UnityAnimFile),
        "x4-ani" => rewriter!(inbetween::x4_ani::X4aniFile::parse),
        // end generated: rewriters
        _ => return None,
    };
    Some(rewrite)
}
