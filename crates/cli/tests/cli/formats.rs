//! What the messages of the tool list, taken from the registry so that it includes new formats.

use inbetween::{Format, Registry};

/// Playback clips, which the tool reads and writes beside the formats of the registry.
const CLIP: (&str, &str) = ("clip", "playback clip");

/// Returns the ids of all formats: `animj, animx, clip`.
pub(crate) fn ids() -> String {
    let mut ids = of_formats(|format| Some(format.info().id));
    ids.push(CLIP.0);
    ids.join(", ")
}

/// Returns the names of all formats: `AnimJ, AnimX or playback clip`.
pub(crate) fn names() -> String {
    let names = of_formats(|format| Some(format.info().name));
    format!("{} or {}", names.join(", "), CLIP.1)
}

/// Returns the ids of the formats with a text form: `animx, cast`.
pub(crate) fn with_text() -> String {
    of_formats(|format| format.text().map(|_| format.info().id)).join(", ")
}

/// Returns the names of the formats with an option.
pub(crate) fn with_option(name: &str) -> Vec<&'static str> {
    let names = of_formats(|format| {
        let info = format.info();
        info.options.iter().any(|option| option.name == name).then_some(info.name)
    });
    assert!(!names.is_empty(), "no format has the option {name}");
    names
}

fn of_formats(fact: impl Fn(&dyn Format) -> Option<&'static str>) -> Vec<&'static str> {
    Registry::with_builtin().formats().filter_map(fact).collect()
}
