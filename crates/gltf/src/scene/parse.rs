//! Parses JSON into a scene.

use inbetween_core::json::{Json, JsonError, JsonResult, Mark, Recovery};
use inbetween_core::{Budget, Findings, Limits, Path, PathStyle, ReadError, Segment};

use super::members::{
    array, charge, flag, index, number, numbers, object, push, push_text, text, whole, word,
};
use super::{
    Accessor, Animation, Buffer, Channel, ChannelPath, ClipExtras, Encoding, Listed, Mesh, Mode,
    Node, Sampler, Scene, Sparse, View, extras,
};
use crate::file::GltfFile;
use crate::meshopt::{self, Meshopt};
use crate::read::{Fault, FaultResult, item, json_error, json_reader};

impl Scene {
    /// Reads the JSON of a file.
    ///
    /// # Errors
    ///
    /// If the version is not 2.x, or there are more items than the limits allow.
    pub(crate) fn parse(file: &GltfFile<'_>, limits: &Limits) -> Result<Self, ReadError> {
        // Text that is not JSON is reported as such, whatever its first part means, and a version that
        // is not supported before what it means for the rest of the file.
        scene(file, limits).map_err(|fault| {
            let not_json = file.check_json(limits).err();
            let version = || Some(file.place(unsupported(&version_of(file, limits)?)?));
            not_json.or_else(version).unwrap_or_else(|| file.place(fault))
        })
    }
}

fn scene(file: &GltfFile<'_>, limits: &Limits) -> FaultResult<Scene> {
    let mut reader = Reader {
        json: json_reader(file.json(), limits),
        budget: Budget::new(limits, file.to_bytes().len()),
        scene: Scene::default(),
        skins: Vec::new(),
        version: None,
    };
    reader.root()?;
    let Reader { mut scene, skins, version, .. } = reader;
    match version {
        Some(version) => {
            if let Some(fault) = unsupported(&version) {
                return Err(fault);
            }
        }
        None => return Err(Fault::invalid(0, member(&["asset"]), "a version", "none")),
    }
    let mut findings = Findings::new(limits);
    report_broken(&scene.nodes, file, "nodes", &mut findings);
    report_broken(&skins, file, "skins", &mut findings);
    scene.parents = scene.checked_parents(file, &mut findings);
    scene.joints = skins.into_iter().flat_map(|skin| skin.into_item().joints).collect();
    scene.skipped = findings.into_vec();
    Ok(scene)
}

/// Reports the broken items of a list, whose other members are used.
fn report_broken<T: Item>(
    items: &[Listed<T>],
    file: &GltfFile<'_>,
    list: &'static str,
    findings: &mut Findings,
) {
    let broken = items.iter().enumerate().filter(|(_, listed)| listed.is_broken);
    for (index, listed) in broken {
        if let Some(fault) = listed.fault(file, item(list, index, &[])) {
            findings.enter(item(list, index, &[]));
            findings.push(file.skipped("", fault));
        }
    }
    findings.leave();
}

/// Returns the error of a version that is not 2.x.
fn unsupported(version: &str) -> Option<Fault> {
    let what = || match version {
        "" => "glTF without a version".to_owned(),
        _ => format!("glTF {}", inbetween_core::shown(version)),
    };
    let path = || member(&["asset", "version"]);
    (!version.starts_with("2.")).then(|| Fault::unsupported(0, path(), what()))
}

/// Returns the version of a file whose other members may be anything.
fn version_of(file: &GltfFile<'_>, limits: &Limits) -> Option<String> {
    let (mut json, mut version) = (json_reader(file.json(), limits), None);
    let read = object(&mut json, |json, name| {
        if name != "asset" {
            return Ok(false);
        }
        object(json, |json, name| {
            // Version 1.0 wrote a number at first.
            if name == "version" {
                let at = json.offset();
                json.skip_value()?;
                let text = json.slice(at, json.offset()).trim();
                version = Some(text.trim_matches('"').chars().take(16).collect());
            }
            Ok(name == "version")
        })
        .map(|()| true)
    });
    read.ok().and(version)
}

/// Returns the JSON pointer of a member.
fn member(names: &[&'static str]) -> Path {
    let segments = names.iter().map(|name| Segment::Field(name));
    Path::new(PathStyle::JsonPointer, segments.collect())
}

struct Reader<'t> {
    json: Json<'t>,
    budget: Budget,
    scene: Scene,
    skins: Vec<Listed<Skin>>,
    version: Option<String>,
}

