//! Parsed cells.

use super::{PieceError, Pruned, Workshop};
use crate::decode::Decoder;
use crate::experiment::cell::{Cell, TrainingRun};
use crate::experiment::evaluate;
use crate::experiment::prepared::Prepared;
use crate::experiment::store::Key;
use crate::parser::{Model, Parser};
use crate::records::SentenceRow;
use crate::treebank::{Punctuation, Sentence};

impl Workshop<'_> {
    fn cell_key(&self, prepared: &Prepared, cell: &Cell, punctuation: &Punctuation) -> Key {
        let Cell { corpus, tags, trainer, backbone, seed, .. } = *cell;
        let run = TrainingRun { corpus, tags, trainer, set: cell.set.clone(), backbone, seed };
        let limits =
            if cell.decoder == Decoder::Dp { String::new() } else { format!("{:?}", self.config.decoding.limits) };
        Key::new(
            "cell",
            &[
                ("model", &self.model_key(prepared, &run, punctuation)),
                ("rule", &cell.rule),
                ("decoder", &cell.decoder),
                ("limits", &limits),
                ("split", &cell.split.name()),
                ("punctuation", &format!("{punctuation:?}")),
            ],
        )
    }

    /// Whether the results of a cell are in the store.
    pub fn has_cell(&self, prepared: &Prepared, cell: &Cell, punctuation: &Punctuation) -> bool {
        self.store.has(&self.cell_key(prepared, cell, punctuation))
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
        self.piece(&self.cell_key(prepared, cell, punctuation), decode, || {
            let (pruned, model) = model()?;
            let parser = Parser {
                pruner: &pruned.pruner,
                rule: cell.rule,
                model,
                decoder: cell.decoder,
                limits: self.config.decoding.limits,
            };
            let rows = evaluate::evaluate(&parser, prepared.part(cell.split), gold, punctuation)?;
            Ok(evaluate::encode_rows(&rows))
        })
    }
}
