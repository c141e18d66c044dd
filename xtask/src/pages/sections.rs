//! Blocks of one file of results: the table that prints it, with the columns that the page asks for.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::blocks::{Arguments, BlockError};
use super::experiment::Experiments;
use super::lines::set_words;
use treebound_experiment::config::TemplatesSource;
use treebound_experiment::provenance::{self, Entry, Log};
use treebound_experiment::table_options::table_options;
use treebound_parser::features::Kind;
use treebound_records::number::grouped;
use treebound_records::{cell_numbers, schema};
use treebound_report::frame::{Frame, USUAL_BACKBONE};
use treebound_report::sentences::Sentences;
use treebound_report::speed::speeds;
use treebound_report::tables::calls::{spread, spread_in_one, spread_table};
use treebound_report::tables::table::{Section, Table};
use treebound_report::tables::table1::SplitRow;
use treebound_report::tables::{effects, league, learners, search, states, table1};

/// The parts of the treebanks of experiments, each once.
pub fn parts(experiments: &Experiments, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let mut rows: Vec<SplitRow> = Vec::new();
    for name in &arguments.names {
        let own = experiments.experiment(name)?.frame("table1.csv", &schema::TABLE1, "table CONFIG 1")?;
        for row in table1::rows(&own)? {
            // A treebank of several experiments is shown once.
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
    }
    let usual = ["corpus", "part", "sentences", "words", "scored", "non-projective", "longest"];
    arguments.columns(first_section(table1::table1(rows)?), &usual)
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
    arguments.columns_or_all(section)
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
    arguments.columns_or_all(section)
}

/// The ways of the default search and of the paper's.
const DEFAULT: &str = "bnb";
const PAPER: &str = "paper";

/// What each idea of the search is worth: the default, then what costs most when it is switched off, and the paper's search.
pub fn ablation(experiments: &Experiments, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let rows = search_rows(experiments, arguments, "search.csv", "search-ablation")?;
    let mut ways = rows.words("way")?;
    arguments.retain("ways", false, &mut ways, String::clone)?;
    let rows = rows.only("way", |way| ways.iter().any(|shown| shown == way))?;
    let place = |(way, calls): (String, Option<u64>)| (way != DEFAULT, way == PAPER, Reverse(calls));
    let places = rows.words("way")?.into_iter().zip(rows.counts("dp_calls")?).map(place);
    let rows = in_order(&rows, places.collect())?;
    let words = |way: &str| if way == DEFAULT { "default".to_owned() } else { way.to_owned() };
    let section = first_section(search::ways(&rows, "search")?).reworded("search", words);
    arguments.columns(section, &["search", "dp-calls-a-sentence", "at-root-%", "proven-%"])
}

/// What exactness buys: few DP calls first, no limit last.
pub fn budget(experiments: &Experiments, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let rows = search_rows(experiments, arguments, "budget.csv", "budget")?;
    let limits = rows.words("way")?.into_iter().map(|way| way.parse::<u64>().unwrap_or(u64::MAX));
    let rows = in_order(&rows, limits.collect())?;
    let section = first_section(search::ways(&rows, "DP calls\nat most")?);
    arguments.columns(section, &["dp-calls-at-most", "uas", "proven-%"])
}

/// Rows by their places.
fn in_order<P: Ord>(rows: &Frame, places: Vec<P>) -> Result<Frame, BlockError> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by_key(|&row| &places[row]);
    Ok(rows.rows(&order)?)
}

/// How DP calls are spread over sentences.
pub fn calls(experiments: &Experiments, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let selected = experiments.select_one(arguments)?;
    let experiment = &selected.experiment;
    let verb = format!("run CONFIG{}", selected.grids(&selected.keys));
    // The file has a line a setting, with all of its seeds.
    let lines: BTreeSet<String> = selected.keys.iter().map(|key| key.setting.to_string()).collect();
    let frame = experiment.frame("scores.csv", &schema::SCORES, &verb)?.only("line", |line| lines.contains(line))?;
    let path = experiment.path(cell_numbers::FILE);
    let chosen: BTreeSet<String> = frame.words("cell")?.into_iter().collect();
    let sentences = Sentences::read(&path)?.only(|cell| chosen.contains(cell));
    let (lines, missing) = spread(&frame, &sentences, &table_options(&experiment.config))?;
    if let (true, Some(missing)) = (lines.is_empty(), missing.first()) {
        let what = format!("{} lacks {missing}, or its sums are not those of scores.csv", path.display());
        return Err(experiment.missing(&what, &verb));
    }
    for axis in ["corpus", "split", "tags", "system"] {
        if frame.distinct(axis)?.len() > 1 {
            return Err(BlockError::Words(
                "choose cells of one part and one kind of tags that were searched".to_owned(),
            ));
        }
    }
    let usual: &[&str] = match spread_table(&lines)?.into_sections().len() {
        1 => &["decoder", "mean", "median", "proven-%"],
        _ => &["templates", "learner", "decoder", "mean", "median", "proven-%"],
    };
    arguments.columns(spread_in_one(&lines)?, usual)
}

