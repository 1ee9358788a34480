//! What the campaigns of the fuzzer did, summed up from their log.

use std::path::Path;

use super::{code, table};
use crate::fuzz;
use crate::shell::read;

/// Returns a row for each target: all its executions, and the code that its inputs reached at last.
pub(super) fn totals() -> Result<String, String> {
    let log = read(Path::new(fuzz::LOG))?;
    let mut all = 0;
    let mut rows = Vec::new();
    for target in fuzz::targets()? {
        let runs: Vec<Vec<&str>> = log.lines().map(|line| line.split('\t').collect()).collect();
        let of_target = runs.iter().filter(|run| run.first() == Some(&target.as_str()));
        let (mut sum, mut last, mut failed) = (0_u64, ["0"; 2], 0_u32);
        for run in of_target {
            let [_, executions, edges, inputs, outcome] = run.as_slice() else {
                return Err(format!("{}: expected five columns, found {run:?}", fuzz::LOG));
            };
            sum += executions.parse::<u64>().map_err(|error| format!("{executions}: {error}"))?;
            last = [edges, inputs];
            failed += u32::from(*outcome != fuzz::FINE);
        }
        all += sum;
        let [edges, inputs] = last.map(str::to_owned);
        rows.push(vec![code(&target), grouped(sum), edges, inputs, failed.to_string()]);
    }
    rows.push(vec!["all".into(), grouped(all), String::new(), String::new(), String::new()]);
    Ok(table(&["target", "executions", "edges", "inputs kept", "runs that failed"], rows))
}

/// Prints a number with commas between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_have_commas() {
        assert_eq!([7, 999, 1000, 1_234_567].map(grouped), ["7", "999", "1,000", "1,234,567"]);
    }
}
