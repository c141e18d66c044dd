//! The interface between experiments and parsers.

use serde::{Deserialize, Serialize};

use crate::answer::{Answer, Clock};
use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::cell::{FeatureSet, SystemName};
use crate::features::TemplateSet;
use crate::learn::online::PassStatistics;
use crate::model::{Roots, projectivize};
use crate::pruning::{Candidates, Pruner, Rule};
use crate::systems::SystemError;
use crate::systems::facts::Facts;
use crate::systems::graph::Schedule;
use crate::treebank::{Punctuation, Sentence, Token, Tree};
use crate::weights::contexts::Entry;
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

/// What a system is given to learn.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The sentences to learn from.
    pub train: &'a TrainingPart,
    /// The development part with the tags that the parser sees, for choices.
    pub dev: &'a [Sentence],
    /// The development part with the treebank's tags, which say what is punctuation.
    pub gold_dev: &'a [Sentence],
    /// Which words are not scored.
    pub punctuation: &'a Punctuation,
    /// The pruner and what it keeps, if the system needs one.
    pub pruned: Option<&'a Pruned>,
    /// What the baseline of the same setting and seed has learnt, for a system that starts from it.
    pub baseline: Option<Learnt<'a>>,
    /// The seed of all that is drawn.
    pub seed: u64,
}

/// Weights that were learnt before.
#[derive(Clone, Copy, Debug)]
pub struct Learnt<'a> {
    /// By context.
    pub entries: &'a [Entry],
    /// What is a weight of 1.
    pub one: i64,
}

/// A pruner, and the arcs that it keeps in the training part, gold arcs included.
#[derive(Debug)]
pub struct Pruned {
    /// The pruner.
    pub pruner: Pruner,
    /// By training sentence.
    pub kept: Vec<Candidates>,
}

/// What is done with training trees that no projective parser can give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Nonprojective {
    /// Learn from the projective tree that keeps most of their arcs.
    Projectivize,
    /// Leave them out.
    Drop,
}

impl Nonprojective {
    /// The name in configs and keys.
    pub fn name(self) -> &'static str {
        match self {
            Self::Projectivize => "projectivize",
            Self::Drop => "drop",
        }
    }
}

/// The sentences that a parser learns from, with projective trees.
#[derive(Clone, Debug, Default)]
pub struct TrainingPart {
    /// Words with the tags that the parser sees.
    pub sentences: Vec<Sentence>,
    /// One projective tree a sentence.
    pub trees: Vec<Tree>,
    /// Sentences that were left out: their tree was not projective, or had more roots than there may be.
    pub dropped: usize,
}

/// How much is learnt from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LearntFrom {
    /// Sentences.
    pub sentences: u64,
    /// Their words.
    pub words: u64,
    /// Sentences of these whose tree was made projective.
    pub projectivized: u64,
    /// Sentences that were left out since their tree is not.
    pub dropped: u64,
}

impl TrainingPart {
    /// Words of all sentences.
    pub fn words(&self) -> usize {
        self.sentences.iter().map(Sentence::len).sum()
    }

    /// What is learnt from by a system that learns from the sentences with the numbers, from 0, that `has` lets through.
    pub fn learnt_from(&self, has: impl Fn(usize) -> bool) -> LearntFrom {
        let mut learnt = LearntFrom { dropped: self.dropped as u64, ..LearntFrom::default() };
        for (_, (sentence, tree)) in self.sentences.iter().zip(&self.trees).enumerate().filter(|(i, _)| has(*i)) {
            learnt.sentences += 1;
            learnt.words += sentence.len() as u64;
            learnt.projectivized += u64::from(sentence.gold.as_ref().is_some_and(|gold| gold != tree));
        }
        learnt
    }

    /// Makes the trees of `sentences` projective, with so many words on the root, or drops those that are not, as `policy`
    /// says.
    pub fn new(sentences: &[Sentence], policy: Nonprojective, roots: Roots) -> Self {
        let mut part = Self::default();
        for sentence in sentences {
            let Some(tree) = &sentence.gold else { continue };
            if policy == Nonprojective::Drop && !roots.allow_tree(tree) {
                part.dropped += 1;
                continue;
            }
            part.trees.push(projectivize(tree, roots));
            part.sentences.push(sentence.clone());
        }
        part
    }
}
