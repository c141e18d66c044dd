//! Hill climbing over arborescences: as over projective trees ([`incumbent`](super::incumbent)), but all that is beyond arcs
//! is a pattern or a count there, so moves gain what the patterns and counts of their two arcs do.

use std::ops::Range;

use super::instance::Instance;
use crate::graph::{ArcId, CountId, FactorId, TreeArcs, Word};
use crate::tree::descends;

/// Memory for climbing, reused.
#[derive(Debug, Default)]
pub struct PatternClimber {
    into: Vec<ArcId>,
    /// By arc.
    has: Vec<bool>,
    patterns: ByArc,
    counts: ByArc,
    /// By count: how many of its arcs the tree has.
    numbers: Vec<u32>,
}

/// Which factors an arc has a part in.
#[derive(Debug, Default)]
struct ByArc {
    /// `arcs + 1` entries.
    start: Vec<u32>,
    listed: Vec<u32>,
}

impl ByArc {
    fn fill<'a>(&mut self, arcs: usize, factors: impl Iterator<Item = &'a [ArcId]> + Clone) {
        self.start.clear();
        self.start.resize(arcs + 2, 0);
        factors.clone().flatten().for_each(|a| self.start[a.ix() + 2] += 1);
        for a in 2..arcs + 2 {
            self.start[a] += self.start[a - 1];
        }
        self.listed.clear();
        self.listed.resize(self.start[arcs + 1] as usize, 0);
        // Each place moves on to the next arc's as its list fills.
        for (c, of_factor) in factors.enumerate() {
            for a in of_factor {
                let at = &mut self.start[a.ix() + 1];
                self.listed[*at as usize] = c as u32;
                *at += 1;
            }
        }
    }

    #[inline(always)]
    fn of(&self, a: ArcId) -> &[u32] {
        let Range { start, end } = self.start[a.ix()]..self.start[a.ix() + 1];
        &self.listed[start as usize..end as usize]
    }
}

impl PatternClimber {
    /// Moves words of `tree` while that gains; true if any was moved.
    pub fn climb(&mut self, instance: &Instance, tree: &mut TreeArcs) -> bool {
        let space = &instance.space;
        self.start(instance, tree);
        // Words since the last move: after a round without one there is none.
        let (mut since, mut moved, mut m) = (0, false, 1);
        while since < space.words() {
            since += 1;
            if let Some(a) = self.best_move(instance, Word::new(m)) {
                self.toggle(instance, self.into[m - 1]);
                self.toggle(instance, a);
                self.into[m - 1] = a;
                (since, moved) = (0, true);
            }
            m = m % space.words() + 1;
        }
        if moved {
            tree.set(space, &self.into);
        }
        moved
    }

    fn start(&mut self, instance: &Instance, tree: &TreeArcs) {
        let (arcs, counted) = (instance.space.arcs(), &instance.counted);
        self.into.clear();
        self.into.extend_from_slice(tree.arcs());
        self.has.clear();
        self.has.extend((0..arcs).map(|a| tree.has(ArcId::new(a))));
        let patterns = &instance.other;
        self.patterns.fill(arcs, (0..patterns.len()).map(|c| patterns.arcs(FactorId::new(c))));
        self.counts.fill(arcs, (0..counted.len()).map(|c| counted.arcs(CountId::new(c))));
        self.numbers.clear();
        let number = |c: CountId| counted.arcs(c).iter().filter(|&&a| tree.has(a)).count() as u32;
        self.numbers.extend(counted.ids().map(number));
    }

    /// The arc into `m` that gains most, if one gains; of equal ones the first.
    fn best_move(&mut self, instance: &Instance, m: Word) -> Option<ArcId> {
        let space = &instance.space;
        let old = self.into[m.ix() - 1];
        let is_only_root = |a: ArcId| space.single_root() && space.head(a).is_root();
        // The root's only modifier stays.
        if space.arcs_into(m).len() < 2 || is_only_root(old) {
            return None;
        }
        // Off and on again: what the tree is worth without it comes out.
        let lost = -self.toggle(instance, old);
        let mut best = (lost, None);
        for &a in space.arcs_into(m) {
            let is_below = || descends(space.head(a), m, |word| space.head(self.into[word.ix() - 1]));
            if a != old && !is_only_root(a) && !is_below() {
                let gained = self.toggle(instance, a);
                self.toggle(instance, a);
                if gained > best.0 {
                    best = (gained, Some(a));
                }
            }
        }
        self.toggle(instance, old);
        best.1
    }

    /// Puts an arc into the tree or takes it out; with what that gains.
    fn toggle(&mut self, instance: &Instance, a: ArcId) -> f64 {
        let (patterns, counted) = (&instance.other, &instance.counted);
        let comes = !self.has[a.ix()];
        let mut gain = instance.local.arc[a.ix()];
        // A pattern holds with the arc or without it, if all its other literals do.
        for &c in self.patterns.of(a) {
            let c = FactorId(c);
            let mut wants = true;
            let mut others = true;
            for &b in patterns.present(c) {
                others &= b == a || self.has[b.ix()];
            }
            for &b in patterns.absent(c) {
                if b == a {
                    wants = false;
                } else {
                    others &= !self.has[b.ix()];
                }
            }
            if others {
                let score = patterns.score(c) as f64;
                gain += if wants { score } else { -score };
            }
        }
        for &c in self.counts.of(a) {
            let (scores, number) = (counted.scores(CountId(c)), &mut self.numbers[c as usize]);
            let without = *number as usize - usize::from(!comes);
            gain += scores[without + 1] - scores[without];
            if comes { *number += 1 } else { *number -= 1 }
        }
        self.has[a.ix()] = comes;
        if comes { gain } else { -gain }
    }
}
