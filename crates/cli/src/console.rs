//! The standard output and the standard error.

use std::io::{self, BufWriter, IsTerminal, Write};

use clap::builder::styling::{AnsiColor, Style};
use inbetween::core::printable;

use crate::exit::Failure;

/// Results go to `out`, everything else to the standard error.
#[derive(Debug)]
pub(crate) struct Console {
    pub(crate) out: Output,
    /// How results are coloured.
    pub(crate) paint: Paint,
    errors: Paint,
}

/// The standard output; once the reader has gone, what is written to it is dropped.
#[derive(Debug)]
pub(crate) struct Output {
    inner: BufWriter<io::Stdout>,
    closed: bool,
}

impl Output {
    /// Says whether nobody reads the standard output any more.
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
    pub(crate) fn new() -> Self {
        Self {
            out: Output { inner: BufWriter::new(io::stdout()), closed: false },
            paint: Paint::on(&io::stdout()),
            errors: Paint::on(&io::stderr()),
        }
    }

    /// Says whether nobody reads the standard output any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.out.is_closed()
    }

    /// Prints a line of the result.
    pub(crate) fn line(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")
    }

    /// Says why something failed.
    pub(crate) fn error(&mut self, message: &str) {
        let label = self.errors.error("error:");
        self.say(&format!("{label} {}", printable(message)));
    }

    /// Says what is good to know about a failure or a batch.
    pub(crate) fn note(&mut self, message: &str) {
        self.say(&printable(message).to_string());
    }

    /// Prints lines of a report whose colours are those of the standard error.
    pub(crate) fn report(&mut self, make: impl FnOnce(Paint) -> String) {
        let text = make(self.errors);
        self.say(text.trim_end_matches('\n'));
    }

    fn say(&mut self, text: &str) {
        // What was printed before stands before it on a terminal.
        let _ = self.out.flush();
        let _ = writeln!(io::stderr().lock(), "{text}");
    }

    /// Writes out what is still held back.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        self.out.flush().map_err(|error| Failure::of_stdout(&error))
    }
}

/// Says why something failed where there is no console.
pub(crate) fn complain(message: &str) {
    let _ = writeln!(io::stderr().lock(), "error: {}", printable(message));
}

/// Whether text is coloured.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Paint {
    Plain,
    Coloured,
}

impl Paint {
    /// Colours go to a terminal only, and not where `NO_COLOR` forbids them.
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

    /// Paints what is wrong.
    pub(crate) fn error(self, text: &str) -> String {
        self.style(AnsiColor::Red.on_default().bold(), text)
    }

    /// Paints what is probably wrong.
    pub(crate) fn warning(self, text: &str) -> String {
        self.style(AnsiColor::Yellow.on_default().bold(), text)
    }

    /// Paints a heading.
    pub(crate) fn heading(self, text: &str) -> String {
        self.style(Style::new().bold(), text)
    }

    /// Paints what matters less.
    pub(crate) fn quiet(self, text: &str) -> String {
        self.style(Style::new().dimmed(), text)
    }
}
