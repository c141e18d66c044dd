//! Ma & Zhao (2012), Table 3: models without non-local features by the way in which they were learnt.
//!
//! A line is a model: templates over a dynamic program, a learner and a decoder. Those of one corpus, part, tags and pruning
//! stand together, learner by learner within a model.

use super::models::{Group, named_once, place, ways};
use super::note;
use super::options::TableOptions;
use super::table::{Section, Table};
use crate::records::number::fixed;
use crate::records::sheet::Sheet;
use crate::records::{ReportError, ScoreRow};
use crate::statistics::average::{Averaged, average};

/// Makes the table of all lines without non-local features.
///
/// # Errors
/// If cells of one corpus and split were not run on the same data.
pub fn learners(scores: &[ScoreRow], options: &TableOptions) -> Result<Table, ReportError> {
    let mut lines = average(scores)?;
    lines.retain(|line| line.setting.is_baseline() && line.setting.learner.is_some());
    lines.sort_by(|a, b| place(&a.setting).cmp(&place(&b.setting)));
    let groups = lines.chunk_by(|a, b| Group::of(&a.setting) == Group::of(&b.setting));
    let mut notes = note::scoring(&lines, &options.punctuation);
    notes.push(note::seeds(&lines));
    notes.push(
        "root: sentences whose words on the root are right. complete: sentences with every head right.".to_owned(),
    );
    notes.extend(note::failures(&lines));
    Ok(Table::new(groups.map(section).collect(), sheet(&lines)).with_notes(notes))
}

/// The columns of `learners.csv`.
fn sheet(lines: &[Averaged]) -> Sheet {
    let lines = || lines.iter();
    Sheet::default()
        .settings(lines().map(|line| &line.setting))
        .count("seeds", lines().map(|line| Some(line.seeds.len() as u64)))
        .count("failed_seeds", lines().map(|line| Some(line.failed.len() as u64)))
        .count("sentences", lines().map(|line| Some(line.data()?[0])))
        .fixed("uas_pct", 2, lines().map(Averaged::uas_pct))
        .fixed("uas_sd_points", 2, lines().map(|line| line.uas_sd_points))
        .fixed("root_pct", 2, lines().map(Averaged::root_pct))
        .fixed("complete_pct", 2, lines().map(Averaged::complete_pct))
}

fn section(group: &[Averaged]) -> Section {
    let Some(first) = group.first() else { return Section::default() };
    let heading = format!("Learners: {}", Group::of(&first.setting).words());
    let two = |value: Option<f64>| value.map_or_else(String::new, |v| fixed(v, 2));
    let way = |at: usize| group.iter().map(move |line| ways(&line.setting).swap_remove(at));
    Section::new(heading)
        .left("model", named_once(group.iter().map(|line| &line.setting)))
        .left("learner", way(0))
        .left("decoder", way(1))
        .right("UAS", group.iter().map(|line| two(line.uas_pct())))
        .right_if_any("sd", group.iter().map(|line| two(line.uas_sd_points)))
        .right("root", group.iter().map(|line| two(line.root_pct())))
        .right("complete", group.iter().map(|line| two(line.complete_pct())))
}
