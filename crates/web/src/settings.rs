//! The options of calls, which arrive as JSON.

use std::collections::BTreeMap;

use inbetween::core::{Applies, FormatInfo};
use inbetween::edit::MapOptions;
use inbetween::{Finding, Limits, Registry, refused_losses, similar_names};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::failure::Failure;
use crate::{format_named, profile_named};

/// The bytes that a page can spend on a file and on its keys.
const LARGEST: u64 = 256 << 20;

/// Parses the options of a call.
pub(crate) fn parse<T: DeserializeOwned>(json: &str) -> Result<T, Failure> {
    serde_json::from_str(json).map_err(|error| Failure::usage(format!("options: {error}")))
}

/// Options of formats, by their names.
pub(crate) type FormatOptions = BTreeMap<String, Value>;

/// How a file is read.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ReadSettings {
    /// The name of the file.
    pub(crate) name: Option<String>,
    /// The id of its format.
    pub(crate) format: Option<String>,
    options: FormatOptions,
    max_input: Option<u64>,
    max_decoded: Option<u64>,
    /// The name of a program.
    pub(crate) profile: Option<String>,
}

impl ReadSettings {
    pub(crate) fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        limits.input_bytes = self.max_input.unwrap_or(LARGEST);
        limits.decoded_bytes = Some(self.max_decoded.unwrap_or(LARGEST));
        limits
    }

    pub(crate) fn registry(&self) -> Result<Registry, Failure> {
        set(&self.options, Registry::with_builtin().with_limits(self.limits()))
    }

    /// Fails for an option without effect on reading a format.
    pub(crate) fn check(&self, format: &FormatInfo) -> Result<(), Failure> {
        check(&self.options, format, Applies::affects_reading)
    }
}

/// How a file is written.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct WriteSettings {
    /// The name of the only clip to write, or its number such as `#2`.
    pub(crate) clip: Option<String>,
    options: FormatOptions,
    axes: Option<String>,
    unit: Option<String>,
    profile: Option<String>,
    strict: bool,
    allow: Vec<String>,
}

impl WriteSettings {
    /// Returns the formats with these options for the one to write.
    pub(crate) fn registry(&self, to: &str, limits: &Limits) -> Result<Registry, Failure> {
        let mut registry = Registry::with_builtin().with_limits(limits.clone());
        let info = format_named(to, &registry)?.info();
        check(&self.options, info, Applies::affects_writing)?;
        if let Some(profile) = profile_named(self.profile.as_deref(), info)? {
            for (name, value) in profile.options_of(info) {
                registry = with_option(registry, name, value)?;
            }
        }
        set(&self.options, registry)
    }

    pub(crate) fn mapping(&self) -> Result<MapOptions, Failure> {
        let mut options = MapOptions::default();
        if let Some(axes) = &self.axes {
            let wrong = |error: String| Failure::usage(format!("axes: {error}"));
            options.axes = axes.parse().map_err(wrong)?;
        }
        if let Some(unit) = &self.unit {
            let wrong = |error: String| Failure::usage(format!("unit: {error}"));
            options.unit = unit.parse().map_err(wrong)?;
        }
        Ok(options)
    }

    /// Fails if strict writing does not accept a loss.
    pub(crate) fn refuse_losses(&self, findings: &[Finding]) -> Result<(), Failure> {
        if !self.strict {
            return Ok(());
        }
        let refused = refused_losses(findings, &self.allow)?;
        match refused.as_slice() {
            [] => Ok(()),
            [first, ..] => {
                let count = refused.len();
                let losses = if count == 1 { "1 loss" } else { &format!("{count} losses") };
                Err(Failure::refused(format!("{losses}, strict allows none: {}", first.message)))
            }
        }
    }
}

/// Sets options in all formats that have them.
fn set(options: &FormatOptions, registry: Registry) -> Result<Registry, Failure> {
    options.iter().try_fold(registry, |registry, (name, value)| match value {
        Value::String(text) => with_option(registry, name, text),
        value => with_option(registry, name, &value.to_string()),
    })
}

fn with_option(registry: Registry, name: &str, value: &str) -> Result<Registry, Failure> {
    registry.with_option(name, value).map_err(|error| Failure::usage(error.to_string()))
}

/// Fails for an option that a format does not have for this use.
fn check(
    options: &FormatOptions,
    format: &FormatInfo,
    affects: fn(Applies) -> bool,
) -> Result<(), Failure> {
    let own = || format.options.iter().filter(|option| affects(option.applies));
    let unused = options.keys().find(|name| !own().any(|option| option.name == **name));
    let Some(name) = unused else { return Ok(()) };
    let what = format!("option of {}", format.name);
    Err(Failure::unknown(&what, name, &similar_names(name, own().map(|option| option.name))))
}
