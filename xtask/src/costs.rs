//! Counts instructions, which hardly vary between runs, unlike times.
//!
//! Doubling an input may at most about double its cost: each case processes an input of some size
//! and one of twice the size. Quadratic work takes nearly four times the instructions. The hot loops
//! run at one size, and their instructions are compared with committed figures.

mod cases;
mod figures;
mod hot;
mod inputs;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use inbetween::num::f64_from_u64;

use self::cases::{Case, Made, Work};
use crate::Outcome;
use crate::shell::{complain, root, run as shell, runs};

/// The flag of the process whose instructions are counted.
const COUNTED: &str = "--counted";

/// The number of processes that share the cases.
const SHARES: usize = 2;

/// The largest allowed ratio of instructions for twice the input. Sorting has 2.2.
const MOST: f64 = 2.3;

/// Cases that are counted together.
#[derive(Clone, Copy)]
enum Set {
    /// Each case at two sizes.
    Doubled,
    /// The hot loops, at one size.
    Hot,
}

impl Set {
    const ALL: [Self; 2] = [Self::Doubled, Self::Hot];

    const fn name(self) -> &'static str {
        match self {
            Self::Doubled => "doubled",
            Self::Hot => "hot",
        }
    }

    /// The sizes at which each case runs, as multiples of its size.
    const fn multiples(self) -> &'static [usize] {
        match self {
            Self::Doubled => &[1, 2],
            Self::Hot => &[1],
        }
    }

    fn cases(self) -> Vec<Case> {
        match self {
            Self::Doubled => cases::all(),
            Self::Hot => hot::all(),
        }
    }

    /// Returns the cases whose names contain all these words.
    fn chosen(self, words: &[String]) -> Result<Vec<Case>, String> {
        let fits = |case: &Case| words.iter().all(|word| case.name.contains(word.as_str()));
        let cases: Vec<Case> = self.cases().into_iter().filter(fits).collect();
        if cases.is_empty() {
            Err(format!("no case is named {}", words.join(" ")))
        } else {
            Ok(cases)
        }
    }
}

/// Returns whether instructions can be counted here.
pub(crate) fn can_count() -> bool {
    runs(Command::new("valgrind").arg("--version"))
}

pub(crate) fn run(arguments: &[String]) -> Outcome {
    if let [first, set, share, words @ ..] = arguments
        && first == COUNTED
    {
        return work(set, share, words);
    }
    let cases = Set::Doubled.chosen(arguments)?;
    let counts = count(Set::Doubled, arguments, &cases, total)?;
    compare(&cases, &counts)
}

/// Compares the instructions of the hot loops with the committed figures, or writes the figures.
pub(crate) fn instructions(arguments: &[String]) -> Outcome {
    let write = crate::only_flag(arguments, "--write")?;
    if let Some(other) = figures::other_toolchain()? {
        println!("skipped: the figures are of {}, and this is {other}", figures::TOOLCHAIN);
        return Ok(());
    }
    if !figures::IS_THIS_BUILD {
        return shell(&mut figures::build(arguments));
    }
    let cases = Set::Hot.chosen(&[])?;
    let counts = count(Set::Hot, &[], &cases, figures::own)?;
    let found = cases.iter().zip(counts.iter().flatten());
    let found: Vec<(&str, u64)> = found.map(|(case, &own)| (case.name.as_str(), own)).collect();
    if write { figures::write(&found) } else { figures::compare(&found) }
}

/// Runs each case of this share at all sizes.
fn work(set: &str, share: &str, words: &[String]) -> Outcome {
    let share: usize = share.parse().map_err(|_| format!("expected a number, found {share}"))?;
    let named = Set::ALL.into_iter().find(|known| known.name() == set);
    let set = named.ok_or_else(|| format!("there is no set {set}"))?;
    for case in set.chosen(words)?.iter().skip(share).step_by(SHARES) {
        for size in set.multiples().iter().map(|multiple| multiple * case.size) {
            work_of_size(case, size).map_err(|error| format!("{}, {size}: {error}", case.name))?;
        }
    }
    Ok(())
}

/// Valgrind writes its count at the end of the work.
#[inline(never)]
fn work_of_size(case: &Case, size: usize) -> Outcome {
    counted_work((case.prepare)(size)?).map(drop)
}

