//! Encodes parts as bytes.

use std::borrow::Cow;

use inbetween_core::{
    Limits, Path, Record, SevenBit, Strings, TimeRounder, ValueKind, Values, WriteError, num,
};

use crate::file::AnimxFile;
use crate::layout::{
    AnimxLayout, Encoding, ID, MAGIC, PER_KEY, TANGENTS, TangentOrder, TrackType, Version,
};
use crate::packing;
use crate::parts::{
    AnimxParts, InterpolationPart, KeysPart, PackedPart, StringPart, TangentsPart, TrackPart,
    ValuesPart,
};
use crate::strings::{AnimxString, AnimxText};
use crate::wire::{
    Time, TimeAt, encode_column, encode_keys, encode_pairs, encode_values, spare_bits,
};

impl AnimxFile<'_> {
    /// Builds a file from parts.
    ///
    /// # Errors
    ///
    /// If the parts contradict each other, or a number does not fit its field; the error names the
    /// track and the limit. Also if the tracks should be compressed with LZMA in a build without
    /// the feature `lzma`.
    pub fn from_parts(parts: &AnimxParts) -> Result<AnimxFile<'static>, WriteError> {
        Self::from_parts_within(parts, &unlimited())
    }

    /// Like [`from_parts`](Self::from_parts), but limits the decompressed size of a sealed section.
    pub(crate) fn from_parts_within(
        parts: &AnimxParts,
        limits: &Limits,
    ) -> Result<AnimxFile<'static>, WriteError> {
        let limits = match &parts.packed {
            PackedPart::Sealed { .. } => limits,
            // The section was just in memory, so parsing the file needs no limit.
            _ => &unlimited(),
        };
        AnimxFile::parse_as(parts.to_bytes()?, parts.layout, limits)
            .map_err(|error| format!("the parts do not form a valid file: {error}"))
            .map_err(|what| WriteError::inconsistent(what).in_format(ID))
    }
}

impl AnimxParts {
    /// Writes the file of the parts, without an index of it.
    ///
    /// # Errors
    ///
    /// Like [`AnimxFile::from_parts`].
    pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {
        self.encode().map_err(|error| error.in_format(ID))
    }

    fn encode(&self) -> Result<Vec<u8>, WriteError> {
        let mut bytes = Vec::with_capacity(self.size());
        encode_head(self, &mut bytes)?;
        let start = bytes.len();
        if let PackedPart::Sealed { bytes: sealed, .. } = &self.packed {
            bytes.extend_from_slice(sealed);
            return Ok(bytes);
        }
        for (index, track) in self.tracks.iter().enumerate() {
            let format = (self.version, self.layout);
            let encoded = track.source().encode(format, &TimeRounder::default(), &mut bytes);
            encoded.map_err(|error| error.at_path(Path::item("tracks", index)))?;
        }
        bytes.extend_from_slice(&self.trailing);
        if self.encoding == Encoding::Plain {
            return Ok(bytes);
        }
        let (head, section) = bytes.split_at_checked(start).unwrap_or_default();
        if let PackedPart::Kept(kept) = &self.packed {
            let kept = [head, kept].concat();
            let file = AnimxFile::parse_as(&kept, self.layout, &unlimited());
            if file.is_ok_and(|file| file.section() == Some(section)) {
                return Ok(kept);
            }
        }
        Ok([head, &*pack(section, self.encoding)?].concat())
    }
}

/// The limits for parsing bytes that were just written: none, since they exist already.
fn unlimited() -> Limits {
    Limits::default().with_items(u64::MAX).with_decoded_bytes(u64::MAX)
}

/// Compresses a section with an encoding.
pub(crate) fn pack(section: &[u8], encoding: Encoding) -> Result<Cow<'_, [u8]>, WriteError> {
    packing::pack(section, encoding).map_err(|why| {
        let what = format!("{} encoding", encoding.name());
        WriteError::not_representable(what, why).at_path(Path::field("encoding"))
    })
}

