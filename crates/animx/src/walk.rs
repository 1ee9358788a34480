//! Scans the tracks of a file for their ranges.

use inbetween_core::parse::{self, ByteCursor};
use inbetween_core::{Budget, ReadError};

use crate::file::{AnimxFile, Section};
use crate::index::TrackRanges;
use crate::layout::{CurveKeyOrder, ID, SMALLEST};
use crate::track::TrackHead;

/// The result of scanning the tracks with one order of the Curve keys.
pub(crate) struct Walk {
    pub(crate) ranges: Result<TrackRanges, ReadError>,
    /// Whether the other order could move the tracks: there is a Curve track of strings.
    pub(crate) depends: bool,
}

/// Scans the tracks of a file.
pub(crate) fn walk(file: &AnimxFile<'_>, order: CurveKeyOrder, budget: &mut Budget) -> Walk {
    let mut depends = false;
    let ranges = walk_tracks(file, order, budget, &mut depends);
    Walk { ranges, depends }
}

fn walk_tracks(
    file: &AnimxFile<'_>,
    order: CurveKeyOrder,
    budget: &mut Budget,
    depends: &mut bool,
) -> Result<TrackRanges, ReadError> {
    let mut cursor = ByteCursor::in_space(ID, file.space(), file.body());
    if matches!(file.section, Section::Plain) {
        cursor.parse("tracks", parse::bytes(file.index.section))?;
    }
    let claimed = file.header.track_count.value();
    let count = cursor.count("trackCount", claimed, SMALLEST)?;
    budget.charge_items(claimed).map_err(|error| cursor.place(error, "trackCount"))?;
    let mut starts = Vec::with_capacity(count.get());
    for index in 0..count.get() {
        starts.push(cursor.offset());
        let head = TrackHead::read(&mut cursor, file.header.version);
        let walked = head.and_then(|head| {
            *depends |= head.is_curve_of_texts();
            head.skip_body(&mut cursor, order)
        });
        walked.map_err(|error| error.within("tracks", index))?;
    }
    Ok(TrackRanges { starts, end: cursor.offset() })
}
