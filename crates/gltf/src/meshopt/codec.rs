//! The codec for elements of equal size, which its specification calls attributes.
//!
//! Every byte of an element is a difference to the same byte of the element before. The differences
//! come in blocks of elements, within a block byte by byte, and for a byte in groups of 16 elements
//! that need 0, 1, 2, 4 or 8 bits each. In a group of less than 8 bits, the largest number announces
//! a whole byte after the group. The end of the data holds the element before the first one.

use inbetween_core::{Budget, ReadError, ReadErrorKind, grow, num};

/// The high bits of the first byte; the low ones are the version.
const HEADER: u8 = 0xa0;

/// The largest number of bytes and of elements of a block.
const BLOCK: usize = 8192;
const ELEMENTS: usize = 256;

/// The number of elements of a group.
const GROUP: usize = 16;

/// The bits per element of a group, by the two bits that announce it: those of version 0, and those
/// of version 1 for small and for large differences.
const WIDTHS: [[u8; 4]; 3] = [[0, 2, 4, 8], [0, 1, 2, 4], [1, 2, 4, 8]];

/// The differences of one byte of the elements of a block.
type Plane = [u8; ELEMENTS];

/// What the file states about the decoded bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// The size of an element: a multiple of 4 from 4 to 256.
    pub(super) stride: usize,
    pub(super) count: usize,
    /// The newest version that the extension allows.
    pub(super) newest: u8,
}

/// Decodes elements.
///
/// # Errors
///
/// If the data is of another version, too short or too long, or the elements exceed the budget.
pub(super) fn decode(
    data: &[u8],
    layout: Layout,
    budget: &mut Budget,
) -> Result<Vec<u8>, ReadError> {
    let Layout { stride, count, newest } = layout;
    let mut body = Bytes(data);
    let version = version(body.byte()?, newest)?;
    let mut channels = body.channels(stride, version)?;
    let size = |elements: usize| elements.saturating_mul(stride);
    let most = (BLOCK.checked_div(stride).unwrap_or(0) & !15).clamp(GROUP, ELEMENTS);
    let (mut left, mut out) = (count, Vec::new());
    let mut block = [0; BLOCK];
    while left > 0 {
        let elements = left.min(most);
        let block = block.get_mut(..size(elements)).unwrap_or_default();
        let controls = if version == 0 { &[][..] } else { body.take(channels.len())? };
        for (place, channel) in channels.iter_mut().enumerate() {
            let mut planes = [[0; ELEMENTS]; 4];
            let control = controls.get(place);
            for (plane, shift) in planes.iter_mut().zip([0, 2, 4, 6]) {
                let plane = plane.get_mut(..elements.next_multiple_of(GROUP)).unwrap_or_default();
                match control.map(|control| control >> shift & 3) {
                    None => body.plane(WIDTHS[0], plane)?,
                    Some(0) => body.plane(WIDTHS[1], plane)?,
                    Some(1) => body.plane(WIDTHS[2], plane)?,
                    Some(2) => {}
                    Some(_) => {
                        let literal = body.take(elements)?;
                        plane.iter_mut().zip(literal).for_each(|(slot, byte)| *slot = *byte);
                    }
                }
            }
            channel.restore(&planes, block.chunks_exact_mut(stride), place);
        }
        // Only a whole block is worth memory, whatever count the file claims.
        budget.charge_bytes(block.len())?;
        grow::try_column(&mut out, block.len())?;
        out.extend_from_slice(block);
        left = left.saturating_sub(elements);
    }
    match body.0.len() {
        0 => Ok(out),
        more => {
            let expected = format!("the end of the data after {count} elements");
            Err(ReadError::invalid(expected, format!("{more} more bytes")))
        }
    }
}

/// Returns the version that the first byte states.
fn version(first: u8, newest: u8) -> Result<u8, ReadError> {
    let version = first.wrapping_sub(HEADER);
    if version <= newest {
        return Ok(version);
    }
    let expected = match newest {
        0 => "data of version 0 (0xa0 first)",
        _ => "data of version 0 or 1 (0xa0 or 0xa1 first)",
    };
    let found = match version {
        0..16 => format!("version {version} ({first:#04x})"),
        _ => format!("{first:#04x}"),
    };
    Err(ReadError::invalid(expected, found))
}

/// The data that is not decoded yet.
struct Bytes<'d>(&'d [u8]);

impl<'d> Bytes<'d> {
    fn take(&mut self, count: usize) -> Result<&'d [u8], ReadError> {
        let Some((taken, rest)) = self.0.split_at_checked(count) else {
            return Err(short(count, self.0.len()));
        };
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, ReadError> {
        let Some((first, rest)) = self.0.split_first() else { return Err(short(1, 0)) };
        self.0 = rest;
        Ok(*first)
    }

