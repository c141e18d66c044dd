//! The treebanks of an experiment, read, counted and checked against what the config expects.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::config::{Config, Corpus, Format, Place};
use super::files::{self, FilesError};
use super::store::sha256;
use treebound_parser::cell::Split;
use treebound_parser::systems::Nonprojective;
use treebound_parser::treebank::penn::{self, HeadRules, RulesError};
use treebound_parser::treebank::{self, FineTags, Sentence, Tree, TreebankError, conll};
use treebound_synthetic as synth;
use treebound_synthetic::{self, Generator, SynthError};

/// A corpus that cannot be used.
#[derive(Debug, Error)]
pub enum DataError {
    /// What the config says of its data cannot be.
    #[error("{place}: corpus `{corpus}`, {fault}")]
    Config {
        /// Where it says so.
        place: Place,
        /// The corpus.
        corpus: String,
        /// What is wrong.
        fault: Box<CorpusFault>,
    },
    /// A file cannot be read or is no treebank.
    #[error(transparent)]
    Treebank(#[from] TreebankError),
    /// A synthetic treebank cannot be made.
    #[error("corpus `{corpus}`: {source}")]
    Synthetic {
        /// The corpus.
        corpus: String,
        /// Why.
        source: SynthError,
    },
    /// Fewer sentences than folds.
    #[error(
        "corpus `{corpus}`: {folds} folds of {sentences} sentences: each fold needs one; lower folds in [evaluation]"
    )]
    TooManyFolds {
        /// The corpus.
        corpus: String,
        /// The folds asked for.
        folds: usize,
        /// Sentences of all parts.
        sentences: usize,
    },
    /// Sentences that are there twice cannot be cut into folds.
    #[error(
        "corpus `{corpus}`: {shared}: in cross-validation it would be learnt from in one fold and parsed in another; name it \
             in one part"
    )]
    SharedFolds {
        /// The corpus.
        corpus: String,
        /// The file.
        shared: Shared,
    },
    /// No training sentence is left.
    #[error("corpus `{corpus}`: no training sentence is left after dropping the non-projective ones")]
    NothingToLearn {
        /// The corpus.
        corpus: String,
    },
}

/// What is wrong with the data that a config names.
#[derive(Debug, Error)]
pub enum CorpusFault {
    /// Its folder cannot be found.
    #[error("folder: {0}")]
    Folder(FilesError),
    /// Files of a part cannot be found.
    #[error("{0}: {1}")]
    Files(&'static str, FilesError),
    /// The head rules cannot be used.
    #[error("rules: {0}")]
    Rules(#[from] RulesError),
    /// The counts are not those that the config expects.
    #[error(
        "{split}: {found} {what} where the config expects {}; the data is not what this experiment was made for \
         (correct the files, or [corpus.expected])",
        either(expected)
    )]
    Unexpected {
        /// The part.
        split: &'static str,
        /// `sentences` or `tokens`.
        what: &'static str,
        /// Found in the files.
        found: u64,
        /// Any of which the config expects.
        expected: Vec<u64>,
    },
}

fn either(counts: &[u64]) -> String {
    counts.iter().map(u64::to_string).collect::<Vec<_>>().join(" or ")
}

impl CorpusFault {
    /// As an error of the corpus, at a place of its config.
    fn of(self, corpus: &Corpus, place: &Place) -> DataError {
        DataError::Config { place: place.clone(), corpus: corpus.name.to_string(), fault: Box::new(self) }
    }
}

/// A part of a treebank.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// The sentences, with gold tags and trees.
    pub sentences: Vec<Sentence>,
    /// Trees of the files without a word, which are no sentences.
    pub wordless: Vec<treebank::Place>,
    /// The files, in order; empty for a synthetic treebank.
    pub files: Vec<PathBuf>,
    /// SHA-256 of the files' bytes, unpacked, led by what else decides the sentences (an encoding that is not UTF-8, head rules,
    /// fine tags that are the coarse ones); of a synthetic treebank, of its sentences as CoNLL-X.
    pub checksum: String,
}

impl Part {
    /// Words.
    pub fn tokens(&self) -> usize {
        self.sentences.iter().map(Sentence::len).sum()
    }

    /// Sentences whose tree is not projective.
    pub fn nonprojective(&self) -> usize {
        self.trees().filter(|t| !t.is_projective()).count()
    }

    /// Sentences with several words on the root.
    pub fn several_roots(&self) -> usize {
        self.trees().filter(|t| t.roots().count() > 1).count()
    }

    fn trees(&self) -> impl Iterator<Item = &Tree> {
        self.sentences.iter().filter_map(|s| s.gold.as_ref())
    }
}

