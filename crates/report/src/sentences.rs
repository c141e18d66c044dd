//! What each sentence of each cell counts (`by_sentence.csv`): columns of whole numbers, for tests and for what means do not say.
//!
//! They are not in a [`Frame`], since they are a thousand times as many as all other rows: a column of a cell is expanded where
//! it is asked for.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::frame::{Frame, Names};
use crate::measures::Measure;
use treebound_records::cell_numbers::CellNumbers;
use treebound_records::schema::{self, Kind};
use treebound_records::series::Series;
use treebound_records::table::{KEY, Table, Values};
use treebound_records::{ReportError, cell_numbers, file};
use treebound_statistics::{PairFault, Paired, Sample, pair};

/// How often, and how far apart, the rows of a folder are read again that do not add up: who writes them now writes one file
/// after the other.
const TRIES: usize = 5;
const BETWEEN_TRIES: Duration = Duration::from_millis(100);

/// Holds the rows of a results folder against each other, before any verb shows one: sentences must add up to scores.
///
/// # Errors
/// As [`check_sums`].
pub fn check_folder(folder: &Path) -> Result<(), ReportError> {
    let [scores, sentences] = ["scores.csv", cell_numbers::FILE].map(|name| folder.join(name));
    let check = || match (file::bytes_if_there(&scores)?, file::bytes_if_there(&sentences)?) {
        (Some(of_cells), Some(of_sentences)) => check_sums((&of_cells, &scores), (&of_sentences, &sentences)),
        _ => Ok(()),
    };
    let mut tries = 0;
    loop {
        match check() {
            Err(ReportError::Sums { .. }) if tries < TRIES => tries += 1,
            done => return done,
        }
        std::thread::sleep(BETWEEN_TRIES);
    }
}

/// Holds the bytes of `by_sentence.csv` against those of `scores.csv`, each with its path for messages.
///
/// # Errors
/// If they cannot be parsed, or the first cell whose sentences do not add up to its scores.
pub fn check_sums(scores: (&[u8], &Path), sentences: (&[u8], &Path)) -> Result<(), ReportError> {
    let rows = Frame::parse(scores.0, scores.1, &schema::SCORES)?;
    match Sentences::parse(sentences.0, sentences.1)?.contradiction(&rows)? {
        Some(cell) => Err(ReportError::Sums { scores: scores.1.to_owned(), path: sentences.1.to_owned(), cell }),
        None => Ok(()),
    }
}

/// A line in a sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Its name.
    pub line: String,
    /// How often it counts; the signs of a sum are 0 together.
    pub sign: i64,
    /// Whether the sum is of its words.
    pub is_whole: bool,
}

/// The sentences of cells.
#[derive(Clone, Debug, Default)]
pub struct Sentences {
    /// By line and seed.
    lines: BTreeMap<String, BTreeMap<u64, CellNumbers>>,
    /// What made each cell, by name.
    keys: BTreeMap<String, String>,
}

impl Sentences {
    /// Reads the file; none if it is not there.
    ///
    /// # Errors
    /// As [`Table::read`], or if the numbers of a cell do not go together.
    pub fn read(path: &Path) -> Result<Self, ReportError> {
        Self::new(Table::read(path, &schema::BY_SENTENCE)?, path)
    }

    /// Parses the bytes of a file; `path` is for messages.
    ///
    /// # Errors
    /// As [`Table::parse`], or if the numbers of a cell do not go together.
    pub fn parse(bytes: &[u8], path: &Path) -> Result<Self, ReportError> {
        Self::new(Table::parse(bytes, path, &schema::BY_SENTENCE)?, path)
    }

    fn new(table: Table, path: &Path) -> Result<Self, ReportError> {
        let Names { lines: names, seeds } = Names::new(&table);
        let own_keys = table.columns.iter().find(|(name, _)| name == KEY);
        let own_keys = own_keys.and_then(|(_, keys)| if let Values::Words(keys) = keys { Some(keys) } else { None });
        let series = table.columns.iter().filter_map(|(name, values)| match values {
            Values::Series(series) => Some((name.clone(), series)),
            Values::Words(_) | Values::Counts(_) | Values::Signed(_) => None,
        });
        let (columns, series): (Vec<String>, Vec<&Vec<Series>>) = series.unzip();
        let columns: Arc<[String]> = columns.into();
        let mut lines: BTreeMap<String, BTreeMap<u64, CellNumbers>> = BTreeMap::new();
        let mut keys = BTreeMap::new();
        for (row, (line, seed)) in names.into_iter().zip(seeds).enumerate() {
            let own = series.iter().map(|of_all| of_all[row].clone()).collect();
            let numbers = CellNumbers::new(columns.clone(), own)
                .ok_or_else(|| ReportError::Sentences { path: path.to_owned(), cell: format!("{line}/seed={seed}") })?;
            let key = own_keys.and_then(|keys| keys[row].clone()).unwrap_or_default();
            keys.insert(format!("{line}/seed={seed}"), key);
            lines.entry(line).or_default().insert(seed, numbers);
        }
        Ok(Self { lines, keys })
    }

