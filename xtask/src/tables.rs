//! The generated blocks of documents, manifests and code.
//!
//! A block is between the comments `begin generated: NAME` and `end generated: NAME`. Those of
//! Markdown files are generated from the registry, and lists of formats from the manifests of the
//! format crates. Blocks with measurements are left as they are: `cargo xtask perf --page` writes
//! them.

mod campaigns;
mod conversions;
mod json;
mod lines;
mod marks;
mod registrations;
// The table of flags belongs to the command, which has no library.
#[path = "../../crates/cli/src/remedy.rs"]
mod remedy;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use inbetween::core::{Applies, ClipCount, Fate, FormatInfo, Rules};
use inbetween::{Code, Format, Registry};

use self::marks::{Comment, renew};
use crate::shell::{cargo, complain, read, run as shell, tracked_files, write};
use crate::{Outcome, TASKS, only_flag, perf};

pub(crate) fn run(arguments: &[String]) -> Outcome {
    if only_flag(arguments, "--check")? {
        return check();
    }
    if write_all(&registrations::documents()?)? {
        // This program was built without the new lists.
        return shell(&mut cargo(["xtask", "tables"]));
    }
    write_all(&documents()?)?;
    let lines = lines::count()?;
    println!("{} lines of shipped code", lines.shipped);
    println!("{} lines of code in all Rust files outside tests folders", lines.all);
    required()
}

/// Lists blocks that are out of date, and required blocks that are missing.
pub(crate) fn check() -> Outcome {
    for documents in [registrations::documents, documents] {
        let stale = documents()?.into_iter().filter(Document::is_stale);
        let stale: Vec<String> =
            stale.map(|document| document.path.display().to_string()).collect();
        complain(&stale, "these are out of date; run `cargo xtask tables`")?;
    }
    required()
}

/// A file with blocks: its current and its expected text.
struct Document {
    path: PathBuf,
    before: String,
    after: String,
    blocks: Vec<String>,
}

impl Document {
    fn is_stale(&self) -> bool {
        self.before != self.after
    }
}

/// Writes the stale files; returns whether there was one.
fn write_all(documents: &[Document]) -> Result<bool, String> {
    let mut stale = documents.iter().filter(|document| document.is_stale()).peekable();
    let any = stale.peek().is_some();
    for document in stale {
        write(&document.path, &document.after)?;
        println!("{}", document.path.display());
    }
    Ok(any)
}

fn documents() -> Result<Vec<Document>, String> {
    let mut documents = Vec::new();
    for path in tracked_files()? {
        if path.extension().is_some_and(|ending| ending == "md")
            && !path.starts_with("xtask/skeleton")
            && let Some(comment) = Comment::of(&path)
        {
            let before = read(&path)?;
            let mut blocks = Vec::new();
            let after = renew(&before, comment, |name, old| {
                blocks.push(name.to_owned());
                if measured().any(|block| block == name) { Ok(old.to_owned()) } else { block(name) }
            });
            let after = after.map_err(|error| format!("{}: {error}", path.display()))?;
            documents.push(Document { path, before, after, blocks });
        }
    }
    Ok(documents)
}

/// Returns the text of a Markdown file with another body of a block.
pub(crate) fn replace_block(text: &str, name: &str, body: &str) -> Result<String, String> {
    let mut found = false;
    let replaced = renew(text, Comment::MARKDOWN, |block, old| {
        let is_it = block == name;
        found |= is_it;
        Ok(if is_it { body } else { old }.to_owned())
    });
    if found { replaced } else { Err(format!("there is no block {name}")) }
}

/// Returns the names of the blocks with measurements.
fn measured() -> impl Iterator<Item = &'static str> {
    perf::BLOCKS.into_iter().map(|(block, _)| block)
}

/// Checks that every required block is in some document.
fn required() -> Outcome {
    let found: BTreeSet<String> =
        documents()?.into_iter().flat_map(|document| document.blocks).collect();
    let mut needed: Vec<String> = [
        "formats",
        "features",
        "tasks",
        "findings",
        "conversions",
        "conversion-pairs",
        "json",
        "campaigns",
    ]
    .into_iter()
    .chain(measured())
    .map(str::to_owned)
    .collect();
    for format in Registry::with_builtin().formats() {
        needed.push(format!("fields {}", format.info().id));
    }
    needed.retain(|name| !found.contains(name));
    complain(&needed, "no document holds these blocks; see CONTRIBUTING.md")
}

