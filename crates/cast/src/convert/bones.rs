//! Converts a skeleton to nodes.

use inbetween_core::{
    Bone, Context, Finding, Narrowing, Path, PathStyle, Quat, Segment, Skeleton, num, shown,
};

use crate::{NodeId, NodePart, ValuesPart, codes};

/// Returns the nodes of a skeleton as a child of a model or an animation, and reports the changes.
pub(super) fn from_skeleton(skeleton: &Skeleton, context: &mut Context<'_>) -> Vec<NodePart> {
    let mut nodes = vec![NodePart::new(NodeId::SKELETON, 2)];
    for (index, bone) in skeleton.bones().iter().enumerate() {
        let parent = skeleton.parent(index).and_then(|parent| u32::try_from(parent).ok());
        let mut writer = Writer { bone, index, narrowing: Narrowing::default(), context };
        let (position, rotation) = (writer.position(), writer.rotation());
        let node = NodePart::new(NodeId::BONE, 3)
            .with_string("n", bone.node.as_bytes())
            .with("p", ValuesPart::U32(vec![parent.unwrap_or(u32::MAX)]))
            .with("lp", ValuesPart::Vector3(vec![position]))
            .with("lr", ValuesPart::Vector4(vec![rotation]));
        let node = match writer.scale() {
            Some(scale) => node.with("s", ValuesPart::Vector3(vec![scale])),
            None => node,
        };
        writer.report_narrowed();
        nodes.push(node);
    }
    nodes
}

/// Writes the rest pose of a bone.
struct Writer<'s, 'c, 'b> {
    bone: &'s Bone,
    index: usize,
    narrowing: Narrowing,
    context: &'c mut Context<'b>,
}

impl Writer<'_, '_, '_> {
    fn path(&self) -> Path {
        let index = Segment::Index(num::u64_from_len(self.index));
        let bones = [Segment::Field("skeleton"), Segment::Field("bones"), index];
        Path::new(PathStyle::Dotted, bones.into())
    }

    fn position(&mut self) -> [f32; 3] {
        let position = self.bone.translation.and_then(|position| self.narrow(position));
        position.unwrap_or_else(|| self.fill("position", [0.0; 3]))
    }

    fn rotation(&mut self) -> [f32; 4] {
        let rotation = self.bone.rotation.and_then(|rotation| self.narrow(rotation.to_array()));
        let turns = |rotation: &[f32; 4]| Quat::from_array(rotation.map(f64::from)).has_direction();
        let rotation = rotation.filter(turns);
        rotation.unwrap_or_else(|| self.fill("rotation", [0.0, 0.0, 0.0, 1.0]))
    }

    /// Returns the scale; it may be missing.
    fn scale(&mut self) -> Option<[f32; 3]> {
        let scale = self.narrow(self.bone.scale?);
        Some(scale.unwrap_or_else(|| self.fill("scale", [1.0; 3])))
    }

    /// Returns numbers as `f32`, or `None` if one of them would become infinite.
    fn narrow<const N: usize>(&mut self, numbers: [f64; N]) -> Option<[f32; N]> {
        let finite = numbers.iter().all(|number| number.is_finite());
        finite.then(|| numbers.map(|number| self.narrowing.number(number)))
    }

    fn fill<T>(&mut self, what: &str, value: T) -> T {
        let path = self.path();
        self.context.findings.add(codes::REST_POSE_FILLED, || {
            let message = format!("the {what} of bone \"{}\"", shown(&self.bone.node));
            Finding::new(codes::REST_POSE_FILLED, message).at(path)
        });
        value
    }

    fn report_narrowed(&mut self) {
        let name = shown(&self.bone.node);
        let what = format!("numbers of the rest pose of bone \"{name}\"");
        let findings = self.narrowing.findings(what).into_iter();
        let path = self.path();
        self.context.findings.extend(findings.map(|finding| finding.at(path.clone())));
    }
}
