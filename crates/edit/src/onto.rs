//! Puts clips on a rig, by the names of its bones.

use std::collections::{BTreeMap, HashMap, HashSet};

use inbetween_core::{
    Axes, Blend, Bone, BoneRole, Coordinates, Document, Finding, Mapped, Mapping, Outcome,
    Property, Quat, Skeleton, Text, Track, Unit, counted, rows, shown, significant,
};

use crate::hips::other_unit;
use crate::map::unit_name;
use crate::top::place;
use crate::{
    AxesChoice, EditError, MapAt, MapOptions, Settings, UnitChoice, change_axes, codes, resolve,
};

/// A model whose bones clips are put on.
#[derive(Clone, Debug)]
pub struct Rig {
    /// The file of the model, with its skeleton. Its clips come before those that are put on it, unless
    /// its writer [keeps](inbetween_core::OldAnimations::Kept) them.
    pub document: Document,
    /// The coordinates of its format.
    pub coordinates: Coordinates,
}

/// Puts the clips of a document on a rig.
///
/// Nodes of tracks get the names of the bones of the rig: the same name first, then one that
/// differs only in case, then the last part of a path, if only one bone has it. Tracks of other nodes
/// are dropped, with a finding. Relative and additive tracks become absolute with the rest pose of
/// the rig.
///
/// The rig decides the axes and the unit: mirrors are done as [`map_coordinates`] does, while the
/// factor of lengths and the turn of the top bones are found by comparing the rest pose of the rig
/// with the skeleton of the document, else with its first keys. A finding says what was found; if there
/// is no clear answer, another one says so, and the lengths of both formats decide. Options replace
/// what is found.
///
/// The result has the bones and the [origin](Document::origin) of the rig, so that it is written into
/// the model.
///
/// [`map_coordinates`]: crate::map_coordinates
///
/// # Errors
///
/// If no node is a bone of the rig, or baking costs more than the limits allow.
pub fn put_on(
    mut document: Document,
    from: Coordinates,
    rig: &Rig,
    options: MapOptions,
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    let skeleton = rig.skeleton().ok_or(EditError::NoSkeleton { operation: "a rig" })?;
    let mut findings = Vec::new();
    let matched = Matched::of(&document, &rig.names());
    if matched.names.is_empty() {
        return Err(EditError::NoBones { nodes: matched.missing.len() });
    }
    matched.rename(&mut document);
    let own = document.skeleton.take().and_then(|own| matched.renamed(&own));
    // The bones of such a rig have the axes from which it was made.
    let unchanged = |it: &Mapped| it.above || it.mapping == Mapping::IDENTITY;
    let made_from = rig.document.mapped.filter(unchanged).map(|mapped| mapped.from);
    let to = made_from.unwrap_or(rig.coordinates);
    let locals = match options.axes {
        AxesChoice::Auto if from.is_mirrored_in(to) => Axes::MIRROR,
        AxesChoice::Given(axes) if options.at == MapAt::All || axes.is_mirror() => axes,
        _ => Axes::IDENTITY,
    };
    if locals != Axes::IDENTITY {
        let mapped = change_axes(document, locals, settings)?;
        findings.extend(mapped.findings);
        document = mapped.value;
    }
    let pose = Pose { clips: &document, skeleton: own.as_ref(), locals };
    let found = Found::of(&pose, skeleton);
    let known = Known { from, to, rig };
    let (factor, is_clear) = known.factor(found.factor, options);
    let top = match options.axes {
        AxesChoice::Auto => found.turn.unwrap_or_else(|| known.turn(skeleton)),
        AxesChoice::Given(axes) if locals == Axes::IDENTITY => axes,
        _ => Axes::IDENTITY,
    };
    // Only the top bones of the rig are turned; the nodes above them stay in the rig.
    document.skeleton = Some(bones_only(skeleton)?);
    let placed = place(document, (top, factor), settings)?.outcome;
    findings.extend(placed.findings);
    let resolved = resolve(placed.value, skeleton, settings)?;
    findings.extend(resolved.findings);
    document = resolved.value;
    document.skeleton = Some(skeleton.clone());
    if let (Some(meters), UnitChoice::Auto) = (known.unit_above(), options.unit) {
        findings.extend(other_unit(&document, to.up, meters));
    }
    document.clips.splice(0..0, rig.document.clips.iter().cloned());
    document.origin.clone_from(&rig.document.origin);
    document.mapped = rig.document.mapped;
    if !is_clear {
        findings.push(Finding::new(
            codes::UNIT_UNCLEAR,
            format!("lengths times {}", significant(factor)),
        ));
    }
    let message = format!("{}; {}", matched.message(skeleton), describe(locals, top, factor));
    findings.push(Finding::new(codes::PUT_ON_RIG, message));
    if let Some(first) = matched.missing.first() {
        let count = counted(matched.missing.len(), "node");
        let message = format!("{count}, the first is {}", shown(first));
        findings.push(Finding::new(codes::NOT_ON_RIG, message));
    }
    Ok(Outcome { value: document, findings })
}

