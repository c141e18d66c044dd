//! The decoders by name.

use serde::{Serialize, Serializer};

use crate::decode::backbone::{Backbone, Chart};
use crate::decode::bnb::exact::{BestTrees, Exact};
use crate::decode::bnb::paper::Reading;
use crate::decode::bnb::{Limits, Problem, Scale, exact, paper};
use crate::decode::mbr::ArcProbabilities;
use crate::decode::outcome::{Decoded, DpError, Status};
use crate::decode::semiring::{Value, Wide};
use crate::decode::{arc_changes, brute, mbr};
use crate::graph::{ArcId, FactorGraph, TreeArcs, Trees, tree_score};
use crate::tree::Tree;

/// A decoder, as configs and the command line name it. [`Decoder::Paper`] is about projective trees alone; the others take
/// the trees that the graph is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decoder {
    /// The dynamic program alone: exact for graphs whose factors are all local to it, and only for those.
    Dp,
    /// Branch and bound.
    Bnb,
    /// Branch and bound as Qian & Liu (2013) describe it, in some reading.
    Paper(Reading),
    /// All trees. For short sentences.
    Brute,
    /// The tree with most expected right heads, where scores are logarithms of probabilities. For the same graphs as the
    /// dynamic program alone.
    Mbr,
    /// The best projective tree, then one arc changed at a time (McDonald & Pereira 2006).
    ArcChanges,
    /// An integer program (Martins, Smith & Xing 2009), which this package does not solve.
    Ilp,
    /// The relaxation of one, rounded to a tree; this package does not solve it either.
    Lp,
}

impl Decoder {
    /// All decoders, the paper's in its usual reading.
    pub const ALL: [Decoder; 8] = [
        Decoder::Dp,
        Decoder::Bnb,
        Decoder::PAPER,
        Decoder::Brute,
        Decoder::Mbr,
        Decoder::ArcChanges,
        Decoder::Ilp,
        Decoder::Lp,
    ];

    /// The paper's search in its usual reading.
    pub const PAPER: Decoder = Decoder::Paper(Reading::USUAL);

    /// The decoder that is [displayed](std::fmt::Display) so; other readings of the paper are `paper+polyak` and the like.
    pub fn parse(name: &str) -> Option<Self> {
        let usual = Self::ALL.into_iter().find(|decoder| decoder.to_string() == name);
        usual.or_else(|| Reading::parse(name).map(Decoder::Paper))
    }

    /// Its name in keys: of the readings of the paper, which of them is the usual one decides none.
    pub fn for_keys(self) -> String {
        match self {
            Decoder::Paper(reading) => reading.for_keys(),
            other => other.to_string(),
        }
    }

    /// Whether it takes graphs with any factors, however long, and says what it has proven.
    pub fn is_search(self) -> bool {
        matches!(self, Decoder::Bnb | Decoder::Paper(_)) || self.is_program()
    }

    /// Whether it solves integer programs or their relaxations.
    pub fn is_program(self) -> bool {
        matches!(self, Decoder::Ilp | Decoder::Lp)
    }

