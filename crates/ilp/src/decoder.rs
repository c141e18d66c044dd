//! Best trees by integer programs, and trees by their relaxations: what can be asked, and the answers.

use thiserror::Error;
use treebound_core::decode::Decoder;
use treebound_core::graph::{FactorGraph, Word};
use treebound_core::tree::Tree;

use crate::formulation::Form;
use crate::fractions::Fractions;

/// What a program is solved for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The best tree: branch and cut to a gap of 0.
    Best,
    /// A tree by the relaxation: its own if that is whole; otherwise the best tree where arcs score what the relaxation has
    /// of them (Martins et al. 2009, section 4).
    Relaxed,
}

impl Goal {
    /// That of a decoder; none of those that solve no program.
    pub fn of(decoder: Decoder) -> Option<Self> {
        match decoder {
            Decoder::Ilp => Some(Goal::Best),
            Decoder::Lp => Some(Goal::Relaxed),
            _ => None,
        }
    }
}

/// How a program is written and when its solver gives up; none means never.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// What a tree is; none for the smallest program.
    pub form: Option<Form>,
    /// Whether rows that may be left out come in only where a point violates them.
    pub lazy: bool,
    /// Most nodes of branch and cut. No limit changes a proven answer.
    pub nodes: Option<u64>,
    /// Most seconds. Which answers are not proven then depends on the machine.
    pub seconds: Option<f64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { form: None, lazy: true, nodes: None, seconds: None }
    }
}

/// Why a solver stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IlpStatus {
    /// The tree is a best one: no point of the program is worth more, to the solver's tolerance, which is less than a unit.
    Optimal,
    /// The graph has no tree: the program has no point.
    Infeasible,
    /// The tree comes from a relaxation that is worth more, or is none of the graph's.
    Relaxed,
    /// The limit on nodes was reached first.
    NodeLimit,
    /// The limit on seconds was reached first.
    TimeLimit,
    /// The solver ended with a bound that its tree does not reach.
    Inexact,
}

impl IlpStatus {
    /// The name in results.
    pub fn name(self) -> &'static str {
        match self {
            IlpStatus::Optimal => "optimal",
            IlpStatus::Infeasible => "infeasible",
            IlpStatus::Relaxed => "relaxed",
            IlpStatus::NodeLimit => "node-limit",
            IlpStatus::TimeLimit => "time-limit",
            IlpStatus::Inexact => "inexact",
        }
    }
}

/// The answer for one graph. Scores are in units of the graph.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The tree, if one was found.
    pub tree: Option<Tree>,
    /// Its score, by the graph and not by the solver.
    pub score: Option<i128>,
    /// No tree of the graph scores more; none if there is no tree, or nothing was found out.
    pub bound: Option<i128>,
    /// Why the solver stopped.
    pub status: IlpStatus,
    /// Whether the relaxation was whole; none if it was not solved to the end.
    pub integral: Option<bool>,
    /// What the relaxation has, if that is what the answer comes from and it is not whole.
    pub fractions: Option<Fractions>,
    /// Nodes of branch and cut, over all rounds; 0 where the relaxation was enough.
    pub nodes: u64,
    /// Iterations of the simplex method, over all rounds.
    pub iterations: u64,
    /// Variables of the program.
    pub columns: usize,
    /// Rows that the solver had at last, and those of the program.
    pub rows: (usize, usize),
}

impl Answer {
    /// As a line of JSON; `null` where there is nothing.
    pub fn line(&self) -> String {
        let or_null = |text: Option<String>| text.unwrap_or_else(|| "null".to_owned());
        let heads = |tree: &Tree| {
            let heads: Vec<_> = tree.heads().iter().map(Word::to_string).collect();
            format!("[{}]", heads.join(", "))
        };
        format!(
            r#"{{"heads": {}, "score": {}, "bound": {}, "status": "{}", "integral": {}, "nodes": {}, "iterations": {}, "columns": {}, "rows": {}, "all_rows": {}}}"#,
            or_null(self.tree.as_ref().map(heads)),
            or_null(self.score.map(|score| score.to_string())),
            or_null(self.bound.map(|bound| bound.to_string())),
            self.status.name(),
            or_null(self.integral.map(|integral| integral.to_string())),
            self.nodes,
            self.iterations,
            self.columns,
            self.rows.0,
            self.rows.1,
        )
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum IlpError {
    /// The program was built without the solver.
    #[error(
        "this program was built without a solver of integer programs; build it again with `--features ilp`, for which cmake, \
         a C++ compiler and libclang are needed; or use the decoder `bnb`"
    )]
    NotBuilt,
    /// The graph's trees are beyond the form.
    #[error("there is no program over spans of trees that cross; take that over flow or paths")]
    Form,
    /// Scores that the solver's numbers do not tell apart.
    #[error(
        "scores add up to {0}, of which the solver, with its tolerance of 1e-9, does not tell single units apart; divide all \
         of them by the same number, and round"
    )]
    TooLarge(u128),
    /// More coefficients than the solver's indices hold.
    #[error("the program may have {0} coefficients, more than 31-bit indices hold; keep fewer heads a word")]
    TooMany(u64),
    /// The solver has failed.
    #[error("the solver ended with {0}")]
    Solver(String),
}

/// Whether this crate was built with a solver.
pub const fn is_built() -> bool {
    cfg!(feature = "solver")
}

/// The best tree of `graph`, or one by its relaxation.
///
/// # Errors
/// If there is no solver, or the graph is beyond it.
pub fn decode(graph: &FactorGraph, goal: Goal, settings: &Settings) -> Result<Answer, IlpError> {
    #[cfg(feature = "solver")]
    return crate::solver::decode(graph, goal, settings);
    #[cfg(not(feature = "solver"))]
    {
        let _ = (graph, goal, settings);
        Err(IlpError::NotBuilt)
    }
}
