//! Standard output and standard error.

use std::collections::HashSet;
use std::io::{self, BufWriter, IsTerminal, Write};

use clap::builder::styling::{AnsiColor, Style};
use inbetween::core::printable;

use crate::exit::Failure;

/// Writes results to `out` and everything else to standard error.
#[derive(Debug)]
pub(crate) struct Console {
    pub(crate) out: Output,
    /// Whether results are colored.
    pub(crate) paint: Paint,
    errors: Paint,
    /// Whether only results and errors are printed.
    quiet: bool,
    /// The lines that are printed once in all.
    said: HashSet<String>,
}

/// Standard output. After its reader has closed it, further output is dropped.
#[derive(Debug)]
pub(crate) struct Output {
    inner: BufWriter<io::Stdout>,
    closed: bool,
}

impl Output {
    /// Returns whether the reader has closed standard output.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    fn quietly<T>(&mut self, result: io::Result<T>, closed: T) -> io::Result<T> {
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(closed)
            }
            other => other,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.closed {
            return Ok(bytes.len());
        }
        let result = self.inner.write(bytes);
        self.quietly(result, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        let result = self.inner.flush();
        self.quietly(result, ())
    }
}

impl Console {
    pub(crate) fn new(quiet: bool) -> Self {
        Self {
            out: Output { inner: BufWriter::new(io::stdout()), closed: false },
            paint: Paint::on(&io::stdout()),
            errors: Paint::on(&io::stderr()),
            quiet,
            said: HashSet::new(),
        }
    }

    /// Returns whether the reader has closed standard output.
    pub(crate) fn is_closed(&self) -> bool {
        self.out.is_closed()
    }

    /// Prints a line of the result.
    pub(crate) fn line(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")
    }

    /// Returns whether only results and errors are printed.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Prints a line about the work done; it is the result unless `--quiet` is given.
    pub(crate) fn status(&mut self, line: &str) -> io::Result<()> {
        if self.quiet { Ok(()) } else { self.line(line) }
    }

    /// Returns whether a line about all inputs is new.
    pub(crate) fn is_new(&mut self, line: &str) -> bool {
        self.said.insert(line.to_owned())
    }

    /// Prints an error.
    pub(crate) fn error(&mut self, message: &str) {
        let label = self.errors.error("error:");
        self.say(&format!("{label} {}", printable(message)));
    }

    /// Prints a note about a failure or a batch.
    pub(crate) fn note(&mut self, message: &str) {
        if !self.quiet {
            self.say(&printable(message).to_string());
        }
    }

    /// Prints a report with the colors of standard error.
    pub(crate) fn report(&mut self, make: impl FnOnce(Paint) -> String) {
        if !self.quiet {
            let text = make(self.errors);
            self.say(text.trim_end_matches('\n'));
        }
    }

    fn say(&mut self, text: &str) {
        // On a terminal, earlier output must appear first.
        let _ = self.out.flush();
        // Standard error has no buffer, and lines of other processes may come between two writes.
        let _ = io::stderr().lock().write_all(format!("{text}\n").as_bytes());
    }

    /// Flushes the output.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        self.out.flush().map_err(|error| Failure::of_stdout(&error))
    }
}

/// Prints an error without a console.
pub(crate) fn complain(message: &str) {
    let _ = writeln!(io::stderr().lock(), "error: {}", printable(message));
}

/// Whether text is colored.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Paint {
    Plain,
    Coloured,
}

impl Paint {
    /// Colors are used only on a terminal, and not if `NO_COLOR` is set.
    fn on(stream: &impl IsTerminal) -> Self {
        let forbidden = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        if stream.is_terminal() && !forbidden { Self::Coloured } else { Self::Plain }
    }

    fn style(self, style: Style, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Coloured => format!("{style}{text}{style:#}"),
        }
    }

    /// Formats an error.
    pub(crate) fn error(self, text: &str) -> String {
        self.style(AnsiColor::Red.on_default().bold(), text)
    }

    /// Formats a warning.
    pub(crate) fn warning(self, text: &str) -> String {
        self.style(AnsiColor::Yellow.on_default().bold(), text)
    }

    /// Formats a heading.
    pub(crate) fn heading(self, text: &str) -> String {
        self.style(Style::new().bold(), text)
    }

    /// Formats less important text.
    pub(crate) fn quiet(self, text: &str) -> String {
        self.style(Style::new().dimmed(), text)
    }
}
