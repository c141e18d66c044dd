//! Choosing among the k best trees by what no factor sees, such as their depth (paper, section 5.2; Collins 2000).
//!
//! ```text
//! value(y) = sum over features i of w_i f_i(y)      the tree with the largest value is chosen, of equals the first of the list
//! p(y)     = exp(value(y)) / sum over the trees z of the list of exp(value(z))
//! maximise   sum over lists of sum over trees y of p(y) right(y)  -  penalty / 2 |w|^2
//! ```
//!
//! with right(y) the scored words of y that have the right head: minimum risk (Smith & Eisner 2006). Lists are of sentences that the
//! parser did not learn from. The penalty is the one under which the most heads are right in cross-validation over the lists; if that
//! is no more than of the first trees, these are chosen.
//!
//! Features and weights are whole numbers, so a choice is exact. What is learnt is summed up in one order.

use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::learn::crf::lbfgs::{Failure, Objective, Settings, minimise};
use crate::random::Folds;
use treebound_core::tree::Tree;

/// What is seen of a tree, in order. Depths beyond the last share its feature.
pub const FEATURES: [&str; 18] = [
    "score",
    "first",
    "votes",
    "distance",
    "sum of depths",
    "leaves",
    "depth 1",
    "depth 2",
    "depth 3",
    "depth 4",
    "depth 5",
    "depth 6",
    "depth 7",
    "depth 8",
    "depth 9",
    "depth 10",
    "depth 11",
    "depth 12",
];

const COUNT: usize = FEATURES.len();

/// The place of the feature of depth 1.
const DEPTHS: usize = 6;

/// What is a feature of 1 in whole numbers.
const FEATURE_UNIT: i128 = 1 << 10;

/// What is a weight of 1 in whole numbers.
const WEIGHT_UNIT: f64 = 65_536.0;

/// Penalties that are tried.
const PENALTIES: [f64; 4] = [0.1, 1.0, 10.0, 100.0];

/// Folds of the cross-validation that chooses among them.
const FOLDS: usize = 10;

/// How each is learnt.
const DESCENT: Settings = Settings { history: 10, iterations: 100, tolerance: 1e-4 };

/// The best trees of a sentence with their scores, best first.
pub type List = Vec<(Tree, i128)>;

/// The best trees of a sentence, and the scored words of each that have the right head.
#[derive(Clone, Debug, Default)]
pub struct Example {
    /// The trees.
    pub list: List,
    /// One a tree.
    pub right: Vec<u64>,
}

/// What chooses among trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reranker {
    /// How many trees it wants.
    most: usize,
    /// The difference of scores that counts as 1.
    unit: i128,
    /// By feature.
    weights: [i64; COUNT],
}

impl Reranker {
    /// Chooses the first of at most so many trees.
    pub fn of_first(most: usize) -> Self {
        Self { most, unit: 1, weights: [0; COUNT] }
    }

    /// How many of the best trees it chooses from.
    pub fn most(&self) -> usize {
        self.most
    }

    /// The weights by [feature](FEATURES), in units of 2^-16.
    pub fn weights(&self) -> &[i64] {
        &self.weights
    }

    /// Learns to choose from at most so many trees.
    ///
    /// # Errors
    /// If the objective is no number.
    pub fn learn(most: usize, examples: &[Example]) -> Result<Self, Failure> {
        let unlearnt = Self { unit: unit(examples), ..Self::of_first(most) };
        let lists: Vec<Seen> = examples.iter().map(|example| Seen::new(example, unlearnt.unit)).collect();
        let folds = Folds::new(FOLDS, lists.len());
        let mut best = (first_right(&lists), None);
        for penalty in PENALTIES {
            let mut right = 0;
            for fold in 0..FOLDS {
                let is_in = |i: usize| folds.fold(i) == fold;
                let others = lists.iter().enumerate().filter(|(i, _)| !is_in(*i)).map(|(_, list)| list);
                let weights = learnt(&others.collect::<Vec<_>>(), penalty)?;
                let unseen = lists.iter().enumerate().filter(|(i, _)| is_in(*i));
                right += unseen.map(|(_, list)| list.right[first_best(&list.features, &weights)]).sum::<u64>();
            }
            if right > best.0 {
                best = (right, Some(penalty));
            }
        }
        let Some(penalty) = best.1 else { return Ok(unlearnt) };
        Ok(Self { weights: learnt(&lists.iter().collect::<Vec<_>>(), penalty)?, ..unlearnt })
    }

    /// The place of the tree that is chosen; 0 if there is none.
    pub fn choose(&self, list: &[(Tree, i128)]) -> usize {
        first_best(&features(list, self.unit), &self.weights)
    }

    /// Appends the bytes that [`decode`](Self::decode) reads.
    pub fn encode(&self, to: &mut BytesWriter) {
        to.u64(self.most as u64).u64s([self.unit as u64, (self.unit >> 64) as u64].into_iter());
        to.u64s(self.weights.iter().map(|&weight| weight as u64));
    }

