//! The graph system behind the interface of all systems.

use super::schedule::{ChooseEpoch, NonlocalFeatures, Schedule, Share, Start};
use super::session::GraphSession;
use super::settings::{GraphSystem, NAME};
use super::train::GraphModel;
use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::cell::SystemName;
use crate::parser::{Parser, crf};
use crate::systems::{
    Axes, Facts, How, Kind, Needs, PassRecord, Session, System, SystemError, Task, Trained, Versions,
};

/// The system's entry in the list of systems.
pub const KIND: Kind = Kind { name: NAME, axes: Axes::All, make: |choice| Ok(Box::new(GraphSystem::new(choice)?)) };

/// The first is raised when the models that it learns, or their bytes, change; the other when what it answers for a model does.
pub const VERSIONS: Versions = Versions { model: 3, answers: 1 };

impl System for GraphSystem {
    fn name(&self) -> SystemName {
        KIND.system_name()
    }

    fn versions(&self) -> Versions {
        VERSIONS
    }

    fn facts(&self) -> Result<Facts, SystemError> {
        if let Some(crf) = self.descent() {
            return Ok(self.facts_of_field(crf));
        }
        let Schedule { epochs, average_from, choose_epoch, decoder, limits, .. } = &self.schedule;
        let Schedule { sentences, nonlocal_features, .. } = self.schedule;
        let choice = match choose_epoch {
            ChooseEpoch::Last => "last".to_owned(),
            ChooseEpoch::Dev => format!("dev, {:?}", self.choice_limits),
        };
        let search = if self.set.is_baseline() { "dp".to_owned() } else { format!("{decoder} {limits:?}") };
        let steps = match self.batches() {
            Some(descent) => format!("{descent:?}"),
            None => format!("{:?}", self.steps()),
        };
        let mut facts = vec![
            ("steps", steps),
            ("templates", self.templates.to_string()),
            ("set", self.set.to_string()),
            ("backbone", self.backbone.to_string()),
            ("epochs", epochs.to_string()),
            ("average from", average_from.to_string()),
            ("choice", choice),
            ("search", search),
        ];
        // Only what is not usual is named, so that pieces stay those of before these settings were there.
        if sentences != Share::ALL {
            facts.push(("sentences", sentences.to_string()));
        }
        if self.start() != Start::Zero {
            facts.push(("start", self.start().name().to_owned()));
            // Where the sights of the start stand in the table; `sights::Learner::start_from`.
            facts.push(("start table", "whole".to_owned()));
            // Such runs began with weights that were too small once, and must not be taken for those of now.
            if self.starts_from_descent() {
                facts.push(("start unit", crf::UNIT.to_string()));
            }
        }
        if !self.set.is_baseline() && nonlocal_features != NonlocalFeatures::Seen {
            facts.push(("non-local features", nonlocal_features.name().to_owned()));
        }
        facts.extend(self.fact_of_roots());
        Ok(facts)
    }

    fn needs(&self) -> Needs {
        Needs { pruner: true, whole_parts: false }
    }

    fn passes(&self) -> usize {
        self.descent().map_or(self.schedule.epochs, |crf| crf.iterations)
    }

    fn learns_from(&self, sentence: usize) -> bool {
        self.schedule.sentences.has(sentence)
    }

    fn train(&self, task: &Task, log: &mut dyn FnMut(usize)) -> Result<Box<dyn Trained>, SystemError> {
        Ok(Box::new(self.learn(task, log)?))
    }

    fn load(&self, from: &mut BytesReader) -> Result<Box<dyn Trained>, Damaged> {
        Ok(Box::new(self.read(from)?))
    }
}

impl Trained for GraphModel {
    fn save(&self, to: &mut BytesWriter) {
        self.write(to);
    }

    fn passes(&self) -> &[PassRecord] {
        &self.passes
    }

    fn session<'a>(&'a self, how: &How<'a>) -> Result<Box<dyn Session + 'a>, SystemError> {
        Ok(Box::new(GraphSession::new(self.parser(how)?)))
    }
}

impl GraphModel {
    /// The parser that works in a certain way.
    ///
    /// # Errors
    /// If it lacks a pruner, a pruning or a decoder.
    pub fn parser<'a>(&'a self, how: &How<'a>) -> Result<Parser<'a>, SystemError> {
        let missing = |what| SystemError::Missing { system: NAME, what };
        Ok(Parser {
            pruner: how.pruner.ok_or(missing("a pruner"))?,
            rule: how.pruning.ok_or(missing("a pruning"))?,
            model: &self.model,
            decoder: how.decoder.ok_or(missing("a decoder"))?,
            limits: how.limits,
        })
    }
}
