//! Combines several files in one.

use core::fmt;
use std::sync::Arc;

use inbetween_core::clip_names::Unique;
use inbetween_core::stores::Head;
use inbetween_core::{
    Animation, Budget, ClipPlace, Code, Document, Extent, Finding, Format, FormatInfo, Limits,
    Mapped, Origin, Path, Place, SharedBudget, SkeletonsDiffer, WriteError, codes, dropped_scene,
    shown,
};

use crate::Reading;

/// The clips of several files that are combined in one.
///
/// # Examples
///
/// ```
/// # #[cfg(all(feature = "animj", feature = "x4-ani"))] {
/// use inbetween::merge::Merge;
/// use inbetween::{Limits, Reading, animj::Animj, x4_ani::X4ani};
///
/// let limits = Limits::default();
/// let spin = br#"{"name": "spin", "globalDuration": 1, "tracks": []}"#;
/// let wave = br#"{"name": null, "globalDuration": 2, "tracks": []}"#;
/// let spin = Reading::new(&Animj::default(), spin, &limits)?;
/// let wave = Reading::new(&Animj::default(), wave, &limits)?;
/// let to = X4ani::default();
/// let merge = Merge::new([("a", spin), ("wave", wave)], &to)?;
/// let names = merge.document().clips.iter().map(|clip| clip.name.as_deref());
/// assert_eq!(names.collect::<Vec<_>>(), [Some("spin"), Some("wave")]);
/// let merged = merge.write()?;
/// assert_eq!(merged.sources.len(), 2);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Merge<'f> {
    to: &'f dyn Format,
    document: Document,
    sources: Vec<MergedSource>,
    /// The source of each clip.
    origins: Vec<usize>,
    /// The remaining budget of all sources together.
    budget: SharedBudget,
}

impl<'f> Merge<'f> {
    /// Combines the clips of files, in order, to write them in a format. If the first file has a
    /// [model](inbetween_core::Origin::model) of this format, the clips are written into it.
    ///
    /// Each file comes with its name, without extension. A clip keeps its name. A clip without a
    /// name gets that of its file. If two clips have the same name, ignoring case, the second gets
    /// the name of its file, or if that is taken too, its own name with a number; this is reported.
    ///
    /// The skeleton has the bones of all files; see [`Document::adopt_skeleton`].
    ///
    /// # Errors
    ///
    /// If the format stores skeletons and a bone has different parents in two files, or the axes of the
    /// files were changed by different nodes above the bones.
    pub fn new<N: AsRef<str>>(
        sources: impl IntoIterator<Item = (N, Reading)>,
        to: &'f dyn Format,
    ) -> Result<Self, FilesDiffer> {
        let (mut document, mut merged, mut origins) = (Document::default(), Vec::new(), Vec::new());
        let (mut names, mut budget) = (Unique::default(), None::<Budget>);
        let mut with_skeleton = String::new();
        for (file, mut reading) in sources {
            if !to.info().stores.has(Head::Skeleton) {
                document.adopt_rest_poses(reading.document.skeleton.take());
            } else if let Some(skeleton) = reading.document.skeleton.take() {
                let names = [with_skeleton.as_str(), file.as_ref()];
                reading.findings.extend(document.adopt_skeleton(Some(skeleton), names)?);
                file.as_ref().clone_into(&mut with_skeleton);
            }
            match &mut budget {
                Some(budget) => budget.absorb(&reading.budget().lock()),
                None => budget = Some(reading.budget().lock().clone()),
            }
            let mut findings = reading.findings;
            let origin = reading.document.origin.take();
            if merged.is_empty() {
                document.mapped = reading.document.mapped;
                document.origin =
                    origin.filter(|origin| origin.model.is_some() && origin.format == to.info().id);
            } else {
                let above = |mapped: Option<Mapped>| mapped.filter(|mapped| mapped.above);
                if above(document.mapped) != above(reading.document.mapped) {
                    return Err(FilesDiffer::Coordinates { file: file.as_ref().to_owned() });
                }
                if document.mapped != reading.document.mapped {
                    document.mapped = None;
                }
                // The document that is written has no origin to report this.
                let is_same = is_one_model(document.origin.as_ref(), origin.as_ref());
                findings
                    .extend(dropped_scene(origin.as_ref(), to.info().stores).filter(|_| !is_same));
            }
            let only = reading.document.clips.len() == 1;
            for mut clip in reading.document.clips {
                let index = document.clips.len();
                findings.extend(name_merged(&mut clip, index, file.as_ref(), only, &mut names));
                origins.push(merged.len());
                document.clips.push(clip);
            }
            merged.push(MergedSource { from: reading.from, extent: Extent::default(), findings });
        }
        let budget = budget.unwrap_or_else(|| Budget::new(&Limits::default(), 0));
        Ok(Self { to, document, sources: merged, origins, budget: SharedBudget::new(budget) })
    }

    /// Returns the budget for everything made from the files: the remaining budgets of all of them.
    pub const fn budget(&self) -> &SharedBudget {
        &self.budget
    }

