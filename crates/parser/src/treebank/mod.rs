//! Treebanks: sentences, trees and what makes them valid; readers, writers.

pub mod conll;
mod encoding;
mod error;
pub mod files;
pub mod penn;
mod punctuation;
pub mod relations;

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use crate::random::Folds;
pub use encoding::Encoding;
pub use error::{BracketFault, LineFault, TreebankError};
pub use punctuation::{Punctuation, TagColumn};
pub use relations::Relations;
use relations::universal;
use treebound_core::shown::{by_code_point, shown};
pub use treebound_core::tree::{Tree, TreeFault, Word, crossing};

/// One word. What many words share is shared between them, so that a copy is cheap.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Token {
    /// The word as written.
    pub form: String,
    /// Coarse part of speech (UPOS; CPOSTAG in CoNLL-X).
    pub coarse: String,
    /// Fine part of speech (XPOS; POSTAG in CoNLL-X).
    pub fine: String,
    /// The lemma; empty where the treebank has none (`_`).
    pub lemma: Arc<str>,
    /// The morphological features as written, such as `Case=Nom|Number=Sing`; empty where the treebank has none (`_`).
    pub feats: Arc<str>,
}

impl Token {
    /// The value of a morphological feature: `Nom` of `Case` in `Case=Nom|Number=Sing`. One that is written without a value has
    /// its name, and one that is not there nothing.
    pub fn feature(&self, name: &str) -> &str {
        let items = self.feats.split('|').map(|item| item.split_once('=').unwrap_or((item, item)));
        items.into_iter().find(|(key, _)| *key == name).map_or("", |(_, value)| value)
    }
}

/// Where a sentence was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub path: Arc<PathBuf>,
    /// The line of its first word, from 1.
    pub line: usize,
    /// Its number in the file, from 1.
    pub sentence: usize,
    /// What the file calls it: its `sent_id`.
    pub id: Option<Arc<str>>,
}

impl Default for Place {
    fn default() -> Self {
        Self { path: Arc::new(PathBuf::new()), line: 0, sentence: 0, id: None }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: sentence {}", self.path.display(), self.line, self.sentence)?;
        self.id.iter().try_for_each(|id| write!(f, " ({})", shown(id)))
    }
}

/// A sentence with its gold tree, if the treebank has one.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Sentence {
    /// The words.
    pub tokens: Vec<Token>,
    /// The tree of the treebank: possibly non-projective, possibly with several roots.
    pub gold: Option<Tree>,
    /// The relations of that tree, if the treebank has any.
    pub relations: Option<Relations>,
    /// Where it was read.
    pub place: Place,
}

impl Sentence {
    /// Number of words.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// True for no words.
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }
}

crate::named! {
    /// Where the fine tags of a treebank come from.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum FineTags {
        /// A column of their own.
        #[default]
        Own = "own",
        /// The coarse tags: for treebanks whose fine tags say too much, such as a word's function.
        Coarse = "coarse",
    }
}

impl FineTags {
    /// Whether they are as they were read.
    pub fn are_own(&self) -> bool {
        *self == Self::Own
    }

    /// Gives words as they were read these fine tags.
    pub fn put(self, tokens: &mut [Token]) {
        if self == Self::Coarse {
            tokens.iter_mut().for_each(|token| token.fine.clone_from(&token.coarse));
        }
    }
}

/// Most words of a sentence that is learnt from or parsed. Time grows with more than the square of the length, and so does
/// memory: a thousand words take some hundreds of megabytes, and no sentence of a treebank has as many.
pub const MOST_WORDS: usize = 1000;

/// Refuses sentences that are too long to be parsed.
///
/// # Errors
/// [`LineFault::TooLong`], with the place of the first.
pub fn check_lengths(sentences: &[Sentence]) -> Result<(), TreebankError> {
    match sentences.iter().find(|sentence| sentence.len() > MOST_WORDS) {
        Some(long) => Err(TreebankError::Line {
            place: long.place.clone(),
            fault: LineFault::TooLong { words: long.len(), most: MOST_WORDS },
        }),
        None => Ok(()),
    }
}

/// Counts of a parsed sentence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SentenceScore {
    /// 1, or 0 if one of the two has no tree.
    pub sentences: u64,
    /// Words.
    pub tokens: u64,
    /// Words with their gold heads.
    pub correct: u64,
    /// Words that are no punctuation.
    pub scored_tokens: u64,
    /// Words that are no punctuation, with their gold heads.
    pub scored_correct: u64,
    /// Whether the words on the root are those of the gold tree.
    pub root_correct: u64,
    /// Whether all words have their gold heads.
    pub complete: u64,
    /// Whether all words that are no punctuation have.
    pub scored_complete: u64,
    /// What is right of the relations; none if one of the two has no relations.
    pub labels: Option<LabelScore>,
}

