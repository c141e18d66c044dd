//! The relaxation: every factor bounded by scores on parts that the dynamic program handles anyway.
//!
//! The paper bounds factors by scores on arcs. The dynamic program also sees which modifiers are adjacent and which child
//! is outermost, at no extra cost, and bounds on those parts are far tighter. With y(i, j) = 1
//! if i and j are adjacent modifiers on one side of a head, and o(a, b) = 1 if b is the outermost child of a's modifier on
//! its side:
//!
//! **Grandchildren** `s(a, b)`, a star at the child b with one multiplier u(b) over all arcs a into b's head. Exactly one
//! such a is in a tree, and either b is outermost or an outermost child lies beyond it:
//!
//! ```text
//! arc b             +  u(b)
//! outermost (a, o)  +  s(a, o) - u(o)  +  sum over b inside o of max(0, s(a, b) - u(b))
//! ```
//!
//! Exact for outermost children; for b inside o it is loose by `u(b) - s(a, b)` if b is in the tree and that is positive,
//! by `s(a, b) - u(b)` if b is not and that is. The third-order program scores these pairs itself: with it they have no
//! multipliers.
//!
//! **Siblings on one side** `s(i, j)`, i nearer to the head; adjacency is exact, the rest is for pairs with modifiers
//! between them.
//!
//! ```text
//! s >= 0   u in [0, s]:       y(i, x) + u       for x between i and j     (the chain leaves i towards j)
//!                             y(x, j) + s - u   for x between i and j     (the chain enters j from i's side)
//! s <  0   v in [0, -s]:      y(x, x') - v      for adjacent x, x' from i to j, but not (i, j) itself
//!                             arc x + v         for x strictly between i and j
//! ```
//!
//! The first is loose by u if the chain goes from i into the gap but misses j, by s - u if it comes from the gap into j
//! but missed i. The second is the number of steps within i..j less the modifiers strictly inside: 1 if both i and j are
//! there, 0 if one is or none and nothing lies inside, -1 if something lies inside but neither end; so it is loose by v in
//! that last case and by -s - v if both are there.
//!
//! **Siblings on both sides** are bounded through their arcs, as in the paper: shares u on the arcs for s >= 0, and for
//! s < 0 `-v * (sum of arcs - 1)` with v in [0, -s]. Under the third-order program they have multipliers for each arc a
//! above them ([`Owner`](super::instance::Owner)): shares fall to the grandchild parts below a, and v to a itself.
//!
//! **All other factors** are bounded through pairs of their arcs ([`Link`]).
//!
//! The dynamic program as oracle: what is best under the multipliers of a node.

use super::active::Shares;
use super::instance::{ChildSide, Instance, Link, Side};
use super::multipliers::Multipliers;
use crate::decode::backbone::{Backbone, Chart};
use crate::decode::grand_sibling::GrandScores;
use crate::decode::semiring::Value;
use crate::graph::{ArcId, LocalScores, TreeArcs, Word};

/// Scores of the local parts under the current multipliers, and the constant.
#[derive(Clone, Debug, Default)]
pub struct Relaxed {
    pub scores: LocalScores<f64>,
    /// Scores that only the third-order program sees.
    pub grand: GrandScores<f64>,
    pub constant: f64,
    /// What other factors put on pairs of siblings.
    steps: Steps,
    /// Per rank of a side: running sums.
    leaving: Vec<f64>,
    inside: Vec<f64>,
}

/// By sibling part (i, j): what is paid for the step that leaves i to j or to between them, for the step that enters j from
/// i or from between them, and what is charged for the link of i and j.
#[derive(Clone, Debug, Default)]
struct Steps {
    leave: Vec<f64>,
    enter: Vec<f64>,
    charge: Vec<f64>,
}

impl Relaxed {
    /// Computes all scores afresh.
    pub fn fill(&mut self, instance: &Instance, multipliers: &Multipliers) {
        self.constant = instance.constant;
        self.scores.arc.clone_from(&instance.local.arc);
        self.constant += multipliers.counts.add(&instance.counted, &mut self.scores.arc);
        if !instance.backbone.is_projective() {
            self.constant += multipliers.evidence.add(&mut self.scores.arc);
            return self.other(instance, multipliers);
        }
        self.scores.sibling.clone_from(&instance.local.sibling);
        self.scores.grandchild.clone_from(&instance.local.grandchild);
        if instance.backbone == Backbone::Carreras {
            self.grandchildren(instance, multipliers);
        } else {
            self.grand.any.clone_from(&instance.grand.any);
            self.grand.siblings.clone_from(&instance.grand.siblings);
        }
        self.cross(instance, multipliers);
        if instance.other.is_empty() {
            self.chains::<false>(instance, multipliers);
        } else {
            self.other(instance, multipliers);
            self.chains::<true>(instance, multipliers);
        }
    }

