//! Rows of the table: a name, a target, and how to measure.

use std::fs;
use std::hint::black_box;
use std::time::{Duration, Instant};

use inbetween::num::f64_from_index;

use super::files::Files;

/// Whether small or large values are good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Better {
    Lower,
    Higher,
}

impl Better {
    /// Returns how many times as bad the value of a large file is as that of a small one.
    fn growth(self, large: f64, small: f64) -> f64 {
        match self {
            Self::Lower => large / small,
            Self::Higher => small / large,
        }
    }
}

/// A row that can be measured.
pub(crate) struct Row {
    /// The name, which never changes and contains no measured number.
    pub(crate) name: String,
    /// `x` for ratios. Rows of another unit are information and never gate.
    pub(crate) unit: &'static str,
    pub(crate) better: Better,
    pub(crate) target: Option<f64>,
    pub(crate) measure: Measure,
}

/// How the value of a row is found.
pub(crate) enum Measure {
    /// By running work and its baseline in turns.
    Pair(Box<dyn Fn(&mut Files) -> Taken>),
    /// From the values of two other rows: the one of a large file and the one of a small file.
    Scaling { large: String, small: String },
}

/// The result of a measurement.
pub(crate) type Taken = Result<Measured, String>;

impl Row {
    fn new(
        name: impl Into<String>,
        (unit, better, target): (&'static str, Better, Option<f64>),
        measure: impl Fn(&mut Files) -> Taken + 'static,
    ) -> Self {
        let measure = Measure::Pair(Box::new(measure));
        Self { name: name.into(), unit, better, target, measure }
    }

    /// Creates a row whose ratio should be at most `target`.
    pub(crate) fn at_most(
        name: impl Into<String>,
        target: f64,
        measure: impl Fn(&mut Files) -> Taken + 'static,
    ) -> Self {
        Self::new(name, ("x", Better::Lower, Some(target)), measure)
    }

    /// Creates a row whose ratio should be at least `target`.
    pub(crate) fn at_least(
        name: impl Into<String>,
        target: f64,
        measure: impl Fn(&mut Files) -> Taken + 'static,
    ) -> Self {
        Self::new(name, ("x", Better::Higher, Some(target)), measure)
    }

    /// Creates a row without a target: how many times as long as its baseline the work takes.
    pub(crate) fn ratio(
        name: impl Into<String>,
        measure: impl Fn(&mut Files) -> Taken + 'static,
    ) -> Self {
        Self::new(name, ("x", Better::Lower, None), measure)
    }

    /// Creates a row of information, with a goal that depends on the machine.
    pub(crate) fn rate(
        name: impl Into<String>,
        unit: &'static str,
        goal: Option<f64>,
        measure: impl Fn(&mut Files) -> Taken + 'static,
    ) -> Self {
        Self::new(name, (unit, Better::Higher, goal), measure)
    }

    /// Creates the row that compares two others: the ratio at a large size should be at most 1.2
    /// times that at a small size.
    pub(crate) fn scaling(name: impl Into<String>, large: String, small: String) -> Self {
        Self {
            name: name.into(),
            unit: "x",
            better: Better::Lower,
            target: Some(1.2),
            measure: Measure::Scaling { large, small },
        }
    }

    /// Returns the names of the measured rows that the value comes from: its own, or those of a large
    /// and a small file.
    pub(crate) fn sources(&self) -> Vec<&str> {
        match &self.measure {
            Measure::Pair(_) => vec![&self.name],
            Measure::Scaling { large, small } => vec![large, small],
        }
    }

    /// Returns whether the row is a ratio with a target. Numbers per second depend on the machine.
    pub(crate) fn gates(&self) -> bool {
        self.unit == "x" && self.target.is_some()
    }

    /// Returns whether some processes found that the target is reached, and others that it is missed.
    pub(crate) fn is_disputed(&self, measured: &Measured) -> bool {
        let [least, most] = measured.range();
        self.reaches(least) != self.reaches(most)
    }

    /// Returns whether a value reaches the target, and true if there is none.
    pub(crate) fn reaches(&self, value: f64) -> bool {
        self.target.is_none_or(|target| match self.better {
            Better::Lower => value <= target,
            Better::Higher => value >= target,
        })
    }
}

/// A value, and the times or the speed behind it for people.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub(crate) value: f64,
    /// For people: the times of the work and of its baseline, or the copying speed of the same run.
    pub(crate) beside: String,
    /// The value of each process.
    pub(crate) each: Vec<f64>,
}

