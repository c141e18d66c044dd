//! How often predicted tags are right (`tagging.csv`): counts only, one row a corpus and part.

use super::at_most;
use super::columns::columns;
use super::csv::Record;
use treebound_parser::cell::{CorpusName, Split};
use treebound_records::{LineFault, RowKey};

columns! {
    /// A part of a corpus tagged by the tagger: the training part by jackknifing, the others by the tagger that learnt
    /// from all of the training part; `cv` by the taggers that learnt from other folds.
    pub struct TaggingRow {
        /// Name of the corpus in the config.
        pub corpus: CorpusName,
        /// Its part.
        pub split: Split,
        /// What made the tags.
        pub key: RowKey,
        /// Sentences.
        pub sentences: u64,
        /// Words.
        pub tokens: u64,
        /// Words with the right fine tag.
        pub fine_correct: u64,
        /// Words with the right coarse tag.
        pub coarse_correct: u64,
        /// Words with both tags right.
        pub both_correct: u64,
        /// Words whose form the tagger had not seen in training.
        pub unknown_tokens: u64,
        /// Such words with the right fine tag.
        pub unknown_fine_correct: u64,
    }
}

impl TaggingRow {
    /// Adds the counts of other sentences.
    pub fn add(&mut self, other: &Self) {
        let Self { corpus: _, split: _, sentences, tokens, fine_correct, coarse_correct, both_correct, .. } = other;
        self.sentences += sentences;
        self.tokens += tokens;
        self.fine_correct += fine_correct;
        self.coarse_correct += coarse_correct;
        self.both_correct += both_correct;
        self.unknown_tokens += other.unknown_tokens;
        self.unknown_fine_correct += other.unknown_fine_correct;
    }
}

impl Record for TaggingRow {
    fn check(&self) -> Result<(), LineFault> {
        let tokens = ("tokens", self.tokens);
        at_most(("fine_correct", self.fine_correct), tokens)?;
        at_most(("coarse_correct", self.coarse_correct), tokens)?;
        at_most(("both_correct", self.both_correct), ("fine_correct", self.fine_correct))?;
        at_most(("both_correct", self.both_correct), ("coarse_correct", self.coarse_correct))?;
        at_most(("unknown_tokens", self.unknown_tokens), tokens)?;
        at_most(("unknown_fine_correct", self.unknown_fine_correct), ("unknown_tokens", self.unknown_tokens))?;
        Ok(())
    }

    fn same_key(&self, other: &Self) -> bool {
        (&self.corpus, &self.split) == (&other.corpus, &other.split)
    }

    fn key(&self) -> String {
        format!("{}/{}", self.corpus, self.split)
    }
}
