//! Rest poses from files: JSON, or the first frame of an animation.

use std::path::Path;

use inbetween::Registry;
use inbetween::core::{Limits, Quat, printable};
use inbetween::edit::{Bone, Skeleton};
use serde::Deserialize;

use crate::edits::load_side_file;
use crate::exit::Failure;

/// The members of a skeleton file (`docs/editing.md`).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    bones: Vec<FileBone>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileBone {
    node: String,
    #[serde(default)]
    parent: Option<String>,
    #[serde(default)]
    translation: Option<[f64; 3]>,
    #[serde(default)]
    rotation: Option<[f64; 4]>,
    #[serde(default)]
    scale: Option<[f64; 3]>,
}

/// How many characters of a message of the JSON parser are shown.
const LONGEST: usize = 200;

/// Reads a rest pose: a `.json` file of bones, else the first frame of the first clip of a file of
/// any format.
pub(crate) fn load(path: &Path, registry: &Registry) -> Result<Skeleton, Failure> {
    let name = path.display().to_string();
    let failed = |problem: String| Failure::Cannot(format!("{name}: {problem}"));
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
        let bytes = load_side_file(path, registry)?;
        return parse(&bytes, registry.limits()).map_err(failed);
    }
    let bytes = inbetween::load(path, registry.limits());
    let bytes = bytes.map_err(|error| Failure::of_file(&name, error))?;
    let detection = registry.detect(&bytes, &inbetween::hint_of(path));
    let format = detection.map_err(|error| Failure::of_file(&name, error))?.format;
    let read = format.read(&bytes, registry.limits());
    let read = read.map_err(|error| Failure::of_file(&name, inbetween::Error::Read(error)))?;
    let clip = read.value.clips.first();
    let clip = clip.ok_or_else(|| failed("expected a clip, found none".to_owned()))?;
    Skeleton::of_first_frame(clip).map_err(|error| failed(error.to_string()))
}

fn parse(bytes: &[u8], limits: &Limits) -> Result<Skeleton, String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let file: File = serde_json::from_slice(bytes).map_err(|error| {
        let place = format!(" at line {} column {}", error.line(), error.column());
        let text = error.to_string();
        // It may quote the file, so all but the place is cut.
        let problem = printable(text.strip_suffix(&place).unwrap_or(&text)).at_most(LONGEST);
        format!("not a skeleton as docs/editing.md describes it: {problem}{place}")
    })?;
    let count = inbetween::core::num::u64_from_len(file.bones.len());
    if count > limits.items {
        return Err(format!("{count} bones, the limit is {}", limits.items));
    }
    let bones = file.bones.into_iter().map(|bone| Bone {
        node: bone.node.into(),
        parent: bone.parent.map(Into::into),
        translation: bone.translation,
        rotation: bone.rotation.map(Quat::from_array),
        scale: bone.scale,
    });
    Skeleton::new(bones.collect()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> String {
        parse(text.as_bytes(), &Limits::default()).unwrap_err()
    }

    #[test]
    fn a_bone_has_what_the_file_says_and_nothing_else() {
        let text = r#"{"bones": [
            {"node": "spine", "parent": "hips", "rotation": [0, 0, 0, 2]},
            {"node": "hips", "translation": [0, 90, 0], "parent": null}
        ]}"#;
        let skeleton = parse(text.as_bytes(), &Limits::default()).unwrap();
        let spine = skeleton.bone("spine").unwrap();
        assert_eq!((spine.parent.as_deref(), spine.translation), (Some("hips"), None));
        assert_eq!(spine.rotation, Some(Quat::IDENTITY));
        assert_eq!(skeleton.bone("hips").unwrap().translation, Some([0.0, 90.0, 0.0]));
    }

    #[test]
    fn hostile_skeletons_are_refused_with_what_to_do() {
        let bone = |rest: &str| format!("{{\"bones\": [{{\"node\": \"a\"{rest}}}]}}");
        let twice = r#"{"bones": [{"node": "a"}, {"node": "a"}]}"#;
        assert!(problem(twice).ends_with("found it twice; remove one"));
        assert!(problem(&bone(r#", "parent": "b""#)).contains("found no b; add it"));
        assert!(problem(&bone(r#", "parent": "a""#)).ends_with("mend the parents"));
        assert!(problem(&bone(r#", "rotation": [0, 0, 0, 0]"#)).contains("of length 1"));
        assert!(problem(&bone(r#", "scale": [1, 1e999, 1]"#)).contains("line 1 column"));
        assert!(problem(&bone(r#", "size": 1"#)).contains("unknown field `size`"));
        assert!(problem(&"[".repeat(100_000)).contains("line 1 column"));
    }

    #[test]
    fn a_chain_of_many_bones_is_sound_and_a_ring_of_them_is_not() {
        let chain = |first: &str| {
            let bones = (0..20_000_u32).map(|at| {
                let parent = if at == 0 { first.to_owned() } else { format!("\"b{}\"", at - 1) };
                format!("{{\"node\": \"b{at}\", \"parent\": {parent}}}")
            });
            format!("{{\"bones\": [{}]}}", bones.collect::<Vec<_>>().join(","))
        };
        assert_eq!(
            parse(chain("null").as_bytes(), &Limits::default()).unwrap().bones().len(),
            20_000
        );
        assert!(problem(&chain("\"b19999\"")).ends_with("mend the parents"));
    }

    #[test]
    fn more_bones_than_the_limit_are_refused() {
        let limits = Limits::default().with_items(1);
        let text = r#"{"bones": [{"node": "a"}, {"node": "b"}]}"#;
        assert_eq!(parse(text.as_bytes(), &limits).unwrap_err(), "2 bones, the limit is 1");
    }
}
