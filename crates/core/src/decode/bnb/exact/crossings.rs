//! Arcs that are not projective, as factors of graphs about trees that may cross.
//!
//! Whether an arc a = (h, m) is projective depends on which words descend from h, so on any number of arcs. But what a
//! tree shows of it is shown by few: *evidence*.
//!
//! ```text
//! a or b is not projective   a and b, which cross: were both projective, the head of each would descend from that of the other
//! a is not projective        a, an arc (g, k) from a word g beyond the ends of a to a word k between them, and ways up from g
//!                            and from h to a word above both, none of which passes h: g does not descend from h, nor does k
//! a is projective            a, the arcs into all words between its ends, and from each of their heads beyond the ends the way
//!                            up to h
//! ```
//!
//! **s < 0** is a charge of -s on each tree where a is not projective. **s > 0** is bounded by a pattern, as if an arc into the
//! inside made a not projective ([`patterns`](super::patterns)), less a charge of s where a is projective though there is such
//! an arc. Charges are lifted onto arcs as that of a conjunction is, with E(i) = 1 - (words to which a tree has no arc of
//! evidence i):
//!
//! ```text
//! - sum over evidence i of v(i) E(i),      v(i) >= 0,      sum of v(i) over the evidence that draws on a <= charge of a
//! ```
//!
//! which is no less than what a tree is charged: E is above 0 only where a charge is due. Of two arcs that cross, evidence draws
//! on the charges of both, and has as many others beside them as fit: arcs A into one word and B into another, such that each of A
//! crosses each of B. A tree has at most one of A and one of B, so what holds of pairs holds of the sums. Arcs from the root are
//! projective in every tree, and are never drawn on. Evidence is gathered from trees as they come, since there is far more of it
//! than matters.

use super::active::Multiplier;
use super::instance::Kept;
use crate::graph::{ArcId, ArcSpace, FactorGraph, TreeArcs, Trees, Word};
use crate::tree::crossing;

/// Whether the search begins with the projective trees of a graph whose trees may cross: where that costs, the best of them is
/// nearly always the best of all, or close to it, and is found in few calls.
pub fn begins_projective(graph: &FactorGraph) -> bool {
    graph.trees == Trees::NonProjective && graph.non_projective.iter().any(|&score| score < 0)
}

/// What trees are charged for.
#[derive(Clone, Debug, Default)]
pub struct Charges {
    /// By arc: the score s of the arc where it is not projective; empty if no arc has any.
    scores: Vec<f64>,
    /// By arc: whether it is projective in all trees, since it is from the root.
    is_free: Vec<bool>,
}

/// Arcs that are put beside two that cross have at least this part of the smaller of their charges: evidence draws on all its arcs
/// alike, and one small charge would hold it back.
const SHARE: f64 = 0.5;

impl Charges {
    /// Removes all, keeping the memory.
    pub fn clear(&mut self) {
        self.scores.clear();
        self.is_free.clear();
    }

    /// Sets the scores, by arc.
    pub fn fill(&mut self, space: &ArcSpace, scores: impl Iterator<Item = f64>) {
        self.clear();
        self.scores.extend(scores);
        self.is_free.extend((0..self.scores.len()).map(|a| space.head(ArcId::new(a)).is_root()));
    }

    /// Sets those of the arcs that are kept.
    pub fn restrict(&self, kept: &Kept, new: &mut Self) {
        new.clear();
        if !self.scores.is_empty() {
            new.scores.extend(kept.old().iter().map(|a| self.scores[a.ix()]));
            new.is_free.extend(kept.old().iter().map(|a| self.is_free[a.ix()]));
        }
    }

