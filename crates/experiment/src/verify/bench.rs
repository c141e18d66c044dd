//! One sentence under examination: its row, its tree, and its graph under another decoder.

use super::trees;
use super::weigh::Scale;
use crate::parsed::{decode_rows, encode_rows};
use crate::rows::SentenceRow;
use crate::rows::differences;
use treebound_core::decode::bnb::Limits;
use treebound_core::decode::{self, Backbone, Decoded, Decoder};
use treebound_core::graph::{FactorGraph, Word};
use treebound_core::tree::Tree;
use treebound_parser::answer::{Answer, Evaluated, NoClock, Phases, Proof};
use treebound_parser::model::{ParseError, Parser, Scratch};
use treebound_parser::treebank::{Punctuation, Sentence};

/// Longest sentences that all trees are made of.
const BRUTE_WORDS: usize = 7;

/// What sentences of one cell are looked at with; memory is reused.
pub(super) struct Bench<'a> {
    parser: Parser<'a>,
    scale: Scale<'a>,
    scratch: Scratch,
    others: decode::Scratch,
    limits: Limits,
}

impl<'a> Bench<'a> {
    /// For a parser; other decoders stop at `limits`.
    pub fn new(parser: Parser<'a>, limits: Limits) -> Self {
        let scale = Scale::new(parser.model);
        Self { parser, scale, scratch: Scratch::default(), others: decode::Scratch::default(), limits }
    }

    /// Chooses the candidate arcs of a sentence.
    pub fn prune(&mut self, seen: &Sentence) {
        self.parser.candidates(&seen.tokens, &mut self.scratch);
    }

    /// Parses a sentence again. Returns how that differs from its row and from the `heads` that are kept, and its heads.
    pub fn repeat(
        &mut self,
        row: &SentenceRow,
        heads: Option<&[Word]>,
        seen: &Sentence,
        gold: &Sentence,
        punctuation: &Punctuation,
    ) -> Result<(Vec<String>, Vec<Word>), ParseError> {
        let (decoded, phases) = self.parser.parse(&seen.tokens, &mut self.scratch, &mut NoClock)?;
        let (relations, list) = (self.scratch.take_relations(), self.scratch.take_list());
        let answer =
            Answer::from_decoded(decoded, self.scratch.arcs(), phases).with_relations(relations).with_list(list);
        let answer = answer.with_solved(self.scratch.solved());
        let again = answer.tree.as_ref().map_or(&[][..], Tree::heads).to_vec();
        let mut faults: Vec<String> = differences(row, &row_of(&answer, row, gold, punctuation))
            .into_iter()
            .map(|fault| format!("{fault} where it is parsed again"))
            .collect();
        if let Some(heads) = heads.filter(|heads| *heads != again) {
            let differ = heads.iter().zip(&again).position(|(kept, again)| kept != again).unwrap_or_default();
            let head = |heads: &[Word]| heads.get(differ).map_or("none".to_owned(), ToString::to_string);
            let (kept, again) = (head(heads), head(&again));
            faults.push(format!(
                "word {} has head {kept} in the cache, but {again} where it is parsed again",
                differ + 1
            ));
        }
        Ok((faults, again))
    }

    /// What is wrong with the heads of the sentence that was pruned or parsed last.
    pub fn tree_fault(&mut self, row: &SentenceRow, heads: &[Word], seen: &Sentence) -> Option<String> {
        // No tree has no score.
        if heads.is_empty() && row.score.is_none() {
            return None;
        }
        let kind = self.parser.model.tree_kind();
        if let Some(fault) = trees::fault(seen.len(), heads, self.scratch.arcs(), kind) {
            return Some(fault);
        }
        let tree = match Tree::new(heads.to_vec()) {
            Ok(tree) => tree,
            Err(fault) => return Some(fault.to_string()),
        };
        let stands = row.score.map(i128::from);
        let sum = self.scale.score(&seen.tokens, &tree, stands);
        (Some(sum) != stands).then(|| format!("score {}, but the weights of its parts sum to {sum}", shown(row.score)))
    }