    /// The best tree of `graph`, or the best found within `limits`. `prior` may give a probability for each arc, by which
    /// [`Decoder::Bnb`] starts its search; it saves calls and never changes a proven score. `backbone` is the dynamic
    /// program underneath; grand-siblings are always left to the program that scores them. To [`Decoder::Mbr`] a score is a
    /// logarithm; of other scales see [`Scratch::least_risk`].
    ///
    /// # Errors
    /// [`DpError`] if the decoder is [`Decoder::Dp`] or [`Decoder::Mbr`] and the graph has factors beyond it, if it is
    /// [`Decoder::Paper`] and trees may cross or arcs are counted, if scores are too large for a search, or if it
    /// [solves programs](Self::is_program).
    pub fn decode(
        self,
        graph: &FactorGraph,
        backbone: Backbone,
        prior: Option<&[f64]>,
        limits: Limits,
        scratch: &mut Scratch,
    ) -> Result<Decoded, DpError> {
        if let Decoder::Paper(_) = self {
            graph.check_projective()?;
        }
        match self {
            Decoder::Dp => scratch.dp(graph, backbone),
            // Before memory is taken by the square of the words.
            _ if !graph.space.has_all_heads() => Ok(Decoded::proven(None, 0)),
            Decoder::Bnb => {
                let options = exact::Options { backbone, ..Default::default() };
                scratch.exact.decode(graph, prior, limits, &options)
            }
            Decoder::Paper(reading) => Ok(paper::decode(graph, backbone, limits, &reading)),
            Decoder::Brute => Ok(brute::decode(graph)),
            Decoder::Mbr => scratch.least_risk(graph, backbone, 1.0),
            Decoder::ArcChanges => scratch.change_arcs(graph, backbone),
            Decoder::Ilp | Decoder::Lp => Err(DpError::Program),
        }
    }
}

impl std::fmt::Display for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Decoder::Dp => f.write_str("dp"),
            Decoder::Bnb => f.write_str("bnb"),
            Decoder::Paper(reading) => reading.fmt(f),
            Decoder::Brute => f.write_str("brute"),
            Decoder::Mbr => f.write_str("mbr"),
            Decoder::ArcChanges => f.write_str("arc-changes"),
            Decoder::Ilp => f.write_str("ilp"),
            Decoder::Lp => f.write_str("lp"),
        }
    }
}

impl Serialize for Decoder {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Memory of decoders, reused from sentence to sentence.
#[derive(Debug, Default)]
pub struct Scratch {
    chart: Chart<f64>,
    wide: Chart<Wide>,
    exact: Exact,
    probabilities: ArcProbabilities,
}

impl Scratch {
    /// The best `most` trees, best first; all trees if there are fewer.
    ///
    /// # Errors
    /// If the graph has factors that the dynamic program does not score itself.
    pub fn best_trees(
        &mut self,
        graph: &FactorGraph,
        backbone: Backbone,
        most: usize,
    ) -> Result<Vec<(Tree, i128)>, DpError> {
        let mut trees = Vec::new();
        if most > 0 {
            self.each_tree(graph, backbone, |tree, score, _| {
                trees.push((tree, score));
                trees.len() < most
            })?;
        }
        Ok(trees)
    }

    /// The best `most` trees of a graph with any factors, best first, or the best found within `limits`: by a search. `prior` is
    /// as in [`Decoder::decode`].
    ///
    /// # Errors
    /// [`DpError::TooLarge`] if the search cannot sum up the scores.
    pub fn search_trees(
        &mut self,
        graph: &FactorGraph,
        most: usize,
        backbone: Backbone,
        prior: Option<&[f64]>,
        limits: Limits,
    ) -> Result<BestTrees, DpError> {
        let options = exact::Options { backbone, ..Default::default() };
        self.exact.best_trees(graph, most, prior, limits, &options)
    }

    /// Visits the trees with their scores, best first, while `visit` is true. Its last argument are the bytes of what the list
    /// holds so far, by what its arrays hold, beside charts.
    ///
    /// # Errors
    /// If the graph has factors that the dynamic program does not score itself.
    pub fn each_tree(
        &mut self,
        graph: &FactorGraph,
        backbone: Backbone,
        visit: impl FnMut(Tree, i128, usize) -> bool,
    ) -> Result<(), DpError> {
        let scale = Scale { bits: 0, ..Scale::finest(graph) };
        if scale.fits_f64 {
            each_tree(&mut self.chart, graph, backbone, scale, visit)
        } else {
            each_tree(&mut self.wide, graph, backbone, scale, visit)
        }
    }

