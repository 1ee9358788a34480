//! Files during their conversion to another format, as a whole or clip by clip.

use core::fmt;

use inbetween_core::clip_names::{Unique, find};
use inbetween_core::{
    Budget, ClipReader, Document, Finding, Format, FormatInfo, Limits, Outcome, ReadError,
    SharedBudget, SkeletonsDiffer, Skipped, Text, WriteError, codes, shown,
};
use inbetween_edit::{EditError, MapOptions, Route, Settings, map_coordinates};

use crate::file_names::{file_names, safe_name};
use crate::merge::name_clips;
use crate::{Conversion, Error};

/// An open file that can be converted to other formats; its clips are decoded on request.
///
/// All conversions of the file spend one [budget](Self::budget). Converting many clips therefore
/// holds one clip at a time, and may cost as much as the limits allow for one input, not for each
/// clip.
///
/// # Examples
///
/// ```
/// # #[cfg(all(feature = "animj", feature = "x4-ani"))] {
/// use inbetween::{Animation, Property, Target, Track, TrackData};
/// use inbetween::{Document, Limits, Source, animj::Animj, x4_ani::X4ani};
///
/// let clip = |name: &str| {
///     let keys = TrackData::stepped(vec![0.0], vec![[1.0_f32; 3]])?;
///     let track = Track::new(Target::new("door", Property::Scale), keys)?;
///     let clip = Animation::new(vec![track]).with_name(name).with_duration(1.0);
///     Ok::<_, Box<dyn std::error::Error>>(clip)
/// };
/// let document = Document::new(vec![clip("opening")?, clip("closing")?]);
/// let ani = inbetween::write(document, &X4ani::default())?.value;
///
/// // One clip of the file.
/// let (from, to, limits) = (X4ani::default(), Animj::default(), Limits::default());
/// let closing = Source::open(&from, &ani, &limits)?.clip("Closing")?.write(&to)?;
/// let document = inbetween::read(&closing.bytes)?.value;
/// assert_eq!(document.clips[0].name.as_deref(), Some("closing"));
///
/// // A file for each clip.
/// let mut names = Vec::new();
/// let mut source = Source::open(&from, &ani, &limits)?;
/// while let Some((name, clip)) = source.next_clip()? {
///     clip.write(&to)?;
///     names.push(name);
/// }
/// assert_eq!(names, ["opening".into(), "closing".into()]);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Source<'b> {
    from: &'static FormatInfo,
    clips: Box<dyn ClipReader + 'b>,
    budget: SharedBudget,
    file_names: Unique,
    /// The index of the next clip.
    next: usize,
    skipped: Skipped,
}

impl<'b> Source<'b> {
    /// Opens a file of a known format.
    ///
    /// # Errors
    ///
    /// If the bytes are not a valid file of the format, or exceed the limits.
    pub fn open(from: &dyn Format, bytes: &'b [u8], limits: &Limits) -> Result<Self, ReadError> {
        let mut budget = Budget::new(limits, bytes.len());
        Ok(Self {
            from: from.info(),
            clips: from.open(bytes, &mut budget)?,
            budget: SharedBudget::new(budget),
            file_names: Unique::default(),
            next: 0,
            skipped: Skipped::default(),
        })
    }

