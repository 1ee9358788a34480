//! Writes clips into a file with a model: its animations are replaced, and everything else stays.

mod places;

use std::collections::HashSet;
use std::sync::Arc;

use inbetween_core::{
    Context, Finding, Findings, Limits, Model, Neighbors, OldAnimations, Path, ReadError, Text,
    WriteError, codes as shared, counted, memory, num, shown,
};

use self::places::{fill, kept_views};
use super::clip_writer::ClipPart;
use super::from_document::{Data, animations, empty_clips, extras};
use super::nodes::Nodes;
use super::rest::decompose;
use crate::buffers::{self, uri_paths};
use crate::codes;
use crate::file::{Chunk, GltfFile};
use crate::json_edit::{Members, each_number, items, quoted};
use crate::json_text::JsonText;
use crate::layout::{Container, ID, OWN};
use crate::meshopt::EXTENSIONS;
use crate::scene::{Buffer, Listed, Scene};
use crate::write;

/// The file of a model.
pub(super) struct ModelFile<'m> {
    file: GltfFile<'m>,
    scene: Scene,
    neighbors: Option<Arc<dyn Neighbors>>,
    animations: OldAnimations,
}

impl<'m> ModelFile<'m> {
    /// Opens the file of a model.
    ///
    /// # Errors
    ///
    /// If it is not valid, which cannot happen if it was read before.
    pub(super) fn open(model: &'m Model, limits: &Limits) -> Result<Self, ReadError> {
        let file = GltfFile::open((&*model.bytes).into(), limits)?;
        let scene = Scene::parse(&file, limits)?;
        let (neighbors, animations) = (model.neighbors.clone(), model.animations);
        Ok(Self { file, scene, neighbors, animations })
    }

    /// Returns the name and the blend shapes of each node, with other names for some.
    pub(super) fn nodes(&self, renamed: &[Vec<(Text, Text)>]) -> Vec<(Text, Vec<Text>)> {
        let names = self.scene.names(&mut Findings::new(&Limits::default()));
        let nodes = names.into_iter().enumerate().map(|(index, mut name)| {
            for names in renamed {
                if let Some((_, new)) = names.iter().find(|(old, _)| *old == name) {
                    name.clone_from(new);
                }
            }
            (name, self.shapes(index))
        });
        nodes.collect()
    }

    fn shapes(&self, node: usize) -> Vec<Text> {
        let mesh = self.scene.nodes.get(node).and_then(|node| node.mesh);
        let Some(mesh) = mesh.and_then(|mesh| self.scene.meshes.get(mesh)) else {
            return Vec::new();
        };
        (0..mesh.targets).map(|shape| mesh.shape_name(shape)).collect()
    }

    /// Returns the bytes of the file with other clips.
    ///
    /// # Errors
    ///
    /// If the file is longer than its header can state, or the system has no memory for it.
    pub(super) fn write(
        &self,
        (clips, nodes): (&[ClipPart], &Nodes),
        container: Container,
        context: &mut Context<'_>,
    ) -> Result<Vec<u8>, WriteError> {
        let mut root = Members::of(self.file.json());
        let free = self.free_parts();
        let Buffers { list: mut buffers, home, mut bytes } =
            self.buffers(&root, container, context);
        let views = kept_views(&root, &free, (home, &mut bytes));
        let mut data = Data::of_clips(clips);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let view = (data.length > 0).then(|| {
            let (start, length) = (bytes.len(), data.length);
            format!("{{\"buffer\":{home},\"byteOffset\":{start},\"byteLength\":{length}}}")
        });
        memory::reserve(&mut bytes, data.length)?;
        data.append_to(&mut bytes);
        let placeholder = format!("{{\"buffer\":{home},\"byteLength\":1}}");
        let (views, slots) = fill(views, &free.views, view.into_iter().collect(), &placeholder);
        let accessors = data.accessors_in(slots.first().copied().unwrap_or(0));
        let placeholder = "{\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\"}";
        let (accessors, slots) =
            fill(root.items("accessors"), &free.accessors, accessors, placeholder);
        data.move_accessors(&slots);
        root.set_items("accessors", &accessors);
        root.set_items("bufferViews", &views);
        self.set_nodes(&mut root, (clips, nodes));
        let mut list = match self.animations {
            OldAnimations::Kept => root.items("animations"),
            OldAnimations::Replaced => Vec::new(),
        };
        list.extend(animations(clips, &data.channels));
        root.set_items("animations", &list);
        set_extras(&mut root, clips, context);
        self.embed_images(&mut root, context);
        let has_chunk = container == Container::Glb && home == 0 && !bytes.is_empty();
        if bytes.is_empty() {
            buffers.truncate(home);
        } else if let Some(text) = buffers.get_mut(home) {
            *text = buffer_text(text, &bytes, has_chunk);
        }
        root.set_items("buffers", &buffers);
        self.file_of(&root.text(), has_chunk.then_some(bytes), container, context)
    }

