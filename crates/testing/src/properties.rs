//! The settings of the property tests of the workspace.
//!
//! `cargo test` draws the same values in every run, so it never fails by chance. A campaign
//! (`cargo xtask campaign`) sets proptest's own variables, `PROPTEST_RNG_SEED` and
//! `PROPTEST_CASES`, to draw other and more values.
//!
//! proptest's regression files are off. They store seeds, which give other values as soon as a
//! generator changes. A failure found by a campaign becomes an ordinary test with the shrunk value
//! written out, next to the property that it broke.

use proptest::test_runner::{Config, RngAlgorithm, RngSeed};

/// The seed of every property test, unless `PROPTEST_RNG_SEED` gives another one.
const SEED: u64 = 0x1be7_3ee2;

/// Returns the settings of a property test that draws this many values.
///
/// `PROPTEST_CASES` overrides the number, which proptest's `Config::with_cases` does not allow.
///
/// # Examples
///
/// ```
/// use inbetween_testing::properties;
/// use proptest::prelude::*;
///
/// proptest! {
///     #![proptest_config(properties::cases(256))]
///
///     # /*
///     #[test]
///     # */
///     fn negating_twice_changes_nothing(number in any::<i32>()) {
///         prop_assert_eq!(number.wrapping_neg().wrapping_neg(), number);
///     }
/// }
/// # negating_twice_changes_nothing();
/// ```
pub fn cases(number: u32) -> Config {
    let asked = Config::default();
    let is_set = std::env::var_os("PROPTEST_CASES").is_some();
    let cases = if is_set { asked.cases } else { number };
    Config {
        cases,
        max_global_rejects: cases.saturating_mul(8),
        rng_algorithm: RngAlgorithm::ChaCha,
        rng_seed: match asked.rng_seed {
            RngSeed::Random => RngSeed::Fixed(SEED),
            given @ RngSeed::Fixed(_) => given,
        },
        failure_persistence: None,
        ..asked
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    use super::*;

    #[test]
    fn two_runs_draw_the_same_values() {
        let draw = || {
            let mut runner = TestRunner::new(cases(10));
            let tree = any::<[u64; 8]>().new_tree(&mut runner).unwrap();
            tree.current()
        };
        assert_eq!(draw(), draw());
    }
}