    /// Returns the format of the file.
    pub const fn format(&self) -> &'static FormatInfo {
        self.from
    }

    /// Returns the names of all clips.
    pub fn names(&self) -> &[Option<Text>] {
        self.clips.names()
    }

    /// Returns the budget of everything made from the file.
    pub const fn budget(&self) -> &SharedBudget {
        &self.budget
    }

    /// Returns the index of the clip with a name or a number; see [`Document::find_clip`].
    ///
    /// # Errors
    ///
    /// If no clip has the name; the error lists the names of the clips.
    pub fn find(&self, name: &str) -> Result<usize, ClipError> {
        let known = || self.names().iter().map(Option::as_deref);
        find(known(), name)
            .ok_or_else(|| ClipError { wanted: name.to_owned(), known: list(known()) })
    }

    /// Reads only the clip with a name, or with a number such as `#2`. If several clips have the name,
    /// the first one is read and a finding says so.
    ///
    /// The findings are those of the clip and those of the file as a whole.
    ///
    /// # Errors
    ///
    /// If no clip has the name, or it cannot be read.
    pub fn clip(mut self, name: &str) -> Result<Reading, Error> {
        let index = self.find(name)?;
        self.clips.skip(index);
        let equal = |known: &&Option<Text>| known.as_deref() == Some(name);
        let equal = self.names().iter().filter(equal).count();
        let read = self.clips.next_clip(&mut self.budget.lock())?;
        let known = || list(self.names().iter().map(Option::as_deref));
        let missing = || ClipError { wanted: name.to_owned(), known: known() };
        let read = read.ok_or_else(missing)?;
        let mut reading = self.with_file_findings(read);
        if equal > 1 {
            let message = format!("{equal} clips, and #{} is taken", index.saturating_add(1));
            reading.findings.push(Finding::new(codes::CLIP_AMBIGUOUS, message));
        }
        Ok(reading)
    }

    /// Reads the next clip, with a name for its file from [`file_names`], or returns `None` after
    /// the last one.
    ///
    /// Findings about the file as a whole come with the first clip. Instead of a clip of which nothing
    /// can be read, a document without clips is returned, with a finding.
    ///
    /// # Errors
    ///
    /// If no clip can be read, or it exceeds the remaining budget.
    pub fn next_clip(&mut self) -> Result<Option<(Text, Reading)>, ReadError> {
        let index = self.next;
        self.next = index.saturating_add(1);
        let read = self.clips.next_clip(&mut self.budget.lock());
        let Some(read) = self.skipped.skip(&*self.clips, index, read)? else { return Ok(None) };
        let name = self.names().get(index).cloned().flatten().unwrap_or_default();
        Ok(Some((self.file_names.take(&safe_name(&name)), self.with_file_findings(read))))
    }

    fn with_file_findings(&mut self, read: Outcome<Document>) -> Reading {
        let mut findings = self.clips.file_findings();
        findings.extend(read.findings);
        self.reading(read.value, findings)
    }

    /// Reads all remaining clips.
    ///
    /// # Errors
    ///
    /// Fails like [`next_clip`](Self::next_clip).
    pub fn whole(mut self) -> Result<Reading, ReadError> {
        let read = self.clips.read_all(&mut self.budget.lock())?;
        Ok(self.reading(read.value, read.findings))
    }

    fn reading(&self, document: Document, findings: Vec<Finding>) -> Reading {
        Reading { from: self.from, document, findings, budget: self.budget.clone() }
    }
}

/// A file that was read and can be converted to another format: all of it, or one clip.
///
/// # Examples
///
/// ```
/// # #[cfg(all(feature = "animj", feature = "x4-ani"))] {
/// use inbetween::{Limits, Reading, animj::Animj, x4_ani::X4ani};
///
/// let spin = br#"{"name": "spin", "globalDuration": 1, "tracks": []}"#;
/// let reading = Reading::new(&Animj::default(), spin, &Limits::default())?;
/// assert_eq!(reading.document.clips.len(), 1);
/// assert_eq!(reading.write(&X4ani::default())?.to.id, "x4-ani");
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reading {
    /// The format that was read.
    pub from: &'static FormatInfo,
    /// The content of the file.
    pub document: Document,
    /// The findings of reading.
    pub findings: Vec<Finding>,
    budget: SharedBudget,
}

impl Reading {
    /// Reads a whole file of a known format.
    ///
    /// # Errors
    ///
    /// If the bytes are not a valid file of the format, or exceed the limits.
    pub fn new(from: &dyn Format, bytes: &[u8], limits: &Limits) -> Result<Self, ReadError> {
        Source::open(from, bytes, limits)?.whole()
    }

    /// Returns the budget of everything made from the file.
    pub const fn budget(&self) -> &SharedBudget {
        &self.budget
    }

    /// Returns only the clip with a name; see [`Document::find_clip`].
    ///
    /// The findings stay those of the whole file. [`Source::clip`] reads no other clips.
    ///
    /// # Errors
    ///
    /// If no clip has the name; the error lists the names of the clips.
    pub fn clip(mut self, name: &str) -> Result<Self, ClipError> {
        let Some(index) = self.document.find_clip(name) else {
            return Err(ClipError { wanted: name.to_owned(), known: self.list_clips() });
        };
        let clip = self.document.clips.swap_remove(index);
        self.document.clips = vec![clip];
        Ok(self)
    }

