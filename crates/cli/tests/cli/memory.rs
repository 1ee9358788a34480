//! Small files that require more memory than available.

use std::process::{Command, Output};

use inbetween_testing::ByteBuilder;

use crate::bench::Bench;

/// Runs the tool with 300 MB of address space.
pub(crate) fn run_with_little(bench: &Bench, arguments: &str) -> Output {
    let command = format!("ulimit -v 300000; exec \"$0\" {arguments}");
    let mut shell = Command::new("sh");
    shell.args(["-c", &command, env!("CARGO_BIN_EXE_inbetween")]);
    shell.current_dir(bench.path("")).env("RAYON_NUM_THREADS", "1").output().unwrap()
}

/// Checks that converting the file ends with exit code 3 and names the memory.
fn ends_with_an_error(file: &str, bytes: Vec<u8>) {
    let bench = Bench::empty().with(file, bytes);
    let ran = run_with_little(&bench, &format!("convert {file} -o out.animj --max-decoded 8G"));
    let err = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(3), "{err}");
    assert!(err.contains("bytes of memory"), "{err}");
    assert_eq!(bench.names(), [file]);
}

/// The header of an AnimX file of one track with a compressed section.
fn animx(encoding: u8) -> ByteBuilder {
    ByteBuilder::new().u8(5).bytes("AnimX").i32s(&[1]).u8(1).f32(1.0).u8(0).u8(encoding)
}

#[test]
fn lz4_that_exceeds_the_available_memory_is_an_error() {
    // A zero, a very long copy of it, and the five literals at the end of each block.
    let more = 1_600_000;
    let mut block = vec![0x1f, 0, 1, 0];
    block.extend(std::iter::repeat_n(0xff_u8, more));
    block.extend([0, 0x50, 0, 0, 0, 0, 0]);
    let unpacked = u64::try_from(1 + 19 + 255 * more + 5).unwrap();
    let length = u64::try_from(block.len()).unwrap();
    let chunk = animx(1).seven_bit(1).seven_bit(unpacked).seven_bit(length);
    ends_with_an_error("packed.animx", chunk.bytes(block).build());
}

#[test]
fn animj_keys_that_exceed_the_available_memory_are_an_error() {
    let keys = "{},".repeat(10_000_000);
    let text = format!(
        "{{\"name\":\"a\",\"globalDuration\":1,\"tracks\":[{{\"trackType\":\"Raw\",\
         \"valueType\":\"double4\",\"data\":{{\"node\":\"n\",\"property\":\"p\",\"interval\":1,\
         \"keyframes\":[{}]}}}}]}}",
        keys.trim_end_matches(',')
    );
    ends_with_an_error("keys.animj", text.into_bytes());
}
