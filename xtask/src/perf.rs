//! Measures speed as ratios: each measure and its baseline run in turns in one process, which measures
//! all rows of a file.
//!
//! Times on one machine mean little on another; the ratio to a copy of the same bytes does. Rows of
//! a new kind are a file here with one function that returns them.

mod animj;
mod animx;
#[path = "../../crates/core/benches/bare/mod.rs"]
#[expect(clippy::indexing_slicing, reason = "the baseline, as one would write it by hand")]
mod bare;
#[expect(clippy::indexing_slicing, reason = "the baseline, as one would write it by hand")]
mod by_hand;
mod causes;
mod clip;
mod command;
mod experiments;
mod files;
mod formats;
mod page;
#[path = "../../crates/clip/benches/plain/mod.rs"]
#[expect(clippy::indexing_slicing, reason = "the baseline, as one would write it by hand")]
mod plain;
mod process;
mod proof;
mod reduce;
mod row;
mod sampling;
mod small;
#[path = "../../crates/edit/benches/smooth/mod.rs"]
mod smooth;
mod text;
#[path = "../../crates/animj/benches/typed/mod.rs"]
#[expect(clippy::expect_used, reason = "the baseline, as one would write it by hand")]
mod typed;

use std::process::Command;

use serde_json::{Value, json};

pub(crate) use self::page::is_block;
use self::process::Runs;
use self::row::{Better, Measured, Row};
use crate::Outcome;
use crate::shell::cargo;

/// The flag of the process that measures.
const MEASURE: &str = "--measure";

pub(crate) fn run(arguments: &[String]) -> Outcome {
    match arguments.split_first() {
        Some((first, rest)) if first == MEASURE => return Request::parse(rest)?.answer(),
        Some((first, rest)) if first == process::ROWS => return process::answer(rest, &rows()),
        _ => {}
    }
    Request::parse(arguments)?;
    let fast = ["run", "--quiet", "--release", "--package", "xtask", "--", "perf", MEASURE];
    let mut command = cargo(fast);
    let status = settle_memory(command.args(arguments)).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("measuring: {status}")),
        Err(error) => Err(format!("measuring: {error}")),
    }
}

/// Keeps up to 512 MiB of freed memory in the process. Otherwise the allocator of glibc changes its
/// policy about fresh pages in the middle of a measurement.
///
/// Also makes glibc copy blocks with vector instructions. With `rep movsb`, copying 200 KB takes 2 us
/// or 6 us on some processors, depending on where the two blocks are.
fn settle_memory(command: &mut Command) -> &mut Command {
    command
        .env("GLIBC_TUNABLES", format!("glibc.cpu.x86_rep_movsb_threshold={}", 1_u64 << 40))
        .env("MALLOC_MMAP_THRESHOLD_", (32 << 20).to_string())
        .env("MALLOC_TRIM_THRESHOLD_", (512 << 20).to_string())
        .env("MALLOC_TOP_PAD_", (64 << 20).to_string())
}

/// How results are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Table,
    Json,
    Page,
    Names,
}

/// The arguments.
#[derive(Debug)]
struct Request {
    form: Form,
    /// Parts of names; none for all rows.
    only: Vec<String>,
}

impl Request {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut request = Self { form: Form::Table, only: Vec::new() };
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--json" => request.form = Form::Json,
                "--page" => request.form = Form::Page,
                "--names" => request.form = Form::Names,
                "--only" => {
                    let name = words.next().ok_or("--only needs a part of a name")?;
                    request.only.push(name.clone());
                }
                _ => {
                    return Err(format!(
                        "expected --json, --page, --names or --only NAME, found {word}"
                    ));
                }
            }
        }
        if request.form == Form::Page && !request.only.is_empty() {
            return Err("the page shows all rows; --only cannot be used with --page".into());
        }
        let all = rows();
        let known = |name: &String| all.iter().any(|row| row.name.contains(name.as_str()));
        match request.only.iter().find(|name| !known(name)) {
            Some(name) => Err(format!("no row is named {name}; --names lists all")),
            None => Ok(request),
        }
    }

    fn chooses(&self, row: &Row) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| row.name.contains(name.as_str()))
    }

    fn answer(&self) -> Outcome {
        let rows = rows();
        if self.form == Form::Names {
            rows.iter().filter(|row| self.chooses(row)).for_each(|row| println!("{}", row.name));
            return Ok(());
        }
        let chosen: Vec<&Row> = rows.iter().filter(|row| self.chooses(row)).collect();
        let mut runs = Runs::new();
        let processes = if self.form == Form::Page { SEVERAL } else { 1 };
        process::measure(&needed(&chosen, &rows), processes, &mut runs)?;
        let mut measured = results(&chosen, &rows, &runs)?;
        if self.form == Form::Page {
            let again = process::of_files(&rows, &proof::open(&measured));
            eprintln!("measuring {} rows again", again.len());
            process::measure(&again, MORE, &mut runs)?;
            measured = results(&chosen, &rows, &runs)?;
        }
        match self.form {
            Form::Table | Form::Names => print!("{}", page::table(&measured)),
            Form::Json => println!("{}", Value::Array(measured.iter().map(in_json).collect())),
            Form::Page => page::write(&measured)?,
        }
        eprintln!("{}", page::verdict(&measured));
        Ok(())
    }
}

