//! What artifacts are alike in the time that they take, and how many words each passes over.

use super::ArtifactBuilder;
use crate::cell::{Cell, TrainingRun};
use crate::times::Kind;
use treebound_core::decode::bnb::Limits;
use treebound_core::decode::{Backbone, Decoder};
use treebound_parser::cell::{
    Axis, AxisValues, CorpusName, FeatureSet, Learner, Reranking, TemplatesName, show_optional,
};
use treebound_parser::pruning::Rule;
use treebound_parser::systems::System;

impl ArtifactBuilder<'_> {
    /// Of the predicted tags of a corpus.
    pub fn kind_of_tags(&self, corpus: &CorpusName) -> Kind {
        Kind::new(&["tags"], &[], &[corpus.as_str()])
    }

    /// Words that the taggers pass over which make them: one a fold, and one of all.
    pub fn words_of_tags(&self, train: usize) -> u64 {
        product(product(train as u64, self.config.tagger.epochs), self.config.tagger.folds)
    }

    /// Of a pruner.
    pub fn kind_of_pruner(&self, rule: Rule) -> Kind {
        Kind::new(&["pruner", self.config.pruner.templates.as_str()], &[&rule.to_string()], &[])
    }

    /// Words that it passes over.
    pub fn words_of_pruner(&self, train: usize) -> u64 {
        product(train as u64, self.config.pruner.epochs)
    }

    /// Of a labeller.
    pub fn kind_of_labeller(&self) -> Kind {
        Kind::new(&["labeller", self.config.labeller.templates.as_str()], &[], &[])
    }

    /// Words that it passes over.
    pub fn words_of_labeller(&self, train: usize) -> u64 {
        product(train as u64, self.config.labeller.epochs)
    }

    /// Of a reranker: its time is that of the lists of the development part.
    pub fn kind_of_reranker(&self, run: &TrainingRun) -> Kind {
        Kind::new(&["reranker"], &[&run.axes.spelt(Reranking::NAME)], &[self.corpus(run)])
    }

    /// Of a model.
    pub fn kind_of_model(&self, run: &TrainingRun) -> Kind {
        let limits = run.schedule(self.config).map(|schedule| limits(schedule.limits)).unwrap_or_default();
        let [templates, learner, backbone, set] = values(&run.axes);
        let pruning = show_optional(run.pruning(self.config).as_ref());
        let further = further(&run.axes);
        let rough = [learner, pruning, set, limits].into_iter().chain(further).collect::<Vec<_>>();
        Kind::new(
            &["model", run.system.as_str(), &templates, &backbone],
            &rough.iter().map(String::as_str).collect::<Vec<_>>(),
            &[self.corpus(run)],
        )
    }

    /// Words that a system passes over to learn it.
    pub fn words_of_model(&self, system: &dyn System, train: usize) -> u64 {
        product(train as u64, system.passes().max(1))
    }

    /// Of the rows of a cell.
    pub fn kind_of_rows(&self, cell: &Cell) -> Kind {
        let run = &cell.run;
        let [templates, learner, backbone, set] = values(&run.axes);
        let pruning = cell.axes.spelt(Rule::NAME);
        let decoder = cell.axes.decoder().map_or_else(|| "-".to_owned(), Decoder::for_keys);
        let rough = [pruning, set, learner, limits(cell.limits)].into_iter().chain(further(&cell.axes));
        let rough = rough.collect::<Vec<_>>();
        Kind::new(
            &["rows", run.system.as_str(), &templates, &backbone, &decoder],
            &rough.iter().map(String::as_str).collect::<Vec<_>>(),
            &[self.corpus(run)],
        )
    }

    pub(super) fn corpus_of(&self, run: &TrainingRun) -> String {
        self.corpus(run).to_owned()
    }

    fn corpus(&self, run: &TrainingRun) -> &str {
        self.config.corpora.get(run.corpus).map_or("-", |corpus| corpus.name.as_str())
    }
}

/// The values that decide a model of the graph system.
fn values(axes: &AxisValues) -> [String; 4] {
    [TemplatesName::NAME, Learner::NAME, Backbone::NAME, FeatureSet::NAME].map(|axis| axes.spelt(axis))
}

/// The values of axes of other systems alone.
fn further(axes: &AxisValues) -> impl Iterator<Item = String> {
    axes.further().filter(|(axis, _)| *axis != Backbone::NAME).map(|(_, value)| value.to_string())
}

fn limits(Limits { dp_calls, nodes, .. }: Limits) -> String {
    let show = |limit: Option<u64>| limit.map_or_else(|| "all".to_owned(), |limit| limit.to_string());
    format!("{} calls {} nodes", show(dp_calls), show(nodes))
}

/// A config may ask for any number of passes.
fn product(words: u64, passes: usize) -> u64 {
    words.saturating_mul(passes as u64)
}
