//! Prints the exact model as text.

use std::fmt::Write as _;

use inbetween_core::memory::OutOfMemory;
use inbetween_core::num::u64_from_len;
use inbetween_core::{Element, Interpolation, Strings, ValueKind, Values, with_column};

use crate::file::{AnimjFile, AnimjKeys, AnimjTrack};
use crate::member::Member;
use crate::read::INTERPOLATIONS;

/// The style of the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Style {
    /// One line per key, indented by two spaces per level.
    #[default]
    Pretty,
    /// No white space.
    Compact,
}

impl Style {
    /// Every style with its name in the option `style`.
    pub(crate) const ALL: [(&'static str, Self); 2] =
        [("pretty", Self::Pretty), ("compact", Self::Compact)];
}

impl AnimjFile {
    /// Prints the file in the member order that Resonite requires.
    ///
    /// Numbers are the shortest text that reads back to the same bits; matrices are arrays of rows.
    pub fn to_text(&self, style: Style) -> String {
        self.print(Printer::new(style, Growth::Certain)).out
    }

    /// Like [`to_text`](Self::to_text), but returns an error if memory runs out.
    ///
    /// # Errors
    ///
    /// If the system cannot provide the memory for the text.
    pub(crate) fn try_text(&self, style: Style) -> Result<String, OutOfMemory> {
        let printer = self.print(Printer::new(style, Growth::Tried(None)));
        match printer.growth {
            Growth::Tried(Some(error)) => Err(error),
            Growth::Tried(None) | Growth::Certain => Ok(printer.out),
        }
    }

    fn print(&self, mut printer: Printer) -> Printer {
        let style = printer.style;
        let parts = &self.parts;
        printer.open('{');
        printer.member("name", |printer| printer.nullable(parts.name.as_deref()));
        printer.member("globalDuration", |printer| printer.number(parts.global_duration));
        printer.member("tracks", |printer| printer.tracks(&parts.tracks));
        printer.extra(&parts.extra);
        printer.close('}');
        if style == Style::Pretty {
            printer.out.push('\n');
        }
        printer
    }
}

/// Returns Resonite's name of an interpolation.
pub(crate) fn interpolation_name(interpolation: Interpolation) -> &'static str {
    let known = INTERPOLATIONS.iter().find(|(_, known)| *known == interpolation);
    known.map_or("Linear", |(name, _)| name)
}

/// What to do if the system has no memory for a longer text.
#[derive(Debug)]
enum Growth {
    /// Abort, like any `String`.
    Certain,
    /// Stop printing and keep the error.
    Tried(Option<OutOfMemory>),
}

/// The text under construction.
#[derive(Debug)]
pub(crate) struct Printer {
    out: String,
    style: Style,
    level: usize,
    growth: Growth,
}

/// The memory reserved per item: enough for a key with its tangents, but not for a long string.
const ITEM: usize = 4096;

/// The length from which memory is reserved explicitly.
const LONG: usize = 1 << 20;

impl Printer {
    fn new(style: Style, growth: Growth) -> Self {
        Self { out: String::new(), style, level: 0, growth }
    }

    /// Reserves memory for an item of a long text; returns whether that succeeded.
    #[inline]
    fn has_room(&mut self) -> bool {
        let room = self.out.capacity().saturating_sub(self.out.len());
        room >= ITEM || self.out.len() < LONG || self.make_room()
    }

    #[cold]
    fn make_room(&mut self) -> bool {
        let Growth::Tried(failed) = &mut self.growth else { return true };
        if failed.is_none() && self.out.try_reserve(LONG).is_err() {
            let bytes = self.out.len().saturating_add(LONG);
            *failed = Some(OutOfMemory { bytes: u64_from_len(bytes) });
        }
        failed.is_none()
    }

    fn track(&mut self, track: &AnimjTrack) {
        let values = track.keys.values();
        self.open('{');
        self.member("trackType", |printer| printer.string(track.keys.track_type()));
        self.member("valueType", |printer| printer.string(values.kind().name()));
        self.member("data", |printer| printer.data(track));
        self.close('}');
    }

    fn tracks(&mut self, tracks: &[AnimjTrack]) {
        self.open('[');
        for track in tracks {
            self.item(|printer| printer.track(track));
        }
        self.close(']');
    }

    fn data(&mut self, track: &AnimjTrack) {
        self.open('{');
        self.member("node", |printer| printer.nullable(track.node.as_deref()));
        self.member("property", |printer| printer.nullable(track.property.as_deref()));
        if let AnimjKeys::Raw { interval, .. } = track.keys {
            self.member("interval", |printer| printer.number(interval));
        }
        self.member("keyframes", |printer| printer.keys(&track.keys));
        self.extra(&track.extra);
        self.close('}');
    }

