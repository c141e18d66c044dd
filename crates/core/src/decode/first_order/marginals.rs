//! First-order marginals: the probability of each arc when projective trees are drawn in proportion to `exp(score)`.
//!
//! `L` independent models are summed side by side, one a lane. Sums run in one fixed order whatever the machine, so the
//! bits of a marginal do not depend on it.

use super::FirstOrder;
use crate::decode::semiring::Weights;

/// The charts, reused from sentence to sentence.
#[derive(Clone, Debug, Default)]
pub struct Marginals<const L: usize> {
    chart: FirstOrder<Weights<L>>,
}

impl<const L: usize> Marginals<L> {
    /// Turns arc weights into arc marginals, in place: `arcs[h * (words + 1) + m]` for head h and modifier m. Entries that
    /// are no arcs (m = 0, h = m) are ignored and become 0.
    ///
    /// Where the sum over trees leaves the range of `f64` (it takes hundreds of words), a lane gets the weights normalised
    /// by modifier instead: the marginals of heads drawn independently.
    pub fn of(&mut self, words: usize, arcs: &mut [Weights<L>]) {
        let Weights(all) = self.chart.sum(words, arcs);
        // A sum that is not a normal number has no inverse that is one.
        let in_range = all.map(|z| z.is_normal() && z > 0.0);
        let inverse: [f64; L] = std::array::from_fn(|lane| if in_range[lane] { 1.0 / all[lane] } else { 0.0 });
        let independent = if in_range == [true; L] { Vec::new() } else { normalised(words, arcs) };
        self.chart.sums_with(arcs);
        for Weights(arc) in &mut *arcs {
            for (weight, inverse) in arc.iter_mut().zip(inverse) {
                *weight *= inverse;
            }
        }
        for (arc, independent) in arcs.iter_mut().zip(&independent) {
            for lane in (0..L).filter(|&lane| !in_range[lane]) {
                arc.0[lane] = independent.0[lane];
            }
        }
    }
}

/// Weights divided by their sum over the heads of a modifier.
fn normalised<const L: usize>(words: usize, arcs: &[Weights<L>]) -> Vec<Weights<L>> {
    let w = words + 1;
    let mut result = arcs.to_vec();
    for m in 1..=words {
        let heads = || (0..=words).filter(|&h| h != m).map(|h| h * w + m);
        for lane in 0..L {
            let sum: f64 = heads().map(|a| arcs[a].0[lane]).sum();
            heads().for_each(|a| result[a].0[lane] /= sum);
        }
    }
    result
}
