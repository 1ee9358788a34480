//! One encoded track: its header and its keys.

use inbetween_core::parse::{ByteCursor, record};
use inbetween_core::{Element, ReadError, ReadErrorKind, Record, SevenBit, ValueKind, View, num};

use crate::layout::{AnimxLayout, CurveKeyOrder, ID, PER_KEY, TANGENTS, TrackType, Version};
use crate::strings::{AnimxString, AnimxText, Texts, string_key};
use crate::wire::{self, TimeAt};

/// The head of a track, before its body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrackHead<'a> {
    pub(crate) track_type: TrackType,
    pub(crate) kind: ValueKind,
    pub(crate) node: AnimxText<'a>,
    pub(crate) property: AnimxText<'a>,
    pub(crate) count: SevenBit,
    /// The number of bytes of the head.
    pub(crate) size: usize,
}

impl<'a> TrackHead<'a> {
    /// Reads the head of a track.
    pub(crate) fn read(cursor: &mut ByteCursor<'a>, version: Version) -> Result<Self, ReadError> {
        let start = cursor.clone();
        let byte: u8 = cursor.parse("trackType", record)?;
        let (track_type, kind) = match version {
            Version::V0 => {
                let track_type = if byte & 1 == 0 { TrackType::Raw } else { TrackType::Curve };
                (track_type, kind_of(byte >> 1).map_err(|error| start.place(error, "trackType"))?)
            }
            Version::V1 => {
                let track_type = track_type_of(byte);
                let track_type = track_type.map_err(|error| start.place(error, "trackType"))?;
                let place = cursor.clone();
                let id = cursor.parse("valueType", record)?;
                (track_type, kind_of(id).map_err(|error| place.place(error, "valueType"))?)
            }
        };
        Ok(Self {
            track_type,
            kind,
            node: cursor.parse("node", AnimxText::parse)?,
            property: cursor.parse("property", AnimxText::parse)?,
            count: cursor.parse("keyCount", SevenBit::parse)?,
            size: cursor.offset().saturating_sub(start.offset()),
        })
    }

    /// Returns whether the end of the track depends on the order of the Curve keys.
    pub(crate) const fn is_curve_of_texts(&self) -> bool {
        matches!((self.track_type, self.kind), (TrackType::Curve, ValueKind::String))
            && self.count.value() > 0
    }

    /// Skips the body of the track.
    pub(crate) fn skip_body(
        &self,
        cursor: &mut ByteCursor<'a>,
        order: CurveKeyOrder,
    ) -> Result<(), ReadError> {
        let keys = self.count.value();
        match self.track_type {
            TrackType::Raw => {
                cursor.block("interval", 1, 4)?;
                self.skip_keys(cursor, None)
            }
            TrackType::Discrete => self.skip_keys(cursor, Some(TimeAt::Front)),
            TrackType::Curve => {
                let flags: u8 = cursor.parse("flags", record)?;
                let own = if flags & PER_KEY == 0 { 1 } else { keys };
                cursor.block("interpolation", own, 1)?;
                self.skip_keys(cursor, Some(order.into()))?;
                if flags & TANGENTS != 0 { self.skip_tangents(cursor) } else { Ok(()) }
            }
        }
    }

    fn skip_keys(
        &self,
        cursor: &mut ByteCursor<'a>,
        time: Option<TimeAt>,
    ) -> Result<(), ReadError> {
        let keys = self.count.value();
        let time_size = if time.is_some() { 4 } else { 0 };
        if let Some(size) = self.kind.encoded_size() {
            return cursor.block("keys", keys, size.saturating_add(time_size)).map(drop);
        }
        let count = cursor.count("keys", keys, 1_usize.saturating_add(time_size))?;
        for _ in 0..count.get() {
            cursor.parse("keys", |input| string_key(input, time))?;
        }
        Ok(())
    }

    fn skip_tangents(&self, cursor: &mut ByteCursor<'a>) -> Result<(), ReadError> {
        let keys = self.count.value();
        if let Some(size) = self.kind.encoded_size() {
            return cursor.block("tangents", keys, size.saturating_mul(2)).map(drop);
        }
        let count = cursor.count("tangents", keys, 2)?;
        for _ in 0..count.get() {
            cursor.parse("tangents", AnimxString::parse)?;
            cursor.parse("tangents", AnimxString::parse)?;
        }
        Ok(())
    }
}

fn track_type_of(byte: u8) -> Result<TrackType, ReadError> {
    match TrackType::ALL.get(usize::from(byte)) {
        Some(track_type) => Ok(*track_type),
        None if byte == 3 => {
            let what = "track type 3 (Bezier), which Resonite reserves but refuses,";
            Err(ReadError::new(ReadErrorKind::Unsupported { what: what.into() }))
        }
        None => Err(ReadError::invalid("a track type from 0 to 2", byte.to_string())),
    }
}

