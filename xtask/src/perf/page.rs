//! The results for people: the table, `docs/benchmarks.md` with its plot, and the lines of the
//! README.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use super::{Better, Line, causes, proof};
use crate::Outcome;
use crate::shell::{output, read, root, write as write_file};
use crate::tables::replace_block;

/// The blocks that a run writes, with their documents.
const BLOCKS: [(&str, &str); 2] = [(PAGE_BLOCK, PAGE), (README_BLOCK, "README.md")];
const PAGE: &str = "docs/benchmarks.md";
const PAGE_BLOCK: &str = "benchmarks";
const README_BLOCK: &str = "speed";
const PLOT: &str = "docs/figures/benchmarks.svg";

/// The three lines of the README: a row, and a sentence around its value.
const LINES: [(&str, &str, &str); 3] = [
    (
        "seanim, few long tracks of 50 MiB: read, to filling columns in reused pages",
        "Reading a SEAnim file of 50 MiB takes ",
        "x the time of only filling columns of the same size.",
    ),
    (
        "animj, few long tracks of 50 MiB: read, times as fast as serde_json",
        "Reading an AnimJ file of 50 MiB is ",
        "x as fast as typed `serde_json`.",
    ),
    (
        "clip: pose of 100 bones, times as fast as the tracks",
        "A pose of 100 bones from a playback clip is ",
        "x as fast as sampling the tracks of the document one by one.",
    ),
];

/// Returns whether a generated block is written by a run and not by `cargo xtask tables`.
pub(crate) fn is_block(name: &str) -> bool {
    BLOCKS.iter().any(|(block, _)| *block == name)
}

