//! A list of findings that grows while a file is checked or converted.

use std::sync::Arc;

use super::finding::{Code, Finding};
use crate::{ClipPlace, Limits, Path, Place, TrackName, TrackPlace};

/// Collects findings: one per code and scope, up to the limit.
///
/// A scope is the clip, the track or the item of the file that was [entered](Self::enter) last. Its
/// findings get its place. The first occurrence of a code in a scope is kept and later ones are only
/// counted, so a hostile file cannot exhaust memory with findings.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Finding, Findings, Limits, Property, Target, codes};
///
/// let mut findings = Findings::new(&Limits::default());
/// findings.enter_track(4, &Target::new("head", Property::Scale));
/// for key in 0..3 {
///     findings.add(codes::TIME_NOT_FINITE, || {
///         Finding::new(codes::TIME_NOT_FINITE, "dropped").key(key)
///     });
/// }
/// let list = findings.into_vec();
/// assert_eq!((list.len(), list[0].count), (1, 3));
/// assert_eq!(list[0].place.to_string(), "head/Scale, key 0");
/// ```
#[derive(Clone, Debug)]
pub struct Findings {
    list: Vec<Finding>,
    /// The index of the first finding of the current scope.
    scope: usize,
    clip: Option<ClipPlace>,
    track: Option<TrackPlace>,
    path: Path,
    limit: usize,
    dropped: u64,
}

impl Findings {
    /// Creates an empty list with the limit `limits.findings`.
    pub fn new(limits: &Limits) -> Self {
        Self {
            list: Vec::new(),
            scope: 0,
            clip: None,
            track: None,
            path: Path::default(),
            limit: limits.findings,
            dropped: 0,
        }
    }

    /// Enters an item of the file, such as `bones[3]`: the default path of later findings.
    pub fn enter(&mut self, path: Path) {
        self.scope = self.list.len();
        (self.track, self.path) = (None, path);
    }

    /// Enters a clip, or the whole document.
    pub fn enter_clip(&mut self, clip: Option<(usize, Option<&Arc<str>>)>) {
        self.leave();
        let name = |name: Option<&Arc<str>>| name.cloned().unwrap_or_default();
        self.clip = clip.map(|(index, text)| ClipPlace { index, name: name(text) });
    }

    /// Enters a track of the current clip.
    pub fn enter_track(&mut self, index: usize, name: impl Into<TrackName>) {
        self.leave();
        self.track = Some(TrackPlace { index, name: name.into() });
    }

    /// Names the track that the current item of the file becomes; the scope goes on.
    pub fn name_track(&mut self, index: usize, name: impl Into<TrackName>) {
        self.track = Some(TrackPlace { index, name: name.into() });
        self.path = Path::default();
    }

    /// Leaves the track or the item of the file, if one was entered.
    pub fn leave(&mut self) {
        self.enter(Path::default());
    }

    /// Returns the current clip and track.
    pub fn place(&self) -> Place {
        Place { clip: self.clip.clone(), track: self.track.clone(), key: None }
    }

    /// Adds a finding, or counts it if this scope already has one with its code.
    ///
    /// `finding` is called only for the first one. Returns the finding of this code in the list, so
    /// that a worst value or an edit can be added, or `None` if the list is full.
    pub fn add(&mut self, code: Code, finding: impl FnOnce() -> Finding) -> Option<&mut Finding> {
        let scope = self.list.get(self.scope..).unwrap_or_default();
        if let Some(position) = scope.iter().position(|known| known.code == code) {
            let known = self.list.get_mut(self.scope.saturating_add(position))?;
            known.count = known.count.saturating_add(1);
            return Some(known);
        }
        if self.list.len() >= self.limit {
            self.dropped = self.dropped.saturating_add(1);
            return None;
        }
        let mut finding = finding();
        let Place { clip, track, key } = core::mem::take(&mut finding.place);
        let here = self.place();
        finding.place = Place { clip: clip.or(here.clip), track: track.or(here.track), key };
        if finding.path.is_root() {
            finding.path = self.path.clone();
        }
        self.list.push(finding);
        self.list.last_mut()
    }

    /// Adds a finding that is made already, as [`add`](Self::add) does.
    pub fn push(&mut self, finding: Finding) {
        let code = finding.code;
        self.add(code, || finding);
    }

    /// Returns whether there are no findings.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns whether the list has a finding with this code.
    pub fn contains(&self, code: Code) -> bool {
        self.list.iter().any(|finding| finding.code == code)
    }

    /// Returns the findings so far.
    pub fn as_mut_slice(&mut self) -> &mut [Finding] {
        &mut self.list
    }

