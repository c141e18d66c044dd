//! Limits on a search. They are counts, never seconds, so that answers do not depend on the machine.

use crate::decode::outcome::Status;

/// When a search gives up; none means never.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Most calls to the dynamic program for one graph.
    pub dp_calls: Option<u64>,
    /// Most nodes for one graph.
    pub nodes: Option<u64>,
}

impl Limits {
    /// The limit that these counts have reached, if any.
    pub fn reached(&self, dp_calls: u64, nodes: u64) -> Option<Status> {
        if self.dp_calls.is_some_and(|limit| dp_calls >= limit) {
            Some(Status::DpCallLimit)
        } else if self.nodes.is_some_and(|limit| nodes >= limit) {
            Some(Status::NodeLimit)
        } else {
            None
        }
    }
}
