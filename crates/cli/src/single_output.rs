//! The one output of a command that reports what it wrote.

use std::io::{self, Write};
use std::path::Path;

use crate::console::Console;
use crate::exit::Failure;
use crate::inputs::is_dash;
use crate::output::{Existing, check, write};

/// Returns the error if the output of a command and its JSON report would mix.
pub(crate) fn json_beside_output() -> Failure {
    Failure::Usage("--json and output to - both need standard output".to_owned())
}

/// The file of `-o`, or standard output for `-`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Single<'a> {
    path: &'a Path,
    existing: Existing,
}

impl<'a> Single<'a> {
    /// Returns an error, before any work, if the output cannot be written or the JSON report needs
    /// standard output too.
    pub(crate) fn new(path: &'a Path, force: bool, json: bool) -> Result<Self, Failure> {
        let existing = Existing::forced(force);
        match (is_dash(path), json) {
            (true, true) => return Err(json_beside_output()),
            (true, false) => {}
            (false, _) => check(path, existing)?,
        }
        Ok(Self { path, existing })
    }

    /// Writes the output. Only if it is a file, `report` prints what was written.
    pub(crate) fn write(
        self,
        bytes: &[u8],
        console: &mut Console,
        report: impl FnOnce(&mut Console) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let printed = if is_dash(self.path) {
            console.out.write_all(bytes)
        } else {
            write(self.path, bytes, self.existing)?;
            report(console)
        };
        printed.map_err(|error| Failure::of_stdout(&error))
    }
}
