//! Command-line flags for format options and companion files.

use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches};
use inbetween::core::{Applies, CompanionInfo, FormatInfo, OptionInfo};
use inbetween::{Format, Registry};

use crate::exit::Failure;

/// What a command does with files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Reading,
    Writing,
    Converting,
    /// Reads and fixes them.
    Checking,
}

impl Use {
    fn needs(self, option: &OptionInfo) -> bool {
        let applies = option.applies;
        match self {
            Self::Reading => applies.affects_reading(),
            Self::Writing => applies.affects_writing(),
            Self::Converting => applies != Applies::Fixing,
            Self::Checking => applies.affects_reading() || applies == Applies::Fixing,
        }
    }
}

/// An option or companion given on the command line.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    name: &'static str,
    value: Value,
}

#[derive(Clone, Debug)]
enum Value {
    /// The value of a format option.
    Option(String),
    /// The paths of companion files.
    Companions(Vec<PathBuf>),
}

impl Given {
    /// Returns the name, without dashes.
    pub(crate) const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the name and the paths if these are companions.
    pub(crate) fn companions(&self) -> Option<(&'static str, &[PathBuf])> {
        match &self.value {
            Value::Companions(paths) => Some((self.name, paths)),
            Value::Option(_) => None,
        }
    }
}

/// Builds one flag per option name, under a heading per format; formats that share a name share the
/// flag.
pub(crate) fn of(registry: &Registry, usage: Use) -> Vec<Arg> {
    let mut flags: Vec<(&'static OptionInfo, Vec<&'static FormatInfo>)> = Vec::new();
    for info in registry.formats().map(Format::info) {
        for option in info.options.iter().filter(|option| usage.needs(option)) {
            match flags.iter_mut().find(|(known, _)| known.name == option.name) {
                Some((_, formats)) => formats.push(info),
                None => flags.push((option, vec![info])),
            }
        }
    }
    // Clap lists headings in the order of their first flags.
    flags.sort_by_key(|(_, formats)| formats.len() > 1);
    flags.into_iter().map(|(option, formats)| flag(option, &formats)).collect()
}

fn flag(option: &'static OptionInfo, formats: &[&'static FormatInfo]) -> Arg {
    let names: Vec<&str> = formats.iter().map(|info| info.name).collect();
    let names = names.join(" and ");
    let mut helps: Vec<(&str, &str)> = Vec::new();
    for info in formats {
        let own = info.options.iter().find(|own| own.name == option.name);
        helps.extend(own.map(|own| (info.name, own.help)));
    }
    let help = match helps.as_slice() {
        [(_, first), others @ ..] if others.iter().all(|(_, help)| help == first) => {
            (*first).to_owned()
        }
        helps => {
            let helps = helps.iter().map(|(name, help)| format!("{name}: {help}"));
            helps.collect::<Vec<_>>().join("; ")
        }
    };
    Arg::new(option.name)
        .long(option.name)
        .value_name(option.value)
        .allow_negative_numbers(true)
        .help_heading(format!("Options of {names}"))
        .help(help)
}

/// Builds one flag per kind of companion file.
pub(crate) fn companions(registry: &Registry) -> Vec<Arg> {
    let flag = |(format, info): (&'static FormatInfo, &'static CompanionInfo)| {
        Arg::new(info.name)
            .long(info.name)
            .value_name(info.value)
            .value_parser(clap::value_parser!(PathBuf))
            .action(clap::ArgAction::Append)
            .help_heading("Companion files")
            .help(format!(
                "{}: {}. A directory stands for the files in it; several \
                           inputs are paired by name",
                format.name, info.help
            ))
    };
    companion_infos(registry).map(flag).collect()
}

fn companion_infos(
    registry: &Registry,
) -> impl Iterator<Item = (&'static FormatInfo, &'static CompanionInfo)> {
    registry.formats().filter_map(|format| Some((format.info(), format.companion()?.info())))
}

