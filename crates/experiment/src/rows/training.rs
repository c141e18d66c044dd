//! How the models were learnt (`training.csv`): one row a training run, fold and epoch.

use super::ModelName;
use super::columns::columns;
use super::csv::Record;
use treebound_parser::cell::Fold;
use treebound_records::RowKey;

columns! {
    /// One pass of a training run over the training part.
    pub struct TrainingRow {
        /// The model.
        pub model: ModelName,
        /// The fold that is not learnt from; empty if the training part is.
        pub fold: Option<Fold>,
        /// Seed of the training run.
        pub seed: u64,
        /// What made the model.
        pub key: RowKey,
        /// Number of the pass, from 1.
        pub epoch: u64,
        /// Sentences learnt from.
        pub sentences: u64,
        /// Those of them whose gold tree was made projective first.
        pub projectivized: u64,
        /// Sentences left out because their gold tree is not projective.
        pub dropped: u64,
        /// Sentences that were not parsed as they should be, and so changed the weights; empty where nothing was parsed.
        pub mistakes: Option<u64>,
        /// Words with a wrong head.
        pub wrong_heads: Option<u64>,
        /// Sentences whose decoder stopped at a limit.
        pub unproven: Option<u64>,
        /// Calls to the dynamic program.
        pub dp_calls: Option<u64>,
        /// Scored words of the development part that are right with the weights averaged so far; empty if not looked at.
        pub dev_scored_correct: Option<i64>,
        /// 1 if the model is that of this pass.
        pub chosen: u64,
        /// What a step of a descent minimises, after it, in millionths; empty of other learners.
        pub objective_e6: Option<i64>,
        /// The norm of its gradient, in millionths.
        pub gradient_norm_e6: Option<i64>,
        /// The objective of the model's weights, which are whole numbers, in millionths.
        pub objective_of_model_e6: Option<i64>,
    }
}

impl Record for TrainingRow {
    fn same_key(&self, other: &Self) -> bool {
        self.key() == other.key()
    }

    fn key(&self) -> String {
        let Self { model, fold, seed, epoch, .. } = self;
        let fold = fold.map_or_else(String::new, |fold| format!("/fold={fold}"));
        format!("{model}{fold}/seed={seed}, epoch {epoch}")
    }
}
