//! Projective trees for training: the projective tree that keeps most gold arcs (Ma & Zhao, 2012, section 5.1).
//!
//! Found with the first-order dynamic program: a gold arc scores above everything else, and an arc from an ancestor of
//! the gold head a little, the more the nearer the ancestor, so that a word that cannot keep its head is lifted as little
//! as possible.

use crate::decode::eisner::{ArcScores, decode};
use crate::graph::Word;
use crate::treebank::Tree;

/// The projective tree with one root modifier that shares most arcs with `tree`.
///
/// A projective tree with one root modifier is returned as it is.
pub fn projectivize(tree: &Tree) -> Tree {
    let n = tree.len();
    let mut arcs = ArcScores::new(n);
    // All liftings of all words together are worth less than one gold arc.
    let gold = (n as i64 + 1) * (n as i64 + 1);
    for m in (1..=n).map(Word::new) {
        for h in (0..=n).map(Word::new).filter(|&h| h != m) {
            arcs.set(h, m, 0);
        }
        let mut worth = gold;
        let mut h = tree.head(m);
        loop {
            arcs.set(h, m, worth);
            worth = if worth == gold { n as i64 } else { worth - 1 };
            if h.is_root() {
                break;
            }
            h = tree.head(h);
        }
    }
    decode(&arcs).map_or_else(|| tree.clone(), |(tree, _)| tree)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(heads: &[u32]) -> Tree {
        Tree::new(heads.iter().map(|&h| Word(h)).collect()).expect("a tree")
    }

    #[test]
    fn a_projective_tree_stays() {
        let t = tree(&[2, 0, 5, 5, 2]);
        assert_eq!(projectivize(&t), t);
    }

    /// Word 1 hangs on 3 across the arc 0 -> 2: lifting it to 3's head, 2, keeps all other arcs.
    #[test]
    fn a_crossing_arc_is_lifted_to_the_nearest_ancestor() {
        let t = tree(&[3, 0, 4, 2]);
        assert!(!t.is_projective());
        assert_eq!(projectivize(&t), tree(&[2, 0, 4, 2]));
    }

    #[test]
    fn several_roots_become_one() {
        let p = projectivize(&tree(&[0, 0, 0]));
        assert_eq!(p.roots().count(), 1);
    }
}
