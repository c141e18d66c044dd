//! How time and memory grow.

use std::collections::BTreeSet;

use super::lines::set_words;
use crate::pages::arguments::Arguments;
use crate::pages::error::BlockError;
use crate::pages::shelf::Shelf;
use treebound_core::decode::Backbone;
use treebound_parser::cell::{Axis, FeatureSet};
use treebound_records::GrowthRow;
use treebound_records::schema;
use treebound_report::frame::Frame;
use treebound_report::tables::search::growth as table;
use treebound_report::tables::table::Section;

/// One axis of growth.
pub fn growth(shelf: &Shelf, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let experiment = shelf.experiment(arguments.name()?)?;
    let mut rows: Vec<GrowthRow> = experiment.rows("growth.csv", "growth")?;
    let axes: BTreeSet<String> = rows.iter().map(|row| row.axis.clone()).collect();
    let axes = || axes.iter().map(String::as_str);
    let axis = arguments.get("axis").unwrap_or_default();
    if !axes().any(|known| known == axis) {
        return Err(BlockError::unknown("axis", axis, axes()));
    }
    rows.retain(|row| row.axis == axis);
    let section = table(&Frame::of(&rows, &schema::GROWTH)?)?.into_sections().into_iter().next().unwrap_or_default();
    let words = |set: &str| FeatureSet::parse(set).map_or(set.to_owned(), |set| set_words(&set, Backbone::default()));
    // Where the values are shares of something, that something says more.
    let value = if matches!(axis, "size" | "corpus") { "training-words" } else { axis };
    let usual = [
        value,
        "features",
        "training-s",
        "training-peak-mib",
        "learnt-features",
        "ms-a-sentence",
        "dp-calls-a-sentence",
        "proven-of",
    ];
    arguments.columns(section.reworded("features", words), &usual)
}