/// Appends the header of parts with tracks.
fn encode_head(parts: &AnimxParts, out: &mut Vec<u8>) -> Result<(), WriteError> {
    let count = match &parts.packed {
        PackedPart::Sealed { track_count, .. } => {
            if !parts.tracks.is_empty() || !parts.trailing.is_empty() {
                return Err(WriteError::inconsistent("a sealed section together with tracks"));
            }
            if parts.encoding == Encoding::Plain {
                return Err(WriteError::inconsistent("a sealed section with plain encoding"));
            }
            *track_count
        }
        _ => num::u64_from_len(parts.tracks.len()),
    };
    let count = padded(count, parts.track_count_padding, "trackCount")?;
    let head = Head {
        version: parts.version,
        track_count: count,
        global_duration: parts.global_duration,
        name: parts.name.borrow(),
        encoding: parts.encoding,
    };
    head.encode(out)
}

/// The header of a file.
#[derive(Debug)]
pub(crate) struct Head<'a> {
    pub(crate) version: Version,
    pub(crate) track_count: SevenBit,
    pub(crate) global_duration: f32,
    pub(crate) name: AnimxText<'a>,
    pub(crate) encoding: Encoding,
}

impl Head<'_> {
    /// Appends the header.
    pub(crate) fn encode(&self, out: &mut Vec<u8>) -> Result<(), WriteError> {
        out.extend_from_slice(MAGIC);
        self.version.number().encode((), out);
        self.track_count.encode(out);
        self.global_duration.encode((), out);
        encode_text(self.name, "name", out)?;
        out.push(self.encoding.byte());
        Ok(())
    }
}

fn padded(value: u64, padding: u8, field: &'static str) -> Result<SevenBit, WriteError> {
    SevenBit::padded(value, padding).ok_or_else(|| {
        let what = format!("{value} with {padding} bytes of padding");
        let limit = "a number takes at most 10 bytes";
        WriteError::not_representable(what, limit).at_path(Path::field(field))
    })
}

fn encode_text(
    text: AnimxText<'_>,
    field: &'static str,
    out: &mut Vec<u8>,
) -> Result<(), WriteError> {
    padded(num::u64_from_len(text.bytes.len()), text.padding, field)?.encode(out);
    out.extend_from_slice(text.bytes);
    Ok(())
}

fn encode_string(string: AnimxString<'_>, out: &mut Vec<u8>) -> Result<(), WriteError> {
    out.push(string.not_null);
    match string.text() {
        Some(text) => encode_text(text, "value", out),
        None if string.text == AnimxText::default() => Ok(()),
        None => Err(WriteError::inconsistent("a null value with a text")),
    }
}

/// Appends strings in their usual encoding with their times.
fn encode_texts(times: impl Iterator<Item = f32>, texts: &Strings, at: TimeAt, out: &mut Vec<u8>) {
    for (time, text) in times.zip(texts.iter()) {
        if at == TimeAt::Front {
            out.extend_from_slice(&time.to_le_bytes());
        }
        out.push(text.is_some().into());
        if let Some(text) = text {
            SevenBit::new(num::u64_from_len(text.len())).encode(out);
            out.extend_from_slice(text.as_bytes());
        }
        if at == TimeAt::Back {
            out.extend_from_slice(&time.to_le_bytes());
        }
    }
}

/// A track to write, whose names belong to a part or to a document.
#[derive(Debug)]
pub(crate) struct TrackSource<'a, T> {
    pub(crate) node: AnimxText<'a>,
    pub(crate) property: AnimxText<'a>,
    pub(crate) key_count_padding: u8,
    pub(crate) keys: &'a KeysPart<T>,
}

impl TrackPart {
    fn source(&self) -> TrackSource<'_, f32> {
        TrackSource {
            node: self.node.borrow(),
            property: self.property.borrow(),
            key_count_padding: self.key_count_padding,
            keys: &self.keys,
        }
    }
}

