//! Implements `Format`, with the options by name.

use std::sync::Arc;

use inbetween_core::json::{Json, JsonResult, check_start};
use inbetween_core::{
    Applies, Budget, ClipCount, ClipReader, Confidence, Context, Document, FileEncoding, Finding,
    Format, FormatInfo, Hint, Inspection, Limits, Neighbors, OptionError, OptionInfo, Outcome,
    ReadError, ReadErrorKind, Record, WriteError, Written, num,
};

use crate::file::{Chunk, GltfFile};
use crate::layout::{Container, ID, MAGIC, VERSION};
use crate::options::{CONTAINER, Curves, Gltf};
use crate::read::{json_reader, without_nuls};
use crate::{check, codes, convert};

static OPTIONS: &[OptionInfo] = &[
    OptionInfo {
        name: CONTAINER,
        value: "glb|gltf",
        help: "Write a binary or a text file [default: by the extension of the output, else glb]",
        applies: Applies::Writing,
    },
    OptionInfo {
        name: "curves",
        value: "spline|bake|linear",
        help: "Write curves as cubic splines, as linear keys for Blender, which drops their tangents, \
               or everything as linear keys, jumps too, for programs that play nothing else \
               [default: spline]",
        applies: Applies::Writing,
    },
];

static INFO: FormatInfo = FormatInfo::new(ID, "glTF", FileEncoding::Binary)
    .with_extensions(&["glb", "gltf"])
    .with_summary("Animations and skeletons of scenes for engines and Blender: version 2.0")
    .with_promise("byte-identical")
    .with_clips(ClipCount::Many)
    .with_rules(crate::RULES)
    .with_stores(convert::STORES)
    .with_coordinates(convert::COORDINATES)
    .with_codes(&codes::USED)
    .with_options(OPTIONS)
    .with_extension_option(CONTAINER)
    .with_fields(convert::FIELDS);

impl Format for Gltf {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn probe(&self, bytes: &[u8], hint: &Hint<'_>) -> Confidence {
        match Confidence::of_magic(bytes, MAGIC, hint, &INFO) {
            Confidence::No => probe_text(bytes, hint),
            confidence => confidence,
        }
    }

    fn check_start(&self, head: &[u8]) -> Result<Option<u64>, ReadError> {
        if let Some(header) = head.strip_prefix(MAGIC) {
            let Some([version, length]) = <[u32; 2]>::decode(header, ()) else { return Ok(None) };
            if version != VERSION {
                let kind = ReadErrorKind::UnsupportedVersion {
                    found: version.into(),
                    supported: "version 2",
                };
                return Err(ReadError::new(kind).in_format(ID));
            }
            let first = header.get(size_of::<[u32; 2]>()..).unwrap_or_default();
            let Some([json, kind]) = <[u32; 2]>::decode(first, ()) else { return Ok(None) };
            if kind != Chunk::JSON {
                let error = ReadError::invalid("the chunk JSON first", "another one");
                return Err(error.in_format(ID));
            }
            // The stated length may be wrong, unless the second chunk ends there too.
            let second = u64::from(json).saturating_add(20);
            let binary = head.get(num::len_from_u64(second)..).unwrap_or_default();
            let binary = <[u32; 2]>::decode(binary, ()).map(|[length, _]| u64::from(length));
            let end = binary.map(|binary| second.saturating_add(8).saturating_add(binary));
            return Ok(end.filter(|end| *end == u64::from(length)));
        }
        // NULs may follow a whole text.
        let text = without_nuls(head);
        let text = if text.trim_ascii_end().ends_with(b"}") { text } else { head };
        check_start(text).map(|()| None).map_err(|error| error.in_format(ID))
    }

    fn inspect(&self, bytes: &[u8], limits: &Limits) -> Result<Inspection, ReadError> {
        let file = GltfFile::open(bytes.into(), limits)?;
        let layout = match file.container() {
            Container::Glb => format!("glb, {} chunks", file.chunks().len()),
            Container::Gltf => "gltf".to_owned(),
        };
        let mut budget = Budget::new(limits, bytes.len());
        let reader = convert::Clips::new(file, self, &mut budget)?;
        let scene = reader.scene();
        let counts = [
            ("nodes", scene.nodes.len()),
            ("meshes", scene.meshes.len()),
            ("joints", scene.joints.len()),
            ("buffers", scene.buffers.len()),
        ];
        let counts = counts.into_iter().filter(|(_, count)| *count > 0);
        let facts = counts.map(|(name, count)| (name, count.to_string())).collect();
        Ok(Inspection { layout, facts, clips: reader.summarize(&mut budget)? })
    }

