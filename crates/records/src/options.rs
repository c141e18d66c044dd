//! What reports need to know of a config beside its results.

use std::collections::BTreeMap;

/// What tables need to know beyond records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableOptions {
    /// The punctuation rule, for people.
    pub punctuation: String,
    /// The data set of the paper (`PTB`, `CTB`) whose figures stand beside a corpus, by name of the corpus.
    pub published: BTreeMap<String, String>,
    /// Random rounds of each significance test.
    pub rounds: u32,
    /// Seed of the tests; nothing to do with training.
    pub random_seed: u64,
    /// The folds of cross-validated rows, if there are any.
    pub folds: Option<usize>,
    /// The systems that come with the program, in the order in which tables show them; others are of somebody else.
    pub systems: Vec<String>,
    /// The axes whose values tables and figures put side by side.
    pub beside: Vec<String>,
}

impl TableOptions {
    /// The name of a system for people; that of a parser of somebody else is marked.
    pub fn system_label(&self, system: &str) -> String {
        if self.is_external(system) { format!("{system} (external)") } else { system.to_owned() }
    }

    /// Whether a system is that of somebody else.
    pub fn is_external(&self, system: &str) -> bool {
        self.systems.iter().all(|known| known != system)
    }
}
