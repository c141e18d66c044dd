//! Derivations: how the entries of a chart that maximises are made of each other, and what follows from that alone: the best
//! tree, the best tree that has some entry, and the best trees in order.
//!
//! An entry has derivations, each of a score of its own and of at most two other entries. The chart knows what the best
//! derivation of each entry is worth, and after an outside pass what the rest of a tree around it is worth. So choices are
//! made again, not stored: a tree has n arcs, the chart thousands. Of equal choices the first is taken.
//!
//! Trees in order are found lazily (Huang & Chiang 2005, algorithm 3): entries are taken apart only when a tree needs them, and
//! the next best of an entry is found when somebody asks for it. Trees have one derivation each, so no tree comes twice.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::mem::size_of;

use super::semiring::{Best, Value};
use crate::graph::{ArcId, ArcSpace};

/// A way to make an entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Derivation<V, I> {
    /// What it has beside the entries.
    pub score: V,
    /// The arc that it adds to the tree.
    pub arc: Option<ArcId>,
    /// The entries.
    pub of: [Option<I>; 2],
}

impl<V, I: Copy> Derivation<V, I> {
    fn entries(&self) -> impl Iterator<Item = I> + use<V, I> {
        self.of.into_iter().flatten()
    }
}

/// A chart whose entries can be taken apart.
pub(super) trait Derivations {
    /// Its numbers.
    type V: Value;
    /// The name of an entry.
    type Item: Copy + Ord;

    /// What the best derivation of an entry is worth.
    fn best(&self, item: Self::Item) -> Self::V;

    /// Visits all derivations of an entry, with what each is worth with the best of its entries.
    fn each(&self, item: Self::Item, visit: impl FnMut(Self::V, Derivation<Self::V, Self::Item>));
}

/// A chart after an outside pass.
pub(super) trait Outside: Derivations {
    /// What the rest of the best tree around an entry is worth.
    fn outside(&self, item: Self::Item) -> Self::V;

    /// Visits the entries that use `item`, with the derivation that does; none of the whole tree.
    fn users(&self, item: Self::Item, visit: impl FnMut(Self::Item, Derivation<Self::V, Self::Item>));
}

/// Adds the arcs of the best trees of the entries `todo` to `into`, by word.
pub(super) fn add_best_arcs<D: Derivations>(chart: &D, space: &ArcSpace, mut todo: Vec<D::Item>, into: &mut [ArcId]) {
    while let Some(item) = todo.pop() {
        let mut best = Best::none();
        chart.each(item, |value, derivation| best.offer(value, derivation));
        if let Some(derivation) = best.take() {
            derivation.arc.into_iter().for_each(|a| into[space.modifier(a).ix() - 1] = a);
            todo.extend(derivation.entries());
        }
    }
}

/// Adds the arcs of the best tree that has an entry to `into`, by word.
///
/// What an entry is worth outside comes from one entry that uses it. So the way leads from entry to entry up to the whole
/// tree, and what each of them has beside the one before it is taken apart from the top down.
pub(super) fn add_best_arcs_with<D: Outside>(chart: &D, space: &ArcSpace, from: D::Item, into: &mut [ArcId]) {
    let (mut item, mut todo) = (from, vec![from]);
    loop {
        let mut best = Best::none();
        chart.users(item, |user, derivation| {
            let beside = derivation.entries().filter(|of| *of != item);
            let value = beside.fold(chart.outside(user) + derivation.score, |sum, of| sum + chart.best(of));
            best.offer(value, (user, derivation));
        });
        let Some((user, derivation)) = best.take() else { break };
        derivation.arc.into_iter().for_each(|a| into[space.modifier(a).ix() - 1] = a);
        todo.extend(derivation.entries().filter(|of| *of != item));
        item = user;
    }
    add_best_arcs(chart, space, todo, into);
}

/// A derivation by its number, with the ranks of its entries.
type Choice = (usize, [usize; 2]);

/// A tree of an entry. The greatest is the best, of equals the one of the first derivation with the lowest ranks.
#[derive(Clone, Copy, PartialEq)]
struct Candidate<V> {
    value: V,
    choice: Choice,
}

impl<V: Value> Eq for Candidate<V> {}

impl<V: Value> Ord for Candidate<V> {
    fn cmp(&self, other: &Self) -> Ordering {
        // Values are totally ordered; there are no NaNs.
        let by_value = self.value.partial_cmp(&other.value).unwrap_or(Ordering::Equal);
        by_value.then_with(|| other.choice.cmp(&self.choice))
    }
}

impl<V: Value> PartialOrd for Candidate<V> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// What is known of an entry.
struct Known<V: Value, I> {
    derivations: Vec<Derivation<V, I>>,
    /// The best of its trees so far, in order.
    found: Vec<Candidate<V>>,
    /// What may be next.
    candidates: BinaryHeap<Candidate<V>>,
    seen: BTreeSet<Choice>,
    /// Of how many of those found the neighbours are candidates.
    spread: usize,
}

