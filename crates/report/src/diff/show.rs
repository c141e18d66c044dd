//! A diff for people and for programs: old, new and change side by side, `-` where there is nothing.

use serde_json::{Map, Value, json};

use super::{CellDiff, Counts, Diff, Found, Mark, SettingDiff, SpeedDiff, Sums, config};
use crate::frame::Frame;
use crate::measures::{MEASURES, Of};
use crate::tables::blocks::{PLACE, TableOptions, block_words, features_labels, placed, pruning_labels};
use crate::tables::table::{Section, Table};
use treebound_records::ReportError;
use treebound_records::number::{counted, fixed, grouped, percent, ratio, signed};
use treebound_records::sheet::Sheet;
use treebound_records::table::SEED;

/// Decimals: in a million words, one word more is 0.0001 points; in a test part of 25,000 it is 0.004.
const DECIMALS: usize = 3;

/// Decimals of p-values.
const P_DECIMALS: usize = 4;

/// What stands where there is nothing.
const NOTHING: &str = "-";

/// Counts that are shown as they are.
const COUNTS: [(&str, &str); 3] = [("proven", "proven"), ("nodes", "nodes"), ("dp_calls", "DP calls")];

/// A line of the table: what, old, new, change.
type Line = [String; 4];

impl Diff {
    /// The diff as a table; with all cells, or only those that changed.
    ///
    /// # Errors
    /// If the table engine refuses.
    pub fn table(&self, all: bool) -> Result<Table, ReportError> {
        let mut sections = Vec::new();
        if !self.config.is_empty() {
            sections.push(self.config_section(format!("Config, {} to {}", self.old, self.new)));
        }
        let shown: Vec<&CellDiff> = self.cells.iter().filter(|cell| all || cell.is_changed()).collect();
        let mut closing = String::new();
        sections.extend(self.setting_sections(all)?);
        sections.extend(self.replacement_sections()?);
        sections.extend(self.speed_section(all)?);
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
        Ok(Table::new(sections, Sheet::default()).with_closing(closing + &self.summary()))
    }

    /// A section a block, with a line a setting: all of them, or those of which a cell changed.
    fn setting_sections(&self, all: bool) -> Result<Vec<Section>, ReportError> {
        let shown: Vec<&SettingDiff> = self.settings.iter().filter(|setting| all || setting.is_changed).collect();
        self.sections("Scores", &shown)
    }

    /// A section a block of settings that replaced others.
    fn replacement_sections(&self) -> Result<Vec<Section>, ReportError> {
        self.sections("Replaced", &self.replacements.iter().collect::<Vec<_>>())
    }

    /// A section a block of some settings.
    fn sections(&self, what: &str, shown: &[&SettingDiff]) -> Result<Vec<Section>, ReportError> {
        if shown.is_empty() {
            return Ok(Vec::new());
        }
        let lines = self.lines.rows(&shown.iter().map(|diff| diff.row).collect::<Vec<_>>())?;
        let places = polars::prelude::Column::new("shown".into(), (0..shown.len() as u64).collect::<Vec<_>>());
        let lines = placed(&lines.with(places)?, &TableOptions::default())?.sorted(&PLACE)?;
        let mut sections = Vec::new();
        for block in lines.blocks(&["block"])? {
            let heading = format!("{what}, {} to {}: {}", self.old, self.new, block_words(&block)?);
            let places = block.counts("shown")?.into_iter().flatten();
            let diffs: Vec<&SettingDiff> = places.map(|place| shown[place as usize]).collect();
            sections.push(self.setting_section(heading, &block, &diffs)?);
        }
        Ok(sections)
    }

