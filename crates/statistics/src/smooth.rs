//! Does a measure grow smoothly with length?
//!
//! The measure is averaged over lengths that stand for enough sentences: the points of the figures, weighted by sentences. Two
//! shares of the variation between lengths are asked for, both 0 at best:
//!
//! * *not smooth*: what a smooth curve does not foresee. Each point is held against a polynomial of degree [`DEGREE`] through all
//!   *other* points, and against their mean; the share is the sum of squares of the first over that of the second (the
//!   prediction sum of squares of Allen 1974, cross-validation after Stone 1974). The fit is that of smooth against free
//!   means; as no point helps to foresee itself, neither a jagged curve nor steps pass.
//! * *not rising*: what the best curve that never falls (isotonic regression) leaves of the squares about the mean.
//!
//! How sure a share is, a bootstrap over lengths says. The degree is that of the dynamic programs, whose time grows with at most
//! the fourth power of the length.
//!
//! A curve may be rough only because few sentences stand for a length. Such noise is independent from length to length; steps,
//! bends and saws are not. The correlation of neighbouring residuals from the smooth curve tells them apart. It is held
//! against the same curve with coins for the signs of its residuals, fitted anew (the wild bootstrap of Wu 1986), which asks
//! nothing of the size of the noise: that grows with the length.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;
use rayon::prelude::*;

use crate::Draws;
use crate::bootstrap::ratio_interval;

/// The degree of the smooth curve.
pub const DEGREE: usize = 4;

/// A curve of fewer points says little: twice as many as the smooth curve has coefficients.
pub const LEAST_POINTS: usize = 2 * (DEGREE + 1);

/// A share of the variation between lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The share; it may be above 1, where the mean foresees more.
    pub share: f64,
    /// Its bootstrap interval.
    pub interval: (f64, f64),
}

/// What is neither smooth nor rising of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roughness {
    /// What a smooth curve does not foresee.
    pub not_smooth: Share,
    /// What a rising curve leaves.
    pub not_rising: Share,
    /// The p-value of the pattern that neighbouring lengths make about the smooth curve: large if they are like noise.
    pub pattern_p: f64,
}

/// The roughness of points `(length, value, sentences)` in order of length; none of a curve that does not vary, and of fewer
/// points than [`LEAST_POINTS`].
pub fn roughness(points: &[(f64, f64, u64)], draws: Draws, confidence: f64) -> Option<Roughness> {
    if points.len() < LEAST_POINTS {
        return None;
    }
    let weight = |p: &(f64, f64, u64)| p.2 as f64;
    let total: f64 = points.iter().map(weight).sum();
    let mean = points.iter().map(|p| weight(p) * p.1).sum::<f64>() / total;
    let (smooth, rising) = (smooth(points)?, isotonic(points));
    let square = |value: f64, weight: f64| weight * value * value;
    let foreseen = points.iter().zip(&smooth.beside).map(|(p, fit)| {
        let by_mean = (p.1 - mean) / (1.0 - weight(p) / total);
        (square(fit.residual / fit.others, weight(p)), square(by_mean, weight(p)))
    });
    let foreseen: Vec<(f64, f64)> = foreseen.collect();
    let rising =
        points.iter().zip(&rising).map(|(p, fit)| (square(p.1 - fit, weight(p)), square(p.1 - mean, weight(p))));
    let rising: Vec<(f64, f64)> = rising.collect();
    let share = |squares: &[(f64, f64)]| {
        let (left, all) = squares.iter().fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        (all > 0.0).then_some(())?;
        Some(Share { share: left / all, interval: ratio_interval(squares, draws, confidence)? })
    };
    let pattern_p = smooth.pattern(draws);
    Some(Roughness { not_smooth: share(&foreseen)?, not_rising: share(&rising)?, pattern_p })
}

/// A point beside the smooth curve.
#[derive(Clone, Copy, Debug)]
struct Beside {
    /// What it has more than the curve through all points.
    residual: f64,
    /// The part that other points have in the curve's value there: 1 less the leverage of its own.
    others: f64,
}

/// The smooth curve through points.
#[derive(Clone, Debug)]
struct Smooth {
    /// Polynomials that are orthonormal over the points, times the root of the weights.
    basis: Vec<Vec<f64>>,
    /// The points. What one has more than the curve through all others is its residual over the part of the others.
    beside: Vec<Beside>,
    /// Residuals of the same variance, as far as sentences are alike.
    standardised: Vec<f64>,
}

