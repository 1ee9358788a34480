//! The tables of conversions from every format to every other.

use inbetween::{Animation, Registry};
use inbetween_testing::cases::{self, CaseKind, FormatCases};
use inbetween_testing::conversions::{FEATURES, Fate, Feature};

use super::{code, table};

/// A format with the clips of its fixtures.
struct Source {
    format: &'static FormatCases,
    name: &'static str,
    clips: Vec<Animation>,
}

impl Source {
    fn has(&self, feature: &Feature) -> bool {
        self.clips.iter().any(|clip| feature.is_in(clip))
    }
}

fn sources(registry: &Registry) -> Result<Vec<Source>, String> {
    let source = |format: &'static FormatCases| {
        let reader = registry.by_id(format.id);
        let reader = reader.ok_or_else(|| format!("there is no format {}", format.id))?;
        let mut clips = Vec::new();
        let cases = cases::of(format.id).into_iter();
        for case in cases.filter(|case| case.kind == CaseKind::Ok) {
            let read = reader.read(&case.bytes, registry.limits());
            clips.extend(read.map_err(|error| error.to_string())?.value.clips);
        }
        Ok(Source { format, name: reader.info().name, clips })
    };
    cases::targets().map(source).collect()
}

/// Generates the table of all features.
pub(super) fn features(registry: &Registry) -> Result<String, String> {
    let sources = sources(registry)?;
    let mut head = vec!["feature of a clip", "in files of"];
    head.extend(sources.iter().map(|source| source.name));
    let cell = |fate: Fate| match fate {
        Fate::Kept => "kept".to_owned(),
        Fate::Becomes { what, code: id } => format!("becomes {what}, {}", code(id)),
        Fate::Dropped(id) => format!("dropped, {}", code(id)),
        Fate::Elsewhere => "-".to_owned(),
    };
    let rows = FEATURES.iter().map(|feature| {
        let with = sources.iter().filter(|source| source.has(feature));
        let with: Vec<&str> = with.map(|source| source.name).collect();
        let mut row = vec![feature.name.to_owned(), with.join(", ")];
        row.extend(cases::targets().map(|to| cell(feature.fate(to))));
        row
    });
    Ok(table(&head, rows))
}

/// Generates the table of all pairs of formats.
pub(super) fn pairs(registry: &Registry) -> Result<String, String> {
    let sources = sources(registry)?;
    let mut rows = Vec::new();
    for from in &sources {
        for to in &sources {
            let names = |wanted: fn(&Fate) -> bool| {
                let on = FEATURES.iter().filter(|feature| from.has(feature));
                let on = on.filter(|feature| wanted(&feature.fate(to.format)));
                let names: Vec<&str> = on.map(|feature| feature.name).collect();
                if names.is_empty() { "nothing".to_owned() } else { names.join("; ") }
            };
            rows.push(vec![
                format!("{} to {}", from.name, to.name),
                names(|fate| matches!(fate, Fate::Kept)),
                names(|fate| matches!(fate, Fate::Becomes { .. })),
                names(|fate| matches!(fate, Fate::Dropped(_))),
            ]);
        }
    }
    Ok(table(&["from and to", "kept", "becomes something else", "dropped"], rows))
}
