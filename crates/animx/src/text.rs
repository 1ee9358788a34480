//! The exact text form (`docs/text-form.md`).

mod cell;
mod keys;
mod strings;
mod track;

use inbetween_core::text::{self, Each, Float, Hex, Layout, Skip, Tag, Version as TextVersion};
use inbetween_core::{Budget, Limits, ReadError, TextForm, num};
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::file::AnimxFile;
use crate::layout::{AnimxLayout, CurveKeyOrder, Encoding, ID, TangentOrder, Version};
use crate::options::Animx;
use crate::parts::{AnimxParts, PackedPart};
use strings::TextText;
use track::{Track, TrackText};

const LAYOUT: Layout = Layout { open: &["tracks"], lines: &["keys", "values"] };

impl TextForm for Animx {
    fn unpack(&self, bytes: &[u8], limits: &Limits) -> Result<Vec<u8>, ReadError> {
        let file = self.parse(bytes, limits)?;
        let input = file.section().map_or(bytes.len(), <[u8]>::len).max(bytes.len());
        let header = file.header();
        let layout = file.layout();
        let mirror = FileText {
            format: Tag(ID),
            text_version: TextVersion,
            version: VersionText(header.version),
            track_count_padding: header.track_count.padding(),
            global_duration: Float(header.global_duration),
            name: file.name().into(),
            encoding: header.encoding,
            curve_key_order: layout.curve_key,
            tangent_order: layout.tangents,
            tracks: Each(|| file.tracks().map(|track| Track(track.to_part()))),
            trailing: Hex(file.trailing().into()),
            sealed: file.is_sealed().then(|| SealedText {
                track_count: header.track_count.value(),
                bytes: Hex(file.packed_section().into()),
            }),
        };
        text::print(&mirror, LAYOUT, input, limits).map_err(|error| error.in_format(ID))
    }

    fn pack(&self, text: &[u8], limits: &Limits) -> Result<Vec<u8>, ReadError> {
        let file: FileText<'_, Vec<TrackText>> = text::parse(text, ID, limits)?;
        let parts = AnimxParts::from(file);
        let mut budget = Budget::new(limits, text.len());
        budget
            .charge_items(num::u64_from_len(parts.tracks.len()))
            .and_then(|()| budget.charge_bytes(parts.size()))
            .map_err(|error| error.in_format(ID))?;
        let file = AnimxFile::from_parts_within(&parts, limits);
        Ok(file.map_err(|error| text::refused(&error, text))?.bytes.into_owned())
    }
}

/// The mirror type of a file; the tracks are printed from the file and parsed into a list.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields, bound(deserialize = "T: Default + Deserialize<'de>"))]
struct FileText<'a, T: Skip> {
    format: Tag,
    text_version: TextVersion,
    version: VersionText,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    track_count_padding: u8,
    global_duration: Float<f32>,
    name: TextText<'a>,
    #[serde(with = "EncodingText")]
    encoding: Encoding,
    #[serde(with = "CurveKeyOrderText")]
    curve_key_order: CurveKeyOrder,
    #[serde(with = "TangentOrderText")]
    tangent_order: TangentOrder,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    tracks: T,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    trailing: Hex<'a>,
    /// A section that the build which wrote the text could not decompress.
    #[serde(default, skip_serializing_if = "Skip::skips")]
    sealed: Option<SealedText<'a>>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct SealedText<'a> {
    track_count: u64,
    bytes: Hex<'a>,
}

impl From<FileText<'_, Vec<TrackText>>> for AnimxParts {
    fn from(file: FileText<'_, Vec<TrackText>>) -> Self {
        Self {
            version: file.version.0,
            track_count_padding: file.track_count_padding,
            global_duration: file.global_duration.0,
            name: file.name.into(),
            encoding: file.encoding,
            layout: AnimxLayout { curve_key: file.curve_key_order, tangents: file.tangent_order },
            tracks: file.tracks.into_iter().map(|TrackText(part)| part).collect(),
            trailing: file.trailing.0.into_owned(),
            packed: file.sealed.map_or(PackedPart::Anew, |sealed| PackedPart::Sealed {
                track_count: sealed.track_count,
                bytes: sealed.bytes.0.into_owned(),
            }),
        }
    }
}

/// The version by its number.
struct VersionText(Version);

impl Serialize for VersionText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i32(self.0.number())
    }
}

impl<'de> Deserialize<'de> for VersionText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u64::deserialize(deserializer)? {
            0 => Ok(Self(Version::V0)),
            1 => Ok(Self(Version::V1)),
            other => Err(D::Error::invalid_value(Unexpected::Unsigned(other), &"0 or 1")),
        }
    }
}

#[derive(Deserialize, Serialize)]
#[serde(remote = "Encoding", rename_all = "kebab-case")]
enum EncodingText {
    Plain,
    Lz4,
    Lzma,
}

#[derive(Deserialize, Serialize)]
#[serde(remote = "CurveKeyOrder", rename_all = "kebab-case")]
enum CurveKeyOrderText {
    ValueFirst,
    TimeFirst,
}

#[derive(Deserialize, Serialize)]
#[serde(remote = "TangentOrder", rename_all = "kebab-case")]
enum TangentOrderText {
    LeftRight,
    RightLeft,
}
