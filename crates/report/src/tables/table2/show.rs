//! The table for people: blocks of lines with one corpus, part, tags and pruning, and notes under them.

use std::collections::BTreeMap;

use super::{Comparison, Line, Table2};
use crate::statistics::average::Averaged;
use crate::statistics::significance::{CONFIDENCE, PairFault};
use crate::statistics::speed::Speed;
use crate::tables::block::{Block, decoder_label, features_label, pruning_label, several_templates, system_label};
use crate::tables::note;
use crate::tables::table::{Section, Table};
use treebound_parser::answer::Count;
use treebound_parser::cell::Setting;
use treebound_records::number::{counted, fixed, grouped, signed};

/// Characters of a line of a feature set: the longest family name and its `+`.
const FEATURES_WIDTH: usize = 17;

impl Table2 {
    /// The table, with the columns of `table2.csv`; `speeds`, which may be empty, are shown and stand in no file.
    pub fn table(&self, speeds: &BTreeMap<Setting, Speed>) -> Table {
        let sections = self.blocks().map(|block| section(self.heading(block), block, speeds)).collect();
        Table::new(sections, self.sheet()).with_notes(self.notes(speeds))
    }

    fn blocks(&self) -> impl Iterator<Item = &[Line]> {
        let same = |a: &Line, b: &Line| {
            let (a, b) = (&a.averaged.setting, &b.averaged.setting);
            (Block::of(a), a.pruning) == (Block::of(b), b.pruning)
        };
        self.lines.chunk_by(same)
    }

    fn notes(&self, speeds: &BTreeMap<Setting, Speed>) -> Vec<String> {
        let averaged: Vec<Averaged> = self.lines.iter().map(|line| line.averaged.clone()).collect();
        let mut notes = note::scoring(&averaged, &self.options.punctuation);
        notes.push(note::seeds(&averaged));
        notes.extend(self.test_notes());
        notes.push(note::proofs(&averaged));
        notes.push(note::CALLS.to_owned());
        if averaged.iter().any(|line| speeds.contains_key(&line.setting)) {
            notes.push(note::SPEED.to_owned());
        }
        notes.extend(self.papers.clone());
        notes.extend(note::external(&averaged));
        notes.extend(note::failures(&averaged));
        notes
    }

    /// What the lines of a block have in common.
    fn heading(&self, block: &[Line]) -> String {
        let Some(first) = block.first() else { return String::new() };
        let setting = &first.averaged.setting;
        let several = several_templates(self.lines.iter().map(|line| &line.averaged.setting));
        let mut text = format!("Table 2: {}", Block::of(setting).words(several));
        if setting.pruning.is_some() {
            text.push_str(&format!(", {}", pruning_label(setting.pruning)));
        }
        if let Some([sentences, tokens, scored]) = block.iter().find_map(|line| line.averaged.data()) {
            let sentences = counted(sentences, "sentence", "sentences");
            let (words, scored) = (counted(tokens, "word", "words"), grouped(scored));
            text.push_str(&format!("; {sentences}, {words} ({scored} scored)"));
        }
        // All lines of a block are pruned alike, unless something is odd; then each value is shown.
        let kept = distinct(block.iter().map(|line| line.averaged.gold_kept_pct().map(|v| fixed(v, 2))));
        let heads = distinct(block.iter().map(|line| line.averaged.heads_per_word().map(|v| fixed(v, 1))));
        if !kept.is_empty() {
            text.push_str(&format!("; candidates: {heads} a word, with {kept} % of gold heads"));
        }
        text
    }

