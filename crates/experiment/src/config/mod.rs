//! Configs: strict TOML describes an experiment.
//!
//! * `tree` and `place`: TOML whose values know where they stand; `compose` puts the files of a config together.
//! * `reader`: values of the right kind and range, or a fault in the reader's words.
//! * `resolve`, with `claims`, `sets` and `synthetic`: from the tree to the `model`, in which every default is filled in.
//! * `written`: the model as a config again, with where each value came from.

mod claims;
mod compose;
mod error;
mod model;
mod origins;
mod place;
mod reader;
mod resolve;
mod sets;
mod synthetic;
mod tree;
mod written;

pub use claims::Claims;
pub use error::{ConfigError, Fault};
pub use model::{
    Config, Corpus, Counts, Encoding, Evaluation, Expected, Format, Grid, Places, Pruner, Tagging, TemplatesSource,
    Timing,
};
pub use origins::Origins;
pub use place::Place;
pub use reader::nearest;
pub use resolve::{parse, parse_with, read, read_with};
pub use written::{resolved, settings};
