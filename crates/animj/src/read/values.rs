//! Values of every kind.

use std::borrow::Cow;

use inbetween_core::memory::OutOfMemory;
use inbetween_core::{Color, Color32, Edit, Element, Quat, Strings, Values, grow, num, shown};

use super::Reader;
use super::members::Names;
use super::shape::Object;
use crate::codes;
use crate::notes::ListedItem;
use crate::reader_path::{ReaderPath, Step};
use inbetween_core::json::{JsonError, JsonResult, Literal, Number, Recovery};

/// A column that keys are read into.
pub(super) trait Column: Default {
    /// A value as parsed.
    type Item<'t>;

    /// The smallest number of bytes of a value in its column.
    const SIZE: usize;

    /// The members of a value that is an object.
    const COMPONENTS: &'static [&'static str];

    /// The bytes that a value can start with.
    const FIRST: &'static [u8];

    /// Reads a value.
    fn read<'t>(reader: &mut Reader<'t>) -> JsonResult<Self::Item<'t>>;

    /// Appends a value, or the default if there is none.
    ///
    /// # Errors
    ///
    /// If the system cannot provide the memory.
    fn push(&mut self, item: Option<Self::Item<'_>>) -> Result<(), OutOfMemory>;

    /// Returns the length of a quaternion.
    fn length(_: &Self::Item<'_>) -> Option<f64> {
        None
    }

    /// Ends the column.
    fn finish(self) -> Values;
}

impl<T: Value> Column for Vec<T> {
    type Item<'t> = T;

    const SIZE: usize = size_of::<T>();
    const COMPONENTS: &'static [&'static str] = T::COMPONENTS;
    const FIRST: &'static [u8] = T::FIRST;

    #[inline]
    fn read(reader: &mut Reader<'_>) -> JsonResult<T> {
        T::read(reader)
    }

    #[inline]
    fn push(&mut self, item: Option<T>) -> Result<(), OutOfMemory> {
        grow::try_column(self, 1)?;
        Self::push(self, item.unwrap_or_default());
        Ok(())
    }

    fn length(item: &T) -> Option<f64> {
        item.length()
    }

    fn finish(mut self) -> Values {
        self.shrink_to_fit();
        T::into_values(self)
    }
}

impl Column for Strings {
    type Item<'t> = Option<Cow<'t, str>>;

    const SIZE: usize = size_of::<usize>();
    const COMPONENTS: &'static [&'static str] = &[];
    const FIRST: &'static [u8] = b"\"nN";

    fn read<'t>(reader: &mut Reader<'t>) -> JsonResult<Self::Item<'t>> {
        let text = reader.nullable_string()?;
        reader.charge(text.as_ref().map_or(0, |text| text.len()))?;
        Ok(text)
    }

    fn push(&mut self, item: Option<Self::Item<'_>>) -> Result<(), OutOfMemory> {
        self.try_push(item.flatten().as_deref())
    }

    fn finish(mut self) -> Values {
        self.shrink_to_fit();
        self.into()
    }
}

/// A value of fixed size.
pub(super) trait Value: Element {
    /// The members, if it is an object.
    const COMPONENTS: &'static [&'static str] = &[];

    /// The bytes that it can start with.
    const FIRST: &'static [u8] = b"{";

    fn read(reader: &mut Reader<'_>) -> JsonResult<Self>;

    /// Returns the length of a quaternion.
    fn length(&self) -> Option<f64> {
        None
    }
}

/// A value or component that is one JSON token.
pub(super) trait Scalar: Copy + Default {
    /// The bytes that it can start with.
    const FIRST: &'static [u8] = b"-0123456789";

