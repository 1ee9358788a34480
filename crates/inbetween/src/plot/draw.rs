//! Draws a panel: axes, curves, keys, handles and a title.

use super::curves::{Curve, Line};
use super::panels::Panel;
use super::scale::{Scale, Ticks, Unit};
use super::svg::{Anchor, Area, Path, Pen, Style, Svg, color};
use super::trace::simplified;

/// The width of the area left of the curves, for the labels of values.
pub(super) const GUTTER: f64 = 52.0;

/// The height of the area above the curves, for the title and the frames.
pub(super) const ABOVE: f64 = 34.0;

/// The height of the area below the curves, for the seconds.
pub(super) const BELOW: f64 = 32.0;

/// The distance between the frame of a panel and its first and last time.
const INSET: f64 = 6.0;

/// The timeline that the panels of a clip share.
#[derive(Clone, Debug)]
pub(super) struct Timeline {
    /// The range to draw, in seconds.
    pub(super) range: (f64, f64),
    /// The end of the clip, in seconds.
    pub(super) end: f64,
    pub(super) frame_rate: Option<f64>,
    /// The times of the markers.
    pub(super) markers: Vec<f64>,
}

impl Timeline {
    pub(super) fn scale(&self, area: Area) -> Scale {
        Scale { from: self.range, to: (area.left + INSET, area.right() - INSET) }
    }
}

/// Draws the frame, the grid and the labels of seconds and frames; returns the scale of time.
pub(super) fn time_axis(svg: &mut Svg<'_>, area: Area, timeline: &Timeline) -> Scale {
    let scale = timeline.scale(area);
    svg.tint(area, 0.07);
    let ends = scale.at(timeline.end);
    if ends < area.right() - INSET - 0.5 {
        let left = ends.max(area.left);
        svg.tint(Area { left, width: area.right() - left, ..area }, 0.12);
    }
    let count = (area.width / 56.0).clamp(2.0, 12.0);
    let seconds = Ticks::new(timeline.range, count, Unit::Number);
    let mut grid = Path::default();
    for tick in &seconds.at {
        let x = scale.at(*tick);
        grid.line([(x, area.top), (x, area.bottom())]);
        svg.text(&seconds.label(*tick), x, area.bottom() + 14.0, Anchor::Middle, Style::LABEL);
    }
    let gutter = area.left - 8.0;
    svg.text("s", gutter, area.bottom() + 14.0, Anchor::End, Style::LABEL);
    svg.path(&grid, Pen::new(color::INK, 1.0).faint(0.22));
    if let Some(rate) = timeline.frame_rate {
        let (start, end) = timeline.range;
        let frames = Ticks::new((start * rate, end * rate), count, Unit::Whole);
        let mut marks = Path::default();
        for tick in &frames.at {
            let x = scale.at(*tick / rate);
            marks.line([(x, area.top - 3.0), (x, area.top)]);
            svg.text(&frames.label(*tick), x, area.top - 6.0, Anchor::Middle, Style::LABEL);
        }
        svg.path(&marks, Pen::new(color::INK, 1.0).faint(0.6));
        svg.text("frame", gutter, area.top - 6.0, Anchor::End, Style::LABEL);
    }
    scale
}

/// Draws a panel; `area` is that of its curves.
pub(super) fn panel(svg: &mut Svg<'_>, panel: &Panel<'_>, area: Area, timeline: &Timeline) {
    svg.open(&super::title_of(panel));
    let time = time_axis(svg, area, timeline);
    if panel.is_text() {
        title(svg, panel, area, &[]);
        texts(svg, panel, area, time);
    } else {
        let of = |lines: &[Line<'_>]| -> Vec<Curve> {
            lines.iter().flat_map(|line| line.curves(time)).collect()
        };
        let (now, before) = (of(&panel.now), of(&panel.before));
        let named = if now.is_empty() { &before } else { &now };
        title(svg, panel, area, named);
        let value = value_axis(svg, panel, area, now.iter().chain(&before));
        svg.open_clipped(area);
        markers(svg, area, time, timeline);
        for curve in &before {
            halo(svg, curve, value);
        }
        for curve in &now {
            handles(svg, curve, value);
        }
        for curve in &now {
            line(svg, curve, value);
        }
        svg.close();
    }
    svg.close();
}

