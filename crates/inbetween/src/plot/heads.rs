//! Draws the part above the panels: the names of files and clips, the legend and the markers.

use inbetween_core::{Animation, Looping, Marker};

use super::draw::{GUTTER, Timeline, markers, time_axis};
use super::page::{MARGIN, WIDTH};
use super::svg::{Anchor, Area, Path, Pen, Style, Svg, color};

/// The height of the heading of a page.
pub(super) const HEADING: f64 = 66.0;

/// The height of the heading of a clip.
pub(super) const CLIP: f64 = 34.0;

/// The height of a line of marker names.
const MARKER_LINE: f64 = 14.0;

/// The largest number of lines of marker names.
const MARKER_LINES: usize = 4;

/// The names and facts in the heading of a page.
#[derive(Debug)]
pub(super) struct HeadingText<'h> {
    /// The name of the file.
    pub(super) title: &'h str,
    /// The name of the clip, which may be empty.
    pub(super) clip: &'h str,
    pub(super) facts: &'h str,
    pub(super) legend: &'h [(&'h str, Sign)],
}

/// Draws the heading of a page.
pub(super) fn heading(svg: &mut Svg<'_>, heading: &HeadingText<'_>) {
    let mut right = WIDTH - MARGIN;
    for (text, sign) in heading.legend.iter().rev() {
        let text = svg.name(text, Style::LABEL, 260.0);
        svg.text(&text, right, MARGIN + 12.0, Anchor::End, Style::LABEL);
        right -= Style::LABEL.width(&text) + 8.0;
        sign.draw(svg, right, MARGIN + 8.5);
        right -= 40.0;
    }
    let title = svg.name(heading.title, Style::HEADING, right - MARGIN);
    svg.text(&title, MARGIN, MARGIN + 12.0, Anchor::Start, Style::HEADING);
    let facts = (heading.clip, heading.facts);
    svg.named(facts, (MARGIN, MARGIN + 30.0), Style::LABEL, WIDTH - 2.0 * MARGIN);
}

/// An entry of a legend.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sign {
    Before,
    Now,
    Handle,
    Marker,
}

impl Sign {
    fn draw(self, svg: &mut Svg<'_>, right: f64, y: f64) {
        let left = right - 24.0;
        let (mut line, mut dot) = (Path::default(), Path::default());
        line.line([(left, y), (right, y)]);
        dot.dot((f64::midpoint(left, right), y));
        let ink = |width: f64| Pen::new(color::INK, width);
        match self {
            Self::Before => {
                svg.path(&line, ink(5.0).faint(0.32));
                svg.path(&dot, ink(8.0).faint(0.32));
            }
            Self::Now => {
                svg.path(&line, ink(1.5));
                svg.path(&dot, ink(4.6));
            }
            Self::Handle => {
                let mut end = Path::default();
                end.dot((right, y));
                svg.path(&line, ink(1.0).faint(0.55));
                svg.path(&end, ink(3.2).faint(0.75));
            }
            Self::Marker => {
                let mut mark = Path::default();
                mark.line([(right - 4.0, y - 7.0), (right - 4.0, y + 7.0)]);
                svg.path(&mark, Pen::new(color::MARKER, 1.0).dashed("3 3"));
            }
        }
    }
}

/// Returns the facts about a clip: `1 s, 30 frames per second, looped`.
pub(super) fn facts(clip: &Animation) -> String {
    let mut facts = vec![format!("{} s", short(clip.effective_duration()))];
    if let Some(rate) = clip.frame_rate.filter(|rate| rate.is_finite()) {
        facts.push(format!("{} frames per second", short(rate)));
    }
    if clip.looping == Looping::Loop {
        facts.push("looped".to_owned());
    }
    facts.join(", ")
}

/// Returns a number with at most three decimals.
fn short(number: f64) -> String {
    let text = format!("{number:.3}");
    if text.len() > 16 {
        return format!("{number:.3e}");
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Draws the name of a clip and its facts.
pub(super) fn clip(svg: &mut Svg<'_>, clip: &Animation, top: f64) {
    let name = clip.name.as_deref().unwrap_or("(no name)");
    svg.named((name, &facts(clip)), (MARGIN, top + 20.0), Style::CLIP, WIDTH / 1.2);
}

/// The position of a marker's name.
struct Label {
    x: f64,
    line: usize,
    name: String,
    /// Whether the name is to the left of its marker.
    left: bool,
}

fn area(top: f64, lines: usize) -> Area {
    let lines = inbetween_core::num::f64_from_index(lines);
    let height = lines * MARKER_LINE + 6.0;
    Area { left: MARGIN + GUTTER, top: top + 16.0, width: WIDTH - 2.0 * MARGIN - GUTTER, height }
}

/// Arranges the names of markers in lines, so that none covers another. A marker whose name does
/// not fit gets only its line.
fn labels(svg: &mut Svg<'_>, list: &[Marker], timeline: &Timeline) -> Vec<Label> {
    let full = area(0.0, 1);
    let scale = timeline.scale(full);
    let (start, end) = timeline.range;
    let mut seen: Vec<&Marker> =
        list.iter().filter(|marker| (start..=end).contains(&marker.time)).collect();
    seen.sort_by(|a, b| a.time.total_cmp(&b.time));
    let mut ends = [full.left; MARKER_LINES];
    let mut labels = Vec::new();
    for marker in seen {
        let x = scale.at(marker.time);
        let width = svg.width_of_name(&marker.name, Style::LABEL);
        let left = x + width + 10.0 > full.right();
        let (from, to) = if left { (x - width - 5.0, x) } else { (x, x + width + 12.0) };
        let free = ends.iter().position(|end| *end <= from);
        if let Some((line, end)) = free.and_then(|line| Some((line, ends.get_mut(line)?))) {
            *end = to;
            let name = svg.name(&marker.name, Style::LABEL, width);
            labels.push(Label { x, line, name, left });
        }
    }
    labels
}

/// Returns the height of the markers of a clip.
pub(super) fn marker_height(svg: &mut Svg<'_>, list: &[Marker], timeline: &Timeline) -> f64 {
    let lines = labels(svg, list, timeline).iter().map(|label| label.line.saturating_add(1)).max();
    area(0.0, lines.unwrap_or(1)).height + 52.0
}

/// Draws the markers of a clip on a time axis over the whole width.
pub(super) fn marker_names(svg: &mut Svg<'_>, list: &[Marker], timeline: &Timeline, top: f64) {
    let labels = labels(svg, list, timeline);
    let lines = labels.iter().map(|label| label.line.saturating_add(1)).max().unwrap_or(1);
    let area = area(top, lines);
    svg.open("markers");
    let bare = Timeline { markers: Vec::new(), ..timeline.clone() };
    let scale = time_axis(svg, area, &bare);
    let middle = f64::midpoint(area.top, area.bottom()) + Style::LABEL.capital() / 2.0;
    svg.text("marker", area.left - 8.0, middle, Anchor::End, Style::LABEL);
    markers(svg, area, scale, timeline);
    for label in &labels {
        let line = inbetween_core::num::f64_from_index(label.line);
        let y = area.top + line * MARKER_LINE + 13.0;
        let (x, anchor) =
            if label.left { (label.x - 5.0, Anchor::End) } else { (label.x + 5.0, Anchor::Start) };
        svg.text(&label.name, x, y, anchor, Style::LABEL.colored(color::MARKER));
    }
    svg.close();
}
