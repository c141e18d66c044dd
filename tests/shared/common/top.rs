//! Lists of the best scores as numbers of a dynamic program: slow, and nothing but the recurrence.

use treebound::decode::semiring::Semiring;
use treebound::tree::Tree;

/// The best `K` scores of several ways, best first; minus infinity where there are fewer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Top<const K: usize>([f64; K]);

impl<const K: usize> Top<K> {
    /// One way of that score.
    pub fn of(score: i64) -> Self {
        let mut only = Self::NONE;
        only.0[0] = score as f64;
        only
    }

    /// The scores.
    pub fn scores(self) -> Vec<i128> {
        self.0.into_iter().take_while(|score| *score > f64::NEG_INFINITY).map(|score| score as i128).collect()
    }

    fn best(mut all: Vec<f64>) -> Self {
        all.sort_by(|a, b| b.total_cmp(a));
        all.truncate(K);
        Self(all.try_into().expect("at least as many"))
    }
}

impl<const K: usize> Default for Top<K> {
    fn default() -> Self {
        Self::NONE
    }
}

impl<const K: usize> Semiring for Top<K> {
    const ONE: Self = {
        let mut only = Self::NONE;
        only.0[0] = 0.0;
        only
    };
    const NONE: Self = Self([f64::NEG_INFINITY; K]);

    fn plus(self, other: Self) -> Self {
        Self::best([self.0, other.0].concat())
    }

    fn times(self, other: Self) -> Self {
        Self::best(self.0.iter().flat_map(|a| other.0.map(|b| a + b)).collect())
    }
}

/// The scores of trees, which must be below 2^53.
pub fn scores_of(trees: &[(Tree, i128)]) -> Vec<i128> {
    trees.iter().map(|tree| tree.1).collect()
}