/// What decides the sentences that a corpus is learnt from and parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checksums {
    /// Of the training part.
    pub train: String,
    /// Of the development part.
    pub dev: String,
    /// Of the test part.
    pub test: String,
    /// What is done with non-projective training trees.
    pub nonprojective: Nonprojective,
}

/// A file that two parts of a corpus have: who learns from it, or chooses by it, is tested on what is known.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{} is a file of {} and of {}", file.display(), parts[0], parts[1])]
pub struct Shared {
    /// The file.
    pub file: PathBuf,
    /// The parts.
    pub parts: [Split; 2],
}

/// Sentences that two parts of a corpus have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Common {
    /// The parts.
    pub parts: [Split; 2],
    /// How many sentences of the second part the first has too.
    pub sentences: usize,
    /// Sentences of the second part.
    pub of: usize,
    /// Where both have the longest.
    pub longest: [treebank::Place; 2],
}

impl std::fmt::Display for Common {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { parts: [first, second], sentences, of, longest: [a, b] } = self;
        write!(f, "{sentences} of {of} sentences of {second} are in {first} too; the longest: {a}, {b}")
    }
}

/// A corpus with its three parts.
#[derive(Clone, Debug)]
pub struct Treebank {
    /// The corpus as the config describes it.
    pub corpus: Corpus,
    /// For learning.
    pub train: Part,
    /// For choices.
    pub dev: Part,
    /// For results.
    pub test: Part,
}

impl Treebank {
    /// Reads all parts and checks their counts.
    ///
    /// # Errors
    /// See [`DataError`].
    pub fn read(config: &Config, corpus: &Corpus) -> Result<Self, DataError> {
        let part = |split| read_part(config, corpus, split);
        let treebank = Self {
            corpus: corpus.clone(),
            train: part(Split::Train)?,
            dev: part(Split::Dev)?,
            test: part(Split::Test)?,
        };
        for split in Split::PARTS {
            treebank.check_counts(split)?;
        }
        Ok(treebank)
    }

    /// One part. Of a [fold](super::folds) it is the test part that is parsed as `cv`.
    pub fn part(&self, split: Split) -> &Part {
        match split {
            Split::Train => &self.train,
            Split::Dev => &self.dev,
            Split::Test | Split::Cv => &self.test,
        }
    }

    /// The files that two parts have, under whatever names.
    pub fn shared(&self) -> Vec<Shared> {
        let whole = |file: &PathBuf| file.canonicalize().unwrap_or_else(|_| file.clone());
        let files = Split::PARTS.map(|split| self.part(split).files.iter().map(whole).collect::<BTreeSet<_>>());
        let mut shared = Vec::new();
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            let both = |file: &&PathBuf| [i, j].iter().all(|&part| files[part].contains(&whole(file)));
            let of_both = self.part(Split::PARTS[i]).files.iter().filter(both);
            shared.extend(
                of_both.map(|file| Shared { file: file.clone(), parts: [i, j].map(|part| Split::PARTS[part]) }),
            );
        }
        shared
    }

    /// The sentences that two parts have, word by word, wherever they stand: a part may be a copy under another name.
    pub fn common(&self) -> Vec<Common> {
        let words = |sentence: &Sentence| sentence.tokens.iter().map(|token| token.form.clone()).collect::<Vec<_>>();
        let of_parts = Split::PARTS.map(|split| {
            let sentences = self.part(split).sentences.iter().rev();
            sentences.map(|sentence| (words(sentence), &sentence.place)).collect::<BTreeMap<_, _>>()
        });
        let mut all = Vec::new();
        for parts in [[0, 1], [0, 2], [1, 2]] {
            let [of_first, of_second] = parts.map(|part| &of_parts[part]);
            let second = &self.part(Split::PARTS[parts[1]]).sentences;
            let sentences = second.iter().filter(|sentence| of_first.contains_key(&words(sentence))).count();
            let longest = of_second.iter().filter(|(words, _)| of_first.contains_key(*words));
            // Of equally long ones the first in the file.
            let longest = longest.min_by_key(|(words, place)| (Reverse(words.len()), place.line));
            if let Some((words, place)) = longest {
                let (parts, of) = (parts.map(|part| Split::PARTS[part]), second.len());
                let longest = [of_first[words].clone(), (*place).clone()];
                all.push(Common { parts, sentences, of, longest });
            }
        }
        all
    }

    /// Sentences of all parts.
    pub fn sentences(&self) -> usize {
        Split::PARTS.iter().map(|&split| self.part(split).sentences.len()).sum()
    }

    /// What decides its sentences.
    pub fn checksums(&self) -> Checksums {
        let [train, dev, test] = Split::PARTS.map(|split| self.part(split).checksum.clone());
        Checksums { train, dev, test, nonprojective: self.corpus.nonprojective }
    }

    fn check_counts(&self, split: Split) -> Result<(), DataError> {
        let Some(expected) = self.corpus.expected.of(split) else { return Ok(()) };
        let part = self.part(split);
        let counts = [
            ("sentences", part.sentences.len() as u64, &expected.sentences),
            ("tokens", part.tokens() as u64, &expected.tokens),
        ];
        for (what, found, expected) in counts {
            if !expected.is_empty() && !expected.contains(&found) {
                let place = &self.corpus.places.expected[split as usize];
                let fault = CorpusFault::Unexpected { split: split.name(), what, found, expected: expected.clone() };
                return Err(fault.of(&self.corpus, place));
            }
        }
        Ok(())
    }
}

