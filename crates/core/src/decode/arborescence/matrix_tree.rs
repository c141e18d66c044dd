//! Sums over all trees whose arcs may cross: the Matrix-Tree theorem (Koo et al. 2007; Smith & Smith 2007; McDonald &
//! Satta 2007), where arcs alone have scores, and a tree weighs the exponential of its score.
//!
//! The sum is the determinant of the Laplacian. Its words are eliminated one by one without a subtraction (Grassmann,
//! Taksar & Heyman 1985), so no digits are lost, however far weights are apart. With the weights A(h, m) among the words that
//! are left, and R(m) from the root, word w goes:
//!
//! ```text
//! D(w)       = R(w) + sum over h of A(h, w)
//! A'(h, m)   = A(h, m) + A(h, w) A(w, m) / D(w)         for h, m left, h = 0 for R
//! Z          = product of D over all words
//! ```
//!
//! With one word on the root, R counts once only: it is left out of D, but for the last word, where it is all of D.
//!
//! Probabilities come backward: p(h, m) of an arc among the words that were left is what the shorter graph says of it,
//! split in proportion to its two terms; what falls to the way over w is one of w's arcs to m, and by the arcs into w
//! what is due to these beside (w may have no modifier among those left, or several):
//!
//! ```text
//! over(h, m) = p'(h, m) A(h, w) A(w, m) / (D(w) A'(h, m))
//! p(h, m)    = p'(h, m) A(h, m) / A'(h, m)
//! p(w, m)    = sum over h of over(h, m)
//! p(h, w)    = sum over m of over(h, m)  +  A(h, w) / D(w) (1 - sum over all h, m of over(h, m))
//! ```
//!
//! Weights are plain numbers where these reach, after the best arc into each word is made 1, and logarithms elsewhere.

use libm::{exp, log, log1p};

use crate::graph::{ArcId, ArcSpace, Word};

/// A weight: a number that is not negative.
trait Weight: Copy {
    const NONE: Self;
    fn of_log(log: f64) -> Self;
    fn log(self) -> f64;
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn over(self, other: Self) -> Self;
    fn plain(self) -> f64;
    /// Whether nothing was lost on the way to it.
    fn is_sound(self) -> bool;
}

#[derive(Clone, Copy)]
struct Plain(f64);

impl Weight for Plain {
    const NONE: Self = Plain(0.0);
    fn of_log(log: f64) -> Self {
        Plain(exp(log))
    }
    fn log(self) -> f64 {
        log(self.0)
    }
    fn plus(self, other: Self) -> Self {
        Plain(self.0 + other.0)
    }
    fn times(self, other: Self) -> Self {
        Plain(self.0 * other.0)
    }
    fn over(self, other: Self) -> Self {
        Plain(self.0 / other.0)
    }
    fn plain(self) -> f64 {
        self.0
    }
    fn is_sound(self) -> bool {
        self.0 > 1e-100 && self.0 < 1e100
    }
}

#[derive(Clone, Copy)]
struct Logarithm(f64);

impl Weight for Logarithm {
    const NONE: Self = Logarithm(f64::NEG_INFINITY);
    fn of_log(log: f64) -> Self {
        Logarithm(log)
    }
    fn log(self) -> f64 {
        self.0
    }
    fn plus(self, other: Self) -> Self {
        let (more, less) = if self.0 >= other.0 { (self.0, other.0) } else { (other.0, self.0) };
        if less == f64::NEG_INFINITY { Logarithm(more) } else { Logarithm(more + log1p(exp(less - more))) }
    }
    fn times(self, other: Self) -> Self {
        Logarithm(self.0 + other.0)
    }
    fn over(self, other: Self) -> Self {
        if self.0 == f64::NEG_INFINITY { self } else { Logarithm(self.0 - other.0) }
    }
    fn plain(self) -> f64 {
        exp(self.0)
    }
    fn is_sound(self) -> bool {
        true
    }
}

/// The logarithm of the sum over all trees of `space` of the exponential of their scores, which are given by arc; and by arc
/// the probability that a tree has it. None if there is no tree. Takes time and memory of the order of words cubed.
pub fn sum(space: &ArcSpace, scores: &[f64], probabilities: &mut Vec<f64>) -> Option<f64> {
    if !space.has_all_heads() {
        return None;
    }
    let best = best_into(space, scores);
    let taken: f64 = best.iter().sum();
    let less = |a: usize| scores[a] - best[space.modifier(ArcId::new(a)).ix() - 1];
    let plain = eliminate::<Plain>(space, less, probabilities).filter(|log_z| log_z.is_finite());
    let log_z = plain.or_else(|| eliminate::<Logarithm>(space, less, probabilities))?;
    Some(log_z + taken)
}

