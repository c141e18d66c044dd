//! Treebanks and template sets.

use crate::pages::arguments::Arguments;
use crate::pages::error::BlockError;
use crate::pages::shelf::Shelf;
use treebound_experiment::config::TemplatesSource;
use treebound_parser::features::Kind;
use treebound_records::number::grouped;
use treebound_report::tables::table::Section;
use treebound_report::tables::table1::{SplitRow, table1 as table};

/// The parts of the treebanks of experiments, each once.
pub fn table1(shelf: &Shelf, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let mut rows: Vec<SplitRow> = Vec::new();
    for name in &arguments.names {
        for row in shelf.experiment(name)?.rows::<SplitRow>("table1.csv", "table 1")? {
            // A treebank of several experiments stands there once.
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
    }
    let usual = ["corpus", "part", "sentences", "words", "scored", "non-projective", "longest"];
    let section = table(rows).table().into_sections().into_iter().next().unwrap_or_default();
    arguments.columns(section, &usual)
}

/// How many templates sets have. The baseline looks at those of kinds that the second-order dynamic program scores.
pub fn templates(shelf: &Shelf, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let mut lines = Vec::new();
    for name in &arguments.names {
        let set = TemplatesSource::new(name).read(shelf.root())?;
        let local = |kind: Kind| kind.is_local() && kind != Kind::GrandSibling;
        let baseline = set.templates().iter().filter(|template| local(template.kind)).count();
        lines.push((format!("`{name}`"), baseline as u64, set.templates().len() as u64));
    }
    let section = Section::default()
        .left("set", lines.iter().map(|line| line.0.clone()))
        .right("templates of the\nsecond-order baseline", lines.iter().map(|line| grouped(line.1)))
        .right("of all kinds", lines.iter().map(|line| grouped(line.2)));
    let names = section.names();
    arguments.columns(section, &names.iter().map(String::as_str).collect::<Vec<_>>())
}
