//! `treebound plan`: what a run would make, what of it is finished, and about how long the rest takes.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use super::filter::FilterFlags;
use super::flags::{ConfigFlags, OutFlags};
use super::output::print;
use treebound_experiment::plan::{About, Line, Plan, Stage};
use treebound_experiment::provenance::Machine;
use treebound_experiment::results::CellStates;
use treebound_experiment::run::Laboratory;
use treebound_experiment::store::Store;
use treebound_experiment::times::known::{KEPT, KnownTimes};
use treebound_parser::cell::CellKey;
use treebound_records::number::{counted, grouped};
use treebound_records::sheet::Sheet;
use treebound_records::{PieceTimeRow, ScoreRow, csv};
use treebound_report::tables::table::{Section, Table};

#[derive(Args)]
pub struct PlanArguments {
    #[command(flatten)]
    config: ConfigFlags,
    #[command(flatten)]
    out: OutFlags,
    #[command(flatten)]
    filter: FilterFlags,
    /// Also keep how long like pieces took here, in results/times.csv, for who has no cache
    #[arg(long)]
    keep_times: bool,
}

pub fn plan(arguments: &PlanArguments) -> Result<ExitCode> {
    let config = arguments.config.read()?;
    let wanted = arguments.filter.compile(&config)?;
    let folders = arguments.out.folders(&config);
    let store = Store::new(folders.cache.clone());
    let laboratory = Laboratory::open_for(&config, &store, |_, _| false)?;
    let kept: Vec<PieceTimeRow> = csv::read_if_there(Path::new(KEPT))?;
    let known = KnownTimes::read(store.folder(), &kept);
    let plan = Plan::new(&laboratory, &known, wanted)?;
    // A cell that failed is tried again, as is a stale one.
    let rows: Vec<ScoreRow> = csv::read_if_there(&folders.result("scores.csv"))?;
    let CellStates { current, stale } = CellStates::of(&laboratory, &rows);
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
        .right("about", lines.iter().map(|line| about(line.missing, line.about)))
        .right_if_any("in results", lines.iter().map(in_results))
}

fn notes(plan: &Plan, kept: &[PieceTimeRow], stale: usize) -> Vec<String> {
    let mut notes = vec![
        "Pieces are counted, by seed and in cross-validation by fold; those that cells share are made once. Finished are \
         those in the cache. Rows of a cell may stand in the results, as this program would make them, without them."
            .to_owned(),
    ];
    if stale > 0 {
        let stale = counted(stale as u64, "cell", "cells");
        notes.push(format!(
            "Stale: {stale} in the results, made by another version of the program, of its config, template files or treebanks."
        ));
    }
    let (missing, all) = plan.missing();
    let known = missing - all.unknown;
    notes.push(match (missing, known) {
        (0, _) => "All is finished.".to_owned(),
        (_, 0) => format!(
            "{missing} pieces are missing, and no piece like any of them was timed: nothing is known of the time."
        ),
        _ => {
            let all_of = if all.unknown == 0 { String::new() } else { format!(" for {known} of them") };
            let of = times(known, all.kept, kept);
            format!(
                "{missing} pieces are missing: about {}{all_of}, from {of}, with as many threads as then.",
                duration(all.seconds)
            )
        }
    });
    if all.unknown > 0 && known > 0 {
        notes.push(format!("?: no piece like {} of them was timed.", all.unknown));
    }
    if all.rough > 0 {
        notes.push("~: from pieces of another feature set, pruning or schedule, so a guess.".to_owned());
    }
    notes
}

/// Where the times of the `known` pieces come from, if those of `from_kept` are kept ones.
fn times(known: usize, from_kept: usize, kept: &[PieceTimeRow]) -> String {
    if from_kept == 0 {
        return "the times of pieces made here".to_owned();
    }
    let machines: BTreeSet<&str> = kept.iter().map(|row| row.machine.as_str()).collect();
    let machines = machines.into_iter().collect::<Vec<_>>().join("; ");
    match known - from_kept {
        0 => format!("the times in {KEPT} ({machines})"),
        here => format!("the times of pieces made here, for {here}, and in {KEPT} ({machines})"),
    }
}

fn about(missing: usize, About { seconds, unknown, rough, .. }: About) -> String {
    if missing == 0 {
        return String::new();
    }
    if unknown == missing {
        return "?".to_owned();
    }
    let more = if unknown > 0 { " + ?" } else { "" };
    format!("{}{}{more}", if rough > 0 { "~ " } else { "" }, duration(seconds))
}

/// Seconds as people say them.
fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0 => "1 s".to_owned(),
        1..90 => format!("{whole} s"),
        90..5400 => format!("{} min", (whole + 30) / 60),
        _ => {
            let minutes = whole.saturating_add(30) / 60;
            format!("{} h {} min", minutes / 60, minutes % 60)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_rounded() {
        let said = [0.2, 1.4, 89.0, 100.0, 5399.0, 5400.0, 7199.0, 100_000.0].map(duration);
        assert_eq!(said, ["1 s", "1 s", "89 s", "2 min", "90 min", "1 h 30 min", "2 h 0 min", "27 h 47 min"]);
        // A config may ask for any number of passes.
        assert!(duration(f64::INFINITY).ends_with(" min"));
    }

    #[test]
    fn where_times_come_from_is_said() {
        let row = |machine: &str| PieceTimeRow {
            piece: "tags/made".to_owned(),
            profile: "release".to_owned(),
            machine: machine.to_owned(),
            threads: 1,
            words: 1,
            ms: 1,
        };
        let kept = [row("A, 2 cores"), row("B, 8 cores"), row("A, 2 cores")];
        assert_eq!(times(4, 0, &kept), "the times of pieces made here");
        assert_eq!(times(4, 4, &kept), "the times in results/times.csv (A, 2 cores; B, 8 cores)");
        let both = "the times of pieces made here, for 3, and in results/times.csv (A, 2 cores; B, 8 cores)";
        assert_eq!(times(4, 1, &kept), both);
    }

    #[test]
    fn what_is_not_known_is_said() {
        let of = |seconds, unknown, rough| about(3, About { seconds, unknown, rough, kept: 0 });
        assert_eq!([of(9.0, 0, 0), of(9.0, 1, 1), of(0.0, 3, 0)], ["9 s", "~ 9 s + ?", "?"]);
        assert_eq!(about(0, About::default()), "");
    }
}
