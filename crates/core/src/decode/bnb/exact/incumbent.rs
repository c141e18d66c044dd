//! The incumbent: the best tree so far, whose score is a lower bound on that of the best of all (paper, section 3.3). Of the k
//! best trees (section 5.2) it is the worst of the k best so far, which are all kept.
//!
//! Every tree that the dynamic program finds is offered, and so is what it can be improved to by moving words
//! ([`climb`](crate::decode::bnb::exact::incumbent)).
//!
//! Hill climbing: a tree is improved by moving one word at a time to the head where the tree's score gains most.
//!
//! A better incumbent closes nodes, shortens steps and fixes arcs; trying all moves costs far less than a call. Moving
//! word m from head g to head h changes only what arc (g, m) took part in and what arc (h, m) would: with
//!
//! ```text
//! attached(a)     a's score, its pairs with the other modifiers of its head, what it changes between its neighbours
//!                 there, its pair with the arc above it, and whether it becomes the outermost child of that
//! children(a)     scores of pairs of arc a with the children of its modifier, and of its outermost children
//! ```
//!
//! in a tree where m hangs nowhere, the gain is `attached + children` of the new arc less that of the old one. Factors of
//! other shapes are left out of the gain; the caller scores the tree in full.

use super::instance::{ByHead, Instance, score_tree};
use super::pattern_climber::PatternClimber;
use crate::graph::{ArcId, ArcSpace, TreeArcs, Word};
use crate::tree::{Tree, crossing, descends};

/// The best trees found, and what it takes to find better ones.
#[derive(Debug, Default)]
pub struct Incumbent {
    /// One unit of the graph in the fixed point.
    unit: f64,
    /// How many trees are wanted.
    most: usize,
    /// What tree scores must be above: of others constraints are broken.
    floor: f64,
    /// The best trees so far with their scores, best first; of equal ones the first found. A tree is the head of each word.
    best: Vec<(f64, Vec<Word>)>,
    /// Memory of a tree.
    heads: Vec<Word>,
    climber: Climber,
    pattern_climber: PatternClimber,
    /// Memory of a tree that is climbed from.
    climbed: TreeArcs,
    /// Memory of [`score_of`](Self::score_of).
    by_head: ByHead,
}

impl Incumbent {
    /// None yet of `most` trees, which score more than `floor`, in a fixed point of `bits` bits.
    pub fn start(&mut self, bits: u32, most: usize, floor: f64) {
        self.unit = (1u64 << bits) as f64;
        (self.most, self.floor) = (most, floor);
        self.best.clear();
    }

    /// The score that a tree must be above to be one of those wanted.
    #[inline(always)]
    pub fn score(&self) -> f64 {
        if self.best.len() < self.most { self.floor } else { self.best.last().map_or(f64::INFINITY, |worst| worst.0) }
    }

    /// How many trees are wanted.
    pub fn most(&self) -> usize {
        self.most
    }

    /// How many bytes the trees hold, but for one.
    pub fn bytes(&self) -> u64 {
        let of_tree = |(score, heads): &(f64, Vec<Word>)| size_of_val(score) + size_of_val(&**heads);
        self.best.iter().skip(1).map(of_tree).sum::<usize>() as u64
    }

    /// The best trees with their scores, best first.
    pub fn best(&self) -> impl Iterator<Item = (Tree, f64)> {
        self.best.iter().map(|(score, heads)| (Tree::from_decoder(heads.clone()), *score))
    }

    /// Scores are whole units, so a bound may be rounded down (paper, section 4.4).
    pub fn round_down(&self, bound: f64) -> f64 {
        (bound / self.unit).floor() * self.unit
    }

    /// The true score of a tree.
    pub fn score_of(&mut self, instance: &Instance, tree: &TreeArcs) -> f64 {
        score_tree(instance, tree, &mut self.by_head)
    }

    /// Makes `tree` an incumbent if it is better, and is none.
    pub fn offer(&mut self, space: &ArcSpace, tree: &TreeArcs, tree_score: f64) {
        if tree_score <= self.score() {
            return;
        }
        self.heads.clear();
        self.heads.extend(tree.arcs().iter().map(|&a| space.head(a)));
        let equal = self.best.partition_point(|(score, _)| *score > tree_score);
        let behind = self.best.partition_point(|(score, _)| *score >= tree_score);
        if self.best[equal..behind].iter().any(|(_, heads)| *heads == self.heads) {
            return;
        }
        // Of the worst, which makes room, the memory serves the next one.
        let mut memory = if self.best.len() == self.most { self.best.pop().map(|worst| worst.1) } else { None };
        std::mem::swap(memory.get_or_insert_default(), &mut self.heads);
        self.best.insert(behind, (tree_score, memory.unwrap_or_default()));
    }

