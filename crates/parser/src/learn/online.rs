//! Online learning of averaged weights, one sentence at a time: parse it with the weights so far, and if the tree is wrong
//! move the weights from the features of that tree towards those of the right one.
//!
//! * The structured perceptron (Collins, 2002; paper, section 4.2) takes steps of 1.
//! * MIRA ([`mira`](crate::learn::mira)) charges the parser for wrong heads while it parses and takes the smallest step that
//!   makes the right tree win by as much as the charge. A decoder may answer with a point of a relaxation instead of a tree
//!   (Martins et al. 2009, section 4): its features are those of its parts, each as often as it has of the part.
//! * A learner that needs no tree says by itself how a sentence moves the weights ([`Mover`]); sentences of a batch do so
//!   side by side.

use std::sync::{Mutex, PoisonError};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;
use thiserror::Error;

use crate::features::parts::{BetweenWords, Part};
use crate::features::{Family, Kind, PartList, Plan, TemplateGroups, TemplateSet, Views};
use crate::labels::{ArcLabeller, ArcRelations, Charge, Choices, LabelError};
use crate::learn::mira;
use crate::model::build::{Builder, TreeParts};
use crate::model::point::PointParts;
use crate::model::{Roots, TreeKind};
use crate::pruning::Candidates;
use crate::random::shuffle;
use crate::treebank::{Sentence, Tree};
use crate::weights;
use crate::weights::contexts::learner::{Averaged, Learner};
use crate::weights::contexts::{
    Counted, Entry, Seen, Table, Weights, for_each_context, product, squared_length, sum_by_context,
};
use crate::weights::learner::LearnError;
use crate::weights::table::FeatureKey;
use treebound_core::decode::Decoded;
use treebound_core::graph::{ArcSpace, FactorGraph, SpaceError, TreeArcs, tree_score};
use treebound_ilp::Fractions;

/// A training sentence: its tree, and the candidate arcs kept for it, which contain the tree's.
#[derive(Clone, Copy, Debug)]
pub struct Example<'a> {
    /// The words.
    pub sentence: &'a Sentence,
    /// The tree to be learnt.
    pub tree: &'a Tree,
    /// The candidates.
    pub candidates: &'a Candidates,
}

/// Weights of relations, which are learnt with those of arcs where labels are found inside the search.
#[derive(Debug)]
struct OnlineLabels {
    templates: TemplateSet,
    plan: Plan,
    choices: Choices,
    learner: weights::learner::Learner,
    arcs: ArcRelations,
    /// By word of the sentence at hand: the number of its gold relation.
    gold: Vec<u32>,
    /// The arcs of the gold tree and of the predicted one.
    trees: [TreeArcs; 2],
    /// By feature: how often the gold relations fire it more than the predicted ones.
    difference: Vec<(FeatureKey, i32)>,
}

/// What one pass over the training part did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassStatistics {
    /// Sentences that were not parsed as they should be.
    pub mistakes: usize,
    /// Words with a wrong head.
    pub wrong_heads: usize,
    /// Sentences whose decoder stopped at a limit, or at a relaxation that is not whole.
    pub unproven: usize,
    /// Calls to the dynamic program.
    pub dp_calls: u64,
}

/// Why a pass could not be finished.
#[derive(Debug, Error)]
pub enum PassError<E> {
    /// An example's arcs are no arc space.
    #[error(transparent)]
    Space(SpaceError),
    /// The decoder failed.
    #[error(transparent)]
    Decode(E),
    /// The weights could not be updated.
    #[error(transparent)]
    Learn(LearnError),
}

/// How long the steps are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Steps {
    /// All of length 1.
    Perceptron,
    /// As long as needed, up to this times [`mira::UNIT`].
    Mira {
        /// The longest step.
        aggressiveness: f64,
    },
    /// MIRA with one constraint for each of the best trees.
    KBestMira {
        /// The longest step along one difference.
        aggressiveness: f64,
        /// Trees.
        trees: usize,
    },
}

