//! Files that are written completely or not at all.

mod stale;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

use inbetween::error::IoError;
use tempfile::{NamedTempFile, TempPath};

use crate::exit::Failure;

/// What to do if a file exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Existing {
    Refuse,
    Replace,
}

impl Existing {
    pub(crate) const fn forced(force: bool) -> Self {
        if force { Self::Replace } else { Self::Refuse }
    }
}

/// Returns an error before the conversion if a file cannot be written.
pub(crate) fn check(path: &Path, existing: Existing) -> Result<(), Failure> {
    let failed = |error| IoError::new(path, error);
    match found(fs::metadata(path)).map_err(failed)? {
        Some(old) if old.is_dir() => Err(failed(io::ErrorKind::IsADirectory.into()).into()),
        Some(old) if old.is_file() && existing == Existing::Refuse => Err(exists(path)),
        Some(_) => Ok(()),
        None => match found(fs::symlink_metadata(path)).map_err(failed)? {
            Some(link) if link.is_symlink() => Err(Failure::Cannot(format!(
                "{}: is a link to a missing file; create the file or remove the link",
                path.display()
            ))),
            _ => check_directory(directory_of(path)),
        },
    }
}

/// Returns `None` for a missing file. One that cannot be examined is not missing: it may be a link,
/// which would be replaced.
fn found(metadata: io::Result<fs::Metadata>) -> io::Result<Option<fs::Metadata>> {
    use io::ErrorKind::{NotADirectory, NotFound};
    match metadata {
        Err(error) if matches!(error.kind(), NotFound | NotADirectory) => Ok(None),
        other => other.map(Some),
    }
}

/// Returns an error if a directory can be neither used nor created.
pub(crate) fn check_new_directory(directory: &Path) -> Result<(), Failure> {
    match fs::metadata(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        _ => check_directory(directory),
    }
}

/// Returns an error if a directory does not exist.
pub(crate) fn check_directory(directory: &Path) -> Result<(), Failure> {
    match fs::metadata(directory) {
        Ok(metadata) if metadata.is_dir() => Ok(()),
        Ok(_) => Err(Failure::Cannot(format!("{}: is not a directory", directory.display()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Failure::Cannot(format!(
            "{}: no such directory; create it first",
            directory.display()
        ))),
        Err(error) => Err(IoError::new(directory, error).into()),
    }
}

/// Writes a temporary file in the same directory and renames it.
pub(crate) fn write(path: &Path, bytes: &[u8], existing: Existing) -> Result<(), Failure> {
    write_with(path, existing, |file| file.write_all(bytes))
}

/// Like [`write`], but `fill` streams the content.
pub(crate) fn write_with(
    path: &Path,
    existing: Existing,
    fill: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), Failure> {
    stage_with(path, existing, fill, File::sync_all)?.commit()
}

/// Writes a file under a temporary name, until [`Staged::commit`] renames it.
///
/// This allows several files to be written all or not at all.
pub(crate) fn stage(path: &Path, bytes: &[u8], existing: Existing) -> Result<Staged, Failure> {
    stage_with(path, existing, |file| file.write_all(bytes), File::sync_all)
}

/// Like [`stage`]; `fill` streams the content, and `sync` moves it to the disk.
fn stage_with(
    path: &Path,
    existing: Existing,
    fill: impl FnOnce(&mut File) -> io::Result<()>,
    sync: impl FnOnce(&File) -> io::Result<()>,
) -> Result<Staged, Failure> {
    check(path, existing)?;
    let pending = prepare(path, fill, sync).map_err(|error| IoError::new(path, error))?;
    Ok(Staged { path: path.into(), existing, pending })
}

/// Writes the content of a file under a temporary name. Returns it with its final name, or `None` for a
/// device, which was written directly.
fn prepare(
    path: &Path,
    fill: impl FnOnce(&mut File) -> io::Result<()>,
    sync: impl FnOnce(&File) -> io::Result<()>,
) -> io::Result<Option<(Closed, PathBuf)>> {
    let old = found(fs::metadata(path))?;
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        // A device or a pipe is written to, not replaced.
        fill(&mut OpenOptions::new().write(true).open(path)?)?;
        return Ok(None);
    }
    // A symbolic link is kept, and its target is replaced.
    let target = if old.is_some() { fs::canonicalize(path)? } else { path.into() };
    let mut pending = Pending::create(directory_of(&target))?;
    pending.write(fill, old, sync)?;
    Ok(Some((pending.close(), target)))
}

/// Writes a file for a caller that handles errors of the system itself, and syncs its directory.
pub(crate) fn save(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some((file, target)) = prepare(path, |file| file.write_all(bytes), File::sync_all)? {
        file.persist(&target, Existing::Replace)?;
        sync_directory(directory_of(&target))?;
    }
    Ok(())
}

/// A file with its content but not its final name. Dropping it removes the file.
pub(crate) struct Staged {
    path: PathBuf,
    existing: Existing,
    /// The file and its final name; `None` for a device, which was written directly.
    pending: Option<(Closed, PathBuf)>,
}

impl Staged {
    /// Renames the file to its final name.
    pub(crate) fn commit(self) -> Result<(), Failure> {
        let Self { path, existing, pending } = self;
        let Some((file, target)) = pending else { return Ok(()) };
        match file.persist(&target, existing) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(exists(&path)),
            other => other.map_err(|error| IoError::new(path, error).into()),
        }
    }
}

