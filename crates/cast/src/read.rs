//! Parses bytes into the exact model.

use std::borrow::Cow;

use inbetween_core::parse::{self, ByteCursor, Fault, PResult};
use inbetween_core::{Budget, Limits, Path, Position, ReadError, ReadErrorKind, num};
use nom::Parser;
use nom::bytes::complete::take;
use nom::number::complete::le_u32;

use crate::curve::CurveProperty;
use crate::file::{CastFile, CastHeader, CastNode};
use crate::head::{NodeHead, node_head};
use crate::index::{Entry, Index, Kind, NONE};
use crate::layout::{ID, MAGIC, NODE_HEAD, NodeId, PROPERTY_HEAD, PropertyType, hash};
use crate::property::{bytes_of, property};

/// Parses the head of a property: its type, the length of its name, and the number of its values.
fn property_head(input: &[u8]) -> PResult<'_, (PropertyType, u16, u32)> {
    let (rest, [code, name, low, high]) = parse::record::<[u16; 4]>(input)?;
    let count = u32::from(low) | u32::from(high) << u16::BITS;
    match PropertyType::from_code(code) {
        Some(kind) => Ok((rest, (kind, name, count))),
        None => Err(unknown_type(input, code)),
    }
}

#[cold]
fn unknown_type(input: &[u8], code: u16) -> nom::Err<Fault<'_>> {
    let names = PropertyType::ALL.map(PropertyType::name).join(", ");
    let found = format!("\"{}\"", code.to_le_bytes().escape_ascii());
    let expected = format!("a type of {names}");
    let kind = ReadErrorKind::Invalid { expected: expected.into(), found: found.into() };
    nom::Err::Error(Fault::new(input, kind))
}

/// Parses the values of a property, without the NUL of a string.
fn values(
    kind: PropertyType,
    count: u32,
) -> impl for<'b> FnOnce(&'b [u8]) -> PResult<'b, &'b [u8]> {
    move |input| match kind.size() {
        // Like most readers, this takes one string for any count.
        None => parse::until_nul(input),
        Some(size) => parse::claimed(bytes_of(count, size))(input),
    }
}

impl<'a> CastFile<'a> {
    /// Reads a file without decoding its values.
    ///
    /// Nodes are read by their counts. The size that a node states is kept, and a check reports a
    /// wrong one.
    ///
    /// # Errors
    ///
    /// If the bytes are not a Cast file, are truncated, contain a property of an unknown type or
    /// several strings in one property, or contain more items or levels of nodes than the limits
    /// allow.
    pub fn parse(bytes: impl Into<Cow<'a, [u8]>>, limits: &Limits) -> Result<Self, ReadError> {
        let (file, broken) = Self::parse_sound(bytes, limits)?;
        match broken.into_iter().next() {
            Some(error) => Err(error),
            None => Ok(file),
        }
    }

    /// Like [`parse`](Self::parse), but skips broken animations whose stated size leads to the next
    /// node, and returns their errors, unless all are broken. Such a file cannot be written again.
    pub(crate) fn parse_sound(
        bytes: impl Into<Cow<'a, [u8]>>,
        limits: &Limits,
    ) -> Result<(Self, Vec<ReadError>), ReadError> {
        let bytes = bytes.into();
        let mut cursor = ByteCursor::new(ID, &bytes);
        let (header, roots) = parse_header(&mut cursor)?;
        let budget = Budget::new(limits, bytes.len());
        let index = Index::default();
        let broken = Vec::new();
        let mut reader = Reader { bytes: &bytes, cursor, budget, index, start: 0, broken };
        reader.nodes(roots, limits.depth)?;
        let (end, index, broken) = (reader.cursor.offset(), reader.index, reader.broken);
        let file = Self { bytes, header, index, end };
        let has_animation =
            |root: CastNode<'_>| root.children_of(NodeId::ANIMATION).next().is_some();
        match broken.first() {
            Some(error) if !file.roots().any(has_animation) => Err(error.clone()),
            _ => Ok((file, broken)),
        }
    }
}

/// Reads the header; returns it and the number of top-level nodes.
pub(crate) fn parse_header(cursor: &mut ByteCursor<'_>) -> Result<(CastHeader, u32), ReadError> {
    let start = cursor.rest();
    if !start.starts_with(MAGIC) {
        return Err(bad_magic(cursor));
    }
    let fields = (take(4_usize), le_u32, le_u32, le_u32);
    let mut header = parse::bytes(16).and_then(fields);
    let (_, version, roots, flags) =
        cursor.parse("header", |input| header.parse_complete(input))?;
    Ok((CastHeader { version, flags }, roots))
}

