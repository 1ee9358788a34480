//! The library as WebAssembly.
//!
//! JavaScript gets numbers as typed arrays and everything else as JSON; `npm/src` makes typed objects
//! of both. Errors are thrown as JSON too. Every object owns its bytes, and nothing is kept between
//! calls.

mod document;
mod edits;
mod failure;
mod file;
mod picture;
mod player;
mod settings;

use inbetween::core::FormatInfo;
use inbetween::json::FormatRow;
use inbetween::{Format, Profile, Registry, similar_names};
use serde::Serialize;
use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;

use self::failure::Failure;

pub use self::document::{Document, Written};
pub use self::file::{File, Fixed};
pub use self::player::Player;

/// Returns the known formats.
#[wasm_bindgen]
pub fn formats() -> String {
    let registry = Registry::with_builtin();
    let rows = registry.formats().map(Format::info).map(FormatRow::from);
    to_json(&rows.collect::<Vec<_>>())
}

/// Returns the programs with wishes of their own.
#[wasm_bindgen]
pub fn profiles() -> String {
    let row = |it: &Profile| json!({"name": it.name, "program": it.program, "formats": it.formats});
    to_json(&Profile::ALL.iter().map(row).collect::<Vec<_>>())
}

/// Returns what a code of findings means.
///
/// # Errors
///
/// If there is no such code; the error names similar ones.
#[wasm_bindgen]
pub fn explain(code: &str) -> Result<String, Failure> {
    let codes = Registry::with_builtin().codes();
    let Some(known) = codes.iter().find(|known| known.id() == code) else {
        let near = similar_names(code, codes.iter().map(|known| known.id()));
        return Err(Failure::unknown("code", code, &near));
    };
    Ok(to_json(&json!({
        "code": known.id(),
        "severity": known.severity().name(),
        "loss": known.is_loss(),
        "help": known.help(),
    })))
}

/// Returns the format with an id or extension.
fn format_named<'r>(name: &str, registry: &'r Registry) -> Result<&'r dyn Format, Failure> {
    registry.by_name(name).ok_or_else(|| {
        let ids = registry.formats().map(|format| format.info().id);
        Failure::unknown("format", name, &similar_names(name, ids))
    })
}

/// Returns a program that reads files of a format.
fn profile_named(name: Option<&str>, of: &FormatInfo) -> Result<Option<&'static Profile>, Failure> {
    let Some(name) = name else { return Ok(None) };
    let Some(profile) = Profile::by_name(name) else {
        let names = Profile::ALL.iter().map(|profile| profile.name);
        return Err(Failure::unknown("profile", name, &similar_names(name, names)));
    };
    if !profile.concerns(of) {
        let (program, name) = (profile.program, of.name);
        return Err(Failure::usage(format!("{program} does not read {name} files")));
    }
    Ok(Some(profile))
}

/// Returns a value as JSON. Numbers that are not finite are null.
fn to_json(value: &impl Serialize) -> String {
    // The values have only names as keys, so nothing fails.
    serde_json::to_string(value).unwrap_or_default()
}
