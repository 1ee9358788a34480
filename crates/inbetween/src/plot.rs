//! Pictures of curves.
//!
//! A [`Plot`] draws tracks as they play between their keys: one panel per property of each node,
//! with the curves of its components, keys, control points and markers. Pictures are SVG on a
//! transparent background, in colors that are legible on white and on black. Text is
//! stored as text, and the viewer draws it in a monospace font.

mod curves;
mod draw;
mod heads;
mod marks;
mod page;
mod panels;
mod scale;
mod sparkline;
mod svg;
mod text;
mod trace;

use std::ops::Range;

use inbetween_core::{Animation, Document, Target};

use curves::Rotations;
use draw::Timeline;
use heads::Sign;
use marks::Drawable;
use page::{Head, Layout, MARGIN, Row, WIDTH};
use panels::{Pair, Panel, Panels};
use svg::{Area, Svg};
use trace::LARGEST;

pub use sparkline::sparkline;

/// The tracks of a document to draw, and how to draw them.
///
/// # Examples
///
/// ```
/// use inbetween::{Animation, Document, Property, Target, Track, TrackData};
/// use inbetween::plot::Plot;
///
/// let data = TrackData::uniform(0.5, vec![[0.0_f32; 3], [1.0, 2.0, 3.0]]);
/// let track = Track::new(Target::new("hips", Property::Translation), data)?;
/// let document = Document::single(Animation::new(vec![track]));
/// let picture = Plot::new(&document, "walk").draw(1);
/// assert!(picture.svg.starts_with("<svg "));
/// assert_eq!((picture.panels, picture.pages), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Plot<'d> {
    document: &'d Document,
    title: &'d str,
    before: Option<(&'d Document, &'d str)>,
    chosen: Option<Chosen<'d>>,
    range: Option<Range<f64>>,
    heading: Heading,
    rotations: Rotations,
    drawable: Option<Drawable<'d>>,
}

/// Returns whether a track is drawn.
type Chosen<'d> = Box<dyn Fn(&Target) -> bool + 'd>;

/// Whether a picture shows the names of its files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Heading {
    Drawn,
    Absent,
}

impl std::fmt::Debug for Plot<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Plot")
            .field("title", &self.title)
            .field("range", &self.range)
            .field("heading", &self.heading)
            .field("rotations", &self.rotations)
            .finish_non_exhaustive()
    }
}

/// A page of a plot.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Picture {
    /// The file.
    pub svg: String,
    /// The number of the page, from 1.
    pub page: usize,
    /// The number of pages, at least 1.
    pub pages: usize,
    /// The number of panels on this page.
    pub panels: usize,
    /// The number of panels on all pages.
    pub all_panels: usize,
    /// The number of panels that are not drawn because nothing moves in them and no tracks were
    /// chosen.
    pub still: usize,
    /// The names that are drawn as marks, in the order of their numbers: the first is drawn as `[1]`.
    /// Empty unless the plot is limited to some characters ([`Plot::drawable`]).
    pub marks: Vec<String>,
    /// Where the panels of this page are.
    pub areas: Vec<PanelArea>,
}

/// Where a panel of a picture is, and the times that it shows.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PanelArea {
    /// The index of the clip.
    pub clip: usize,
    /// The node, and its property.
    pub node: String,
    /// The name of the property, such as `Rotation`.
    pub property: String,
    /// The pixels of the times.
    pub x: Range<f64>,
    /// The pixels of the curves, from the top.
    pub y: Range<f64>,
    /// The times in seconds.
    pub time: Range<f64>,
}

impl<'d> Plot<'d> {
    /// Creates a plot of all tracks of a document, from the start to the end of each clip.
    ///
    /// Constant tracks are not drawn, unless all tracks are constant.
    pub fn new(document: &'d Document, title: &'d str) -> Self {
        let heading = Heading::Drawn;
        let rotations = Rotations::AsStored;
        Self {
            document,
            title,
            before: None,
            chosen: None,
            range: None,
            heading,
            rotations,
            drawable: None,
        }
    }

    /// Returns the plot drawn over the curves of an earlier document, which are pale and wide.
    #[must_use]
    pub fn over(mut self, before: &'d Document, title: &'d str) -> Self {
        self.before = Some((before, title));
        self
    }

    /// Returns the plot of the tracks whose target `chosen` accepts.
    #[must_use]
    pub fn tracks(mut self, chosen: impl Fn(&Target) -> bool + 'd) -> Self {
        self.chosen = Some(Box::new(chosen));
        self
    }

    /// Returns the plot of a range of seconds.
    #[must_use]
    pub fn range(mut self, range: Range<f64>) -> Self {
        self.range = Some(range);
        self
    }

