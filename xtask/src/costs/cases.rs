//! The counted cases: every conversion, check, edit and picture, of many clips, bones, keys and names.

use std::any::Any;
use std::collections::BTreeSet;

use inbetween::clip::{self, Bounds, Pose};
use inbetween::comparison::{Rigor, compare};
use inbetween::core::num::f64_from_index;
use inbetween::core::{Axes, Axis, Budget, ClipCount, ClipSampler, Coordinates, Handedness, Rules};
use inbetween::edit::{
    self, EditError, MapOptions, NamePattern, ReduceBounds, Rig, Route, Settings, SplitAt, Time,
    TimeRange, TrackPattern,
};
use inbetween::merge::Merge;
use inbetween::plot::Plot;
use inbetween::{
    BlendMode, Bone, Document, Format, Limits, Outcome, Quat, Reading, Registry, Skeleton, Source,
    Track,
};

use inbetween_testing::documents::suited;

use crate::inputs::Many;

/// Counted work. Its input is created before the count, and its result is dropped after it.
pub(crate) type Work = Box<dyn FnOnce() -> Result<Made, String>>;

/// The result of work.
pub(crate) type Made = Box<dyn Any>;

/// Work whose size depends on a number.
pub(crate) struct Case {
    pub(crate) name: String,
    /// The smaller size; the other one is twice as large.
    pub(crate) size: usize,
    /// Creates the input of a size.
    pub(crate) prepare: Box<dyn Fn(usize) -> Result<Work, String>>,
}

impl Case {
    fn new(
        name: impl Into<String>,
        size: usize,
        prepare: impl Fn(usize) -> Result<Work, String> + 'static,
    ) -> Self {
        Self { name: name.into(), size, prepare: Box::new(prepare) }
    }
}

/// Returns all cases, in the order in which they run.
pub(crate) fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    let ids = || Registry::with_builtin().formats().map(|format| format.info().id).collect();
    let ids: Vec<&'static str> = ids();
    for from in &ids {
        for many in Many::ALL.into_iter().filter(|many| fits(from, *many)) {
            cases.extend(ids.iter().map(|to| conversion(from, to, many)));
            cases.push(looking("inspect", from, many, |format, bytes, limits| {
                format.inspect(bytes, limits).map(made).map_err(text)
            }));
            cases.push(looking("check", from, many, |format, bytes, limits| {
                format.check(bytes, limits).map(made).map_err(text)
            }));
            cases.extend(text_forms(from, many));
        }
    }
    cases.extend(Many::ALL.into_iter().flat_map(edits));
    cases.extend(Many::ALL.into_iter().flat_map(looks));
    cases.extend(ids.iter().filter(|id| fits(id, Many::Clips)).map(|id| rewriting(id)));
    cases.extend(TEXTS.iter().map(hostile));
    cases.extend([component(), fixes(), merging(), extracting(), sampling()]);
    cases
}

/// Returns whether one file of the format holds such a document. None holds clips of one name.
fn fits(id: &str, many: Many) -> bool {
    let registry = Registry::with_builtin();
    let clips = registry.by_id(id).map(|format| format.info().clips);
    many != Many::SameClips && (clips == Some(ClipCount::Many) || !many.is_clips())
}

/// Passes the built-in format with this id.
fn with<T>(id: &str, work: impl FnOnce(&dyn Format) -> Result<T, String>) -> Result<T, String> {
    let registry = Registry::with_builtin();
    work(registry.by_id(id).ok_or("a format is missing")?)
}

/// Creates a file with the writer of the format. Only the size of the file matters here.
fn file(id: &str, many: Many, n: usize) -> Result<Vec<u8>, String> {
    with(id, |format| {
        let document = many.document(n, format.info().rules)?;
        Ok(format.write(suited(document, format), &Limits::default()).map_err(text)?.value)
    })
}

