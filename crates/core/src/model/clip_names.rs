//! Unique names for clips, and finding clips by name.

use std::collections::{HashMap, HashSet, VecDeque};

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

/// Returns the index of a clip: by its exact name, otherwise by the first name that differs only in
/// ASCII case, as X4 compares names, otherwise by its number: `#2` is the second clip.
///
/// # Examples
///
/// ```
/// use inbetween_core::clip_names::find;
///
/// let names = [Some("opening"), None, Some("Closing")];
/// assert_eq!(find(names, "CLOSING"), Some(2));
/// assert_eq!(find(names, "#2"), Some(1));
/// assert_eq!(find(names, "close"), None);
/// ```
pub fn find<'n>(
    names: impl IntoIterator<Item = Option<&'n str>, IntoIter: Clone>,
    name: &str,
) -> Option<usize> {
    let mut names = names.into_iter();
    let (mut exact, mut any_case) = (names.clone(), names.clone());
    let by_name = exact.position(|known| known == Some(name)).or_else(|| {
        any_case.position(|known| known.is_some_and(|known| known.eq_ignore_ascii_case(name)))
    });
    by_name.or_else(|| {
        let index = name.strip_prefix('#')?.parse::<usize>().ok()?.checked_sub(1)?;
        names.nth(index).map(|_| index)
    })
}

/// Pairs the clips of two files: clips of one name in their order, then names that differ only in
/// ASCII case; a clip without a name has the empty one. The only clips of both files are a pair,
/// whatever their names. Returns for each clip of the first file the index in the second one.
///
/// # Examples
///
/// ```
/// use inbetween_core::clip_names::pair;
///
/// let takes = [Some("take"), Some("take"), Some("idle")];
/// assert_eq!(pair(&takes, &takes), [Some(0), Some(1), Some(2)]);
/// assert_eq!(pair(&takes, &[Some("Idle")]), [None, None, Some(0)]);
/// assert_eq!(pair(&[Some("walk")], &[None]), [Some(0)]);
/// ```
pub fn pair(first: &[Option<&str>], second: &[Option<&str>]) -> Vec<Option<usize>> {
    if let ([_], [_]) = (first, second) {
        return vec![Some(0)];
    }
    let mut pairs = vec![None; first.len()];
    let mut taken = HashSet::new();
    let keys: [fn(&str) -> String; 2] = [str::to_owned, str::to_ascii_lowercase];
    for key in keys {
        let mut free: HashMap<String, VecDeque<usize>> = HashMap::new();
        for (index, name) in second.iter().enumerate() {
            if !taken.contains(&index) {
                free.entry(key(name.unwrap_or_default())).or_default().push_back(index);
            }
        }
        for (name, partner) in first.iter().zip(&mut pairs).filter(|(_, pair)| pair.is_none()) {
            let free = free.get_mut(&key(name.unwrap_or_default()));
            *partner = free.and_then(VecDeque::pop_front);
            taken.extend(*partner);
        }
    }
    pairs
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
