//! Known words with a similar spelling, for messages about unknown ones.

/// Words of other programs, and what AnimJ calls the same.
const ALIASES: [(&str, &str); 22] = [
    ("vector2", "float2"),
    ("vector3", "float3"),
    ("vector4", "float4"),
    ("vec2", "float2"),
    ("vec3", "float3"),
    ("vec4", "float4"),
    ("quaternion", "floatQ"),
    ("quat", "floatQ"),
    ("rotation", "floatQ"),
    ("single", "float"),
    ("f32", "float"),
    ("f64", "double"),
    ("number", "float"),
    ("boolean", "bool"),
    ("integer", "int"),
    ("i32", "int"),
    ("text", "string"),
    ("step", "Hold"),
    ("constant", "Hold"),
    ("lerp", "Linear"),
    ("hermite", "Tangent"),
    ("bezier", "CubicBezier"),
];

/// The longest word to compare, in bytes.
const LONGEST: usize = 32;

/// Returns the known word that an unknown one probably means: an alias of it, or the nearest one
/// that differs in at most a third of its letters.
pub(crate) fn suggest<'k>(
    unknown: &str,
    known: impl IntoIterator<Item = &'k str>,
) -> Option<&'k str> {
    if unknown.len() > LONGEST {
        return None;
    }
    let alias = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(unknown));
    let wanted = alias.map_or(unknown, |(_, meant)| meant).to_ascii_lowercase();
    let near = known.into_iter().map(|word| (distance(&wanted, &word.to_ascii_lowercase()), word));
    let (distance, word) = near.min_by_key(|(distance, _)| *distance)?;
    (distance.saturating_mul(3) <= word.len()).then_some(word)
}

/// Returns the number of letters to insert, remove or replace.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, letter) in one.chars().enumerate() {
        let mut left = index.saturating_add(1);
        let mut next = vec![left];
        for ((diagonal, above), known) in row.iter().zip(row.iter().skip(1)).zip(&other) {
            let replaced = diagonal.saturating_add(usize::from(letter != *known));
            left = replaced.min(above.saturating_add(1)).min(left.saturating_add(1));
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_the_equivalent_of_words_of_other_programs() {
        let kinds = ["float", "float2", "float3", "floatQ", "double", "bool", "int", "string"];
        for (unknown, meant) in [
            ("Vector3", Some("float3")),
            ("quaternion", Some("floatQ")),
            ("flaot3", Some("float3")),
            ("Boolean", Some("bool")),
            ("the sea at night", None),
            ("x", None),
        ] {
            assert_eq!(suggest(unknown, kinds), meant, "{unknown}");
        }
        assert_eq!(
            suggest("interploation", ["time", "value", "interpolation"]),
            Some("interpolation")
        );
        assert_eq!(
            suggest("bezier", ["Hold", "Linear", "Tangent", "CubicBezier"]),
            Some("CubicBezier")
        );
        assert_eq!(suggest(&"x".repeat(1 << 20), kinds), None);
    }

    #[test]
    fn counts_the_letters_that_differ() {
        assert_eq!((distance("", "ab"), distance("abc", "abc")), (2, 0));
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
