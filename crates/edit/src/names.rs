//! Patterns of names, and rules that rename.

use std::collections::HashMap;

use inbetween_core::{Text, counted};

use crate::EditError;

/// Whether names are case-sensitive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Case {
    /// `Hips` and `hips` are two names.
    #[default]
    Sensitive,
    /// `Hips` and `hips` are the same name.
    Ignored,
}

/// A pattern of the name of a node, property, clip or marker.
///
/// `*` stands for any text and `?` for any character. All other characters stand for themselves.
///
/// # Examples
///
/// ```
/// use inbetween_edit::{Case, NamePattern};
///
/// let left = NamePattern::new("*_l", Case::Sensitive)?;
/// assert!(left.matches("hand_l"));
/// assert!(!left.matches("hand_L"));
/// # Ok::<(), inbetween_edit::EditError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePattern {
    text: String,
    tokens: Vec<Token>,
    case: Case,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    Character(char),
    One,
    Any,
}

impl Token {
    const fn is_wildcard(self) -> bool {
        matches!(self, Self::One | Self::Any)
    }
}

/// The longest pattern in bytes. The time to match grows with it.
const LONGEST: usize = 1024;

impl NamePattern {
    /// Parses a pattern.
    ///
    /// # Errors
    ///
    /// If the text is longer than 1,024 bytes.
    pub fn new(text: &str, case: Case) -> Result<Self, EditError> {
        if text.len() > LONGEST {
            let problem = format!("expected at most {LONGEST} bytes, found {}", text.len());
            return Err(EditError::Pattern { pattern: text.chars().take(64).collect(), problem });
        }
        let token = |character| match character {
            '*' => Token::Any,
            '?' => Token::One,
            other => Token::Character(other),
        };
        Ok(Self { text: text.to_owned(), tokens: text.chars().map(token).collect(), case })
    }

    /// Returns the text of the pattern.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns whether the pattern matches a name.
    pub fn matches(&self, name: &str) -> bool {
        self.captures(name).is_some()
    }

    fn wildcards(&self) -> usize {
        self.tokens.iter().filter(|token| token.is_wildcard()).count()
    }

    /// Returns the text for which each wildcard stands, in order; `None` if the name does not
    /// match.
    ///
    /// Each `*` stands for as little text as possible, except the last one.
    fn captures(&self, name: &str) -> Option<Vec<String>> {
        let characters: Vec<char> = name.chars().collect();
        let mut captures: Vec<(usize, usize)> = Vec::new();
        // The last `*`: its token and the index of its capture. It takes more characters if the
        // remaining pattern does not match.
        let mut star: Option<(usize, usize)> = None;
        let (mut token, mut at) = (0_usize, 0_usize);
        while let Some(&character) = characters.get(at) {
            let next = at + 1;
            match self.tokens.get(token) {
                Some(Token::Any) => {
                    star = Some((token, captures.len()));
                    captures.push((at, at));
                }
                Some(Token::One) => {
                    captures.push((at, next));
                    at = next;
                }
                Some(&Token::Character(wanted)) if self.are_equal(wanted, character) => at = next,
                _ => {
                    let (any, capture) = star?;
                    captures.truncate(capture + 1);
                    let (_, end) = captures.last_mut()?;
                    *end += 1;
                    (token, at) = (any, *end);
                }
            }
            token += 1;
        }
        let rest = self.tokens.get(token..)?;
        if rest.iter().any(|token| *token != Token::Any) {
            return None;
        }
        captures.extend(rest.iter().map(|_| (at, at)));
        let text = |(start, end)| Some(characters.get(start..end)?.iter().collect());
        captures.into_iter().map(text).collect()
    }

    fn are_equal(&self, one: char, other: char) -> bool {
        match self.case {
            Case::Sensitive => one == other,
            Case::Ignored => one.to_lowercase().eq(other.to_lowercase()),
        }
    }
}

/// New names for old ones.
///
/// An old name may be a pattern: each wildcard of the new name is replaced by the text for which
/// the wildcard at the same position of the pattern stands.
///
/// # Examples
///
/// ```
/// use inbetween_edit::{Case, Renaming};
///
/// let sides = [("*_l".into(), "left_*".into()), ("hip".into(), "Hips".into())];
/// let renaming = Renaming::new(&sides, Case::Sensitive)?;
/// assert_eq!(renaming.apply("hand_l").as_deref(), Some("left_hand"));
/// assert_eq!(renaming.apply("hip").as_deref(), Some("Hips"));
/// assert_eq!(renaming.apply("head"), None);
/// # Ok::<(), inbetween_edit::EditError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renaming {
    /// The old names, in the order given.
    old: Vec<Text>,
    /// The index and the new name of each old name that is not a pattern.
    exact: HashMap<Text, (usize, Text)>,
    patterns: Vec<(usize, NamePattern, Text)>,
}

impl Renaming {
    /// Creates rules from old and new names. The old names are patterns; names without wildcards
    /// come first, then the patterns in order.
    ///
    /// # Errors
    ///
    /// If a pattern is too long, or a new name has more wildcards than the old one.
    pub fn new(names: &[(Text, Text)], case: Case) -> Result<Self, EditError> {
        let mut rules =
            Self { old: names.iter().map(|(old, _)| old.clone()).collect(), ..Self::default() };
        for (index, (old, new)) in names.iter().enumerate() {
            if case == Case::Sensitive && !old.contains(['*', '?']) {
                check_wildcards(old, 0, new)?;
                rules.exact.insert(old.clone(), (index, new.clone()));
            } else {
                let pattern = NamePattern::new(old, case)?;
                check_wildcards(old, pattern.wildcards(), new)?;
                rules.patterns.push((index, pattern, new.clone()));
            }
        }
        Ok(rules)
    }

