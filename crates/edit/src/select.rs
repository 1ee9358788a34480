//! Selects tracks by pattern.

use glob::{MatchOptions, Pattern};
use inbetween_core::{Document, Outcome, Target};

use crate::names::Case;
use crate::work::Work;
use crate::{EditError, Settings, codes};

/// A pattern of node and property names.
///
/// `Hips` stands for all tracks of the node, `Hips/Rotation` for one of them, `*/Position` for all
/// positions and `*/Position.x` for those that have only an x. `*` is any text, `?` any one
/// character, `[abc]` one of some, `{l,r}` either text; upper and lower case differ unless
/// [`ignoring_case`](Self::ignoring_case) is used. What follows the last `/` is
/// the property, as the tool prints it: `Position`, `Rotation`, `RotationEuler`, `Scale`,
/// `Weight:shape` or a custom name. A node without a name is the empty text.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Property, Target};
/// use inbetween_edit::TrackPattern;
///
/// let pattern = TrackPattern::new("j_*/Position")?;
/// assert!(pattern.matches(&Target::new("j_spine", Property::Translation)));
/// assert!(!pattern.matches(&Target::new("j_spine", Property::Scale)));
/// assert!(TrackPattern::new("j_[")  .is_err());
/// # Ok::<(), inbetween_edit::EditError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrackPattern {
    text: String,
    /// A pattern of the node, and one of the property, for each choice of texts in braces.
    choices: Vec<(Pattern, Option<Pattern>)>,
    case: Case,
}

/// The longest pattern: matching goes a step deeper at each `*`.
const LONGEST: usize = 1024;

impl TrackPattern {
    /// Makes a pattern of a text.
    ///
    /// # Errors
    ///
    /// If a bracket or brace is not closed, three `*` follow each other, the braces stand for more
    /// than 256 texts, or the text is longer than 1,024 bytes.
    pub fn new(text: &str) -> Result<Self, EditError> {
        let shown: String = text.chars().take(64).collect();
        let failed = |problem: String| EditError::Pattern { pattern: shown.clone(), problem };
        if text.len() > LONGEST {
            return Err(failed(format!("expected at most {LONGEST} bytes, found {}", text.len())));
        }
        let parse = |text| Pattern::new(text).map_err(|error| failed(error.to_string()));
        let choices = alternatives(text).map_err(failed)?;
        let choices = choices.iter().map(|text| {
            Ok(match text.rsplit_once('/') {
                Some((node, property)) => (parse(node)?, Some(parse(property)?)),
                None => (parse(text)?, None),
            })
        });
        let choices = choices.collect::<Result<_, EditError>>()?;
        Ok(Self { text: text.to_owned(), choices, case: Case::Sensitive })
    }

    /// Makes several patterns of a text in which they are separated by commas.
    ///
    /// A comma within brackets or braces belongs to its pattern.
    ///
    /// # Errors
    ///
    /// Same as [`new`](Self::new).
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_edit::TrackPattern;
    ///
    /// let patterns = TrackPattern::list("hips,hand_{l,r}/Rotation")?;
    /// assert_eq!(patterns.len(), 2);
    /// # Ok::<(), inbetween_edit::EditError>(())
    /// ```
    pub fn list(text: &str) -> Result<Vec<Self>, EditError> {
        top_level_parts(text).into_iter().map(Self::new).collect()
    }

    /// Returns the pattern that does not distinguish upper and lower case.
    #[must_use]
    pub fn ignoring_case(self) -> Self {
        Self { case: Case::Ignored, ..self }
    }

    /// Returns the text that the pattern was made of.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns whether a track with this target is meant.
    pub fn matches(&self, target: &Target) -> bool {
        self.matches_component(target, target.component.map_or("", |axis| axis.name()))
    }

    /// Returns whether one component of a track is meant, such as `y`, either by its name or
    /// because the whole property is.
    pub fn matches_component(&self, target: &Target, component: &str) -> bool {
        let case_sensitive = self.case == Case::Sensitive;
        let options = MatchOptions { case_sensitive, ..MatchOptions::new() };
        let name = target.property.name();
        let component = (!component.is_empty()).then(|| format!("{name}.{component}"));
        self.choices.iter().any(|(node, property)| {
            let fits = |pattern: &Pattern, text: &str| pattern.matches_with(text, options);
            let of_property = |property: &Pattern| {
                fits(property, &name)
                    || component.as_deref().is_some_and(|name| fits(property, name))
            };
            fits(node, target.node.as_deref().unwrap_or_default())
                && property.as_ref().is_none_or(of_property)
        })
    }
}