/// Converts a file, and writes each of its clips to a separate file.
fn conversion(from: &'static str, to: &'static str, many: Many) -> Case {
    let name = format!("{from} to {to}: {}", many.name());
    Case::new(name, many.size(), move |n| {
        let bytes = file(from, many, n)?;
        Ok(Box::new(move || {
            with(from, |from| {
                with(to, |to| {
                    let mut source =
                        Source::open(from, &bytes, &Limits::default()).map_err(text)?;
                    while let Some((_, mut clip)) = source.next_clip().map_err(text)? {
                        clip.document = suited(clip.document, to);
                        clip.write(to).map_err(text)?;
                    }
                    Ok(made(()))
                })
            })
        }))
    })
}

/// Inspects or checks a file.
fn looking(
    what: &str,
    id: &'static str,
    many: Many,
    look: fn(&dyn Format, &[u8], &Limits) -> Result<Made, String>,
) -> Case {
    Case::new(format!("{what} {id}: {}", many.name()), many.size(), move |n| {
        let bytes = file(id, many, n)?;
        Ok(Box::new(move || with(id, |format| look(format, &bytes, &Limits::default()))))
    })
}

/// Unpacks a file to text and packs the text, if the format has a text form.
fn text_forms(id: &'static str, many: Many) -> Vec<Case> {
    if with(id, |format| Ok(format.text().is_some())) != Ok(true) {
        return Vec::new();
    }
    let unpack = Case::new(format!("unpack {id}: {}", many.name()), many.size(), move |n| {
        let bytes = file(id, many, n)?;
        Ok(Box::new(move || inbetween::unpack(&bytes).map(made).map_err(text)))
    });
    let pack = Case::new(format!("pack {id}: {}", many.name()), many.size(), move |n| {
        let unpacked = inbetween::unpack(&file(id, many, n)?).map_err(text)?;
        Ok(Box::new(move || inbetween::pack(&unpacked).map(made).map_err(text)))
    });
    vec![unpack, pack]
}

type Edited = Result<Outcome<Document>, EditError>;

/// An edit of a document of size `n`.
type Edit = fn(Document, usize, &Settings) -> Edited;

/// Every edit by the name of its flag.
const EDITS: &[(&str, Edit)] = &[
    ("trim", |document, _, settings| {
        edit::trim(document, TimeRange::new(Some(0.2), Some(0.9))?, settings)
    }),
    ("retime", |document, _, settings| edit::retime(document, 2.0, settings)),
    ("shift", |document, _, settings| edit::shift(document, 0.5, settings)),
    ("reverse", |document, _, settings| edit::reverse(document, settings)),
    ("resample", |document, _, settings| edit::resample(document, 24.0, settings)),
    ("reduce", |document, _, settings| edit::reduce(document, ReduceBounds::all(1e-3), settings)),
    ("select", |document, _, settings| {
        Ok(edit::select(document, &[TrackPattern::new("*7")?], settings))
    }),
    ("drop", |document, _, settings| {
        Ok(edit::drop(document, &[TrackPattern::new("*7")?], settings))
    }),
    ("rename", |document, n, settings| {
        let names = |index| (format!("bone_{index}").into(), format!("new_{index}").into());
        edit::rename(document, &(0..n).map(names).collect::<Vec<_>>(), settings)
    }),
    ("merge", |document, n, settings| {
        let names = ["bone", "node"].into_iter().flat_map(|stem| {
            let numbered = move |index| (format!("{stem}_{index}"), format!("new_{index}"));
            (0..n).map(numbered).chain([(stem.to_owned(), format!("new_{stem}"))])
        });
        let names: Vec<_> = names.map(|(old, new)| (old.into(), new.into())).collect();
        let other = edit::rename(document.clone(), &names, settings)?.value;
        edit::merge(document, other, settings)
    }),
    ("split", |document, _, settings| edit::split(document, &SplitAt::Markers, settings)),
    ("join", |document, _, settings| edit::join(document, settings)),
    ("axes", |document, _, settings| edit::change_axes(document, Axes::Z_TO_Y_UP, settings)),
    ("scale", |document, _, settings| edit::scale(document, 0.5, settings)),
    ("to-f64", |document, _, settings| edit::to_f64(document, settings)),
    ("to-f32", |document, _, settings| edit::to_f32(document, settings)),
    ("fill", |document, n, settings| {
        // Each clip gets each bone, so only one of the two numbers may grow.
        let bones = if document.clips.len() > 1 { 2 } else { n };
        edit::fill(document, &skeleton(bones), settings)
    }),
    ("resolve", |mut document, n, settings| {
        document.clips.iter_mut().for_each(|clip| clip.blend = BlendMode::Additive);
        edit::resolve(document, &skeleton(n), settings)
    }),
    ("relate", |document, n, settings| {
        edit::relate(document, BlendMode::Relative, &skeleton(n), settings)
    }),
    ("start", |document, _, settings| edit::start_at(document, Time::Seconds(0.3), settings)),
    ("close-loop", |document, _, settings| edit::close_loop(document, settings)),
    ("drop-constant", |document, _, settings| edit::drop_constant(document, settings)),
    ("scale-values", |document, _, settings| edit::scale_values(document, &[], 0.5, settings)),
    ("merge-clips", |document, _, settings| edit::merge_clips(document, settings)),
    ("append", |document, _, _| {
        let mut second = document.clone();
        for (index, clip) in second.clips.iter_mut().enumerate() {
            clip.name = Some(format!("new_{index}").into());
        }
        edit::append(document, second)
    }),
    ("copy-clip", |mut document, _, settings| {
        document.clips.iter_mut().take(1).for_each(|clip| clip.name = Some("old".into()));
        edit::copy_clip(document, "old", "new", settings)
    }),
    ("add-marker", |document, _, _| edit::add_marker(document, 0.5, "step")),
    ("drop-marker", |document, _, _| {
        Ok(edit::drop_markers(document, &[NamePattern::new("*7", edit::Case::Sensitive)?]))
    }),
    ("map", |document, _, settings| {
        let to = Coordinates::new(Handedness::Right, Axis::Z);
        let route = Route { from: LEFT, to, has_node: false };
        edit::map_coordinates(document, route, MapOptions::default(), settings)
    }),
    ("onto", |document, _, settings| {
        let rig = Rig { document: rig(&document), coordinates: LEFT };
        edit::put_on(document, LEFT, &rig, MapOptions::default(), settings)
    }),
];

