//! The default search. (Account to follow the measurements.)

mod instance;
mod loose;
mod relaxation;
mod score;
mod search;
mod sides;
mod start;

pub use search::{Options, decode};
