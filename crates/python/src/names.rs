//! Similar names for error messages.

/// The smallest similarity, from 0 to 1, of a name that is suggested.
const NEAR: f64 = 0.7;

/// The largest number of suggestions.
const SUGGESTIONS: usize = 3;

/// Returns `; did you mean a, b or c?` with the names that are spelled similarly, or nothing.
pub(crate) fn similar<'n>(wanted: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    let lower = wanted.to_lowercase();
    let likeness = |name: &'n str| (strsim::jaro_winkler(&lower, &name.to_lowercase()), name);
    let mut near: Vec<(f64, &str)> = names.into_iter().map(likeness).collect();
    near.retain(|(likeness, _)| *likeness >= NEAR);
    near.sort_by(|(a, one), (b, other)| b.total_cmp(a).then(one.cmp(other)));
    near.dedup_by_key(|(_, name)| *name);
    let near: Vec<&str> = near.into_iter().take(SUGGESTIONS).map(|(_, name)| name).collect();
    match near.as_slice() {
        [] => String::new(),
        [only] => format!("; did you mean {only}?"),
        [most @ .., last] => format!("; did you mean {} or {last}?", most.join(", ")),
    }
}