    /// Reads what [`encode`](Self::encode) wrote.
    ///
    /// # Errors
    /// If the bytes are damaged.
    pub fn decode(from: &mut BytesReader) -> Result<Self, Damaged> {
        let most = usize::try_from(from.u64()?).map_err(|_| Damaged)?;
        let unit: Vec<u64> = from.u64s()?.collect();
        let weights: Vec<i64> = from.u64s()?.map(|weight| weight as i64).collect();
        let [low, high] = unit[..] else { return Err(Damaged) };
        let unit = i128::from(low) | i128::from(high as i64) << 64;
        let weights = weights.try_into().map_err(|_| Damaged)?;
        if unit > 0 { Ok(Self { most, unit, weights }) } else { Err(Damaged) }
    }
}

/// The mean difference between the scores of the first tree and of the last.
fn unit(examples: &[Example]) -> i128 {
    let range = |example: &Example| Some(example.list.first()?.1 - example.list.last()?.1);
    let all: i128 = examples.iter().filter_map(range).sum();
    (all / examples.len().max(1) as i128).max(1)
}

/// The features of the trees of a list, in units of 2^-10; `unit` is the difference of scores that counts as 1.
fn features(list: &[(Tree, i128)], unit: i128) -> Vec<[i64; COUNT]> {
    let fitted = |value: i128| value.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
    let ones = |count: usize| fitted(count as i128 * FEATURE_UNIT);
    let best = list.first().map_or(0, |first| first.1);
    let of_tree = |(place, (tree, score)): (usize, &(Tree, i128))| {
        let depths = depths(tree);
        let deepest = depths.iter().copied().max().unwrap_or(1);
        let arcs = (1..).zip(tree.heads()).filter(|(_, head)| !head.is_root());
        let distance = arcs.map(|(m, head)| head.ix().abs_diff(m)).sum::<usize>();
        let mut has_modifiers = vec![false; tree.len() + 1];
        tree.heads().iter().for_each(|head| has_modifiers[head.ix()] = true);
        let leaves = has_modifiers.iter().filter(|&&has| !has).count();
        let alike = |i: usize| list.iter().filter(|(other, _)| other.heads().get(i) == tree.heads().get(i)).count();
        let votes: usize = (0..tree.len()).map(alike).sum();
        let mut all = [0; COUNT];
        all[0] = fitted((score - best).saturating_mul(FEATURE_UNIT) / unit);
        all[1] = ones(usize::from(place == 0));
        all[2] = ones(votes) / list.len() as i64;
        all[3] = ones(distance) / 16;
        all[4] = ones(depths.iter().sum()) / 16;
        all[5] = ones(leaves);
        all[DEPTHS + deepest.clamp(1, COUNT - DEPTHS) - 1] = ones(1);
        all
    };
    list.iter().enumerate().map(of_tree).collect()
}

/// The number of arcs between each word and the root.
fn depths(tree: &Tree) -> Vec<usize> {
    let depth = |&head: &treebound_core::tree::Word| {
        let (mut at, mut depth) = (head, 1);
        while !at.is_root() {
            (at, depth) = (tree.head(at), depth + 1);
        }
        depth
    };
    tree.heads().iter().map(depth).collect()
}

/// The place of the largest value, of equals the first; 0 if there is none.
fn first_best(features: &[[i64; COUNT]], weights: &[i64; COUNT]) -> usize {
    let value = |features: &[i64; COUNT]| {
        features.iter().zip(weights).map(|(&feature, &weight)| i128::from(feature) * i128::from(weight)).sum::<i128>()
    };
    let values: Vec<i128> = features.iter().map(value).collect();
    (1..values.len()).fold(0, |best, place| if values[place] > values[best] { place } else { best })
}

/// An example as it is learnt from.
struct Seen {
    features: Vec<[i64; COUNT]>,
    right: Vec<u64>,
}

impl Seen {
    fn new(example: &Example, unit: i128) -> Self {
        Self { features: features(&example.list, unit), right: example.right.clone() }
    }
}

/// Words that are right in the first trees.
fn first_right(lists: &[Seen]) -> u64 {
    lists.iter().filter_map(|list| list.right.first()).sum()
}

/// Weights that are learnt under a penalty.
fn learnt(lists: &[&Seen], penalty: f64) -> Result<[i64; COUNT], Failure> {
    // Where all trees are as good there is nothing to learn.
    let tells = |list: &&&Seen| list.right.windows(2).any(|pair| pair[0] != pair[1]);
    let mut risk = Risk { lists: lists.iter().filter(tells).copied().collect(), penalty };
    let mut weights = vec![0.0; COUNT];
    minimise(&mut risk, &mut weights, DESCENT, |_| {})?;
    Ok(std::array::from_fn(|i| libm::round(weights[i] * WEIGHT_UNIT) as i64))
}

/// Minus the words that are right on average, and the penalty.
struct Risk<'a> {
    lists: Vec<&'a Seen>,
    penalty: f64,
}

