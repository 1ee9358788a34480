//! Chooses the tangents of a document to write.

use inbetween_core::{
    Element, Interpolation, Interpolations, Strings, ValueKind, Values, with_column,
};

use crate::file::{AnimjTangents, Sides};

/// Returns the tangents to write: those that a segment uses, and those that differ from the
/// default. `None` if there are none.
pub(super) fn sides(
    (left, right): (Values, Values),
    interpolation: &Interpolations,
    kind: ValueKind,
) -> Option<Box<AnimjTangents>> {
    let each = (0..left.len()).map(|key| interpolation.get(key));
    let given: Vec<Sides> = used_sides(each, kind)
        .zip(not_default(&left).into_iter().zip(not_default(&right)))
        .map(|(used, (left, right))| used.and(left, right))
        .collect();
    let any = given.iter().any(|sides| *sides != Sides::None);
    any.then(|| Box::new(AnimjTangents { left, right, given }))
}

/// Returns for each key the tangents that a segment uses, and both tangents if the interpolation of
/// the key uses tangents.
fn used_sides(
    interpolation: impl Iterator<Item = Interpolation>,
    kind: ValueKind,
) -> impl Iterator<Item = Sides> {
    let mut previous = false;
    interpolation.map(move |each| {
        let own = each.uses_tangents(kind);
        let before = std::mem::replace(&mut previous, own);
        Sides::None.and(own || before, own)
    })
}

impl Sides {
    /// Returns these tangents together with others.
    fn and(self, left: bool, right: bool) -> Self {
        Self::of(left || self.has_left(), right || self.has_right())
    }
}

/// Returns for each value whether its bits differ from the default.
fn not_default(values: &Values) -> Vec<bool> {
    fn differ<T: Element>(column: &[T]) -> Vec<bool> {
        column.iter().map(|value| !value.identical(&T::default())).collect()
    }
    let texts = || values.as_strings().into_iter().flat_map(Strings::iter);
    with_column!(values, column => differ(column), else texts().map(|text| text.is_some()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_uses_the_right_tangent_and_the_next_left_tangent() {
        use Interpolation::{Hermite, Hold, Linear};
        let used = used_sides([Linear, Hermite, Hold, Linear].into_iter(), ValueKind::Float);
        assert_eq!(used.collect::<Vec<_>>(), [Sides::None, Sides::Both, Sides::Left, Sides::None]);
    }

    #[test]
    fn a_negative_zero_is_not_the_default() {
        assert_eq!(not_default(&vec![[0.0_f32, -0.0], [0.0, 0.0]].into()), [true, false]);
    }
}
