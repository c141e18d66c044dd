//! Treebanks.

use serde::{Serialize, Serializer};

use crate::config::place::Place;
use treebound_parser::cell::{CorpusName, Split};
use treebound_parser::systems::Nonprojective;
use treebound_parser::treebank::{FineTags, Punctuation};
use treebound_synthetic as synth;

/// A treebank.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Corpus {
    /// Its name in results.
    pub name: CorpusName,
    /// File format.
    pub format: Format,
    /// For brackets: a built-in table of head rules, or a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// How the bytes of the files are characters.
    #[serde(skip_serializing_if = "Encoding::is_utf8")]
    pub encoding: Encoding,
    /// Where the fine tags of CoNLL files come from.
    #[serde(skip_serializing_if = "FineTags::are_own")]
    pub fine_tags: FineTags,
    /// Folders to look for the files in: the first that exists is used.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub folder: Vec<String>,
    /// Files of the training part; `*` stands for any characters of a file name, `{0001..0159}` for a run of numbers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub train: Vec<String>,
    /// Files of the development part.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dev: Vec<String>,
    /// Files of the test part.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub test: Vec<String>,
    /// Which words are not scored.
    pub punctuation: Punctuation,
    /// What is done with non-projective training trees.
    pub nonprojective: Nonprojective,
    /// The data set of papers whose figures stand beside this corpus's in tables: `PTB`, `CTB` or `PDT`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<String>,
    /// Counts that prove the data is what it should be.
    #[serde(skip_serializing_if = "Expected::is_empty")]
    pub expected: Expected,
    /// For a synthetic treebank: what it is made from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub synthetic: Option<synth::Config>,
    /// Where it stands in the config file.
    #[serde(skip)]
    pub places: Places,
}

/// Where the keys of a corpus stand, for messages on its data.
#[derive(Clone, Debug, PartialEq)]
pub struct Places {
    /// `folder`; the table if there is no such key.
    pub folder: Place,
    /// `train`, `dev` and `test`.
    pub parts: [Place; 3],
    /// The expected counts of `train`, `dev` and `test`.
    pub expected: [Place; 3],
    /// `rules`.
    pub rules: Place,
}

/// How the bytes of a file are characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// UTF-8.
    #[serde(rename = "utf-8")]
    Utf8,
    /// GB 18030, of which GBK and GB 2312 are parts: what the Chinese Treebank was delivered in up to version 5.
    Gb18030,
}

impl Encoding {
    fn is_utf8(&self) -> bool {
        *self == Self::Utf8
    }
}

/// A treebank's file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// CoNLL-U.
    Conllu,
    /// CoNLL-X.
    Conllx,
    /// Penn Treebank brackets.
    Penn,
    /// Made by Treebound.
    Synthetic,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Conllu, Self::Conllx, Self::Penn, Self::Synthetic];

    /// The name in configs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Conllu => "conllu",
            Self::Conllx => "conllx",
            Self::Penn => "penn",
            Self::Synthetic => "synthetic",
        }
    }
}

/// Expected counts of each part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Expected {
    /// Of the training part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub train: Option<Counts>,
    /// Of the development part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dev: Option<Counts>,
    /// Of the test part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<Counts>,
}

impl Expected {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Of one part; nothing is expected of what is no part.
    pub fn of(&self, split: Split) -> Option<&Counts> {
        match split {
            Split::Train => self.train.as_ref(),
            Split::Dev => self.dev.as_ref(),
            Split::Test => self.test.as_ref(),
            Split::Cv => None,
        }
    }
}

/// Sentences and words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Sentences, if known: any of these will do (publications may disagree).
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "one_or_list")]
    pub sentences: Vec<u64>,
    /// Words, if known: any of these will do.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "one_or_list")]
    pub tokens: Vec<u64>,
}

fn one_or_list<S: Serializer>(counts: &[u64], serializer: S) -> Result<S::Ok, S::Error> {
    match counts {
        [one] => one.serialize(serializer),
        several => several.serialize(serializer),
    }
}