/// The entropy of the trees of `space` in nats, drawn in proportion to the exponential of their scores, which are given by arc.
/// None if there is no tree. Time and memory are those of [`sum`].
pub fn entropy(space: &ArcSpace, scores: &[f64]) -> Option<f64> {
    // What arcs are worth less than the best into the same word is all that counts, and keeps digits.
    let best = best_into(space, scores);
    let less = |(a, score): (usize, &f64)| score - best[space.modifier(ArcId::new(a)).ix() - 1];
    let below: Vec<f64> = scores.iter().enumerate().map(less).collect();
    let mut probabilities = Vec::new();
    let log_z = sum(space, &below, &mut probabilities)?;
    let mean: f64 = below.iter().zip(&probabilities).map(|(score, p)| score * p).sum();
    Some((log_z - mean).max(0.0))
}

/// By word: the score of the best arc into it.
fn best_into(space: &ArcSpace, scores: &[f64]) -> Vec<f64> {
    let best = |m: usize| {
        let scores = space.arcs_into(Word::new(m)).iter().map(|a| scores[a.ix()]);
        scores.fold(f64::NEG_INFINITY, f64::max)
    };
    (1..=space.words()).map(best).collect()
}

/// A word that went: its number, D, and the weights among those that were left before, it included.
struct Step<W> {
    word: usize,
    total: W,
    left: Vec<usize>,
    /// By head among the root and all of `left`, then modifier among `left`.
    weights: Vec<W>,
}

/// The logarithm of the sum, and probabilities by arc; none if there is no tree, or digits were lost.
fn eliminate<W: Weight>(space: &ArcSpace, score: impl Fn(usize) -> f64, probabilities: &mut Vec<f64>) -> Option<f64> {
    let (words, side) = (space.words(), space.words() + 1);
    let mut weights = vec![W::NONE; side * side];
    for a in 0..space.arcs() {
        let (h, m) = (space.head(ArcId::new(a)).ix(), space.modifier(ArcId::new(a)).ix());
        weights[h * side + m] = W::of_log(score(a));
    }
    let (mut log_z, mut steps) = (0.0, Vec::with_capacity(words));
    let mut left: Vec<usize> = (1..=words).collect();
    while !left.is_empty() {
        let is_last = left.len() == 1;
        let with_root = !space.single_root() || is_last;
        let total = |w: usize| {
            let from_root = if with_root { weights[w] } else { W::NONE };
            left.iter().filter(|&&h| h != w).fold(from_root, |sum, &h| sum.plus(weights[h * side + w]))
        };
        // With one word on the root, a word that no other one can head is that word, and goes last.
        let (place, total) =
            left.iter().map(|&w| total(w)).enumerate().find(|(_, total)| total.log() > f64::NEG_INFINITY)?;
        if !total.is_sound() {
            return None;
        }
        log_z += total.log();
        let word = left[place];
        let heads = || std::iter::once(0).chain(left.iter().copied());
        let before = heads().flat_map(|h| left.iter().map(move |&m| (h, m)));
        let before = before.map(|(h, m)| weights[h * side + m]).collect();
        for h in heads().filter(|&h| h != word) {
            let share = weights[h * side + word].over(total);
            for &m in left.iter().filter(|&&m| m != word && m != h) {
                weights[h * side + m] = weights[h * side + m].plus(share.times(weights[word * side + m]));
            }
        }
        steps.push(Step { word, total, left: left.clone(), weights: before });
        left.remove(place);
    }
    let probability = backward(space, &steps, weights);
    probabilities.clear();
    probabilities.extend((0..space.arcs()).map(|a| {
        let (h, m) = (space.head(ArcId::new(a)).ix(), space.modifier(ArcId::new(a)).ix());
        probability[h * side + m].clamp(0.0, 1.0)
    }));
    Some(log_z)
}

/// The probability of each arc, by head, then modifier; `weights` are those after the last word went.
fn backward<W: Weight>(space: &ArcSpace, steps: &[Step<W>], mut weights: Vec<W>) -> Vec<f64> {
    let side = space.words() + 1;
    let mut p = vec![0.0; side * side];
    for Step { word: w, total, left, weights: before } in steps.iter().rev() {
        let is_last = left.len() == 1;
        let rooted = !space.single_root() || is_last;
        let mut of_before = vec![W::NONE; side * side];
        for (i, h) in std::iter::once(0).chain(left.iter().copied()).enumerate() {
            for (j, &m) in left.iter().enumerate() {
                of_before[h * side + m] = before[i * left.len() + j];
            }
        }
        let mut through = 0.0;
        for h in std::iter::once(0).chain(left.iter().copied()).filter(|h| h != w) {
            let share = of_before[h * side + w].over(*total);
            for &m in left.iter().filter(|&&m| m != *w && m != h) {
                let (at, after) = (h * side + m, weights[h * side + m]);
                if p[at] == 0.0 || after.log() == f64::NEG_INFINITY {
                    continue;
                }
                let over = p[at] * share.times(of_before[w * side + m]).over(after).plain();
                p[at] *= of_before[at].over(after).plain();
                p[w * side + m] += over;
                p[h * side + w] += over;
                through += over;
            }
        }
        for h in std::iter::once(0).chain(left.iter().copied()).filter(|h| h != w) {
            if rooted || h > 0 {
                p[h * side + w] += of_before[h * side + w].over(*total).plain() * (1.0 - through);
            }
        }
        weights = of_before;
    }
    p
}
