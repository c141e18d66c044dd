//! Table 1, from the treebanks themselves.

use anyhow::Result;

use treebound_experiment::config::{Config, Corpus, Format};
use treebound_experiment::data::{Part, Treebank};
use treebound_parser::cell::Split;
use treebound_report::tables::table::Table;
use treebound_report::tables::table1::{SplitRow, table1};

/// The table, of all treebanks of a config.
pub fn corpora(config: &Config) -> Result<Table> {
    let mut rows = Vec::new();
    for corpus in &config.corpora {
        let treebank = Treebank::read(config, corpus)?;
        rows.extend(Split::PARTS.map(|split| row(corpus, split, treebank.part(split))));
    }
    Ok(table1(rows)?)
}

fn row(corpus: &Corpus, split: Split, part: &Part) -> SplitRow {
    let made = corpus.format == Format::Synthetic;
    let tokens = || part.sentences.iter().flat_map(|sentence| &sentence.tokens);
    SplitRow {
        corpus: corpus.name.to_string(),
        split: split.to_string(),
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