#[cold]
fn bad_magic(cursor: &ByteCursor<'_>) -> ReadError {
    let start = cursor.rest();
    let found = match start.get(..MAGIC.len()).unwrap_or(start) {
        [] => "an empty file".into(),
        found => format!("\"{}\"", found.escape_ascii()).into(),
    };
    let kind = ReadErrorKind::BadMagic { expected: "\"cast\"", found };
    let error = cursor.place(ReadError::new(kind), "magic");
    if start.starts_with(b"{\"version\"") {
        return error.with_hint("asciinema recordings of terminals have the same extension");
    }
    error
}

/// The remaining bytes and the nodes found so far.
struct Reader<'a> {
    bytes: &'a [u8],
    cursor: ByteCursor<'a>,
    budget: Budget,
    index: Index,
    /// The offset of the last node that was begun.
    start: usize,
    /// The errors of skipped animations.
    broken: Vec<ReadError>,
}

impl<'a> Reader<'a> {
    /// Reads the nodes depth first. The index records the open nodes, so that nesting needs neither
    /// stack nor memory.
    fn nodes(&mut self, roots: u32, max_depth: usize) -> Result<(), ReadError> {
        self.cursor.count("rootCount", u64::from(roots), NODE_HEAD)?;
        let (mut roots, mut parent, mut depth) = (roots, NONE, 0_usize);
        loop {
            let missing = match self.index.get_mut(parent) {
                Some(entry) => &mut entry.next,
                None => &mut roots,
            };
            if let Some(left) = missing.checked_sub(1) {
                *missing = left;
                if depth >= max_depth {
                    return Err(self.too_deep(max_depth));
                }
                match self.node(parent) {
                    Ok(None) => {}
                    Ok(Some(opened)) => {
                        parent = opened;
                        depth = depth.saturating_add(1);
                    }
                    Err(error) => (parent, depth) = (self.skip_animation(parent, error)?, 1),
                }
            } else if parent == NONE {
                return Ok(());
            } else {
                match self.close(parent) {
                    Ok(above) => {
                        parent = above;
                        depth = depth.saturating_sub(1);
                    }
                    Err(error) => (parent, depth) = (self.skip_animation(parent, error)?, 1),
                }
            }
        }
    }

    /// Skips the animation that a broken node belongs to, and returns the root node that contains it.
    ///
    /// # Errors
    ///
    /// A limit that was exceeded. The first error, if the node belongs to no animation, or the stated
    /// size of the animation does not lead to a place in the file.
    #[cold]
    fn skip_animation(&mut self, parent: u32, error: ReadError) -> Result<u32, ReadError> {
        // The animation is the broken node itself, or the node above it that is below a root node.
        let (mut above, mut animation) = (parent, self.index.len());
        let mut offset = self.start;
        while let Some(entry) = self.index.get(num::len_from_u64(above.into())) {
            if entry.parent == NONE {
                break;
            }
            (animation, offset) = (num::len_from_u64(above.into()), entry.offset());
            above = entry.parent;
        }
        let whole = self.bytes.get(offset..).unwrap_or_default();
        let rest = node_head(whole)
            .ok()
            .filter(|(_, head)| head.id == NodeId::ANIMATION && above != NONE && !error.is_limit());
        let size = rest.map_or(0, |(_, head)| num::len_from_u64(head.size.into()));
        let after = whole.get(size..).filter(|_| size >= NODE_HEAD);
        let Some(after) = after else {
            let first = self.broken.drain(..).next().filter(|_| !error.is_limit());
            return Err(first.unwrap_or(error));
        };
        self.index.truncate(animation);
        self.cursor = ByteCursor::new(ID, self.bytes);
        self.cursor.parse("nodes", |_| Ok((after, ())))?;
        self.broken.push(error);
        Ok(above)
    }

    #[cold]
    fn too_deep(&self, max_depth: usize) -> ReadError {
        let limit = num::u64_from_len(max_depth);
        let error = ReadError::limit("levels of nodes", limit.saturating_add(1), limit);
        self.cursor.place(error, "nodes")
    }

    /// Reads the head and the properties of a node; returns its index if it has children.
    fn node(&mut self, parent: u32) -> Result<Option<u32>, ReadError> {
        let number = self.index.len();
        let head = self.head_and_properties(parent, number);
        let head = head.map_err(|error| error.within("nodes", number))?;
        let opened = u32::try_from(number).unwrap_or(NONE);
        Ok((head.children > 0).then_some(opened))
    }

