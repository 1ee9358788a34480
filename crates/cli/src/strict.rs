//! The losses that `--strict` refuses.

use glob::Pattern;
use inbetween::core::num::u64_from_len;
use inbetween::core::plural;
use inbetween::{Code, Finding, Registry};

use crate::args::StrictArgs;
use crate::codes;
use crate::exit::Failure;

/// Whether losses are refused, except those that `--allow` accepts.
#[derive(Debug)]
pub(crate) struct Strictness {
    strict: bool,
    allow: Vec<Pattern>,
}

impl Strictness {
    /// Parses the codes and patterns of `--allow`.
    pub(crate) fn new(args: &StrictArgs, registry: &Registry) -> Result<Self, Failure> {
        let allow = args.allow.iter().map(|code| {
            codes::pattern(code, registry)
                .map_err(|failure| Failure::Usage(format!("--allow {}", failure.message())))
        });
        Ok(Self { strict: args.strict, allow: allow.collect::<Result<_, _>>()? })
    }

    /// Returns whether a finding with this code stops the conversion.
    pub(crate) fn refuses(&self, code: Code) -> bool {
        let allowed = || self.allow.iter().any(|pattern| pattern.matches(code.id()));
        self.strict && code.is_loss() && !allowed()
    }

    /// Returns an error if a finding is refused; `name` is the input.
    pub(crate) fn check<'f>(
        &self,
        name: &str,
        findings: impl IntoIterator<Item = &'f Finding>,
    ) -> Result<(), Failure> {
        let refused = findings.into_iter().filter(|finding| self.refuses(finding.code)).count();
        if refused == 0 {
            return Ok(());
        }
        let losses = plural(u64_from_len(refused), "loss", "losses");
        let why = match (self.allow.as_slice(), refused) {
            ([], _) => "--strict allows none",
            (_, 1) => "--allow does not accept it",
            _ => "--allow does not accept all of them",
        };
        Err(Failure::Refused(format!("{name}: {losses}, {why}; nothing was written")))
    }
}
