//! What a run would make: its artifacts, which of them are finished, and about how long the others take here.

use std::collections::{BTreeMap, BTreeSet};

use super::store::Store;
use super::tasks::{Stage, Tasks};
use super::times::Kind;
use super::times::known::{Estimate, KnownTimes};
use treebound_parser::cell::CellKey;

/// About how long some missing artifacts take.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct About {
    /// Seconds of those of which something is known, with as many threads as when like ones were made.
    pub seconds: f64,
    /// Artifacts of which nothing is known.
    pub unknown: usize,
    /// Artifacts of which only the time of artifacts is known that are not alike.
    pub rough: usize,
    /// Artifacts of which only kept times are known, which may be another machine's.
    pub kept: usize,
}

impl About {
    fn add(&mut self, other: Self) {
        self.seconds += other.seconds;
        self.unknown += other.unknown;
        self.rough += other.rough;
        self.kept += other.kept;
    }
}

/// A line of a plan: artifacts that differ in seed and fold alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// Finished artifacts.
    pub finished: usize,
    /// Those that are to be made.
    pub missing: usize,
    /// How long these take.
    pub about: About,
    /// The cells, if it is a line of cells.
    pub cells: BTreeSet<CellKey>,
}

/// What a run would make, by stage and name.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    lines: Vec<((Stage, String), Line)>,
    /// The kinds of all artifacts, finished and missing.
    pub kinds: BTreeSet<Kind>,
}

impl Plan {
    /// Of some tasks, with what is known of the `times` of artifacts.
    pub fn new(tasks: &Tasks, store: &Store, times: &KnownTimes) -> Self {
        let (mut plan, mut lines) = (Self::default(), BTreeMap::new());
        for task in &tasks.all {
            let line = plan.line(&mut lines, task.stage, &task.name);
            if store.has(&task.key) {
                line.finished += 1;
            } else {
                line.missing += 1;
                line.about.add(match times.estimate(&task.kind, task.words) {
                    None => About { unknown: 1, ..About::default() },
                    Some(Estimate { seconds, is_rough, is_kept }) => {
                        About { seconds, unknown: 0, rough: is_rough.into(), kept: is_kept.into() }
                    }
                });
            }
            plan.kinds.insert(task.kind.clone());
        }
        for (cell, _) in &tasks.cells {
            plan.line(&mut lines, Stage::Cells, &cell.setting.to_string()).cells.insert(cell.clone());
        }
        plan
    }

    /// The line of that name; `places` has those that there are.
    fn line(&mut self, places: &mut BTreeMap<(Stage, String), usize>, stage: Stage, name: &str) -> &mut Line {
        let (next, name) = (self.lines.len(), (stage, name.to_owned()));
        let at = *places.entry(name.clone()).or_insert(next);
        if at == next {
            self.lines.push((name, Line::default()));
        }
        &mut self.lines[at].1
    }

    /// The lines of a stage, in the order of the work.
    pub fn of(&self, stage: Stage) -> impl Iterator<Item = (&str, &Line)> {
        self.lines.iter().filter(move |(name, _)| name.0 == stage).map(|(name, line)| (name.1.as_str(), line))
    }

    /// Missing artifacts of all stages, and how long they take.
    pub fn missing(&self) -> (usize, About) {
        let mut sum = (0, About::default());
        for (_, line) in &self.lines {
            sum.0 += line.missing;
            sum.1.add(line.about);
        }
        sum
    }
}
