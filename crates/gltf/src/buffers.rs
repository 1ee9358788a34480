//! The bytes of buffers: in the file, in data URIs, and in other files of its folder.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use inbetween_core::{Budget, Neighbors, Path, ReadError, ReadErrorKind, memory, num, shown};

use crate::file::GltfFile;
use crate::layout::Container;
use crate::read::{Fault, FaultResult, item, json_error, json_reader};
use crate::scene::{Buffer, Listed, Scene};

/// Returns the relative paths that a URI may mean, in the order to try them, or the reason why it must
/// not be opened.
///
/// The first path is the decoded URI. Many programs do not encode names, so the URI as it stands is
/// the second one, and the only one if it cannot be decoded. A backslash separates folders.
///
/// # Errors
///
/// If the URI names a scheme, a server, a drive or an absolute path, or leads out of the folder.
///
/// # Examples
///
/// ```
/// use inbetween_gltf::uri_paths;
///
/// assert_eq!(uri_paths("data/walk%20cycle.bin")?, ["data/walk cycle.bin", "data/walk%20cycle.bin"]);
/// assert_eq!(uri_paths(r".\walk 10%.bin")?, ["./walk 10%.bin"]);
/// assert!(uri_paths("../../etc/passwd").is_err());
/// assert!(uri_paths("%2e%2e/secret").is_err());
/// # Ok::<(), &'static str>(())
/// ```
pub fn uri_paths(uri: &str) -> Result<Vec<String>, &'static str> {
    let decoded = percent_decoded(uri).and_then(|bytes| String::from_utf8(bytes.into()).ok());
    let mut paths = Vec::new();
    for path in decoded.into_iter().chain([uri.to_owned()]) {
        let path = path.replace('\\', "/");
        if path.is_empty() {
            return Err("an empty path");
        }
        if path.starts_with('/') {
            return Err("an absolute path");
        }
        if path.contains('\0') {
            return Err("a path with a NUL");
        }
        if path.contains(':') {
            return Err("a drive or a scheme");
        }
        if path.split('/').any(|part| part == "..") {
            return Err("a path out of its folder");
        }
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    Ok(paths)
}

/// The bytes that animations use, or why they cannot be read.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    /// Those of buffers; `None` for a buffer in the file itself or without a use.
    loaded: Vec<FaultResult<Option<Vec<u8>>>>,
    /// Those of views that an extension compresses.
    unpacked: BTreeMap<usize, FaultResult<Vec<u8>>>,
}

impl Buffers {
    /// Loads the buffers that are not in the file itself, and decodes compressed views.
    ///
    /// # Errors
    ///
    /// If the bytes exceed the budget. Other errors are those of the channels that use the bytes.
    pub(crate) fn load(
        file: &GltfFile<'_>,
        scene: &Scene,
        neighbors: Option<&dyn Neighbors>,
        budget: &mut Budget,
    ) -> Result<Self, ReadError> {
        let views = used(scene);
        let buffers = views.iter().filter_map(|index| scene.views.get(*index)?.source().0);
        let used: BTreeSet<usize> = buffers.collect();
        let mut loaded = Vec::with_capacity(scene.buffers.len());
        for (index, buffer) in scene.buffers.iter().enumerate() {
            let bytes = if used.contains(&index) {
                load(file, index, buffer, neighbors, budget)
            } else {
                Ok(None)
            };
            match bytes {
                Err(fault) if fault.error.is_limit() => return Err(file.place(fault)),
                bytes => loaded.push(bytes),
            }
        }
        let mut buffers = Self { loaded, unpacked: BTreeMap::new() };
        for index in views {
            match buffers.unpack(file, scene, index, budget) {
                Some(Err(fault)) if fault.error.is_limit() => return Err(file.place(fault)),
                Some(bytes) => _ = buffers.unpacked.insert(index, bytes),
                None => {}
            }
        }
        // Keys are decoded from these bytes.
        let unpacked = buffers.unpacked.values().flatten().map(Vec::len);
        budget.allow_for(unpacked.fold(0, usize::saturating_add));
        Ok(buffers)
    }

