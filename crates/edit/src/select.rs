//! Selects tracks by pattern.

use glob::{MatchOptions, Pattern};
use inbetween_core::{Document, Outcome, Target};

use crate::names::Case;
use crate::work::Work;
use crate::{EditError, Settings, codes};

/// A pattern of node and property names.
///
/// `Hips` matches all tracks of the node, `Hips/Rotation` one of them, `*/Position` all positions
/// and `*/Position.x` those that have only an x. `*` matches any text, `?` any character, `[abc]`
/// one of several characters, `{l,r}` either text. Case matters unless
/// [`ignoring_case`](Self::ignoring_case) is used. The part after the last `/` is the property, as
/// the tool prints it: `Position`, `Rotation`, `RotationEuler`, `Scale`, `Weight:shape` or a custom
/// name. A node without a name matches the empty text. `#3` is the third track of a clip,
/// and `[#]3` a node with this name.
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
    /// A pattern of the node and one of the property, for each alternative of the braces.
    choices: Vec<(Pattern, Option<Pattern>)>,
    /// The index of a track, instead of its name.
    index: Option<usize>,
    case: Case,
}

/// The longest pattern in bytes: matching recurses at each `*`.
const LONGEST: usize = 1024;

impl TrackPattern {
    /// Parses a pattern.
    ///
    /// # Errors
    ///
    /// If a bracket or brace is not closed, three `*` follow each other, the braces have more than
    /// 256 alternatives, or the text is longer than 1,024 bytes.
    pub fn new(text: &str) -> Result<Self, EditError> {
        let shown: String = text.chars().take(64).collect();
        let failed = |problem: String| EditError::Pattern { pattern: shown.clone(), problem };
        if text.len() > LONGEST {
            return Err(failed(format!("expected at most {LONGEST} bytes, found {}", text.len())));
        }
        let number = text.strip_prefix('#').and_then(|number| number.parse::<usize>().ok());
        if let Some(index) = number.and_then(|number| number.checked_sub(1)) {
            let (text, index) = (text.to_owned(), Some(index));
            return Ok(Self { text, choices: Vec::new(), index, case: Case::Sensitive });
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
        Ok(Self { text: text.to_owned(), choices, index: None, case: Case::Sensitive })
    }

    /// Parses several patterns, separated by commas.
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

    /// Returns the pattern with case ignored.
    #[must_use]
    pub fn ignoring_case(self) -> Self {
        Self { case: Case::Ignored, ..self }
    }

    /// Returns the text of the pattern.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns whether the pattern is the number of a track.
    pub const fn is_number(&self) -> bool {
        self.index.is_some()
    }

    /// Returns whether the pattern matches a track, by its index in a clip or by its target.
    pub fn matches_track(&self, index: usize, target: &Target) -> bool {
        self.index == Some(index) || self.matches(target)
    }

    /// Returns whether the pattern matches a target. A number matches none.
    pub fn matches(&self, target: &Target) -> bool {
        self.matches_component(target, target.component.map_or("", |axis| axis.name()))
    }

    /// Returns whether the pattern matches one component of a target, such as `y`: by its name, or
    /// because it matches the whole property.
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

/// The largest number of alternatives of braces.
const MOST: usize = 256;

/// Returns the alternatives of a text with braces: `a_l` and `a_r` for `a_{l,r}`.
fn alternatives(text: &str) -> Result<Vec<String>, String> {
    let mut texts = vec![String::new()];
    let mut rest = text;
    while let Some((before, inner)) = split_at_brace(rest) {
        let (choices, after) = inner.split_once('}').ok_or("a brace is not closed")?;
        let choices: Vec<&str> = choices.split(',').collect();
        if texts.len() * choices.len() > MOST {
            return Err(format!("the braces have more than {MOST} alternatives"));
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

/// Splits a text at the first opening brace that is not within brackets.
fn split_at_brace(text: &str) -> Option<(&str, &str)> {
    let mut within = false;
    text.split_once(|character| {
        match character {
            '[' => within = true,
            ']' => within = false,
            _ => {}
        }
        character == '{' && !within
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

/// Keeps the tracks that one of the patterns matches, and drops the others.
///
/// Markers are kept. A pattern that matches nothing is reported.
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

/// Drops the tracks that one of the patterns matches, and keeps the others.
///
/// Markers are kept. A pattern that matches nothing is reported.
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
        let mut indices = 0..clip.tracks.len();
        clip.tracks.retain(|track| {
            let (mut fits, index) = (false, indices.next().unwrap_or_default());
            for (pattern, used) in patterns.iter().zip(&mut used) {
                if pattern.matches_track(index, track.target()) {
                    (fits, *used) = (true, true);
                }
            }
            keep(fits)
        });
    }
    for (pattern, _) in patterns.iter().zip(used).filter(|(_, used)| !used) {
        work.findings.leave();
        work.say(codes::PATTERN_UNUSED, format!("no track matches {}", pattern.as_str()));
    }
    Outcome::new(document, work.findings)
}
