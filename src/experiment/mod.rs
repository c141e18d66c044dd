//! Experiments: a config expanded into cells, run in parallel, timed in series, and kept so that nothing is done twice.

pub mod cell;
pub mod config;
pub mod cross_validation;
pub mod data;
pub mod earlier;
pub mod files;
pub mod folders;
pub mod folds;
pub mod growth;
pub mod jobs;
pub mod lock;
pub mod outcome;
pub mod pieces;
pub mod plan;
pub mod prepared;
pub mod progress;
pub mod results;
pub mod rows;
pub mod run;
pub mod search;
pub mod store;
pub mod table_options;
pub mod times;
pub mod timing;
pub mod versions;
pub mod visit;
