//! What is made of the results of a config and committed beside them, made again and held against what is there.

use std::path::Path;

use anyhow::Result;

use super::claims::judged;
use super::filter::FilterFlags;
use super::flags::{ConfigFlags, OutFlags};
use super::results::Opened;
use treebound_experiment::config;
use treebound_experiment::results::RESOLVED;
use treebound_report::made::{FIGURES, TABLES, difference, differences as of_tables};
use treebound_report::results::Results;

/// Where files that are made of the results of a config differ from what the results say: a line a file.
///
/// # Errors
/// If the config or its results cannot be read.
pub fn differences(source: &Path) -> Result<Vec<String>> {
    let flags = ConfigFlags { config: source.to_owned(), set: Vec::new() };
    let opened = Opened::new(&flags, &OutFlags::default(), &FilterFlags::default())?.with_template_counts()?;
    let results = &opened.results;
    let mut differences = of_tables(results)?;
    let resolved = results.path(RESOLVED);
    if resolved.exists() {
        differences.extend(difference(&resolved, config::resolved(&opened.config).as_bytes())?);
    }
    let claims = [("claims.csv", false), ("speed_claims.csv", true)];
    let claims: Vec<_> = claims.into_iter().filter(|(file, _)| results.path(file).exists()).collect();
    if !claims.is_empty() {
        let (verdicts, _) = judged(&opened)?;
        for (file, is_timed) in claims {
            differences.extend(difference(&results.path(file), &verdicts.sheet(is_timed).csv()?)?);
        }
    }
    for kind in TABLES.iter().filter(|kind| is_chosen(results, "table", kind.name)) {
        differences.extend(kind.files.first().and_then(|file| missing(&results.path(file), "table", kind.name)));
    }
    for kind in &FIGURES {
        let [csv, svg] = ["csv", "svg"].map(|ending| results.figures.join(format!("{}.{ending}", kind.file)));
        if !csv.exists() {
            let of_config = is_chosen(results, "figure", kind.name).then(|| missing(&csv, "figure", kind.name));
            differences.extend(of_config.flatten());
            continue;
        }
        match kind.drawn(results) {
            Ok(figure) => {
                differences.extend(difference(&csv, &figure.csv()?)?);
                differences.extend(difference(&svg, figure.svg()?.as_bytes())?);
            }
            Err(error) => differences.push(format!("{}: {error:#}", csv.display())),
        }
    }
    Ok(differences)
}

/// Whether the config says what a table or figure shows.
fn is_chosen(results: &Results, kind: &str, name: &str) -> bool {
    results.chosen.contains_key(&format!("{kind} {name}"))
}

/// Says that a file is not there of which the config says what it shows.
fn missing(path: &Path, kind: &str, name: &str) -> Option<String> {
    let message =
        || format!("{}: it is not there, and the config has a [[{kind}]] of the name `{name}`", path.display());
    (!path.exists()).then(message)
}
