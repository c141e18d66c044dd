//! The axes of the graph system: its view of a cell's values as what they are, and the cells that a grid has of it.

use serde::Serialize;

use super::NAME;
use crate::cell::{
    Axis, AxisValue, AxisValues, Decoding, FeatureSet, Labelling, Learner, Method, Reranked, Reranking, Setting,
    SystemName, TemplatesName,
};
use crate::pruning::Rule;
use crate::systems::{AxisKind, Combination, GridAxes, Kind, Stage};
use treebound_core::decode::{Backbone, Decoder};

/// What can be chosen of it. The dynamic program decides the model; in results it is a part of the decoding. Labels are learnt
/// beside the arcs, and so is what chooses among trees; a parser without them has no value on their axis.
pub(super) const AXES: [AxisKind; 8] = [
    AxisKind::new::<TemplatesName>(Stage::Model),
    AxisKind::new::<Learner>(Stage::Model),
    AxisKind::new::<FeatureSet>(Stage::Model),
    AxisKind::new::<Backbone>(Stage::Model).within(Decoding::NAME),
    AxisKind::new::<Rule>(Stage::Parse),
    AxisKind::new::<Decoding>(Stage::Parse),
    AxisKind::new::<Labelling>(Stage::Model),
    AxisKind::new::<Reranking>(Stage::Model),
];

impl SystemName {
    /// The name of the parser of factor graphs.
    pub const GRAPH: &'static str = NAME;

    /// The parser of factor graphs.
    pub fn graph() -> Self {
        Self::built_in(NAME)
    }
}

/// The values of its axes, by their types.
impl AxisValues {
    /// The values that decide a model.
    pub fn graph_model(templates: TemplatesName, learner: Learner, features: FeatureSet, backbone: Backbone) -> Self {
        let values = [templates.into(), learner.into(), features.into(), backbone.into()];
        Self::new(AXES.iter().map(|axis| axis.name.into()).zip(values))
    }

    /// The values of a way to parse.
    pub fn graph_parse(pruning: Rule, backbone: Backbone, decoder: Decoder) -> Self {
        let values = [pruning.into(), Decoding { backbone, decoder }.into()];
        Self::new(AXES[4..].iter().map(|axis| axis.name.into()).zip(values))
    }

    /// The template set.
    pub fn templates(&self) -> Option<&TemplatesName> {
        self.typed()
    }

    /// How weights are learnt.
    pub fn learner(&self) -> Option<&Learner> {
        self.typed()
    }

    /// The non-local features.
    pub fn features(&self) -> Option<&FeatureSet> {
        self.typed()
    }

    /// Which candidate heads are kept in parsing.
    pub fn pruning(&self) -> Option<Rule> {
        self.typed().copied()
    }

    /// The dynamic program.
    pub fn backbone(&self) -> Option<Backbone> {
        self.typed().copied().or_else(|| self.decoding().map(|decoding| decoding.backbone))
    }

    /// The search over it.
    pub fn decoder(&self) -> Option<Decoder> {
        self.decoding().map(|decoding| decoding.decoder)
    }

    /// Search and dynamic program.
    pub fn decoding(&self) -> Option<Decoding> {
        self.typed().copied()
    }

    /// When labels are found.
    pub fn labels(&self) -> Labelling {
        self.get(Labelling::NAME).and_then(|value| Labelling::parse(&value.to_string())).unwrap_or_default()
    }

    /// These values of a model, and when it finds labels.
    #[must_use]
    pub fn with_labels(&self, labels: Labelling) -> Self {
        let others = self.only(|axis| axis != Labelling::NAME);
        let value = AxisValue::read(Labelling::NAME, labels.name()).filter(|_| labels != Labelling::None);
        others.and(&Self::new(value.map(|value| (Labelling::NAME.into(), value))))
    }

    /// Among how many trees one is chosen, if it is.
    pub fn reranking(&self) -> Option<Reranking> {
        self.get(Reranking::NAME).and_then(|value| Reranking::parse(&value.to_string()))
    }

    /// These values of a model, and among how many trees one is chosen.
    #[must_use]
    pub fn with_reranking(&self, Reranked(reranking): Reranked) -> Self {
        let others = self.only(|axis| axis != Reranking::NAME);
        let value = reranking.and_then(|trees| AxisValue::read(Reranking::NAME, &trees.to_string()));
        others.and(&Self::new(value.map(|value| (Reranking::NAME.into(), value))))
    }

    /// Whether it is the parser without non-local features.
    pub fn is_baseline(&self) -> bool {
        self.features().is_some_and(FeatureSet::is_baseline)
    }
}

/// The same of a setting.
impl Setting {
    /// The template set.
    pub fn templates(&self) -> Option<&TemplatesName> {
        self.axes.templates()
    }

    /// How weights were learnt.
    pub fn learner(&self) -> Option<&Learner> {
        self.axes.learner()
    }

    /// The non-local features.
    pub fn features(&self) -> Option<&FeatureSet> {
        self.axes.features()
    }

