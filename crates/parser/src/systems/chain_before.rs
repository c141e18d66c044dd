//! The trivial baseline of languages whose heads come first: every word hangs on the word before it, the first on the root.

use super::Kind;
use super::unlearnt::Unlearnt;
use crate::treebank::{Token, Tree};
use treebound_core::graph::Word;

/// The system's entry in the list of systems.
pub const KIND: Kind =
    Kind::new("chain-before", |_| Ok(Box::new(Unlearnt { name: KIND.system_name(), version: 1, tree })));

fn tree(tokens: &[Token]) -> Tree {
    Tree::from_decoder((0..tokens.len()).map(Word::new).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_hangs_on_the_one_before() {
        let heads = tree(&vec![Token::default(); 3]).heads().to_vec();
        assert_eq!(heads, [0, 1, 2].map(Word::new));
    }
}