    /// Returns each clip on its own, with a name for its file from [`file_names`].
    ///
    /// The findings of reading belong to the first clip.
    pub fn split(self) -> impl Iterator<Item = (Text, Self)> {
        let names = file_names(&self.document);
        let Self { from, document, mut findings, budget } = self;
        let clips = document.split().map(move |document| {
            let findings = core::mem::take(&mut findings);
            Self { from, document, findings, budget: budget.clone() }
        });
        names.into_iter().zip(clips)
    }

    /// Adds the clips of another file and its remaining budget; returns the findings of reading and
    /// adding it. The [origin](Document::origin) stays that of this file.
    ///
    /// # Errors
    ///
    /// If a bone has different parents in the two files. `names` are the names of this file
    /// and the other one, for the message.
    pub fn append(
        &mut self,
        other: Self,
        names: [&str; 2],
    ) -> Result<Vec<Finding>, SkeletonsDiffer> {
        self.document.adopt_scene(other.document.origin.as_ref());
        let found = self.document.adopt_skeleton(other.document.skeleton, names)?;
        // Two handles of one budget would wait for each other.
        let more = other.budget.lock().clone();
        self.budget.lock().absorb(&more);
        self.document.clips.extend(other.document.clips);
        Ok(other.findings.into_iter().chain(found).collect())
    }

    /// Gives clips without a name that of the file, and clips with equal names a number, and reports
    /// it.
    ///
    /// Formats with several clips need names, while other formats use the name of the file.
    #[must_use]
    pub fn named(mut self, file: &str) -> Self {
        self.findings.extend(name_clips(&mut self.document, file));
        self
    }

    /// Converts the axes and lengths to those of another format, as [`convert`](crate::convert()) does.
    ///
    /// # Errors
    ///
    /// Fails like [`map_coordinates`](crate::edit::map_coordinates).
    pub fn mapped(mut self, to: &FormatInfo, options: MapOptions) -> Result<Self, EditError> {
        let settings = Settings::default().budget(self.budget.clone());
        let document = core::mem::take(&mut self.document);
        let route = Route::new(&document, self.from, to);
        let mapped = map_coordinates(document, route, options, &settings)?;
        self.document = mapped.value;
        self.findings.extend(mapped.findings);
        Ok(self)
    }

    /// Writes the document with the numbers that it has in another format, or again in the format of the file and
    /// [like it](Document::origin).
    ///
    /// # Errors
    ///
    /// If the format cannot represent a value that it requires, or the conversion exceeds the
    /// remaining budget.
    pub fn write(self, to: &dyn Format) -> Result<Conversion, WriteError> {
        let Self { from, document, mut findings, budget } = self;
        let written = to.write_within(document, &mut budget.lock())?;
        findings.extend(written.findings);
        let (extent, bytes) = (written.value.extent(), written.value.bytes);
        Ok(Conversion { from, to: to.info(), bytes, findings, extent })
    }

    /// Lists the names of the first 20 clips for a message.
    pub fn list_clips(&self) -> String {
        list(self.document.clips.iter().map(|clip| clip.name.as_deref()))
    }
}

/// Lists names of clips for a message; a clip without a name has a number.
fn list<'n>(names: impl ExactSizeIterator<Item = Option<&'n str>>) -> String {
    const SHOWN: usize = 20;
    let clips = names.len();
    let shown: Vec<String> = names
        .zip(1_u64..)
        .take(SHOWN)
        .map(|(name, number)| match name {
            Some(name) if !name.is_empty() => format!("\"{}\"", shown(name)),
            _ => format!("#{number} without a name"),
        })
        .collect();
    let more = clips.saturating_sub(shown.len());
    match (shown.join(", "), more) {
        (list, _) if shown.is_empty() => list + "no clips",
        (list, 0) => list,
        (list, more) => format!("{list} and {more} more"),
    }
}

/// The error of a requested clip that does not exist.
///
/// Lists the clips that exist: `no clip is named "open"; the file has "opening", "closing"`.
#[derive(Clone, PartialEq, Eq)]
pub struct ClipError {
    wanted: String,
    known: String,
}

impl ClipError {
    /// Returns the requested name.
    pub fn wanted(&self) -> &str {
        &self.wanted
    }
}

impl fmt::Display for ClipError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { wanted, known } = self;
        write!(f, "no clip is named \"{}\"; the file has {known}", shown(wanted))
    }
}

/// Prints the message, so that an error that `main` returns is readable.
impl fmt::Debug for ClipError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for ClipError {}