    /// Encodes the JSON and the binary chunk, with the other chunks of the file.
    fn file_of(
        &self,
        json: &str,
        binary: Option<Vec<u8>>,
        container: Container,
        context: &mut Context<'_>,
    ) -> Result<Vec<u8>, WriteError> {
        let others = || {
            let known = [Chunk::JSON, Chunk::BIN];
            self.file.chunks().filter(move |chunk| !known.contains(&chunk.kind))
        };
        if container == Container::Gltf {
            if others().next().is_some() {
                let message = counted(others().count(), "chunk");
                context.findings.push(Finding::new(shared::TRAILING_DROPPED, message));
            }
            return Ok(json.as_bytes().to_vec());
        }
        let mut json = json.as_bytes().to_vec();
        write::pad(&mut json, b' ');
        let mut chunks = Vec::new();
        if let Some(mut bytes) = binary {
            write::pad(&mut bytes, 0);
            chunks.push((Chunk::BIN, bytes));
        }
        chunks.extend(others().map(|chunk| (chunk.kind, chunk.data.to_vec())));
        let mut out = write::binary(&json, chunks.iter().map(|(_, data)| data.len()))?;
        for (kind, data) in &chunks {
            write::begin_chunk(*kind, data.len(), &mut out);
            out.extend_from_slice(data);
        }
        Ok(out)
    }

    /// Returns the accessors and views that only the old animations use.
    fn free_parts(&self) -> Free {
        let (mut accessors, mut views) = (HashSet::new(), HashSet::new());
        let root = Members::of(self.file.json());
        for member in ["meshes", "skins", "nodes", "images", "textures", "extensions"] {
            let Some(text) = root.get(member) else { continue };
            each_number(text, &mut Vec::new(), &mut |names, number| {
                let is = |known: &[&str]| names.iter().any(|name| known.contains(&name.as_str()));
                if is(&["attributes", "targets", "indices", "inverseBindMatrices", "extensions"]) {
                    accessors.insert(number);
                }
                if is(&["bufferView", "extensions"]) {
                    views.insert(number);
                }
            });
        }
        let replaced = match self.animations {
            OldAnimations::Replaced => self.scene.animations.as_slice(),
            OldAnimations::Kept => &[],
        };
        let samplers = replaced.iter().flat_map(|animation| animation.samplers.iter());
        let sampled: HashSet<usize> =
            samplers.flat_map(|sampler| [sampler.input, sampler.output]).flatten().collect();
        let count = self.scene.accessors.len();
        let is_free = |index: &usize| sampled.contains(index) && !accessors.contains(index);
        let free: Vec<usize> = (0..count).filter(is_free).collect();
        let views_of = |index: usize| {
            let accessor = self.scene.accessors.get(index);
            let sparse = accessor.and_then(|accessor| accessor.sparse.as_deref());
            let sparse = sparse.into_iter().flat_map(|sparse| [sparse.indices, sparse.values]);
            sparse.chain([accessor.and_then(|accessor| accessor.view)]).flatten()
        };
        views.extend((0..count).filter(|index| !is_free(index)).flat_map(views_of));
        let of_free: HashSet<usize> = free.iter().copied().flat_map(views_of).collect();
        let is_free = |index: &usize| of_free.contains(index) && !views.contains(index);
        let views = (0..self.scene.views.len()).filter(is_free).collect();
        Free { accessors: free, views }
    }

