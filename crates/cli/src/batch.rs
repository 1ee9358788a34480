//! Processes many files in parallel and reports them in order.

mod summary;

use std::any::Any;
use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{self, Receiver, Sender};

use inbetween::core::num::u64_from_len;
use indicatif::{ProgressBar, ProgressStyle};

use crate::console::Console;
use crate::exit::Failure;

pub(crate) use summary::Summary;

/// A shorter batch ends before a progress bar is useful.
const LONG: usize = 16;

/// The items in progress per job: enough that no job waits for the report of a slow item.
const AHEAD: usize = 4;

/// The result of an item, or the panic that ended it, with the index of the item.
type Done<R> = (usize, Result<R, Box<dyn Any + Send>>);

/// Processes all items with all jobs, and reports each in the order of the items.
///
/// Only a few items per job are started before the report of an earlier one, so only their results
/// are held in memory. `print` can end the batch by returning [`ControlFlow::Break`].
pub(crate) fn in_order<T: Send, R: Send>(
    items: Vec<T>,
    console: &mut Console,
    work: impl Fn(T) -> R + Sync,
    mut print: impl FnMut(R, &mut Console) -> io::Result<ControlFlow<()>>,
) -> Result<(), Failure> {
    let bar = progress(items.len(), console);
    let work = |item| {
        let result = work(item);
        bar.inc(1);
        result
    };
    let count = items.len();
    let window = rayon::current_num_threads() * AHEAD;
    let outcome = rayon::in_place_scope_fifo(|scope| {
        let (send, receive) = mpsc::channel();
        let mut items = items.into_iter().enumerate();
        let mut start = || {
            if let Some((at, item)) = items.next() {
                let (send, work) = (send.clone(), &work);
                scope.spawn_fifo(move |_| finish(at, || work(item), &send));
            }
        };
        (0..window).for_each(|_| start());
        let mut waiting = BTreeMap::new();
        for next in 0..count {
            if !waiting.contains_key(&next) {
                io::Write::flush(&mut console.out)?;
            }
            let Some(result) = await_result(next, &mut waiting, &receive) else { break };
            start();
            if bar.suspend(|| print(result, console))?.is_break() {
                break;
            }
        }
        io::Write::flush(&mut console.out)
    });
    bar.finish_and_clear();
    outcome.map_err(|error| Failure::of_stdout(&error))
}

/// Does the work of an item and sends its result.
fn finish<R>(at: usize, work: impl FnOnce() -> R, send: &Sender<Done<R>>) {
    let result = catch_unwind(AssertUnwindSafe(work));
    // Nobody receives the result if the batch has ended early.
    let _ = send.send((at, result));
}

/// Returns the result of an item, and keeps those of later items for their turn.
fn await_result<R>(
    wanted: usize,
    waiting: &mut BTreeMap<usize, R>,
    receive: &Receiver<Done<R>>,
) -> Option<R> {
    loop {
        if let Some(result) = waiting.remove(&wanted) {
            return Some(result);
        }
        let (at, result) = receive.recv().ok()?;
        waiting.insert(at, result.unwrap_or_else(|panic| resume_unwind(panic)));
    }
}

/// Creates a progress bar, which is shown only on a terminal.
fn progress(files: usize, console: &Console) -> ProgressBar {
    if files < LONG || console.is_quiet() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(u64_from_len(files));
    let template = "{bar:30} {pos} of {len} files, {per_sec}, {eta} left";
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[test]
    fn results_come_in_order_and_only_a_few_are_held() {
        let (printed, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let started = AtomicUsize::new(0);
        let work = |item: u64| {
            let ahead = started.fetch_add(1, Ordering::SeqCst) - printed.load(Ordering::SeqCst);
            most.fetch_max(ahead, Ordering::SeqCst);
            // The first item is the slowest.
            std::thread::sleep(Duration::from_millis(if item == 0 { 100 } else { 0 }));
            item
        };
        let mut order = Vec::new();
        let items: Vec<u64> = (0..1000).collect();
        in_order(items.clone(), &mut Console::new(true), work, |item, _| {
            order.push(item);
            printed.fetch_add(1, Ordering::SeqCst);
            Ok(ControlFlow::Continue(()))
        })
        .unwrap();
        assert_eq!(order, items);
        let window = rayon::current_num_threads() * AHEAD;
        let most = most.load(Ordering::SeqCst);
        assert!(most <= window, "{most} of {window}");
    }

    #[test]
    fn a_batch_ends_early_on_request() {
        let mut printed = 0;
        let print = |item: u32, _: &mut Console| {
            printed += 1;
            Ok(if item == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        };
        in_order((0..1000).collect(), &mut Console::new(true), |item| item, print).unwrap();
        assert_eq!(printed, 4);
    }

    #[test]
    #[should_panic(expected = "item 5")]
    fn a_panic_of_an_item_ends_the_batch() {
        let work = |item: u32| assert!(item != 5, "item {item}");
        let print = |(), _: &mut Console| Ok(ControlFlow::Continue(()));
        let _ = in_order((0..100).collect(), &mut Console::new(true), work, print);
    }
}