    /// Words per second, of all settings that one machine timed on both sides or of those whose times are others.
    fn speed_section(&self, all: bool) -> Result<Option<Section>, ReportError> {
        let shown: Vec<&SpeedDiff> = self.speeds.iter().filter(|diff| all || diff.is_changed).collect();
        if shown.is_empty() {
            return Ok(None);
        }
        let lines = self.lines.rows(&shown.iter().map(|diff| diff.row).collect::<Vec<_>>())?;
        let blocks = (0..shown.len()).map(|row| block_words(&lines.rows(&[row])?));
        let rate = |side: usize| shown.iter().map(move |diff| fixed(diff.words_per_second[side], 0));
        let faster = shown.iter().map(|diff| fixed(diff.words_per_second[1] / diff.words_per_second[0], 2));
        let section = Section::new(format!("Words/s, {} to {}, on one machine", self.old, self.new))
            .left("of", blocks.collect::<Result<Vec<_>, _>>()?)
            .left("features", features_labels(&lines, usize::MAX)?)
            .left("pruning", pruning_labels(&lines)?)
            .left("decoder", lines.words("decoder")?)
            .right("old", rate(0))
            .right("new", rate(1))
            .right("times as fast", faster);
        Ok(Some(section))
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
    ///
    /// # Errors
    /// If the table engine refuses.
    pub fn json(&self, all: bool) -> Result<Value, ReportError> {
        let axes = axes(&self.lines)?;
        let cell = |cell: &CellDiff| {
            let mut key = axes[cell.row].clone();
            key.insert(SEED.to_owned(), json!(cell.seed));
            json!({
                "cell": key,
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
                "setting": axes[diff.row],
                "in_the_place_of": diff.replaced.map(|(_, old)| &axes[old]),
                "seeds": diff.seeds,
                "old": sums(diff.old),
                "new": sums(diff.new),
                "p_value": diff.p_value,
                "mark": diff.mark.map(Mark::name),
            })
        };
        let speed = |diff: &SpeedDiff| {
            let [old, new] = diff.words_per_second;
            json!({ "setting": axes[diff.row], "old_words_per_second": old, "new_words_per_second": new })
        };
        let speeds: Vec<Value> = self.speeds.iter().filter(|diff| all || diff.is_changed).map(speed).collect();
        let settings: Vec<Value> = self.settings.iter().filter(|s| all || s.is_changed).map(setting).collect();
        let replacements: Vec<Value> = self.replacements.iter().map(setting).collect();
        Ok(json!({
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
        }))
    }

    /// A line a setting: means over the seeds that both sides have.
    fn setting_section(&self, heading: String, lines: &Frame, diffs: &[&SettingDiff]) -> Result<Section, ReportError> {
        let all = || diffs.iter();
        let uas = |sums: Option<Sums>| {
            let uas = sums.and_then(Sums::uas_pct);
            uas.map_or_else(|| NOTHING.to_owned(), |uas| fixed(uas, DECIMALS))
        };
        let count = |count: Option<u64>| count.map_or_else(|| NOTHING.to_owned(), grouped);
        let proven = |sums: Option<Sums>| count(sums.and_then(|sums| sums.proven));
        let calls = |sums: Option<Sums>| count(sums.and_then(|sums| sums.dp_calls));
        let nothing = || NOTHING.to_owned();
        let mut section = Section::new(heading);
        section = if lines.words("is_other")?[0] == "true" {
            section.left("system", lines.words("system")?)
        } else {
            section
                .left("features", features_labels(lines, usize::MAX)?)
                .left("pruning", pruning_labels(lines)?)
                .left("decoder", lines.words("decoder")?)
        };
        if diffs.iter().any(|diff| diff.replaced.is_some()) {
            let axes = self.lines.axes().iter().map(|axis| self.lines.words(axis)).collect::<Result<Vec<_>, _>>()?;
            let replaced =
                |diff: &&SettingDiff| diff.replaced.map_or_else(String::new, |(axis, old)| axes[axis][old].clone());
            section = section.left("in the place of", diffs.iter().map(replaced));
        }
        let change = |diff: &SettingDiff| diff.change_points().map_or_else(nothing, |change| signed(change, DECIMALS));
        Ok(section
            .right("seeds", all().map(|diff| diff.seeds.len().to_string()))
            .right("UAS, old", all().map(|diff| uas(diff.old)))
            .right("new", all().map(|diff| uas(diff.new)))
            .right("change", all().map(|diff| change(diff)))
            .right("p", all().map(|diff| diff.p_value.map_or_else(nothing, p_text)))
            .right("proven, old", all().map(|diff| proven(diff.old)))
            .right("new", all().map(|diff| proven(diff.new)))
            .right("calls, old", all().map(|diff| calls(diff.old)))
            .right("new", all().map(|diff| calls(diff.new)))
            .left("", all().map(|diff| diff.mark.map_or("", Mark::name).to_owned())))
    }
}

/// A p-value for people: one that would be rounded to nothing is below the least that is shown.
fn p_text(p: f64) -> String {
    let text = fixed(p, P_DECIMALS);
    if text.bytes().all(|byte| b"0.".contains(&byte)) {
        format!("< {}", fixed(0.1_f64.powi(P_DECIMALS as i32), P_DECIMALS))
    } else {
        text
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
            let count = |name: &'static str| Some((name.to_owned(), json!(counts.get(name)?)));
            Value::Object(Counts::columns().filter_map(count).collect::<Map<_, _>>())
        }
    }
}

