//! `treebound claims`: what is claimed of the results of a config, and what the results say of it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};

use super::filter::FilterFlags;
use super::flags::{ConfigFlags, OutFlags, ShapeFlags, config_of};
use super::output::{print, say};
use super::results::{Opened, rows_frame};
use treebound_core::decode::Decoder;
use treebound_experiment::cell::{Cell, CellGrids, cells as cells_of};
use treebound_experiment::config::{Claims as Declared, Config, claim_rows};
use treebound_experiment::provenance::shell_word;
use treebound_experiment::rows::{
    LearningRow, LengthRow, ModelName, ScoreRow, TrainingRow, aggregate, by_sentence, csv,
};
use treebound_experiment::table_options::table_options;
use treebound_parser::cell::{CellKey, Split};
use treebound_records::number::counted;
use treebound_records::schema;
use treebound_records::spanned::{Faults, Node, Reader};
use treebound_records::{RowKey, cell_numbers, file};
use treebound_report::claims::{Axes, ClaimTable, Claims, Evidence, LISTS, Selector, Usual, Verdict};
use treebound_report::made::unpaired;
use treebound_report::results::Results;
use treebound_report::tables::blocks::draws;

#[derive(Args)]
pub struct ClaimsArguments {
    /// The config, or the folder of its results
    #[arg(required_unless_present = "show", value_parser = PathBufValueParser::new().map(config_of))]
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
    /// Print a list of claims (paper, paper-zh, ma-zhao, zhao, martins) as TOML, to be read or copied, instead
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
    let opened = Opened::new(&flags, &arguments.out, &FilterFlags::default())?;
    let results = &opened.results;
    let claims = declared_claims(&opened.config)?;
    if claims.all.is_empty() {
        bail!("{}: no claims; add claims = \"paper\" (see treebound claims --show paper) or [[claim]]", path.display());
    }
    let (table, incomplete) = judged(&opened)?;
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
        let has_scores = !results.frame("scores.csv", &schema::SCORES)?.is_empty();
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
    if claims.all.iter().any(|claim| claim.metric.is_time()) {
        file::write(&results.path("speed_claims.csv"), &table.sheet(true).csv()?)?;
    }
    let fails = arguments.exit_code && table.judged().iter().any(|j| j.verdict == Verdict::DoesNotHold);
    Ok(if fails { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The claims of a config.
///
/// # Errors
/// What is wrong with them, each with its line.
pub fn declared_claims(config: &Config) -> Result<Claims, Faults> {
    let Declared { list, own, failures } = &config.claims;
    let grids: Vec<&str> = config.grids.iter().map(|grid| grid.name.as_str()).collect();
    let row = |reader: &Reader, node: &Node| {
        let claim_rows::Row { axes, own, threads } = claim_rows::row(reader, node, &config.kinds)?;
        Some(Selector { axes, own, threads })
    };
    Claims::read(list.as_ref(), own, failures, &grids, Axes { row: &row, corpus: claim_rows::corpus })
}

/// The verdicts on all claims of a config, and what of the results they lack.
pub fn judged(opened: &Opened) -> Result<(ClaimTable, Option<String>)> {
    let Opened { config, results, .. } = opened;
    let claims = declared_claims(config)?;
    let mut rows = Rows::read(results)?;
    let scores = results.frame("scores.csv", &schema::SCORES)?;
    let sentences = results.sentences(&scores)?;
    // Without some sentences, or without any results, claims are undecided that need not be.
    let incomplete = match scores.is_empty() {
        true => results.missing("scores.csv", "run", &BTreeSet::new())?,
        false => unpaired(results, &scores, &sentences)?,
    };
    let grid = config.main().context("the config has no grid")?;
    let options = table_options(config);
    let usual = Usual {
        decoder: grid.graph.decoders.first().copied().unwrap_or(Decoder::Bnb).to_string(),
        split: grid.splits.last().copied().unwrap_or(Split::Test).to_string(),
        templates: grid.graph.templates.first().map(ToString::to_string),
        tags: grid.tags.iter().map(ToString::to_string).collect(),
        folds: options.folds,
        draws: draws(&options),
        systems: options.systems,
    };
    // Cells of grids that are run where they are named are there, or nobody waits for them.
    let (wanted, found) = (
        results.wanted_names()?,
        rows.scores.iter().map(|row| CellKey::clone(&row.cell)).collect::<BTreeSet<CellKey>>(),
    );
    let missing = cells_of(config).into_iter().map(|cell| cell.key(config));
    let missing = missing.filter(|key| wanted.contains(&key.to_string()) && !found.contains(key));
    let not_run: Vec<ScoreRow> = missing
        .map(|cell| ScoreRow { cell: Arc::new(cell), key: RowKey::default(), counts: Err("not run".to_owned()) })
        .collect();
    rows.scores.extend(not_run);
    rows.scores.sort();
    rows.scores.dedup();
    let scores = rows_frame(&rows.scores, &schema::SCORES)?;
    let lengths = rows_frame(&rows.lengths, &schema::BY_LENGTH)?;
    let times = results.measured("speed.csv", &schema::SPEED)?;
    let learning = rows_frame(&rows.learning, &schema::LEARNING)?;
    let of_cells = CellGrids::new(config);
    let grids = |cell: &Cell| of_cells.grids(cell).iter().map(|grid| grid.name.clone()).collect();
    let grids = cells_of(config).into_iter().map(|cell| (cell.key(config).setting.to_string(), grids(&cell)));
    let evidence = Evidence::new(scores, sentences, usual)?.with_measured(lengths, times)?.with_learning(learning);
    let source = shell_word(&opened.source.to_string_lossy());
    let evidence = evidence.with_grids(grids).with_config(Path::new(&source));
    let table = ClaimTable::new(&claims.all, &evidence)?.explained(&claims.failures);
    Ok((table, incomplete))
}

/// The rows that claims are about.
struct Rows {
    scores: Vec<ScoreRow>,
    lengths: Vec<LengthRow>,
    learning: Vec<LearningRow>,
}

impl Rows {
    fn read(results: &Results) -> Result<Self> {
        let known = |cell: &CellKey| results.known.contains(&cell.to_string());
        let mut scores: Vec<ScoreRow> = csv::read_if_there(&results.path("scores.csv"))?;
        scores.retain(|row| known(&row.cell));
        let path = results.path(cell_numbers::FILE);
        let counted: BTreeSet<&CellKey> =
            scores.iter().filter(|row| row.counts.is_ok()).map(|row| &*row.cell).collect();
        let mut cells = by_sentence::read_if_there(&path)?;
        cells.retain(|row| counted.contains(&*row.cell));
        let sentences = by_sentence::rows(&cells, &path)?;
        let mut lengths: Vec<LengthRow> = csv::read_if_there(&results.path("by_length.csv"))?;
        let summed = aggregate::by_length(&sentences);
        let there: BTreeSet<&CellKey> = summed.iter().map(|row| &*row.cell).collect();
        lengths.retain(|row| known(&row.cell) && !there.contains(&*row.cell));
        lengths.extend(summed.iter().cloned());
        lengths.sort();
        Ok(Self { scores, lengths, learning: learning(results)? })
    }
}

/// The rows of `learning.csv`, as far as they are of the models of `training.csv`.
pub fn learning(results: &Results) -> Result<Vec<LearningRow>> {
    let training: Vec<TrainingRow> = csv::read_if_there(&results.path("training.csv"))?;
    let of_part = training.iter().filter(|row| row.fold.is_none());
    let keys: BTreeMap<(&ModelName, u64), RowKey> = of_part.map(|row| ((&row.model, row.seed), row.key)).collect();
    let mut rows: Vec<LearningRow> = csv::read_if_there(&results.path("learning.csv"))?;
    rows.retain(|row| keys.get(&(&row.model, row.seed)).is_none_or(|of_model| *of_model == row.key));
    Ok(rows)
}
