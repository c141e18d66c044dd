//! Ma & Zhao (2012), Table 3: models without non-local features by the way in which they were learnt.
//!
//! A line is a model: templates over a dynamic program, a learner and a decoder. Those of one corpus, part, tags and pruning
//! stand together, learner by learner within a model, with the paper's figures beside those of its own learners.

use super::models::{Group, named_once, place, ways};
use super::note;
use super::options::TableOptions;
use super::published::Beside;
use super::table::{Section, Table};
use crate::statistics::accuracy::Accuracy;
use crate::statistics::average::{Averaged, average};
use treebound_records::number::fixed;
use treebound_records::sheet::Sheet;
use treebound_records::{ReportError, ScoreRow};

/// Makes the table of all lines without non-local features.
///
/// # Errors
/// If cells of one corpus and split were not run on the same data.
pub fn learners(scores: &[ScoreRow], options: &TableOptions) -> Result<Table, ReportError> {
    let beside = Beside::of(options)?;
    let mut lines = average(scores)?;
    lines.retain(|line| line.setting.is_baseline() && line.setting.learner.is_some());
    lines.sort_by(|a, b| place(&a.setting).cmp(&place(&b.setting)));
    let groups = lines.chunk_by(|a, b| Group::of(&a.setting) == Group::of(&b.setting));
    let mut notes = note::scoring(&lines, &options.punctuation);
    notes.push(note::seeds(&lines));
    notes.push(
        "root: sentences whose words on the root are right. complete: sentences with every head right.".to_owned(),
    );
    if let Some(papers) = beside.note(lines.iter().map(|line| &line.setting), Accuracy::Uas.column()) {
        notes.push(format!("{papers} Its learners prune nothing; its L-BFGS is crf, its MIRA mira-kbest."));
    }
    notes.extend(note::failures(&lines));
    let sections = groups.map(|group| section(group, &beside)).collect();
    Ok(Table::new(sections, sheet(&lines, &beside)).with_notes(notes))
}

/// The paper's figures of an accuracy, line by line.
fn published(lines: &[Averaged], beside: &Beside, accuracy: Accuracy) -> Vec<Option<f64>> {
    lines.iter().map(|line| beside.figure(&line.setting, accuracy.column())).collect()
}

/// The columns of `learners.csv`.
fn sheet(all: &[Averaged], beside: &Beside) -> Sheet {
    let lines = || all.iter();
    Sheet::default()
        .settings(lines().map(|line| &line.setting))
        .count("seeds", lines().map(|line| Some(line.seeds.len() as u64)))
        .count("failed_seeds", lines().map(|line| Some(line.failed.len() as u64)))
        .count("sentences", lines().map(|line| Some(line.data()?[0])))
        .fixed("uas_pct", 2, lines().map(Averaged::uas_pct))
        .fixed("uas_sd_points", 2, lines().map(|line| line.uas_sd_points))
        .fixed("root_pct", 2, lines().map(Averaged::root_pct))
        .fixed("complete_pct", 2, lines().map(Averaged::complete_pct))
        .fixed("published_uas_pct", 1, published(all, beside, Accuracy::Uas))
        .fixed("published_root_pct", 1, published(all, beside, Accuracy::Root))
        .fixed("published_complete_pct", 1, published(all, beside, Accuracy::Complete))
}

fn section(group: &[Averaged], beside: &Beside) -> Section {
    let Some(first) = group.first() else { return Section::default() };
    let heading = format!("Learners: {}", Group::of(&first.setting).words());
    let two = |value: Option<f64>| value.map_or_else(String::new, |v| fixed(v, 2));
    let paper = |accuracy| {
        let figures = published(group, beside, accuracy).into_iter();
        figures.map(|value| value.map_or_else(String::new, |v| fixed(v, 1)))
    };
    let way = |at: usize| group.iter().map(move |line| ways(&line.setting).swap_remove(at));
    Section::new(heading)
        .left("model", named_once(group.iter().map(|line| &line.setting)))
        .left("learner", way(0))
        .left("decoder", way(1))
        .right("UAS", group.iter().map(|line| two(line.uas_pct())))
        .right_if_any("sd", group.iter().map(|line| two(line.uas_sd_points)))
        .right("root", group.iter().map(|line| two(line.root_pct())))
        .right("complete", group.iter().map(|line| two(line.complete_pct())))
        .right_if_any("paper\nUAS", paper(Accuracy::Uas))
        .right_if_any("paper\nroot", paper(Accuracy::Root))
        .right_if_any("paper\ncomplete", paper(Accuracy::Complete))
}
