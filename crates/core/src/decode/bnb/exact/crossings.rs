//! Arcs that are not projective, as factors of graphs about trees that may cross.
//!
//! Whether an arc a = (h, m) is projective depends on which words descend from h, so on any number of arcs. But what a
//! tree shows of it is shown by few: its *evidence*, arcs with which every tree does the same to a.
//!
//! ```text
//! a is not projective     a, an arc (g, k) from a word g beyond the ends of a to a word k between them, and ways up from g and
//!                         from h to a word above both, none of which passes h: g does not descend from h, nor does k
//! a is projective         a, the arcs into all words between its ends, and from each of their heads beyond the ends the way up
//!                         to h
//! ```
//!
//! **s < 0** is a charge of -s on each tree where a is not projective. **s > 0** is bounded by a pattern, as if an arc into the
//! inside made a not projective ([`patterns`](super::patterns)), less a charge of s where a is projective though there is such
//! an arc. A charge is lifted onto arcs as that of a conjunction is, with E(i) = 1 - (arcs of evidence i that are missing):
//!
//! ```text
//! - sum over evidence i for a of v(i) E(i),      v(i) >= 0, sum of v(i) <= charge
//! ```
//!
//! which is no less than what a tree is charged: E is above 0 only where the charge is due. Evidence is gathered from trees as
//! they come, since there is far more of it than matters.

use std::ops::Range;

use super::instance::Kept;
use crate::graph::{ArcId, ArcSpace, TreeArcs, Word};

/// What trees are charged for.
#[derive(Clone, Debug, Default)]
pub struct Charges {
    /// By arc: the score s of the arc where it is not projective; empty if no arc has any.
    scores: Vec<f64>,
}

impl Charges {
    /// Removes all, keeping the memory.
    pub fn clear(&mut self) {
        self.scores.clear();
    }

    /// Sets the scores, by arc.
    pub fn fill(&mut self, scores: impl Iterator<Item = f64>) {
        self.scores.clear();
        self.scores.extend(scores);
    }

    /// Sets those of the arcs that are kept.
    pub fn restrict(&self, kept: &Kept, new: &mut Self) {
        if !self.scores.is_empty() {
            new.fill(kept.old().iter().map(|a| self.scores[a.ix()]));
        }
    }

    /// True if there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    /// How many bytes its arrays hold.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.scores)
    }

    /// What a tree is charged for an arc if it is.
    #[inline(always)]
    fn size(&self, a: ArcId) -> f64 {
        self.scores[a.ix()].abs()
    }

    /// Visits the arcs of a tree that it is charged for.
    pub fn each_due(&self, space: &ArcSpace, tree: &TreeArcs, mut visit: impl FnMut(ArcId)) {
        if self.is_empty() {
            return;
        }
        for &a in tree.arcs() {
            let score = self.scores[a.ix()];
            if score != 0.0 && has_arc_inside(space, tree, a) && tree.is_projective(space, a) == (score > 0.0) {
                visit(a);
            }
        }
    }

    /// The sum of what a tree is charged.
    pub fn charged(&self, space: &ArcSpace, tree: &TreeArcs) -> f64 {
        let mut sum = 0.0;
        self.each_due(space, tree, |a| sum += self.size(a));
        sum
    }

    /// The arcs that show that a tree is charged for `a`, into `arcs`, ascending.
    fn evidence(&self, space: &ArcSpace, tree: &TreeArcs, a: ArcId, arcs: &mut Vec<ArcId>) {
        let (h, m) = (space.head(a), space.modifier(a));
        let (first, last) = (h.min(m), h.max(m));
        let is_beyond = |&&b: &&ArcId| !(first..=last).contains(&space.head(b));
        let inside = &tree.arcs()[first.ix()..last.ix() - 1];
        arcs.clear();
        arcs.push(a);
        if self.scores[a.ix()] > 0.0 {
            arcs.extend_from_slice(inside);
            inside.iter().filter(is_beyond).for_each(|&b| way_up(space, tree, space.head(b), h, arcs));
        } else {
            let is_shown = |b: &&&ArcId| !tree.descends(space, space.head(***b), h);
            if let Some(&b) = inside.iter().filter(is_beyond).find(|b| is_shown(&b)) {
                let g = space.head(b);
                let mut top = g;
                while !top.is_root() && !tree.descends(space, h, top) {
                    top = space.head(tree.arcs()[top.ix() - 1]);
                }
                arcs.push(b);
                way_up(space, tree, g, top, arcs);
                // The root is above all.
                if !top.is_root() {
                    way_up(space, tree, h, top, arcs);
                }
            }
        }
        arcs.sort_unstable();
        arcs.dedup();
    }
}