/// Returns the failure of an output that exists.
pub(crate) fn exists(path: &Path) -> Failure {
    Failure::Exists(format!("{}: already exists; use --force to overwrite it", path.display()))
}

fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Returns the path with an extension appended: `walk.animj.bak`.
pub(crate) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

/// Held while a temporary file is created, and forever after an interrupt.
static CREATING: RwLock<()> = RwLock::new(());

/// The temporary files to remove on an interrupt.
static PENDING: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn pending() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes Ctrl-C and termination requests remove temporary files first.
pub(crate) fn clean_up_on_interrupt() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(|| {
        // The lock is held until the process ends, so no new file can be created.
        let _creating = CREATING.write();
        remove_all(&mut pending());
        process::exit(130)
    })
}

fn remove_all(paths: &mut BTreeSet<PathBuf>) {
    for path in std::mem::take(paths) {
        let _ = fs::remove_file(path);
    }
}

/// The index of a temporary file in the list of files to remove.
struct Listed(PathBuf);

impl Drop for Listed {
    fn drop(&mut self) {
        pending().remove(&self.0);
    }
}

/// The prefix of the names of temporary files.
const PREFIX: &str = ".inbetween-";
const SUFFIX: &str = ".tmp";

/// A temporary file that an interrupt removes.
struct Pending {
    // Dropped in this order: the file is removed before it leaves the list.
    file: NamedTempFile,
    listed: Listed,
}

impl Pending {
    fn create(directory: &Path) -> io::Result<Self> {
        stale::remove(directory);
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        let creating = CREATING.read();
        // `tempfile_in` would add the temporary name to errors, and remove the permissions of others.
        let file = builder.make_in(directory, |path| File::create_new(path))?;
        pending().insert(file.path().to_owned());
        drop(creating);
        let listed = Listed(file.path().to_owned());
        Ok(Self { file, listed })
    }

    fn write(
        &mut self,
        fill: impl FnOnce(&mut File) -> io::Result<()>,
        old: Option<fs::Metadata>,
        sync: impl FnOnce(&File) -> io::Result<()>,
    ) -> io::Result<()> {
        fill(self.file.as_file_mut())?;
        if let Some(old) = old {
            self.file.as_file().set_permissions(old.permissions())?;
        }
        sync(self.file.as_file())
    }

    /// Closes the file. Many staged files would otherwise each hold a handle.
    fn close(self) -> Closed {
        Closed { path: self.file.into_temp_path(), listed: self.listed }
    }
}

/// A temporary file that is written and closed.
struct Closed {
    // Dropped in this order: the file is removed before it leaves the list.
    path: TempPath,
    listed: Listed,
}

impl Closed {
    fn persist(self, target: &Path, existing: Existing) -> io::Result<()> {
        let Self { path: file, listed } = self;
        match existing {
            Existing::Replace => file.persist(target)?,
            Existing::Refuse => file.persist_noclobber(target)?,
        }
        drop(listed);
        renamed().insert(directory_of(target).to_owned());
        Ok(())
    }
}

/// The directories with renamed files that may not be on disk yet.
static RENAMED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn renamed() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    RENAMED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Syncs the directories that contain written files, so that the file names survive a crash of the
/// system, and returns the first error; does nothing on systems that cannot open directories.
///
/// A command does this once, at its end. Doing it after each file would take as long as writing the
/// file.
pub(crate) fn sync_directories() -> Result<(), Failure> {
    let mut outcome = Ok(());
    for directory in std::mem::take(&mut *renamed()) {
        let synced = sync_directory(&directory);
        outcome = outcome.and(synced.map_err(|error| IoError::new(directory, error).into()));
    }
    outcome
}