    fn check(&self, bytes: &[u8], limits: &Limits) -> Result<Vec<Finding>, ReadError> {
        check::check(&GltfFile::open(bytes.into(), limits)?, self, limits)
    }

    fn open<'b>(
        &self,
        bytes: &'b [u8],
        budget: &mut Budget,
    ) -> Result<Box<dyn ClipReader + 'b>, ReadError> {
        let file = GltfFile::open(bytes.into(), budget.limits())?;
        Ok(Box::new(convert::Clips::new(file, self, budget)?))
    }

    fn write_within(
        &self,
        document: Document,
        budget: &mut Budget,
    ) -> Result<Outcome<Written>, WriteError> {
        Context::writing(ID, budget, |context| convert::from_document(document, self, context))
    }

    fn with_option(&self, name: &str, value: &str) -> Result<Box<dyn Format>, OptionError> {
        let bad = |expected: &'static str| OptionError::BadValue { expected: expected.into() };
        let format = self.clone();
        Ok(Box::new(match (name, value) {
            (CONTAINER, _) => {
                format.with_container(Container::of_name(value).ok_or_else(|| bad("glb or gltf"))?)
            }
            ("curves", "spline") => format.with_curves(Curves::Spline),
            ("curves", "bake") => format.with_curves(Curves::Bake),
            ("curves", "linear") => format.with_curves(Curves::Linear),
            ("curves", _) => return Err(bad("spline, bake or linear")),
            _ => return Err(OptionError::Unknown),
        }))
    }

    fn extension(&self) -> &'static str {
        self.container().name()
    }

    fn beside(&self, neighbors: Arc<dyn Neighbors>) -> Option<Box<dyn Format>> {
        Some(Box::new(self.clone().with_neighbors(neighbors)))
    }
}

/// The members of the root that the specification defines, other than `asset`.
const ROOT_MEMBERS: [&str; 18] = [
    "accessors",
    "animations",
    "bufferViews",
    "buffers",
    "cameras",
    "extensions",
    "extensionsRequired",
    "extensionsUsed",
    "extras",
    "images",
    "materials",
    "meshes",
    "nodes",
    "samplers",
    "scene",
    "scenes",
    "skins",
    "textures",
];

/// Returns how likely a text is glTF: an object with a member `asset` that states a version. Nearly
/// all programs write this member first.
fn probe_text(bytes: &[u8], hint: &Hint<'_>) -> Confidence {
    let text = core::str::from_utf8(bytes).unwrap_or_default();
    let mut json = json_reader(text, &Limits::default());
    match has_asset(&mut json) {
        Ok(true) => Confidence::Certain,
        Ok(false) | Err(_) if hint.names(&INFO) && bytes.trim_ascii_start().starts_with(b"{") => {
            Confidence::Likely
        }
        _ => Confidence::No,
    }
}

/// Returns whether the asset of a file states a version. Stops at a member that glTF does not
/// define: other JSON may be long, and no part of it is worth reading.
fn has_asset(json: &mut Json<'_>) -> JsonResult<bool> {
    json.begin_object("an object")?;
    let mut first = true;
    while let Some(name) = json.next_name(&mut first)? {
        if name == "asset" {
            json.begin_object("an object")?;
            let mut first = true;
            while let Some(name) = json.next_name(&mut first)? {
                if name == "version" {
                    return Ok(json.peek() == Some(b'"'));
                }
                json.skip_value()?;
            }
            return Ok(false);
        }
        if !ROOT_MEMBERS.contains(&&*name) {
            return Ok(false);
        }
        json.skip_value()?;
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn probed(text: &str, extension: Option<&str>) -> Confidence {
        Gltf::default().probe(text.as_bytes(), &Hint { extension })
    }

    #[test]
    fn the_asset_may_be_any_member_of_the_root() {
        let asset = r#""asset": {"generator": "g", "version": "2.0"}"#;
        assert_eq!(probed(&format!("{{{asset}}}"), None), Confidence::Certain);
        for member in ROOT_MEMBERS {
            let text = format!(r#"{{"{member}": [{{"a": 1}}], {asset}}}"#);
            assert_eq!(probed(&text, None), Confidence::Certain, "{text}");
        }
    }

    #[test]
    fn other_json_is_not_read_to_its_end() {
        let other = r#"{"name": "walk", "asset": {"version": "2.0"}}"#;
        assert_eq!(probed(other, None), Confidence::No);
        assert_eq!(probed(other, Some("gltf")), Confidence::Likely);
        assert_eq!(probed(r#"{"asset": {"version": 2}}"#, None), Confidence::No);
    }
}
