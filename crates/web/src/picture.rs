//! Pictures of curves, and where their panels are.

use inbetween::edit::TrackPattern;
use inbetween::plot::{PanelArea, Plot};
use inbetween::{Animation, Document, Track};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::to_json;

/// How curves are drawn.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct PlotSettings {
    title: String,
    tracks: Option<Vec<String>>,
    clip: Option<usize>,
    degrees: bool,
    start: Option<f64>,
    end: Option<f64>,
    page: Option<usize>,
}

/// A page of curves.
#[derive(Serialize)]
struct PictureAt<'a> {
    svg: &'a str,
    page: usize,
    pages: usize,
    still: usize,
    panels: Vec<PanelAt<'a>>,
}

/// Where a panel is, and what it shows.
#[derive(Serialize)]
struct PanelAt<'a> {
    clip: usize,
    node: &'a str,
    property: &'a str,
    tracks: Vec<usize>,
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    start: f64,
    end: f64,
}

/// Draws a page of curves.
pub(crate) fn draw(document: &Document, settings: &PlotSettings) -> Result<String, Failure> {
    let only = settings.clip.map(|index| {
        let clip = document.clips.get(index).cloned().map(Document::single);
        clip.ok_or_else(|| Failure::usage(format!("there is no clip {index}")))
    });
    let only = only.transpose()?;
    let drawn = only.as_ref().unwrap_or(document);
    let patterns = settings.tracks.iter().flatten().map(|text| TrackPattern::list(text));
    let patterns = patterns.collect::<Result<Vec<_>, _>>()?.concat();
    let mut plot = Plot::new(drawn, &settings.title);
    if settings.tracks.is_some() {
        plot = plot.tracks(|target| patterns.iter().any(|pattern| pattern.matches(target)));
    }
    if settings.degrees {
        plot = plot.degrees();
    }
    if settings.start.is_some() || settings.end.is_some() {
        let longest = drawn.clips.iter().map(Animation::effective_duration);
        let end = settings.end.unwrap_or_else(|| longest.fold(0.0, f64::max));
        plot = plot.range(settings.start.unwrap_or(0.0)..end);
    }
    let picture = plot.without_heading().draw(settings.page.unwrap_or(1));
    let panels = picture.areas.iter().map(|area| {
        let tracks = drawn.clips.get(area.clip).map(|clip| tracks_of(clip, area));
        let clip = settings.clip.unwrap_or(area.clip);
        PanelAt::new(area, clip, tracks.unwrap_or_default())
    });
    Ok(to_json(&PictureAt {
        svg: &picture.svg,
        page: picture.page,
        pages: picture.pages,
        still: picture.still,
        panels: panels.collect(),
    }))
}

/// Returns the indices of the tracks that a panel shows.
fn tracks_of(clip: &Animation, area: &PanelArea) -> Vec<usize> {
    let shown = |track: &Track| {
        let target = track.target();
        target.node.as_deref().unwrap_or_default() == area.node
            && target.property.name() == area.property
    };
    let tracks = clip.tracks.iter().enumerate();
    tracks.filter(|(_, track)| shown(track)).map(|(index, _)| index).collect()
}

impl<'a> PanelAt<'a> {
    fn new(area: &'a PanelArea, clip: usize, tracks: Vec<usize>) -> Self {
        Self {
            clip,
            node: &area.node,
            property: &area.property,
            tracks,
            left: area.x.start,
            top: area.y.start,
            width: area.x.end - area.x.start,
            height: area.y.end - area.y.start,
            start: area.time.start,
            end: area.time.end,
        }
    }
}
