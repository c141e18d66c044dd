//! Experiments: a config expanded into cells, run in parallel, timed in series, and kept so that nothing is done twice.

pub mod config;
pub mod files;
pub mod store;
