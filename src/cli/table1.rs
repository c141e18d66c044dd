//! The rows of Table 1, from the corpora themselves.

use treebound_experiment::config::{Corpus, Format};
use treebound_experiment::data::{Part, Treebank};
use treebound_parser::cell::Split;
use treebound_report::tables::table1::SplitRow;

/// One row a part of a treebank.
pub fn rows(treebank: &Treebank) -> Vec<SplitRow> {
    Split::PARTS.map(|split| row(treebank, split, treebank.part(split))).into()
}

fn row(treebank: &Treebank, split: Split, part: &Part) -> SplitRow {
    let corpus = &treebank.corpus;
    let made = corpus.format == Format::Synthetic;
    let tokens = || part.sentences.iter().flat_map(|sentence| &sentence.tokens);
    SplitRow {
        corpus: corpus.name.clone(),
        split,
        source: if made { "synthetic".to_owned() } else { names(corpus, split).join(" ") },
        files: (!made).then_some(part.files.len() as u64),
        sentences: part.sentences.len() as u64,
        tokens: part.tokens() as u64,
        scored_tokens: tokens().filter(|token| !corpus.punctuation.covers(token)).count() as u64,
        nonprojective: part.nonprojective() as u64,
        longest: part.sentences.iter().map(|sentence| sentence.len() as u64).max().unwrap_or(0),
    }
}

/// The files of a part as the config names them: the folder is not the same on every machine.
fn names(corpus: &Corpus, split: Split) -> &[String] {
    match split {
        Split::Train => &corpus.train,
        Split::Dev => &corpus.dev,
        Split::Test => &corpus.test,
        // It is no part, and has no row.
        Split::Cv => &[],
    }
}
