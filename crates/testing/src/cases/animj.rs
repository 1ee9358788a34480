//! The cases of animj.

use super::Case;

pub(crate) fn cases() -> Vec<Case> {
    Vec::new()
}
