//! Table 1: the data. One line a corpus and split, with the counts that prove it is the same data.

use std::path::Path;

use super::table::{Section, Table, plain_sheet};
use crate::frame::Frame;
use treebound_records::ReportError;
use treebound_records::number::grouped;
use treebound_records::schema::TABLE1;
use treebound_records::sheet::Sheet;

/// A part of a corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitRow {
    /// The treebank.
    pub corpus: String,
    /// Its part.
    pub split: String,
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

/// The columns of `table1.csv`.
const COLUMNS: [&str; 9] =
    ["corpus", "split", "source", "files", "sentences", "tokens", "scored_tokens", "nonprojective", "longest"];

/// The bytes of `table1.csv` with parts of corpora, sorted by corpus, then train, dev, test.
///
/// # Errors
/// If columns differ in length, which they do not.
pub fn csv(mut rows: Vec<SplitRow>) -> Result<Vec<u8>, ReportError> {
    let place = |split: &str| ["train", "dev", "test"].iter().position(|part| *part == split);
    rows.sort_by(|a, b| (&a.corpus, place(&a.split)).cmp(&(&b.corpus, place(&b.split))));
    let rows = || rows.iter();
    Sheet::default()
        .text("corpus", rows().map(|r| &r.corpus))
        .text("split", rows().map(|r| &r.split))
        .text("source", rows().map(|r| &r.source))
        .count("files", rows().map(|r| r.files))
        .count("sentences", rows().map(|r| Some(r.sentences)))
        .count("tokens", rows().map(|r| Some(r.tokens)))
        .count("scored_tokens", rows().map(|r| Some(r.scored_tokens)))
        .count("nonprojective", rows().map(|r| Some(r.nonprojective)))
        .count("longest", rows().map(|r| Some(r.longest)))
        .csv()
}

/// The parts of corpora of a file.
///
/// # Errors
/// If the rows are not those of `table1.csv`.
pub fn rows(frame: &Frame) -> Result<Vec<SplitRow>, ReportError> {
    let words = ["corpus", "split", "source"].map(|name| frame.words(name));
    let counts = ["sentences", "tokens", "scored_tokens", "nonprojective", "longest"].map(|name| frame.counts(name));
    let words = words.into_iter().collect::<Result<Vec<_>, _>>()?;
    let counts = counts.into_iter().collect::<Result<Vec<_>, _>>()?;
    let files = frame.counts("files")?;
    let row = |at: usize| {
        let [corpus, split, source] = [0, 1, 2].map(|column: usize| words[column][at].clone());
        let [sentences, tokens, scored_tokens, nonprojective, longest] =
            [0, 1, 2, 3, 4].map(|column: usize| counts[column][at].unwrap_or(0));
        SplitRow { corpus, split, source, files: files[at], sentences, tokens, scored_tokens, nonprojective, longest }
    };
    Ok((0..frame.height()).map(row).collect())
}

/// The table of parts of corpora.
///
/// # Errors
/// If there are two rows of one part.
pub fn table1(rows: Vec<SplitRow>) -> Result<Table, ReportError> {
    table(&Frame::parse(&csv(rows)?, Path::new("table1.csv"), &TABLE1)?)
}

/// The table of the rows of `table1.csv`.
///
/// # Errors
/// If the rows are not those of such a file.
pub fn table(rows: &Frame) -> Result<Table, ReportError> {
    let count = |name: &str| {
        let counts = rows.counts(name)?.into_iter();
        Ok::<Vec<String>, ReportError>(counts.map(|count| count.map_or_else(String::new, grouped)).collect())
    };
    let section = Section::new("Table 1: data")
        .left("corpus", rows.words("corpus")?)
        .left("part", rows.words("split")?)
        .right_if_any("files", count("files")?)
        .right("sentences", count("sentences")?)
        .right("words", count("tokens")?)
        .right("scored", count("scored_tokens")?)
        .right("non-\nprojective", count("nonprojective")?)
        .right("longest", count("longest")?)
        .left("source", rows.words("source")?);
    Ok(Table::new(vec![section], plain_sheet(rows, &COLUMNS)?).with_closing(NOTE))
}

const NOTE: &str = "scored: words that are no punctuation. non-projective: sentences. longest: words.\n";