    fn chains<const LINKED: bool>(&mut self, instance: &Instance, multipliers: &Multipliers) {
        for h in (0..=instance.space.words()).map(Word::new) {
            self.chain::<LINKED>(instance, multipliers, Side::left(&instance.space, h));
            self.chain::<LINKED>(instance, multipliers, Side::right(&instance.space, h));
        }
    }

    fn grandchildren(&mut self, instance: &Instance, multipliers: &Multipliers) {
        let space = &instance.space;
        for a in 0..space.arcs() {
            self.scores.arc[a] += multipliers.star[a];
            for side in ChildSide::both(space, ArcId::new(a)) {
                let mut inner = 0.0;
                for rank in 0..side.len() {
                    let (b, part) = side.get(rank);
                    let surplus = instance.grand.any[part] - multipliers.star[b.ix()];
                    self.scores.grandchild[part] += surplus + inner;
                    inner += surplus.max(0.0);
                }
            }
        }
    }

    fn chain<const LINKED: bool>(&mut self, instance: &Instance, multipliers: &Multipliers, side: Side) {
        let space = &instance.space;
        let len = side.len();
        if len < 2 {
            return;
        }
        // By inner rank i: the sum over outer ranks from the current one on of u(i, .), and of v(i, .).
        self.leaving.clear();
        self.leaving.resize(len, 0.0);
        self.inside.clear();
        self.inside.resize(len, 0.0);
        for outer in (0..len).rev() {
            // Sums over inner ranks up to the current one: s - u of pairs that end at `outer`; v of pairs that span it.
            let mut entering = 0.0;
            let mut spanning = 0.0;
            // v of pairs strictly around the arc `outer`, for its own score: i < outer < j, sums before this row is added.
            let around: f64 = self.inside[..outer].iter().sum();
            self.scores.arc[side.arc(outer).ix()] += around;
            for inner in 0..outer {
                let part = side.part(space, inner, outer);
                let (score, multiplier) = (instance.chain[part], multipliers.chain[part]);
                let (u, share, v) =
                    if score >= 0.0 { (multiplier, score - multiplier, 0.0) } else { (0.0, 0.0, multiplier) };
                let (leave, enter, charge) = if LINKED {
                    (self.steps.leave[part], self.steps.enter[part], self.steps.charge[part])
                } else {
                    (0.0, 0.0, 0.0)
                };
                // Pairs that leave `inner` beyond `outer`, pairs that enter `outer` from before `inner`; links also up to
                // `outer` and from `inner`.
                self.scores.sibling[part] += score + self.leaving[inner] + leave + entering + enter;
                self.leaving[inner] += u + leave;
                entering += share + enter;
                self.inside[inner] += v + charge;
                spanning += self.inside[inner];
                self.scores.sibling[part] -= spanning - v;
            }
        }
    }

    fn cross(&mut self, instance: &Instance, multipliers: &Multipliers) {
        let Shares { modifiers, above, constant, .. } = &multipliers.cross;
        let of_modifiers = if instance.by_arc { &mut self.grand.any } else { &mut self.scores.arc };
        add_all(of_modifiers, modifiers);
        add_all(&mut self.scores.arc, above);
        self.constant += constant;
    }

