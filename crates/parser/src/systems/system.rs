//! The interface between experiments and parsers.

use crate::answer::{Answer, Clock};
use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::cell::{FeatureSet, SystemName};
use crate::features::TemplateSet;
use crate::learn::online::PassStatistics;
use crate::pruning::{Pruner, Rule};
use crate::systems::SystemError;
use crate::systems::facts::Facts;
use crate::systems::graph::Schedule;
use crate::systems::task::Task;
use crate::treebank::Token;
use treebound_core::decode::bnb::Limits;
use treebound_core::decode::{Backbone, Decoder};

/// A kind of system: its name, the axes that it has, and how it is made.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The name in configs and results.
    pub name: &'static str,
    /// What an experiment can choose of it.
    pub axes: Axes,
    /// Makes the system of a choice.
    ///
    /// # Errors
    /// If the choice lacks what the system must have.
    pub make: fn(Choice) -> Result<Box<dyn System>, SystemError>,
}

/// The axes that a system has, beside those of the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axes {
    /// None: it learns nothing, and there is nothing to choose.
    None,
    /// The seed alone: it learns in its own way.
    Seed,
    /// All: templates, learner, feature set, pruning, decoding and seed.
    All,
}

/// What an experiment chose of a system.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Templates.
    pub templates: Option<TemplateSet>,
    /// How weights are learnt.
    pub schedule: Option<Schedule>,
    /// The feature set.
    pub set: Option<FeatureSet>,
    /// The dynamic program.
    pub backbone: Option<Backbone>,
    /// Limits of the searches that choose a pass on the development part.
    pub choice_limits: Limits,
}

impl Kind {
    /// The name as an axis.
    pub fn system_name(self) -> SystemName {
        SystemName::built_in(self.name)
    }
}

/// What a system wants before it learns or parses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// A pruner, and the training part pruned by models that have not seen it.
    pub pruner: bool,
    /// All sentences of a part in one batch: every batch costs a start.
    pub whole_parts: bool,
}

/// The versions of what a system makes. A developer raises one by hand when bytes change; a golden test guards it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Versions {
    /// Of models.
    pub model: u32,
    /// Of answers.
    pub answers: u32,
}

/// A parser with its settings.
pub trait System: Sync {
    /// Its name.
    fn name(&self) -> SystemName;

    /// The versions of its models and answers.
    fn versions(&self) -> Versions;

    /// What decides its models, beside the data, the seed and what it [needs](Self::needs).
    ///
    /// # Errors
    /// If that cannot be found out.
    fn facts(&self) -> Result<Facts, SystemError>;

    /// What it wants prepared.
    fn needs(&self) -> Needs;

    /// Passes over the training part that [`train`](Self::train) tells its log of.
    fn passes(&self) -> usize;

    /// Whether it learns from the training sentence with that number, from 0.
    fn learns_from(&self, _sentence: usize) -> bool {
        true
    }

    /// Learns; `log` is told of each pass.
    ///
    /// # Errors
    /// See [`SystemError`].
    fn train(&self, task: &Task, log: &mut dyn FnMut(usize)) -> Result<Box<dyn Trained>, SystemError>;

    /// Reads what [`Trained::save`] wrote.
    ///
    /// # Errors
    /// If the bytes are damaged.
    fn load(&self, from: &mut BytesReader) -> Result<Box<dyn Trained>, Damaged>;
}

/// A parser that has learnt.
pub trait Trained: Send + Sync {
    /// Appends the bytes that [`System::load`] reads.
    fn save(&self, to: &mut BytesWriter);

    /// What each pass of the training did; empty if the system tells nothing of it.
    fn passes(&self) -> &[PassRecord];

    /// Opens a session that parses in a certain way.
    ///
    /// # Errors
    /// If the system lacks what it needs for that.
    fn session<'a>(&'a self, how: &How<'a>) -> Result<Box<dyn Session + 'a>, SystemError>;
}

/// A parser at work, with its memory.
pub trait Session {
    /// Parses a batch: an answer a sentence, in order. `clock` tells the phases.
    ///
    /// # Errors
    /// See [`SystemError`].
    fn parse(&mut self, sentences: &[&[Token]], clock: &mut dyn Clock) -> Result<Vec<Answer>, SystemError>;
}

/// How a session parses.
#[derive(Clone, Copy, Debug)]
pub struct How<'a> {
    /// The pruner, if the system needs one.
    pub pruner: Option<&'a Pruner>,
    /// Which candidate heads are kept.
    pub pruning: Option<Rule>,
    /// The search.
    pub decoder: Option<Decoder>,
    /// Its limits.
    pub limits: Limits,
}

/// Where a step of a descent led.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Descent {
    /// What is minimised; of a pass in batches the sum of losses, each under the weights of its batch.
    pub objective: f64,
    /// The norm of its gradient, if it was asked for.
    pub gradient_norm: Option<f64>,
    /// The objective of the weights as whole numbers, if they are the model's.
    pub whole_numbers: Option<f64>,
}

/// One pass of a training run (`training.csv`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PassRecord {
    /// What the pass did.
    pub statistics: PassStatistics,
    /// Where it led, if it was a step of a descent and no pass of an online learner.
    pub descent: Option<Descent>,
    /// Scored words of the development part that are right after it; none if it was not looked at.
    pub dev_scored_correct: Option<u64>,
    /// Whether the model is that of this pass.
    pub chosen: bool,
}