    /// The tree with most expected right heads, with its score, which need not be the best.
    ///
    /// # Errors
    /// If the graph has factors that the dynamic program does not score itself.
    pub fn least_risk(&mut self, graph: &FactorGraph, backbone: Backbone, scale: f64) -> Result<Decoded, DpError> {
        let Some(probabilities) = self.probabilities.find(graph, backbone, scale)? else {
            return Ok(Decoded::proven(None, 0));
        };
        let risks = mbr::risks(graph, probabilities);
        let answer = self.dp(&risks, Backbone::Carreras)?;
        let mut arcs = TreeArcs::default();
        let own = answer.tree.as_ref().filter(|tree| arcs.find(&graph.space, tree.heads())).is_some();
        let score = own.then(|| tree_score(graph, &arcs));
        Ok(Decoded { score, bound: None, status: Status::LeastRisk, ..answer })
    }

    /// The tree that [`arc_changes`] ends with, from the best projective one by local parts; from the best of all by arcs where
    /// no tree of the graph is projective.
    fn change_arcs(&mut self, graph: &FactorGraph, backbone: Backbone) -> Result<Decoded, DpError> {
        let program = if backbone.is_projective() { backbone } else { Backbone::Carreras };
        let mut start = FactorGraph {
            space: graph.space.clone(),
            local: graph.local.clone(),
            grand_siblings: graph.grand_siblings.clone(),
            ..FactorGraph::default()
        };
        let mut answer = self.dp(&start, program)?;
        if answer.tree.is_none() && graph.trees == Trees::NonProjective {
            let arc = std::mem::take(&mut start.local.arc);
            start = FactorGraph { space: start.space, trees: graph.trees, ..FactorGraph::default() };
            start.local.reset(&start.space, 0);
            start.local.arc = arc;
            let calls = answer.dp_calls;
            answer = self.dp(&start, Backbone::Arborescence)?;
            answer.dp_calls += calls;
        }
        Ok(arc_changes::climb(graph, answer))
    }

    fn dp(&mut self, graph: &FactorGraph, backbone: Backbone) -> Result<Decoded, DpError> {
        let scale = Scale { bits: 0, ..Scale::finest(graph) };
        if scale.fits_f64 {
            dp(&mut self.chart, graph, backbone, scale)
        } else {
            dp(&mut self.wide, graph, backbone, scale)
        }
    }
}

fn dp<V: Value>(
    chart: &mut Chart<V>,
    graph: &FactorGraph,
    backbone: Backbone,
    scale: Scale,
) -> Result<Decoded, DpError> {
    let Problem { backbone, local, grand, constant, beyond, .. } = Problem::<V>::new(graph, backbone, scale);
    if beyond > 0 {
        return Err(DpError::Factors(beyond));
    }
    if !graph.space.has_all_heads() {
        return Ok(Decoded::proven(None, 0));
    }
    let mut answer = chart.decode(backbone, &graph.space, &local, &grand);
    answer.score = answer.score.map(|score| score + constant);
    answer.bound = answer.score;
    Ok(answer)
}

fn each_tree<V: Value>(
    chart: &mut Chart<V>,
    graph: &FactorGraph,
    backbone: Backbone,
    scale: Scale,
    mut visit: impl FnMut(Tree, i128, usize) -> bool,
) -> Result<(), DpError> {
    let space = &graph.space;
    let Problem { backbone, local, grand, constant, beyond, .. } = Problem::<V>::new(graph, backbone, scale);
    if beyond > 0 {
        return Err(DpError::Factors(beyond));
    }
    if !space.has_all_heads() {
        return Ok(());
    }
    if chart.best_score(backbone, space, &local, &grand).to_score().is_none() {
        return Ok(());
    }
    let tree = |arcs: &[ArcId]| Tree::from_decoder(arcs.iter().map(|&a| space.head(a)).collect());
    chart.each_tree(backbone, space, &local, &grand, |arcs, score, bytes| {
        score.to_score().is_some_and(|score| visit(tree(arcs), score + constant, bytes))
    });
    Ok(())
}