/// Draws the node and the property on the left, and the components and the number of keys on the
/// right.
fn title(svg: &mut Svg<'_>, panel: &Panel<'_>, area: Area, curves: &[Curve]) {
    let y = area.top - 21.0;
    let mut right = area.right();
    let keys = panel.key_count();
    svg.text(&keys, right, y, Anchor::End, Style::LABEL);
    right -= Style::LABEL.width(&keys) + 14.0;
    let mut named: Vec<&Curve> = Vec::new();
    for curve in curves.iter().filter(|curve| !curve.name.is_empty()) {
        if !named.iter().any(|known| known.name == curve.name) {
            named.push(curve);
        }
    }
    named.sort_by_key(|curve| order(&curve.name));
    for curve in named.iter().rev().filter(|_| named.len() <= 4) {
        let style = Style::TITLE.colored(curve.color);
        svg.text(&curve.name, right, y, Anchor::End, style);
        right -= style.width(&curve.name) + 9.0;
    }
    let left = area.left - GUTTER;
    let property = panel.property_name();
    let both = !panel.node.is_empty() && !property.is_empty();
    let room = right - left - 8.0;
    let name = svg.name(panel.node, Style::TITLE, room * if both { 0.68 } else { 1.0 });
    svg.text(&name, left, y, Anchor::Start, Style::TITLE);
    let width = if both { Style::TITLE.width(&name) + 9.0 } else { 0.0 };
    let property = svg.name(&property, Style::LABEL, room - width);
    svg.text(&property, left + width, y, Anchor::Start, Style::LABEL);
}

/// Returns the sort order of a component.
fn order(name: &str) -> usize {
    "xyzrgbaw".find(name).unwrap_or(usize::MAX)
}

/// Draws the labels of values, and returns their scale.
fn value_axis<'c>(
    svg: &mut Svg<'_>,
    panel: &Panel<'_>,
    area: Area,
    curves: impl Iterator<Item = &'c Curve> + Clone,
) -> Scale {
    let range = if panel.is_bool() { (-0.15, 1.15) } else { range_of(curves) };
    let scale = Scale { from: range, to: (area.bottom(), area.top) };
    let ticks = if panel.is_bool() {
        Ticks::new((0.0, 1.0), 1.0, Unit::Whole)
    } else {
        Ticks::new(range, (area.height / 36.0).max(2.0), panel.unit())
    };
    let mut grid = Path::default();
    for tick in &ticks.at {
        let y = scale.at(*tick);
        if y < area.top + 4.0 && !panel.is_bool() {
            continue;
        }
        grid.line([(area.left, y), (area.right(), y)]);
        let label = match panel.is_bool() {
            true if *tick == 0.0 => "false".to_owned(),
            true => "true".to_owned(),
            false => ticks.label(*tick),
        };
        let label = Style::LABEL.fitted(&label, GUTTER);
        let middle = y + Style::LABEL.capital() / 2.0;
        svg.text(&label, area.left - 8.0, middle, Anchor::End, Style::LABEL);
    }
    svg.path(&grid, Pen::new(color::INK, 1.0).faint(0.22));
    scale
}

