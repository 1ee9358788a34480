//! Limits, and options of formats as keyword arguments.

use inbetween::core::{FormatInfo, OptionInfo};
use inbetween::{Format, Limits, Profile, Registry};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

use crate::errors::{self, type_error, value_error};
use crate::names::similar;

/// Returns the keyword argument of an option: `curve_keys` for `curve-keys`.
pub(crate) fn argument(option: &str) -> String {
    option.replace('-', "_")
}

/// Returns the limits of a call.
pub(crate) fn limits(max_input: Option<u64>, max_decoded: Option<u64>) -> Limits {
    let mut limits = Limits::default();
    limits.input_bytes = max_input.unwrap_or(limits.input_bytes);
    limits.decoded_bytes = max_decoded;
    limits
}

/// What a call does with the files of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Reading,
    Writing,
}

impl Use {
    fn needs(self, option: &OptionInfo) -> bool {
        match self {
            Self::Reading => option.applies.affects_reading(),
            Self::Writing => option.applies.affects_writing(),
        }
    }
}

/// Keyword arguments that are options of formats.
#[derive(Debug, Default)]
pub(crate) struct Options(Vec<(String, String)>);

impl Options {
    /// Returns the options with their values as texts.
    pub(crate) fn new(given: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut options = Vec::new();
        for (name, value) in given.into_iter().flat_map(PyDictMethods::iter) {
            let value = match value.cast::<PyBool>() {
                Ok(value) => if value.is_true() { "true" } else { "false" }.to_owned(),
                Err(_) => value.str()?.to_string(),
            };
            options.push((name.extract()?, value));
        }
        Ok(Self(options))
    }

    /// Sets the options in all formats that have them.
    ///
    /// Raises `TypeError` if no format has one, and `ValueError` if it does not take the value.
    pub(crate) fn set(&self, mut registry: Registry) -> PyResult<Registry> {
        for (given, value) in &self.0 {
            let infos = registry.formats().map(Format::info);
            let all = infos.flat_map(|info| info.options.iter().map(|option| option.name));
            let all: Vec<&'static str> = all.collect();
            let Some(name) = all.iter().find(|name| argument(name) == *given) else {
                let names: Vec<String> = all.iter().map(|name| argument(name)).collect();
                let near = similar(given, names.iter().map(String::as_str));
                return Err(type_error(format!("unknown option {given}{near}")));
            };
            registry = registry.with_option(name, value).map_err(|error| errors::option(&error))?;
        }
        Ok(registry)
    }

    /// Raises `TypeError` for an option without effect on the formats.
    pub(crate) fn check(&self, formats: &[(&FormatInfo, Use)]) -> PyResult<()> {
        let has = |given: &str| {
            formats.iter().any(|(info, usage)| {
                info.options.iter().any(|it| argument(it.name) == given && usage.needs(it))
            })
        };
        match self.0.iter().find(|(given, _)| !has(given)) {
            None => Ok(()),
            Some((given, _)) => {
                let names: Vec<&str> = formats.iter().map(|(info, _)| info.name).collect();
                let names = names.join(" or ");
                Err(type_error(format!("the option {given} has no effect on {names} here")))
            }
        }
    }
}

/// Returns the format with an id or extension.
pub(crate) fn format_named<'r>(name: &str, registry: &'r Registry) -> PyResult<&'r dyn Format> {
    registry.by_name(name).ok_or_else(|| {
        let ids: Vec<&str> = registry.formats().map(|format| format.info().id).collect();
        let near = similar(name, ids.iter().copied());
        value_error(format!("unknown format '{name}'{near}; formats are {}", ids.join(", ")))
    })
}

/// Returns the profile with a name.
pub(crate) fn profile_named(name: Option<&str>) -> PyResult<Option<&'static Profile>> {
    let Some(name) = name else { return Ok(None) };
    Profile::by_name(name).map(Some).ok_or_else(|| {
        let names: Vec<&str> = Profile::ALL.iter().map(|profile| profile.name).collect();
        value_error(format!("unknown profile '{name}'; profiles are {}", names.join(", ")))
    })
}
