//! Encodes nodes as bytes.

use core::ops::Range;

use inbetween_core::memory::grow;
use inbetween_core::{Path, Record, WriteError, num, wire};

use crate::file::CastHeader;
use crate::head::NodeHead;
use crate::layout::{ID, MAGIC, NODE_HEAD, NodeId, PROPERTY_HEAD, PropertyType};
use crate::names::show;
use crate::parts::{CastParts, NodePart, PropertyPart};
use crate::value::ValuesPart;

/// Writes and checks nodes depth first, directly as bytes. The size and the counts of a node are
/// filled in when it ends.
pub(crate) struct Writer {
    out: Vec<u8>,
    roots: u32,
    /// The nodes that have not ended, from the top level down.
    open: Vec<Open>,
    /// The number of nodes so far.
    nodes: usize,
}

/// A node that has not ended.
struct Open {
    index: usize,
    /// The offset of its head.
    start: usize,
    head: NodeHead,
    stated_size: Option<u32>,
}

impl Writer {
    pub(crate) fn new(header: CastHeader) -> Self {
        let mut out = MAGIC.to_vec();
        // The number of top-level nodes is filled in at the end.
        [header.version, 0, header.flags].encode((), &mut out);
        Self { out, roots: 0, open: Vec::new(), nodes: 0 }
    }

    /// Returns the number of nodes so far.
    pub(crate) const fn nodes(&self) -> usize {
        self.nodes
    }

    /// Returns the number of bytes so far.
    pub(crate) const fn len(&self) -> usize {
        self.out.len()
    }

    /// Reserves memory for more bytes.
    ///
    /// # Errors
    ///
    /// If the system cannot provide the memory.
    pub(crate) fn reserve(&mut self, bytes: usize) -> Result<(), WriteError> {
        Ok(grow::try_column(&mut self.out, bytes)?)
    }

    /// Starts a node, and ends the open nodes that it is not below.
    ///
    /// # Errors
    ///
    /// If the depth skips a level, or there are too many nodes.
    pub(crate) fn node(&mut self, id: NodeId, depth: u32, hash: u64) -> Result<(), WriteError> {
        let (index, level) = (self.nodes, num::len_from_u64(depth.into()));
        if level > self.open.len() {
            let what = format!("depth {depth}, at most {} can follow", self.open.len());
            return Err(
                WriteError::inconsistent(what).at_path(Path::item("nodes", index).then("depth"))
            );
        }
        while self.open.len() > level {
            self.end()?;
        }
        self.nodes = index.saturating_add(1);
        count("nodes", self.nodes)?;
        let siblings = self.open.last_mut().map_or(&mut self.roots, |node| &mut node.head.children);
        *siblings = siblings.saturating_add(1);
        let head = NodeHead { id, size: 0, hash, properties: 0, children: 0 };
        self.open.push(Open { index, start: self.out.len(), head, stated_size: None });
        self.out.extend_from_slice(&[0; NODE_HEAD]);
        Ok(())
    }

    /// Ends the last open node.
    fn end(&mut self) -> Result<(), WriteError> {
        let Some(Open { index, start, mut head, stated_size }) = self.open.pop() else {
            return Ok(());
        };
        let size = self.out.len().saturating_sub(start);
        head.size = match (stated_size, u32::try_from(size)) {
            (Some(size), _) | (None, Ok(size)) => size,
            (None, Err(_)) => {
                let what = format!("a node of {size} bytes");
                let error = WriteError::not_representable(what, "at most 4294967295 fit");
                return Err(error.at_path(Path::item("nodes", index)));
            }
        };
        let NodeHead { id, size, hash, properties, children } = head;
        let head = ((u32::from_le_bytes(id.0), size), (hash, [properties, children]));
        head.store((), self.out.get_mut(start..).unwrap_or_default());
        Ok(())
    }

    /// Appends a node with its properties.
    ///
    /// # Errors
    ///
    /// If a string contains a NUL byte, or a number does not fit its field.
    pub(crate) fn part(&mut self, part: &NodePart) -> Result<(), WriteError> {
        self.node(part.id, part.depth, part.hash)?;
        if let Some(node) = self.open.last_mut() {
            node.stated_size = part.stated_size;
        }
        count("properties", part.properties.len()).map_err(|error| self.placed(error))?;
        part.properties.iter().try_for_each(|property| self.property(property))
    }

    fn property(&mut self, property: &PropertyPart) -> Result<(), WriteError> {
        let PropertyPart { name, array_length, values } = property;
        if let ValuesPart::String(text) = values {
            return self.text(name, text, array_length.unwrap_or(1));
        }
        if array_length.is_some() {
            let error = WriteError::inconsistent("an array length of its own is for strings alone");
            return Err(self.placed(error));
        }
        self.values(name, values)
    }

    /// Appends a property of numbers or vectors to the last node.
    pub(crate) fn values(&mut self, name: &[u8], values: &ValuesPart) -> Result<(), WriteError> {
        match values {
            ValuesPart::U8(values) => self.column(name, PropertyType::U8, values),
            ValuesPart::U16(values) => self.column(name, PropertyType::U16, values),
            ValuesPart::U32(values) => self.column(name, PropertyType::U32, values),
            ValuesPart::U64(values) => self.column(name, PropertyType::U64, values),
            ValuesPart::F32(values) => self.column(name, PropertyType::F32, values),
            ValuesPart::F64(values) => self.column(name, PropertyType::F64, values),
            ValuesPart::String(text) => self.string(name, text),
            ValuesPart::Vector2(values) => self.column(name, PropertyType::Vector2, values),
            ValuesPart::Vector3(values) => self.column(name, PropertyType::Vector3, values),
            ValuesPart::Vector4(values) => self.column(name, PropertyType::Vector4, values),
        }
    }