fn sync_directory(directory: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    let synced = File::open(directory).and_then(|file| file.sync_all());
    synced.or_else(|error| if cannot_sync(&error) { Ok(()) } else { Err(error) })
}

/// Returns whether an error means that a directory can never be synced: it may be written to but not
/// read, or its file system syncs only files.
fn cannot_sync(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    matches!(error.kind(), PermissionDenied | InvalidInput | Unsupported)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<OsString> {
        let entries = fs::read_dir(directory).unwrap();
        entries.map(|entry| entry.unwrap().file_name()).collect()
    }

    #[test]
    fn an_interrupt_removes_only_pending_files() {
        let directory = tempfile::tempdir().unwrap();
        write(&directory.path().join("done"), b"x", Existing::Refuse).unwrap();
        let unfinished = Pending::create(directory.path()).unwrap();
        assert_eq!(names(directory.path()).len(), 2);
        let mut paths = pending().clone();
        paths.retain(|path| path.starts_with(directory.path()));
        assert_eq!(paths, BTreeSet::from([unfinished.file.path().to_owned()]));
        remove_all(&mut paths);
        assert_eq!(names(directory.path()), ["done"]);
    }

    #[test]
    fn directories_of_new_names_are_synced_later() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        stage(&path, b"x", Existing::Refuse).unwrap();
        assert!(!renamed().contains(directory.path()));
        write(&path, b"x", Existing::Refuse).unwrap();
        assert!(renamed().contains(directory.path()));
    }

    #[test]
    fn a_failed_file_leaves_nothing_behind() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        fs::write(&path, "old").unwrap();
        let unfinished = Pending::create(directory.path()).unwrap();
        let error = unfinished.close().persist(&path, Existing::Refuse).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(names(directory.path()), ["a"]);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert!(!pending().iter().any(|path| path.starts_with(directory.path())));
    }

    #[test]
    fn a_failed_write_keeps_the_old_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        fs::write(&path, "old").unwrap();
        let failed = write_with(&path, Existing::Replace, |file| {
            file.write_all(b"half")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert!(matches!(failed, Err(Failure::Cannot(_))), "{failed:?}");
        assert_eq!(
            (names(directory.path()), fs::read(&path).unwrap()),
            (vec!["a".into()], b"old".to_vec())
        );
    }

    #[test]
    fn a_failed_sync_keeps_the_old_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        fs::write(&path, "old").unwrap();
        let failed = stage_with(
            &path,
            Existing::Replace,
            |file| file.write_all(b"new"),
            |file| {
                // The sync comes after the content.
                assert_eq!(file.metadata()?.len(), 3);
                Err(io::Error::from_raw_os_error(5))
            },
        );
        let failure = failed.err().unwrap();
        assert!(failure.message().starts_with(&format!("{}: ", path.display())), "{failure:?}");
        assert_eq!(failure.exit(), crate::exit::Exit::Cannot);
        assert_eq!(
            (names(directory.path()), fs::read(&path).unwrap()),
            (vec!["a".into()], b"old".to_vec())
        );
        assert!(!pending().iter().any(|path| path.starts_with(directory.path())));
    }

    #[test]
    fn a_failed_rename_leaves_nothing_behind() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        let staged = stage(&path, b"new", Existing::Replace).unwrap();
        // A directory that is not empty cannot be replaced by a file.
        fs::create_dir_all(path.join("inside")).unwrap();
        assert!(staged.commit().is_err());
        assert_eq!(names(directory.path()), ["a"]);
        assert!(path.join("inside").is_dir());
    }

    #[cfg(unix)]
    #[test]
    fn a_new_file_is_readable_by_others_and_a_replaced_one_keeps_its_permissions() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        let plain = directory.path().join("plain");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        write(&path, b"1", Existing::Refuse).unwrap();
        fs::write(&plain, "").unwrap();
        assert_eq!(mode(&path), mode(&plain));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        write(&path, b"2", Existing::Replace).unwrap();
        assert_eq!((mode(&path), fs::read(&path).unwrap()), (0o640, b"2".to_vec()));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_kept_and_its_target_is_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let (file, link) = (directory.path().join("file"), directory.path().join("link"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write(&link, b"new", Existing::Replace).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
    }
}
