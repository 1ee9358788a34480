//! The doubling test: twice the input may cost about twice the instructions, which hardly vary between
//! runs, unlike times.
//!
//! Each case processes an input of some size and one of twice the size. Quadratic work takes nearly
//! four times the instructions.

pub(crate) mod cases;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use inbetween::core::num::f64_from_u64;

use self::cases::{Case, Made, Work};
use crate::Outcome;
use crate::shell::{complain, root, runs};

/// The flag of the process whose instructions are counted.
const COUNTED: &str = "--counted";

/// The number of processes that share the cases.
const SHARES: usize = 2;

/// The largest allowed ratio of instructions for twice the input. Sorting has 2.2.
const MOST: f64 = 2.3;

/// The number of instructions up to which any ratio is allowed: such work copies memory, which takes
/// other instructions from some length on.
const FEW: u64 = 100_000;

/// Returns whether instructions can be counted here.
pub(crate) fn can_count() -> bool {
    runs(Command::new("valgrind").arg("--version"))
}

pub(crate) fn run(arguments: &[String]) -> Outcome {
    if let [first, share, words @ ..] = arguments
        && first == COUNTED
    {
        return work(share, words);
    }
    let cases = chosen(arguments)?;
    compare(&cases, &count(arguments, &cases)?)
}

/// Returns the cases whose names contain all these words.
fn chosen(words: &[String]) -> Result<Vec<Case>, String> {
    let fits = |case: &Case| words.iter().all(|word| case.name.contains(word.as_str()));
    let cases: Vec<Case> = cases::all().into_iter().filter(fits).collect();
    if cases.is_empty() { Err(format!("no case is named {}", words.join(" "))) } else { Ok(cases) }
}

/// Runs each case of this share at both sizes.
fn work(share: &str, words: &[String]) -> Outcome {
    let share: usize = share.parse().map_err(|_| format!("expected a number, found {share}"))?;
    for case in chosen(words)?.iter().skip(share).step_by(SHARES) {
        for size in [case.size, 2 * case.size] {
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

/// Counts the instructions of each case at both sizes, in parallel processes.
///
/// It uses the running build, so that nothing must be compiled; the growth of the costs is the same
/// in a faster build.
fn count(words: &[String], cases: &[Case]) -> Result<Vec<[u64; 2]>, String> {
    let folder = std::env::temp_dir().join(format!("inbetween-costs-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let counts = copy_of_this_program(&folder)
        .and_then(|program| run_and_read(words, cases.len(), &folder, &program));
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
    words: &[String],
    cases: usize,
    folder: &Path,
    program: &Path,
) -> Result<Vec<[u64; 2]>, String> {
    let start = |share: usize| {
        let child = valgrind(words, share, folder, program).spawn();
        child.map_err(|error| format!("cannot run valgrind: {error}"))
    };
    let children: Vec<Result<Child, String>> = (0..SHARES).map(start).collect();
    for child in children {
        let status = child?.wait().map_err(|error| error.to_string())?;
        if !status.success() {
            return Err(format!("counting instructions: {status}"));
        }
    }
    let piece = |case: usize, size: usize| {
        let number = 2 * (case / SHARES) + size;
        total(&folder.join(format!("{}.{number}", case % SHARES)))
    };
    (0..cases).map(|case| Ok([piece(case, 1)?, piece(case, 2)?])).collect()
}

/// Returns the program under valgrind, which writes a file `SHARE.N` for the `N`th piece of work.
fn valgrind(words: &[String], share: usize, folder: &Path, program: &Path) -> Command {
    let mut out = OsString::from("--callgrind-out-file=");
    out.push(folder.join(share.to_string()));
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=callgrind", "--quiet", "--demangle=no"])
        .args(["--toggle-collect=*counted_work*", "--dump-after=*work_of_size*"])
        .arg(out)
        .arg(program)
        .args(["costs", COUNTED, &share.to_string()])
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
fn compare(cases: &[Case], counts: &[[u64; 2]]) -> Outcome {
    let mut over = Vec::new();
    println!("| twice as many | from | instructions | times |\n| --- | --- | --- | --- |");
    for (case, &[once, twice]) in cases.iter().zip(counts) {
        let times = f64_from_u64(twice) / f64_from_u64(once);
        println!("| {} | {} | {once} | {times:.2} |", case.name, case.size);
        if times > MOST && twice > FEW {
            over.push(format!("{}: {times:.2} times the instructions", case.name));
        }
    }
    let wanted = format!("twice the input may cost at most {MOST} times the instructions");
    complain(&over, &wanted)
}
