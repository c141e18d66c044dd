//! Sections of a page that are made of results alone.

use super::{Drawing, Section};
use crate::figures::Figure;
use crate::frame::Frame;
use crate::made::{FIGURES, FigureKind, Scored, TABLES};
use crate::results::{Results, ResultsError};
use crate::tables::learners;
use treebound_records::schema;

/// Tables 2 and 3.
///
/// # Errors
/// If rows do not go together.
pub fn accuracy(results: &Results, title: &str, scored: &Scored) -> Result<Section, ResultsError> {
    let mut section = Section::new(title);
    if scored.scores.is_empty() {
        return Ok(section);
    }
    let (sets, unpaired) = scored.sets(results)?;
    section.paragraphs.extend(unpaired);
    section.tables.push(sets.grid());
    section.tables.extend(scored.prunings(results)?.map(|(table, _)| table.grid()));
    Ok(section)
}

/// A section of a table, if it can be made.
pub fn table_if_any(results: &Results, title: &str, name: &str) -> Section {
    let mut section = Section::new(title);
    let kind = TABLES.iter().find(|kind| kind.name == name);
    if let Some(Ok(made)) = kind.map(|kind| kind.made(results)) {
        section.tables.extend(made.tables.iter().map(|table| table.grid()));
    }
    section
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
        FIGURES.iter().filter_map(|kind| Some((kind, kind.drawn(results).ok()?))).collect();
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