impl Steps {
    /// A weight of 1 under these steps.
    pub fn unit(self) -> i64 {
        if self == Self::Perceptron { 1 } else { mira::UNIT }
    }
}

/// Says how a sentence moves the weights.
pub trait Mover {
    /// Lists what the sentence moves under `weights`, in the place of what `moved` has; counts are what contexts move by. Gives
    /// its loss.
    ///
    /// # Errors
    /// If the example's arcs are no arc space.
    fn find(&mut self, weights: Weights, example: &Example, moved: &mut Vec<Counted>) -> Result<f64, SpaceError>;
}

/// What a decoder gives a learner.
#[derive(Clone, Debug, Default)]
pub struct Predicted {
    /// Trees with their scores, the best first.
    pub trees: Vec<(Tree, i128)>,
    /// Whether it is proven that the first is the best.
    pub is_proven: bool,
    /// Calls to the dynamic program.
    pub dp_calls: u64,
    /// The point of a relaxation that the first tree was rounded from, if that is to be learnt from in its place.
    pub point: Option<Fractions>,
}

impl From<Decoded> for Predicted {
    fn from(decoded: Decoded) -> Self {
        let trees = decoded.tree.into_iter().zip(decoded.score).collect();
        Self { trees, is_proven: decoded.status.is_proof(), dp_calls: decoded.dp_calls, point: None }
    }
}

/// Weights being learnt.
#[derive(Debug)]
pub struct Online<'a> {
    template_groups: &'a TemplateGroups,
    families: &'a [Family],
    kind: TreeKind,
    /// A weight of 1.
    unit: i64,
    /// Kinds whose weights stay.
    fixed: Vec<Kind>,
    /// Kinds of which only features that have a slot learn.
    chosen: Vec<Kind>,
    learner: Learner,
    random: ChaCha8Rng,
    order: Vec<usize>,
    builder: Builder,
    gold: TreeParts,
    predicted: TreeParts,
    point: PointParts,
    between: BetweenWords,
    difference: Difference,
    arcs: TreeArcs,
    contexts: Vec<Counted>,
    labels: Option<OnlineLabels>,
}

/// Parts that one of two trees has and the other has not, by kind.
#[derive(Debug, Default)]
struct Difference {
    kinds: Vec<(Kind, PartList, Vec<i32>)>,
}

impl<'a> Online<'a> {
    /// Weights that are all 0, of which `unit` is a weight of 1 ([`Steps::unit`]); `seed` orders the sentences of each pass.
    /// Trees are projective, with one word on the root.
    ///
    /// # Errors
    /// If the system has no memory.
    pub fn new(
        template_groups: &'a TemplateGroups,
        families: &'a [Family],
        unit: i64,
        seed: u64,
    ) -> Result<Self, LearnError> {
        Ok(Self {
            template_groups,
            families,
            kind: TreeKind::default(),
            unit,
            fixed: Vec::new(),
            chosen: Vec::new(),
            learner: Learner::new(1 << 20, template_groups.most_features())?,
            random: ChaCha8Rng::seed_from_u64(seed),
            order: Vec::new(),
            builder: Builder::default(),
            gold: TreeParts::default(),
            predicted: TreeParts::default(),
            point: PointParts::default(),
            between: BetweenWords::default(),
            difference: Difference::default(),
            arcs: TreeArcs::default(),
            contexts: Vec::new(),
            labels: None,
        })
    }

    /// These weights, and those of the relations of some examples' arcs, which are found inside the search by the templates of arcs of
    /// `templates`.
    ///
    /// # Errors
    /// If the examples have no relations, or too many.
    pub fn with_labels(self, templates: &TemplateSet, examples: &[Example]) -> Result<Self, LabelError> {
        let labels = OnlineLabels::new(templates, examples)?;
        Ok(Self { labels: Some(labels), ..self })
    }

    /// These weights, where trees may have so many words on the root.
    pub fn with_roots(self, roots: Roots) -> Self {
        self.with_kind(roots.into())
    }