    /// Takes the end of the data: padding, the element before the first one, and in version 1 the
    /// modes of its channels.
    fn channels(&mut self, stride: usize, version: u8) -> Result<Vec<Channel>, ReadError> {
        let modes = if version == 0 { 0 } else { stride / 4 };
        let size = stride.saturating_add(modes);
        let padded = size.max(if version == 0 { 32 } else { 24 });
        let Some(length) = self.0.len().checked_sub(padded) else {
            return Err(short(padded, self.0.len()));
        };
        let (body, end) = self.0.split_at_checked(length).unwrap_or_default();
        self.0 = body;
        let end = end.get(padded.saturating_sub(size)..).unwrap_or_default();
        let (element, modes) = end.split_at_checked(stride).unwrap_or_default();
        let (parts, _) = element.as_chunks::<4>();
        let modes = modes.iter().copied().chain(core::iter::repeat(0));
        let channel = |(last, mode): (&[u8; 4], u8)| Channel::new(*last, mode);
        parts.iter().zip(modes).map(channel).collect()
    }

    /// Decodes the differences of one byte of the elements, whose number is rounded up to groups.
    fn plane(&mut self, widths: [u8; 4], plane: &mut [u8]) -> Result<(), ReadError> {
        let (groups, _) = plane.as_chunks_mut::<GROUP>();
        let announced = self.take(groups.len().div_ceil(4))?;
        let announced = announced.iter().flat_map(|byte| [0, 2, 4, 6].map(|shift| byte >> shift));
        for (group, bits) in groups.iter_mut().zip(announced) {
            match widths.get(usize::from(bits & 3)) {
                Some(1) => self.group::<8>([0, 1, 2, 3, 4, 5, 6, 7], 1, group)?,
                Some(2) => self.group::<4>([6, 4, 2, 0], 3, group)?,
                Some(4) => self.group::<2>([4, 0], 15, group)?,
                Some(8) => group.copy_from_slice(self.take(GROUP)?),
                _ => {}
            }
        }
        Ok(())
    }

    /// Decodes a group of `N` numbers per byte, from their shifts in a byte and the largest number.
    fn group<const N: usize>(
        &mut self,
        shifts: [u32; N],
        largest: u8,
        group: &mut [u8; GROUP],
    ) -> Result<(), ReadError> {
        let packed = self.take(GROUP.checked_div(N).unwrap_or(0))?;
        let numbers = packed.iter().flat_map(|byte| shifts.map(|shift| byte >> shift & largest));
        for (slot, number) in group.iter_mut().zip(numbers) {
            *slot = if number == largest { self.byte()? } else { number };
        }
        Ok(())
    }
}

fn short(needed: usize, available: usize) -> ReadError {
    let (needed, available) = (num::u64_from_len(needed), num::u64_from_len(available));
    ReadError::new(ReadErrorKind::UnexpectedEnd { needed, available })
}

/// Four bytes of each element, which are restored together.
struct Channel {
    /// Those of the last element.
    last: [u8; 4],
    mode: Mode,
}

/// How differences are stored.
#[derive(Clone, Copy)]
enum Mode {
    /// Differences of bytes.
    Bytes,
    /// Differences of integers of 16 bits.
    Words,
    /// The bits that changed, turned to the left by this number.
    Bits(u32),
}

impl Channel {
    fn new(last: [u8; 4], mode: u8) -> Result<Self, ReadError> {
        let mode = match (mode & 15, mode >> 4) {
            (0, 0) => Mode::Bytes,
            (1, 0) => Mode::Words,
            (2, turn) => Mode::Bits(turn.into()),
            _ => {
                let expected = "a channel of mode 0, 1 or 2";
                return Err(ReadError::invalid(expected, format!("{mode:#04x}")));
            }
        };
        Ok(Self { last, mode })
    }

    /// Restores this channel in the elements of a block; `place` is its place in an element.
    fn restore<'b>(
        &mut self,
        [a, b, c, d]: &[Plane; 4],
        elements: impl Iterator<Item = &'b mut [u8]>,
        place: usize,
    ) {
        let rows = a.iter().zip(b).zip(c.iter().zip(d));
        for (element, ((a, b), (c, d))) in elements.zip(rows) {
            self.advance([*a, *b, *c, *d]);
            if let Some(part) = element.as_chunks_mut::<4>().0.get_mut(place) {
                *part = self.last;
            }
        }
    }

    /// Goes on to the bytes of the next element.
    fn advance(&mut self, difference: [u8; 4]) {
        match self.mode {
            Mode::Bytes => {
                for (byte, code) in self.last.iter_mut().zip(difference) {
                    *byte = byte.wrapping_add(code >> 1 ^ (code & 1).wrapping_neg());
                }
            }
            Mode::Words => {
                let (words, codes) = (self.last.as_chunks_mut().0, difference.as_chunks().0);
                for (word, code) in words.iter_mut().zip(codes) {
                    let code = u16::from_le_bytes(*code);
                    let difference = code >> 1 ^ (code & 1).wrapping_neg();
                    *word = u16::from_le_bytes(*word).wrapping_add(difference).to_le_bytes();
                }
            }
            Mode::Bits(turn) => {
                let changed = u32::from_le_bytes(difference).rotate_right(turn);
                self.last = (u32::from_le_bytes(self.last) ^ changed).to_le_bytes();
            }
        }
    }
}
