//! What changed between two results of one experiment: scores by cell, and the config beside them.
//!
//! Results that are not from the same data, scored alike, are refused: their scores do not compare.

mod config;
mod settings;
mod show;
mod speeds;

use std::collections::{BTreeMap, BTreeSet};

use crate::frame::Frame;
use crate::sentences::Sentences;
use treebound_records::schema::{Kind, SCORES};
use treebound_records::{MixedFault, ReportError};
use treebound_statistics::Draws;

pub use config::ConfigChange;
pub use settings::{Mark, SettingDiff, Sums};
pub use speeds::{SpeedDiff, Times};

/// Results as they stand in a folder, or stood there in a revision.
#[derive(Clone, Debug)]
pub struct Side {
    /// Where they are from, for people.
    pub name: String,
    /// `scores.csv`.
    pub scores: Frame,
    /// `config.resolved.toml`, if there is one.
    pub config: Option<toml::Table>,
    /// `by_sentence.csv`, where it is.
    pub sentences: Sentences,
    /// The checksums of treebanks by corpus and part (`en_ewt/test`), of `provenance.toml`, where it is.
    pub treebanks: BTreeMap<String, BTreeSet<String>>,
    /// How long it took, where it was timed.
    pub times: Times,
}

/// The parts of treebanks, and the pool of all of them.
const PARTS: [&str; 3] = ["train", "dev", "test"];
const CROSS_VALIDATION: &str = "cv";

impl Side {
    /// The corpora and parts that it has scores of.
    fn parts(&self) -> Result<BTreeSet<(String, String)>, ReportError> {
        if self.scores.is_empty() {
            return Ok(BTreeSet::new());
        }
        Ok(self.scores.words("corpus")?.into_iter().zip(self.scores.words("split")?).collect())
    }
}

/// Refuses results of which nothing compares: they have no part of a corpus in common, or one that was read from other files.
/// Training parts may be others; such a change is told beside those of the config.
fn same_files(old: &Side, new: &Side) -> Result<Vec<ConfigChange>, ReportError> {
    let shared: BTreeSet<_> = old.parts()?.intersection(&new.parts()?).cloned().collect();
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
        let parsed = if split == CROSS_VALIDATION { PARTS.to_vec() } else { vec![split.as_str()] };
        for part in parsed.into_iter().map(|part| format!("{corpus}/{part}")) {
            if let Some([first_sum, second_sum]) = others(&part) {
                let (first, second) = names();
                let (first, second) = (format!("{first} ({first_sum}...)"), format!("{second} ({second_sum}...)"));
                let fault = MixedFault::Treebank { part, first, second };
                return Err(ReportError::Mixed(fault));
            }
        }
        for part in PARTS.map(|part| format!("{corpus}/{part}")) {
            if let Some([first, second]) = others(&part) {
                let setting = format!("data.{part}");
                changes.push(ConfigChange { setting, old: Some(first), new: Some(second) });
            }
        }
    }
    changes.dedup();
    Ok(changes)
}

/// The counts of a cell, by the columns of `scores.csv`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts(Vec<Option<u64>>);

impl Counts {
    /// The columns of counts.
    pub fn columns() -> impl Iterator<Item = &'static str> {
        let is_count = |kind: Kind| matches!(kind, Kind::Count | Kind::Optional);
        SCORES.columns.iter().filter(move |column| is_count(column.kind)).map(|column| column.name)
    }

    /// A count; none if it is not known.
    pub fn get(&self, name: &str) -> Option<u64> {
        Self::columns().zip(&self.0).find(|(column, _)| *column == name).and_then(|(_, count)| *count)
    }
}

/// Counts of a cell or why it has none; none at all if the cell is not there.
pub type Found = Option<Result<Counts, String>>;