    /// These weights, for trees of a kind.
    pub fn with_kind(self, kind: TreeKind) -> Self {
        Self { kind, ..self }
    }

    /// Starts from the weights of a model instead, of which `one` is a weight of 1. They are whole numbers of
    /// 1 / [`mira::UNIT`] from here on, also those of the perceptron: averages are fractions of its steps.
    ///
    /// # Errors
    /// If the system has no memory, or a weight does not fit 32 bits.
    pub fn start_from(&mut self, entries: &[Entry], one: i64) -> Result<(), LearnError> {
        self.unit = mira::UNIT;
        let (unit, one) = (i128::from(self.unit), i128::from(one.max(1)));
        let rounded = |weight: i32| -> Result<i32, LearnError> {
            let weight = (2 * i128::from(weight) * unit + one).div_euclid(2 * one);
            i32::try_from(weight).map_err(|_| LearnError::Overflow { examples: 1, sum: weight as i64 })
        };
        let mut start = Vec::with_capacity(entries.len());
        for &Entry { context, weight } in entries {
            start.push(Entry { context, weight: rounded(weight)? });
        }
        Ok(self.learner.start_from(&start)?)
    }

    /// Leaves the weights of some kinds of parts as they are.
    pub fn fix(&mut self, is_fixed: impl Fn(Kind) -> bool) {
        self.fixed = Kind::ALL.into_iter().filter(|&kind| is_fixed(kind)).collect();
    }

    /// Of some kinds of parts, has only those features learn that the right trees of `examples` fire. Their templates must
    /// not share look-ups ([`Folding::Local`](crate::features::groups::Folding)), so that a context is a feature.
    ///
    /// # Errors
    /// If the system has no memory.
    pub fn learn_gold_only(&mut self, examples: &[Example], of: impl Fn(Kind) -> bool) -> Result<(), LearnError> {
        self.chosen = Kind::ALL.into_iter().filter(|&kind| of(kind)).collect();
        let mut views = Views::default();
        for Example { sentence, tree, .. } in examples {
            views.fill(self.template_groups, &sentence.tokens);
            self.gold.fill(self.template_groups, self.families, &sentence.tokens, tree, &mut self.between);
            self.gold.parts.retain(|(kind, _)| self.chosen.contains(kind));
            self.difference.fill(&self.gold.parts, &[]);
            self.contexts.clear();
            for (kind, parts, _) in &self.difference.kinds {
                let Some(kind) = self.template_groups.kind(*kind) else { continue };
                let contexts = &mut self.contexts;
                for_each_context(kind, &views, parts, |Seen { template_group, context, .. }| {
                    let (fold, guards) = (template_group.product.fold, template_group.may_guard);
                    contexts.push(Counted { context, fold, guards, count: 0 });
                });
            }
            self.learner.update(&self.contexts, 0)?;
        }
        Ok(())
    }

    /// One pass over `examples` in a new random order, `batch` at a time; those see the same weights. There should be a mover
    /// a thread: each has charts of its own, whatever the batch. Gives the sum of the losses.
    ///
    /// # Errors
    /// See [`PassError`].
    pub fn pass_of_batches<M: Mover + Send, E>(
        &mut self,
        examples: &[Example],
        batch: usize,
        movers: &[Mutex<M>],
    ) -> Result<f64, PassError<E>> {
        let order = self.next_order(examples.len());
        let mut moved = vec![Vec::new(); batch.clamp(1, examples.len().max(1))];
        let mut loss = 0.0;
        for batch in order.chunks(moved.len()) {
            let weights = Weights::changing(self.learner.table());
            let find = |(moved, &i): (&mut Vec<Counted>, &usize)| {
                let mover = &movers[rayon::current_thread_index().unwrap_or(0) % movers.len()];
                mover.lock().unwrap_or_else(PoisonError::into_inner).find(weights, &examples[i], moved)
            };
            let losses: Result<Vec<f64>, SpaceError> =
                moved.par_iter_mut().zip(batch).with_max_len(1).map(find).collect();
            for (moved, of_sentence) in moved.iter().zip(losses.map_err(PassError::Space)?) {
                self.learner.next_example();
                self.learner.update(moved, 1).map_err(|e| PassError::Learn(e.into()))?;
                loss += of_sentence;
            }
        }
        self.order = order;
        Ok(loss)
    }