/// Reads one part; its counts are not checked.
///
/// # Errors
/// See [`DataError`].
pub fn read_part(config: &Config, corpus: &Corpus, split: Split) -> Result<Part, DataError> {
    if corpus.format == Format::Synthetic {
        let settings = &corpus.synthetic.clone().unwrap_or_default();
        let fail = |source| DataError::Synthetic { corpus: corpus.name.to_string(), source };
        return made_part(settings, split).map_err(fail);
    }
    let names = match split {
        Split::Train => &corpus.train,
        Split::Dev => &corpus.dev,
        Split::Test | Split::Cv => &corpus.test,
    };
    let places = &corpus.places;
    let missing = |source| CorpusFault::Files(split.name(), source).of(corpus, &places.parts[split as usize]);
    let folder = files::folder(&config.base, &corpus.folder)
        .map_err(|source| CorpusFault::Folder(source).of(corpus, &places.folder))?;
    let files = files::expand(&folder, names).map_err(missing)?;
    let mut part = Part::default();
    let (reader, mut all) = Reader::new(config, corpus)?;
    for file in &files {
        let bytes = treebank::files::read(file)?;
        reader.read(&corpus.encoding.decode(&bytes, file)?, file, &mut part)?;
        all.extend_from_slice(&bytes);
    }
    treebank::check_lengths(&part.sentences)?;
    part.checksum = sha256(&all);
    part.files = files;
    Ok(part)
}

/// A part of a synthetic treebank. Its checksum is that of what was made rather than of the settings, so that work on
/// sentences of an older grammar is never taken for work on these.
fn made_part(settings: &synth::Config, split: Split) -> Result<Part, SynthError> {
    let part = match split {
        Split::Train => synth::Section::Train,
        Split::Dev => synth::Section::Dev,
        Split::Test | Split::Cv => synth::Section::Test,
    };
    let sentences = Generator::new(settings)?.sentences(part)?;
    let mut bytes = Vec::new();
    // Writing to memory cannot fail.
    let _ = conll::write_conllx(&sentences, &mut bytes);
    Ok(Part { sentences, checksum: sha256(&bytes), ..Part::default() })
}

/// Reads files of one corpus.
enum Reader {
    Conll(FineTags),
    Penn(HeadRules),
}

impl Reader {
    /// The reader, and the bytes beside the files that decide what it reads.
    fn new(config: &Config, corpus: &Corpus) -> Result<(Self, Vec<u8>), DataError> {
        let mut decisive = match corpus.encoding.is_utf8() {
            true => Vec::new(),
            false => format!("{}\n", corpus.encoding.name()).into_bytes(),
        };
        let reader = match corpus.format {
            // Of a synthetic treebank there are no files.
            Format::Conllu | Format::Conllx | Format::Synthetic => {
                if !corpus.fine_tags.are_own() {
                    decisive.extend(format!("fine tags: {}\n", corpus.fine_tags.name()).bytes());
                }
                Self::Conll(corpus.fine_tags)
            }
            Format::Penn => {
                let fail = |source| CorpusFault::Rules(source).of(corpus, &corpus.places.rules);
                // A config of brackets has rules.
                let rules = corpus.rules.as_deref().unwrap_or(HeadRules::BUILT_IN[0]);
                let (rules, text) = HeadRules::with_text(rules, &config.base).map_err(fail)?;
                decisive.extend(text);
                Self::Penn(rules)
            }
        };
        Ok((reader, decisive))
    }

    fn read(&self, bytes: &[u8], path: &Path, part: &mut Part) -> Result<(), TreebankError> {
        match self {
            Self::Conll(fine_tags) => {
                let mut sentences = conll::parse_gold(bytes, path)?;
                sentences.iter_mut().for_each(|sentence| fine_tags.put(&mut sentence.tokens));
                part.sentences.extend(sentences);
            }
            Self::Penn(rules) => {
                let file = penn::parse(bytes, path, rules)?;
                file.check_not_empty(path)?;
                part.sentences.extend(file.sentences);
                part.wordless.extend(file.wordless);
            }
        }
        Ok(())
    }
}
