//! Table 3: what pruning costs and brings. One line a setting, grouped so that only the pruning differs within a group.
//!
//! The table falls into two files, because deterministic and timed results never share one: `table3.csv` (accuracy,
//! candidates, proofs, calls) and `speed_table3.csv` (words per second and speed-up, which depend on a machine). Shown to
//! people they stand side by side.

use std::collections::{BTreeMap, BTreeSet};

use super::block::{Block, other_backbone, pruning_label, several_templates, system_label};
use super::note;
use super::options::TableOptions;
use super::published::Beside;
use super::table::{Section, Table};
use crate::statistics::average::{Averaged, average};
use crate::statistics::speed::Speed;
use treebound_core::decode::{Backbone, Decoder};
use treebound_parser::answer::{Count, Phase};
use treebound_parser::cell::{FeatureSet, Setting};
use treebound_parser::pruning::Rule;
use treebound_parser::systems;
use treebound_records::number::{counted, fixed, grouped, percent, signed};
use treebound_records::sheet::Sheet;
use treebound_records::{ReportError, ScoreRow};

/// A line of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The setting and its counts.
    pub averaged: Averaged,
    /// Accuracy without punctuation less that without pruning, in percentage points, over the seeds that both were run with; none
    /// if there is no such seed.
    pub change_points: Option<f64>,
    /// The paper's accuracy without punctuation.
    pub published_uas_pct: Option<f64>,
    /// The paper's calls to the dynamic program a sentence.
    pub published_dp_calls_per_sentence: Option<f64>,
    /// The paper's words per second, on its machine.
    pub published_words_per_second: Option<f64>,
    /// The paper's words per second over those without pruning.
    pub published_speed_up: Option<f64>,
}

/// The table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table3 {
    lines: Vec<Line>,
    /// Whose figures stand beside ours, if any do.
    papers: Option<String>,
    options: TableOptions,
}

/// Makes the table from the settings that were run with more than one pruning.
///
/// # Errors
/// If cells of one corpus and split were not run on the same data.
pub fn table3(scores: &[ScoreRow], options: TableOptions) -> Result<Table3, ReportError> {
    let beside = Beside::of(&options)?;
    let mut averaged = average(scores)?;
    averaged.sort_by(|a, b| place(&a.setting).cmp(&place(&b.setting)));
    let mut lines = Vec::new();
    let groups: Vec<&[Averaged]> = averaged.chunk_by(|a, b| Group::of(&a.setting) == Group::of(&b.setting)).collect();
    let is_compared = |group: &&&[Averaged]| group.len() > 1 && group.iter().all(|line| line.setting.pruning.is_some());
    let data = |setting: &Setting| (setting.corpus.clone(), setting.split, setting.tags);
    let compared: BTreeSet<_> = groups.iter().filter(is_compared).map(|group| data(&group[0].setting)).collect();
    // Parsers that choose no candidates stand beside those that are compared on the same data.
    let is_shown = |group: &&[Averaged]| {
        is_compared(&group) || group[0].setting.pruning.is_none() && compared.contains(&data(&group[0].setting))
    };
    for group in groups.into_iter().filter(is_shown) {
        let is_unpruned = |line: &&Averaged| line.setting.pruning == Some(Rule::None);
        let unpruned_line = group.iter().find(is_unpruned);
        for averaged in group {
            let setting = &averaged.setting;
            let figure = |setting: &Setting, measure: &str| beside.figure(setting, measure);
            let rate = figure(setting, "words_per_second");
            let unpruned_rate = figure(&unpruned(setting), "words_per_second");
            let change = unpruned_line.filter(|_| setting.pruning != Some(Rule::None));
            lines.push(Line {
                averaged: averaged.clone(),
                change_points: change.and_then(|unpruned| change_points(scores, averaged, unpruned)),
                published_uas_pct: figure(setting, "uas_pct"),
                published_dp_calls_per_sentence: figure(setting, "dp_calls_per_sentence"),
                published_words_per_second: rate,
                published_speed_up: rate.zip(unpruned_rate).map(|(rate, unpruned)| rate / unpruned),
            });
        }
    }
    let papers = beside.note(lines.iter().map(|line| &line.averaged.setting), "uas_pct");
    Ok(Table3 { lines, papers, options })
}