    /// A new random order of so many examples.
    fn next_order(&mut self, examples: usize) -> Vec<usize> {
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend(0..examples);
        shuffle(&mut order, &mut self.random);
        order
    }

    /// One pass over `examples` in a new random order. `decode` gives the best trees of a graph, with the probability of
    /// each of its arcs to start from.
    ///
    /// # Errors
    /// See [`PassError`].
    pub fn pass<E>(
        &mut self,
        examples: &[Example],
        steps: Steps,
        mut decode: impl FnMut(&FactorGraph, Option<&[f64]>) -> Result<Predicted, E>,
    ) -> Result<PassStatistics, PassError<E>> {
        let mut statistics = PassStatistics::default();
        let order = self.next_order(examples.len());
        for &i in &order {
            let Example { sentence, tree, candidates } = examples[i];
            self.learner.next_example();
            self.labels.iter_mut().for_each(|labels| labels.learner.next_example());
            self.builder
                .build(
                    self.template_groups,
                    self.families,
                    Weights::changing(self.learner.table()),
                    &sentence.tokens,
                    &candidates.arcs,
                    self.kind,
                )
                .map_err(PassError::Space)?;
            let charge = if steps == Steps::Perceptron { 0 } else { mira::UNIT };
            if let Some(labels) = &mut self.labels {
                labels.find(sentence, tree, &self.builder.graph().space, charge);
                self.builder.add_to_arcs(labels.arcs.scores());
            }
            if charge != 0 {
                self.builder.charge_wrong_heads(tree, charge);
            }
            let answer = decode(self.builder.graph(), candidates.prior()).map_err(PassError::Decode)?;
            statistics.dp_calls += answer.dp_calls;
            statistics.unproven += usize::from(!answer.is_proven);
            // The gold arcs are kept, so there is a tree; a decoder stopped before it found one teaches nothing.
            let Some((best, score)) = answer.trees.first() else { continue };
            if best != tree {
                statistics.mistakes += 1;
                statistics.wrong_heads += best.heads().iter().zip(tree.heads()).filter(|(p, g)| p != g).count();
            }
            if let (Some(point), Steps::Mira { aggressiveness }) = (&answer.point, steps) {
                self.update_by_point(sentence, tree, point, best, aggressiveness).map_err(PassError::Learn)?;
            } else if let Steps::KBestMira { aggressiveness, .. } = steps {
                self.update_by_all(sentence, tree, &answer.trees, aggressiveness).map_err(PassError::Learn)?;
            } else if best != tree || self.has_wrong_labels(tree) {
                self.update(sentence, tree, best, *score, steps).map_err(PassError::Learn)?;
            }
        }
        self.order = order;
        Ok(statistics)
    }

    /// A step from `predicted`, which has `score`, towards `gold`; what they share is left alone.
    fn update(
        &mut self,
        sentence: &Sentence,
        gold: &Tree,
        predicted: &Tree,
        score: i128,
        steps: Steps,
    ) -> Result<(), LearnError> {
        self.gold.fill(self.template_groups, self.families, &sentence.tokens, gold, &mut self.between);
        self.find_difference(sentence, predicted);
        let gold_score = self.gold_score(gold);
        // Relations are charged for: what the gold tree scores with its own is less than with the best ones.
        let (of_labels, square_of_labels) = match &mut self.labels {
            Some(labels) => labels.compare(&self.builder.graph().space, gold, predicted),
            None => (0, 0),
        };
        let step = match steps {
            // It fits: it is 1 or `mira::UNIT`.
            Steps::Perceptron => self.unit as i32,
            Steps::Mira { aggressiveness } | Steps::KBestMira { aggressiveness, .. } => {
                let behind = score - (gold_score + of_labels);
                mira::step(behind, squared_length(&self.contexts) + square_of_labels, aggressiveness)
            }
        };
        self.learner.update(&self.contexts, step)?;
        self.labels.as_mut().map_or(Ok(()), |labels| labels.update(step))
    }