impl Objective for Risk<'_> {
    fn dimensions(&self) -> usize {
        COUNT
    }

    fn value(&mut self, x: &[f64], gradient: &mut [f64], _: &mut [f64]) -> f64 {
        gradient.iter_mut().zip(x).for_each(|(gradient, weight)| *gradient = self.penalty * weight);
        let mut value = 0.5 * self.penalty * x.iter().map(|weight| weight * weight).sum::<f64>();
        let unit = FEATURE_UNIT as f64;
        for list in &self.lists {
            let of_tree = |features: &[i64; COUNT]| {
                features.iter().zip(x).map(|(&feature, weight)| feature as f64 / unit * weight).sum::<f64>()
            };
            let values: Vec<f64> = list.features.iter().map(of_tree).collect();
            let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let shares: Vec<f64> = values.iter().map(|value| libm::exp(value - most)).collect();
            let sum: f64 = shares.iter().sum();
            let mean = shares.iter().zip(&list.right).map(|(share, &right)| share / sum * right as f64).sum::<f64>();
            value -= mean;
            for ((share, &right), features) in shares.iter().zip(&list.right).zip(&list.features) {
                let pull = share / sum * (right as f64 - mean) / unit;
                gradient.iter_mut().zip(features).for_each(|(sum, &feature)| *sum -= pull * feature as f64);
            }
        }
        value
    }

    fn metric(&self, x: &[f64], out: &mut [f64]) {
        out.copy_from_slice(x);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use treebound_core::tree::Word;

    fn tree(heads: &[u32]) -> Tree {
        Tree::new(heads.iter().map(|&head| Word(head)).collect()).expect("a tree")
    }

    /// A chain of three words, depth 3, and the second word with two modifiers, depth 2.
    fn deep_and_flat() -> [Tree; 2] {
        [tree(&[0, 1, 2]), tree(&[2, 0, 2])]
    }

    /// The best tree is the flat one where the sentence's number says so, and the deep one is always right.
    fn deep_are_right(sentences: usize) -> Vec<Example> {
        let example = |i: usize| {
            let [deep, flat] = deep_and_flat();
            let (list, right) = match i % 2 {
                0 => (vec![(flat, 7), (deep, 6)], vec![1, 3]),
                _ => (vec![(deep, 7), (flat, 6)], vec![3, 1]),
            };
            Example { list, right }
        };
        (0..sentences).map(example).collect()
    }

    #[test]
    fn a_feature_that_no_factor_has_decides() {
        let reranker = Reranker::learn(2, &deep_are_right(200)).expect("learnt");
        let [deep, flat] = deep_and_flat();
        assert_eq!(reranker.choose(&[(flat.clone(), 7), (deep.clone(), 6)]), 1);
        assert_eq!(reranker.choose(&[(deep, 7), (flat, 6)]), 0);
    }

    #[test]
    fn what_cannot_be_told_apart_stays_in_the_order_of_scores() {
        // Which of the two is right cannot be told from either.
        let [deep, flat] = deep_and_flat();
        let lists = |i: usize| Example {
            list: vec![(flat.clone(), 7), (deep.clone(), 6)],
            right: if i.is_multiple_of(2) { vec![1, 3] } else { vec![3, 1] },
        };
        let reranker = Reranker::learn(2, &(0..400).map(lists).collect::<Vec<_>>()).expect("learnt");
        assert_eq!(reranker.weights(), Reranker::of_first(2).weights());
        assert_eq!(reranker.choose(&[(flat.clone(), 7), (deep.clone(), 6)]), 0);
        assert_eq!(reranker.choose(&[(deep, 7), (flat, 6)]), 0);
    }

    #[test]
    fn of_equals_the_first_is_chosen_and_of_none_none() {
        let reranker = Reranker::learn(3, &deep_are_right(200)).expect("learnt");
        let [deep, flat] = deep_and_flat();
        // Two trees that are alike in all that is seen of them.
        let mirrored = tree(&[2, 3, 0]);
        let list = [(flat, 7), (deep, 6), (mirrored, 6)];
        let seen = features(&list, reranker.unit);
        assert_eq!(seen[1], seen[2]);
        assert_eq!(reranker.choose(&list), 1);
        assert_eq!(reranker.choose(&[list[0].clone(), list[2].clone(), list[1].clone()]), 1);
        assert_eq!(reranker.choose(&[]), 0);
    }

    #[test]
    fn it_learns_the_same_again_and_reads_back() {
        let reranker = Reranker::learn(2, &deep_are_right(100)).expect("learnt");
        assert_eq!(Reranker::learn(2, &deep_are_right(100)).expect("learnt"), reranker);
        assert!(Reranker::learn(2, &[]).is_ok_and(|unlearnt| unlearnt == Reranker::of_first(2)));
        let mut out = BytesWriter::default();
        reranker.encode(&mut out);
        let bytes = out.into_bytes();
        assert_eq!(Reranker::decode(&mut BytesReader::new(&bytes)), Ok(reranker));
        assert!(Reranker::decode(&mut BytesReader::new(&bytes[..bytes.len() - 1])).is_err());
    }
}
