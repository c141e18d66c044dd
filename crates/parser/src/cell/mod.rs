//! Cells: the points of an experiment, each on ten axes.
//!
//! A cell is what is parsed and counted as one: a part of a corpus, with whose tags, by which system, with which templates,
//! learner, feature set, pruning and decoding, from which seed. Each axis is a type with one spelling, in configs, results
//! and on the command line, and one order, in files, tables and figures. An axis that a system does not have (a trivial
//! baseline has no learner) is spelt [`ABSENT`].

mod axis;
mod data;
mod decoding;
mod features;
mod fold;
mod learner;
mod names;

use std::fmt::{self, Display};

pub use axis::{ABSENT, Axis, parse_optional, show_optional};
pub use data::{Split, Tags};
pub use decoding::Decoding;
pub use features::FeatureSet;
pub use fold::Fold;
pub use learner::{Learner, Method};
pub use names::{CorpusName, SystemName, TemplatesName};

use crate::pruning::Rule;
use treebound_core::decode::{Backbone, Decoder};

/// A cell but for its seed: what a line of a table stands for.
///
/// The order of the fields is the sort order of every results file, and that of their columns.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Setting {
    /// The treebank.
    pub corpus: CorpusName,
    /// Its part.
    pub split: Split,
    /// Whose part-of-speech tags the parser sees.
    pub tags: Tags,
    /// The parser.
    pub system: SystemName,
    /// Its templates.
    pub templates: Option<TemplatesName>,
    /// How its weights were learnt.
    pub learner: Option<Learner>,
    /// Its non-local features.
    pub features: Option<FeatureSet>,
    /// Which candidate heads it looks at.
    pub pruning: Option<Rule>,
    /// How it searches.
    pub decoding: Option<Decoding>,
}

/// A cell's name: all that its rows have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellKey {
    /// All axes but the seed.
    pub setting: Setting,
    /// Seed of the training run; 0 where nothing is drawn.
    pub seed: u64,
}

impl Setting {
    /// The names of the axes, in order: the columns of a results file.
    pub const AXES: [&'static str; 9] = [
        CorpusName::NAME,
        Split::NAME,
        Tags::NAME,
        SystemName::NAME,
        TemplatesName::NAME,
        Learner::NAME,
        FeatureSet::NAME,
        Rule::NAME,
        Decoding::NAME,
    ];

    /// What each axis is spelt, in the order of [`AXES`](Self::AXES).
    pub fn spelt(&self) -> [String; 9] {
        let Self { corpus, split, tags, system, templates, learner, features, pruning, decoding } = self;
        [
            corpus.to_string(),
            split.to_string(),
            tags.to_string(),
            system.to_string(),
            show_optional(templates.as_ref()),
            show_optional(learner.as_ref()),
            show_optional(features.as_ref()),
            show_optional(pruning.as_ref()),
            show_optional(decoding.as_ref()),
        ]
    }

    /// Reads what [`spelt`](Self::spelt) gives.
    ///
    /// # Errors
    /// The place of the first axis that is not spelt as it should be, and what is expected there.
    pub fn read(texts: [&str; 9]) -> Result<Self, (usize, &'static str)> {
        fn one<A: Axis>(texts: &[&str; 9], at: usize) -> Result<A, (usize, &'static str)> {
            A::parse(texts[at]).ok_or((at, A::EXPECTED))
        }
        fn optional<A: Axis>(texts: &[&str; 9], at: usize) -> Result<Option<A>, (usize, &'static str)> {
            parse_optional(texts[at]).ok_or((at, A::EXPECTED))
        }
        Ok(Self {
            corpus: one(&texts, 0)?,
            split: one(&texts, 1)?,
            tags: one(&texts, 2)?,
            system: one(&texts, 3)?,
            templates: optional(&texts, 4)?,
            learner: optional(&texts, 5)?,
            features: optional(&texts, 6)?,
            pruning: optional(&texts, 7)?,
            decoding: optional(&texts, 8)?,
        })
    }

    /// The cell of this setting with a seed.
    pub fn with_seed(&self, seed: u64) -> CellKey {
        CellKey { setting: self.clone(), seed }
    }

    /// The dynamic program, if the system has one.
    pub fn backbone(&self) -> Option<Backbone> {
        self.decoding.map(|decoding| decoding.backbone)
    }

    /// The search over it.
    pub fn decoder(&self) -> Option<Decoder> {
        self.decoding.map(|decoding| decoding.decoder)
    }

    /// How many families of non-local features the parser has.
    pub fn families(&self) -> usize {
        self.features.as_ref().map_or(0, |set| set.families().len())
    }

    /// Whether the parser is the baseline of others: the graph system without non-local features.
    pub fn is_baseline(&self) -> bool {
        self.features.as_ref().is_some_and(FeatureSet::is_baseline)
    }
}

impl Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.spelt().join("/"))
    }
}

impl Display for CellKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/seed={}", self.setting, self.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: [&str; 9] =
        ["en_ewt", "test", "gold", "graph", "compact", "mira", "grandchild+sibling", "k=10", "carreras/bnb"];

    #[test]
    fn a_setting_reads_back_and_has_one_spelling() {
        let setting = Setting::read(TEXTS).expect("a setting");
        assert_eq!(setting.spelt(), TEXTS);
        assert_eq!(
            setting.with_seed(3).to_string(),
            "en_ewt/test/gold/graph/compact/mira/grandchild+sibling/k=10/carreras/bnb/seed=3"
        );
        for (at, text) in [(0, ""), (1, "tset"), (2, "none"), (5, "sgd"), (6, "siblings"), (7, "k=0"), (8, "bnb")] {
            let mut texts = TEXTS;
            texts[at] = text;
            assert_eq!(Setting::read(texts).map_err(|e| e.0), Err(at), "{text}");
        }
        // No second spelling of a set: its families stand in order.
        let mut texts = TEXTS;
        texts[6] = "sibling+grandchild";
        assert_eq!(Setting::read(texts).map_err(|e| e.0), Err(6));
    }

    #[test]
    fn an_axis_may_be_absent_but_not_those_that_every_system_has() {
        let mut texts = TEXTS;
        texts[3] = "chain-left";
        texts[4..].fill(ABSENT);
        let setting = Setting::read(texts).expect("a setting");
        assert_eq!((setting.learner, setting.decoding), (None, None));
        for at in 0..4 {
            let mut texts = texts;
            texts[at] = ABSENT;
            assert_eq!(Setting::read(texts).map_err(|e| e.0), Err(at));
        }
    }
}