/// Counts of the relations of a parsed sentence. The official scorer of the CoNLL 2018 shared task leaves subtypes aside and counts
/// all words; the others take relations as they are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LabelScore {
    /// Words that are no punctuation, with their gold heads and relations.
    pub scored_labelled: u64,
    /// Words with their gold heads and relations.
    pub labelled: u64,
    /// Words with their gold heads and relations but for subtypes: the official count.
    pub labelled_universal: u64,
    /// Words that are no punctuation with their gold relations, whatever the heads.
    pub scored_relations: u64,
}

impl LabelScore {
    /// The counts of a sentence: its gold relations and tree, those that a parser gives, and which words are no punctuation.
    pub fn new(gold: (&Tree, &Relations), predicted: (&Tree, &Relations), scored: impl Iterator<Item = bool>) -> Self {
        let mut score = Self::default();
        let heads = gold.0.heads().iter().zip(predicted.0.heads());
        for (((a, b), (one, other)), scored) in heads.zip(gold.1.iter().zip(predicted.1.iter())).zip(scored) {
            let has_head = a == b;
            score.labelled += u64::from(has_head && one == other);
            score.labelled_universal += u64::from(has_head && universal(one) == universal(other));
            score.scored_labelled += u64::from(scored && has_head && one == other);
            score.scored_relations += u64::from(scored && one == other);
        }
        score
    }
}

/// Two sentences that are not of the same words.
#[derive(Debug, Error)]
pub enum ScoreError {
    /// Sentences of different lengths.
    #[error("{0} has {1} words, but {2} has {3}: they must be the same sentences")]
    Length(Place, usize, Place, usize),
    /// Sentences that differ in a word.
    #[error("{0}: word {1} is {gold}, but {other} in {3}: they must be the same sentences", gold = .2[0], other = .2[1])]
    Word(Place, usize, Box<[String; 2]>, Place),
}

/// Whether two forms are those of one word, as the official scorer of the CoNLL 2018 shared task compares words: without blanks,
/// and small letters are as good as capitals.
pub fn is_same_word(a: &str, b: &str) -> bool {
    a == b || compared(a).eq(compared(b))
}

fn compared(form: &str) -> impl Iterator<Item = char> {
    form.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase)
}

/// Two words that are not the same, so that the difference is seen: by code point where they may look alike, which words of
/// other letters than ASCII do (`é` of one character, or of two).
pub fn told_apart(a: &str, b: &str) -> [String; 2] {
    let may_look_alike = [a, b].iter().any(|form| !form.is_ascii()) && a.len().abs_diff(b.len()) < 20;
    [a, b].map(|form| if may_look_alike { by_code_point(form) } else { format!("`{}`", shown(form)) })
}

impl SentenceScore {
    /// The counts of a sentence.
    ///
    /// # Errors
    /// If the words are not the same.
    pub fn new(gold: &Sentence, predicted: &Sentence, punctuation: &Punctuation) -> Result<Self, ScoreError> {
        let (place, other) = (&gold.place, &predicted.place);
        if gold.len() != predicted.len() {
            return Err(ScoreError::Length(place.clone(), gold.len(), other.clone(), predicted.len()));
        }
        let mut words = gold.tokens.iter().zip(&predicted.tokens).enumerate();
        if let Some((i, (a, b))) = words.find(|(_, (a, b))| !is_same_word(&a.form, &b.form)) {
            let words = Box::new(told_apart(&a.form, &b.form));
            return Err(ScoreError::Word(place.clone(), i + 1, words, other.clone()));
        }
        let (Some(gold_tree), Some(tree)) = (&gold.gold, &predicted.gold) else { return Ok(Self::default()) };
        let mut score = Self { sentences: 1, ..Self::default() };
        for (i, token) in gold.tokens.iter().enumerate() {
            let right = u64::from(gold_tree.heads()[i] == tree.heads()[i]);
            let scored = u64::from(!punctuation.covers(token));
            score.tokens += 1;
            score.correct += right;
            score.scored_tokens += scored;
            score.scored_correct += right * scored;
        }
        score.root_correct = u64::from(gold_tree.roots().eq(tree.roots()));
        score.complete = u64::from(score.correct == score.tokens);
        score.scored_complete = u64::from(score.scored_correct == score.scored_tokens);
        score.labels = gold.relations.as_ref().zip(predicted.relations.as_ref()).map(|(own, theirs)| {
            let scored = gold.tokens.iter().map(|token| !punctuation.covers(token));
            LabelScore::new((gold_tree, own), (tree, theirs), scored)
        });
        Ok(score)
    }
}
