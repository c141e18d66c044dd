//! An instance: a graph's factors sorted by shape into dense arrays, and what the search knows of its arcs.
//!
//! Pairs of arcs are by far the most frequent factors, and each of the three shapes that a tree can have has a place of
//! its own:
//!
//! * `grand.any`: an arc and a child of its modifier, by grandchild part;
//! * `chain`: two modifiers of one head on one side, by sibling part;
//! * `cross`: two modifiers of one head on different sides, a matrix a head.
//!
//! All other factors are [patterns](Patterns) (`other`), and so are these over arborescences, to which arcs alone are local;
//! but for those that count.
//!
//! An instance without some of its arcs: those that are left, their numbers before and after, and what is left of the
//! factors.

use super::counted::{Counted, steepest, table};
use super::crossings::Charges;
use super::links::Links;
use super::patterns::{PatternIndex, Patterns, each_pattern};
use crate::decode::backbone::Backbone;
use crate::decode::bnb::possible;
use crate::decode::grand_sibling::GrandScores;
use crate::graph::{ArcId, ArcSpace, FactorGraph, FactorId, GrandSiblings, LocalScores, Word};

pub use super::links::{Counts, Due, Link};
pub use super::sides::{ByHead, ChildSide, HeadArcs, Owner, Side, scale, score_tree};

/// A graph ready for search; all scores are whole numbers of the fixed point, exact in `f64`.
#[derive(Clone, Debug, Default)]
pub struct Instance {
    pub space: ArcSpace,
    pub local: LocalScores<f64>,
    /// The dynamic program. The third-order one may take over from the other while a node is bounded.
    pub backbone: Backbone,
    /// Whether pairs on both sides of a head have multipliers for each arc into it ([`Owner`]); only under
    /// the third-order program.
    pub by_arc: bool,
    /// `any` by grandchild part: the score of the pair, wherever the child stands on its side. The third-order program scores
    /// all of this itself.
    pub grand: GrandScores<f64>,
    /// By sibling part: the score of the pair, adjacent or not. First-modifier parts hold 0.
    pub chain: Vec<f64>,
    /// By head, then left arc, then right arc.
    pub cross: Vec<f64>,
    /// `words + 2` entries: where a head's matrix begins in `cross`.
    pub cross_start: Vec<u32>,
    /// Factors of other shapes, scaled; over arborescences, of all shapes that are no counts.
    pub other: Patterns,
    /// The other factors by their first two arcs.
    pub index: PatternIndex,
    /// Factors that count, scaled.
    pub counted: Counted,
    /// What trees are charged for arcs that are or are not projective, scaled.
    pub charges: Charges,
    /// Whether factors of other shapes are bounded through links.
    pub linking: bool,
    /// How the arcs of these are linked.
    pub links: Links,
    /// What every tree gains.
    pub constant: f64,
    /// By arc: how probable the search should think it at first. Affects effort, never results.
    pub prior: Vec<f64>,
    /// By arc: head and modifier. Memory of [`restrict`](Self::restrict).
    ends: Vec<(Word, Word)>,
}

