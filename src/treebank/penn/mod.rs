//! Penn Treebank brackets, read as dependency trees.
//!
//! A treebank in brackets has constituents, not heads: `( (S (NP (DT the) (NN cat)) (VP (VBD sat))) )`. A table of
//! [head rules](HeadRules) picks one child of every constituent as its head child; following head children down from
//! a constituent ends at its head word. Every word then hangs on the head word of the smallest constituent above it
//! whose head word it is not, and the head word of the whole tree hangs on the root. Such a tree has one root, and no
//! two of its arcs cross, because a constituent's words are contiguous.

mod coarse;
mod label;
mod rule_file;
mod rules;

pub use coarse::CoarseTags;
pub use rule_file::{RuleFault, RulesError};
pub use rules::HeadRules;
