//! Documents: what JavaScript reads, draws, edits and writes.

use inbetween::core::{
    ClipCount, ClipSummary, Coordinates, FormatInfo, PlaybackCursor, ValueKind, rows,
};
use inbetween::edit::Settings;
use inbetween::json::{Clip, FindingAt};
use inbetween::merge::name_clips;
use inbetween::{Animation, Finding, Limits, Reading, Track, write_mapped};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::edits::Edit;
use crate::failure::Failure;
use crate::player::Player;
use crate::settings::{WriteSettings, parse};
use crate::{format_named, picture, to_json};

/// The content of a file, or what edits made of it.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Document {
    pub(crate) content: inbetween::Document,
    from: &'static FormatInfo,
    /// The name of the file without its extension, for clips without a name.
    name: Option<String>,
    findings: Vec<Finding>,
    pub(crate) limits: Limits,
}

/// A file that was written.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Written {
    bytes: Vec<u8>,
    to: &'static str,
    findings: String,
}

impl Document {
    pub(crate) fn new(reading: Reading, name: Option<String>, limits: Limits) -> Self {
        let Reading { from, document, findings, .. } = reading;
        Self { content: document, from, name, findings, limits }
    }

    /// Returns the document with another content and more findings.
    fn with(&self, content: inbetween::Document, found: Vec<Finding>) -> Self {
        let Self { from, name, findings, limits, .. } = self;
        let findings = findings.iter().cloned().chain(found).collect();
        Self { content, from, name: name.clone(), findings, limits: limits.clone() }
    }

    pub(crate) fn coordinates(&self) -> Coordinates {
        self.from.coordinates_of(&self.content)
    }

    pub(crate) fn settings(&self) -> Settings {
        Settings::default().limits(self.limits.clone())
    }

    pub(crate) fn clip(&self, clip: usize) -> Result<&Animation, Failure> {
        let found = self.content.clips.get(clip);
        found.ok_or_else(|| Failure::usage(format!("there is no clip {clip}")))
    }

    fn track(&self, clip: usize, track: usize) -> Result<(&Animation, &Track), Failure> {
        let clip = self.clip(clip)?;
        let found = clip.tracks.get(track);
        let found = found.ok_or_else(|| Failure::usage(format!("there is no track {track}")))?;
        if found.data().kind() == ValueKind::String {
            return Err(Failure::usage("a track of texts has no numbers"));
        }
        Ok((clip, found))
    }
}

#[wasm_bindgen]
impl Document {
    /// Returns the id of the format that was read.
    #[wasm_bindgen(getter)]
    pub fn format(&self) -> String {
        self.from.id.to_owned()
    }

    /// Returns the findings of reading and of edits.
    #[wasm_bindgen(getter)]
    pub fn findings(&self) -> String {
        to_json(&self.findings.iter().map(FindingAt::from).collect::<Vec<_>>())
    }

    /// Returns the clips with their tracks and markers.
    #[wasm_bindgen(getter)]
    pub fn clips(&self) -> String {
        let summaries: Vec<ClipSummary> = self.content.clips.iter().map(Into::into).collect();
        to_json(&summaries.iter().map(|clip| Clip::new(clip, &[])).collect::<Vec<_>>())
    }

    /// Returns the number of numbers of a value of a track.
    ///
    /// # Errors
    ///
    /// If there is no such track, or its values are texts.
    pub fn width(&self, clip: usize, track: usize) -> Result<usize, Failure> {
        Ok(rows::width(self.track(clip, track)?.1.data().kind()))
    }

    /// Returns whether the numbers of a track need double precision.
    ///
    /// # Errors
    ///
    /// Fails like [`width`](Self::width).
    #[wasm_bindgen(js_name = isWide)]
    pub fn is_wide(&self, clip: usize, track: usize) -> Result<bool, Failure> {
        let kind = self.track(clip, track)?.1.data().kind();
        Ok(kind.is_wide() || !kind.is_float())
    }

    /// Returns the times of the keys of a track in seconds.
    ///
    /// # Errors
    ///
    /// Fails like [`width`](Self::width).
    pub fn times(&self, clip: usize, track: usize) -> Result<Vec<f64>, Failure> {
        Ok(self.track(clip, track)?.1.data().times().collect())
    }