impl Measured {
    pub(crate) fn new(value: f64, beside: String) -> Self {
        Self { value, beside, each: vec![value] }
    }

    /// Returns the median of the results of several processes.
    pub(crate) fn median(of: &[Self]) -> Option<Self> {
        let mut sorted: Vec<&Self> = of.iter().collect();
        sorted.sort_by(|one, other| one.value.total_cmp(&other.value));
        let Self { value, beside, .. } = sorted.get(sorted.len() / 2)?;
        let each = of.iter().map(|measured| measured.value).collect();
        Some(Self { value: *value, beside: beside.clone(), each })
    }

    /// Compares the results for a large file with those for a small one.
    pub(crate) fn growth(better: Better, large: &Self, small: &Self) -> Self {
        let pairs = large.each.iter().zip(&small.each);
        Self {
            value: better.growth(large.value, small.value),
            beside: format!("{:.2}x to {:.2}x", large.value, small.value),
            each: pairs.map(|(large, small)| better.growth(*large, *small)).collect(),
        }
    }

    /// Returns the smallest and the largest value of all processes.
    pub(crate) fn range(&self) -> [f64; 2] {
        let values = || self.each.iter().copied();
        [values().fold(self.value, f64::min), values().fold(self.value, f64::max)]
    }
}

/// The medians of a pair over all rounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    ratio: f64,
    pub(crate) work: Duration,
    pub(crate) baseline: Duration,
}

impl Pair {
    /// Returns how many times as long as its baseline the work takes.
    pub(crate) fn slower(self) -> Measured {
        Measured::new(self.ratio, self.beside())
    }

    /// Returns how many times as fast as its baseline the work is.
    pub(crate) fn faster(self) -> Measured {
        Measured::new(self.ratio.recip(), self.beside())
    }

    /// Returns how many items per second the work processes, beside the copying speed if the
    /// baseline copies so many bytes.
    pub(crate) fn rate(self, items: f64, copied: usize) -> Measured {
        let copying = f64_from_index(copied) / self.baseline.as_secs_f64() / 1e6;
        let value = items / self.work.as_secs_f64();
        Measured::new(value, format!("copying: {copying:.0} MB/s"))
    }

    /// Returns how many megabytes of text per second the work processes.
    pub(crate) fn text_rate(self, bytes: usize) -> Measured {
        let value = f64_from_index(bytes) / 1e6 / self.work.as_secs_f64();
        Measured::new(value, self.beside())
    }

    fn beside(self) -> String {
        format!("{:.2?} to {:.2?}", self.work, self.baseline)
    }
}

/// What becomes of the memory of the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pages {
    /// Results are freed after each round, so that the next one reuses their pages.
    Reused,
    /// Results are kept until the end, so that each round needs fresh pages from the system.
    Fresh,
}

/// The fewest rounds; the median of their ratios counts.
const FEWEST: u32 = 5;

/// The most rounds.
const MOST: u32 = 31;

/// The most pages that kept results take, except for the fewest rounds: 1 GiB in pages of 4 KiB.
const KEPT: u64 = 1 << 18;

/// The time for all rounds of a pair, except for the fewest.
const TIME: Duration = Duration::from_millis(300);

