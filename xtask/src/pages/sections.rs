//! Blocks of one file of results: the table that prints it, with the columns that the page asks for.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::blocks::{Arguments, BlockError};
use super::experiment::Experiments;
use super::lines::set_words;
use treebound_experiment::config::TemplatesSource;
use treebound_experiment::provenance::{self, Entry, Log};
use treebound_experiment::table_options::table_options;
use treebound_parser::cell::CellKey;
use treebound_parser::features::Kind;
use treebound_records::number::grouped;
use treebound_records::{GrowthRow, LearningRow, ScoreRow, SearchRow, by_sentence, schema};
use treebound_report::frame::{Frame, USUAL_BACKBONE};
use treebound_report::sentences::Sentences;
use treebound_report::tables::calls::{spread, spread_in_one, spread_table};
use treebound_report::tables::table::{Section, Table};
use treebound_report::tables::table1::{SplitRow, table1 as parts_table};
use treebound_report::tables::{learners, search};

/// The parts of the treebanks of experiments, each once.
pub fn table1(experiments: &Experiments, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let mut rows: Vec<SplitRow> = Vec::new();
    for name in &arguments.names {
        for row in experiments.experiment(name)?.rows::<SplitRow>("table1.csv", "table CONFIG 1")? {
            // A treebank of several experiments is shown once.
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
    }
    let usual = ["corpus", "part", "sentences", "words", "scored", "non-projective", "longest"];
    arguments.columns(first_section(parts_table(rows).table()), &usual)
}

/// How many rows of scores the runs of experiments have written, and how many of them with sources that were not committed.
pub fn origins(experiments: &Experiments, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let mut lines = Vec::new();
    for name in &arguments.names {
        let log = Log::read(&experiments.experiment(name)?.path(provenance::FILE))?;
        let rows = |is_counted: fn(&Entry) -> bool| -> u64 {
            log.runs.iter().filter(|run| run.verb == "run" && is_counted(run)).map(|run| run.rows).sum()
        };
        lines.push((format!("`{name}`"), rows(|_| true), rows(|run| run.source.dirty == Some(true))));
    }
    let section = Section::default()
        .left("experiment", lines.iter().map(|line| line.0.clone()))
        .right("rows written", lines.iter().map(|line| grouped(line.1)))
        .right("of uncommitted sources", lines.iter().map(|line| grouped(line.2)));
    let names = section.names();
    arguments.columns(section, &names.iter().map(String::as_str).collect::<Vec<_>>())
}

/// How many templates sets have. The baseline looks at those of kinds that the second-order dynamic program scores.
pub fn templates(experiments: &Experiments, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let mut lines = Vec::new();
    for name in &arguments.names {
        let set = TemplatesSource::new(name).read(experiments.root())?;
        let is_local = |kind: Kind| kind.is_local() && kind != Kind::GrandSibling;
        let baseline = set.templates().iter().filter(|template| is_local(template.kind)).count();
        lines.push((format!("`{name}`"), baseline as u64, set.templates().len() as u64));
    }
    let section = Section::default()
        .left("set", lines.iter().map(|line| line.0.clone()))
        .right("templates of the\nsecond-order baseline", lines.iter().map(|line| grouped(line.1)))
        .right("of all kinds", lines.iter().map(|line| grouped(line.2)));
    let names = section.names();
    arguments.columns(section, &names.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The ways of the default search and of the paper's.
const DEFAULT: &str = "bnb";
const PAPER: &str = "paper";

/// What each idea of the search is worth: the default, then what costs most when it is switched off, and the paper's search.
pub fn ablation(experiments: &Experiments, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let mut rows = search_rows(experiments, arguments, "search.csv", "search-ablation")?;
    rows.sort_by_key(|row| (row.way != DEFAULT, row.way == PAPER, Reverse(row.dp_calls)));
    let words = |way: &str| if way == DEFAULT { "default".to_owned() } else { way.to_owned() };
    let section = first_section(search::ways(&in_order(&rows)?, "search")?).reworded("search", words);
    arguments.columns(section, &["search", "dp-calls-a-sentence", "at-root-%", "proven-%"])
}

/// What exactness buys: few DP calls first, no limit last.
pub fn budget(experiments: &Experiments, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let mut rows = search_rows(experiments, arguments, "budget.csv", "budget")?;
    rows.sort_by_key(|row| row.way.parse::<u64>().unwrap_or(u64::MAX));
    let section = first_section(search::ways(&in_order(&rows)?, "DP calls\nat most")?);
    arguments.columns(section, &["dp-calls-at-most", "uas", "proven-%"])
}

/// How DP calls are spread over sentences.
pub fn calls(experiments: &Experiments, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let selected = experiments.select_one(arguments)?;
    let experiment = &selected.experiment;
    let verb = format!("run CONFIG{}", selected.grids(&selected.keys));
    let mut scores = experiment.rows::<ScoreRow>("scores.csv", &verb)?;
    // The file has a line a setting, with all of its seeds.
    scores.retain(|row| selected.keys.iter().any(|key| key.setting == row.cell.setting));
    let path = experiment.path(by_sentence::FILE);
    let chosen: BTreeSet<String> = scores.iter().map(|row| row.cell.to_string()).collect();
    let sentences = Sentences::read(&path)?.only(|cell| chosen.contains(cell));
    let frame = Frame::of(&scores, &schema::SCORES)?;
    let (lines, missing) = spread(&frame, &sentences, &table_options(&experiment.config))?;
    if let (true, Some(missing)) = (lines.is_empty(), missing.first()) {
        let what = format!("{} lacks {missing}, or its sums are not those of scores.csv", path.display());
        return Err(experiment.missing(&what, &verb));
    }
    if !scores.iter().all(|row| are_of_one_part(&row.cell, &scores[0].cell)) {
        return Err(BlockError::Words("choose cells of one part and one kind of tags that were searched".to_owned()));
    }
    let usual: &[&str] = match spread_table(&lines)?.into_sections().len() {
        1 => &["decoder", "mean", "median", "proven-%"],
        _ => &["templates", "learner", "decoder", "mean", "median", "proven-%"],
    };
    arguments.columns(spread_in_one(&lines)?, usual)
}

fn are_of_one_part(a: &CellKey, b: &CellKey) -> bool {
    let [a, b] = [&a.setting, &b.setting];
    (&a.corpus, a.split, a.tags, &a.system) == (&b.corpus, b.split, b.tags, &b.system)
}

/// The rows of the one cell that is chosen.
fn search_rows(
    experiments: &Experiments,
    arguments: &Arguments<'_>,
    file: &str,
    verb: &str,
) -> Result<Vec<SearchRow>, BlockError> {
    let selected = experiments.select_one(arguments)?;
    let verb = format!("measure {verb} CONFIG{}", selected.grids(&selected.keys));
    let mut rows = selected.experiment.measured(file, &verb, |row: &SearchRow| (&row.cell, row.key))?;
    rows.retain(|row| selected.keys.contains(&*row.cell));
    let Some(first) = rows.first() else {
        let path = selected.experiment.path(file);
        return Err(selected.experiment.missing(&format!("{} has none of these cells", path.display()), &verb));
    };
    match rows.iter().find(|row| row.cell != first.cell) {
        Some(other) => Err(BlockError::Words(format!("choose one of the cells {} and {}", first.cell, other.cell))),
        None => Ok(rows),
    }
}

/// The rows of a cell as a frame, in their own order.
fn in_order(rows: &[SearchRow]) -> Result<Frame, BlockError> {
    let frame = Frame::of(rows, &schema::SEARCH)?;
    let ways = frame.words("way")?;
    let places: Vec<usize> = rows.iter().filter_map(|row| ways.iter().position(|way| *way == row.way)).collect();
    Ok(frame.rows(&places)?)
}

/// One axis of growth.
pub fn growth(experiments: &Experiments, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let experiment = experiments.experiment(arguments.name()?)?;
    let rows: Vec<GrowthRow> = experiment.rows("growth.csv", "measure growth CONFIG")?;
    arguments.retain("axis", true, &mut rows.clone(), |row| row.axis.clone())?;
    let axis = arguments.get("axis").unwrap_or_default();
    // The order of feature sets is that of the whole file.
    let rows = Frame::of(&rows, &schema::GROWTH)?.only("axis", |other| other == axis)?;
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
    arguments.columns(
        first_section(search::growth(&rows)?).reworded("features", |set| set_words(set, USUAL_BACKBONE)),
        &usual,
    )
}

/// The models of one corpus by number of threads.
pub fn learning(experiments: &Experiments, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let experiment = experiments.experiment(arguments.name()?)?;
    let mut rows: Vec<LearningRow> = experiment.rows("learning.csv", "measure learning CONFIG")?;
    arguments.retain("corpus", true, &mut rows, |row| row.model.corpus.to_string())?;
    let usual = ["templates", "program", "learner", "passes", "threads", "s", "times-as-fast", "peak-mib"];
    arguments.columns(first_section(learners::learning(&Frame::of(&rows, &schema::LEARNING)?)?), &usual)
}

fn first_section(table: Table) -> Section {
    table.into_sections().into_iter().next().unwrap_or_default()
}