    /// Appends a property of the items of a column.
    pub(crate) fn column<R: Record<Layout = ()>>(
        &mut self,
        name: &[u8],
        kind: PropertyType,
        column: &[R],
    ) -> Result<(), WriteError> {
        self.column_head(name, kind, column.len())?;
        wire::append(column, &mut self.out);
        Ok(())
    }

    /// Appends a property of what `of` makes of each item of a column.
    pub(crate) fn column_of<T, R: Record<Layout = ()>>(
        &mut self,
        name: &[u8],
        kind: PropertyType,
        column: &[T],
        of: impl Fn(&T) -> R,
    ) -> Result<(), WriteError> {
        self.column_head(name, kind, column.len())?;
        wire::append_each(column, of, &mut self.out);
        Ok(())
    }

    fn column_head(
        &mut self,
        name: &[u8],
        kind: PropertyType,
        values: usize,
    ) -> Result<(), WriteError> {
        let values = count("values", values).map_err(|error| self.placed(error))?;
        self.property_head(name, kind, values)
    }

    /// Appends the bytes of earlier properties once more.
    pub(crate) fn repeat(&mut self, bytes: Range<usize>, properties: u32) {
        self.count_properties(properties);
        self.out.extend_from_within(bytes);
    }

    /// Replaces a string of the same length.
    pub(crate) fn replace(&mut self, start: usize, text: &str) {
        let end = start.saturating_add(text.len());
        if let Some(bytes) = self.out.get_mut(start..end) {
            bytes.copy_from_slice(text.as_bytes());
        }
    }

    /// Appends a property that is a string.
    pub(crate) fn string(&mut self, name: &[u8], text: &[u8]) -> Result<(), WriteError> {
        self.text(name, text, 1)
    }

    fn text(&mut self, name: &[u8], text: &[u8], length: u32) -> Result<(), WriteError> {
        if text.contains(&0) {
            let what = format!("the string {}", show(text));
            let error = WriteError::not_representable(what, "a NUL byte ends a string");
            return Err(self.placed(error));
        }
        self.text_without_nul(name, text, length)
    }

    /// Appends a property whose string is one of the format's own words.
    pub(crate) fn word(&mut self, name: &[u8], word: &'static str) -> Result<(), WriteError> {
        self.text_without_nul(name, word.as_bytes(), 1)
    }

    fn text_without_nul(
        &mut self,
        name: &[u8],
        text: &[u8],
        length: u32,
    ) -> Result<(), WriteError> {
        self.property_head(name, PropertyType::String, length)?;
        self.out.extend_from_slice(text);
        self.out.push(0);
        Ok(())
    }

    fn property_head(
        &mut self,
        name: &[u8],
        kind: PropertyType,
        values: u32,
    ) -> Result<(), WriteError> {
        let Ok(length) = u16::try_from(name.len()) else {
            let what = format!("a name of {} bytes", name.len());
            let error = WriteError::not_representable(what, "at most 65535 fit");
            return Err(self.placed(error));
        };
        self.count_properties(1);
        let mut head = [0; PROPERTY_HEAD];
        ((kind.code(), length), values).store((), &mut head);
        self.out.extend_from_slice(&head);
        self.out.extend_from_slice(name);
        Ok(())
    }

    fn count_properties(&mut self, more: u32) {
        if let Some(node) = self.open.last_mut() {
            node.head.properties = node.head.properties.saturating_add(more);
        }
    }

    /// Adds the path of the last node to an error.
    fn placed(&self, error: WriteError) -> WriteError {
        error.at_path(Path::item("nodes", self.nodes.saturating_sub(1)))
    }

    /// Ends the file.
    pub(crate) fn finish(mut self, trailing: &[u8]) -> Result<Vec<u8>, WriteError> {
        while !self.open.is_empty() {
            self.end()?;
        }
        self.roots.store((), self.out.get_mut(8..).unwrap_or_default());
        self.out.extend_from_slice(trailing);
        Ok(self.out)
    }
}

/// Returns a count as the `u32` that stores it.
fn count(what: &str, found: usize) -> Result<u32, WriteError> {
    u32::try_from(found).map_err(|_| {
        WriteError::not_representable(format!("{found} {what}"), "at most 4294967295 fit")
    })
}

impl CastParts {
    /// Writes the file of the parts, without an index of it.
    ///
    /// # Errors
    ///
    /// Like [`CastFile::from_parts`](crate::CastFile::from_parts).
    pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {
        self.encode().map_err(|error| error.in_format(ID))
    }

    fn encode(&self) -> Result<Vec<u8>, WriteError> {
        let mut writer = Writer::new(self.header);
        writer.reserve(size(self))?;
        self.nodes.iter().try_for_each(|node| writer.part(node))?;
        writer.finish(&self.trailing)
    }
}

/// Returns an estimate of the file size in bytes.
pub(crate) fn size(parts: &CastParts) -> usize {
    let nodes = parts.nodes.iter().map(node_size);
    nodes.fold(parts.trailing.len().saturating_add(16), usize::saturating_add)
}

/// Returns the bytes of a node without the nodes below it.
pub(crate) fn node_size(node: &NodePart) -> usize {
    let properties = node.properties.iter().map(|property| {
        let values = match &property.values {
            ValuesPart::String(text) => text.len().saturating_add(1),
            values => values.len().saturating_mul(values.kind().size().unwrap_or(1)),
        };
        PROPERTY_HEAD.saturating_add(property.name.len()).saturating_add(values)
    });
    properties.fold(NODE_HEAD, usize::saturating_add)
}
