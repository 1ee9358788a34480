//! Looks up finding codes by name and by pattern.

use glob::Pattern;
use inbetween::{Code, Registry};

use crate::exit::Failure;

/// The smallest similarity, from 0 to 1, of a code that is suggested.
const NEAR: f64 = 0.8;

/// The largest difference in similarity to the best suggestion.
const CLOSE: f64 = 0.05;

/// The largest number of suggestions.
const SUGGESTIONS: usize = 3;

/// Parses a code, or a pattern such as `animj/*` that matches at least one code.
pub(crate) fn pattern(text: &str, registry: &Registry) -> Result<Pattern, Failure> {
    let pattern = Pattern::new(text)
        .map_err(|error| Failure::Usage(format!("{text}: not a pattern of codes: {error}")))?;
    let codes = registry.codes();
    if codes.iter().any(|code| pattern.matches(code.id())) {
        return Ok(pattern);
    }
    let hint = match suggestions(text, &codes).as_slice() {
        [] => "; `inbetween explain '*'` lists all codes".to_owned(),
        near => format!("; did you mean {}?", near.join(" or ")),
    };
    Err(Failure::Usage(format!("{text}: no finding has this code{hint}")))
}

/// Returns the codes with a similar spelling, best first. The part before the slash may be omitted.
fn suggestions(text: &str, codes: &[Code]) -> Vec<&'static str> {
    let likeness = |id: &'static str| {
        // Most codes share their prefix, which alone makes them similar by Jaro-Winkler.
        let both = |id: &str| {
            f64::midpoint(strsim::jaro_winkler(text, id), strsim::normalized_levenshtein(text, id))
        };
        match id.split_once('/') {
            Some((_, name)) if !text.contains('/') => both(name),
            _ => both(id),
        }
    };
    let mut near: Vec<(f64, &str)> =
        codes.iter().map(|code| (likeness(code.id()), code.id())).collect();
    near.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let best = near.first().map_or(0.0, |(likeness, _)| *likeness);
    near.retain(|(likeness, _)| *likeness >= NEAR && *likeness > best - CLOSE);
    near.into_iter().take(SUGGESTIONS).map(|(_, id)| id).collect()
}

#[cfg(test)]
mod tests {
    use inbetween::core::Remedy;

    use super::*;

    fn refused(text: &str) -> String {
        pattern(text, &Registry::with_builtin()).unwrap_err().message().to_owned()
    }

    #[test]
    fn suggests_the_most_similar_codes() {
        assert_eq!(
            refused("convert/time-sorted"),
            "convert/time-sorted: no finding has this code; did you mean convert/times-sorted?"
        );
    }

    #[test]
    fn suggests_the_prefix_of_a_code_without_one() {
        let message = refused("track-dropped");
        assert!(message.ends_with("; did you mean convert/track-dropped?"), "{message}");
    }

    #[test]
    fn names_the_command_that_lists_all_codes_if_none_is_similar() {
        let message = refused("nonsense");
        assert!(message.ends_with("; `inbetween explain '*'` lists all codes"), "{message}");
    }

    /// Returns whether a command, or any command if none is given, has a flag.
    fn has_flag(command: &clap::Command, name: Option<&str>, flag: &str) -> bool {
        let named = |one: &&clap::Command| name.is_none_or(|name| one.get_name() == name);
        let mut arguments =
            command.get_subcommands().filter(named).flat_map(clap::Command::get_arguments);
        arguments.any(|argument| argument.get_long() == Some(flag))
    }

    #[test]
    fn every_remedy_is_a_command_or_flag() {
        let registry = Registry::with_builtin().push(Box::new(inbetween::clip::ClipFile));
        let mut command = crate::args::command(&registry);
        command.build();
        let is_command = |word: &str| command.find_subcommand(word).is_some();
        let codes = registry.codes();
        let of_errors = ["set_frame_rate", "rename_clip", "retime"].map(Remedy::Edit);
        let of_errors =
            of_errors.into_iter().chain([Remedy::Option("skeleton"), Remedy::RaiseLimit]);
        let of_codes = codes.iter().flat_map(|code| code.remedies()).copied();
        for remedy in of_codes.chain(of_errors) {
            let text = crate::remedy::flag(remedy);
            let mut current = None;
            for word in text.split(' ').filter(|word| *word != "and") {
                if let Some(flag) = word.strip_prefix("--") {
                    assert!(has_flag(&command, current, flag), "{remedy:?}: {text}");
                } else {
                    assert!(is_command(word), "{remedy:?}: {text}");
                    current = Some(word);
                }
            }
        }
    }

    #[test]
    fn every_option_of_a_remedy_belongs_to_a_conversion_or_an_edit() {
        let registry = Registry::with_builtin();
        let command = crate::args::command(&registry);
        for remedy in registry.codes().iter().flat_map(|code| code.remedies()) {
            if let Remedy::Option(name) = remedy {
                let known =
                    ["convert", "edit", "check"].map(|one| has_flag(&command, Some(one), name));
                assert!(known.contains(&true), "{name}");
            }
        }
    }
}
