//! Which model a row is of, where no part of a treebank is parsed.

use super::columns::{Column, Field, Fields, Value, further_fault};
use treebound_core::decode::Backbone;
use treebound_parser::cell::{
    Axis, AxisValues, CorpusName, FeatureSet, Learner, Setting, SystemName, Tags, TemplatesName,
};
use treebound_parser::systems::{Stage, built_in};
use treebound_records::LineFault;

/// The axes whose columns every file of models has.
const AXES: [&str; 4] = [TemplatesName::NAME, Learner::NAME, FeatureSet::NAME, Backbone::NAME];

/// A model, by what is learnt from what and how; each seed gives one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModelName {
    /// The treebank.
    pub corpus: CorpusName,
    /// Whose tags.
    pub tags: Tags,
    /// The parser.
    pub system: SystemName,
    /// The values that decide it.
    pub axes: AxisValues,
}

impl ModelName {
    /// The model of a cell.
    pub fn of_cell(cell: &Setting) -> Self {
        let Setting { corpus, tags, system, axes, .. } = cell;
        let declared = built_in(system).map_or(&[][..], |kind| kind.axes);
        let decides = |axis: &str| declared.iter().all(|kind| kind.name != axis || kind.stage == Stage::Model);
        let model = axes.only(decides);
        let axes = axes.backbone().map_or_else(|| model.clone(), |backbone| model.with(backbone));
        Self { corpus: corpus.clone(), tags: *tags, system: system.clone(), axes }
    }
}

/// A column each.
impl Field for ModelName {
    fn columns(_: &'static str) -> Vec<Column> {
        let own = [CorpusName::NAME, Tags::NAME, SystemName::NAME];
        own.into_iter().chain(AXES).map(Column::needed).collect()
    }

    fn parse(fields: &mut Fields<'_>) -> Result<Self, LineFault> {
        let (corpus, tags): (CorpusName, Tags) = (Field::parse(fields)?, Field::parse(fields)?);
        let system: SystemName = Field::parse(fields)?;
        let values = AXES.map(|_| fields.next());
        let texts = AXES.into_iter().zip(values.iter().map(Value::text)).chain(fields.further().iter().copied());
        let axes = AxisValues::read(&system, texts).map_err(|(at, expected)| match values.get(at) {
            Some(value) => value.fault(expected),
            None => further_fault(fields.further()[at - values.len()], expected),
        })?;
        Ok(Self { corpus, tags, system, axes })
    }

    fn print(&self, line: &mut Vec<String>) {
        line.extend([self.corpus.to_string(), self.tags.to_string(), self.system.to_string()]);
        line.extend(AXES.map(|axis| self.axes.spelt(axis)));
    }

    fn axes(&self) -> Option<&AxisValues> {
        Some(&self.axes)
    }
}

impl std::fmt::Display for ModelName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { corpus, tags, system, axes } = self;
        write!(f, "{corpus}/{tags}/{system}/{}", AXES.map(|axis| axes.spelt(axis)).join("/"))?;
        axes.further()
            .filter(|(axis, _)| !AXES.contains(axis))
            .try_for_each(|(axis, value)| write!(f, "/{axis}={value}"))
    }
}