    /// Which candidate heads the parser looks at.
    pub fn pruning(&self) -> Option<Rule> {
        self.axes.pruning()
    }

    /// Search and dynamic program.
    pub fn decoding(&self) -> Option<Decoding> {
        self.axes.decoding()
    }

    /// The dynamic program.
    pub fn backbone(&self) -> Option<Backbone> {
        self.axes.backbone()
    }

    /// The search over it.
    pub fn decoder(&self) -> Option<Decoder> {
        self.axes.decoder()
    }

    /// How many families of non-local features the parser has.
    pub fn families(&self) -> usize {
        self.features().map_or(0, |set| set.families().len())
    }

    /// Whether the parser is the baseline of others: the graph system without non-local features.
    pub fn is_baseline(&self) -> bool {
        self.axes.is_baseline()
    }
}

/// What a grid names on these axes.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GraphGrid {
    /// Template sets.
    #[serde(skip)]
    pub templates: Vec<TemplatesName>,
    /// How weights are learnt.
    pub learners: Vec<Learner>,
    /// Sets of non-local families, in order; sets with one name [under](FeatureSet::under) a backbone are one there.
    pub sets: Vec<FeatureSet>,
    /// Whether the baseline is evaluated beside them.
    pub baseline: bool,
    /// Which candidate heads, when parsing.
    #[serde(rename = "pruning")]
    pub prunings: Vec<Rule>,
    /// Decoders of sets with non-local features. The baseline is decoded by the dynamic program.
    pub decoders: Vec<Decoder>,
    /// Dynamic programs, with a model each.
    pub backbones: Vec<Backbone>,
    /// When labels are found.
    #[serde(skip_serializing_if = "are_without_labels")]
    pub labels: Vec<Labelling>,
    /// Among how many trees of the default search one is chosen.
    #[serde(skip_serializing_if = "are_not_reranked")]
    pub reranking: Vec<Reranked>,
}

fn are_without_labels(labels: &[Labelling]) -> bool {
    labels.iter().all(|&labels| labels == Labelling::None)
}

fn are_not_reranked(reranking: &[Reranked]) -> bool {
    reranking.iter().all(|trees| trees.0.is_none())
}

impl GraphGrid {
    /// The sets that are trained with a backbone, by their names [under](FeatureSet::under) it.
    pub fn trained(&self, backbone: Backbone) -> Vec<FeatureSet> {
        let baseline = self.baseline.then(FeatureSet::baseline);
        let mut sets = Vec::new();
        for set in baseline.iter().chain(&self.sets).map(|set| set.under(backbone)) {
            if !sets.contains(&set) {
                sets.push(set);
            }
        }
        sets
    }

    /// The decoders of a set. The baseline needs no search.
    fn decoders(&self, set: &FeatureSet) -> Vec<Decoder> {
        let (searches, mut others): (Vec<Decoder>, Vec<Decoder>) =
            self.decoders.iter().partition(|decoder| decoder.is_search());
        if !set.is_baseline() {
            return searches;
        }
        if !searches.is_empty() {
            others.insert(0, Decoder::Dp);
        }
        others
    }
}

/// The models of a grid with the ways in which they parse: for all templates, learners and dynamic programs the baseline, then the
/// sets, each with all ways to find labels and to choose among trees.
pub(super) fn combinations(_: &Kind, GridAxes { graph, .. }: GridAxes) -> Vec<Combination> {
    let mut all = Vec::new();
    for templates in &graph.templates {
        for learner in &graph.learners {
            for &backbone in &graph.backbones {
                for set in graph.trained(backbone) {
                    let decoders = graph.decoders(&set);
                    let is_searched = !set.is_baseline();
                    let parses = |decoders: &[Decoder]| {
                        let parse = |&pruning: &Rule| {
                            decoders.iter().map(move |&decoder| AxisValues::graph_parse(pruning, backbone, decoder))
                        };
                        graph.prunings.iter().flat_map(parse).collect::<Vec<_>>()
                    };
                    let model = AxisValues::graph_model(templates.clone(), learner.clone(), set, backbone);
                    for &reranked in &graph.reranking {
                        // The default search alone lists the best trees.
                        let lists = |decoder: &&Decoder| reranked.0.is_none() || **decoder == Decoder::Bnb;
                        let decoders: Vec<Decoder> = decoders.iter().filter(lists).copied().collect();
                        let labelled = |&labels: &Labelling| Combination {
                            parses: parses(&decoders),
                            is_searched,
                            model: model.with_labels(labels).with_reranking(reranked),
                        };
                        let labels = graph.labels.iter().filter(|_| reranked.0.is_none() || !decoders.is_empty());
                        all.extend(labels.map(labelled));
                    }
                }
            }
        }
    }
    all
}

/// Whether the parser of these values knows probabilities: that of a CRF without non-local features.
pub(super) fn has_marginals(values: &AxisValues) -> bool {
    values.is_baseline() && values.learner().is_some_and(|learner| learner.method() == Method::Crf)
}
