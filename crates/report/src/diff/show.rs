//! A diff for people and for programs: old, new and change side by side, `-` where there is nothing.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::measure::{DECIMALS, NOTHING, measures};
use super::{CellDiff, Diff, Found, Mark, SettingDiff, SpeedDiff, Sums, config};
use crate::tables::block::{Block, decoder_label, features_label, pruning_label, several_templates};
use crate::tables::table::{Section, Table};
use treebound_parser::cell::{CellKey, Setting};
use treebound_records::Counts;
use treebound_records::columns::{Column, Row, SEED};
use treebound_records::number::{counted, fixed, grouped, signed};
use treebound_records::sheet::Sheet;

/// A line of the table: what, old, new, change.
type Line = [String; 4];

impl Diff {
    /// The diff as a table; with all cells, or only those that changed.
    pub fn table(&self, all: bool) -> Table {
        let mut sections = Vec::new();
        if !self.config.is_empty() {
            sections.push(self.config_section(format!("Config, {} to {}", self.old, self.new)));
        }
        let shown: Vec<&CellDiff> = self.cells.iter().filter(|cell| all || cell.is_changed()).collect();
        let mut closing = String::new();
        sections.extend(self.setting_sections(all));
        sections.extend(self.replacement_sections());
        sections.extend(self.speed_section(all));
        if !shown.is_empty() {
            if all {
                sections.push(score_section(format!("Cells, {} to {}", self.old, self.new), &shown));
            }
            closing.push_str(&self.errors(&shown));
        }
        for side in &self.without_config {
            closing
                .push_str(&format!("{side} has no config.resolved.toml: whether the config changed is not known.\n"));
        }
        if self.timed_elsewhere > 0 && all {
            let cells = counted(self.timed_elsewhere as u64, "cell was", "cells were");
            closing.push_str(&format!("{cells} timed by other machines on the two sides: times do not compare.\n"));
        }
        Table::new(sections, Sheet::default()).with_closing(closing + &self.summary())
    }

    /// A section a block, with a line a setting: all of them, or those of which a cell changed.
    fn setting_sections(&self, all: bool) -> Vec<Section> {
        let shown: Vec<&SettingDiff> = self.settings.iter().filter(|setting| all || setting.is_changed).collect();
        let several = several_templates(shown.iter().map(|diff| &diff.setting));
        let heading = |block: &Block| format!("Scores, {} to {}: {}", self.old, self.new, block.words(several));
        let blocks = by_block(shown.into_iter());
        blocks.map(|(block, lines)| setting_section(heading(&block), block.is_other(), &lines)).collect()
    }

    /// A section a block of settings that replaced others.
    fn replacement_sections(&self) -> Vec<Section> {
        let several = several_templates(self.replacements.iter().map(|diff| &diff.setting));
        let heading = |block: &Block| format!("Replaced, {} to {}: {}", self.old, self.new, block.words(several));
        by_block(self.replacements.iter())
            .map(|(block, lines)| setting_section(heading(&block), block.is_other(), &lines))
            .collect()
    }

    /// Words per second, of all settings that one machine timed on both sides or of those whose times are others.
    fn speed_section(&self, all: bool) -> Option<Section> {
        let shown: Vec<&SpeedDiff> = self.speeds.iter().filter(|diff| all || diff.is_changed).collect();
        let several = several_templates(shown.iter().map(|diff| &diff.setting));
        let rate = |side: usize| shown.iter().map(move |diff| fixed(diff.words_per_second[side], 0));
        let faster = shown.iter().map(|diff| fixed(diff.words_per_second[1] / diff.words_per_second[0], 2));
        let section = Section::new(format!("Words/s, {} to {}, on one machine", self.old, self.new))
            .left("of", shown.iter().map(|diff| Block::of(&diff.setting).words(several)))
            .left("features", shown.iter().map(|diff| features_label(&diff.setting, usize::MAX)))
            .left("pruning", shown.iter().map(|diff| pruning_label(diff.setting.pruning())))
            .left("decoder", shown.iter().map(|diff| decoder_label(&diff.setting)))
            .right("old", rate(0))
            .right("new", rate(1))
            .right("times as fast", faster);
        (!shown.is_empty()).then_some(section)
    }

    /// Why cells have no counts.
    fn errors(&self, shown: &[&CellDiff]) -> String {
        let mut text = String::new();
        for cell in shown {
            for (side, found) in [(&self.old, &cell.old), (&self.new, &cell.new)] {
                if let Some(error) = error(found) {
                    text.push_str(&format!("Failed in {side}: {}: {error}\n\n", cell.cell));
                }
            }
        }
        text
    }

