//! The parents and the names of nodes.

use std::collections::HashSet;

use inbetween_core::{Finding, Findings, Path, Text, codes as shared, shown};

use super::Scene;
use crate::codes;
use crate::file::GltfFile;
use crate::read::{item, missing};

impl Scene {
    /// Returns the parent of each node. Links that do not make a tree are skipped: the first parent of
    /// a node is kept.
    pub(super) fn checked_parents(
        &self,
        file: &GltfFile<'_>,
        findings: &mut Findings,
    ) -> Vec<Option<usize>> {
        let mut parents = vec![None; self.nodes.len()];
        let mut skip = |index: usize, why: &dyn Fn() -> String| {
            let at = self.nodes.get(index).map_or(0, |node| node.at);
            let path = item("nodes", index, &["children"]);
            findings.enter(path.clone());
            findings.add(shared::PART_SKIPPED, || {
                let finding = Finding::new(shared::PART_SKIPPED, why()).at(path);
                finding.position(file.unresolved(at))
            });
        };
        for (index, node) in self.nodes.iter().enumerate() {
            for &child in &node.children {
                match parents.get_mut(child) {
                    None => skip(index, &|| missing("node", child, self.nodes.len())),
                    Some(Some(first)) => {
                        let first = *first;
                        skip(index, &|| {
                            format!("node {child} has two parents, nodes {first} and {index}")
                        });
                    }
                    Some(parent) => *parent = Some(index),
                }
            }
        }
        // A chain of parents either ends or reaches a node twice from the same start.
        let mut reached = vec![usize::MAX; parents.len()];
        for start in 0..parents.len() {
            let mut node = Some(start);
            while let Some(index) = node {
                match reached.get_mut(index) {
                    Some(mark) if *mark == usize::MAX => *mark = start,
                    Some(mark) if *mark == start => {
                        let parent = parents.get_mut(index).and_then(Option::take);
                        skip(parent.unwrap_or(index), &|| format!("node {index} is below itself"));
                        break;
                    }
                    _ => break,
                }
                node = parents.get(index).copied().flatten();
            }
        }
        findings.leave();
        parents
    }

    /// Returns a unique name for each node, and reports duplicate names.
    pub(crate) fn names(&self, findings: &mut Findings) -> Vec<Text> {
        let given = || self.nodes.iter().filter_map(|node| node.name.clone());
        let mut taken: HashSet<Text> = given().collect();
        if taken.len() == self.nodes.len() {
            return given().collect();
        }
        let mut seen: HashSet<Text> = HashSet::with_capacity(self.nodes.len());
        let mut names = Vec::with_capacity(self.nodes.len());
        // The next suffix is stored, so that many nodes with one name take linear time.
        let mut suffix = 1_usize;
        for (index, node) in self.nodes.iter().enumerate() {
            let own = node.name.clone();
            let mut name = own.clone().unwrap_or_else(|| format!("node_{index}").into());
            let is_taken = |name: &Text, taken: &HashSet<Text>, seen: &HashSet<Text>| {
                seen.contains(name) || (own.is_none() && taken.contains(name))
            };
            if is_taken(&name, &taken, &seen) {
                let first = name.clone();
                while taken.contains(&name) || seen.contains(&name) {
                    suffix = suffix.saturating_add(1);
                    name = format!("{first}.{suffix}").into();
                }
                taken.insert(name.clone());
                let message = format!("\"{}\" becomes \"{}\"", shown(&first), shown(&name));
                findings.add(codes::NODE_RENAMED, || {
                    Finding::new(codes::NODE_RENAMED, message).at(Path::item("nodes", index))
                });
            }
            seen.insert(name.clone());
            names.push(name);
        }
        names
    }
}