/// Lines by axis.
fn axes(lines: &Frame) -> Result<Vec<Map<String, Value>>, ReportError> {
    let words = lines.axes().iter().map(|axis| lines.words(axis)).collect::<Result<Vec<_>, _>>()?;
    let of_line = |row: usize| {
        lines.axes().iter().zip(&words).map(|(axis, words)| (axis.clone(), json!(words[row]))).collect::<Map<_, _>>()
    };
    Ok((0..lines.height()).map(of_line).collect())
}

/// Characters of a value that are shown; JSON has all of it.
const VALUE: usize = 60;

fn shortened(value: &str) -> String {
    if value.chars().count() <= VALUE {
        return value.to_owned();
    }
    value.chars().take(VALUE - 3).chain("...".chars()).collect()
}

/// The lines of all cells, each led by its name.
fn score_section(heading: String, cells: &[&CellDiff]) -> Section {
    let mut names = Vec::new();
    let mut lines: Vec<Line> = Vec::new();
    for cell in cells {
        let of_cell = cell_lines(cell);
        for (i, line) in of_cell.into_iter().enumerate() {
            names.push(if i == 0 { cell.cell.clone() } else { String::new() });
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
    if old.is_none() && new.is_none() {
        return lines;
    }
    for measure in MEASURES {
        let Some([part, whole]) = measure.pair().filter(|[part, _]| COUNTS.iter().all(|(count, _)| count != part))
        else {
            continue;
        };
        let number = |counts: &Option<Counts>| {
            let counts = counts.as_ref()?;
            let (part, whole) = (counts.get(part)?, counts.get(whole)?);
            if matches!(measure.of, Of::Percent(..)) { percent(part, whole) } else { ratio(part, whole) }
        };
        let text = |number: Option<f64>| number.map_or_else(|| NOTHING.to_owned(), |number| fixed(number, DECIMALS));
        let (old, new) = (number(&old), number(&new));
        let change = old.zip(new).map_or_else(|| NOTHING.to_owned(), |(old, new)| signed(new - old, DECIMALS));
        lines.push([measure.heading.replace('\n', " "), text(old), text(new), change]);
    }
    for (name, label) in COUNTS {
        let number = |counts: &Option<Counts>| counts.as_ref().and_then(|counts| counts.get(name));
        let text = |number: Option<u64>| number.map_or_else(|| NOTHING.to_owned(), grouped);
        let (old, new) = (number(&old), number(&new));
        lines.push([label.to_owned(), text(old), text(new), change(old, new)]);
    }
    lines
}

/// By how much a count changed.
fn change(old: Option<u64>, new: Option<u64>) -> String {
    let Some((old, new)) = old.zip(new) else { return NOTHING.to_owned() };
    let sign = match new.cmp(&old) {
        std::cmp::Ordering::Greater => "+",
        std::cmp::Ordering::Less => "-",
        std::cmp::Ordering::Equal => "",
    };
    format!("{sign}{}", grouped(new.abs_diff(old)))
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_p_value_is_nothing() {
        let shown = [1e-9, 0.00004, 0.00006, 0.0412].map(super::p_text);
        assert_eq!(shown, ["< 0.0001", "< 0.0001", "0.0001", "0.0412"]);
    }
}
