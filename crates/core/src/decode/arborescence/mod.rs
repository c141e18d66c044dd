//! Maximum spanning arborescences: the best tree where arcs alone have scores and may cross (McDonald et al. 2005).
//!
//! The algorithm of Chu & Liu (1965) and Edmonds (1967), grown along paths (Gabow et al. 1986): from a word go to its best
//! head, on to that one's, until the root is reached, or a word that reaches it, or a word of the path. What lies between is a
//! cycle, and becomes one node:
//!
//! ```text
//! y(v)         the score of the best arc into node v from outside it
//! score'(a)    score(a) - y(v), for an arc a from outside a cycle into its node v
//! best tree    sum of y over all nodes that there ever were
//! ```
//!
//! A node lists the arcs into it; that of a cycle keeps from each other node the best alone, so no list is longer than the
//! sentence, and each merge costs as much as the lists that vanish: O(arcs + n^2) in all. Of equal arcs the first stays.
//!
//! **One word on the root**: if the best tree has several, an arc from the root costs so much that any tree with fewer of
//! them is better.
//!
//! **What an arc costs**: y is a solution of the dual linear program. A tree with arc a = (h, m) has a score of at most
//! `best - loss(a)`,
//!
//! ```text
//! loss(a) = sum of y(v) over nodes v that hold m and not h  -  score(a)
//! ```
//!
//! * [`ranking`]: the trees in order, best first;
//! * [`matrix_tree`]: sums over all trees.

pub mod matrix_tree;
pub mod ranking;

use std::fmt::Debug;
use std::ops::{Add, Sub};

use crate::graph::{ArcId, ArcSpace, Word};

/// Whole numbers in which arcs are added and compared.
pub trait Whole:
    Copy + Ord + Default + Debug + Add<Output = Self> + Sub<Output = Self> + Send + Sync + 'static
{
    /// The number 1.
    const ONE: Self;
}

impl Whole for i64 {
    const ONE: Self = 1;
}

impl Whole for i128 {
    const ONE: Self = 1;
}

/// An arc into a node of the contraction.
#[derive(Clone, Copy, Debug)]
struct Entry<W> {
    score: W,
    arc: ArcId,
    head: Word,
}

/// A word, or a cycle that was made one.
#[derive(Clone, Copy, Debug)]
struct Node<W> {
    /// Where its arcs begin and end among all entries.
    entries: (u32, u32),
    /// The node of the cycle that it went into; [`NONE`] for none.
    parent: u32,
    /// The best arc into it, at last that of the tree.
    chosen: ArcId,
    y: W,
    /// Its first and last word, in the list that `next_word` links.
    words: (u32, u32),
}

const NONE: u32 = u32::MAX;

/// Where a node is on the way to the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Unseen,
    OnPath,
    /// It reaches the root.
    Done,
}

/// The algorithm, with its memory.
#[derive(Clone, Debug, Default)]
pub struct Arborescence<W> {
    /// By arc: its score, that of an arc from the root less the price of one.
    scores: Vec<W>,
    price: W,
    nodes: Vec<Node<W>>,
    states: Vec<State>,
    entries: Vec<Entry<W>>,
    /// By word: the node that it is part of.
    node_of: Vec<u32>,
    /// By word: the next one of its node.
    next_word: Vec<u32>,
    path: Vec<u32>,
    /// By node: the entry of the list being made that comes from it, if it is beyond the list's begin.
    slot: Vec<u32>,
    tree: Vec<ArcId>,
    score: W,
    /// By node: sum of y of it and of all that hold it.
    above: Vec<W>,
}

impl<W: Whole> Arborescence<W> {
    /// Finds the best tree over the arcs of `space`, scored by arc; with its score. None if there is no tree.
    ///
    /// Sums of scores times the number of words must fit.
    pub fn best(&mut self, space: &ArcSpace, scores: impl Iterator<Item = W>) -> Option<W> {
        self.scores.clear();
        self.scores.extend(scores);
        self.price = W::default();
        if !self.contract::<true>(space, |_| true, |_, _, _| {}) {
            return None;
        }
        self.expand(space);
        // Often enough the best tree of all has one word on the root.
        self.score = if space.single_root() && self.roots(space) > 1 {
            self.set_price(space);
            self.solve(space, |_| true)?
        } else {
            self.total()
        };
        Some(self.score)
    }

