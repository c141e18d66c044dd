//! Parsed cells.

use super::{PieceError, Pruned, Workshop};
use crate::decode::Decoder;
use crate::experiment::cell::Cell;
use crate::experiment::config::Punctuation;
use crate::experiment::evaluate;
use crate::experiment::prepared::Prepared;
use crate::experiment::store::Key;
use crate::parser::{Model, Parser};
use crate::pruning::Rule;
use crate::report::record::SentenceRow;
use crate::treebank::Sentence;

/// How the factor graph of a cell is pruned and decoded.
pub(in crate::experiment) fn search(cell: &Cell) -> Result<(Rule, Decoder), PieceError> {
    cell.pruning.zip(cell.decoder).ok_or_else(|| PieceError::System(cell.run.system.to_string()))
}

impl Workshop<'_> {
    fn cell_key(&self, prepared: &Prepared, cell: &Cell, punctuation: &Punctuation) -> Result<Key, PieceError> {
        let (rule, decoder) = search(cell)?;
        let limits = if decoder == Decoder::Dp { String::new() } else { format!("{:?}", cell.limits) };
        Ok(Key::new(
            "cell",
            &[
                ("model", &self.model_key(prepared, &cell.run, punctuation)?),
                ("rule", &rule),
                ("decoder", &decoder),
                ("limits", &limits),
                ("split", &cell.split.name()),
                ("punctuation", &format!("{punctuation:?}")),
            ],
        ))
    }

    /// Whether the results of a cell are in the store.
    pub fn has_cell(&self, prepared: &Prepared, cell: &Cell, punctuation: &Punctuation) -> bool {
        self.cell_key(prepared, cell, punctuation).is_ok_and(|key| self.store.has(&key))
    }

    /// The results of a cell, a row a sentence. `gold` are the sentences of its part with the treebank's tags; `model` is
    /// asked for only if the cell is not in the store.
    ///
    /// # Errors
    /// See [`PieceError`].
    pub fn cell<'m>(
        &self,
        prepared: &Prepared,
        gold: &[Sentence],
        cell: &Cell,
        punctuation: &Punctuation,
        model: impl FnOnce() -> Result<(&'m Pruned, &'m Model), PieceError>,
    ) -> Result<Vec<SentenceRow>, PieceError> {
        let key = cell.key(self.config);
        let decode = |bytes: &[u8]| evaluate::decode_rows(bytes, &key);
        self.piece(&self.cell_key(prepared, cell, punctuation)?, decode, || {
            let (pruned, model) = model()?;
            let (rule, decoder) = search(cell)?;
            let parser = Parser { pruner: &pruned.pruner, rule, model, decoder, limits: cell.limits };
            let rows = evaluate::evaluate(&parser, prepared.part(cell.split), gold, punctuation)?;
            Ok(evaluate::encode_rows(&rows))
        })
    }
}