/// Whether a tree has an arc from beyond the ends of `a` to a word between them.
fn has_arc_inside(space: &ArcSpace, tree: &TreeArcs, a: ArcId) -> bool {
    let (h, m) = (space.head(a), space.modifier(a));
    let (first, last) = (h.min(m), h.max(m));
    tree.arcs()[first.ix()..last.ix() - 1].iter().any(|&b| !(first..=last).contains(&space.head(b)))
}

/// Adds the arcs on the way up from a word to one above it.
fn way_up(space: &ArcSpace, tree: &TreeArcs, mut from: Word, to: Word, arcs: &mut Vec<ArcId>) {
    while from != to && !from.is_root() {
        let b = tree.arcs()[from.ix() - 1];
        arcs.push(b);
        from = space.head(b);
    }
}

/// Evidence with its multipliers.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// `len + 1` entries, or none.
    start: Vec<u32>,
    arcs: Vec<ArcId>,
    /// By evidence: the arc that it is about.
    about: Vec<ArcId>,
    v: Vec<f64>,
    /// Memory of new evidence.
    new: Vec<ArcId>,
}

impl Evidence {
    /// Leaves none.
    pub fn clear(&mut self) {
        self.start.clear();
        self.arcs.clear();
        self.about.clear();
        self.v.clear();
    }

    /// How many bytes its arrays hold.
    pub fn bytes(&self) -> usize {
        let Self { start, arcs, about, v, .. } = self;
        size_of_val(&**start) + size_of_val(&**arcs) + size_of_val(&**about) + size_of_val(&**v)
    }

    fn push(&mut self, about: ArcId, arcs: impl IntoIterator<Item = ArcId>, v: f64) {
        if self.start.is_empty() {
            self.start.push(0);
        }
        self.arcs.extend(arcs);
        self.start.push(self.arcs.len() as u32);
        self.about.push(about);
        self.v.push(v);
    }

    #[inline(always)]
    fn span(&self, i: usize) -> Range<usize> {
        self.start[i] as usize..self.start[i + 1] as usize
    }

    /// The evidence that matters, of arcs that are kept.
    pub fn restrict(&self, kept: &Kept, to: &mut Self) {
        to.clear();
        for i in (0..self.v.len()).filter(|&i| self.v[i] > 0.0) {
            let arcs = &self.arcs[self.span(i)];
            if let Some(about) = kept.new_of(self.about[i]).filter(|_| arcs.iter().all(|&a| kept.new_of(a).is_some())) {
                to.push(about, arcs.iter().filter_map(|&a| kept.new_of(a)), self.v[i]);
            }
        }
    }

    /// Adds the bounds to the scores of arcs; with what falls to no arc.
    pub fn add(&self, scores: &mut [f64]) -> f64 {
        let mut constant = 0.0;
        for (i, &v) in self.v.iter().enumerate().filter(|(_, v)| **v > 0.0) {
            let span = self.span(i);
            constant += v * (span.len() as f64 - 1.0);
            self.arcs[span].iter().for_each(|a| scores[a.ix()] -= v);
        }
        constant
    }

    /// E of a piece of evidence at a tree.
    #[inline(always)]
    fn excess(&self, i: usize, tree: &TreeArcs) -> f64 {
        1.0 - self.arcs[self.span(i)].iter().filter(|&&a| !tree.has(a)).count() as f64
    }

