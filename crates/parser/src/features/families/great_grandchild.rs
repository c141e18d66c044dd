//! `great-grandchild`: all chains of three arcs, g -> h -> m -> c (paper, section 4.3).

use crate::features::parts::{Part, great_grandchild};
use crate::treebank::{Tree, crossing};
use treebound_core::graph::{ArcId, ArcSpace, Word};

pub(super) fn factors(space: &ArcSpace, mut visit: impl FnMut(&[ArcId], Part)) {
    for middle in (0..space.arcs()).map(ArcId::new) {
        let (h, m) = (space.head(middle), space.modifier(middle));
        if h.is_root() {
            continue;
        }
        for &upper in space.arcs_into(h) {
            let g = space.head(upper);
            if !space.children(upper).contains(&middle.ix()) {
                continue;
            }
            for lower in space.children(middle).map(ArcId::new) {
                let c = space.modifier(lower);
                if c != g && !crossing(span(g, h), span(m, c)) {
                    visit(&[upper, middle, lower], great_grandchild(g, h, m, c));
                }
            }
        }
    }
}

fn span(a: Word, b: Word) -> (usize, usize) {
    (a.ix().min(b.ix()), a.ix().max(b.ix()))
}

pub(super) fn parts_in(tree: &Tree, mut visit: impl FnMut(Part)) {
    for c in (1..=tree.len()).map(Word::new) {
        let m = tree.head(c);
        if m.is_root() {
            continue;
        }
        let h = tree.head(m);
        if !h.is_root() {
            visit(great_grandchild(tree.head(h), h, m, c));
        }
    }
}
