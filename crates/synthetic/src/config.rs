//! What can be chosen about a synthetic treebank.

use serde::Serialize;
use thiserror::Error;

use crate::phenomena::Phenomenon;

/// Most sentences in one part.
pub const MOST_SENTENCES: usize = 1_000_000;
/// Fewest and most words of the open classes.
pub const VOCABULARY: std::ops::RangeInclusive<usize> = 500..=1_000_000;

/// A synthetic treebank. Rates are in ‰ (1,000 is always), so that nothing depends on floating point.
///
/// Sentence i of a part depends on everything but the sizes, so a larger part begins with the smaller one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Config {
    /// Everything that is drawn follows from it. Default 1.
    pub seed: u64,
    /// Sentences of the training part. Default 2,000.
    pub train: usize,
    /// Sentences of the development part. Default 400.
    pub dev: usize,
    /// Sentences of the test part. Default 600.
    pub test: usize,
    /// Words of the open classes. Default 20,000.
    pub vocabulary: usize,
    /// How many of the words of open classes in the development and test parts are drawn from a vocabulary that the
    /// training part never uses, whatever its size, in ‰; the Zipfian tail adds to them. Default 25.
    pub unknown: u32,
    /// Words with a random head, in ‰, in all parts. Default 30.
    pub head_noise: u32,
    /// Words with a random tag, in ‰, in all parts. Default 10.
    pub tag_noise: u32,
    /// Sentences in which a constituent is moved to the end, across an arc, in ‰, where there is one to move.
    /// Default 25, which makes one or two sentences in a hundred non-projective.
    pub nonprojective: u32,
    /// How often each phenomenon is tried.
    pub phenomena: Rates,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            seed: 1,
            train: 2_000,
            dev: 400,
            test: 600,
            vocabulary: 20_000,
            unknown: 25,
            head_noise: 30,
            tag_noise: 10,
            nonprojective: 25,
            phenomena: Rates::default(),
        }
    }
}

/// How many of the steps in which a sentence grows try each phenomenon, in ‰; 0 switches it off. What is left of 1,000
/// is plain growth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rates {
    /// [`Phenomenon::Brackets`]. Default 140.
    pub brackets: u32,
    /// [`Phenomenon::Coordination`]. Default 130.
    pub coordination: u32,
    /// [`Phenomenon::Parallel`]. Default 130.
    pub parallel: u32,
    /// [`Phenomenon::Circumposition`]. Default 150.
    pub circumposition: u32,
    /// [`Phenomenon::Resumption`]. Default 60.
    pub resumption: u32,
    /// [`Phenomenon::Concord`]. Default 50.
    pub concord: u32,
    /// [`Phenomenon::Ideophones`]. Default 30.
    pub ideophones: u32,
}

impl Default for Rates {
    fn default() -> Self {
        Self {
            brackets: 140,
            coordination: 130,
            parallel: 130,
            circumposition: 150,
            resumption: 60,
            concord: 50,
            ideophones: 30,
        }
    }
}

impl Rates {
    /// No phenomenon at all.
    pub const NONE: Rates = Rates {
        brackets: 0,
        coordination: 0,
        parallel: 0,
        circumposition: 0,
        resumption: 0,
        concord: 0,
        ideophones: 0,
    };

    /// The rate of one phenomenon.
    pub fn rate(&self, phenomenon: Phenomenon) -> u32 {
        match phenomenon {
            Phenomenon::Brackets => self.brackets,
            Phenomenon::Coordination => self.coordination,
            Phenomenon::Parallel => self.parallel,
            Phenomenon::Circumposition => self.circumposition,
            Phenomenon::Resumption => self.resumption,
            Phenomenon::Concord => self.concord,
            Phenomenon::Ideophones => self.ideophones,
        }
    }

    /// The rate of one phenomenon, to be changed.
    pub fn rate_mut(&mut self, phenomenon: Phenomenon) -> &mut u32 {
        match phenomenon {
            Phenomenon::Brackets => &mut self.brackets,
            Phenomenon::Coordination => &mut self.coordination,
            Phenomenon::Parallel => &mut self.parallel,
            Phenomenon::Circumposition => &mut self.circumposition,
            Phenomenon::Resumption => &mut self.resumption,
            Phenomenon::Concord => &mut self.concord,
            Phenomenon::Ideophones => &mut self.ideophones,
        }
    }
}

