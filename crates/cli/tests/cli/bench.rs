//! A directory with files, and runs of the command in it.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// The directory in which a test runs the command.
pub(crate) struct Bench(TempDir);

/// The result of a run of the command.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: Vec<u8>,
    pub(crate) err: String,
}

impl Bench {
    /// Creates an empty directory.
    pub(crate) fn empty() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Creates a directory with one valid SEAnim file, `walk.seanim`.
    pub(crate) fn new() -> Self {
        Self::empty().with("walk.seanim", walk())
    }

    /// Adds a file and its parent directories.
    pub(crate) fn with(self, name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn get(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Returns the names of all files, including hidden ones.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        let mut waiting = vec![self.0.path().to_owned()];
        while let Some(folder) = waiting.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    waiting.push(path);
                } else {
                    let below = path.strip_prefix(self.0.path()).unwrap();
                    names.push(below.to_str().unwrap().replace('\\', "/"));
                }
            }
        }
        names.sort();
        names
    }

    /// Prepares a run with an empty standard input.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_inbetween"));
        command.args(arguments).current_dir(self.0.path()).stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(arguments, self.command(arguments).output().unwrap())
    }

    /// Runs the command with bytes on standard input.
    pub(crate) fn run_with(&self, arguments: &[&str], stdin: &[u8]) -> Ran {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        feed(&mut child, stdin);
        Ran::of(arguments, child.wait_with_output().unwrap())
    }
}

/// Writes to the standard input of a run and closes it.
pub(crate) fn feed(child: &mut Child, bytes: &[u8]) {
    match child.stdin.take().unwrap().write_all(bytes) {
        // A run that rejects its arguments ends before it reads its input.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        written => written.unwrap(),
    }
}

impl Ran {
    /// Checks that the command did not crash and printed no colors.
    pub(crate) fn of(arguments: &[&str], output: Output) -> Self {
        let err = String::from_utf8(output.stderr).unwrap();
        let code = output.status.code();
        let code = code.unwrap_or_else(|| panic!("{arguments:?}: ended by a signal: {err}"));
        assert!((0..=3).contains(&code), "{arguments:?}: exit code {code}: {err}");
        assert!(!err.contains('\u{1b}'), "{arguments:?}: colors: {err}");
        assert!(!output.stdout.contains(&0x1b), "{arguments:?}: colors");
        Self { code, out: output.stdout, err }
    }

    pub(crate) fn text(&self) -> &str {
        str::from_utf8(&self.out).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    #[track_caller]
    pub(crate) fn succeeds(&self) {
        assert_eq!(self.code, 0, "{}", self.err);
    }

    /// Checks the exit code and the complete standard error.
    #[track_caller]
    pub(crate) fn fails(&self, code: i32, err: &str) {
        assert_eq!((self.code, self.err.as_str()), (code, err));
        assert!(self.out.is_empty(), "{}", self.text());
    }
}

/// Returns a SEAnim fixture: two bones, 31 frames at 30 frames per second, 9 keys, two notes.
pub(crate) fn walk() -> Vec<u8> {
    seanim("walk")
}

/// Returns the SEAnim fixture with a name.
pub(crate) fn seanim(name: &str) -> Vec<u8> {
    fixture("seanim", name)
}

/// Returns the fixture of a format with a name.
pub(crate) fn fixture(format: &str, name: &str) -> Vec<u8> {
    let mut cases = inbetween_testing::cases::of(format).into_iter();
    let case = cases.find(|case| case.name == name);
    case.unwrap_or_else(|| panic!("no fixture {name} of {format}")).bytes
}

/// A valid AnimJ file: a light that turns on and off.
pub(crate) const LIGHT: &str = r#"{
  "name": "light",
  "globalDuration": 2,
  "tracks": [
    {
      "trackType": "Discrete",
      "valueType": "bool",
      "data": {
        "node": "Lamp",
        "property": "Enabled",
        "keyframes": [
          {
            "time": 0,
            "value": true
          },
          {
            "time": 0.5,
            "value": false
          }
        ]
      }
    }
  ]
}
"#;

/// The same light in a form that the game refuses: the members of the track are in another order.
pub(crate) const LIGHT_DISORDERED: &str = r#"{
  "name": "light",
  "globalDuration": 2,
  "tracks": [
    {
      "valueType": "bool",
      "trackType": "Discrete",
      "data": {
        "node": "Lamp",
        "property": "Enabled",
        "keyframes": [{"time": 0, "value": true}, {"time": 0.5, "value": false}]
      }
    }
  ]
}
"#;
