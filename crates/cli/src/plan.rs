//! Detects the format of each input before any work is done.

use inbetween::core::FormatInfo;
use inbetween::core::num::u64_from_len;
use inbetween::files::{Expected, hint_of};
use inbetween::{Error, Format, Profile, Registry};
use rayon::prelude::*;

use crate::exit::Failure;
use crate::flags::{self, Given, Use};
use crate::inputs::{Input, Origin};
use crate::report::plural;

/// An input and its format.
#[derive(Debug)]
pub(crate) struct Planned<'r> {
    pub(crate) input: Input,
    pub(crate) format: Result<&'r dyn Format, Failure>,
    /// The content, if the file cannot or need not be read again.
    kept: Option<Vec<u8>>,
}

/// A file of a directory or a pattern that a command does not apply to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Skipped {
    pub(crate) name: String,
    pub(crate) why: String,
}

/// The inputs of a command.
#[derive(Debug)]
pub(crate) struct Plan<'r> {
    pub(crate) files: Vec<Planned<'r>>,
    /// The files in directories and patterns with no suitable format.
    pub(crate) skipped: Vec<Skipped>,
    /// Whether there is, or might be, more than one file.
    pub(crate) batch: bool,
}

/// The files that a command accepts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wanted<'a> {
    /// The format to assume.
    pub(crate) from: Option<&'a str>,
    /// The program that should read them.
    pub(crate) profile: Option<&'static Profile>,
}

impl Wanted<'_> {
    /// Returns the format to assume.
    fn format<'r>(&self, registry: &'r Registry) -> Option<&'r dyn Format> {
        self.from.and_then(|name| registry.by_name(name))
    }

    fn accepts(&self, format: &dyn Format, registry: &Registry) -> bool {
        let forced = self.format(registry);
        forced.is_none_or(|forced| forced.info().id == format.info().id)
            && self.profile.is_none_or(|profile| profile.concerns(format.info()))
    }
}

/// The format of an open file, set up to load other files from its folder.
#[derive(Debug)]
pub(crate) enum Opened<'r> {
    Shared(&'r dyn Format),
    Located(Box<dyn Format>),
}

impl<'r> Opened<'r> {
    fn new(format: &'r dyn Format, input: &Input) -> Self {
        let located =
            input.path().is_file().then(|| inbetween::files::beside(format, input.path()));
        located.flatten().map_or(Self::Shared(format), Self::Located)
    }

    pub(crate) fn get(&self) -> &dyn Format {
        match self {
            Self::Shared(format) => *format,
            Self::Located(format) => &**format,
        }
    }
}

impl<'r> Plan<'r> {
    /// Detects the format of every input.
    pub(crate) fn make(
        inputs: Vec<Input>,
        wanted: Wanted<'_>,
        registry: &'r Registry,
    ) -> Result<Self, Failure> {
        let batch = inputs.len() != 1 || inputs.iter().any(|input| input.origin == Origin::Found);
        let planned: Vec<Result<Planned<'r>, Skipped>> = inputs
            .into_par_iter()
            .map(|input| Planned::make(input, wanted, registry, !batch))
            .collect();
        let (mut files, mut skipped) = (Vec::new(), Vec::new());
        for planned in planned {
            match planned {
                Ok(file) => files.push(file),
                Err(file) => skipped.push(file),
            }
        }
        if files.is_empty() {
            return Err(nothing_to_do(skipped.len()));
        }
        Ok(Self { files, skipped, batch })
    }

    /// Checks that every given option affects an input or the output.
    pub(crate) fn check_flags(
        &self,
        given: &[Given],
        registry: &Registry,
        output: Option<&'static FormatInfo>,
    ) -> Result<(), Failure> {
        let mut at_hand = self.at_hand(Use::Reading);
        at_hand.extend(output.map(|info| (info, Use::Writing)));
        flags::check_effect(given, registry, &at_hand)
    }

    /// Like [`check_flags`](Self::check_flags), for a command that checks files.
    pub(crate) fn check_checking_flags(
        &self,
        given: &[Given],
        registry: &Registry,
    ) -> Result<(), Failure> {
        flags::check_effect(given, registry, &self.at_hand(Use::Checking))
    }

    /// Returns the formats of the files, with their use.
    fn at_hand(&self, usage: Use) -> Vec<(&'static FormatInfo, Use)> {
        let formats = self.files.iter().filter_map(|file| file.format.as_ref().ok());
        formats.map(|format| (format.info(), usage)).collect()
    }
}

