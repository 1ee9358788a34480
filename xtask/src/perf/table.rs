//! The table, and how times are measured.

use std::hint::black_box;
use std::time::{Duration, Instant};

use inbetween::core::num::{f64_from_index, index_from_f64};
use serde_json::{Value, json};

/// Sentences about rows that miss their target, by the names of the rows.
const REASONS: &[(&str, &str)] = &[];
/// About the seconds that the rounds of a row take.
const SECONDS: f64 = 3.0;

pub(super) struct Row {
    pub(super) name: String,
    /// A number, and what it is of: two times, or the worst one of several works.
    pub(super) figure: (f64, String),
    /// The sign and the number of the target.
    target: (&'static str, f64),
}

impl Row {
    pub(super) fn at_most(name: impl Into<String>, most: f64, figure: (f64, String)) -> Self {
        let row = Self { name: name.into(), figure, target: ("<=", most) };
        eprintln!("{}: {:.2} ({})", row.name, row.figure.0, row.figure.1);
        row
    }

    pub(super) fn at_least(name: impl Into<String>, least: f64, figure: (f64, String)) -> Self {
        Self { target: (">=", least), ..Self::at_most(name, least, figure) }
    }

    fn is_met(&self) -> bool {
        let (figure, (sign, target)) = (self.figure.0, self.target);
        if sign == "<=" { figure <= target } else { figure >= target }
    }

    /// Returns the row for programs.
    pub(super) fn json(&self) -> Value {
        let (name, ratio, target, ok) = (&self.name, self.figure.0, self.target.1, self.is_met());
        let better = if self.target.0 == "<=" { "lower" } else { "higher" };
        json!({"name": name, "ratio": ratio, "target": target, "better": better, "ok": ok})
    }
}

/// Returns how many targets are missed, the rows as Markdown, and the sentences about those that miss.
pub(super) fn markdown(rows: &[Row]) -> String {
    let missed: Vec<&Row> = rows.iter().filter(|row| !row.is_met()).collect();
    let mut text = format!("{} of {} targets are missed.\n\n", missed.len(), rows.len());
    text += "| row | figure | target | | |\n|---|---|---|---|---|\n";
    for row in rows {
        let Row { name, figure: (figure, of), target: (sign, target) } = row;
        let met = if row.is_met() { "met" } else { "**missed**" };
        text += &format!("| {name} | {figure:.2} | {sign} {target} | {met} | {of} |\n");
    }
    for (name, reason) in REASONS {
        if missed.iter().any(|row| row.name == *name) {
            text += &format!("\n{name}: {reason}\n");
        }
    }
    text
}

/// Returns the ratio of two times in seconds.
pub(super) fn ratio([one, other]: [f64; 2]) -> (f64, String) {
    (one / other, format!("{:.1} ms to {:.1} ms", one * 1e3, other * 1e3))
}

/// Keeps the larger figure.
pub(super) fn worsen(worst: &mut (f64, String), figure: f64, of: &str) {
    if figure > worst.0 {
        *worst = (figure, of.to_owned());
    }
}

/// How long a piece of work took.
pub(super) type Took = Result<Duration, String>;

/// Returns how long work takes, without freeing its result.
pub(super) fn timed<T>(work: impl FnOnce() -> Result<T, String>) -> Took {
    let start = Instant::now();
    let result = work();
    let time = start.elapsed();
    black_box(result?);
    Ok(time)
}

/// Runs pieces of work in turns on each file, so that a busy machine slows all of them alike, and
/// returns the median of at least three rounds of each in seconds. Slow work gets a sample of files.
pub(super) fn medians<const N: usize>(
    files: usize,
    pieces: [&dyn Fn(usize) -> Took; N],
) -> Result<[f64; N], String> {
    let one = pieces.iter().map(|piece| piece(files / 2)).sum::<Result<Duration, _>>()?;
    let step = 1 + index_from_f64(3.0 * one.as_secs_f64() * f64_from_index(files) / SECONDS);
    let (start, mut rounds) = (Instant::now(), Vec::new());
    while rounds.len() < 3 || start.elapsed().as_secs_f64() < SECONDS {
        let mut sums = [0.0; N];
        for file in (0..files).step_by(step) {
            for (piece, sum) in pieces.iter().zip(&mut sums) {
                *sum += piece(file)?.as_secs_f64();
            }
        }
        rounds.push(sums);
    }
    Ok(std::array::from_fn(|piece| {
        let mut times: Vec<f64> = rounds.iter().map(|round| round[piece]).collect();
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    }))
}