impl Instance {
    /// Prepares `graph`, scores shifted left by `bits`. `prior` gives a probability an arc; without it all heads of a
    /// word are alike.
    pub fn fill(&mut self, graph: &FactorGraph, backbone: Backbone, linking: bool, bits: u32, prior: Option<&[f64]>) {
        let space = &graph.space;
        self.clear();
        self.space.clone_from(space);
        self.backbone = backbone;
        (self.by_arc, self.linking) = (false, linking && backbone.is_projective());
        self.constant = 0.0;
        if backbone.is_projective() {
            graph.local.map_into(&mut self.local, |score: i64| (score << bits) as f64);
            graph.grand_siblings.map_into(&mut self.grand.siblings, |score: i64| (score << bits) as f64);
            self.grand.any.resize(space.grandchild_parts(), 0.0);
            self.chain.resize(space.sibling_parts(), 0.0);
        } else {
            self.local.arc.extend(graph.local.arc.iter().map(|&score| (score << bits) as f64));
        }
        match prior {
            Some(prior) => self.prior.extend_from_slice(prior),
            None => {
                let heads = |a| space.arcs_into(space.modifier(ArcId::new(a))).len();
                self.prior.extend((0..space.arcs()).map(|a| 1.0 / heads(a) as f64));
            }
        }
        self.lay_out_cross();
        for (_, arcs, score) in graph.factors.iter() {
            if score != 0 {
                self.add(arcs, score, bits);
            }
        }
        if !backbone.is_projective() {
            each_pattern(graph, |arcs, present, score| self.add_pattern(arcs, present, score << bits));
            self.charges.fill(space, graph.non_projective.iter().map(|&score| (score << bits) as f64));
        }
        self.add_counts(graph, bits);
        self.index_other();
        self.link();
    }

    /// Adds the factors that count: those that are linear to arcs, ORs as patterns, and others as such.
    fn add_counts(&mut self, graph: &FactorGraph, bits: u32) {
        let steep = steepest(graph);
        let mut scores = Vec::new();
        for c in graph.counts.ids() {
            let arcs = graph.counts.arcs(c);
            scores.clear();
            scores.extend(table(&graph.counts, c, steep).map(|score| score << bits));
            let step = scores.get(1).map_or(0, |one| one - scores[0]);
            if scores.windows(2).all(|two| two[1] - two[0] == step) {
                self.constant += scores[0] as f64;
                arcs.iter().for_each(|a| self.local.arc[a.ix()] += step as f64);
            } else if scores[1..].iter().all(|&score| score == scores[1]) {
                self.constant += scores[1] as f64;
                self.add_pattern(arcs, 0, -step);
            } else {
                self.counted.push(arcs, scores.iter().map(|&score| score as f64));
            }
        }
    }

    /// Adds a pattern, whose first `present` arcs a tree must have, with its score in the fixed point.
    fn add_pattern(&mut self, arcs: &[ArcId], present: usize, score: i64) {
        let scaled = score as f64;
        match (arcs, present) {
            ([], _) => self.constant += scaled,
            ([a], 1) => self.local.arc[a.ix()] += scaled,
            ([a], _) => {
                self.constant += scaled;
                self.local.arc[a.ix()] -= scaled;
            }
            _ if score != 0 && possible(&self.space, &arcs[..present], self.backbone.is_projective()) => {
                self.other.push(arcs, present, score);
            }
            _ => {}
        }
    }

    /// About how many bytes its arrays hold.
    pub fn bytes(&self) -> usize {
        let space = &self.space;
        let (siblings, grandchildren) = (space.sibling_parts(), space.grandchild_parts());
        // Of an arc, six numbers in the space, a score, a prior, its ends and where its factors begin.
        let arcs = space.arcs() * (6 * 4 + 3 * 8 + 4);
        let scored = if self.backbone.is_projective() { 2 * siblings + 2 * grandchildren } else { 0 };
        let parts = 8 * (scored + self.cross.len());
        let third = self.grand.siblings.len() * (8 + 4);
        // Of an incidence its arc, link, due and place by arc; of a factor its score, scope, and places among pairs.
        let other = self.other.incidences() * (4 + size_of::<Link>() + size_of::<Due>() + 4)
            + self.other.len() * (8 + 8 + 4 * 4);
        arcs + parts + third + other + self.counted.bytes() + self.charges.bytes()
    }

    fn index_other(&mut self) {
        let arcs = self.space.arcs();
        self.index.fill(arcs, &self.other);
    }

    fn lay_out_cross(&mut self) {
        let space = &self.space;
        self.cross_start.clear();
        self.cross.clear();
        if !self.backbone.is_projective() {
            return;
        }
        let mut size = 0;
        for h in (0..=space.words()).map(Word::new) {
            self.cross_start.push(size);
            size += (space.left_arcs_of(h).len() * space.right_arcs_of(h).len()) as u32;
        }
        self.cross_start.push(size);
        self.cross.resize(size as usize, 0.0);
    }

