//! Selects the findings that a check reports.

use glob::Pattern;
use inbetween::{Finding, Registry};

use crate::codes;
use crate::exit::Failure;

/// The codes that `--only` and `--ignore` select.
#[derive(Debug)]
pub(crate) struct Selection {
    only: Vec<Pattern>,
    ignore: Vec<Pattern>,
}

impl Selection {
    /// Creates a selection from codes and patterns such as `animj/*`.
    pub(crate) fn new(
        only: &[String],
        ignore: &[String],
        registry: &Registry,
    ) -> Result<Self, Failure> {
        let parse = |codes: &[String]| -> Result<Vec<Pattern>, Failure> {
            codes.iter().map(|code| codes::pattern(code, registry)).collect()
        };
        Ok(Self { only: parse(only)?, ignore: parse(ignore)? })
    }

    /// Returns whether the check reports a finding.
    pub(crate) fn accepts(&self, finding: &Finding) -> bool {
        let fits = |patterns: &[Pattern]| {
            patterns.iter().any(|pattern| pattern.matches(finding.code.id()))
        };
        (self.only.is_empty() || fits(&self.only)) && !fits(&self.ignore)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use inbetween::core::codes;

    fn select(only: &[&str], ignore: &[&str]) -> Result<Selection, Failure> {
        let owned = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        Selection::new(&owned(only), &owned(ignore), &Registry::empty())
    }

    #[test]
    fn ignore_takes_precedence_over_only() {
        let selection = select(&["convert/*"], &["convert/times-sorted"]).unwrap();
        assert!(selection.accepts(&Finding::new(codes::TIME_NOT_FINITE, "x")));
        assert!(!selection.accepts(&Finding::new(codes::TIMES_SORTED, "x")));
        assert!(!selection.accepts(&Finding::new(codes::FINDINGS_TRUNCATED, "x")));
    }
}
