//! What an experiment proves: where it misses the target of the work too, the target is out of reach.
//! The page says so beside each missed target.

use std::collections::BTreeSet;

use super::row::{Better, Measured, Row};
use super::{Line, combined, page};

/// Words in the names of rows: those of the work, and those of an experiment for it.
const EXPERIMENTS: &[(&str, &str)] = &[
    (": inspect ", ": look at every key of "),
    (": read, ", ": read by hand, "),
    (": read, ", ": scan the keys and read them by hand, "),
    (": read, ", ": clone the document, "),
    (
        ": read, to filling columns in reused pages",
        ": scan the file and fill columns, to filling columns",
    ),
    (
        ": read, to filling columns in reused pages",
        ": skip the JSON with serde_json, to filling columns",
    ),
    (": read, times as fast", ": skip the JSON with serde_json, times as fast"),
    (": write from parts, ", ": write by hand, "),
    (": write from parts, ", ": append the keys one by one, "),
    (": write from parts, ", ": append the properties one by one, "),
    (": write from a document, ", ": write by hand and free the document, "),
    (": write from a document, ", ": check the numbers, write by hand and free the document, "),
    (": write from a document, ", ": find the records, write by hand and free the document, "),
    (": write from a document, ", ": print the JSON with serde_json, "),
    (": write from a document, ", ": write from parts and free the document, "),
    (": unpack, ", ": print in lines, "),
    (": played, to a loop", ": played by hand from any cursor, to a loop"),
    ("uneven keys: random seek, ", "even keys: random seek by hand, "),
    (": random seek, ", ": random seek by hand, "),
    (": decode into a used column, ", ": copy the block of each track, "),
    (": decode into a used column, ", ": copy the keys one by one, "),
    (
        ": pose of 100 bones, to",
        ": pose of 100 bones by hand from 48-bit rotations and half floats, to",
    ),
    (
        ": batch with 2 jobs, times as fast as with 1",
        ": read, temporary write, fsync and rename by 2 threads, times as fast as by 1",
    ),
];

/// How much slower than the work an experiment may be measured and still count as no slower.
const NOISE: f64 = 1.1;

