//! Branch and bound: exact decoding with non-local factors (paper, section 3).
//!
//! * [`exact`]: the default search;
//! * [`paper`]: the algorithm of Qian & Liu (2013), faithfully;
//! * [`Problem`]: a graph made ready for it (impossible factors dropped, local ones folded in, scores in fixed point).

pub mod exact;
pub mod paper;
mod problem;

pub use super::outcome::Limits;
pub use problem::{Problem, Scale};
