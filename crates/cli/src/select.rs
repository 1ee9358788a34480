//! Which findings a check tells of.

use glob::Pattern;
use inbetween::core::Code;
use inbetween::{Finding, Registry};

use crate::exit::Failure;

/// The codes that `--only` and `--ignore` leave.
#[derive(Debug)]
pub(crate) struct Selection {
    only: Vec<Pattern>,
    ignore: Vec<Pattern>,
}

impl Selection {
    /// Makes a selection of codes and patterns such as `animj/*`.
    pub(crate) fn new(
        only: &[String],
        ignore: &[String],
        registry: &Registry,
    ) -> Result<Self, Failure> {
        let known = known(registry);
        let parse = |codes: &[String]| -> Result<Vec<Pattern>, Failure> {
            codes.iter().map(|code| pattern(code, &known)).collect()
        };
        Ok(Self { only: parse(only)?, ignore: parse(ignore)? })
    }

    /// Says whether the check tells of a finding.
    pub(crate) fn accepts(&self, finding: &Finding) -> bool {
        let fits = |patterns: &[Pattern]| {
            patterns.iter().any(|pattern| pattern.matches(finding.code.id()))
        };
        (self.only.is_empty() || fits(&self.only)) && !fits(&self.ignore)
    }
}

/// Returns the codes of all formats, those of core included.
fn known(registry: &Registry) -> Vec<&'static str> {
    let formats = registry.formats().flat_map(|format| format.info().codes);
    formats.chain(inbetween::core::codes::ALL).map(|code: &Code| code.id()).collect()
}

fn pattern(text: &str, known: &[&'static str]) -> Result<Pattern, Failure> {
    let pattern = Pattern::new(text)
        .map_err(|error| Failure::Usage(format!("{text}: not a pattern of codes: {error}")))?;
    if known.iter().any(|id| pattern.matches(id)) {
        return Ok(pattern);
    }
    let near = known
        .iter()
        .map(|id| (strsim::jaro_winkler(text, id), id))
        .filter(|(likeness, _)| *likeness > 0.7)
        .max_by(|(a, _), (b, _)| a.total_cmp(b));
    let hint = match near {
        Some((_, id)) => format!("; did you mean {id}?"),
        None => "; docs/findings.md lists all codes".to_owned(),
    };
    Err(Failure::Usage(format!("{text}: no finding has this code{hint}")))
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
    fn ignoring_wins_over_asking() {
        let selection = select(&["convert/*"], &["convert/times-sorted"]).unwrap();
        assert!(selection.accepts(&Finding::new(codes::TIME_NOT_FINITE, "x")));
        assert!(!selection.accepts(&Finding::new(codes::TIMES_SORTED, "x")));
        assert!(!selection.accepts(&Finding::new(codes::FINDINGS_TRUNCATED, "x")));
    }

    #[test]
    fn an_unknown_code_is_answered_with_the_nearest_one() {
        let failure = select(&[], &["convert/time-sorted"]).unwrap_err();
        assert_eq!(
            failure.message(),
            "convert/time-sorted: no finding has this code; did you mean convert/times-sorted?"
        );
        assert!(select(&["nonsense"], &[]).unwrap_err().message().ends_with("lists all codes"));
    }
}