/// The largest number of texts that braces may stand for.
const MOST: usize = 256;

/// Returns the texts that a text with braces stands for: `a_l` and `a_r` for `a_{l,r}`.
fn alternatives(text: &str) -> Result<Vec<String>, String> {
    let mut texts = vec![String::new()];
    let mut rest = text;
    while let Some(open) = outside_brackets(rest, '{') {
        let (before, braces) = rest.split_at_checked(open).unwrap_or((rest, ""));
        let inner = braces.strip_prefix('{').unwrap_or_default();
        let (choices, after) = inner.split_once('}').ok_or("a brace is not closed")?;
        let choices: Vec<&str> = choices.split(',').collect();
        if texts.len().saturating_mul(choices.len()) > MOST {
            return Err(format!("the braces stand for more than {MOST} texts"));
        }
        let join = |text: &String| {
            let start = format!("{text}{before}");
            choices.iter().map(move |choice| format!("{start}{choice}")).collect::<Vec<_>>()
        };
        texts = texts.iter().flat_map(join).collect();
        rest = after;
    }
    for text in &mut texts {
        text.push_str(rest);
    }
    Ok(texts)
}

/// Returns the offset of the first character of this kind that is not within brackets.
fn outside_brackets(text: &str, wanted: char) -> Option<usize> {
    let mut within = false;
    text.char_indices().find_map(|(at, character)| {
        match character {
            '[' => within = true,
            ']' => within = false,
            _ if character == wanted && !within => return Some(at),
            _ => {}
        }
        None
    })
}

/// Splits a text at its commas, except those within brackets or braces.
fn top_level_parts(text: &str) -> Vec<&str> {
    let (mut bracket, mut brace) = (false, false);
    let at_comma = |character: char| {
        match character {
            '[' => bracket = true,
            ']' => bracket = false,
            '{' if !bracket => brace = true,
            '}' if !bracket => brace = false,
            ',' => return !bracket && !brace,
            _ => {}
        }
        false
    };
    text.split(at_comma).collect()
}

/// Returns the name of a target as patterns see it: `Hips/Position.x`.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Property, Target};
/// use inbetween_edit::describe;
///
/// assert_eq!(describe(&Target::new("Hips", Property::Translation)), "Hips/Position");
/// ```
pub fn describe(target: &Target) -> String {
    let node = target.node.as_deref().unwrap_or_default();
    let name = target.property.name();
    match target.component {
        Some(axis) => format!("{node}/{name}.{}", axis.name()),
        None => format!("{node}/{name}"),
    }
}

/// Keeps the tracks that one of the patterns stands for, and drops the others.
///
/// Markers stay. A pattern that stands for nothing is reported.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document, Property, Target, Track, TrackData};
/// use inbetween_edit::{Settings, TrackPattern, select};
///
/// let track = |node: &str| {
///     let data = TrackData::uniform(1.0, vec![[0.0_f32; 3]]);
///     Track::new(Target::new(node, Property::Scale), data)
/// };
/// let clip = Animation::new(vec![track("arm")?, track("leg")?]);
/// let arms = [TrackPattern::new("arm*")?];
/// let chosen = select(Document::single(clip), &arms, &Settings::default());
/// assert_eq!(chosen.value.clips[0].tracks.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn select(
    document: Document,
    patterns: &[TrackPattern],
    settings: &Settings,
) -> Outcome<Document> {
    retain(document, patterns, settings, |fits| fits)
}

/// Drops the tracks that one of the patterns stands for, and keeps the others.
///
/// Markers stay. A pattern that stands for nothing is reported.
pub fn drop(
    document: Document,
    patterns: &[TrackPattern],
    settings: &Settings,
) -> Outcome<Document> {
    retain(document, patterns, settings, |fits| !fits)
}

fn retain(
    mut document: Document,
    patterns: &[TrackPattern],
    settings: &Settings,
    keep: impl Fn(bool) -> bool,
) -> Outcome<Document> {
    let mut work = Work::on(&document, settings);
    let mut used = vec![false; patterns.len()];
    for clip in &mut document.clips {
        clip.tracks.retain(|track| {
            let mut fits = false;
            for (pattern, used) in patterns.iter().zip(&mut used) {
                if pattern.matches(track.target()) {
                    (fits, *used) = (true, true);
                }
            }
            keep(fits)
        });
    }
    for (pattern, _) in patterns.iter().zip(used).filter(|(_, used)| !used) {
        work.findings.begin_scope();
        work.say(codes::PATTERN_UNUSED, format!("no track matches {}", pattern.as_str()));
    }
    Outcome::new(document, work.findings)
}
