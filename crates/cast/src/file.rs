//! The exact model: a Cast file as its bytes and an index of its nodes.

use std::borrow::Cow;

use inbetween_core::num;

use crate::head::{NodeHead, node_head};
use crate::index::{Entry, Index, Kind, NONE};
use crate::layout::{NODE_HEAD, NodeId};
use crate::property::{CastProperty, property};

/// The header fields that do not follow from the nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CastHeader {
    /// 1 in all known files; other numbers are read in the same way.
    pub version: u32,
    /// 0 in all known files.
    pub flags: u32,
}

impl Default for CastHeader {
    fn default() -> Self {
        Self { version: 1, flags: 0 }
    }
}

/// A Cast file: its bytes and an index of its nodes.
///
/// Values are decoded on request. `to_bytes` returns the parsed bytes unchanged.
#[derive(Clone, Debug)]
pub struct CastFile<'a> {
    pub(crate) bytes: Cow<'a, [u8]>,
    pub(crate) header: CastHeader,
    pub(crate) index: Index,
    /// The offset of the end of the last node.
    pub(crate) end: usize,
}

impl CastFile<'_> {
    /// Returns the bytes of the file.
    pub fn to_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the header.
    pub const fn header(&self) -> &CastHeader {
        &self.header
    }

    /// Returns the number of nodes of all levels.
    pub fn node_count(&self) -> usize {
        self.index.len()
    }

    /// Returns a node by its index in depth-first order, or `None` if it is out of range.
    pub fn node(&self, index: usize) -> Option<CastNode<'_>> {
        self.node_at(index, *self.index.get(index)?)
    }

    fn node_at(&self, index: usize, entry: Entry) -> Option<CastNode<'_>> {
        let (body, head) = node_head(self.bytes.get(entry.offset()..)?).ok()?;
        Some(CastNode { file: self, index, entry, head, body })
    }

    /// Returns the nodes of all levels, depth first.
    pub fn nodes(&self) -> impl Iterator<Item = CastNode<'_>> {
        (0..self.node_count()).filter_map(|index| self.node(index))
    }

    /// Returns the top-level nodes; in all known files they have the id [`NodeId::ROOT`].
    pub fn roots(&self) -> impl Iterator<Item = CastNode<'_>> {
        let roots = self.siblings(0, self.node_count());
        roots.filter_map(|(index, entry)| self.node_at(index, entry))
    }

    /// Returns the bytes after the last node.
    pub fn trailing(&self) -> &[u8] {
        self.bytes.get(self.end..).unwrap_or_default()
    }

    /// Copies the borrowed bytes, so that the file owns them.
    pub fn into_owned(self) -> CastFile<'static> {
        CastFile {
            bytes: Cow::Owned(self.bytes.into_owned()),
            header: self.header,
            index: self.index,
            end: self.end,
        }
    }

    /// Returns the siblings from one index up to another.
    fn siblings(&self, first: usize, end: usize) -> impl Iterator<Item = (usize, Entry)> {
        let mut next = first;
        core::iter::from_fn(move || {
            let index = next;
            let entry = if index < end { *self.index.get(index)? } else { return None };
            next = num::len_from_u64(entry.next.into());
            Some((index, entry))
        })
    }

    /// Returns whether a node has an id. This is faster than parsing its head, and reads no byte of
    /// a curve.
    fn has_id(&self, entry: Entry, id: NodeId) -> bool {
        match (entry.kind, id) {
            (Kind::Curve | Kind::UsualCurve, id) => id == NodeId::CURVE,
            (Kind::Other, NodeId::CURVE) => false,
            (Kind::Other, id) => {
                self.bytes.get(entry.offset()..).is_some_and(|bytes| bytes.starts_with(&id.0))
            }
        }
    }

    /// Returns the index of the parent of a [usual curve](Kind::UsualCurve), or `None` for another
    /// node.
    pub(crate) fn parent_of_usual_curve(&self, index: usize) -> Option<usize> {
        let usual = self.index.get(index).filter(|entry| entry.kind == Kind::UsualCurve)?;
        Some(num::len_from_u64(usual.parent.into()))
    }

    /// Returns the offset of a node, or the end of the last one.
    fn offset_of(&self, index: usize) -> usize {
        self.index.get(index).map_or(self.end, Entry::offset)
    }
}

