//! From files of many clips to files of one, and back.

use core::fmt;

use inbetween_core::clip_names::Unique;
use inbetween_core::num::u64_from_len;
use inbetween_core::{
    Animation, Document, Finding, Format, FormatInfo, Limits, Path, PathStyle, ReadError, Segment,
    Text, WriteError, codes, shown,
};

use crate::{Conversion, Extent};

/// A file that was read, on its way to another format: whole, one clip of it, or clip by clip.
///
/// # Examples
///
/// ```
/// # #[cfg(all(feature = "animj", feature = "x4-ani"))] {
/// use inbetween::core::{Animation, Property, Target, Track, TrackData};
/// use inbetween::{Document, Limits, Reading, animj::Animj, x4_ani::X4ani};
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
/// let closing = Reading::new(&from, &ani, &limits)?.clip("Closing")?.write(&to, &limits)?;
/// let document = inbetween::read(&closing.bytes)?.value;
/// assert_eq!(document.clips[0].name.as_deref(), Some("closing"));
///
/// // A file for each clip.
/// let mut names = Vec::new();
/// for (name, clip) in Reading::new(&from, &ani, &limits)?.split() {
///     clip.write(&to, &limits)?;
///     names.push(name);
/// }
/// assert_eq!(names, ["opening".into(), "closing".into()]);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reading {
    /// The format that was read.
    pub from: &'static FormatInfo,
    /// What the file holds.
    pub document: Document,
    /// What reading lost, and what else it noticed.
    pub losses: Vec<Finding>,
    /// The options that have a file of the same format written as this one is.
    options: Vec<(&'static str, &'static str)>,
}

impl Reading {
    /// Reads a file whose format is known.
    ///
    /// # Errors
    ///
    /// When the bytes are not a sound file of the format, or cost more than the limits allow.
    pub fn new(from: &dyn Format, bytes: &[u8], limits: &Limits) -> Result<Self, ReadError> {
        let read = from.read(bytes, limits)?;
        let options = from.options_of(bytes);
        Ok(Self { from: from.info(), document: read.value, losses: read.losses, options })
    }

    /// Returns the clip with a name alone; see [`Document::find_clip`].
    ///
    /// The losses stay those of the whole file.
    ///
    /// # Errors
    ///
    /// When no clip has the name; the error lists those that there are.
    pub fn clip(mut self, name: &str) -> Result<Self, ClipError> {
        let Some(index) = self.document.find_clip(name) else {
            return Err(ClipError { wanted: name.to_owned(), known: self.list_clips() });
        };
        self.document = Document::single(self.document.clips.swap_remove(index));
        Ok(self)
    }

    /// Returns each clip alone, with a name for its file as [`file_names`] makes it.
    ///
    /// What reading lost stands with the first clip, since no format says which clip it was of.
    pub fn split(self) -> Vec<(Text, Self)> {
        let names = file_names(&self.document);
        let Self { from, document, mut losses, options } = self;
        let alone = |clip: Animation| Self {
            from,
            document: Document::single(clip),
            losses: core::mem::take(&mut losses),
            options: options.clone(),
        };
        names.into_iter().zip(document.clips.into_iter().map(alone)).collect()
    }

    /// Names an only clip that has no name, or an empty one, and reports it.
    ///
    /// Formats of many clips need names, which other formats leave to the name of the file.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        if let [clip] = self.document.clips.as_mut_slice()
            && is_nameless(clip)
        {
            clip.name = Some(name.into());
            self.losses.push(named(name, 0));
        }
        self
    }

    /// Writes the document in another format, or in the same one as the file was written.
    ///
    /// # Errors
    ///
    /// When the format has no bytes for something that cannot be left out.
    pub fn write(self, to: &dyn Format, limits: &Limits) -> Result<Conversion, WriteError> {
        let Self { from, document, mut losses, options } = self;
        let extent = Extent::from(&document);
        let same = from.id == to.info().id;
        let following = same.then(|| follow(to, &options)).flatten();
        let written = following.as_deref().unwrap_or(to).write(document, limits)?;
        losses.extend(written.losses);
        Ok(Conversion { from, to: to.info(), bytes: written.value, losses, extent })
    }

    /// Lists the names of the clips for a message, the first 20 of them.
    pub fn list_clips(&self) -> String {
        const SHOWN: usize = 20;
        let names = self.document.clips.iter().filter_map(|clip| clip.name.as_deref());
        let shown: Vec<String> =
            names.take(SHOWN).map(|name| format!("\"{}\"", shown(name))).collect();
        let more = self.document.clips.len().saturating_sub(shown.len());
        match (shown.join(", "), more) {
            (list, _) if shown.is_empty() => list + "none with a name",
            (list, 0) => list,
            (list, more) => format!("{list} and {more} more"),
        }
    }
}

