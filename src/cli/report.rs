//! `treebound report`: one page of an experiment, as HTML and as Markdown.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use super::claims::{declared_claims, judged};
use super::figure::{self, Which, drawn};
use super::filter::FilterFlags;
use super::flags::{ConfigFlags, JobsFlags, OutFlags, unless_unkept};
use super::output::{causes, print, say};
use super::results::Results;
use super::steps::Steps;
use super::table::{Scored, corpora};
use treebound_experiment::cell::{Cell, cells, usual_cells};
use treebound_experiment::provenance::{Entry, Log};
use treebound_experiment::run::ExperimentContext;
use treebound_experiment::store::Store;
use treebound_experiment::table_options::table_options;
use treebound_experiment::trees::trees;
use treebound_parser::cell::{CellKey, Setting, Split};
use treebound_records::sheet::Sheet;
use treebound_records::{ScoreRow, file, schema};
use treebound_report::figures::Figure;
use treebound_report::frame::{BASELINE, Frame};
use treebound_report::page::{Compared, Drawing, Report, Section, TwiceParsed, pairs};
use treebound_report::tables::block::{Block, several_templates};
use treebound_report::tables::table::{self, Table};
use treebound_report::tables::{ablation, calls, learners};

#[derive(Args)]
pub struct ReportArguments {
    #[command(flatten)]
    config: ConfigFlags,
    #[command(flatten)]
    out: OutFlags,
    #[command(flatten)]
    filter: FilterFlags,
    /// Sentences to draw of each pair of parsers
    #[arg(long, value_name = "N", default_value_t = 8)]
    sentences: usize,
    #[command(flatten)]
    jobs: JobsFlags,
}

/// The figures, in the order of the page.
const FIGURES: [Which; 8] = [
    Which::Four,
    Which::Five,
    Which::Breakdown,
    Which::Calibration,
    Which::Ablation,
    Which::Templates,
    Which::Budget,
    Which::Growth,
];

/// The pages.
const HTML: &str = "report.html";
const MARKDOWN: &str = "report.md";

pub fn report(arguments: &ReportArguments) -> Result<ExitCode> {
    let mut results = Results::open(&arguments.config, &arguments.out, &arguments.filter)?;
    let name = results.config.name.clone();
    for page in [HTML, MARKDOWN] {
        file::try_to_write(&results.path(page))?;
    }
    let scored = Scored::read(&results)?;
    let store = Store::new(results.folders.cache.clone());
    let wanted = results.wanted_names();
    let (of_default, others) = scored.split(|cell| wanted.contains(cell))?;
    let scores: Vec<ScoreRow> = results.read("scores.csv", |row: &ScoreRow| &row.cell)?;
    let mut sections = vec![run(&results, &scores, &arguments.config), data(&results)];
    sections.push(accuracy(&results, "Accuracy and speed", of_default)?);
    sections.extend([claims(&results)?, steps(&results)]);
    let before_figures = sections.len();
    sections.extend(arguments.jobs.install(|| compared(arguments, &results, &scores, &store))?);
    sections.push(accuracy(&results, "Other grids", others)?);
    sections.push(of_learners(&results, &scored)?);
    sections.push(effort(&results, &scored)?);
    sections.push(provenance(&results)?);
    sections.insert(before_figures, figures(&mut results, arguments.filter.is_given())?);
    sections.retain(|section| !section.is_empty());
    let mut report = Report { title: format!("Treebound: {name}"), sections };
    for (i, id) in unique(report.sections.iter().map(|section| section.id.as_str())).into_iter().enumerate() {
        report.sections[i].id = id;
    }
    for (name, text) in [(HTML, report.html()?), (MARKDOWN, report.markdown()?)] {
        let path = results.path(name);
        file::write(&path, text.as_bytes())?;
        print(&format!("wrote {}\n", path.display()))?;
    }
    Ok(unless_unkept(&store))
}

/// Names of places that are there twice get a number.
fn unique<'i>(ids: impl Iterator<Item = &'i str>) -> Vec<String> {
    let mut seen = BTreeMap::new();
    let numbered = |id: &'i str| {
        let count = seen.entry(id).and_modify(|count| *count += 1).or_insert(1);
        if *count == 1 { id.to_owned() } else { format!("{id}-{count}") }
    };
    ids.map(numbered).collect()
}

/// What was run.
fn run(results: &Results, scores: &[ScoreRow], flags: &ConfigFlags) -> Section {
    let mut section = Section::new("What was run");
    let config = &results.config;
    section.paragraphs.extend(Some(config.analysis.trim().to_owned()).filter(|analysis| !analysis.is_empty()));
    let wanted = scores.iter().filter(|row| results.wanted.contains(&*row.cell)).count();
    let which = if results.is_filtered { "that were asked for" } else { "of the grids that are run by default" };
    let others = match scores.len() - wanted {
        0 => String::new(),
        others => format!(", and {others} of other grids"),
    };
    section.paragraphs.push(format!(
        "Config {}. {wanted} of {} cells {which} are here{others}. Trees are \
         projective and unlabelled, with one word on the root. treebound check {flags} --cells names the cells, treebound run {flags} \
         makes what is missing.",
        flags.config.display(),
        results.wanted.len(),
    ));
    section
}

