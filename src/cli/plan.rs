//! `treebound plan`: what a run would make, what of it is finished, and about how long the rest takes.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use super::engine::{EngineName, commands};
use super::filter::FilterFlags;
use super::flags::{ConfigFlags, PlaceFlags};
use super::output::print;
use treebound_experiment::engine::slurm::{Script, Slurm};
use treebound_experiment::plan::{Line, Plan};
use treebound_experiment::plan_text::notes;
use treebound_experiment::provenance::Machine;
use treebound_experiment::results::CellStates;
use treebound_experiment::rows::{ArtifactTimeRow, ScoreRow, csv};
use treebound_experiment::run::ExperimentContext;
use treebound_experiment::store::Store;
use treebound_experiment::tasks::{Stage, Tasks};
use treebound_experiment::times::known::{KEPT, KnownTimes};
use treebound_parser::cell::CellKey;
use treebound_records::number::grouped;
use treebound_records::sheet::Sheet;
use treebound_report::tables::table::{Section, Table};

#[derive(Args)]
pub struct PlanArguments {
    #[command(flatten)]
    config: ConfigFlags,
    #[command(flatten)]
    place: PlaceFlags,
    #[command(flatten)]
    filter: FilterFlags,
    /// Also keep how long like artifacts took here, in results/times.csv, for who has no cache
    #[arg(long)]
    keep_times: bool,
    /// Print what this engine would do instead: of slurm the scripts that it would submit
    #[arg(long, value_name = "ENGINE", default_value = "local")]
    engine: EngineName,
}

pub fn plan(arguments: &PlanArguments) -> Result<ExitCode> {
    let config = arguments.config.read()?;
    let wanted = arguments.filter.compile(&config)?;
    let folders = arguments.place.folders(&config);
    let store = Store::new(folders.cache.clone());
    let context = ExperimentContext::open_for(&config, &store, |_, _| false)?;
    let kept: Vec<ArtifactTimeRow> = csv::read_if_there(Path::new(KEPT))?;
    let known = KnownTimes::read(store.folder(), &kept);
    let tasks = Tasks::new(&context, wanted)?;
    if arguments.engine == EngineName::Slurm {
        let flags = (&arguments.config, &arguments.place, &arguments.filter);
        let engine = Slurm { settings: &config.engine, commands: commands(&config, flags, &folders)?, times: &known };
        let scripts = engine.scripts(&context, &tasks)?;
        let texts: Vec<String> =
            scripts.into_iter().map(|Script { name, text }| format!("# {name}.sh\n{text}")).collect();
        print(&texts.join("\n"))?;
        return Ok(ExitCode::SUCCESS);
    }
    let plan = Plan::new(&tasks, &store, &known);
    // A cell that failed is tried again, as is a stale one.
    let rows: Vec<ScoreRow> = csv::read_if_there(&folders.result("scores.csv"))?;
    let CellStates { current, stale } = CellStates::of(&context, &rows);
    let stages = Stage::ALL.into_iter().filter(|&stage| plan.of(stage).next().is_some());
    let sections = stages.map(|stage| section(&plan, stage, &current)).collect();
    let table = Table::new(sections, Sheet::default()).with_notes(notes(&plan, &kept, stale.len()));
    print(&table.text())?;
    if arguments.keep_times {
        let Machine { cpu, cores, .. } = Machine::here();
        csv::write(Path::new(KEPT), &known.to_keep(&plan.kinds, &format!("{cpu}, {cores} cores"), kept))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The lines of a stage; `current` are the cells that are in the results as they would be made.
fn section(plan: &Plan, stage: Stage, current: &BTreeSet<CellKey>) -> Section {
    let lines: Vec<&Line> = plan.of(stage).map(|(_, line)| line).collect();
    let in_results = |line: &&Line| match line.cells.len() {
        0 => String::new(),
        all => format!("{} of {all}", line.cells.iter().filter(|cell| current.contains(cell)).count()),
    };
    Section::default()
        .left(stage.name(), plan.of(stage).map(|(name, _)| name.to_owned()))
        .right("finished", lines.iter().map(|line| grouped(line.finished as u64)))
        .right("missing", lines.iter().map(|line| grouped(line.missing as u64)))
        .right("about", lines.iter().map(|line| line.duration()))
        .right_if_any("in results", lines.iter().map(in_results))
}