impl<T: Time> TrackSource<'_, T> {
    /// Appends the track.
    pub(crate) fn encode(
        &self,
        (version, layout): (Version, AnimxLayout),
        rounder: &TimeRounder,
        out: &mut Vec<u8>,
    ) -> Result<(), WriteError> {
        self.keys.check()?;
        self.encode_type(version, out)?;
        encode_text(self.node, "node", out)?;
        encode_text(self.property, "property", out)?;
        let keys = num::u64_from_len(self.keys.values().len());
        padded(keys, self.key_count_padding, "keyCount")?.encode(out);
        match self.keys {
            KeysPart::Raw { interval, values } => {
                interval.encode((), out);
                values.encode(out)
            }
            KeysPart::Discrete { times, values } => {
                values.encode_keys((times, rounder), TimeAt::Front, out)
            }
            KeysPart::Curve { times, values, interpolation, tangents, other_flags } => {
                let (per_key, bytes) = match interpolation {
                    InterpolationPart::Shared(shared) => (0, core::slice::from_ref(shared)),
                    InterpolationPart::PerKey(each) => (PER_KEY, each.as_slice()),
                };
                let has_tangents = if tangents.is_some() { TANGENTS } else { 0 };
                out.push(other_flags | per_key | has_tangents);
                out.extend_from_slice(bytes);
                values.encode_keys((times, rounder), layout.curve_key.into(), out)?;
                let tangents = tangents.as_ref();
                tangents.map_or(Ok(()), |tangents| tangents.encode(layout.tangents, out))
            }
        }
    }

    fn encode_type(&self, version: Version, out: &mut Vec<u8>) -> Result<(), WriteError> {
        let (track_type, kind) = (self.keys.track_type(), self.keys.values().kind());
        match (version, track_type) {
            (Version::V1, _) => out.extend_from_slice(&[track_type.byte(), kind.id()]),
            (Version::V0, TrackType::Raw) => out.push(kind.id() << 1),
            (Version::V0, TrackType::Curve) => out.push(kind.id() << 1 | 1),
            (Version::V0, TrackType::Discrete) => {
                let limit = "version 0 supports only Raw and Curve tracks";
                return Err(WriteError::not_representable("a Discrete track", limit));
            }
        }
        Ok(())
    }
}

fn check_length(what: &str, found: usize, keys: usize) -> Result<(), WriteError> {
    if found == keys {
        return Ok(());
    }
    Err(WriteError::inconsistent(format!("{found} {what} for {keys} keys")))
}

impl AnimxParts {
    /// Returns an estimate of the file size before compression, to reserve the memory at once.
    pub(crate) fn size(&self) -> usize {
        let sizes = self.tracks.iter().map(|track| track.source().size());
        let sizes = sizes.chain([self.trailing.len(), self.name.bytes.len(), 64]);
        sizes.fold(0, usize::saturating_add)
    }
}

impl<T> TrackSource<'_, T> {
    /// Returns an estimate of the size of the track.
    pub(crate) fn size(&self) -> usize {
        let values = self.keys.values();
        let (key, tangents) = match self.keys {
            KeysPart::Raw { .. } => (0, None),
            KeysPart::Discrete { .. } => (4, None),
            KeysPart::Curve { tangents, .. } => (5, tangents.as_ref()),
        };
        let names = self.node.bytes.len().saturating_add(self.property.bytes.len());
        let sides =
            tangents.map_or(0, |sides| sides.left.size().saturating_add(sides.right.size()));
        let times = values.len().saturating_mul(key);
        [names, times, values.size(), sides, 32].into_iter().fold(0, usize::saturating_add)
    }
}

impl<T> KeysPart<T> {
    /// Checks that the columns have equal lengths.
    fn check(&self) -> Result<(), WriteError> {
        let values = self.values();
        values.check_kind()?;
        let keys = values.len();
        match self {
            Self::Raw { .. } => Ok(()),
            Self::Discrete { times, .. } => check_length("times", times.len(), keys),
            Self::Curve { times, interpolation, tangents, other_flags, .. } => {
                check_length("times", times.len(), keys)?;
                if let InterpolationPart::PerKey(each) = interpolation {
                    check_length("interpolations", each.len(), keys)?;
                }
                if other_flags & (PER_KEY | TANGENTS) != 0 {
                    return Err(WriteError::inconsistent(
                        "other_flags sets a bit that interpolation or tangents determine",
                    ));
                }
                for side in tangents.iter().flat_map(|tangents| [&tangents.left, &tangents.right]) {
                    side.check_kind()?;
                    check_length("tangents", side.len(), keys)?;
                    let (found, kind) = (side.kind(), values.kind());
                    if found != kind {
                        return Err(WriteError::inconsistent(format!(
                            "tangents of {found}, keys of {kind}"
                        )));
                    }
                }
                Ok(())
            }
        }
    }
}

