//! The dynamic program under a search: which parts of a graph are scored exactly, without any bound.
//!
//! The paper builds on Carreras (2007); "higher-order models can be used as well" (section 3.5): what they score
//! themselves need not be bounded.

use serde::{Deserialize, Serialize};

use crate::decode::arborescence::Arborescence;
use crate::decode::carreras::Carreras;
use crate::decode::grand_sibling::{GrandScores, GrandSibling};
use crate::decode::outcome::Decoded;
use crate::decode::semiring::Value;
use crate::graph::{ArcId, ArcSpace, FactorGraph, LocalScores, Trees};
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
    /// The maximum spanning arborescence: arcs alone. That of all graphs about non-projective trees, and of no others.
    Arborescence,
}

impl Backbone {
    /// All backbones of projective trees, among which one may choose.
    pub const ALL: [Backbone; 2] = [Backbone::Carreras, Backbone::GrandSibling];

    /// The name in configs and results.
    pub fn name(self) -> &'static str {
        match self {
            Backbone::Carreras => "carreras",
            Backbone::GrandSibling => "grand-sibling",
            Backbone::Arborescence => "arborescence",
        }
    }

    /// The backbone of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().chain([Backbone::Arborescence]).find(|b| b.name() == name)
    }

    /// What `graph` is decoded with: grand-siblings need the program that scores them, and trees that cross have one only.
    pub fn for_graph(self, graph: &FactorGraph) -> Self {
        self.for_trees(graph, graph.trees)
    }

    /// As [`for_graph`](Self::for_graph), of such trees of it.
    pub fn for_trees(self, graph: &FactorGraph, trees: Trees) -> Self {
        match trees {
            Trees::NonProjective => Backbone::Arborescence,
            Trees::Projective if !graph.grand_siblings.is_empty() => Backbone::GrandSibling,
            // Asked for that of trees that cross, where a search begins with those that do not.
            Trees::Projective if self == Backbone::Arborescence => Backbone::Carreras,
            Trees::Projective => self,
        }
    }

    /// Whether it finds projective trees.
    pub fn is_projective(self) -> bool {
        self != Backbone::Arborescence
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
/// inside pass is one, whatever comes of it, and an outside pass is another. Tracing trees back from a chart is none. Of
/// arborescences, one call is one contraction of a sentence's arcs; what arcs cost is read off it.
/// Passes that no search makes are not counted, since they run over charts of their own: those of the
/// [first-order program](super::first_order), which sums for the pruner, and makes trees for training and where pruning has
/// left none.
#[derive(Debug, Default)]
pub struct Chart<V: Value> {
    carreras: Carreras<V>,
    grand_sibling: GrandSibling<V>,
    arborescence: Arborescence<V::Whole>,
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
            Backbone::Arborescence => {
                let best = self.arborescence.best(space, local.arc.iter().map(|score| score.to_whole()));
                best.map_or(V::NEG_INF, V::of_whole)
            }
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
            Backbone::Arborescence => self.arborescence.arcs(),
        }
    }

    /// Visits the trees of the last [`best_score`](Self::best_score), best first, while `visit` is true: the arc into word
    /// `i + 1` at place `i`, the score, and the bytes of what the list holds so far.
    ///
    /// Must follow a call with the same arguments. Arborescences are listed by further calls.
    pub fn each_tree(
        &mut self,
        backbone: Backbone,
        space: &ArcSpace,
        local: &LocalScores<V>,
        grand: &GrandScores<V>,
        mut visit: impl FnMut(&[ArcId], V, usize) -> bool,
    ) {
        match backbone {
            Backbone::Carreras => self.carreras.each_tree(space, local, visit),
            Backbone::GrandSibling => self.grand_sibling.each_tree(space, local, grand, visit),
            Backbone::Arborescence => {
                let visit = |arcs: &[ArcId], score, bytes| visit(arcs, V::of_whole(score), bytes);
                // The contraction of the best tree stays, for what is read off it.
                self.calls += self.arborescence.clone().each_tree(space, visit);
            }
        }
    }

    /// The max-marginals of the last [`best_score`](Self::best_score): for each arc the score of the best tree that has
    /// it, minus infinity if none has. One DP call; must follow with the same arguments. Of arborescences they are what no tree with
    /// the arc is above, and take no call.
    pub fn max_marginals(
        &mut self,
        backbone: Backbone,
        space: &ArcSpace,
        local: &LocalScores<V>,
        grand: &GrandScores<V>,
        marginals: &mut Vec<V>,
    ) {
        self.calls += u64::from(backbone.is_projective());
        match backbone {
            Backbone::Carreras => self.carreras.sums_with(space, local, marginals),
            Backbone::GrandSibling => self.grand_sibling.sums_with(space, local, grand, marginals),
            Backbone::Arborescence => {
                marginals.clear();
                marginals.resize(space.arcs(), V::NEG_INF);
                self.arborescence.scores_with(space, |a, score| marginals[a.ix()] = V::of_whole(score));
            }
        }
    }

    /// The arcs of the best tree that has `a`, whose score is its max-marginal; none if no tree has it, or of an arborescence.
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
            Backbone::Arborescence => None,
        }
    }
}