    fn other(&mut self, instance: &Instance, multipliers: &Multipliers) {
        let space = &instance.space;
        let Self { scores, grand, constant, steps: Steps { leave, enter, charge }, .. } = self;
        let parts = if instance.backbone.is_projective() { space.sibling_parts() } else { 0 };
        for values in [&mut *leave, enter, charge] {
            values.clear();
            values.resize(parts, 0.0);
        }
        for (c, ..) in instance.other.iter().filter(|f| f.2 >= 0) {
            for ((a, link), &share) in instance.linked(c).zip(&multipliers.other[instance.other.span(c)]) {
                if share > 0.0 {
                    *match link {
                        Link::Alone => &mut scores.arc[a.ix()],
                        Link::Absent => {
                            *constant += share;
                            scores.arc[a.ix()] -= share;
                            continue;
                        }
                        Link::Inward(b) => &mut enter[space.sibling_part(a, b)],
                        Link::RootBefore(b) => &mut leave[space.sibling_part(b, a)],
                        Link::Above(b) => &mut grand.any[space.grandchild_part(b, a)],
                        Link::RootOver(b) => &mut grand.any[space.grandchild_part(a, b)],
                    } += share;
                }
            }
        }
        for &c in multipliers.active.other.as_slice() {
            let v = multipliers.other[instance.other.span(c).start];
            *constant -= v;
            for (a, link) in instance.linked(c) {
                match link {
                    Link::Inward(b) => {
                        scores.arc[b.ix()] += v;
                        charge[space.sibling_part(a, b)] += v;
                    }
                    Link::Above(b) => {
                        scores.arc[b.ix()] += v;
                        grand.any[space.grandchild_part(b, a)] -= v;
                    }
                    // The sign of x(a) is that of the arc, turned, and there is no 1 to be taken off.
                    Link::Absent => scores.arc[a.ix()] += v,
                    _ => {
                        scores.arc[a.ix()] -= v;
                        *constant += v;
                    }
                }
            }
        }
    }
}

/// Adds each of `values`, if there are any, to what is at its place.
fn add_all(to: &mut [f64], values: &[f64]) {
    for (to, value) in to.iter_mut().zip(values) {
        *to += value;
    }
}

/// The dynamic program with the scores that it was last asked about, and its answers.
#[derive(Debug, Default)]
pub struct Oracle {
    chart: Chart<f64>,
    relaxed: Relaxed,
    /// By arc, without the constant.
    marginals: Vec<f64>,
}

impl Oracle {
    /// DP calls since the last [`start`](Self::start).
    pub fn calls(&self) -> u64 {
        self.chart.calls()
    }

    /// Counts from 0 again.
    pub fn start(&mut self) {
        self.chart.start_count();
    }

    /// One DP call: puts the best tree under the multipliers into `tree`; with its value there. None if there is no tree.
    pub fn best_tree(&mut self, instance: &Instance, multipliers: &Multipliers, tree: &mut TreeArcs) -> Option<f64> {
        self.relaxed.fill(instance, multipliers);
        let Instance { space, backbone, .. } = instance;
        let Relaxed { scores, grand, constant, .. } = &self.relaxed;
        let value = self.chart.best_score(*backbone, space, scores, grand);
        value.to_score()?;
        tree.set(space, self.chart.best_arcs(*backbone, space, scores, grand));
        Some(value + constant)
    }

    /// Goes through the best trees under the multipliers of the last [`best_tree`](Self::best_tree), which must have found one, in
    /// the same instance, while `visit` is true; it gets each with its value there. True if it has had all.
    pub fn each_tree(
        &mut self,
        instance: &Instance,
        tree: &mut TreeArcs,
        mut visit: impl FnMut(&TreeArcs, f64) -> bool,
    ) -> bool {
        let Instance { space, backbone, .. } = instance;
        let Relaxed { scores, grand, constant, .. } = &self.relaxed;
        let mut goes_on = true;
        self.chart.each_tree(*backbone, space, scores, grand, |arcs, value, _| {
            // The list ends with what is no tree.
            if value.to_score().is_some() {
                tree.set(space, arcs);
                goes_on = visit(tree, value + constant);
            }
            goes_on
        });
        goes_on
    }

    /// One DP call: the max-marginals under the multipliers of the last [`best_tree`](Self::best_tree), which must have found
    /// one, in the same instance.
    pub fn find_marginals(&mut self, instance: &Instance) {
        let Instance { space, backbone, .. } = instance;
        let Relaxed { scores, grand, .. } = &self.relaxed;
        self.chart.max_marginals(*backbone, space, scores, grand, &mut self.marginals);
    }

    /// The max-marginals that were found last, by arc: what the best tree that has the arc is worth, less
    /// [`constant`](Self::constant).
    pub fn marginals(&self) -> &[f64] {
        &self.marginals
    }

    /// What every tree is worth beside its parts.
    pub fn constant(&self) -> f64 {
        self.relaxed.constant
    }

    /// Puts the best tree that has `a` into `tree`; false if no tree has it. Takes no DP call: it must follow
    /// [`find_marginals`](Self::find_marginals).
    pub fn best_tree_with(&mut self, instance: &Instance, a: ArcId, tree: &mut TreeArcs) -> bool {
        let Relaxed { scores, grand, .. } = &self.relaxed;
        let arcs = self.chart.best_arcs_with(instance.backbone, &instance.space, scores, grand, a);
        arcs.map(|arcs| tree.set(&instance.space, arcs)).is_some()
    }
}
