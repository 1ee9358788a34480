//! Checks a file and reports findings.

use std::collections::{BTreeSet, HashMap};

use inbetween_core::{
    Budget, ClipReader, Code, Finding, Findings, Limits, Path, ReadError, codes as shared, counted,
    each_clip, num, shown,
};

use crate::accessor::{Accessors, Use};
use crate::buffers::Buffers;
use crate::file::GltfFile;
use crate::meshopt::Meshopt;
use crate::options::Gltf;
use crate::read::{inner, item, missing};
use crate::scene::{Accessor, ChannelPath, Listed, Mode, Sampler, Scene};
use crate::{codes, convert, meshopt};

/// Extensions that are supported or do not affect animations.
const KNOWN: [&str; 5] = [
    "KHR_animation_pointer",
    "KHR_mesh_quantization",
    "KHR_texture_transform",
    meshopt::EXT,
    meshopt::KHR,
];

/// Checks a file.
///
/// # Errors
///
/// If the file cannot be read.
pub(crate) fn check(
    file: &GltfFile<'_>,
    options: &Gltf,
    limits: &Limits,
) -> Result<Vec<Finding>, ReadError> {
    let mut budget = Budget::new(limits, file.to_bytes().len());
    // A file that the reader rejects has no findings.
    let mut clips = convert::Clips::new(file.clone(), options, &mut budget)?;
    let mut skipped = clips.file_findings();
    each_clip(&mut clips, &mut budget, |_, read| skipped.extend(read.findings))?;
    let truncated = skipped.iter().find(|finding| finding.code == shared::FINDINGS_TRUNCATED);
    let truncated = truncated.cloned();
    skipped.retain(|finding| finding.code == shared::PART_SKIPPED);
    let scene = clips.scene();
    let mut budget = Budget::new(limits, file.to_bytes().len());
    let buffers = Buffers::load(file, scene, options.neighbors(), &mut budget)?;
    let accessors = Accessors { file, scene, buffers: &buffers };
    let mut checker = Checker { accessors, findings: Findings::new(limits), budget };
    for skipped in skipped {
        checker.findings.leave();
        checker.findings.push(skipped);
    }
    checker.findings.leave();
    checker.container();
    for extension in scene.required.iter().filter(|name| !KNOWN.contains(&&***name)) {
        checker.findings.leave();
        let message = format!("\"{}\"", shown(extension));
        checker.findings.push(Finding::new(codes::EXTENSION_REQUIRED, message));
    }
    checker.views();
    checker.nodes();
    for index in 0..scene.animations.len() {
        checker.animation(index);
    }
    file.resolve(checker.findings.as_mut_slice());
    let mut found = checker.findings.into_vec();
    if found.len() <= limits.findings {
        found.extend(truncated);
    }
    Ok(found)
}

struct Checker<'f> {
    accessors: Accessors<'f>,
    findings: Findings,
    budget: Budget,
}

