//! The bytes of buffers: in the file, in data URIs, and in other files of its folder.

use std::borrow::Cow;

use inbetween_core::{Budget, Neighbors, ReadError, ReadErrorKind, memory, num, shown};

use crate::file::GltfFile;
use crate::layout::Container;
use crate::read::{Fault, FaultResult, item, json_error, json_reader};
use crate::scene::{Buffer, Scene};

/// Returns the relative path of a URI, or the reason why it must not be opened.
///
/// # Errors
///
/// If the URI names a scheme, a server, a drive or an absolute path, leads out of the folder, or is
/// not percent-encoded UTF-8.
///
/// # Examples
///
/// ```
/// use inbetween_gltf::uri_path;
///
/// assert_eq!(uri_path("data/walk%20cycle.bin"), Ok("data/walk cycle.bin".to_owned()));
/// assert!(uri_path("../../etc/passwd").is_err());
/// assert!(uri_path("%2e%2e/secret").is_err());
/// ```
pub fn uri_path(uri: &str) -> Result<String, &'static str> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.bytes();
    while let Some(byte) = rest.next() {
        let mut digit = || rest.next().map(char::from)?.to_digit(16);
        let byte = match byte {
            b'%' => {
                let code =
                    digit().zip(digit()).and_then(|(high, low)| u8::try_from(high << 4 | low).ok());
                code.ok_or("a % without two digits")?
            }
            byte => byte,
        };
        bytes.push(byte);
    }
    let path = String::from_utf8(bytes).map_err(|_| "a name that is not UTF-8")?;
    if path.is_empty() || path.starts_with(['/', '\\']) {
        return Err("an absolute path");
    }
    if path.contains(['\\', ':', '\0']) {
        return Err("a drive, a scheme or a backslash");
    }
    if path.split('/').any(|part| part == "..") {
        return Err("a path out of its folder");
    }
    Ok(path)
}

/// The bytes of the buffers that animations use.
#[derive(Debug, Default)]
pub(crate) struct Buffers(Vec<Option<Vec<u8>>>);

impl Buffers {
    /// Loads the buffers that are not in the file itself.
    ///
    /// # Errors
    ///
    /// If a buffer is shorter than stated, its URI must not be opened, or it exceeds the budget.
    pub(crate) fn load(
        file: &GltfFile<'_>,
        scene: &Scene,
        neighbors: Option<&dyn Neighbors>,
        budget: &mut Budget,
    ) -> Result<Self, ReadError> {
        let used = used(scene);
        let mut loaded = Vec::with_capacity(scene.buffers.len());
        for (index, buffer) in scene.buffers.iter().enumerate() {
            let bytes = if used.get(index).copied().unwrap_or(false) {
                load(file, index, buffer, neighbors, budget).map_err(|fault| file.place(fault))?
            } else {
                None
            };
            loaded.push(bytes);
        }
        Ok(Self(loaded))
    }

    /// Returns the bytes of a buffer, cut to the stated length.
    pub(crate) fn get<'f>(
        &'f self,
        file: &'f GltfFile<'_>,
        scene: &Scene,
        index: usize,
    ) -> &'f [u8] {
        let bytes = match self.0.get(index) {
            Some(Some(bytes)) => bytes.as_slice(),
            _ => file.binary().unwrap_or_default(),
        };
        let length = scene.buffers.get(index).map_or(0, |buffer| buffer.length);
        bytes.get(..num::len_from_u64(length)).unwrap_or_default()
    }
}

/// Returns for each buffer whether a sampler uses it.
fn used(scene: &Scene) -> Vec<bool> {
    let samplers = scene.animations.iter().flat_map(|animation| &animation.samplers);
    let accessors = samplers.flat_map(|sampler| [sampler.input, sampler.output]).flatten();
    let mut used = vec![false; scene.buffers.len()];
    let accessors = accessors.filter_map(|index| scene.accessors.get(index));
    for accessor in accessors {
        let sparse = accessor.sparse.iter().flat_map(|sparse| [sparse.indices, sparse.values]);
        let views = sparse.chain([accessor.view]).flatten();
        let buffers = views.filter_map(|view| scene.views.get(view)?.buffer);
        for buffer in buffers {
            if let Some(used) = used.get_mut(buffer) {
                *used = true;
            }
        }
    }
    used
}