/// An item of a list of the file.
pub(crate) trait Item: Default {
    /// Reads a member; returns whether it is known.
    fn member(&mut self, json: &mut Json<'_>, name: &str, budget: &mut Budget) -> JsonResult<bool>;
}

/// Reads an item and appends it to a list. Members of the wrong type are skipped and mark the item as
/// broken.
fn push_listed<'t, T: Item>(
    json: &mut Json<'t>,
    budget: &mut Budget,
    list: &mut Vec<Listed<T>>,
) -> JsonResult<()> {
    charge(json, budget, 0)?;
    let (at, start) = (json.offset(), json.mark());
    let (mut item, mut is_broken) = (T::default(), false);
    let mut back = |json: &mut Json<'t>, mark: Mark<'t>, error: JsonError| {
        if error.0.recovery == Recovery::Stop {
            return Err(error);
        }
        is_broken = true;
        json.go_to(mark);
        Ok(())
    };
    let read = object(json, |json, name| {
        let value = json.mark();
        item.member(json, name, budget).or_else(|error| back(json, value, error).map(|()| false))
    });
    if let Err(error) = read {
        back(json, start, error)?;
        json.skip_value()?;
    }
    push(json, budget, (list, 0), Listed { at, end: json.offset(), is_broken, item })
}

impl<T: Item> Listed<T> {
    /// Returns the error of a broken item. The item is read again for it, so that no error has to be
    /// kept.
    pub(crate) fn fault(&self, file: &GltfFile<'_>, path: Path) -> Option<Fault> {
        if !self.is_broken {
            return None;
        }
        let text = file.json_part(self.at..self.end);
        let limits = Limits::default();
        let mut budget = Budget::new(&limits, text.len());
        let mut item = T::default();
        let read = object(&mut json_reader(text, &limits), |json, name| {
            item.member(json, name, &mut budget)
        });
        let fault = json_error(read.err()?, path);
        Some(Fault { at: fault.at.saturating_add(self.at), ..fault })
    }
}

impl Reader<'_> {
    fn root(&mut self) -> FaultResult<()> {
        let root = |error: JsonError| json_error(error, Path::default());
        self.json.begin_object("an object").map_err(root)?;
        let mut first = true;
        while let Some(name) = self.json.next_name(&mut first).map_err(root)? {
            self.member(&name)?;
        }
        self.json.end().map_err(root)
    }

    fn member(&mut self, name: &str) -> FaultResult<()> {
        match name {
            "asset" => self.asset(),
            "nodes" => self.list("nodes").map(|list| self.scene.nodes = list),
            "meshes" => self.list("meshes").map(|list| self.scene.meshes = list),
            "accessors" => self.list("accessors").map(|list| self.scene.accessors = list),
            "bufferViews" => self.list("bufferViews").map(|list| self.scene.views = list),
            "buffers" => self.list("buffers").map(|list| self.scene.buffers = list),
            "animations" => self.list("animations").map(|list| self.scene.animations = list),
            "skins" => {
                self.skins = self.list("skins")?;
                Ok(())
            }
            "scene" | "scenes" | "extensionsUsed" => self.skip(),
            "extensionsRequired" => self.required(),
            "extras" => {
                let known = extras::root(&mut self.json, &mut self.scene, &mut self.budget);
                let known = known.map_err(|error| json_error(error, member(&["extras"])))?;
                if known { Ok(()) } else { self.skip() }
            }
            other => {
                self.drop_part(other);
                self.skip()
            }
        }
    }

    /// Records a part of the scene that is not converted.
    fn drop_part(&mut self, name: &str) {
        // A hostile file may have any number of members.
        if self.scene.dropped.len() < 16 && !self.scene.dropped.iter().any(|known| **known == *name)
        {
            self.scene.dropped.push(name.chars().take(64).collect::<String>().into());
        }
    }

    fn skip(&mut self) -> FaultResult<()> {
        let skipped = self.json.skip_value();
        skipped.map(|_| ()).map_err(|error| json_error(error, Path::default()))
    }

    fn asset(&mut self) -> FaultResult<()> {
        let version = &mut self.version;
        let read = object(&mut self.json, |json, name| {
            if name == "version" {
                *version = Some(json.string("a string")?.into_owned());
            }
            Ok(name == "version")
        });
        read.map_err(|error| json_error(error, member(&["asset"])))
    }

    fn required(&mut self) -> FaultResult<()> {
        let (required, budget) = (&mut self.scene.required, &mut self.budget);
        required.clear();
        let read = array(&mut self.json, |json| push_text(json, budget, required));
        read.map_err(|error| json_error(error, member(&["extensionsRequired"])))
    }

    /// Reads a list of objects.
    fn list<T: Item>(&mut self, name: &'static str) -> FaultResult<Vec<Listed<T>>> {
        let (budget, mut list, mut is_array) = (&mut self.budget, Vec::new(), false);
        let read = array(&mut self.json, |json| {
            is_array = true;
            push_listed(json, budget, &mut list)
        });
        read.map_err(|error| {
            let path = if is_array { item(name, list.len(), &[]) } else { member(&[name]) };
            json_error(error, path)
        })?;
        Ok(list)
    }
}

