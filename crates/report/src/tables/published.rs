//! The figures of Qian & Liu (2013) and of Ma & Zhao (2012), to stand beside ours.
//!
//! `published.csv` gives those of each paper's own parsers under our names. The third-order parser of the first is the baseline
//! of the backbone `grand-sibling`; it added no hand-crafted features for Chinese, so its best set is one family smaller there.
//! The sibling, grandchild and grand-sibling models of the second are those of `configs/ma-zhao.toml`, its L-BFGS is `crf` there
//! and its MIRA `mira-kbest`. An axis that a paper does not set apart is spelt [`ABSENT`](treebound_parser::cell::ABSENT): whatever ours is.

use std::path::Path;

use treebound_core::decode::{Backbone, Decoder};
use treebound_parser::cell::{FeatureSet, Learner, Setting, TemplatesName, show_optional};
use treebound_parser::pruning::Rule;
use treebound_records::columns::columns;
use treebound_records::csv::{self, Record};
use treebound_records::{LineFault, ReportError};

columns! {
    /// A figure of a paper.
    pub struct PublishedRow {
        /// `PTB`, `CTB` or `PDT`.
        pub dataset: String,
        /// The templates.
        pub templates: Option<TemplatesName>,
        /// The learner.
        pub learner: Option<Learner>,
        /// The feature set.
        pub features: FeatureSet,
        /// The backbone.
        pub backbone: Backbone,
        /// The pruning.
        pub pruning: Option<Rule>,
        /// `uas_pct` (without punctuation), `root_pct`, `complete_pct`, `words_per_second`, `dp_calls` (of all sentences) or
        /// `dp_calls_per_sentence`.
        pub measure: String,
        /// The figure as printed.
        pub value: String,
        /// The paper.
        pub paper: String,
        /// Where it stands there.
        pub source: String,
    }
}

impl Record for PublishedRow {
    fn check(&self) -> Result<(), LineFault> {
        if self.value.parse::<f64>().is_ok_and(f64::is_finite) {
            return Ok(());
        }
        Err(LineFault::Field { column: "value", value: self.value.clone(), expected: "a number" })
    }

    fn same_key(&self, other: &Self) -> bool {
        (&self.dataset, &self.measure) == (&other.dataset, &other.measure) && self.parser() == other.parser()
    }

    fn key(&self) -> String {
        let Self { dataset, templates, learner, features, backbone, pruning, measure, .. } = self;
        let [templates, learner, pruning] =
            [show_optional(templates.as_ref()), show_optional(learner.as_ref()), show_optional(pruning.as_ref())];
        format!("{dataset}/{templates}/{learner}/{features}/{pruning}/{backbone}/{measure}")
    }
}

impl PublishedRow {
    fn parser(&self) -> (Option<&TemplatesName>, Option<&Learner>, &FeatureSet, Backbone, Option<Rule>) {
        (self.templates.as_ref(), self.learner.as_ref(), &self.features, self.backbone, self.pruning)
    }

    /// Whether it is of a parser like that of a setting. Both papers look for the best tree.
    fn is_of(&self, setting: &Setting) -> bool {
        fn is_any_or<A: PartialEq>(published: Option<&A>, ours: Option<&A>) -> bool {
            published.is_none() || published == ours
        }
        is_any_or(self.templates.as_ref(), setting.templates())
            && is_any_or(self.learner.as_ref(), setting.learner())
            && is_any_or(self.pruning.as_ref(), setting.pruning().as_ref())
            && setting.features() == Some(&self.features)
            && setting.backbone() == Some(self.backbone)
            && setting.decoder() != Some(Decoder::Mbr)
    }
}

/// The figures of the papers.
#[derive(Clone, Debug)]
pub struct Published {
    rows: Vec<PublishedRow>,
}

impl Published {
    /// The figures that the project carries.
    ///
    /// # Errors
    /// None, unless the file in the source is damaged.
    pub fn carried() -> Result<Self, ReportError> {
        let rows = csv::parse(include_bytes!("published.csv"), Path::new("crates/report/src/tables/published.csv"))?;
        Ok(Self { rows })
    }

    /// A figure of a data set that a paper gives of a parser like that of a setting; that of the paper which sets more axes
    /// apart, if both have one. None of parsers of other systems.
    pub fn figure(&self, dataset: &str, setting: &Setting, measure: &str) -> Option<f64> {
        self.row(dataset, setting, measure)?.value.parse().ok()
    }

    fn row(&self, dataset: &str, setting: &Setting, measure: &str) -> Option<&PublishedRow> {
        let rows = self.rows.iter();
        let of_it = rows.filter(|row| row.dataset == dataset && row.measure == measure && row.is_of(setting));
        of_it.max_by_key(|row| (row.templates.is_some(), row.learner.is_some()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(
        dataset: &str,
        [templates, learner, features]: [&str; 3],
        [backbone, pruning]: [&str; 2],
        measure: &str,
    ) -> Option<f64> {
        let decoding = if backbone.contains('/') { backbone.to_owned() } else { format!("{backbone}/bnb") };
        let axes = ["toy", "test", "gold", "graph", templates, learner, features, pruning, &decoding];
        let setting = Setting::read(axes).expect("a setting");
        Published::carried().expect("the file is sound").figure(dataset, &setting, measure)
    }

    #[test]
    fn figures_are_found_by_our_names() {
        let full = ["compact", "mira", "comb+grandchild+hand+sibling"];
        assert_eq!(figure("PTB", full, ["carreras", "k=10"], "uas_pct"), Some(93.17));
        assert_eq!(figure("PTB", full, ["carreras", "none"], "dp_calls_per_sentence"), Some(54.7));
        let baseline = ["paper-zh", "perceptron", "baseline"];
        assert_eq!(figure("CTB", baseline, ["carreras", "k=10"], "uas_pct"), Some(86.89));
        assert_eq!(figure("CTB", baseline, ["grand-sibling", "k=10"], "uas_pct"), Some(87.07));
        assert_eq!(figure("CTB", ["paper-zh", "perceptron", "hand"], ["carreras", "k=10"], "uas_pct"), None);
    }

    /// Ma & Zhao's models have templates and learners of their own, whatever is pruned.
    #[test]
    fn figures_of_learners_are_of_their_models_alone() {
        let grandchild = |learner| ["ma-zhao-grandchild", learner, "baseline"];
        assert_eq!(figure("PDT", grandchild("mira-kbest"), ["grand-sibling", "t=1e-3"], "root_pct"), Some(91.4));
        assert_eq!(figure("PDT", grandchild("mira"), ["grand-sibling", "t=1e-3"], "root_pct"), None);
        let crf = ["ma-zhao", "crf", "baseline"];
        assert_eq!(figure("CTB", crf, ["carreras", "none"], "complete_pct"), Some(35.0));
        assert_eq!(figure("CTB", crf, ["carreras/mbr", "none"], "complete_pct"), None);
        // The other paper has a baseline whatever its templates and learner.
        assert_eq!(figure("PTB", crf, ["carreras", "k=10"], "uas_pct"), Some(92.4));
        assert_eq!(figure("PTB", ["ma-zhao", "crf-batches", "baseline"], ["carreras", "k=10"], "uas_pct"), Some(92.81));
    }
}