/// How many processes measure each row of the page.
const SEVERAL: usize = 3;

/// How many more measure the rows of a file if those leave a target open.
const MORE: usize = 6;

/// A row with its result.
type Line<'a> = (&'a Row, Measured);

/// Returns every row; those of one format follow each other.
fn rows() -> Vec<Row> {
    let mut rows = formats::rows();
    rows.extend(animj::rows());
    rows.extend(animx::rows());
    rows.extend(experiments::rows());
    rows.extend(text::rows());
    rows.extend(sampling::rows());
    rows.extend(clip::rows());
    rows.extend(reduce::rows());
    rows.extend(small::rows());
    rows.extend(command::rows());
    let mut groups: Vec<String> = Vec::new();
    for row in &rows {
        if !groups.iter().any(|group| group == page::group(&row.name)) {
            groups.push(page::group(&row.name).to_owned());
        }
    }
    rows.sort_by_key(|row| groups.iter().position(|group| group == page::group(&row.name)));
    rows
}

/// Returns the rows to measure: those that were chosen, and those that a chosen one compares.
fn needed<'r>(chosen: &[&Row], rows: &'r [Row]) -> Vec<&'r Row> {
    let names: Vec<&str> = chosen.iter().flat_map(|row| row.sources()).collect();
    rows.iter().filter(|row| names.contains(&&*row.name)).collect()
}

/// Returns the chosen rows with their results.
fn results<'r>(chosen: &[&'r Row], rows: &[Row], runs: &Runs) -> Result<Vec<Line<'r>>, String> {
    let of = |name: &str| {
        let row = rows.iter().find(|row| row.name == name)?;
        Some((row.better, Measured::median(runs.get(name)?)?))
    };
    let result = |row: &&'r Row| {
        let measured = combined(&row.sources(), of);
        Ok((*row, measured.ok_or_else(|| format!("{} was not measured", row.name))?))
    };
    chosen.iter().map(result).collect()
}

/// Returns the result that comes from one row, or from those of a large and a small file. `of` returns
/// the result of a row.
fn combined(sources: &[&str], of: impl Fn(&str) -> Option<(Better, Measured)>) -> Option<Measured> {
    match sources {
        [one] => Some(of(one)?.1),
        [large, small] => {
            let ((better, large), (_, small)) = (of(large)?, of(small)?);
            Some(Measured::growth(better, &large, &small))
        }
        _ => None,
    }
}

/// Numbers per second depend on the machine, so they have no target here.
fn in_json((row, measured): &Line<'_>) -> Value {
    let target = row.target.filter(|_| row.gates());
    let better = match row.better {
        Better::Lower => "lower",
        Better::Higher => "higher",
    };
    let ok = !row.gates() || row.reaches(measured.value);
    json!({
        "name": row.name,
        "ratio": measured.value,
        "target": target,
        "better": better,
        "ok": ok,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<Request, String> {
        Request::parse(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn names_of_rows_are_unique() {
        let mut names: Vec<String> = rows().into_iter().map(|row| row.name).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn rejects_unknown_names_and_flags() {
        assert!(parse(&["--only", "no such row"]).is_err());
        assert!(parse(&["--only"]).is_err());
        assert!(parse(&["--fast"]).is_err());
        assert!(parse(&["--page", "--only", "seanim"]).is_err());
        let request = parse(&["--json", "--only", "reduce"]).unwrap();
        assert_eq!(request.form, Form::Json);
        assert_eq!(rows().iter().filter(|row| request.chooses(row)).count(), 2);
    }

    #[test]
    fn rows_to_compare_by_size_exist() {
        let rows = rows();
        let names: Vec<&str> = rows.iter().flat_map(|row| row.sources()).collect();
        assert!(names.len() > rows.len());
        assert!(names.iter().all(|name| rows.iter().any(|row| row.name == *name)));
    }
}