/// Returns the bytes of a buffer; `None` for the binary chunk.
fn load(
    file: &GltfFile<'_>,
    index: usize,
    buffer: &Buffer,
    neighbors: Option<&dyn Neighbors>,
    budget: &mut Budget,
) -> FaultResult<Option<Vec<u8>>> {
    let path = |member| item("buffers", index, &[member]);
    let short = |found: usize| {
        let kind = ReadErrorKind::UnexpectedEnd {
            needed: buffer.length,
            available: num::u64_from_len(found),
        };
        Fault::of(ReadError::new(kind), buffer.at, path("byteLength"))
    };
    let Some(at) = buffer.uri else {
        if index > 0 || file.container() == Container::Gltf {
            return Err(Fault::invalid(buffer.at, path("uri"), "a URI", "none"));
        }
        let found = file.binary().map_or(0, <[u8]>::len);
        return if num::u64_from_len(found) < buffer.length { Err(short(found)) } else { Ok(None) };
    };
    let text = file.json().get(at..).unwrap_or_default();
    let uri = json_reader(text, budget.limits()).string("a string");
    let uri = uri.map_err(|error| Fault { at, ..json_error(error, path("uri")) })?;
    let bytes = match uri.strip_prefix("data:") {
        Some(data) => data_uri(data, budget),
        None => external(&uri, buffer.length, neighbors, budget),
    };
    let bytes = bytes.map_err(|error| Fault::of(error, at, path("uri")))?;
    if num::u64_from_len(bytes.len()) < buffer.length {
        return Err(short(bytes.len()));
    }
    Ok(Some(bytes))
}

/// Decodes a data URI after `data:`.
fn data_uri(data: &str, budget: &mut Budget) -> Result<Vec<u8>, ReadError> {
    let found = || Cow::from(shown(data.get(..24).unwrap_or(data)).to_string());
    let Some((kind, text)) = data.split_once(',') else {
        return Err(ReadError::invalid("a data URI with a comma", found()));
    };
    if !kind.ends_with(";base64") {
        return Err(ReadError::invalid("a data URI in base64", found()));
    }
    let text = text.trim_end_matches('=').as_bytes();
    budget.charge_columns(text.len().div_ceil(4).saturating_mul(3))?;
    let mut bytes = Vec::with_capacity(text.len().div_ceil(4).saturating_mul(3));
    for group in text.chunks(4) {
        let mut bits = 0_u32;
        for &letter in group {
            let digit = base64_digit(letter)
                .ok_or_else(|| ReadError::invalid("base64", format!("byte {letter:#04x}")))?;
            bits = bits << 6 | digit;
        }
        let missing = u32::try_from(4_usize.saturating_sub(group.len())).unwrap_or(0);
        let [_, whole @ ..] = (bits << missing.saturating_mul(6)).to_be_bytes();
        bytes.extend(whole.iter().take(group.len().saturating_sub(1)));
    }
    Ok(bytes)
}

fn base64_digit(letter: u8) -> Option<u32> {
    let from = |start: u8, first: u32| u32::from(letter.wrapping_sub(start)).wrapping_add(first);
    match letter {
        b'A'..=b'Z' => Some(from(b'A', 0)),
        b'a'..=b'z' => Some(from(b'a', 26)),
        b'0'..=b'9' => Some(from(b'0', 52)),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

fn external(
    uri: &str,
    length: u64,
    neighbors: Option<&dyn Neighbors>,
    budget: &mut Budget,
) -> Result<Vec<u8>, ReadError> {
    let path = uri_path(uri).map_err(|why| {
        ReadError::invalid(
            "a file in the folder of the glTF file",
            format!("{why}: \"{}\"", shown(uri)),
        )
    })?;
    let Some(neighbors) = neighbors else {
        let what = format!("the external buffer \"{}\"", shown(&path));
        let error = ReadError::new(ReadErrorKind::Unsupported { what: what.into() });
        return Err(error.with_hint("only a file that is opened by its path has files beside it"));
    };
    budget.charge_bytes(num::len_from_u64(length))?;
    memory::ensure(num::len_from_u64(length))?;
    neighbors.load(&path, length)
}
