//! Packs a folder into an archive. On Unix, the same files give the same bytes.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;
use crate::shell::{failed, run};

/// Packs the folder `name` in `dist`, with this time in seconds since 1970 for all files; returns the
/// name of the archive.
pub(super) fn pack(dist: &Path, name: &str, time: u64) -> Result<String, String> {
    if cfg!(windows) {
        // The tar of Windows writes a zip by its extension, with the times and the order of the folder.
        let file = format!("{name}.zip");
        run(Command::new("tar").args(["-acf", &file, name]).current_dir(dist))?;
        return Ok(file);
    }
    let tar = format!("{name}.tar");
    write_tar(dist, name, time, &dist.join(&tar))?;
    run(Command::new("gzip").args(["--no-name", "--force", "--best", &tar]).current_dir(dist))?;
    Ok(format!("{tar}.gz"))
}

/// Writes a tar file. Programs of that name have other options on every system.
fn write_tar(dist: &Path, name: &str, time: u64, tar: &Path) -> Outcome {
    let file = File::create(tar).map_err(|error| failed(tar, &error))?;
    let mut archive = tar::Builder::new(file);
    for path in files(dist, Path::new(name))? {
        append(&mut archive, dist, &path, time).map_err(|error| failed(&path, &error))?;
    }
    archive.finish().map_err(|error| failed(tar, &error))
}

fn append(
    archive: &mut tar::Builder<File>,
    dist: &Path,
    path: &Path,
    time: u64,
) -> std::io::Result<()> {
    let file = File::open(dist.join(path))?;
    let mut header = tar::Header::new_gnu();
    // No owner, and of the permissions only who may run it.
    header.set_metadata_in_mode(&file.metadata()?, tar::HeaderMode::Deterministic);
    header.set_mtime(time);
    archive.append_data(&mut header, path, file)
}

/// Returns the paths of all files in a folder of `dist`, sorted.
pub(super) fn files(dist: &Path, folder: &Path) -> Result<Vec<PathBuf>, String> {
    let wrong = |error| failed(folder, &error);
    let mut found = Vec::new();
    for entry in fs::read_dir(dist.join(folder)).map_err(wrong)? {
        let entry = entry.map_err(wrong)?;
        let path = folder.join(entry.file_name());
        if entry.path().is_dir() {
            found.extend(files(dist, &path)?);
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// Packs a command and a text that were written in this order, with these permissions.
    fn packed(order: [&str; 2], modes: [u32; 2]) -> Vec<u8> {
        let dist = tempfile::tempdir().unwrap();
        let folder = dist.path().join("x-1.0");
        fs::create_dir_all(folder.join("man")).unwrap();
        for path in order {
            fs::write(folder.join(path), path).unwrap();
        }
        for (path, mode) in ["x", "man/x.1"].into_iter().zip(modes) {
            fs::set_permissions(folder.join(path), fs::Permissions::from_mode(mode)).unwrap();
        }
        let file = pack(dist.path(), "x-1.0", 1_700_000_000).unwrap();
        fs::read(dist.path().join(file)).unwrap()
    }

    #[test]
    fn files_are_sorted() {
        let dist = tempfile::tempdir().unwrap();
        fs::create_dir_all(dist.path().join("f/c")).unwrap();
        let sorted = ["f/a", "f/b", "f/c/x", "f/c/y", "f/c/z", "f/d", "f/e"].map(PathBuf::from);
        for path in sorted.iter().rev() {
            fs::write(dist.path().join(path), "").unwrap();
        }
        assert_eq!(files(dist.path(), Path::new("f")).unwrap(), sorted);
    }

    #[test]
    fn the_time_and_permissions_of_files_do_not_change_the_archive() {
        let one = packed(["x", "man/x.1"], [0o755, 0o644]);
        // Times in the archive would be whole seconds.
        std::thread::sleep(std::time::Duration::from_millis(1100));
        assert!(one == packed(["man/x.1", "x"], [0o700, 0o600]));
        assert!(one != packed(["x", "man/x.1"], [0o755, 0o755]));
    }

    #[test]
    fn the_command_can_be_run_and_has_the_time_of_its_sources() {
        let dist = tempfile::tempdir().unwrap();
        fs::write(dist.path().join("x.tar.gz"), packed(["x", "man/x.1"], [0o755, 0o644])).unwrap();
        let unpack = ["-xzf", "x.tar.gz"];
        run(Command::new("tar").args(unpack).current_dir(dist.path())).unwrap();
        let metadata = |path| fs::metadata(dist.path().join("x-1.0").join(path)).unwrap();
        assert_eq!(metadata("x").permissions().mode() & 0o111, 0o111);
        assert_eq!(metadata("man/x.1").permissions().mode() & 0o111, 0);
        let time = metadata("x").modified().unwrap().duration_since(std::time::UNIX_EPOCH);
        assert_eq!(time.unwrap().as_secs(), 1_700_000_000);
    }
}
