//! A share of the work, for schedulers that start the same command with a number: each makes the artifacts of its cells, and what
//! these need. All shares keep them in one store, from which [`Stored`](super::stored::Stored) takes the rows.

use std::collections::BTreeSet;

use rayon::ThreadPool;

use super::workers::Workers;
use super::{Came, Engine, EngineError, Work};
use crate::artifacts::ArtifactError;
use crate::run::ExperimentContext;
use crate::stop::unless_stopped;
use crate::tasks::Tasks;
use treebound_parser::cell::CellKey;

/// A share of the work.
#[derive(Debug)]
pub struct Shard<'a> {
    /// Which.
    pub part: Part,
    /// The threads that work.
    pub pool: &'a ThreadPool,
    /// Where what this process says is written, for who asks later.
    pub log: Option<&'a str>,
}

/// Which share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// One of so many, from 1: cells that stand beside each other, since these share most.
    Share(usize, usize),
    /// One artifact, by its key; what it needs must be there.
    Artifact(String),
}

impl Part {
    /// Reads `I/N`.
    ///
    /// # Errors
    /// What is expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self::Share(number, of)),
            _ => Err("I/N, which share of how many, such as 1/8 for the first of eight".to_owned()),
        }
    }

    /// The places of its tasks.
    fn places(&self, tasks: &Tasks) -> Result<Vec<usize>, ArtifactError> {
        match self {
            Self::Share(number, of) => {
                let rows: BTreeSet<usize> = tasks.cells.iter().map(|(_, place)| *place).collect();
                let start = |share: usize| (rows.len() as u128 * share as u128 / *of as u128) as usize;
                let own = rows.iter().copied().take(start(*number)).skip(start(number - 1));
                Ok(tasks.with_needs(own))
            }
            Self::Artifact(key) => {
                let place = tasks.place(key).ok_or_else(|| ArtifactError::NoSuch(key.clone()))?;
                Ok(vec![place])
            }
        }
    }
}

impl Engine for Shard<'_> {
    fn prepare(&self, context: &mut ExperimentContext, _: &BTreeSet<CellKey>) -> Result<(), ArtifactError> {
        if matches!(self.part, Part::Artifact(_)) {
            context.builder.make_one();
        }
        Ok(())
    }

    fn run(&self, work: Work) -> Result<Came, EngineError> {
        let tasks = work.tasks()?;
        let workers = Workers::new(work.context, &tasks, &self.part.places(&tasks)?, self.log);
        Ok(Came::Artifacts(unless_stopped(|| workers.stop(), || workers.run(self.pool))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_read() {
        assert_eq!(Part::parse("3/8"), Ok(Part::Share(3, 8)));
        for other in ["0/8", "9/8", "1/0", "8", "a/b", "1/2/3", "-1/2"] {
            assert!(Part::parse(other).is_err(), "{other}");
        }
    }
}
