//! What a system learns from.

use serde::{Deserialize, Serialize};

use crate::model::Roots;
use crate::model::projectivize;
use crate::pruning::{Candidates, Pruner};
use crate::treebank::{Punctuation, Sentence, Tree};
use crate::weights::contexts::Entry;

/// What a system is given to learn.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The sentences to learn from.
    pub train: &'a TrainingPart,
    /// The development part with the tags that the parser sees, for choices.
    pub dev: &'a [Sentence],
    /// The same with the treebank's tags, which say what is punctuation.
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
    /// Those of the sentences whose tree was made projective.
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
