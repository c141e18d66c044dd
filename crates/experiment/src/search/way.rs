//! Ways to search: the default with one idea switched off, the paper's, and the default on a budget.

use treebound_core::decode::bnb::exact::{Exact, Options};
use treebound_core::decode::bnb::{Limits, paper};
use treebound_core::decode::{Backbone, Decoded, Decoder, DpError};
use treebound_core::graph::FactorGraph;

/// One way to search.
#[derive(Clone, Debug)]
pub struct Way {
    /// Its name in results.
    pub name: String,
    /// The search.
    decoder: Decoder,
    /// The dynamic program under it; that of the cell if not given.
    backbone: Option<Backbone>,
    options: Options,
    limits: Limits,
    /// How many of the best trees are searched for.
    trees: usize,
}

/// The budgets of [`budgets`], in DP calls.
pub const BUDGETS: [u64; 7] = [1, 2, 3, 5, 10, 20, 50];

impl Way {
    fn exact(name: &str, options: Options, limits: Limits) -> Self {
        Self { name: name.to_owned(), decoder: Decoder::Bnb, backbone: None, options, limits, trees: 1 }
    }

    /// Decodes a graph of a cell with that backbone, in no more DP calls than the limit has.
    ///
    /// A search looks at its limit between iterations, of which those that fix arcs make two calls, so it may end one call
    /// beyond; it is then stopped an iteration earlier.
    pub fn decode(
        &self,
        graph: &FactorGraph,
        backbone: Backbone,
        prior: Option<&[f64]>,
        exact: &mut Exact,
    ) -> Result<Decoded, DpError> {
        let backbone = self.backbone.unwrap_or(backbone);
        let mut search = |limits| match self.decoder {
            Decoder::Paper(reading) => {
                graph.check_projective()?;
                Ok(paper::decode(graph, backbone, limits, &reading))
            }
            _ => {
                let options = Options { backbone, ..self.options.clone() };
                match self.trees {
                    1 => exact.decode(graph, prior, limits, &options),
                    trees => exact.best_trees(graph, trees, prior, limits, &options).map(|best| best.decoded),
                }
            }
        };
        let answer = search(self.limits)?;
        match self.limits.dp_calls {
            Some(most) if answer.dp_calls > most => search(Limits { dp_calls: Some(most - 1), ..self.limits }),
            _ => Ok(answer),
        }
    }
}

/// The way to search for the ten best trees: what is proven of them, and what it takes.
const TEN_BEST: &str = "ten-best";

/// The default search, the default without each of its ideas, that for the ten best trees, and the paper's search.
pub fn ablation(limits: Limits) -> Vec<Way> {
    let default = Options::default;
    let with = |name: &str, options| Way::exact(name, options, limits);
    vec![
        with("bnb", default()),
        with("no prior", Options { prior: false, ..default() }),
        with("no fixing", Options { fixing: false, ..default() }),
        with("no climbing", Options { climbing: false, ..default() }),
        with("no patience", Options { patience: u64::MAX, ..default() }),
        with("no change of program", Options { third_order_after: u64::MAX, ..default() }),
        with("no gathering", Options { gather: 0, ..default() }),
        with("one tree a step", Options { gather: 0, memory: 1, ..default() }),
        with("pairs by head", Options { pairs_by_arc: false, ..default() }),
        with("no links", Options { links: false, ..default() }),
        with("breadth first", Options { best_first: false, ..default() }),
        Way { backbone: Some(Backbone::GrandSibling), ..with("grand-sibling backbone", default()) },
        Way { trees: 10, ..with(TEN_BEST, default()) },
        Way { decoder: Decoder::PAPER, ..with("paper", default()) },
    ]
}

/// The default search stopped after so many DP calls, and not stopped but by `limits`.
pub fn budgets(limits: Limits) -> Vec<Way> {
    let stopped = BUDGETS
        .map(|calls| Way::exact(&calls.to_string(), Options::default(), Limits { dp_calls: Some(calls), ..limits }));
    stopped.into_iter().chain([Way::exact("no limit", Options::default(), limits)]).collect()
}
