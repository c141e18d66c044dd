//! What is made of results and committed beside them, made again in memory: tables, verdicts on claims, and figures.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use clap::ValueEnum;

use super::claims::judged;
use super::figure::{Which, drawn};
use super::filter::FilterFlags;
use super::flags::{ConfigFlags, OutFlags, ShapeFlags};
use super::results::Results;
use super::table;
use treebound_parser::cell::Setting;
use treebound_records::sheet;

/// Where files that are made of the results of a config differ from what the results say: a line a file.
///
/// # Errors
/// If the config or its results cannot be read.
pub fn differences(config: &Path) -> Result<Vec<String>> {
    let open = || {
        let flags = ConfigFlags { config: config.to_owned(), set: Vec::new() };
        Results::open(&flags, &OutFlags::default(), &FilterFlags::default())
    };
    let results = open()?;
    let mut differences = table::differences(&results, &ShapeFlags::default())?;
    let claims = [("claims.csv", false), ("speed_claims.csv", true)];
    let claims: Vec<_> = claims.into_iter().filter(|(file, _)| results.path(file).exists()).collect();
    if !claims.is_empty() {
        let (verdicts, _) = judged(&results)?;
        for (file, is_timed) in claims {
            differences.extend(difference(&results.path(file), &verdicts.sheet(is_timed).csv()?)?);
        }
    }
    for which in Which::value_variants() {
        let name = if which.is_by_length() { format!("figure{which}") } else { which.to_string() };
        let [csv, svg] = ["csv", "svg"].map(|ending| results.folders.figures.join(format!("{name}.{ending}")));
        if csv.exists() {
            let mut results = open()?;
            // Whoever drew it may have chosen grids. Steps of an ablation are between settings of which one is named.
            if let (true, Some(settings)) = (*which != Which::Ablation, shown_settings(&csv)?) {
                results.restrict(|key| settings.contains(&key.setting));
                results.is_filtered = true;
            }
            match drawn(&results, *which) {
                Ok(figure) => {
                    differences.extend(difference(&csv, &figure.csv()?)?);
                    differences.extend(difference(&svg, figure.svg()?.as_bytes())?);
                }
                Err(error) => differences.push(format!("{}: {error:#}", csv.display())),
            }
        }
    }
    Ok(differences)
}

/// The settings that a figure shows; none if its points belong to no setting.
fn shown_settings(csv: &Path) -> Result<Option<BTreeSet<Setting>>> {
    let bytes = fs::read(csv).with_context(|| csv.display().to_string())?;
    if !bytes.starts_with(Setting::AXES.join(",").as_bytes()) {
        return Ok(None);
    }
    let settings = sheet::parse_settings(&bytes, csv, [], [])?;
    Ok(Some(settings.into_iter().map(|(setting, [], [])| setting).collect()))
}

/// The first line in which a file differs from what it should be, if it does.
///
/// # Errors
/// If the file cannot be read.
pub fn difference(path: &Path, wanted: &[u8]) -> Result<Option<String>> {
    let there = fs::read(path).with_context(|| path.display().to_string())?;
    let same = there.split(|&byte| byte == b'\n').zip(wanted.split(|&byte| byte == b'\n'));
    let same = same.take_while(|(there, wanted)| there == wanted).count();
    let message = || format!("{}: line {} is not what the results say", path.display(), same + 1);
    Ok((there != wanted).then(message))
}
