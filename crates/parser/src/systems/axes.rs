//! The axes of systems, as data: what an experiment can choose of a system beside corpus, part, tags and seed.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::Kind;
use super::graph::GraphGrid;
use crate::cell::{Axis, AxisValue, AxisValues};

/// What an axis decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The model: each value has one of its own.
    Model,
    /// Only how a model parses.
    Parse,
}

/// An axis of a system.
#[derive(Clone, Copy, Debug)]
pub struct AxisKind {
    /// Its name: the column in results, and the key in configs.
    pub name: &'static str,
    /// What its values look like, for messages.
    pub expected: &'static str,
    /// The values, or words that they begin with, for the nearest one in messages.
    pub words: &'static [&'static str],
    /// What it decides.
    pub stage: Stage,
    /// The value of a grid that names none; none if grids must.
    pub usual: Option<&'static str>,
    /// The one spelling of the value that a text stands for; none if there is no such value.
    pub read: fn(&str) -> Option<String>,
    /// The axis whose values say this one's, too: results then have no column of it.
    pub within: Option<&'static str>,
}

impl AxisKind {
    /// An axis whose values are of a type.
    pub const fn new<A: Axis>(stage: Stage) -> Self {
        Self {
            name: A::NAME,
            expected: A::EXPECTED,
            words: &[],
            stage,
            usual: None,
            read: |text| A::parse(text).map(|value| value.to_string()),
            within: None,
        }
    }

    /// The same with words for messages.
    #[must_use]
    pub const fn words(self, words: &'static [&'static str]) -> Self {
        Self { words, ..self }
    }

    /// The same with a value for grids that name none.
    #[must_use]
    pub const fn usual(self, usual: &'static str) -> Self {
        Self { usual: Some(usual), ..self }
    }

    /// The same without a column of its own.
    #[must_use]
    pub const fn within(self, axis: &'static str) -> Self {
        Self { within: Some(axis), ..self }
    }
}

/// What a grid names on the axes of its systems.
#[derive(Clone, Copy, Debug)]
pub struct GridAxes<'a> {
    /// On those of the graph system.
    pub graph: &'a GraphGrid,
    /// On those of all others, each value in its one spelling.
    pub others: &'a BTreeMap<String, Vec<String>>,
}

/// A model of a grid, and in which ways it parses.
#[derive(Clone, Debug, PartialEq)]
pub struct Combination {
    /// The values that decide the model.
    pub model: AxisValues,
    /// Whether there is a search, in training or in parsing, that the limits of a grid can stop.
    pub is_searched: bool,
    /// The values of each way to parse.
    pub parses: Vec<AxisValues>,
}

impl Combination {
    /// The only one of a system without axes.
    pub fn only() -> Self {
        Self { model: AxisValues::default(), is_searched: false, parses: vec![AxisValues::default()] }
    }
}

/// All combinations of the values that a grid names on the axes of a system, in the order of the axes: what a system has that
/// declares no other.
pub fn all_combinations(kind: &Kind, grid: GridAxes) -> Vec<Combination> {
    let of_stage = |stage| {
        let mut all = vec![Vec::new()];
        for axis in kind.axes.iter().filter(|axis| axis.stage == stage) {
            let named = grid.others.get(axis.name).map(Vec::as_slice).unwrap_or_default();
            let texts: Vec<&str> = match (named, axis.usual) {
                ([], usual) => usual.into_iter().collect(),
                (named, _) => named.iter().map(String::as_str).collect(),
            };
            let values: Vec<AxisValue> =
                texts.into_iter().filter_map(|text| AxisValue::read(axis.name, text)).collect();
            let longer = |before: &Vec<(Cow<'static, str>, AxisValue)>| {
                let before = before.clone();
                let one = |value: &AxisValue| [&before[..], &[(Cow::Borrowed(axis.name), value.clone())]].concat();
                values.iter().map(one).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        all.into_iter().map(AxisValues::new).collect::<Vec<_>>()
    };
    let parses = of_stage(Stage::Parse);
    let combination = |model| Combination { model, is_searched: false, parses: parses.clone() };
    of_stage(Stage::Model).into_iter().map(combination).collect()
}