impl Rig {
    /// Returns the bones of the rig; all nodes of its file if it has no bones.
    fn skeleton(&self) -> Option<&Skeleton> {
        self.document.skeleton.as_ref().or_else(|| self.nodes())
    }

    fn nodes(&self) -> Option<&Skeleton> {
        self.document.origin.as_ref()?.model.as_ref()?.nodes.as_ref()
    }

    /// Returns the names of all nodes.
    fn names(&self) -> Vec<Text> {
        let skeletons = self.nodes().into_iter().chain(self.document.skeleton.as_ref());
        let mut seen = HashSet::new();
        let names = skeletons.flat_map(Skeleton::bones).map(|bone| bone.node.clone());
        names.filter(|name| seen.insert(name.clone())).collect()
    }
}

/// Which nodes of a document are bones of a rig.
struct Matched {
    /// The bones of the rig, by the nodes of the document.
    names: BTreeMap<Text, Text>,
    /// The nodes that are no bones of the rig.
    missing: Vec<Text>,
    /// How many were found by another spelling, and by the last part of a path.
    by_case: usize,
    by_end: usize,
}

impl Matched {
    fn of(document: &Document, rig: &[Text]) -> Self {
        let exact: HashSet<&Text> = rig.iter().collect();
        let by = |key: &dyn Fn(&str) -> String| {
            let mut unique: HashMap<String, Option<&Text>> = HashMap::new();
            for name in rig {
                unique.entry(key(name)).and_modify(|name| *name = None).or_insert(Some(name));
            }
            unique
        };
        let (cases, ends) = (by(&|name| name.to_lowercase()), by(&last_part));
        let mut matched =
            Self { names: BTreeMap::new(), missing: Vec::new(), by_case: 0, by_end: 0 };
        let tracks = document.clips.iter().flat_map(|clip| &clip.tracks);
        let mut seen = HashSet::new();
        let nodes = tracks.map(|track| track.target().node.clone().unwrap_or_default());
        for node in nodes.filter(|node| seen.insert(node.clone())) {
            let case = || cases.get(&node.to_lowercase()).copied().flatten();
            let end = || ends.get(&last_part(&node)).copied().flatten();
            if exact.contains(&node) {
                matched.names.insert(node.clone(), node);
            } else if let Some(bone) = case() {
                matched.by_case += 1;
                matched.names.insert(node, bone.clone());
            } else if let Some(bone) = end() {
                matched.by_end += 1;
                matched.names.insert(node, bone.clone());
            } else {
                matched.missing.push(node);
            }
        }
        matched
    }

    /// Gives nodes the names of the rig, and drops the tracks of others.
    fn rename(&self, document: &mut Document) {
        for clip in &mut document.clips {
            let tracks = core::mem::take(&mut clip.tracks).into_iter().filter_map(|track| {
                let (mut target, data) = track.into_parts();
                let bone = self.names.get(target.node.as_ref()?)?;
                target.node = Some(bone.clone());
                Track::new(target, data).ok()
            });
            clip.tracks = tracks.collect();
            for each in &mut clip.blend_overrides {
                if let Some(bone) = self.names.get(&each.node) {
                    each.node = bone.clone();
                }
            }
        }
    }

    /// Returns a skeleton with the names of the rig.
    fn renamed(&self, skeleton: &Skeleton) -> Option<Skeleton> {
        let renamed = skeleton.map(|bone| {
            for name in [Some(&mut bone.node), bone.parent.as_mut()].into_iter().flatten() {
                if let Some(bone) = self.names.get(name) {
                    *name = bone.clone();
                }
            }
        });
        renamed.ok()
    }