/// Table 1; of treebanks that are not there, why not.
fn data(results: &Results) -> Section {
    let mut section = Section::new("Data");
    match corpora(results) {
        Ok(table) => section.tables.push(table.grid()),
        Err(error) => section.paragraphs.push(format!("The treebanks are not there: {}", causes(&error))),
    }
    section
}

/// Tables 2 and 3.
fn accuracy(results: &Results, title: &str, scored: Scored) -> Result<Section> {
    let mut section = Section::new(title);
    if scored.scores.is_empty() {
        return Ok(section);
    }
    let (sets, unpaired) = scored.sets(results)?;
    section.paragraphs.extend(unpaired);
    section.tables.push(sets.grid());
    section.tables.extend(scored.prunings()?.map(|(table, _)| table.grid()));
    Ok(section)
}

fn claims(results: &Results) -> Result<Section> {
    let mut section = Section::new("Claims");
    if !declared_claims(&results.config)?.all.is_empty() {
        let (table, incomplete) = judged(results)?;
        section.paragraphs.extend(incomplete);
        section.tables.push(table.wide_table().grid());
    }
    Ok(section)
}

/// What each family and each group of templates is worth, where settings are one step apart.
fn steps(results: &Results) -> Section {
    let mut section = Section::new("Ablation");
    let options = table_options(&results.config);
    if let Ok(table) = Steps::read(results).and_then(|steps| Ok(ablation::table(&steps.steps, &options)?)) {
        section.tables.push(table.grid());
    }
    section
}

/// Models without non-local features by learner, where there are several; how far CRFs are to be believed; and how long it
/// takes to learn each, as far as that was measured.
fn of_learners(results: &Results, scored: &Scored) -> Result<Section> {
    let mut section = Section::new("Learners");
    let baselines = scored.scores.only("features", |features| features == BASELINE)?;
    if baselines.distinct("learner")?.len() > 1 {
        section.tables.push(scored.learners()?.grid());
    }
    let of_probabilities = results.measured_frame("calibration.csv", &schema::CALIBRATION)?;
    if !of_probabilities.is_empty() {
        section.tables.push(learners::calibration(&of_probabilities)?.grid());
    }
    let times = Frame::of(&results.learning()?, &schema::LEARNING)?;
    if !times.is_empty() {
        section.tables.push(learners::learning(&times)?.grid());
    }
    Ok(section)
}

/// The DP calls of section 4.6, and how they are spread over sentences.
fn effort(results: &Results, scored: &Scored) -> Result<Section> {
    let mut section = Section::new("Search effort");
    section.tables.push(scored.calls()?.grid());
    let sentences = results.sentence_numbers(&scored.scores)?;
    let (lines, _) = calls::spread(&scored.scores, &sentences, &table_options(&results.config))?;
    if !lines.is_empty() {
        section.tables.push(calls::spread_table(&lines)?.grid());
    }
    Ok(section)
}

/// The figures of a page, beside it: it may show other cells than those of the config's figures, which are committed.
const FIGURES_FOLDER: &str = "report";

/// The figures that there are measurements of; they are written beside, for the page that names files.
fn figures(results: &mut Results, filtered: bool) -> Result<Section> {
    let mut section = Section::new("Figures");
    let (by_length, others): (Vec<Which>, Vec<Which>) = FIGURES.into_iter().partition(|figure| figure.is_by_length());
    let mut found = of_what_is_there(results, &others);
    if !filtered {
        figure::restrict_to_main(results);
    }
    found.extend(of_what_is_there(results, &by_length));
    found.sort_by_key(|(which, _)| FIGURES.iter().position(|figure| figure == which));
    for (which, drawn) in found.into_iter().filter(|(_, drawn)| !drawn.is_empty()) {
        drawn.write(&results.path(FIGURES_FOLDER))?;
        section.drawings.push(Drawing {
            caption: which.caption().to_owned(),
            svg: drawn.svg()?,
            file: Some(format!("{FIGURES_FOLDER}/{}.svg", drawn.name())),
            ..Drawing::default()
        });
    }
    Ok(section)
}

/// Those of some figures that can be drawn: the others miss measurements, as figure would say.
fn of_what_is_there(results: &Results, figures: &[Which]) -> Vec<(Which, Figure)> {
    figures.iter().filter_map(|&which| Some((which, drawn(results, which).ok()?))).collect()
}

