//! What an experiment proves: where it misses the target of the work too, the target is out of reach.
//! The page says so beside each missed target.

use super::row::{Better, Measure, Measured, Row};
use super::{Line, page};

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
    let shown: Vec<_> = EXPERIMENTS
        .iter()
        .filter_map(|(work, words)| Some((words, value(row, lines, work, words)?)))
        .collect();
    let misses = |value: f64| !row.reaches(value);
    let wall = shown.iter().find(|(_, value)| misses(*value) && !is_slower(row, *value, lines));
    let Some((words, value)) = wall.or(shown.first()) else { return String::new() };
    let words = words.rsplit_once(": ").map_or(**words, |(_, words)| words);
    let words = words.split(',').next().unwrap_or_default();
    let verdict = match wall {
        Some(_) => ", so the target is out of reach",
        None if misses(*value) => ", which is slower than the work and proves nothing",
        None => "",
    };
    format!(" The row `{words}` shows {}x{verdict}.", page::number(*value))
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

/// Returns the value of an experiment for a row; for one that compares two sizes, the experiment is
/// compared likewise.
fn value(row: &Row, lines: &[Line<'_>], work: &str, words: &str) -> Option<f64> {
    let measured = |name: &str| {
        let name = name.contains(work).then(|| name.replace(work, words))?;
        let line = lines.iter().find(|(row, _)| row.name == name);
        line.map(|(_, Measured { value, .. })| *value)
    };
    match &row.measure {
        Measure::Pair(_) => measured(&row.name),
        Measure::Scaling { large, small } => {
            let better = lines.iter().find(|(row, _)| row.name == *large)?.0.better;
            let (large, small) = (measured(large)?, measured(small)?);
            Some(if better == Better::Lower { large / small } else { small / large })
        }
    }
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
}
