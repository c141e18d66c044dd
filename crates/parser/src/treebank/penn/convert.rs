//! From constituents to heads.

use super::brackets::{Bracketing, Node};
use super::label::category;
use super::rules::HeadRules;
use crate::treebank::error::TreebankError;
use crate::treebank::sentence::{Place, Sentence, Token};
use treebound_core::tree::Tree;
use treebound_core::tree::Word;

/// The tag of what stands for nothing that is said.
const EMPTY_CATEGORY: &str = "-NONE-";

/// The sentence of a constituent tree; none if the tree has no words.
///
/// One pass, children before parents: a constituent's head word is that of its head child, and becomes the head of the
/// head words of its other children. Nodes without words are as if they were not there.
pub(super) fn sentence(tree: &Bracketing, rules: &HeadRules) -> Result<Option<Sentence>, TreebankError> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut heads: Vec<Word> = Vec::new();
    let mut first_line = tree.place.line;
    // The head word of each node; none for a node without words.
    let mut head_words: Vec<Option<Word>> = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        let head = match node {
            Node::Word { tag, .. } if tag == EMPTY_CATEGORY => None,
            Node::Word { tag, form, line } => {
                if tokens.is_empty() {
                    first_line = *line;
                }
                let fine = category(tag).to_owned();
                let coarse = rules.coarse().of(&fine).to_owned();
                tokens.push(Token { form: form.clone(), coarse, fine });
                heads.push(Word::ROOT);
                Some(Word::new(tokens.len()))
            }
            Node::Constituent { label, children } => {
                let (labels, words): (Vec<&str>, Vec<Word>) =
                    children.iter().filter_map(|&c| Some((tree.nodes[c].category(), head_words[c]?))).unzip();
                let head = rules.head_child(category(label), &labels).map(|c| words[c]);
                if let Some(head) = head {
                    for word in words.into_iter().filter(|&w| w != head) {
                        heads[word.ix() - 1] = head;
                    }
                }
                head
            }
        };
        head_words.push(head);
    }
    if tokens.is_empty() {
        return Ok(None);
    }
    let place = Place { line: first_line, ..tree.place.clone() };
    match Tree::new(heads) {
        Ok(gold) => Ok(Some(Sentence { tokens, gold: Some(gold), place })),
        Err(fault) => Err(TreebankError::Tree { place, fault }),
    }
}
