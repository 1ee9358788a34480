//! Numbers in messages.

use core::fmt::Display;

/// Returns a count with its noun: `no keys`, `1 key`, `2 keys`.
///
/// # Examples
///
/// ```
/// assert_eq!(inbetween_core::counted(1, "key"), "1 key");
/// assert_eq!(inbetween_core::counted(20, "key"), "20 keys");
/// ```
pub fn counted(count: impl Display, noun: &str) -> String {
    plural(count, noun, &format!("{noun}s"))
}

/// Returns a count with its noun, for nouns with an irregular plural.
///
/// # Examples
///
/// ```
/// assert_eq!(inbetween_core::plural(0, "loss", "losses"), "no losses");
/// ```
pub fn plural(count: impl Display, one: &str, many: &str) -> String {
    match count.to_string().as_str() {
        "0" => format!("no {many}"),
        "1" => format!("1 {one}"),
        count => format!("{count} {many}"),
    }
}

/// Returns a number with four significant digits, or all digits before the point up to a million.
///
/// # Examples
///
/// ```
/// use inbetween_core::significant;
///
/// let texts = [0.0, 2.0 / 3.0, 123_456.7, 1e-5, -1.5e9].map(significant);
/// assert_eq!(texts, ["0", "0.6667", "123457", "1e-5", "-1.5e9"]);
/// ```
pub fn significant(number: f64) -> String {
    let trimmed = |text: &str| {
        let fraction = text.contains('.');
        let short = if fraction { text.trim_end_matches('0').trim_end_matches('.') } else { text };
        short.to_owned()
    };
    let scientific = format!("{number:.3e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    match exponent.parse::<i32>() {
        Ok(power @ -3..=5) => {
            let decimals = usize::try_from(3_i32.saturating_sub(power)).unwrap_or(0);
            let text = trimmed(&format!("{number:.decimals$}"));
            if text == "-0" { "0".to_owned() } else { text }
        }
        _ => format!("{}e{exponent}", trimmed(digits)),
    }
}
