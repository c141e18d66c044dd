//! Configs: strict TOML describes an experiment.
//!
//! * `wire`: the tables of a config as files have them, read by serde; each key is declared and described once;
//! * `claim_rows`: the rows that claims name, which who reads claims asks for;
//! * `compose`: the files of a config put together, by [`spanned`](treebound_records::spanned) nodes;
//! * `resolve`, with `sets`: from the tables to the `model`, in which every default is filled in;
//! * `written`: the model as a config again, with the place of each value.

pub mod claim_rows;
mod compose;
mod model;
mod resolve;
mod sets;
mod wire;
mod written;

pub use model::{
    Claims, Config, Corpus, Counts, EngineSettings, Evaluation, Expected, Format, Grid, Labeller, Places, Pruner,
    Shown, Tagging, TemplatesSource, Timing,
};
pub use resolve::{ConfigError, parse, parse_with, parse_with_systems, read, read_with};
pub use treebound_records::spanned::{Place, nearest};
pub use wire::reference;
pub use written::{Origins, resolved, settings};
