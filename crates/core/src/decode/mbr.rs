//! Minimum Bayes risk (Goodman 1996; Ma & Zhao 2012 have marginals for it): the tree with most expected right heads, where a
//! tree is drawn in proportion to the exponential of its score.
//!
//! The probabilities of arcs are sums over all trees ([`partition`](super::partition)); as whole numbers of 2^-40 they are
//! the scores of a graph of arcs alone, whose best tree is found exactly.

use crate::decode::arborescence::matrix_tree;
use crate::decode::backbone::Backbone;
use crate::decode::bnb::{Problem, Scale};
use crate::decode::grand_sibling::GrandScores;
use crate::decode::log_scores::LogScores;
use crate::decode::outcome::DpError;
use crate::decode::partition::Partitions;
use crate::decode::semiring::{Value, Wide};
use crate::graph::{FactorGraph, LocalScores};

/// The scores of a graph divided by `scale`, as logarithms, with the factors that the dynamic program scores itself. Scores
/// must be below 2^53.
///
/// # Errors
/// If there are other factors.
pub fn log_scores(graph: &FactorGraph, backbone: Backbone, scale: f64) -> Result<(Backbone, LogScores), DpError> {
    let (backbone, local, grand) = scored_by_program::<f64>(graph, backbone)?;
    let mut scores = LogScores { local, grand };
    let LogScores { local: LocalScores { arc, sibling, grandchild }, grand: GrandScores { any, siblings } } =
        &mut scores;
    for scores in [&mut arc[..], sibling, grandchild, any, siblings.scores_mut()] {
        scores.iter_mut().for_each(|score| *score /= scale);
    }
    Ok((backbone, scores))
}

/// The scores of a graph with the factors that the dynamic program scores itself.
fn scored_by_program<V: Value>(
    graph: &FactorGraph,
    backbone: Backbone,
) -> Result<(Backbone, LocalScores<V>, GrandScores<V>), DpError> {
    let whole = Scale { bits: 0, fits_f64: true };
    let Problem { backbone, local, grand, beyond, .. } = Problem::<V>::new(graph, backbone, whole);
    if beyond == 0 { Ok((backbone, local, grand)) } else { Err(DpError::Factors(beyond)) }
}

/// The probability of each arc of a graph; none if it has no tree. Memory is reused.
#[derive(Debug, Default)]
pub struct ArcProbabilities {
    partitions: Partitions<Vec<f64>>,
    of_arcs: Vec<f64>,
}

impl ArcProbabilities {
    /// The probabilities of a graph whose scores are logarithms times `scale`.
    ///
    /// # Errors
    /// If the graph has factors that the dynamic program does not score itself.
    pub fn find(&mut self, graph: &FactorGraph, backbone: Backbone, scale: f64) -> Result<Option<&[f64]>, DpError> {
        let (backbone, local, grand) = scored_by_program::<Wide>(graph, backbone)?;
        if !backbone.is_projective() {
            let plain = |score: &Wide| score.to_score().unwrap_or_default() as f64 / scale;
            let scores: Vec<f64> = local.arc.iter().map(plain).collect();
            let log_z = matrix_tree::sum(&graph.space, &scores, &mut self.of_arcs);
            return Ok(log_z.map(|_| &self.of_arcs[..]));
        }
        let scores = LogScores::from_whole(&local, &grand, scale);
        let log_z = self.partitions.sum(backbone, &graph.space, &scores, &mut self.of_arcs);
        Ok(log_z.map(|_| &self.of_arcs[..]))
    }
}

/// A probability of 1.
const CERTAIN: f64 = (1u64 << 40) as f64;

/// The graph in which a tree scores its expected right heads, in whole numbers of 2^-40.
pub(super) fn risks(graph: &FactorGraph, probabilities: &[f64]) -> FactorGraph {
    let mut risks = FactorGraph { space: graph.space.clone(), trees: graph.trees, ..FactorGraph::default() };
    risks.local.reset(&risks.space, 0);
    for (score, p) in risks.local.arc.iter_mut().zip(probabilities) {
        *score = (p * CERTAIN + 0.5) as i64;
    }
    risks
}
