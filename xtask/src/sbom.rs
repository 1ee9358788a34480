//! The software bill of materials of a program: `CycloneDX` 1.5 as JSON.
//!
//! It has no time and no serial number, which are optional, so that the same sources give the same file.
//! `cargo cyclonedx` writes both, and folders of the machine.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};

use crate::Outcome;
use crate::licenses::{Other, Package, Parts};
use crate::shell::{self, failed};

#[derive(Debug, Serialize)]
struct Component<'p> {
    r#type: &'p str,
    #[serde(rename = "bom-ref", skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    name: &'p str,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<&'p str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hashes: Option<Value>,
    licenses: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    purl: Option<String>,
}

/// Writes the bill of materials of a program.
pub(crate) fn write(path: &Path, parts: &Parts) -> Outcome {
    let lock = fs::read_to_string(&parts.lock).map_err(|error| failed(&parts.lock, &error))?;
    let printed = serde_json::to_string_pretty(&bill(parts, &lock)?);
    shell::write(path, &(printed.map_err(|error| error.to_string())? + "\n"))
}

fn bill(parts: &Parts, lock: &str) -> Result<Value, String> {
    let checksums = checksums(lock);
    let mut components = BTreeMap::new();
    let mut dependencies = BTreeMap::new();
    for package in parts.packages.values() {
        let reference = purl(package);
        let needs = package.needs.iter().filter_map(|id| parts.packages.get(id));
        let mut needs: Vec<_> = needs.map(purl).collect();
        needs.sort();
        dependencies.insert(reference.clone(), json!({ "ref": reference, "dependsOn": needs }));
        components.insert(reference, component(package, &checksums)?);
    }
    let program = parts.packages.get(&parts.program).map(purl).unwrap_or_default();
    let command = components.remove(&program).ok_or("the program is none of its parts")?;
    let command = Component { r#type: "application", ..command };
    let others = parts.others.iter().map(other);
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": command },
        "components": components.into_values().chain(others).collect::<Vec<_>>(),
        "dependencies": dependencies.into_values().collect::<Vec<_>>(),
    }))
}

/// Returns the package URL, which also identifies the package within the file.
fn purl(package: &Package) -> String {
    // A plus sign begins the build metadata of a version, and means a space to some readers of URLs.
    format!("pkg:cargo/{}@{}", package.name, package.version.replace('+', "%2B"))
}

fn component<'p>(
    package: &'p Package,
    checksums: &BTreeMap<[&str; 2], &str>,
) -> Result<Component<'p>, String> {
    let Package { name, version, license, .. } = package;
    let checksum = checksums.get(&[name.as_str(), version.as_str()]);
    if package.is_foreign && checksum.is_none() {
        return Err(format!("{name} {version} has no checksum"));
    }
    Ok(Component {
        r#type: "library",
        reference: Some(purl(package)),
        name,
        version: Some(version),
        hashes: checksum.map(|checksum| json!([{ "alg": "SHA-256", "content": checksum }])),
        // Old packages separate licenses with a slash, which SPDX does not know.
        licenses: json!([{ "expression": license.replace('/', " OR ") }]),
        purl: Some(purl(package)),
    })
}

fn other(part: &Other) -> Component<'_> {
    Component {
        r#type: part.kind,
        reference: None,
        name: part.name,
        version: part.version.as_deref(),
        hashes: None,
        licenses: json!([{ "expression": part.license }]),
        purl: None,
    }
}

/// Returns the checksums in a lock file by name and version.
fn checksums(lock: &str) -> BTreeMap<[&str; 2], &str> {
    let packages = lock.split("[[package]]").filter_map(|package| {
        let field = |name: &str| {
            let lines = package.lines().filter_map(|line| line.split_once(" = "));
            let mut values = lines.filter(|(key, _)| *key == name).map(|(_, value)| value);
            values.next().map(|value| value.trim_matches('"'))
        };
        Some(([field("name")?, field("version")?], field("checksum")?))
    });
    packages.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::licenses::COMMAND;
    use crate::shell::root;

    #[test]
    fn the_command_has_all_packages_with_their_checksums() {
        let parts = COMMAND.parts().unwrap();
        let lock = fs::read_to_string(root().join("Cargo.lock")).unwrap();
        let bill = bill(&parts, &lock).unwrap();
        assert_eq!(bill["metadata"]["component"]["purl"], "pkg:cargo/inbetween-cli@0.1.0");
        let components = bill["components"].as_array().unwrap();
        assert_eq!(components.len() + 1, parts.packages.len() + parts.others.len());
        let named = |name: &str| components.iter().find(|it| it["name"] == name).unwrap();
        let nom = &named("nom")["hashes"][0]["content"];
        let locked = lock.split("[[package]]").find(|it| it.contains("name = \"nom\"\n"));
        assert!(locked.unwrap().contains(&format!("checksum = {nom}\n")), "{nom}");
        assert!(named("inbetween-core").get("hashes").is_none());
        assert_eq!(named("DejaVuSansMono")["version"], "2.37");
        let dependencies = bill["dependencies"].as_array().unwrap();
        let core = dependencies.iter().find(|it| it["ref"] == "pkg:cargo/inbetween-core@0.1.0");
        let needs = core.unwrap()["dependsOn"].as_array().unwrap();
        assert!(needs.iter().any(|it| *it == "pkg:cargo/nom@8.0.0"), "{needs:?}");
        assert!(!bill.to_string().contains(&root().display().to_string()));
    }

    #[test]
    fn a_package_from_outside_needs_a_checksum() {
        let parts = COMMAND.parts().unwrap();
        let error = bill(&parts, "").unwrap_err();
        assert!(error.ends_with(" has no checksum"), "{error}");
    }
}
