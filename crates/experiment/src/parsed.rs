//! Parsing the sentences of a cell in parallel, counting what is right, and the bytes of what was counted and of the trees.

use std::sync::Arc;

use rayon::prelude::*;

use super::artifacts::ArtifactError;
use crate::rows::SentenceRow;
use treebound_core::graph::Word;
use treebound_parser::answer::{Answer, Count, Effort, Evaluated, NoClock, Proof, scored_right};
use treebound_parser::bytes::{BytesReader, BytesWriter, Damaged};
use treebound_parser::cell::CellKey;
use treebound_parser::reranking::Example;
use treebound_parser::systems::{How, Needs, Trained};
use treebound_parser::treebank::{Punctuation, Sentence, Token, Tree};
use treebound_records::RowKey;

/// Sentences that one session parses before the next looks for work.
const BATCH: usize = 16;

/// What came of the sentences of a cell.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// What is counted of each.
    pub counts: Vec<Evaluated>,
    /// The head of each word of each; none of a sentence without a tree.
    pub heads: Vec<Vec<Word>>,
}

/// Parses `sentences` (with the tags that the parser sees) and counts against `gold` (the same sentences with gold tags).
///
/// # Errors
/// The first batch that cannot be parsed.
pub fn evaluate(
    trained: &dyn Trained,
    needs: Needs,
    how: &How,
    sentences: &[Sentence],
    gold: &[Sentence],
    punctuation: &Punctuation,
) -> Result<Parsed, ArtifactError> {
    let batch = if needs.whole_parts { sentences.len().max(1) } else { BATCH };
    let parsed: Vec<Vec<(Evaluated, Vec<Word>)>> = sentences
        .par_chunks(batch)
        .zip(gold.par_chunks(batch))
        .map_init(
            || trained.session(how),
            |session, (sentences, gold)| {
                let session = match session {
                    Ok(session) => session,
                    // A session that could not be opened is tried again, so that its error is told.
                    Err(_) => &mut trained.session(how)?,
                };
                let answers = session.parse(&words(sentences), &mut NoClock);
                let answers = answers.map_err(|e| ArtifactError::parsing(e, sentences))?;
                let parsed = |(answer, gold): (&Answer, &Sentence)| {
                    let heads = answer.tree.as_ref().map_or(&[][..], Tree::heads).to_vec();
                    (Evaluated::new(answer, gold, punctuation), heads)
                };
                Ok(answers.iter().zip(gold).map(parsed).collect())
            },
        )
        .collect::<Result<_, ArtifactError>>()?;
    let (counts, heads) = parsed.into_iter().flatten().unzip();
    Ok(Parsed { counts, heads })
}

/// The lists of trees that a trained parser chooses among in some sentences, and how many words of each tree are right.
///
/// # Errors
/// The first batch that cannot be parsed.
pub fn lists(
    trained: &dyn Trained,
    how: &How,
    sentences: &[Sentence],
    gold: &[Sentence],
    punctuation: &Punctuation,
) -> Result<Vec<Example>, ArtifactError> {
    let lists: Vec<Vec<Example>> = sentences
        .par_chunks(BATCH)
        .zip(gold.par_chunks(BATCH))
        .map(|(sentences, gold)| {
            let answers = trained.session(how)?.parse(&words(sentences), &mut NoClock);
            let answers = answers.map_err(|e| ArtifactError::parsing(e, sentences))?;
            let example = |(answer, gold): (Answer, &Sentence)| {
                let list = answer.list.unwrap_or_default();
                let right = list.iter().map(|(tree, _)| scored_right(tree.heads(), gold, punctuation)).collect();
                Example { list, right }
            };
            Ok(answers.into_iter().zip(gold).map(example).collect())
        })
        .collect::<Result<_, ArtifactError>>()?;
    Ok(lists.into_iter().flatten().collect())
}

/// The words of sentences, as sessions take them: without their trees.
pub fn words(sentences: &[Sentence]) -> Vec<&[Token]> {
    sentences.iter().map(|sentence| sentence.tokens.as_slice()).collect()
}

/// The rows of a cell as bytes, without its key.
pub fn encode_rows(rows: &[Evaluated]) -> Vec<u8> {
    let mut out = BytesWriter::default();
    out.u64(rows.len() as u64);
    for r in rows {
        for count in [r.tokens, r.correct, r.scored_tokens, r.scored_correct, r.root_correct.into(), r.complete.into()]
        {
            out.u64(count);
        }
        out.u64(r.proof.code().into());
        let signed = |value: Option<i64>| value.map(|value| value as u64);
        for value in [r.gold_kept, r.heads_kept, signed(r.score), signed(r.bound)] {
            out.u64(value.is_some().into()).u64(value.unwrap_or_default());
        }
        // Only what is counted is written, so that a count of another system leaves these bytes as they are.
        let counted = || Count::ALL.iter().filter_map(|&count| Some((count as u64, r.effort.get(count)?)));
        out.u64(counted().count() as u64);
        for (count, value) in counted() {
            out.u64(count).u64(value);
        }
    }
    out.into_bytes()
}

