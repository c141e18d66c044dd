//! Projective trees for training: the projective tree that keeps most gold arcs (Ma & Zhao, 2012, section 5.1).
//!
//! Found with the first-order dynamic program: a gold arc scores above everything else, and an arc from an ancestor of
//! the gold head a little, the more the nearer the ancestor, so that a word that cannot keep its head is lifted as little
//! as possible.

use super::roots::Roots;
use crate::treebank::Tree;
use treebound_core::decode::first_order::{ArcScores, decode};
use treebound_core::graph::Word;

/// The projective tree with so many words on the root that shares most arcs with `tree`.
///
/// A projective tree with no more of them is returned as it is.
pub fn projectivize(tree: &Tree, roots: Roots) -> Tree {
    if roots.allow_tree(tree) {
        return tree.clone();
    }
    let n = tree.len();
    // The program wants one word on the root. Where there may be several, that is a word that stands for the root.
    let before = usize::from(roots == Roots::Several);
    let moved = |word: Word| Word::new(word.ix() + before);
    let mut arcs = ArcScores::new(n + before);
    if roots == Roots::Several {
        arcs.set(Word::ROOT, moved(Word::ROOT), 0);
    }
    // All liftings of all words together are worth less than one gold arc.
    let gold = (n as i64 + 1) * (n as i64 + 1);
    for m in (1..=n).map(Word::new) {
        for h in (0..=n).map(Word::new).filter(|&h| h != m) {
            arcs.set(moved(h), moved(m), 0);
        }
        let mut worth = gold;
        let mut h = tree.head(m);
        loop {
            arcs.set(moved(h), moved(m), worth);
            worth = if worth == gold { n as i64 } else { worth - 1 };
            if h.is_root() {
                break;
            }
            h = tree.head(h);
        }
    }
    let Some((found, _)) = decode(&arcs) else { return tree.clone() };
    let heads = found.heads()[before..].iter().map(|head| Word::new(head.ix() - before));
    Tree::from_decoder(heads.collect())
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
        assert!(Roots::ALL.into_iter().all(|roots| projectivize(&t, roots) == t));
    }

    /// Word 1 hangs on 3 across the arc 0 -> 2: lifting it to 3's head, 2, keeps all other arcs.
    #[test]
    fn a_crossing_arc_is_lifted_to_the_nearest_ancestor() {
        let t = tree(&[3, 0, 4, 2]);
        assert!(!t.is_projective());
        assert!(Roots::ALL.into_iter().all(|roots| projectivize(&t, roots) == tree(&[2, 0, 4, 2])));
    }

    #[test]
    fn several_roots_become_one_where_there_may_be_no_more() {
        let t = tree(&[0, 0, 0]);
        assert_eq!(projectivize(&t, Roots::One).roots().count(), 1);
        assert_eq!(projectivize(&t, Roots::Several), t);
    }

    /// Word 1 hangs on 4 across the root's second word, 3.
    #[test]
    fn words_stay_on_the_root_where_another_arc_crosses() {
        let t = tree(&[4, 1, 0, 0, 4]);
        assert!(!t.is_projective());
        assert_eq!(projectivize(&t, Roots::Several), tree(&[0, 1, 0, 0, 4]));
        assert_eq!(projectivize(&t, Roots::One).roots().count(), 1);
    }
}