    /// Offers the tree that is climbed to from `tree`, if there is a way up.
    pub fn climb_from(&mut self, instance: &Instance, tree: &TreeArcs) {
        let mut climbed = std::mem::take(&mut self.climbed);
        climbed.clone_from(tree);
        let (moved, sees_all) = if instance.backbone.is_projective() {
            let moved = self.climber.climb(instance, &mut climbed);
            (moved, instance.other.is_empty() && instance.counted.len() == 0)
        } else {
            (self.pattern_climber.climb(instance, &mut climbed), instance.charges.is_empty())
        };
        if moved {
            let better = self.score_of(instance, &climbed);
            debug_assert!(!sees_all || better > self.score_of(instance, tree), "climbing went down");
            self.offer(&instance.space, &climbed, better);
        }
        self.climbed = climbed;
    }
}

/// Memory for climbing, reused.
#[derive(Clone, Debug, Default)]
pub struct Climber {
    into: Vec<ArcId>,
    /// By head: the arcs to its modifiers, ascending.
    of: Vec<Vec<ArcId>>,
    /// By word: whether moving it may gain what it did not when last tried.
    open: Vec<bool>,
}

impl Climber {
    /// Moves words of `tree` while that gains; true if any was moved.
    pub fn climb(&mut self, instance: &Instance, tree: &mut TreeArcs) -> bool {
        let space = &instance.space;
        self.start(space, tree);
        let mut moved = false;
        loop {
            let mut again = false;
            for m in (1..=space.words()).map(Word::new) {
                if !self.open[m.ix()] {
                    continue;
                }
                if let Some(a) = self.best_move(instance, m) {
                    self.make(space, m, a);
                    again = true;
                }
            }
            if !again {
                break;
            }
            moved = true;
        }
        if moved {
            tree.set(space, &self.into);
        }
        moved
    }

    fn start(&mut self, space: &ArcSpace, tree: &TreeArcs) {
        self.into.clear();
        self.into.extend_from_slice(tree.arcs());
        self.of.resize_with(self.of.len().max(space.words() + 1), Vec::new);
        self.of.iter_mut().for_each(Vec::clear);
        for &a in &self.into {
            self.of[space.head(a).ix()].push(a);
        }
        self.open.clear();
        self.open.resize(space.words() + 1, true);
    }

    /// The arc into `m` that gains most, if one gains. If none does, and none would if it made a tree, the word need not be
    /// tried again before what it takes part in has changed.
    fn best_move(&mut self, instance: &Instance, m: Word) -> Option<ArcId> {
        let space = &instance.space;
        self.open[m.ix()] = false;
        let old = self.into[m.ix() - 1];
        let candidates = space.arcs_into(m);
        let g = space.head(old);
        // The root's only modifier stays.
        if candidates.len() < 2 || (g.is_root() && space.single_root()) {
            return None;
        }
        let lost = self.worth(instance, m, old);
        let mut best = (0.0, None);
        for &a in candidates {
            let h = space.head(a);
            if a == old || (h.is_root() && space.single_root()) {
                continue;
            }
            let gained = self.worth(instance, m, a) - lost;
            if gained > best.0 {
                if self.is_tree(space, m, h) {
                    best = (gained, Some(a));
                } else {
                    self.open[m.ix()] = true;
                }
            }
        }
        best.1
    }

    /// What `a`, an arc into `m`, adds to the tree without the arc that `m` has now.
    fn worth(&self, instance: &Instance, m: Word, a: ArcId) -> f64 {
        let h = instance.space.head(a);
        let above = (!h.is_root()).then(|| self.into[h.ix() - 1]);
        let own = self.into[m.ix() - 1];
        attached(instance, above, &self.of[h.ix()], own, a) + children(instance, a, &self.of[m.ix()])
    }

    /// Whether the words still form a projective tree if `m` hangs on `h`.
    fn is_tree(&self, space: &ArcSpace, m: Word, h: Word) -> bool {
        if descends(h, m, |word| space.head(self.into[word.ix() - 1])) {
            return false;
        }
        let span = |a: Word, b: Word| (a.ix().min(b.ix()), a.ix().max(b.ix()));
        let new = span(h, m);
        self.into.iter().all(|&a| space.modifier(a) == m || !crossing(span(space.head(a), space.modifier(a)), new))
    }

    fn make(&mut self, space: &ArcSpace, m: Word, a: ArcId) {
        let old = std::mem::replace(&mut self.into[m.ix() - 1], a);
        self.of[space.head(old).ix()].retain(|&b| b != old);
        let now = &mut self.of[space.head(a).ix()];
        let place = now.partition_point(|&b| b < a);
        now.insert(place, a);
        self.reopen(space, m, [space.head(old), space.head(a)]);
    }

