//! What parsers without non-local features are called: by data, by model, and by how the model was learnt and decoded.

use super::block::{decoder_label, pruning_label};
use treebound_core::decode::Backbone;
use treebound_parser::cell::{CorpusName, Learner, Setting, Split, Tags, TemplatesName, show_optional};
use treebound_parser::pruning::Rule;

/// The data and candidates that parsers share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Group<'a> {
    corpus: &'a CorpusName,
    split: Split,
    tags: Tags,
    pruning: Option<Rule>,
}

impl<'a> Group<'a> {
    /// Those of a setting.
    pub fn of(setting: &'a Setting) -> Self {
        let Setting { corpus, split, tags, .. } = setting;
        Self { corpus, split: *split, tags: *tags, pruning: setting.pruning() }
    }

    /// For people.
    pub fn words(&self) -> String {
        let Self { corpus, split, tags, pruning } = self;
        format!("{corpus}, {split} part, {tags} tags, pruning {}", pruning_label(*pruning))
    }
}

/// The model of a setting: its dynamic program and templates.
pub fn model(setting: &Setting) -> (Option<Backbone>, Option<&TemplatesName>) {
    (setting.backbone(), setting.templates())
}

/// The model for people.
pub fn model_words(setting: &Setting) -> String {
    let (backbone, templates) = model(setting);
    format!("{}, {}", show_optional(templates), show_optional(backbone.as_ref()))
}

/// The models of some lines, each named once.
pub fn named_once<'a>(settings: impl Iterator<Item = &'a Setting>) -> Vec<String> {
    let mut before = None;
    let name = |setting: &'a Setting| {
        let own = Some(model(setting));
        if std::mem::replace(&mut before, own) == own { String::new() } else { model_words(setting) }
    };
    settings.map(name).collect()
}

/// How the model was learnt, and how it decodes.
pub fn ways(setting: &Setting) -> Vec<String> {
    vec![setting.learner().map(Learner::to_string).unwrap_or_default(), decoder_label(setting)]
}

/// The order of lines: learner by learner within a model, model by model within a group.
pub fn place(setting: &Setting) -> impl Ord + '_ {
    (Group::of(setting), model(setting), setting.learner(), setting.decoding())
}
