//! Verify of tables: lines of tables held against the rows that they are means of, without trust in what made them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::frame::Frame;
use crate::tables::table::sheet;
use treebound_records::check::Check;
use treebound_records::{ReportError, file, schema};

/// The tables whose lines are means, by file.
const TABLES: [&str; 2] = ["table2.csv", "table3.csv"];

/// The columns that say which seeds a line is of.
const SEEDS: [&str; 2] = ["seeds", "failed_seeds"];

/// The columns that are made anew, which are no tests; a table has some of them.
const COLUMNS: [&str; 13] = [
    "sentences",
    "tokens",
    "scored_tokens",
    "uas_pct",
    "uas_sd_points",
    "uas_all_pct",
    "root_pct",
    "complete_pct",
    "decoded",
    "proven",
    "dp_calls_per_sentence",
    "gold_kept_pct",
    "heads_per_word",
];

/// The lines of the tables of a results folder, as far as they are wanted by name, are means of the rows of `scores.csv`; nothing
/// if there is no table.
///
/// # Errors
/// If a file cannot be read.
pub fn tables(folder: &Path, is_wanted: impl Fn(&str) -> bool) -> Result<Option<Check>, ReportError> {
    let paths: Vec<PathBuf> = TABLES.map(|name| folder.join(name)).into_iter().filter(|path| path.is_file()).collect();
    if paths.is_empty() {
        return Ok(None);
    }
    let mut check = Check::new(["line of a table", "lines of tables"], "accuracies and counts are those of scores.csv");
    let scores = Frame::read(&folder.join("scores.csv"), &schema::SCORES)?;
    let made = match scores.means() {
        Ok(lines) => sheet(&lines, &[&SEEDS[..], &COLUMNS].concat())?.csv()?,
        Err(error) => {
            check.add([error.to_string()]);
            return Ok(Some(check));
        }
    };
    let axes = scores.axes();
    let made = lines(&made, Path::new("scores.csv"), axes)?;
    for path in paths {
        let bytes = file::read(&path)?;
        for (line, fields) in lines(&bytes, &path, axes)?.into_iter().filter(|(line, _)| is_wanted(line)) {
            let place = format!("{}: {line}", path.display());
            let Some(made) = made.get(&line) else {
                check.add([format!("{place}: scores.csv has no such cell")]);
                continue;
            };
            if SEEDS.iter().any(|name| fields.get(*name) != made.get(*name)) {
                check.leave_open("the line is of other seeds than scores.csv has", 1);
                continue;
            }
            if fields.get(SEEDS[0]).is_some_and(|seeds| seeds == "0") {
                check.leave_open("every seed ended in an error", 1);
                continue;
            }
            let fault = |column: &&str| {
                let (stands, found) = (fields.get(*column)?, made.get(*column)?);
                let differ = !stands.is_empty() && !found.is_empty() && stands != found;
                differ.then(|| format!("{place}: {column} {stands}, but {found} by scores.csv"))
            };
            check.add(COLUMNS.iter().filter_map(fault).collect::<Vec<_>>());
        }
    }
    Ok(Some(check))
}

/// The fields of each line of a table by column, by the name of the line.
fn lines(
    bytes: &[u8],
    path: &Path,
    axes: &[String],
) -> Result<BTreeMap<String, BTreeMap<String, String>>, ReportError> {
    let mut found = BTreeMap::new();
    for fields in treebound_records::sheet::records(bytes, path, &axes.iter().map(String::as_str).collect::<Vec<_>>())?
    {
        let name = axes.iter().map(|axis| fields[axis].as_str()).collect::<Vec<_>>().join("/");
        found.insert(name, fields);
    }
    Ok(found)
}
