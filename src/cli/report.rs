//! `treebound report`: one page of an experiment, as HTML and as Markdown.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use super::claims::{declared_claims, judged, learning};
use super::filter::FilterFlags;
use super::flags::{BesideFlags, ConfigFlags, JobsFlags, PlaceFlags, unless_unkept};
use super::output::{causes, print};
use super::parsed_again::compared;
use super::results::{Opened, rows_frame};
use super::table1::corpora;
use treebound_experiment::provenance::{Entry, Log};
use treebound_experiment::store::Store;
use treebound_records::number::counted;
use treebound_records::sheet::Sheet;
use treebound_records::{file, schema};
use treebound_report::made::Scored;
use treebound_report::page::{Report, Section, sections, without_folders};
use treebound_report::results::Results;
use treebound_report::tables::table::{self, Table};

#[derive(Args)]
pub struct ReportArguments {
    #[command(flatten)]
    config: ConfigFlags,
    #[command(flatten)]
    place: PlaceFlags,
    #[command(flatten)]
    filter: FilterFlags,
    #[command(flatten)]
    beside: BesideFlags,
    /// Sentences to draw of each pair of parsers [default: 8 of a synthetic treebank; none of others, which have licences]
    #[arg(long, value_name = "N")]
    sentences: Option<usize>,
    #[command(flatten)]
    jobs: JobsFlags,
}

/// The pages.
const HTML: &str = "report.html";
const MARKDOWN: &str = "report.md";

pub fn report(arguments: &ReportArguments) -> Result<ExitCode> {
    let opened = Opened::new(&arguments.config, &arguments.place.out, &arguments.filter)?.with_template_counts()?;
    let mut opened = opened.with_beside(&arguments.beside);
    opened.folders = arguments.place.folders(&opened.config);
    let results = &opened.results;
    for page in [HTML, MARKDOWN] {
        file::try_to_write(&results.path(page))?;
    }
    let scored = Scored::read(results)?;
    let store = Store::new(opened.folders.cache.clone());
    let wanted = results.wanted_names()?;
    let (of_default, others) = scored.split(|cell| wanted.contains(cell))?;
    let rows = [&of_default, &others].map(|scored| scored.scores.height());
    let shown = [("Accuracy and speed", &of_default), ("Other grids", &others)].map(|(title, scored)| {
        if scored.scores.is_empty() {
            return Ok((None, Section::default()));
        }
        let (lines, unpaired) = scored.set_lines(results)?;
        let section = sections::accuracy(results, title, scored, (&lines, unpaired))?;
        Ok::<_, anyhow::Error>((Some(lines), section))
    });
    let [usual, rest] = shown;
    let ((usual_lines, usual), (other_lines, rest)) = (usual?, rest?);
    let best = usual_lines.or(other_lines).map(|lines| sections::best(&lines)).transpose()?;
    let asked_for = arguments.filter.compile(&opened.config)?;
    let of_pairs = || compared(&opened, &asked_for, &arguments.config, arguments.sentences, &store);
    let times = rows_frame(&learning(results)?, &schema::LEARNING)?;
    let mut all: Vec<Section> = best.into_iter().collect();
    all.extend([run(&opened, rows, &arguments.config), data(&opened), usual]);
    all.extend([
        claims(&opened, &arguments.config)?,
        sections::table_if_any(results, "Ablation", "ablation"),
        sections::figures(results)?,
    ]);
    all.extend(arguments.jobs.install(of_pairs)?);
    all.push(rest);
    all.push(sections::of_learners(results, &scored, &times)?);
    let working = std::env::current_dir().unwrap_or_default();
    all.extend([sections::effort(results, &scored)?, provenance(results, &working)?]);
    let all = all.into_iter().map(|section| section.without_folders(&working)).collect();
    let report = Report::new(format!("Treebound: {}", opened.config.name), all);
    for (name, text) in [(HTML, report.html()?), (MARKDOWN, report.markdown()?)] {
        let path = results.path(name);
        file::write(&path, text.as_bytes())?;
        print(&format!("wrote {}\n", path.display()))?;
    }
    Ok(unless_unkept(&store))
}

/// What was run: so many wanted cells, and others.
fn run(opened: &Opened, [wanted, others]: [usize; 2], flags: &ConfigFlags) -> Section {
    let mut section = Section::new("What was run");
    let analysis = opened.config.analysis.trim().to_owned();
    section.paragraphs.extend(Some(analysis).filter(|analysis| !analysis.is_empty()));
    let which = if opened.results.is_filtered { "that were asked for" } else { "of the grids that are run by default" };
    let others = if others == 0 { String::new() } else { format!(", and {others} of other grids") };
    section.paragraphs.push(format!(
        "Config {}. {wanted} of {} cells {which} are here{others}. Trees are \
         projective and unlabelled, with one word on the root. treebound check {flags} --cells names the cells, treebound run {flags} \
         makes what is missing.",
        flags.config.display(),
        opened.results.wanted.height(),
    ));
    section
}

/// Table 1; of treebanks that are not there, why not.
fn data(opened: &Opened) -> Section {
    let mut section = Section::new("Data");
    match corpora(&opened.config) {
        Ok(table) => section.tables.push(table.grid()),
        Err(error) => section.paragraphs.push(format!("The treebanks are not there: {}", causes(&error))),
    }
    section
}

/// The claims of which something was run, and how many others there are.
fn claims(opened: &Opened, flags: &ConfigFlags) -> Result<Section> {
    let mut section = Section::new("Claims");
    if !declared_claims(&opened.config)?.all.is_empty() {
        let (table, incomplete) = judged(opened)?;
        section.paragraphs.extend(incomplete);
        let (table, missing) = table.without_missing();
        if missing > 0 {
            let missing = counted(missing as u64, "claim rests", "claims rest");
            section
                .paragraphs
                .push(format!("{missing} on what was not run, and left out here; treebound claims {flags} lists all."));
        }
        if !table.judged().is_empty() {
            section.tables.push(table.wide_table().grid());
        }
    }
    Ok(section)
}

/// Where the results come from.
fn provenance(results: &Results, working: &Path) -> Result<Section> {
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
        .left("command", runs.iter().map(|run| without_folders(&run.command, working)));
    section.tables.push(Table::new(vec![lines], Sheet::default()).grid());
    section.paragraphs.push(format!(
        "{} has all of it, with the checksums of all data; what made a row is in its key.",
        path.display()
    ));
    Ok(section)
}
