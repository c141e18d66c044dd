//! The text of a provenance file, as tables.

use std::path::Path;

use treebound_records::ReportError;

/// The tables of a verb by grid; none if it has one for all, as an earlier version wrote it.
pub(super) fn grids<'a>(tables: &'a toml::Table, verb: &str) -> Option<&'a toml::Table> {
    let grids = tables.get(verb)?.as_table()?;
    grids.values().all(|grid| grid.get("command").is_some()).then_some(grids)
}

/// The tables of a provenance file; none if there is no file.
pub(super) fn tables(path: &Path) -> Result<toml::Table, ReportError> {
    match std::fs::read_to_string(path) {
        Ok(text) => parsed(&text, path),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(toml::Table::new()),
        Err(source) => Err(ReportError::Read { path: path.to_owned(), source }),
    }
}

pub(super) fn parsed(text: &str, path: &Path) -> Result<toml::Table, ReportError> {
    text.parse().map_err(|source| ReportError::NotToml { path: path.to_owned(), source: Box::new(source) })
}

/// How the file begins.
pub(super) const HEADER: &str = "# Where the results beside this file come from. Nothing here decides them but the settings, the data and the versions.\n\n";
