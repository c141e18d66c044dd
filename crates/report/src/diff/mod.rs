//! What changed between two results of one experiment: scores by cell, and the config beside them.
//!
//! Results that are not from the same data, scored alike, are refused: their scores do not compare.

mod config;
mod measure;
mod settings;
mod show;
mod speeds;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::statistics::average::same_data;
use crate::statistics::significance::Draws;
use treebound_parser::cell::{CellKey, CorpusName, Split};
use treebound_records::{Counts, MixedFault, ReportError, ScoreRow, SentenceRow};

pub use config::ConfigChange;
pub use settings::{Mark, SettingDiff, Sums};
pub use speeds::{SpeedDiff, Times};

/// Results as they stand in a folder, or stood there in a revision.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// Where they are from, for people.
    pub name: String,
    /// `scores.csv`.
    pub scores: Vec<ScoreRow>,
    /// `config.resolved.toml`, if there is one.
    pub config: Option<toml::Table>,
    /// Of `by_sentence.csv`, where it is.
    pub sentences: Vec<SentenceRow>,
    /// The checksums of treebanks by corpus and part (`en_ewt/test`), of `provenance.toml`, where it is.
    pub treebanks: BTreeMap<String, BTreeSet<String>>,
    /// How long it took, where it was timed.
    pub times: Times,
}

impl Side {
    /// The corpora and parts that it has scores of.
    fn parts(&self) -> BTreeSet<(CorpusName, Split)> {
        let settings = self.scores.iter().map(|row| &row.cell.setting);
        settings.map(|setting| (setting.corpus.clone(), setting.split)).collect()
    }
}

/// Refuses results of which nothing compares: they have no part of a corpus in common, or one that was read from other files.
/// Training parts may be others; such a change is told beside those of the config.
fn same_files(old: &Side, new: &Side) -> Result<Vec<ConfigChange>, ReportError> {
    let shared: BTreeSet<_> = old.parts().intersection(&new.parts()).cloned().collect();
    let names = || (old.name.clone(), new.name.clone());
    if shared.is_empty() && !old.scores.is_empty() && !new.scores.is_empty() {
        let (first, second) = names();
        return Err(ReportError::Mixed(MixedFault::Nothing { first, second }));
    }
    // Where results are from several runs, one in common will do: nobody can tell which rows are whose.
    let others = |part: &String| {
        let (first, second) = (old.treebanks.get(part)?, new.treebanks.get(part)?);
        let sums = first.first().zip(second.first())?;
        first.is_disjoint(second).then(|| [sums.0, sums.1].map(|sum| sum.chars().take(12).collect::<String>()))
    };
    let mut changes = Vec::new();
    for (corpus, split) in shared {
        let parsed = if split == Split::Cv { Split::PARTS.to_vec() } else { vec![split] };
        for part in parsed.into_iter().map(|part| format!("{corpus}/{part}")) {
            if let Some([first_sum, second_sum]) = others(&part) {
                let (first, second) = names();
                let (first, second) = (format!("{first} ({first_sum}...)"), format!("{second} ({second_sum}...)"));
                let fault = MixedFault::Treebank { part, first, second };
                return Err(ReportError::Mixed(fault));
            }
        }
        for part in Split::PARTS.map(|part| format!("{corpus}/{part}")) {
            if let Some([first, second]) = others(&part) {
                let setting = format!("data.{part}");
                changes.push(ConfigChange { setting, old: Some(first), new: Some(second) });
            }
        }
    }
    changes.dedup();
    Ok(changes)
}

/// Counts of a cell or why it has none; none at all if the cell is not there.
pub type Found = Option<Result<Counts, String>>;

/// A cell on both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellDiff {
    /// The cell.
    pub cell: Arc<CellKey>,
    /// What it was.
    pub old: Found,
    /// What it is.
    pub new: Found,
}

impl CellDiff {
    /// True if anything changed.
    pub fn is_changed(&self) -> bool {
        self.old != self.new
    }

    /// True if fewer words without punctuation are right or fewer sentences proven, or the cell has no counts any more.
    pub fn is_worse(&self) -> bool {
        match (&self.old, &self.new) {
            (Some(Ok(old)), Some(Ok(new))) => {
                let fewer_proofs = old.proven.zip(new.proven).is_some_and(|(old, new)| new < old);
                new.scored_correct < old.scored_correct || fewer_proofs
            }
            _ => self.is_gone(),
        }
    }

