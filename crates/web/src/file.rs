//! Files: their content, their problems, and reading them.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use inbetween::core::{Neighbors, inspect_fully, num, shown};
use inbetween::files::{Expected, hint_of};
use inbetween::json::{Clip, Facts, FindingAt};
use inbetween::{Finding, Format, Limits, ReadError, ReadErrorKind, Reading, Registry, Snippet};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::document::Document;
use crate::failure::Failure;
use crate::settings::{ReadSettings, parse};
use crate::{format_named, profile_named, to_json};

/// The bytes of a file, and how they are read.
#[wasm_bindgen]
#[derive(Debug)]
pub struct File {
    bytes: Vec<u8>,
    settings: ReadSettings,
    neighbors: Arc<Given>,
}

/// A fixed file.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Fixed {
    bytes: Vec<u8>,
    edits: u64,
    findings: String,
}

/// What a file contains.
#[derive(Serialize)]
struct Overview<'a> {
    format: &'static str,
    bytes: u64,
    layout: Option<&'a str>,
    facts: Facts<'a>,
    clips: Vec<Clip<'a>>,
    findings: Vec<FindingAt<'a>>,
}

/// A finding, what fixes it, and the line around it.
#[derive(Serialize)]
struct Problem<'a> {
    #[serde(flatten)]
    finding: FindingAt<'a>,
    fix: Option<&'a str>,
    snippet: Option<SnippetAt>,
}

/// A line, with a number of characters before the place.
#[derive(Serialize)]
struct SnippetAt {
    line: u64,
    text: String,
    column: usize,
}

#[wasm_bindgen]
impl File {
    /// Takes the bytes of a file and JSON of how they are read.
    ///
    /// # Errors
    ///
    /// If the JSON has a wrong value.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: Vec<u8>, settings: &str) -> Result<Self, Failure> {
        Ok(Self { bytes, settings: parse(settings)?, neighbors: Arc::default() })
    }

    /// Adds a file beside it, by the name by which it refers to it.
    #[wasm_bindgen(js_name = addNeighbor)]
    pub fn add_neighbor(&mut self, name: String, bytes: Vec<u8>) {
        Arc::make_mut(&mut self.neighbors).0.insert(name, bytes);
    }

    /// Returns the id of its format.
    ///
    /// # Errors
    ///
    /// If no format recognizes the bytes.
    pub fn detect(&self) -> Result<String, Failure> {
        self.open(|format, _| Ok(format.info().id.to_owned()))
    }

    /// Returns what it contains, without its keys.
    ///
    /// # Errors
    ///
    /// If it is not a file of its format.
    pub fn inspect(&self) -> Result<String, Failure> {
        self.open(|format, limits| {
            let seen = inspect_fully(format, &self.bytes, limits)?;
            Ok(to_json(&Overview {
                format: format.info().id,
                bytes: num::u64_from_len(self.bytes.len()),
                layout: Some(seen.value.layout.as_str()).filter(|layout| !layout.is_empty()),
                facts: Facts(&seen.value.facts),
                clips: seen.value.clips.iter().map(|clip| Clip::new(clip, &[])).collect(),
                findings: seen.findings.iter().map(FindingAt::from).collect(),
            }))
        })
    }

    /// Returns what is wrong with it.
    ///
    /// # Errors
    ///
    /// If it is too far from a file of its format to be checked.
    pub fn check(&self) -> Result<String, Failure> {
        self.open(|format, limits| {
            let profile = profile_named(self.settings.profile.as_deref(), format.info())?;
            let findings = inbetween::check(format, &self.bytes, profile, limits)?;
            Ok(problems(&findings, &self.bytes))
        })
    }

    /// Fixes what can be fixed.
    ///
    /// # Errors
    ///
    /// Fails like [`check`](Self::check).
    pub fn fix(&self) -> Result<Fixed, Failure> {
        self.open(|format, limits| {
            let fixed = inbetween::fix(format, &self.bytes, limits, |_| true)?;
            let findings = inbetween::check(format, &fixed.bytes, None, limits)?;
            let findings = problems(&findings, &fixed.bytes);
            Ok(Fixed { bytes: fixed.bytes, edits: fixed.edits, findings })
        })
    }

    /// Reads all of it.
    ///
    /// # Errors
    ///
    /// If it is not a file of its format, or exceeds the limits.
    pub fn read(&self) -> Result<Document, Failure> {
        let name = self.settings.name.as_deref().map(Path::new).and_then(Path::file_stem);
        let name = name.map(|stem| stem.to_string_lossy().into_owned());
        self.open(|format, limits| {
            let reading = Reading::new(format, &self.bytes, limits)?;
            Ok(Document::new(reading, name, limits.clone()))
        })
    }
}

impl File {
    /// Finds the format, and calls `then` with it.
    fn open<T>(
        &self,
        then: impl FnOnce(&dyn Format, &Limits) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let registry = self.settings.registry()?;
        let format = self.format(&registry)?;
        self.settings.check(format.info())?;
        let located = format.beside(self.neighbors.clone());
        then(located.as_deref().unwrap_or(format), registry.limits())
    }

    fn format<'r>(&self, registry: &'r Registry) -> Result<&'r dyn Format, Failure> {
        let wanted = self.settings.format.as_deref();
        let wanted = wanted.map(|name| format_named(name, registry)).transpose()?;
        let expected = wanted.map_or(Expected::AnyFormat, Expected::Format);
        registry.check_length(&self.bytes, expected)?;
        if let Some(format) = wanted {
            return Ok(format);
        }
        let name = self.settings.name.as_deref().unwrap_or_default();
        Ok(registry.detect(&self.bytes, &hint_of(name.as_ref()))?.format)
    }
}

#[wasm_bindgen]
impl Fixed {
    /// Returns the bytes of the file, once.
    #[wasm_bindgen(js_name = takeBytes)]
    pub fn take_bytes(&mut self) -> Vec<u8> {
        core::mem::take(&mut self.bytes)
    }

    /// Returns the number of changes.
    #[wasm_bindgen(getter)]
    pub fn edits(&self) -> f64 {
        num::f64_from_u64(self.edits)
    }

    /// Returns what is left.
    #[wasm_bindgen(getter)]
    pub fn findings(&self) -> String {
        self.findings.clone()
    }
}

fn problems(findings: &[Finding], bytes: &[u8]) -> String {
    let line = |it: Snippet| SnippetAt { line: it.line, text: it.text, column: it.before };
    let problems = findings.iter().map(|finding| Problem {
        finding: FindingAt::from(finding),
        fix: finding.fix.as_ref().map(|fix| fix.title.as_ref()),
        snippet: Snippet::of(finding, bytes).map(line),
    });
    to_json(&problems.collect::<Vec<_>>())
}

/// The files beside a file that were given with it.
#[derive(Clone, Debug, Default)]
struct Given(HashMap<String, Vec<u8>>);

impl Neighbors for Given {
    fn load(&self, path: &str, _limit: u64) -> Result<Vec<u8>, ReadError> {
        self.0.get(path).cloned().ok_or_else(|| {
            let what = format!("the file \"{}\" was not given", shown(path));
            ReadError::new(ReadErrorKind::Missing { what: what.into() })
        })
    }
}
