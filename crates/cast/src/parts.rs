//! The exact model as plain owned data that can be changed.

use inbetween_core::{Limits, WriteError};

use crate::file::{CastFile, CastHeader, CastNode};
use crate::layout::{ID, NodeId};
use crate::property::CastProperty;
use crate::value::ValuesPart;

/// A Cast file as owned parts.
///
/// The nodes are a flat list in depth-first order, so that deep nesting needs no stack when the
/// parts are compared, printed or dropped. The counts of the file are computed from the depths.
///
/// # Examples
///
/// ```
/// use inbetween_cast::{CastFile, CastParts, NodeId, NodePart, ValuesPart};
/// use inbetween_core::Limits;
///
/// let root = NodePart::new(NodeId::ROOT, 0);
/// let animation = NodePart::new(NodeId::ANIMATION, 1)
///     .with("fr", ValuesPart::F32(vec![30.0]))
///     .with("lo", ValuesPart::U8(vec![1]));
/// let parts = CastParts { nodes: vec![root, animation], ..CastParts::default() };
///
/// let file = CastFile::from_parts(&parts)?;
/// let again = CastFile::parse(file.to_bytes(), &Limits::default())?;
/// let animation = again.node(1).ok_or("no such node")?;
/// assert_eq!(animation.properties().count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CastParts {
    /// The header.
    pub header: CastHeader,
    /// The nodes of all levels, each followed by its descendants.
    pub nodes: Vec<NodePart>,
    /// The bytes after the last node.
    pub trailing: Vec<u8>,
}

/// A node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodePart {
    /// The type of the node.
    pub id: NodeId,
    /// 0 for the top level; at most one more than the depth of the previous node.
    pub depth: u32,
    /// The size that the file states, if it is not the actual size.
    pub stated_size: Option<u32>,
    /// The number by which properties of type `l` refer to the node.
    pub hash: u64,
    /// The properties, in file order.
    pub properties: Vec<PropertyPart>,
}

/// A property of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyPart {
    /// Up to 65,535 bytes, UTF-8 in all known files.
    pub name: Vec<u8>,
    /// The number of strings that the file states, if it is not 1.
    pub array_length: Option<u32>,
    /// The values.
    pub values: ValuesPart,
}

impl NodePart {
    /// Creates a node without properties, with the hash 0.
    pub const fn new(id: NodeId, depth: u32) -> Self {
        Self { id, depth, stated_size: None, hash: 0, properties: Vec::new() }
    }

    /// Returns the node with another hash.
    #[must_use]
    pub const fn with_hash(mut self, hash: u64) -> Self {
        self.hash = hash;
        self
    }

    /// Returns the node with another property appended.
    #[must_use]
    pub fn with(mut self, name: impl Into<Vec<u8>>, values: ValuesPart) -> Self {
        let name = name.into();
        self.properties.push(PropertyPart { name, array_length: None, values });
        self
    }

    /// Returns the node with another string property appended.
    #[must_use]
    pub fn with_string(self, name: impl Into<Vec<u8>>, text: impl Into<Vec<u8>>) -> Self {
        self.with(name, ValuesPart::String(text.into()))
    }
}

impl From<CastProperty<'_>> for PropertyPart {
    fn from(property: CastProperty<'_>) -> Self {
        let values = property.values().to_part();
        let is_string = matches!(values, ValuesPart::String(_));
        let odd = is_string && property.array_length != 1;
        Self {
            name: property.name.to_vec(),
            array_length: odd.then_some(property.array_length),
            values,
        }
    }
}

impl CastNode<'_> {
    /// Returns the size that the node states, if it is not the actual size.
    pub(crate) fn wrong_size(&self) -> Option<u32> {
        let stated = self.stated_size();
        (usize::try_from(stated) != Ok(self.content_size())).then_some(stated)
    }
}

impl CastFile<'_> {
    /// Returns the file as owned parts.
    pub fn into_parts(self) -> CastParts {
        let mut nodes: Vec<NodePart> = Vec::with_capacity(self.node_count());
        for node in self.nodes() {
            let above = node.parent().and_then(|parent| nodes.get(parent.index()));
            nodes.push(NodePart {
                id: node.id(),
                depth: above.map_or(0, |parent| parent.depth.saturating_add(1)),
                stated_size: node.wrong_size(),
                hash: node.hash(),
                properties: node.properties().map(PropertyPart::from).collect(),
            });
        }
        CastParts { header: self.header, nodes, trailing: self.trailing().to_vec() }
    }

    /// Builds a file from parts.
    ///
    /// # Errors
    ///
    /// If the depths skip a level, or a number does not fit its field. The error names the node and
    /// the limit.
    pub fn from_parts(parts: &CastParts) -> Result<CastFile<'static>, WriteError> {
        // The bytes were just written, so parsing them needs no limit.
        let limits = Limits::default().with_items(u64::MAX).with_depth(usize::MAX);
        CastFile::parse(parts.to_bytes()?, &limits).map_err(|error| {
            let what = format!("the parts do not form a valid file: {error}");
            WriteError::inconsistent(what).in_format(ID)
        })
    }
}
