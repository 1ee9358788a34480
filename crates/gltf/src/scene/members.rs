//! Reads members of JSON objects.

use inbetween_core::json::{Json, JsonError, JsonResult, Literal};
use inbetween_core::{Budget, ReadError, Text, codes, grow, num, shown};

/// Reads an object, member by member; `member` returns whether it took the value.
pub(crate) fn object<'t>(
    json: &mut Json<'t>,
    mut member: impl FnMut(&mut Json<'t>, &str) -> JsonResult<bool>,
) -> JsonResult<()> {
    json.begin_object("an object")?;
    let mut first = true;
    while let Some(name) = json.next_name(&mut first)? {
        if !member(json, &name)? {
            json.skip_value()?;
        }
    }
    Ok(())
}

/// Reads an array, item by item.
pub(crate) fn array<'t>(
    json: &mut Json<'t>,
    mut item: impl FnMut(&mut Json<'t>) -> JsonResult<()>,
) -> JsonResult<()> {
    json.begin_array("an array")?;
    let mut first = true;
    while json.next_item(&mut first)? {
        item(json)?;
    }
    Ok(())
}

pub(crate) fn number(json: &mut Json<'_>) -> JsonResult<f64> {
    let at = json.offset();
    let number = json.number()?;
    number.to_f64().ok_or_else(|| wrong(at, "a finite number", number.text()))
}

/// The largest integer up to which an `f64` represents all of them.
const LARGEST: u64 = 1 << 53;

/// Reads an integer, which may be written as `2.0`.
pub(crate) fn whole(json: &mut Json<'_>) -> JsonResult<u64> {
    let at = json.offset();
    let number = json.number()?;
    let float = || number.to_f64().filter(|float| float.fract() == 0.0).map(num::i128_from_f64);
    let whole = number.to_i128().or_else(float).and_then(|whole| u64::try_from(whole).ok());
    let whole = whole.filter(|whole| *whole <= LARGEST);
    whole.ok_or_else(|| wrong(at, "a whole number from 0 to 9007199254740992", number.text()))
}

pub(crate) fn index(json: &mut Json<'_>) -> JsonResult<usize> {
    whole(json).map(num::len_from_u64)
}

pub(crate) fn text(json: &mut Json<'_>) -> JsonResult<Text> {
    json.string("a string").map(|text| Text::from(&*text))
}

pub(crate) fn flag(json: &mut Json<'_>) -> JsonResult<bool> {
    let at = json.offset();
    match json.literal("true or false")? {
        Literal::True => Ok(true),
        Literal::False => Ok(false),
        Literal::Null => Err(wrong(at, "true or false", "null")),
    }
}

/// Reads an array of exactly `N` numbers.
pub(crate) fn numbers<const N: usize>(json: &mut Json<'_>) -> JsonResult<[f64; N]> {
    let at = json.offset();
    let (mut numbers, mut count) = ([0.0; N], 0_usize);
    array(json, |json| {
        let next = number(json)?;
        if let Some(slot) = numbers.get_mut(count) {
            *slot = next;
        }
        count = count.saturating_add(1);
        Ok(())
    })?;
    if count == N { Ok(numbers) } else { Err(wrong(at, numbers_of(N), &count.to_string())) }
}

const fn numbers_of(count: usize) -> &'static str {
    match count {
        3 => "3 numbers",
        4 => "4 numbers",
        _ => "16 numbers",
    }
}

/// Charges an item of the given size in bytes.
pub(crate) fn charge(json: &Json<'_>, budget: &mut Budget, size: usize) -> JsonResult<()> {
    let charged = budget.charge_items(1).and_then(|()| budget.charge_bytes(size));
    charged.map_err(|error| failed(json, &error))
}

/// Appends a value to a list and charges its size and `more` bytes, which it holds elsewhere.
pub(crate) fn push<T>(
    json: &Json<'_>,
    budget: &mut Budget,
    (list, more): (&mut Vec<T>, usize),
    value: T,
) -> JsonResult<()> {
    let charged = budget.charge_bytes(size_of::<T>().saturating_add(more));
    let grown = charged.and_then(|()| Ok(grow::try_column(list, 1)?));
    grown.map_err(|error| failed(json, &error))?;
    list.push(value);
    Ok(())
}

/// Appends a text to a list.
pub(crate) fn push_text(
    json: &mut Json<'_>,
    budget: &mut Budget,
    list: &mut Vec<Text>,
) -> JsonResult<()> {
    let text = text(json)?;
    let more = heap_bytes(&text);
    push(json, budget, (list, more), text)
}

/// Returns the bytes that a shared text holds: two counters before its own.
pub(crate) fn heap_bytes(text: &Text) -> usize {
    text.len().saturating_add(size_of::<[usize; 2]>())
}

/// Creates the error of an exceeded limit.
pub(crate) fn failed(json: &Json<'_>, error: &ReadError) -> JsonError {
    JsonError::stop(json.offset(), codes::FINDINGS_TRUNCATED, error.kind().clone())
}

/// Creates the error of a value that is not allowed here.
pub(crate) fn wrong(at: usize, expected: &'static str, found: &str) -> JsonError {
    JsonError::value(at, codes::FINDINGS_TRUNCATED, expected, shown(found).to_string())
}

/// Returns the meaning of a word in a table.
pub(crate) fn word<T: Clone>(
    json: &mut Json<'_>,
    words: &[(&str, T)],
    expected: &'static str,
) -> JsonResult<T> {
    let at = json.offset();
    let found = json.string(expected)?;
    let known = words.iter().find(|(word, _)| *word == found);
    known.map(|(_, meaning)| meaning.clone()).ok_or_else(|| wrong(at, expected, &found))
}