    /// A step from a point of the last graph's relaxation, which was rounded to a tree, towards `gold`. Counts are whole numbers of
    /// 1 / [`Fractions::WHOLE`], and what a context moves by is rounded.
    fn update_by_point(
        &mut self,
        sentence: &Sentence,
        gold: &Tree,
        point: &Fractions,
        rounded: &Tree,
        aggressiveness: f64,
    ) -> Result<(), LearnError> {
        let (kinds, tokens) = ((self.template_groups, self.families), &sentence.tokens);
        self.gold.fill(kinds.0, kinds.1, tokens, gold, &mut self.between);
        self.point.fill(kinds, tokens, self.builder.graph(), point, rounded, &mut self.between);
        self.difference.clear();
        for &(kind, part) in &self.gold.parts {
            self.difference.push(kind, part, Fractions::WHOLE);
        }
        for &(kind, part, value) in &self.point.parts {
            self.difference.push(kind, part, -value);
        }
        self.find_contexts();
        let whole = i128::from(Fractions::WHOLE);
        let behind = point.value - self.gold_score(gold);
        let step = mira::step(behind * whole * whole, squared_length(&self.contexts), aggressiveness);
        for counted in &mut self.contexts {
            // Twice the product, and a half, to round it.
            let moved = i128::from(counted.count) * i128::from(step);
            counted.count = (2 * moved + whole).div_euclid(2 * whole) as i32;
        }
        self.learner.update(&self.contexts, 1)?;
        Ok(())
    }

    /// Whether the gold arcs of the last graph have other relations than the gold ones.
    fn has_wrong_labels(&mut self, gold: &Tree) -> bool {
        let Some(labels) = &self.labels else { return false };
        self.arcs.find(&self.builder.graph().space, gold.heads());
        self.arcs.arcs().iter().zip(&labels.gold).any(|(&arc, &relation)| labels.arcs.best(arc) != relation)
    }

    /// Steps from all of `predicted` towards `gold`.
    fn update_by_all(
        &mut self,
        sentence: &Sentence,
        gold: &Tree,
        predicted: &[(Tree, i128)],
        aggressiveness: f64,
    ) -> Result<(), LearnError> {
        let gold_score = self.gold_score(gold);
        let others = predicted.iter().filter(|(tree, _)| tree != gold);
        let behind: Vec<i128> = others.clone().map(|(_, score)| score - gold_score).collect();
        if behind.iter().all(|&behind| behind <= 0) {
            return Ok(());
        }
        self.gold.fill(self.template_groups, self.families, &sentence.tokens, gold, &mut self.between);
        let mut differences: Vec<Vec<Counted>> = Vec::new();
        for (tree, _) in others {
            self.find_difference(sentence, tree);
            differences.push(self.contexts.clone());
        }
        let products: Vec<i128> =
            differences.iter().flat_map(|a| differences.iter().map(move |b| product(a, b))).collect();
        let steps = mira::steps(&behind, &products, aggressiveness);
        self.contexts.clear();
        for (difference, &step) in differences.iter().zip(&steps).filter(|(_, step)| **step != 0) {
            self.contexts.extend(difference.iter().map(|c| Counted { count: c.count * step, ..*c }));
        }
        sum_by_context(&mut self.contexts);
        self.learner.update(&self.contexts, 1)?;
        Ok(())
    }

    /// The score of the gold tree, whose arcs are among the candidates, in the last graph built.
    fn gold_score(&mut self, gold: &Tree) -> i128 {
        let graph = self.builder.graph();
        self.arcs.find(&graph.space, gold.heads());
        tree_score(graph, &self.arcs)
    }

