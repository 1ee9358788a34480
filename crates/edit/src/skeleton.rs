//! Gives a document the bones of another file.

use std::collections::BTreeSet;

use inbetween_core::{Document, Finding, Outcome, Skeleton, counted, shown};

use crate::codes;

/// Gives a document the bones of a skeleton, with their parents and rest pose.
///
/// The skeleton has the axes and the unit of the document. Where both have a bone, its parent and rest
/// pose are those of the skeleton; bones that only the document has stay. Animated nodes that are not in
/// the skeleton are reported.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Bone, Document, Property, Skeleton, Target, Track, TrackData};
/// use inbetween_edit::give_skeleton;
///
/// let data = TrackData::uniform(1.0, vec![[0.0_f32, 5.0, 0.0]]);
/// let track = Track::new(Target::new("spine", Property::Translation), data)?;
/// let hips = Bone { node: "hips".into(), translation: Some([0.0, 90.0, 0.0]), ..Bone::default() };
/// let spine = Bone { node: "spine".into(), parent: Some("hips".into()), ..Bone::default() };
/// let rig = Skeleton::new(vec![hips, spine])?;
/// let given = give_skeleton(Document::single(Animation::new(vec![track])), &rig);
/// assert!(given.findings.is_empty());
/// assert!(given.value.skeleton.is_some_and(|skeleton| skeleton.has_parents()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn give_skeleton(mut document: Document, skeleton: &Skeleton) -> Outcome<Document> {
    let own = document.skeleton.replace(skeleton.clone());
    document.adopt_rest_poses(own);
    let tracks = document.clips.iter().flat_map(|clip| &clip.tracks);
    let nodes: BTreeSet<&str> = tracks.filter_map(|track| track.target().node.as_deref()).collect();
    let mut lacking = nodes.iter().filter(|node| skeleton.index(node).is_none());
    let mut findings = Vec::new();
    if let Some(first) = lacking.next() {
        let count = lacking.count().saturating_add(1);
        let message = format!(
            "{count} of {}, the first is {}",
            counted(nodes.len(), "animated node"),
            shown(first)
        );
        findings.push(Finding::new(codes::NOT_IN_SKELETON, message));
    }
    Outcome { value: document, findings }
}

#[cfg(test)]
mod tests {
    use inbetween_core::{Animation, Bone, Property, Target, Text, Track, TrackData};

    use super::*;

    fn bone(node: &str, parent: Option<&str>, height: f64) -> Bone {
        let parent = parent.map(Text::from);
        Bone { node: node.into(), parent, translation: Some([0.0, height, 0.0]), ..Bone::default() }
    }

    #[test]
    fn the_given_bones_come_first_and_the_others_stay() {
        let track = |node: &str| {
            let data = TrackData::uniform(1.0, vec![[0.0_f32; 3]]);
            Track::new(Target::new(node, Property::Translation), data).unwrap()
        };
        let clip = Animation::new(vec![track("spine"), track("Hand"), track("tail")]);
        let own = Skeleton::new(vec![bone("spine", None, 1.0), bone("tail", None, 2.0)]).unwrap();
        let rig = [bone("hips", None, 90.0), bone("spine", Some("hips"), 12.5)];
        let rig = Skeleton::new(rig.to_vec()).unwrap();
        let given = give_skeleton(Document::single(clip).with_skeleton(own), &rig);
        let expected = [rig.bones(), &[bone("tail", None, 2.0)]].concat();
        assert_eq!(given.value.skeleton.unwrap().bones(), expected);
        let [finding] = &given.findings[..] else { panic!("{:?}", given.findings) };
        assert_eq!(finding.code, codes::NOT_IN_SKELETON);
        assert_eq!(finding.message, "2 of 3 animated nodes, the first is Hand");
    }
}
