//! Visits a document, with the state that an edit needs.

use inbetween_core::{
    Animation, BakeError, Baked, Code, Document, Finding, Findings, Outcome, Path, PathStyle,
    Rules, Segment, SharedBudget, StatedError, Target, Track, TrackData, Translated,
    codes as shared, counted, memory, num, translate,
};

use crate::{EditError, Settings};

/// An edit in progress.
#[derive(Debug)]
pub(crate) struct Work<'s> {
    pub(crate) settings: &'s Settings,
    /// The rules of the current track.
    pub(crate) rules: Rules,
    /// The rules of the current clip.
    clip_rules: Rules,
    pub(crate) budget: SharedBudget,
    pub(crate) findings: Findings,
    /// The index of the current clip, if the document has several.
    clip: Option<usize>,
    /// The index of the current track.
    track: Option<usize>,
}

impl<'s> Work<'s> {
    pub(crate) fn on(document: &Document, settings: &'s Settings) -> Self {
        Self {
            settings,
            rules: Rules::LINEAR,
            clip_rules: Rules::LINEAR,
            budget: settings.budget_for(document),
            findings: Findings::new(&settings.limits),
            clip: None,
            track: None,
        }
    }

    /// Edits every clip of a document.
    pub(crate) fn clips(
        mut self,
        mut document: Document,
        mut edit: impl FnMut(&mut Self, Animation) -> Result<Animation, EditError>,
    ) -> Result<Outcome<Document>, EditError> {
        let many = document.clips.len() > 1;
        let mut clips = Vec::with_capacity(document.clips.len());
        for (index, clip) in document.clips.into_iter().enumerate() {
            self.enter_clip(many.then_some(index), clip.rules);
            clips.push(edit(&mut self, clip)?);
        }
        document.clips = clips;
        Ok(Outcome::new(document, self.findings))
    }

    /// Sets the current clip, which provides the path of findings and the rules.
    pub(crate) fn enter_clip(&mut self, index: Option<usize>, rules: Rules) {
        (self.clip, self.track) = (index, None);
        (self.rules, self.clip_rules) = (rules, rules);
        self.findings.begin_scope();
    }

    /// Edits every track of a list.
    pub(crate) fn tracks(
        &mut self,
        tracks: Vec<Track>,
        mut edit: impl FnMut(&mut Self, Target, TrackData) -> Result<(Target, TrackData), EditError>,
    ) -> Result<Vec<Track>, EditError> {
        let mut edited = Vec::with_capacity(tracks.len());
        for (index, track) in tracks.into_iter().enumerate() {
            self.enter_track(index);
            self.play(track.target());
            let (target, data) = track.into_parts();
            // Most edits create columns of the same size as the existing ones.
            self.baking(memory::ensure(data.heap_bytes()).map_err(Into::into))?;
            let (target, data) = edit(self, target, data)?;
            edited.push(Track::new(target, data)?);
        }
        self.leave_tracks();
        Ok(edited)
    }

    /// Sets the current track of the current clip, which provides the path of findings.
    pub(crate) fn enter_track(&mut self, track: usize) {
        self.track = Some(track);
        self.findings.begin_scope();
    }

    /// Sets the rules for the property of the current track.
    pub(crate) fn play(&mut self, target: &Target) {
        self.rules = self.clip_rules.of(&target.property);
    }

    /// Makes the current clip the path of findings.
    pub(crate) fn leave_tracks(&mut self) {
        self.track = None;
        self.findings.begin_scope();
    }

    /// Returns the path of the current clip or track.
    pub(crate) fn path(&self) -> Path {
        let item =
            |list, index: usize| [Segment::Field(list), Segment::Index(num::u64_from_len(index))];
        let clip = self.clip.map(|index| item("clips", index));
        let track = self.track.map(|index| item("tracks", index));
        let steps = clip.into_iter().chain(track).flatten();
        Path::new(PathStyle::Dotted, steps.collect())
    }

    /// Reports a finding about the current track or clip.
    pub(crate) fn say(&mut self, code: Code, message: impl Into<std::borrow::Cow<'static, str>>) {
        let finding = Finding::new(code, message).at(self.path());
        self.findings.push(finding);
    }

    /// Returns the rules of the current clip.
    pub(crate) const fn clip_rules(&self) -> Rules {
        self.clip_rules
    }

    /// Reports the angle in radians by which slerps play differently, if it is not 0.
    pub(crate) fn say_slerp_differs(&mut self, angle: f64) {
        if angle > 0.0 {
            let error = StatedError::of_value(angle);
            let finding = Finding::new(shared::SLERP_DIFFERS, error.to_string());
            self.findings.push(finding.at(self.path()).error(error));
        }
    }

    /// Reports keys that replace others.
    pub(crate) fn say_baked(&mut self, code: Code, before: usize, baked: &Baked) {
        let (after, error) = (baked.data.len(), baked.error);
        let message = format!("{} became {after}, {error}", counted(before, "key"));
        self.findings.push(Finding::new(code, message).at(self.path()).error(error));
    }

    /// Converts a clip to other rules without changing playback, and reports it.
    pub(crate) fn play_by(&mut self, clip: Animation, to: Rules) -> Result<Animation, EditError> {
        let rules = (clip.rules, to);
        if rules.0 == rules.1 {
            return Ok(clip);
        }
        let duration = clip.effective_duration();
        let mut clip = clip;
        let tracks = core::mem::take(&mut clip.tracks);
        clip.tracks = self.tracks(tracks, |work, target, data| {
            let data = work.translate(&target, data, rules)?;
            Ok((target, data))
        })?;
        // The meaning of a stated duration may differ between rules; playback must not change.
        if rules.0.stated_duration != to.stated_duration && clip.duration.is_some() {
            clip.duration = Some(duration);
        }
        Ok(clip.with_rules(to))
    }

    /// Converts a track to other rules without changing playback, and reports it.
    pub(crate) fn translate(
        &mut self,
        target: &Target,
        data: TrackData,
        (from, to): (Rules, Rules),
    ) -> Result<TrackData, EditError> {
        let translated = translate(data, &target.property, from, to, &mut self.budget.lock());
        let Translated { data, rewritten, error, .. } = self.baking(translated)?;
        if error.value > 0.0 && rewritten > 0 {
            let message = format!("{}{}", counted(rewritten, "key"), error.and_text());
            let finding = Finding::new(shared::KEYS_TRANSLATED, message).error(error);
            self.findings.push(finding.at(self.path()).count(num::u64_from_len(rewritten)));
        } else if error.value > 0.0 {
            let finding = Finding::new(shared::SLERP_DIFFERS, error.to_string());
            self.findings.push(finding.at(self.path()).error(error));
        }
        Ok(data)
    }

    /// Adds the path to an error of baking.
    pub(crate) fn baking<T>(&self, result: Result<T, BakeError>) -> Result<T, EditError> {
        result.map_err(|error| EditError::Bake { path: self.path(), error })
    }
}

/// Returns an error unless a number is finite and meets the condition.
pub(crate) fn check_number(
    what: &'static str,
    expected: &'static str,
    found: f64,
    fits: bool,
) -> Result<(), EditError> {
    if fits && found.is_finite() {
        Ok(())
    } else {
        Err(EditError::Number { what, expected, found })
    }
}
