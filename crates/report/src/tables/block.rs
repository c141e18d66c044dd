//! Which lines of a table stand together, and what settings are called there.
//!
//! A block has a corpus, part, tags, templates and learner. Parsers that are not of factor graphs have neither templates nor a
//! learner of ours: those of a corpus, part and tags stand together behind its other blocks.

use treebound_core::decode::Backbone;
use treebound_parser::cell::{
    CorpusName, FeatureSet, Learner, Setting, Split, SystemName, Tags, TemplatesName, show_optional,
};
use treebound_parser::pruning::Rule;
use treebound_parser::systems::is_external;

use super::wrap::wrap_features;

/// What the lines of a block have in common. Blocks of the parser of factor graphs come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Block<'a> {
    corpus: &'a CorpusName,
    split: Split,
    tags: Tags,
    is_other: bool,
    templates: Option<&'a TemplatesName>,
    learner: Option<&'a Learner>,
}

impl<'a> Block<'a> {
    /// The block of a setting.
    pub fn of(setting: &'a Setting) -> Self {
        let Setting { corpus, split, tags, system, .. } = setting;
        let is_other = system.as_str() != SystemName::GRAPH;
        let (templates, learner) = if is_other { (None, None) } else { (setting.templates(), setting.learner()) };
        Self { corpus, split: *split, tags: *tags, is_other, templates, learner }
    }

    /// Whether it is that of parsers that are not of factor graphs.
    pub fn is_other(&self) -> bool {
        self.is_other
    }

    /// For people; templates are named if a table has several.
    pub fn words(&self, several_templates: bool) -> String {
        let Self { corpus, split, tags, is_other, templates, learner } = *self;
        let mut words = format!("{corpus}, {split} part, {tags} tags");
        if is_other {
            return words + ", other systems";
        }
        if several_templates {
            words.push_str(&format!(", templates {}", show_optional(templates)));
        }
        if let Some(learner) = learner {
            words.push_str(&format!(", {learner}"));
        }
        words
    }
}

/// Whether parsers of factor graphs differ in their templates.
pub fn several_templates<'a>(settings: impl IntoIterator<Item = &'a Setting>) -> bool {
    let mut all =
        settings.into_iter().filter(|setting| !Block::of(setting).is_other).map(|setting| setting.templates());
    let first = all.next();
    all.any(|templates| Some(templates) != first)
}

/// The name of a system for people; that of a parser of somebody else is marked.
pub fn system_label(system: &SystemName) -> String {
    match is_external(system) {
        true => format!("{system} (external)"),
        false => system.to_string(),
    }
}

/// The name of a pruning for people.
pub fn pruning_label(pruning: Option<Rule>) -> String {
    match pruning {
        None => String::new(),
        Some(Rule::None) => "no pruning".to_owned(),
        Some(rule) => rule.to_string(),
    }
}

/// The name of a decoder for people.
pub fn decoder_label(setting: &Setting) -> String {
    setting.decoder().map_or_else(String::new, |decoder| decoder.to_string())
}

/// The name of a feature set for people.
pub fn set_label(features: Option<&FeatureSet>) -> String {
    features.map_or_else(String::new, ToString::to_string)
}

/// The backbone of a setting, if it is not the paper's own.
pub fn other_backbone(setting: &Setting) -> Option<Backbone> {
    setting.backbone().filter(|&backbone| backbone != Backbone::default())
}

/// A feature set for people, in lines of that many characters, and behind it the backbone where that is not the paper's.
pub fn features_label(setting: &Setting, width: usize) -> String {
    let features = wrap_features(&set_label(setting.features()), width);
    let Some(backbone) = other_backbone(setting) else { return features };
    let backbone = format!(" [{backbone}]");
    let last = features.lines().last().unwrap_or_default();
    let separator = if last.len() + backbone.len() <= width { "" } else { "\n" };
    features + separator + &backbone
}