/// Valgrind counts only inside this function.
#[inline(never)]
fn counted_work(work: Work) -> Result<Made, String> {
    work()
}

/// Finds the number of instructions in a file that valgrind wrote.
type Read = fn(&Path) -> Result<u64, String>;

/// Counts the instructions of each case at each size, in parallel processes; `read` finds the
/// number in what valgrind writes.
///
/// It uses the running build, so that nothing must be compiled; the growth of the costs is the same
/// in a faster build.
fn count(set: Set, words: &[String], cases: &[Case], read: Read) -> Result<Vec<Vec<u64>>, String> {
    let folder = std::env::temp_dir().join(format!("inbetween-costs-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let counts = copy_of_this_program(&folder)
        .and_then(|program| run_and_read(set, words, cases, (&folder, &program, read)));
    fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    counts
}

/// Copies the running program into the folder and returns the path of the copy.
///
/// A step before this one may have built the program again: its own path then leads to nothing.
/// Linux, where the counting runs, still reads a removed program at `/proc/self/exe`.
fn copy_of_this_program(folder: &Path) -> Result<PathBuf, String> {
    let copy = folder.join("xtask");
    fs::copy("/proc/self/exe", &copy).map_err(|error| format!("{}: {error}", copy.display()))?;
    Ok(copy)
}

fn run_and_read(
    set: Set,
    words: &[String],
    cases: &[Case],
    (folder, program, read): (&Path, &Path, Read),
) -> Result<Vec<Vec<u64>>, String> {
    let start = |share: usize| {
        let child = valgrind(set, words, (folder, program), share).spawn();
        child.map_err(|error| format!("cannot run valgrind: {error}"))
    };
    let children: Vec<Result<Child, String>> = (0..SHARES).map(start).collect();
    for child in children {
        let status = child?.wait().map_err(|error| error.to_string())?;
        if !status.success() {
            return Err(format!("counting instructions: {status}"));
        }
    }
    let sizes = set.multiples().len();
    let counted = |case: usize| {
        let first = sizes * (case / SHARES) + 1;
        let pieces = first..first + sizes;
        pieces.map(|piece| read(&folder.join(format!("{}.{piece}", case % SHARES)))).collect()
    };
    (0..cases.len()).map(counted).collect()
}

/// Returns the program under valgrind, which writes a file `SHARE.N` for the `N`th piece of work.
fn valgrind(
    set: Set,
    words: &[String],
    (folder, program): (&Path, &Path),
    share: usize,
) -> Command {
    let mut out = OsString::from("--callgrind-out-file=");
    out.push(folder.join(share.to_string()));
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=callgrind", "--quiet", "--demangle=no"])
        .args(["--toggle-collect=*counted_work*", "--dump-after=*work_of_size*"])
        .arg(out)
        .arg(program)
        .args(["costs", COUNTED, set.name(), &share.to_string()])
        .args(words)
        .current_dir(root());
    command
}

/// Returns the instructions that valgrind wrote to a file.
fn total(path: &Path) -> Result<u64, String> {
    let text = fs::read_to_string(path);
    let text = text.map_err(|error| format!("{}: {error}", path.display()))?;
    let total = text.lines().find_map(|line| line.strip_prefix("totals: "));
    let total = total.and_then(|total| total.trim().parse().ok());
    total.ok_or_else(|| format!("{} has no totals", path.display()))
}

/// Prints the cost ratios, and fails if one is too large.
fn compare(cases: &[Case], counts: &[Vec<u64>]) -> Outcome {
    let mut over = Vec::new();
    println!("| twice as many | from | instructions | times |\n| --- | --- | --- | --- |");
    for (case, counts) in cases.iter().zip(counts) {
        let [once, twice] = counts.as_slice() else { continue };
        let times = f64_from_u64(*twice) / f64_from_u64(*once);
        println!("| {} | {} | {once} | {times:.2} |", case.name, case.size);
        if times > MOST {
            over.push(format!("{}: {times:.2} times the instructions", case.name));
        }
    }
    let wanted = format!("twice the input may cost at most {MOST} times the instructions");
    complain(&over, &wanted)
}