    /// Returns the plot with quaternions drawn as Euler angles in degrees: the rotation about z first,
    /// then y, then x. Stored Euler angles are in degrees in any plot.
    #[must_use]
    pub fn degrees(mut self) -> Self {
        self.rotations = Rotations::Degrees;
        self
    }

    /// Returns the plot without the names of files and the legend.
    #[must_use]
    pub fn without_heading(mut self) -> Self {
        self.heading = Heading::Absent;
        self
    }

    /// Returns the plot for a font that has only the characters that `drawable` accepts.
    ///
    /// A name with any other character is drawn as a numbered mark, `[1]`, which is the same
    /// wherever the name is drawn in a picture. [`Picture::marks`] lists these names.
    #[must_use]
    pub fn drawable(mut self, drawable: impl Fn(char) -> bool + 'd) -> Self {
        self.drawable = Some(Box::new(drawable));
        self
    }

    /// Draws a page, counted from 1; a number beyond the last page draws the last one.
    pub fn draw(&self, page: usize) -> Picture {
        let pairs = panels::pairs(self.document, self.before.map(|(before, _)| before));
        let every = |_: &Target| true;
        let chosen: &dyn Fn(&Target) -> bool = self.chosen.as_deref().unwrap_or(&every);
        let Panels { drawn, still } =
            Panels::new(&pairs, chosen, self.chosen.is_some(), self.rotations);
        let named = pairs.len() > 1;
        let marked = |pair: &Pair<'_>| !pair.now.markers.is_empty();
        let heads = pairs.iter().map(|pair| Head { named, marked: marked(pair) });
        let layout = Layout::new(&heads.collect::<Vec<_>>(), &drawn);
        let timelines = pairs.iter().enumerate().map(|(clip, pair)| {
            self.timeline(*pair, drawn.iter().filter(|panel| panel.clip == clip))
        });
        let timelines: Vec<Timeline> = timelines.collect();
        let page = page.clamp(1, layout.pages.len());
        let rows = layout.pages.get(page.saturating_sub(1)).map_or(&[][..], Vec::as_slice);
        let sheet = Sheet { pairs: &pairs, panels: &drawn, timelines: &timelines, layout: &layout };
        let panels = rows.iter().map(|row| match row {
            Row::Panels(row) => row.len(),
            _ => 0,
        });
        let picture = Picture {
            svg: String::new(),
            page,
            pages: layout.pages.len(),
            panels: panels.sum(),
            all_panels: drawn.len(),
            still,
            marks: Vec::new(),
            areas: Vec::new(),
        };
        let drawn = self.svg(&sheet, rows, &picture);
        Picture { svg: drawn.svg, marks: drawn.marks, areas: drawn.areas, ..picture }
    }

    /// Returns the range in seconds that the panels of a clip show: that of the clip and of its
    /// keys.
    fn timeline<'p>(
        &self,
        pair: Pair<'_>,
        panels: impl Iterator<Item = &'p Panel<'p>>,
    ) -> Timeline {
        let end = pair.now.effective_duration();
        let before = pair.before.map_or(0.0, Animation::effective_duration);
        let mut range = (0.0_f64, end.max(before));
        for line in panels.flat_map(Panel::lines) {
            let data = line.track.data();
            let first = data.time(0).filter(|at| at.is_finite());
            range.0 = range.0.min(first.unwrap_or(0.0));
            range.1 = range.1.max(data.end().unwrap_or(0.0));
        }
        if let Some(chosen) = &self.range {
            range = (chosen.start, chosen.end);
        }
        range = (range.0.clamp(-LARGEST, LARGEST), range.1.clamp(-LARGEST, LARGEST));
        if range.1 <= range.0 {
            let around = (range.0.abs() * 1e-6).max(0.5);
            range = (range.0 - around, range.0 + around);
        }
        let markers = pair.now.markers.iter().map(|marker| marker.time);
        let markers = markers.filter(|time| time.is_finite()).collect();
        let frame_rate = pair.now.frame_rate.or_else(|| pair.before?.frame_rate);
        let frame_rate = frame_rate.filter(|rate| *rate > 0.0 && rate.is_finite());
        Timeline { range, end, frame_rate, markers }
    }

    /// Draws a page.
    fn svg(&self, sheet: &Sheet<'_>, rows: &[Row], picture: &Picture) -> Drawn {
        let mut svg = Svg::new(self.drawable.as_ref());
        let mut top = MARGIN / 2.0;
        if self.heading == Heading::Drawn {
            let (clip, facts) = facts(sheet, picture);
            let legend = self.legend(sheet);
            let heading =
                heads::HeadingText { title: self.title, clip, facts: &facts, legend: &legend };
            heads::heading(&mut svg, &heading);
            top = heads::HEADING;
        }
        let panel_rows = rows.iter().filter(|row| matches!(row, Row::Panels(_))).count();
        let height = match panel_rows {
            0 | 1 if sheet.layout.columns == 1 => 340.0,
            0..=2 => 220.0,
            3 | 4 => 150.0,
            _ => 112.0,
        };
        let mut areas = Vec::new();
        for row in rows {
            top += sheet.row(&mut svg, row, top, height, &mut areas);
        }
        let (svg, marks) = svg.finish(WIDTH, top + MARGIN / 2.0, self.title);
        Drawn { svg, marks, areas }
    }

    fn legend<'l>(&'l self, sheet: &Sheet<'_>) -> Vec<(&'l str, Sign)> {
        let lines = || sheet.panels.iter().flat_map(Panel::lines);
        let mut legend = Vec::new();
        match self.before {
            Some((_, title)) => {
                legend.extend([(title, Sign::Before), (self.title, Sign::Now)]);
            }
            None => legend.push(("key", Sign::Now)),
        }
        if lines().any(|line| line.track.data().tangents().is_some()) {
            legend.push(("control point", Sign::Handle));
        }
        if sheet.pairs.iter().any(|pair| !pair.now.markers.is_empty()) {
            legend.push(("marker", Sign::Marker));
        }
        legend
    }
}

