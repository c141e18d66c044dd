//! Table 1: the data. One line a corpus and split, with the counts that prove it is the same data.

use super::table::{Section, Table};
use treebound_parser::cell::{CorpusName, Split};
use treebound_records::columns::columns;
use treebound_records::csv::Record;
use treebound_records::number::grouped;
use treebound_records::sheet::Sheet;

columns! {
    /// A part of a corpus.
    pub struct SplitRow {
        /// The treebank.
        pub corpus: CorpusName,
        /// Its part.
        pub split: Split,
        /// Where its sentences come from, for people: a path, a pattern of paths or `synthetic`.
        pub source: String,
        /// Files read; none for a treebank that is made.
        pub files: Option<u64>,
        /// Sentences.
        pub sentences: u64,
        /// Words.
        pub tokens: u64,
        /// Words that are no punctuation by the config's rule.
        pub scored_tokens: u64,
        /// Sentences whose gold tree is not projective.
        pub nonprojective: u64,
        /// Words of the longest sentence.
        pub longest: u64,
    }
}

impl Record for SplitRow {
    fn same_key(&self, other: &Self) -> bool {
        (&self.corpus, self.split) == (&other.corpus, other.split)
    }

    fn key(&self) -> String {
        format!("{}, {}", self.corpus, self.split)
    }
}

/// The table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table1 {
    rows: Vec<SplitRow>,
}

/// The table of the given parts, sorted by corpus, then train, dev, test.
pub fn table1(mut rows: Vec<SplitRow>) -> Table1 {
    rows.sort_by(|a, b| (&a.corpus, a.split).cmp(&(&b.corpus, b.split)));
    Table1 { rows }
}

impl Table1 {
    /// The rows, sorted.
    pub fn rows(&self) -> &[SplitRow] {
        &self.rows
    }

    /// The table, with the columns of `table1.csv`.
    pub fn table(&self) -> Table {
        let rows = || self.rows.iter();
        let sheet = Sheet::default()
            .text("corpus", rows().map(|r| r.corpus.as_str()))
            .text("split", rows().map(|r| r.split.name()))
            .text("source", rows().map(|r| &r.source))
            .count("files", rows().map(|r| r.files))
            .count("sentences", rows().map(|r| Some(r.sentences)))
            .count("tokens", rows().map(|r| Some(r.tokens)))
            .count("scored_tokens", rows().map(|r| Some(r.scored_tokens)))
            .count("nonprojective", rows().map(|r| Some(r.nonprojective)))
            .count("longest", rows().map(|r| Some(r.longest)));
        let section = Section::new("Table 1: data")
            .left("corpus", rows().map(|r| r.corpus.to_string()))
            .left("part", rows().map(|r| r.split.to_string()))
            .right_if_any("files", rows().map(|r| r.files.map_or_else(String::new, grouped)))
            .right("sentences", rows().map(|r| grouped(r.sentences)))
            .right("words", rows().map(|r| grouped(r.tokens)))
            .right("scored", rows().map(|r| grouped(r.scored_tokens)))
            .right("non-\nprojective", rows().map(|r| grouped(r.nonprojective)))
            .right("longest", rows().map(|r| grouped(r.longest)))
            .left("source", rows().map(|r| r.source.clone()));
        Table::new(vec![section], sheet).with_closing(NOTE)
    }
}

const NOTE: &str = "scored: words that are no punctuation. non-projective: sentences. longest: words.\n";
