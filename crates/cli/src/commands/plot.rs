//! `inbetween plot`.

use std::path::Path;

use inbetween::core::num::{len_from_u64, u64_from_len};
use inbetween::core::printable;
use inbetween::plot::{Picture, Plot};
use inbetween::{Document, Registry};

use crate::args::PlotArgs;
use crate::chosen::Chosen;
use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::flags::Given;
use crate::json::{self, List, PlotFile};
use crate::picture::{self, Kind};
use crate::reading::{OnlyClip, ReadFile, Request};
use crate::report::plural;
use crate::single_output::Single;
use crate::times::Range;

pub(crate) fn run(
    args: &PlotArgs,
    registry: &Registry,
    given: &[Given],
    console: &mut Console,
) -> Result<Exit, Failure> {
    let result = plot(args, registry, given, console);
    let names = serde_json::json!({
        "inputs": args.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
        "output": args.output.display().to_string()
    });
    json::report_failure(result, args.json, names, console)
}

fn plot(
    args: &PlotArgs,
    registry: &Registry,
    given: &[Given],
    console: &mut Console,
) -> Result<Exit, Failure> {
    let kind = Kind::of(&args.output)?;
    let chosen = Chosen::new(&args.track)?;
    let range = args.range.as_deref().map(Range::parse).transpose()?;
    let output = Single::new(&args.output, args.force, args.json)?;
    let read = |path| {
        let request = Request {
            path,
            from: args.from.as_deref(),
            clip: args.clip.as_deref(),
            only: OnlyClip::Named,
        };
        ReadFile::new(request, registry, given)
    };
    let files = args.files.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    check_tracks(&files, &chosen)?;
    let picture = draw(&files, &chosen, range, kind, args)?;
    let bytes = picture::encode(&picture.svg, kind)?;
    let length = u64_from_len(bytes.len());
    output.write(&bytes, console, |console| report(args, &picture, length, console))?;
    list_marks(args, &picture, console);
    for file in &files {
        file.report_skipped(console);
    }
    Ok(Exit::Fine)
}

/// Fails if there are no tracks to draw.
fn check_tracks(files: &[ReadFile], chosen: &Chosen) -> Result<(), Failure> {
    let tracks = |document: &Document, with_keys: bool| {
        let tracks = document.clips.iter().flat_map(|clip| &clip.tracks);
        let fits = tracks.filter(|track| chosen.fits(track.target()));
        fits.filter(|track| !with_keys || !track.data().is_empty()).count()
    };
    let Some(last) = files.last() else { return Ok(()) };
    if files.iter().any(|file| tracks(&file.document, true) > 0) {
        return Ok(());
    }
    if !chosen.is_everything() && files.iter().all(|file| tracks(&file.document, false) == 0) {
        return Err(Chosen::nothing(&last.name, &last.document));
    }
    Err(Failure::Cannot(format!("{}: nothing to draw: no track has keys", last.name)))
}

fn draw(
    files: &[ReadFile],
    chosen: &Chosen,
    range: Option<Range>,
    kind: Kind,
    args: &PlotArgs,
) -> Result<Picture, Failure> {
    let names: Vec<String> = files.iter().map(ReadFile::short_name).collect();
    let mut files = files.iter().zip(&names).rev();
    let Some((file, name)) = files.next() else {
        return Err(Failure::Usage("plot takes a file".to_owned()));
    };
    let mut plot = Plot::new(&file.document, name);
    if let Some((before, name)) = files.next() {
        plot = plot.over(&before.document, name);
    }
    plot = plot.drawable(|c| kind.shows(c));
    if !chosen.is_everything() {
        plot = plot.tracks(|target| chosen.fits(target));
    }
    if args.degrees {
        plot = plot.degrees();
    }
    // Times in frames use the frame rate of the first clip.
    let clip = file.document.clips.first();
    if let Some((start, end)) =
        range.zip(clip).map(|(range, clip)| range.in_clip(clip)).transpose()?
    {
        plot = plot.range(start..end);
    }
    let page = len_from_u64(u64::from(args.page));
    let picture = plot.draw(page);
    if picture.page != page {
        let pages = plural(u64_from_len(picture.pages), "page", "pages");
        let verb = if picture.pages == 1 { "is" } else { "are" };
        return Err(Failure::Usage(format!("--page {page}: there {verb} {pages}")));
    }
    Ok(picture)
}

/// Prints which names the marks in a picture stand for.
fn list_marks(args: &PlotArgs, picture: &Picture, console: &mut Console) {
    if picture.marks.is_empty() || args.json {
        return;
    }
    let marks = picture.marks.iter().zip(1_u64..);
    let marks = marks.map(|(name, number)| format!("[{number}] {}", printable(name).at_most(64)));
    console.note(&format!(
        "{}: names with letters that the font of PNG pictures lacks are drawn as numbers: {}; a \
         .svg picture shows all letters",
        args.output.display(),
        marks.collect::<Vec<_>>().join(", ")
    ));
}

/// Prints which tracks were drawn, and how to draw the others.
fn report(
    args: &PlotArgs,
    picture: &Picture,
    bytes: u64,
    console: &mut Console,
) -> std::io::Result<()> {
    if args.json {
        let mut list = List::default();
        let path = |path: &Path| path.display().to_string();
        let inputs = args.files.iter().map(|file| path(file)).collect();
        let row = PlotFile::new(inputs, path(&args.output), bytes, picture);
        list.push(&row, &mut console.out)?;
        return list.end(&mut console.out);
    }
    let all = u64_from_len(picture.all_panels);
    let mut parts = vec![match picture.pages {
        1 => plural(all, "panel", "panels"),
        pages => {
            let (shown, page) = (picture.panels, picture.page);
            format!("{shown} of {all} panels, page {page} of {pages}")
        }
    }];
    if picture.page < picture.pages {
        parts.push(format!("--page {} draws the next", picture.page + 1));
    }
    if picture.still > 0 {
        let still = plural(u64_from_len(picture.still), "property", "properties");
        parts.push(format!("{still} at rest not drawn, --track '*' draws all"));
    }
    console.line(&format!(
        "{}: {}",
        printable(&args.output.display().to_string()),
        parts.join("; ")
    ))
}