    /// The arcs of the tree found last, the arc into word `i + 1` at place `i`.
    pub fn arcs(&self) -> &[ArcId] {
        &self.tree
    }

    /// Visits each arc with what no tree that has it is above; of the best tree's own arcs that is its score. Must follow
    /// [`best`](Self::best) that found a tree, with the same space.
    pub fn scores_with(&mut self, space: &ArcSpace, mut visit: impl FnMut(ArcId, W)) {
        self.above.clear();
        self.above.resize(self.nodes.len(), W::default());
        for v in (1..self.nodes.len()).rev() {
            let Node { parent, y, .. } = self.nodes[v];
            self.above[v] = if parent == NONE { y } else { y + self.above[parent as usize] };
        }
        let mark = &mut self.slot;
        mark.clear();
        mark.resize(self.nodes.len(), NONE);
        for h in 0..=space.words() {
            let mut v = h as u32;
            while v != NONE {
                mark[v as usize] = h as u32;
                v = self.nodes[v as usize].parent;
            }
            for a in space.arcs_of(Word::new(h)).map(ArcId::new) {
                let m = space.modifier(a).0;
                let mut v = m;
                while v != NONE && mark[v as usize] != h as u32 {
                    v = self.nodes[v as usize].parent;
                }
                let shared = if v == NONE { W::default() } else { self.above[v as usize] };
                let loss = self.above[m as usize] - shared - self.scores[a.ix()];
                visit(a, self.score - loss);
            }
        }
    }

    /// Makes each arc from the root cost more than any two trees differ by.
    fn set_price(&mut self, space: &ArcSpace) {
        let mut range = W::ONE;
        for m in 1..=space.words() {
            let of_word = || space.arcs_into(Word::new(m)).iter().map(|a| self.scores[a.ix()]);
            if let (Some(most), Some(least)) = (of_word().max(), of_word().min()) {
                range = range + (most - least);
            }
        }
        self.price = range;
        for a in space.arcs_of(Word::ROOT) {
            self.scores[a] = self.scores[a] - range;
        }
    }

    /// How many words of the tree found last are on the root.
    fn roots(&self, space: &ArcSpace) -> usize {
        self.tree.iter().filter(|&&a| space.head(a).is_root()).count()
    }

    /// The score of the tree found last.
    fn total(&self) -> W {
        let total = self.tree.iter().fold(W::default(), |total, a| total + self.scores[a.ix()]);
        // One arc of it is from the root, if these have a price.
        total + self.price
    }

    /// The best tree over the arcs that are allowed; with its score.
    fn solve(&mut self, space: &ArcSpace, allowed: impl Fn(ArcId) -> bool) -> Option<W> {
        if !self.contract::<true>(space, allowed, |_, _, _| {}) {
            return None;
        }
        self.expand(space);
        (!space.single_root() || self.roots(space) == 1).then(|| self.total())
    }

    /// Contracts cycles until all words reach the root; false if some cannot. `seen` gets each node with its entries
    /// and the place among them of the chosen one. Unless `THIN`, nodes keep all of their arcs.
    fn contract<const THIN: bool>(
        &mut self,
        space: &ArcSpace,
        allowed: impl Fn(ArcId) -> bool,
        mut seen: impl FnMut(u32, &[Entry<W>], &mut usize),
    ) -> bool {
        self.start(space, allowed);
        for m in 1..=space.words() {
            let mut v = self.node_of[m];
            if self.states[v as usize] == State::Done {
                continue;
            }
            self.path.clear();
            loop {
                self.states[v as usize] = State::OnPath;
                self.path.push(v);
                let (from, to) = self.nodes[v as usize].entries;
                let entries = &self.entries[from as usize..to as usize];
                let Some(mut best) = first_best(entries) else { return false };
                seen(v, entries, &mut best);
                let Entry { score, arc, head } = entries[best];
                let node = &mut self.nodes[v as usize];
                (node.chosen, node.y) = (arc, score);
                let up = self.node_of[head.ix()];
                match self.states[up as usize] {
                    State::Unseen => v = up,
                    State::OnPath => v = self.merge::<THIN>(up),
                    State::Done => {
                        self.path.iter().for_each(|&v| self.states[v as usize] = State::Done);
                        break;
                    }
                }
            }
        }
        true
    }

