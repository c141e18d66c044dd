//! The trees of cells, parsed again: rows count what is right and do not hold trees.

use std::collections::BTreeMap;

use super::cell::Cell;
use super::pieces::{PieceError, how};
use super::rows::words;
use super::run::Laboratory;
use super::visit::{Visited, each_cell};
use crate::answer::NoClock;
use crate::cell::CellKey;
use crate::graph::Word;
use crate::records::ScoreRow;
use crate::treebank::{Sentence, Tree};

/// A parsed sentence of a cell.
#[derive(Clone, Debug)]
pub struct ParsedSentence {
    /// The sentence with the treebank's tags and tree.
    pub gold: Sentence,
    /// By word: whether it is scored.
    pub scored: Vec<bool>,
    /// The heads; none if the parser gave no tree.
    pub heads: Vec<Word>,
}

/// The trees of the cells that `wanted` lets through, in the order of their sentences; those of cross-validation fold by
/// fold, which is the order of the pool. Models that are not in the store are trained.
///
/// # Errors
/// See [`PieceError`]; among them a cell whose trees have not as many right heads as `scores` say.
pub fn trees(
    laboratory: &Laboratory,
    scores: &[ScoreRow],
    wanted: impl Fn(&Cell) -> bool,
) -> Result<BTreeMap<CellKey, Vec<ParsedSentence>>, PieceError> {
    let mut trees: BTreeMap<CellKey, Vec<ParsedSentence>> = BTreeMap::new();
    each_cell(laboratory, wanted, |Visited { cell, material, pruned, trained, .. }| {
        let (sentences, gold) = material.part(cell.split);
        let mut session = trained.session(&how(cell, pruned))?;
        let answers = session.parse(&words(sentences), &mut NoClock);
        let answers = answers.map_err(|e| PieceError::parsing(e, sentences))?;
        let parsed = answers.into_iter().zip(gold).map(|(answer, gold)| ParsedSentence {
            gold: gold.clone(),
            scored: gold.tokens.iter().map(|token| !material.punctuation().covers(token)).collect(),
            heads: answer.tree.as_ref().map_or_else(Vec::new, |tree: &Tree| tree.heads().to_vec()),
        });
        trees.entry(cell.key(laboratory.config)).or_default().extend(parsed);
        Ok::<_, PieceError>(())
    })?;
    for (key, parsed) in &trees {
        let right: u64 = parsed.iter().map(ParsedSentence::correct).sum();
        let row = scores.iter().find(|row| *row.cell == *key);
        if row.is_some_and(|row| row.counts.as_ref().is_ok_and(|counts| counts.correct != right)) {
            return Err(PieceError::NotTheResults(key.to_string()));
        }
    }
    Ok(trees)
}

impl ParsedSentence {
    /// Words with the right head.
    fn correct(&self) -> u64 {
        let gold = self.gold.gold.as_ref().map_or(&[][..], Tree::heads);
        gold.iter().zip(&self.heads).filter(|(gold, head)| gold == head).count() as u64
    }
}
