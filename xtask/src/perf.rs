//! Measures speed as ratios: each measure and its baseline run in turns in one process.
//!
//! Times on one machine mean little on another; the ratio to a copy of the same bytes does. A
//! format has a file here, named after its id, with one function that fills the [`Report`].

// begin generated: measure modules
mod animj;
mod animx;
mod cast;
mod gltf;
mod seanim;
mod x4_ani;
// end generated: measure modules

#[path = "../../crates/core/benches/bare/mod.rs"]
#[expect(clippy::indexing_slicing, reason = "the baseline, as one would write it by hand")]
mod bare;
mod command;
mod reduce;
mod sampling;
#[path = "../../crates/edit/benches/smooth/mod.rs"]
mod smooth;
mod text;
#[path = "../../crates/animj/benches/typed/mod.rs"]
#[expect(clippy::expect_used, reason = "the baseline, as one would write it by hand")]
mod typed;

use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::shell::{cargo, run as shell};

/// The flag of the process that measures.
const MEASURE: &str = "--measure";

/// The number of paired runs of a measure and its baseline; the median of their ratios counts.
const ROUNDS: usize = 31;

/// Like [`ROUNDS`], for pairs that take seconds.
const SLOW_ROUNDS: usize = 9;

pub(crate) fn run(arguments: &[String]) -> Outcome {
    if let Some((first, formats)) = arguments.split_first()
        && first == MEASURE
    {
        return measure(formats);
    }
    chosen(arguments)?;
    let mut command = cargo(["run", "--release", "--package", "xtask", "--", "perf", MEASURE]);
    shell(settle_allocator(command.args(arguments)))
}

/// Keeps freed memory in the process. Otherwise the allocator of glibc changes its policy about
/// fresh pages in the middle of a measurement.
fn settle_allocator(command: &mut Command) -> &mut Command {
    command
        .env("MALLOC_MMAP_THRESHOLD_", (32 << 20).to_string())
        .env("MALLOC_TRIM_THRESHOLD_", (4_u64 << 30).to_string())
        .env("MALLOC_TOP_PAD_", (64 << 20).to_string())
}

/// The name and the function of a measure.
type Measure = (&'static str, fn(&mut Report) -> Outcome);

const MEASURES: &[Measure] = &[
    // begin generated: measures
    ("animj", animj::measure),
    ("animx", animx::measure),
    ("cast", cast::measure),
    ("gltf", gltf::measure),
    ("seanim", seanim::measure),
    ("x4-ani", x4_ani::measure),
    // end generated: measures
    ("sampling", sampling::measure),
    ("text", text::measure),
    ("reduce", reduce::measure),
    ("command", command::measure),
];

/// Returns the measures that the arguments name, or all without arguments.
fn chosen(names: &[String]) -> Result<Vec<Measure>, String> {
    let known = |name: &String| MEASURES.iter().find(|(known, _)| known == name).copied();
    if names.is_empty() {
        return Ok(MEASURES.to_vec());
    }
    let found = names.iter().map(|name| known(name).ok_or(name)).collect::<Result<_, _>>();
    found.map_err(|name| {
        let names: Vec<&str> = MEASURES.iter().map(|(name, _)| *name).collect();
        format!("expected any of {}, found {name}", names.join(", "))
    })
}

fn measure(names: &[String]) -> Outcome {
    let mut report = Report::default();
    for (_, measure) in chosen(names)? {
        measure(&mut report)?;
    }
    report.print()
}

/// The target of a measure.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    /// At most this.
    Most(f64),
    /// At least this.
    Least(f64),
    /// No target, only information.
    None,
}

struct Row {
    name: String,
    value: f64,
    unit: &'static str,
    target: Target,
}

/// The results of the measures.
#[derive(Default)]
pub(crate) struct Report {
    rows: Vec<Row>,
}

impl Report {
    /// Adds a number that was measured in another way.
    pub(crate) fn add(
        &mut self,
        name: impl Into<String>,
        value: f64,
        unit: &'static str,
        target: Target,
    ) {
        let name = name.into();
        println!("{name}: {value:.3}{unit}");
        self.rows.push(Row { name, value, unit, target });
    }

