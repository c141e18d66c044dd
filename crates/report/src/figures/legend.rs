//! The legend: a line a decoder, an entry a pruning; and which look each has.

use std::collections::BTreeSet;

use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, VPos};

use super::by_length::ByLength;
use super::layout::{LEFT, LEGEND_LINE, MARGIN, RIGHT, width};
use super::paint::{Canvas, Outcome, grid, line, marker, text};
use super::style::{self, INK, Look};
use crate::statistics::curves::Series;
use crate::tables::block::pruning_label;
use treebound_core::decode::Decoder;
use treebound_parser::cell::Setting;
use treebound_parser::pruning::Rule;

/// Width of a sample of a line, with the space after it.
const SAMPLE: i32 = 42;

/// Prunings and decoders of all panels, each in order: which look a series has.
pub struct Looks {
    prunings: Vec<Option<Rule>>,
    /// The decoders, in order.
    pub decoders: Vec<Option<Decoder>>,
}

impl Looks {
    /// The looks of a figure.
    pub fn of(figure: &ByLength) -> Self {
        let settings = || figure.panels.iter().flat_map(|panel| &panel.series).map(|series| &series.setting);
        let prunings: BTreeSet<Option<Rule>> = settings().map(|setting| setting.pruning).collect();
        let decoders: BTreeSet<Option<Decoder>> = settings().map(Setting::decoder).collect();
        Self { prunings: prunings.into_iter().collect(), decoders: decoders.into_iter().collect() }
    }

    /// The look of a series.
    pub fn look(&self, series: &Series) -> Look {
        let pruning = self.prunings.iter().position(|pruning| *pruning == series.setting.pruning).unwrap_or(0);
        let decoder = self.decoders.iter().position(|decoder| *decoder == series.setting.decoder()).unwrap_or(0);
        let (color, marker) = style::pruning(pruning);
        Look { color, marker, dashes: style::dashes(decoder) }
    }
}

/// Draws the lines of a legend from `top` down.
pub fn draw_legend<DB: DrawingBackend>(canvas: &Canvas<DB>, lines: &[Vec<Entry>], top: i32) -> Outcome<DB> {
    for (i, entries) in lines.iter().enumerate() {
        let middle = top + i as i32 * LEGEND_LINE + LEGEND_LINE / 2;
        for Entry { left, label, look } in entries {
            let mut left = *left;
            if let Some(look) = *look {
                line(canvas, &[grid((left, middle)), grid((left + 34, middle))], look)?;
                marker(canvas, grid((left + 17, middle)), look, false)?;
                left += SAMPLE;
            }
            text(canvas, label, 16, INK, (left, middle), (HPos::Left, VPos::Center))?;
        }
    }
    Ok(())
}

/// The lines of a legend of named looks, from `left` to `right`, broken where they are full.
pub fn flow(names: &[(&str, Look)], left: i32, right: i32) -> Vec<Vec<Entry>> {
    let mut lines = vec![Vec::new()];
    let mut at = left;
    for (name, look) in names {
        let width = entry_width(name);
        if at > left && at + width > right {
            lines.push(Vec::new());
            at = left;
        }
        let entry = Entry { left: at, label: (*name).to_owned(), look: Some(*look) };
        lines.last_mut().into_iter().for_each(|line| line.push(entry.clone()));
        at += width;
    }
    lines
}

/// A name in the legend: of a series, with its line and marker, or of a decoder.
#[derive(Clone, Debug)]
pub struct Entry {
    left: i32,
    label: String,
    look: Option<Look>,
}

/// Pixels that a character takes at most, on average; viewers of the SVG may have a wider font than ours.
const CHARACTER: i32 = 9;

fn text_width(text: &str) -> i32 {
    CHARACTER * text.chars().count() as i32
}

/// Width of an entry with its sample and the space after it.
fn entry_width(label: &str) -> i32 {
    SAMPLE + text_width(label) + 18
}

/// The lines of the legend: at least one a decoder, led by its name if there are several.
pub fn legend_lines(figure: &ByLength, looks: &Looks) -> Vec<Vec<Entry>> {
    let several = looks.decoders.len() > 1;
    let name = |decoder: &Option<Decoder>| decoder.map_or_else(String::new, |decoder| decoder.to_string());
    let names = looks.decoders.iter().filter(|_| several).map(|decoder| text_width(&name(decoder)) + 16).max();
    let names = names.unwrap_or(0);
    let (start, end) = (MARGIN + LEFT + names, width(figure.panels.len()) - MARGIN - RIGHT);
    let mut lines = Vec::new();
    for decoder in &looks.decoders {
        let mut entries = Vec::new();
        if several {
            entries.push(Entry { left: MARGIN + LEFT, label: name(decoder), look: None });
        }
        let mut left = start;
        for pruning in &looks.prunings {
            let label = pruning_label(*pruning);
            let width = entry_width(&label);
            if left > start && left + width > end {
                lines.push(std::mem::take(&mut entries));
                left = start;
            }
            let mut series = figure.panels.iter().flat_map(|panel| &panel.series);
            // A place is kept for what this decoder was not run with, so that the decoders' columns agree.
            if let Some(series) = series.find(|s| s.setting.decoder() == *decoder && s.setting.pruning == *pruning) {
                entries.push(Entry { left, label, look: Some(looks.look(series)) });
            }
            left += width;
        }
        lines.push(entries);
    }
    lines
}