/// Formats the number of skipped files.
pub(crate) fn skipped_files(skipped: usize) -> String {
    format!("{} of unknown formats skipped", plural(u64_from_len(skipped), "file", "files"))
}

/// The failure of directories and patterns without any suitable file.
pub(crate) fn nothing_to_do(skipped: usize) -> Failure {
    let why = if skipped == 0 { "no files found".to_owned() } else { skipped_files(skipped) };
    Failure::Cannot(format!("nothing to do: {why}"))
}

impl<'r> Planned<'r> {
    /// Plans a file; returns the reason if a file of a directory is skipped.
    fn make(
        input: Input,
        wanted: Wanted<'_>,
        registry: &'r Registry,
        keep: bool,
    ) -> Result<Self, Skipped> {
        let forced = wanted.format(registry).filter(|_| !input.is_found());
        let expected = forced.map_or(Expected::AnyFormat, Expected::Format);
        let planned = match input.load(expected, registry) {
            Ok(bytes) => choose(&input, &bytes, wanted, registry).map(|it| (it, Some(bytes))),
            Err(error) => refuse(&input, error, wanted, registry).map(|it| (Err(it), None)),
        };
        let (format, bytes) = planned.map_err(|why| Skipped { name: input.name(), why })?;
        // Input that is not a regular file can be read only once.
        let keep = keep || !input.path().is_file();
        Ok(Self { input, format, kept: bytes.filter(|_| keep) })
    }

    /// Returns the format and the content of the file.
    pub(crate) fn load(self, registry: &Registry) -> Result<(Opened<'r>, Vec<u8>), Failure> {
        let format = Opened::new(self.format?, &self.input);
        let bytes = match self.kept {
            Some(bytes) => bytes,
            None => self
                .input
                .load(Expected::Format(format.get()), registry)
                .map_err(|error| Failure::of_file(&self.input.name(), error))?,
        };
        Ok((format, bytes))
    }
}

/// Detects the format of a file; returns the reason if an unsuitable file of a directory is
/// skipped.
fn choose<'r>(
    input: &Input,
    bytes: &[u8],
    wanted: Wanted<'_>,
    registry: &'r Registry,
) -> Result<Result<&'r dyn Format, Failure>, String> {
    let forced = wanted.format(registry);
    let found = input.is_found();
    let format = match forced {
        Some(format) if !found => Ok(format),
        _ => registry.detect(bytes, &hint_of(input.path())).map(|detection| detection.format),
    };
    match format {
        Ok(format) if found && !wanted.accepts(format, registry) => {
            let name = format.info().name;
            Err(match (forced, wanted.profile) {
                (Some(forced), _) if forced.info().id != format.info().id => {
                    format!("a file of {name}, not of {}", forced.info().name)
                }
                (_, Some(profile)) => format!("{} does not read {name} files", profile.program),
                _ => format!("a file of {name}"),
            })
        }
        Ok(format) => Ok(concerned(format, wanted.profile, &input.name())),
        Err(error) => refuse(input, error.into(), wanted, registry).map(Err),
    }
}

/// Returns the failure of a file that cannot be read, or the reason if an unsuitable file of a
/// directory is skipped.
fn refuse(
    input: &Input,
    error: Error,
    wanted: Wanted<'_>,
    registry: &Registry,
) -> Result<Failure, String> {
    // In a directory, a broken file with a known extension is reported, not skipped.
    let hint = hint_of(input.path());
    let mut formats = registry.formats().filter(|format| wanted.accepts(*format, registry));
    let reported = !input.is_found() || formats.any(|format| hint.names(format.info()));
    match error {
        Error::Detect(error) if !reported => Err(format!("it looks like {}", error.looks_like())),
        Error::Read(error) if !reported => Err(error.to_string()),
        error => Ok(Failure::of_file(&input.name(), error)),
    }
}

fn concerned<'r>(
    format: &'r dyn Format,
    profile: Option<&Profile>,
    name: &str,
) -> Result<&'r dyn Format, Failure> {
    match profile {
        Some(profile) if !profile.concerns(format.info()) => Err(Failure::Usage(format!(
            "{name}: {} does not read {} files; remove --profile {}",
            profile.program,
            format.info().name,
            profile.name
        ))),
        _ => Ok(format),
    }
}
