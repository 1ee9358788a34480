//! Tests of edits of parts, and of the bytes that they change.

#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween_core::Limits;
use inbetween_testing::cases;
use inbetween_x4_ani::{Group, KeyType, X4aniFile, X4aniKey, X4aniParts};

fn bytes(name: &str) -> Vec<u8> {
    let cases = cases::of("x4-ani");
    cases.into_iter().find(|case| case.name == name).unwrap().bytes
}

fn parts(name: &str) -> X4aniParts {
    X4aniFile::parse(bytes(name), &Limits::default()).unwrap().into_parts()
}

fn built(parts: &X4aniParts) -> Vec<u8> {
    X4aniFile::from_parts(parts).unwrap().to_bytes().to_vec()
}

#[test]
fn records_are_found_case_insensitively() {
    let parts = parts("two-clips");
    assert_eq!(parts.find("ANIM_B", "Opening"), Some(1));
    assert_eq!(parts.find("anim_b", "closing"), None);
}

#[test]
fn renaming_changes_only_the_bytes_of_the_name() {
    let mut parts = parts("ladder-board");
    parts.rename(0, "anim_ladder_board", "cockpit_closing").unwrap();
    let mut expected = bytes("ladder-board");
    expected[80..144].fill(0);
    expected[80..95].copy_from_slice(b"cockpit_closing");
    // The part keeps its name, including the leftover bytes after it.
    assert_eq!(built(&parts), expected);
}

#[test]
fn a_copy_has_the_keys_of_the_original_and_moves_later_records() {
    let mut parts = parts("two-clips");
    assert_eq!(parts.duplicate(0, "anim_a", "loop").unwrap(), 1);
    let before = bytes("two-clips");
    let after = built(&parts);
    assert_eq!(after[..4], [4, 0, 0, 0]);
    assert_eq!(after[16..176], before[16..176]);
    assert_eq!(after[336..656], before[176..496]);
    let keys = 16 + 4 * 160;
    assert_eq!(after[keys + 128..keys + 256], before[496..624]);
    assert_eq!(after.len(), before.len() + 160 + 128);
    assert!(parts.duplicate(0, "anim_b", "OPENING").is_err());
}

#[test]
fn removing_and_inserting_again_gives_the_same_bytes() {
    let mut parts = parts("two-clips");
    let record = parts.remove(1).unwrap();
    assert_eq!(parts.records.len(), 2);
    parts.insert(1, record.clone()).unwrap();
    assert_eq!(built(&parts), bytes("two-clips"));
    assert!(parts.insert(0, record).is_err());
    assert!(parts.remove(3).is_err());
}

#[test]
fn retiming_doubles_all_times_and_changes_nothing_else() {
    let mut parts = parts("bezier");
    parts.records[0].retime(2.0).unwrap();
    let mut expected = bytes("bezier");
    let keys = 176;
    for (at, number) in [(16 + 148, 6.0_f32), (keys + 128 + 24, 6.0)] {
        expected[at..at + 4].copy_from_slice(&number.to_le_bytes());
    }
    for axis in 0..3 {
        let at = keys + 28 + 16 * axis;
        expected[at..at + 4].copy_from_slice(&2.0_f32.to_le_bytes());
        let last = at + 128;
        expected[last..last + 4].copy_from_slice(&6.0_f32.to_le_bytes());
        expected[last + 8..last + 12].copy_from_slice(&4.0_f32.to_le_bytes());
    }
    assert_eq!(built(&parts), expected);
    assert!(parts.records[0].retime(0.0).is_err());
    assert!(parts.records[0].retime(f32::MAX).is_err());
    assert_eq!(built(&parts), expected);
}

#[test]
fn shifting_keeps_unset_control_points() {
    let mut parts = parts("two-positions");
    parts.records[0].shift(0.5).unwrap();
    let mut expected = bytes("two-positions");
    expected[200..204].copy_from_slice(&0.5_f32.to_le_bytes());
    expected[328..332].copy_from_slice(&1.5_f32.to_le_bytes());
    assert_eq!(built(&parts), expected);
}

#[test]
fn scaling_changes_one_group_per_axis() {
    let mut parts = parts("two-positions");
    parts.records[0].scale_values(Group::Position, [2.0, 1.0, -1.0]);
    let mut expected = bytes("two-positions");
    for (at, number) in [(304, 2.0_f32), (312, -3.0)] {
        expected[at..at + 4].copy_from_slice(&number.to_le_bytes());
    }
    // Zero times -1 is negative zero.
    expected[184..188].copy_from_slice(&(-0.0_f32).to_le_bytes());
    for key in [176, 304] {
        expected[key + 64..key + 68].copy_from_slice(&(-0.0_f32).to_le_bytes());
        expected[key + 72..key + 76].copy_from_slice(&(-0.0_f32).to_le_bytes());
        for rate in [108, 120] {
            expected[key + rate..key + rate + 4].copy_from_slice(&(-0.0_f32).to_le_bytes());
        }
    }
    assert_eq!(built(&parts), expected);
}

#[test]
fn replacing_keys_changes_count_and_keys() {
    let mut parts = parts("two-positions");
    let key = X4aniKey::new(0.0, [9.0; 3], KeyType::STEP);
    let old = parts.records[0].replace_keys(Group::Position, vec![key]);
    assert_eq!(old.len(), 2);
    let after = built(&parts);
    assert_eq!((after.len(), after[144]), (16 + 160 + 128, 1));
}