/// A cell on both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellDiff {
    /// The name of the cell.
    pub cell: String,
    /// The row of its line.
    row: usize,
    seed: u64,
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
                let is_less = |name| old.get(name).zip(new.get(name)).is_some_and(|(old, new)| new < old);
                is_less("scored_correct") || is_less("proven")
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
#[derive(Clone, Debug)]
pub struct Diff {
    /// Name of the old side.
    pub old: String,
    /// Name of the new side.
    pub new: String,
    /// Sides that have no `config.resolved.toml`, so that their configs could not be compared.
    pub without_config: Vec<String>,
    /// Settings that changed, by name.
    pub config: Vec<ConfigChange>,
    /// All lines of both sides, sorted.
    lines: Frame,
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

impl Diff {
    /// The diff in which a setting that replaced another stands beside it alone, and not also as one that is new and one that is
    /// gone.
    #[must_use]
    pub fn with_replacements_once(mut self) -> Self {
        let both = |diff: &SettingDiff| [Some(diff.row), diff.replaced.map(|(_, old)| old)];
        let rows: BTreeSet<usize> = self.replacements.iter().flat_map(both).flatten().collect();
        self.settings.retain(|diff| !rows.contains(&diff.row));
        self.cells.retain(|cell| !rows.contains(&cell.row));
        self
    }
}

/// Compares two results.
///
/// # Errors
/// If cells of one corpus and split were not run on the same data on both sides, or another punctuation rule was used, or
/// no corpus and split is on both.
pub fn diff(old: &Side, new: &Side) -> Result<Diff, ReportError> {
    let data = same_files(old, new)?;
    let both = Frame::stacked(&[(OLD, &old.scores), (NEW, &new.scores)])?;
    let corpora = |side: &Side| {
        Ok::<_, ReportError>(side.parts()?.into_iter().map(|(corpus, _)| corpus).collect::<BTreeSet<_>>())
    };
    let shared: Vec<String> = corpora(old)?.intersection(&corpora(new)?).cloned().collect();
    let mut config = Vec::new();
    if let (Some(before), Some(after)) = (&old.config, &new.config) {
        for corpus in shared {
            let rules = [before, after].map(|config| config::punctuation(config, &corpus));
            let [Some(first_rule), Some(second_rule)] = rules else { continue };
            if first_rule != second_rule {
                let (first, second) = (old.name.clone(), new.name.clone());
                let fault = MixedFault::Punctuation { corpus, first, first_rule, second, second_rule };
                return Err(ReportError::Mixed(fault));
            }
        }
        config = config::changes(before, after);
    }
    config.extend(data);
    if !both.is_empty() {
        let side = |of: &str| if of == OLD { &old.name } else { &new.name };
        let names = both.words("cell")?.into_iter().zip(both.words("of")?);
        let names = names.map(|(cell, of)| Some(format!("{cell} in {}", side(&of)))).collect();
        both.clone().with_words("cell", names)?.check_data()?;
    }
    let lines = if both.is_empty() { both.clone() } else { both.lines()? };
    let cells = cells(&both, &lines)?;
    let sentences = [&old.sentences, &new.sentences];
    let (speeds, timed_elsewhere) = speeds::compared([&old.times, &new.times], [&old.scores, &new.scores], &lines)?;
    Ok(Diff {
        speeds,
        timed_elsewhere,
        settings: settings::settings(&lines, &cells, sentences, Draws::default())?,
        replacements: settings::replacements(&lines, &cells, sentences, Draws::default())?,
        old: old.name.clone(),
        new: new.name.clone(),
        without_config: [old, new].iter().filter(|s| s.config.is_none()).map(|s| s.name.clone()).collect(),
        config,
        lines,
        cells,
    })
}

/// The sides of stacked rows.
const OLD: &str = "old";
const NEW: &str = "new";

/// The cells of both sides, in order.
fn cells(both: &Frame, lines: &Frame) -> Result<Vec<CellDiff>, ReportError> {
    if both.is_empty() {
        return Ok(Vec::new());
    }
    let rows: BTreeMap<String, usize> = lines.words("line")?.into_iter().zip(0..).collect();
    let (names, of_lines, seeds) = (both.words("cell")?, both.words("line")?, both.counts("seed")?);
    let (sides, errors) = (both.words("of")?, both.words("error")?);
    let counts = Counts::columns().map(|name| both.counts(name)).collect::<Result<Vec<_>, _>>()?;
    let found = |row: usize| match errors[row].as_str() {
        "" => Ok(Counts(counts.iter().map(|counts| counts[row]).collect())),
        error => Err(error.to_owned()),
    };
    let cell = |run: std::ops::Range<usize>| {
        let of = |side: &str| run.clone().find(|&row| sides[row] == side).map(found);
        let at = run.start;
        CellDiff {
            cell: names[at].clone(),
            row: rows[&of_lines[at]],
            seed: seeds[at].unwrap_or(0),
            old: of(OLD),
            new: of(NEW),
        }
    };
    Ok(both.runs(&["cell"])?.into_iter().map(cell).collect())
}