/// Accuracy of a line less that of another, over the seeds of both: different seeds have different models.
fn change_points(scores: &[ScoreRow], line: &Averaged, other: &Averaged) -> Option<f64> {
    let uas_pct = |one: &Averaged, others: &Averaged| {
        let shared = |row: &&ScoreRow| row.cell.setting == one.setting && others.seeds.contains(&row.cell.seed);
        let counts = scores.iter().filter(shared).filter_map(|row| row.counts.as_ref().ok());
        let (right, words) =
            counts.fold((0, 0), |(right, words), c| (right + c.scored_correct, words + c.scored_tokens));
        percent(right, words)
    };
    Some(uas_pct(line, other)? - uas_pct(other, line)?)
}

/// What the lines of a group share: all but the pruning. Parsers that choose no candidates are one group of their data.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Group<'a> {
    block: Block<'a>,
    parser: (Option<Backbone>, Option<&'a FeatureSet>, Option<Decoder>),
}

impl<'a> Group<'a> {
    fn of(setting: &'a Setting) -> Self {
        Self { block: Block::of(setting), parser: (setting.backbone(), setting.features.as_ref(), setting.decoder()) }
    }
}

/// Where a line stands: by group, in it most candidates first.
fn place(setting: &Setting) -> impl Ord + '_ {
    (Group::of(setting), setting.pruning, systems::place(&setting.system), &setting.system)
}

/// The same parser without pruning.
fn unpruned(setting: &Setting) -> Setting {
    Setting { pruning: setting.pruning.and(Some(Rule::None)), ..setting.clone() }
}

impl Table3 {
    /// The lines, in the order of the table.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The columns of `table3.csv`.
    fn sheet(&self) -> Sheet {
        let lines = || self.lines.iter();
        let averaged = || self.lines.iter().map(|line| &line.averaged);
        let count = |value: fn(&Averaged) -> Option<u64>| {
            averaged().map(move |line| if line.seeds.is_empty() { None } else { value(line) })
        };
        Sheet::default()
            .settings(averaged().map(|line| &line.setting))
            .count("seeds", averaged().map(|line| Some(line.seeds.len() as u64)))
            .count("failed_seeds", averaged().map(|line| Some(line.failed.len() as u64)))
            .count("sentences", averaged().map(|line| Some(line.data()?[0])))
            .fixed("uas_pct", 2, averaged().map(Averaged::uas_pct))
            .fixed("uas_sd_points", 2, averaged().map(|line| line.uas_sd_points))
            .fixed("change_points", 2, lines().map(|line| line.change_points))
            .fixed("uas_all_pct", 2, averaged().map(Averaged::uas_all_pct))
            .fixed("gold_kept_pct", 2, averaged().map(Averaged::gold_kept_pct))
            .fixed("heads_per_word", 2, averaged().map(Averaged::heads_per_word))
            .count("decoded", count(|line| Some(line.sums.sentences)))
            .count("proven", count(|line| line.sums.proven))
            .fixed("dp_calls_per_sentence", 2, averaged().map(|line| line.per_sentence(Count::DpCalls)))
            .fixed("published_uas_pct", 2, lines().map(|line| line.published_uas_pct))
            .fixed("published_dp_calls_per_sentence", 1, lines().map(|line| line.published_dp_calls_per_sentence))
    }

