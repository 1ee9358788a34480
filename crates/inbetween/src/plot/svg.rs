//! A writer of SVG with fixed digits.

use std::fmt::{self, Write};

use super::marks::{Drawable, Marks, Spelled};
use super::text::{self, escaped};

/// Colors that are legible on white and on black: their contrast to both is about 4. The background
/// is transparent.
pub(super) mod color {
    pub(in super::super) const X: &str = "#e5484d";
    pub(in super::super) const Y: &str = "#2f9e58";
    pub(in super::super) const Z: &str = "#3b82f6";
    pub(in super::super) const W: &str = "#9a6fe0";
    pub(in super::super) const INK: &str = "#7b818a";
    pub(in super::super) const MARKER: &str = "#c2762d";
}

/// A coordinate with at most one decimal.
#[derive(Clone, Copy)]
pub(super) struct Px(pub(super) f64);

impl fmt::Display for Px {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.1}", self.0);
        let short = text.strip_suffix(".0").unwrap_or(&text);
        f.write_str(if short == "-0" { "0" } else { short })
    }
}

/// A rectangle in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Area {
    pub(super) fn right(self) -> f64 {
        self.left + self.width
    }

    pub(super) fn bottom(self) -> f64 {
        self.top + self.height
    }
}

/// The alignment of text at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// The size and color of text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// The size of the font in pixels.
    size: f64,
    color: &'static str,
}

impl Style {
    pub(super) const HEADING: Self = Self { size: 16.0, color: color::INK };
    pub(super) const CLIP: Self = Self { size: 14.0, color: color::INK };
    pub(super) const TITLE: Self = Self { size: 12.0, color: color::INK };
    pub(super) const LABEL: Self = Self { size: 10.0, color: color::INK };

    pub(super) const fn colored(mut self, color: &'static str) -> Self {
        self.color = color;
        self
    }

    /// Returns the distance from the top of a capital to the baseline in pixels.
    pub(super) fn capital(self) -> f64 {
        self.size * text::CAPITAL
    }

    /// Returns the width of a text in pixels.
    pub(super) fn width(self, text: &str) -> f64 {
        text::columns(text) * self.column()
    }

    /// Returns the text, cut if it is wider than `widest` pixels.
    pub(super) fn fitted(self, text: &str, widest: f64) -> String {
        text::fitted(text, widest / self.column())
    }

    fn column(self) -> f64 {
        self.size * text::COLUMN
    }
}

/// A picture under construction.
#[derive(Debug)]
pub(super) struct Svg<'d> {
    body: String,
    clips: usize,
    marks: Marks<'d>,
}

impl<'d> Svg<'d> {
    pub(super) fn new(drawable: Option<&'d Drawable<'d>>) -> Self {
        Self { body: String::new(), clips: 0, marks: Marks::new(drawable) }
    }

    fn push(&mut self, line: fmt::Arguments<'_>) {
        // Writing to a String does not fail.
        let _ = self.body.write_fmt(line);
        self.body.push('\n');
    }