fn kind_of(id: u8) -> Result<ValueKind, ReadError> {
    ValueKind::from_id(id).ok_or_else(|| {
        let what = format!("value type {id}, known are 0 to 39,");
        ReadError::new(ReadErrorKind::Unsupported { what: what.into() })
    })
}

/// One track of a file: its header and its encoded keys.
#[derive(Clone, Copy, Debug)]
pub struct AnimxTrack<'a> {
    head: TrackHead<'a>,
    /// The bytes after the head, up to the end of the track.
    body: &'a [u8],
    offset: usize,
    layout: AnimxLayout,
    flags: u8,
}

impl<'a> AnimxTrack<'a> {
    /// Reads a track that was read or written before, at `offset`.
    pub(crate) fn parse(
        bytes: &'a [u8],
        version: Version,
        offset: usize,
        layout: AnimxLayout,
    ) -> Option<Self> {
        let head = TrackHead::read(&mut ByteCursor::new(ID, bytes), version).ok()?;
        let body = bytes.get(head.size..)?;
        let flags = match head.track_type {
            TrackType::Curve => *body.first()?,
            _ => 0,
        };
        Some(Self { head, body, offset, layout, flags })
    }

    /// Returns the same bytes with the Curve keys read in the other order. It must not be a Curve
    /// track of strings, whose end depends on the order.
    pub(crate) const fn in_other_order(self) -> Self {
        let curve_key = self.layout.curve_key.other();
        Self { layout: AnimxLayout { curve_key, ..self.layout }, ..self }
    }

    /// Returns the type.
    pub const fn track_type(&self) -> TrackType {
        self.head.track_type
    }

    /// Returns the kind of the values.
    pub const fn kind(&self) -> ValueKind {
        self.head.kind
    }

