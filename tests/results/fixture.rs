//! Hand-made rows.

use std::path::Path;
use std::sync::Arc;

use treebound::records::csv::Record;
use treebound::records::{CellKey, Counts, ScoreRow, SentenceRow};

/// A cell of the test part of `toy` with predicted tags.
pub fn cell(features: &str, prune: &str, decoder: &str, seed: u64) -> Arc<CellKey> {
    Arc::new(CellKey {
        corpus: "toy".to_owned(),
        split: "test".to_owned(),
        tags: "predicted".to_owned(),
        trainer: "perceptron".to_owned(),
        features: features.to_owned(),
        prune: prune.to_owned(),
        backbone: "carreras".to_owned(),
        decoder: decoder.to_owned(),
        seed,
    })
}

/// A sentence of `tokens` words, all but the last of which are scored.
pub fn sentence(cell: &Arc<CellKey>, sentence: u64, tokens: u64, scored_correct: u64) -> SentenceRow {
    SentenceRow {
        cell: cell.clone(),
        sentence,
        tokens,
        correct: scored_correct + 1,
        scored_tokens: tokens - 1,
        scored_correct,
        root_correct: u64::from(scored_correct > 0),
        complete: u64::from(scored_correct + 1 == tokens),
        gold_kept: tokens,
        heads_kept: 3 * tokens,
        status: "optimal".to_owned(),
        score: Some(10),
        bound: Some(10),
        nodes: 1,
        dp_calls: 2 * tokens,
    }
}

/// A cell of 100 sentences and 1,000 words, 900 of them scored.
pub fn score(cell: &Arc<CellKey>, scored_correct: u64) -> ScoreRow {
    let counts = Counts {
        sentences: 100,
        tokens: 1000,
        correct: scored_correct + 80,
        scored_tokens: 900,
        scored_correct,
        root_correct: 90,
        complete: 40,
        gold_kept: 990,
        heads_kept: 8500,
        proven: 100,
        nodes: 100,
        dp_calls: 100,
    };
    ScoreRow { cell: cell.clone(), counts: Ok(counts) }
}

/// The message of the error that reading `text` as `FILE` ends in.
pub fn fault<R: Record>(text: &str) -> String {
    match treebound::records::csv::parse::<R>(text.as_bytes(), Path::new("FILE")) {
        Ok(_) => "no error".to_owned(),
        Err(e) => e.to_string(),
    }
}

/// Bytes as text.
pub fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("UTF-8")
}