    fn read(reader: &mut Reader<'_>) -> JsonResult<Self>;
}

const AXES: [&str; 4] = ["x", "y", "z", "w"];
const CHANNELS: [&str; 4] = ["r", "g", "b", "a"];

macro_rules! scalars {
    ($($type:ty = $read:expr $(, $first:literal)?;)*) => {$(
        impl Scalar for $type {
            $(const FIRST: &'static [u8] = $first;)?

            #[inline]
            fn read(reader: &mut Reader<'_>) -> JsonResult<Self> {
                let read: fn(&mut Reader<'_>) -> JsonResult<Self> = $read;
                read(reader)
            }
        }

        impl Value for $type {
            const FIRST: &'static [u8] = <Self as Scalar>::FIRST;

            #[inline]
            fn read(reader: &mut Reader<'_>) -> JsonResult<Self> {
                <Self as Scalar>::read(reader)
            }
        }
    )*};
}
scalars! {
    bool = |reader| reader.boolean(), b"tfTF";
    u8 = |reader| reader.integer("an integer from 0 to 255");
    u16 = |reader| reader.integer("an integer from 0 to 65535");
    u32 = |reader| reader.integer("an integer from 0 to 4294967295");
    u64 = |reader| reader.integer("an integer from 0 to 18446744073709551615");
    i8 = |reader| reader.integer("an integer from -128 to 127");
    i16 = |reader| reader.integer("an integer from -32768 to 32767");
    i32 = |reader| reader.integer("an integer from -2147483648 to 2147483647");
    i64 = |reader| reader.integer("an integer that 64 bits can hold");
    f32 = |reader| reader.float("a number that a float can hold", Number::to_f32);
    f64 = |reader| reader.float("a number that a double can hold", Number::to_f64);
}

impl<S: Scalar, const N: usize> Value for [S; N]
where
    Self: Element,
{
    const COMPONENTS: &'static [&'static str] = match N {
        2 => &["x", "y"],
        3 => &["x", "y", "z"],
        _ => &AXES,
    };

    #[inline]
    fn read(reader: &mut Reader<'_>) -> JsonResult<Self> {
        const EXPECTED: [&str; 5] = [
            "a vector",
            "a vector",
            "an object with x and y",
            "an object with x, y and z",
            "an object with x, y, z and w",
        ];
        let expected = EXPECTED.get(N).copied().unwrap_or_default();
        reader.components(expected, Self::COMPONENTS, [S::default(); N])
    }
}

impl<S: Scalar, const N: usize> Value for [[S; N]; N]
where
    Self: Element,
{
    const FIRST: &'static [u8] = b"[";

    fn read(reader: &mut Reader<'_>) -> JsonResult<Self> {
        let mut matrix = [[S::default(); N]; N];
        let below = reader.place.depth();
        reader.items(&mut matrix, below, |reader, row| {
            reader.items(row, below.saturating_add(1), |reader, number| {
                *number = S::read(reader)?;
                Ok(())
            })
        })?;
        Ok(matrix)
    }
}

impl<S: Scalar> Value for Quat<S>
where
    Self: Element,
    f64: From<S>,
{
    const COMPONENTS: &'static [&'static str] = &AXES;

    #[inline]
    fn read(reader: &mut Reader<'_>) -> JsonResult<Self> {
        let expected = "an object with x, y, z and w";
        if reader.at_array() {
            return reader.quaternion_array(expected).map(Self::from_array);
        }
        let value = reader.components(expected, &AXES, [S::default(); 4])?;
        if reader.checks() {
            reader.quaternion_object(Quat::from_array(value.map(f64::from)));
        }
        Ok(Self::from_array(value))
    }

    fn length(&self) -> Option<f64> {
        Some(Quat::from_array(self.to_array().map(f64::from)).length())
    }
}

impl Value for Color {
    const COMPONENTS: &'static [&'static str] = &CHANNELS;

    fn read(reader: &mut Reader<'_>) -> JsonResult<Self> {
        let defaults = [0.0, 0.0, 0.0, 1.0];
        let expected = "an object with r, g, b and a";
        reader.components(expected, &CHANNELS, defaults).map(Self::from_array)
    }
}

/// A channel of a color32 as written in the file.
#[derive(Clone, Copy, Debug, Default)]
struct Channel {
    at: usize,
    number: f64,
    form: Form,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Form {
    #[default]
    Missing,
    Integer,
    Fraction,
}

impl Scalar for Channel {
    fn read(reader: &mut Reader<'_>) -> JsonResult<Self> {
        let at = reader.json.offset();
        let number = reader.json.number()?;
        let form = if number.is_integer() { Form::Integer } else { Form::Fraction };
        let float = number.to_f64();
        // Overflow is out of range in either form.
        Ok(Self { at, number: float.unwrap_or(f64::MAX), form })
    }
}

impl Value for Color32 {
    const COMPONENTS: &'static [&'static str] = &CHANNELS;

