//! Describes files that no format recognizes.

/// The description of a file without bytes, the only one that is certain.
pub(crate) const EMPTY: &str = "an empty file";

/// What the first bytes of a file suggest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// It is certainly something else, or empty.
    Else(&'static str),
    /// It may be a damaged file of a known format.
    Unclear(&'static str),
}

impl FileKind {
    /// Describes a file by its first bytes.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        if bytes.is_empty() {
            return Self::Else(EMPTY);
        }
        if bytes.iter().all(|&byte| byte == 0) {
            return Self::Else("nothing but zero bytes, as after a broken download");
        }
        let head = bytes.get(..HEAD).unwrap_or(bytes);
        SIGNATURES
            .iter()
            .find(|signature| signature.matches(head))
            .map_or_else(|| by_text(head), |signature| Self::Else(signature.what))
    }

    /// Returns the description, with its article.
    pub(crate) const fn what(self) -> &'static str {
        match self {
            Self::Else(what) | Self::Unclear(what) => what,
        }
    }
}

/// The number of bytes to look at.
const HEAD: usize = 4096;

/// The signature of a kind of file.
struct Signature {
    offset: usize,
    bytes: &'static [u8],
    what: &'static str,
}

impl Signature {
    fn matches(&self, head: &[u8]) -> bool {
        head.get(self.offset..).is_some_and(|rest| rest.starts_with(self.bytes))
    }
}

const fn at(offset: usize, bytes: &'static [u8], what: &'static str) -> Signature {
    Signature { offset, bytes, what }
}

/// Longer signatures come before shorter ones that are their prefixes.
static SIGNATURES: &[Signature] = &[
    at(0, b"SEAnim", "a SEAnim file, which this build does not read"),
    at(0, b"SEModel", "a SEModel file: a model, not an animation"),
    at(0, b"\x05AnimX", "an AnimX file, which this build does not read"),
    at(0, b"cast\x01\0\0\0", "a Cast file, which this build does not read"),
    at(
        0,
        b"{\"version\":",
        "an asciinema recording of a terminal, which shares the extension .cast",
    ),
    at(0, b"*LZ4*", "an XANIM_BIN or XMODEL_BIN file"),
    at(0, b"glTF", "a binary glTF file, which this build does not read"),
    at(0, b"Kaydara FBX Binary", "a binary FBX file"),
    at(0, b"; FBX", "a text FBX file"),
    at(0, b"BLENDER", "a Blender file"),
    at(0, b"//Maya ASCII", "a Maya file"),
    at(0, b"FOR4", "a Maya file"),
    at(0, b"FOR8", "a Maya file"),
    at(0, b"HIERARCHY", "a BVH file"),
    at(0, b"MD5Version", "an MD5 model or animation"),
    at(0, b"ANIMHEAD", "a PSA file (Unreal)"),
    at(0, b"Vocaloid Motion Data", "a VMD file (MikuMikuDance)"),
    at(0, b"XSM ", "an XSM file (EMotion FX)"),
    at(0, b"XAC ", "an XAC file (EMotion FX)"),
    at(0, b"\x89PNG\r\n\x1a\n", "a PNG image"),
    at(0, b"\xff\xd8\xff", "a JPEG image"),
    at(0, b"GIF8", "a GIF image"),
    at(0, b"DDS ", "a DDS texture"),
    at(8, b"WEBP", "a WebP image"),
    at(8, b"WAVE", "a WAV sound"),
    at(0, b"OggS", "an Ogg sound"),
    at(4, b"ftyp", "an MP4 video"),
    at(0, b"%PDF", "a PDF document"),
    at(0, b"PK\x03\x04", "a ZIP archive: unpack it first"),
    at(0, b"PK\x05\x06", "an empty ZIP archive"),
    at(0, b"\x1f\x8b", "a gzip file: unpack it first"),
    at(0, b"7z\xbc\xaf\x27\x1c", "a 7z archive: unpack it first"),
    at(0, b"Rar!\x1a\x07", "a RAR archive: unpack it first"),
    at(0, b"\xfd7zXZ\0", "an xz file: unpack it first"),
    at(0, b"\x28\xb5\x2f\xfd", "a Zstandard file: unpack it first"),
    at(0, b"\x7fELF", "a Linux program (ELF)"),
    at(0, b"MZ", "a Windows program"),
    at(0, b"version https://git-lfs", "a Git LFS pointer: fetch the file itself first"),
    at(0, b"\xff\xfe", "UTF-16 text: save it as UTF-8"),
    at(0, b"\xfe\xff", "UTF-16 text: save it as UTF-8"),
];