/// Two parsers a block, as far as their models are there.
fn compared(
    arguments: &ReportArguments,
    results: &Results,
    scores: &[ScoreRow],
    store: &Store,
) -> Result<Vec<Section>> {
    let config = &results.config;
    let asked_for = arguments.filter.compile(config)?;
    let usual = usual_cells(config);
    let keys: Vec<CellKey> = cells(config)
        .iter()
        .filter(|cell| asked_for(cell) && usual.contains(cell))
        .map(|cell| cell.key(config))
        .collect();
    let chosen: Vec<CellKey> = pairs(&keys).into_iter().flatten().cloned().collect();
    let missing = |reason: String| {
        let mut section = Section::new("Accuracy by class of words");
        section.paragraphs.push(reason);
        Ok(vec![section])
    };
    if chosen.is_empty() {
        return missing("No cell stands beside the baseline of the same data, templates, learner and seed.".to_owned());
    }
    let is_chosen = |cell: &Cell| chosen.contains(&cell.key(config));
    // Rows do not hold trees; parsing again takes seconds, learning again does not.
    let at_hand = match ExperimentContext::open_cells(config, store, |_| false) {
        Ok(context) => {
            let has = |cell: &&Cell| is_chosen(cell) && context.has_models(cell);
            cells(config).iter().filter(has).map(|cell| cell.key(config)).collect::<Vec<_>>()
        }
        Err(error) => return missing(format!("The treebanks are not there: {}", causes(&error.into()))),
    };
    let pairs = pairs(&at_hand);
    if pairs.is_empty() {
        let command = results.command("run");
        return missing(format!("The models are not there, and rows do not hold trees; make them with: {command}"));
    }
    let wanted = |cell: &Cell| pairs.iter().flatten().any(|key| **key == cell.key(config));
    say!("parsing again: {} cells", pairs.len() * 2);
    let context = ExperimentContext::open_cells(config, store, wanted)?;
    let trees = trees(&context, scores, wanted)?;
    let several = several_templates(pairs.iter().map(|pair| &pair[1].setting));
    let prunings: BTreeSet<_> = pairs.iter().map(|pair| pair[1].setting.pruning()).collect();
    let is_pruned_in_several_ways = prunings.len() > 1;
    let mut sections = Vec::new();
    for [baseline, full] in &pairs {
        let (Some(of_baseline), Some(of_full)) = (trees.get(*baseline), trees.get(*full)) else { continue };
        let mut sentences = Vec::new();
        for (baseline, full) in of_baseline.iter().zip(of_full) {
            let heads = [&baseline.heads[..], &full.heads];
            sentences.push(TwiceParsed { gold: &full.gold, scored: &full.scored, heads });
        }
        let compared = Compared { cell: full, sentences: &sentences };
        let explain = |number| explain(arguments, &full.setting, full.seed, number);
        let both = [compared.breakdown(), compared.sentences(arguments.sentences, explain)];
        // One pair needs no name, and one pruning no mention.
        let words = |setting: &Setting| match setting.pruning().filter(|_| is_pruned_in_several_ways) {
            Some(rule) => format!("{}, {rule}", Block::of(setting).words(several)),
            None => Block::of(setting).words(several),
        };
        let name = (pairs.len() > 1).then(|| words(&full.setting));
        sections.extend(both.map(|section| name.iter().fold(section, |section, name| section.named(name))));
    }
    Ok(sections)
}

/// The command that says why a parser chose the tree of a sentence; none in cross-validation, where no one model parsed all.
fn explain(arguments: &ReportArguments, setting: &Setting, seed: u64, number: usize) -> Option<String> {
    if setting.split == Split::Cv {
        return None;
    }
    let axes = [
        ("corpus", Some(setting.corpus.to_string())),
        ("tags", Some(setting.tags.to_string())),
        ("templates", setting.templates().map(ToString::to_string)),
        ("learner", setting.learner().map(ToString::to_string)),
        ("backbone", setting.backbone().map(|backbone| backbone.to_string())),
        ("features", setting.features().map(ToString::to_string)),
        ("pruning", setting.pruning().map(|rule| rule.to_string())),
        ("decoder", setting.decoder().filter(|decoder| decoder.is_search()).map(|decoder| decoder.to_string())),
    ];
    let axes: String = axes.into_iter().filter_map(|(flag, value)| Some(format!(" --{flag} {}", value?))).collect();
    let flags = &arguments.config;
    Some(format!("treebound explain {flags} --split {} --sentence {number}{axes} --seed {seed}", setting.split))
}

/// Where the results come from.
fn provenance(results: &Results) -> Result<Section> {
    let mut section = Section::new("Provenance");
    let path = results.path("provenance.toml");
    if !path.exists() {
        section
            .paragraphs
            .push(format!("{} is not there: nothing is known of where these results come from.", path.display()));
        return Ok(section);
    }
    let runs = Log::read(&path)?.runs;
    let column = |text: fn(&Entry) -> String| runs.iter().map(text).collect::<Vec<_>>();
    let lines = table::Section::new("")
        .left("verb", column(|run| run.verb.clone()))
        .right("rows", column(|run| run.rows.to_string()))
        .left(
            "commit",
            column(|run| {
                let commit: String = run.source.commit.chars().take(12).collect();
                if run.source.dirty == Some(true) { format!("{commit}, changed") } else { commit }
            }),
        )
        .left("program", column(|run| format!("{}, {}", run.program.version, run.program.toolchain)))
        .left("machine", column(|run| format!("{}, {}", run.machine.cpu, run.machine.os)))
        .left("command", column(|run| run.command.clone()));
    section.tables.push(Table::new(vec![lines], Sheet::default()).grid());
    section.paragraphs.push(format!(
        "{} has all of it, with the checksums of all data; what made a row is in its key.",
        path.display()
    ));
    Ok(section)
}
