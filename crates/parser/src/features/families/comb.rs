//! `comb`: "for any word with more than 3 consecutive modifiers, the set of all the edges from the word to the modifiers"
//! (paper, section 4.3).
//!
//! Footnote 2 contrasts consecutive modifiers with those between which other words may stand (`x1.*x2.*...`), so
//! modifiers are consecutive when they are neighbouring words of the sentence. A factor counts whenever the tree has all
//! its arcs, whatever else it has, so it cannot ask that a run of modifiers ends where it ends. Hence the definition: a
//! comb is a head with a run of at least four words in a row, on one side of it, all of which modify it; the factor is the
//! set of the arcs to them. A longer run contains several combs, one for each run of four or more within it.
//!
//! The part gives the first word of the run the role `s` and the last one `m`; their distance tells how many there are.

use super::{Facts, Shape};
use crate::features::geometry::Geometry;
use crate::features::hand::Sites;
use crate::features::parts::Part;
use crate::treebank::Tree;
use treebound_core::graph::{ArcId, ArcSpace, Trees, Word};

pub(super) const FAMILY: Facts =
    Facts { name: "comb", roles: "hsm", directions: 1, growth: Some(3), shape: Shape::All };

/// Arcs of the smallest comb: more than 3.
const FEWEST: usize = 4;

/// The words from `s` to `m`, all modifiers of one head.
#[inline(always)]
fn part(h: Word, s: Word, m: Word) -> Part {
    Part::new([h, s, m, Word::ROOT], Geometry::new(&[h < s], s.ix(), m.ix()))
}

pub(super) fn factors(space: &ArcSpace, _: Trees, _: &Sites, mut visit: impl FnMut(&[ArcId], Part)) {
    let all: Vec<ArcId> = (0..space.arcs()).map(ArcId::new).collect();
    for h in (0..=space.words()).map(Word::new) {
        if h.is_root() && space.single_root() {
            continue;
        }
        for side in [space.left_arcs_of(h), space.right_arcs_of(h)] {
            for first in side.clone() {
                let s = space.modifier(all[first]);
                for last in first + 1..side.end {
                    let m = space.modifier(all[last]);
                    if m.ix() - s.ix() != last - first {
                        break;
                    }
                    if last - first + 1 >= FEWEST {
                        visit(&all[first..=last], part(h, s, m));
                    }
                }
            }
        }
    }
}

pub(super) fn parts_in(tree: &Tree, _: &Sites, mut visit: impl FnMut(Part)) {
    let n = tree.len();
    for first in 1..=n {
        let s = Word::new(first);
        let h = tree.head(s);
        // The head itself never modifies itself, so a run ends where it would pass over its head.
        let same = |&m: &usize| tree.head(Word::new(m)) == h;
        for last in (first + 1..=n).take_while(same).filter(|last| last - first + 1 >= FEWEST) {
            visit(part(h, s, Word::new(last)));
        }
    }
}