const LEFT: Coordinates = Coordinates::new(Handedness::Left, Axis::Y);

/// A document with the nodes of another one as bones.
fn rig(document: &Document) -> Document {
    let tracks = document.clips.iter().flat_map(|clip| &clip.tracks);
    let nodes: BTreeSet<_> = tracks.filter_map(|track| track.target().node.clone()).collect();
    let bone = |node| Bone { node, translation: Some([0.0, 1.0, 0.0]), ..Bone::default() };
    let skeleton = Skeleton::new(nodes.into_iter().map(bone).collect()).unwrap_or_default();
    Document::default().with_skeleton(skeleton)
}

/// Work on a document and on another one with other values.
type Look = fn(&Document, &Document, usize) -> Result<Made, String>;

/// What shows, compares or plays documents, by name, and the part of the usual size that it gets.
const LOOKS: &[(&str, usize, Look)] = &[
    ("diff", 1, |before, after, _| {
        compare(before, after, &|_| true, Rigor::within(1e-5));
        Ok(made(()))
    }),
    ("plot", 2, |before, after, _| {
        let plot = Plot::new(after, "after").over(before, "before");
        let pages = plot.draw(1).pages;
        Ok(made(plot.draw(pages)))
    }),
    ("clip", 4, |document, _, n| {
        let mut budget = Budget::new(&Limits::default(), 0);
        let built = clip::build_document(document.clone(), &Bounds::default(), &mut budget);
        let built: Vec<_> = built.map_err(text)?.value.into_iter().map(|it| it.clip).collect();
        let loaded = clip::load(&clip::save(&built)).map_err(text)?;
        let frames = n / loaded.len().max(1);
        for clip in &loaded {
            let (mut context, mut pose) = (clip.context(), Pose::new(clip.nodes().len()));
            for frame in 0..=frames {
                let time = clip.duration() * f64_from_index(frame % 97) / 97.0;
                clip.sample(time, &mut context, &mut pose);
            }
        }
        Ok(made(loaded))
    }),
];

