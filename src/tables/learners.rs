//! Ma & Zhao (2012), Table 3: models without non-local features by the way in which they were learnt.
//!
//! A line is a model: templates over a dynamic program, a learner and a decoder. Those of one corpus, part, tags and pruning
//! stand together, learner by learner within a model.

use super::block::{decoder_label, pruning_label};
use super::note;
use super::options::TableOptions;
use super::table::{Section, Table};
use crate::cell::{CorpusName, Learner, Setting, Split, Tags, TemplatesName, show_optional};
use crate::decode::Backbone;
use crate::pruning::Rule;
use crate::records::number::fixed;
use crate::records::sheet::Sheet;
use crate::records::{ReportError, ScoreRow};
use crate::statistics::average::{Averaged, average};

/// What the lines of a section have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Group<'a> {
    corpus: &'a CorpusName,
    split: Split,
    tags: Tags,
    pruning: Option<Rule>,
}

impl<'a> Group<'a> {
    fn of(setting: &'a Setting) -> Self {
        let Setting { corpus, split, tags, pruning, .. } = setting;
        Self { corpus, split: *split, tags: *tags, pruning: *pruning }
    }
}

/// The model of a line.
fn model(setting: &Setting) -> (Option<Backbone>, Option<&TemplatesName>) {
    (setting.backbone(), setting.templates.as_ref())
}

fn place(setting: &Setting) -> impl Ord + '_ {
    (Group::of(setting), model(setting), &setting.learner, setting.decoding)
}

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
    let Group { corpus, split, tags, pruning } = Group::of(&first.setting);
    let heading = format!("Learners: {corpus}, {split} part, {tags} tags, pruning {}", pruning_label(pruning));
    let two = |value: Option<f64>| value.map_or_else(String::new, |v| fixed(v, 2));
    // A model is named once.
    let mut before = None;
    let models: Vec<String> = group
        .iter()
        .map(|line| {
            let own = Some(model(&line.setting));
            let is_named = std::mem::replace(&mut before, own) == own;
            let (backbone, templates) = model(&line.setting);
            if is_named {
                String::new()
            } else {
                format!("{}, {}", show_optional(templates), show_optional(backbone.as_ref()))
            }
        })
        .collect();
    let learner = |line: &Averaged| line.setting.learner.as_ref().map(Learner::to_string).unwrap_or_default();
    Section::new(heading)
        .left("model", models)
        .left("learner", group.iter().map(learner))
        .left("decoder", group.iter().map(|line| decoder_label(&line.setting)))
        .right("UAS", group.iter().map(|line| two(line.uas_pct())))
        .right_if_any("sd", group.iter().map(|line| two(line.uas_sd_points)))
        .right("root", group.iter().map(|line| two(line.root_pct())))
        .right("complete", group.iter().map(|line| two(line.complete_pct())))
}