impl Checker<'_> {
    fn say(
        &mut self,
        code: Code,
        at: usize,
        path: &dyn Fn() -> Path,
        message: &dyn Fn() -> String,
    ) {
        let file = self.accessors.file;
        self.findings
            .add(code, || Finding::new(code, message()).at(path()).position(file.unresolved(at)));
    }

    fn container(&mut self) {
        let file = self.accessors.file;
        if file.json().starts_with('\u{feff}') {
            self.findings.push(Finding::new(codes::BYTE_ORDER_MARK, "U+FEFF"));
        }
        let end = file.to_bytes().len().saturating_sub(file.trailing().len());
        if let Some(length) =
            file.stated_length().filter(|length| num::len_from_u64((*length).into()) != end)
        {
            let message = format!("{length} bytes, and the last chunk ends at {end}");
            self.findings.push(Finding::new(codes::LENGTH_WRONG, message));
        }
        let json = file.chunks().next().map_or(0, |json| json.data.len());
        let nuls = json.saturating_sub(file.json().len());
        if nuls > 0 {
            self.findings.push(Finding::new(codes::NUL_PADDING, counted(nuls, "byte")));
        }
        if !file.trailing().is_empty() {
            let message = counted(file.trailing().len(), "byte");
            self.findings.push(Finding::new(shared::TRAILING_BYTES, message));
        }
        let lengths = self.accessors.file.chunks().enumerate();
        for (index, chunk) in lengths.filter(|(_, chunk)| !chunk.data.len().is_multiple_of(4)) {
            self.findings.enter(Path::item("chunks", index));
            let message = format!("{} bytes", chunk.data.len());
            self.findings.push(Finding::new(codes::CHUNK_ALIGNMENT, message));
        }
    }

    fn views(&mut self) {
        let scene = self.accessors.scene;
        for (index, view) in scene.views.iter().enumerate().filter(|(_, it)| it.is_its_own_form()) {
            self.findings.enter(item("bufferViews", index, &[]));
            self.say(codes::VIEW_NOT_COMPRESSED, view.at, &Path::default, &|| {
                counted(num::len_from_u64(view.length), "byte")
            });
        }
        self.findings.leave();
    }

    fn animation(&mut self, animation: usize) {
        let scene: &Scene = self.accessors.scene;
        let Some(found) = scene.animations.get(animation) else { return };
        let mut seen = std::collections::HashSet::new();
        for (index, channel) in found.channels.iter().enumerate() {
            self.findings.enter(inner(animation, "channels", index));
            let file = self.accessors.file;
            let sound = match scene.sound(file, (animation, index), channel) {
                Ok(Some(sound)) => sound,
                Ok(None) => {
                    let message = convert::dropped(channel).message;
                    self.say(codes::CHANNEL_NOT_READ, channel.at, &Path::default, &|| {
                        message.to_string()
                    });
                    continue;
                }
                Err(_) => continue,
            };
            if !seen.insert((sound.node, channel.path.name())) {
                self.say(codes::DUPLICATE_TARGET, channel.at, &Path::default, &|| {
                    format!("{} of node {}", channel.path.name(), sound.node)
                });
            }
            self.sampler(sound.sampler, &channel.path);
        }
    }

    fn sampler(&mut self, sampler: &Sampler, path: &ChannelPath) {
        let (Some(input), Some(output)) = (sampler.input, sampler.output) else { return };
        self.times(input);
        let scene = self.accessors.scene;
        let at = scene.accessors.get(output).map_or(0, |accessor| accessor.at);
        let place = || item("accessors", output, &[]);
        let width = match path {
            ChannelPath::Rotation => 4,
            ChannelPath::Weights | ChannelPath::Weight(_) => 1,
            _ => 3,
        };
        let Ok(elements) = self.accessors.elements(output, width, Use::Fractions) else { return };
        // The reader has skipped a channel whose values are more than it has keys. Without bytes, they
        // may be any number.
        let size = elements.count.saturating_mul(width).saturating_mul(size_of::<f32>());
        if self.budget.charge_bytes(size).is_err() {
            return;
        }
        let step = if sampler.mode == Mode::Cubic { 3 } else { 1 };
        if step == 3 && elements.count == 3 {
            self.say(codes::SPLINE_OF_ONE_KEY, at, &place, &|| "1 key".to_owned());
        }
        for key in 0..elements.count {
            let row: [f32; 4] = elements.row(key);
            let row = row.get(..width).unwrap_or_default();
            if !row.iter().all(|number| number.is_finite()) {
                self.say(shared::NUMBER_NOT_FINITE, at, &place, &|| format!("element {key}"));
            }
            let is_value = step == 1 || key % 3 == 1;
            if width == 4 && is_value {
                let squares = row.iter().map(|part| f64::from(*part) * f64::from(*part));
                let length = squares.sum::<f64>().sqrt();
                // The tolerance of the Khronos validator for normalized bytes.
                if (length - 1.0).abs() > 0.00769 {
                    self.say(shared::ROTATION_NOT_UNIT, at, &place, &|| {
                        format!("element {key} has the length {length:.4}")
                    });
                }
            }
        }
    }

    fn times(&mut self, input: usize) {
        let scene = self.accessors.scene;
        let Some(accessor) = scene.accessors.get(input) else { return };
        let place = || item("accessors", input, &[]);
        let [min, max] = accessor.bounds;
        if min.is_none() || max.is_none() {
            self.say(codes::BOUNDS_MISSING, accessor.at, &place, &|| {
                format!("{} times", accessor.count)
            });
        }
        let Ok(elements) = self.accessors.elements(input, 1, Use::Floats) else { return };
        let view = accessor.view.and_then(|view| scene.views.get(view));
        // A filter rounds, and the bounds may be those of the bytes for programs without it.
        let is_rounded = view.and_then(|view| view.packed()).is_some_and(Meshopt::is_filtered);
        let mut last = None;
        for key in 0..elements.count {
            let [time] = elements.row::<1>(key);
            if time < 0.0 {
                self.say(shared::TIME_NEGATIVE, accessor.at, &place, &|| {
                    format!("key {key} is at {time} s")
                });
            }
            if last == Some(time) {
                self.say(codes::TIMES_EQUAL, accessor.at, &place, &|| {
                    format!("key {key} at {time} s")
                });
            }
            last = Some(time);
        }
        if !is_rounded {
            self.bounds(accessor, input, [elements.row::<1>(0), [last.unwrap_or_default()]]);
        }
    }

    /// Compares the stated bounds of times with the first and the last one.
    fn bounds(&mut self, accessor: &Listed<Accessor>, input: usize, ends: [[f32; 1]; 2]) {
        if accessor.count == 0 {
            return;
        }
        for ((stated, [time]), name) in accessor.bounds.into_iter().zip(ends).zip(["min", "max"]) {
            // JSON has the number of the exporter, which may be rounded.
            let is_wrong =
                |stated: &f64| (stated - f64::from(time)).abs() > 1e-6 * stated.abs().max(1.0);
            if let Some(stated) = stated.filter(is_wrong) {
                let place = || item("accessors", input, &[name]);
                self.say(codes::BOUNDS_WRONG, accessor.at, &place, &|| {
                    format!("{stated} s is stated, and the key is at {time} s")
                });
            }
        }
    }

    /// Checks the nodes that animations and skins use.
    fn nodes(&mut self) {
        let scene: &Scene = self.accessors.scene;
        let count = scene.nodes.len();
        self.findings.leave();
        for joint in scene.joints.iter().filter(|joint| **joint >= count) {
            let message = missing("node", *joint, count);
            self.findings.push(Finding::new(codes::JOINT_MISSING, message));
        }
        let channels = scene.animations.iter().flat_map(|animation| animation.channels.iter());
        let known = |path: &ChannelPath| {
            matches!(path, ChannelPath::Translation | ChannelPath::Rotation | ChannelPath::Scale)
        };
        let animated = channels.filter(|channel| known(&channel.path)).filter_map(|it| it.node);
        let animated: BTreeSet<usize> = animated.collect();
        let mut names: HashMap<&str, usize> = HashMap::new();
        for (index, node) in scene.nodes.iter().enumerate() {
            let first = node.name.as_deref().map(|name| *names.entry(name).or_insert(index));
            self.findings.enter(item("nodes", index, &[]));
            let is_animated = animated.contains(&index);
            if is_animated && node.matrix.is_some() {
                let name = node.name.as_deref().unwrap_or_default();
                self.say(codes::MATRIX_ANIMATED, node.at, &Path::default, &|| {
                    format!("node \"{}\"", shown(name))
                });
            }
            let first = first.filter(|first| *first != index);
            let first = first.filter(|first| is_animated || animated.contains(first));
            if let (Some(name), Some(first)) = (&node.name, first) {
                self.say(shared::DUPLICATE_BONE, node.at, &Path::default, &|| {
                    format!("\"{}\", as node {first}", shown(name))
                });
            }
        }
        self.findings.leave();
    }
}
