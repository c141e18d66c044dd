//! What a relaxation has of a graph.

use treebound_core::graph::{ArcId, FactorGraph};

use crate::program::{Column, Program};

/// What a point has of the parts of a graph, in whole numbers of 1 / [`Fractions::WHOLE`]. Local parts of two arcs and more are
/// not among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fractions {
    /// Of each arc.
    pub arcs: Vec<i32>,
    /// Of each factor; nothing of one that scores 0.
    pub factors: Vec<i32>,
    /// Of each count, by the number of its arcs; empty where no score depends on the number.
    pub counts: Vec<Vec<i32>>,
    /// Of each arc, as one that is not projective; nothing where that scores 0.
    pub non_projective: Vec<i32>,
    /// What the point is worth, rounded to a whole score.
    pub value: i128,
}

impl Fractions {
    /// What stands for all of a part.
    pub const WHOLE: i32 = 1 << 12;

    /// What a point of the program of `graph` has, which is worth `value`.
    pub fn new(graph: &FactorGraph, program: &Program, point: &[f64], value: f64) -> Self {
        let whole = |value: f64| (value * f64::from(Self::WHOLE)).round() as i32;
        let arcs: Vec<i32> = point[..graph.space.arcs()].iter().map(|&value| whole(value)).collect();
        let of_factor = |arcs_of: &[ArcId], score: i64| match arcs_of {
            _ if score == 0 => 0,
            [] => Self::WHOLE,
            [a] => arcs[a.ix()],
            // Its variable is found below.
            _ => 0,
        };
        let mut found = Self {
            factors: graph.factors.iter().map(|(_, arcs, score)| of_factor(arcs, score)).collect(),
            counts: vec![Vec::new(); graph.counts.len()],
            non_projective: vec![0; graph.space.arcs()],
            value: program.constant() + value.round() as i128,
            arcs,
        };
        for (&column, &value) in program.columns().iter().zip(point) {
            let value = whole(value);
            match column {
                Column::Factor(c) => found.factors[c.ix()] = value,
                Column::Or(c) => found.counts[c.ix()] = vec![Self::WHOLE - value, value],
                // They come in the order of their numbers.
                Column::Count(c, _) => found.counts[c.ix()].push(value),
                Column::NonProjective(a) => found.non_projective[a.ix()] = value,
                _ => {}
            }
        }
        found
    }
}