    /// Creates rules from old and new names that are not patterns.
    pub fn exact(names: &[(Text, Text)]) -> Self {
        let each =
            |(index, (old, new)): (usize, &(Text, Text))| (old.clone(), (index, new.clone()));
        Self {
            old: names.iter().map(|(old, _)| old.clone()).collect(),
            exact: names.iter().enumerate().map(each).collect(),
            patterns: Vec::new(),
        }
    }

    /// Returns the number of old names and patterns.
    pub fn len(&self) -> usize {
        self.old.len()
    }

    /// Returns whether there are no rules.
    pub fn is_empty(&self) -> bool {
        self.old.is_empty()
    }

    /// Returns the new name, or `None` if the name does not change.
    pub fn apply(&self, name: &str) -> Option<Text> {
        self.find(name).map(|(_, new)| new)
    }

    /// Returns the old names and patterns that match none of the names.
    pub fn unused<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Vec<&str> {
        let mut uses = Uses::of(self);
        names.into_iter().for_each(|name| uses.count(name));
        uses.unused()
    }

    fn find(&self, name: &str) -> Option<(usize, Text)> {
        if let Some((index, new)) = self.exact.get(name) {
            return Some((*index, new.clone()));
        }
        self.patterns.iter().find_map(|(index, pattern, new)| {
            let captures = pattern.captures(name)?;
            Some((*index, filled(new, &captures)))
        })
    }
}

fn check_wildcards(old: &str, wildcards: usize, new: &str) -> Result<(), EditError> {
    let found = new.chars().filter(|character| matches!(character, '*' | '?')).count();
    if found <= wildcards {
        return Ok(());
    }
    let found = counted(found, "wildcard");
    let old_ones = counted(wildcards, "wildcard");
    let problem = format!("the new name has {found}, but the old one has {old_ones}");
    Err(EditError::Pattern { pattern: format!("{old}={new}"), problem })
}

/// Returns a new name with its wildcards replaced.
fn filled(new: &str, captures: &[String]) -> Text {
    let mut captures = captures.iter();
    let mut text = String::with_capacity(new.len());
    for character in new.chars() {
        match character {
            '*' | '?' => text.push_str(captures.next().map_or("", String::as_str)),
            other => text.push(other),
        }
    }
    text.into()
}

/// The rules that have matched a name.
#[derive(Debug)]
pub(crate) struct Uses<'r> {
    renaming: &'r Renaming,
    used: Vec<bool>,
}

impl<'r> Uses<'r> {
    pub(crate) fn of(renaming: &'r Renaming) -> Self {
        Self { renaming, used: vec![false; renaming.old.len()] }
    }

    /// Renames a name in place.
    pub(crate) fn replace(&mut self, name: &mut Text) {
        if let Some(new) = self.apply(name) {
            *name = new;
        }
    }

    /// Returns the new name, or `None` if the name does not change.
    pub(crate) fn apply(&mut self, name: &str) -> Option<Text> {
        let (index, new) = self.renaming.find(name)?;
        self.mark(index);
        Some(new)
    }

    fn count(&mut self, name: &str) {
        if let Some((index, _)) = self.renaming.find(name) {
            self.mark(index);
        }
    }

    fn mark(&mut self, index: usize) {
        if let Some(used) = self.used.get_mut(index) {
            *used = true;
        }
    }

    pub(crate) fn unused(&self) -> Vec<&'r str> {
        let names = self.renaming.old.iter().zip(&self.used);
        names.filter(|(_, used)| !**used).map(|(name, _)| name.as_ref()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn renamed(old: &str, new: &str, name: &str) -> Option<String> {
        let renaming = Renaming::new(&[(old.into(), new.into())], Case::Sensitive).unwrap();
        renaming.apply(name).map(|name| name.to_string())
    }

    #[test]
    fn wildcards_of_the_new_name_take_the_text_of_the_old_ones() {
        for (old, new, name, expected) in [
            ("mixamorig:*", "*", "mixamorig:Hips", Some("Hips")),
            ("*_?_*", "*-*-*", "arm_l_01", Some("arm-l-01")),
            ("*", "a*", "", Some("a")),
            ("a*b*c", "*|*", "a1b2b3c", Some("1|2b3")),
            ("a*", "b", "abc", Some("b")),
            ("?", "*", "ab", None),
            ("a?", "*", "a", None),
            ("hand", "Hand", "hands", None),
        ] {
            assert_eq!(renamed(old, new, name).as_deref(), expected, "{old}={new} of {name}");
        }
    }

    #[test]
    fn a_new_name_with_more_wildcards_is_an_error() {
        for (old, new) in [("a", "*"), ("a*", "*?")] {
            assert!(Renaming::new(&[(old.into(), new.into())], Case::Sensitive).is_err(), "{old}");
        }
    }

    #[test]
    fn case_is_ignored_on_request() {
        let names = [("HIP*".into(), "pelvis*".into()), ("Head".into(), "Skull".into())];
        let renaming = Renaming::new(&names, Case::Ignored).unwrap();
        assert_eq!(renaming.apply("hips").as_deref(), Some("pelviss"));
        assert_eq!(renaming.apply("HEAD").as_deref(), Some("Skull"));
        assert_eq!(renaming.unused(["hips"]), ["Head"]);
    }

    #[test]
    fn matching_many_stars_takes_linear_time_in_pattern_and_name() {
        let pattern = NamePattern::new(&"*a".repeat(500), Case::Sensitive).unwrap();
        assert!(!pattern.matches(&format!("{}b", "a".repeat(100_000))));
    }
}
