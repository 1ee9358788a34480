//! The 40 value kinds, from one table.
//!
//! The table is the element table of AnimX (`docs/formats/animx.md`), the superset of the kinds
//! that the formats can store. All code that is repeated per kind comes from it through
//! [`kind_table!`](crate::kind_table).

/// Calls a macro with one row per value kind.
///
/// A row is `id Variant "name" type encoded_size;`. The rows of fixed size come first, in a
/// `fixed { .. }` block; `string`, whose values are pooled, has a `pooled { .. }` block of its own.
/// Tokens after the name of the callback are passed on before the rows.
///
/// # Examples
///
/// ```
/// macro_rules! count_kinds {
///     (fixed { $($id:literal $variant:ident $name:literal $type:ty, $size:literal;)* }
///      pooled { $pid:literal $pooled:ident $pname:literal; }) => {
///         [$($name,)* $pname].len()
///     };
/// }
/// assert_eq!(inbetween_core::kind_table!(count_kinds), 40);
/// ```
#[macro_export]
macro_rules! kind_table {
    ($callback:ident $($prefix:tt)*) => {
        $crate::kind_table! { [$callback] $($prefix)* }
    };
    ([$($callback:tt)+] $($prefix:tt)*) => {
        $($callback)+! {
            $($prefix)*
            fixed {
                0 Bool "bool" bool, 1;
                1 Bool2 "bool2" [bool; 2], 1;
                2 Bool3 "bool3" [bool; 3], 1;
                3 Bool4 "bool4" [bool; 4], 1;
                4 Byte "byte" u8, 1;
                5 UShort "ushort" u16, 2;
                6 UInt "uint" u32, 4;
                7 ULong "ulong" u64, 8;
                8 SByte "sbyte" i8, 1;
                9 Short "short" i16, 2;
                10 Int "int" i32, 4;
                11 Long "long" i64, 8;
                12 Int2 "int2" [i32; 2], 8;
                13 Int3 "int3" [i32; 3], 12;
                14 Int4 "int4" [i32; 4], 16;
                15 UInt2 "uint2" [u32; 2], 8;
                16 UInt3 "uint3" [u32; 3], 12;
                17 UInt4 "uint4" [u32; 4], 16;
                18 Long2 "long2" [i64; 2], 16;
                19 Long3 "long3" [i64; 3], 24;
                20 Long4 "long4" [i64; 4], 32;
                21 Float "float" f32, 4;
                22 Float2 "float2" [f32; 2], 8;
                23 Float3 "float3" [f32; 3], 12;
                24 Float4 "float4" [f32; 4], 16;
                25 FloatQ "floatQ" $crate::Quat<f32>, 16;
                26 Float2x2 "float2x2" [[f32; 2]; 2], 16;
                27 Float3x3 "float3x3" [[f32; 3]; 3], 36;
                28 Float4x4 "float4x4" [[f32; 4]; 4], 64;
                29 Double "double" f64, 8;
                30 Double2 "double2" [f64; 2], 16;
                31 Double3 "double3" [f64; 3], 24;
                32 Double4 "double4" [f64; 4], 32;
                33 DoubleQ "doubleQ" $crate::Quat<f64>, 32;
                34 Double2x2 "double2x2" [[f64; 2]; 2], 32;
                35 Double3x3 "double3x3" [[f64; 3]; 3], 72;
                36 Double4x4 "double4x4" [[f64; 4]; 4], 128;
                37 Color "color" $crate::Color, 16;
                38 Color32 "color32" $crate::Color32, 4;
            }
            pooled {
                39 String "string";
            }
        }
    };
}

/// Evaluates an expression with the column of some [`Values`](crate::Values): a `Vec` of an
/// [`Element`](crate::Element).
///
/// The expression after `else` is for strings.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Values, with_column};
///
/// let values = Values::from(vec![[1.0_f32, 2.0], [3.0, 4.0]]);
/// assert_eq!(with_column!(&values, column => size_of_val(&**column), else 0), 16);
/// ```
#[macro_export]
macro_rules! with_column {
    (@match ($values:expr) $column:ident ($result:expr) ($other:expr)
     fixed { $($id:literal $variant:ident $name:literal $type:ty, $size:literal;)* }
     pooled { $($pooled:tt)* }) => {
        match $values {
            $($crate::Values::$variant($column) => $result,)*
            _ => $other,
        }
    };
    ($values:expr, $column:ident => $result:expr, else $other:expr) => {
        $crate::kind_table!([$crate::with_column] @match ($values) $column ($result) ($other))
    };
}

/// Evaluates an expression with the [`Element`](crate::Element) type of a kind.
///
/// The expression after `else` is for strings.
///
/// # Examples
///
/// ```
/// use inbetween_core::{ValueKind, with_kind};
///
/// assert_eq!(with_kind!(ValueKind::Float3, T => size_of::<T>(), else 0), 12);
/// ```
#[macro_export]
macro_rules! with_kind {
    (@match ($kind:expr) $element:ident ($result:expr) ($other:expr)
     fixed { $($id:literal $variant:ident $name:literal $type:ty, $size:literal;)* }
     pooled { $($pooled:tt)* }) => {
        match $kind {
            $($crate::ValueKind::$variant => {
                type $element = $type;
                $result
            })*
            _ => $other,
        }
    };
    ($kind:expr, $element:ident => $result:expr, else $other:expr) => {
        $crate::kind_table!([$crate::with_kind] @match ($kind) $element ($result) ($other))
    };
}

