//! The decoders by name.

use serde::{Serialize, Serializer};
use thiserror::Error;

use super::backbone::{Backbone, Chart};
use super::bnb::exact::{self, Exact};
use super::bnb::paper::{self, Reading};
use super::bnb::{Limits, Problem, Scale};
use super::brute;
use super::outcome::Decoded;
use super::value::{Value, Wide};
use crate::graph::FactorGraph;

/// A decoder, as configs and the command line name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decoder {
    /// The dynamic program alone: exact for graphs whose factors are all local to it, and only for those.
    Dp,
    /// Branch and bound.
    Bnb,
    /// Branch and bound as Qian & Liu (2013) describe it, in some reading.
    Paper(Reading),
    /// All projective trees. For short sentences.
    Brute,
}

impl Decoder {
    /// All decoders, the paper's in its usual reading.
    pub const ALL: [Decoder; 4] = [Decoder::Dp, Decoder::Bnb, Decoder::PAPER, Decoder::Brute];

    /// The paper's search in its usual reading.
    pub const PAPER: Decoder = Decoder::Paper(Reading::USUAL);

    /// The decoder that is [displayed](std::fmt::Display) so; other readings of the paper are `paper+polyak` and the like.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "dp" => Some(Decoder::Dp),
            "bnb" => Some(Decoder::Bnb),
            "brute" => Some(Decoder::Brute),
            _ => Reading::parse(name).map(Decoder::Paper),
        }
    }

    /// Whether it searches: it is exact for all graphs, however long.
    pub fn is_search(self) -> bool {
        matches!(self, Decoder::Bnb | Decoder::Paper(_))
    }

    /// The best tree of `graph`, or the best found within `limits`. `prior` may give a probability for each arc, by which
    /// [`Decoder::Bnb`] starts its search; it saves calls and never changes a proven score. `backbone` is the dynamic
    /// program underneath; grand-siblings are always left to the program that scores them.
    ///
    /// # Errors
    /// [`DpError`] if the decoder is [`Decoder::Dp`] and the graph has factors beyond it.
    pub fn decode(
        self,
        graph: &FactorGraph,
        backbone: Backbone,
        prior: Option<&[f64]>,
        limits: Limits,
        scratch: &mut Scratch,
    ) -> Result<Decoded, DpError> {
        match self {
            Decoder::Dp => scratch.dp(graph, backbone),
            Decoder::Bnb => {
                let options = exact::Options { backbone, ..Default::default() };
                Ok(scratch.exact.decode(graph, prior, limits, &options))
            }
            Decoder::Paper(reading) => Ok(paper::decode(graph, backbone, limits, &reading)),
            Decoder::Brute => Ok(brute::decode(graph)),
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
        }
    }
}

impl Serialize for Decoder {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A graph that the dynamic program cannot decode.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error(
    "the graph has {0} factors that the dynamic program cannot score; use the decoder `bnb` (or --backbone grand-sibling, if \
     they are grandchildren)"
)]
pub struct DpError(pub usize);

/// Memory of decoders, reused from sentence to sentence.
#[derive(Debug, Default)]
pub struct Scratch {
    chart: Chart<f64>,
    wide: Chart<Wide>,
    exact: Exact,
}

impl Scratch {
    fn dp(&mut self, graph: &FactorGraph, backbone: Backbone) -> Result<Decoded, DpError> {
        let scale = Scale { bits: 0, ..Scale::of(graph) };
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
    let Problem { backbone, local, grand, factors, constant, .. } = Problem::<V>::new(graph, backbone, scale);
    if !factors.is_empty() {
        return Err(DpError(factors.len()));
    }
    let mut answer = chart.decode(backbone, &graph.space, &local, &grand);
    answer.score = answer.score.map(|score| score + constant);
    answer.bound = answer.score;
    Ok(answer)
}
