//! Names with a similar spelling.

use inbetween::core::shown;

/// The smallest similarity, from 0 to 1, of a name that is suggested.
const NEAR: f64 = 0.6;

/// The largest number of suggestions.
const SUGGESTIONS: usize = 3;

/// Names longer than this are not compared, because that takes the product of both lengths.
const LONGEST: usize = 256;

/// Returns the names that are similar to a text, best first, in quotes.
pub(crate) fn names<'n>(text: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<String> {
    let wanted = text.to_lowercase();
    let likeness = |name: &str| {
        let name = name.to_lowercase();
        if wanted == name { 1.0 } else { strsim::normalized_damerau_levenshtein(&wanted, &name) }
    };
    if text.len() > LONGEST {
        return Vec::new();
    }
    let short = names.into_iter().filter(|name| name.len() <= LONGEST);
    let mut near: Vec<(f64, &str)> = short.map(|name| (likeness(name), name)).collect();
    near.retain(|(likeness, _)| *likeness >= NEAR);
    near.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    near.into_iter().take(SUGGESTIONS).map(|(_, name)| format!("'{}'", shown(name))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_only_similar_names_best_first() {
        let known = ["hips", "Hip", "spine", "hand_l"];
        assert_eq!(names("hip", known), ["'Hip'", "'hips'"]);
        assert_eq!(names("spien", known), ["'spine'"]);
        assert!(names("weapon", known).is_empty());
    }
}
