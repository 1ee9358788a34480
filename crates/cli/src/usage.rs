//! Wrong command lines, and the help and versions that a command line requests.

use std::io;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::console::{self, Console};
use crate::exit::Exit;

/// Prints what clap returns instead of arguments: an error, the help or the version.
pub(crate) fn report(mut error: clap::Error, command: &clap::Command) -> Exit {
    if !error.use_stderr() {
        return printed(error.print());
    }
    if let (ErrorKind::InvalidSubcommand, Some(word)) =
        (error.kind(), text(&error, ContextKind::InvalidSubcommand))
    {
        let mut console = Console::new(false);
        let (message, advice) = unknown_command(&word, command);
        console.error(&message);
        console.note(&advice);
        return Exit::Usage;
    }
    correct_suggestions(&mut error, command);
    // The exit code is the report if standard error cannot be written.
    let _ = error.print();
    Exit::Usage
}

/// Returns the exit code for help that was printed.
fn printed(result: io::Result<()>) -> Exit {
    match result {
        // The reader of the help may have closed the pipe.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            console::complain(&format!("standard output: {error}"));
            Exit::Cannot
        }
        _ => Exit::Fine,
    }
}

fn text(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    }
}

/// Returns the message about a word that is not a command, and the advice.
fn unknown_command(word: &str, command: &clap::Command) -> (String, String) {
    let kind = match Path::new(word) {
        path if path.is_dir() => Some("directory"),
        path if path.exists() => Some("file"),
        _ => None,
    };
    if let Some(kind) = kind {
        let message = format!("'{word}' is a {kind}, not a command");
        return (message, format!("To list its contents, run 'inbetween info {word}'."));
    }
    let all = "Run 'inbetween --help' to list the commands.";
    let near = similar_commands(word, command);
    let advice = match near.as_slice() {
        [] => all.to_owned(),
        near => format!("Did you mean {}? {all}", near.join(" or ")),
    };
    (format!("no such command: '{word}'"), advice)
}

/// Returns the commands that a word abbreviates, otherwise those with a similar spelling.
fn similar_commands(word: &str, command: &clap::Command) -> Vec<String> {
    let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    let abbreviated = names.iter().filter(|name| name.starts_with(&word.to_lowercase()));
    let abbreviated: Vec<String> = abbreviated.map(|name| format!("'{name}'")).collect();
    if word.is_empty() || abbreviated.is_empty() {
        let near = inbetween::similar_names(word, names).into_iter();
        return near.map(|name| format!("'{name}'")).collect();
    }
    abbreviated
}

/// Keeps only suggestions with a similar spelling, because clap suggests almost anything, and names
/// the commands that have the option.
///
/// The suggestion to pass an unknown option as a value is dropped too, because no file has such a
/// name.
fn correct_suggestions(error: &mut clap::Error, command: &clap::Command) {
    let pairs = [
        (ContextKind::InvalidArg, ContextKind::SuggestedArg),
        (ContextKind::InvalidValue, ContextKind::SuggestedValue),
    ];
    for (wrong, suggested) in pairs {
        let (Some(wrong), Some(name)) = (text(error, wrong), text(error, suggested)) else {
            continue;
        };
        if inbetween::similar_names(&wrong, [name.as_str()]).is_empty() {
            error.remove(suggested);
        }
    }
    if error.kind() == ErrorKind::UnknownArgument {
        error.remove(ContextKind::Suggested);
        let option = text(error, ContextKind::InvalidArg);
        if let Some(tip) = option.and_then(|option| commands_with(&option, command)) {
            error.remove(ContextKind::SuggestedArg);
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        }
    }
}

/// Returns the names of the commands that have an option.
fn commands_with(option: &str, command: &clap::Command) -> Option<String> {
    let option = option.strip_prefix("--")?;
    let has = |command: &&clap::Command| {
        command.get_arguments().any(|argument| argument.get_long() == Some(option))
    };
    let with = command.get_subcommands().filter(has);
    let with: Vec<String> = with.map(|command| format!("'{}'", command.get_name())).collect();
    match with.as_slice() {
        [] => None,
        [only] => Some(format!("only the command {only} has this option")),
        [most @ .., last] => {
            Some(format!("only the commands {} and {last} have this option", most.join(", ")))
        }
    }
}