    /// Decodes a view; returns `None` if it is not compressed, or broken.
    fn unpack(
        &self,
        file: &GltfFile<'_>,
        scene: &Scene,
        index: usize,
        budget: &mut Budget,
    ) -> Option<FaultResult<Vec<u8>>> {
        let view = scene.views.get(index).filter(|view| !view.is_broken)?;
        let packed = view.packed()?;
        let path = |members: &[&'static str]| {
            let path = ["extensions", packed.extension];
            item("bufferViews", index, &[&path[..], members].concat())
        };
        let bytes = self.range(file, scene, view.source(), view.at, &path);
        let stated = (view.at, view.length, view.stride);
        Some(bytes.and_then(|bytes| packed.decode(bytes, stated, &path, budget)))
    }

    /// Returns the bytes of a view.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    pub(crate) fn view<'f>(
        &'f self,
        file: &'f GltfFile<'_>,
        scene: &Scene,
        index: usize,
    ) -> FaultResult<&'f [u8]> {
        match self.unpacked.get(&index) {
            Some(Ok(bytes)) => return Ok(bytes),
            Some(Err(fault)) => return Err(fault.clone()),
            None => {}
        }
        let Some(view) = scene.views.get(index) else { return Ok(&[]) };
        let path = |members: &[&'static str]| item("bufferViews", index, members);
        self.range(file, scene, view.source(), view.at, &path)
    }

    /// Returns a range of a buffer; `path` returns the path of a member that states a part of it.
    fn range<'f>(
        &'f self,
        file: &'f GltfFile<'_>,
        scene: &Scene,
        (buffer, offset, length): (Option<usize>, u64, u64),
        at: usize,
        path: &dyn Fn(&[&'static str]) -> Path,
    ) -> FaultResult<&'f [u8]> {
        let buffers = scene.buffers.len();
        let Some(buffer) = buffer else {
            return Err(Fault::invalid(at, path(&["buffer"]), "a buffer", "none"));
        };
        if buffer >= buffers {
            return Err(Fault::missing(at, path(&["buffer"]), "buffer", buffer, buffers));
        }
        let bytes = self.get(file, scene, buffer)?;
        let rest = bytes.get(num::len_from_u64(offset)..).unwrap_or_default();
        rest.get(..num::len_from_u64(length)).ok_or_else(|| {
            let available = num::u64_from_len(rest.len());
            let kind = ReadErrorKind::UnexpectedEnd { needed: length, available };
            Fault::of(ReadError::new(kind), at, path(&["byteLength"]))
        })
    }

    /// Returns the bytes of a buffer, cut to the stated length.
    ///
    /// # Errors
    ///
    /// If the buffer is shorter than stated, or its URI is broken or must not be opened.
    fn get<'f>(
        &'f self,
        file: &'f GltfFile<'_>,
        scene: &Scene,
        index: usize,
    ) -> FaultResult<&'f [u8]> {
        let bytes = match self.loaded.get(index) {
            Some(Err(fault)) => return Err(fault.clone()),
            Some(Ok(Some(bytes))) => bytes.as_slice(),
            _ => file.binary().unwrap_or_default(),
        };
        let length = scene.buffers.get(index).map_or(0, |buffer| buffer.length);
        Ok(bytes.get(..num::len_from_u64(length)).unwrap_or_default())
    }
}

/// Returns the views that samplers use.
fn used(scene: &Scene) -> BTreeSet<usize> {
    let samplers = scene.animations.iter().flat_map(|animation| animation.samplers.iter());
    let accessors = samplers.flat_map(|sampler| [sampler.input, sampler.output]).flatten();
    let accessors = accessors.filter_map(|index| scene.accessors.get(index));
    let views = accessors.flat_map(|accessor| {
        let sparse = accessor.sparse.iter().flat_map(|sparse| [sparse.indices, sparse.values]);
        sparse.chain([accessor.view]).flatten().collect::<Vec<_>>()
    });
    views.collect()
}

/// Returns the bytes of a buffer; `None` for the binary chunk.
pub(crate) fn load(
    file: &GltfFile<'_>,
    index: usize,
    buffer: &Listed<Buffer>,
    neighbors: Option<&dyn Neighbors>,
    budget: &mut Budget,
) -> FaultResult<Option<Vec<u8>>> {
    let path = |member| item("buffers", index, &[member]);
    if let Some(fault) = buffer.fault(file, item("buffers", index, &[])) {
        return Err(fault);
    }
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
    let text = file.json_part(at..buffer.end);
    let uri = json_reader(text, budget.limits()).string("a string");
    let uri = uri.map_err(|error| Fault { at, ..json_error(error, path("uri")) })?;
    let bytes = match uri.split_at_checked("data:".len()) {
        Some((scheme, data)) if scheme.eq_ignore_ascii_case("data:") => data_uri(data, budget),
        _ => external(&uri, buffer.length, neighbors, budget),
    };
    let bytes = bytes.map_err(|error| Fault::of(error, at, path("uri")))?;
    if num::u64_from_len(bytes.len()) < buffer.length {
        return Err(short(bytes.len()));
    }
    Ok(Some(bytes))
}

