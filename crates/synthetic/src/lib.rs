//! The synthetic treebank: made by rule and by chance, so that the parser has something to run on where no treebank is at
//! hand, and so that it is known what there is to be found.
//!
//! # The language
//!
//! A sentence is a clause that grows (`grammar`): objects, adpositional phrases, adverbs, subordinate, relative and
//! coordinated clauses, until it has the length drawn for it. Words (`lexicon`) are pseudo-words, Zipfian in every class,
//! with endings that hint at their tag. Nouns have one of three classes, adpositions are in three groups, and both are
//! seen in their tags; words also have a hidden field of meaning, by which heads choose their modifiers, so that whether a
//! phrase hangs on a noun or a verb is learnt word by word. Local factors are enough for all of this.
//!
//! On top of it come the [`Phenomenon`]s, each a construction whose structure is drawn first, at random among several
//! that look the same to local factors, and whose words are then made to agree with it. None can be told from one arc,
//! from two adjacent modifiers or from an outermost child. So a parser gains on them exactly by the family of factors that
//! spans what agrees: all siblings see brackets and lists, all grandchildren see parallels and circumpositions, and
//! resumption, concord and ideophones wait for larger factors.
//!
//! Last, some sentences are made non-projective by moving a constituent, and some heads and tags are replaced at random.
//!
//! # Chance
//!
//! The vocabulary depends on the seed and its size; sentence i of a part depends on the settings other than the sizes of
//! the parts, on the part and on i, and so neither on how many sentences are made nor in which order or by how many
//! threads. All that is drawn, weighted and compared is an integer: there is no floating point here, and the bytes are the
//! same on every machine.

mod config;
mod draft;
mod grammar;
mod lexicon;
mod noise;
mod phenomena;
mod phrases;
mod tags;

use std::io;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use rayon::prelude::*;
use thiserror::Error;

use crate::draft::{Draft, Draw};
use crate::lexicon::Lexicon;
use crate::phrases::Grower;
use treebound_core::tree::{Tree, TreeFault, Word};
use treebound_parser::treebank::{Place, Sentence, Token};

pub use config::{Config, ConfigError, MOST_SENTENCES, Rates, VOCABULARY};
pub use phenomena::Phenomenon;

treebound_parser::named! {
    /// A part of a treebank.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Section {
        /// To learn from.
        Train = "train",
        /// To choose by.
        Dev = "dev",
        /// To report on.
        Test = "test",
    }
}

/// Why a treebank could not be made.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SynthError {
    /// A config that is out of range.
    #[error("synthetic treebank: {0}")]
    Config(#[from] ConfigError),
    /// A sentence whose heads are no tree: a fault of the grammar, not of the config.
    #[error("synthetic treebank: sentence {sentence}: {fault}")]
    Tree {
        /// The number of the sentence in its part, from 1.
        sentence: usize,
        /// What is wrong.
        fault: TreeFault,
    },
}

/// A synthetic treebank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Synthetic {
    /// The training part.
    pub train: Vec<Sentence>,
    /// The development part.
    pub dev: Vec<Sentence>,
    /// The test part.
    pub test: Vec<Sentence>,
}

/// A sentence, and which phenomenon decides the head of each of its words, if one does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marked {
    /// The sentence.
    pub sentence: Sentence,
    /// One entry a word.
    pub decided: Vec<Option<Phenomenon>>,
}

/// Makes a synthetic treebank, in parallel; the same one always.
///
/// # Errors
/// A config that is out of range.
pub fn generate(config: &Config) -> Result<Synthetic, SynthError> {
    let generator = Generator::new(config)?;
    let [train, dev, test] = Section::ALL.map(|part| generator.sentences(part));
    Ok(Synthetic { train: train?, dev: dev?, test: test? })
}

/// Makes the sentences of a synthetic treebank one by one.
#[derive(Debug)]
pub struct Generator {
    config: Config,
    lexicon: Lexicon,
    /// What places in the parts are named after.
    paths: [Arc<PathBuf>; 3],
}

impl Generator {
    /// Checks the config and makes the vocabulary.
    ///
    /// # Errors
    /// A config that is out of range.
    pub fn new(config: &Config) -> Result<Self, ConfigError> {
        config.validate()?;
        let lexicon = Lexicon::new(config.seed, config.vocabulary);
        let paths = Section::ALL.map(|part| Arc::new(PathBuf::from(format!("synthetic {}", part.name()))));
        Ok(Self { config: config.clone(), lexicon, paths })
    }

