//! Unique names for clips, and finding clips by name.

use std::collections::{HashMap, HashSet};

use crate::Text;

/// A set of clip names that are unique, ignoring case.
///
/// # Examples
///
/// ```
/// use inbetween_core::clip_names::Unique;
///
/// let mut names = Unique::default();
/// assert_eq!(&*names.take("walk"), "walk");
/// assert_eq!(&*names.take("Walk"), "Walk_2");
/// assert_eq!(&*names.take("walk"), "walk_3");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Unique {
    taken: HashSet<String>,
    /// The number that was last appended to each name.
    last: HashMap<String, u64>,
}

impl Unique {
    /// Returns whether a name is still free.
    pub fn is_free(&self, name: &str) -> bool {
        !self.taken.contains(&name.to_lowercase())
    }

    /// Returns the name, or if it is taken, the name with the first free number appended.
    pub fn take(&mut self, name: &str) -> Text {
        if self.taken.insert(name.to_lowercase()) {
            return name.into();
        }
        loop {
            let number = self.last.entry(name.to_lowercase()).or_insert(1);
            *number += 1;
            let numbered = format!("{name}_{number}");
            if self.taken.insert(numbered.to_lowercase()) {
                return numbered.into();
            }
        }
    }
}

/// Returns the index of a name: an exact match, otherwise the first match that ignores ASCII case,
/// as X4 compares names.
///
/// # Examples
///
/// ```
/// use inbetween_core::clip_names::find;
///
/// let names = [Some("opening"), None, Some("Closing")];
/// assert_eq!(find(names, "CLOSING"), Some(2));
/// assert_eq!(find(names, "close"), None);
/// ```
pub fn find<'n>(
    names: impl IntoIterator<Item = Option<&'n str>, IntoIter: Clone>,
    name: &str,
) -> Option<usize> {
    let names = names.into_iter();
    let mut exact = names.clone();
    let mut any_case = names;
    exact.position(|known| known == Some(name)).or_else(|| {
        any_case.position(|known| known.is_some_and(|known| known.eq_ignore_ascii_case(name)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_is_already_in_a_name_is_skipped() {
        let mut names = Unique::default();
        let given = ["a_2", "a", "A", "a_3", "a"].map(|name| names.take(name).to_string());
        assert_eq!(given, ["a_2", "a", "A_3", "a_3_2", "a_4"]);
        assert!(!names.is_free("A_4") && names.is_free("b"));
    }
}
