//! The axes of the shift-reduce system.

use std::fmt;

use crate::cell::{Axis, AxisValues, TemplatesName};
use crate::systems::axes::all_combinations;
use crate::systems::{AxisKind, Combination, GridAxes, Kind, Stage};
use treebound_core::decode::shift_reduce;

use super::templates::StateTemplates;

/// What can be chosen of it.
pub(super) const AXES: [AxisKind; 3] = [
    AxisKind::new::<Templates>(Stage::Model).words(&StateTemplates::BUILT_IN).usual("huang-sagae"),
    AxisKind::new::<Learner>(Stage::Model)
        .words(&["maxent", "perceptron", "perceptron-early", "random"])
        .usual("maxent"),
    AxisKind::new::<Search>(Stage::Parse)
        .words(&["greedy", "beam=", "dp-beam=", "best-first", "dp-best-first", "dp-best-first-lazy", "dp-a-star"])
        .usual("dp-best-first"),
];

/// All combinations but those of a perceptron with a best-first search: its costs may be below 0. Others have probabilities.
pub(super) fn combinations(kind: &Kind, axes: GridAxes) -> Vec<Combination> {
    let mut all = all_combinations(kind, axes);
    for combination in &mut all {
        let is_perceptron = matches!(Learner::chosen(&combination.model), Some(Learner::Perceptron { .. }));
        combination.parses.retain(|values| {
            !is_perceptron || Search::chosen(values).is_some_and(|search| search.0.allows_negative_costs())
        });
    }
    all
}

/// A built-in set of templates over states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Templates(pub &'static str);

impl Templates {
    /// That of a choice.
    pub fn chosen(values: &AxisValues) -> Option<Self> {
        Self::parse(&values.spelt(Self::NAME))
    }
}

impl Axis for Templates {
    const NAME: &'static str = TemplatesName::NAME;
    const EXPECTED: &'static str = "`huang-sagae` or `edge-factored`";

    fn parse(text: &str) -> Option<Self> {
        StateTemplates::BUILT_IN.into_iter().find(|name| *name == text).map(Self)
    }
}

impl fmt::Display for Templates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// How weights are learnt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Learner {
    /// MaxEnt, with a thousand times the weight of its penalty.
    MaxEnt { penalty: u32 },
    /// The perceptron over a beam of states, updated where the gold derivation falls out of it, or where it is furthest behind.
    Perceptron { width: u32, is_early: bool },
    /// Nothing is learnt: weights are drawn. All actions are then about as probable, which is the worst case of searches.
    Random,
}

/// Of the penalty where none is named, a thousandfold.
const PENALTY: u32 = 1_000;

/// Of the beam where none is named.
const WIDTH: u32 = 8;

impl Learner {
    /// That of a choice.
    pub fn chosen(values: &AxisValues) -> Option<Self> {
        Self::parse(&values.spelt(Self::NAME))
    }
}

impl Axis for Learner {
    const NAME: &'static str = "learner";
    const EXPECTED: &'static str = "`maxent`, with a penalty such as `maxent+penalty=0.5`, or `perceptron` or `perceptron-early`, with the \
                                    width of the beam that they learn with, such as `perceptron+beam=16`, or `random`, which learns nothing";

    fn parse(text: &str) -> Option<Self> {
        let (name, setting) = text.split_once('+').map_or((text, None), |(name, setting)| (name, Some(setting)));
        let learner = match name {
            "maxent" => Self::MaxEnt {
                penalty: match setting {
                    None => PENALTY,
                    Some(setting) => {
                        let penalty: f64 = setting.strip_prefix("penalty=")?.parse().ok()?;
                        (0.001..=1_000.0).contains(&penalty).then(|| libm::round(1_000.0 * penalty) as u32)?
                    }
                },
            },
            "perceptron" | "perceptron-early" => Self::Perceptron {
                width: match setting {
                    None => WIDTH,
                    Some(setting) => setting.strip_prefix("beam=")?.parse().ok().filter(|&width| width > 0)?,
                },
                is_early: name == "perceptron-early",
            },
            "random" if setting.is_none() => Self::Random,
            _ => return None,
        };
        (learner.to_string() == text).then_some(learner)
    }
}

impl fmt::Display for Learner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::MaxEnt { penalty: PENALTY } => f.write_str("maxent"),
            Self::MaxEnt { penalty } => write!(f, "maxent+penalty={}", f64::from(penalty) / 1_000.0),
            Self::Random => f.write_str("random"),
            Self::Perceptron { width, is_early } => {
                f.write_str(if is_early { "perceptron-early" } else { "perceptron" })?;
                if width == WIDTH { Ok(()) } else { write!(f, "+beam={width}") }
            }
        }
    }
}

/// How the best derivation is sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Search(pub shift_reduce::Search);

impl Search {
    /// That of a way to parse.
    pub fn chosen(values: &AxisValues) -> Option<Self> {
        Self::parse(&values.spelt(Self::NAME))
    }
}

impl Axis for Search {
    const NAME: &'static str = "search";
    const EXPECTED: &'static str = "`greedy`, `beam=8`, `dp-beam=8`, `best-first`, `dp-best-first`, `dp-best-first-lazy` or `dp-a-star`, the last \
                                    four with a bound on the queue and a limit on states, such as `best-first+queue=50+states=100000`";

    fn parse(text: &str) -> Option<Self> {
        shift_reduce::Search::parse(text).map(Self)
    }
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_one_spelling() {
        for text in
            ["maxent", "maxent+penalty=0.3", "perceptron", "perceptron+beam=16", "perceptron-early+beam=4", "random"]
        {
            assert_eq!(Learner::parse(text).map(|learner| learner.to_string()), Some(text.to_owned()));
        }
        for text in [
            "",
            "random+beam=8",
            "maxent+penalty=1",
            "maxent+penalty=0",
            "maxent+beam=8",
            "perceptron+beam=8",
            "perceptron+beam=0",
        ] {
            assert_eq!(Learner::parse(text), None, "{text}");
        }
        assert!(AXES.iter().all(|axis| axis.usual.is_some_and(|usual| (axis.read)(usual).as_deref() == Some(usual))));
    }
}