/// Returns a format with the options of a file that nobody set; `None` where there are none.
fn follow(to: &dyn Format, options: &[(&'static str, &'static str)]) -> Option<Box<dyn Format>> {
    let open = options.iter().filter(|(name, _)| !to.is_set(name));
    open.fold(None, |following: Option<Box<dyn Format>>, (name, value)| {
        let with = following.as_deref().unwrap_or(to).with_option(name, value);
        with.ok().or(following)
    })
}

/// A clip that is asked for and is not there.
///
/// Prints the names of those that are: `no clip is named "open"; there are "opening", "closing"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClipError {
    wanted: String,
    known: String,
}

impl ClipError {
    /// Returns the name that was asked for.
    pub fn wanted(&self) -> &str {
        &self.wanted
    }
}

impl fmt::Display for ClipError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { wanted, known } = self;
        write!(f, "no clip is named \"{}\"; there are {known}", shown(wanted))
    }
}

impl core::error::Error for ClipError {}

/// Returns a name for the file of each clip, without an extension.
///
/// Any file system takes them, whatever the clips are called: letters and digits of any script,
/// `-`, `+`, `_` and spaces stay, all else becomes `_`; there are no names of devices, none longer
/// than 100 bytes, none that is empty, and no two that differ by case alone.
///
/// # Examples
///
/// ```
/// use inbetween::core::Animation;
/// use inbetween::{Document, file_names};
///
/// let clip = |name: &str| Animation::default().with_name(name);
/// let clips = ["../../etc/passwd", "NUL", "open", "Open"].map(clip);
/// let names = file_names(&Document::new(clips.into()));
/// assert_eq!(names, ["______etc_passwd", "NUL_", "open", "Open_2"].map(Into::into));
/// ```
pub fn file_names(document: &Document) -> Vec<Text> {
    let mut names = Unique::default();
    let clips = document.clips.iter();
    clips.map(|clip| names.take(&safe(clip.name.as_deref().unwrap_or_default()))).collect()
}

/// The longest name of a file: most file systems take 255 bytes, and the file it came from, a
/// number and an extension must fit too.
const LONGEST: usize = 100;

/// The names that Windows takes for devices, with or without a number.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
const PORTS: [&str; 2] = ["com", "lpt"];

fn safe(name: &str) -> String {
    let kept = |c: char| c.is_alphanumeric() || matches!(c, '-' | '+' | '_' | ' ');
    let mut safe = String::new();
    for c in name.trim().chars().map(|c| if kept(c) { c } else { '_' }) {
        if safe.len().saturating_add(c.len_utf8()) > LONGEST {
            break;
        }
        safe.push(c);
    }
    safe.truncate(safe.trim_end().len());
    let lower = safe.to_lowercase();
    let port = PORTS.iter().any(|port| {
        let mut number = lower.strip_prefix(port).unwrap_or_default().chars();
        number.next().is_some_and(char::is_numeric) && number.next().is_none()
    });
    match () {
        () if safe.is_empty() => "clip".to_owned(),
        () if port || DEVICES.contains(&lower.as_str()) => safe + "_",
        () => safe,
    }
}

/// The clips of several files, on their way into one.
///
/// # Examples
///
/// ```
/// # #[cfg(all(feature = "animj", feature = "x4-ani"))] {
/// use inbetween::{Limits, Merge, Reading, animj::Animj, x4_ani::X4ani};
///
/// let limits = Limits::default();
/// let spin = br#"{"name": "spin", "globalDuration": 1, "tracks": []}"#;
/// let wave = br#"{"name": null, "globalDuration": 2, "tracks": []}"#;
/// let spin = Reading::new(&Animj::default(), spin, &limits)?;
/// let wave = Reading::new(&Animj::default(), wave, &limits)?;
/// let merge = Merge::new([("a", spin), ("wave", wave)]);
/// let names = merge.document().clips.iter().map(|clip| clip.name.as_deref());
/// assert_eq!(names.collect::<Vec<_>>(), [Some("spin"), Some("wave")]);
/// let merged = merge.write(&X4ani::default(), &limits)?;
/// assert_eq!(merged.sources.len(), 2);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Merge {
    document: Document,
    sources: Vec<MergedSource>,
    /// The source of each clip.
    origins: Vec<usize>,
}

impl Merge {
    /// Puts the clips of files together, in their order.
    ///
    /// Each file comes with its name, without extension. A clip keeps its own name. One that has
    /// none gets that of its file. Of two with the same name, in any case, the second gets that of
    /// its file too, or if that is taken as well a number behind its name; this is reported.
    pub fn new<N: AsRef<str>>(sources: impl IntoIterator<Item = (N, Reading)>) -> Self {
        let mut merge =
            Self { document: Document::default(), sources: Vec::new(), origins: Vec::new() };
        let mut names = Unique::default();
        for (file, reading) in sources {
            merge.add(file.as_ref(), reading, &mut names);
        }
        merge
    }

