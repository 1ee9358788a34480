//! The crates that hold a format, as their manifests state it.
//!
//! Everything that lists formats is generated from these facts. They do not come from the registry,
//! because a new crate is in the registry only after the lists are generated.

use serde_json::Value;

use crate::shell::metadata;

/// A crate whose manifest has a table `[package.metadata.inbetween]`.
#[derive(Debug)]
pub(crate) struct FormatCrate {
    /// The id of the format, which is also the name of its folder.
    pub(crate) id: String,
    /// The type of the format value: `Seanim`.
    pub(crate) type_name: String,
    /// Whether its files are text.
    pub(crate) is_text: bool,
    /// The lowercase words that name its engine.
    pub(crate) engine: Vec<String>,
    /// The version of the package.
    pub(crate) version: String,
    /// Whether the crate has a text form, behind the feature `text`.
    pub(crate) has_text: bool,
}

impl FormatCrate {
    /// Returns the id as a Rust identifier: `x4_ani`.
    pub(crate) fn module(&self) -> String {
        self.id.replace('-', "_")
    }

    fn from_package(package: &Value) -> Result<Option<Self>, String> {
        let Some(facts) = package.pointer("/metadata/inbetween") else { return Ok(None) };
        let name = package.get("name").and_then(Value::as_str).unwrap_or_default();
        let missing = |what: &str| format!("the manifest of {name} lacks {what}");
        let id = name.strip_prefix("inbetween-").ok_or_else(|| missing("the prefix of names"))?;
        let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
        let engine = facts.get("engine").and_then(Value::as_array);
        let engine = engine.into_iter().flatten().filter_map(|word| text(Some(word))).collect();
        Ok(Some(Self {
            id: id.to_owned(),
            type_name: text(facts.get("format")).ok_or_else(|| missing("its format"))?,
            is_text: facts.get("encoding").is_some_and(|encoding| encoding == "text"),
            engine,
            version: text(package.get("version")).ok_or_else(|| missing("a version"))?,
            has_text: package.pointer("/features/text").is_some(),
        }))
    }
}

/// Returns the crates of all formats, sorted by id.
pub(crate) fn all() -> Result<Vec<FormatCrate>, String> {
    let metadata = metadata(&["--no-deps"])?;
    let packages = metadata.get("packages").and_then(Value::as_array).into_iter().flatten();
    let mut crates = Vec::new();
    for package in packages {
        crates.extend(FormatCrate::from_package(package)?);
    }
    crates.sort_by(|one, other| one.id.cmp(&other.id));
    Ok(crates)
}

#[cfg(test)]
mod tests {
    use inbetween::Registry;

    use super::all;

    #[test]
    fn the_manifests_name_the_formats_of_the_registry() {
        let named: Vec<String> = all().unwrap().into_iter().map(|format| format.id).collect();
        let registry = Registry::with_builtin();
        let built: Vec<&str> = registry.formats().map(|format| format.info().id).collect();
        assert_eq!(named, built);
    }
}
