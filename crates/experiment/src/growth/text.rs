//! What is parsed: the test part, or sentences of one length.

use serde::{Deserialize, Serialize};

use treebound_parser::treebank::{Sentence, Token};

/// What is parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Text {
    /// The test part of the treebank.
    TestPart,
    /// Sentences of one length, made of those of the test part.
    OfLength {
        /// Words of each.
        words: usize,
        /// Sentences.
        sentences: usize,
    },
}

impl Text {
    /// The words of its sentences.
    pub fn sentences(self, test: &[Sentence]) -> Vec<Vec<Token>> {
        match self {
            Self::TestPart => test.iter().map(|sentence| sentence.tokens.clone()).collect(),
            Self::OfLength { words, sentences } => joined(test, words, sentences),
        }
    }
}

/// Sentences of exactly so many words: those of `source` one after the other without their full stops, the last one cut
/// off where there are enough, and a full stop. Synthetic sentences have no more than 60 words of their own.
pub fn joined(source: &[Sentence], words: usize, sentences: usize) -> Vec<Vec<Token>> {
    let artifacts: Vec<(&Token, &[Token])> = source.iter().filter_map(|s| s.tokens.split_last()).collect();
    if artifacts.iter().all(|(_, artifact)| artifact.is_empty()) || words == 0 {
        return Vec::new();
    }
    let mut artifacts = artifacts.into_iter().cycle();
    let one = |_| {
        let mut tokens: Vec<Token> = Vec::with_capacity(words);
        for (stop, artifact) in artifacts.by_ref() {
            let room = words - 1 - tokens.len();
            tokens.extend(artifact.iter().take(room).cloned());
            if tokens.len() + 1 == words {
                tokens.push(stop.clone());
                break;
            }
        }
        tokens
    };
    (0..sentences).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence(words: &str) -> Sentence {
        let token = |form: &str| Token { form: form.to_owned(), ..Token::default() };
        Sentence { tokens: words.split(' ').map(token).collect(), ..Sentence::default() }
    }

    #[test]
    fn sentences_are_joined_and_cut() {
        let source = [sentence("a b ."), sentence("c d e !")];
        let forms = |words| -> Vec<String> {
            let text = joined(&source, words, 2);
            text.iter().map(|s| s.iter().map(|t| t.form.as_str()).collect::<Vec<_>>().join(" ")).collect()
        };
        assert_eq!(forms(2), ["a .", "c !"]);
        assert_eq!(forms(5), ["a b c d !", "a b c d !"]);
        assert_eq!(forms(8), ["a b c d e a b .", "c d e a b c d !"]);
        assert_eq!(forms(1), [".", "!"]);
    }

    #[test]
    fn nothing_is_made_of_nothing() {
        assert!(joined(&[], 5, 2).is_empty());
        assert!(joined(&[sentence(".")], 5, 2).is_empty());
        assert!(joined(&[sentence("a .")], 0, 2).is_empty());
    }
}
