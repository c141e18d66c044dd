//! Table 3: what pruning costs and brings. One line a setting, grouped so that only the pruning differs within a group.
//!
//! The table falls into two files, because deterministic and timed results never share one: `table3.csv` (accuracy,
//! candidates, proofs, calls) and `speed_table3.csv` (words per second and speed-up, which depend on a machine). Shown to
//! people ([`Table3::text`], [`Table3::markdown`]) they stand side by side.

use std::collections::BTreeMap;

use super::grid::{Grid, wrap_note};
use super::note;
use super::options::TableOptions;
use super::order::{BACKBONE, PruneOrder, backbone_order, block, decoder_order, features_order, prune_label};
use super::published::Published;
use crate::records::frame::Columns;
use crate::records::number::{counted, fixed, grouped, signed};
use crate::records::{ReportError, ScoreRow, Setting};
use crate::statistics::average::{Averaged, average};
use crate::statistics::speed::Speed;

/// A line of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The setting and its counts.
    pub averaged: Averaged,
    /// Accuracy without punctuation less that without pruning, in percentage points; none if that was not run.
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
    options: TableOptions,
}

/// Makes the table from the settings that were run with more than one pruning.
///
/// # Errors
/// If cells of one corpus and split were not run on the same data.
pub fn table3(scores: &[ScoreRow], options: TableOptions) -> Result<Table3, ReportError> {
    let published = Published::carried()?;
    let mut averaged = average(scores)?;
    averaged.sort_by(|a, b| place(&a.setting).cmp(&place(&b.setting)));
    let mut lines = Vec::new();
    for group in averaged.chunk_by(|a, b| group(&a.setting) == group(&b.setting)).filter(|group| group.len() > 1) {
        let unpruned = group.iter().find(|line| line.setting.prune == "none").and_then(Averaged::uas_pct);
        for averaged in group {
            let Setting { corpus, features, backbone, prune, .. } = &averaged.setting;
            let figure = |prune: &str, measure: &str| {
                published.figure(options.published.get(corpus)?, [features, backbone, prune], measure)
            };
            let rate = figure(prune, "words_per_second");
            let change = averaged.uas_pct().zip(unpruned).filter(|_| prune != "none");
            lines.push(Line {
                averaged: averaged.clone(),
                change_points: change.map(|(uas, unpruned)| uas - unpruned),
                published_uas_pct: figure(prune, "uas_pct"),
                published_dp_calls_per_sentence: figure(prune, "dp_calls_per_sentence"),
                published_words_per_second: rate,
                published_speed_up: rate
                    .zip(figure("none", "words_per_second"))
                    .map(|(rate, unpruned)| rate / unpruned),
            });
        }
    }
    Ok(Table3 { lines, options })
}

/// What the lines of a group share.
fn group(setting: &Setting) -> [&str; 7] {
    let Setting { corpus, split, tags, trainer, features, prune: _, backbone, decoder } = setting;
    [corpus, split, tags, trainer, features, backbone, decoder]
}

/// Where a line stands: groups by corpus, part, tags, trainer, features and decoder; in them most candidates first.
fn place(setting: &Setting) -> impl Ord + '_ {
    let prune = PruneOrder::of(&setting.prune);
    let backbone = backbone_order(&setting.backbone);
    (block(setting), backbone, features_order(&setting.features), decoder_order(&setting.decoder), prune)
}

impl Table3 {
    /// The lines, in the order of the table.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The bytes of `table3.csv`.
    ///
    /// # Errors
    /// If the table engine refuses.
    pub fn csv(&self) -> Result<Vec<u8>, ReportError> {
        let lines = || self.lines.iter();
        let averaged = || self.lines.iter().map(|line| &line.averaged);
        let count =
            |value: fn(&Averaged) -> u64| averaged().map(move |line| (!line.seeds.is_empty()).then(|| value(line)));
        Columns::default()
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
            .count("decoded", count(|line| line.sums.sentences))
            .count("proven", count(|line| line.sums.proven))
            .fixed("dp_calls_per_sentence", 2, averaged().map(Averaged::dp_calls_per_sentence))
            .fixed("published_uas_pct", 2, lines().map(|line| line.published_uas_pct))
            .fixed("published_dp_calls_per_sentence", 1, lines().map(|line| line.published_dp_calls_per_sentence))
            .csv()
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
        Columns::default()
            .settings(timed.iter().map(|(line, _)| &line.averaged.setting))
            .count("passes", speed().map(|s| Some(s.passes)))
            .count("sentences", speed().map(|s| Some(s.sentences)))
            .count("tokens", speed().map(|s| Some(s.words)))
            .fixed("words_per_second", 1, speed().map(Speed::words_per_second))
            .fixed("spread_pct", 1, speed().map(Speed::spread_pct))
            .fixed("speed_up", 2, line().map(|l| speed_up(l, speeds)))
            .fixed("prune_ms_per_sentence", 3, speed().map(|s| s.ms_per_sentence(s.prune_ns)))
            .fixed("score_ms_per_sentence", 3, speed().map(|s| s.ms_per_sentence(s.score_ns)))
            .fixed("decode_ms_per_sentence", 3, speed().map(|s| s.ms_per_sentence(s.decode_ns)))
            .fixed("published_words_per_second", 0, line().map(|l| l.published_words_per_second))
            .fixed("published_speed_up", 2, line().map(|l| l.published_speed_up))
            .csv()
    }