    /// Returns the whole file, and the names that are drawn as marks.
    pub(super) fn finish(self, width: f64, height: f64, title: &str) -> (String, Vec<String>) {
        let (width, height) = (Px(width), Px(height));
        // The direction and the blanks of text do not depend on the page that shows the picture.
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" fill=\"none\" stroke-linecap=\"round\" \
             stroke-linejoin=\"round\" font-family=\"{}\" direction=\"ltr\" \
             xml:space=\"preserve\">\n<title>{}</title>\n{}</svg>\n",
            text::FONTS,
            escaped(title),
            self.body
        );
        (svg, self.marks.into_names())
    }

    /// Opens a group with a title for screen readers.
    pub(super) fn open(&mut self, title: &str) {
        self.push(format_args!("<g><title>{}</title>", escaped(title)));
    }

    /// Opens a group that is clipped to an area.
    pub(super) fn open_clipped(&mut self, area: Area) {
        self.clips = self.clips.saturating_add(1);
        let id = self.clips;
        let Area { left, top, width, height } = area;
        self.push(format_args!(
            "<clipPath id=\"c{id}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n\
             <g clip-path=\"url(#c{id})\">",
            Px(left),
            Px(top),
            Px(width),
            Px(height)
        ));
    }

    pub(super) fn close(&mut self) {
        self.push(format_args!("</g>"));
    }

    /// Fills an area with a tint of the text color.
    pub(super) fn tint(&mut self, area: Area, opacity: f64) {
        let Area { left, top, width, height } = area;
        self.push(format_args!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" \
             fill-opacity=\"{opacity}\"/>",
            Px(left),
            Px(top),
            Px(width),
            Px(height),
            color::INK
        ));
    }

    /// Returns the width of a name, or of the mark that stands for it, in pixels.
    pub(super) fn width_of_name(&self, name: &str, style: Style) -> f64 {
        match self.marks.spelled(name) {
            Spelled::Name(text) | Spelled::Mark(text) => style.width(&text),
        }
    }

    /// Returns a name to draw, cut if it is wider than `widest` pixels, or the mark that stands for
    /// it. A mark that does not fit becomes empty, because a cut number would be another one.
    pub(super) fn name(&mut self, name: &str, style: Style, widest: f64) -> String {
        match self.marks.spelled(name) {
            Spelled::Name(text) => style.fitted(&text, widest),
            Spelled::Mark(mark) if style.width(&mark) <= widest => {
                self.marks.record(name);
                mark
            }
            Spelled::Mark(_) => String::new(),
        }
    }

    /// Draws text whose baseline is at `y`.
    pub(super) fn text(&mut self, text: &str, x: f64, y: f64, anchor: Anchor, style: Style) {
        self.element(&escaped(text), x, y, anchor, style);
    }

    /// Draws a name and facts about it, `walk: 1 s`, at most `widest` pixels wide.
    ///
    /// The name is isolated: if it is written from right to left, the facts stay in their order.
    pub(super) fn named(
        &mut self,
        (name, facts): (&str, &str),
        (x, y): (f64, f64),
        style: Style,
        widest: f64,
    ) {
        let name = self.name(name, style, widest / 2.0);
        if name.is_empty() {
            return self.text(&style.fitted(facts, widest), x, y, Anchor::Start, style);
        }
        let facts = style.fitted(&format!(": {facts}"), widest - style.width(&name));
        let (name, facts) = (escaped(&name), escaped(&facts));
        let both = format!("<tspan unicode-bidi=\"isolate\">{name}</tspan>{facts}");
        self.element(&both, x, y, Anchor::Start, style);
    }

    fn element(&mut self, content: &str, x: f64, y: f64, anchor: Anchor, style: Style) {
        if content.is_empty() {
            return;
        }
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        self.push(format_args!(
            "<text x=\"{}\" y=\"{}\"{anchor} font-size=\"{}\" fill=\"{}\">{content}</text>",
            Px(x),
            Px(y),
            Px(style.size),
            style.color
        ));
    }

    /// Draws a path with a stroke.
    pub(super) fn path(&mut self, path: &Path, pen: Pen) {
        if path.0.is_empty() {
            return;
        }
        let Pen { color, width, opacity, dash } = pen;
        let opacity = Attribute("stroke-opacity", (opacity < 1.0).then(|| opacity.to_string()));
        let dash = Attribute("stroke-dasharray", dash.map(str::to_owned));
        self.push(format_args!(
            "<path stroke=\"{color}\" stroke-width=\"{width}\"{opacity}{dash} d=\"{}\"/>",
            path.0
        ));
    }
}

/// An attribute that may be absent.
struct Attribute(&'static str, Option<String>);

impl fmt::Display for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.1.as_ref().map_or(Ok(()), |value| write!(f, " {}=\"{value}\"", self.0))
    }
}

/// The style of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pen {
    pub(super) color: &'static str,
    pub(super) width: f64,
    pub(super) opacity: f64,
    pub(super) dash: Option<&'static str>,
}

impl Pen {
    pub(super) const fn new(color: &'static str, width: f64) -> Self {
        Self { color, width, opacity: 1.0, dash: None }
    }

    pub(super) const fn faint(mut self, opacity: f64) -> Self {
        self.opacity = opacity;
        self
    }

    pub(super) const fn dashed(mut self, dash: &'static str) -> Self {
        self.dash = Some(dash);
        self
    }
}

/// Lines and dots of one pen.
#[derive(Debug, Default)]
pub(super) struct Path(String);

impl Path {
    pub(super) fn line(&mut self, points: impl IntoIterator<Item = (f64, f64)>) {
        for (index, (x, y)) in points.into_iter().enumerate() {
            let command = if index == 0 { 'M' } else { 'L' };
            let _ = write!(self.0, "{command}{} {}", Px(x), Px(y));
        }
    }

    /// Adds a point; the round ends of the stroke make it a dot.
    pub(super) fn dot(&mut self, (x, y): (f64, f64)) {
        let _ = write!(self.0, "M{} {}h0", Px(x), Px(y));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_have_at_most_one_decimal() {
        let text = |number| Px(number).to_string();
        assert_eq!([text(1.0), text(1.25), text(-0.04), text(-3.06)], ["1", "1.2", "0", "-3.1"]);
    }
}
