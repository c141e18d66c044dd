//! The trees in order, best first (Camerini, Fratta & Maffioli 1980; Hall 2007).
//!
//! All trees that have some arcs (`with`) and have not others (`without`) are a set, of which the best is known. Of the rest,
//! the best is found without listing them: it lacks one arc e of the best tree, and
//!
//! ```text
//! next of a set with best tree A     the arc e of A for which (e's score - f's score) is least, in the nodes of A's own
//!                                    contraction; f is another arc into e's node, from no word below that node in A
//! ```
//!
//! The set is then split in two, by whether a tree has e: A is the best of the one, and the next tree of the other. A
//! list of k trees takes 3k contractions.

use std::collections::BinaryHeap;

use super::{Arborescence, Whole};
use crate::graph::{ArcId, ArcSpace, Word};

/// A set of trees with the best one, which was visited, and what is known of the next.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Set<W> {
    /// The score of the next tree.
    next: W,
    /// Counts down: of equal sets the first made comes first.
    order: u64,
    /// The arc that the next tree lacks.
    lacks: ArcId,
    best: Vec<ArcId>,
    score: W,
    /// By arc.
    allowed: Vec<bool>,
}

impl<W: Whole> Ord for Set<W> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.next, self.order).cmp(&(other.next, other.order))
    }
}

impl<W: Whole> PartialOrd for Set<W> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<W: Whole> Arborescence<W> {
    /// Visits the trees over the arcs of `space`, best first, while `visit` is true: the arc into word `i + 1` at place
    /// `i`, the score, and about how many bytes the list holds. Must follow [`best`](Self::best), with the same space, that has
    /// found a tree; with the number of contractions that it took.
    pub fn each_tree(&mut self, space: &ArcSpace, mut visit: impl FnMut(&[ArcId], W, usize) -> bool) -> u64 {
        if space.single_root() && self.price == W::default() {
            self.set_price(space);
        }
        let (mut score, mut contractions) = (self.score, 0);
        let mut tree = self.tree.clone();
        let mut sets = BinaryHeap::new();
        let mut order = u64::MAX;
        let mut allowed = vec![true; space.arcs()];
        loop {
            if !visit(&tree, score, sets.len() * (allowed.len() + size_of_val(&*tree))) {
                return contractions;
            }
            contractions += 3;
            self.add(space, Set { next: score, order, lacks: ArcId(0), best: tree, score, allowed }, &mut sets);
            order -= 2;
            let Some(set) = sets.pop() else { return contractions };
            allowed = set.allowed.clone();
            allowed[set.lacks.ix()] = false;
            let Some(next) = self.solve(space, |a| allowed[a.ix()]) else { return contractions };
            debug_assert_eq!(next, set.next, "the next tree is another");
            (score, tree) = (next, self.tree.clone());
            let Set { lacks, best, score, allowed: mut with, .. } = set;
            for &rival in space.arcs_into(space.modifier(lacks)).iter().filter(|&&rival| rival != lacks) {
                with[rival.ix()] = false;
            }
            let rest = Set { next: score, order: order + 1, lacks, best, score, allowed: with };
            self.add(space, rest, &mut sets);
        }
    }

    /// Adds a set, if it has a tree beside its best one.
    fn add(&mut self, space: &ArcSpace, mut set: Set<W>, sets: &mut BinaryHeap<Set<W>>) {
        let mut has = vec![false; space.arcs()];
        set.best.iter().for_each(|a| has[a.ix()] = true);
        let below = Below::of(space, &set.best);
        let mut least: Option<(W, ArcId)> = None;
        let is_one_set = self.contract::<false>(
            space,
            |a| set.allowed[a.ix()],
            |_, entries, best| {
                // Of equal arcs that of the tree, so that the contraction is its own.
                let own = |e: &super::Entry<W>| e.score == entries[*best].score && has[e.arc.ix()];
                let Some(place) = entries.iter().position(own) else { return };
                *best = place;
                let own = entries[place];
                let top = space.modifier(own.arc);
                let others = entries.iter().filter(|e| e.arc != own.arc && !below.is_below(e.head, top));
                if let Some(other) = others.map(|e| e.score).max() {
                    let loss = own.score - other;
                    if least.is_none_or(|(least, _)| loss < least) {
                        least = Some((loss, own.arc));
                    }
                }
            },
        );
        debug_assert!(is_one_set, "a set has its best tree");
        if let Some((loss, lacks)) = least {
            (set.next, set.lacks) = (set.score - loss, lacks);
            sets.push(set);
        }
    }
}

/// Which words are below which in a tree.
struct Below {
    /// By word: when a walk down the tree comes to it, and when it leaves.
    spans: Vec<(u32, u32)>,
}

impl Below {
    fn of(space: &ArcSpace, tree: &[ArcId]) -> Self {
        let words = tree.len() + 1;
        let mut spans = vec![(0, 0); words];
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); words];
        for &a in tree {
            children[space.head(a).ix()].push(space.modifier(a).ix());
        }
        let (mut stack, mut time) = (vec![(0, false)], 0);
        while let Some((at, is_left)) = stack.pop() {
            if is_left {
                spans[at].1 = time;
                continue;
            }
            spans[at].0 = time;
            time += 1;
            stack.push((at, true));
            stack.extend(children[at].iter().map(|&child| (child, false)));
        }
        Self { spans }
    }

    /// Whether `word` is `top` or below it.
    fn is_below(&self, word: Word, top: Word) -> bool {
        let (from, to) = self.spans[top.ix()];
        (from..to).contains(&self.spans[word.ix()].0)
    }
}
