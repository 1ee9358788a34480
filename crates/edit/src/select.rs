//! Selects tracks by pattern.

use glob::Pattern;
use inbetween_core::{Document, Outcome, Target};

use crate::work::Work;
use crate::{EditError, Settings, codes};

/// A pattern of node and property names.
///
/// `Hips` stands for all tracks of the node, `Hips/Rotation` for one of them, `*/Position` for all
/// positions and `*/Position.x` for those that have only an x. `*` is any text, `?` any one
/// character, `[abc]` one of some; upper and lower case differ. What stands behind the last `/` is
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
    node: Pattern,
    property: Option<Pattern>,
}

/// The longest pattern: matching goes a step deeper at each `*`.
const LONGEST: usize = 1024;

impl TrackPattern {
    /// Makes a pattern of a text.
    ///
    /// # Errors
    ///
    /// If a bracket is not closed, three `*` follow each other, or the text is longer than 1,024
    /// bytes.
    pub fn new(text: &str) -> Result<Self, EditError> {
        let shown: String = text.chars().take(64).collect();
        let failed = |problem: String| EditError::Pattern { pattern: shown.clone(), problem };
        if text.len() > LONGEST {
            return Err(failed(format!("expected at most {LONGEST} bytes, found {}", text.len())));
        }
        let parse = |text| Pattern::new(text).map_err(|error| failed(error.to_string()));
        let (node, property) = match text.rsplit_once('/') {
            Some((node, property)) => (node, Some(parse(property)?)),
            None => (text, None),
        };
        Ok(Self { text: text.to_owned(), node: parse(node)?, property })
    }

    /// Returns the text that the pattern was made of.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns whether a track with this target is meant.
    pub fn matches(&self, target: &Target) -> bool {
        if !self.node.matches(target.node.as_deref().unwrap_or_default()) {
            return false;
        }
        let Some(property) = &self.property else { return true };
        let name = target.property.name();
        let component = target.component.map(|axis| format!("{name}.{}", axis.name()));
        property.matches(&name) || component.is_some_and(|name| property.matches(&name))
    }
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