    fn read(reader: &mut Reader<'_>) -> JsonResult<Self> {
        let at = reader.json.offset();
        let expected = "an object with r, g, b and a";
        let channels = reader.components(expected, &CHANNELS, [Channel::default(); 4])?;
        let fractions = channels.iter().any(|channel| channel.form == Form::Fraction);
        let (full, expected) = if fractions {
            (1.0, "either fractions from 0 to 1 or integers from 0 to 255")
        } else {
            (255.0, "an integer from 0 to 255")
        };
        let mut bytes = [0, 0, 0, u8::MAX];
        for ((byte, channel), name) in bytes.iter_mut().zip(channels).zip(CHANNELS) {
            if channel.form == Form::Missing {
                continue;
            }
            if !(0.0..=full).contains(&channel.number) {
                let found = channel.number.to_string();
                reader.place.set(reader.place.depth(), Step::Member(name));
                return Err(JsonError::value(
                    channel.at,
                    codes::NUMBER_RANGE,
                    expected,
                    shown(&found).to_string(),
                ));
            }
            let scaled = num::i128_from_f64(channel.number * (255.0 / full));
            *byte = u8::try_from(scaled).unwrap_or(u8::MAX);
        }
        let color = Self::from_array(bytes);
        if fractions {
            reader.report(codes::COLOR32_FRACTIONS, at, || fractions_message(color).into());
        }
        Ok(color)
    }
}

fn fractions_message(color: Color32) -> String {
    let Color32 { r, g, b, a } = color;
    format!(
        "fractions instead of integers, read as r {r}, g {g}, b {b}, a {a}; a 1 among them counts \
         as full (255), not as 1 of 255"
    )
}