    fn add(&mut self, arcs: &[ArcId], score: i64, bits: u32) {
        let scaled = (score << bits) as f64;
        match *arcs {
            [] => self.constant += scaled,
            [a] => self.local.arc[a.ix()] += scaled,
            _ if !self.backbone.is_projective() => self.add_pattern(arcs, arcs.len(), score << bits),
            [a, b] => match Pair::find(&self.space, a, b) {
                Some(Pair::Grand(part)) => self.grand.any[part] += scaled,
                Some(Pair::Chain(part)) => self.chain[part] += scaled,
                Some(Pair::Cross(l, r)) => {
                    let place = self.cross_place(l, r);
                    self.cross[place] += scaled;
                }
                None => self.add_pattern(arcs, 2, score << bits),
            },
            _ => self.add_pattern(arcs, arcs.len(), score << bits),
        }
    }

    /// Whether the third-order program scores pairs, or sees links, that the present one does not.
    pub fn gains_by_third_order(&self) -> bool {
        let has_chain = |arcs: &[ArcId]| {
            let below = |b: &ArcId| arcs.iter().any(|&a| self.space.modifier(a) == self.space.head(*b));
            arcs.iter().any(below)
        };
        let mut present = (0..self.other.len()).map(|c| self.other.present(FactorId::new(c)));
        let mut is_linked = || self.linking && present.any(has_chain);
        self.backbone == Backbone::Carreras && (self.grand.any.iter().any(|&score| score != 0.0) || is_linked())
    }

    /// The place of a pair of a left and a right arc of one head in `cross`.
    #[inline(always)]
    pub fn cross_place(&self, l: ArcId, r: ArcId) -> usize {
        let h = self.space.head(l);
        let (left, right) = (self.space.left_arcs_of(h), self.space.right_arcs_of(h));
        self.cross_start[h.ix()] as usize + (l.ix() - left.start) * right.len() + r.ix() - right.start
    }

    /// Links the arcs of factors of other shapes, as far as the program sees.
    pub fn link(&mut self) {
        self.links.fill(&self.space, &self.other, self.backbone, self.linking);
    }

    /// The arcs of a factor with their links.
    #[inline(always)]
    pub fn linked(&self, c: FactorId) -> impl Iterator<Item = (ArcId, Link)> {
        self.other.arcs(c).iter().copied().zip(self.links.links(self.other.span(c)).iter().copied())
    }

    /// The arcs of a factor with what is due beside each.
    #[inline(always)]
    pub fn dues(&self, c: FactorId) -> impl Iterator<Item = (ArcId, Due)> {
        self.other.arcs(c).iter().copied().zip(self.links.dues(self.other.span(c)).iter().copied())
    }

    /// All owners of pairs, whose multipliers follow one another in this order: the heads, or the arcs.
    pub fn owners(&self) -> impl Iterator<Item = Owner> {
        let (heads, arcs) = match self.by_arc {
            _ if !self.backbone.is_projective() => (0, 0),
            true => (0, self.space.arcs()),
            false => (self.space.words() + 1, 0),
        };
        let heads = (0..heads).map(|h| Owner::head(&self.space, Word::new(h)));
        heads.chain((0..arcs).map(|a| Owner::arc(&self.space, ArcId::new(a))))
    }

    /// How many pairs there would be if [arcs owned them](Owner::arc).
    pub fn pairs_by_arc(&self) -> u64 {
        let arcs = (0..self.space.arcs()).map(ArcId::new);
        arcs.map(|a| Owner::arc(&self.space, a).pairs() as u64).sum()
    }

