//! Numbers in buffers.

use inbetween_core::{Path, ReadError, ReadErrorKind, Record, View, counted, num};

use crate::buffers::Buffers;
use crate::file::GltfFile;
use crate::read::{Fault, FaultResult, item};
use crate::scene::{Accessor, Encoding, Listed, Scene};

/// The type of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    const fn from_code(code: u32) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    const fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// Returns a number; integers become fractions of their largest value.
    fn decode(self, bytes: &[u8]) -> f32 {
        let two = || bytes.first_chunk().copied().unwrap_or_default();
        let one = || bytes.first().copied().unwrap_or_default();
        match self {
            Self::F32 => f32::from_le_bytes(bytes.first_chunk().copied().unwrap_or_default()),
            Self::I8 => (f32::from(one().cast_signed()) / 127.0).max(-1.0),
            Self::U8 => f32::from(one()) / 255.0,
            Self::I16 => (f32::from(i16::from_le_bytes(two())) / 32767.0).max(-1.0),
            Self::U16 => f32::from(u16::from_le_bytes(two())) / 65535.0,
            Self::U32 => 0.0,
        }
    }

    /// Returns an index.
    fn index(self, bytes: &[u8]) -> u64 {
        match self {
            Self::U8 => bytes.first().copied().unwrap_or_default().into(),
            Self::U16 => {
                u16::from_le_bytes(bytes.first_chunk().copied().unwrap_or_default()).into()
            }
            _ => u32::from_le_bytes(bytes.first_chunk().copied().unwrap_or_default()).into(),
        }
    }
}

/// Elements of several components each, at a stride; zeros if there are no bytes.
#[derive(Clone, Copy, Debug)]
struct Strided<'f> {
    bytes: &'f [u8],
    component: Component,
    stride: usize,
}

impl<'f> Strided<'f> {
    fn element(&self, index: usize) -> &'f [u8] {
        self.bytes.get(index.saturating_mul(self.stride)..).unwrap_or_default()
    }
}

/// The elements of an accessor, checked against their buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elements<'f> {
    base: Strided<'f>,
    /// The number of elements.
    pub(crate) count: usize,
    /// The indices of replaced elements in ascending order, the replacements, and their number.
    sparse: Option<(Strided<'f>, Strided<'f>, usize)>,
}

impl Elements<'_> {
    /// Returns the numbers of an element.
    pub(crate) fn row<const N: usize>(&self, index: usize) -> [f32; N] {
        let (element, component) = match self.replaced(index) {
            Some((values, place)) => (values.element(place), values.component),
            None => (self.base.element(index), self.base.component),
        };
        let mut parts = element.chunks(component.size());
        [(); N].map(|()| parts.next().map_or(0.0, |part| component.decode(part)))
    }

    /// Returns every `step`-th element from `start` on.
    pub(crate) fn column<const N: usize>(&self, start: usize, step: usize) -> Vec<[f32; N]> {
        match self.packed() {
            Some(packed) if (start, step) == (0, 1) => packed.column(None, |row| row),
            _ => (start..self.count).step_by(step.max(1)).map(|index| self.row(index)).collect(),
        }
    }

    /// Returns all elements, which are one number each.
    pub(crate) fn numbers(&self) -> Vec<f64> {
        let wide = |[number]: [f32; 1]| f64::from(number);
        match self.packed() {
            Some(packed) => packed.column(None, wide),
            None => (0..self.count).map(|index| wide(self.row(index))).collect(),
        }
    }

    /// Returns the elements if they are contiguous floats.
    fn packed<const N: usize>(&self) -> Option<View<'_, [f32; N]>> {
        let Strided { bytes, component, stride } = self.base;
        let is_packed =
            component == Component::F32 && stride == <[f32; N]>::SIZE && self.sparse.is_none();
        let bytes = bytes.get(..self.count.checked_mul(stride)?)?;
        is_packed.then(|| View::new(bytes, ()))
    }

    fn replaced(&self, index: usize) -> Option<(Strided<'_>, usize)> {
        let (indices, values, count) = self.sparse?;
        let wanted = num::u64_from_len(index);
        let at = |place: usize| indices.component.index(indices.element(place));
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = low.midpoint(high);
            if at(middle) < wanted { low = middle.saturating_add(1) } else { high = middle }
        }
        (low < count && at(low) == wanted).then_some((values, low))
    }
}

/// Reads accessors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Accessors<'f> {
    pub(crate) file: &'f GltfFile<'f>,
    pub(crate) scene: &'f Scene,
    pub(crate) buffers: &'f Buffers,
}

/// The types of components that a use of an accessor allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// Only floats, as for times, translations and scales.
    Floats,
    /// Floats or normalized integers, as for rotations and weights.
    Fractions,
}