/// Runs two pieces of work in turns, so that a busy machine slows both. `input` is created for each
/// run outside the measured time, and results are dropped outside it.
///
/// A round is work, baseline, baseline, work. What a run finds in the cache depends on the one before
/// it, so ratios of single runs come in two kinds.
pub(crate) fn pair<I, A, B>(
    pages: Pages,
    mut input: impl FnMut() -> I,
    mut work: impl FnMut(I) -> A,
    mut baseline: impl FnMut() -> B,
) -> Pair {
    let mut kept = Vec::new();
    let mut once = |first| {
        let input = input();
        let ((work, a), (baseline, b)) = match first {
            First::Work => (time(|| work(input)), time(&mut baseline)),
            First::Baseline => {
                let baseline = time(&mut baseline);
                (time(|| work(input)), baseline)
            }
        };
        if pages == Pages::Fresh {
            kept.push((a, b));
        }
        (work, baseline)
    };
    let mut round = || {
        let [(work, baseline), (again, baseline_again)] =
            [First::Work, First::Baseline].map(&mut once);
        ((work + again) / 2, (baseline + baseline_again) / 2)
    };
    let blocks = match pages {
        Pages::Fresh => use_up_free_memory(),
        Pages::Reused => provide_used_memory(),
    };
    // A first round warms the caches and determines the number of rounds.
    let before = resident_pages();
    let warm = round();
    let kept = resident_pages().zip(before).map(|(after, before)| after.saturating_sub(before));
    let most = match pages {
        Pages::Fresh => kept.map_or(FEWEST, most_rounds),
        Pages::Reused => MOST,
    };
    let rounds = rounds(2 * (warm.0 + warm.1), most);
    let times = (0..rounds).map(|_| round()).collect();
    drop(blocks);
    medians(times)
}

/// Which of the two runs first.
#[derive(Clone, Copy)]
enum First {
    Work,
    Baseline,
}

/// Like [`pair`], for work without input that reuses pages.
pub(crate) fn turns<A, B>(mut work: impl FnMut() -> A, baseline: impl FnMut() -> B) -> Pair {
    pair(Pages::Reused, || (), |()| work(), baseline)
}

fn rounds(one: Duration, most: u32) -> u32 {
    let fit = TIME.as_nanos() / one.as_nanos().max(1);
    u32::try_from(fit).unwrap_or(most).clamp(FEWEST, most)
}

/// Returns the most rounds whose results, of so many pages each, can be kept.
fn most_rounds(pages: u64) -> u32 {
    u32::try_from(KEPT / pages.max(1)).unwrap_or(MOST).clamp(FEWEST, MOST)
}

/// Allocates all memory that the allocator holds free, in blocks from 1 MiB to 64 KiB, so that later
/// allocations get fresh pages. Earlier rows leave gigabytes of free memory.
fn use_up_free_memory() -> Vec<Vec<u8>> {
    let mut blocks = Vec::new();
    for size in [1 << 20, 1 << 18, 1 << 16] {
        let before = mapped_pages();
        // Systems without this file get a fixed number of blocks.
        let most = if before.is_some() { (16 << 30) / size } else { (1 << 30) / size };
        for _ in 0..most {
            blocks.push(black_box(Vec::with_capacity(size)));
            if mapped_pages() > before {
                break;
            }
        }
    }
    blocks
}

/// Returns the number of pages of this process, which grows when no free block is large enough.
fn mapped_pages() -> Option<u64> {
    number_of_pages(0)
}

/// Returns the number of pages of this process that were written.
fn resident_pages() -> Option<u64> {
    number_of_pages(1)
}

/// Returns a field of the list in which Linux tells the sizes of a process.
fn number_of_pages(field: usize) -> Option<u64> {
    let sizes = fs::read_to_string("/proc/self/statm").ok()?;
    sizes.split(' ').nth(field)?.parse().ok()
}

/// Gives the allocator 1 GiB of free memory whose pages were written before, and returns the block
/// above it, which keeps the allocator from giving it back to the system.
///
/// Without it, chance decides whether the work or its baseline gets fresh pages for 50 MiB. The
/// allocator of glibc even asks the system for each block over 32 MiB that does not fit into free
/// memory, such as the list of tracks of a file of 50 MiB. Blocks of this size come from the heap,
/// where free neighbors become one.
fn provide_used_memory() -> Vec<Vec<u8>> {
    let mut blocks: Vec<Vec<u8>> = (0..1 << 14).map(|_| black_box(vec![1; 1 << 16])).collect();
    blocks.split_off(blocks.len() - 1)
}

