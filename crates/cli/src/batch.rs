//! Processes many files in parallel and reports them in order.

use std::io;
use std::ops::ControlFlow;

use inbetween::core::num::u64_from_len;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;

use crate::console::Console;
use crate::exit::Failure;

/// A shorter batch ends before a progress bar is useful.
const LONG: usize = 16;

/// Processes all items on all cores, and reports each in the order of the items.
///
/// Results are reported in small groups, so only one group is held in memory. `tell` ends the batch
/// by returning [`ControlFlow::Break`].
pub(crate) fn in_order<T: Send, R: Send>(
    items: Vec<T>,
    console: &mut Console,
    work: impl Fn(T) -> R + Sync,
    mut tell: impl FnMut(R, &mut Console) -> io::Result<ControlFlow<()>>,
) -> Result<(), Failure> {
    let bar = progress(items.len());
    let step = rayon::current_num_threads().saturating_mul(4);
    let mut rest = items.into_iter();
    loop {
        let chunk: Vec<T> = rest.by_ref().take(step).collect();
        if chunk.is_empty() {
            bar.finish_and_clear();
            return Ok(());
        }
        let work = |item| {
            let result = work(item);
            bar.inc(1);
            result
        };
        let results: Vec<R> = chunk.into_par_iter().map(work).collect();
        let told = bar.suspend(|| {
            for result in results {
                if tell(result, console)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            io::Write::flush(&mut console.out)?;
            Ok(ControlFlow::Continue(()))
        });
        if told.map_err(|error| Failure::of_stdout(&error))?.is_break() {
            return Ok(());
        }
    }
}

/// Creates a progress bar, which is shown only on a terminal.
fn progress(files: usize) -> ProgressBar {
    if files < LONG {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(u64_from_len(files));
    match ProgressStyle::with_template("{bar:30} {pos} of {len} files, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