    /// The owner of the pairs of `head` in a tree where `above` is the arc into it, and its number; the root's pairs have none
    /// if arcs own them, since it has no arcs to the left.
    #[inline(always)]
    pub fn owner(&self, head: Word, above: Option<ArcId>) -> Option<(usize, Owner)> {
        if self.by_arc {
            above.map(|a| (a.ix(), Owner::arc(&self.space, a)))
        } else {
            Some((head.ix(), Owner::head(&self.space, head)))
        }
    }

    fn clear(&mut self) {
        self.local.arc.clear();
        self.local.sibling.clear();
        self.local.grandchild.clear();
        self.grand.any.clear();
        self.grand.siblings.clear();
        self.chain.clear();
        self.other.clear();
        self.counted.clear();
        self.charges.clear();
        self.prior.clear();
        self.ends.clear();
    }
}

/// The shape of a pair of arcs.
enum Pair {
    /// Grandchild part.
    Grand(usize),
    /// Sibling part.
    Chain(usize),
    /// Left arc, right arc.
    Cross(ArcId, ArcId),
}

impl Pair {
    fn find(space: &ArcSpace, a: ArcId, b: ArcId) -> Option<Self> {
        let (h, m) = (space.head(a), space.modifier(a));
        if h == space.head(b) {
            if h.is_root() && space.single_root() {
                return None;
            }
            // Arcs are numbered by modifier within a head, so a is the left one if its number is lower.
            let (l, r) = if a < b { (a, b) } else { (b, a) };
            return Some(if space.modifier(r) < h {
                Self::Chain(space.sibling_part(l, r))
            } else if space.modifier(l) > h {
                Self::Chain(space.sibling_part(r, l))
            } else {
                Self::Cross(l, r)
            });
        }
        let (upper, lower) = if space.head(b) == m { (a, b) } else { (b, a) };
        (space.head(lower) == space.modifier(upper) && space.children(upper).contains(&lower.ix()))
            .then(|| Self::Grand(space.grandchild_part(upper, lower)))
    }
}

/// Arcs that are kept.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// By new number: the old one, ascending.
    old: Vec<ArcId>,
    /// By old number: the new one.
    new: Vec<Option<ArcId>>,
}

impl Kept {
    /// Numbers the arcs marked in `keep` anew.
    pub fn fill(&mut self, keep: &[bool]) {
        self.old.clear();
        self.new.clear();
        for (a, &is_kept) in keep.iter().enumerate() {
            self.new.push(is_kept.then(|| ArcId::new(self.old.len())));
            self.old.extend(is_kept.then(|| ArcId::new(a)));
        }
    }

    /// The old numbers of all arcs, by new number.
    #[inline(always)]
    pub fn old(&self) -> &[ArcId] {
        &self.old
    }

    /// The new number of an arc.
    #[inline(always)]
    pub fn new_of(&self, old: ArcId) -> Option<ArcId> {
        self.new[old.ix()]
    }
}

impl Instance {
    /// Makes `new` the instance without the arcs that are not kept.
    pub fn restrict(&self, renumbered: &Kept, new: &mut Self) {
        let old = &self.space;
        let kept = renumbered.old();
        new.clear();
        new.ends.extend(kept.iter().map(|&a| (old.head(a), old.modifier(a))));
        // A subset of valid sorted arcs is valid and sorted.
        let rebuilt = new.space.rebuild(old.words(), old.single_root(), &new.ends);
        debug_assert!(rebuilt.is_ok(), "a subset of an arc space");
        new.backbone = self.backbone;
        (new.by_arc, new.linking) = (self.by_arc, self.linking);
        new.constant = self.constant;
        new.prior.extend(kept.iter().map(|a| self.prior[a.ix()]));
        new.local.arc.extend(kept.iter().map(|a| self.local.arc[a.ix()]));
        if self.backbone.is_projective() {
            self.restrict_parts(renumbered, new);
        }
        let mut arcs = Vec::new();
        for c in (0..self.other.len()).map(FactorId::new) {
            match self.left_of(renumbered, &new.space, c, &mut arcs) {
                Some(present) if arcs.len() < 2 => new.add_pattern(&arcs, present, self.other.score(c)),
                Some(present) => new.other.push(&arcs, present, self.other.score(c)),
                None => {}
            }
        }
        self.counted.restrict(renumbered, &mut new.counted);
        self.charges.restrict(renumbered, &mut new.charges);
        new.index_other();
        new.link();
    }