fn medians(times: Vec<(Duration, Duration)>) -> Pair {
    let ratio = |(work, baseline): &(Duration, Duration)| {
        work.as_secs_f64() / baseline.as_secs_f64().max(1e-9)
    };
    let mut ratios: Vec<f64> = times.iter().map(ratio).collect();
    let (mut works, mut baselines): (Vec<_>, Vec<_>) = times.into_iter().unzip();
    ratios.sort_by(f64::total_cmp);
    works.sort();
    baselines.sort();
    let middle = ratios.len() / 2;
    Pair {
        ratio: ratios.get(middle).copied().unwrap_or(f64::NAN),
        work: works.get(middle).copied().unwrap_or_default(),
        baseline: baselines.get(middle).copied().unwrap_or_default(),
    }
}

fn time<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let result = black_box(work());
    (start.elapsed(), result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_is_the_median_of_the_ratios_of_the_rounds() {
        let ms = Duration::from_millis;
        let pair = medians(vec![(ms(4), ms(2)), (ms(90), ms(30)), (ms(5), ms(5))]);
        assert_eq!(pair.slower().value, 2.0);
        assert_eq!(pair.faster().value, 0.5);
        assert_eq!((pair.work, pair.baseline), (ms(5), ms(5)));
    }

    #[test]
    fn the_median_of_the_processes_counts() {
        let measured = |value| Measured::new(value, format!("{value}"));
        let three = Measured::median(&[6.0, 1.5, 1.25].map(measured)).unwrap();
        assert_eq!((three.value, &*three.beside), (1.5, "1.5"));
        assert_eq!((&*three.each, three.range()), (&[6.0, 1.5, 1.25][..], [1.25, 6.0]));
        assert!(Measured::median(&[]).is_none());
    }

    #[test]
    fn the_growth_is_that_of_the_medians() {
        let of = |each: [f64; 3]| {
            Measured::median(&each.map(|value| Measured::new(value, String::new()))).unwrap()
        };
        let (large, small) = (of([3.0, 2.0, 4.0]), of([2.0, 4.0, 1.0]));
        let grown = Measured::growth(Better::Lower, &large, &small);
        assert_eq!((grown.value, &*grown.beside), (1.5, "3.00x to 2.00x"));
        assert_eq!(grown.each, [1.5, 0.5, 4.0]);
        assert_eq!(Measured::growth(Better::Higher, &large, &small).each, [2.0 / 3.0, 2.0, 0.25]);
    }

    #[test]
    fn processes_on_both_sides_of_the_target_dispute_it() {
        let row = Row::at_most("read", 1.3, |_| Err("not measured".into()));
        let of = |each: [f64; 2]| Measured {
            each: each.into(),
            ..Measured::new(each[0], String::new())
        };
        assert!(row.is_disputed(&of([1.4, 1.3])));
        assert!(!row.is_disputed(&of([1.4, 1.31])) && !row.is_disputed(&of([1.3, 0.5])));
    }

    #[test]
    fn kept_results_limit_the_rounds() {
        assert_eq!([0, 4 << 8, 1 << 14, 1 << 20].map(most_rounds), [MOST, MOST, 16, FEWEST]);
        let ms = Duration::from_millis;
        assert_eq!([1, 15, 1000].map(|time| rounds(ms(time), MOST)), [MOST, 20, FEWEST]);
        assert_eq!(rounds(ms(0), 7), 7);
    }

    #[test]
    fn numbers_per_second_never_gate() {
        let row = Row::rate("reduce", " MB/s", Some(40.0), |_| Err("not measured".into()));
        assert!(!row.gates());
        assert!(!row.reaches(39.0));
        let row = Row::at_most("read", 1.3, |_| Err("not measured".into()));
        assert!(row.gates() && row.reaches(1.3) && !row.reaches(1.31));
    }
}