/// A node of a file.
#[derive(Clone, Copy, Debug)]
pub struct CastNode<'f> {
    file: &'f CastFile<'f>,
    index: usize,
    entry: Entry,
    head: NodeHead,
    /// The bytes after the head.
    body: &'f [u8],
}

impl<'f> CastNode<'f> {
    /// Returns the id of the node: four letters for its type.
    pub const fn id(&self) -> NodeId {
        self.head.id
    }

    /// Returns the size in bytes that the node states; see [`content_size`](Self::content_size) for
    /// the actual size.
    pub const fn stated_size(&self) -> u32 {
        self.head.size
    }

    /// Returns the number of bytes of the node, including its head and its descendants.
    pub fn content_size(&self) -> usize {
        self.file.offset_of(self.end_index()).saturating_sub(self.entry.offset())
    }

    /// Returns the number by which properties of type `l` refer to the node.
    pub const fn hash(&self) -> u64 {
        self.head.hash
    }

    /// Returns the index of the node in depth-first order.
    pub const fn index(&self) -> usize {
        self.index
    }

    /// Returns the offset of the node in the file.
    pub fn offset(&self) -> usize {
        self.entry.offset()
    }

    /// Returns the parent, or `None` for a top-level node.
    pub fn parent(&self) -> Option<Self> {
        if self.entry.parent == NONE {
            return None;
        }
        self.file.node(num::len_from_u64(self.entry.parent.into()))
    }

    /// Returns the number of children.
    pub const fn child_count(&self) -> u32 {
        self.head.children
    }

    /// Returns the children in file order.
    pub fn children(&self) -> impl Iterator<Item = CastNode<'f>> + use<'f> {
        let file = self.file;
        self.child_entries().filter_map(|(index, entry)| file.node_at(index, entry))
    }

    /// Returns the children with an id, in file order.
    pub fn children_of(&self, id: NodeId) -> impl Iterator<Item = CastNode<'f>> + use<'f> {
        let file = self.file;
        let end = if file.index.may_have(id) { self.end_index() } else { 0 };
        let entries = file.siblings(self.index.saturating_add(1), end);
        let entries = entries.filter(move |&(_, entry)| file.has_id(entry, id));
        entries.filter_map(|(index, entry)| file.node_at(index, entry))
    }

    /// Returns the number of children that are curves with at least three properties.
    pub(crate) fn count_complete_curves(&self) -> usize {
        let is_complete = |&(index, entry): &(usize, Entry)| match entry.kind {
            Kind::UsualCurve => true,
            Kind::Curve => {
                self.file.node_at(index, entry).is_some_and(|node| node.head.properties >= 3)
            }
            Kind::Other => false,
        };
        self.child_entries().filter(is_complete).count()
    }

    fn child_entries(&self) -> impl Iterator<Item = (usize, Entry)> + use<'f> {
        self.file.siblings(self.index.saturating_add(1), self.end_index())
    }

    /// Returns the properties in file order.
    pub fn properties(&self) -> impl Iterator<Item = CastProperty<'f>> + use<'f> {
        self.properties_at().map(|(_, property)| property)
    }

    /// Returns the properties in file order, and the offset of each in the file.
    pub(crate) fn properties_at(
        &self,
    ) -> impl Iterator<Item = (usize, CastProperty<'f>)> + use<'f> {
        let (mut rest, body) = (self.body, self.body.len());
        let start = self.entry.offset().saturating_add(NODE_HEAD);
        (0..self.head.properties).map_while(move |_| {
            let at = start.saturating_add(body.saturating_sub(rest.len()));
            let (after, found) = property(rest)?;
            rest = after;
            Some((at, found))
        })
    }

    /// Returns the property with a name. Of several it returns the last, as in the official Python
    /// library.
    ///
    /// Properties have no index, so each call parses all of them.
    pub fn property(&self, name: &str) -> Option<CastProperty<'f>> {
        self.properties().filter(|property| property.name == name.as_bytes()).last()
    }

    /// Returns the property with a name if it is a string.
    pub fn string(&self, name: &str) -> Option<&'f [u8]> {
        self.property(name)?.string()
    }

    /// Returns the index of the first node after this one and its descendants.
    fn end_index(&self) -> usize {
        num::len_from_u64(self.entry.next.into())
    }
}
