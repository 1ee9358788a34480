//! The parents and the names of nodes.

use std::collections::HashSet;

use inbetween_core::{Finding, Findings, Path, Text, shown};

use super::Scene;
use crate::codes;
use crate::read::{Fault, FaultResult, item};

impl Scene {
    /// Returns the parent of each node.
    ///
    /// # Errors
    ///
    /// If a child is not a node, or a node has two parents or is its own ancestor.
    pub(super) fn checked_parents(&self) -> FaultResult<Vec<Option<usize>>> {
        let mut parents = vec![None; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            let wrong = |expected: String, child: usize| {
                Fault::invalid(
                    node.at,
                    item("nodes", index, &["children"]),
                    expected,
                    format!("node {child}"),
                )
            };
            for &child in &node.children {
                let Some(parent) = parents.get_mut(child) else {
                    return Err(wrong(format!("nodes 0 to {}", self.last_node()), child));
                };
                if let Some(other) = parent.replace(index) {
                    return Err(wrong(format!("no child of node {other}"), child));
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
                        let at = self.nodes.get(index).map_or(0, |node| node.at);
                        let path = item("nodes", index, &["children"]);
                        return Err(Fault::invalid(at, path, "a tree", "a cycle of nodes"));
                    }
                    _ => break,
                }
                node = parents.get(index).copied().flatten();
            }
        }
        Ok(parents)
    }

    fn last_node(&self) -> usize {
        self.nodes.len().saturating_sub(1)
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
