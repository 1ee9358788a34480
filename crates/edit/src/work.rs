//! Visits a document, with the state that an edit needs.

use inbetween_core::{
    Animation, BakeError, Baked, Bound, Code, Curves, Document, Finding, Findings, Outcome, Rules,
    SharedBudget, StatedError, Target, Track, TrackData, counted, memory, translate,
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
    /// The frame rate of the current clip.
    frame_rate: Option<f64>,
    pub(crate) budget: SharedBudget,
    pub(crate) findings: Findings,
}

impl<'s> Work<'s> {
    pub(crate) fn on(document: &Document, settings: &'s Settings) -> Self {
        Self {
            settings,
            rules: Rules::LINEAR,
            clip_rules: Rules::LINEAR,
            frame_rate: None,
            budget: settings.budget_for(document),
            findings: Findings::new(&settings.limits),
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
            self.enter_clip(many.then_some(index), &clip);
            clips.push(edit(&mut self, clip)?);
        }
        document.clips = clips;
        Ok(Outcome::new(document, self.findings))
    }

    /// Sets the current clip, which provides the place of findings, the rules and the frame rate.
    pub(crate) fn enter_clip(&mut self, index: Option<usize>, clip: &Animation) {
        (self.rules, self.clip_rules) = (clip.rules, clip.rules);
        self.frame_rate = clip.frame_rate;
        self.findings.enter_clip(index.map(|index| (index, clip.name.as_ref())));
    }

    /// Edits every track of a list.
    pub(crate) fn tracks(
        &mut self,
        tracks: Vec<Track>,
        mut edit: impl FnMut(&mut Self, Target, TrackData) -> Result<(Target, TrackData), EditError>,
    ) -> Result<Vec<Track>, EditError> {
        let mut edited = Vec::with_capacity(tracks.len());
        for (index, track) in tracks.into_iter().enumerate() {
            self.findings.enter_track(index, track.target());
            self.play(track.target());
            let (target, data) = track.into_parts();
            // Most edits create columns of the same size as the existing ones.
            self.baking(memory::ensure(data.heap_bytes()).map_err(Into::into))?;
            let (target, data) = edit(self, target, data)?;
            edited.push(Track::new(target, data)?);
        }
        self.findings.leave();
        Ok(edited)
    }

    /// Sets the rules for the property of the current track.
    pub(crate) fn play(&mut self, target: &Target) {
        self.rules = self.clip_rules.of(&target.property);
    }

    /// Reports a finding about the current track or clip.
    pub(crate) fn say(&mut self, code: Code, message: impl Into<std::borrow::Cow<'static, str>>) {
        self.findings.push(Finding::new(code, message));
    }

    /// Returns the rules of the current clip.
    pub(crate) const fn clip_rules(&self) -> Rules {
        self.clip_rules
    }

    /// Returns the bound of new keys of the current clip.
    pub(crate) const fn bound(&self) -> Bound {
        Bound::new(Curves::Cubic).with_error(self.settings.bound).with_frame_rate(self.frame_rate)
    }

    /// Reports keys that replace others.
    pub(crate) fn say_baked(&mut self, code: Code, before: usize, baked: &Baked) {
        let message = format!("{} became {}", counted(before, "key"), baked.data.len());
        self.findings.extend(baked.findings(code, &message));
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
        let translated = self.baking(translate(data, &target.property, from, to))?;
        // Keys that play exactly the same are not worth a finding.
        let changes = |finding: &Finding| finding.error != Some(StatedError::default());
        self.findings.extend(translated.findings().filter(changes));
        Ok(translated.data)
    }

    /// Adds the place to an error of baking.
    pub(crate) fn baking<T>(&self, result: Result<T, BakeError>) -> Result<T, EditError> {
        result.map_err(|error| EditError::Bake { place: Box::new(self.findings.place()), error })
    }

    /// Returns the error of a time that would become too large.
    pub(crate) fn too_late(&self, time: f64) -> EditError {
        EditError::Times { place: Box::new(self.findings.place()), time }
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