    /// True if there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    /// How many bytes its arrays hold.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.scores) + size_of_val(&*self.is_free)
    }

    /// What a tree is charged for an arc if it is.
    #[inline(always)]
    fn size(&self, a: ArcId) -> f64 {
        self.scores[a.ix()].abs()
    }

    /// True of arcs that are projective in every tree.
    #[inline(always)]
    fn is_free(&self, a: ArcId) -> bool {
        self.is_free[a.ix()]
    }

    /// Whether arcs cross, of which `a` is charged for where it is not projective, and so is `b`, or is always projective.
    fn may_pay_for(&self, space: &ArcSpace, a: ArcId, b: ArcId) -> bool {
        crossing(span(space, a), span(space, b)) && (self.is_free(b) || self.scores[b.ix()] < 0.0)
    }

    /// Arcs into the modifiers of two that cross, `a` and `b` among them, such that each of one word crosses each of the other,
    /// and each is charged for where it is not projective; into `arcs`. A tree is charged for one of them if it has two.
    fn crossing(&self, space: &ArcSpace, a: ArcId, b: ArcId, arcs: &mut Vec<ArcId>) {
        let enough = |c: ArcId| if self.is_free(c) { f64::INFINITY } else { self.size(c) };
        let least = enough(a).min(enough(b)) * SHARE;
        let is_fit = |c: ArcId| self.is_free(c) || (self.scores[c.ix()] < 0.0 && self.size(c) >= least);
        let crosses = |c: ArcId, d: ArcId| crossing(span(space, c), span(space, d));
        arcs.clear();
        let into = |c: ArcId| space.arcs_into(space.modifier(c)).iter().copied();
        arcs.extend(into(b).filter(|&c| c == b || (is_fit(c) && crosses(c, a))));
        let of_b = arcs.len();
        for c in into(a) {
            if c == a || (is_fit(c) && arcs[..of_b].iter().all(|&d| crosses(c, d))) {
                arcs.push(c);
            }
        }
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

/// The ends of an arc, from left to right.
fn span(space: &ArcSpace, a: ArcId) -> (usize, usize) {
    let (h, m) = (space.head(a).ix(), space.modifier(a).ix());
    (h.min(m), h.max(m))
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
    /// By evidence: the arc that it is about; none if it is about one of those that cross.
    about: Vec<Option<ArcId>>,
    v: Vec<f64>,
    /// By arc: the sum of v over the evidence that draws on its charge.
    spent: Vec<f64>,
    /// Memory of new evidence.
    new: Vec<ArcId>,
}

impl Evidence {
    /// Leaves none, for so many arcs.
    pub fn clear(&mut self, arcs: usize) {
        self.start.clear();
        self.start.push(0);
        self.arcs.clear();
        self.about.clear();
        self.v.clear();
        self.spent.clear();
        self.spent.resize(arcs, 0.0);
    }

    /// How many bytes its arrays hold.
    pub fn bytes(&self) -> usize {
        let Self { start, arcs, about, v, spent, new: _ } = self;
        let of_evidence = size_of_val(&**about) + size_of_val(&**v);
        size_of_val(&**start) + size_of_val(&**arcs) + size_of_val(&**spent) + of_evidence
    }

    /// Number of pieces.
    fn len(&self) -> usize {
        self.v.len()
    }

    fn push(&mut self, charges: &Charges, about: Option<ArcId>, arcs: &[ArcId], v: f64) {
        self.arcs.extend_from_slice(arcs);
        self.start.push(self.arcs.len() as u32);
        self.about.push(about);
        self.v.push(0.0);
        self.raise(charges, self.len() - 1, v);
    }

    /// The arcs of a piece of evidence.
    #[inline(always)]
    pub fn arcs(&self, i: usize) -> &[ArcId] {
        &self.arcs[self.start[i] as usize..self.start[i + 1] as usize]
    }

    /// How many words its arcs are into, so how many of them a tree can have.
    #[inline(always)]
    fn words(&self, i: usize) -> f64 {
        if self.about[i].is_some() { self.arcs(i).len() as f64 } else { 2.0 }
    }

    /// The arcs on one of whose charges evidence draws where a tree has it.
    #[inline(always)]
    fn payers(&self, i: usize) -> &[ArcId] {
        match &self.about[i] {
            Some(about) => std::slice::from_ref(about),
            None => self.arcs(i),
        }
    }

    /// Whether evidence draws on the charge of `a`, one of its payers.
    #[inline(always)]
    fn draws_on(&self, charges: &Charges, i: usize, a: ArcId) -> bool {
        self.about[i].is_some() || !charges.is_free(a)
    }

    /// Adds to the multiplier of a piece of evidence.
    fn raise(&mut self, charges: &Charges, i: usize, by: f64) {
        self.v[i] += by;
        for at in 0..self.payers(i).len() {
            let a = self.payers(i)[at];
            if self.draws_on(charges, i, a) {
                self.spent[a.ix()] += by;
            }
        }
    }

    /// The evidence that matters, of arcs that are kept, with what they are charged then.
    pub fn restrict(&self, kept: &Kept, charges: &Charges, to: &mut Self) {
        to.clear(if self.spent.is_empty() { 0 } else { kept.old().len() });
        let mut arcs = Vec::new();
        for i in (0..self.len()).filter(|&i| self.v[i] > 0.0) {
            arcs.clear();
            arcs.extend(self.arcs(i).iter().filter_map(|&a| kept.new_of(a)));
            match self.about[i] {
                Some(about) if arcs.len() == self.arcs(i).len() => {
                    to.push(charges, kept.new_of(about), &arcs, self.v[i]);
                }
                None if arcs.len() > 1 => to.push(charges, None, &arcs, self.v[i]),
                _ => {}
            }
        }
    }

    /// Adds the bounds to the scores of arcs; with what falls to no arc.
    pub fn add(&self, scores: &mut [f64]) -> f64 {
        let mut constant = 0.0;
        for (i, &v) in self.v.iter().enumerate().filter(|(_, v)| **v > 0.0) {
            constant += v * (self.words(i) - 1.0);
            self.arcs(i).iter().for_each(|a| scores[a.ix()] -= v);
        }
        constant
    }

    /// E of a piece of evidence at a tree.
    #[inline(always)]
    fn excess(&self, i: usize, tree: &TreeArcs) -> f64 {
        1.0 - self.words(i) + self.arcs(i).iter().filter(|&&a| tree.has(a)).count() as f64
    }

    /// Visits what is loose at a tree: evidence that it has too little of, by so many units a unit of v; and arcs of whose charge
    /// not all is drawn on. `due` are those that the tree is charged for.
    pub fn each_loose(
        &self,
        charges: &Charges,
        due: &[ArcId],
        tree: &TreeArcs,
        sums: &mut Vec<(ArcId, f64)>,
        mut visit: impl FnMut(Multiplier, f64, f64),
    ) {
        sums.clear();
        sums.extend(due.iter().map(|&a| (a, charges.size(a))));
        for (i, &v) in self.v.iter().enumerate().filter(|(_, v)| **v > 0.0) {
            let excess = self.excess(i, tree);
            if excess < 0.0 {
                visit(Multiplier::Evidence(i as u32), -excess, v);
            } else if excess > 0.0 {
                // Of two arcs that cross one is charged for, or both.
                let paid = sums.iter_mut().find(|(a, _)| self.payers(i).contains(a) && self.draws_on(charges, i, *a));
                debug_assert!(paid.is_some(), "evidence without a charge");
                paid.into_iter().for_each(|(_, sum)| *sum -= v);
            }
        }
        for &(a, sum) in &*sums {
            visit(Multiplier::Charge(a), 1.0, sum);
        }
    }

    /// Takes units from the multiplier of a piece of evidence.
    pub fn lower(&mut self, charges: &Charges, i: u32, units: f64) {
        self.raise(charges, i as usize, -units);
    }

    /// Makes the charge for `a`, which is due at a tree, less loose there, by about so many units. What the arcs that cross a cannot
    /// give, evidence about a alone does.
    pub fn draw_on(&mut self, charges: &Charges, space: &ArcSpace, tree: &TreeArcs, a: ArcId, units: f64) {
        let mut left = units;
        if charges.scores[a.ix()] < 0.0 {
            for &b in tree.arcs() {
                if left > 0.0 && charges.may_pay_for(space, a, b) {
                    let is_of_both =
                        |&i: &usize| self.about[i].is_none() && self.arcs(i).contains(&a) && self.arcs(i).contains(&b);
                    let known = (0..self.len()).find(is_of_both);
                    let i = known
                        .unwrap_or_else(|| self.add_new(charges, None, |arcs| charges.crossing(space, a, b, arcs)));
                    left -= self.draw(charges, tree, i, left);
                }
            }
        }
        if left > 0.0 {
            let known = (0..self.len()).find(|&i| self.about[i] == Some(a) && self.excess(i, tree) > 0.0);
            let i =
                known.unwrap_or_else(|| self.add_new(charges, Some(a), |arcs| charges.evidence(space, tree, a, arcs)));
            self.draw(charges, tree, i, left);
        }
    }

    /// Adds a piece of evidence with the arcs that `fill` puts; with its number.
    fn add_new(&mut self, charges: &Charges, about: Option<ArcId>, fill: impl FnOnce(&mut Vec<ArcId>)) -> usize {
        let mut arcs = std::mem::take(&mut self.new);
        fill(&mut arcs);
        self.push(charges, about, &arcs, 0.0);
        self.new = arcs;
        self.len() - 1
    }

    /// Raises the multiplier of a piece of evidence that a tree has by up to so many units, for which other evidence makes room that
    /// the tree has not all of; with how many it were.
    fn draw(&mut self, charges: &Charges, tree: &TreeArcs, i: usize, units: f64) -> f64 {
        let room = |of: &Self, a: ArcId| match of.draws_on(charges, i, a) {
            true => charges.size(a) - of.spent[a.ix()],
            false => f64::INFINITY,
        };
        let least = |of: &Self| of.payers(i).iter().map(|&a| room(of, a)).fold(units, f64::min);
        let mut drawn = least(self);
        if drawn < units {
            for at in 0..self.payers(i).len() {
                let a = self.payers(i)[at];
                for j in 0..self.len() {
                    let short = units - room(self, a);
                    if short <= 0.0 {
                        break;
                    }
                    if j != i
                        && self.v[j] > 0.0
                        && self.payers(j).contains(&a)
                        && self.draws_on(charges, j, a)
                        && self.excess(j, tree) <= 0.0
                    {
                        self.raise(charges, j, -short.min(self.v[j]));
                    }
                }
            }
            drawn = least(self);
        }
        self.raise(charges, i, drawn);
        drawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::brute::for_each_tree;

    /// Of arcs that cross each other, no tree has two that are projective; those of one word are never in a tree together.
    #[test]
    fn of_arcs_that_cross_one_is_charged_for() {
        let (graph, trees) = all_trees(5);
        let space = &graph.space;
        let mut charges = Charges::default();
        charges.fill(space, (0..space.arcs()).map(|_| -3.0));
        let (mut arcs, mut seen) = (Vec::new(), 0);
        for (a, b) in (0..space.arcs()).flat_map(|a| (0..space.arcs()).map(move |b| (ArcId::new(a), ArcId::new(b)))) {
            if charges.is_free(a) || !charges.may_pay_for(space, a, b) {
                continue;
            }
            charges.crossing(space, a, b, &mut arcs);
            assert!(arcs.contains(&a) && arcs.contains(&b));
            for tree in &trees {
                let had: Vec<ArcId> = arcs.iter().copied().filter(|&c| tree.has(c)).collect();
                assert!(had.len() <= 2);
                assert!(had.len() < 2 || had.iter().any(|&c| !tree.is_projective(space, c)));
                seen += usize::from(had.len() == 2);
            }
        }
        assert!(seen > 0);
    }

    /// The graph of all arcs over so many words, and its trees.
    fn all_trees(words: usize) -> (FactorGraph, Vec<TreeArcs>) {
        let all = |h| (1..=words).filter(move |&m| m != h).map(move |m| (Word::new(h), Word::new(m)));
        let pairs: Vec<_> = (0..=words).flat_map(all).collect();
        let space = ArcSpace::new(words, false, &pairs).expect("a space");
        let graph = FactorGraph { space, trees: Trees::NonProjective, ..Default::default() };
        let mut trees = Vec::new();
        for_each_tree(&graph, |heads| {
            let mut tree = TreeArcs::default();
            tree.find(&graph.space, heads);
            trees.push(tree);
        });
        (graph, trees)
    }

    /// In all trees of five words that have what shows a charge in one, the charge is due.
    #[test]
    fn evidence_holds_in_every_tree_that_has_it() {
        let (graph, trees) = all_trees(5);
        let space = &graph.space;
        for score in [-3.0, 3.0] {
            let mut charges = Charges::default();
            charges.fill(space, (0..space.arcs()).map(|_| score));
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
