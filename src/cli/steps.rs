//! The steps of an ablation, for its table and its figure.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail};

use super::results::Results;
use treebound_experiment::table_options::table_options;
use treebound_records::{by_sentence, schema};
use treebound_report::frame::Frame;
use treebound_report::tables::ablation::steps;

/// Steps with what they lack.
pub struct Steps {
    /// The steps.
    pub steps: Frame,
    /// What of the sentences is not there: without them differences have neither interval nor p.
    pub incomplete: Option<String>,
}

impl Steps {
    /// Those between all settings that are there; some must be.
    pub fn read(results: &Results) -> Result<Self> {
        let scores = results.frame("scores.csv", &schema::SCORES)?;
        let sentences = results.sentence_numbers(&scores)?;
        let usual = results.config.main().and_then(|grid| grid.graph.templates.first());
        let usual = usual.context("the config has no grid with templates")?;
        let steps = steps(&scores, &sentences, usual.as_str(), &table_options(&results.config))?;
        if steps.is_empty() {
            bail!(
                "there is nothing to show: no two settings of {} are one step apart; sets = \"ablation\" in a grid makes \
                 such (see make ablation)",
                results.path("scores.csv").display()
            );
        }
        let lines: BTreeSet<String> = steps.words("line")?.into_iter().chain(steps.words("from")?).collect();
        let there: BTreeSet<String> = sentences.cells().collect();
        let needed = scores.only("line", |line| lines.contains(line))?.only("error", str::is_empty)?.words("cell")?;
        let missing: Vec<String> = needed.iter().filter(|cell| !there.contains(*cell)).cloned().collect();
        let incomplete = results.complaint(by_sentence::FILE, "run", &missing, needed.len());
        Ok(Self { steps, incomplete })
    }
}
