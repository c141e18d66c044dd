//! `treebound claims`: what is claimed of the results of a config, and what the results say of it.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;

use super::filter::FilterFlags;
use super::flags::{ConfigFlags, OutFlags, ShapeFlags};
use super::output::{print, say};
use super::results::Results;
use super::table::unpaired;
use treebound_core::decode::Decoder;
use treebound_experiment::cell::{Cell, CellGrids, cells as cells_of};
use treebound_experiment::config::{Claims as Declared, Config};
use treebound_experiment::table_options::table_options;
use treebound_parser::cell::Split;
use treebound_records::number::counted;
use treebound_records::schema;
use treebound_records::{ScoreRow, SpeedRow, file};
use treebound_report::claims::{ClaimTable, Claims, Evidence, LISTS, Usual, Verdict};
use treebound_report::frame::Frame;
use treebound_report::sentences::Sentences;
use treebound_report::tables::blocks::draws;

#[derive(Args)]
pub struct ClaimsArguments {
    /// The config
    #[arg(required_unless_present = "show")]
    config: Option<PathBuf>,
    /// Set a value of the config for this time, such as evaluation.rounds=100; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    out: OutFlags,
    #[command(flatten)]
    shape: ShapeFlags,
    /// Exit with 1 if a claim does not hold
    #[arg(long)]
    exit_code: bool,
    /// Print a list of claims (paper, paper-zh, ma-zhao) as TOML, to be read or copied, instead
    #[arg(long, value_name = "LIST", conflicts_with = "config")]
    show: Option<String>,
}

pub fn claims(arguments: &ClaimsArguments) -> Result<ExitCode> {
    if let Some(name) = &arguments.show {
        let found = LISTS.iter().find(|(list, _)| list == name);
        let names = || LISTS.map(|(list, _)| list).join(", ");
        let (_, text) = found.with_context(|| format!("--show {name}: the lists of claims are {}", names()))?;
        print(text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let flags = ConfigFlags { config: arguments.config.clone().unwrap_or_default(), set: arguments.set.clone() };
    let path = &flags.config;
    let results = Results::open(&flags, &arguments.out, &FilterFlags::default())?;
    let claims = declared_claims(&results.config)?;
    if claims.all.is_empty() {
        bail!("{}: no claims; add claims = \"paper\" (see treebound claims --show paper) or [[claim]]", path.display());
    }
    let (table, incomplete) = judged(&results)?;
    let shown = if arguments.shape.is_markdown() { table.wide_table() } else { table.table() };
    print(&arguments.shape.print(&shown)?)?;
    let path = results.path("claims.csv");
    for claim in table.outlived(&claims.failures) {
        say!(
            "treebound: {}: a [[failure]] explains `{claim}`, which does not fail; take it out",
            flags.config.display()
        );
    }
    let lacking = table.judged().iter().filter(|judged| judged.lacks_sentences).count() as u64;
    if let Some(complaint) = incomplete {
        say!("treebound: {complaint}");
        let has_scores = !results.read("scores.csv", |row: &ScoreRow| &row.cell)?.is_empty();
        if !has_scores {
            say!("treebound: claims.csv not written");
            return Ok(ExitCode::FAILURE);
        }
    }
    file::write(&path, &table.sheet(false).csv()?)?;
    if lacking > 0 {
        let claims = counted(lacking, "claim is", "claims are");
        say!("treebound: {claims} not decided in {}: the sentences that decide are not here", path.display());
    }
    if claims.all.iter().any(|claim| claim.test.is_timed()) {
        file::write(&results.path("speed_claims.csv"), &table.sheet(true).csv()?)?;
    }
    let fails = arguments.exit_code && table.judged().iter().any(|j| j.verdict == Verdict::DoesNotHold);
    Ok(if fails { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The claims of a config.
///
/// # Errors
/// What is wrong with them, each with its line.
pub fn declared_claims(config: &Config) -> Result<Claims> {
    let Declared { list, own, failures } = &config.claims;
    let grids: Vec<&str> = config.grids.iter().map(|grid| grid.name.as_str()).collect();
    Ok(Claims::read(list.as_ref(), own, failures, &grids)?)
}

/// The verdicts on all claims of a config, and what of the results they lack.
pub fn judged(results: &Results) -> Result<(ClaimTable, Option<String>)> {
    let config = &results.config;
    let claims = declared_claims(config)?;
    let scores: Vec<ScoreRow> = results.read("scores.csv", |row: &ScoreRow| &row.cell)?;
    let sentences = results.sentences()?;
    let lengths = results.lengths(&sentences)?;
    let times: Vec<SpeedRow> = results.measured("speed.csv", |row: &SpeedRow| (&row.cell, row.key))?;
    // Without some sentences, or without any results, claims are undecided that need not be.
    let mut incomplete = unpaired(results, &Frame::of(&scores, &schema::SCORES)?, &Sentences::of(&sentences)?)?;
    if scores.is_empty() {
        incomplete = results.missing("scores.csv", "run", []);
    }
    let grid = config.main().context("the config has no grid")?;
    let usual = Usual {
        decoder: grid.graph.decoders.first().copied().unwrap_or(Decoder::Bnb),
        split: grid.splits.last().copied().unwrap_or(Split::Test),
        templates: grid.graph.templates.first().cloned(),
        tags: grid.tags.clone(),
        draws: draws(&table_options(config)),
    };
    // Cells of grids that are run where they are named are there, or nobody waits for them.
    let cells = results.wanted.iter().chain(scores.iter().map(|row| &*row.cell)).cloned().collect();
    let of_cells = CellGrids::new(config);
    let grids = |cell: &Cell| of_cells.grids(cell).iter().map(|grid| grid.name.clone()).collect();
    let grids = cells_of(config).into_iter().map(|cell| (cell.key(config).setting, grids(&cell)));
    let evidence = Evidence::new(cells, &scores, sentences, &lengths, &times, usual)?;
    let evidence = evidence.with_grids(grids).with_config(&results.source).with_learning(results.learning()?);
    let table = ClaimTable::new(&claims.all, &evidence).explained(&claims.failures);
    Ok((table, incomplete))
}