    /// Returns the node, the slot in the scene.
    pub const fn node(&self) -> AnimxText<'a> {
        self.head.node
    }

    /// Returns the property, the field of the slot.
    pub const fn property(&self) -> AnimxText<'a> {
        self.head.property
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        num::len_from_u64(self.head.count.value())
    }

    /// Returns whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the encoded number of keys.
    pub const fn count(&self) -> SevenBit {
        self.head.count
    }

    /// Returns the interval of a Raw track in seconds.
    pub fn interval(&self) -> Option<f32> {
        match self.head.track_type {
            TrackType::Raw => f32::decode(self.body, ()),
            _ => None,
        }
    }

    /// Returns the flags of a Curve track: bit 0 one interpolation per key, bit 1 tangents.
    pub const fn flags(&self) -> Option<u8> {
        match self.head.track_type {
            TrackType::Curve => Some(self.flags),
            _ => None,
        }
    }

    /// Returns the interpolations of a Curve track: one per key, or the one that all share; empty
    /// for other tracks.
    ///
    /// 0 is Hold, 1 Linear, 2 Tangent, 3 `CubicBezier`; other bytes are kept.
    pub fn interpolations(&self) -> &'a [u8] {
        let count = match self.head.track_type {
            TrackType::Curve if self.flags & PER_KEY != 0 => self.len(),
            TrackType::Curve => 1,
            _ => return &[],
        };
        self.body.get(1..).and_then(|rest| rest.get(..count)).unwrap_or_default()
    }

    /// Returns whether tangents follow the keys.
    pub const fn has_tangents(&self) -> bool {
        self.flags & TANGENTS != 0
    }

    /// Returns the times of the keys in seconds, in file order; none for Raw tracks.
    pub fn times(&self) -> impl Iterator<Item = f32> + use<'a> {
        let fixed = self.fixed_times().into_iter().flat_map(|times| times.iter());
        fixed.chain(self.texts().filter_map(|key| key.time))
    }

    /// Returns the times of keys of fixed size, or `None` for strings and Raw tracks.
    pub(crate) fn fixed_times(&self) -> Option<View<'a, f32>> {
        self.head.kind.encoded_size()?;
        Some(wire::times(self.head.kind, self.key_block(), self.time_at()?))
    }

    /// Returns the values of a track whose kind has the Rust type `T`, in file order; `None` for
    /// tracks of other kinds.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_animx::{AnimxFile, AnimxParts, KeysPart, TrackPart};
    ///
    /// let keys = KeysPart::Raw { interval: 0.5, values: vec![0.5_f32, 2.0].into() };
    /// let track = TrackPart { node: "door".into(), property: "Weight".into(),
    /// key_count_padding: 0, keys };
    /// let parts = AnimxParts { tracks: vec![track], ..AnimxParts::default() };
    /// let file = AnimxFile::from_parts(&parts)?;
    /// let track = file.track(0).ok_or("no track")?;
    /// let mut column = Vec::new();
    /// track.values::<f32>().ok_or("other values")?.decode_into(&mut column);
    /// assert_eq!(column, [0.5, 2.0]);
    /// assert!(track.values::<[f32; 3]>().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn values<T: Record<Layout = ()> + Element>(&self) -> Option<View<'a, T>> {
        let values = wire::values(self.key_block(), self.time_at());
        (T::KIND == self.head.kind).then_some(values)
    }

    /// Returns the values of a track of strings, in file order; none for other tracks.
    pub fn strings(&self) -> impl Iterator<Item = AnimxString<'a>> + use<'a> {
        self.texts().map(|key| key.value)
    }

    /// Returns the time of the last key, if it can be found without scanning the others.
    pub(crate) fn last_time(&self) -> Option<f32> {
        let times = self.fixed_times()?;
        times.get(times.len().checked_sub(1)?)
    }

    /// Returns whether the end of the track depends on the order of the Curve keys.
    pub(crate) const fn is_curve_of_texts(&self) -> bool {
        self.head.is_curve_of_texts()
    }

    /// Returns the layout used for the keys.
    pub(crate) const fn layout(&self) -> AnimxLayout {
        self.layout
    }

    /// Returns the position of the time within a key, or `None` for Raw tracks.
    pub(crate) fn time_at(&self) -> Option<TimeAt> {
        match self.head.track_type {
            TrackType::Raw => None,
            TrackType::Discrete => Some(TimeAt::Front),
            TrackType::Curve => Some(self.layout.curve_key.into()),
        }
    }

    /// Returns the bytes of a key including its time, or `None` for strings.
    pub(crate) fn key_size(&self) -> Option<usize> {
        let time = if self.time_at().is_some() { 4 } else { 0 };
        self.head.kind.encoded_size().map(|size| size.saturating_add(time))
    }

    /// Returns the block of keys of fixed size; for strings, all bytes from the first key.
    pub(crate) fn key_block(&self) -> &'a [u8] {
        let rest = self.body.get(self.keys_from()..).unwrap_or_default();
        match self.key_size() {
            Some(size) => rest.get(..size.saturating_mul(self.len())).unwrap_or_default(),
            None => rest,
        }
    }

    /// Returns the bytes of each value of fixed size, without its time; none for strings.
    pub(crate) fn value_bytes(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let size = self.head.kind.encoded_size().unwrap_or(0);
        let block = if size > 0 { self.key_block() } else { &[] };
        let from = if self.time_at() == Some(TimeAt::Front) { 4 } else { 0 };
        let keys = block.chunks_exact(self.key_size().unwrap_or(1).max(1));
        keys.filter_map(move |key| key.get(from..)?.get(..size))
    }

    /// Returns the bytes of each tangent of fixed size, left and right in file order.
    pub(crate) fn tangent_bytes(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let size = self.head.kind.encoded_size().unwrap_or(1).max(1);
        self.tangent_block().chunks_exact(size)
    }

    /// Returns the block of the tangents of fixed size; empty without tangents.
    pub(crate) fn tangent_block(&self) -> &'a [u8] {
        if !self.has_tangents() || self.head.kind.encoded_size().is_none() {
            return &[];
        }
        let keys = self.keys_from().saturating_add(self.key_block().len());
        self.body.get(keys..).unwrap_or_default()
    }

    /// Returns the keys of a track of strings, in file order; none for other tracks.
    pub(crate) fn texts(&self) -> Texts<'a> {
        let is_text = self.head.kind.encoded_size().is_none();
        let whole = if is_text { self.key_block() } else { &[] };
        let left = if is_text { self.len() } else { 0 };
        Texts { whole, rest: whole, left, time: self.time_at() }
    }

    /// Returns the tangents of a track of strings: first and second of each key in turn.
    pub(crate) fn tangent_texts(&self) -> Texts<'a> {
        let mut keys = self.texts();
        keys.by_ref().for_each(drop);
        let left = if self.has_tangents() { self.len().saturating_mul(2) } else { 0 };
        let left = if self.head.kind.encoded_size().is_none() { left } else { 0 };
        Texts { left, time: None, ..keys }
    }

    /// Returns the offset of the track.
    pub(crate) const fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the offset of the node's length.
    pub(crate) fn node_offset(&self) -> usize {
        self.property_offset().saturating_sub(self.head.node.size())
    }

    /// Returns the offset of the property's length.
    pub(crate) fn property_offset(&self) -> usize {
        self.count_offset().saturating_sub(self.head.property.size())
    }

    /// Returns the offset of the number of keys.
    pub(crate) fn count_offset(&self) -> usize {
        self.body_offset().saturating_sub(self.head.count.size().into())
    }

    /// Returns the offset of the flags, the interval or the first key.
    pub(crate) const fn body_offset(&self) -> usize {
        self.offset.saturating_add(self.head.size)
    }

    /// Returns the offset of the first key.
    pub(crate) fn keys_offset(&self) -> usize {
        self.body_offset().saturating_add(self.keys_from())
    }

    /// Returns the offset of the first key in the body.
    fn keys_from(&self) -> usize {
        match self.head.track_type {
            TrackType::Raw => 4,
            TrackType::Discrete => 0,
            TrackType::Curve => self.interpolations().len().saturating_add(1),
        }
    }
}
