//! Prints the exact model as text.

mod number;

use core::convert::Infallible;

use inbetween_core::json::push_string;
use inbetween_core::memory::OutOfMemory;
use inbetween_core::num::u64_from_len;
use inbetween_core::{
    Element, Interpolation, Scalar as _, Strings, ValueKind, Values, with_column,
};

use number::{push_float, push_number};

use crate::file::{AnimjFile, AnimjKeys, AnimjParts, AnimjTangents, AnimjTrack};
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
        let mut printer = Printer::new(style, Growth::Certain);
        let AnimjParts { name, global_duration, tracks, extra } = &self.parts;
        let Ok(()) = printer.file((name.as_deref(), *global_duration), extra, |printer| {
            for track in tracks {
                printer.list_track(track);
            }
            Ok::<(), Infallible>(())
        });
        printer.out
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
    const fn new(style: Style, growth: Growth) -> Self {
        Self { out: String::new(), style, level: 0, growth }
    }

    /// Creates a printer that stops when memory runs out.
    pub(crate) const fn fallible(style: Style) -> Self {
        Self::new(style, Growth::Tried(None))
    }

    /// Returns the text.
    ///
    /// # Errors
    ///
    /// If the system could not provide the memory for it.
    pub(crate) fn finish(self) -> Result<String, OutOfMemory> {
        match self.growth {
            Growth::Tried(Some(error)) => Err(error),
            Growth::Tried(None) | Growth::Certain => Ok(self.out),
        }
    }

    /// Prints a file with a name, a duration, the tracks that `tracks` prints one by one, and extra
    /// members.
    pub(crate) fn file<E>(
        &mut self,
        (name, duration): (Option<&str>, f32),
        extra: &[Member],
        tracks: impl FnOnce(&mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        self.open('{');
        self.member("name", |printer| printer.nullable(name));
        self.member("globalDuration", |printer| push_float(&mut printer.out, duration));
        let mut printed = Ok(());
        self.member("tracks", |printer| {
            printer.open('[');
            printed = tracks(printer);
            printer.close(']');
        });
        self.extra(extra);
        self.close('}');
        if self.style == Style::Pretty {
            self.out.push('\n');
        }
        printed
    }

    /// Prints a track of the list of tracks.
    pub(crate) fn list_track(&mut self, track: &AnimjTrack) {
        self.item(|printer| printer.track(track));
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
        self.member("trackType", |printer| push_string(&mut printer.out, track.keys.track_type()));
        self.member("valueType", |printer| push_string(&mut printer.out, values.kind().name()));
        self.member("data", |printer| printer.data(track));
        self.close('}');
    }

    fn data(&mut self, track: &AnimjTrack) {
        self.open('{');
        self.member("node", |printer| printer.nullable(track.node.as_deref()));
        self.member("property", |printer| printer.nullable(track.property.as_deref()));
        if let AnimjKeys::Raw { interval, .. } = track.keys {
            self.member("interval", |printer| push_float(&mut printer.out, interval));
        }
        self.member("keyframes", |printer| printer.keys(&track.keys));
        self.extra(&track.extra);
        self.close('}');
    }

    fn keys(&mut self, keys: &AnimjKeys) {
        self.open('[');
        let values = keys.values();
        with_column!(values, column => self.keys_with(keys, column.iter().copied()), else {
            let texts = values.as_strings().into_iter().flat_map(Strings::iter);
            self.keys_with(keys, texts.map(Nullable));
        });
        self.close(']');
    }

    /// Prints keys with the values of their column.
    fn keys_with(&mut self, keys: &AnimjKeys, values: impl Iterator<Item = impl Print>) {
        match keys {
            AnimjKeys::Raw { .. } => {
                for value in values {
                    self.item(|printer| value.print(printer));
                }
            }
            AnimjKeys::Discrete { times, .. } => {
                for (time, value) in times.iter().zip(values) {
                    self.item(|printer| {
                        printer.key(*time, &value);
                        printer.end_inline();
                    });
                }
            }
            AnimjKeys::Curve { times, interpolation, tangents, .. } => {
                let keys = times.iter().zip(interpolation).zip(values);
                for (index, ((time, interpolation), value)) in keys.enumerate() {
                    self.item(|printer| {
                        printer.key(*time, &value);
                        printer.interpolation(*interpolation);
                        if let Some(tangents) = tangents {
                            printer.tangents(tangents, index);
                        }
                        printer.end_inline();
                    });
                }
            }
        }
    }

    #[inline]
    fn key(&mut self, time: f32, value: &impl Print) {
        self.spelled(["{\"time\":", "{ \"time\": "]);
        push_float(&mut self.out, time);
        self.spelled([",\"value\":", ", \"value\": "]);
        value.print(self);
    }

    #[inline]
    fn interpolation(&mut self, interpolation: Interpolation) {
        self.spelled([",\"interpolation\":\"", ", \"interpolation\": \""]);
        self.out.push_str(interpolation_name(interpolation));
        self.out.push('"');
    }

    fn tangents(&mut self, tangents: &AnimjTangents, index: usize) {
        let given = tangents.given.get(index).copied().unwrap_or_default();
        if given.has_left() {
            self.spelled([",\"leftTangent\":", ", \"leftTangent\": "]);
            print_one(&tangents.left, index, self);
        }
        if given.has_right() {
            self.spelled([",\"rightTangent\":", ", \"rightTangent\": "]);
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
        matches!(self.out.as_bytes().last(), Some(b'{' | b'['))
    }

    #[inline]
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
            push_string(&mut printer.out, name);
            printer.spelled([":", ": "]);
            print(printer);
        });
    }

    fn line(&mut self) {
        if self.style == Style::Pretty {
            let length = self.level.saturating_mul(2).saturating_add(1);
            self.out.push_str(LINE.get(..length).unwrap_or(LINE));
        }
    }

    /// Appends what is compact or pretty.
    #[inline]
    fn spelled(&mut self, [compact, pretty]: [&'static str; 2]) {
        match self.style {
            Style::Compact => self.out.push_str(compact),
            Style::Pretty => self.out.push_str(pretty),
        }
    }

    /// Ends an object on one line.
    #[inline]
    fn end_inline(&mut self) {
        self.spelled(["}", " }"]);
    }

    #[inline]
    fn components<T: Element>(&mut self, names: &'static Names, value: T) {
        let mut names = names.iter();
        value.visit(&mut |component| {
            if let Some(name) = names.next() {
                self.spelled(*name);
                push_number(&mut self.out, component.component());
            }
        });
        self.end_inline();
    }

    fn matrix<T: Element>(&mut self, value: T) {
        let side = T::WIDTH.isqrt();
        let mut column = 0_usize;
        self.out.push_str("[[");
        value.visit(&mut |number| {
            if column == side {
                self.spelled(["],[", "], ["]);
                column = 0;
            } else if column > 0 {
                self.spelled([",", ", "]);
            }
            push_number(&mut self.out, number.component());
            column = column.saturating_add(1);
        });
        self.out.push_str("]]");
    }

    fn nullable(&mut self, text: Option<&str>) {
        match text {
            Some(text) => push_string(&mut self.out, text),
            None => self.out.push_str("null"),
        }
    }
}

