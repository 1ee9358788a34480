//! The exact model as plain owned data that can be changed.

use inbetween_core::{Limits, WriteError};

use crate::layout::ID;
use crate::{Group, X4aniFile, X4aniKey, X4aniName, X4aniRecordHead};

/// An X4 .ANI file as owned parts.
///
/// Offsets and counts are computed from the lists; everything else is written unchanged.
///
/// # Examples
///
/// ```
/// use inbetween_core::Limits;
/// use inbetween_x4_ani::{Group, KeyType, RecordPart, X4aniFile, X4aniKey, X4aniName, X4aniParts};
///
/// let mut record = RecordPart {
///     part: X4aniName::new("anim_door")?,
///     subname: X4aniName::new("opening")?,
///     duration: 1.0,
///     ..RecordPart::default()
/// };
/// *record.keys_mut(Group::Position) = vec![
///     X4aniKey::new(0.0, [0.0, 0.0, 0.0], KeyType::LINEAR),
///     X4aniKey::new(1.0, [0.0, 2.5, 0.0], KeyType::STEP),
/// ];
/// let parts = X4aniParts { records: vec![record], ..X4aniParts::default() };
///
/// let file = X4aniFile::from_parts(&parts)?;
/// assert_eq!(file.to_bytes().len(), 16 + 160 + 2 * 128);
/// assert_eq!(X4aniFile::parse(file.to_bytes(), &Limits::default())?.into_parts(), parts);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct X4aniParts {
    /// The padding of the header.
    pub padding: i32,
    /// The records, in file order.
    pub records: Vec<RecordPart>,
    /// The bytes after the last key.
    pub trailing: Vec<u8>,
}

/// A record: one part in one animation.
#[derive(Clone, Debug, Default)]
pub struct RecordPart {
    /// The part that moves.
    pub part: X4aniName,
    /// The animation that the record belongs to.
    pub subname: X4aniName,
    /// The keys of each group, in the order of [`Group::ALL`].
    pub keys: [Vec<X4aniKey>; 5],
    /// Seconds.
    pub duration: f32,
    /// 0 in all known files.
    pub padding: [i32; 2],
}

impl RecordPart {
    /// Returns the keys of a group.
    pub const fn keys(&self, group: Group) -> &Vec<X4aniKey> {
        let [positions, rotations, scales, pre_scales, post_scales] = &self.keys;
        match group {
            Group::Position => positions,
            Group::Rotation => rotations,
            Group::Scale => scales,
            Group::PreScale => pre_scales,
            Group::PostScale => post_scales,
        }
    }

    /// Returns the keys of a group for modification.
    pub const fn keys_mut(&mut self, group: Group) -> &mut Vec<X4aniKey> {
        let [positions, rotations, scales, pre_scales, post_scales] = &mut self.keys;
        match group {
            Group::Position => positions,
            Group::Rotation => rotations,
            Group::Scale => scales,
            Group::PreScale => pre_scales,
            Group::PostScale => post_scales,
        }
    }
}

/// Records are equal if they are equal bit for bit, including a NaN duration.
impl PartialEq for RecordPart {
    fn eq(&self, other: &Self) -> bool {
        (self.part, self.subname, self.padding) == (other.part, other.subname, other.padding)
            && self.duration.to_bits() == other.duration.to_bits()
            && self.keys == other.keys
    }
}

impl X4aniFile<'_> {
    /// Returns the file as owned parts.
    pub fn into_parts(self) -> X4aniParts {
        let record = |record: crate::X4aniRecord<'_>| {
            let X4aniRecordHead { part, subname, duration, padding, .. } = *record.head();
            let keys = Group::ALL.map(|group| record.keys(group).iter().collect());
            RecordPart { part, subname, keys, duration, padding }
        };
        X4aniParts {
            padding: self.header.padding,
            records: self.records().map(record).collect(),
            trailing: self.trailing().to_vec(),
        }
    }

    /// Builds a file from parts.
    ///
    /// # Errors
    ///
    /// If there are more records or keys than the format can count.
    pub fn from_parts(parts: &X4aniParts) -> Result<X4aniFile<'static>, WriteError> {
        // The bytes were just written, so parsing them needs no limit.
        let limits = Limits::default().with_items(u64::MAX);
        X4aniFile::parse(parts.to_bytes()?, &limits).map_err(|error| {
            let what = format!("the parts do not form a valid file: {error}");
            WriteError::inconsistent(what).in_format(ID)
        })
    }
}
