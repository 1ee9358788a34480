//! Names with a similar spelling.

/// The smallest similarity, from 0 to 1, of a name that is suggested.
const NEAR: f64 = 0.6;

/// The largest number of suggestions.
const SUGGESTIONS: usize = 3;

/// Names longer than this are not compared, because that takes the product of both lengths.
const LONGEST: usize = 256;

/// Returns the names that are spelled similarly to a text, the best first, at most three.
///
/// # Examples
///
/// ```
/// let known = ["hips", "Hip", "spine", "hand_l"];
/// assert_eq!(inbetween::similar_names("hip", known), ["Hip", "hips"]);
/// ```
pub fn similar_names<'n>(text: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
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
    near.sort_by(|(a, one), (b, other)| b.total_cmp(a).then(one.cmp(other)));
    near.dedup_by_key(|(_, name)| *name);
    near.into_iter().take(SUGGESTIONS).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_only_similar_names_best_first() {
        let known = ["hips", "Hip", "spine", "spine", "hand_l"];
        assert_eq!(similar_names("hip", known), ["Hip", "hips"]);
        assert_eq!(similar_names("spien", known), ["spine"]);
        assert!(similar_names("weapon", known).is_empty());
    }
}