    /// Measures how many times as long `work` takes as `baseline`; returns the median times of
    /// both. Their results are dropped outside the measured time.
    pub(crate) fn slower<A, B>(
        &mut self,
        name: &str,
        target: Target,
        work: impl FnMut() -> A,
        baseline: impl FnMut() -> B,
    ) -> (Duration, Duration) {
        let Pairs { ratio, work, baseline } = take_turns(work, baseline);
        self.add(format!("{name} ({work:.2?} to {baseline:.2?})"), ratio, "x", target);
        (work, baseline)
    }

    /// Like [`slower`](Self::slower), but returns how many times as fast.
    pub(crate) fn faster<A, B>(
        &mut self,
        name: &str,
        target: Target,
        work: impl FnMut() -> A,
        baseline: impl FnMut() -> B,
    ) {
        let Pairs { ratio, work, baseline } = take_turns(baseline, work);
        self.add(format!("{name} ({baseline:.2?} to {work:.2?})"), ratio, "x", target);
    }

    fn print(&self) -> Outcome {
        println!("\n| measure | result | target | |\n| --- | --- | --- | --- |");
        let mut missed = 0;
        for Row { name, value, unit, target } in &self.rows {
            let (text, reached) = match *target {
                Target::Most(most) => (format!("at most {most}{unit}"), Some(*value <= most)),
                Target::Least(least) => (format!("at least {least}{unit}"), Some(*value >= least)),
                Target::None => (String::new(), None),
            };
            let verdict = match reached {
                Some(true) => "pass",
                Some(false) => "miss",
                None => "",
            };
            missed += u32::from(reached == Some(false));
            println!("| {name} | {value:.2}{unit} | {text} | {verdict} |");
        }
        if missed == 0 { Ok(()) } else { Err(format!("{missed} targets are missed")) }
    }
}

/// The medians over all rounds.
struct Pairs {
    ratio: f64,
    work: Duration,
    baseline: Duration,
}

/// Times two pieces of work in turns, so that a busy machine slows both.
fn take_turns<A, B>(mut work: impl FnMut() -> A, mut baseline: impl FnMut() -> B) -> Pairs {
    let (mut ratios, mut works, mut baselines) = (Vec::new(), Vec::new(), Vec::new());
    // A warm-up pair determines the number of rounds.
    let warm = time(&mut baseline) + time(&mut work);
    let rounds = if warm > Duration::from_secs(2) { SLOW_ROUNDS } else { ROUNDS };
    for round in 0..rounds {
        let (a, b) = if round % 2 == 0 {
            let a = time(&mut work);
            (a, time(&mut baseline))
        } else {
            let b = time(&mut baseline);
            (time(&mut work), b)
        };
        ratios.push(a.as_secs_f64() / b.as_secs_f64().max(1e-9));
        works.push(a);
        baselines.push(b);
    }
    ratios.sort_by(f64::total_cmp);
    works.sort();
    baselines.sort();
    let middle = rounds / 2;
    Pairs {
        ratio: ratios.get(middle).copied().unwrap_or(f64::NAN),
        work: works.get(middle).copied().unwrap_or_default(),
        baseline: baselines.get(middle).copied().unwrap_or_default(),
    }
}

fn time<T>(work: &mut impl FnMut() -> T) -> Duration {
    let start = Instant::now();
    let result = black_box(work());
    let taken = start.elapsed();
    drop(result);
    taken
}

/// Fills new columns of the same lengths as those of a document, which is the minimum that reading
/// must do.
pub(crate) fn fill_columns(document: &inbetween::Document) -> Vec<Vec<u64>> {
    let columns = document.clips.iter().flat_map(|clip| &clip.tracks).flat_map(|track| {
        let all = track.data().heap_bytes();
        let times = track.data().len() * size_of::<f64>();
        [times, all - times]
    });
    columns.map(|bytes| vec![black_box(1); bytes.div_ceil(8)]).collect()
}
