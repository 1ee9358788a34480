//! Runs the law on random animations, case by case.

use inbetween_core::Animation;
use proptest::test_runner::{Config, TestCaseError, TestError, TestRunner};

use crate::hard::{self, Suits};
use crate::properties;

/// The result of a case for an animation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The law holds.
    Kept,
    /// The animation cannot be written or edited, which an error reports.
    Refused,
}

/// The check of a case for an animation.
type Check<'a> = Box<dyn Fn(&Animation) -> Result<Verdict, String> + 'a>;

/// A conversion or an edit to which the law applies.
pub struct Case<'a> {
    name: String,
    suits: Suits,
    check: Check<'a>,
}

impl std::fmt::Debug for Case<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

impl<'a> Case<'a> {
    /// Creates a case of a conversion or an edit, for animations of a kind.
    pub fn new(
        name: impl Into<String>,
        suits: Suits,
        check: impl Fn(&Animation) -> Result<Verdict, String> + 'a,
    ) -> Self {
        Self { name: name.into(), suits, check: Box::new(check) }
    }

    /// Runs the case on random animations.
    fn run(&self, number: u32) -> Result<(), String> {
        let config = Config { max_shrink_iters: 3_000, ..properties::cases(number) };
        let kept = std::cell::Cell::new(0_u32);
        let mut runner = TestRunner::new(config);
        // Shrinking may end at an animation that does not fail, so the last failing one is kept.
        let failed = std::cell::RefCell::new(None);
        let outcome = runner.run(&hard::animations(self.suits), |clip| {
            let checked = (self.check)(&clip).map(|verdict| {
                kept.set(kept.get() + u32::from(verdict == Verdict::Kept));
            });
            checked.map_err(|reason| {
                failed.replace(Some(clip));
                TestCaseError::fail(reason)
            })
        });
        match outcome {
            Ok(()) if kept.get() < number / 4 => {
                Err(format!("{}: only {} of {number} were not refused", self.name, kept.get()))
            }
            Ok(()) => Ok(()),
            Err(TestError::Abort(reason)) => Err(format!("{}: {reason}", self.name)),
            Err(TestError::Fail(reason, _)) => {
                let clip = failed.into_inner();
                Err(format!("{}: {reason}\n  with {clip:?}", self.name))
            }
        }
    }
}

/// Runs cases on this many random animations each.
///
/// # Panics
///
/// If a case breaks the law, with the shrunk animation.
pub fn run(cases: &[Case<'_>], number: u32) {
    let failures: Vec<String> = cases.iter().filter_map(|case| case.run(number).err()).collect();
    assert!(failures.is_empty(), "Test failed: {}", failures.join("\n"));
}
