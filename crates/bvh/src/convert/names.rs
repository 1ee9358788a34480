//! Names that no two joints share.

use std::collections::{HashMap, HashSet};

use inbetween_core::Text;

/// The names so far.
#[derive(Debug)]
pub(crate) struct Names {
    /// The names that joints have before. No other joint gets one of them.
    own: HashSet<Text>,
    used: HashSet<Text>,
    /// The last suffix of each name that was used again.
    suffixes: HashMap<Text, u64>,
}

impl Names {
    /// Starts with the names that the joints have.
    pub(crate) fn new<'n>(own: impl Iterator<Item = &'n Text>) -> Self {
        Self { own: own.cloned().collect(), used: HashSet::new(), suffixes: HashMap::new() }
    }

    /// Returns the new name of a joint: `written`, which is its name as BVH stores it, with a suffix such
    /// as `.001` if that is the name of another joint.
    pub(crate) fn unique(&mut self, name: &Text, written: &Text) -> Text {
        let mut unique = written.clone();
        let mut is_free = written == name || !self.own.contains(written);
        while !(is_free && self.used.insert(unique.clone())) {
            let suffix = self.suffixes.entry(written.clone()).or_default();
            *suffix = suffix.saturating_add(1);
            unique = format!("{written}.{suffix:03}").into();
            is_free = !self.own.contains(&unique);
        }
        unique
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_joint_keeps_its_name_although_an_earlier_one_would_get_it() {
        let given = ["a", "a", "a.001", "a"].map(Text::from);
        let mut names = Names::new(given.iter());
        let made = given.each_ref().map(|name| names.unique(name, name));
        assert_eq!(made.each_ref().map(|name| &**name), ["a", "a.002", "a.001", "a.003"]);
        let given = [" a", "a"].map(Text::from);
        let mut names = Names::new(given.iter());
        let made = given.each_ref().map(|name| names.unique(name, &name.trim().into()));
        assert_eq!(made.each_ref().map(|name| &**name), ["a.001", "a"]);
    }
}