    /// True if the cell has no counts any more.
    pub fn is_gone(&self) -> bool {
        matches!(&self.old, Some(Ok(_))) && !matches!(&self.new, Some(Ok(_)))
    }
}

/// What changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Diff {
    /// Name of the old side.
    pub old: String,
    /// Name of the new side.
    pub new: String,
    /// Sides that have no `config.resolved.toml`, so that their configs could not be compared.
    pub without_config: Vec<String>,
    /// Settings that changed, by name.
    pub config: Vec<ConfigChange>,
    /// All cells of both sides, sorted.
    pub cells: Vec<CellDiff>,
    /// All settings of both sides, sorted.
    pub settings: Vec<SettingDiff>,
    /// Settings that only the new side has, beside those of the old side that they replaced.
    pub replacements: Vec<SettingDiff>,
    /// Settings that one machine timed on both sides.
    pub speeds: Vec<SpeedDiff>,
    /// Cells that were timed on both sides by other machines, or by machines that nobody knows.
    pub timed_elsewhere: usize,
}

impl Diff {
    /// Cells that changed.
    pub fn changed(&self) -> impl Iterator<Item = &CellDiff> {
        self.cells.iter().filter(|cell| cell.is_changed())
    }

    /// Cells that got worse.
    pub fn worse(&self) -> impl Iterator<Item = &CellDiff> {
        self.cells.iter().filter(|cell| cell.is_worse())
    }
}

/// Compares two results.
///
/// # Errors
/// If cells of one corpus and split were not run on the same data on both sides, or another punctuation rule was used, or
/// no corpus and split is on both.
pub fn diff(old: &Side, new: &Side) -> Result<Diff, ReportError> {
    let data = same_files(old, new)?;
    let scores = [&old.scores, &new.scores];
    let mut cells: BTreeMap<Arc<CellKey>, (Found, Found)> = BTreeMap::new();
    for row in scores[0] {
        cells.entry(row.cell.clone()).or_default().0 = Some(row.counts.clone());
    }
    for row in scores[1] {
        cells.entry(row.cell.clone()).or_default().1 = Some(row.counts.clone());
    }
    let corpora = |side: &Side| side.scores.iter().map(|row| row.cell.setting.corpus.clone()).collect::<BTreeSet<_>>();
    let shared: Vec<CorpusName> = corpora(old).intersection(&corpora(new)).cloned().collect();
    let mut config = Vec::new();
    if let (Some(before), Some(after)) = (&old.config, &new.config) {
        for corpus in shared {
            let rules = [before, after].map(|config| config::punctuation(config, corpus.as_str()));
            let [Some(first_rule), Some(second_rule)] = rules else { continue };
            if first_rule != second_rule {
                let (first, second) = (old.name.clone(), new.name.clone());
                let fault =
                    MixedFault::Punctuation { corpus: corpus.to_string(), first, first_rule, second, second_rule };
                return Err(ReportError::Mixed(fault));
            }
        }
        config = config::changes(before, after);
    }
    config.extend(data);
    let rows = [old, new]
        .into_iter()
        .zip(scores)
        .flat_map(|(side, scores)| scores.iter().map(move |row| (row, format!("{} in {}", row.cell, side.name))));
    same_data(rows)?;
    let cells: Vec<CellDiff> = cells.into_iter().map(|(cell, (old, new))| CellDiff { cell, old, new }).collect();
    let sentences = [&old.sentences[..], &new.sentences[..]];
    let (speeds, timed_elsewhere) = speeds::compared([&old.times, &new.times], scores.map(Vec::as_slice))?;
    Ok(Diff {
        speeds,
        timed_elsewhere,
        settings: settings::settings(&cells, sentences, Draws::default()),
        replacements: settings::replacements(&cells, sentences, Draws::default()),
        old: old.name.clone(),
        new: new.name.clone(),
        without_config: [old, new].iter().filter(|s| s.config.is_none()).map(|s| s.name.clone()).collect(),
        config,
        cells,
    })
}