impl<'t> Reader<'t> {
    /// Reads a string or null.
    pub(super) fn nullable_string(&mut self) -> JsonResult<Option<Cow<'t, str>>> {
        if self.json.at_null() {
            return self.json.literal("null").map(|_| None);
        }
        self.json.string("a string or null").map(Some)
    }

    fn boolean(&mut self) -> JsonResult<bool> {
        const EXPECTED: &str = "true or false";
        let at = self.json.offset();
        match self.json.literal(EXPECTED)? {
            Literal::True => Ok(true),
            Literal::False => Ok(false),
            Literal::Null => Err(JsonError::value(at, codes::NULL_VALUE, EXPECTED, "null")),
        }
    }

    #[inline]
    pub(super) fn float<T>(
        &mut self,
        expected: &'static str,
        convert: impl FnOnce(Number<'t>) -> Option<T>,
    ) -> JsonResult<T> {
        let number = self.finite_number()?;
        convert(number).ok_or_else(|| self.out_of_range(number, expected))
    }

    /// Returns the error for a number that was just read.
    #[cold]
    fn out_of_range(&self, number: Number<'t>, expected: &'static str) -> JsonError {
        let at = self.json.offset().saturating_sub(number.text().len());
        JsonError::value(at, codes::NUMBER_RANGE, expected, shown(number.text()).to_string())
    }

    #[inline]
    fn integer<T: TryFrom<i128>>(&mut self, expected: &'static str) -> JsonResult<T> {
        let at = self.json.offset();
        let number = self.json.number()?;
        let integer = if number.is_integer() {
            number.to_i128()
        } else {
            self.integer_with_fraction(at, number.text(), expected)?
        };
        let integer = integer.and_then(|integer| T::try_from(integer).ok());
        integer.ok_or_else(|| self.out_of_range(number, expected))
    }

    /// Skips a fraction of zeros in a check.
    #[cold]
    fn integer_with_fraction(
        &mut self,
        at: usize,
        text: &str,
        expected: &'static str,
    ) -> JsonResult<Option<i128>> {
        let fault =
            || JsonError::value(at, codes::INTEGER_FRACTION, expected, shown(text).to_string());
        let Some((whole, zeros)) = text.split_once('.') else { return Err(fault()) };
        if zeros.bytes().any(|digit| digit != b'0') {
            return Err(fault());
        }
        if self.json.offset().saturating_sub(at) != text.len() {
            // Another fix rewrites the number first.
            return Ok(whole.parse().ok());
        }
        if !self.checks() {
            return Err(fault().fixable());
        }
        let start = at.saturating_add(whole.len());
        let end = at.saturating_add(text.len());
        let edits = vec![Edit { start, end, replacement: Cow::Borrowed(b"") }];
        let message = || format!("{} instead of {}", shown(text), shown(whole)).into();
        let place = self.place;
        self.notes.add_fixable(
            codes::INTEGER_FRACTION,
            at,
            || place.path(),
            message,
            ("write integers without a fraction", edits),
        );
        Ok(whole.parse().ok())
    }

    /// Reads the components of an object.
    #[inline]
    fn components<S: Scalar, const N: usize>(
        &mut self,
        expected: &'static str,
        known: &'static [&'static str],
        defaults: [S; N],
    ) -> JsonResult<[S; N]> {
        if self.at_array() {
            return self.array_value(expected, known);
        }
        let (start, mark) = (self.json.offset(), self.json.mark());
        self.json.begin_object(expected)?;
        let mut values = defaults;
        let mut names = Names::new(known, self.place.depth());
        let below = self.place.depth();
        let object = Object::value(mark, expected, known, below);
        let mut fault = None;
        // Usually the components come in this order.
        for (index, (name, value)) in known.iter().zip(&mut values).enumerate() {
            let Some(letter) = name.as_bytes().first_chunk::<1>() else { break };
            if self.at_member(&mut names, index, letter) {
                *value = self.component(index, &mut fault)?;
            }
        }
        while let Some(index) = self.next_dropping(&mut names, object)? {
            let component = self.component(index, &mut fault)?;
            if let Some(value) = values.get_mut(index) {
                *value = component;
            }
        }
        self.place.up_to(below);
        if self.checks() {
            self.missing_components(start, &names);
            self.end_of_names(&names);
        }
        match fault {
            None => Ok(values),
            Some((place, fault)) => {
                self.place = place;
                Err(fault)
            }
        }
    }

    /// Reads a component of a value. A check continues after a wrong one, and keeps the first fault:
    /// the other components may have fixes.
    #[inline]
    fn component<S: Scalar>(
        &mut self,
        index: usize,
        first: &mut Option<(ReaderPath, JsonError)>,
    ) -> JsonResult<S> {
        let mark = self.json.mark();
        self.number.component = index;
        match S::read(self) {
            Ok(component) => Ok(component),
            Err(fault) => {
                if !self.checks() || fault.0.recovery == Recovery::Stop {
                    return Err(fault);
                }
                let place = self.place;
                first.get_or_insert((place, fault));
                self.skip_quietly(mark)?;
                Ok(S::default())
            }
        }
    }

    fn missing_components(&mut self, start: usize, names: &Names) {
        // Colors are opaque by default.
        let missing: Vec<&str> = names.missing().filter(|name| *name != "a").collect();
        if !missing.is_empty() {
            let (place, text) = (self.place, format!("no {}", missing.join(", ")));
            let text = ListedItem::Text(text);
            self.notes.add_listed(codes::COMPONENT_MISSING, start, || place.path(), text);
        }
    }

    /// Reads exactly as many items as there are slots.
    fn items<T>(
        &mut self,
        room: &mut [T],
        below: usize,
        mut read: impl FnMut(&mut Self, &mut T) -> JsonResult<()>,
    ) -> JsonResult<()> {
        const EXPECTED: &str = "an array of rows, each an array of numbers";
        let start = self.json.offset();
        let size = room.len();
        self.json.begin_array(EXPECTED).map_err(|fault| fault.hint("use AnimX for matrices"))?;
        let mut first = true;
        let mut room = room.iter_mut();
        let mut count = 0_usize;
        while self.json.next_item(&mut first)? {
            self.place.set(below, Step::Item(count));
            count = count.saturating_add(1);
            match room.next() {
                Some(item) => read(self, item)?,
                None => self.json.skip_value().map(|_| ())?,
            }
        }
        self.place.up_to(below);
        if count == size {
            return Ok(());
        }
        let (expected, found) = (format!("{size} items in a row or matrix"), count.to_string());
        Err(JsonError::value(start, codes::WRONG_TYPE, expected, found))
    }
}
