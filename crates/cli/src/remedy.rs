//! The command-line flags for the remedies of findings and errors.

use inbetween::Code;
use inbetween::core::Remedy;

/// Returns the flags or commands of a remedy: `check --fix`.
pub(crate) fn flag(remedy: Remedy) -> String {
    match remedy {
        Remedy::Check => "`inbetween check` lists all problems".to_owned(),
        Remedy::Fix => "check --fix".to_owned(),
        Remedy::Option("nan") => "check --fix --nan".to_owned(),
        Remedy::Option(name) => format!("--{name}"),
        Remedy::Edit(name) => format!("edit --{}", edit(name)),
        Remedy::TextForm => "unpack and pack".to_owned(),
        Remedy::RaiseLimit => "--max-decoded".to_owned(),
        Remedy::RaiseInputLimit => "--max-input".to_owned(),
        other => format!("{other:?}"),
    }
}

/// Returns the flag of an edit, without its dashes.
fn edit(name: &str) -> String {
    match name {
        "fill" | "relate" | "resolve" => format!("{name} --skeleton"),
        "set_frame_rate" => "set-fps".to_owned(),
        other => other.replace('_', "-"),
    }
}

/// Returns the flags of all remedies of a code.
pub(crate) fn flags(code: Code) -> Vec<String> {
    code.remedies().iter().copied().map(flag).collect()
}

/// Returns the explanation of a code with the flags of its remedies.
pub(crate) fn help(code: Code) -> String {
    let quoted = |flag: &String| format!("`{}`", flag.replace(" and ", "` and `"));
    let flags: Vec<String> = flags(code).iter().map(quoted).collect();
    match flags.as_slice() {
        [] => code.help().to_owned(),
        flags => format!("{} On the command line: {}.", code.help(), flags.join(", ")),
    }
}
