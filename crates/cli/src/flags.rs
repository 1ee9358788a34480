//! Options of formats as flags of the command line.

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches};
use inbetween::core::{Applies, FormatInfo, OptionInfo};
use inbetween::{Format, Registry};

use crate::exit::Failure;

/// What a command does with files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Reading,
    Writing,
    Converting,
}

impl Use {
    fn needs(self, option: &OptionInfo) -> bool {
        match (self, option.applies) {
            (Self::Converting, _) | (_, Applies::Both) => true,
            (Self::Reading, applies) => applies == Applies::Reading,
            (Self::Writing, applies) => applies == Applies::Writing,
        }
    }
}

/// An option that was given on the command line.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    name: &'static str,
    value: String,
}

/// Makes one flag for each name of an option, whichever formats have it.
pub(crate) fn of(registry: &Registry, usage: Use) -> Vec<Arg> {
    let mut flags: Vec<(&'static OptionInfo, Vec<String>)> = Vec::new();
    for info in registry.formats().map(Format::info) {
        for option in info.options.iter().filter(|option| usage.needs(option)) {
            let help = format!("{}: {}", info.name, option.help);
            match flags.iter_mut().find(|(known, _)| known.name == option.name) {
                Some((_, helps)) => helps.push(help),
                None => flags.push((option, vec![help])),
            }
        }
    }
    let flag = |(option, helps): (&'static OptionInfo, Vec<String>)| {
        Arg::new(option.name)
            .long(option.name)
            .value_name(option.value)
            .allow_negative_numbers(true)
            .help_heading("Options of formats")
            .help(helps.join("; "))
    };
    flags.into_iter().map(flag).collect()
}

/// Returns the options that were given.
pub(crate) fn given(registry: &Registry, matches: &ArgMatches) -> Vec<Given> {
    let Some((_, matches)) = matches.subcommand() else { return Vec::new() };
    let mut given: Vec<Given> = Vec::new();
    for option in registry.formats().flat_map(|format| format.info().options) {
        let on_line = matches.try_contains_id(option.name).is_ok()
            && matches.value_source(option.name) == Some(ValueSource::CommandLine);
        if !on_line || given.iter().any(|known| known.name == option.name) {
            continue;
        }
        if let Ok(Some(value)) = matches.try_get_one::<String>(option.name) {
            given.push(Given { name: option.name, value: value.clone() });
        }
    }
    given
}

/// Sets the options that were given in the formats that have them.
pub(crate) fn set(registry: Registry, given: &[Given]) -> Result<Registry, Failure> {
    given.iter().try_fold(registry, |registry, option| {
        registry
            .with_option(option.name, &option.value)
            .map_err(|error| Failure::Usage(error.to_string()))
    })
}

/// Checks that every option that was given has an effect on some format at hand.
pub(crate) fn check_effect(
    given: &[Given],
    registry: &Registry,
    at_hand: &[(&'static FormatInfo, Use)],
) -> Result<(), Failure> {
    for flag in given {
        let works = at_hand.iter().any(|(info, usage)| has(info, flag.name, *usage));
        if !works {
            return Err(Failure::Usage(no_effect(flag.name, registry)));
        }
    }
    Ok(())
}

fn has(info: &FormatInfo, name: &str, usage: Use) -> bool {
    info.options.iter().any(|option| option.name == name && usage.needs(option))
}

fn no_effect(name: &str, registry: &Registry) -> String {
    let mut effects = Vec::new();
    for info in registry.formats().map(Format::info) {
        let words = match (has(info, name, Use::Reading), has(info, name, Use::Writing)) {
            (true, true) => "reading or writing",
            (true, false) => "reading",
            (false, true) => "writing",
            (false, false) => continue,
        };
        effects.push(format!("{words} {}", info.name));
    }
    format!("--{name} has no effect here, only in {}", effects.join(" and in "))
}