/// Generates the text of a block; it ends with a line feed.
fn block(name: &str) -> Result<String, String> {
    let registry = Registry::with_builtin();
    let format = |id: &str| {
        let format = registry.by_id(id).map(Format::info);
        format.ok_or_else(|| format!("block {name} is of no known format"))
    };
    match name.split_once(' ') {
        None if name == "formats" => Ok(formats(&registry)),
        None if name == "rules" => Ok(rules(&registry)),
        None if name == "features" => features(&registry),
        None if name == "tasks" => Ok(tasks()),
        None if name == "findings" => Ok(findings(&registry)),
        None if name == "conversions" => conversions::features(&registry),
        None if name == "campaigns" => campaigns::totals(),
        None if name == "json" => json::members(),
        None if name == "conversion-pairs" => conversions::pairs(&registry),
        Some(("fields", id)) => Ok(fields(format(id)?)),
        Some(("options", id)) => Ok(options(format(id)?)),
        Some(("findings", id)) => Ok(own_findings(format(id)?)),
        _ => Err(format!("there is no block {name}")),
    }
}

/// Prints a Markdown table.
fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let head: Vec<String> = head.iter().map(|&cell| cell.to_owned()).collect();
    let rule: Vec<String> = head.iter().map(|_| "---".to_owned()).collect();
    let mut text = line(&head) + &line(&rule);
    for row in rows {
        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
        text.push_str(&line(&cells));
    }
    text
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

fn formats(registry: &Registry) -> String {
    let head = ["format", "id", "extension", "what for", "clips", "what is promised", "crate"];
    let row = |format: &dyn Format| {
        let info = format.info();
        let extensions: Vec<String> =
            info.extensions.iter().map(|extension| format!("`.{extension}`")).collect();
        let clips = match info.clips {
            ClipCount::One => "one",
            ClipCount::Many => "many",
        };
        vec![
            info.name.to_owned(),
            code(info.id),
            extensions.join(", "),
            info.summary.to_owned(),
            clips.to_owned(),
            info.promise.to_owned(),
            format!("`inbetween-{}`", info.id),
        ]
    };
    table(&head, registry.formats().map(row))
}

fn rules(registry: &Registry) -> String {
    let row = |format: &dyn Format| {
        let info = format.info();
        let Rules { clock, slerp, first_time, last_bezier, full_turn, stated_duration, .. } =
            info.rules;
        let fields = [
            format!("{clock:?}"),
            format!("{slerp:?}"),
            format!("{first_time:?}"),
            format!("{last_bezier:?}"),
            format!("{full_turn:?}"),
            format!("{stated_duration:?}"),
        ];
        std::iter::once(info.name.to_owned()).chain(fields.map(|field| code(&field))).collect()
    };
    let head = [
        "format",
        "clock",
        "slerp",
        "first time",
        "last Bezier key",
        "full turn",
        "stated duration",
    ];
    table(&head, registry.formats().map(row))
}

/// Generates the list of features of the facade from its manifest.
fn features(registry: &Registry) -> Result<String, String> {
    let manifest = read(Path::new("crates/inbetween/Cargo.toml"))?;
    let (_, section) = manifest.split_once("[features]\n").ok_or("the facade has no features")?;
    let section = section.split("\n[").next().unwrap_or_default();
    let mut comment = None;
    let mut entries: Vec<(&str, &str, Option<&str>)> = Vec::new();
    for line in section.lines() {
        if let Some((name, list)) = line.split_once(" = ") {
            entries.push((name, list, comment.take()));
        } else {
            comment = line.strip_prefix("# ").map(|comment| comment.trim_end_matches('.'));
        }
    }
    entries.sort_unstable();
    let list = |wanted: &str| {
        let entry = entries.iter().find(|(name, ..)| *name == wanted);
        entry.map(|(_, list, _)| *list).unwrap_or_default()
    };
    // The default features turn on all formats.
    let default = [list("default"), list("formats")].concat();
    let added = entries.iter().filter(|(name, ..)| *name != "default");
    let rows = added.map(|(name, list, comment)| {
        let what = match (registry.by_id(name), comment) {
            (Some(format), _) => {
                let module = name.replace('-', "_");
                format!("{}, re-exported as `inbetween::{module}`", format.info().name)
            }
            (None, Some(comment)) => (*comment).to_owned(),
            (None, None) => list.trim_matches(['[', ']']).replace('"', "`"),
        };
        let on = if default.contains(&format!("\"{name}\"")) { "yes" } else { "no" };
        vec![code(name), what, on.to_owned()]
    });
    Ok(table(&["feature", "what it adds", "on by default"], rows))
}