    /// The table for a terminal of 120 columns; `speeds` may be empty.
    pub fn text(&self, speeds: &BTreeMap<Setting, Speed>) -> String {
        let mut text = String::new();
        for group in self.groups() {
            text.push_str(&wrap_note(&heading(group), note::WIDTH));
            text.push_str("\n\n");
            text.push_str(&grid(group, speeds).text());
            text.push('\n');
        }
        text + &note::text(&self.notes(speeds))
    }

    /// The table for a README; `speeds` may be empty.
    pub fn markdown(&self, speeds: &BTreeMap<Setting, Speed>) -> String {
        let mut text = String::new();
        for group in self.groups() {
            text.push_str(&format!("**{}**\n\n{}\n", heading(group), grid(group, speeds).markdown()));
        }
        text + &note::markdown(&self.notes(speeds))
    }

    fn groups(&self) -> impl Iterator<Item = &[Line]> {
        self.lines.chunk_by(|a, b| group(&a.averaged.setting) == group(&b.averaged.setting))
    }

    fn notes(&self, speeds: &BTreeMap<Setting, Speed>) -> Vec<String> {
        if self.lines.is_empty() {
            return vec!["Table 3 is empty: nothing was run with more than one pruning.".to_owned()];
        }
        let averaged: Vec<Averaged> = self.lines.iter().map(|line| line.averaged.clone()).collect();
        let mut notes = note::scoring(&averaged, &self.options.punctuation);
        notes.push(note::seeds(&averaged));
        if self.lines.iter().any(|line| line.change_points.is_some()) {
            notes.push("change: UAS less that without pruning, in percentage points.".to_owned());
        }
        notes.push(note::proofs(&averaged));
        notes.push(note::CALLS.to_owned());
        if averaged.iter().any(|line| speeds.contains_key(&line.setting)) {
            notes.push(note::SPEED.to_owned());
            notes.push("speed-up: words/s over those without pruning.".to_owned());
        }
        if self.lines.iter().any(|line| line.published_uas_pct.is_some()) {
            notes.push(note::published(&averaged, &self.options.published));
        }
        if self.lines.iter().any(|line| line.published_words_per_second.is_some()) {
            notes.push(
                "The paper timed on an Intel Core i5-2500 at 3.3 GHz: its speed-ups compare, its words/s do not."
                    .to_owned(),
            );
        }
        notes.extend(note::failures(&averaged));
        notes
    }
}

/// Words per second over those of the same group without pruning.
fn speed_up(line: &Line, speeds: &BTreeMap<Setting, Speed>) -> Option<f64> {
    let unpruned = Setting { prune: "none".to_owned(), ..line.averaged.setting.clone() };
    let rate = |setting: &Setting| speeds.get(setting)?.words_per_second();
    Some(rate(&line.averaged.setting)? / rate(&unpruned)?)
}

fn heading(group: &[Line]) -> String {
    let Some(first) = group.first() else { return String::new() };
    let Setting { corpus, split, tags, trainer, features, backbone, decoder, .. } = &first.averaged.setting;
    let mut text = format!("Table 3: {corpus}, {split} part, {tags} tags, {trainer}, {features}, decoder {decoder}");
    if backbone != BACKBONE {
        text.push_str(&format!(", backbone {backbone}"));
    }
    if let Some([sentences, tokens, scored]) = group.iter().find_map(|line| line.averaged.data()) {
        let sentences = counted(sentences, "sentence", "sentences");
        let (words, scored) = (counted(tokens, "word", "words"), grouped(scored));
        text.push_str(&format!("; {sentences}, {words} ({scored} scored)"));
    }
    text
}

fn grid(group: &[Line], speeds: &BTreeMap<Setting, Speed>) -> Grid {
    let lines = || group.iter();
    let averaged = || group.iter().map(|line| &line.averaged);
    let two = |value: Option<f64>| value.map_or_else(String::new, |v| fixed(v, 2));
    let one = |value: Option<f64>| value.map_or_else(String::new, |v| fixed(v, 1));
    let change = |value: Option<f64>| value.map_or_else(String::new, |v| signed(v, 2));
    let speed = |line: &Averaged| speeds.get(&line.setting).and_then(Speed::words_per_second);
    let total = averaged().map(|line| line.sums.sentences).max().unwrap_or(0);
    Grid::default()
        .left("pruning", averaged().map(|line| prune_label(&line.setting.prune)))
        .right("UAS", averaged().map(|line| two(line.uas_pct())))
        .right_if_any("sd", averaged().map(|line| two(line.uas_sd_points)))
        .right_if_any("change", lines().map(|line| change(line.change_points)))
        .right("UAS\nall", averaged().map(|line| two(line.uas_all_pct())))
        .right("gold heads\nkept %", averaged().map(|line| two(line.gold_kept_pct())))
        .right("heads\na word", averaged().map(|line| one(line.heads_per_word())))
        .right(&format!("proven\nof {}", grouped(total)), averaged().map(|line| note::proven(line, total)))
        .right("calls\na sent.", averaged().map(|line| one(line.dp_calls_per_sentence())))
        .right_if_any("words/s", averaged().map(|line| note::rate(speed(line))))
        .right_if_any("speed-up", lines().map(|line| two(speed_up(line, speeds))))
        .right_if_any("paper\nUAS", lines().map(|line| two(line.published_uas_pct)))
        .right_if_any(
            "paper\nwords/s",
            lines().map(|line| line.published_words_per_second.map_or_else(String::new, |v| fixed(v, 0))),
        )
        .right_if_any("paper\nspeed-up", lines().map(|line| two(line.published_speed_up)))
}
