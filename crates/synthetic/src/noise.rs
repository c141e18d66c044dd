//! Noise: the mistakes and whims of annotators.

use super::draw::Draw;
use super::tags::Tag;
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