    fn add(&mut self, file: &str, reading: Reading, names: &mut Unique) {
        let Reading { from, document, mut losses, .. } = reading;
        let extent = Extent::from(&document);
        let only = document.clips.len() == 1;
        for mut clip in document.clips {
            let index = self.document.clips.len();
            let nameless = is_nameless(&clip);
            let own = clip.name.take().filter(|_| !nameless).unwrap_or_else(|| file.into());
            let by_file = only && !names.is_free(&own) && names.is_free(file);
            let name = names.take(if by_file { file } else { &own });
            if name != own {
                let message = format!("\"{}\" became \"{}\"", shown(&own), shown(&name));
                losses.push(Finding::new(codes::CLIP_RENAMED, message).at(name_of(index)));
            } else if nameless {
                losses.push(named(&name, index));
            }
            clip.name = Some(name);
            self.origins.push(self.sources.len());
            self.document.clips.push(clip);
        }
        self.sources.push(MergedSource { from, extent, losses });
    }

    /// Returns the clips as they will be written.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Writes all clips to one file.
    ///
    /// # Errors
    ///
    /// When the format has no bytes for something that cannot be left out; the error says which
    /// file it is of.
    pub fn write(self, to: &dyn Format, limits: &Limits) -> Result<Merged, MergeError> {
        let Self { document, mut sources, origins } = self;
        let origin = |path: &Path| match path.segments() {
            [Segment::Field("clips"), Segment::Index(clip), ..] => {
                usize::try_from(*clip).ok().and_then(|clip| origins.get(clip).copied())
            }
            _ => None,
        };
        let written = to
            .write(document, limits)
            .map_err(|error| MergeError { source: origin(error.path()), error })?;
        let mut losses = Vec::new();
        for finding in written.losses {
            let source = origin(&finding.path).and_then(|source| sources.get_mut(source));
            source.map_or(&mut losses, |source| &mut source.losses).push(finding);
        }
        Ok(Merged { to: to.info(), bytes: written.value, sources, losses })
    }
}

/// A file that was made of several.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Merged {
    /// The format that was written.
    pub to: &'static FormatInfo,
    /// The new file.
    pub bytes: Vec<u8>,
    /// What became of each file, in their order.
    pub sources: Vec<MergedSource>,
    /// What writing lost that is of no single file.
    pub losses: Vec<Finding>,
}

/// What became of one of several files.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MergedSource {
    /// The format that was read.
    pub from: &'static FormatInfo,
    /// How much went through.
    pub extent: Extent,
    /// What reading and writing lost of it, and what else they noticed. Paths of writing begin
    /// with the clip in the new file.
    pub losses: Vec<Finding>,
}

/// Why several files cannot be written as one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MergeError {
    /// The number of the file that cannot be written; `None` where it is not about a single one.
    pub source: Option<usize>,
    /// What is wrong.
    pub error: WriteError,
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl core::error::Error for MergeError {}

fn is_nameless(clip: &Animation) -> bool {
    clip.name.as_deref().is_none_or(str::is_empty)
}

fn named(name: &str, clip: usize) -> Finding {
    let message = format!("\"{}\", after its file", shown(name));
    Finding::new(codes::CLIP_NAMED, message).at(name_of(clip))
}

fn name_of(clip: usize) -> Path {
    let clip = Segment::Index(u64_from_len(clip));
    Path::new(PathStyle::Dotted, vec![Segment::Field("clips"), clip, Segment::Field("name")])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(given: &[&str]) -> Vec<String> {
        let clip = |name: &&str| Animation::default().with_name(*name);
        let document = Document::new(given.iter().map(clip).collect());
        file_names(&document).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn names_of_files_lead_nowhere_else() {
        assert_eq!(
            names(&["../up", "/etc/x", "C:\\x", "a\0b", ".hidden", "x.", "\u{202e}gpj"]),
            ["___up", "_etc_x", "C__x", "a_b", "_hidden", "x_", "_gpj"]
        );
    }

    #[test]
    fn names_of_devices_get_a_tail() {
        assert_eq!(
            names(&["con", "Aux", "com1", "LPT9", "com¹", "com10", "console"]),
            ["con_", "Aux_", "com1_", "LPT9_", "com¹_", "com10", "console"]
        );
    }

    #[test]
    fn names_are_never_empty_equal_or_long() {
        assert_eq!(names(&["", " ", "Clip", "é", "É"]), ["clip", "clip_2", "Clip_3", "é", "É_2"]);
        let long = names(&[&"é".repeat(80), &"é".repeat(70)]);
        assert_eq!((long[0].len(), long[1].as_str()), (100, &*format!("{}_2", "é".repeat(50))));
    }
}
