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