/// What is wrong with a [`Config`]: one value out of range.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ConfigError {
    /// A part without sentences.
    #[error("{part} = 0: every part of a synthetic treebank needs at least one sentence")]
    Empty {
        /// The part.
        part: &'static str,
    },
    /// A part that is too large.
    #[error("{part} = {found}: at most {MOST_SENTENCES} sentences can be made")]
    TooLarge {
        /// The part.
        part: &'static str,
        /// Sentences asked for.
        found: usize,
    },
    /// A vocabulary that is too small or too large.
    #[error("vocabulary = {found}: it must have from {} to {} words", VOCABULARY.start(), VOCABULARY.end())]
    Vocabulary {
        /// Words asked for.
        found: usize,
    },
    /// A rate above 1,000 ‰.
    #[error("{rate} = {found}: rates are in ‰, from 0 to 1000")]
    Rate {
        /// The rate.
        rate: &'static str,
        /// What it is.
        found: u32,
    },
    /// Phenomena that together exceed 1,000 ‰.
    #[error("the phenomena add up to {found}; their rates are shares, in ‰, and reach at most 1000 together")]
    Phenomena {
        /// Their sum.
        found: u64,
    },
}

impl ConfigError {
    /// The name of the value at fault; `phenomena` for all of them together.
    pub fn key(&self) -> &'static str {
        match self {
            ConfigError::Empty { part } | ConfigError::TooLarge { part, .. } => part,
            ConfigError::Vocabulary { .. } => "vocabulary",
            ConfigError::Rate { rate, .. } => rate,
            ConfigError::Phenomena { .. } => "phenomena",
        }
    }
}

impl Config {
    /// The rate of that name, one of [`rate_names`](Self::rate_names).
    pub fn rate_mut(&mut self, name: &str) -> Option<&mut u32> {
        match name {
            "unknown" => Some(&mut self.unknown),
            "head_noise" => Some(&mut self.head_noise),
            "tag_noise" => Some(&mut self.tag_noise),
            "nonprojective" => Some(&mut self.nonprojective),
            _ => {
                let phenomenon = Phenomenon::ALL.into_iter().find(|phenomenon| phenomenon.name() == name)?;
                Some(self.phenomena.rate_mut(phenomenon))
            }
        }
    }

    /// The names of the rates.
    pub fn rate_names() -> impl Iterator<Item = &'static str> {
        ["unknown", "head_noise", "tag_noise", "nonprojective"].into_iter().chain(Phenomenon::ALL.map(Phenomenon::name))
    }

    /// Checks sizes and rates.
    ///
    /// # Errors
    /// The first that is out of range.
    pub fn validate(&self) -> Result<(), ConfigError> {
        self.faults().into_iter().next().map_or(Ok(()), Err)
    }

    /// All that is out of range.
    pub fn faults(&self) -> Vec<ConfigError> {
        let mut faults = Vec::new();
        for (part, found) in [("train", self.train), ("dev", self.dev), ("test", self.test)] {
            match found {
                0 => faults.push(ConfigError::Empty { part }),
                1..=MOST_SENTENCES => {}
                _ => faults.push(ConfigError::TooLarge { part, found }),
            }
        }
        if !VOCABULARY.contains(&self.vocabulary) {
            faults.push(ConfigError::Vocabulary { found: self.vocabulary });
        }
        let noise = [
            ("unknown", self.unknown),
            ("head_noise", self.head_noise),
            ("tag_noise", self.tag_noise),
            ("nonprojective", self.nonprojective),
        ];
        let phenomena = Phenomenon::ALL.map(|p| (p.name(), self.phenomena.rate(p)));
        let over = |&&(_, found): &&(&str, u32)| found > 1000;
        let too_high = noise.iter().chain(&phenomena).filter(over);
        faults.extend(too_high.map(|&(rate, found)| ConfigError::Rate { rate, found }));
        let found = phenomena.iter().map(|&(_, rate)| u64::from(rate)).sum();
        if found > 1000 && phenomena.iter().all(|&(_, rate)| rate <= 1000) {
            faults.push(ConfigError::Phenomena { found });
        }
        faults
    }
}