    /// Returns the buffers of the file to write. The bytes of one of them are changed; those of files
    /// beside the model become part of it.
    fn buffers(
        &self,
        root: &Members<'_>,
        container: Container,
        context: &mut Context<'_>,
    ) -> Buffers {
        let mut list = root.items("buffers");
        let mut home: Option<(usize, Vec<u8>)> = None;
        for (index, text) in list.iter_mut().enumerate() {
            let members = Members::of(text);
            let uri = members.get("uri").is_some();
            let is_chunk = index == 0 && !uri && self.file.binary().is_some();
            let is_data = members.get("uri").is_some_and(is_data_uri);
            // A buffer that programs may skip cannot hold what they need.
            let is_fallback = is_fallback(&members);
            let may_be_home =
                home.is_none() && !is_fallback && (index == 0 || container == Container::Gltf);
            if !(is_chunk || uri && (may_be_home || !is_data)) {
                continue;
            }
            let Some(buffer) = self.scene.buffers.get(index) else { continue };
            let bytes = if is_chunk {
                let length = num::len_from_u64(buffer.length);
                let chunk = self.file.binary().unwrap_or_default();
                Some(chunk.get(..length).unwrap_or(chunk).to_vec())
            } else {
                self.load(index, buffer, context)
            };
            match bytes {
                Some(bytes) if may_be_home => home = Some((index, bytes)),
                Some(bytes) => *text = buffer_text(text, &bytes, false),
                None if !is_data && !is_fallback => outside(members.get("uri"), context),
                None => {}
            }
        }
        let (home, bytes) = home.unwrap_or_else(|| {
            list.push("{\"byteLength\":0}".to_owned());
            (list.len().saturating_sub(1), Vec::new())
        });
        Buffers { list, home, bytes }
    }

    fn load(
        &self,
        index: usize,
        buffer: &Listed<Buffer>,
        context: &mut Context<'_>,
    ) -> Option<Vec<u8>> {
        let neighbors = self.neighbors.as_deref();
        buffers::load(&self.file, index, buffer, neighbors, context.budget).ok().flatten()
    }

    /// Renames nodes, adds new ones to the scene, and replaces the matrices of animated nodes.
    fn set_nodes(&self, root: &mut Members<'_>, (clips, nodes): (&[ClipPart], &Nodes)) {
        let names = self.scene.names(&mut Findings::new(&Limits::default()));
        let mut texts = root.items("nodes");
        let known = texts.len();
        let animated: HashSet<usize> =
            clips.iter().flat_map(|clip| &clip.channels).map(|channel| channel.node).collect();
        for (index, text) in texts.iter_mut().enumerate() {
            let matrix = self.scene.nodes.get(index).and_then(|node| node.matrix.as_deref());
            let matrix = matrix.filter(|_| animated.contains(&index));
            let renamed = nodes.list.get(index).map(|node| &node.name);
            let renamed = renamed.filter(|name| names.get(index) != Some(*name));
            if matrix.is_none() && renamed.is_none() {
                continue;
            }
            let copy = text.clone();
            let mut node = Members::of(&copy);
            if let Some(name) = renamed {
                node.set("name", quoted(name));
            }
            if let Some(matrix) = matrix {
                let ((translation, rotation, scale), _) = decompose(matrix);
                node.remove("matrix");
                node.set("translation", format!("{translation:?}"));
                node.set("rotation", format!("{:?}", rotation.to_array()));
                node.set("scale", format!("{scale:?}"));
            }
            *text = node.text();
        }
        for node in nodes.list.iter().skip(known) {
            let mut json = JsonText::default();
            node.print(&[], &mut json);
            texts.push(json.into_string());
        }
        let added = known..texts.len();
        root.set_items("nodes", &texts);
        if !added.is_empty() {
            let mut scenes = root.items("scenes");
            let shown = root.number("scene").unwrap_or(0);
            if let Some(text) = scenes.get_mut(shown) {
                let copy = text.clone();
                let mut scene = Members::of(&copy);
                let mut tops = scene.items("nodes");
                tops.extend(added.map(|index| index.to_string()));
                scene.set_items("nodes", &tops);
                *text = scene.text();
            }
            root.set_items("scenes", &scenes);
        }
    }

