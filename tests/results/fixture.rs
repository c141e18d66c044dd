//! Hand-made rows.

use std::path::Path;
use std::sync::Arc;

use treebound::answer::{Count, Effort, Phase, Phases, Proof};
use treebound::cell::{CellKey, Setting};
use treebound::experiment::rows::by_sentence::{self, CellSentences};
use treebound::experiment::rows::csv::{self, Record};
use treebound::experiment::rows::{Counts, LengthRow, ScoreRow, SentenceRow};
use treebound::frame::Frame;
use treebound::records::schema::Schema;
use treebound::sentences::Sentences;

/// A cell of the test part of `toy` with predicted tags.
pub fn cell(features: &str, prune: &str, decoder: &str, seed: u64) -> Arc<CellKey> {
    of(
        ["toy", "test", "predicted", "graph", "compact", "perceptron", features, prune, &format!("carreras/{decoder}")],
        seed,
    )
}

/// The cell of these axes.
pub fn of(axes: [&str; Setting::AXES.len()], seed: u64) -> Arc<CellKey> {
    Arc::new(setting(axes).with_seed(seed))
}

/// The setting of these axes.
pub fn setting(axes: [&str; Setting::AXES.len()]) -> Setting {
    Setting::read(axes).unwrap_or_else(|fault| panic!("{axes:?}: {fault:?}"))
}

/// The same cell with another setting.
pub fn changed(cell: &CellKey, change: impl FnOnce(&mut Setting)) -> Arc<CellKey> {
    let mut cell = cell.clone();
    change(&mut cell.setting);
    Arc::new(cell)
}

/// What a parse cost.
pub fn effort(nodes: u64, dp_calls: u64) -> Effort {
    Effort::default().with(Count::Nodes, nodes).with(Count::DpCalls, dp_calls)
}

/// Where the time went: pruning, scoring and decoding.
pub fn phases([prune, score, decode]: [u64; 3]) -> Phases {
    Phases::default().with(Phase::Prune, prune).with(Phase::Score, score).with(Phase::Decode, decode)
}

/// All sentences of one length, each proven, none right.
pub fn length(cell: &Arc<CellKey>, length: u64, sentences: u64, dp_calls: u64) -> LengthRow {
    LengthRow {
        cell: cell.clone(),
        key: Default::default(),
        length,
        sentences,
        correct: 0,
        scored_tokens: 0,
        scored_correct: 0,
        proven: Some(sentences),
        effort: effort(0, dp_calls),
    }
}

/// A sentence of `tokens` words, all but the last of which are scored.
pub fn sentence(cell: &Arc<CellKey>, sentence: u64, tokens: u64, scored_correct: u64) -> SentenceRow {
    SentenceRow {
        cell: cell.clone(),
        key: Default::default(),
        sentence,
        tokens,
        correct: scored_correct + 1,
        scored_tokens: tokens - 1,
        scored_correct,
        root_correct: u64::from(scored_correct > 0),
        complete: u64::from(scored_correct + 1 == tokens),
        gold_kept: Some(tokens),
        heads_kept: Some(3 * tokens),
        status: Proof::Optimal,
        score: Some(10),
        bound: Some(10),
        effort: effort(1, 2 * tokens),
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
        gold_kept: Some(990),
        heads_kept: Some(8500),
        proven: Some(100),
        effort: effort(100, 100),
    };
    ScoreRow { cell: cell.clone(), key: Default::default(), counts: Ok(counts) }
}

/// The message of the error that reading `text` as `FILE` ends in.
pub fn fault<R: Record>(text: &str) -> String {
    match csv::parse::<R>(text.as_bytes(), Path::new("FILE")) {
        Ok(_) => "no error".to_owned(),
        Err(e) => e.to_string(),
    }
}

/// Rows as a frame.
pub fn frame<R: Record>(rows: &[R], schema: &Schema) -> Frame {
    Frame::parse(&csv::text(rows).expect("rows"), Path::new("rows"), schema).expect("rows")
}

/// Rows of sentences as reports have them.
pub fn sentences(rows: &[SentenceRow]) -> Sentences {
    let mut rows = rows.to_vec();
    rows.sort();
    let text = by_sentence::text(CellSentences::of(&rows)).expect("rows");
    Sentences::parse(&text, Path::new("rows")).expect("rows")
}

/// Bytes as text.
pub fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("UTF-8")
}
