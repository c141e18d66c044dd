//! The dynamic program under a search: which parts of a graph are scored exactly, without any bound.
//!
//! The paper builds on Carreras (2007); "higher-order models can be used as well" (section 3.5): what they score
//! themselves need not be bounded.

use serde::{Deserialize, Serialize};

use crate::decode::carreras::Carreras;
use crate::decode::grand_sibling::{GrandScores, GrandSibling};
use crate::decode::outcome::Decoded;
use crate::decode::semiring::Value;
use crate::graph::{ArcId, ArcSpace, FactorGraph, LocalScores};
use crate::tree::Tree;

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
///
/// DP calls are counted here and nowhere else. **One call is one max-product pass over the span chart of a sentence**: an
/// inside pass is one, whatever comes of it, and an outside pass is another. Tracing trees back from a chart is none.
/// Passes that no search makes are not counted, since they run over charts of their own: those of the
/// [first-order program](super::first_order), which sums for the pruner, and makes trees for training and where pruning has
/// left none.
#[derive(Debug, Default)]
pub struct Chart<V> {
    carreras: Carreras<V>,
    grand_sibling: GrandSibling<V>,
    calls: u64,
}

impl<V: Value> Chart<V> {
    /// DP calls since [`start_count`](Self::start_count).
    pub fn calls(&self) -> u64 {
        self.calls
    }

    /// Counts DP calls from 0 again.
    pub fn start_count(&mut self) {
        self.calls = 0;
    }

    /// The best tree and its score; one DP call, counted from 0.
    pub fn decode(
        &mut self,
        backbone: Backbone,
        space: &ArcSpace,
        local: &LocalScores<V>,
        grand: &GrandScores<V>,
    ) -> Decoded {
        self.start_count();
        let best = self.best_score(backbone, space, local, grand).to_score().map(|score| {
            let arcs = self.best_arcs(backbone, space, local, grand);
            (Tree::from_decoder(arcs.iter().map(|&a| space.head(a)).collect()), score)
        });
        Decoded::proven(best, self.calls)
    }

    /// The best tree's score; minus infinity if there is none. One DP call.
    pub fn best_score(
        &mut self,
        backbone: Backbone,
        space: &ArcSpace,
        local: &LocalScores<V>,
        grand: &GrandScores<V>,
    ) -> V {
        self.calls += 1;
        match backbone {
            Backbone::Carreras => self.carreras.sum(space, local),
            Backbone::GrandSibling => self.grand_sibling.sum(space, local, grand),
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
            Backbone::GrandSibling => self.grand_sibling.best_arcs(space, local, grand),
        }
    }

    /// Visits the trees of the last [`best_score`](Self::best_score), best first, while `visit` is true: the arc into word
    /// `i + 1` at place `i`, the score, and the bytes of what the list holds so far.
    ///
    /// Must follow a call with the same arguments.
    pub fn each_tree(
        &self,
        backbone: Backbone,
        space: &ArcSpace,
        local: &LocalScores<V>,
        grand: &GrandScores<V>,
        visit: impl FnMut(&[ArcId], V, usize) -> bool,
    ) {
        match backbone {
            Backbone::Carreras => self.carreras.each_tree(space, local, visit),
            Backbone::GrandSibling => self.grand_sibling.each_tree(space, local, grand, visit),
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
        self.calls += 1;
        match backbone {
            Backbone::Carreras => self.carreras.sums_with(space, local, marginals),
            Backbone::GrandSibling => self.grand_sibling.sums_with(space, local, grand, marginals),
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
