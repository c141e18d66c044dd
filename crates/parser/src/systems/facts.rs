//! What keys are made of: named facts, each value spelt by a function of its own, so that a rename in the code changes no key.

use sha2::{Digest, Sha256};

use crate::bytes::hex;
use crate::features::TemplateSet;
use crate::treebank::Punctuation;
use treebound_core::decode::bnb::Limits;

/// What an artifact of work depends on: names and values, in a fixed order.
pub type Facts = Vec<(&'static str, String)>;

/// Limits of a search.
pub fn spell_limits(limits: &Limits) -> String {
    let Limits { dp_calls, nodes, bytes } = *limits;
    let most = |limit: Option<u64>| limit.map_or_else(|| "none".to_owned(), |limit| limit.to_string());
    format!("dp-calls {}, nodes {}, bytes {}", most(dp_calls), most(nodes), most(bytes))
}

/// Templates with their patterns, by a checksum of their text.
pub fn spell_templates(templates: &TemplateSet) -> String {
    hex(&Sha256::digest(templates.to_string()))
}

/// Words of which each may hold anything, each with its length.
pub fn spell_words<S: AsRef<str>>(words: impl IntoIterator<Item = S>) -> String {
    let spelt = |word: S| format!("{}:{}", word.as_ref().len(), word.as_ref());
    words.into_iter().map(spelt).collect::<Vec<_>>().join(" ")
}

/// Which words are not scored: the column of the tag that decides, and its values.
pub fn spell_punctuation(Punctuation { column, tags }: &Punctuation) -> String {
    format!("{} {}", column.name(), spell_words(tags))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_spelt_one_way() {
        let limits = Limits { dp_calls: Some(20), nodes: None, bytes: None };
        assert_eq!(spell_limits(&limits), "dp-calls 20, nodes none, bytes none");
        assert_eq!(spell_words(["a b", "", "c"]), "3:a b 0: 1:c");
        assert_ne!(spell_words(["a", "b"]), spell_words(["a b"]));
    }
}
