//! Measures the rows of each file in a process of its own.
//!
//! Earlier rows leave gigabytes of free memory in pieces, and how fast a later one gets its memory
//! depends on them. Each ratio is still taken within one process.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::files::Files;
use super::row::{Measure, Measured, Row};
use crate::Outcome;

/// The flag of the process that measures the named rows.
pub(super) const ROWS: &str = "--rows";

/// The results of all processes, in their order, by the names of rows.
pub(super) type Runs = BTreeMap<String, Vec<Measured>>;

/// Measures these rows, the rows of one file after those of another, each file in so many processes:
/// where memory lies in a process changes some results by a tenth.
pub(super) fn measure(rows: &[&Row], processes: usize, runs: &mut Runs) -> Outcome {
    let mut of_files: Vec<(&str, Vec<&str>)> = Vec::new();
    for name in rows.iter().map(|row| row.name.as_str()) {
        let file = file_of(name);
        match of_files.iter_mut().find(|(known, _)| *known == file) {
            Some((_, names)) => names.push(name),
            None => of_files.push((file, vec![name])),
        }
    }
    for (_, names) in &of_files {
        for _ in 0..processes {
            for (name, measured) in measured_apart(names)? {
                runs.entry(name).or_default().push(measured);
            }
        }
    }
    Ok(())
}

/// Returns the rows that measure the same files as those with these names. What else a process
/// measures changes where memory lies, so they are measured together again.
pub(super) fn of_files<'r>(rows: &'r [Row], names: &BTreeSet<String>) -> Vec<&'r Row> {
    let files: BTreeSet<&str> = names.iter().map(|name| file_of(name)).collect();
    let is_measured = |row: &Row| matches!(row.measure, Measure::Pair(_));
    rows.iter().filter(|row| is_measured(row) && files.contains(file_of(&row.name))).collect()
}

/// Returns what the rows with the same start of their names measure, such as "seanim, strings of 1
/// MiB".
fn file_of(name: &str) -> &str {
    name.split_once(": ").map_or(name, |(file, _)| file)
}

fn measured_apart(names: &[&str]) -> Result<Vec<(String, Measured)>, String> {
    let failed = |error: &dyn std::fmt::Display| format!("measuring {}: {error}", names.join("; "));
    let program = env::current_exe().map_err(|error| failed(&error))?;
    let mut command = Command::new(program);
    command.args(["perf", ROWS]).args(names).stderr(Stdio::inherit());
    let output = command.output().map_err(|error| failed(&error))?;
    if !output.status.success() {
        return Err(failed(&output.status));
    }
    let values: Value = serde_json::from_slice(&output.stdout).map_err(|error| failed(&error))?;
    let values = values.as_array().into_iter().flatten().filter_map(of_json);
    Ok(values.collect())
}

/// Measures the rows with these names in this process, and prints the results as JSON.
pub(super) fn answer(names: &[String], rows: &[Row]) -> Outcome {
    let mut files = Files::default();
    let mut values = Vec::with_capacity(names.len());
    for name in names {
        let row = rows.iter().find(|row| row.name == *name);
        let Some(Row { measure: Measure::Pair(measure), unit, .. }) = row else {
            return Err(format!("no row that can be measured is named {name}"));
        };
        let measured = measure(&mut files).map_err(|error| format!("{name}: {error}"))?;
        eprintln!("{name}: {:.3}{unit} ({})", measured.value, measured.beside);
        values.push(in_json(name, &measured));
    }
    println!("{}", Value::Array(values));
    Ok(())
}

fn in_json(name: &str, measured: &Measured) -> Value {
    json!([name, measured.value, measured.beside])
}

fn of_json(value: &Value) -> Option<(String, Measured)> {
    let [name, value, beside] = value.as_array()?.as_slice() else { return None };
    let beside = beside.as_str()?.to_owned();
    Some((name.as_str()?.to_owned(), Measured::new(value.as_f64()?, beside)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_pass_from_process_to_process() {
        let measured = Measured::new(1.25, "5ms to 4ms".into());
        let (name, again) = of_json(&in_json("cast: read", &measured)).unwrap();
        assert_eq!((&*name, again.value, again.beside), ("cast: read", 1.25, measured.beside));
        assert!(of_json(&json!(["cast: read", "fast", ""])).is_none());
    }

    #[test]
    fn rows_of_one_file_are_measured_together() {
        assert_eq!(file_of("cast, strings of 1 MiB: read, to copying"), "cast, strings of 1 MiB");
        assert_eq!(file_of("reduce"), "reduce");
        let row = |name| Row::at_most(name, 1.3, |_| Err("not measured".into()));
        let rows = [row("a: read"), row("a: write"), row("b: read")];
        let names: Vec<&str> = of_files(&rows, &BTreeSet::from(["a: write".to_owned()]))
            .into_iter()
            .map(|row| row.name.as_str())
            .collect();
        assert_eq!(names, ["a: read", "a: write"]);
    }
}