    /// The bytes of `speed_table3.csv`: the lines that were timed.
    ///
    /// # Errors
    /// If the table engine refuses.
    pub fn speed_csv(&self, speeds: &BTreeMap<Setting, Speed>) -> Result<Vec<u8>, ReportError> {
        let timed: Vec<(&Line, &Speed)> =
            self.lines.iter().filter_map(|line| Some((line, speeds.get(&line.averaged.setting)?))).collect();
        let speed = || timed.iter().map(|(_, speed)| *speed);
        let line = || timed.iter().map(|(line, _)| *line);
        Sheet::default()
            .settings(timed.iter().map(|(line, _)| &line.averaged.setting))
            .count("passes", speed().map(|s| Some(s.passes)))
            .count("sentences", speed().map(|s| Some(s.sentences)))
            .count("tokens", speed().map(|s| s.words))
            .fixed("words_per_second", 1, speed().map(Speed::words_per_second))
            .fixed("spread_pct", 1, speed().map(Speed::spread_pct))
            .fixed("speed_up", 2, line().map(|l| speed_up(&l.averaged.setting, speeds)))
            .fixed("start_s", 3, speed().map(start_s))
            .fixed("prune_ms_per_sentence", 3, speed().map(|s| s.phase_ms_per_sentence(Phase::Prune)))
            .fixed("score_ms_per_sentence", 3, speed().map(|s| s.phase_ms_per_sentence(Phase::Score)))
            .fixed("decode_ms_per_sentence", 3, speed().map(|s| s.phase_ms_per_sentence(Phase::Decode)))
            .fixed("published_words_per_second", 0, line().map(|l| l.published_words_per_second))
            .fixed("published_speed_up", 2, line().map(|l| l.published_speed_up))
            .csv()
    }

    /// The table, with the columns of `table3.csv`; `speeds`, which may be empty, are shown but stand in another file.
    pub fn table(&self, speeds: &BTreeMap<Setting, Speed>) -> Table {
        let sections = self.groups().map(|group| section(self.heading(group), group, speeds)).collect();
        Table::new(sections, self.sheet()).with_notes(self.notes(speeds))
    }

    fn groups(&self) -> impl Iterator<Item = &[Line]> {
        self.lines.chunk_by(|a, b| Group::of(&a.averaged.setting) == Group::of(&b.averaged.setting))
    }

    /// What the lines of a group have in common.
    fn heading(&self, group: &[Line]) -> String {
        let Some(first) = group.first() else { return String::new() };
        let setting = &first.averaged.setting;
        let several = several_templates(self.lines.iter().map(|line| &line.averaged.setting));
        let mut text = format!("Table 3: {}", Block::of(setting).words(several));
        if let Some(features) = &setting.features {
            text.push_str(&format!(", {features}"));
        }
        if let Some(decoder) = setting.decoder() {
            text.push_str(&format!(", decoder {decoder}"));
        }
        if let Some(backbone) = other_backbone(setting) {
            text.push_str(&format!(", backbone {backbone}"));
        }
        if let Some([sentences, tokens, scored]) = group.iter().find_map(|line| line.averaged.data()) {
            let sentences = counted(sentences, "sentence", "sentences");
            let (words, scored) = (counted(tokens, "word", "words"), grouped(scored));
            text.push_str(&format!("; {sentences}, {words} ({scored} scored)"));
        }
        text
    }

