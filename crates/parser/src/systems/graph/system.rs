//! The graph system behind the interface of all systems.

use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::cell::SystemName;
use crate::learn::crf::stochastic::Descent;
use crate::learn::online::Steps;
use crate::model::Parser;
use crate::systems::facts::{spell_limits, spell_templates};
use crate::systems::graph::schedule::{ChooseEpoch, Schedule};
use crate::systems::graph::session::GraphSession;
use crate::systems::graph::settings::{GraphSystem, NAME};
use crate::systems::graph::train::GraphModel;
use crate::systems::{
    Axes, Facts, How, Kind, Needs, PassRecord, Session, System, SystemError, Task, Trained, Versions,
};

/// The system's entry in the list of systems.
pub const KIND: Kind = Kind { name: NAME, axes: Axes::All, make: |choice| Ok(Box::new(GraphSystem::new(choice)?)) };

/// The first is raised when the models that it learns, or their bytes, change; the other when what it answers for a model does.
pub const VERSIONS: Versions = Versions { model: 3, answers: 1 };

impl GraphSystem {
    /// What decides a model that is learnt by passes over sentences.
    fn online_facts(&self) -> Facts {
        let Schedule { epochs, average_from, choose_epoch, decoder, limits, nonlocal_features, .. } = &self.schedule;
        let steps = match (self.batches(), self.steps()) {
            (Some(Descent { batch, rate, charge }), _) => format!("crf, batch {batch}, rate {rate}, charge {charge}"),
            (None, Steps::Perceptron) => "perceptron".to_owned(),
            (None, Steps::Mira { aggressiveness }) => format!("mira, aggressiveness {aggressiveness}"),
            (None, Steps::KBestMira { aggressiveness, trees }) => {
                format!("mira, aggressiveness {aggressiveness}, trees {trees}")
            }
        };
        let choice = match choose_epoch {
            ChooseEpoch::Last => "last".to_owned(),
            ChooseEpoch::Dev => format!("dev, {}", spell_limits(&self.choice_limits)),
        };
        let (search, nonlocal_features) = match self.set.is_baseline() {
            true => ("dp".to_owned(), "none"),
            false => (format!("{}, {}", decoder.for_keys(), spell_limits(limits)), nonlocal_features.name()),
        };
        vec![
            ("steps", steps),
            ("epochs", epochs.to_string()),
            ("average-from", average_from.to_string()),
            ("choice", choice),
            ("search", search),
            ("start", self.start().name().to_owned()),
            ("nonlocal-features", nonlocal_features.to_owned()),
        ]
    }
}

impl System for GraphSystem {
    fn name(&self) -> SystemName {
        KIND.system_name()
    }

    fn versions(&self) -> Versions {
        VERSIONS
    }

    fn facts(&self) -> Result<Facts, SystemError> {
        let Schedule { sentences, roots, .. } = self.schedule;
        let mut facts = vec![
            ("templates", spell_templates(&self.templates)),
            ("set", self.set.to_string()),
            ("backbone", self.backbone.to_string()),
            ("sentences", sentences.to_string()),
            ("roots", roots.name().to_owned()),
        ];
        match self.descent() {
            Some(crf) => facts.extend(self.field_facts(crf)),
            None => facts.extend(self.online_facts()),
        }
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
