//! Hill climbing: a tree is improved by moving one word at a time to the head where the tree's score gains most.
//!
//! A better incumbent closes nodes, shortens steps and fixes arcs; trying all moves costs far less than a call. Moving
//! word m from head g to head h changes only what hangs together at g, at h and above m: with
//!
//! ```text
//! modifiers(h)    scores of h's arcs, adjacent modifiers and pairs of modifiers
//! children(a)     scores of arc a with the children of its modifier: pairs, outermost children, grand-siblings
//! ```
//!
//! the gain is the change of `modifiers(g) + modifiers(h) + children(a_g) + children(a_h) + children(a_m)`. Factors of
//! other shapes are left out of the gain; the caller scores the tree in full.

use super::instance::Instance;
use crate::graph::{ArcId, ArcSpace, TreeArcs, Word};
use crate::treebank::crossing;

/// Memory for climbing, reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Climber {
    into: Vec<ArcId>,
    /// By head: the arcs to its modifiers, ascending.
    of: Vec<Vec<ArcId>>,
    changed: Vec<ArcId>,
    changed_other: Vec<ArcId>,
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
    }

    /// The arc into `m` that gains most, if one gains.
    fn best_move(&mut self, instance: &Instance, m: Word) -> Option<ArcId> {
        let space = &instance.space;
        let old = self.into[m.ix() - 1];
        let candidates = space.arcs_into(m);
        let g = space.head(old);
        // The root's only modifier stays.
        if candidates.len() < 2 || (g.is_root() && space.single_root()) {
            return None;
        }
        let mut changed = std::mem::take(&mut self.changed);
        changed.clear();
        changed.extend(self.of[g.ix()].iter().filter(|&&a| a != old));
        let mut lost = modifiers(instance, &self.of[g.ix()]) - modifiers(instance, &changed);
        if !g.is_root() {
            let above = self.into[g.ix() - 1];
            lost += children(instance, above, &self.of[g.ix()]) - children(instance, above, &changed);
        }
        lost += children(instance, old, &self.of[m.ix()]);
        let mut best = (0.0, None);
        for &a in candidates {
            let h = space.head(a);
            if a == old || (h.is_root() && space.single_root()) {
                continue;
            }
            let gained = self.gain(instance, m, a) - lost;
            if gained > best.0 && self.is_tree(space, m, h) {
                best = (gained, Some(a));
            }
        }
        self.changed = changed;
        best.1
    }

    /// What `a`, an arc into `m` from another head than now, adds to a tree where `m` hangs nowhere.
    fn gain(&mut self, instance: &Instance, m: Word, a: ArcId) -> f64 {
        let h = instance.space.head(a);
        let mut with = std::mem::take(&mut self.changed_other);
        with.clear();
        let now = &self.of[h.ix()];
        let place = now.partition_point(|&b| b < a);
        with.extend_from_slice(&now[..place]);
        with.push(a);
        with.extend_from_slice(&now[place..]);
        let mut gained = modifiers(instance, &with) - modifiers(instance, now);
        if !h.is_root() {
            let above = self.into[h.ix() - 1];
            gained += children(instance, above, &with) - children(instance, above, now);
        }
        gained += children(instance, a, &self.of[m.ix()]);
        self.changed_other = with;
        gained
    }

    /// Whether the words still form a projective tree if `m` hangs on `h`.
    fn is_tree(&self, space: &ArcSpace, m: Word, h: Word) -> bool {
        let mut above = h;
        while !above.is_root() {
            if above == m {
                return false;
            }
            above = space.head(self.into[above.ix() - 1]);
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
    }
}

/// The score of one head's modifiers, arcs ascending.
fn modifiers(instance: &Instance, arcs: &[ArcId]) -> f64 {
    let space = &instance.space;
    let mut total = 0.0;
    let right = arcs.partition_point(|&a| space.modifier(a) < space.head(a));
    let mut side = |mut outward: &mut dyn Iterator<Item = ArcId>, inner: &mut dyn FnMut(usize) -> ArcId| {
        for (rank, a) in (&mut outward).enumerate() {
            total += instance.local.arc[a.ix()];
            total += instance.local.sibling
                [if rank == 0 { space.first_modifier_part(a) } else { space.sibling_part(a, inner(rank - 1)) }];
            for i in 0..rank {
                total += instance.chain[space.sibling_part(a, inner(i))];
            }
        }
    };
    side(&mut arcs[..right].iter().rev().copied(), &mut |i| arcs[right - 1 - i]);
    side(&mut arcs[right..].iter().copied(), &mut |i| arcs[right + i]);
    for &l in &arcs[..right] {
        for &r in &arcs[right..] {
            total += instance.cross[instance.cross_place(l, r)];
        }
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
    let space = &instance.space;
    let mut total = 0.0;
    let mut inner = None;
    for &b in outward {
        let part = inner.map_or_else(|| space.first_modifier_part(b), |c| space.sibling_part(b, c));
        total += instance.grand.siblings.get(space.grandchild_part(a, b), part).unwrap_or(0.0);
        inner = Some(b);
    }
    total
}
