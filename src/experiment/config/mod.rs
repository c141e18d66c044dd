//! Configs: one strict TOML file describes an experiment.

mod claims;
mod error;
mod model;
mod resolve;
mod sets;
mod synthetic;
mod wire;

pub use claims::Claims;
pub use error::ConfigError;
pub use model::{
    ChooseEpoch, Config, Corpus, Counts, Decoding, Encoding, Evaluation, Expected, FeatureSet, Features, Format,
    Origin, Pruning, Split, Tagging, Tags, Timing, Trainer, Training,
};
pub use resolve::{parse, read};
