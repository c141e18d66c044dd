//! A diff for people and for programs: old, new and change side by side, `-` where there is nothing.

use serde_json::{Map, Value, json};

use super::measure::{NOTHING, measures};
use super::{CellDiff, Diff, Found};
use crate::cell::{CellKey, Setting};
use crate::records::Counts;
use crate::records::columns::{Column, Row, SEED};
use crate::records::number::counted;
use crate::records::sheet::Sheet;
use crate::tables::table::{Section, Table};

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
        if !shown.is_empty() {
            sections.push(score_section(format!("Scores, {} to {}", self.old, self.new), &shown, all));
            closing.push_str(&self.errors(&shown));
        }
        for side in &self.without_config {
            closing
                .push_str(&format!("{side} has no config.resolved.toml: whether the config changed is not known.\n"));
        }
        Table::new(sections, Sheet::default()).with_closing(closing + &self.summary())
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
        let worse = match self.worse().count() {
            0 => "none of them worse".to_owned(),
            worse => format!("{worse} of them worse (UAS, proven, failed or gone)"),
        };
        format!("{changed} of {cells} changed, {worse}; {settings} changed.\n")
    }

    fn config_section(&self, heading: String) -> Section {
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| NOTHING.to_owned());
        Section::new(heading)
            .left("setting", self.config.iter().map(|change| change.setting.clone()))
            .left("old", self.config.iter().map(|change| value(&change.old)))
            .left("new", self.config.iter().map(|change| value(&change.new)))
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
        json!({
            "old": self.old,
            "new": self.new,
            "without_config": self.without_config,
            "config": self.config,
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
    let axes = Setting::AXES.into_iter().zip(cell.setting.spelt()).map(|(axis, text)| (axis.to_owned(), json!(text)));
    Value::Object(axes.chain([(SEED.to_owned(), json!(cell.seed))]).collect())
}

/// The lines of all cells, each led by its name.
fn score_section(heading: String, cells: &[&CellDiff], all: bool) -> Section {
    let mut names = Vec::new();
    let mut lines: Vec<Line> = Vec::new();
    for cell in cells {
        let of_cell = cell_lines(cell, all);
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

/// The measures of a cell that changed, or all of them.
fn cell_lines(cell: &CellDiff, all: bool) -> Vec<Line> {
    let ok = |found: &Found| found.as_ref().and_then(|found| found.clone().ok());
    let (old, new) = (ok(&cell.old), ok(&cell.new));
    let mut lines = Vec::new();
    let failed = |found: &Found| if error(found).is_some() { "failed" } else { NOTHING }.to_owned();
    if error(&cell.old).or(error(&cell.new)).is_some() {
        lines.push(["error".to_owned(), failed(&cell.old), failed(&cell.new), String::new()]);
    }
    for measure in measures() {
        let shown = match (&old, &new) {
            (Some(old), Some(new)) => all || !measure.is_same(old, new),
            (None, None) => false,
            // Of a cell on one side only, what decides whether a cell is worse.
            _ => all || measure.is_main,
        };
        if !shown {
            continue;
        }
        let text = |counts: &Option<Counts>| counts.as_ref().map_or_else(|| NOTHING.to_owned(), |c| measure.text(c));
        let change = old.as_ref().zip(new.as_ref()).map(|(old, new)| measure.change(old, new));
        lines.push([measure.name.to_owned(), text(&old), text(&new), change.unwrap_or_else(|| NOTHING.to_owned())]);
    }
    lines
}
