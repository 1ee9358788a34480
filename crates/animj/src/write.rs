//! Prints the exact model as text.

mod number;

use core::convert::Infallible;

use inbetween_core::json::push_string;
use inbetween_core::memory::OutOfMemory;
use inbetween_core::num::{f32_from_f64, u64_from_len};
use inbetween_core::{
    Element, Interpolation, Scalar as _, Strings, ValueKind, Values, with_column,
};

use number::{push_float, push_number};

use crate::file::{AnimjFile, AnimjKeys, AnimjParts, AnimjTangents, AnimjTrack};
use crate::layout::TrackType;
use crate::member::Member;

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
        let AnimjParts { name, global_duration, tracks, extra } = &self.parts;
        let mut printer = Printer::new(style, tracks.len(), Growth::Certain);
        let Ok(()) = printer.file((name.as_deref(), *global_duration), extra, |printer| {
            for track in tracks {
                printer.list_track(&track.source());
            }
            Ok::<(), Infallible>(())
        });
        printer.out
    }
}

/// What is printed of a track, with times of type `T` in seconds, which are printed as `f32`.
#[derive(Debug)]
pub(crate) struct TrackSource<'t, T> {
    pub(crate) node: Option<&'t str>,
    pub(crate) property: Option<&'t str>,
    pub(crate) values: &'t Values,
    pub(crate) keys: KeysSource<'t, T>,
    pub(crate) extra: &'t [Member],
}

/// What is printed of keys besides their values.
#[derive(Debug)]
pub(crate) enum KeysSource<'t, T> {
    Raw {
        interval: f32,
    },
    Discrete {
        times: &'t [T],
    },
    Curve {
        times: &'t [T],
        /// One for all keys, or one for each.
        interpolation: &'t [Interpolation],
        tangents: Option<&'t AnimjTangents>,
    },
}

impl<T> KeysSource<'_, T> {
    const fn track_type(&self) -> TrackType {
        match self {
            Self::Raw { .. } => TrackType::Raw,
            Self::Discrete { .. } => TrackType::Discrete,
            Self::Curve { .. } => TrackType::Curve,
        }
    }
}

impl AnimjTrack {
    fn source(&self) -> TrackSource<'_, f32> {
        let keys = match &self.keys {
            AnimjKeys::Raw { interval, .. } => KeysSource::Raw { interval: *interval },
            AnimjKeys::Discrete { times, .. } => KeysSource::Discrete { times },
            AnimjKeys::Curve { times, interpolation, tangents, .. } => {
                KeysSource::Curve { times, interpolation, tangents: tangents.as_deref() }
            }
        };
        TrackSource {
            node: self.node.as_deref(),
            property: self.property.as_deref(),
            values: self.keys.values(),
            keys,
            extra: &self.extra,
        }
    }
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
    /// The number of printed tracks.
    printed: usize,
    /// The number of tracks to print.
    tracks: usize,
    growth: Growth,
}