    /// Makes images beside the model a part of it.
    fn embed_images(&self, root: &mut Members<'_>, context: &mut Context<'_>) {
        let mut images = root.items("images");
        let limit = context.budget.limits().input_bytes;
        let mut is_changed = false;
        for text in &mut images {
            let copy = text.clone();
            let mut image = Members::of(&copy);
            let Some(uri) = image.get("uri").filter(|uri| !is_data_uri(uri)) else { continue };
            let Some(uri) = string(uri) else { continue };
            let paths = uri_paths(&uri).unwrap_or_default();
            let load = |path: &String| self.neighbors.as_ref()?.load(path, limit).ok();
            let Some(bytes) = paths.iter().find_map(load) else {
                outside(Some(&quoted(&uri)), context);
                continue;
            };
            let stated = image.get("mimeType").and_then(string);
            let kind = stated.unwrap_or_else(|| mime_type(&uri).to_owned());
            let data = format!("data:{kind};base64,{}", write::base64(&bytes));
            image.set("uri", quoted(&data));
            *text = image.text();
            is_changed = true;
        }
        if is_changed {
            root.set_items("images", &images);
        }
    }
}

/// The indices of the parts that only the old animations use.
struct Free {
    accessors: Vec<usize>,
    views: Vec<usize>,
}

/// The texts of the buffers, and the bytes of the one that changes.
struct Buffers {
    list: Vec<String>,
    home: usize,
    bytes: Vec<u8>,
}

/// Returns whether only programs that cannot read compressed views need a buffer.
fn is_fallback(buffer: &Members<'_>) -> bool {
    let extensions = Members::of(buffer.get("extensions").unwrap_or("{}"));
    let stated = EXTENSIONS.iter().filter_map(|name| extensions.get(name));
    stated.map(Members::of).any(|stated| stated.get("fallback") == Some("true"))
}

/// Returns the text of a buffer with these bytes, which are in the binary chunk or in the text.
fn buffer_text(text: &str, bytes: &[u8], is_chunk: bool) -> String {
    let mut buffer = Members::of(text);
    buffer.set("byteLength", bytes.len().to_string());
    if is_chunk {
        buffer.remove("uri");
    } else {
        let uri = ["data:application/octet-stream;base64,", &write::base64(bytes)].concat();
        buffer.set("uri", quoted(&uri));
    }
    buffer.text()
}

/// Replaces the clips without keys in the extras of the file. Extras of another program have a place
/// for them only if they are an object.
fn set_extras(root: &mut Members<'_>, clips: &[ClipPart], context: &mut Context<'_>) {
    let before = root.get("extras").unwrap_or("{}").to_owned();
    if !before.starts_with('{') {
        for (index, clip) in empty_clips(clips) {
            let name = shown(clip.name.as_deref().unwrap_or_default());
            let finding = Finding::new(codes::CLIP_DROPPED, format!("the clip \"{name}\""));
            context.findings.push(finding.at(Path::item("clips", index)));
        }
        return;
    }
    let mut all = Members::of(&before);
    let own = all.get(OWN).unwrap_or("{}").to_owned();
    let mut own = Members::of(&own);
    match extras(clips) {
        Some(text) => own.set("emptyClips", text),
        None => own.remove("emptyClips"),
    }
    if own.is_empty() {
        all.remove(OWN);
    } else {
        all.set(OWN, own.text());
    }
    if all.is_empty() {
        root.remove("extras");
    } else {
        root.set("extras", all.text());
    }
}

/// Reports a file beside the model that cannot become a part of it.
fn outside(uri: Option<&str>, context: &mut Context<'_>) {
    let uri = uri.and_then(string).unwrap_or_default();
    let finding = Finding::new(codes::FILE_NOT_EMBEDDED, shown(&uri).to_string());
    context.findings.push(finding.at(Path::field("uri")));
}

/// Returns whether the text of a URI holds its data itself.
fn is_data_uri(text: &str) -> bool {
    string(text).is_some_and(|uri| {
        uri.get(.."data:".len()).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
    })
}

/// Returns the content of a text in quotes.
fn string(text: &str) -> Option<String> {
    let array = format!("[{text}]");
    let first = items(&array).first().copied().map(str::to_owned)?;
    let mut json = crate::read::json_reader(&first, &Limits::default());
    json.string("a string").ok().map(std::borrow::Cow::into_owned)
}

fn mime_type(uri: &str) -> &'static str {
    let extension = uri.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    match extension.as_str() {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ktx2" => "image/ktx2",
        _ => "application/octet-stream",
    }
}

/// Returns the error of a model that cannot be read again.
pub(super) fn unreadable(error: &ReadError) -> WriteError {
    WriteError::inconsistent(format!("the model: {error}")).in_format(ID)
}