/// Returns the range of values to draw: all curves and keys, and control points that are not far
/// outside.
fn range_of<'c>(curves: impl Iterator<Item = &'c Curve> + Clone) -> (f64, f64) {
    let of = |(low, high): (f64, f64), value: f64| (low.min(value), high.max(value));
    let points = curves.clone().flat_map(|curve| curve.lines.iter().flatten().chain(&curve.keys));
    let (low, high) = points.map(|(_, value)| *value).fold((f64::INFINITY, f64::NEG_INFINITY), of);
    if low > high {
        return (0.0, 1.0);
    }
    let span = high - low;
    let near = |value: &f64| *value > low - span && *value < high + span;
    let ends = curves.flat_map(|curve| curve.handles.iter().map(|[_, (_, value)]| *value));
    let (low, high) = ends.filter(near).fold((low, high), of);
    // Rounding noise is not enlarged to the height of a panel.
    let least = (low.abs().max(high.abs()) * 1e-5).max(1e-6);
    let (middle, half) = (f64::midpoint(low, high), (high / 2.0 - low / 2.0));
    let half = if half < least { least.max(middle.abs() * 0.1).max(0.1) } else { half };
    (middle - half * 1.12, middle + half * 1.12)
}

fn pixels(points: &[(f64, f64)], value: Scale) -> Vec<(f64, f64)> {
    let points: Vec<_> = points.iter().map(|(x, number)| (*x, value.at(*number))).collect();
    simplified(&points)
}

/// Draws a curve of the earlier file as a pale band below the newer one.
fn halo(svg: &mut Svg<'_>, curve: &Curve, value: Scale) {
    let (mut lines, mut dots) = (Path::default(), Path::default());
    curve.lines.iter().for_each(|line| lines.line(pixels(line, value)));
    curve.keys.iter().for_each(|(x, number)| dots.dot((*x, value.at(*number))));
    svg.path(&lines, Pen::new(curve.color, 5.0).faint(0.32));
    svg.path(&dots, Pen::new(curve.color, 8.0).faint(0.32));
}

fn line(svg: &mut Svg<'_>, curve: &Curve, value: Scale) {
    let (mut lines, mut dots) = (Path::default(), Path::default());
    curve.lines.iter().for_each(|line| lines.line(pixels(line, value)));
    curve.keys.iter().for_each(|(x, number)| dots.dot((*x, value.at(*number))));
    svg.path(&lines, Pen::new(curve.color, 1.5));
    svg.path(&dots, Pen::new(curve.color, 4.6));
}

fn handles(svg: &mut Svg<'_>, curve: &Curve, value: Scale) {
    let (mut lines, mut dots) = (Path::default(), Path::default());
    for handle in &curve.handles {
        let [from, to] = handle.map(|(x, number)| (x, value.at(number)));
        lines.line([from, to]);
        dots.dot(to);
    }
    svg.path(&lines, Pen::new(curve.color, 1.0).faint(0.55));
    svg.path(&dots, Pen::new(curve.color, 3.2).faint(0.75));
}

/// Draws the markers as lines over the height of a panel.
pub(super) fn markers(svg: &mut Svg<'_>, area: Area, time: Scale, timeline: &Timeline) {
    let mut path = Path::default();
    for at in &timeline.markers {
        let x = time.at(*at);
        path.line([(x, area.top), (x, area.bottom())]);
    }
    svg.path(&path, Pen::new(color::MARKER, 1.0).faint(0.7).dashed("3 3"));
}

/// Draws a track of strings: a line at each key, and the string that starts there.
fn texts(svg: &mut Svg<'_>, panel: &Panel<'_>, area: Area, time: Scale) {
    svg.open_clipped(area);
    for line in &panel.now {
        let keys = line.texts(time);
        let ends = keys.iter().skip(1).map(|(x, _)| *x).chain([area.right()]);
        let mut path = Path::default();
        for ((x, text), end) in keys.iter().zip(ends) {
            path.line([(*x, area.top), (*x, area.bottom())]);
            let text = text.as_deref().map_or("null".to_owned(), |text| format!("\"{text}\""));
            let text = svg.name(&text, Style::LABEL, end - x - 8.0);
            let y = f64::midpoint(area.top, area.bottom()) + Style::LABEL.capital() / 2.0;
            svg.text(&text, x + 5.0, y, Anchor::Start, Style::LABEL);
        }
        svg.path(&path, Pen::new(color::W, 1.5));
    }
    svg.close();
}