/// Reads what [`encode_rows`] wrote, as rows of the cell `key`; what made them is not known to them.
///
/// # Errors
/// If the bytes are damaged.
pub fn decode_rows(bytes: &[u8], key: &CellKey) -> Result<Vec<SentenceRow>, Damaged> {
    let mut from = BytesReader::new(bytes);
    let cell = Arc::new(key.clone());
    let mut rows = Vec::new();
    for sentence in 1..=from.u64()? {
        rows.push(SentenceRow {
            cell: cell.clone(),
            key: RowKey::default(),
            sentence,
            tokens: from.u64()?,
            correct: from.u64()?,
            scored_tokens: from.u64()?,
            scored_correct: from.u64()?,
            root_correct: from.u64()?,
            complete: from.u64()?,
            status: Proof::from_code(from.u64()?).ok_or(Damaged)?,
            gold_kept: optional(&mut from)?,
            heads_kept: optional(&mut from)?,
            score: optional(&mut from)?.map(|score| score as i64),
            bound: optional(&mut from)?.map(|bound| bound as i64),
            effort: effort(&mut from)?,
        });
    }
    from.end()?;
    Ok(rows)
}

/// The trees of a cell as bytes: the head of each word.
pub fn encode_trees(heads: &[Vec<Word>]) -> Vec<u8> {
    let mut out = BytesWriter::default();
    out.u64(heads.len() as u64);
    for heads in heads {
        out.u32s(heads.iter().map(|head| head.0));
    }
    out.into_bytes()
}

/// Reads what [`encode_trees`] wrote.
///
/// # Errors
/// If the bytes are damaged.
pub fn decode_trees(bytes: &[u8]) -> Result<Vec<Vec<Word>>, Damaged> {
    let mut from = BytesReader::new(bytes);
    let mut heads = Vec::new();
    for _ in 0..from.u64()? {
        heads.push(from.u32s()?.map(Word).collect());
    }
    from.end()?;
    Ok(heads)
}

fn optional(from: &mut BytesReader) -> Result<Option<u64>, Damaged> {
    let known = from.u64()? == 1;
    let value = from.u64()?;
    Ok(known.then_some(value))
}

fn effort(from: &mut BytesReader) -> Result<Effort, Damaged> {
    let mut effort = Effort::default();
    for _ in 0..from.u64()? {
        let count = usize::try_from(from.u64()?).ok().and_then(|count| Count::ALL.get(count)).ok_or(Damaged)?;
        effort.set(*count, Some(from.u64()?));
    }
    Ok(effort)
}

#[cfg(test)]
mod tests {
    use super::*;
    use treebound_parser::answer::Limit;
    use treebound_parser::cell::Setting;

    #[test]
    fn rows_come_back_whatever_is_empty_in_them() {
        let axes = ["c", "dev", "gold", "chain-before", "-", "-", "-", "-", "-"];
        let key = Setting::read(axes).expect("a setting").with_seed(0);
        let full = Evaluated {
            tokens: 5,
            correct: 4,
            scored_tokens: 3,
            scored_correct: 2,
            root_correct: true,
            complete: false,
            gold_kept: Some(5),
            heads_kept: Some(9),
            proof: Proof::Stopped(Limit::DpCalls),
            score: Some(-7),
            bound: Some(11),
            effort: Effort::ZERO.with(Count::DpCalls, 6),
        };
        let bare = Evaluated {
            gold_kept: None,
            heads_kept: None,
            proof: Proof::Heuristic,
            score: None,
            bound: None,
            effort: Effort::default(),
            ..full.clone()
        };
        let rows = decode_rows(&encode_rows(&[full.clone(), bare]), &key).expect("rows");
        assert_eq!((rows[0].status, rows[0].score, rows[0].gold_kept), (full.proof, Some(-7), Some(5)));
        assert_eq!(rows[0].effort, full.effort);
        assert_eq!((rows[1].status, rows[1].score, rows[1].gold_kept), (Proof::Heuristic, None, None));
        assert_eq!(rows[1].effort.get(Count::DpCalls), None);
        let bytes = encode_rows(&[full]);
        assert!(decode_rows(&bytes[..bytes.len() - 1], &key).is_err());
    }
}
