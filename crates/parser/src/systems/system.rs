//! The interface between experiments and parsers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::answer::{Answer, Clock};
use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::cell::{AxisValues, Learner, SystemName, TemplatesName};
use crate::features::TemplateSet;
use crate::learn::online::PassStatistics;
use crate::model::{Parser, TreeKind};
use crate::pruning::{Candidates, Pruner};
use crate::systems::SystemError;
use crate::systems::axes::{AxisKind, Combination, GridAxes, all_combinations};
use crate::systems::facts::Facts;
use crate::systems::graph::Schedule;
use crate::treebank::{Punctuation, Sentence, Token, Tree};
use crate::weights::contexts::Entry;
use treebound_core::decode::bnb::Limits;

/// A kind of system: its name, the axes that it has, and how it is made.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The name in configs and results.
    pub name: &'static str,
    /// What an experiment can choose of it, in the order in which grids go through values.
    pub axes: &'static [AxisKind],
    /// Whether it draws numbers while it learns, so that seeds differ.
    pub has_seed: bool,
    /// What can be done with it beside training and parsing.
    pub capabilities: &'static [Capability],
    /// The cells that a grid has of it.
    pub combinations: fn(&Self, GridAxes) -> Vec<Combination>,
    /// Makes the system of a choice.
    ///
    /// # Errors
    /// If the choice lacks what the system must have.
    pub make: Make,
}

/// Makes the system of a choice.
pub type Make = fn(&Choice) -> Result<Box<dyn System>, SystemError>;

/// What can be done with some systems, beside training and parsing.
#[derive(Clone, Copy, Debug)]
pub enum Capability {
    /// Its decoder gets factor graphs: [`Trained::graphs`]. They can be written to files, searched in other ways and looked into.
    Graphs,
    /// With some settings it knows the probabilities of heads: the function says with which.
    Marginals(fn(&AxisValues) -> bool),
    /// Its learners are described by `[learner]` tables, with pruning and roots of the training part.
    Schedules,
}

impl Kind {
    /// A system without axes that draws nothing.
    pub const fn new(name: &'static str, make: Make) -> Self {
        Self { name, axes: &[], has_seed: false, capabilities: &[], combinations: all_combinations, make }
    }

    /// The same with axes.
    #[must_use]
    pub const fn with_axes(self, axes: &'static [AxisKind]) -> Self {
        Self { axes, ..self }
    }

    /// The same with a seed.
    #[must_use]
    pub const fn with_seed(self) -> Self {
        Self { has_seed: true, ..self }
    }

    /// The name as an axis.
    pub fn system_name(self) -> SystemName {
        SystemName::built_in(self.name)
    }

    /// Whether its trained parsers have [graphs](Trained::graphs).
    pub fn has_graphs(&self) -> bool {
        self.capabilities.iter().any(|one| matches!(one, Capability::Graphs))
    }

    /// Whether its learners are described by `[learner]` tables.
    pub fn has_schedules(&self) -> bool {
        self.capabilities.iter().any(|one| matches!(one, Capability::Schedules))
    }

    /// Whether its parser with these values knows the probabilities of heads.
    pub fn has_marginals(&self, values: &AxisValues) -> bool {
        self.capabilities.iter().any(|one| matches!(one, Capability::Marginals(has) if has(values)))
    }
}

/// Two kinds with one name are one.
impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// What an experiment chose of a system, and what its config says of that.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'a> {
    /// The values of the axes that decide its model.
    pub axes: &'a AxisValues,
    /// Template sets, by name.
    pub templates: &'a BTreeMap<TemplatesName, TemplateSet>,
    /// How learners learn, by name.
    pub learners: &'a BTreeMap<Learner, Schedule>,
    /// Limits of the searches that choose a pass on the development part.
    pub choice_limits: Limits,
    /// The templates of labels that are found inside the search.
    pub label_templates: &'a TemplateSet,
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

    /// Whether it learns from the training sentence with that number, from 0, which has so many words.
    fn learns_from(&self, _sentence: usize, _words: usize) -> bool {
        true
    }

    /// Learns; `log` is told of each pass.
    ///
    /// # Errors
    /// See [`SystemError`].
    fn train(&self, task: &Task, log: &mut dyn FnMut(&[PassRecord])) -> Result<Box<dyn Trained>, SystemError>;

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

    /// Its factor graphs, if its decoder gets such.
    fn graphs(&self) -> Option<&dyn HasGraphs> {
        None
    }
}

/// A trained parser whose decoder gets factor graphs.
pub trait HasGraphs {
    /// The parser that works in a certain way.
    ///
    /// # Errors
    /// If it lacks what it needs for that.
    fn parser<'a>(&'a self, how: &How<'a>) -> Result<Parser<'a>, SystemError>;
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
    /// The values of the axes that decide how it parses.
    pub axes: &'a AxisValues,
    /// Limits of its search.
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

/// What is done with training trees that a parser cannot give, being projective or having more words on the root than its.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Nonprojective {
    /// Learn from the tree that keeps most of their arcs.
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

/// The sentences that a parser learns from, with trees that it could give.
#[derive(Clone, Debug, Default)]
pub struct TrainingPart {
    /// Words with the tags that the parser sees.
    pub sentences: Vec<Sentence>,
    /// One tree a sentence.
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
    /// Sentences of these whose tree was made another.
    pub projectivized: u64,
    /// Sentences that were left out since their tree is not.
    pub dropped: u64,
}

impl TrainingPart {
    /// Words of all sentences.
    pub fn words(&self) -> usize {
        self.sentences.iter().map(Sentence::len).sum()
    }

    /// What is learnt from by a system that learns from the sentences with the numbers, from 0, and words that `has` lets
    /// through.
    pub fn learnt_from(&self, has: impl Fn(usize, usize) -> bool) -> LearntFrom {
        let mut learnt = LearntFrom { dropped: self.dropped as u64, ..LearntFrom::default() };
        let all = self.sentences.iter().zip(&self.trees).enumerate();
        for (_, (sentence, tree)) in all.filter(|(i, (sentence, _))| has(*i, sentence.len())) {
            learnt.sentences += 1;
            learnt.words += sentence.len() as u64;
            learnt.projectivized += u64::from(sentence.gold.as_ref().is_some_and(|gold| gold != tree));
        }
        learnt
    }

    /// Makes the trees of `sentences` trees of a `kind`, or drops those that are not, as `policy` says; of [`Roots`], projective
    /// ones with so many words on the root.
    ///
    /// [`Roots`]: crate::model::Roots
    pub fn new(sentences: &[Sentence], policy: Nonprojective, kind: impl Into<TreeKind>) -> Self {
        let kind = kind.into();
        let mut part = Self::default();
        for sentence in sentences {
            let Some(tree) = &sentence.gold else { continue };
            if policy == Nonprojective::Drop && !kind.allows(tree) {
                part.dropped += 1;
                continue;
            }
            part.trees.push(kind.nearest(tree));
            part.sentences.push(sentence.clone());
        }
        part
    }
}
