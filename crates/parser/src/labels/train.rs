//! Learning to label: the relations of each tree are found with the weights so far; where they are wrong, the features of the gold
//! relations gain 1 and those of the others lose 1. Weights are averaged.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use thiserror::Error;

use super::{Choices, KINDS, Labeller, MOST_RELATIONS, Scratch};
use crate::features::{Kind, Plan, TemplateSet};
use crate::random::shuffle;
use crate::sequence::Perceptron;
use crate::treebank::{Relations, Sentence, Tree};
use crate::weights::learner::LearnError;
use crate::weights::table::Table;

/// How a labeller learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Passes over the training part.
    pub epochs: usize,
    /// Of the shuffles.
    pub seed: u64,
}

/// Why a labeller could not be trained.
#[derive(Debug, Error)]
pub enum LabelError {
    /// No sentence has relations.
    #[error("no training sentence has relations (column 8, DEPREL), so no labels can be learnt: leave `labels` out")]
    NoRelations,
    /// Templates of parts that arcs of a tree do not have here.
    #[error("the templates of labels have some of `{kind}` parts, and may have those of {}", KINDS.map(Kind::name).join(", "))]
    Kind {
        /// The kind of the parts.
        kind: Kind,
    },
    /// The column of relations holds something else.
    #[error(
        "the training part has {found} different relations (column 8, DEPREL), more than the {MOST_RELATIONS} that can be learnt"
    )]
    TooManyRelations {
        /// Relations found.
        found: usize,
    },
    /// The weights could not be learnt.
    #[error("learning labels: {0}")]
    Learn(#[from] LearnError),
}

impl From<std::io::Error> for LabelError {
    fn from(error: std::io::Error) -> Self {
        Self::Learn(LearnError::Memory(error))
    }
}

/// A tree with its gold relations.
struct Example<'a> {
    sentence: &'a Sentence,
    tree: &'a Tree,
    /// By word: the number of its relation.
    gold: Vec<u32>,
}

impl Choices {
    /// Those of some sentences with trees and relations.
    ///
    /// # Errors
    /// If there are none, or too many.
    pub(crate) fn of_examples<'a>(
        examples: impl Iterator<Item = (&'a Sentence, &'a Tree, &'a Relations)> + Clone,
    ) -> Result<Self, LabelError> {
        let names: BTreeSet<&str> = examples.clone().flat_map(|(_, _, relations)| relations.iter()).collect();
        let tokens = examples.clone().flat_map(|(sentence, ..)| &sentence.tokens);
        let tags: BTreeSet<&str> = tokens.map(|token| token.coarse.as_str()).collect();
        if names.is_empty() {
            return Err(LabelError::NoRelations);
        }
        if names.len() > MOST_RELATIONS {
            return Err(LabelError::TooManyRelations { found: names.len() });
        }
        let names: Vec<Arc<str>> = names.into_iter().map(Arc::from).collect();
        let all = (0..names.len() as u32).collect();
        let tags = tags.into_iter().map(str::to_owned).collect();
        let mut choices = Self { names: names.into(), tags, all, ..Self::default() };
        let mut pairs: BTreeMap<(usize, usize), BTreeSet<u32>> = BTreeMap::new();
        for (sentence, tree, relations) in examples {
            let tag = |word: usize| choices.tag(&sentence.tokens[word]);
            for (word, (head, name)) in tree.heads().iter().zip(relations.iter()).enumerate() {
                let of_head = head.ix().checked_sub(1).map_or(choices.root(), tag);
                pairs.entry((of_head, tag(word))).or_default().extend(choices.find(name));
            }
        }
        for head in 0..=choices.tags.len() {
            for modifier in 0..choices.tags.len() {
                choices.of_pairs.extend(pairs.get(&(head, modifier)).into_iter().flatten());
                choices.ends.push(choices.of_pairs.len() as u32);
            }
        }
        Ok(choices)
    }
}

impl Labeller {
    /// Learns from sentences, each with the tree that its relations are of; sentences without relations teach nothing.
    ///
    /// # Errors
    /// See [`LabelError`].
    pub fn train<'a>(
        templates: &TemplateSet,
        sentences: impl Iterator<Item = (&'a Sentence, &'a Tree)> + Clone,
        schedule: Schedule,
    ) -> Result<Self, LabelError> {
        if let Some(other) = templates.templates().iter().find(|template| !KINDS.contains(&template.kind)) {
            return Err(LabelError::Kind { kind: other.kind });
        }
        let with_relations = sentences
            .filter_map(|(sentence, tree)| sentence.relations.as_ref().map(|relations| (sentence, tree, relations)));
        let choices = Choices::of_examples(with_relations.clone())?;
        let labels = choices.len();
        let example = |(sentence, tree, relations): (&'a Sentence, &'a Tree, &'a Relations)| {
            // All names are among the choices.
            let gold = relations.iter().map(|name| choices.find(name).unwrap_or(0)).collect();
            Example { sentence, tree, gold }
        };
        let examples: Vec<Example> = with_relations.map(example).collect();
        let plan = Plan::of_kinds(templates, &KINDS);
        let mut perceptron = Perceptron::new(labels)?;
        let mut scratch = Scratch::default();
        let mut random = ChaCha8Rng::seed_from_u64(schedule.seed);
        let mut order: Vec<usize> = (0..examples.len()).collect();
        let mut right = Vec::new();
        for _ in 0..schedule.epochs {
            shuffle(&mut order, &mut random);
            perceptron.next_pass();
            for &i in &order {
                let Example { sentence, tree, gold } = &examples[i];
                perceptron.next_example();
                let Scratch { keys, search } = &mut scratch;
                keys.fill(&plan, &sentence.tokens, tree, perceptron.lines());
                search.begin(&choices, &sentence.tokens);
                for head in 0..=sentence.len() {
                    let modifiers = keys.modifiers(head);
                    if modifiers.is_empty() {
                        continue;
                    }
                    search.find(&choices, perceptron.lines(), perceptron.transitions(), keys, head);
                    right.clear();
                    right.extend(modifiers.iter().map(|&modifier| gold[modifier as usize - 1]));
                    if search.path != right {
                        let of_place = |place: usize| keys.of(modifiers[place] as usize - 1);
                        perceptron.update(of_place, &right, &search.path)?;
                    }
                }
            }
        }
        let features = perceptron.summed()?;
        let table = Table::build(&features)?;
        Ok(Self::new(templates.clone(), choices, features, table))
    }
}
