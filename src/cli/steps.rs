//! The steps of an ablation, for its table and its figure.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail};

use super::results::Results;
use treebound_experiment::table_options::table_options;
use treebound_parser::cell::{CellKey, Setting};
use treebound_records::number::grouped;
use treebound_records::{ScoreRow, by_sentence};
use treebound_report::statistics::steps::{Step, steps};

/// Steps with what there is to say of their numbers.
pub struct Steps {
    /// The steps.
    pub steps: Vec<Step>,
    /// What their numbers are.
    pub notes: Vec<String>,
    /// What of the sentences is not there: without them differences have neither interval nor p.
    pub incomplete: Option<String>,
}

impl Steps {
    /// Those between all settings that are there; some must be.
    pub fn read(results: &Results) -> Result<Self> {
        let scores: Vec<ScoreRow> = results.read("scores.csv", |row: &ScoreRow| &row.cell)?;
        let sentences = results.sentences()?;
        let usual = results.config.main().and_then(|grid| grid.templates.first());
        let usual = usual.context("the config has no grid with templates")?;
        let options = table_options(&results.config);
        let steps = steps(&scores, &sentences, usual, options.draws);
        if steps.is_empty() {
            bail!(
                "there is nothing to show: no two settings of {} are one step apart; sets = \"ablation\" in a grid makes \
                 such (see make ablation)",
                results.path("scores.csv").display()
            );
        }
        let notes = vec![
            "difference: UAS behind the step less that before it, in percentage points, over the seeds that both have. A \
             family that helps is above 0 where it is added, and below 0 where it is left out."
                .to_owned(),
            format!(
                "95 % interval: paired bootstrap over sentences; p: paired approximate randomisation, two-sided, {} rounds; \
                 p, Holm: corrected over the lines of a section. Words that are not scored: {}.",
                grouped(options.draws.rounds.into()),
                options.punctuation
            ),
        ];
        let settings: BTreeSet<&Setting> = steps.iter().flat_map(|step| [&step.from, &step.to]).collect();
        let there: BTreeSet<&CellKey> = sentences.iter().map(|row| &*row.cell).collect();
        let needed = scores.iter().filter(|row| row.counts.is_ok() && settings.contains(&row.cell.setting));
        let needed: Vec<&CellKey> = needed.map(|row| &*row.cell).collect();
        let missing = needed.iter().filter(|cell| !there.contains(*cell)).map(ToString::to_string).collect::<Vec<_>>();
        let incomplete = results.complaint(by_sentence::FILE, "run", &missing, needed.len());
        Ok(Self { steps, notes, incomplete })
    }
}
