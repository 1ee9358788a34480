//! Names that no two joints share.

use std::collections::{HashMap, HashSet};

use inbetween_core::Text;

/// The names so far.
#[derive(Debug, Default)]
pub(crate) struct Names {
    used: HashSet<Text>,
    /// The last suffix of each name that was used again.
    suffixes: HashMap<Text, u64>,
}

impl Names {
    /// Returns the name, with a suffix such as `.001` if it is used already.
    pub(crate) fn unique(&mut self, name: &Text) -> Text {
        let mut unique = name.clone();
        while !self.used.insert(unique.clone()) {
            let suffix = self.suffixes.entry(name.clone()).or_default();
            *suffix = suffix.saturating_add(1);
            unique = format!("{name}.{suffix:03}").into();
        }
        unique
    }
}