impl TangentsPart {
    fn encode(&self, order: TangentOrder, out: &mut Vec<u8>) -> Result<(), WriteError> {
        let (first, second) = match order {
            TangentOrder::LeftRight => (&self.left, &self.right),
            TangentOrder::RightLeft => (&self.right, &self.left),
        };
        if let (Some(firsts), Some(seconds)) = (first.fixed(), second.fixed()) {
            encode_pairs(firsts, seconds, out);
            return Ok(());
        }
        if first.kind() == ValueKind::String {
            return (0..first.len()).try_for_each(|index| {
                encode_string(first.string(index), out)?;
                encode_string(second.string(index), out)
            });
        }
        // Flags on at least one side: one byte each.
        let (mut firsts, mut seconds) = (Vec::new(), Vec::new());
        first.encode(&mut firsts)?;
        second.encode(&mut seconds)?;
        out.extend(firsts.into_iter().zip(seconds).flat_map(<[u8; 2]>::from));
        Ok(())
    }
}

impl ValuesPart {
    /// Appends the values without times.
    fn encode(&self, out: &mut Vec<u8>) -> Result<(), WriteError> {
        if let Some(values) = self.fixed() {
            encode_values(values, out);
        } else if let Self::Flags { bytes, .. } = self {
            out.extend_from_slice(bytes);
        } else {
            return (0..self.len()).try_for_each(|key| encode_string(self.string(key), out));
        }
        Ok(())
    }

    /// Appends the values with their times.
    fn encode_keys<T: Time>(
        &self,
        (times, rounder): (&[T], &TimeRounder),
        at: TimeAt,
        out: &mut Vec<u8>,
    ) -> Result<(), WriteError> {
        let stored = || times.iter().map(|time| time.stored(rounder));
        if let Some(values) = self.fixed() {
            encode_keys((times, rounder), values, at, out);
        } else if let Self::Flags { bytes, .. } = self {
            encode_column((times, rounder), bytes, at, out);
        } else if let Self::Values(Values::String(texts)) = self {
            encode_texts(stored(), texts, at, out);
        } else {
            return stored().enumerate().try_for_each(|(key, time)| match at {
                TimeAt::Front => {
                    time.encode((), out);
                    encode_string(self.string(key), out)
                }
                TimeAt::Back => {
                    encode_string(self.string(key), out)?;
                    time.encode((), out);
                    Ok(())
                }
            });
        }
        Ok(())
    }

    /// Returns the column if its values have a fixed size and the usual encoding.
    fn fixed(&self) -> Option<&Values> {
        match self {
            Self::Values(values) if values.as_strings().is_none() => Some(values),
            _ => None,
        }
    }

    /// Returns a value of a column of strings; null if the index is out of range or the column has
    /// another kind.
    fn string(&self, index: usize) -> AnimxString<'_> {
        let string = match self {
            Self::Strings(strings) => strings.get(index).map(StringPart::borrow),
            Self::Values(values) => {
                let text = values.as_strings().and_then(|strings| strings.get(index)).flatten();
                text.map(AnimxString::from)
            }
            Self::Flags { .. } => None,
        };
        string.unwrap_or_default()
    }

    fn check_kind(&self) -> Result<(), WriteError> {
        match self {
            Self::Flags { kind, .. } if spare_bits(*kind) == 0 => {
                Err(WriteError::inconsistent(format!("flags of kind {kind}, which has none")))
            }
            _ => Ok(()),
        }
    }

    /// Returns an estimate of the size of the values.
    fn size(&self) -> usize {
        match self {
            Self::Values(Values::String(strings)) => strings.heap_bytes(),
            Self::Values(values) => {
                values.kind().encoded_size().unwrap_or(0).saturating_mul(values.len())
            }
            Self::Flags { bytes, .. } => bytes.len(),
            Self::Strings(strings) => {
                let sizes = strings.iter().map(|string| string.text.bytes.len().saturating_add(4));
                sizes.fold(0, usize::saturating_add)
            }
        }
    }
}