    fn message(&self, rig: &Skeleton) -> String {
        let used: HashSet<&Text> = self.names.values().collect();
        let bones = rig.bones().iter().filter(|bone| bone.role == BoneRole::Bone);
        let still = bones.filter(|bone| !used.contains(&bone.node)).count();
        let all = self.names.len() + self.missing.len();
        let mut how = Vec::new();
        if self.by_case > 0 {
            how.push(format!("{} ignoring case", self.by_case));
        }
        if self.by_end > 0 {
            how.push(format!("{} by the last part of a path", self.by_end));
        }
        let how = if how.is_empty() { String::new() } else { format!(" ({})", how.join(", ")) };
        let bones = counted(still, "bone");
        format!(
            "onto: {} of {}{how}; {bones} of the rig without keys",
            self.names.len(),
            counted(all, "node")
        )
    }
}

/// Returns the part of a name after the last separator of paths, in lower case.
fn last_part(name: &str) -> String {
    name.rsplit(['/', '|', ':']).next().unwrap_or(name).to_lowercase()
}

/// Returns the bones without the nodes above them.
fn bones_only(skeleton: &Skeleton) -> Result<Skeleton, EditError> {
    let above: HashSet<&Text> = skeleton
        .bones()
        .iter()
        .filter(|bone| bone.role == BoneRole::Above)
        .map(|bone| &bone.node)
        .collect();
    let bones = skeleton.bones().iter().filter(|bone| !above.contains(&bone.node));
    let bones = bones.cloned().map(|mut bone| {
        bone.parent = bone.parent.filter(|parent| !above.contains(parent));
        bone
    });
    Ok(Skeleton::new(bones.collect())?)
}

/// The pose of the clips that is compared with the rest pose of a rig.
struct Pose<'d> {
    clips: &'d Document,
    /// The skeleton of the document, in the axes before `locals`.
    skeleton: Option<&'d Skeleton>,
    locals: Axes,
}

impl Pose<'_> {
    /// Returns the first numbers of the absolute tracks of a property, by their nodes.
    fn first<const N: usize>(&self, property: &Property) -> HashMap<&str, [f64; N]> {
        let tracks = self.clips.clips.iter().flat_map(|clip| &clip.tracks);
        let tracks = tracks.filter(|track| {
            let target = track.target();
            target.property == *property
                && target.component.is_none()
                && target.blend == Blend::Absolute
        });
        let first = tracks.filter_map(|track| {
            let numbers = rows::numbers(track.data().values(), 0)?;
            Some((track.target().node.as_deref()?, <[f64; N]>::try_from(numbers).ok()?))
        });
        first.collect()
    }

    fn lengths(&self) -> HashMap<&str, f64> {
        let own = self.skeleton.into_iter().flat_map(Skeleton::bones);
        let own = own.filter_map(|bone| Some((&*bone.node, length(bone.translation?))));
        let mut lengths: HashMap<&str, f64> = own.collect();
        for (node, vector) in self.first(&Property::Translation) {
            lengths.entry(node).or_insert_with(|| length(vector));
        }
        lengths
    }

    fn rotations(&self) -> HashMap<&str, Quat<f64>> {
        let first = self.first(&Property::Rotation).into_iter();
        let mut rotations: HashMap<&str, Quat<f64>> =
            first.map(|(node, numbers)| (node, Quat::from_array(numbers))).collect();
        for bone in self.skeleton.into_iter().flat_map(Skeleton::bones) {
            if let (Some(rotation), Axes::IDENTITY) = (bone.rotation, self.locals) {
                rotations.insert(&bone.node, rotation);
            }
        }
        rotations
    }
}

/// What a comparison with the rest pose of a rig shows.
struct Found {
    /// The factor of lengths, as the median of the bones.
    factor: Option<f64>,
    /// The turn of the top bones.
    turn: Option<Axes>,
}

/// The lengths below which a bone says nothing.
const SHORT: f64 = 1e-6;

