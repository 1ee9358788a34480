//! Findings about a file.

mod animation;
mod findings;
mod skeleton;

use std::collections::HashSet;

use inbetween_core::{
    Finding, Findings, Limits, Path, PathStyle, ReadError, Segment, codes as shared, num,
};

use crate::codes;
use crate::curve::known_properties;
use crate::file::{CastFile, CastNode};
use crate::layout::{NodeId, PropertyType};
use crate::names::{self, Encoding, show};
use crate::property::CastProperty;
use crate::value::PropertyValues;
use findings::{Check, path};

/// Checks a file as a whole, then node by node; `broken` are the errors of skipped animations.
pub(crate) fn check(file: &CastFile<'_>, broken: &[ReadError], limits: &Limits) -> Vec<Finding> {
    let mut check = Check { findings: Findings::new(limits) };
    for error in broken {
        check.findings.enter(error.path().clone());
        check.findings.push(Finding::skipped("an animation", error));
    }
    check.findings.leave();
    check.header(file);
    check.hashes(file);
    for node in file.nodes() {
        check.findings.enter(path(&node));
        check.node(&node);
        match node.id() {
            NodeId::ANIMATION => check.animation(&node),
            NodeId::CURVE => check.curve(&node),
            NodeId::NOTIFICATION_TRACK => check.notifications(&node),
            NodeId::SKELETON => check.skeleton(&node),
            _ => {}
        }
    }
    check.findings.into_vec()
}

/// Returns the path of a property of a node.
fn property_path(node: &CastNode<'_>, index: usize) -> Path {
    let at = |index| Segment::Index(num::u64_from_len(index));
    let (nodes, properties) = (Segment::Field("nodes"), Segment::Field("properties"));
    Path::new(PathStyle::Dotted, vec![nodes, at(node.index()), properties, at(index)])
}

impl Check {
    fn header(&mut self, file: &CastFile<'_>) {
        let header = file.header();
        if header.version != 1 {
            let version = header.version;
            self.say(codes::VERSION, 4, Path::field("version"), || {
                format!("expected 1, found {version}")
            });
        }
        if header.flags != 0 {
            let flags = header.flags;
            self.say(codes::FLAGS, 12, Path::field("flags"), || {
                format!("expected 0, found {flags:#x}")
            });
        }
        for node in file.roots().filter(|node| node.id() != NodeId::ROOT) {
            self.say(codes::NOT_A_ROOT, node.offset(), path(&node), || {
                format!("expected the id root at the top level, found {}", node.id())
            });
        }
        let trailing = file.trailing().len();
        if trailing > 0 {
            let path = Path::field("trailing");
            let message = || format!("{trailing} bytes after the last node");
            self.say(shared::TRAILING_BYTES, file.end, path, message);
        }
    }

    /// Checks that hashes are unique within each root.
    fn hashes(&mut self, file: &CastFile<'_>) {
        let mut seen = HashSet::new();
        for node in file.nodes() {
            if node.parent().is_none() {
                seen.clear();
            }
            if !seen.insert(node.hash()) {
                let at = node.offset().saturating_add(8);
                self.say(codes::DUPLICATE_HASH, at, path(&node).then("hash"), || {
                    format!("{:#x} is the hash of a node before", node.hash())
                });
            }
        }
    }

    /// Checks the properties that all nodes share.
    fn node(&mut self, node: &CastNode<'_>) {
        if let Some(stated) = node.wrong_size() {
            let at = node.offset().saturating_add(4);
            self.say(codes::NODE_SIZE, at, path(node).then("size"), || {
                format!(
                    "the node {} has {} bytes, but states {stated}",
                    node.id(),
                    node.content_size()
                )
            });
        }
        if !node.id().is_known() {
            self.say(codes::UNKNOWN_NODE, node.offset(), path(node).then("id"), || {
                node.id().to_string()
            });
        }
        let mut seen = HashSet::new();
        for (index, (at, property)) in node.properties_at().enumerate() {
            let path = || property_path(node, index);
            if !seen.insert(property.name()) {
                self.say(codes::DUPLICATE_PROPERTY, at, path(), || {
                    format!("a second property {}", show(property.name()))
                });
            }
            self.property(at, &property, path);
        }
        self.known_properties(node);
    }

    fn property(&mut self, at: usize, property: &CastProperty<'_>, path: impl Fn() -> Path) {
        let name = property.name();
        if name.iter().any(|byte| *byte == 0 || byte.is_ascii_uppercase()) {
            self.say(codes::PROPERTY_NAME, at, path(), || format!("the name {}", show(name)));
        }
        let text = match property.values() {
            PropertyValues::String(text) => text,
            _ => &[],
        };
        for text in [name, text] {
            if names::text(text).1 == Encoding::Latin1 {
                self.say(shared::NAME_ENCODING, at, path(), || show(text));
            }
        }
        let count = property.array_length();
        if property.kind() == PropertyType::String && count != 1 {
            self.say(codes::STRING_ARRAY, at, path().then("arrayLength"), || {
                format!("the property {} states {count} strings; one is read", show(name))
            });
        }
    }

    /// Checks the properties that the specification names for a node.
    fn known_properties(&mut self, node: &CastNode<'_>) {
        for known in known_properties(node.id()) {
            match node.property(known.name) {
                Some(found) if !(known.accepts)(found.kind()) => {
                    self.say(codes::PROPERTY_TYPE, node.offset(), path(node), || {
                        let kind = found.kind().name();
                        format!(
                            "the property {} of the node {} has the type {kind}",
                            known.name,
                            node.id()
                        )
                    });
                }
                None if known.required => {
                    let optional = matches!(known.name, "n" | "m");
                    let code = if optional { codes::MISSING_NAME } else { codes::MISSING_PROPERTY };
                    self.say(code, node.offset(), path(node), || {
                        format!("the node {} has no property {}", node.id(), known.name)
                    });
                }
                _ => {}
            }
        }
    }
}
