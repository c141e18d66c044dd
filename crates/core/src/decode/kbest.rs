//! The best trees in order: lazily, from a chart that maximises (Huang & Chiang 2005, algorithm 3).
//!
//! A chart's entry has ways to be made, each of a score of its own and of at most two other entries. The chart knows what
//! the best way of each entry is worth, so entries are taken apart only when a tree needs them, and the next best of an
//! entry is found when somebody asks for it. Trees have one derivation each, so no tree comes twice.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::mem::size_of;

use super::value::Value;
use crate::graph::ArcId;

/// A way to make an entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way<V, I> {
    /// What it has beside the entries.
    pub score: V,
    /// The arc that it adds to the tree.
    pub arc: Option<ArcId>,
    /// The entries.
    pub of: [Option<I>; 2],
}

/// A chart whose entries can be taken apart.
pub(super) trait Derivations {
    /// Its numbers.
    type V: Value;
    /// The name of an entry.
    type Item: Copy + Ord;

    /// What the best way of an entry is worth.
    fn best(&self, item: Self::Item) -> Self::V;

    /// Adds all ways of an entry to `ways`.
    fn ways(&self, item: Self::Item, ways: &mut Vec<Way<Self::V, Self::Item>>);
}

/// A way with the ranks of its entries.
type Choice = (usize, [usize; 2]);

/// A tree of an entry. The greatest is the best, of equals the one of the first way with the lowest ranks.
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
    ways: Vec<Way<V, I>>,
    /// The best of its trees so far, in order.
    found: Vec<Candidate<V>>,
    /// What may be next.
    candidates: BinaryHeap<Candidate<V>>,
    seen: BTreeSet<Choice>,
    /// Of how many of those found the neighbours are candidates.
    spread: usize,
}

/// The best trees of an entry, taken one after the other.
pub(super) struct KBest<D: Derivations> {
    chart: D,
    at: BTreeMap<D::Item, usize>,
    known: Vec<Known<D::V, D::Item>>,
    bytes: usize,
}

impl<D: Derivations> KBest<D> {
    /// The bytes of a candidate, later a tree that was found, and of having seen it.
    const OF_CANDIDATE: usize = size_of::<Candidate<D::V>>() + size_of::<Choice>();

    /// For a chart.
    pub fn new(chart: D) -> Self {
        Self { chart, at: BTreeMap::new(), known: Vec::new(), bytes: 0 }
    }

    /// The bytes of what is known of all entries, by what arrays hold.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The score of the tree of an entry at a rank from 0, and its arcs in no order; none if there are fewer trees.
    pub fn tree(&mut self, item: D::Item, rank: usize) -> Option<(D::V, Vec<ArcId>)> {
        let score = self.score(item, rank)?;
        let mut arcs = Vec::new();
        let mut todo = vec![(item, rank)];
        while let Some((item, rank)) = todo.pop() {
            // The best of an entry is worth what the chart says, and looked for only now.
            self.score(item, rank)?;
            let at = self.place(item);
            let known = &self.known[at];
            let (way, ranks) = known.found[rank].choice;
            let way = known.ways[way];
            arcs.extend(way.arc);
            todo.extend(way.of.into_iter().zip(ranks).filter_map(|(item, rank)| Some((item?, rank))));
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

    /// Where what is known of an entry stands; at first, each way with the best of its entries.
    fn place(&mut self, item: D::Item) -> usize {
        if let Some(&at) = self.at.get(&item) {
            return at;
        }
        let mut ways = Vec::new();
        self.chart.ways(item, &mut ways);
        let mut candidates = Vec::new();
        for (i, way) in ways.iter().enumerate() {
            let value = way.of.into_iter().flatten().fold(way.score, |sum, item| sum + self.chart.best(item));
            if value > D::V::NEG_INF {
                candidates.push(Candidate { value, choice: (i, [0, 0]) });
            }
        }
        let seen = candidates.iter().map(|candidate| candidate.choice).collect();
        self.bytes += ways.len() * size_of::<Way<D::V, D::Item>>() + candidates.len() * Self::OF_CANDIDATE;
        self.bytes += size_of::<Known<D::V, D::Item>>() + size_of::<(D::Item, usize)>();
        let candidates = BinaryHeap::from(candidates);
        let at = self.known.len();
        self.known.push(Known { ways, found: Vec::new(), candidates, seen, spread: 0 });
        self.at.insert(item, at);
        at
    }

    /// Makes candidates of the neighbours of the last tree found: those with the next rank of one entry.
    fn spread(&mut self, at: usize) {
        let Known { ways, found, spread, .. } = &mut self.known[at];
        let Some(&Candidate { choice: (i, ranks), .. }) = found.get(*spread) else { return };
        *spread += 1;
        let way = ways[i];
        for side in 0..2 {
            let mut next = ranks;
            next[side] += 1;
            if way.of[side].is_none() || !self.known[at].seen.insert((i, next)) {
                continue;
            }
            let mut value = Some(way.score);
            for (item, rank) in way.of.into_iter().zip(next) {
                if let Some(item) = item {
                    value = value.and_then(|value| Some(value + self.score(item, rank)?));
                }
            }
            self.bytes += Self::OF_CANDIDATE;
            self.known[at].candidates.extend(value.map(|value| Candidate { value, choice: (i, next) }));
        }
    }
}