    /// What the tests are and assume, and which lines have none.
    fn test_notes(&self) -> Vec<String> {
        let compared: Vec<(&Averaged, &Comparison)> =
            self.lines.iter().filter_map(|line| Some((&line.averaged, line.comparison.as_ref()?))).collect();
        if compared.is_empty() {
            return Vec::new();
        }
        let mut notes = vec!["gain: UAS less that of the baseline in the same block, in percentage points.".to_owned()];
        if compared.iter().any(|(_, c)| c.tested.is_ok()) {
            notes.push(format!(
                "p: two-sided paired approximate randomisation of that gain, {}. The unit is the sentence with all its \
                 seeds; sentences are taken as independent and the seeds as given. Under it, where a block has several: \
                 after Holm's correction. table2.csv, made of whole \
                 tables, has {} % bootstrap intervals, and p over sentences and seeds.",
                counted(u64::from(self.options.draws.rounds), "round", "rounds"),
                100.0 * CONFIDENCE
            ));
        }
        let detectable = || compared.iter().filter_map(|(_, c)| c.detectable_points());
        if let Some(least) = detectable().min_by(f64::total_cmp) {
            let most = detectable().fold(least, f64::max);
            let range = if fixed(least, 2) == fixed(most, 2) {
                fixed(most, 2)
            } else {
                format!("{} to {}", fixed(least, 2), fixed(most, 2))
            };
            notes.push(format!(
                "Gains of {range} points would be found at 5 % in 80 of 100 such samples of sentences; table2.csv has this \
                 of each line (detectable_points). A smaller one is not shown to be none."
            ));
        }
        let faults = || compared.iter().filter_map(|(line, c)| Some((line, c.tested.as_ref().err()?)));
        if faults().any(|(_, fault)| *fault == PairFault::Empty) {
            notes.push("No p where the sentences of the line or of its baseline are not all there, unless table2.csv has it from before.".to_owned());
        }
        // Of other seeds there is no gain either.
        let (of_seeds, of_sentences): (Vec<_>, Vec<_>) = compared
            .iter()
            .filter_map(|(line, c)| Some((line, c, c.tested.as_ref().err()?)))
            .filter(|(_, _, fault)| **fault != PairFault::Empty)
            .partition(|(_, comparison, _)| comparison.gain_points.is_none());
        if !of_seeds.is_empty() {
            let lines = counted(of_seeds.len() as u64, "line", "lines");
            notes.push(format!("No gain or p where the baseline has other seeds ({lines})."));
        }
        for (line, _, fault) in of_sentences {
            notes.push(format!("No p for {}: compared with its baseline, {fault}.", line.setting));
        }
        notes
    }
}

/// The different texts, in the order of their first lines.
fn distinct(texts: impl Iterator<Item = Option<String>>) -> String {
    let mut all: Vec<String> = Vec::new();
    for text in texts.flatten() {
        if !all.contains(&text) {
            all.push(text);
        }
    }
    all.join(" / ")
}

fn section(heading: String, block: &[Line], speeds: &BTreeMap<Setting, Speed>) -> Section {
    let lines = || block.iter();
    let averaged = || block.iter().map(|line| &line.averaged);
    let compared = || block.iter().map(|line| line.comparison.as_ref());
    let two = |value: Option<f64>| value.map_or_else(String::new, |v| fixed(v, 2));
    let one = |value: Option<f64>| value.map_or_else(String::new, |v| fixed(v, 1));
    let gain = |value: Option<f64>| value.map_or_else(String::new, |v| signed(v, 2));
    let rate = |line: &Averaged| speeds.get(&line.setting).and_then(Speed::words_per_second);
    let is_family = compared().flatten().filter(|c| c.tested.is_ok()).count() > 1;
    let p_values = |c: &Comparison| match (c.p_text(), c.p_holm_text().filter(|_| is_family)) {
        // Under each other, and apart where a line has both.
        (Some(p), Some(corrected)) => format!("{p}\n {corrected}"),
        (p, _) => p.unwrap_or_default(),
    };
    let total = averaged().map(|line| line.sums.sentences).max().unwrap_or(0);
    let is_other = block.first().is_some_and(|line| Block::of(&line.averaged.setting).is_other());
    let names = if is_other {
        Section::new(heading).left("system", averaged().map(|line| system_label(&line.setting.system)))
    } else {
        let features = averaged().map(|line| features_label(&line.setting, FEATURES_WIDTH));
        Section::new(heading)
            .left("features", features)
            .left("decoder", averaged().map(|line| decoder_label(&line.setting)))
    };
    names
        .right("UAS", averaged().map(|line| two(line.uas_pct())))
        .right_if_any("sd", averaged().map(|line| two(line.uas_sd_points)))
        .right_if_any("gain", compared().map(|c| gain(c.and_then(|c| c.gain_points))))
        .right_if_any(
            if is_family { "p,\nHolm" } else { "p" },
            compared().map(|c| c.map_or_else(String::new, p_values)),
        )
        .right("UAS\nall", averaged().map(|line| two(line.uas_all_pct())))
        .right("root", averaged().map(|line| two(line.root_pct())))
        .right("compl.\nmatch", averaged().map(|line| two(line.complete_pct())))
        .right(&format!("proven\nof {}", grouped(total)), averaged().map(|line| note::proven(line, total)))
        .right_if_any("calls\na sent.", averaged().map(|line| one(line.per_sentence(Count::DpCalls))))
        .right_if_any("words/s", averaged().map(|line| note::rate(rate(line))))
        .right_if_any("paper\nUAS", lines().map(|line| two(line.published_uas_pct)))
        .right_if_any("paper\ngain", lines().map(|line| gain(line.published_gain_points)))
}