/// Decodes a data URI after `data:`. Like browsers, it skips spaces and line breaks in base64, takes
/// the letters of URLs too, and decodes percent signs first.
fn data_uri(data: &str, budget: &mut Budget) -> Result<Vec<u8>, ReadError> {
    let Some((kind, text)) = data.split_once(',') else {
        let found = shown(data.get(..24).unwrap_or(data)).to_string();
        return Err(ReadError::invalid("a data URI with a comma", found));
    };
    budget.charge_columns(text.len())?;
    let text = percent_decoded(text)
        .ok_or_else(|| ReadError::invalid("two hexadecimal digits after %", "a % without them"))?;
    let is_base64 = kind
        .rsplit(';')
        .next()
        .is_some_and(|word| word.trim().eq_ignore_ascii_case("base64") && kind.contains(';'));
    if is_base64 { base64(&text) } else { Ok(text.into_owned()) }
}

fn base64(text: &[u8]) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::with_capacity(text.len().div_ceil(4).saturating_mul(3));
    let letters = text.iter().copied().filter(|letter| !letter.is_ascii_whitespace());
    let mut letters = letters.take_while(|letter| *letter != b'=').peekable();
    while letters.peek().is_some() {
        let (mut bits, mut count) = (0_u32, 0_u32);
        for letter in letters.by_ref().take(4) {
            let digit = base64_digit(letter)
                .ok_or_else(|| ReadError::invalid("base64", format!("byte {letter:#04x}")))?;
            (bits, count) = (bits << 6 | digit, count.saturating_add(1));
        }
        let missing = 4_u32.saturating_sub(count);
        let [_, whole @ ..] = (bits << missing.saturating_mul(6)).to_be_bytes();
        bytes.extend(whole.iter().take(num::len_from_u64(count.saturating_sub(1).into())));
    }
    Ok(bytes)
}

/// Returns the bytes of a text with percent signs, or `None` if one has no two digits.
fn percent_decoded(text: &str) -> Option<Cow<'_, [u8]>> {
    if !text.contains('%') {
        return Some(text.as_bytes().into());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let mut digit = || rest.next().map(char::from)?.to_digit(16);
        let byte = match byte {
            b'%' => {
                let (high, low) = digit().zip(digit())?;
                u8::try_from(high << 4 | low).ok()?
            }
            byte => byte,
        };
        bytes.push(byte);
    }
    Some(bytes.into())
}

fn base64_digit(letter: u8) -> Option<u32> {
    let from = |start: u8, first: u32| u32::from(letter.wrapping_sub(start)).wrapping_add(first);
    match letter {
        b'A'..=b'Z' => Some(from(b'A', 0)),
        b'a'..=b'z' => Some(from(b'a', 26)),
        b'0'..=b'9' => Some(from(b'0', 52)),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

fn external(
    uri: &str,
    length: u64,
    neighbors: Option<&dyn Neighbors>,
    budget: &mut Budget,
) -> Result<Vec<u8>, ReadError> {
    let paths = uri_paths(uri).map_err(|why| {
        ReadError::invalid(
            "a file in the folder of the glTF file",
            format!("{why}: \"{}\"", shown(uri)),
        )
    })?;
    let Some(neighbors) = neighbors else {
        let what = format!("the external buffer \"{}\"", shown(uri));
        let error = ReadError::new(ReadErrorKind::Unsupported { what: what.into() });
        return Err(error.with_hint("only a file that is opened by its path has files beside it"));
    };
    budget.charge_claimed(length)?;
    memory::ensure(num::len_from_u64(length))?;
    let mut missing = None;
    for path in paths {
        match neighbors.load(&path, length) {
            Err(error) if matches!(error.kind(), ReadErrorKind::Missing { .. }) => {
                missing.get_or_insert(error);
            }
            loaded => return loaded,
        }
    }
    // Every URI has a path, so one was missing.
    Err(missing.unwrap_or_else(|| ReadError::invalid("a path", "none")))
}
