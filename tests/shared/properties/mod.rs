//! How properties are tested: the seeds of failures are kept, and what a property spoke of is counted.
//!
//! **Seeds.** `.cargo/config.toml` gives the seed of all cases, so that a test which passed passes again. What makes a
//! property fail is written beside the test (`tests/decoders/exact.proptest-regressions` of `tests/decoders/exact.rs`) and tried first from then on, on every machine: such files are committed with the change that
//! mends the fault. A failure elsewhere prints its line (`cc ...`), to be added by hand. Properties inside `src` keep
//! theirs in the folder `proptest-regressions`.
//!
//! **Counts.** A property such as "proven answers have the same score" holds of nothing at all where no answer is
//! proven. Such tests count what they saw in a [`Tally`], and fail when it has nothing of a kind that they are about.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Display;

use proptest::prelude::ProptestConfig;
use proptest::test_runner::FileFailurePersistence;

/// At most so many random cases, beside those that have failed before: a test says how many are enough for it, `TREEBOUND_CASES`
/// how many a patient run takes instead.
pub fn cases(enough: u32) -> ProptestConfig {
    let asked_for = std::env::var("TREEBOUND_CASES").ok().and_then(|cases| cases.parse().ok());
    let cases = asked_for.unwrap_or(enough.min(USUAL));
    let seeds = FileFailurePersistence::WithSource("proptest-regressions");
    ProptestConfig { cases, failure_persistence: Some(Box::new(seeds)), ..ProptestConfig::default() }
}

/// Cases of a property if nothing else is asked for.
const USUAL: u32 = 200;

/// How often each kind of case was seen.
#[derive(Debug, Default)]
pub struct Tally {
    seen: RefCell<BTreeMap<String, u64>>,
}

impl Tally {
    /// One more of a kind.
    pub fn add(&self, kind: impl Display) {
        *self.seen.borrow_mut().entry(kind.to_string()).or_default() += 1;
    }

    /// How many there were of a kind.
    pub fn of(&self, kind: impl Display) -> u64 {
        self.seen.borrow().get(&kind.to_string()).copied().unwrap_or(0)
    }

    /// That each of these kinds was seen.
    #[track_caller]
    pub fn has<K: Display>(&self, kinds: impl IntoIterator<Item = K>) {
        for kind in kinds {
            assert!(self.of(&kind) > 0, "no case of `{kind}`, so nothing was tested of it: {:?}", self.seen.borrow());
        }
    }
}
