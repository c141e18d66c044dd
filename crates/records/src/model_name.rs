//! Which model a row is of, where no part of a treebank is parsed.

use super::LineFault;
use super::columns::{Column, Field, Fields, Row, columns};
use treebound_core::decode::Backbone;
use treebound_parser::cell::{CorpusName, FeatureSet, Learner, SystemName, Tags, TemplatesName, show_optional};

columns! {
    /// A model, by what is learnt from what and how; each seed gives one.
    pub struct ModelName {
        /// The treebank.
        pub corpus: CorpusName,
        /// Whose tags.
        pub tags: Tags,
        /// The parser.
        pub system: SystemName,
        /// The templates.
        pub templates: Option<TemplatesName>,
        /// How weights are learnt.
        pub learner: Option<Learner>,
        /// The feature set.
        pub features: Option<FeatureSet>,
        /// The dynamic program.
        pub backbone: Option<Backbone>,
    }
}

/// A column each.
impl Field for ModelName {
    fn columns(_: &'static str) -> Vec<Column> {
        <Self as Row>::columns()
    }

    fn parse(fields: &mut Fields<'_>) -> Result<Self, LineFault> {
        <Self as Row>::parse(fields)
    }

    fn print(&self, line: &mut Vec<String>) {
        <Self as Row>::print(self, line);
    }
}

impl std::fmt::Display for ModelName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { corpus, tags, system, templates, learner, features, backbone } = self;
        let (templates, learner) = (show_optional(templates.as_ref()), show_optional(learner.as_ref()));
        let (features, backbone) = (show_optional(features.as_ref()), show_optional(backbone.as_ref()));
        write!(f, "{corpus}/{tags}/{system}/{templates}/{learner}/{features}/{backbone}")
    }
}
