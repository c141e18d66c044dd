//! The decoders by name.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::backbone::{Backbone, Chart};
use super::bnb::exact::{self, Exact};
use super::bnb::{Limits, Problem, Scale, paper};
use super::brute;
use super::outcome::Decoded;
use super::value::{Value, Wide};
use crate::graph::FactorGraph;

/// A decoder, as configs and the command line name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decoder {
    /// The dynamic program alone: exact for graphs whose factors are all local to it, and only for those.
    Dp,
    /// Branch and bound.
    Bnb,
    /// Branch and bound as Qian & Liu (2013) describe it.
    Paper,
    /// All projective trees. For short sentences.
    Brute,
}

impl Decoder {
    /// All decoders.
    pub const ALL: [Decoder; 4] = [Decoder::Dp, Decoder::Bnb, Decoder::Paper, Decoder::Brute];

    /// The name in configs and results.
    pub fn name(self) -> &'static str {
        match self {
            Decoder::Dp => "dp",
            Decoder::Bnb => "bnb",
            Decoder::Paper => "paper",
            Decoder::Brute => "brute",
        }
    }

    /// The decoder of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|d| d.name() == name)
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
            Decoder::Paper => Ok(paper::decode(graph, backbone, limits)),
            Decoder::Brute => Ok(brute::decode(graph)),
        }
    }
}

impl std::fmt::Display for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
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
