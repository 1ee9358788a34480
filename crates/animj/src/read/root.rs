//! The root object and the list of tracks.

use inbetween_core::json::JsonResult;
use inbetween_core::num::u64_from_len;
use inbetween_core::{Edit, memory};

use super::Reader;
use super::members::{Name, Names, Unknown};
use crate::codes;
use crate::file::{AnimjParts, AnimjTrack};
use crate::layout::ROOT;
use crate::reader_path::Step;

/// Tracks with fewer decoded bytes than this cost more than their keys.
const SMALL_TRACK: u64 = 256;

/// Up to this many tracks, a full list doubles its memory.
const FEW_TRACKS: usize = 64;

/// The shortest track is `{"trackType":"Raw","valueType":"int","data":{}}`.
const SHORTEST_TRACK: usize = 47;

impl Reader<'_> {
    /// Enters the root object.
    pub(super) fn begin(&mut self) -> JsonResult<()> {
        if self.json.byte_order_mark() && self.checks() {
            let place = self.place;
            let message = || "byte order mark at the start of the file".into();
            let edits = vec![Edit { start: 0, end: 3, replacement: b"".as_slice().into() }];
            let fix = ("remove the byte order mark", edits);
            self.notes.add_fixable(codes::BYTE_ORDER_MARK, 0, || place.path(), message, fix);
        }
        self.json.space();
        self.json.begin_object("an object with tracks")
    }

    /// Reads the members of the root up to the end of the file.
    ///
    /// A check returns no tracks.
    pub(super) fn root(&mut self) -> JsonResult<AnimjParts> {
        let mut root = AnimjParts::default();
        let mut names = Names::new(ROOT, 0);
        while let Some(name) = self.next_member(&mut names)? {
            self.take_repairs_at(0);
            let index = match name {
                Name::Known(index) => index,
                Name::Unknown(name) => {
                    root.extra.extend(self.unknown(&mut names, &name, Unknown::Kept)?);
                    continue;
                }
            };
            self.meet(&mut names, index);
            match index {
                0 => root.name = self.name()?,
                1 => root.global_duration = self.seconds()?.unwrap_or_default(),
                _ => {
                    // Only one list of tracks is in memory at a time.
                    root.tracks = Vec::new();
                    root.tracks = self.tracks()?;
                }
            }
            self.take_repairs();
        }
        self.place.up_to(0);
        self.take_repairs();
        if self.checks() {
            self.checks.end_root(&mut self.notes, root.global_duration);
            self.end_of_names(&names);
        }
        self.json.end()?;
        self.take_repairs();
        match self.skipped.take() {
            // Nothing can be read.
            Some((fault, place)) if root.tracks.is_empty() => {
                self.place = place;
                Err(fault)
            }
            _ => Ok(root),
        }
    }

    /// Reads the list of tracks.
    fn tracks(&mut self) -> JsonResult<Vec<AnimjTrack>> {
        let mut tracks = Vec::new();
        self.checks.begin_tracks();
        if self.json.at_null() {
            return self.json.literal("an array of tracks").map(|_| tracks);
        }
        let mark = self.json.mark();
        if let Err(fault) = self.json.begin_array("an array of tracks") {
            return self.recover(mark, fault).map(|()| tracks);
        }
        let mut first = true;
        let mut index = 0_usize;
        while self.json.next_item(&mut first)? {
            self.take_repairs_at(1);
            self.place.set(1, Step::Item(index));
            self.notes.next_track();
            self.checks.count_track();
            self.budget.charge_items(1).map_err(|error| self.limit(&error))?;
            if let (Some(track), false) = (self.track()?, self.checks()) {
                if tracks.len() == tracks.capacity() {
                    let more = self.more_tracks(tracks.len());
                    memory::reserve(&mut tracks, more)
                        .map_err(|error| self.out_of_memory(error))?;
                }
                tracks.push(track);
            }
            self.take_repairs();
            index = index.saturating_add(1);
        }
        self.take_repairs_at(1);
        self.place.up_to(1);
        self.notes.next_track();
        Ok(tracks)
    }

    /// Returns the number of tracks to reserve memory for.
    ///
    /// A list is held twice while it moves. Large tracks outweigh that; small ones are expected to
    /// be as long as those before them, so that their list hardly moves again.
    fn more_tracks(&self, tracks: usize) -> usize {
        if tracks < FEW_TRACKS {
            return tracks.max(4);
        }
        let decoded = self.decoded.saturating_sub(self.budget.bytes_left());
        let average = decoded.checked_div(u64_from_len(tracks)).unwrap_or(0);
        if average >= SMALL_TRACK {
            return tracks / 8;
        }
        let length = self.json.offset().checked_div(tracks).unwrap_or(0).max(SHORTEST_TRACK);
        let expected = self.json.rest_length().checked_div(length).unwrap_or(0);
        // The first tracks may be shorter than the others.
        expected.saturating_add(expected / 16).clamp(tracks / 8, tracks.saturating_mul(8))
    }
}