    fn head_and_properties(&mut self, parent: u32, number: usize) -> Result<NodeHead, ReadError> {
        let offset = self.cursor.offset();
        self.start = offset;
        let head = self.cursor.parse("head", node_head)?;
        let (properties, children) = (u64::from(head.properties), u64::from(head.children));
        self.cursor.count("propertyCount", properties, PROPERTY_HEAD)?;
        self.cursor.count("childCount", children, NODE_HEAD)?;
        let charged = self.budget.charge_items(properties.saturating_add(1));
        charged.map_err(|error| self.cursor.place(error, "head"))?;
        let next = u32::try_from(number).ok().and_then(|number| number.checked_add(1));
        let Some(next) = next else {
            let kind = ReadErrorKind::Unsupported { what: "a file of 4294967295 nodes".into() };
            return Err(self.cursor.place(ReadError::new(kind), "head"));
        };
        let known = self.properties(head.properties)?;
        let kind = match head.id {
            NodeId::CURVE if known && properties >= 3 && head.hash == hash(number) => {
                Kind::UsualCurve
            }
            NodeId::CURVE => Kind::Curve,
            _ => Kind::Other,
        };
        if children == 0 {
            self.check_size(offset, &head)?;
        }
        let next = if children == 0 { next } else { head.children };
        self.index.push(head.id, Entry::new(offset, kind, parent, next));
        Ok(head)
    }

    /// Skips properties; returns whether all of them are those of a curve, each once.
    fn properties(&mut self, count: u32) -> Result<bool, ReadError> {
        let (mut rest, mut seen, mut known) = (self.cursor.rest(), 0, true);
        for index in 0..count {
            let Some((after, found)) = property(rest) else { return self.broken(rest, index) };
            rest = after;
            let bit = CurveProperty::from_name(found.name).map_or(0, CurveProperty::bit);
            known &= bit & !seen != 0;
            seen |= bit;
        }
        self.cursor.parse("properties", |_| Ok((rest, known)))
    }

    /// Parses a broken property again, step by step, to find the place of the error.
    #[cold]
    fn broken(&mut self, start: &'a [u8], index: u32) -> Result<bool, ReadError> {
        self.cursor.parse("properties", |_| Ok((start, ())))?;
        let mut parse = || {
            let (kind, name, count) = self.cursor.parse("type", property_head)?;
            self.cursor.parse("name", parse::bytes(usize::from(name)))?;
            self.cursor.parse("values", values(kind, count))
        };
        let index = num::len_from_u64(index.into());
        parse().map(|_| false).map_err(|error| error.within("properties", index))
    }

    /// Ends a node with children and returns its parent.
    fn close(&mut self, node: u32) -> Result<u32, ReadError> {
        let next = u32::try_from(self.index.len()).unwrap_or(NONE);
        let Some(entry) = self.index.get_mut(node) else { return Ok(NONE) };
        entry.next = next;
        let (offset, parent) = (entry.offset(), entry.parent);
        let whole = self.bytes.get(offset..).unwrap_or_default();
        let Ok((_, head)) = node_head(whole) else { return Ok(parent) };
        self.check_size(offset, &head)
            .map_err(|error| error.within("nodes", num::len_from_u64(node.into())))?;
        Ok(parent)
    }

    /// Checks the stated size of a node that ends here.
    fn check_size(&self, offset: usize, head: &NodeHead) -> Result<(), ReadError> {
        let size = num::u64_from_len(self.cursor.offset().saturating_sub(offset));
        if u64::from(head.size) == size {
            return Ok(());
        }
        let start = offset.saturating_add(NODE_HEAD);
        refuse_strings(self.bytes.get(start..).unwrap_or_default(), head, offset)
    }
}

/// Rejects a node whose stated size differs from its actual size if one of its properties has
/// several strings: a program wrote all of them, and everything after the first one was misread.
#[cold]
fn refuse_strings(start: &[u8], head: &NodeHead, offset: usize) -> Result<(), ReadError> {
    let mut rest = start;
    for index in 0..num::len_from_u64(head.properties.into()) {
        let before = rest.len();
        let Some((after, found)) = property(rest) else { break };
        if found.kind == PropertyType::String && found.array_length != 1 {
            let within = start.len().saturating_sub(before).saturating_add(NODE_HEAD);
            let at = num::u64_from_len(offset.saturating_add(within));
            let found = format!("{} strings", found.array_length);
            return Err(ReadError::invalid("one string, as the specification has it", found)
                .in_format(ID)
                .at_path(Path::field("arrayLength"))
                .at_position(Position::byte(at))
                .within("properties", index));
        }
        rest = after;
    }
    Ok(())
}
