//! Parsing the sentences of a cell in parallel and counting what is right.

use std::sync::Arc;

use rayon::prelude::*;

use super::pieces::PieceError;
use crate::answer::{Count, Effort, NoClock, Proof};
use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::cell::CellKey;
use crate::decode::Decoded;
use crate::graph::Word;
use crate::parser::{Parser, Scratch};
use crate::records::SentenceRow;
use crate::treebank::{Punctuation, Sentence, Tree};

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
    pub gold_kept: Option<u64>,
    /// Candidate heads kept.
    pub heads_kept: Option<u64>,
    /// What is proven of the tree.
    pub status: Proof,
    /// Score of the tree.
    pub score: Option<i64>,
    /// Proven bound.
    pub bound: Option<i64>,
    /// What the parse cost.
    pub effort: Effort,
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
        gold_kept: None,
        heads_kept: Some(arcs.len() as u64),
        status: answer.status.into(),
        score: answer.score.map(score),
        bound: answer.bound.map(score),
        effort: Effort::default().with(Count::Nodes, answer.nodes).with(Count::DpCalls, answer.dp_calls),
    };
    let mut gold_kept = 0;
    for (i, (token, &head)) in gold.tokens.iter().zip(gold_heads).enumerate() {
        let right = u64::from(heads.get(i) == Some(&head));
        let scored = u64::from(!punctuation.covers(token));
        counts.correct += right;
        counts.scored_tokens += scored;
        counts.scored_correct += right * scored;
        gold_kept += u64::from(arcs.binary_search(&(head, Word::new(i + 1))).is_ok());
    }
    counts.gold_kept = Some(gold_kept);
    counts
}

/// The rows of a cell as bytes, without its key.
pub fn encode_rows(rows: &[Evaluated]) -> Vec<u8> {
    let mut out = BytesWriter::default();
    out.u64(rows.len() as u64);
    for r in rows {
        for value in [
            r.tokens,
            r.correct,
            r.scored_tokens,
            r.scored_correct,
            r.root_correct.into(),
            r.complete.into(),
            r.status.code().into(),
        ] {
            out.u64(value);
        }
        put(&mut out, r.gold_kept);
        put(&mut out, r.heads_kept);
        put(&mut out, r.score.map(|score| score as u64));
        put(&mut out, r.bound.map(|bound| bound as u64));
        Count::ALL.iter().for_each(|&count| put(&mut out, r.effort.get(count)));
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
        let [tokens, correct, scored_tokens, scored_correct, root_correct, complete, code] = numbers(&mut from)?;
        let mut row = SentenceRow {
            cell: cell.clone(),
            sentence,
            tokens,
            correct,
            scored_tokens,
            scored_correct,
            root_correct,
            complete,
            status: Proof::of_code(code).ok_or(Damaged)?,
            gold_kept: optional(&mut from)?,
            heads_kept: optional(&mut from)?,
            score: optional(&mut from)?.map(|score| score as i64),
            bound: optional(&mut from)?.map(|bound| bound as i64),
            effort: Effort::default(),
        };
        for &count in Count::ALL {
            row.effort.set(count, optional(&mut from)?);
        }
        rows.push(row);
    }
    from.end()?;
    Ok(rows)
}

fn numbers<const N: usize>(from: &mut BytesReader) -> Result<[u64; N], Damaged> {
    let mut numbers = [0; N];
    for number in &mut numbers {
        *number = from.u64()?;
    }
    Ok(numbers)
}

fn put(out: &mut BytesWriter, value: Option<u64>) {
    out.u64(value.is_some().into());
    out.u64(value.unwrap_or_default());
}

fn optional(from: &mut BytesReader) -> Result<Option<u64>, Damaged> {
    let [known, value] = numbers(from)?;
    Ok((known == 1).then_some(value))
}