fn by_text(head: &[u8]) -> FileKind {
    let Some(text) = text(head) else { return FileKind::Unclear("unknown binary data") };
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let begins = |start: &str| {
        text.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start))
    };
    if begins("<!doctype html") || begins("<html") {
        FileKind::Else("an HTML page, perhaps in place of a download")
    } else if begins("%YAML") && text.contains("unity3d.com") {
        FileKind::Else("a Unity file, such as .anim")
    } else if begins("version 1") && text.contains("nodes") {
        FileKind::Else("an SMD file (Source engine)")
    } else if text.contains("<COLLADA") {
        FileKind::Else("a COLLADA file")
    } else if begins("<") {
        FileKind::Else("XML")
    } else if text.starts_with('{') && text.contains("\"asset\"") {
        FileKind::Else("a glTF file")
    } else if text.starts_with(['{', '[']) {
        FileKind::Unclear("JSON without the members of an AnimJ file")
    } else {
        FileKind::Unclear("plain text")
    }
}

/// Returns the start of a file as text, if it is text.
fn text(head: &[u8]) -> Option<&str> {
    let text = match str::from_utf8(head) {
        Ok(text) => text,
        // The end of the head may split the last character.
        Err(error) if head.len() == HEAD && error.error_len().is_none() => {
            str::from_utf8(head.get(..error.valid_up_to())?).ok()?
        }
        Err(_) => return None,
    };
    let control = |c: char| c.is_control() && !c.is_ascii_whitespace();
    (!text.contains(control)).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn describes_files_of_other_kinds() {
        for (bytes, what) in [
            (&b""[..], "an empty file"),
            (b"\0\0\0\0", "nothing but zero bytes, as after a broken download"),
            (b"\x89PNG\r\n\x1a\n\0\0", "a PNG image"),
            (b"PK\x03\x04\x14", "a ZIP archive: unpack it first"),
            (b"\x1f\x8b\x08", "a gzip file: unpack it first"),
            (b"\x7fELF\x02", "a Linux program (ELF)"),
            (b"glTF\x02\0\0\0", "a binary glTF file, which this build does not read"),
            (b"Kaydara FBX Binary  \0", "a binary FBX file"),
            (b"cast\x01\0\0\0", "a Cast file, which this build does not read"),
            (
                b"{\"version\": 2, \"width\": 80}\n",
                "an asciinema recording of a terminal, which shares the extension .cast",
            ),
            (b"RIFF\x10\0\0\0WAVEfmt ", "a WAV sound"),
            (b"<?xml version=\"1.0\"?><a/>", "XML"),
            (b"Vocaloid Motion Data 0002\0", "a VMD file (MikuMikuDance)"),
            (b"XSM \x01\0", "an XSM file (EMotion FX)"),
            (b"version 1\nnodes\n0 \"root\" -1\n", "an SMD file (Source engine)"),
            (b"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n", "a Unity file, such as .anim"),
            (b"<!DOCTYPE HTML><html>", "an HTML page, perhaps in place of a download"),
            (b"{\"asset\": {\"version\": \"2.0\"}}", "a glTF file"),
        ] {
            assert_eq!(FileKind::of(bytes), FileKind::Else(what), "{bytes:?}");
        }
    }

    #[test]
    fn a_file_that_may_be_a_damaged_known_one_is_unclear() {
        for (bytes, what) in [
            (&b" {\"a\": 1}"[..], "JSON without the members of an AnimJ file"),
            (b"hello\r\n", "plain text"),
            (b"\x01\x02\x03", "unknown binary data"),
            (b"caf\xe9", "unknown binary data"),
        ] {
            assert_eq!(FileKind::of(bytes), FileKind::Unclear(what), "{bytes:?}");
        }
    }

    #[test]
    fn detects_text_even_if_the_head_splits_a_character() {
        let mut bytes = vec![b'a'; HEAD - 1];
        bytes.extend("é".as_bytes());
        assert_eq!(FileKind::of(&bytes), FileKind::Unclear("plain text"));
    }
}
