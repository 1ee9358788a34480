//! The exact text form (`docs/text-form.md`).

mod helper;
mod key;
mod name;

use inbetween_core::text::{self, Each, Float, Hex, Layout, Skip, Tag, Version};
use inbetween_core::{Budget, Limits, ReadError, TextForm, WriteError, num};
use serde::{Deserialize, Serialize};

use crate::layout::ID;
use crate::{Group, RecordPart, X4ani, X4aniFile, X4aniKey, X4aniParts, X4aniRecord};
use key::{Key, KeysText};
use name::NameText;

const LAYOUT: Layout = Layout {
    open: &["records"],
    lines: &["positions", "rotations", "scales", "pre_scales", "post_scales"],
};

impl TextForm for X4ani {
    fn unpack(&self, bytes: &[u8], limits: &Limits) -> Result<Vec<u8>, ReadError> {
        let file = X4aniFile::parse(bytes, limits)?;
        let mirror = FileText {
            format: Tag(ID),
            text_version: Version,
            padding: file.header().padding,
            records: Each(|| file.records().map(RecordText::from)),
            trailing: Hex(file.trailing().into()),
        };
        text::print(&mirror, LAYOUT, bytes.len(), limits).map_err(|error| error.in_format(ID))
    }

    fn pack(&self, text: &[u8], limits: &Limits) -> Result<Vec<u8>, ReadError> {
        let file: FileText<'_, Vec<ParsedRecord<'_>>> = text::parse(text, ID, limits)?;
        let mut budget = Budget::new(limits, text.len());
        let records = num::u64_from_len(file.records.len());
        budget.charge_items(records).map_err(|error| error.in_format(ID))?;
        let parts = X4aniParts {
            padding: file.padding,
            records: file.records.into_iter().map(RecordPart::from).collect(),
            trailing: file.trailing.0.into_owned(),
        };
        let refused = |error: WriteError| text::refused(&error.in_format(ID), text);
        let size = crate::write::size(&parts).map_err(refused)?;
        budget.charge_bytes(size).map_err(|error| error.in_format(ID))?;
        parts.to_bytes().map_err(refused)
    }
}

/// The mirror type of a file; the records are printed from the file and parsed into a list.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct FileText<'a, R> {
    format: Tag,
    text_version: Version,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    padding: i32,
    records: R,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    trailing: Hex<'a>,
}

/// The mirror type of a record; the keys are printed from the file and parsed into lists. Rotations
/// have their own type because only they have degrees.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[serde(bound(deserialize = "K: Default + Deserialize<'de>, R: Default + Deserialize<'de>"))]
struct RecordText<'a, K: Skip, R: Skip> {
    part: NameText<'a>,
    subname: NameText<'a>,
    duration: Float<f32>,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    padding: [i32; 2],
    #[serde(default, skip_serializing_if = "Skip::skips")]
    positions: K,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    rotations: R,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    scales: K,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    pre_scales: K,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    post_scales: K,
}

impl<'a> From<X4aniRecord<'a>> for RecordText<'a, KeysText<'a>, KeysText<'a>> {
    fn from(record: X4aniRecord<'a>) -> Self {
        let head = record.head();
        let keys = |group| KeysText::new(record.keys(group), group);
        Self {
            part: head.part.into(),
            subname: head.subname.into(),
            duration: Float(head.duration),
            padding: head.padding,
            positions: keys(Group::Position),
            rotations: keys(Group::Rotation),
            scales: keys(Group::Scale),
            pre_scales: keys(Group::PreScale),
            post_scales: keys(Group::PostScale),
        }
    }
}

type ParsedRecord<'a> = RecordText<'a, Vec<Key<false>>, Vec<Key<true>>>;

fn plain<const ANGLES: bool>(keys: Vec<Key<ANGLES>>) -> Vec<X4aniKey> {
    keys.into_iter().map(|Key(key)| key).collect()
}

impl From<ParsedRecord<'_>> for RecordPart {
    fn from(record: ParsedRecord<'_>) -> Self {
        let RecordText { positions, rotations, scales, pre_scales, post_scales, .. } = record;
        Self {
            part: record.part.field,
            subname: record.subname.field,
            keys: [
                plain(positions),
                plain(rotations),
                plain(scales),
                plain(pre_scales),
                plain(post_scales),
            ],
            duration: record.duration.0,
            padding: record.padding,
        }
    }
}