/// What families add over every combination of them.
pub fn effects(experiments: &Experiments, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let selected = experiments.select_one(arguments)?;
    let experiment = &selected.experiment;
    let verb = format!("run CONFIG{}", selected.grids(&selected.keys));
    let names = selected.names();
    let sentences = Sentences::read(&experiment.path(cell_numbers::FILE))?.only(|cell| names.contains(cell));
    // Combinations that are still to be run are not waited for.
    let scores = experiment.frame("scores.csv", &schema::SCORES, &verb)?.only("cell", |cell| names.contains(cell))?;
    let options = table_options(&experiment.config);
    let kind = arguments.get("kind").unwrap_or("family");
    let effects = effects::effects(&scores, &sentences, &options)?.only("kind", |own| own == kind)?;
    if effects.is_empty() {
        return Err(experiment.missing("not every combination of two families is there", &verb));
    }
    let section = first_section(effects::table(&effects, &options)?);
    arguments.columns_or_all(section)
}

/// The rows of the one cell that is chosen.
fn search_rows(
    experiments: &Experiments,
    arguments: &Arguments<'_>,
    file: &str,
    verb: &str,
) -> Result<Frame, BlockError> {
    let selected = experiments.select_one(arguments)?;
    let verb = format!("measure {verb} CONFIG{}", selected.grids(&selected.keys));
    let names = selected.names();
    let rows = selected.experiment.measured(file, &schema::SEARCH, &verb)?.only("cell", |cell| names.contains(cell))?;
    match &rows.distinct("cell")?[..] {
        [] => {
            let path = selected.experiment.path(file);
            Err(selected.experiment.missing(&format!("{} has none of these cells", path.display()), &verb))
        }
        [_] => Ok(rows),
        [first, other, ..] => Err(BlockError::Words(format!("choose one of the cells {first} and {other}"))),
    }
}

/// One axis of growth.
pub fn growth(experiments: &Experiments, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let experiment = experiments.experiment(arguments.name()?)?;
    let rows = experiment.frame("growth.csv", &schema::GROWTH, "measure growth CONFIG")?;
    arguments.retain("axis", true, &mut rows.words("axis")?, String::clone)?;
    let axis = arguments.get("axis").unwrap_or_default();
    // The order of feature sets is that of the whole file.
    let rows = rows.only("axis", |other| other == axis)?;
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
    let rows = experiment.frame("learning.csv", &schema::LEARNING, "measure learning CONFIG")?;
    let mut corpora = rows.words("corpus")?;
    arguments.retain("corpus", true, &mut corpora, String::clone)?;
    let rows = rows.only("corpus", |corpus| corpora.iter().any(|own| own == corpus))?;
    let usual = ["templates", "program", "learner", "passes", "threads", "s", "times-as-fast", "peak-mib"];
    arguments.columns(first_section(learners::learning(&rows)?), &usual)
}

/// What searches over states find and cost, all models in one section.
pub fn states(experiments: &Experiments, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let selected = experiments.select_one(arguments)?;
    let (options, scores) = (table_options(&selected.experiment.config), selected.scores()?);
    let lines = states::lines(&scores, speeds(&selected.times()?, &scores)?, &options)?;
    if lines.is_empty() {
        return Err(BlockError::Words("choose cells of a system that counts states".to_owned()));
    }
    let section = of_models(states::section(&lines, &options)?, &lines)?;
    arguments.columns(section, &["search", "cost-a-sent", "uas", "states-a-sent", "successors-a-sent"])
}

/// All parsers, most accurate first.
pub fn league(experiments: &Experiments, arguments: &Arguments<'_>) -> Result<Section, BlockError> {
    let selected = experiments.select_one(arguments)?;
    let experiment = &selected.experiment;
    let (options, scores) = (table_options(&experiment.config), selected.scores()?);
    let learning = Frame::read(&experiment.path("learning.csv"), &schema::LEARNING)?;
    let lines = league::lines(&scores, speeds(&selected.times()?, &scores)?, &learning, &options)?;
    let section = of_models(league::section(&lines, &options)?, &lines)?;
    arguments.columns(section, &["parser", "uas", "compl-match", "proven-%", "words/s"])
}

/// A section with the axes of data and models as columns.
fn of_models(section: Section, lines: &Frame) -> Result<Section, BlockError> {
    let axes =
        [("corpus", "corpus"), ("split", "part"), ("tags", "tags"), ("templates", "templates"), ("learner", "learner")];
    axes.into_iter().try_fold(section, |section, (axis, heading)| Ok(section.left(heading, lines.words(axis)?)))
}

fn first_section(table: Table) -> Section {
    table.into_sections().into_iter().next().unwrap_or_default()
}
