//! What the steps of a conversion share.

use std::borrow::Cow;

use crate::{
    Animation, Budget, Code, Finding, Findings, Outcome, Path, Target, Track, TrackData, WriteError,
};

/// What the steps of a conversion share: the unspent budget, and the findings so far with the place
/// of the next one.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Budget, Context, Limits, Property, Target, WriteError, codes};
///
/// let mut budget = Budget::new(&Limits::default(), 0);
/// let mut context = Context::new(&mut budget);
/// let target = Target::new("head", Property::Scale);
/// let failed: Result<(), _> = context.track(3, &target, |context| {
///     context.say(codes::RESAMPLED, "10 keys");
///     Err(WriteError::not_representable("300 keys", "at most 255 fit"))
/// });
/// assert_eq!(
///     failed.unwrap_err().to_string(),
///     "head/Scale: 300 keys cannot be written: at most 255 fit"
/// );
/// assert_eq!(context.findings.into_vec()[0].place.to_string(), "head/Scale");
/// ```
#[derive(Debug)]
pub struct Context<'b> {
    /// The budget for everything that is made from one input.
    pub budget: &'b mut Budget,
    /// The findings.
    pub findings: Findings,
}

impl<'b> Context<'b> {
    /// Starts without findings.
    pub fn new(budget: &'b mut Budget) -> Self {
        let findings = Findings::new(budget.limits());
        Self { budget, findings }
    }

    /// Writes a file of the format with this id. Errors get the id.
    ///
    /// # Errors
    ///
    /// The error of `write`.
    pub fn writing<T>(
        format: &'static str,
        budget: &'b mut Budget,
        write: impl FnOnce(&mut Self) -> Result<T, WriteError>,
    ) -> Result<Outcome<T>, WriteError> {
        let mut context = Self::new(budget);
        let written = write(&mut context).map_err(|error| error.in_format(format))?;
        Ok(Outcome::new(written, context.findings))
    }

    /// Reports a finding about the current place.
    pub fn say(&mut self, code: Code, message: impl Into<Cow<'static, str>>) {
        self.findings.push(Finding::new(code, message));
    }

    /// Works on each clip of a document. Findings and errors get its place if there are several.
    ///
    /// # Errors
    ///
    /// The first error of `work`.
    pub fn clips<T>(
        &mut self,
        clips: Vec<Animation>,
        mut work: impl FnMut(&mut Self, Animation) -> Result<T, WriteError>,
    ) -> Result<Vec<T>, WriteError> {
        let many = clips.len() > 1;
        let mut made = Vec::with_capacity(clips.len());
        for (index, clip) in clips.into_iter().enumerate() {
            self.findings.enter_clip(many.then_some((index, clip.name.as_ref())));
            let done = work(self, clip);
            made.push(done.map_err(|error| error.at(self.findings.place()))?);
        }
        self.findings.enter_clip(None);
        Ok(made)
    }

    /// Works on the keys of each track, given with its index in the clip. Findings and errors get its
    /// place.
    ///
    /// # Errors
    ///
    /// The first error of `work`.
    pub fn tracks(
        &mut self,
        tracks: Vec<(usize, Track)>,
        mut work: impl FnMut(&mut Self, &Target, TrackData) -> Result<TrackData, WriteError>,
    ) -> Result<Vec<(usize, Track)>, WriteError> {
        let tracks = tracks.into_iter().map(|(index, track)| {
            let (target, data) = track.into_parts();
            let data = self.track(index, &target, |context| work(context, &target, data))?;
            Ok((index, Track::new(target, data)?))
        });
        tracks.collect()
    }

    /// Works on a track. Findings and errors get its place.
    ///
    /// # Errors
    ///
    /// The error of `work`.
    pub fn track<T>(
        &mut self,
        index: usize,
        target: &Target,
        work: impl FnOnce(&mut Self) -> Result<T, WriteError>,
    ) -> Result<T, WriteError> {
        self.findings.enter_track(index, target);
        let done = work(self).map_err(|error| error.at(self.findings.place()));
        self.findings.leave();
        done
    }

    /// Works on a field of the current clip, such as `duration`, or of the document. Findings and
    /// errors get its path.
    ///
    /// # Errors
    ///
    /// The error of `work`.
    pub fn field<T>(
        &mut self,
        name: &'static str,
        work: impl FnOnce(&mut Self) -> Result<T, WriteError>,
    ) -> Result<T, WriteError> {
        self.findings.enter(Path::field(name));
        let done = work(self).map_err(|error| error.at_path(Path::field(name)));
        self.findings.leave();
        done
    }
}