impl<'f> Accessors<'f> {
    /// Returns the elements of an accessor, with the given number of components each.
    pub(crate) fn elements(
        &self,
        index: usize,
        width: usize,
        usage: Use,
    ) -> FaultResult<Elements<'f>> {
        let Some(accessor) = self.scene.accessors.get(index) else {
            let count = self.scene.accessors.len();
            return Err(Fault::missing(0, Path::default(), "accessor", index, count));
        };
        let place = |member| item("accessors", index, &[member]);
        if let Some(fault) = accessor.fault(self.file, item("accessors", index, &[])) {
            return Err(fault);
        }
        if accessor.width != width {
            let expected = format!("a type of {}", counted(width, "number"));
            let found = match accessor.width {
                0 => "none".to_owned(),
                width => counted(width, "number"),
            };
            return Err(Fault::invalid(accessor.at, place("type"), expected, found));
        }
        let component = Component::from_code(accessor.component);
        let fits = match (component, usage) {
            (Some(Component::F32), _) => true,
            (Some(Component::U32) | None, _) | (_, Use::Floats) => false,
            (Some(_), Use::Fractions) => accessor.normalized,
        };
        let Some(component) = component.filter(|_| fits) else {
            let expected = match usage {
                Use::Floats => "floats (5126)",
                Use::Fractions => "floats (5126) or normalized integers of 8 or 16 bits",
            };
            let found = match accessor.component {
                0 => "none".to_owned(),
                component => component.to_string(),
            };
            return Err(Fault::invalid(accessor.at, place("componentType"), expected, found));
        };
        let size = width.saturating_mul(component.size());
        let at = accessor.at;
        let base = match accessor.view {
            None => Strided { bytes: &[], component, stride: 0 },
            Some(view) => {
                let layout = (component, size);
                let place = (index, &["count"][..]);
                self.strided(at, place, view, accessor.offset, layout, accessor.count)?
            }
        };
        let sparse = self.sparse(index, accessor, component, size)?;
        Ok(Elements { base, count: num::len_from_u64(accessor.count), sparse })
    }

    /// Returns elements in a view, which must hold all of them.
    fn strided(
        &self,
        at: usize,
        (accessor, members): (usize, &[&'static str]),
        view_index: usize,
        offset: u64,
        (component, size): (Component, usize),
        count: u64,
    ) -> FaultResult<Strided<'f>> {
        let Some(view) = self.scene.views.get(view_index) else {
            let count = self.scene.views.len();
            let path = item("accessors", accessor, &["bufferView"]);
            return Err(Fault::missing(at, path, "buffer view", view_index, count));
        };
        if let Some(fault) = view.fault(self.file, item("bufferViews", view_index, &[])) {
            return Err(fault);
        }
        if let Some(Encoding::Other(encoding)) = &view.encoding {
            let what = format!("a buffer view in {}", inbetween_core::shown(encoding));
            let path = item("bufferViews", view_index, &["extensions"]);
            return Err(Fault::unsupported(view.at, path, what));
        }
        let bytes = self.buffers.view(self.file, self.scene, view_index)?;
        let bytes = bytes.get(num::len_from_u64(offset)..).unwrap_or_default();
        let size = num::u64_from_len(size);
        let stride = view.stride.unwrap_or(size);
        let needed = match count.checked_sub(1) {
            None => 0,
            Some(last) => last.saturating_mul(stride).saturating_add(size),
        };
        let available = num::u64_from_len(bytes.len());
        if needed > available || stride < size {
            let kind = ReadErrorKind::UnexpectedEnd { needed: needed.max(size), available };
            let path = item("accessors", accessor, members);
            return Err(Fault::of(ReadError::new(kind), at, path));
        }
        Ok(Strided { bytes, component, stride: num::len_from_u64(stride) })
    }

    /// Returns the indices and the values of a sparse accessor.
    fn sparse(
        &self,
        index: usize,
        accessor: &Listed<Accessor>,
        component: Component,
        size: usize,
    ) -> FaultResult<Option<(Strided<'f>, Strided<'f>, usize)>> {
        let Some(sparse) = &accessor.sparse else { return Ok(None) };
        let at = accessor.at;
        let place = |member| item("accessors", index, &["sparse", member]);
        let kind = Component::from_code(sparse.indices_type)
            .filter(|kind| matches!(kind, Component::U8 | Component::U16 | Component::U32));
        let (Some(kind), Some(indices), Some(values)) = (kind, sparse.indices, sparse.values)
        else {
            let expected = "indices of unsigned integers, and values";
            let found = format!("component type {}", sparse.indices_type);
            return Err(Fault::invalid(at, place("indices"), expected, found));
        };
        let layout = (kind, kind.size());
        let Some(count) = sparse.count else {
            return Err(Fault::invalid(at, place("count"), "a number of values", "none"));
        };
        let counts = (index, &["sparse", "count"][..]);
        let indices = self.strided(at, counts, indices, sparse.indices_offset, layout, count)?;
        let layout = (component, size);
        let values = self.strided(at, counts, values, sparse.values_offset, layout, count)?;
        let count = num::len_from_u64(count);
        let mut next = 0;
        for place_of in 0..count {
            let found = kind.index(indices.element(place_of));
            if found < next || found >= accessor.count {
                let expected = format!("ascending indices below {}", accessor.count);
                return Err(Fault::invalid(at, place("indices"), expected, found.to_string()));
            }
            next = found.saturating_add(1);
        }
        Ok(Some((indices, values, count)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contiguous_numbers_are_those_at_a_stride() {
        let floats = [0.5_f32, -1.0, f32::MAX];
        let packed: Vec<u8> = floats.iter().flat_map(|float| float.to_le_bytes()).collect();
        let spread: Vec<u8> =
            floats.iter().flat_map(|float| [float.to_le_bytes(), [7; 4]].concat()).collect();
        for (bytes, stride) in [(&packed, 4), (&spread, 8)] {
            let base = Strided { bytes, component: Component::F32, stride };
            let elements = Elements { base, count: 3, sparse: None };
            assert_eq!(elements.numbers(), floats.map(f64::from), "{stride}");
        }
    }
}