/// Returns how many targets are missed.
pub(super) fn verdict(lines: &[Line<'_>]) -> String {
    let gating = lines.iter().filter(|(row, _)| row.gates()).count();
    let missed = lines.iter().filter(|(row, measured)| misses((row, measured.value))).count();
    format!("{missed} of {gating} targets missed")
}

fn misses((row, value): (&super::Row, f64)) -> bool {
    row.gates() && !row.reaches(value)
}

/// Prints the rows as a Markdown table.
pub(super) fn table(lines: &[Line<'_>]) -> String {
    let mut text = String::from("| row | result | target | | |\n| --- | --- | --- | --- | --- |\n");
    for (row, measured) in lines {
        let value = number(measured.value);
        let word = match row.better {
            Better::Lower => "at most",
            Better::Higher => "at least",
        };
        let target = row.target.map(|target| format!("{word} {target}{}", row.unit));
        let verdict = match (row.gates(), row.reaches(measured.value)) {
            (true, true) => "pass",
            (true, false) => "**miss**",
            (false, _) => "information",
        };
        let (name, unit, beside) = (&row.name, row.unit, &measured.beside);
        let target = target.unwrap_or_default();
        let _ = writeln!(text, "| {name} | {value}{unit} | {target} | {verdict} | {beside} |");
    }
    text
}

/// Returns a number with three digits, or all digits before the point.
pub(super) fn number(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// Writes the page, its plot and the lines of the README.
pub(super) fn write(lines: &[Line<'_>]) -> Outcome {
    let blocks = [page(lines)?, summary(lines)?];
    for ((block, path), body) in BLOCKS.into_iter().zip(blocks) {
        let path = Path::new(path);
        write_file(path, &replace_block(&read(path)?, block, &body)?)?;
    }
    write_file(Path::new(PLOT), &plot(lines))
}

fn summary(lines: &[Line<'_>]) -> Result<String, String> {
    let mut text = String::new();
    for (name, before, after) in LINES {
        let line = lines.iter().find(|(row, _)| row.name == name);
        let (_, measured) = line.ok_or_else(|| format!("no row is named {name}"))?;
        let _ = writeln!(text, "- {before}{:.1}{after}", measured.value);
    }
    Ok(text)
}

fn page(lines: &[Line<'_>]) -> Result<String, String> {
    let program = |program: &str, words: &[&str]| {
        let text = output(Command::new(program).args(words).current_dir(root()));
        text.map(|text| text.trim().to_owned())
    };
    let mut text = String::new();
    let _ = writeln!(text, "- Machine: {}", machine());
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').nth(2).unwrap_or("unknown");
    let _ = writeln!(text, "- Load average of the last 15 minutes: {load}");
    let _ = writeln!(text, "- Compiler: {}", program("rustc", &["--version"])?);
    let _ = writeln!(text, "- Commit: `{}`", program("git", &["rev-parse", "--short=12", "HEAD"])?);
    let _ = writeln!(text, "- Command: `cargo xtask perf --page`");
    let _ = writeln!(text, "- {}\n", verdict(lines));
    for group in lines.chunk_by(|(a, _), (b, _)| group(&a.name) == group(&b.name)) {
        let title = group.first().map_or("", |(row, _)| self::group(&row.name));
        let _ = writeln!(text, "### {title}\n\n{}", table(group));
    }
    let _ = writeln!(text, "## Missed targets\n");
    for (row, measured) in lines {
        if misses((row, measured.value)) {
            let (name, value) = (&row.name, number(measured.value));
            let proof = proof::of(row, lines);
            let range = range(row, measured);
            let _ = writeln!(text, "- **{name}**: {value}x{range}.{proof} {}", causes::of(name));
        }
    }
    Ok(text)
}

/// Returns the range of the values of the processes, if some of them reached a target that the median
/// misses.
fn range(row: &super::Row, measured: &super::Measured) -> String {
    if !row.is_disputed(measured) {
        return String::new();
    }
    let [least, most] = measured.range().map(number);
    format!(", from {least}x to {most}x in {} processes", measured.each.len())
}

/// Returns what a row is about: its first word, such as the id of a format.
pub(super) fn group(name: &str) -> &str {
    name.split([',', ':', ' ']).next().unwrap_or(name)
}

fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name"));
    let model = model.map_or(std::env::consts::ARCH, |model| model.trim_matches([' ', '\t', ':']));
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    format!("{model}, {cores} cores, {}", std::env::consts::OS)
}

/// Height of a bar with its gap.
const STEP: f64 = 16.0;
/// Where the bars are: from an eighth of the target to 8 times the target.
const LEFT: f64 = 460.0;
const MIDDLE: f64 = 640.0;
const RIGHT: f64 = 820.0;

/// Draws each ratio with a target as a bar from the target: left of it is better.
fn plot(lines: &[Line<'_>]) -> String {
    let rows = lines.iter().filter(|(row, _)| row.gates());
    let mut bars = String::new();
    let mut top = 24.0;
    for (row, measured) in rows {
        let Some(target) = row.target else { continue };
        let cost = match row.better {
            Better::Lower => measured.value / target,
            Better::Higher => target / measured.value,
        };
        let end = (MIDDLE + cost.log2() * (RIGHT - MIDDLE) / 3.0).clamp(LEFT, RIGHT);
        let (from, width) = (end.min(MIDDLE), (end - MIDDLE).abs());
        let color = if cost <= 1.0 { "#2e8b57" } else { "#d2691e" };
        let _ = writeln!(
            bars,
            "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{}</text>\
             <rect x=\"{from:.1}\" y=\"{:.0}\" width=\"{width:.1}\" height=\"11\" fill=\"{color}\"/>",
            LEFT - 8.0,
            top + 10.0,
            row.name,
            top,
        );
        top += STEP;
    }
    let mut axis = String::new();
    for (place, label) in [(LEFT, "1/8"), (MIDDLE, "target"), (RIGHT, "8 times")] {
        let _ = writeln!(
            axis,
            "<text x=\"{place}\" y=\"14\" text-anchor=\"middle\">{label}</text>\
             <path d=\"M{place} 20V{top}\" stroke=\"#808080\" stroke-width=\"0.5\"/>"
        );
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"860\" height=\"{:.0}\" \
         font-family=\"sans-serif\" font-size=\"10\" fill=\"#808080\">\n{axis}{bars}</svg>\n",
        top + 8.0
    )
}

#[cfg(test)]
mod tests {
    use super::super::{Measured, Row, rows};
    use super::*;

    fn names(page: &str) -> Vec<&str> {
        let cells = page.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
        cells.filter(|cell| !cell.starts_with("---") && *cell != "row").collect()
    }

    #[test]
    fn the_page_has_every_row_of_the_source() {
        let page = read(Path::new(PAGE)).unwrap();
        let (_, results) = page.split_once("## Results").unwrap();
        let rows = rows();
        let expected: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
        let found = names(results);
        let differ = found.iter().zip(&expected).find(|(found, expected)| found != expected);
        assert_eq!(differ, None, "run `cargo xtask perf --page`");
        assert_eq!(found.len(), expected.len(), "run `cargo xtask perf --page`");
    }

    #[test]
    fn missed_targets_are_marked_and_counted() {
        let row = |name| Row::at_most(name, 1.3, |_| Err("not measured".into()));
        let rows = [row("read"), row("write")];
        let measured = |value| Measured::new(value, "1 ms to 1 ms".into());
        let lines: Vec<Line<'_>> = rows.iter().zip([1.25, 2.0].map(measured)).collect();
        let text = table(&lines);
        assert!(text.contains("| read | 1.25x | at most 1.3x | pass | 1 ms to 1 ms |"), "{text}");
        assert!(text.contains("| write | 2.00x | at most 1.3x | **miss** | 1 ms to 1 ms |"));
        assert_eq!(names(&text), ["read", "write"]);
        assert_eq!(verdict(&lines), "1 of 2 targets missed");
    }

    #[test]
    fn a_missed_target_that_a_process_reached_has_its_range() {
        let row = Row::at_most("read", 1.3, |_| Err("not measured".into()));
        let of = |each: &[f64]| {
            range(&row, &Measured { each: each.into(), ..Measured::new(1.4, String::new()) })
        };
        assert_eq!(of(&[1.4, 1.25, 1.5]), ", from 1.25x to 1.50x in 3 processes");
        assert_eq!((of(&[1.35, 1.4, 1.5]), of(&[1.4])), (String::new(), String::new()));
    }

    #[test]
    fn bars_of_missed_targets_extend_to_the_right_of_the_target() {
        let row = Row::at_most("read", 1.0, |_| Err("not measured".into()));
        let measured = Measured::new(2.0, String::new());
        let svg = plot(&[(&row, measured)]);
        assert!(svg.contains("<rect x=\"640.0\" y=\"24\" width=\"60.0\""), "{svg}");
    }
}
