//! The trivial baseline of languages whose heads come last: every word hangs on the word after it, the last on the root.

use super::Kind;
use super::unlearnt::Unlearnt;
use crate::treebank::{Token, Tree};
use treebound_core::graph::Word;

/// The system's entry in the list of systems.
pub const KIND: Kind =
    Kind::new("chain-after", |_| Ok(Box::new(Unlearnt { name: KIND.system_name(), version: 1, tree })));

fn tree(tokens: &[Token]) -> Tree {
    let n = tokens.len();
    Tree::from_decoder((1..=n).map(|m| Word::new(if m == n { 0 } else { m + 1 })).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_hangs_on_the_one_after() {
        let heads = tree(&vec![Token::default(); 3]).heads().to_vec();
        assert_eq!(heads, [2, 3, 0].map(Word::new));
    }
}
