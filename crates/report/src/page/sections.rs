//! Sections of a page that are made of results alone.

use super::{Drawing, Section};
use crate::comparison::significance;
use crate::figures::Figure;
use crate::frame::Frame;
use crate::made::{FIGURES, FigureKind, Scored, TABLES};
use crate::results::{Results, ResultsError};
use crate::tables::blocks::pruning_label;
use crate::tables::{beside, learners};
use treebound_records::number::{counted, fixed, signed};
use treebound_records::{ReportError, schema};

/// What won: of each part of each treebank the parser with the highest UAS, and what is known of its gain over the baseline.
///
/// # Errors
/// If lines are none of Table 2.
pub fn best(lines: &Frame) -> Result<Section, ReportError> {
    let mut section = Section::new("What won");
    for part in lines.blocks(&["corpus", "split", "tags"])? {
        let uas = part.numbers("uas_pct")?;
        let known = (0..part.height()).filter_map(|row| Some((row, uas[row]?)));
        // The first of several that are as good.
        if let Some((row, _)) = known.reduce(|best, own| if own.1 > best.1 { own } else { best }) {
            section.paragraphs.push(winner(&part, row)?);
        }
    }
    Ok(section)
}

/// The winner of a part, in words.
fn winner(part: &Frame, row: usize) -> Result<String, ReportError> {
    let word = |name: &str| Ok::<_, ReportError>(part.words(name)?.swap_remove(row));
    let number = |name: &str| Ok::<_, ReportError>(part.numbers(name)?[row]);
    let settings = beside::values(part, ["templates", "learner"], row)?;
    let pruning = pruning_label(&word("pruning")?);
    let how: Vec<String> = [settings, pruning].into_iter().filter(|words| !words.is_empty()).collect();
    let how = if how.is_empty() { String::new() } else { format!(" ({})", how.join(", ")) };
    let seeds = part.counts("seeds")?[row].unwrap_or(0);
    let mut text = format!(
        "{}, {} part, {} tags: {}{how} has the highest UAS, {}, of {}",
        word("corpus")?,
        word("split")?,
        word("tags")?,
        beside::parsers(part)?.swap_remove(row),
        fixed(number("uas_pct")?.unwrap_or_default(), 2),
        counted(part.height() as u64, "parser", "parsers"),
    );
    if seeds > 1 {
        text.push_str(&format!(" (mean over {seeds} seeds)"));
    }
    let Some(gain) = number("gain_points")? else { return Ok(text + ".") };
    text.push_str(&format!(". Its gain over the baseline is {} points", signed(gain, 2)));
    let interval = beside::intervals(part)?.swap_remove(row);
    let (p, holm) = (word("p_value")?, word("p_holm")?);
    let tested = significance(&holm);
    Ok(match tested {
        Some(verdict) => {
            format!("{text}, {verdict}: 95 % interval {interval}, p = {p}, after Holm's correction {holm}.")
        }
        None => text + ".",
    })
}

/// Tables 2 and 3, of the lines of the first.
///
/// # Errors
/// If rows do not go together.
pub fn accuracy(
    results: &Results,
    title: &str,
    scored: &Scored,
    (lines, unpaired): (&Frame, Option<String>),
) -> Result<Section, ResultsError> {
    let mut section = Section::new(title);
    section.paragraphs.extend(unpaired);
    section.tables.push(scored.sets(lines, results)?.grid());
    section.tables.extend(scored.prunings(results)?.map(|(table, _)| table.grid()));
    Ok(section)
}

/// A section of a table, if it can be made; where it can put axes side by side, as results say.
pub fn table_if_any(results: &Results, title: &str, name: &str) -> Section {
    let mut section = Section::new(title);
    let kind = TABLES.iter().find(|kind| kind.name == name);
    if let Some(Ok(made)) = kind.map(|kind| kind.made(&shown_by(results, kind.has_beside))) {
        section.tables.extend(made.tables.iter().map(|table| table.grid()));
    }
    section
}

/// Results for what can put axes side by side, or cannot.
fn shown_by(results: &Results, has_beside: bool) -> Results {
    let mut results = results.clone();
    if !has_beside {
        results.facts.options.beside.clear();
    }
    results
}

/// Models without non-local features by learner, where there are several; how far CRFs are to be believed; and how long it
/// takes to learn each, as far as that was measured (`times`).
///
/// # Errors
/// If rows do not go together.
pub fn of_learners(results: &Results, scored: &Scored, times: &Frame) -> Result<Section, ResultsError> {
    let mut section = Section::new("Learners");
    if scored.has_several_learners()? {
        section.tables.push(learners::learners(&scored.scores, &results.facts.options)?.grid());
    }
    let of_probabilities = results.measured("calibration.csv", &schema::CALIBRATION)?;
    if !of_probabilities.is_empty() {
        section.tables.push(learners::calibration(&of_probabilities)?.grid());
    }
    if !times.is_empty() {
        section.tables.push(learners::learning(times)?.grid());
    }
    Ok(section)
}

/// The DP calls of section 4.6, and how they are spread over sentences.
///
/// # Errors
/// If rows do not go together.
pub fn effort(results: &Results, scored: &Scored) -> Result<Section, ResultsError> {
    let mut section = table_if_any(results, "Search effort", "calls");
    section.tables.insert(0, scored.calls(results)?.grid());
    Ok(section)
}

/// The figures of a page, beside it: it may show other cells than those of the config's figures, which are committed.
const FIGURES_FOLDER: &str = "report";

/// The figures that there are measurements of; they are written beside, for the page that names files.
///
/// # Errors
/// If a figure cannot be drawn or written.
pub fn figures(results: &Results) -> Result<Section, ResultsError> {
    let mut section = Section::new("Figures");
    // Those that miss measurements are left out, as figure would say.
    let found: Vec<(&FigureKind, Figure)> =
        FIGURES.iter().filter_map(|kind| Some((kind, kind.drawn(&shown_by(results, kind.has_beside)).ok()?))).collect();
    for (kind, drawn) in found.into_iter().filter(|(_, drawn)| !drawn.is_empty()) {
        drawn.write(&results.path(FIGURES_FOLDER))?;
        section.drawings.push(Drawing {
            caption: kind.caption.to_owned(),
            svg: drawn.svg()?,
            file: Some(format!("{FIGURES_FOLDER}/{}.svg", drawn.name())),
            ..Drawing::default()
        });
    }
    Ok(section)
}
