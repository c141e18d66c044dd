//! Configs: one strict TOML file describes an experiment.

mod error;
mod model;
mod resolve;
mod sets;
mod synthetic;
mod wire;

pub use error::ConfigError;
pub use model::{
    ChooseEpoch, Config, Corpus, Counts, Decoding, Encoding, Evaluation, Expected, FeatureSet, Features, Format,
    Nonprojective, Origin, Pruning, Punctuation, Split, TagColumn, Tagging, Tags, Timing, Trainer, Training,
};
pub use resolve::{parse, read};
