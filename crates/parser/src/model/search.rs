//! One search for all decoders: those that work on factor graphs themselves, and the solver of integer programs.

use thiserror::Error;

use treebound_core::decode;
use treebound_core::decode::bnb::Limits;
use treebound_core::decode::bnb::exact::BestTrees;
use treebound_core::decode::{Backbone, Decoded, Decoder, DpError, Status};
use treebound_core::graph::FactorGraph;
use treebound_core::tree::Tree;
use treebound_ilp::{Fractions, Goal, IlpError, IlpStatus, Settings};

/// Why a graph was not searched.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SearchError {
    /// The decoder cannot handle the graph.
    #[error(transparent)]
    Decoder(#[from] DpError),
    /// The solver is not there, or cannot handle the graph.
    #[error(transparent)]
    Program(Box<IlpError>),
}

impl From<IlpError> for SearchError {
    fn from(error: IlpError) -> Self {
        Self::Program(Box::new(error))
    }
}

/// What a solver says of a graph beside its answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Solved {
    /// Whether the relaxation was whole; none if there was none.
    pub is_whole: Option<bool>,
    /// Iterations of the simplex method.
    pub iterations: u64,
    /// What the relaxation has, if the answer was rounded from it and is not proven.
    pub fractions: Option<Fractions>,
}

/// Whether a decoder is there: the solver of programs is, if the program was built with it.
///
/// # Errors
/// What it must be built with.
pub fn check_built(decoder: Decoder) -> Result<(), SearchError> {
    if decoder.is_program() && !treebound_ilp::is_built() { Err(IlpError::NotBuilt.into()) } else { Ok(()) }
}

/// Memory of all decoders, reused from graph to graph.
#[derive(Debug, Default)]
pub struct Search {
    own: decode::Scratch,
    solved: Option<Solved>,
}

impl Search {
    /// What `decoder` finds in a graph, as [`Decoder::decode`].
    ///
    /// # Errors
    /// See [`SearchError`].
    pub fn decode(
        &mut self,
        decoder: Decoder,
        graph: &FactorGraph,
        backbone: Backbone,
        prior: Option<&[f64]>,
        limits: Limits,
    ) -> Result<Decoded, SearchError> {
        self.solved = None;
        let Some(goal) = Goal::of(decoder) else {
            return Ok(decoder.decode(graph, backbone, prior, limits, &mut self.own)?);
        };
        // Limits are counts: of a program, its nodes.
        let settings = Settings { nodes: limits.nodes, ..Settings::default() };
        let answer = treebound_ilp::decode(graph, goal, &settings)?;
        let status = match answer.status {
            IlpStatus::Optimal => Status::Optimal,
            IlpStatus::Infeasible => Status::Infeasible,
            IlpStatus::NodeLimit | IlpStatus::TimeLimit => Status::NodeLimit,
            IlpStatus::Relaxed | IlpStatus::Inexact => Status::Relaxed,
        };
        let fractions = answer.fractions.filter(|_| status == Status::Relaxed);
        self.solved = Some(Solved { is_whole: answer.integral, iterations: answer.iterations, fractions });
        Ok(Decoded {
            tree: answer.tree,
            score: answer.score,
            bound: answer.bound,
            status,
            dp_calls: 0,
            // The relaxation is one.
            nodes: answer.nodes.max(1),
            fixed_arcs: 0,
        })
    }

    /// What the solver says of the last graph, if it was its.
    pub fn solved(&self) -> Option<&Solved> {
        self.solved.as_ref()
    }

    /// The same, taken out.
    pub fn take_solved(&mut self) -> Option<Solved> {
        self.solved.take()
    }

    /// The tree with most expected right heads, as [`decode::Scratch::least_risk`].
    ///
    /// # Errors
    /// See [`SearchError`].
    pub fn least_risk(&mut self, graph: &FactorGraph, backbone: Backbone, scale: f64) -> Result<Decoded, SearchError> {
        self.solved = None;
        Ok(self.own.least_risk(graph, backbone, scale)?)
    }

    /// The best trees that a search finds, as [`decode::Scratch::search_trees`].
    ///
    /// # Errors
    /// See [`SearchError`].
    pub fn search_trees(
        &mut self,
        graph: &FactorGraph,
        most: usize,
        backbone: Backbone,
        prior: Option<&[f64]>,
        limits: Limits,
    ) -> Result<BestTrees, SearchError> {
        self.solved = None;
        Ok(self.own.search_trees(graph, most, backbone, prior, limits)?)
    }

    /// The best trees by the program alone, as [`decode::Scratch::best_trees`].
    ///
    /// # Errors
    /// See [`SearchError`].
    pub fn best_trees(
        &mut self,
        graph: &FactorGraph,
        backbone: Backbone,
        most: usize,
    ) -> Result<Vec<(Tree, i128)>, SearchError> {
        Ok(self.own.best_trees(graph, backbone, most)?)
    }
}