impl Found {
    fn of(pose: &Pose<'_>, rig: &Skeleton) -> Self {
        let is_top = |bone: &Bone| {
            let parent = bone.parent.as_ref().and_then(|parent| rig.bone(parent));
            parent.is_none_or(|parent| parent.role == BoneRole::Above)
        };
        let lengths = pose.lengths();
        let children = rig.bones().iter().filter(|bone| !is_top(bone));
        let mut ratios: Vec<f64> = children
            .filter_map(|bone| {
                let (rest, own) = (length(bone.translation?), *lengths.get(&*bone.node)?);
                (rest > SHORT && own > SHORT).then(|| rest / own)
            })
            .collect();
        ratios.sort_by(f64::total_cmp);
        let rotations = pose.rotations();
        let tops = rig.bones().iter().filter(|bone| is_top(bone) && bone.role == BoneRole::Bone);
        let turns = tops.filter_map(|bone| {
            let (rest, own) = (bone.rotation?, *rotations.get(&*bone.node)?);
            let all = [Axes::IDENTITY, Axes::Z_TO_Y_UP, Axes::Z_TO_Y_UP.inverse()];
            let off = |axes: &Axes| {
                let turn = axes.rotation().unwrap_or(Quat::IDENTITY);
                (turn * own.normalized()).angle_to(rest.normalized())
            };
            all.into_iter().min_by(|one, other| off(one).total_cmp(&off(other)))
        });
        let turns: Vec<Axes> = turns.collect();
        let turn = turns.first().copied().filter(|first| turns.iter().all(|turn| turn == first));
        Self { factor: ratios.get(ratios.len() / 2).copied(), turn }
    }
}

/// What is known without a comparison.
struct Known<'r> {
    from: Coordinates,
    to: Coordinates,
    rig: &'r Rig,
}

impl Known<'_> {
    /// Returns the unit of the bones of a rig that has a node above them.
    fn unit_above(&self) -> Option<f64> {
        let above = self.rig.document.mapped.filter(|mapped| mapped.above);
        above.map(|mapped| mapped.mapping.factor)
    }

    /// Returns the factor of lengths, and whether it is clear.
    fn factor(&self, found: Option<f64>, options: MapOptions) -> (f64, bool) {
        /// Equal units, and those between meters, centimeters and inches.
        const USUAL: [f64; 7] = [1.0, 0.01, 0.0254, 1.0 / 0.0254, 100.0, 2.54, 1.0 / 2.54];
        let rig_unit = self.unit_above().or(self.to.unit.stated());
        match options.unit {
            UnitChoice::Keep => return (1.0, true),
            UnitChoice::Meters(meters) => return (meters / rig_unit.unwrap_or(1.0), true),
            UnitChoice::Auto => {}
        }
        let near = |factor: f64| {
            let usual = USUAL.into_iter();
            usual.min_by(|one, other| {
                let off = |usual: f64| (factor / usual).ln().abs();
                off(*one).total_cmp(&off(*other))
            })
        };
        if let Some(factor) = found
            && let Some(usual) = near(factor)
            && (factor / usual).ln().abs() < 1.25_f64.ln()
        {
            return (usual, true);
        }
        // A rig that was made of the same kind of file has its unit.
        let above = self.rig.document.mapped.filter(|mapped| mapped.above);
        if above.is_some_and(|mapped| mapped.from.has_axes_of(self.from)) {
            return (1.0, true);
        }
        let own = match self.from.unit {
            Unit::Stated(meters) | Unit::Assumed(meters) => meters,
            Unit::Unknown => return (1.0, false),
        };
        (own / rig_unit.unwrap_or(own), self.from.unit.stated().is_some())
    }

    /// Returns the turn of the top bones, if no rotation shows it: none if a node above them turns
    /// already.
    fn turn(&self, rig: &Skeleton) -> Axes {
        let turn = self.from.turn_to(self.to).unwrap_or(Axes::IDENTITY);
        let above = rig.bones().iter().filter(|bone| bone.role == BoneRole::Above);
        let wanted = turn.rotation().unwrap_or(Quat::IDENTITY);
        let turns = |bone: &Bone| {
            bone.rotation.is_some_and(|rotation| rotation.normalized().angle_to(wanted) < 1e-3)
        };
        let mut above = above;
        if turn != Axes::IDENTITY && above.any(turns) { Axes::IDENTITY } else { turn }
    }
}

fn describe(locals: Axes, top: Axes, factor: f64) -> String {
    let mut parts = Vec::new();
    if locals == Axes::MIRROR {
        parts.push("axes: X mirrored".to_owned());
    } else if locals != Axes::IDENTITY {
        parts.push(format!("axes: {locals} on every bone"));
    }
    if top != Axes::IDENTITY {
        parts.push(format!("axes: {top} on the top bones"));
    }
    parts.push(match factor {
        1.0 => "unit: 1, as bones of the rig".to_owned(),
        0.01 | 0.0254 => format!("unit: {}", unit_name(factor)),
        factor => format!("lengths times {}", significant(factor)),
    });
    parts.join("; ")
}

fn length([x, y, z]: [f64; 3]) -> f64 {
    x.hypot(y).hypot(z)
}