    /// Visits the arcs whose charge is loose at a tree, with how loose it is; `due` are those that the tree is charged for, ascending
    /// by word.
    pub fn each_loose(
        &self,
        charges: &Charges,
        due: &[ArcId],
        tree: &TreeArcs,
        sums: &mut Vec<(ArcId, f64)>,
        mut visit: impl FnMut(ArcId, f64),
    ) {
        sums.clear();
        sums.extend(due.iter().map(|&a| (a, charges.size(a))));
        for (i, &v) in self.v.iter().enumerate().filter(|(_, v)| **v > 0.0) {
            let loose = -v * self.excess(i, tree);
            if loose != 0.0 {
                let about = self.about[i];
                match sums.iter_mut().find(|(a, _)| *a == about) {
                    Some((_, sum)) => *sum += loose,
                    None => sums.push((about, loose)),
                }
            }
        }
        sums.iter().filter(|(_, sum)| *sum > 0.0).for_each(|&(a, sum)| visit(a, sum));
    }

    /// Makes the charge for `a` less loose at a tree, by about so many units.
    pub fn shift(&mut self, charges: &Charges, space: &ArcSpace, tree: &TreeArcs, a: ArcId, is_due: bool, units: f64) {
        let mut left = units;
        // What is charged against the tree though it has too little of the evidence.
        for i in (0..self.v.len()).filter(|&i| self.about[i] == a) {
            let excess = self.excess(i, tree);
            if excess < 0.0 && left > 0.0 {
                let taken = (left / -excess).ceil().min(self.v[i]);
                self.v[i] -= taken;
                left += taken * excess;
            }
        }
        if !is_due || left <= 0.0 {
            return;
        }
        let known = (0..self.v.len()).find(|&i| self.about[i] == a && self.excess(i, tree) > 0.0);
        let own = known.unwrap_or_else(|| {
            let mut arcs = std::mem::take(&mut self.new);
            charges.evidence(space, tree, a, &mut arcs);
            self.push(a, arcs.iter().copied(), 0.0);
            self.new = arcs;
            self.v.len() - 1
        });
        // Of the charge, what others have of which the tree has not all must make room.
        let of_a = |v: &[f64], about: &[ArcId]| -> f64 { (0..v.len()).filter(|&i| about[i] == a).map(|i| v[i]).sum() };
        let mut room = charges.size(a) - of_a(&self.v, &self.about);
        for i in (0..self.v.len()).filter(|&i| i != own && self.about[i] == a) {
            if room < left && self.excess(i, tree) <= 0.0 {
                let taken = (left - room).min(self.v[i]);
                self.v[i] -= taken;
                room += taken;
            }
        }
        self.v[own] += left.min(room);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::brute::for_each_tree;
    use crate::graph::{FactorGraph, Trees};

    /// In all trees of five words that have what shows a charge in one, the charge is due.
    #[test]
    fn evidence_holds_in_every_tree_that_has_it() {
        let words = 5;
        let all = |h| (1..=words).filter(move |&m| m != h).map(move |m| (Word::new(h), Word::new(m)));
        let pairs: Vec<_> = (0..=words).flat_map(all).collect();
        let space = ArcSpace::new(words, false, &pairs).expect("a space");
        let graph = FactorGraph { space, trees: Trees::NonProjective, ..Default::default() };
        let space = &graph.space;
        let mut trees = Vec::new();
        for_each_tree(&graph, |heads| {
            let mut tree = TreeArcs::default();
            tree.find(space, heads);
            trees.push(tree);
        });
        for score in [-3.0, 3.0] {
            let mut charges = Charges::default();
            charges.fill((0..space.arcs()).map(|_| score));
            let (mut arcs, mut seen) = (Vec::new(), 0);
            for tree in &trees {
                charges.each_due(space, tree, |a| {
                    charges.evidence(space, tree, a, &mut arcs);
                    assert!(tree.has_all(&arcs));
                    for other in trees.iter().filter(|other| other.has_all(&arcs)) {
                        assert_eq!(other.is_projective(space, a), score > 0.0);
                        assert!(has_arc_inside(space, other, a));
                    }
                    seen += 1;
                });
            }
            assert!(seen > 0);
        }
    }
}