    fn notes(&self, speeds: &BTreeMap<Setting, Speed>) -> Vec<String> {
        if self.lines.is_empty() {
            return vec!["Table 3 is empty: nothing was run with more than one pruning.".to_owned()];
        }
        let averaged: Vec<Averaged> = self.lines.iter().map(|line| line.averaged.clone()).collect();
        let mut notes = note::scoring(&averaged, &self.options.punctuation);
        notes.push(note::seeds(&averaged));
        if self.lines.iter().any(|line| line.change_points.is_some()) {
            notes.push(
                "change: UAS less that without pruning, in percentage points, over the seeds of both.".to_owned(),
            );
        }
        notes.push(note::proofs(&averaged));
        notes.push(note::CALLS.to_owned());
        if averaged.iter().any(|line| speeds.contains_key(&line.setting)) {
            notes.push(note::SPEED.to_owned());
            notes.push("speed-up: words/s over those without pruning.".to_owned());
        }
        if averaged.iter().any(|line| speeds.get(&line.setting).and_then(start_s).is_some()) {
            notes.push("start: seconds to start and to load a model, once a pass; no part of words/s.".to_owned());
        }
        notes.extend(self.papers.clone());
        if self.lines.iter().any(|line| line.published_words_per_second.is_some()) {
            notes.push(
                "The paper timed on an Intel Core i5-2500 at 3.3 GHz: its speed-ups compare, its words/s do not."
                    .to_owned(),
            );
        }
        notes.extend(note::external(&averaged));
        notes.extend(note::failures(&averaged));
        notes
    }
}

/// Words per second over those of the same parser without pruning.
pub fn speed_up(setting: &Setting, speeds: &BTreeMap<Setting, Speed>) -> Option<f64> {
    setting.pruning?;
    let rate = |setting: &Setting| speeds.get(setting)?.words_per_second();
    Some(rate(setting)? / rate(&unpruned(setting))?)
}

/// Seconds to start, where that is not nothing.
fn start_s(speed: &Speed) -> Option<f64> {
    speed.phases.get(Phase::Start).map(|ns| ns as f64 / 1e9)
}

fn section(heading: String, group: &[Line], speeds: &BTreeMap<Setting, Speed>) -> Section {
    let lines = || group.iter();
    let averaged = || group.iter().map(|line| &line.averaged);
    let two = |value: Option<f64>| value.map_or_else(String::new, |v| fixed(v, 2));
    let one = |value: Option<f64>| value.map_or_else(String::new, |v| fixed(v, 1));
    let change = |value: Option<f64>| value.map_or_else(String::new, |v| signed(v, 2));
    let speed = |line: &Averaged| speeds.get(&line.setting).and_then(Speed::words_per_second);
    let total = averaged().map(|line| line.sums.sentences).max().unwrap_or(0);
    let is_other = group.first().is_some_and(|line| Block::of(&line.averaged.setting).is_other());
    let names = if is_other {
        Section::new(heading).left("system", averaged().map(|line| system_label(&line.setting.system)))
    } else {
        Section::new(heading).left("pruning", averaged().map(|line| pruning_label(line.setting.pruning)))
    };
    names
        .right("UAS", averaged().map(|line| two(line.uas_pct())))
        .right_if_any("sd", averaged().map(|line| two(line.uas_sd_points)))
        .right_if_any("change", lines().map(|line| change(line.change_points)))
        .right("UAS\nall", averaged().map(|line| two(line.uas_all_pct())))
        .right_if_any("gold heads\nkept %", averaged().map(|line| two(line.gold_kept_pct())))
        .right_if_any("heads\na word", averaged().map(|line| one(line.heads_per_word())))
        .right(&format!("proven\nof {}", grouped(total)), averaged().map(|line| note::proven(line, total)))
        .right_if_any("calls\na sent.", averaged().map(|line| one(line.per_sentence(Count::DpCalls))))
        .right_if_any("words/s", averaged().map(|line| note::rate(speed(line))))
        .right_if_any("speed-up", lines().map(|line| two(speed_up(&line.averaged.setting, speeds))))
        .right_if_any("start\ns", averaged().map(|line| two(speeds.get(&line.setting).and_then(start_s))))
        .right_if_any("paper\nUAS", lines().map(|line| two(line.published_uas_pct)))
        .right_if_any(
            "paper\nwords/s",
            lines().map(|line| line.published_words_per_second.map_or_else(String::new, |v| fixed(v, 0))),
        )
        .right_if_any("paper\nspeed-up", lines().map(|line| two(line.published_speed_up)))
}
