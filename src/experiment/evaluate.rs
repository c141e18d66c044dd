//! Parsing the sentences of a cell in parallel and counting what is right.

use std::sync::Arc;

use rayon::prelude::*;

use super::config::Punctuation;
use super::pieces::PieceError;
use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::decode::{Decoded, Status};
use crate::graph::Word;
use crate::parser::{NoClock, Parser, Scratch};
use crate::records::{CellKey, SentenceRow};
use crate::treebank::{Sentence, Tree};

/// What is counted of one parsed sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluated {
    /// Words.
    pub tokens: u64,
    /// Words with the right head.
    pub correct: u64,
    /// Words that are no punctuation.
    pub scored_tokens: u64,
    /// Words that are no punctuation, with the right head.
    pub scored_correct: u64,
    /// Whether the words on the root are those of the gold tree.
    pub root_correct: bool,
    /// Whether every head is right.
    pub complete: bool,
    /// Words whose gold head was kept.
    pub gold_kept: u64,
    /// Candidate heads kept.
    pub heads_kept: u64,
    /// Why the decoder stopped.
    pub status: Status,
    /// Score of the tree.
    pub score: Option<i64>,
    /// Proven bound.
    pub bound: Option<i64>,
    /// Branch-and-bound nodes.
    pub nodes: u64,
    /// Calls to the dynamic program.
    pub dp_calls: u64,
}

/// Parses `sentences` (with the tags that the parser sees) and counts against `gold` (the same sentences with gold tags).
///
/// # Errors
/// The first sentence that cannot be parsed.
pub fn evaluate(
    parser: &Parser,
    sentences: &[Sentence],
    gold: &[Sentence],
    punctuation: &Punctuation,
) -> Result<Vec<Evaluated>, PieceError> {
    sentences
        .par_iter()
        .zip(gold)
        .with_min_len(16)
        .map_init(Scratch::default, |scratch, (sentence, gold)| {
            let (answer, _) = parser
                .parse(&sentence.tokens, scratch, &mut NoClock)
                .map_err(|e| PieceError::Parse(sentence.place.clone(), e))?;
            Ok(count(&answer, scratch.arcs(), gold, punctuation))
        })
        .collect()
}

/// Counts what is right in an answer.
pub fn count(answer: &Decoded, arcs: &[(Word, Word)], gold: &Sentence, punctuation: &Punctuation) -> Evaluated {
    let heads: &[Word] = answer.tree.as_ref().map_or(&[], Tree::heads);
    let gold_heads: &[Word] = gold.gold.as_ref().map_or(&[], Tree::heads);
    let score = |score: i128| i64::try_from(score).unwrap_or(i64::MAX);
    let mut counts = Evaluated {
        tokens: gold.len() as u64,
        correct: 0,
        scored_tokens: 0,
        scored_correct: 0,
        root_correct: heads.iter().map(|h| h.is_root()).eq(gold_heads.iter().map(|h| h.is_root())),
        complete: heads == gold_heads,
        gold_kept: 0,
        heads_kept: arcs.len() as u64,
        status: answer.status,
        score: answer.score.map(score),
        bound: answer.bound.map(score),
        nodes: answer.nodes,
        dp_calls: answer.dp_calls,
    };
    for (i, (token, &head)) in gold.tokens.iter().zip(gold_heads).enumerate() {
        let right = u64::from(heads.get(i) == Some(&head));
        let scored = u64::from(!punctuation.covers(token));
        counts.correct += right;
        counts.scored_tokens += scored;
        counts.scored_correct += right * scored;
        counts.gold_kept += u64::from(arcs.binary_search(&(head, Word::new(i + 1))).is_ok());
    }
    counts
}

const STATUSES: [Status; 4] = [Status::Optimal, Status::Infeasible, Status::NodeLimit, Status::DpCallLimit];

/// The rows of a cell as bytes, without its key.
pub fn encode_rows(rows: &[Evaluated]) -> Vec<u8> {
    let mut out = BytesWriter::default();
    out.u64(rows.len() as u64);
    for r in rows {
        let status = STATUSES.iter().position(|s| *s == r.status).unwrap_or(0) as u64;
        for value in [
            r.tokens,
            r.correct,
            r.scored_tokens,
            r.scored_correct,
            r.root_correct.into(),
            r.complete.into(),
            r.gold_kept,
            r.heads_kept,
            status,
            r.score.is_some().into(),
            r.score.unwrap_or_default() as u64,
            r.bound.is_some().into(),
            r.bound.unwrap_or_default() as u64,
            r.nodes,
            r.dp_calls,
        ] {
            out.u64(value);
        }
    }
    out.into_bytes()
}

/// Reads what [`encode_rows`] wrote, as rows of the cell `key`.
///
/// # Errors
/// If the bytes are damaged.
pub fn decode_rows(bytes: &[u8], key: &CellKey) -> Result<Vec<SentenceRow>, Damaged> {
    let mut from = BytesReader::new(bytes);
    let cell = Arc::new(key.clone());
    let mut rows = Vec::new();
    for sentence in 1..=from.u64()? {
        let mut next = || from.u64();
        rows.push(SentenceRow {
            cell: cell.clone(),
            sentence,
            tokens: next()?,
            correct: next()?,
            scored_tokens: next()?,
            scored_correct: next()?,
            root_correct: next()?,
            complete: next()?,
            gold_kept: next()?,
            heads_kept: next()?,
            status: STATUSES.get(next()? as usize).ok_or(Damaged)?.name().to_owned(),
            score: optional(&mut next)?,
            bound: optional(&mut next)?,
            nodes: next()?,
            dp_calls: next()?,
        });
    }
    from.end()?;
    Ok(rows)
}

fn optional(next: &mut impl FnMut() -> Result<u64, Damaged>) -> Result<Option<i64>, Damaged> {
    let known = next()? == 1;
    let value = next()? as i64;
    Ok(known.then_some(value))
}
