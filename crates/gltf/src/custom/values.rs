//! Columns of values in JSON.

use inbetween_core::json::{Json, JsonResult};
use inbetween_core::{Budget, Element, Strings, ValueKind, Values, grow, with_column, with_kind};

use super::cell::Cell;
use crate::json_text::JsonText;
use crate::scene::members::{array, charge, failed};

/// Prints an array of values.
pub(super) fn print(values: &Values, json: &mut JsonText) {
    json.array(|json| {
        with_column!(values, column => column.iter().for_each(|value| value.print(json)), else {
            let texts = values.as_strings().into_iter().flat_map(Strings::iter);
            texts.for_each(|text| json.nullable(text));
        });
    });
}

/// Reads an array of values of a kind.
pub(super) fn read(
    json: &mut Json<'_>,
    kind: ValueKind,
    budget: &mut Budget,
) -> JsonResult<Values> {
    with_kind!(kind, T => column::<T>(json, budget), else strings(json, budget))
}

fn column<T: Cell + Element>(json: &mut Json<'_>, budget: &mut Budget) -> JsonResult<Values> {
    numbers::<T>(json, budget).map(T::into_values)
}

/// Reads an array of values.
pub(super) fn numbers<T: Cell>(json: &mut Json<'_>, budget: &mut Budget) -> JsonResult<Vec<T>> {
    let mut column = Vec::new();
    array(json, |json| {
        charge(json, budget, size_of::<T>())?;
        grow::try_column(&mut column, 1).map_err(|error| failed(json, &error.into()))?;
        column.push(T::read(json)?);
        Ok(())
    })?;
    column.shrink_to_fit();
    Ok(column)
}

fn strings(json: &mut Json<'_>, budget: &mut Budget) -> JsonResult<Values> {
    let mut texts = Strings::default();
    array(json, |json| {
        let text = if json.at_null() {
            json.literal("null")?;
            None
        } else {
            Some(json.string("a string or null")?)
        };
        let length = text.as_ref().map_or(0, |text| text.len());
        charge(json, budget, length.saturating_add(size_of::<usize>()))?;
        texts.try_push(text.as_deref()).map_err(|error| failed(json, &error.into()))
    })?;
    texts.shrink_to_fit();
    Ok(texts.into())
}
