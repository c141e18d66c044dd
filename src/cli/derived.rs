//! What is made of the results of a config and committed beside them, made again and held against what is there.

use std::path::Path;

use anyhow::Result;

use super::claims::judged;
use super::filter::FilterFlags;
use super::flags::{ConfigFlags, OutFlags};
use super::results::Opened;
use treebound_experiment::config;
use treebound_experiment::results::RESOLVED;
use treebound_report::made::{FIGURES, difference, differences as of_tables};

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
    for kind in &FIGURES {
        let [csv, svg] = ["csv", "svg"].map(|ending| results.figures.join(format!("{}.{ending}", kind.file)));
        if !csv.exists() {
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