impl Smooth {
    /// What a fit leaves of values times the root of their weights.
    fn left(&self, values: &mut [f64]) {
        for one in &self.basis {
            let along: f64 = one.iter().zip(&*values).map(|(basis, value)| basis * value).sum();
            values.iter_mut().zip(one).for_each(|(value, basis)| *value -= along * basis);
        }
    }

    /// The p-value of the correlation of neighbours, in either direction: where it lies among those of random signs.
    fn pattern(&self, draws: Draws) -> f64 {
        let correlation = |mut values: Vec<f64>| {
            self.left(&mut values);
            let all: f64 = values.iter().map(|value| value * value).sum();
            let neighbours: f64 = values.windows(2).map(|pair| pair[0] * pair[1]).sum();
            if all > 0.0 { neighbours / all } else { 0.0 }
        };
        let found = correlation(self.standardised.clone());
        let chunks: Vec<_> = draws.chunks().collect();
        let round = |random: &mut ChaCha8Rng| {
            let mut signs = 0;
            let drawn = self.standardised.iter().enumerate().map(|(i, value)| {
                signs = if i % 64 == 0 { random.next_u64() } else { signs >> 1 };
                if signs & 1 == 1 { -value } else { *value }
            });
            correlation(drawn.collect())
        };
        let beyond = |(mut random, rounds): (ChaCha8Rng, u32)| {
            let drawn = (0..rounds).map(|_| round(&mut random));
            drawn.fold([0, 0], |[below, above]: [u32; 2], one| {
                [below + u32::from(one <= found), above + u32::from(one >= found)]
            })
        };
        let [below, above] = chunks.into_par_iter().map(beyond).reduce(|| [0, 0], |a, b| [a[0] + b[0], a[1] + b[1]]);
        let share = |hits: u32| (f64::from(hits) + 1.0) / (f64::from(draws.rounds) + 1.0);
        (2.0 * share(below.min(above))).min(1.0)
    }
}

/// The polynomial through all points at each of them; none where they do not decide it, or where one decides it alone.
fn smooth(points: &[(f64, f64, u64)]) -> Option<Smooth> {
    let (first, last) = (points.first()?.0, points.last()?.0);
    let roots: Vec<f64> = points.iter().map(|p| (p.2 as f64).sqrt()).collect();
    // By Gram and Schmidt, on lengths scaled to -1 to 1.
    let scaled: Vec<f64> = points.iter().map(|p| (2.0 * p.0 - first - last) / (last - first)).collect();
    let mut smooth = Smooth { basis: Vec::new(), beside: Vec::new(), standardised: Vec::new() };
    for _ in 0..=DEGREE {
        let mut next: Vec<f64> = match smooth.basis.last() {
            None => roots.clone(),
            Some(before) => before.iter().zip(&scaled).map(|(value, x)| value * x).collect(),
        };
        // Twice is enough for full precision.
        smooth.left(&mut next);
        smooth.left(&mut next);
        let length = next.iter().map(|value| value * value).sum::<f64>().sqrt();
        if length <= 0.0 || !length.is_finite() {
            return None;
        }
        next.iter_mut().for_each(|value| *value /= length);
        smooth.basis.push(next);
    }
    let mut left: Vec<f64> = points.iter().zip(&roots).map(|(p, root)| p.1 * root).collect();
    smooth.left(&mut left);
    for (i, (left, root)) in left.iter().zip(&roots).enumerate() {
        let leverage: f64 = smooth.basis.iter().map(|one| one[i] * one[i]).sum();
        let others = 1.0 - leverage;
        if others <= 1e-9 {
            return None;
        }
        smooth.beside.push(Beside { residual: left / root, others });
        smooth.standardised.push(left / others.sqrt());
    }
    Some(smooth)
}

