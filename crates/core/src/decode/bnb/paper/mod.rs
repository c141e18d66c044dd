//! The branch and bound of Qian & Liu (2013), Algorithm 1, as the paper describes it.
//!
//! Each node fixes some arcs as selected or removed. Its bound is `min over p of max over trees of psi(p, z)`, searched by
//! projected subgradient with the dynamic program as oracle; every tree met on the way is scored exactly and may become
//! the incumbent (the paper's LB). Nodes are expanded level by level; a level branches on one arc.
//!
//! What the paper leaves open a [`Reading`] settles. The usual one (docs/notebook/search.md has the reasons): the step
//! restarts at max 1/|score| in each node and is halved whenever the bound rises (Rush et al., 2010); the precision 1e-8
//! is a thousandth of a unit, or 1e-8 of the largest score if that is more; a node inherits the weights with which its
//! parent's bound was lowest; a node is given up after ten calls. An arc is free if it is neither fixed nor implied.

mod bound;
mod lower;
mod reading;
mod search;

pub use reading::{
    Bounds, Compared, Counted, Duals, FirstBound, FirstStep, GiveUp, Order, Precision, Reading, StepOfNode, Steps,
    Tight,
};
pub use search::decode;