/// Returns the options and companions given on the command line.
pub(crate) fn given(registry: &Registry, matches: &ArgMatches) -> Vec<Given> {
    let Some((_, matches)) = matches.subcommand() else { return Vec::new() };
    let mut given: Vec<Given> = Vec::new();
    let on_line = |name: &str| {
        matches.try_contains_id(name).is_ok()
            && matches.value_source(name) == Some(ValueSource::CommandLine)
    };
    let mut add = |name: &'static str, value: Option<Value>| {
        if let Some(value) = value.filter(|_| given.iter().all(|known| known.name != name)) {
            given.push(Given { name, value });
        }
    };
    let options = registry.formats().flat_map(|format| format.info().options);
    for name in options.map(|option| option.name).filter(|name| on_line(name)) {
        let value = matches.try_get_one::<String>(name).ok().flatten();
        add(name, value.cloned().map(Value::Option));
    }
    for name in companion_infos(registry).map(|(_, info)| info.name).filter(|name| on_line(name)) {
        let values = matches.try_get_many::<PathBuf>(name).ok().flatten();
        add(name, values.map(|paths| Value::Companions(paths.cloned().collect())));
    }
    given
}

/// Sets the given options in the formats that have them.
pub(crate) fn set(registry: Registry, given: &[Given]) -> Result<Registry, Failure> {
    given.iter().try_fold(registry, |registry, flag| match &flag.value {
        Value::Option(value) => registry
            .with_option(flag.name, value)
            .map_err(|error| Failure::Usage(error.to_string())),
        Value::Companions(_) => Ok(registry),
    })
}

/// Checks that every given flag affects a format that the command reads or writes.
pub(crate) fn check_effect(
    given: &[Given],
    registry: &Registry,
    at_hand: &[(&'static FormatInfo, Use)],
) -> Result<(), Failure> {
    for flag in given {
        let effect = match flag.value {
            Value::Option(_) => {
                let works = at_hand.iter().any(|(info, usage)| has(info, flag.name, *usage));
                (!works).then(|| options_with(flag.name, registry))
            }
            Value::Companions(_) => {
                let with = companion_infos(registry).filter(|(_, info)| info.name == flag.name);
                let mut with = with.map(|(format, _)| format);
                let works = with.any(|format| at_hand.iter().any(|(info, _)| info.id == format.id));
                (!works).then(|| companions_with(flag.name, registry))
            }
        };
        if let Some(effect) = effect {
            let message =
                format!("--{} has no effect here; it applies only when {effect}", flag.name);
            return Err(Failure::Usage(message));
        }
    }
    Ok(())
}

fn has(info: &FormatInfo, name: &str, usage: Use) -> bool {
    info.options.iter().any(|option| option.name == name && usage.needs(option))
}

fn options_with(name: &str, registry: &Registry) -> String {
    let mut effects: Vec<(&str, Vec<&str>)> = Vec::new();
    for info in registry.formats().map(Format::info) {
        let words = match (has(info, name, Use::Reading), has(info, name, Use::Writing)) {
            (true, true) => "reading or writing",
            (true, false) => "reading",
            (false, true) => "writing",
            (false, false) if has(info, name, Use::Checking) => "checking",
            (false, false) => continue,
        };
        match effects.iter_mut().find(|(known, _)| *known == words) {
            Some((_, names)) => names.push(info.name),
            None => effects.push((words, vec![info.name])),
        }
    }
    let effect = |(words, names): &(&str, Vec<&str>)| format!("{words} {}", names.join(" or "));
    effects.iter().map(effect).collect::<Vec<_>>().join(" or ")
}

fn companions_with(name: &str, registry: &Registry) -> String {
    let with = companion_infos(registry).filter(|(_, info)| info.name == name);
    let names: Vec<String> = with.map(|(format, _)| format!("checking {}", format.name)).collect();
    names.join(" or ")
}
