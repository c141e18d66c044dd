//! The figures of Qian & Liu (2013), to stand beside ours.
//!
//! `published.csv` gives those of the paper's own parser under our names of feature sets, backbones and prunings; its
//! third-order parser is the baseline of the backbone `grand-sibling`. The paper added no
//! hand-crafted features for Chinese, so its best set is one family smaller there.

use std::path::Path;

use crate::records::columns::{Columns, Field, Fields, columns};
use crate::records::csv::{self, Record};
use crate::records::{LineFault, ReportError};

columns! {
    /// A figure of the paper.
    pub struct PublishedRow {
        /// `PTB` or `CTB`.
        pub dataset: String,
        /// The feature set.
        pub features: String,
        /// The backbone.
        pub backbone: String,
        /// The pruning.
        pub prune: String,
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
        self.texts() == other.texts()
    }

    fn key(&self) -> String {
        self.texts().join("/")
    }
}

impl PublishedRow {
    fn texts(&self) -> [&str; 5] {
        [&self.dataset, &self.features, &self.backbone, &self.prune, &self.measure]
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

    /// The figure of a data set, feature set, backbone and pruning, if the paper has it.
    pub fn figure(&self, dataset: &str, [features, backbone, prune]: [&str; 3], measure: &str) -> Option<f64> {
        let row = self.rows.iter().find(|row| row.texts() == [dataset, features, backbone, prune, measure])?;
        row.value.parse().ok()
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
        let full = "comb+grandchild+hand+sibling";
        assert_eq!(published.figure("PTB", [full, "carreras", "k=10"], "uas_pct"), Some(93.17));
        assert_eq!(published.figure("PTB", [full, "carreras", "none"], "dp_calls_per_sentence"), Some(54.7));
        assert_eq!(published.figure("CTB", ["baseline", "carreras", "k=10"], "uas_pct"), Some(86.89));
        assert_eq!(published.figure("CTB", ["baseline", "grand-sibling", "k=10"], "uas_pct"), Some(87.07));
        assert_eq!(published.figure("CTB", ["hand", "carreras", "k=10"], "uas_pct"), None);
        assert!(published.knows("CTB") && !published.knows("PDT"));
    }
}
