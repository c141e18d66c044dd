//! The dynamic program under a search: which parts of a graph are scored exactly, without any bound.
//!
//! The paper builds on Carreras (2007); "higher-order models can be used as well" (section 3.5): what they score
//! themselves need not be bounded.

use serde::{Deserialize, Serialize};

use super::carreras::Carreras;
use super::grand_sibling::{GrandScores, GrandSibling};
use super::value::Value;
use crate::graph::{ArcId, ArcSpace, FactorGraph, LocalScores};

/// A dynamic program, as configs and the command line name it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Backbone {
    /// Carreras (2007): arcs, adjacent siblings, outermost grandchildren.
    #[default]
    Carreras,
    /// Koo & Collins (2010), Model 1: all of these, all grandchildren, and grand-siblings.
    GrandSibling,
}

impl Backbone {
    /// All backbones.
    pub const ALL: [Backbone; 2] = [Backbone::Carreras, Backbone::GrandSibling];

    /// The name in configs and results.
    pub fn name(self) -> &'static str {
        match self {
            Backbone::Carreras => "carreras",
            Backbone::GrandSibling => "grand-sibling",
        }
    }

    /// The backbone of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|b| b.name() == name)
    }

    /// What `graph` is decoded with: grand-siblings need the program that scores them.
    pub fn for_graph(self, graph: &FactorGraph) -> Self {
        if graph.grand_siblings.is_empty() { self } else { Backbone::GrandSibling }
    }
}

impl std::fmt::Display for Backbone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// The charts of both programs; which one is used is said with each call. Carreras's has no use for the `grand` scores.
#[derive(Debug, Default)]
pub struct Chart<V> {
    carreras: Carreras<V>,
    grand_sibling: GrandSibling<V>,
}

impl<V: Value> Chart<V> {
    /// Passes since the last call of this function: DP calls, inside and outside passes alike.
    pub fn take_calls(&mut self) -> u64 {
        self.carreras.take_calls() + self.grand_sibling.take_calls()
    }

    /// The best tree's score; minus infinity if there is none. One DP call.
    pub fn best_score(
        &mut self,
        backbone: Backbone,
        space: &ArcSpace,
        local: &LocalScores<V>,
        grand: &GrandScores<V>,
    ) -> V {
        match backbone {
            Backbone::Carreras => self.carreras.best_score(space, local),
            Backbone::GrandSibling => self.grand_sibling.best_score(space, local, grand),
        }
    }

    /// The arcs of the best tree of the last [`best_score`](Self::best_score), the arc into word `i + 1` at place `i`.
    ///
    /// Must follow a call with the same arguments that found a tree.
    pub fn best_arcs(
        &mut self,
        backbone: Backbone,
        space: &ArcSpace,
        local: &LocalScores<V>,
        grand: &GrandScores<V>,
    ) -> &[ArcId] {
        match backbone {
            Backbone::Carreras => self.carreras.best_arcs(space, local),
            Backbone::GrandSibling => self.grand_sibling.best_arcs(space, grand),
        }
    }

    /// The max-marginals of the last [`best_score`](Self::best_score): for each arc the score of the best tree that has
    /// it, minus infinity if none has. One DP call; must follow with the same arguments.
    pub fn max_marginals(
        &mut self,
        backbone: Backbone,
        space: &ArcSpace,
        local: &LocalScores<V>,
        grand: &GrandScores<V>,
        marginals: &mut Vec<V>,
    ) {
        match backbone {
            Backbone::Carreras => self.carreras.max_marginals(space, local, marginals),
            Backbone::GrandSibling => self.grand_sibling.max_marginals(space, local, grand, marginals),
        }
    }

    /// The arcs of the best tree that has `a`, whose score is its max-marginal; none if no tree has it.
    ///
    /// Must follow [`max_marginals`](Self::max_marginals) with the same arguments.
    pub fn best_arcs_with(
        &mut self,
        backbone: Backbone,
        space: &ArcSpace,
        local: &LocalScores<V>,
        grand: &GrandScores<V>,
        a: ArcId,
    ) -> Option<&[ArcId]> {
        match backbone {
            Backbone::Carreras => self.carreras.best_arcs_with(space, local, a),
            Backbone::GrandSibling => self.grand_sibling.best_arcs_with(space, local, grand, a),
        }
    }
}