    /// Of a pattern, the arcs of the literals that are not certain, as arcs of the new `space`, into `arcs`; and how many of them
    /// a tree must have. None if no tree has the pattern any more.
    ///
    /// A literal is certain if its arc must not be in the tree and is no candidate any more; over arborescences also if it must
    /// be, and is its word's only one.
    pub fn left_of(&self, kept: &Kept, space: &ArcSpace, c: FactorId, arcs: &mut Vec<ArcId>) -> Option<usize> {
        arcs.clear();
        for &a in self.other.present(c) {
            let new = kept.new_of(a)?;
            if !self.is_certain(space, new) {
                arcs.push(new);
            }
        }
        let present = arcs.len();
        for &a in self.other.absent(c) {
            match kept.new_of(a) {
                Some(new) if self.is_certain(space, new) => return None,
                new => arcs.extend(new),
            }
        }
        Some(present)
    }

    /// Whether an arc of `space` is in every tree, and bounds need not be told: over projective trees they go through links of arcs.
    pub fn is_certain(&self, space: &ArcSpace, a: ArcId) -> bool {
        !self.backbone.is_projective() && space.arcs_into(space.modifier(a)).len() == 1
    }

    /// Gives `new`, which has the arcs that are kept, the scores of their parts.
    fn restrict_parts(&self, renumbered: &Kept, new: &mut Self) {
        let (old, kept, space) = (&self.space, renumbered.old(), &new.space);
        for (i, &a) in kept.iter().enumerate() {
            let id = ArcId::new(i);
            new.local.sibling.push(self.local.sibling[old.first_modifier_part(a)]);
            new.chain.push(0.0);
            for b in space.inner_siblings(id) {
                let part = old.sibling_part(a, kept[b]);
                new.local.sibling.push(self.local.sibling[part]);
                new.chain.push(self.chain[part]);
            }
            for b in space.children(id) {
                let part = old.grandchild_part(a, kept[b]);
                new.local.grandchild.push(self.local.grandchild[part]);
                new.grand.any.push(self.grand.any[part]);
                self.restrict_siblings(renumbered, [id, ArcId::new(b)], part, space, &mut new.grand.siblings);
            }
        }
        new.lay_out_cross();
        for h in (0..=old.words()).map(Word::new) {
            for l in new.space.left_arcs_of(h) {
                for r in new.space.right_arcs_of(h) {
                    let place = new.cross_place(ArcId::new(l), ArcId::new(r));
                    new.cross[place] = self.cross[self.cross_place(kept[l], kept[r])];
                }
            }
        }
    }

    /// Adds the grand-siblings of grandchild part `old_part` that are left, as those of the new arcs `a` and `b`.
    fn restrict_siblings(
        &self,
        kept: &Kept,
        [a, b]: [ArcId; 2],
        old_part: usize,
        space: &ArcSpace,
        new: &mut GrandSiblings<f64>,
    ) {
        let old = &self.space;
        let old_b = kept.old()[b.ix()];
        for (sibling, score) in self.grand.siblings.entries(old_part) {
            let inner = sibling.checked_sub(old.first_modifier_part(old_b) + 1);
            let part = match inner.map(|i| kept.new_of(ArcId::new(old.inner_siblings(old_b).start + i))) {
                None => space.first_modifier_part(b),
                Some(Some(c)) => space.sibling_part(b, c),
                Some(None) => continue,
            };
            new.push(space.grandchild_part(a, b), part, score);
        }
    }
}
