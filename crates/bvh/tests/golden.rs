//! The fixtures of BVH against their goldens.

use inbetween_bvh::Bvh;
use inbetween_testing::golden;

#[test]
fn fixtures_match_their_goldens() {
    golden::golden(&Bvh::default());
}

#[test]
fn format_info_is_consistent() {
    golden::info_is_consistent(&Bvh::default());
}

#[test]
fn every_code_has_a_file_or_a_document_that_triggers_it() {
    golden::every_code_is_triggered(&Bvh::default(), Vec::new());
}
