//! Files that must be rejected.

use super::{Case, LINEAR, STEP, TWO, bad, head, keys, positions, record};
use crate::ByteBuilder;

/// The offset of the key counts of the first record.
const COUNTS: usize = 16 + 128;

pub(super) fn cases() -> Vec<Case> {
    let mut cases = headers();
    cases.extend(tables());
    cases.extend(counts());
    cases
}

/// A file of one record with another number at an offset.
fn number(at: usize, number: i32) -> ByteBuilder {
    positions(&TWO).patch(at, number.to_le_bytes())
}

fn headers() -> Vec<Case> {
    let seanim = ByteBuilder::new().bytes(b"SEAnim").u16(1).u16(28).zeros(26);
    vec![
        bad("empty", ByteBuilder::new()),
        bad("another-format", seanim),
        bad("windows-cursor", ByteBuilder::new().bytes("RIFF").u32(36).bytes("ACONLIST").u32(8)),
        bad("header-cut", head(0).cut(15)),
        bad("version-0", number(8, 0)),
        bad("version-2", number(8, 2)),
        bad("version-negative", number(8, i32::MIN)),
        bad("record-count-negative", number(0, -1)),
        bad("record-count-min", number(0, i32::MIN)),
        bad("record-count-max", ByteBuilder::new().i32s(&[i32::MAX, -112, 1, 0])),
        bad("key-offset-0", number(4, 0)),
        bad("key-offset-negative", number(4, -176)),
        bad("key-offset-beyond-file", number(4, i32::MAX)),
        bad("key-offset-one-less", number(4, 175)),
    ]
}

fn tables() -> Vec<Case> {
    let two = || record(record(head(2), "a", "b", [0; 5], 1.0), "c", "b", [0; 5], 1.0);
    vec![
        bad("table-missing", head(1)),
        bad("table-cut", positions(&TWO).cut(100)),
        bad("table-cut-in-the-second-record", two().cut(16 + 160 + 90)),
        // 13,421,771 records are the most whose key offset 32 bits can hold.
        bad("records-beyond-file", head(13_421_771)),
    ]
}

fn counts() -> Vec<Case> {
    let all = |count: i32| positions(&TWO).patch(COUNTS, count.to_le_bytes().repeat(5));
    let cut = |counts: [i32; 5]| {
        let bytes = record(head(1), "anim_door", "opening", counts, 1.0);
        keys(bytes, &[([1.0; 3], LINEAR, 0.0), ([2.0; 3], STEP, 1.0)]).cut(16 + 160 + 200)
    };
    let two = record(head(2), "anim_door", "opening", [-1, 0, 0, 0, 0], 1.0);
    let two = record(two, "anim_lamp", "opening", [0, 0, i32::MAX, 0, 0], 1.0);
    vec![
        bad("key-count-of-positions-negative", number(COUNTS, i32::MIN)),
        bad("key-count-negative", number(COUNTS + 4, -3)),
        bad("key-count-of-scales-negative", number(COUNTS + 8, -1)),
        bad("key-count-of-pre-scales-negative", number(COUNTS + 12, -1)),
        bad("key-count-of-post-scales-negative", number(COUNTS + 16, -1)),
        bad("key-count-max", number(COUNTS + 16, i32::MAX)),
        bad("key-counts-all-max", all(i32::MAX)),
        bad("key-counts-all-negative", all(-1)),
        bad("keys-cut", positions(&TWO).cut(400)),
        bad("rotations-cut", cut([0, 2, 0, 0, 0])),
        bad("scales-cut", cut([0, 0, 2, 0, 0])),
        bad("scales-cut-after-a-position", cut([1, 0, 1, 0, 0])),
        bad("two-records-with-wrong-counts", keys(two, &TWO)),
    ]
}
