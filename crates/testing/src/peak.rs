//! The peak-memory meter, and the memory law.
//!
//! A test binary that measures declares the counting allocator itself:
//!
//! ```
//! #[global_allocator]
//! static ALLOCATOR: inbetween_testing::peak::PeakAlloc = inbetween_testing::peak::PeakAlloc;
//!
//! let meter = inbetween_testing::Peak::begin();
//! let (kept, bytes) = meter.measure(|| vec![0_u8; 1000]);
//! assert_eq!((kept.len(), bytes), (1000, 1000));
//! ```

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use inbetween_core::{Document, FileEncoding, Format, Limits, Outcome, ReadError};
pub use peak_alloc::PeakAlloc;

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Is never freed, so that a usage of 0 means that no allocator counts.
static HELD: LazyLock<Vec<u8>> = LazyLock::new(|| vec![1]);

/// The meter. Only one exists at a time, so that tests do not count each other's memory: start
/// every test of a measuring binary with [`begin`](Self::begin).
#[derive(Debug)]
pub struct Peak {
    _turn: MutexGuard<'static, ()>,
}

impl Peak {
    /// Waits until no other test measures.
    pub fn begin() -> Self {
        let turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        // A test allocation would be unreliable, because another test may free memory at that moment.
        let counted = !HELD.is_empty() && PeakAlloc.current_usage() > 0;
        assert!(counted, "declare `PeakAlloc` as the global allocator of this test binary");
        Self { _turn: turn }
    }

    /// Runs `work` and returns its result and the peak number of bytes held during it, beyond those
    /// held before it.
    pub fn measure<T>(&self, work: impl FnOnce() -> T) -> (T, usize) {
        let before = PeakAlloc.current_usage();
        PeakAlloc.reset_peak_usage();
        let result = work();
        (result, PeakAlloc.peak_usage().saturating_sub(before))
    }

    /// Runs `work` on an input that is already held, and asserts that it obeys the law.
    pub fn assert_memory_law<T>(&self, law: Law, work: impl FnOnce() -> T) -> T {
        let (result, peak) = self.measure(work);
        let allowed = law.allowed();
        assert!(peak <= allowed, "{peak} bytes beside the input, {law:?} allows {allowed}");
        result
    }

    /// Reads a file to a document and asserts that this obeys the law.
    ///
    /// An error may use as much memory as a document without tracks: a file must be rejected before
    /// memory is allocated for its claims. Use [`assert_memory_law`](Self::assert_memory_law) for a
    /// file whose error comes late.
    ///
    /// # Errors
    ///
    /// The errors of the reader.
    pub fn assert_read(&self, format: &dyn Format, bytes: &[u8]) -> ReadOutcome {
        let (result, peak) = self.measure(|| format.read(bytes, &Limits::default()));
        let encoding = format.info().encoding;
        let law = match &result {
            Ok(outcome) => Law::of_document(&outcome.value, encoding),
            Err(_) => Law::Document { columns: 0, tracks: 0, encoding },
        };
        let allowed = law.allowed();
        assert!(peak <= allowed, "{peak} bytes beside the input, {law:?} allows {allowed}");
        result
    }
}

/// The result of reading.
pub type ReadOutcome = Result<Outcome<Document>, ReadError>;

/// The number of bytes that a reader may hold in addition to its input.
#[derive(Clone, Copy, Debug)]
pub enum Law {
    /// Plain binary to the exact model, which borrows the input: 16 bytes per item and 64 KiB.
    Parse {
        /// Bones, tracks, records, notes, modifiers, shapes.
        items: usize,
    },
    /// To a document: 1.1 times the columns (text: 2.2 times), 512 bytes per track and 64 KiB.
    Document {
        /// Bytes of decoded columns and names.
        columns: usize,
        /// Tracks of all clips.
        tracks: usize,
        /// Whether the file is text.
        encoding: FileEncoding,
    },
}

const KIB: usize = 1024;

/// What sorting adds with 32 bits: 4 bytes for a key, which has 8 for its time and at least one more.
const SORTING_TENTHS: usize = if cfg!(target_pointer_width = "32") { 5 } else { 0 };

impl Law {
    /// Returns the law for a document that was read.
    pub fn of_document(document: &Document, encoding: FileEncoding) -> Self {
        let tracks = document.clips.iter().map(|clip| clip.tracks.len()).sum();
        Self::Document { columns: document.heap_bytes() + name_bytes(document), tracks, encoding }
    }

    /// Returns the largest number of bytes that may be held in addition to the input.
    pub fn allowed(self) -> usize {
        match self {
            Self::Parse { items } => 16 * items + 64 * KIB,
            Self::Document { columns, tracks, encoding } => {
                let tenths = match encoding {
                    FileEncoding::Binary => 11,
                    FileEncoding::Text => 22,
                };
                columns * (tenths + SORTING_TENTHS) / 10 + 512 * tracks + 64 * KIB
            }
        }
    }
}

/// Returns the bytes of the names of nodes and properties; a name that tracks share counts once.
fn name_bytes(document: &Document) -> usize {
    use inbetween_core::{Property, Text};

    let mut seen = BTreeSet::new();
    let mut bytes = 0;
    let mut count = |name: &Text| {
        if seen.insert(Arc::as_ptr(name).cast::<u8>()) {
            bytes += name.len();
        }
    };
    for clip in &document.clips {
        clip.name.iter().for_each(&mut count);
        clip.blend_overrides.iter().map(|blend| &blend.node).for_each(&mut count);
        for target in clip.tracks.iter().map(inbetween_core::Track::target) {
            target.node.iter().for_each(&mut count);
            if let Property::Weight(name) | Property::Custom(Some(name)) = &target.property {
                count(name);
            }
        }
    }
    bytes
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::*;

    #[test]
    fn the_memory_law_has_the_documented_numbers() {
        assert_eq!(Law::Parse { items: 3 }.allowed(), 48 + 65_536);
        let law = |encoding| Law::Document { columns: 1000, tracks: 2, encoding }.allowed();
        assert_eq!(law(FileEncoding::Binary), 1100 + 1024 + 65_536);
        assert_eq!(law(FileEncoding::Text), 2200 + 1024 + 65_536);
    }
}
