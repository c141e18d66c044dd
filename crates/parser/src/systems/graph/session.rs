//! The graph system at work.

use crate::answer::{Answer, Clock};
use crate::model::{Parser, Scratch};
use crate::systems::{Session, SystemError};
use crate::treebank::Token;

/// A parser with its memory, which is reused from sentence to sentence.
pub(super) struct GraphSession<'a> {
    parser: Parser<'a>,
    scratch: Scratch,
}

impl<'a> GraphSession<'a> {
    pub(super) fn new(parser: Parser<'a>) -> Self {
        Self { parser, scratch: Scratch::default() }
    }
}

impl Session for GraphSession<'_> {
    fn parse(&mut self, sentences: &[&[Token]], clock: &mut dyn Clock) -> Result<Vec<Answer>, SystemError> {
        let mut answers = Vec::with_capacity(sentences.len());
        for (at, tokens) in sentences.iter().enumerate() {
            let parsed = self.parser.parse(tokens, &mut self.scratch, clock);
            let (decoded, phases) = parsed.map_err(|source| SystemError::Parse { at, source })?;
            // The clock has stopped: what follows is no part of parsing.
            answers.push(Answer::of_graph(decoded, self.scratch.arcs(), phases));
        }
        Ok(answers)
    }
}
