//! The trees of cells: those kept beside their rows, or parsed again where the store has none.

use std::collections::BTreeMap;

use super::artifacts::{ArtifactError, DatasetView, how};
use super::cell::{Cell, cells};
use super::jobs::shares;
use super::parsed::words;
use super::run::{ExperimentContext, Folded};
use super::visit::{Visited, each_cell};
use crate::rows::ScoreRow;
use treebound_core::graph::Word;
use treebound_parser::answer::NoClock;
use treebound_parser::cell::{CellKey, Split};
use treebound_parser::error_analysis::{By, Parsed, breakdown};
use treebound_parser::treebank::{Sentence, Tree};

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
/// fold, which is the order of the pool. Cells without kept trees are parsed again; models that are not in the store are
/// trained.
///
/// # Errors
/// See [`ArtifactError`]; among them a cell whose trees have not as many right heads as `scores` say.
pub fn trees(
    context: &ExperimentContext,
    scores: &[ScoreRow],
    wanted: impl Fn(&Cell) -> bool,
) -> Result<BTreeMap<CellKey, Vec<ParsedSentence>>, ArtifactError> {
    let config = context.config;
    let mut trees: BTreeMap<CellKey, Vec<ParsedSentence>> = BTreeMap::new();
    for cell in cells(config).into_iter().filter(&wanted) {
        if let Some(parsed) = kept(context, &cell)? {
            trees.insert(cell.key(config), parsed);
        }
    }
    let mut again: BTreeMap<CellKey, Vec<ParsedSentence>> = BTreeMap::new();
    let is_missing = |cell: &Cell| wanted(cell) && !trees.contains_key(&cell.key(config));
    each_cell(context, is_missing, |Visited { cell, dataset, pruned, trained, .. }| {
        let mut session = trained.session(&how(cell, pruned))?;
        let sentences = dataset.part(cell.split).0;
        let answers = session.parse(&words(sentences), &mut NoClock);
        let answers = answers.map_err(|e| ArtifactError::parsing(e, sentences))?;
        let heads = |tree: &Tree| tree.heads().to_vec();
        let heads = answers.iter().map(|answer| answer.tree.as_ref().map_or_else(Vec::new, heads));
        again.entry(cell.key(config)).or_default().extend(parsed(dataset, cell.split, heads));
        Ok::<_, ArtifactError>(())
    })?;
    trees.append(&mut again);
    for (key, parsed) in &trees {
        let right: u64 = parsed.iter().map(ParsedSentence::correct).sum();
        let row = scores.iter().find(|row| *row.cell == *key);
        if row.is_some_and(|row| row.counts.as_ref().is_ok_and(|counts| counts.correct != right)) {
            return Err(ArtifactError::NotTheResults(key.to_string()));
        }
    }
    Ok(trees)
}

/// The trees of a cell that stand beside its rows in the store; none if those of a share are missing.
fn kept(context: &ExperimentContext, cell: &Cell) -> Result<Option<Vec<ParsedSentence>>, ArtifactError> {
    let mut all = Vec::new();
    for (fold, key) in shares(context.config, cell.split).into_iter().zip(context.share_keys(cell)?) {
        let Some(heads) = context.builder.stored_trees(&key) else { return Ok(None) };
        let folded = fold.map(|fold| context.folded(&cell.run, fold)).transpose()?;
        let dataset = folded.as_ref().map_or_else(|| context.dataset(&cell.run), Folded::dataset);
        // Whoever looks at trees takes them for trees, and the store knows bytes alone.
        if !are_trees_of(&heads, dataset.part(cell.split).1) {
            return Ok(None);
        }
        all.extend(parsed(dataset, cell.split, heads.into_iter()));
    }
    Ok(Some(all))
}

/// Whether heads are a tree of each of some sentences, or none where no tree was found.
fn are_trees_of(heads: &[Vec<Word>], sentences: &[Sentence]) -> bool {
    let is_tree = |(heads, sentence): (&Vec<Word>, &Sentence)| {
        heads.is_empty() || heads.len() == sentence.len() && Tree::new(heads.clone()).is_ok()
    };
    heads.len() == sentences.len() && heads.iter().zip(sentences).all(is_tree)
}

/// Sentences of a part with the heads that they got.
fn parsed<'a>(
    dataset: DatasetView<'a>,
    split: Split,
    heads: impl Iterator<Item = Vec<Word>> + 'a,
) -> impl Iterator<Item = ParsedSentence> + 'a {
    dataset.part(split).1.iter().zip(heads).map(move |(gold, heads)| ParsedSentence {
        gold: gold.clone(),
        scored: gold.tokens.iter().map(|token| !dataset.punctuation().covers(token)).collect(),
        heads,
    })
}

impl ParsedSentence {
    /// As errors are looked at; none if the treebank has no tree.
    pub fn parsed(&self) -> Option<Parsed<'_>> {
        let Self { gold: sentence, scored, heads } = self;
        let gold = sentence.gold.as_ref()?;
        let (place, tokens, scored) = (&sentence.place, &sentence.tokens[..], scored.clone());
        Some(Parsed { place, tokens, gold, heads, scored, relations: [sentence.relations.as_ref(), None] })
    }

    /// Words with the right head.
    fn correct(&self) -> u64 {
        let gold = self.gold.gold.as_ref().map_or(&[][..], Tree::heads);
        gold.iter().zip(&self.heads).filter(|(gold, head)| gold == head).count() as u64
    }
}

/// The words of a class: its name, how many there are, and how many each of two parsers has right.
pub type ClassWords = (String, u64, [u64; 2]);

/// What two parsers have right of the same sentences by class of the gold trees: of each way to tell words apart its name for
/// people, and the classes in order.
pub fn classes(parses: [&[ParsedSentence]; 2]) -> Vec<(&'static str, Vec<ClassWords>)> {
    let parsed = parses.map(|sentences| sentences.iter().filter_map(ParsedSentence::parsed).collect::<Vec<_>>());
    let view = |by: By| {
        let [first, second] = parsed.each_ref().map(|sentences| breakdown(sentences, by));
        // Both have the words of the gold trees, so they have the same classes.
        let words = second.iter().map(|(class, counts)| {
            let of_first = first.get(class).copied().unwrap_or_default();
            (class.name().to_owned(), counts.words, [of_first.correct, counts.correct])
        });
        (by.label(), words.collect())
    };
    By::GOLD.map(view).into()
}
