//! Detecting and reading files of 1 KiB through the facade on one core.

use std::hint::black_box;

use inbetween::num::f64_from_index;
use inbetween::{Registry, read};

use super::files::{Files, Shape, Size, text};
use super::row::{Row, Taken, turns};

/// Files for each run of the clock.
const FILES: usize = 200;

pub(crate) fn rows() -> Vec<Row> {
    let ids = Registry::with_builtin().formats().map(|format| format.info().id).collect::<Vec<_>>();
    let row = |id: &'static str| {
        let goal = if id == "animj" { 100_000.0 } else { 200_000.0 };
        let name = format!("facade: read {id} files of 1 KiB");
        Row::rate(name, " files/s", Some(goal), move |files| measure(files, id))
    };
    ids.into_iter().map(row).collect()
}

fn measure(files: &mut Files, id: &'static str) -> Taken {
    let file = files.get(id, Shape::Tiny, Size::Kib1)?;
    read(&file.bytes).map_err(text)?;
    let copies = vec![file.bytes.clone(); FILES];
    let work = || copies.iter().filter(|bytes| read(black_box(bytes)).is_ok()).count();
    let copy = || copies.iter().map(|bytes| black_box(bytes.clone()).len()).sum::<usize>();
    Ok(turns(work, copy).rate(f64_from_index(FILES), FILES * file.bytes.len()))
}