    /// Returns the clips as they will be written.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Writes all clips to one file.
    ///
    /// # Errors
    ///
    /// If the format cannot represent a value that it requires; the error names the file that the
    /// value comes from.
    pub fn write(self) -> Result<Merged, MergeError> {
        let Self { to, document, mut sources, origins, budget } = self;
        let only = (sources.len() == 1).then_some(0);
        let origin = |place: &Place| {
            let clip = place.clip.as_ref();
            clip.and_then(|clip| origins.get(clip.index).copied()).or(only)
        };
        let written = to
            .write_within(document, &mut budget.lock())
            .map_err(|error| MergeError { source: origin(error.place()), error })?;
        let mut findings = Vec::new();
        for finding in written.findings {
            let source = origin(&finding.place).and_then(|source| sources.get_mut(source));
            source.map_or(&mut findings, |source| &mut source.findings).push(finding);
        }
        for (clip, extent) in written.value.clips.iter().enumerate() {
            let source = origins.get(clip).and_then(|source| sources.get_mut(*source));
            if let Some(source) = source {
                source.extent = [source.extent, *extent].into_iter().sum();
            }
        }
        let (extent, bytes) = (written.value.extent(), written.value.bytes);
        Ok(Merged { to: to.info(), bytes, sources, extent, findings })
    }
}

/// The error of files that cannot be combined.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FilesDiffer {
    /// A bone has different parents.
    Skeletons(SkeletonsDiffer),
    /// The node above the bones turns or scales them in another way than in the first file.
    Coordinates {
        /// The name of the file.
        file: String,
    },
}

impl fmt::Display for FilesDiffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Skeletons(error) => error.fmt(f),
            Self::Coordinates { file } => write!(
                f,
                "{}: its axes or its unit differ from those of the first file, and one node above \
                 the bones cannot fit both; convert the files one at a time, or change the axes of \
                 every bone",
                shown(file)
            ),
        }
    }
}

impl core::error::Error for FilesDiffer {}

impl From<SkeletonsDiffer> for FilesDiffer {
    fn from(error: SkeletonsDiffer) -> Self {
        Self::Skeletons(error)
    }
}

/// Gives clips without a name that of the file, and clips with equal names a number; returns findings
/// that say so.
pub fn name_clips(document: &mut Document, file: &str) -> Vec<Finding> {
    let (mut names, only) = (Unique::default(), document.clips.len() == 1);
    let clips = document.clips.iter_mut().enumerate();
    clips.filter_map(|(index, clip)| name_merged(clip, index, file, only, &mut names)).collect()
}

/// Chooses the name of a clip in a merged file, and reports the choice.
pub(crate) fn name_merged(
    clip: &mut Animation,
    index: usize,
    file: &str,
    only: bool,
    names: &mut Unique,
) -> Option<Finding> {
    let nameless = is_nameless(clip);
    let own = clip.name.take().filter(|_| !nameless).unwrap_or_else(|| file.into());
    let by_file = only && !names.is_free(&own) && names.is_free(file);
    let name = names.take(if by_file { file } else { &own });
    let finding = if name == own || nameless {
        nameless.then(|| named(&name, index))
    } else {
        let message = format!("\"{}\" became \"{}\"", shown(&own), shown(&name));
        Some(name_finding(codes::CLIP_RENAMED, message, (index, &name)))
    };
    clip.name = Some(name);
    finding
}

/// A file combined from several files.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Merged {
    /// The format that was written.
    pub to: &'static FormatInfo,
    /// The new file.
    pub bytes: Vec<u8>,
    /// The result for each file, in order.
    pub sources: Vec<MergedSource>,
    /// The content of all files together.
    pub extent: Extent,
    /// Losses of writing that belong to no single file.
    pub findings: Vec<Finding>,
}

/// The result for one of several files.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MergedSource {
    /// The format that was read.
    pub from: &'static FormatInfo,
    /// The content that was written.
    pub extent: Extent,
    /// The findings of reading and writing. Places of writing have the clip in the new file.
    pub findings: Vec<Finding>,
}

/// The error of several files that cannot be written as one.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MergeError {
    /// The index of the file that cannot be written; `None` if the error is not about a single one.
    pub source: Option<usize>,
    /// The error.
    pub error: WriteError,
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

/// Prints the message, so that an error that `main` returns is readable.
impl fmt::Debug for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for MergeError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// Returns whether two documents are written into one model.
fn is_one_model(one: Option<&Origin>, other: Option<&Origin>) -> bool {
    let model = |origin: Option<&Origin>| Some(Arc::clone(&origin?.model.as_ref()?.bytes));
    matches!((model(one), model(other)), (Some(one), Some(other)) if Arc::ptr_eq(&one, &other))
}

fn is_nameless(clip: &Animation) -> bool {
    clip.name.as_deref().is_none_or(str::is_empty)
}

fn named(name: &str, clip: usize) -> Finding {
    let message = format!("\"{}\", after its file", shown(name));
    name_finding(codes::CLIP_NAMED, message, (clip, name))
}

fn name_finding(code: Code, message: String, (index, name): (usize, &str)) -> Finding {
    let mut finding = Finding::new(code, message).at(Path::field("name"));
    finding.place.clip = Some(ClipPlace { index, name: name.into() });
    finding
}