    /// Finds what `predicted` and the gold tree, whose parts are at hand, do not share.
    fn find_difference(&mut self, sentence: &Sentence, predicted: &Tree) {
        self.predicted.fill(self.template_groups, self.families, &sentence.tokens, predicted, &mut self.between);
        self.difference.fill(&self.gold.parts, &self.predicted.parts);
        self.find_contexts();
    }

    /// Finds the contexts of the difference.
    fn find_contexts(&mut self) {
        self.contexts.clear();
        for (kind, parts, deltas) in &self.difference.kinds {
            if self.fixed.contains(kind) {
                continue;
            }
            let chosen = self.chosen.contains(kind);
            let Some(kind) = self.template_groups.kind(*kind) else { continue };
            for_each_context(kind, self.builder.views(), parts, |Seen { part, template_group, context }| {
                if !chosen || self.learner.has(context) {
                    let (fold, guards) = (template_group.product.fold, template_group.may_guard);
                    self.contexts.push(Counted { context, fold, guards, count: deltas[part] });
                }
            });
        }
        sum_by_context(&mut self.contexts);
    }

    /// Leaves the examples so far out of the average.
    pub fn restart_average(&mut self) {
        self.learner.restart_average();
        self.labels.iter_mut().for_each(|labels| labels.learner.restart_average());
    }

    /// The [averaged](Self::averaged) weights of relations, as what finds these; none where no labels are found inside the search.
    ///
    /// # Errors
    /// If a weight does not fit 32 bits, or the system has no memory.
    pub fn averaged_labels(&self) -> Result<Option<ArcLabeller>, LearnError> {
        let Some(OnlineLabels { templates, choices, learner, .. }) = &self.labels else { return Ok(None) };
        let features = match self.unit {
            1 => learner.summed(),
            unit => learner.averaged(mira::AVERAGE_UNIT / unit),
        };
        Ok(Some(ArcLabeller::new(templates.clone(), choices.clone(), features?)?))
    }

    /// The weights after the last example.
    pub fn table(&self) -> &Table {
        self.learner.table()
    }

    /// The average of the weights after each example so far, or since it was [restarted](Self::restart_average), in whole
    /// numbers of a unit: for the perceptron the number of examples, so that nothing is rounded, for MIRA and after
    /// [another start](Self::start_from) [`mira::AVERAGE_UNIT`].
    ///
    /// # Errors
    /// If one does not fit 32 bits.
    pub fn averaged(&self) -> Result<Averaged, LearnError> {
        match self.unit {
            1 => self.learner.summed(),
            unit => self.learner.average(mira::AVERAGE_UNIT / unit),
        }
    }

    /// The contexts of the [average](Self::averaged), sorted.
    ///
    /// # Errors
    /// If one does not fit 32 bits.
    pub fn average(&self) -> Result<Vec<Entry>, LearnError> {
        let mut entries = self.entries(&self.averaged()?);
        entries.par_sort_unstable();
        Ok(entries)
    }

    /// Has `look` look at the newest [`averaged`](Self::averaged) weights as a table, which it gives back.
    ///
    /// # Errors
    /// If the system has no memory.
    pub fn with_average<R>(
        &mut self,
        averaged: &mut Averaged,
        look: impl FnOnce(Table) -> (Table, R),
    ) -> std::io::Result<R> {
        self.learner.with(averaged, look)
    }

    /// The contexts of the newest [`averaged`](Self::averaged) weights, in any order.
    pub fn entries(&self, averaged: &Averaged) -> Vec<Entry> {
        self.learner.entries(averaged)
    }
}

impl OnlineLabels {
    fn new(templates: &TemplateSet, examples: &[Example]) -> Result<Self, LabelError> {
        let labelled = examples
            .iter()
            .filter_map(|Example { sentence, tree, .. }| Some((*sentence, *tree, sentence.relations.as_ref()?)));
        Ok(Self {
            plan: ArcLabeller::plan(templates),
            templates: templates.clone(),
            choices: Choices::of_examples(labelled)?,
            learner: weights::learner::Learner::new(1 << 16)?,
            arcs: ArcRelations::default(),
            gold: Vec::new(),
            trees: Default::default(),
            difference: Vec::new(),
        })
    }