    /// One line on how much changed.
    fn summary(&self) -> String {
        let changed = self.changed().count() as u64;
        let cells = counted(self.cells.len() as u64, "cell", "cells");
        let settings = counted(self.config.len() as u64, "setting", "settings");
        if changed == 0 && self.config.is_empty() {
            return format!("No change in {cells} between {} and {}.\n", self.old, self.new);
        }
        let gone = self.cells.iter().filter(|cell| cell.is_gone()).count();
        let worse = match self.worse().count() - gone {
            0 => "none of them worse".to_owned(),
            worse => format!("{worse} of them worse (fewer words right, or fewer sentences proven)"),
        };
        let replaced = self.replacements.iter().filter(|diff| diff.mark == Some(Mark::Worse)).count();
        let replaced = match (self.replacements.len(), replaced) {
            (0, _) => String::new(),
            (all, worse) => {
                format!(", {} ({worse} of them worse)", counted(all as u64, "setting replaced", "settings replaced"))
            }
        };
        let gone = match gone {
            0 => String::new(),
            gone => format!(", {gone} failed or gone"),
        };
        format!("{changed} of {cells} changed, {worse}{gone}{replaced}; {settings} of the config changed.\n")
    }

    fn config_section(&self, heading: String) -> Section {
        let value =
            |value: &Option<String>| value.as_ref().map_or_else(|| NOTHING.to_owned(), |value| shortened(value));
        let changes = config::by_table(&self.config);
        Section::new(heading)
            .left("setting", changes.iter().map(|change| change.setting.clone()))
            .left("old", changes.iter().map(|change| value(&change.old)))
            .left("new", changes.iter().map(|change| value(&change.new)))
    }

    /// The diff for programs: counts, not percentages.
    pub fn json(&self, all: bool) -> Value {
        let cell = |cell: &CellDiff| {
            json!({
                "cell": key(&cell.cell),
                "old": counts(&cell.old),
                "new": counts(&cell.new),
                "worse": cell.is_worse(),
            })
        };
        let cells: Vec<Value> = self.cells.iter().filter(|c| all || c.is_changed()).map(cell).collect();
        let setting = |diff: &SettingDiff| {
            let sums = |sums: Option<Sums>| {
                sums.map(|s| json!({ "scored_correct": s.correct, "scored_tokens": s.words, "proven": s.proven, "dp_calls": s.dp_calls }))
            };
            json!({
                "setting": axes(&diff.setting),
                "in_the_place_of": diff.replaced.as_ref().map(|(_, old)| axes(old)),
                "seeds": diff.seeds,
                "old": sums(diff.old),
                "new": sums(diff.new),
                "p_value": diff.p_value,
                "mark": diff.mark.map(Mark::name),
            })
        };
        let speed = |diff: &SpeedDiff| {
            let [old, new] = diff.words_per_second;
            json!({ "setting": axes(&diff.setting), "old_words_per_second": old, "new_words_per_second": new })
        };
        let speeds: Vec<Value> = self.speeds.iter().filter(|diff| all || diff.is_changed).map(speed).collect();
        let settings: Vec<Value> = self.settings.iter().filter(|s| all || s.is_changed).map(setting).collect();
        let replacements: Vec<Value> = self.replacements.iter().map(setting).collect();
        json!({
            "old": self.old,
            "new": self.new,
            "without_config": self.without_config,
            "config": self.config,
            "settings": settings,
            "replacements": replacements,
            "speeds": speeds,
            "cells": cells,
            "changed": self.changed().count(),
            "worse": self.worse().count(),
        })
    }
}

/// Why there are no counts.
fn error(found: &Found) -> Option<&str> {
    found.as_ref().and_then(|found| found.as_ref().err()).map(String::as_str)
}

/// Counts by column; an error; or null.
fn counts(found: &Found) -> Value {
    match found {
        None => Value::Null,
        Some(Err(error)) => json!({ "error": error }),
        Some(Ok(counts)) => {
            let mut line = Vec::new();
            counts.print(&mut line);
            let fields = Counts::columns().into_iter().zip(line);
            let count =
                |(column, text): (Column, String)| Some((column.name.to_owned(), json!(text.parse::<u64>().ok()?)));
            Value::Object(fields.filter_map(count).collect::<Map<_, _>>())
        }
    }
}

/// A cell by axis.
fn key(cell: &CellKey) -> Value {
    let mut key = axes(&cell.setting);
    key.insert(SEED.to_owned(), json!(cell.seed));
    Value::Object(key)
}

/// A setting by axis.
fn axes(setting: &Setting) -> Map<String, Value> {
    Setting::AXES.into_iter().zip(setting.spelt()).map(|(axis, text)| (axis.to_owned(), json!(text))).collect()
}

/// Characters of a value that are shown; JSON has all of it.
const VALUE: usize = 60;

