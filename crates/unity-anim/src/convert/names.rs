//! Paths and nodes: `Hips/Spine` is the node `Spine` below `Hips`.

#[cfg(feature = "write")]
use std::collections::BTreeSet;
use std::collections::{HashMap, HashSet};

#[cfg(feature = "write")]
use inbetween_core::Document;
use inbetween_core::{Bone, Budget, ReadError, Skeleton, SkeletonError, Text};

/// The nodes of the paths of a file.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    /// The name of the node of each path, and of the paths above it.
    names: HashMap<Text, Text>,
    /// The paths, each after the one above it.
    paths: Vec<Text>,
    /// How many nodes keep their path, because another one has the same name.
    pub(super) kept: usize,
}

impl Nodes {
    /// Finds the nodes of paths. A node has the last part of its path as its name, if no other node has
    /// it, else the path.
    ///
    /// # Errors
    ///
    /// If the nodes exceed the budget. All paths above a path are nodes too, so their texts may grow with
    /// the square of its length.
    pub(super) fn new<'p>(
        paths: impl Iterator<Item = &'p str>,
        budget: &mut Budget,
    ) -> Result<Self, ReadError> {
        let mut nodes = Self::default();
        let mut count: HashMap<&str, usize> = HashMap::new();
        let mut known: HashSet<&str> = HashSet::new();
        for path in paths {
            // The paths above a known path are known.
            let (mut new, mut next) = (Vec::new(), Some(path));
            while let Some(path) = next.filter(|path| known.insert(*path)) {
                budget.charge_bytes(path.len().saturating_add(size_of::<Bone>()))?;
                let named = count.entry(last_part(path)).or_default();
                *named = named.saturating_add(1);
                new.push(path);
                next = path.rfind('/').and_then(|at| path.get(..at));
            }
            nodes.paths.extend(new.into_iter().rev().map(Text::from));
        }
        for path in &nodes.paths {
            let last = last_part(path);
            let is_unique = count.get(last) == Some(&1) && (!last.is_empty() || path.is_empty());
            nodes.kept = nodes.kept.saturating_add(usize::from(!is_unique));
            let name = if is_unique { last.into() } else { path.clone() };
            nodes.names.insert(path.clone(), name);
        }
        Ok(nodes)
    }

    /// Returns the node of a path.
    pub(super) fn node(&self, path: &str) -> Text {
        self.names.get(path).cloned().unwrap_or_else(|| path.into())
    }

    /// Returns the skeleton that the paths state, without a rest pose; `None` if no node is below
    /// another.
    pub(super) fn skeleton(&self) -> Result<Option<Skeleton>, SkeletonError> {
        if !self.paths.iter().any(|path| path.contains('/')) {
            return Ok(None);
        }
        let bones = self.paths.iter().map(|path| Bone {
            node: self.node(path),
            parent: path.rfind('/').and_then(|at| path.get(..at)).map(|parent| self.node(parent)),
            ..Bone::default()
        });
        Skeleton::new(bones.collect()).map(Some)
    }
}

/// The paths that the nodes of a document are written with, and the nodes that are read from them. They
/// differ if a name has a slash, which separates two nodes, or is empty.
#[cfg(feature = "write")]
#[derive(Debug)]
pub(super) struct Paths<'s> {
    pub(super) skeleton: Option<&'s Skeleton>,
    /// `None` if all names are read as they are.
    read: Option<Nodes>,
}

#[cfg(feature = "write")]
impl<'s> Paths<'s> {
    /// Finds what the nodes of all tracks are read as.
    ///
    /// # Errors
    ///
    /// If the nodes exceed the budget.
    pub(super) fn new(
        document: &Document,
        skeleton: Option<&'s Skeleton>,
        budget: &mut Budget,
    ) -> Result<Self, ReadError> {
        let tracks = document.clips.iter().flat_map(|clip| &clip.tracks);
        let nodes: BTreeSet<&str> =
            tracks.filter_map(|track| track.target().node.as_deref()).collect();
        let bones =
            skeleton.map(Skeleton::bones).unwrap_or_default().iter().map(|bone| &*bone.node);
        if !bones.chain(nodes.iter().copied()).any(|name| name.is_empty() || name.contains('/')) {
            return Ok(Self { skeleton, read: None });
        }
        let mut paths = Vec::with_capacity(nodes.len());
        for node in nodes {
            let path = path(node, skeleton);
            budget.charge_bytes(path.len())?;
            paths.push(path);
        }
        let read = Nodes::new(paths.iter().map(String::as_str), budget)?;
        Ok(Self { skeleton, read: Some(read) })
    }

    /// Returns the path of a node.
    pub(super) fn path(&self, node: &str) -> String {
        path(node, self.skeleton)
    }

    /// Returns the name that is read from the path of a node, if it is another one.
    pub(super) fn renamed(&self, node: &str, path: &str) -> Option<Text> {
        let read = self.read.as_ref()?.node(path);
        (*read != *node).then_some(read)
    }

    /// Returns whether every bone is read with its name and below its parent.
    pub(super) fn keep_bones(&self) -> bool {
        let (Some(skeleton), true) = (self.skeleton, self.read.is_some()) else { return true };
        let is_kept = |(index, bone): (usize, &Bone)| {
            let path = self.path(&bone.node);
            let parent = skeleton.parent(index).and_then(|parent| skeleton.bones().get(parent));
            let above = parent.map(|parent| self.path(&parent.node));
            self.renamed(&bone.node, &path).is_none()
                && path.rfind('/').and_then(|at| path.get(..at)) == above.as_deref()
        };
        skeleton.bones().iter().enumerate().all(is_kept)
    }
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the path of a node in a skeleton.
pub(super) fn path(node: &str, skeleton: Option<&Skeleton>) -> String {
    let mut parts = vec![node];
    // A name with a slash is a path that was kept.
    let mut next =
        skeleton.and_then(|skeleton| skeleton.index(node)).filter(|_| !node.contains('/'));
    while let (Some(index), Some(skeleton)) = (next, skeleton) {
        next = skeleton.parent(index);
        let Some(parent) = next.and_then(|parent| skeleton.bones().get(parent)) else { break };
        parts.push(&parent.node);
        if parent.node.contains('/') {
            break;
        }
    }
    parts.reverse();
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_have_the_last_part_of_their_path_unless_it_is_not_unique() {
        let paths = ["Hips/Spine", "Hips/L/Hand", "Hips/R/Hand", "", "/", "a//b"];
        let mut budget = Budget::new(&inbetween_core::Limits::default(), 0);
        let nodes = Nodes::new(paths.into_iter(), &mut budget).unwrap();
        let names: Vec<Text> = paths.into_iter().map(|path| nodes.node(path)).collect();
        let expected = ["Spine", "Hips/L/Hand", "Hips/R/Hand", "", "/", "b"];
        assert_eq!(names.iter().map(|name| &**name).collect::<Vec<_>>(), expected);
        let skeleton = nodes.skeleton().unwrap();
        for expected in paths {
            assert_eq!(path(&nodes.node(expected), skeleton.as_ref()), expected);
        }
    }
}
