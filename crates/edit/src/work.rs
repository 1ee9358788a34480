//! Going through a document, with what an edit needs on the way.

use inbetween_core::{
    Animation, BakeError, Baked, Code, Document, Finding, Findings, Outcome, Path, PathStyle,
    Rules, Segment, SharedBudget, Target, Track, TrackData, codes as shared, memory, num,
    translate,
};

use crate::{EditError, Settings};

/// An edit that is under way.
#[derive(Debug)]
pub(crate) struct Work<'s> {
    pub(crate) settings: &'s Settings,
    /// The rules by which the current track plays.
    pub(crate) rules: Rules,
    /// The rules of the current clip.
    clip_rules: Rules,
    pub(crate) budget: SharedBudget,
    pub(crate) findings: Findings,
    /// The clip at hand, if the document has more than one.
    clip: Option<usize>,
    /// The track at hand.
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

    /// Makes another clip the current one, which findings are about and whose rules count.
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
            // Most edits make columns of the size of those that there are.
            self.baking(memory::ensure(data.heap_bytes()).map_err(Into::into))?;
            let (target, data) = edit(self, target, data)?;
            edited.push(Track::new(target, data)?);
        }
        self.leave_tracks();
        Ok(edited)
    }

    /// Makes a track of the clip at hand the one that findings are about.
    pub(crate) fn enter_track(&mut self, track: usize) {
        self.track = Some(track);
        self.findings.begin_scope();
    }

    /// Makes the rules for a property those by which the track at hand plays.
    pub(crate) fn play(&mut self, target: &Target) {
        self.rules = self.clip_rules.of(&target.property);
    }

    /// Makes the clip at hand what findings are about.
    pub(crate) fn leave_tracks(&mut self) {
        self.track = None;
        self.findings.begin_scope();
    }

    /// Returns where the work is.
    pub(crate) fn path(&self) -> Path {
        let item =
            |list, index: usize| [Segment::Field(list), Segment::Index(num::u64_from_len(index))];
        let clip = self.clip.map(|index| item("clips", index));
        let track = self.track.map(|index| item("tracks", index));
        let steps = clip.into_iter().chain(track).flatten();
        Path::new(PathStyle::Dotted, steps.collect())
    }

    /// Reports something about the track or clip at hand.
    pub(crate) fn say(&mut self, code: Code, message: impl Into<std::borrow::Cow<'static, str>>) {
        let finding = Finding::new(code, message).at(self.path());
        self.findings.push(finding);
    }

    /// Returns the rules of the current clip.
    pub(crate) const fn clip_rules(&self) -> Rules {
        self.clip_rules
    }

    /// Reports keys that replace others.
    pub(crate) fn say_baked(&mut self, code: Code, before: usize, baked: &Baked) {
        let (after, error) = (baked.data.len(), baked.error);
        let message = format!("{before} keys became {after}, {error}");
        self.findings.push(Finding::new(code, message).at(self.path()).error(error));
    }

    /// Changes a clip so that it plays the same by other rules, and reports it.
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
        // What a stated duration means may differ; what plays stays.
        if rules.0.stated_duration != to.stated_duration && clip.duration.is_some() {
            clip.duration = Some(duration);
        }
        Ok(clip.with_rules(to))
    }

    /// Changes a track so that it plays the same by other rules, and reports it.
    pub(crate) fn translate(
        &mut self,
        target: &Target,
        data: TrackData,
        (from, to): (Rules, Rules),
    ) -> Result<TrackData, EditError> {
        let translated = translate(data, &target.property, from, to, &mut self.budget.lock());
        let translated = self.baking(translated)?;
        if translated.error.value > 0.0 {
            let error = translated.error;
            let finding = Finding::new(shared::SLERP_DIFFERS, error.to_string());
            self.findings.push(finding.at(self.path()).error(error));
        }
        Ok(translated.data)
    }

    /// Gives the place to an error of baking.
    pub(crate) fn baking<T>(&self, result: Result<T, BakeError>) -> Result<T, EditError> {
        result.map_err(|error| EditError::Bake { path: self.path(), error })
    }
}

/// Fails unless a number is finite and fits the condition.
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