    /// Opens the words that a move of `m` between `heads` changes something for: those with a candidate head that has other
    /// modifiers or another head now, and the three themselves.
    fn reopen(&mut self, space: &ArcSpace, m: Word, heads: [Word; 2]) {
        for h in [m, heads[0], heads[1]] {
            self.open[h.ix()] = true;
            space.arcs_of(h).for_each(|a| self.open[space.modifier(ArcId::new(a)).ix()] = true);
        }
    }
}

/// What `a` adds as one more modifier of its head, which has `arcs` (ascending), `left_out` not counted; `above` is the
/// arc into that head. Minus infinity if `a` would cross it.
fn attached(instance: &Instance, above: Option<ArcId>, arcs: &[ArcId], left_out: ArcId, a: ArcId) -> f64 {
    let space = &instance.space;
    let h = space.head(a);
    let leftward = space.modifier(a) < h;
    let mut total = instance.local.arc[a.ix()];
    // The neighbours of a on its side: towards the head, and away from it.
    let (mut inner, mut outer) = (None, None);
    for &b in arcs.iter().filter(|&&b| b != left_out) {
        if (space.modifier(b) < h) != leftward {
            total += instance.cross[if leftward { instance.cross_place(a, b) } else { instance.cross_place(b, a) }];
        } else if (b < a) != leftward {
            total += instance.chain[space.sibling_part(a, b)];
            // On the right side arcs come outward, on the left side inward: the last, or the first, is the nearest.
            if inner.is_none() || !leftward {
                inner = Some(b);
            }
        } else {
            total += instance.chain[space.sibling_part(b, a)];
            if outer.is_none() || leftward {
                outer = Some(b);
            }
        }
    }
    // What a becoming one of the adjacent modifiers changes in a score of pairs of those.
    let between = |after: &dyn Fn(ArcId, Option<ArcId>) -> f64| {
        after(a, inner) + outer.map_or(0.0, |outer| after(outer, Some(a)) - after(outer, inner))
    };
    total += between(&|b, inner| instance.local.sibling[adjacent(space, b, inner)]);
    let Some(above) = above else { return total };
    if !space.children(above).contains(&a.ix()) {
        return f64::NEG_INFINITY;
    }
    total += instance.grand.any[space.grandchild_part(above, a)];
    if !instance.grand.siblings.is_empty() {
        total += between(&|b, inner| grand_sibling(instance, above, b, inner));
    }
    if outer.is_none() {
        let outermost = |b: ArcId| instance.local.grandchild[space.grandchild_part(above, b)];
        total += outermost(a) - inner.map_or(0.0, outermost);
    }
    total
}

/// The score of arc `a` with the arcs of its modifier; minus infinity if they cross `a`.
fn children(instance: &Instance, a: ArcId, arcs: &[ArcId]) -> f64 {
    let space = &instance.space;
    let range = space.children(a);
    if !arcs.iter().all(|b| range.contains(&b.ix())) {
        return f64::NEG_INFINITY;
    }
    let mut total: f64 = arcs.iter().map(|&b| instance.grand.any[space.grandchild_part(a, b)]).sum();
    let m = space.modifier(a);
    let outermost = |b: &ArcId| instance.local.grandchild[space.grandchild_part(a, *b)];
    if let Some(left) = arcs.first().filter(|&&b| space.modifier(b) < m) {
        total += outermost(left);
    }
    if let Some(right) = arcs.last().filter(|&&b| space.modifier(b) > m) {
        total += outermost(right);
    }
    if !instance.grand.siblings.is_empty() {
        let split = arcs.partition_point(|&b| space.modifier(b) < m);
        total += grand_siblings(instance, a, arcs[..split].iter().rev());
        total += grand_siblings(instance, a, arcs[split..].iter());
    }
    total
}

/// The scores of arc `a` with adjacent children on one side of its modifier, from the nearest outward.
fn grand_siblings<'a>(instance: &Instance, a: ArcId, outward: impl Iterator<Item = &'a ArcId>) -> f64 {
    let mut total = 0.0;
    let mut inner = None;
    for &b in outward {
        total += grand_sibling(instance, a, b, inner);
        inner = Some(b);
    }
    total
}

/// The score of arc `a` with child `b` and the next child towards its modifier.
fn grand_sibling(instance: &Instance, a: ArcId, b: ArcId, inner: Option<ArcId>) -> f64 {
    let space = &instance.space;
    instance.grand.siblings.get(space.grandchild_part(a, b), adjacent(space, b, inner)).unwrap_or(0.0)
}

/// The sibling part of a modifier with the next one towards the head, or with none.
fn adjacent(space: &ArcSpace, b: ArcId, inner: Option<ArcId>) -> usize {
    inner.map_or_else(|| space.first_modifier_part(b), |inner| space.sibling_part(b, inner))
}
