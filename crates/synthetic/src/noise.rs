//! Noise: the mistakes and whims of annotators.
//!
//! Extraposition: a constituent is moved to the end of its sentence, across the arc from its head's head.

use crate::draft::{Draft, Draw, Id, Seat};
use crate::tags::Tag;
use treebound_core::tree::Word;
use treebound_parser::treebank::{Token, Tree};

/// Tags that a word may be given by mistake.
const OPEN_TAGS: [Tag; 10] = [
    Tag::NounA,
    Tag::NounO,
    Tag::NounI,
    Tag::Name,
    Tag::Finite,
    Tag::Subordinate,
    Tag::RelativeVerb,
    Tag::Adjective,
    Tag::Adverb,
    Tag::Degree,
];

/// Gives `per_mille` words in 1,000 a random head, of those with which the tree stays a tree, and projective if it was.
pub(super) fn heads(tree: Tree, per_mille: u32, draw: &mut Draw) -> Tree {
    let mut tree = tree;
    for m in (1..=tree.len()).map(Word::new) {
        if !draw.chance(per_mille) || tree.head(m).is_root() {
            continue;
        }
        let projective = tree.is_projective();
        let others: Vec<Tree> = (1..=tree.len())
            .map(Word::new)
            .filter(|&h| h != m && h != tree.head(m))
            .filter_map(|h| {
                let mut heads = tree.heads().to_vec();
                heads[m.ix() - 1] = h;
                Tree::new(heads).ok().filter(|t| t.is_projective() == projective)
            })
            .collect();
        if let Some(other) = others.get(draw.below(others.len())) {
            tree = other.clone();
        }
    }
    tree
}

/// Gives `per_mille` words in 1,000 a random tag.
pub(super) fn tags(tokens: &mut [Token], per_mille: u32, draw: &mut Draw) {
    for token in tokens {
        if draw.chance(per_mille)
            && let Some(tag) = draw.pick(&OPEN_TAGS)
        {
            token.fine = tag.fine().to_owned();
            token.coarse = tag.coarse().to_owned();
        }
    }
}

/// Moves a modifier of a noun, with all that hangs on it, before the final stop of `order`; nothing if there is none to
/// move so that the sentence becomes non-projective.
pub(super) fn extrapose(draft: &Draft, order: &mut Vec<Id>, draw: &mut Draw) {
    let movable: Vec<Id> = (0..draft.len())
        .filter(|&i| {
            let node = &draft.nodes[i];
            let head = &draft.nodes[node.head];
            // Something other than the final stop follows the constituent, and hangs on neither it nor its noun.
            matches!(node.place, Seat::Right(_))
                && head.tag.is_noun()
                && order.iter().rposition(|&w| under(draft, w, node.head)).is_some_and(|last| last + 2 < order.len())
        })
        .collect();
    if let Some(root) = draw.pick(&movable) {
        let stop = order.last().copied().filter(|&w| draft.nodes[w].tag == Tag::Stop);
        let (mut moved, mut rest): (Vec<Id>, Vec<Id>) =
            order.iter().filter(|&&w| Some(w) != stop).partition(|&&w| under(draft, w, root));
        rest.append(&mut moved);
        rest.extend(stop);
        *order = rest;
    }
}

/// Whether `word` is `ancestor` or hangs on it, directly or not.
fn under(draft: &Draft, word: Id, ancestor: Id) -> bool {
    let mut at = word;
    loop {
        if at == ancestor {
            return true;
        }
        let node = &draft.nodes[at];
        if node.place == Seat::Root {
            return false;
        }
        at = node.head;
    }
}