impl Item for Animation {
    fn member(&mut self, json: &mut Json<'_>, name: &str, budget: &mut Budget) -> JsonResult<bool> {
        match name {
            "name" => self.name = Some(text(json)?),
            "channels" => self.channels = inner_list(json, budget)?,
            "samplers" => self.samplers = inner_list(json, budget)?,
            "extras" => {
                self.extras = ClipExtras::default();
                return extras::animation(json, &mut self.extras, budget);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn inner_list<T: Item>(json: &mut Json<'_>, budget: &mut Budget) -> JsonResult<Vec<Listed<T>>> {
    let mut list = Vec::new();
    array(json, |json| push_listed(json, budget, &mut list))?;
    Ok(list)
}

impl Item for Node {
    fn member(&mut self, json: &mut Json<'_>, name: &str, budget: &mut Budget) -> JsonResult<bool> {
        match name {
            "name" => self.name = Some(text(json)?),
            "children" => self.children = indices(json, budget)?,
            "translation" => self.translation = Some(numbers(json)?),
            "rotation" => self.rotation = Some(numbers(json)?),
            "scale" => self.scale = Some(numbers(json)?),
            "matrix" => self.matrix = Some(Box::new(numbers(json)?)),
            "mesh" => self.mesh = Some(index(json)?),
            "extras" => return extras::node(json, &mut self.role),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn indices(json: &mut Json<'_>, budget: &mut Budget) -> JsonResult<Vec<usize>> {
    let mut indices = Vec::new();
    array(json, |json| {
        let index = index(json)?;
        push(json, budget, (&mut indices, 0), index)
    })?;
    Ok(indices)
}

impl Item for Mesh {
    fn member(&mut self, json: &mut Json<'_>, name: &str, budget: &mut Budget) -> JsonResult<bool> {
        match name {
            "primitives" => {
                let mut first = true;
                array(json, |json| {
                    let own = core::mem::take(&mut first);
                    object(json, |json, name| {
                        if !own || name != "targets" {
                            return Ok(false);
                        }
                        self.targets = 0;
                        array(json, |json| {
                            self.targets = self.targets.saturating_add(1);
                            json.skip_value().map(|_| ())
                        })?;
                        Ok(true)
                    })
                })?;
            }
            "extras" => return extras::mesh(json, self, budget),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// The joints of a skin.
#[derive(Debug, Default)]
struct Skin {
    joints: Vec<usize>,
}

impl Item for Skin {
    fn member(&mut self, json: &mut Json<'_>, name: &str, budget: &mut Budget) -> JsonResult<bool> {
        match name {
            "joints" => self.joints = indices(json, budget)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Item for Accessor {
    fn member(&mut self, json: &mut Json<'_>, name: &str, _: &mut Budget) -> JsonResult<bool> {
        const TYPES: [(&str, usize); 7] = [
            ("SCALAR", 1),
            ("VEC2", 2),
            ("VEC3", 3),
            ("VEC4", 4),
            ("MAT2", 0),
            ("MAT3", 0),
            ("MAT4", 0),
        ];
        match name {
            "bufferView" => self.view = Some(index(json)?),
            "byteOffset" => self.offset = whole(json)?,
            "componentType" => self.component = component(json)?,
            "normalized" => self.normalized = flag(json)?,
            "count" => self.count = whole(json)?,
            "type" => self.width = word(json, &TYPES, "a type such as SCALAR or VEC3")?,
            "min" | "max" => {
                let mut first = None;
                array(json, |json| {
                    let next = number(json)?;
                    first.get_or_insert(next);
                    Ok(())
                })?;
                let [min, max] = &mut self.bounds;
                *(if name == "min" { min } else { max }) = first;
            }
            "sparse" => {
                let mut sparse = Sparse::default();
                object(json, |json, name| sparse_member(json, name, &mut sparse))?;
                self.sparse = Some(Box::new(sparse));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// Reads the type of a component; unknown types become 0.
fn component(json: &mut Json<'_>) -> JsonResult<u32> {
    whole(json).map(|number| u32::try_from(number).unwrap_or(0))
}

fn sparse_member(json: &mut Json<'_>, name: &str, sparse: &mut Sparse) -> JsonResult<bool> {
    match name {
        "count" => sparse.count = Some(whole(json)?),
        "indices" => object(json, |json, name| {
            match name {
                "bufferView" => sparse.indices = Some(index(json)?),
                "byteOffset" => sparse.indices_offset = whole(json)?,
                "componentType" => sparse.indices_type = component(json)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?,
        "values" => object(json, |json, name| {
            match name {
                "bufferView" => sparse.values = Some(index(json)?),
                "byteOffset" => sparse.values_offset = whole(json)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?,
        _ => return Ok(false),
    }
    Ok(true)
}

impl Item for View {
    fn member(&mut self, json: &mut Json<'_>, name: &str, _: &mut Budget) -> JsonResult<bool> {
        match name {
            "buffer" => self.buffer = Some(index(json)?),
            "byteOffset" => self.offset = whole(json)?,
            "byteLength" => self.length = whole(json)?,
            "byteStride" => self.stride = Some(whole(json)?),
            "extensions" => {
                self.encoding = None;
                object(json, |json, name| encoding(json, name, &mut self.encoding))?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// Reads an extension of a view. One that this crate does not know may change the bytes in any way,
/// so no other extension replaces it.
fn encoding(json: &mut Json<'_>, name: &str, found: &mut Option<Encoding>) -> JsonResult<bool> {
    let is_known = !matches!(found, Some(Encoding::Other(_)));
    let Some(extension) = meshopt::EXTENSIONS.into_iter().find(|known| *known == name) else {
        if is_known {
            *found = Some(Encoding::Other(name.into()));
        }
        return Ok(false);
    };
    let mut packed = Meshopt { extension, ..Meshopt::default() };
    object(json, |json, name| {
        match name {
            "buffer" => packed.buffer = Some(index(json)?),
            "byteOffset" => packed.offset = whole(json)?,
            "byteLength" => packed.length = whole(json)?,
            "byteStride" => packed.stride = whole(json)?,
            "count" => packed.count = whole(json)?,
            "mode" => packed.mode = Some(text(json)?),
            "filter" => packed.filter = Some(text(json)?),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    if is_known {
        *found = Some(Encoding::Meshopt(Box::new(packed)));
    }
    Ok(true)
}

impl Item for Buffer {
    fn member(&mut self, json: &mut Json<'_>, name: &str, _: &mut Budget) -> JsonResult<bool> {
        match name {
            // A data URI is read from the file again later, so that it is not stored twice.
            "uri" => self.uri = Some(json.offset()),
            "byteLength" => {
                self.length = whole(json)?;
                return Ok(true);
            }
            _ => return Ok(false),
        }
        Ok(false)
    }
}

impl Item for Sampler {
    fn member(&mut self, json: &mut Json<'_>, name: &str, _: &mut Budget) -> JsonResult<bool> {
        match name {
            "input" => self.input = Some(index(json)?),
            "output" => self.output = Some(index(json)?),
            "interpolation" => {
                self.mode = word(json, &Mode::NAMES, "STEP, LINEAR or CUBICSPLINE")?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Item for Channel {
    fn member(&mut self, json: &mut Json<'_>, name: &str, _: &mut Budget) -> JsonResult<bool> {
        match name {
            "sampler" => self.sampler = Some(index(json)?),
            "target" => {
                let mut pointer = None;
                object(json, |json, name| {
                    match name {
                        "node" => self.node = Some(index(json)?),
                        "path" => self.path = channel_path(&json.string("a string")?),
                        "extensions" => pointer = extension_pointer(json)?,
                        _ => return Ok(false),
                    }
                    Ok(true)
                })?;
                if let Some(pointer) = pointer {
                    (self.node, self.path) = pointed(&pointer);
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn channel_path(name: &str) -> ChannelPath {
    let known = ChannelPath::KNOWN.into_iter().find(|(known, _)| *known == name);
    known.map_or_else(|| ChannelPath::Other(name.into()), |(_, path)| path)
}

/// Reads the extensions of a target; returns the pointer among them.
fn extension_pointer(json: &mut Json<'_>) -> JsonResult<Option<String>> {
    let mut pointer = None;
    object(json, |json, name| {
        if name != "KHR_animation_pointer" {
            return Ok(false);
        }
        object(json, |json, name| {
            if name == "pointer" {
                pointer = Some(json.string("a string")?.into_owned());
            }
            Ok(name == "pointer")
        })?;
        Ok(true)
    })?;
    Ok(pointer)
}

/// Returns the node and the path of a pointer such as `/nodes/3/rotation` or `/nodes/3/weights/0`.
fn pointed(pointer: &str) -> (Option<usize>, ChannelPath) {
    let other = || (None, ChannelPath::Other(pointer.into()));
    let Some((node, property)) =
        pointer.strip_prefix("/nodes/").and_then(|rest| rest.split_once('/'))
    else {
        return other();
    };
    let Ok(node) = node.parse() else { return other() };
    let shape = property.strip_prefix("weights/").map(str::parse);
    match (shape, channel_path(property)) {
        (Some(Ok(shape)), _) => (Some(node), ChannelPath::Weight(shape)),
        (None, known) if !matches!(known, ChannelPath::Other(_)) => (Some(node), known),
        _ => other(),
    }
}
