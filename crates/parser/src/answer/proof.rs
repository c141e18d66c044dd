//! What is proven of a tree.

use treebound_core::decode::Status;

/// A limit that stopped a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Limit {
    /// Branch-and-bound nodes.
    Nodes,
    /// Calls to the dynamic program.
    DpCalls,
    /// Memory of nodes that wait to be opened.
    Memory,
}

/// What is proven of a tree. "Exact" is a status, not a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Proof {
    /// No tree scores more.
    Optimal,
    /// There is no projective tree.
    Infeasible,
    /// A limit was reached before either was proven.
    Stopped(Limit),
    /// The system proves nothing of scores, by design.
    Heuristic,
}

/// Every proof with its name in results. What is not listed in [`Proof::code`] does not compile.
const NAMED: [(Proof, &str); 6] = [
    (Proof::Optimal, "optimal"),
    (Proof::Infeasible, "infeasible"),
    (Proof::Stopped(Limit::Nodes), "node-limit"),
    (Proof::Stopped(Limit::DpCalls), "dp-call-limit"),
    (Proof::Heuristic, "heuristic"),
    (Proof::Stopped(Limit::Memory), "memory-limit"),
];

impl Proof {
    /// Its number in stored rows: its place among the names.
    pub fn code(self) -> u8 {
        match self {
            Self::Optimal => 0,
            Self::Infeasible => 1,
            Self::Stopped(Limit::Nodes) => 2,
            Self::Stopped(Limit::DpCalls) => 3,
            Self::Heuristic => 4,
            Self::Stopped(Limit::Memory) => 5,
        }
    }

    /// The proof of that number.
    pub fn of_code(code: u64) -> Option<Self> {
        NAMED.get(usize::try_from(code).ok()?).map(|named| named.0)
    }

    /// The name in results.
    pub fn name(self) -> &'static str {
        NAMED[usize::from(self.code())].1
    }

    /// The proof of that name.
    pub fn parse(name: &str) -> Option<Self> {
        NAMED.into_iter().find(|named| named.1 == name).map(|named| named.0)
    }

    /// Whether the tree is proven to be a best one; none where the system proves nothing by design.
    pub fn is_optimal(self) -> Option<bool> {
        match self {
            Self::Optimal => Some(true),
            Self::Infeasible | Self::Stopped(_) => Some(false),
            Self::Heuristic => None,
        }
    }
}

impl From<Status> for Proof {
    fn from(status: Status) -> Self {
        match status {
            Status::Optimal => Self::Optimal,
            Status::Infeasible => Self::Infeasible,
            Status::NodeLimit => Self::Stopped(Limit::Nodes),
            Status::DpCallLimit => Self::Stopped(Limit::DpCalls),
            Status::MemoryLimit => Self::Stopped(Limit::Memory),
            Status::LeastRisk => Self::Heuristic,
        }
    }
}

impl std::fmt::Display for Proof {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_are_those_of_the_list() {
        for (i, (proof, name)) in NAMED.into_iter().enumerate() {
            assert_eq!(usize::from(proof.code()), i);
            assert_eq!(Proof::of_code(i as u64), Some(proof));
            assert_eq!(Proof::parse(name), Some(proof));
        }
        assert_eq!(Proof::of_code(6), None);
    }
}