    fn keys(&mut self, keys: &AnimjKeys) {
        self.open('[');
        match keys {
            AnimjKeys::Raw { values, .. } => {
                for_each(values, |value| self.item(|printer| value.print(printer)));
            }
            AnimjKeys::Discrete { times, values } => {
                let mut times = times.iter();
                for_each(values, |value| {
                    let time = times.next().copied().unwrap_or_default();
                    self.item(|printer| printer.inline(|printer| printer.key(time, value)));
                });
            }
            AnimjKeys::Curve { times, values, interpolation, tangents } => {
                let mut keys = times.iter().zip(interpolation).enumerate();
                for_each(values, |value| {
                    let Some((index, (time, interpolation))) = keys.next() else { return };
                    self.item(|printer| {
                        printer.inline(|printer| {
                            printer.key(*time, value);
                            printer.inline_member("interpolation");
                            printer.string(interpolation_name(*interpolation));
                            if let Some(tangents) = tangents {
                                printer.tangents(tangents, index);
                            }
                        });
                    });
                });
            }
        }
        self.close(']');
    }

    fn key(&mut self, time: f32, value: &dyn Print) {
        self.inline_member("time");
        self.number(time);
        self.inline_member("value");
        value.print(self);
    }

    fn tangents(&mut self, tangents: &crate::file::AnimjTangents, index: usize) {
        let given = tangents.given.get(index).copied().unwrap_or_default();
        if given.has_left() {
            self.inline_member("leftTangent");
            print_one(&tangents.left, index, self);
        }
        if given.has_right() {
            self.inline_member("rightTangent");
            print_one(&tangents.right, index, self);
        }
    }

    fn extra(&mut self, extra: &[Member]) {
        for member in extra {
            self.member(member.name(), |printer| printer.out.push_str(member.json()));
        }
    }

    fn open(&mut self, bracket: char) {
        self.out.push(bracket);
        self.level = self.level.saturating_add(1);
    }

    fn close(&mut self, bracket: char) {
        self.level = self.level.saturating_sub(1);
        if !self.at_first() {
            self.line();
        }
        self.out.push(bracket);
    }

    /// Returns whether the innermost brackets are still empty.
    fn at_first(&self) -> bool {
        self.out.ends_with(['{', '['])
    }

    fn item(&mut self, print: impl FnOnce(&mut Self)) {
        if !self.has_room() {
            return;
        }
        if !self.at_first() {
            self.out.push(',');
        }
        self.line();
        print(self);
    }

    fn member(&mut self, name: &str, print: impl FnOnce(&mut Self)) {
        self.item(|printer| {
            printer.name(name);
            print(printer);
        });
    }

    fn name(&mut self, name: &str) {
        self.string(name);
        self.out.push(':');
        if self.style == Style::Pretty {
            self.out.push(' ');
        }
    }

    fn line(&mut self) {
        if self.style == Style::Pretty {
            self.out.push('\n');
            for _ in 0..self.level {
                self.out.push_str("  ");
            }
        }
    }

    /// Prints an object on one line.
    fn inline(&mut self, print: impl FnOnce(&mut Self)) {
        self.out.push('{');
        print(self);
        if self.style == Style::Pretty {
            self.out.push(' ');
        }
        self.out.push('}');
    }

    /// Starts a member of an object on one line.
    fn inline_member(&mut self, name: &str) {
        if !self.at_first() {
            self.out.push(',');
        }
        if self.style == Style::Pretty {
            self.out.push(' ');
        }
        self.name(name);
    }

    fn components<T: Element>(&mut self, names: &[&str], value: T) {
        self.inline(|printer| {
            let mut names = names.iter();
            value.visit(&mut |component| {
                printer.inline_member(names.next().copied().unwrap_or_default());
                printer.number(component);
            });
        });
    }

    fn matrix<T: Element>(&mut self, value: T) {
        let mut numbers = Vec::with_capacity(T::WIDTH);
        value.visit(&mut |number| numbers.push(number));
        let rows = numbers.chunks(T::WIDTH.isqrt());
        self.list(rows, |printer, row| {
            printer.list(row, Printer::number);
        });
    }