fn shortened(value: &str) -> String {
    if value.chars().count() <= VALUE {
        return value.to_owned();
    }
    value.chars().take(VALUE - 3).chain("...".chars()).collect()
}

/// Settings by what they have in common.
fn by_block<'d>(
    settings: impl Iterator<Item = &'d SettingDiff>,
) -> impl Iterator<Item = (Block<'d>, Vec<&'d SettingDiff>)> {
    let mut blocks: BTreeMap<Block, Vec<&SettingDiff>> = BTreeMap::new();
    for diff in settings {
        blocks.entry(Block::of(&diff.setting)).or_default().push(diff);
    }
    blocks.into_iter()
}

/// A line a setting: means over the seeds that both sides have.
fn setting_section(heading: String, is_other: bool, lines: &[&SettingDiff]) -> Section {
    let all = || lines.iter();
    let uas = |sums: Option<Sums>| {
        let uas = sums.and_then(Sums::uas_pct);
        uas.map_or_else(|| NOTHING.to_owned(), |uas| fixed(uas, DECIMALS))
    };
    let count = |count: Option<u64>| count.map_or_else(|| NOTHING.to_owned(), grouped);
    let proven = |sums: Option<Sums>| count(sums.and_then(|sums| sums.proven));
    let calls = |sums: Option<Sums>| count(sums.and_then(|sums| sums.dp_calls));
    let nothing = || NOTHING.to_owned();
    let section = Section::new(heading);
    let section = if is_other {
        section.left("system", all().map(|diff| diff.setting.system.to_string()))
    } else {
        section
            .left("features", all().map(|diff| features_label(&diff.setting, usize::MAX)))
            .left("pruning", all().map(|diff| pruning_label(diff.setting.pruning())))
            .left("decoder", all().map(|diff| decoder_label(&diff.setting)))
    };
    let section = if lines.iter().any(|diff| diff.replaced.is_some()) {
        let replaced = |diff: &SettingDiff| diff.replaced.as_ref().map(|(axis, old)| old.spelt()[*axis].clone());
        section.left("in the place of", all().map(|diff| replaced(diff).unwrap_or_default()))
    } else {
        section
    };
    section
        .right("seeds", all().map(|diff| diff.seeds.len().to_string()))
        .right("UAS, old", all().map(|diff| uas(diff.old)))
        .right("new", all().map(|diff| uas(diff.new)))
        .right("change", all().map(|diff| diff.change_points().map_or_else(nothing, |change| signed(change, DECIMALS))))
        .right("p", all().map(|diff| diff.p_value.map_or_else(nothing, |p| fixed(p, 4))))
        .right("proven, old", all().map(|diff| proven(diff.old)))
        .right("new", all().map(|diff| proven(diff.new)))
        .right("calls, old", all().map(|diff| calls(diff.old)))
        .right("new", all().map(|diff| calls(diff.new)))
        .left("", all().map(|diff| diff.mark.map_or("", Mark::name).to_owned()))
}

/// The lines of all cells, each led by its name.
fn score_section(heading: String, cells: &[&CellDiff]) -> Section {
    let mut names = Vec::new();
    let mut lines: Vec<Line> = Vec::new();
    for cell in cells {
        let of_cell = cell_lines(cell);
        for (i, line) in of_cell.into_iter().enumerate() {
            names.push(if i == 0 { cell.cell.to_string() } else { String::new() });
            lines.push(line);
        }
    }
    let column = |i: usize| lines.iter().map(move |line| line[i].clone()).collect::<Vec<String>>();
    Section::new(heading)
        .left("cell", names)
        .left("measure", column(0))
        .right("old", column(1))
        .right("new", column(2))
        .right("change", column(3))
}

/// All measures of a cell.
fn cell_lines(cell: &CellDiff) -> Vec<Line> {
    let ok = |found: &Found| found.as_ref().and_then(|found| found.clone().ok());
    let (old, new) = (ok(&cell.old), ok(&cell.new));
    let mut lines = Vec::new();
    let failed = |found: &Found| if error(found).is_some() { "failed" } else { NOTHING }.to_owned();
    if error(&cell.old).or(error(&cell.new)).is_some() {
        lines.push(["error".to_owned(), failed(&cell.old), failed(&cell.new), String::new()]);
    }
    for measure in measures() {
        if old.is_none() && new.is_none() {
            continue;
        }
        let text = |counts: &Option<Counts>| counts.as_ref().map_or_else(|| NOTHING.to_owned(), |c| measure.text(c));
        let change = old.as_ref().zip(new.as_ref()).map(|(old, new)| measure.change(old, new));
        lines.push([measure.name.to_owned(), text(&old), text(&new), change.unwrap_or_else(|| NOTHING.to_owned())]);
    }
    lines
}
