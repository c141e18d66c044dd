//! The graph system: candidate arcs, a factor graph scored by features, and an exact decoder (paper, sections 2 to 4).
//!
//! Its trainer, backbone and decoder are closed enums with static dispatch. Verbs that look into its search (ablation,
//! budget, graph files, growth) ask it for its [`Parser`] rather than for a session.

mod schedule;
mod session;
mod train;

pub use schedule::{ChooseEpoch, Schedule};
pub use train::GraphModel;

use super::{Axes, Choice, Facts, How, Kind, Needs, PassRecord, Session, System, SystemError, Task, Trained, Versions};
use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::cell::{FeatureSet, Method, SystemName};
use crate::decode::bnb::Limits;
use crate::decode::{Backbone, Decoder};
use crate::features::TemplateSet;
use crate::parser::Parser;
use crate::parser::online::Steps;
use crate::pruning::Rule;

/// The system's entry in the list of systems.
pub const KIND: Kind = Kind { name: "graph", axes: Axes::All, make: |choice| Ok(Box::new(GraphSystem::new(choice)?)) };

/// Raised when the models that it learns, or their bytes, change.
const MODEL_VERSION: u32 = 1;
/// Raised when what it answers for a model changes.
const ANSWERS_VERSION: u32 = 1;

/// The graph system with its settings.
#[derive(Clone, Debug)]
pub struct GraphSystem {
    /// The templates of its features.
    pub templates: TemplateSet,
    /// How weights are learnt.
    pub schedule: Schedule,
    /// Non-local families.
    pub set: FeatureSet,
    /// The dynamic program.
    pub backbone: Backbone,
    /// Limits of the searches that choose a pass on the development part.
    pub choice_limits: Limits,
}

impl GraphSystem {
    /// The system of a choice.
    ///
    /// # Errors
    /// If the choice lacks something.
    pub fn new(choice: Choice) -> Result<Self, SystemError> {
        let Choice { templates, schedule, set, backbone, choice_limits } = choice;
        let missing = |what| SystemError::Missing { system: KIND.name, what };
        Ok(Self {
            templates: templates.ok_or(missing("templates"))?,
            schedule: schedule.ok_or(missing("a learner"))?,
            set: set.ok_or(missing("a feature set"))?,
            backbone: backbone.ok_or(missing("a dynamic program"))?,
            choice_limits,
        })
    }

    fn steps(&self) -> Steps {
        match self.schedule.method {
            Method::Perceptron => Steps::Perceptron,
            Method::Mira => Steps::Mira { aggressiveness: self.schedule.aggressiveness },
        }
    }

    /// The decoder of training searches: the dynamic program alone where there is nothing else to do.
    fn training_decoder(&self) -> Decoder {
        if self.set.is_baseline() { Decoder::Dp } else { self.schedule.decoder }
    }
}

impl System for GraphSystem {
    fn name(&self) -> SystemName {
        KIND.system_name()
    }

    fn versions(&self) -> Versions {
        Versions { model: MODEL_VERSION, answers: ANSWERS_VERSION }
    }

    fn facts(&self) -> Result<Facts, SystemError> {
        let Schedule { epochs, average_from, choose_epoch, decoder, limits, .. } = &self.schedule;
        let choice = match choose_epoch {
            ChooseEpoch::Last => "last".to_owned(),
            ChooseEpoch::Dev => format!("dev, {:?}", self.choice_limits),
        };
        let search = if self.set.is_baseline() { "dp".to_owned() } else { format!("{decoder} {limits:?}") };
        Ok(vec![
            ("steps", format!("{:?}", self.steps())),
            ("templates", self.templates.to_string()),
            ("set", self.set.to_string()),
            ("backbone", self.backbone.to_string()),
            ("epochs", epochs.to_string()),
            ("average from", average_from.to_string()),
            ("choice", choice),
            ("search", search),
        ])
    }

    fn needs(&self) -> Needs {
        Needs { pruner: true, whole_parts: false }
    }

    fn passes(&self) -> usize {
        self.schedule.epochs
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
        Ok(Box::new(session::GraphSession::new(self.parser(how)?)))
    }
}

impl GraphModel {
    /// The parser that works in a certain way.
    ///
    /// # Errors
    /// If it lacks a pruner, a pruning or a decoder.
    pub fn parser<'a>(&'a self, how: &How<'a>) -> Result<Parser<'a>, SystemError> {
        let missing = |what| SystemError::Missing { system: KIND.name, what };
        Ok(Parser {
            pruner: how.pruner.ok_or(missing("a pruner"))?,
            rule: how.pruning.ok_or(missing("a pruning"))?,
            model: &self.model,
            decoder: how.decoder.ok_or(missing("a decoder"))?,
            limits: how.limits,
        })
    }
}

/// The pruning that candidates of the training part are kept by: for the pruner's own training.
pub fn training_pruning(schedule: &Schedule) -> Rule {
    schedule.pruning
}