/// Returns the name of the only clip, or an empty one, and the facts about a picture.
fn facts<'s>(sheet: &Sheet<'s>, picture: &Picture) -> (&'s str, String) {
    let (clip, first) = match sheet.pairs {
        [pair] => (pair.now.name.as_deref().unwrap_or_default(), heads::facts(pair.now)),
        pairs => ("", format!("{} clips", pairs.len())),
    };
    let mut facts = vec![first];
    if picture.still > 0 {
        let properties = if picture.still == 1 { "property" } else { "properties" };
        facts.push(format!("{} {properties} at rest not drawn", picture.still));
    }
    if picture.pages > 1 {
        facts.push(format!("page {} of {}", picture.page, picture.pages));
    }
    (clip, facts.join("; "))
}

/// Returns the title of a panel for screen readers: `hips/Position`.
fn title_of(panel: &Panel<'_>) -> String {
    format!("{}/{}", panel.node, panel.property.name())
}

fn placed(panel: &Panel<'_>, area: Area, timeline: &Timeline) -> PanelArea {
    let (left, right) = timeline.scale(area).to;
    let (start, end) = timeline.range;
    PanelArea {
        clip: panel.clip,
        node: panel.node.to_owned(),
        property: panel.property.name().into_owned(),
        x: left..right,
        y: area.top..area.bottom(),
        time: start..end,
    }
}

/// A drawn page.
struct Drawn {
    svg: String,
    /// The names that are drawn as marks.
    marks: Vec<String>,
    areas: Vec<PanelArea>,
}

/// The content of a page.
struct Sheet<'s> {
    pairs: &'s [Pair<'s>],
    panels: &'s [Panel<'s>],
    timelines: &'s [Timeline],
    layout: &'s Layout,
}

impl Sheet<'_> {
    /// Draws a row and returns its height; adds its panels to `areas`.
    fn row(
        &self,
        svg: &mut Svg<'_>,
        row: &Row,
        top: f64,
        height: f64,
        areas: &mut Vec<PanelArea>,
    ) -> f64 {
        match row {
            Row::Heading(index) => {
                if let Some(pair) = self.pairs.get(*index) {
                    heads::clip(svg, pair.now, top);
                }
                heads::CLIP
            }
            Row::Markers(index) => {
                let both = self.pairs.get(*index).zip(self.timelines.get(*index));
                let Some((pair, timeline)) = both else { return 0.0 };
                heads::marker_names(svg, &pair.now.markers, timeline, top);
                heads::marker_height(svg, &pair.now.markers, timeline)
            }
            Row::Panels(row) => {
                for (column, index) in row.iter().enumerate() {
                    let Some(panel) = self.panels.get(*index) else { continue };
                    let left = self.layout.left(column) + draw::GUTTER;
                    let width = self.layout.column() - draw::GUTTER;
                    let area = Area { left, top: top + draw::ABOVE, width, height };
                    if let Some(timeline) = self.timelines.get(panel.clip) {
                        draw::panel(svg, panel, area, timeline);
                        areas.push(placed(panel, area, timeline));
                    }
                }
                draw::ABOVE + height + draw::BELOW
            }
        }
    }
}

#[cfg(test)]
mod tests;
