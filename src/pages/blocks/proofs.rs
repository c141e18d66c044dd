//! What may be wrong with results: searches without a proof, in testing and in training.

use std::collections::BTreeMap;

use super::lines::set_words;
use crate::pages::arguments::Arguments;
use crate::pages::error::BlockError;
use crate::pages::shelf::Shelf;
use treebound_core::decode::{Backbone, Decoder};
use treebound_parser::cell::{FeatureSet, show_optional};
use treebound_records::number::{fixed, grouped, percent};
use treebound_records::{ModelName, ScoreRow, TrainingRow};
use treebound_report::tables::table::Section;

/// A line: words, then searches and those without a proof.
type Line = (Vec<String>, u64, u64);

/// Searches by experiment, grid (the first that has the cell) and decoder.
pub fn proofs(shelf: &Shelf, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let mut lines: Vec<Line> = Vec::new();
    for name in &arguments.names {
        let experiment = shelf.experiment(name)?;
        let place = |grid: &String| experiment.config.grids.iter().position(|known| known.name == *grid);
        let mut counts: BTreeMap<(Option<usize>, Decoder), [u64; 2]> = BTreeMap::new();
        for row in experiment.rows::<ScoreRow>("scores.csv", "run")? {
            let (Some(grids), Ok(found)) = (experiment.cells.get(&*row.cell), &row.counts) else { continue };
            let Some(decoder) = row.cell.setting.decoder().filter(|decoder| decoder.is_search()) else { continue };
            let Some(proven) = found.proven else { continue };
            let [all, unproven] = counts.entry((grids.iter().filter_map(place).min(), decoder)).or_default();
            *all += found.sentences;
            *unproven += found.sentences - proven;
        }
        lines.extend(counts.into_iter().map(|((grid, decoder), [all, unproven])| {
            let grid = grid.map_or_else(String::new, |at| experiment.config.grids[at].name.clone());
            (vec![(*name).to_owned(), grid, decoder.to_string()], all, unproven)
        }));
    }
    table(arguments, &["experiment", "grid", "decoder"], &lines, "not proven")
}

/// Training searches that stopped at their limit, by experiment, tags, templates, learner and feature set; sets of which none did
/// are left out.
pub fn training_limits(shelf: &Shelf, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let mut lines: Vec<Line> = Vec::new();
    for name in &arguments.names {
        let mut counts: BTreeMap<_, [u64; 2]> = BTreeMap::new();
        for row in shelf.experiment(name)?.rows::<TrainingRow>("training.csv", "run")? {
            let ModelName { tags, templates, learner, features, backbone, .. } = row.model;
            let [all, stopped] = counts.entry((tags, templates, learner, backbone, features)).or_default();
            *all += row.sentences;
            *stopped += row.unproven.unwrap_or(0);
        }
        counts.retain(|_, [_, stopped]| *stopped > 0);
        lines.extend(counts.into_iter().map(|((tags, templates, learner, backbone, features), [all, stopped])| {
            let templates = show_optional(templates.as_ref());
            let learner = show_optional(learner.as_ref());
            let words = |set: &FeatureSet| set_words(set, backbone.unwrap_or(Backbone::default()));
            let features = features.as_ref().map_or_else(String::new, words);
            (vec![(*name).to_owned(), tags.to_string(), templates, learner, features], all, stopped)
        }));
    }
    table(arguments, &["experiment", "tags", "templates", "learner", "features"], &lines, "stopped")
}

fn table(arguments: &Arguments<'_>, words: &[&str], lines: &[Line], without: &str) -> Result<Section, BlockError> {
    let mut section = Section::default();
    for (at, heading) in words.iter().enumerate() {
        section = section.left(heading, lines.iter().map(|line| line.0[at].clone()));
    }
    let share = |line: &Line| percent(line.2, line.1).map_or_else(String::new, |share| fixed(share, 2));
    let section = section
        .right("searches", lines.iter().map(|line| grouped(line.1)))
        .right(without, lines.iter().map(|line| grouped(line.2)))
        .right("%", lines.iter().map(share));
    let names = section.names();
    arguments.columns(section, &names.iter().map(String::as_str).collect::<Vec<_>>())
}
