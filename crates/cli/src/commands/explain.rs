//! `inbetween explain`.

use std::io;

use inbetween::{Code, Registry};

use crate::args::ExplainArgs;
use crate::codes;
use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::json::{CodeRow, List};
use crate::remedy;

pub(crate) fn run(
    args: &ExplainArgs,
    registry: &Registry,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let patterns = args.codes.iter().map(|text| codes::pattern(text, registry));
    let patterns = patterns.collect::<Result<Vec<_>, _>>()?;
    let mut found = registry.codes();
    found.retain(|code| patterns.iter().any(|pattern| pattern.matches(code.id())));
    let printed = if args.json { json(&found, console) } else { text(&found, console) };
    printed.map(|()| Exit::Fine).map_err(|error| Failure::of_stdout(&error))
}

fn json(found: &[Code], console: &mut Console) -> io::Result<()> {
    let mut list = List::default();
    for code in found {
        list.push(&CodeRow::from(*code), &mut console.out)?;
    }
    list.end(&mut console.out)
}

fn text(found: &[Code], console: &mut Console) -> io::Result<()> {
    for code in found {
        let heading = console.paint.heading(code.id());
        let nature = if code.is_loss() { "loss, " } else { "" };
        console.line(&format!("{heading} ({nature}{})", code.severity()))?;
        for line in wrapped(code.help()) {
            console.line(&format!("  {line}"))?;
        }
        let flags = remedy::flags(*code);
        if !flags.is_empty() {
            console.line(&format!("  On the command line: {}", flags.join(", ")))?;
        }
    }
    Ok(())
}

/// The largest number of characters in a line of help.
const WIDTH: usize = 98;

/// Wraps text at spaces.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.len() + word.len() < WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_blanks() {
        let text = format!("{} {} b", "a".repeat(60), "c".repeat(40));
        assert_eq!(wrapped(&text), ["a".repeat(60), format!("{} b", "c".repeat(40))]);
    }
}