    /// Finds the best relations of the arcs of a sentence, where other relations than the gold ones of the tree's arcs are charged
    /// for. A sentence without relations has the first one throughout, which is charged for like any other.
    fn find(&mut self, sentence: &Sentence, tree: &Tree, space: &ArcSpace, charge: i64) {
        let Self { plan, choices, learner, arcs, gold, .. } = self;
        gold.clear();
        let names = sentence.relations.iter().flat_map(|relations| relations.iter());
        gold.extend(names.map(|name| choices.find(name).unwrap_or(0)));
        gold.resize(sentence.len(), 0);
        let charge = Charge { tree, relations: gold, charge };
        arcs.find(plan, choices, learner.table().lines(), &sentence.tokens, space, Some(charge));
    }

    /// What the gold tree scores less with its gold relations than with the best ones, which are charged for; and the squared length
    /// of the difference to those of the predicted tree.
    fn compare(&mut self, space: &ArcSpace, gold: &Tree, predicted: &Tree) -> (i128, i128) {
        self.trees[0].find(space, gold.heads());
        self.trees[1].find(space, predicted.heads());
        let mut less = 0;
        self.difference.clear();
        let pairs = self.trees[0].arcs().iter().zip(self.trees[1].arcs()).zip(&self.gold);
        for ((&own, &other), &relation) in pairs {
            let best = self.arcs.best(own);
            if best != relation {
                let table = self.learner.table();
                let score = self.arcs.features(own, relation).map(|one| i64::from(table.weight(one))).sum::<i64>();
                less += i128::from(score - self.arcs.scores()[own.ix()]);
            }
            if own != other || self.arcs.best(other) != relation {
                self.difference.extend(self.arcs.features(own, relation).map(|one| (one, 1)));
                self.difference.extend(self.arcs.features(other, self.arcs.best(other)).map(|one| (one, -1)));
            }
        }
        self.difference.sort_unstable();
        self.difference.dedup_by(|next, first| {
            let is_same = next.0 == first.0;
            first.1 += if is_same { next.1 } else { 0 };
            is_same
        });
        self.difference.retain(|(_, count)| *count != 0);
        let square = self.difference.iter().map(|(_, count)| i128::from(*count) * i128::from(*count)).sum();
        (less, square)
    }

    fn update(&mut self, step: i32) -> Result<(), LearnError> {
        for &(feature, count) in &self.difference {
            self.learner.update(feature, count * step)?;
        }
        Ok(())
    }
}

impl Difference {
    fn clear(&mut self) {
        for (_, parts, deltas) in &mut self.kinds {
            parts.clear();
            deltas.clear();
        }
    }

    fn push(&mut self, kind: Kind, part: Part, delta: i32) {
        let at = self.kinds.iter().position(|k| k.0 == kind).unwrap_or_else(|| {
            self.kinds.push((kind, PartList::default(), Vec::new()));
            self.kinds.len() - 1
        });
        self.kinds[at].1.push(part, 0);
        self.kinds[at].2.push(delta);
    }

    /// Walks two sorted lists of parts side by side.
    fn fill(&mut self, gold: &[(Kind, Part)], predicted: &[(Kind, Part)]) {
        self.clear();
        let (mut g, mut p) = (0, 0);
        while g < gold.len() || p < predicted.len() {
            let take_gold = match (gold.get(g), predicted.get(p)) {
                (Some(a), Some(b)) if a == b => {
                    (g, p) = (g + 1, p + 1);
                    continue;
                }
                (Some(a), Some(b)) => a < b,
                (a, _) => a.is_some(),
            };
            let ((kind, part), delta) = if take_gold { (gold[g], 1) } else { (predicted[p], -1) };
            if take_gold {
                g += 1
            } else {
                p += 1
            }
            self.push(kind, part, delta);
        }
    }
}