fn looks(many: Many) -> impl Iterator<Item = Case> {
    LOOKS.iter().map(move |&(name, part, look)| {
        Case::new(format!("{name}: {}", many.name()), many.size() / part, move |n| {
            let document = many.document(n, Rules::LINEAR)?;
            let other = edit::scale_values(document.clone(), &[], 1.5, &Settings::default());
            let other = other.map_err(text)?.value;
            Ok(Box::new(move || look(&document, &other, n)))
        })
    })
}

/// A text of size `n`.
type TextOf = fn(usize) -> String;

/// Files that are checked, with two numbers or lengths that grow together.
const TEXTS: &[(&str, &str, TextOf)] = &[
    ("bvh", "joints without channels, and rows", |n| {
        let joints = "JOINT a {}\n".repeat(20 * n);
        let rows = "1\n".repeat(20 * n);
        format!(
            "HIERARCHY\nROOT a {{\nCHANNELS 1 Xrotation\n{joints}}}\nMOTION\nFrames: {}\n\
             Frame Time: 0.1\n{rows}",
            20 * n
        )
    }),
    ("gltf", "broken nodes, and a long text before them", |n| {
        let (long, nodes) = ("x".repeat(2000 * n), vec!["0"; n].join(","));
        format!("{{\"long\":\"{long}\",\"asset\":{{\"version\":\"2.0\"}},\"nodes\":[{nodes}]}}")
    }),
    ("unity-anim", "members in one line", |n| {
        let members = "m_Events: [],".repeat(20 * n);
        format!(
            "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &1\nAnimationClip: {{{members}}}\n"
        )
    }),
];

fn hostile(&(id, name, make): &(&'static str, &str, TextOf)) -> Case {
    Case::new(format!("check {id}: {name}"), 100, move |n| {
        let file = make(n);
        Ok(Box::new(move || {
            let check = |format: &dyn Format| format.check(file.as_bytes(), &Limits::default());
            with(id, |format| check(format).map(made).map_err(text))
        }))
    })
}

/// Writes all clips of a file into it again.
fn rewriting(id: &'static str) -> Case {
    Case::new(format!("{id} into itself: clips"), Many::Clips.size(), move |n| {
        let bytes = file(id, Many::Clips, n)?;
        let read = with(id, |format| format.read(&bytes, &Limits::default()).map_err(text))?;
        Ok(Box::new(move || {
            with(id, |format| format.write(read.value, &Limits::default()).map(made).map_err(text))
        }))
    })
}

/// Returns the names of all edits.
pub(crate) fn edit_names() -> impl Iterator<Item = &'static str> {
    EDITS.iter().map(|(name, _)| *name)
}

/// Returns a document after the edit of this name.
pub(crate) fn edited(name: &str, document: Document) -> Result<Document, String> {
    let edit = EDITS.iter().find(|(known, _)| *known == name);
    let (_, edit) = edit.ok_or_else(|| format!("there is no edit {name}"))?;
    Ok(edit(document, 1, &Settings::default()).map_err(text)?.value)
}

/// A chain of `n` bones at rest.
fn skeleton(n: usize) -> Skeleton {
    let bones = (0..n).map(|index| Bone {
        node: format!("bone_{index}").into(),
        parent: index.checked_sub(1).map(|parent| format!("bone_{parent}").into()),
        translation: Some([0.0, 1.0, 0.0]),
        rotation: Some(Quat::IDENTITY),
        ..Bone::default()
    });
    Skeleton::new(bones.collect()).unwrap_or_default()
}

fn edits(many: Many) -> impl Iterator<Item = Case> {
    // Clips of one name with the same tracks cannot be merged.
    let fits = move |name: &str| !name.starts_with("merge") || many != Many::SameClips;
    EDITS.iter().filter(move |(name, _)| fits(name)).map(move |&(name, edit)| {
        Case::new(format!("edit --{name}: {}", many.name()), many.size(), move |n| {
            let document = many.document(n, Rules::LINEAR)?;
            let settings = Settings::default();
            Ok(Box::new(move || edit(document, n, &settings).map(made).map_err(text)))
        })
    })
}

