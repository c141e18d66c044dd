//! How long artifacts take (`times.csv`): one row a kind of artifact and build, of the machine that it was last made on.

use super::columns::columns;
use super::csv::Record;
use treebound_records::LineFault;

columns! {
    /// What artifacts of one kind took. Times depend on the machine.
    pub struct ArtifactTimeRow {
        /// The kind, its words set apart by slashes.
        pub artifact: String,
        /// Profile of the build that made them.
        pub profile: String,
        /// The machine.
        pub machine: String,
        /// Threads.
        pub threads: u64,
        /// Words of the sentences of one artifact, as often as they are passed over.
        pub words: u64,
        /// Its share of the wall clock, in milliseconds.
        pub ms: u64,
    }
}

impl Record for ArtifactTimeRow {
    fn check(&self) -> Result<(), LineFault> {
        if self.words > 0 {
            return Ok(());
        }
        Err(LineFault::Field { column: "words", value: "0".to_owned(), expected: "a whole number from 1 on" })
    }

    fn same_key(&self, other: &Self) -> bool {
        (&self.artifact, &self.profile) == (&other.artifact, &other.profile)
    }

    fn key(&self) -> String {
        format!("{} ({})", self.artifact, self.profile)
    }
}
