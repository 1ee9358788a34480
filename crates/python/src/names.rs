//! Similar names for error messages.

/// Returns `; did you mean a, b or c?` with the names that are spelled similarly, or nothing.
pub(crate) fn similar<'n>(wanted: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    match inbetween::similar_names(wanted, names).as_slice() {
        [] => String::new(),
        [only] => format!("; did you mean {only}?"),
        [most @ .., last] => format!("; did you mean {} or {last}?", most.join(", ")),
    }
}
