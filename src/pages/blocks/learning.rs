//! How long it takes to learn.

use crate::pages::arguments::Arguments;
use crate::pages::error::BlockError;
use crate::pages::shelf::Shelf;
use treebound_records::LearningRow;
use treebound_records::schema;
use treebound_report::frame::Frame;
use treebound_report::tables::learners::learning as table;
use treebound_report::tables::table::Section;

/// The models of one corpus by number of threads.
pub fn learning(shelf: &Shelf, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let experiment = shelf.experiment(arguments.name()?)?;
    let mut rows: Vec<LearningRow> = experiment.rows("learning.csv", "learning")?;
    let corpus = arguments.get("corpus").unwrap_or_default();
    if !rows.iter().any(|row| row.model.corpus.as_str() == corpus) {
        return Err(BlockError::unknown("corpus", corpus, rows.iter().map(|row| row.model.corpus.as_str())));
    }
    rows.retain(|row| row.model.corpus.as_str() == corpus);
    let section = table(&Frame::of(&rows, &schema::LEARNING)?)?.into_sections().into_iter().next().unwrap_or_default();
    arguments
        .columns(section, &["templates", "program", "learner", "passes", "threads", "s", "times-as-fast", "peak-mib"])
}
