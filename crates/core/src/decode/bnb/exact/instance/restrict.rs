//! An instance without some of its arcs: those that are left, their numbers before and after, and what is left of the
//! factors.

use super::Instance;
use crate::graph::{ArcId, ArcSpace, GrandSiblings, Word};

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
        let space = &new.space;
        new.backbone = self.backbone;
        (new.by_arc, new.linking) = (self.by_arc, self.linking);
        new.constant = self.constant;
        new.prior.extend(kept.iter().map(|a| self.prior[a.ix()]));
        new.local.arc.extend(kept.iter().map(|a| self.local.arc[a.ix()]));
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
        let mut arcs = Vec::new();
        for (_, old_arcs, score) in self.other.iter() {
            arcs.clear();
            arcs.extend(old_arcs.iter().filter_map(|&a| renumbered.new_of(a)));
            if arcs.len() == old_arcs.len() {
                new.other.push(&arcs, score);
            }
        }
        new.index_other();
        new.link();
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
        for (sibling, score) in self.grand.siblings.of(old_part) {
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