/// The best trees of an entry, taken one after the other.
struct KBest<D: Derivations> {
    chart: D,
    at: BTreeMap<D::Item, usize>,
    known: Vec<Known<D::V, D::Item>>,
    /// Of what is known of all entries, by what arrays hold.
    bytes: usize,
}

impl<D: Derivations> KBest<D> {
    /// The bytes of a candidate, later a tree that was found, and of having seen it.
    const OF_CANDIDATE: usize = size_of::<Candidate<D::V>>() + size_of::<Choice>();

    /// For a chart.
    fn new(chart: D) -> Self {
        Self { chart, at: BTreeMap::new(), known: Vec::new(), bytes: 0 }
    }

    /// The score of the tree of an entry at a rank from 0, and its arcs in no order; none if there are fewer trees.
    fn tree(&mut self, item: D::Item, rank: usize) -> Option<(D::V, Vec<ArcId>)> {
        let score = self.score(item, rank)?;
        let mut arcs = Vec::new();
        let mut todo = vec![(item, rank)];
        while let Some((item, rank)) = todo.pop() {
            // The best of an entry is worth what the chart says, and looked for only now.
            self.score(item, rank)?;
            let at = self.place(item);
            let known = &self.known[at];
            let (derivation, ranks) = known.found[rank].choice;
            let derivation = known.derivations[derivation];
            arcs.extend(derivation.arc);
            todo.extend(derivation.of.into_iter().zip(ranks).filter_map(|(item, rank)| Some((item?, rank))));
        }
        Some((score, arcs))
    }

    fn score(&mut self, item: D::Item, rank: usize) -> Option<D::V> {
        let at = self.place(item);
        while self.known[at].found.len() <= rank {
            self.spread(at);
            let Known { candidates, found, .. } = &mut self.known[at];
            found.push(candidates.pop()?);
        }
        Some(self.known[at].found[rank].value)
    }

    /// Where what is known of an entry stands; at first, each derivation with the best of its entries.
    fn place(&mut self, item: D::Item) -> usize {
        if let Some(&at) = self.at.get(&item) {
            return at;
        }
        let (mut derivations, mut candidates) = (Vec::new(), Vec::new());
        self.chart.each(item, |value, derivation| {
            if value > D::V::NEG_INF {
                candidates.push(Candidate { value, choice: (derivations.len(), [0, 0]) });
            }
            derivations.push(derivation);
        });
        let seen = candidates.iter().map(|candidate| candidate.choice).collect();
        self.bytes +=
            derivations.len() * size_of::<Derivation<D::V, D::Item>>() + candidates.len() * Self::OF_CANDIDATE;
        self.bytes += size_of::<Known<D::V, D::Item>>() + size_of::<(D::Item, usize)>();
        let candidates = BinaryHeap::from(candidates);
        let at = self.known.len();
        self.known.push(Known { derivations, found: Vec::new(), candidates, seen, spread: 0 });
        self.at.insert(item, at);
        at
    }

    /// Makes candidates of the neighbours of the last tree found: those with the next rank of one entry.
    fn spread(&mut self, at: usize) {
        let Known { derivations, found, spread, .. } = &mut self.known[at];
        let Some(&Candidate { choice: (i, ranks), .. }) = found.get(*spread) else { return };
        *spread += 1;
        let derivation = derivations[i];
        for side in 0..2 {
            let mut next = ranks;
            next[side] += 1;
            if derivation.of[side].is_none() || !self.known[at].seen.insert((i, next)) {
                continue;
            }
            let mut value = Some(derivation.score);
            for (item, rank) in derivation.of.into_iter().zip(next) {
                if let Some(item) = item {
                    value = value.and_then(|value| Some(value + self.score(item, rank)?));
                }
            }
            self.bytes += Self::OF_CANDIDATE;
            self.known[at].candidates.extend(value.map(|value| Candidate { value, choice: (i, next) }));
        }
    }
}

/// Visits the trees of an entry, best first, while `visit` is true: the arcs by word, the score, and the bytes of what is known.
pub(super) fn each_tree<D: Derivations>(
    space: &ArcSpace,
    chart: D,
    tree: D::Item,
    mut visit: impl FnMut(&[ArcId], D::V, usize) -> bool,
) {
    let mut trees = KBest::new(chart);
    let mut into = vec![ArcId(0); space.words()];
    for rank in 0.. {
        let Some((score, arcs)) = trees.tree(tree, rank) else { break };
        arcs.into_iter().for_each(|a| into[space.modifier(a).ix() - 1] = a);
        if !visit(&into, score, trees.bytes) {
            break;
        }
    }
}