/// What the text has in each style: compact and pretty.
type Spelled = [&'static str; 2];

/// The memory reserved per item: enough for a key with its tangents, but not for a long string.
const ITEM: usize = 4096;

/// The length from which memory is reserved explicitly.
const LONG: usize = 1 << 20;

impl Printer {
    const fn new(style: Style, tracks: usize, growth: Growth) -> Self {
        Self { out: String::new(), style, printed: 0, tracks, growth }
    }

    /// Creates a printer of about so many tracks that stops when memory runs out.
    pub(crate) const fn fallible(style: Style, tracks: usize) -> Self {
        Self::new(style, tracks, Growth::Tried(None))
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
        self.spelled(["{\"name\":", "{\n  \"name\": "]);
        self.nullable(name);
        self.spelled([",\"globalDuration\":", ",\n  \"globalDuration\": "]);
        push_float(&mut self.out, duration);
        self.spelled([",\"tracks\":[", ",\n  \"tracks\": ["]);
        let printed = tracks(self);
        self.end_list("\n  ");
        self.extra("\n  ", extra);
        self.spelled(["}", "\n}\n"]);
        printed
    }

    /// Reserves memory for an item of a long text; returns whether that succeeded.
    #[inline]
    fn has_room(&mut self) -> bool {
        let room = self.out.capacity().saturating_sub(self.out.len());
        room >= ITEM || self.out.len() < LONG || self.make_room()
    }

    #[cold]
    fn make_room(&mut self) -> bool {
        if matches!(self.growth, Growth::Tried(Some(_))) {
            return false;
        }
        let rest = self.estimated_rest();
        if self.out.try_reserve_exact(rest).is_ok() || self.out.try_reserve_exact(LONG).is_ok() {
            return true;
        }
        let Growth::Tried(failed) = &mut self.growth else { return true };
        let bytes = self.out.len().saturating_add(LONG);
        *failed = Some(OutOfMemory { bytes: u64_from_len(bytes) });
        false
    }

    /// Returns how many bytes the remaining tracks need if they are like the printed ones, within
    /// limits. A text whose length at least doubles is rarely moved; one that grows at most eight
    /// times as long wastes little memory if the first tracks are the longest.
    fn estimated_rest(&self) -> usize {
        let length = self.out.len();
        let track = length.checked_div(self.printed).unwrap_or(0).saturating_add(1);
        let rest = track.saturating_mul(self.tracks.saturating_sub(self.printed));
        rest.clamp(length, length.saturating_mul(7))
    }

    /// Prints a track of the list of tracks.
    pub(crate) fn list_track<T: Copy + Into<f64>>(&mut self, track: &TrackSource<'_, T>) {
        if !self.begin_item("\n    ") {
            return;
        }
        let TrackSource { node, property, values, keys, extra } = track;
        self.spelled(["{\"trackType\":\"", "{\n      \"trackType\": \""]);
        self.out.push_str(keys.track_type().name());
        self.spelled(["\",\"valueType\":\"", "\",\n      \"valueType\": \""]);
        self.out.push_str(values.kind().name());
        self.spelled(["\",\"data\":{\"node\":", "\",\n      \"data\": {\n        \"node\": "]);
        self.nullable(*node);
        self.spelled([",\"property\":", ",\n        \"property\": "]);
        self.nullable(*property);
        if let KeysSource::Raw { interval } = keys {
            self.spelled([",\"interval\":", ",\n        \"interval\": "]);
            push_float(&mut self.out, *interval);
        }
        self.spelled([",\"keyframes\":[", ",\n        \"keyframes\": ["]);
        with_column!(values, column => self.keys(keys, column.iter().copied()), else {
            let texts = values.as_strings().into_iter().flat_map(Strings::iter);
            self.keys(keys, texts.map(Nullable));
        });
        self.end_list("\n        ");
        self.extra("\n        ", extra);
        self.spelled(["}}", "\n      }\n    }"]);
        self.printed = self.printed.saturating_add(1);
    }

    /// Prints keys with the values of their column.
    fn keys<T: Copy + Into<f64>>(
        &mut self,
        keys: &KeysSource<'_, T>,
        values: impl Iterator<Item = impl Print>,
    ) {
        match keys {
            KeysSource::Raw { .. } => {
                for value in values {
                    if self.begin_item(KEY_LINE) {
                        value.print(self);
                    }
                }
            }
            KeysSource::Discrete { times } => {
                for (time, value) in times.iter().zip(values) {
                    if self.begin_item(KEY_LINE) {
                        self.key(*time, &value);
                        self.spelled(["}", " }"]);
                    }
                }
            }
            KeysSource::Curve { times, interpolation, tangents } => {
                for (index, (time, value)) in times.iter().zip(values).enumerate() {
                    if self.begin_item(KEY_LINE) {
                        self.key(*time, &value);
                        let own = interpolation.get(index).or_else(|| interpolation.first());
                        self.interpolation(own.copied().unwrap_or_default());
                        if let Some(tangents) = tangents {
                            self.tangents(tangents, index);
                        }
                        self.spelled(["}", " }"]);
                    }
                }
            }
        }
    }

    #[inline]
    fn key(&mut self, time: impl Into<f64>, value: &impl Print) {
        self.spelled(["{\"time\":", "{ \"time\": "]);
        push_float(&mut self.out, f32_from_f64(time.into()));
        self.spelled([",\"value\":", ", \"value\": "]);
        value.print(self);
    }

    #[inline]
    fn interpolation(&mut self, interpolation: Interpolation) {
        macro_rules! member {
            ($name:literal) => {
                self.spelled([
                    concat!(",\"interpolation\":\"", $name, "\""),
                    concat!(", \"interpolation\": \"", $name, "\""),
                ])
            };
        }
        match interpolation {
            Interpolation::Hold => member!("Hold"),
            Interpolation::Hermite => member!("Tangent"),
            Interpolation::Bezier => member!("CubicBezier"),
            _ => member!("Linear"),
        }
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

    /// Prints unknown members, each on the line that begins with `line` in the pretty style.
    fn extra(&mut self, line: &'static str, extra: &[Member]) {
        for member in extra {
            if self.begin_item(line) {
                push_string(&mut self.out, member.name());
                self.spelled([":", ": "]);
                self.out.push_str(member.json());
            }
        }
    }

    /// Begins an item of a list or an unknown member, on a line of its own in the pretty style.
    /// Returns false if there is no memory for it.
    #[inline]
    fn begin_item(&mut self, line: &'static str) -> bool {
        let has_room = self.has_room();
        if has_room {
            if self.out.as_bytes().last() != Some(&b'[') {
                self.out.push(',');
            }
            self.spelled(["", line]);
        }
        has_room
    }

    /// Ends a list, on a line of its own in the pretty style unless it is empty.
    fn end_list(&mut self, line: &'static str) {
        if self.out.as_bytes().last() != Some(&b'[') {
            self.spelled(["", line]);
        }
        self.out.push(']');
    }

    /// Appends what is compact or pretty.
    #[inline]
    fn spelled(&mut self, [compact, pretty]: Spelled) {
        match self.style {
            Style::Compact => self.out.push_str(compact),
            Style::Pretty => self.out.push_str(pretty),
        }
    }

    /// Prints an object with the components of a value; `begin` returns the text before each.
    #[inline]
    fn components<T: Element>(&mut self, begin: impl Fn(usize) -> Spelled, value: T) {
        let mut index = 0_usize;
        value.visit(&mut |component| {
            self.spelled(begin(index));
            push_number(&mut self.out, component.component());
            index = index.saturating_add(1);
        });
        self.spelled(["}", " }"]);
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

/// The line break before a key and its indentation.
const KEY_LINE: &str = "\n          ";

/// A printable value.
pub(crate) trait Print {
    fn print(&self, printer: &mut Printer);
}

/// Returns the text before a component of a vector or quaternion.
///
/// With functions instead of tables the compiler knows each text, so numbers are printed a fifth
/// faster.
#[inline]
const fn axis(index: usize) -> Spelled {
    match index {
        0 => ["{\"x\":", "{ \"x\": "],
        1 => [",\"y\":", ", \"y\": "],
        2 => [",\"z\":", ", \"z\": "],
        _ => [",\"w\":", ", \"w\": "],
    }
}

/// Returns the text before a channel of a color.
#[inline]
const fn channel(index: usize) -> Spelled {
    match index {
        0 => ["{\"r\":", "{ \"r\": "],
        1 => [",\"g\":", ", \"g\": "],
        2 => [",\"b\":", ", \"b\": "],
        _ => [",\"a\":", ", \"a\": "],
    }
}

impl<T: Element> Print for T {
    #[inline]
    fn print(&self, printer: &mut Printer) {
        match T::KIND {
            _ if T::WIDTH == 1 => {
                self.visit(&mut |number| push_number(&mut printer.out, number.component()));
            }
            kind if kind.is_matrix() => printer.matrix(*self),
            ValueKind::Color | ValueKind::Color32 => printer.components(channel, *self),
            _ => printer.components(axis, *self),
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
    use crate::layout::INTERPOLATIONS;

    fn printed(value: &impl Print, style: Style) -> String {
        let mut printer = Printer::new(style, 0, Growth::Certain);
        value.print(&mut printer);
        printer.out
    }

    #[test]
    fn every_interpolation_is_printed_by_its_name() {
        for (name, interpolation) in INTERPOLATIONS {
            let mut printer = Printer::new(Style::Compact, 0, Growth::Certain);
            printer.interpolation(interpolation);
            assert_eq!(printer.out, format!(",\"interpolation\":\"{name}\""));
        }
    }

    #[test]
    fn a_long_text_grows_by_the_length_of_the_remaining_tracks() {
        let printer = |printed| {
            let growth = Growth::Certain;
            Printer { out: "x".repeat(1000), style: Style::Compact, printed, tracks: 30, growth }
        };
        assert_eq!(printer(10).estimated_rest(), 101 * 20);
        assert_eq!(printer(1).estimated_rest(), 7000);
        assert_eq!(printer(29).estimated_rest(), 1000);
        // No track is complete yet.
        assert_eq!(printer(0).estimated_rest(), 1000);
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
