//! Reads rest poses from JSON or from the first frame of an animation.

use std::path::Path;

use inbetween::core::{FormatInfo, printable, printable_json};
use inbetween::edit::{EditError, MapOptions, Route, Settings, first_frame, map_coordinates};
use inbetween::files::Expected;
use inbetween::{Bone, Document, Finding, Limits, Outcome, Quat, Registry, Skeleton};
use serde::Deserialize;

use crate::exit::Failure;
use crate::inputs::load_side_file;
use crate::report;

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

/// The number of characters of a JSON parser message to show.
const LONGEST: usize = 200;

/// A skeleton from a file.
#[derive(Debug)]
pub(crate) struct Given {
    pub(crate) skeleton: Skeleton,
    /// The file without its clips, and its format. A `.json` file has the coordinates of the inputs.
    pub(crate) file: Option<(Document, &'static FormatInfo)>,
}

/// Reads a rest pose: a `.json` file of bones, else the skeleton of a file of any format, or the
/// first frame of its first clip.
pub(crate) fn load(path: &Path, registry: &Registry) -> Result<Given, Failure> {
    let name = path.display().to_string();
    let failed = |problem: String| Failure::Cannot(format!("{name}: {problem}"));
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
        let bytes = load_side_file(path, registry)?;
        let skeleton = parse(&bytes, registry.limits()).map_err(failed)?;
        return Ok(Given { skeleton, file: None });
    }
    let bytes = registry.load(path, Expected::AnyFormat);
    let bytes = bytes.map_err(|error| Failure::of_file(&name, error))?;
    let detection = registry.detect(&bytes, &inbetween::files::hint_of(path));
    let format = detection.map_err(|error| Failure::of_file(&name, error))?.format;
    let read = format.read(&bytes, registry.limits());
    let read = read.map_err(|error| Failure::of_file(&name, inbetween::Error::Read(error)))?;
    let mut document = read.value;
    let skeleton = if let Some(skeleton) = document.skeleton.take() {
        skeleton
    } else {
        let neither = || failed("expected a skeleton or a clip, found neither".to_owned());
        let clip = document.clips.first().ok_or_else(neither)?;
        first_frame(clip).map_err(|error| failed(error.to_string()))?
    };
    document.clips.clear();
    Ok(Given { skeleton, file: Some((document, format.info())) })
}

impl Given {
    /// Returns the skeleton in the coordinates of a document, which keeps the unit of its file if
    /// none is chosen.
    pub(crate) fn for_document(
        &self,
        (document, format): (&Document, &FormatInfo),
        options: MapOptions,
        settings: &Settings,
    ) -> Result<Outcome<Skeleton>, EditError> {
        let Some((file, own)) = &self.file else {
            return Ok(Outcome { value: self.skeleton.clone(), findings: Vec::new() });
        };
        let (from, to) = (own.coordinates_of(file), format.coordinates_of(document));
        let route = Route { from, to, has_node: false };
        let file = file.clone().with_skeleton(self.skeleton.clone());
        let mapped = map_coordinates(file, route, options, settings)?;
        let skeleton = mapped.value.skeleton.unwrap_or_else(|| self.skeleton.clone());
        // The line about the clips says the same.
        let is_new = |finding: &Finding| report::line(finding).is_none();
        let findings = mapped.findings.into_iter().filter(is_new).collect();
        Ok(Outcome { value: skeleton, findings })
    }
}

/// Returns the JSON that [`load`] reads as the same skeleton, with one bone per line.
pub(crate) fn to_json(skeleton: &Skeleton) -> String {
    let mut text = "{\n  \"bones\": [".to_owned();
    for (index, bone) in skeleton.bones().iter().enumerate() {
        text.push_str(if index == 0 { "\n    " } else { ",\n    " });
        let string = |name: &str| serde_json::Value::from(name).to_string();
        let mut members = vec![("node", string(&bone.node))];
        members.extend(bone.parent.as_deref().map(|parent| ("parent", string(parent))));
        members.extend(bone.translation.map(|numbers| ("translation", numbers_text(&numbers))));
        let rotation = bone.rotation.map(Quat::to_array);
        members.extend(rotation.map(|numbers| ("rotation", numbers_text(&numbers))));
        members.extend(bone.scale.map(|numbers| ("scale", numbers_text(&numbers))));
        let members: Vec<String> =
            members.into_iter().map(|(name, value)| format!("\"{name}\": {value}")).collect();
        text.push_str(&printable_json(&format!("{{{}}}", members.join(", "))).to_string());
    }
    text.push_str("\n  ]\n}\n");
    text
}

