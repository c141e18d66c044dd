//! The parser: features and weights put together into factor graphs, the learners of the weights, and the
//! path from tokens to tree.

pub mod build;
pub mod contributions;
pub mod crf;
pub mod explain;
mod file;
pub mod mira;
mod model;
pub mod online;
mod parse;
mod parse_file;
mod projectivize;
mod roots;

pub use file::{ModelFileError, TrainedParser};
pub use model::{Model, is_local, kinds_wanted, scored_families};
pub use parse::{ParseError, Parser, Scratch};
pub use parse_file::{FileParser, ParsedFile, SentenceError};
pub use projectivize::projectivize;
pub use roots::Roots;