    /// Returns the findings, followed by `core/findings-truncated` if there were more.
    pub fn into_vec(mut self) -> Vec<Finding> {
        if self.dropped > 0 {
            let message = format!("{} more findings are not listed", self.dropped);
            self.list.push(Finding::new(crate::codes::FINDINGS_TRUNCATED, message));
        }
        self.list
    }
}

/// The limit on findings that all clips of a file share, so that a file of many clips reports no more
/// than others.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Finding, Limits, SharedFindings, codes};
///
/// let mut shared = SharedFindings::new(&Limits::default().with_findings(1));
/// for (clip, listed) in [("walk", 1), ("run", 1), ("jump", 0)] {
///     let mut findings = shared.begin();
///     findings.push(Finding::new(codes::NAME_DROPPED, clip));
///     // The second list says that there are more, and the third one is empty.
///     assert_eq!(shared.end(findings).len(), listed, "{clip}");
/// }
/// ```
#[derive(Clone, Debug)]
pub struct SharedFindings {
    left: Limits,
    /// Whether a list said that there are more.
    truncated: bool,
}

impl SharedFindings {
    /// Starts with the limit `limits.findings`.
    pub fn new(limits: &Limits) -> Self {
        Self { left: limits.clone(), truncated: false }
    }

    /// Begins the findings of a clip, or of the file as a whole.
    pub fn begin(&self) -> Findings {
        Findings::new(&self.left)
    }

    /// Returns the findings as a list, which is empty if an earlier list said that there are more.
    pub fn end(&mut self, findings: Findings) -> Vec<Finding> {
        let list = if self.truncated { Vec::new() } else { findings.into_vec() };
        self.truncated |= list.len() > self.left.findings;
        self.left.findings = self.left.findings.saturating_sub(list.len());
        list
    }
}

/// Adds findings as [`push`](Findings::push) does.
impl Extend<Finding> for Findings {
    fn extend<T: IntoIterator<Item = Finding>>(&mut self, findings: T) {
        findings.into_iter().for_each(|finding| self.push(finding));
    }
}

/// The result of a conversion, with its findings.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome<T> {
    /// The result.
    pub value: T,
    /// Losses and observations of the conversion.
    pub findings: Vec<Finding>,
}

impl<T> Outcome<T> {
    /// Creates the outcome of a conversion.
    pub fn new(value: T, findings: Findings) -> Self {
        Self { value, findings: findings.into_vec() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Position, Property, Target, codes};

    #[test]
    fn counts_repeats_only_within_a_scope() {
        let mut findings = Findings::new(&Limits::default());
        assert!(findings.is_empty());
        for _ in 0..2 {
            findings.push(Finding::new(codes::TIME_NOT_FINITE, "first"));
        }
        assert!(!findings.is_empty());
        findings.enter(Path::item("bones", 1));
        findings.push(Finding::new(codes::TIME_NOT_FINITE, "second"));
        let findings = findings.into_vec();
        let counts: Vec<u64> = findings.iter().map(|finding| finding.count).collect();
        assert_eq!(counts, [2, 1]);
        assert_eq!(findings[1].path.to_string(), "bones[1]");
    }

    #[test]
    fn findings_get_the_place_that_was_entered_last() {
        let mut findings = Findings::new(&Limits::default());
        let say = |findings: &mut Findings| findings.push(Finding::new(codes::RESAMPLED, "x"));
        findings.enter_clip(Some((2, Some(&"Walk".into()))));
        say(&mut findings);
        findings.enter_track(1, &Target::new("head", Property::Rotation));
        say(&mut findings);
        findings.leave();
        say(&mut findings);
        findings.enter_clip(None);
        say(&mut findings);
        let places = findings.into_vec().into_iter().map(|finding| finding.place.to_string());
        let expected = ["clip 'Walk'", "clip 'Walk', head/Rotation", "clip 'Walk'", ""];
        assert_eq!(places.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn reports_how_many_findings_are_not_listed() {
        let limits = Limits::default().with_findings(1);
        let mut findings = Findings::new(&limits);
        for item in 0..3 {
            findings.enter(Path::item("bones", item));
            findings.push(Finding::new(codes::TIME_NOT_FINITE, "x"));
        }
        let list = findings.into_vec();
        assert_eq!(list.len(), 2);
        assert_eq!(list[1].message, "2 more findings are not listed");
    }

    #[test]
    fn prints_severity_code_path_message_and_position() {
        let finding = Finding::new(codes::TIMES_SORTED, "2 keys moved")
            .at(Path::item("tracks", 1))
            .position(Position::byte(0x1a4));
        assert_eq!(
            finding.to_string(),
            "warning: convert/times-sorted: tracks[1]: 2 keys moved (at byte 0x1a4)"
        );
    }
}
