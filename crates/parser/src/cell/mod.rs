//! Cells: the points of an experiment.
//!
//! A cell is what is parsed and counted as one: a part of a corpus, with whose tags, by which system, with which values of the
//! axes that this system has, from which seed. A system declares its axes ([`AxisKind`](crate::systems::AxisKind)); results
//! files have a column for each. A value has one spelling, in configs, results and on the command line, and one order, in
//! files, tables and figures. An axis that a system does not have (a trivial baseline has no learner) is spelt [`ABSENT`].

mod axis;
mod data;
mod decoding;
mod features;
mod fold;
mod labelling;
mod learner;
mod names;
mod reranking;
mod values;

use std::collections::BTreeSet;
use std::fmt::{self, Display};

pub use axis::{ABSENT, Axis, parse_optional, show_optional};
pub use data::{Split, Tags};
pub use decoding::Decoding;
pub use features::FeatureSet;
pub use fold::Fold;
pub use labelling::Labelling;
pub use learner::{Learner, Method};
pub use names::{CorpusName, SystemName, TemplatesName};
pub use reranking::{Reranked, Reranking};
pub use values::{AxisValue, AxisValues, FIRST, Typed, Word};

/// A cell but for its seed: what a line of a table stands for.
///
/// The order of the fields is the sort order of every results file, and that of its columns.
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
    /// What is chosen of it, by axis.
    pub axes: AxisValues,
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
    /// The columns of every results file but for the seed, in order. Further axes have a column where a row has them.
    pub const AXES: [&'static str; 9] =
        [CorpusName::NAME, Split::NAME, Tags::NAME, SystemName::NAME, FIRST[0], FIRST[1], FIRST[2], FIRST[3], FIRST[4]];

    /// The columns of some settings: those of every results file, then those of further axes that some have a value on, by name.
    pub fn columns<'a>(settings: impl IntoIterator<Item = &'a Self>) -> Vec<&'a str> {
        let further = settings.into_iter().flat_map(|setting| setting.axes.further()).map(|(axis, _)| axis);
        let further: BTreeSet<&str> = further.collect();
        Self::AXES.into_iter().chain(further).collect()
    }

    /// What stands in each of the [columns](Self::AXES).
    pub fn spelt(&self) -> [String; 9] {
        Self::AXES.map(|column| self.spelt_in(column))
    }

    /// What stands in a column, also one of a further axis.
    pub fn spelt_in(&self, column: &str) -> String {
        match column {
            CorpusName::NAME => self.corpus.to_string(),
            Split::NAME => self.split.to_string(),
            Tags::NAME => self.tags.to_string(),
            SystemName::NAME => self.system.to_string(),
            axis => self.axes.spelt(axis),
        }
    }

    /// Reads what stands in the [columns](Self::AXES).
    ///
    /// # Errors
    /// The place of the first that is not spelt as it should be, and what is expected there.
    pub fn read(texts: [&str; 9]) -> Result<Self, (usize, &'static str)> {
        Self::read_all(texts, &[])
    }

    /// Reads what stands in the [columns](Self::AXES) and in those of further axes, which are named.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_all(texts: [&str; 9], further: &[(&str, &str)]) -> Result<Self, (usize, &'static str)> {
        fn one<A: Axis>(texts: &[&str; 9], at: usize) -> Result<A, (usize, &'static str)> {
            A::parse(texts[at]).ok_or((at, A::EXPECTED))
        }
        let system: SystemName = one(&texts, 3)?;
        let axes = FIRST.into_iter().zip(texts.into_iter().skip(4)).chain(further.iter().copied());
        Ok(Self {
            corpus: one(&texts, 0)?,
            split: one(&texts, 1)?,
            tags: one(&texts, 2)?,
            axes: AxisValues::read(&system, axes).map_err(|(at, expected)| (at + 4, expected))?,
            system,
        })
    }

    /// The cell of this setting with a seed.
    pub fn with_seed(&self, seed: u64) -> CellKey {
        CellKey { setting: self.clone(), seed }
    }
}

impl Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.spelt().join("/"))?;
        self.axes.further().try_for_each(|(axis, value)| write!(f, "/{axis}={value}"))
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
        assert_eq!(setting.axes, AxisValues::default());
        for at in 0..4 {
            let mut texts = texts;
            texts[at] = ABSENT;
            assert_eq!(Setting::read(texts).map_err(|e| e.0), Err(at));
        }
    }

    #[test]
    fn a_further_axis_stands_behind_the_others() {
        let mut texts = TEXTS;
        texts[3] = "shift-reduce";
        texts[4] = "huang-sagae";
        texts[5] = "maxent";
        texts[6..].fill(ABSENT);
        let setting = Setting::read_all(texts, &[("search", "dp-beam=8"), ("width", ABSENT)]).expect("a setting");
        assert_eq!(setting.to_string(), "en_ewt/test/gold/shift-reduce/huang-sagae/maxent/-/-/-/search=dp-beam=8");
        assert_eq!((setting.spelt(), setting.spelt_in("search")), (texts.map(str::to_owned), "dp-beam=8".to_owned()));
        assert_eq!(Setting::read_all(texts, &[("search", "")]).map_err(|e| e.0), Err(9));
    }
}
