//! `inbetween skeleton`.

use std::io;

use inbetween::core::num::u64_from_len;
use inbetween::core::{Blend, printable};
use inbetween::edit::first_frame;
use inbetween::{Animation, Bone, Document, Registry, Skeleton};

use crate::args::SkeletonArgs;
use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::flags::Given;
use crate::json::{self, List, SkeletonFile};
use crate::reading::{OnlyClip, ReadFile, Request};
use crate::report::plural;
use crate::single_output::Single;
use crate::skeleton;

/// The source of the bones of a skeleton file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The skeleton of the file.
    Skeleton,
    /// The first frame of an absolute clip.
    FirstFrame,
    /// The nodes of a relative or additive clip.
    Nodes,
}

impl Origin {
    /// Returns the name in reports.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Skeleton => "skeleton",
            Self::FirstFrame => "first-frame",
            Self::Nodes => "nodes",
        }
    }

    /// Describes the source for people.
    const fn text(self) -> &'static str {
        match self {
            Self::Skeleton => "the skeleton of the file",
            Self::FirstFrame => "a template with the first frame as its rest pose; add the parents",
            Self::Nodes => "a template without a rest pose; add it and the parents",
        }
    }
}

pub(crate) fn run(
    args: &SkeletonArgs,
    registry: &Registry,
    given: &[Given],
    console: &mut Console,
) -> Result<Exit, Failure> {
    let result = write(args, registry, given, console);
    json::report_failure(result, args.json, json::names(&args.file, &args.output), console)
}

fn write(
    args: &SkeletonArgs,
    registry: &Registry,
    given: &[Given],
    console: &mut Console,
) -> Result<Exit, Failure> {
    let output = Single::new(&args.output, args.force, args.json)?;
    let (from, clip) = (args.from.as_deref(), args.clip.as_deref());
    let file = ReadFile::new(
        Request { path: &args.file, from, clip, only: OnlyClip::Named },
        registry,
        given,
    )?;
    let (skeleton, origin) = bones(&file.document)
        .map_err(|problem| Failure::Cannot(format!("{}: {problem}", file.name)))?;
    let text = skeleton::to_json(&skeleton);
    output.write(text.as_bytes(), console, |console| report(args, &skeleton, origin, console))?;
    file.report_skipped(console);
    Ok(Exit::Fine)
}

/// Returns the skeleton of a document, or a template.
fn bones(document: &Document) -> Result<(Skeleton, Origin), String> {
    if let Some(skeleton) = &document.skeleton {
        return Ok((skeleton.clone(), Origin::Skeleton));
    }
    let clip = document.clips.first().ok_or("expected a skeleton or a clip, found neither")?;
    let absolute = clip.tracks.iter().all(|track| track.target().blend == Blend::Absolute);
    let (skeleton, origin) = if absolute {
        let skeleton = first_frame(clip).map_err(|error| error.to_string())?;
        (skeleton, Origin::FirstFrame)
    } else {
        (nodes(clip)?, Origin::Nodes)
    };
    if skeleton.bones().is_empty() {
        return Err("expected a skeleton or tracks of nodes, found neither".to_owned());
    }
    Ok((skeleton, origin))
}

/// Returns the nodes of a clip as bones with no known rest pose.
fn nodes(clip: &Animation) -> Result<Skeleton, String> {
    let mut seen = std::collections::HashSet::new();
    let nodes = clip.tracks.iter().filter_map(|track| track.target().node.clone());
    let bones = nodes.filter(|node| seen.insert(node.clone()));
    let bones = bones.map(|node| Bone { node, ..Bone::default() });
    Skeleton::new(bones.collect()).map_err(|error| error.to_string())
}

fn report(
    args: &SkeletonArgs,
    skeleton: &Skeleton,
    origin: Origin,
    console: &mut Console,
) -> io::Result<()> {
    let [input, output] = [&args.file, &args.output].map(|path| path.display().to_string());
    let bones = u64_from_len(skeleton.bones().len());
    if args.json {
        let mut list = List::default();
        list.push(&SkeletonFile { input, output, bones, origin: origin.name() }, &mut console.out)?;
        return list.end(&mut console.out);
    }
    let bones = plural(bones, "bone", "bones");
    console.line(&format!("{}: {bones}, {}", printable(&output), origin.text()))
}