/// Says what an experiment shows about a missed target: one that misses it too and is not slower than
/// the work itself, if there is one.
pub(super) fn of(row: &Row, lines: &[Line<'_>]) -> String {
    let shown: Vec<_> =
        experiments(row, lines).map(|(words, _, measured)| (words, measured.value)).collect();
    let misses = |value: f64| !row.reaches(value);
    let wall = shown.iter().find(|(_, value)| misses(*value) && !is_slower(row, *value, lines));
    let Some((words, value)) = wall.or(shown.first()) else { return String::new() };
    let words = words.rsplit_once(": ").map_or(*words, |(_, words)| words);
    let words = words.split(',').next().unwrap_or_default();
    let verdict = match wall {
        Some(_) => ", so the target is out of reach",
        None if misses(*value) => ", which is slower than the work and proves nothing",
        None => "",
    };
    format!(" The row `{words}` shows {}x{verdict}.", page::number(*value))
}

/// Returns the names of the rows that leave a target open: not all processes reach it, and it is not
/// true that all of them miss it and that one experiment proves the miss in all of them.
pub(super) fn open(lines: &[Line<'_>]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (row, measured) in lines.iter().filter(|(row, _)| row.gates()) {
        let misses = |result: &Measured| !row.is_disputed(result) && !row.reaches(result.value);
        let proves = |result: &Measured| misses(result) && !is_slower(row, result.value, lines);
        let is_reached = !row.is_disputed(measured) && row.reaches(measured.value);
        let is_proven = || experiments(row, lines).any(|(_, _, result)| proves(&result));
        let is_settled = is_reached || misses(measured) && is_proven();
        if !is_settled {
            let sources = experiments(row, lines).flat_map(|(_, sources, _)| sources);
            names.extend(sources.chain(row.sources().into_iter().map(str::to_owned)));
        }
    }
    names
}

/// Returns whether an experiment is slower than the work. Not where a row compares two sizes: its
/// figure tells how the time grows, not how long it is.
fn is_slower(row: &Row, value: f64, lines: &[Line<'_>]) -> bool {
    let work = lines.iter().find(|(other, _)| other.name == row.name);
    let Some((_, Measured { value: work, .. })) = work else { return false };
    !row.name.contains("to 1 MiB")
        && match row.better {
            Better::Lower => value > work * NOISE,
            Better::Higher => value < work / NOISE,
        }
}

/// Returns the experiments for a row: their words, the names of the rows that were measured, and the
/// results. For a row that compares two sizes, the experiment is compared likewise.
fn experiments(
    row: &Row,
    lines: &[Line<'_>],
) -> impl Iterator<Item = (&'static str, Vec<String>, Measured)> {
    let of = |name: &str| {
        let (row, measured) = lines.iter().find(|(row, _)| row.name == name)?;
        Some((row.better, measured.clone()))
    };
    EXPERIMENTS.iter().filter_map(move |(work, words)| {
        let replaced = |name: &str| name.contains(work).then(|| name.replace(work, words));
        let names: Option<Vec<String>> = row.sources().into_iter().map(replaced).collect();
        let names = names?;
        let sources: Vec<&str> = names.iter().map(String::as_str).collect();
        let measured = combined(&sources, of)?;
        Some((*words, names, measured))
    })
}

#[cfg(test)]
mod tests {
    use super::super::rows;
    use super::*;

    #[test]
    fn every_experiment_belongs_to_a_row() {
        let rows = rows();
        for (work, words) in EXPERIMENTS {
            let names = rows.iter().filter(|row| row.gates() && row.name.contains(work));
            let mut experiments = names.map(|row| row.name.replace(work, words));
            assert!(experiments.any(|name| rows.iter().any(|row| row.name == name)), "{words}");
        }
    }

    #[test]
    fn an_experiment_tells_whether_a_target_can_be_reached() {
        let row = |name, value| {
            let row = Row::at_most(name, 1.3, |_| Err("not measured".into()));
            (row, Measured::new(value, String::new()))
        };
        let both = |large, small| {
            let rows = [
                row("large: read, to copying", 4.0),
                row("large: read by hand, to copying", large),
                row("small: read, to copying", 2.0),
                row("small: read by hand, to copying", small),
            ];
            let lines: Vec<Line<'_>> =
                rows.iter().map(|(row, measured)| (row, measured.clone())).collect();
            let [large, small] = [0, 2].map(|at| rows[at].0.name.clone());
            let scaling = Row::scaling("large to small: read, to copying", large, small);
            (of(&rows[0].0, &lines), of(&scaling, &lines))
        };
        let reached = |value| format!(" The row `read by hand` shows {value}x.");
        let slower = " The row `read by hand` shows 4.50x, which is slower than the work and proves nothing."
            .to_owned();
        let missed = |value| {
            format!(" The row `read by hand` shows {value}x, so the target is out of reach.")
        };
        assert_eq!(both(1.2, 1.0), (reached("1.20"), reached("1.20")));
        assert_eq!(both(1.5, 1.0), (missed("1.50"), missed("1.50")));
        assert_eq!(both(1.5, 1.5), (missed("1.50"), reached("1.00")));
        assert_eq!(both(4.2, 1.0), (missed("4.20"), missed("4.20")));
        assert_eq!(both(4.5, 1.0), (slower, missed("4.50")));
        let alone = row("other: read, to copying", 4.0);
        assert_eq!(of(&alone.0, &[(&alone.0, alone.1.clone())]), "");
    }

    #[test]
    fn a_target_is_open_until_all_processes_agree() {
        let fail = |_: &mut _| Err("not measured".into());
        let measured = |each: [f64; 2]| {
            let measured = Measured::new(each[0], String::new());
            Measured { each: each.into(), ..measured }
        };
        let work = Row::at_most("a: read, to copying", 1.3, fail);
        let by_hand = Row::ratio("a: read by hand, to copying", fail);
        let of = |of_work, of_hand| {
            let names = open(&[(&work, measured(of_work)), (&by_hand, measured(of_hand))]);
            assert!(names.is_empty() || names.len() == 2);
            !names.is_empty()
        };
        assert!(of([1.4, 1.2], [1.4, 1.4]) && of([1.2, 1.4], [1.0, 1.1]));
        assert!(of([1.4, 1.5], [1.2, 1.4]) && of([1.4, 1.5], [1.4, 1.2]));
        assert!(of([1.4, 1.5], [1.0, 1.1]) && of([1.4, 1.5], [1.7, 1.8]));
        assert!(!of([1.4, 1.5], [1.35, 1.4]) && !of([1.1, 1.2], [1.2, 1.4]));
    }
}