/// The values of the curve that never falls and is closest to the points (pool adjacent violators).
fn isotonic(points: &[(f64, f64, u64)]) -> Vec<f64> {
    // Runs of points that share a value: weighted sum, weight, number of points.
    let mut runs: Vec<(f64, f64, usize)> = Vec::new();
    for &(_, value, sentences) in points {
        let mut run = (value * sentences as f64, sentences as f64, 1);
        while let Some(last) = runs.pop_if(|last| last.0 / last.1 > run.0 / run.1) {
            run = (last.0 + run.0, last.1 + run.1, last.2 + run.2);
        }
        runs.push(run);
    }
    runs.into_iter().flat_map(|(sum, weight, n)| std::iter::repeat_n(sum / weight, n)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;
    use crate::below;

    const DRAWS: Draws = Draws { rounds: 1000, seed: 4 };

    /// A curve over lengths 1 to 40, ten sentences each.
    fn curve(value: impl Fn(f64) -> f64) -> Vec<(f64, f64, u64)> {
        (1..=40).map(|length| (f64::from(length), value(f64::from(length)), 10)).collect()
    }

    fn rough(points: &[(f64, f64, u64)]) -> Roughness {
        roughness(points, DRAWS, 0.95).expect("a curve")
    }

    #[test]
    fn falls_are_pooled() {
        let points = [(1.0, 1.0, 1), (2.0, 4.0, 1), (3.0, 1.0, 2), (4.0, 9.0, 1)];
        assert_eq!(isotonic(&points), [1.0, 2.0, 2.0, 9.0]);
        // Back over several runs.
        assert_eq!(isotonic(&[(1.0, 3.0, 1), (2.0, 4.0, 1), (3.0, 2.0, 1)]), [3.0, 3.0, 3.0]);
    }

    #[test]
    fn polynomials_of_the_degree_are_smooth() {
        for power in 1..=4 {
            let rough = rough(&curve(|x| 3.0 + x.powi(power)));
            assert!(rough.not_smooth.share < 1e-12 && rough.not_rising.share == 0.0, "{power}: {rough:?}");
        }
        // And so is what they come near to.
        assert!(rough(&curve(|x| (x / 12.0).exp())).not_smooth.interval.1 < 0.01);
        assert!(rough(&curve(|x| x.powf(2.5))).not_smooth.interval.1 < 0.001);
    }

    #[test]
    fn only_what_falls_does_not_rise() {
        let falling = rough(&curve(|x| -x));
        assert!(falling.not_smooth.share < 1e-12 && falling.not_rising.share > 0.999, "{falling:?}");
        // A smooth hill is half rising.
        let hill = rough(&curve(|x| x * (41.0 - x)));
        assert!(hill.not_smooth.share < 1e-12 && hill.not_rising.interval.0 > 0.1, "{hill:?}");
    }

    #[test]
    fn steps_rise_and_are_not_smooth() {
        for at in [10.0, 20.0, 30.0] {
            let step = rough(&curve(|x| if x > at { 100.0 } else { 1.0 }));
            assert!(step.not_rising.share == 0.0 && step.not_smooth.share > 0.1, "{at}: {step:?}");
            assert!(step.pattern_p < 0.05, "{at}: {step:?}");
        }
        let one_off = rough(&curve(|x| if x == 20.0 { 100.0 } else { x }));
        // It may be that of the sentences at hand.
        assert!(one_off.not_smooth.share > 0.5 && one_off.pattern_p > 0.05, "{one_off:?}");
        // A saw that rises is rough in every tooth.
        let saw = rough(&curve(|x| x + 12.0 * (x % 2.0)));
        assert!(saw.not_smooth.interval.0 > 0.1 && saw.pattern_p < 0.05, "{saw:?}");
    }

    #[test]
    fn what_cannot_be_told() {
        assert_eq!(roughness(&curve(|_| 2.0), DRAWS, 0.95), None);
        assert_eq!(roughness(&curve(|x| x)[..LEAST_POINTS - 1], DRAWS, 0.95), None);
        assert!(roughness(&curve(|x| x)[..LEAST_POINTS], DRAWS, 0.95).is_some());
        assert_eq!(roughness(&[], DRAWS, 0.95), None);
    }

    #[test]
    fn noise_counts_as_what_it_is() {
        // A line from 1 to 40, variance 133.25, under even noise on -9 to 9, variance 30: a share of 30 / 163.
        let mut random = ChaCha8Rng::seed_from_u64(9);
        let mut shares = Vec::new();
        let (mut covered, mut patterns) = (0, 0);
        for seed in 0..200 {
            let points: Vec<_> =
                curve(|x| x).into_iter().map(|(x, y, n)| (x, y + below(&mut random, 19) as f64 - 9.0, n)).collect();
            let rough = roughness(&points, Draws { rounds: 300, seed }, 0.95).expect("a curve");
            patterns += u32::from(rough.pattern_p < 0.05);
            let rough = rough.not_smooth;
            covered += u32::from(rough.interval.0 <= 0.2 && 0.2 <= rough.interval.1);
            shares.push(rough.share);
        }
        // Foreseeing from others costs a little: one in 40 of the variance for each coefficient.
        let mean = shares.iter().sum::<f64>() / shares.len() as f64;
        assert!((0.18..0.24).contains(&mean), "{mean}");
        assert!(covered >= 170, "{covered} of 200");
        // 10 are expected, with a standard deviation of 3.
        assert!(patterns <= 20, "{patterns} of 200");
    }

    #[test]
    fn patterns_against_all_signs() {
        let values = [1.0, 2.0, 4.0, 3.0, 5.0, 9.0, 8.0, 12.0, 14.0, 13.0];
        let points: Vec<_> = values.iter().enumerate().map(|(i, &y)| (i as f64, y, 3 + i as u64)).collect();
        let smooth = smooth(&points).expect("a fit");
        let correlation = |signs: u32| {
            let sign = |i: usize| if signs >> i & 1 == 1 { -1.0 } else { 1.0 };
            let mut drawn: Vec<f64> = smooth.standardised.iter().enumerate().map(|(i, r)| sign(i) * r).collect();
            smooth.left(&mut drawn);
            drawn.windows(2).map(|w| w[0] * w[1]).sum::<f64>() / drawn.iter().map(|r| r * r).sum::<f64>()
        };
        let all: Vec<f64> = (0..1024).map(correlation).collect();
        let share = |fits: &dyn Fn(f64) -> bool| all.iter().filter(|one| fits(**one)).count() as f64 / 1024.0;
        let exact = 2.0 * share(&|one| one <= all[0] + 1e-12).min(share(&|one| one >= all[0] - 1e-12));
        let found = smooth.pattern(Draws { rounds: 20_000, seed: 3 });
        // Four standard errors of twice a share of 20,000 rounds are at most 0.0284.
        assert!((found - exact.min(1.0)).abs() < 0.0284, "{found} against {exact}");
    }

    /// The polynomial through all but one point, from its normal equations by elimination.
    fn without(points: &[(f64, f64, u64)], left_out: usize) -> f64 {
        let centre = points[left_out].0;
        let mut rows = vec![[0.0; DEGREE + 2]; DEGREE + 1];
        for (_, &(x, y, n)) in points.iter().enumerate().filter(|(i, _)| *i != left_out) {
            let power = |k: usize| ((x - centre) / 20.0).powi(k as i32);
            for (i, row) in rows.iter_mut().enumerate() {
                (0..=DEGREE).for_each(|j| row[j] += n as f64 * power(i) * power(j));
                row[DEGREE + 1] += n as f64 * power(i) * y;
            }
        }
        for i in 0..=DEGREE {
            let best = (i..=DEGREE).max_by(|&a, &b| rows[a][i].abs().total_cmp(&rows[b][i].abs())).expect("a row");
            rows.swap(i, best);
            let pivot = rows[i];
            for (_, row) in rows.iter_mut().enumerate().filter(|(j, _)| *j != i) {
                let factor = row[i] / pivot[i];
                (i..DEGREE + 2).for_each(|k| row[k] -= factor * pivot[k]);
            }
        }
        // At its own centre a polynomial is its constant.
        rows[0][DEGREE + 1] / rows[0][0]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn foreseen_as_by_fits_without_each_point(points in prop::collection::vec((0.0_f64..100.0, 1_u64..30), LEAST_POINTS..30)) {
            let points: Vec<_> = points.iter().enumerate().map(|(i, &(y, n))| (3.0 + 1.5 * i as f64, y, n)).collect();
            for (i, fit) in smooth(&points).expect("a fit").beside.iter().enumerate() {
                let found = points[i].1 - fit.residual / fit.others;
                let expected = without(&points, i);
                prop_assert!((found - expected).abs() < 1e-5 * (1.0 + expected.abs()), "{i}: {found} against {expected}");
            }
        }
    }
}
