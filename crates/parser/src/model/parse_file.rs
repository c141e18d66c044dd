//! A CoNLL file parsed with a model, sentence by sentence on all threads.

use std::borrow::Cow;
use std::io;

use rayon::prelude::*;
use thiserror::Error;

use crate::answer::NoClock;
use crate::model::parse::{ParseError, Parser, Scratch};
use crate::tagger;
use crate::tagger::Tagger;
use crate::treebank::conll::ConllFile;
use crate::treebank::{FineTags, Place, Sentence, Token, Tree};
use treebound_core::decode::Status;

/// A parser with what it does to the words first and says of their heads afterwards.
#[derive(Clone, Copy, Debug)]
pub struct FileParser<'a> {
    /// The parser.
    pub parser: Parser<'a>,
    /// The tagger of its model, if it was trained with predicted tags.
    pub tagger: Option<&'a Tagger>,
    /// What the model takes for fine tags.
    pub fine_tags: FineTags,
    /// Whether the probabilities of heads are asked for.
    pub has_probabilities: bool,
}

/// A sentence that was not parsed.
#[derive(Debug, Error)]
pub enum SentenceError {
    /// The parser has failed.
    #[error("{0}")]
    Parse(Place, #[source] ParseError),
    /// No tree fits into the arcs that are kept.
    #[error("{0}: no tree was found")]
    NoTree(Place),
}

/// The trees of a file.
#[derive(Clone, Debug)]
pub struct ParsedFile(Vec<ParsedSentence>);

#[derive(Clone, Debug)]
struct ParsedSentence {
    tree: Tree,
    status: Status,
    /// With the model's tags, if it has a tagger.
    tokens: Option<Vec<Token>>,
    /// By word: the probability of its head.
    probabilities: Option<Vec<f64>>,
}

impl FileParser<'_> {
    /// The words of a sentence with the tags that the parser sees.
    pub fn tokens<'s>(&self, sentence: &'s Sentence, tagging: &mut tagger::Scratch) -> Cow<'s, [Token]> {
        let mut tokens = Cow::Borrowed(sentence.tokens.as_slice());
        if !self.fine_tags.are_own() {
            self.fine_tags.put(tokens.to_mut());
        }
        if let Some(tagger) = self.tagger {
            tagger.tag(tokens.to_mut(), tagging);
        }
        tokens
    }

    /// Parses sentences.
    ///
    /// # Errors
    /// If a sentence cannot be parsed: the first of them.
    pub fn parse(&self, sentences: &[Sentence]) -> Result<ParsedFile, SentenceError> {
        let parsed = sentences
            .par_iter()
            .with_min_len(16)
            .map_init(Default::default, |(tagging, scratch), sentence| self.parse_sentence(sentence, tagging, scratch))
            .collect::<Result<_, _>>()?;
        Ok(ParsedFile(parsed))
    }

    fn parse_sentence(
        &self,
        sentence: &Sentence,
        tagging: &mut tagger::Scratch,
        scratch: &mut Scratch,
    ) -> Result<ParsedSentence, SentenceError> {
        let failed = |error| SentenceError::Parse(sentence.place.clone(), error);
        let tokens = self.tokens(sentence, tagging);
        let (answer, _) = self.parser.parse(&tokens, scratch, &mut NoClock).map_err(failed)?;
        let tree = answer.tree.ok_or_else(|| SentenceError::NoTree(sentence.place.clone()))?;
        let probabilities = match self.has_probabilities {
            true => Some(self.parser.head_probabilities(&tree, scratch).map_err(failed)?),
            false => None,
        };
        let tokens = self.tagger.is_some().then(|| tokens.into_owned());
        Ok(ParsedSentence { tree, status: answer.status, tokens, probabilities })
    }
}

impl ParsedFile {
    /// The number of sentences.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no sentence.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of searches that ended in a way.
    pub fn ended(&self, status: Status) -> usize {
        self.0.iter().filter(|parsed| parsed.status == status).count()
    }

    /// Writes the file that was parsed with these trees.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write(self, input: &ConllFile, out: &mut dyn io::Write) -> io::Result<()> {
        let trees: Vec<Tree> = self.0.iter().map(|parsed| parsed.tree.clone()).collect();
        let (tokens, probabilities): (Vec<_>, Vec<_>) =
            self.0.into_iter().map(|parsed| (parsed.tokens, parsed.probabilities)).unzip();
        // All sentences have them or none has.
        let tokens: Option<Vec<_>> = tokens.into_iter().collect();
        let probabilities: Option<Vec<_>> = probabilities.into_iter().collect();
        input.write_parsed(&trees, tokens.as_deref(), probabilities.as_deref(), out)
    }
}
