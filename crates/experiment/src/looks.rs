//! Finished parses looked at word by word: accuracy by class, and what the probabilities of heads are worth.

use std::sync::Arc;

use rayon::prelude::*;

use super::artifacts::ArtifactError;
use super::cell::Cell;
use super::run::ExperimentContext;
use super::trees::{ParsedSentence, trees};
use super::visit::{VisitedGraph, each_graph_cell};
use crate::rows::{CalibrationRow, ClassRow, ScoreRow};
use treebound_core::graph::Word;
use treebound_parser::answer::NoClock;
use treebound_parser::error_analysis::{By, Parsed, breakdown};
use treebound_parser::model::{ParseError, Parser, Scratch};
use treebound_parser::treebank::{Punctuation, Sentence, Tree};
use treebound_records::calibration::{BINS, Bin, CERTAIN, bin_of};

/// What words are told apart by in a breakdown: all but their tags.
const VIEWS: [By; 5] = [By::SentenceLength, By::ArcLength, By::PredictedArcLength, By::Depth, By::PredictedDepth];

/// The words of a cell by class, from the trees that were kept.
///
/// # Errors
/// Those of [`trees`].
pub fn classes(context: &ExperimentContext, scores: &[ScoreRow], cell: &Cell) -> Result<Vec<ClassRow>, ArtifactError> {
    let key = cell.key(context.config);
    let parsed = trees(context, scores, |other| other == cell)?.remove(&key).unwrap_or_default();
    let parsed: Vec<Parsed> = parsed.iter().filter_map(ParsedSentence::parsed).collect();
    let key = Arc::new(key);
    let of_view = |by: By| {
        let key = key.clone();
        breakdown(&parsed, by).into_iter().map(move |(class, counts)| ClassRow {
            cell: key.clone(),
            key: context.row_key(&key),
            by: by.name().to_owned(),
            place: class.place(),
            class: class.name().to_owned(),
            words: counts.words,
            correct: counts.correct,
        })
    };
    Ok(VIEWS.into_iter().flat_map(of_view).collect())
}

/// The words of a cell of a CRF by the probability of their head: all its sentences are parsed again.
///
/// # Errors
/// See [`ArtifactError`]; among them a cell that has not as many right heads as `scores` say.
pub fn calibration(
    context: &ExperimentContext,
    scores: &[ScoreRow],
    cell: &Cell,
) -> Result<Vec<CalibrationRow>, ArtifactError> {
    let key = Arc::new(cell.key(context.config));
    let mut bins = [Bin::default(); BINS as usize];
    each_graph_cell(
        context,
        |other| other == cell,
        |VisitedGraph { dataset, parser, .. }| {
            let (sentences, gold) = dataset.part(cell.split);
            let said: Vec<Vec<Said>> = sentences
                .par_iter()
                .zip(gold)
                .with_min_len(4)
                .map_init(Scratch::default, |scratch, (sentence, gold)| {
                    let said = said(&parser, scratch, sentence, gold, dataset.punctuation());
                    said.map_err(|e| ArtifactError::Parse(sentence.place.clone(), e))
                })
                .collect::<Result<_, _>>()?;
            for Said { probability_e6, right } in said.into_iter().flatten() {
                let at = bin_of(probability_e6) as usize - 1;
                bins[at].add(Bin { words: 1, correct: right.into(), probability_e6 });
            }
            Ok::<_, ArtifactError>(())
        },
    )?;
    let right: u64 = bins.iter().map(|bin| bin.correct).sum();
    let row = scores.iter().find(|row| *row.cell == *key);
    if row.is_some_and(|row| row.counts.as_ref().is_ok_and(|counts| counts.scored_correct != right)) {
        return Err(ArtifactError::NotTheResults(key.to_string()));
    }
    let row = |(bin, Bin { words, correct, probability_e6 })| CalibrationRow {
        cell: key.clone(),
        key: context.row_key(&key),
        bin,
        words,
        correct,
        probability_e6,
    };
    Ok((1..).zip(bins).map(row).collect())
}

/// What a parser says of the head of a word.
struct Said {
    /// Its probability, in millionths.
    probability_e6: u64,
    /// Whether it is right.
    right: bool,
}

/// What it says of the scored words of a sentence.
fn said(
    parser: &Parser,
    scratch: &mut Scratch,
    sentence: &Sentence,
    gold: &Sentence,
    punctuation: &Punctuation,
) -> Result<Vec<Said>, ParseError> {
    let (answer, _) = parser.parse(&sentence.tokens, scratch, &mut NoClock)?;
    let probabilities = match &answer.tree {
        Some(tree) => parser.head_probabilities(tree, scratch)?,
        None => Vec::new(),
    };
    let [heads, right]: [&[Word]; 2] =
        [&answer.tree, &gold.gold].map(|tree| tree.as_ref().map_or(&[][..], Tree::heads));
    let of_word = |(i, head): (usize, &Word)| Said {
        probability_e6: probabilities.get(i).map_or(0, |p| (p * CERTAIN as f64 + 0.5) as u64).min(CERTAIN),
        right: heads.get(i) == Some(head),
    };
    let is_scored = |i: usize| gold.tokens.get(i).is_some_and(|token| !punctuation.covers(token));
    Ok(right.iter().enumerate().filter(|(i, _)| is_scored(*i)).map(of_word).collect())
}