    fn start(&mut self, space: &ArcSpace, allowed: impl Fn(ArcId) -> bool) {
        let words = space.words();
        let Self { nodes, states, entries, node_of, next_word, slot, .. } = self;
        nodes.clear();
        states.clear();
        entries.clear();
        node_of.clear();
        next_word.clear();
        slot.clear();
        for m in 0..=words {
            let from = entries.len() as u32;
            if m > 0 {
                let arcs = space.arcs_into(Word::new(m)).iter().filter(|&&a| allowed(a));
                entries.extend(arcs.map(|&arc| Entry { score: self.scores[arc.ix()], arc, head: space.head(arc) }));
            }
            let (word, y) = (m as u32, W::default());
            let entries = (from, entries.len() as u32);
            nodes.push(Node { entries, parent: NONE, chosen: ArcId(0), y, words: (word, word) });
            states.push(if m == 0 { State::Done } else { State::Unseen });
            node_of.push(word);
            next_word.push(NONE);
            slot.push(0);
        }
    }

    /// Makes one node of the end of the path from `first` on, which is a cycle; takes that off the path.
    fn merge<const THIN: bool>(&mut self, first: u32) -> u32 {
        let new = self.nodes.len() as u32;
        let begin = self.path.iter().rposition(|&v| v == first).unwrap_or(0);
        let mut words = (NONE, NONE);
        for i in begin..self.path.len() {
            let member = &mut self.nodes[self.path[i] as usize];
            member.parent = new;
            let (head, tail) = member.words;
            match words.1 {
                NONE => words.0 = head,
                last => self.next_word[last as usize] = head,
            }
            words.1 = tail;
        }
        let mut at = words.0;
        while at != NONE {
            self.node_of[at as usize] = new;
            at = self.next_word[at as usize];
        }
        let start = self.entries.len() as u32;
        for i in begin..self.path.len() {
            let Node { entries: (from, to), y, .. } = self.nodes[self.path[i] as usize];
            for at in from..to {
                let Entry { score, arc, head } = self.entries[at as usize];
                let source = self.node_of[head.ix()];
                if source == new {
                    continue;
                }
                let entry = Entry { score: score - y, arc, head };
                let slot = &mut self.slot[source as usize];
                // A slot from before this list was begun is none of it.
                if !THIN || *slot < start || self.entries.get(*slot as usize).is_none() {
                    *slot = self.entries.len() as u32;
                    self.entries.push(entry);
                } else if entry.score > self.entries[*slot as usize].score {
                    self.entries[*slot as usize] = entry;
                }
            }
        }
        self.path.truncate(begin);
        let entries = (start, self.entries.len() as u32);
        self.nodes.push(Node { entries, parent: NONE, chosen: ArcId(0), y: W::default(), words });
        self.states.push(State::Unseen);
        self.slot.push(0);
        new
    }

    /// Makes the tree of what was chosen: into each cycle the arc that was chosen for it, instead of that of its member there.
    fn expand(&mut self, space: &ArcSpace) {
        let words = space.words();
        for v in (words + 1..self.nodes.len()).rev() {
            let arc = self.nodes[v].chosen;
            let mut at = space.modifier(arc).ix();
            while self.nodes[at].parent != v as u32 {
                at = self.nodes[at].parent as usize;
            }
            self.nodes[at].chosen = arc;
        }
        self.tree.clear();
        self.tree.extend(self.nodes[1..=words].iter().map(|node| node.chosen));
    }
}

/// The place of the best entry, of equal ones the first.
#[inline(always)]
fn first_best<W: Whole>(entries: &[Entry<W>]) -> Option<usize> {
    let mut best = 0;
    let mut score = entries.first()?.score;
    for (i, entry) in entries.iter().enumerate().skip(1) {
        if entry.score > score {
            (best, score) = (i, entry.score);
        }
    }
    Some(best)
}

#[cfg(test)]
mod tests;
