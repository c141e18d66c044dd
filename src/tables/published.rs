//! The figures of Qian & Liu (2013), to stand beside ours.
//!
//! `published.csv` gives those of the paper's own parser under our names of feature sets, backbones and prunings; its
//! third-order parser is the baseline of the backbone `grand-sibling`. The paper added no
//! hand-crafted features for Chinese, so its best set is one family smaller there.

use std::path::Path;

use crate::cell::{FeatureSet, Setting};
use crate::decode::Backbone;
use crate::pruning::Rule;
use crate::records::columns::columns;
use crate::records::csv::{self, Record};
use crate::records::{LineFault, ReportError};

columns! {
    /// A figure of the paper.
    pub struct PublishedRow {
        /// `PTB` or `CTB`.
        pub dataset: String,
        /// The feature set.
        pub features: FeatureSet,
        /// The backbone.
        pub backbone: Backbone,
        /// The pruning.
        pub pruning: Rule,
        /// `uas_pct` (without punctuation), `words_per_second`, `dp_calls` (of all sentences) or `dp_calls_per_sentence`.
        pub measure: String,
        /// The figure as printed.
        pub value: String,
        /// Where it stands in the paper.
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
        let key =
            |row: &Self| (row.dataset.clone(), row.features.clone(), row.backbone, row.pruning, row.measure.clone());
        key(self) == key(other)
    }

    fn key(&self) -> String {
        let Self { dataset, features, backbone, pruning, measure, .. } = self;
        format!("{dataset}/{features}/{pruning}/{backbone}/{measure}")
    }
}

/// The figures of the paper.
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
        let rows = csv::parse(include_bytes!("published.csv"), Path::new("src/tables/published.csv"))?;
        Ok(Self { rows })
    }

    /// A figure of a data set that the paper gives of a parser like that of a setting, whatever its templates and learner; none
    /// of parsers of other systems.
    pub fn figure(&self, dataset: &str, setting: &Setting, measure: &str) -> Option<f64> {
        let Setting { features: Some(features), pruning: Some(pruning), decoding: Some(decoding), .. } = setting else {
            return None;
        };
        let parser = (features, decoding.backbone, *pruning);
        let is_it = |row: &&PublishedRow| {
            row.dataset == dataset && row.measure == measure && (&row.features, row.backbone, row.pruning) == parser
        };
        self.rows.iter().find(is_it)?.value.parse().ok()
    }

    /// True if the paper has figures of that data set.
    pub fn knows(&self, dataset: &str) -> bool {
        self.rows.iter().any(|row| row.dataset == dataset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_found_by_our_names() {
        let published = Published::carried().expect("the file is sound");
        let figure = |dataset: &str, features: &str, backbone: &str, pruning: &str, measure: &str| {
            let decoding = format!("{backbone}/bnb");
            let axes = ["toy", "test", "gold", "graph", "paper", "mira", features, pruning, &decoding];
            published.figure(dataset, &Setting::read(axes).expect("a setting"), measure)
        };
        let full = "comb+grandchild+hand+sibling";
        assert_eq!(figure("PTB", full, "carreras", "k=10", "uas_pct"), Some(93.17));
        assert_eq!(figure("PTB", full, "carreras", "none", "dp_calls_per_sentence"), Some(54.7));
        assert_eq!(figure("CTB", "baseline", "carreras", "k=10", "uas_pct"), Some(86.89));
        assert_eq!(figure("CTB", "baseline", "grand-sibling", "k=10", "uas_pct"), Some(87.07));
        assert_eq!(figure("CTB", "hand", "carreras", "k=10", "uas_pct"), None);
        assert!(published.knows("CTB") && !published.knows("PDT"));
    }
}
