//! The exact text form (`docs/text-form.md`).

mod property;

use inbetween_core::text::{self, Each, Hex, Layout, Name, Skip, Tag, Version, is_default};
use inbetween_core::{Budget, Limits, ReadError, TextForm, num};
use serde::{Deserialize, Serialize};

use crate::file::{CastFile, CastHeader, CastNode};
use crate::layout::{ID, NodeId};
use crate::options::Cast;
use crate::parts::{CastParts, NodePart};
use crate::write;
use property::{ParsedProperty, Properties};

const LAYOUT: Layout = Layout { open: &["nodes"], lines: &["properties"] };

impl TextForm for Cast {
    fn unpack(&self, bytes: &[u8], limits: &Limits) -> Result<Vec<u8>, ReadError> {
        let file = CastFile::parse(bytes, limits)?;
        print(&file, limits).map_err(|error| error.in_format(ID))
    }

    fn pack(&self, text: &[u8], limits: &Limits) -> Result<Vec<u8>, ReadError> {
        let parts = parse(text, limits)?;
        charge(&parts, text.len(), limits).map_err(|error| error.in_format(ID))?;
        let file = CastFile::from_parts(&parts).map_err(|error| text::refused(&error, text))?;
        Ok(file.bytes.into_owned())
    }
}

/// The mirror type of a file. Nodes are a flat list in depth-first order, each with its number of
/// children, because files may nest deeper than JSON readers support.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[serde(bound(deserialize = "N: Deserialize<'de>"))]
struct FileText<'a, N> {
    format: Tag,
    text_version: Version,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    version: u32,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    flags: u32,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    root_count: u32,
    nodes: N,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    trailing: Hex<'a>,
}

const fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_one(number: &u32) -> bool {
    *number == 1
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[serde(bound(deserialize = "P: Default + Deserialize<'de>"))]
struct NodeText<'a, P: Skip> {
    id: Name<'a>,
    #[serde(default, skip_serializing_if = "is_default")]
    children: u32,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    stated_size: Option<u32>,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    hash: u64,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    properties: P,
}

fn print(file: &CastFile<'_>, limits: &Limits) -> Result<Vec<u8>, ReadError> {
    let mirror = FileText {
        format: Tag(ID),
        text_version: Version,
        version: file.header().version,
        flags: file.header().flags,
        root_count: u32::try_from(file.roots().count()).unwrap_or(u32::MAX),
        nodes: Each(|| file.nodes().map(node_text)),
        trailing: Hex(file.trailing().into()),
    };
    text::print(&mirror, LAYOUT, file.to_bytes().len(), limits)
}

fn node_text(node: CastNode<'_>) -> NodeText<'_, Properties<'_>> {
    NodeText {
        id: Name(node.id().0.to_vec().into()),
        children: node.child_count(),
        stated_size: node.wrong_size(),
        hash: node.hash(),
        properties: Properties(node),
    }
}

type Parsed<'a> = FileText<'a, Vec<NodeText<'a, Vec<ParsedProperty>>>>;

fn parse(text: &[u8], limits: &Limits) -> Result<CastParts, ReadError> {
    let file: Parsed<'_> = text::parse(text, ID, limits)?;
    let mut depths = Depths { open: vec![file.root_count], limit: limits.depth };
    let mut nodes = Vec::with_capacity(file.nodes.len());
    for (index, node) in file.nodes.into_iter().enumerate() {
        let id = <[u8; 4]>::try_from(&*node.id.0).map_err(|_| {
            let found = format!("{} bytes", node.id.0.len());
            ReadError::invalid("an id of four bytes", found).in_format(ID).within("nodes", index)
        })?;
        nodes.push(NodePart {
            id: NodeId(id),
            depth: depths.next(node.children, text)?,
            stated_size: node.stated_size,
            hash: node.hash,
            properties: node.properties.into_iter().map(|property| property.0).collect(),
        });
    }
    depths.finish(text)?;
    let header = CastHeader { version: file.version, flags: file.flags };
    Ok(CastParts { header, nodes, trailing: file.trailing.0.into_owned() })
}

/// Converts numbers of children to depths.
struct Depths {
    /// The number of nodes still to come at each open level.
    open: Vec<u32>,
    limit: usize,
}

impl Depths {
    fn next(&mut self, children: u32, text: &[u8]) -> Result<u32, ReadError> {
        while self.open.last() == Some(&0) {
            self.open.pop();
        }
        let depth = self.open.len();
        let Some(left) = self.open.last_mut() else {
            return Err(miscounted("no more nodes than the counts say", "one more", text));
        };
        *left = left.saturating_sub(1);
        if depth > self.limit {
            let [requested, limit] = [depth, self.limit].map(num::u64_from_len);
            return Err(ReadError::limit("levels of nodes", requested, limit).in_format(ID));
        }
        self.open.push(children);
        Ok(u32::try_from(depth.saturating_sub(1)).unwrap_or(u32::MAX))
    }

    fn finish(&self, text: &[u8]) -> Result<(), ReadError> {
        let missing = self.open.iter().map(|&left| u64::from(left)).fold(0, u64::saturating_add);
        if missing == 0 {
            return Ok(());
        }
        let found = format!("{missing} too few");
        Err(miscounted("as many nodes as root_count and children say", &found, text))
    }
}

fn miscounted(expected: &str, found: &str, text: &[u8]) -> ReadError {
    text::contradicted(text, "nodes", expected.to_owned(), found.to_owned()).in_format(ID)
}

/// Charges the cost of the parts as a file.
fn charge(parts: &CastParts, text: usize, limits: &Limits) -> Result<(), ReadError> {
    let properties = parts.nodes.iter().map(|node| node.properties.len());
    let items = properties.fold(parts.nodes.len(), usize::saturating_add);
    let mut budget = Budget::new(limits, text);
    budget.charge_items(num::u64_from_len(items))?;
    budget.charge_bytes(write::size(parts))
}
