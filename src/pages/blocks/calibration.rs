//! How far the probabilities of CRFs are to be believed.

use crate::pages::arguments::Arguments;
use crate::pages::error::BlockError;
use crate::pages::shelf::Shelf;
use treebound_records::CalibrationRow;
use treebound_records::schema;
use treebound_report::frame::Frame;
use treebound_report::tables::learners::calibration as table;
use treebound_report::tables::table::Section;

/// The CRFs of one corpus and part.
pub fn calibration(shelf: &Shelf, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let experiment = shelf.experiment(arguments.name()?)?;
    let mut rows: Vec<CalibrationRow> =
        experiment.measured("calibration.csv", "calibration", |row: &CalibrationRow| (&row.cell, row.key))?;
    for (key, value) in [
        ("corpus", (|row| row.cell.setting.corpus.to_string()) as fn(&CalibrationRow) -> String),
        ("split", |row| row.cell.setting.split.to_string()),
    ] {
        let asked = arguments.get(key).unwrap_or_default();
        let known: Vec<String> = rows.iter().map(value).collect();
        if !known.iter().any(|known| known == asked) {
            return Err(BlockError::unknown(key, asked, known.iter().map(String::as_str)));
        }
        rows.retain(|row| value(row) == asked);
    }
    let section =
        table(&Frame::of(&rows, &schema::CALIBRATION)?)?.into_sections().into_iter().next().unwrap_or_default();
    arguments.columns(section, &["model", "learner", "decoder", "said-%", "right-%", "error"])
}
