//! A writer of SVG with fixed digits.

use std::fmt::{self, Write};

use super::glyphs;

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

/// The size and weight of text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// The distance from the top of a capital to the baseline, in pixels.
    pub(super) height: f64,
    /// The width of a stroke in pixels.
    pub(super) weight: f64,
    pub(super) color: &'static str,
}

impl Style {
    pub(super) const HEADING: Self = Self { height: 12.0, weight: 1.9, color: color::INK };
    pub(super) const TITLE: Self = Self { height: 8.5, weight: 1.5, color: color::INK };
    pub(super) const LABEL: Self = Self { height: 7.0, weight: 1.1, color: color::INK };

    pub(super) const fn colored(mut self, color: &'static str) -> Self {
        self.color = color;
        self
    }

    fn scale(self) -> f64 {
        self.height / glyphs::CAPITAL
    }

    /// Returns the width of a text in pixels.
    pub(super) fn width(self, text: &str) -> f64 {
        glyphs::text_width(text) * self.scale()
    }

    /// Returns the text, cut if it is wider than `widest` pixels.
    pub(super) fn fitted(self, text: &str, widest: f64) -> String {
        glyphs::fitted(text, widest / self.scale())
    }
}

/// A picture under construction.
#[derive(Debug, Default)]
pub(super) struct Svg {
    body: String,
    clips: usize,
}

impl Svg {
    fn push(&mut self, line: fmt::Arguments<'_>) {
        // Writing to a String does not fail.
        let _ = self.body.write_fmt(line);
        self.body.push('\n');
    }

    /// Returns the whole file.
    pub(super) fn finish(self, width: f64, height: f64, title: &str) -> String {
        let (width, height) = (Px(width), Px(height));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" fill=\"none\" stroke-linecap=\"round\" \
             stroke-linejoin=\"round\">\n<title>{}</title>\n{}</svg>\n",
            escaped(title),
            self.body
        )
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

    /// Draws text whose baseline is at `y`.
    pub(super) fn text(&mut self, text: &str, x: f64, y: f64, anchor: Anchor, style: Style) {
        let width = style.width(text);
        let left = match anchor {
            Anchor::Start => x,
            Anchor::Middle => x - width / 2.0,
            Anchor::End => x - width,
        };
        self.push(format_args!(
            "<path transform=\"translate({} {}) scale({:.3})\" stroke=\"{}\" \
             stroke-width=\"{:.2}\" d=\"{}\"/>",
            Px(left),
            Px(y - style.height),
            style.scale(),
            style.color,
            style.weight / style.scale(),
            glyphs::path(text)
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

/// Escapes text for XML; characters that XML does not allow become their code.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in inbetween_core::printable(text).to_string().chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // XML does not allow these two code points.
            '\u{fffe}' | '\u{ffff}' => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_have_at_most_one_decimal() {
        let text = |number| Px(number).to_string();
        assert_eq!([text(1.0), text(1.25), text(-0.04), text(-3.06)], ["1", "1.2", "0", "-3.1"]);
    }

    #[test]
    fn names_cannot_break_out_of_the_picture() {
        assert_eq!(escaped("</title>&\u{0}\u{ffff}"), "&lt;/title&gt;&amp;\\u{0}\\u{ffff}");
    }
}