fn tasks() -> String {
    let rows = TASKS.iter().map(|task| {
        let line = format!("cargo xtask {} {}", task.name, task.arguments);
        vec![code(line.trim_end()), task.help.to_owned()]
    });
    table(&["task", "what it does"], rows)
}

fn fields(info: &FormatInfo) -> String {
    let rows = info.fields.iter().map(|field| {
        let fate = match field.fate {
            Fate::Kept(word) => format!("kept as {word}"),
            Fate::Derived(rule) => format!("follows: {rule}"),
            Fate::Reported(code) => format!("lost, reported as `{code}`"),
        };
        vec![field.name.to_owned(), fate]
    });
    table(&["field", "in the common model"], rows)
}

fn options(info: &FormatInfo) -> String {
    let rows = info.options.iter().map(|option| {
        let when = match option.applies {
            Applies::Reading => "reading",
            Applies::Writing => "writing",
            Applies::Both => "reading and writing",
            Applies::Fixing => "fixing",
        };
        let flag = format!("--{} {}", option.name, option.value);
        vec![code(flag.trim_end()), option.help.to_owned(), when.to_owned()]
    });
    table(&["option", "what it does", "when"], rows)
}

/// Lists all codes by owner.
fn findings(registry: &Registry) -> String {
    let shared = inbetween::core::codes::ALL;
    let mut text = section("core", "Of every format", shared);
    text.push_str(&section("", "Of files of several formats", shared));
    text.push_str(&section("convert", "Of conversions", shared));
    text.push_str(&section("edit", "Of edits", inbetween::edit::codes::ALL));
    text.push_str(&section("clip", "Of playback clips", inbetween::clip::codes::ALL));
    for format in registry.formats() {
        let info = format.info();
        text.push_str(&section(info.id, &format!("Of {}", info.name), info.codes));
    }
    text
}

fn section(owner: &str, title: &str, codes: &[Code]) -> String {
    let own = codes.iter().filter(|code| owner_of(**code) == owner);
    format!("## {title}\n\n{}\n", code_table(own))
}

/// Lists the facts about files of a format: its own, and those of several formats.
fn own_findings(info: &FormatInfo) -> String {
    code_table(info.codes.iter().filter(|code| ["", info.id].contains(&owner_of(**code))))
}

/// Returns the part of a code before the slash, or an empty text.
fn owner_of(code: Code) -> &'static str {
    code.id().split_once('/').map_or("", |(owner, _)| owner)
}

fn code_table<'a>(codes: impl Iterator<Item = &'a Code>) -> String {
    let rows = codes.map(|one| {
        let loss = if one.is_loss() { "yes" } else { "" };
        vec![code(one.id()), one.severity().to_string(), loss.to_owned(), remedy::help(*one)]
    });
    table(&["code", "severity", "loss", "what it means and what to do"], rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_unknown_blocks() {
        assert!(block("tasks").is_ok());
        assert!(block("no").is_err());
    }

    #[test]
    fn measurements_stay_until_a_run_replaces_them() {
        let text = |body| {
            format!("a\n<!-- begin generated: speed -->\n{body}<!-- end generated: speed -->\nb\n")
        };
        let kept = renew(&text("1.5x\n"), Comment::MARKDOWN, |_, old| Ok(old.to_owned()));
        assert_eq!(kept.unwrap(), text("1.5x\n"));
        assert_eq!(replace_block(&text("1.5x\n"), "speed", "2x\n").unwrap(), text("2x\n"));
        assert!(replace_block(&text("1.5x\n"), "benchmarks", "2x\n").is_err());
    }

    #[test]
    fn bars_in_cells_are_escaped() {
        let text = table(&["a"], [vec!["x|y".to_owned()]]);
        assert_eq!(text, "| a |\n| --- |\n| x\\|y |\n");
    }
}
