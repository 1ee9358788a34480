//! Encodes parts as bytes.

use inbetween_core::wire::append;
use inbetween_core::{Path, Record, WriteError, memory, num};

use crate::parts::check_count;
use crate::read::{ID, MAGIC, NODE_HEAD, PROPERTY_HEAD};
use crate::{CastParts, NodePart, PropertyPart, ValuesPart};

/// The data of a node that follows from its descendants.
#[derive(Clone, Copy, Debug, Default)]
struct Below {
    /// The number of bytes of the node and its descendants.
    size: usize,
    children: u32,
}

/// Encodes parts that were checked.
///
/// # Errors
///
/// If a node is larger than its size field can state, or the system has less memory than the file
/// needs.
pub(crate) fn encode(parts: &CastParts) -> Result<Vec<u8>, WriteError> {
    check_count("nodes", parts.nodes.len())?;
    let (roots, below) = measure(parts);
    let mut out = Vec::new();
    let size = roots.size.saturating_add(16).saturating_add(parts.trailing.len());
    memory::reserve(&mut out, size).map_err(|error| WriteError::new(ID, error.into()))?;
    out.extend_from_slice(MAGIC);
    parts.header.version.encode((), &mut out);
    roots.children.encode((), &mut out);
    parts.header.flags.encode((), &mut out);
    for (index, (node, below)) in parts.nodes.iter().zip(below).enumerate() {
        encode_node(node, below, &mut out)
            .map_err(|error| error.at_path(Path::item("nodes", index)))?;
    }
    out.extend_from_slice(&parts.trailing);
    Ok(out)
}

/// Returns an estimate of the file size in bytes.
#[cfg(feature = "text")]
pub(crate) fn size(parts: &CastParts) -> usize {
    let nodes = parts.nodes.iter().map(own_size);
    nodes.fold(parts.trailing.len().saturating_add(16), usize::saturating_add)
}

/// Computes the sizes and the numbers of children from the last node to the first: the open nodes
/// of a level become the children of the next node one level higher.
fn measure(parts: &CastParts) -> (Below, Vec<Below>) {
    let mut open: Vec<Below> = vec![Below::default()];
    let mut measured = vec![Below::default(); parts.nodes.len()];
    for (node, slot) in parts.nodes.iter().zip(&mut measured).rev() {
        let depth = num::len_from_u64(node.depth.into());
        open.resize(open.len().max(depth.saturating_add(2)), Below::default());
        let children = open.get_mut(depth.saturating_add(1)).map(core::mem::take);
        let children = children.unwrap_or_default();
        let size = own_size(node).saturating_add(children.size);
        *slot = Below { size, children: children.children };
        if let Some(level) = open.get_mut(depth) {
            level.size = level.size.saturating_add(size);
            level.children = level.children.saturating_add(1);
        }
    }
    (open.first().copied().unwrap_or_default(), measured)
}

/// Returns the bytes of a node without the nodes below it.
fn own_size(node: &NodePart) -> usize {
    let properties = node.properties.iter().map(|property| {
        let values = match &property.values {
            ValuesPart::String(text) => text.len().saturating_add(1),
            values => values.len().saturating_mul(values.kind().size().unwrap_or(1)),
        };
        PROPERTY_HEAD.saturating_add(property.name.len()).saturating_add(values)
    });
    properties.fold(NODE_HEAD, usize::saturating_add)
}

fn encode_node(node: &NodePart, below: Below, out: &mut Vec<u8>) -> Result<(), WriteError> {
    let size = match node.stated_size {
        Some(stated) => stated,
        None => u32::try_from(below.size).map_err(|_| {
            let what = format!("a node of {} bytes", below.size);
            WriteError::not_representable(ID, what, "at most 4294967295 fit")
        })?,
    };
    out.extend_from_slice(&node.id.0);
    size.encode((), out);
    node.hash.encode((), out);
    // The check of the parts rejects larger counts.
    u32::try_from(node.properties.len()).unwrap_or(u32::MAX).encode((), out);
    below.children.encode((), out);
    for property in &node.properties {
        encode_property(property, out);
    }
    Ok(())
}

fn encode_property(property: &PropertyPart, out: &mut Vec<u8>) {
    let count = u32::try_from(property.values.len()).unwrap_or(u32::MAX);
    property.values.kind().code().encode((), out);
    u16::try_from(property.name.len()).unwrap_or(u16::MAX).encode((), out);
    property.array_length.unwrap_or(count).encode((), out);
    out.extend_from_slice(&property.name);
    match &property.values {
        ValuesPart::U8(values) => out.extend_from_slice(values),
        ValuesPart::U16(values) => append(values, out),
        ValuesPart::U32(values) => append(values, out),
        ValuesPart::U64(values) => append(values, out),
        ValuesPart::F32(values) => append(values, out),
        ValuesPart::F64(values) => append(values, out),
        ValuesPart::String(text) => {
            out.extend_from_slice(text);
            out.push(0);
        }
        ValuesPart::Vector2(values) => append(values, out),
        ValuesPart::Vector3(values) => append(values, out),
        ValuesPart::Vector4(values) => append(values, out),
    }
}