    /// Solves the sentence that was parsed last by other decoders, until one proves its answer, and says what is wrong with
    /// the row if that is right.
    ///
    /// # Errors
    /// Why none proves its answer.
    pub fn solve(&mut self, row: &SentenceRow) -> Result<Option<String>, &'static str> {
        let graph = self.scratch.graph();
        let others = others(self.parser.decoder, self.parser.model.backbone(), graph);
        let why = if others.is_empty() {
            "no other decoder knows their parts, and they are too long for brute force"
        } else {
            "other decoders stopped at their limit (--dp-calls)"
        };
        for (decoder, backbone) in others {
            let prior = self.scratch.prior();
            let Ok(other) = decoder.decode(graph, backbone, prior, self.limits, &mut self.others) else { continue };
            if other.status.is_proof() {
                let fault = disagreement(row, &other);
                return Ok(fault.map(|fault| format!("{fault} by {}/{decoder}", backbone.name())));
            }
        }
        Err(why)
    }
}

/// How the counts of a row differ from those of its heads.
pub(super) fn recount(row: &SentenceRow, heads: &[Word], gold: &Sentence, punctuation: &Punctuation) -> Vec<String> {
    let tree = match Tree::new(heads.to_vec()) {
        _ if heads.is_empty() => None,
        Ok(tree) => Some(tree),
        Err(fault) => return vec![fault.to_string()],
    };
    let answer = Answer {
        tree,
        relations: None,
        list: None,
        score: row.score.map(i128::from),
        bound: row.bound.map(i128::from),
        proof: row.status,
        candidates: None,
        effort: row.effort,
        phases: Phases::default(),
    };
    let SentenceRow { gold_kept, heads_kept, .. } = *row;
    let counted = SentenceRow { gold_kept, heads_kept, ..row_of(&answer, row, gold, punctuation) };
    differences(row, &counted).into_iter().map(|fault| format!("{fault} by its heads")).collect()
}

/// The row of an answer, in the place of another one.
fn row_of(answer: &Answer, place: &SentenceRow, gold: &Sentence, punctuation: &Punctuation) -> SentenceRow {
    let rows = decode_rows(&encode_rows(&[Evaluated::new(answer, gold, punctuation)]), &place.cell);
    // What was just written reads back.
    let row = rows.ok().and_then(|rows| rows.into_iter().next()).unwrap_or_else(|| place.clone());
    SentenceRow { key: place.key, sentence: place.sentence, ..row }
}

fn shown(value: Option<i64>) -> String {
    value.map_or("none".to_owned(), |value| value.to_string())
}

/// What is wrong with a row if another decoder is right.
fn disagreement(row: &SentenceRow, other: &Decoded) -> Option<String> {
    let Some(best) = other.score else {
        return row.score.map(|score| format!("score {score}, but there is no tree"));
    };
    let (score, bound) = (row.score.map(i128::from), row.bound.map(i128::from));
    if score.is_some_and(|score| score > best) || (row.status == Proof::Optimal && score != Some(best)) {
        return Some(format!("score {}, but the best is {best}", shown(row.score)));
    }
    bound.is_some_and(|bound| bound < best).then(|| format!("bound {}, but a tree scores {best}", shown(row.bound)))
}

/// Other exact decoders of a graph, with the program under each: those that share least with `decoder` first.
fn others(decoder: Decoder, backbone: Backbone, graph: &FactorGraph) -> Vec<(Decoder, Backbone)> {
    let other_program = match backbone {
        Backbone::Carreras => Backbone::GrandSibling,
        Backbone::GrandSibling => Backbone::Carreras,
        Backbone::Arborescence => Backbone::Arborescence,
    };
    // Grand-siblings are always left to the program that scores them, and would make both programs the same.
    let programs_differ = graph.grand_siblings.is_empty();
    let mut others = Vec::new();
    if graph.space.words() <= BRUTE_WORDS {
        others.push((Decoder::Brute, backbone));
    }
    match decoder {
        // What is local to the one program may be a factor to the other, which then searches.
        Decoder::Dp if programs_differ => {
            others.extend([Decoder::Dp, Decoder::PAPER].map(|decoder| (decoder, other_program)));
        }
        Decoder::Dp | Decoder::Brute => {}
        // No other decoder looks for the same tree.
        Decoder::Mbr | Decoder::ArcChanges => return Vec::new(),
        Decoder::Bnb => others.push((Decoder::PAPER, backbone)),
        _ => others.push((Decoder::Bnb, backbone)),
    }
    if decoder.is_search() && programs_differ {
        others.push((Decoder::Bnb, other_program));
    }
    others
}