    /// Returns the numbers of the values of a track.
    ///
    /// # Errors
    ///
    /// Fails like [`width`](Self::width).
    pub fn values(&self, clip: usize, track: usize) -> Result<Vec<f64>, Failure> {
        let values = self.track(clip, track)?.1.data().values();
        let (mut numbers, mut row) = (Vec::new(), Vec::new());
        for value in (0..values.len()).filter_map(|key| values.get(key)) {
            rows::read(&value, &mut row);
            numbers.extend_from_slice(&row);
        }
        Ok(numbers)
    }

    /// Returns the values of a track at some times in seconds, as the clip plays them.
    ///
    /// # Errors
    ///
    /// Fails like [`width`](Self::width), or if the track has no keys.
    pub fn sample(&self, clip: usize, track: usize, times: &[f64]) -> Result<Vec<f64>, Failure> {
        let (clip, track) = self.track(clip, track)?;
        let rules = clip.rules.of(&track.target().property);
        let (mut numbers, mut row) = (Vec::new(), Vec::new());
        let mut cursor = PlaybackCursor::default();
        for time in times {
            let value = rules.sample_from(track.data(), &mut cursor, clip.clip_time(*time));
            let value = value.ok_or_else(|| Failure::usage("the track has no keys"))?;
            rows::read(&value, &mut row);
            numbers.extend_from_slice(&row);
        }
        Ok(numbers)
    }

    /// Draws a page of curves.
    ///
    /// # Errors
    ///
    /// If the JSON has a wrong value, such as a pattern that is none.
    pub fn plot(&self, settings: &str) -> Result<String, Failure> {
        picture::draw(&self.content, &parse(settings)?)
    }

    /// Returns the document after an edit, given as JSON.
    ///
    /// # Errors
    ///
    /// If the edit is not possible.
    pub fn edit(&self, edit: &str) -> Result<Self, Failure> {
        let edit: Edit = parse(edit)?;
        let edited = edit.apply(self.content.clone(), &self.settings())?;
        Ok(self.with(edited.value, edited.findings))
    }

    /// Prepares a clip for playing: on its own skeleton, or on that of a model.
    ///
    /// # Errors
    ///
    /// If there is no such clip, or the model has none of its nodes.
    #[expect(clippy::needless_pass_by_value, reason = "JavaScript gives no optional references")]
    pub fn player(&self, clip: usize, rig: Option<Document>) -> Result<Player, Failure> {
        Player::new(self, clip, rig.as_ref())
    }

    /// Returns a copy, which costs memory; a rig is given away to its player.
    #[must_use]
    pub fn copy(&self) -> Self {
        self.with(self.content.clone(), Vec::new())
    }

    /// Writes the document in a format.
    ///
    /// # Errors
    ///
    /// If the format cannot hold it, or strict writing loses something.
    pub fn write(&self, to: &str, settings: &str) -> Result<Written, Failure> {
        let settings: WriteSettings = parse(settings)?;
        let registry = settings.registry(to, &self.limits)?;
        let format = format_named(to, &registry)?;
        let mut content = self.content.clone();
        if let Some(name) = &settings.clip {
            let index = content.find_clip(name);
            let index =
                index.ok_or_else(|| Failure::usage(format!("no clip is named '{name}'")))?;
            content.clips = vec![content.clips.swap_remove(index)];
        }
        let mut findings = self.findings.clone();
        // As the command line does: other formats use the name of the file.
        let to = format.info();
        let needs_names = self.from.clips == ClipCount::One || to.stores.unique_names;
        if let Some(name) =
            self.name.as_deref().filter(|_| to.clips == ClipCount::Many && needs_names)
        {
            findings.extend(name_clips(&mut content, name));
        }
        let mapping = settings.mapping()?;
        let written = write_mapped(content, self.coordinates(), format, mapping, &self.limits)?;
        findings.extend(written.findings);
        settings.refuse_losses(&findings)?;
        let findings = to_json(&findings.iter().map(FindingAt::from).collect::<Vec<_>>());
        Ok(Written { bytes: written.value, to: format.info().id, findings })
    }
}

#[wasm_bindgen]
impl Written {
    /// Returns the bytes of the file, once.
    #[wasm_bindgen(js_name = takeBytes)]
    pub fn take_bytes(&mut self) -> Vec<u8> {
        core::mem::take(&mut self.bytes)
    }

    /// Returns the id of its format.
    #[wasm_bindgen(getter)]
    pub fn to(&self) -> String {
        self.to.to_owned()
    }

    /// Returns what was changed, lost or noticed.
    #[wasm_bindgen(getter)]
    pub fn findings(&self) -> String {
        self.findings.clone()
    }
}