    /// Sentences in a part.
    pub fn size(&self, part: Section) -> usize {
        match part {
            Section::Train => self.config.train,
            Section::Dev => self.config.dev,
            Section::Test => self.config.test,
        }
    }

    /// All sentences of a part.
    ///
    /// # Errors
    /// As [`sentence`](Self::sentence).
    pub fn sentences(&self, part: Section) -> Result<Vec<Sentence>, SynthError> {
        (0..self.size(part)).into_par_iter().map(|i| Ok(self.sentence(part, i)?.sentence)).collect()
    }

    /// All sentences of a part, marked.
    ///
    /// # Errors
    /// As [`sentence`](Self::sentence).
    pub fn marked(&self, part: Section) -> Result<Vec<Marked>, SynthError> {
        (0..self.size(part)).into_par_iter().map(|i| self.sentence(part, i)).collect()
    }

    /// Sentence `index`, from 0, of a part.
    ///
    /// # Errors
    /// Only if the grammar is wrong, which a test rules out.
    pub fn sentence(&self, part: Section, index: usize) -> Result<Marked, SynthError> {
        let stream = (part as u64) << 32 | index as u64;
        let mut grower = Grower {
            config: &self.config,
            lexicon: &self.lexicon,
            draw: Draw::new(self.config.seed, stream),
            draft: Draft::default(),
            held_out: part != Section::Train,
        };
        grower.sentence();
        let Grower { draft, mut draw, .. } = grower;
        let mut order = draft.order();
        if draw.chance(self.config.nonprojective) {
            noise::extrapose(&draft, &mut order, &mut draw);
        }
        let mut position = vec![0; draft.len()];
        for (i, &id) in order.iter().enumerate() {
            position[id] = i + 1;
        }
        let head = |id: usize| match draft.nodes[id].place {
            draft::Seat::Root => Word::ROOT,
            _ => Word::new(position[draft.nodes[id].head]),
        };
        let tree = Tree::new(order.iter().map(|&id| head(id)).collect())
            .map_err(|fault| SynthError::Tree { sentence: index + 1, fault })?;
        let tree = noise::heads(tree, self.config.head_noise, &mut draw);
        let mut tokens: Vec<Token> = order
            .iter()
            .map(|&id| {
                let node = &draft.nodes[id];
                Token {
                    form: node.form.to_owned(),
                    coarse: node.tag.coarse().to_owned(),
                    fine: node.tag.fine().to_owned(),
                    ..Token::default()
                }
            })
            .collect();
        noise::tags(&mut tokens, self.config.tag_noise, &mut draw);
        let decided = order.iter().map(|&id| draft.nodes[id].decided).collect();
        let place = Place { path: self.paths[part as usize].clone(), line: 0, sentence: index + 1, id: None };
        Ok(Marked { sentence: Sentence { tokens, gold: Some(tree), relations: None, place }, decided })
    }
}

/// Writes sentences of `part`, the first of them its first, as CoNLL-U. Where a phenomenon decides the head of a word, the
/// last column says which (`Decided=brackets`); no reader takes it for more than a remark.
///
/// # Errors
/// What the writer says.
pub fn write_conllu(part: Section, sentences: &[Marked], out: &mut impl Write) -> io::Result<()> {
    for (i, Marked { sentence, decided }) in sentences.iter().enumerate() {
        let forms: Vec<&str> = sentence.tokens.iter().map(|t| t.form.as_str()).collect();
        writeln!(out, "# sent_id = {}-{}", part.name(), i + 1)?;
        writeln!(out, "# text = {}", forms.join(" "))?;
        let heads = sentence.gold.iter().flat_map(|tree| tree.heads());
        for (j, ((token, decided), head)) in sentence.tokens.iter().zip(decided).zip(heads).enumerate() {
            let Token { form, coarse, fine, .. } = token;
            let relation = if head.is_root() { "root" } else { "dep" };
            write!(out, "{}\t{form}\t_\t{coarse}\t{fine}\t_\t{head}\t{relation}\t_\t", j + 1)?;
            match decided {
                Some(phenomenon) => writeln!(out, "Decided={phenomenon}")?,
                None => writeln!(out, "_")?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}
