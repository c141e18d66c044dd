//! Searches by name, and what they answer.

use std::fmt;

use super::memory::Memory;
use super::transition::{Action, Costs};
use super::{beam, best_first, dp_beam, dp_best_first};

/// How the best derivation is sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Search {
    /// The cheapest action in each state.
    Greedy,
    /// The cheapest derivations of each length.
    Beam {
        /// How many are kept.
        width: u32,
        /// Whether equal states are merged (Huang & Sagae 2010).
        merges: bool,
    },
    /// The cheapest derivation first, of any length (Sagae & Lavie 2006).
    BestFirst(Limits),
    /// The cheapest state first (paper, algorithms 1 and 2).
    DpBestFirst(Order, Limits),
}

/// When a best-first search makes states, and which one it takes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Order {
    /// All reductions with a state are made when it is taken (algorithm 1).
    Eager,
    /// Reductions with trees to its right are made when the shift from it is taken (algorithm 2).
    Lazy,
    /// As `Eager`; the estimated cost to the end is added (A*).
    Estimated,
}

/// When a best-first search gives up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Limits {
    /// Most states in the queue; the worst is dropped.
    pub queue: Option<u32>,
    /// Most states that are expanded.
    pub states: Option<u64>,
}

/// What an answer is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// No derivation costs less.
    Optimal,
    /// Derivations were dropped by design.
    Inexact,
    /// The limit on states was reached first.
    StateLimit,
}

/// What a search did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// States whose successors were made.
    pub expanded: u64,
    /// Successors that were made.
    pub generated: u64,
    /// Successors that were in a state that was there.
    pub merged: u64,
}

/// The answer: the actions are in the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The cost of the derivation.
    pub cost: i64,
    /// What it is worth.
    pub end: End,
    /// What it took.
    pub work: Work,
}

impl Search {
    /// Finds a derivation, and leaves its actions in [`Memory::actions`].
    ///
    /// Best-first searches that were stopped, or whose queue ran dry, end with the cheapest actions from their last state.
    pub fn run(self, costs: &mut impl Costs, memory: &mut Memory) -> Found {
        memory.actions.clear();
        if costs.words() == 0 {
            return Found { cost: 0, end: End::Optimal, work: Work::default() };
        }
        match self {
            Self::Greedy => {
                memory.stack.start(costs.words());
                let mut work = Work::default();
                let cost = greedy(costs, memory, &mut work);
                Found { cost, end: End::Inexact, work }
            }
            Self::Beam { width, merges: false } => beam::search(costs, width, memory),
            Self::Beam { width, merges: true } => dp_beam::search(costs, width, memory),
            Self::BestFirst(limits) => best_first::search(costs, limits, memory),
            Self::DpBestFirst(order, limits) => dp_best_first::search(costs, order, limits, memory),
        }
    }

    /// Whether costs below 0 are allowed: best-first searches rest on costs that only add up.
    pub fn allows_negative_costs(self) -> bool {
        matches!(self, Self::Greedy | Self::Beam { .. })
    }

    /// Whether it asks for [estimates](Costs::estimate).
    pub fn is_estimated(self) -> bool {
        matches!(self, Self::DpBestFirst(Order::Estimated, _))
    }

    /// Whether it is exact unless it is stopped.
    pub fn is_exact(self) -> bool {
        match self {
            Self::Greedy | Self::Beam { .. } => false,
            Self::BestFirst(limits) | Self::DpBestFirst(_, limits) => limits.queue.is_none(),
        }
    }

    /// The search of a name in configs.
    pub fn parse(name: &str) -> Option<Self> {
        let mut words = name.split('+');
        let first = words.next()?;
        let search = match first.split_once('=') {
            None => match first {
                "greedy" => Self::Greedy,
                "best-first" => Self::BestFirst(Limits::default()),
                "dp-best-first" => Self::DpBestFirst(Order::Eager, Limits::default()),
                "dp-best-first-lazy" => Self::DpBestFirst(Order::Lazy, Limits::default()),
                "dp-a-star" => Self::DpBestFirst(Order::Estimated, Limits::default()),
                _ => return None,
            },
            Some((kind, width)) => Self::Beam {
                width: width.parse().ok().filter(|&width| width > 0)?,
                merges: match kind {
                    "beam" => false,
                    "dp-beam" => true,
                    _ => return None,
                },
            },
        };
        let search = words.try_fold(search, |search, word| {
            let (key, most) = word.split_once('=')?;
            let set = |limits: Limits| match key {
                "queue" if limits == Limits::default() => {
                    Some(Limits { queue: Some(most.parse().ok().filter(|&most| most > 0)?), ..limits })
                }
                "states" if limits.states.is_none() => {
                    Some(Limits { states: Some(most.parse().ok().filter(|&most| most > 0)?), ..limits })
                }
                _ => None,
            };
            match search {
                Self::Greedy | Self::Beam { .. } => None,
                Self::BestFirst(limits) => set(limits).map(Self::BestFirst),
                Self::DpBestFirst(order, limits) => set(limits).map(|limits| Self::DpBestFirst(order, limits)),
            }
        })?;
        // One name a search: no leading zeros, no plus.
        (search.to_string() == name).then_some(search)
    }
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, limits) = match self {
            Self::Greedy => return f.write_str("greedy"),
            Self::Beam { width, merges: false } => return write!(f, "beam={width}"),
            Self::Beam { width, merges: true } => return write!(f, "dp-beam={width}"),
            Self::BestFirst(limits) => ("best-first", limits),
            Self::DpBestFirst(Order::Eager, limits) => ("dp-best-first", limits),
            Self::DpBestFirst(Order::Lazy, limits) => ("dp-best-first-lazy", limits),
            Self::DpBestFirst(Order::Estimated, limits) => ("dp-a-star", limits),
        };
        f.write_str(name)?;
        if let Some(most) = limits.queue {
            write!(f, "+queue={most}")?;
        }
        limits.states.map_or(Ok(()), |most| write!(f, "+states={most}"))
    }
}

/// Takes the cheapest action until the end, from the memory's stack and actions on; what it costs.
pub(super) fn greedy(costs: &mut impl Costs, memory: &mut Memory, work: &mut Work) -> i64 {
    let words = costs.words();
    let mut cost = 0;
    while memory.actions.len() + 1 < 2 * words as usize {
        let state = memory.stack.state();
        let by_action = costs.actions(&state);
        work.expanded += 1;
        let mut best: Option<Action> = None;
        for action in state.allowed(words) {
            work.generated += 1;
            if best.is_none_or(|best| by_action[action as usize] < by_action[best as usize]) {
                best = Some(action);
            }
        }
        let Some(action) = best else { break };
        cost += by_action[action as usize];
        memory.stack.take(action);
        memory.actions.push(action);
    }
    cost + costs.end(memory.stack.state().trees[0])
}

/// The answer of a best-first search without one: its last derivation, which the memory's actions are, is ended greedily.
pub(super) fn ended_greedily(
    costs: &mut impl Costs,
    memory: &mut Memory,
    cost: i64,
    end: End,
    mut work: Work,
) -> Found {
    memory.stack.start(costs.words());
    for &action in &memory.actions {
        memory.stack.take(action);
    }
    let expanded = work;
    let rest = greedy(costs, memory, &mut work);
    // What ends a derivation is no search.
    Found { cost: cost + rest, end, work: expanded }
}