    /// Those of cells that are kept, by name.
    pub fn only(mut self, keep: impl Fn(&str) -> bool) -> Self {
        for (line, seeds) in &mut self.lines {
            seeds.retain(|seed, _| keep(&format!("{line}/seed={seed}")));
        }
        self.lines.retain(|_, seeds| !seeds.is_empty());
        self
    }

    /// The first cell, if there is one, whose sentences do not add up to its row of the scores, were made by something else, or
    /// have no such row.
    ///
    /// # Errors
    /// If the scores lack a column.
    pub fn contradiction(&self, scores: &Frame) -> Result<Option<String>, ReportError> {
        if scores.is_empty() {
            return Ok(self.cells().next());
        }
        let is_sum = |kind: Kind| matches!(kind, Kind::Count | Kind::Optional);
        let names: Vec<&str> =
            schema::SCORES.columns.iter().filter(|column| is_sum(column.kind)).map(|column| column.name).collect();
        let sums = names.iter().map(|name| scores.counts(name)).collect::<Result<Vec<_>, _>>()?;
        let rows = scores.words("line")?.into_iter().zip(scores.counts("seed")?).zip(scores.words(KEY)?).enumerate();
        for (row, ((line, seed), key)) in rows {
            let Some(numbers) = seed.and_then(|seed| self.cell(&line, seed)) else { continue };
            let own_key = self.keys.get(&format!("{line}/seed={}", seed.unwrap_or(0)));
            if own_key != Some(&key) || names.iter().zip(&sums).any(|(name, sums)| numbers.sum(name) != sums[row]) {
                return Ok(Some(format!("{line}/seed={}", seed.unwrap_or(0))));
            }
        }
        let own: BTreeSet<String> = scores.words("cell")?.into_iter().collect();
        Ok(self.cells().find(|cell| !own.contains(cell)))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The names of the cells.
    pub fn cells(&self) -> impl Iterator<Item = String> {
        self.lines.iter().flat_map(|(line, seeds)| seeds.keys().map(move |seed| format!("{line}/seed={seed}")))
    }

    /// The numbers of a cell.
    pub fn cell(&self, line: &str, seed: u64) -> Option<&CellNumbers> {
        self.lines.get(line)?.get(&seed)
    }

    /// The numbers of a line, by seed.
    pub fn line(&self, line: &str) -> Option<&BTreeMap<u64, CellNumbers>> {
        self.lines.get(line)
    }

    /// The seeds of a line whose sentences are here.
    pub fn seeds(&self, line: &str) -> Vec<u64> {
        self.lines.get(line).map_or_else(Vec::new, |seeds| seeds.keys().copied().collect())
    }

    /// What a test of a measure pairs of a line: its sentences with each of some seeds, if those of all are here.
    pub fn samples(&self, line: &str, seeds: &[u64], measure: &Measure) -> Vec<Sample> {
        let Some([part, whole]) = measure.pair() else { return Vec::new() };
        let sample = |&seed: &u64| {
            let numbers = self.cell(line, seed)?;
            let [right, all, scored] = [part, whole, "scored_tokens"].map(|name| numbers.values(name));
            Some(Sample { seed, right: right?, all: all?, scored: scored? })
        };
        seeds.iter().map(sample).collect::<Option<_>>().unwrap_or_default()
    }

    /// Two lines sentence by sentence, each with its seeds. A test must be of what its difference is of: sentences of some of these
    /// seeds alone are not.
    ///
    /// # Errors
    /// If they do not have the same seeds, sentences and scored words, or their sentences are not here.
    pub fn pair(&self, lines: [(&str, &[u64]); 2], measure: &Measure) -> Result<Paired, PairFault> {
        let [first, second] = lines.map(|(line, seeds)| self.samples(line, seeds, measure));
        pair(&first, &second)
    }

    /// The sum of several lines with some seeds, each with its sign, sentence by sentence.
    ///
    /// # Errors
    /// As [`pair`](Self::pair), of any two of them.
    pub fn contrast(&self, terms: &[Term], seeds: &[u64], measure: &Measure) -> Result<Paired, PairFault> {
        let Some(first) = terms.first() else { return Err(PairFault::Empty) };
        let reference = self.samples(&first.line, seeds, measure);
        let mut sum: Option<Paired> = None;
        for term in terms {
            // What all have in common cancels: the signs are 0 together.
            let own = pair(&self.samples(&term.line, seeds, measure), &reference)?;
            let whole = u64::from(term.is_whole);
            let sum = sum.get_or_insert_with(|| Paired {
                difference: vec![0; own.difference.len()],
                scored: vec![0; own.scored.len()],
                by_seed: own.by_seed.iter().map(|seed| vec![0; seed.len()]).collect(),
            });
            let add = |to: &mut Vec<i64>, from: &[i64]| {
                to.iter_mut().zip(from).for_each(|(to, from)| *to += term.sign * from);
            };
            add(&mut sum.difference, &own.difference);
            sum.by_seed.iter_mut().zip(&own.by_seed).for_each(|(to, from)| add(to, from));
            sum.scored.iter_mut().zip(&own.scored).for_each(|(to, from)| *to += whole * from);
        }
        sum.ok_or(PairFault::Empty)
    }
}