fn numbers_text(numbers: &[f64]) -> String {
    let numbers = numbers.iter().map(|number| format!("{number:?}"));
    format!("[{}]", numbers.collect::<Vec<_>>().join(", "))
}

fn parse(bytes: &[u8], limits: &Limits) -> Result<Skeleton, String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let file: File = serde_json::from_slice(bytes).map_err(|error| {
        let place = format!(" at line {} column {}", error.line(), error.column());
        let text = error.to_string();
        // The message may quote the file, so it is cut except for the position.
        let problem = printable(text.strip_suffix(&place).unwrap_or(&text)).at_most(LONGEST);
        format!("not a valid skeleton: {problem}{place}")
    })?;
    let count = inbetween::core::num::u64_from_len(file.bones.len());
    if count > limits.items {
        return Err(format!("{count} bones, the limit is {}", limits.items));
    }
    let bones = file.bones.into_iter().map(|bone| Bone {
        node: bone.node.into(),
        parent: bone.parent.map(Into::into),
        translation: bone.translation,
        rotation: bone.rotation.map(|rotation| Quat::from_array(rotation).normalized()),
        scale: bone.scale,
        ..Bone::default()
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
    fn a_bone_has_only_the_members_of_the_file() {
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
    fn hostile_skeletons_are_rejected_with_advice() {
        let bone = |rest: &str| format!("{{\"bones\": [{{\"node\": \"a\"{rest}}}]}}");
        let twice = r#"{"bones": [{"node": "a"}, {"node": "a"}]}"#;
        assert!(problem(twice).contains("two bones have this name"));
        assert!(
            problem(&bone(r#", "parent": "b""#))
                .contains("its parent b is not among the bones; add it")
        );
        assert!(problem(&bone(r#", "parent": "a""#)).contains("the parent links form a cycle"));
        assert!(problem(&bone(r#", "rotation": [0, 0, 0, 0]"#)).contains("of length 1"));
        assert!(problem(&bone(r#", "scale": [1, 1e999, 1]"#)).contains("line 1 column"));
        assert!(problem(&bone(r#", "size": 1"#)).contains("unknown field `size`"));
        assert!(problem(&"[".repeat(100_000)).contains("line 1 column"));
    }

    #[test]
    fn a_long_chain_of_bones_is_valid_and_a_cycle_is_not() {
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
        assert!(problem(&chain("\"b19999\"")).contains("the parent links form a cycle"));
    }

    #[test]
    fn a_written_skeleton_is_read_as_the_same() {
        let hips = Bone { node: "\u{202e}\"hips\"".into(), ..Bone::default() };
        let spine = Bone {
            node: "spine".into(),
            parent: Some(hips.node.clone()),
            translation: Some([0.1, -0.0, 1e300]),
            rotation: Some(Quat { x: 0.0, y: 0.0, z: 0.6, w: 0.8 }),
            scale: Some([1.0, 1e-300, 3.0]),
            ..Bone::default()
        };
        let skeleton = Skeleton::new(vec![spine, hips]).unwrap();
        let text = to_json(&skeleton);
        assert_eq!(parse(text.as_bytes(), &Limits::default()).unwrap(), skeleton);
        assert!(!text.contains('\u{202e}'), "{text}");
        assert_eq!(text.lines().count(), 6);
    }

    #[test]
    fn rejects_more_bones_than_the_limit() {
        let limits = Limits::default().with_items(1);
        let text = r#"{"bones": [{"node": "a"}, {"node": "b"}]}"#;
        assert_eq!(parse(text.as_bytes(), &limits).unwrap_err(), "2 bones, the limit is 1");
    }
}
