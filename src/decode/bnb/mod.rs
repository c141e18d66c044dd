//! Branch and bound: exact decoding with non-local factors (paper, section 3).
//!
//! * [`Problem`]: a graph made ready (impossible factors dropped, local ones folded in, scores in fixed point);
//! * [`paper`]: the algorithm of Qian & Liu (2013), faithfully.

pub mod exact;
mod limits;
pub mod paper;
mod problem;

pub use limits::Limits;
pub use problem::{Problem, Scale};