/// A line break and the blanks of the deepest level.
const LINE: &str = "\n          ";

/// A printable value.
pub(crate) trait Print {
    fn print(&self, printer: &mut Printer);
}

/// The names of components with the text before and after them, compact and pretty.
type Names = [[&'static str; 2]; 4];

const AXES: Names = [
    ["{\"x\":", "{ \"x\": "],
    [",\"y\":", ", \"y\": "],
    [",\"z\":", ", \"z\": "],
    [",\"w\":", ", \"w\": "],
];
const CHANNELS: Names = [
    ["{\"r\":", "{ \"r\": "],
    [",\"g\":", ", \"g\": "],
    [",\"b\":", ", \"b\": "],
    [",\"a\":", ", \"a\": "],
];

impl<T: Element> Print for T {
    #[inline]
    fn print(&self, printer: &mut Printer) {
        match T::KIND {
            _ if T::WIDTH == 1 => {
                self.visit(&mut |number| push_number(&mut printer.out, number.component()));
            }
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

/// Prints one value of a column.
fn print_one(values: &Values, index: usize, printer: &mut Printer) {
    with_column!(values, column => column.get(index).copied().unwrap_or_default().print(printer),
    else printer.nullable(values.as_strings().and_then(|texts| texts.get(index)?)));
}

#[cfg(test)]
mod tests {
    use inbetween_core::Color32;

    use super::*;

    fn printed(value: &impl Print, style: Style) -> String {
        let mut printer = Printer::new(style, Growth::Certain);
        value.print(&mut printer);
        printer.out
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