macro_rules! define_kind {
    (fixed { $($id:literal $variant:ident $name:literal $type:ty, $size:literal;)* }
     pooled { $pid:literal $pooled:ident $pname:literal; }) => {
        /// One of the 40 kinds of value that a track can hold.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum ValueKind {
            $(
                #[doc = concat!("`", $name, "`, a value of [`", stringify!($type), "`].")]
                $variant,
            )*
            #[doc = concat!("`", $pname, "`, UTF-8 text or null.")]
            $pooled,
        }

        impl ValueKind {
            /// Every kind, in the order of the ids.
            pub const ALL: [Self; 40] = [$(Self::$variant,)* Self::$pooled];

            /// Returns the id of the kind in AnimX files, 0 to 39.
            pub const fn id(self) -> u8 {
                match self {
                    $(Self::$variant => $id,)*
                    Self::$pooled => $pid,
                }
            }

            /// Returns the kind with this id, if there is one.
            pub const fn from_id(id: u8) -> Option<Self> {
                match id {
                    $($id => Some(Self::$variant),)*
                    $pid => Some(Self::$pooled),
                    _ => None,
                }
            }

            /// Returns the name of the kind as AnimJ spells it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                    Self::$pooled => $pname,
                }
            }

            /// Returns the kind with this name; names are case-sensitive.
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)*
                    $pname => Some(Self::$pooled),
                    _ => None,
                }
            }

            /// Returns how many bytes a value takes in an AnimX file; `None` for strings.
            pub const fn encoded_size(self) -> Option<usize> {
                match self {
                    $(Self::$variant => Some($size),)*
                    Self::$pooled => None,
                }
            }
        }
    };
}

kind_table!(define_kind);

impl core::fmt::Display for ValueKind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.name())
    }
}

impl ValueKind {
    /// Returns whether values of this kind are interpolated between keys; the others hold.
    pub const fn interpolates(self) -> bool {
        !matches!(self, Self::Bool | Self::Bool2 | Self::Bool3 | Self::Bool4 | Self::String)
    }

    /// Returns whether this is `floatQ` or `doubleQ`.
    pub const fn is_quaternion(self) -> bool {
        matches!(self, Self::FloatQ | Self::DoubleQ)
    }

    /// Returns whether this is `float3` or `double3`.
    pub const fn is_vector3(self) -> bool {
        matches!(self, Self::Float3 | Self::Double3)
    }

    /// Returns whether values of this kind are made of `f32` or `f64` numbers.
    pub const fn is_float(self) -> bool {
        self.is_wide()
            || matches!(
                self,
                Self::Float
                    | Self::Float2
                    | Self::Float3
                    | Self::Float4
                    | Self::FloatQ
                    | Self::Float2x2
                    | Self::Float3x3
                    | Self::Float4x4
                    | Self::Color
            )
    }

    /// Returns whether values of this kind are made of `f64` numbers.
    pub const fn is_wide(self) -> bool {
        matches!(
            self,
            Self::Double
                | Self::Double2
                | Self::Double3
                | Self::Double4
                | Self::DoubleQ
                | Self::Double2x2
                | Self::Double3x3
                | Self::Double4x4
        )
    }

    /// Returns the kind whose floats are `f64` instead of `f32`; `color` has none, and other kinds
    /// are unchanged.
    #[must_use]
    pub fn widened(self) -> Self {
        let known = FLOAT_WIDTHS.into_iter().find(|(narrow, _)| *narrow == self);
        known.map_or(self, |(_, wide)| wide)
    }

    /// Returns the kind whose floats are `f32` instead of `f64`; other kinds are unchanged.
    #[must_use]
    pub fn narrowed(self) -> Self {
        let known = FLOAT_WIDTHS.into_iter().find(|(_, wide)| *wide == self);
        known.map_or(self, |(narrow, _)| narrow)
    }

    /// Returns whether this is a square matrix.
    pub const fn is_matrix(self) -> bool {
        matches!(
            self,
            Self::Float2x2
                | Self::Float3x3
                | Self::Float4x4
                | Self::Double2x2
                | Self::Double3x3
                | Self::Double4x4
        )
    }
}

/// The kinds of `f32` with the kinds of `f64` that differ only in width.
const FLOAT_WIDTHS: [(ValueKind, ValueKind); 8] = [
    (ValueKind::Float, ValueKind::Double),
    (ValueKind::Float2, ValueKind::Double2),
    (ValueKind::Float3, ValueKind::Double3),
    (ValueKind::Float4, ValueKind::Double4),
    (ValueKind::FloatQ, ValueKind::DoubleQ),
    (ValueKind::Float2x2, ValueKind::Double2x2),
    (ValueKind::Float3x3, ValueKind::Double3x3),
    (ValueKind::Float4x4, ValueKind::Double4x4),
];

#[cfg(test)]
mod tests {
    use super::ValueKind;

    #[test]
    fn every_kind_of_f64_has_a_narrower_one() {
        for kind in ValueKind::ALL {
            assert_eq!(kind.narrowed() != kind, kind.is_wide(), "{kind}");
            assert_eq!(
                kind.narrowed().widened(),
                if kind.is_float() && kind != ValueKind::Color { kind.widened() } else { kind }
            );
        }
    }

    #[test]
    fn ids_are_the_positions_in_the_table() {
        for (position, kind) in ValueKind::ALL.into_iter().enumerate() {
            assert_eq!(usize::from(kind.id()), position);
            assert_eq!(ValueKind::from_id(kind.id()), Some(kind));
            assert_eq!(ValueKind::from_name(kind.name()), Some(kind));
        }
        assert_eq!(ValueKind::from_id(40), None);
    }

    #[test]
    fn names_are_case_sensitive() {
        assert_eq!(ValueKind::from_name("floatQ"), Some(ValueKind::FloatQ));
        assert_eq!(ValueKind::from_name("floatq"), None);
    }
}
