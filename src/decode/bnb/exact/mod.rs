//! The default search. (Account to follow the measurements.)

mod bounding;
mod branching;
mod climb;
mod instance;
mod loose;
mod multipliers;
mod options;
mod relaxation;
mod scale;
mod score;
mod search;
mod sides;
mod start;
mod step;

pub use options::Options;
pub use search::Exact;