/// Checks records against a component with a chain of connections with long names.
fn component() -> Case {
    Case::new("check x4-ani --component: long names", 200, |n| {
        let name = |index| format!("{}_{index}", "part".repeat(12));
        let connection = |index: usize| {
            let parent = name(index.saturating_sub(1));
            format!(
                "<connection parent=\"{parent}\"><animations><animation name=\"clip_{index}\" \
                 start=\"1\" end=\"30\"/></animations><part name=\"{}\"/></connection>",
                name(index)
            )
        };
        let connections: String = (1..=n).map(connection).collect();
        let component = format!("<components>{connections}</components>");
        let mut document = Many::Clips.document(n, Rules::LINEAR)?;
        for (index, clip) in document.clips.iter_mut().enumerate() {
            let tracks = std::mem::take(&mut clip.tracks);
            let renamed = tracks.into_iter().map(|track| {
                let (mut target, data) = track.into_parts();
                target.node = Some(name(index).into());
                Track::new(target, data).map_err(text)
            });
            clip.tracks = renamed.collect::<Result<_, _>>()?;
        }
        let bytes = with("x4-ani", |format| {
            Ok(format.write(document, &Limits::default()).map_err(text)?.value)
        })?;
        Ok(Box::new(move || {
            with("x4-ani", |format| {
                let companion = format.companion().ok_or("no component is known")?;
                let found = companion.check(&bytes, component.as_bytes(), &Limits::default());
                found.map(made).map_err(text)
            })
        }))
    })
}

/// Fixes names in the wrong case.
fn fixes() -> Case {
    Case::new("check --fix animj: members in the wrong case", 200, |n| {
        let text_of = String::from_utf8(file("animj", Many::Keys, n)?).map_err(text)?;
        let bytes = text_of.replace("\"time\"", "\"Time\"").replace("\"value\"", "\"Value\"");
        Ok(Box::new(move || {
            with("animj", |format| {
                let fixed = inbetween::fix(format, bytes.as_bytes(), &Limits::default(), |_| true);
                let fixed = fixed.map_err(text)?;
                if fixed.edits == 0 { Err("nothing was fixed".into()) } else { Ok(made(fixed)) }
            })
        }))
    })
}

/// Combines many files of one clip into one file.
fn merging() -> Case {
    Case::new("animj to x4-ani: files into one", 200, |n| {
        let files = (0..n).map(|_| file("animj", Many::Keys, 2)).collect::<Result<Vec<_>, _>>()?;
        Ok(Box::new(move || {
            with("animj", |from| {
                with("x4-ani", |to| {
                    let readings = files.iter().map(|bytes| {
                        Ok(("walk", Reading::new(from, bytes, &Limits::default()).map_err(text)?))
                    });
                    let readings = readings.collect::<Result<Vec<_>, String>>()?;
                    let merge = Merge::new(readings, to).map_err(|error| error.to_string())?;
                    merge.write().map(made).map_err(text)
                })
            })
        }))
    })
}

/// Reads one clip of many.
fn extracting() -> Case {
    Case::new("read one clip of x4-ani: clips", Many::Clips.size(), |n| {
        let bytes = file("x4-ani", Many::Clips, n)?;
        Ok(Box::new(move || {
            with("x4-ani", |format| {
                let source = Source::open(format, &bytes, &Limits::default()).map_err(text)?;
                source.clip(&format!("clip_{}", n - 1)).map(made).map_err(text)
            })
        }))
    })
}

/// Plays a clip from start to end.
fn sampling() -> Case {
    Case::new("sample: times and keys", Many::Keys.size(), |n| {
        let document = Many::Keys.document(n, Rules::LINEAR)?;
        Ok(Box::new(move || {
            for clip in &document.clips {
                let sampler = ClipSampler::new(clip);
                let (mut pose, step) = (sampler.pose(), clip.effective_duration());
                for frame in 0..n {
                    sampler.sample_into(step * f64_from_index(frame % 97) / 97.0, &mut pose);
                }
            }
            Ok(made(document))
        }))
    })
}

fn made<T: Any>(value: T) -> Made {
    Box::new(value)
}

#[expect(clippy::needless_pass_by_value, reason = "`map_err` passes values")]
pub(crate) fn text(error: impl ToString) -> String {
    error.to_string()
}
