//! The errors that calls to the system return.

use std::io;

/// An error of the system with its number on Linux.
pub(super) type Errno = (&'static str, i32);

pub(super) const EIO: Errno = ("EIO", 5);
pub(super) const EACCES: Errno = ("EACCES", 13);
pub(super) const EINVAL: Errno = ("EINVAL", 22);
pub(super) const ENOSPC: Errno = ("ENOSPC", 28);
pub(super) const EROFS: Errno = ("EROFS", 30);
const EDQUOT: Errno = ("EDQUOT", 122);

/// The errors of the calls that can change a file; others get [`EIO`].
const ERRORS: &[(&[&str], &[Errno])] = &[
    (&["openat", "mkdir"], &[ENOSPC, EIO, EROFS, EDQUOT, EACCES]),
    (&["rename", "renameat", "renameat2", "link", "linkat"], &[ENOSPC, EIO, EROFS, EDQUOT, EACCES]),
    (&["write"], &[ENOSPC, EIO, EDQUOT]),
    (&["fsync"], &[ENOSPC, EIO, EDQUOT, EINVAL]),
    (&["fchmod"], &[EIO, EROFS]),
    (&["statx"], &[EIO, EACCES]),
];

/// Returns the errors that a call of this name gets.
pub(super) fn errors(name: &str) -> &'static [Errno] {
    ERRORS.iter().find(|(names, _)| names.contains(&name)).map_or(&[EIO], |(_, errors)| errors)
}

/// Returns the text of an error as the command prints it.
pub(super) fn cause((name, number): Errno) -> String {
    match name {
        "EACCES" => "permission denied".to_owned(),
        _ => io::Error::from_raw_os_error(number).to_string(),
    }
}