    fn list<T>(&mut self, items: impl IntoIterator<Item = T>, print: impl Fn(&mut Self, T)) {
        self.out.push('[');
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.out.push_str(if self.style == Style::Pretty { ", " } else { "," });
            }
            print(self, item);
        }
        self.out.push(']');
    }

    fn nullable(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.string(text),
            None => self.out.push_str("null"),
        }
    }

    fn string(&mut self, text: &str) {
        self.out.push('"');
        let mut rest = text;
        while let Some(at) = rest.find(|c: char| matches!(c, '"' | '\\' | '\0'..='\u{1f}')) {
            let (plain, special) = rest.split_at(at);
            self.out.push_str(plain);
            let mut chars = special.chars();
            self.escape(chars.next().unwrap_or_default());
            rest = chars.as_str();
        }
        self.out.push_str(rest);
        self.out.push('"');
    }

    fn escape(&mut self, char: char) {
        match char {
            '"' => self.out.push_str("\\\""),
            '\\' => self.out.push_str("\\\\"),
            '\n' => self.out.push_str("\\n"),
            '\r' => self.out.push_str("\\r"),
            '\t' => self.out.push_str("\\t"),
            control => self.display(format_args!("\\u{:04x}", u32::from(control))),
        }
    }

    /// Prints a flag, an integer or a float as the shortest text that reads back to it.
    fn number(&mut self, number: impl std::fmt::Debug) {
        self.display(format_args!("{number:?}"));
        if self.out.ends_with(".0") {
            self.out.truncate(self.out.len().saturating_sub(2));
        }
    }

    fn display(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.out.write_fmt(text);
    }
}

/// A printable value.
pub(crate) trait Print {
    fn print(&self, printer: &mut Printer);
}

const AXES: [&str; 4] = ["x", "y", "z", "w"];
const CHANNELS: [&str; 4] = ["r", "g", "b", "a"];

impl<T: Element> Print for T {
    fn print(&self, printer: &mut Printer) {
        match T::KIND {
            _ if T::WIDTH == 1 => printer.number(self),
            kind if kind.is_matrix() => printer.matrix(*self),
            ValueKind::Color | ValueKind::Color32 => printer.components(&CHANNELS, *self),
            _ => printer.components(&AXES, *self),
        }
    }
}

/// A string or null.
struct Nullable<'a>(Option<&'a str>);

impl Print for Nullable<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.nullable(self.0);
    }
}

/// Calls `print` with every value of a column.
fn for_each(values: &Values, mut print: impl FnMut(&dyn Print)) {
    with_column!(values, column => column.iter().for_each(|value| print(value)), else {
        let texts = values.as_strings().into_iter().flat_map(Strings::iter);
        texts.for_each(|text| print(&Nullable(text)));
    });
}

/// Prints one value of a column.
fn print_one(values: &Values, index: usize, printer: &mut Printer) {
    with_column!(values, column => column.get(index).copied().unwrap_or_default().print(printer),
    else printer.nullable(values.as_strings().and_then(|texts| texts.get(index)?)));
}

#[cfg(test)]
mod tests {
    use inbetween_core::Color32;

    use super::*;

    fn printed(value: &dyn Print, style: Style) -> String {
        let mut printer = Printer::new(style, Growth::Certain);
        value.print(&mut printer);
        printer.out
    }

    #[test]
    fn floats_are_short_and_valid_json() {
        for (float, text) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (0.1, "0.1"),
            (1e16, "1e16"),
            (1e-7, "1e-7"),
            (16_777_216.0, "16777216"),
            (f32::MAX, "3.4028235e38"),
            (f32::from_bits(1), "1e-45"),
        ] {
            assert_eq!(printed(&float, Style::Compact), text);
        }
        assert_eq!(printed(&0.1_f64, Style::Compact), "0.1");
        assert_eq!(printed(&f64::from(0.1_f32), Style::Compact), "0.10000000149011612");
    }

    #[test]
    fn strings_escape_what_json_requires() {
        let text = Nullable(Some("\"\\\n\u{1}\u{7f}\u{e9}/"));
        assert_eq!(printed(&text, Style::Compact), "\"\\\"\\\\\\n\\u0001\u{7f}\u{e9}/\"");
        assert_eq!(printed(&Nullable(None), Style::Compact), "null");
    }

    #[test]
    fn values_are_spelled_as_in_resonite() {
        let color = Color32 { r: 1, g: 2, b: 3, a: 4 };
        assert_eq!(printed(&color, Style::Pretty), r#"{ "r": 1, "g": 2, "b": 3, "a": 4 }"#);
        assert_eq!(printed(&[true, false], Style::Compact), r#"{"x":true,"y":false}"#);
        let matrix = [[1.0_f32, 2.0], [3.0, 4.5]];
        assert_eq!(printed(&matrix, Style::Compact), "[[1,2],[3,4.5]]");
    }
}
