//! Typed value columns and single values.

use crate::keys::column;
use crate::{
    Component, Components as _, Element, Identical, Scalar as _, Strings, Text, ValueKind,
    kind_table,
};

macro_rules! define_values {
    (fixed { $($id:literal $variant:ident $name:literal $type:ty, $size:literal;)* }
     pooled { $pid:literal $pooled:ident $pname:literal; }) => {
        /// One value of any kind.
        ///
        /// Two values are equal if they are equal bit for bit: NaN equals the same
        /// NaN, and 0.0 differs from -0.0.
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub enum Value {
            $(
                #[doc = concat!("A `", $name, "`.")]
                $variant($type),
            )*
            #[doc = concat!("A `", $pname, "`; `None` is null.")]
            $pooled(Option<Text>),
        }

        /// The values of a track: a column of one kind.
        ///
        /// Two columns are equal if they are equal bit for bit, like [`Value`].
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub enum Values {
            $(
                #[doc = concat!("A column of `", $name, "`.")]
                $variant(Vec<$type>),
            )*
            #[doc = concat!("A column of `", $pname, "`.")]
            $pooled(Strings),
        }

        impl PartialEq for Value {
            fn eq(&self, other: &Self) -> bool {
                match (self, other) {
                    $((Self::$variant(a), Self::$variant(b)) => a.identical(b),)*
                    (Self::$pooled(a), Self::$pooled(b)) => a == b,
                    _ => false,
                }
            }
        }

        impl PartialEq for Values {
            fn eq(&self, other: &Self) -> bool {
                match (self, other) {
                    $((Self::$variant(a), Self::$variant(b)) => a.as_slice().identical(b),)*
                    (Self::$pooled(a), Self::$pooled(b)) => a == b,
                    _ => false,
                }
            }
        }

        impl Value {
            /// Returns the kind of the value.
            pub const fn kind(&self) -> ValueKind {
                match self {
                    $(Self::$variant(_) => ValueKind::$variant,)*
                    Self::$pooled(_) => ValueKind::$pooled,
                }
            }

            /// Calls a function with every component of the value; strings have none.
            pub fn visit(&self, mut each: impl FnMut(Component)) {
                match self {
                    $(Self::$variant(value) => {
                        value.visit(&mut |scalar| each(scalar.component()));
                    })*
                    Self::$pooled(_) => {}
                }
            }
        }

        impl Values {
            /// Returns an empty column of a kind.
            pub fn empty(kind: ValueKind) -> Self {
                match kind {
                    $(ValueKind::$variant => Self::$variant(Vec::new()),)*
                    ValueKind::$pooled => Self::$pooled(Strings::default()),
                }
            }

            /// Returns the kind of the values.
            pub const fn kind(&self) -> ValueKind {
                match self {
                    $(Self::$variant(_) => ValueKind::$variant,)*
                    Self::$pooled(_) => ValueKind::$pooled,
                }
            }

            /// Returns the number of values.
            pub fn len(&self) -> usize {
                match self {
                    $(Self::$variant(column) => column.len(),)*
                    Self::$pooled(column) => column.len(),
                }
            }

            /// Returns value `index`, or `None` past the end.
            pub fn get(&self, index: usize) -> Option<Value> {
                match self {
                    $(Self::$variant(column) => column.get(index).copied().map(Value::$variant),)*
                    Self::$pooled(column) => {
                        column.get(index).map(|value| Value::$pooled(value.map(Text::from)))
                    }
                }
            }

            /// Appends a value of the column's kind.
            ///
            /// # Errors
            ///
            /// Returns the kind of the value if it is not that of the column.
            pub fn push(&mut self, value: Value) -> Result<(), ValueKind> {
                match (self, value) {
                    $((Self::$variant(column), Value::$variant(value)) => column.push(value),)*
                    (Self::$pooled(column), Value::$pooled(value)) => column.push(value.as_deref()),
                    (_, value) => return Err(value.kind()),
                }
                Ok(())
            }

            /// Replaces value `index` by another of the column's kind.
            ///
            /// Returns whether it did: `false` past the end and for a value of another kind.
            pub fn set(&mut self, index: usize, value: Value) -> bool {
                match (self, value) {
                    $((Self::$variant(column), Value::$variant(value)) => {
                        let place = column.get_mut(index);
                        place.map(|place| *place = value).is_some()
                    })*
                    (Self::$pooled(column), Value::$pooled(value)) if index < column.len() => {
                        let texts = column.iter().enumerate();
                        let texts = texts.map(|(at, text)| {
                            if at == index { value.as_deref() } else { text }
                        });
                        *column = texts.collect();
                        true
                    }
                    _ => false,
                }
            }

            /// Returns a column of the values at these indices, in this order.
            ///
            /// Indices out of range are skipped.
            #[must_use]
            pub fn gather(&self, indices: &[usize]) -> Self {
                match self {
                    $(Self::$variant(values) => {
                        Self::$variant(column(values, Some(indices), |value| *value))
                    })*
                    Self::$pooled(values) => Self::$pooled(
                        indices.iter().filter_map(|&index| values.get(index)).collect(),
                    ),
                }
            }

            /// Returns how many bytes of memory the values hold.
            pub fn heap_bytes(&self) -> usize {
                match self {
                    $(Self::$variant(column) => size_of_val(column.as_slice()),)*
                    Self::$pooled(column) => column.heap_bytes(),
                }
            }

            /// Releases memory that the column does not need.
            pub fn shrink_to_fit(&mut self) {
                match self {
                    $(Self::$variant(column) => column.shrink_to_fit(),)*
                    Self::$pooled(column) => column.shrink_to_fit(),
                }
            }
        }
    };
}
kind_table!(define_values);

impl Value {
    /// Returns the number of a `float` or `double`; `None` for values of other kinds.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Float(number) => Some(f64::from(*number)),
            Self::Double(number) => Some(*number),
            _ => None,
        }
    }
}

impl Values {
    /// Returns whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the column as a slice if its values are of type `T`.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::Values;
    ///
    /// let values = Values::from(vec![[1.0_f32, 2.0, 3.0]]);
    /// assert_eq!(values.as_slice::<[f32; 3]>(), Some(&[[1.0, 2.0, 3.0]][..]));
    /// assert_eq!(values.as_slice::<f32>(), None);
    /// ```
    pub fn as_slice<T: Element>(&self) -> Option<&[T]> {
        T::column(self).map(Vec::as_slice)
    }

    /// Returns the column if it holds strings.
    pub const fn as_strings(&self) -> Option<&Strings> {
        match self {
            Self::String(strings) => Some(strings),
            _ => None,
        }
    }
}

impl<T: Element> From<Vec<T>> for Values {
    fn from(column: Vec<T>) -> Self {
        T::into_values(column)
    }
}

impl From<Strings> for Values {
    fn from(column: Strings) -> Self {
        Self::String(column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_replaces_only_existing_values_of_the_same_kind() {
        let mut values = Values::from(vec![1_i32, 2]);
        assert!(values.set(1, Value::Int(7)));
        assert!(!values.set(2, Value::Int(8)));
        assert!(!values.set(0, Value::Float(1.0)));
        assert_eq!(values, Values::from(vec![1_i32, 7]));
        let mut texts = Values::from([Some("a"), None].into_iter().collect::<Strings>());
        assert!(texts.set(1, Value::String(Some("b".into()))));
        assert_eq!(texts, Values::from([Some("a"), Some("b")].into_iter().collect::<Strings>()));
    }
}
