//! Does a curve grow smoothly?
//!
//! A measure is averaged over lengths that stand for enough sentences (the points of the figures). The best curve that
//! never falls is fitted by isotonic regression, weighted by sentences. What it leaves unexplained of the variation between
//! lengths, as a share, is the *roughness*: 0 for a curve that only rises, 1 for one of which rising explains nothing.

/// A curve that is fitted to fewer points says little.
pub const LEAST_POINTS: usize = 5;

/// The roughness of points `(length, value, sentences)` in order of length; none of a curve that does not vary.
pub fn roughness(points: &[(f64, f64, u64)]) -> Option<f64> {
    let weight = |p: &(f64, f64, u64)| p.2 as f64;
    let total: f64 = points.iter().map(weight).sum();
    let mean = points.iter().map(|p| weight(p) * p.1).sum::<f64>() / total;
    let squares = |fit: &dyn Fn(usize) -> f64| -> f64 {
        points.iter().enumerate().map(|(i, p)| weight(p) * (p.1 - fit(i)) * (p.1 - fit(i))).sum()
    };
    let fitted = isotonic(points);
    let all = squares(&|_| mean);
    (all > 0.0).then(|| squares(&|i| fitted[i]) / all)
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
    use super::*;

    #[test]
    fn falls_are_pooled() {
        let points = [(1.0, 1.0, 1), (2.0, 4.0, 1), (3.0, 1.0, 2), (4.0, 9.0, 1)];
        assert_eq!(isotonic(&points), [1.0, 2.0, 2.0, 9.0]);
        // Back over several runs.
        assert_eq!(isotonic(&[(1.0, 3.0, 1), (2.0, 4.0, 1), (3.0, 2.0, 1)]), [3.0, 3.0, 3.0]);
    }

    #[test]
    fn only_what_falls_is_rough() {
        let curve = |values: &[f64]| -> Vec<(f64, f64, u64)> { values.iter().map(|&v| (0.0, v, 10)).collect() };
        assert_eq!(roughness(&curve(&[1.0, 2.0, 2.0, 50.0])), Some(0.0));
        assert_eq!(roughness(&curve(&[3.0, 2.0, 1.0])), Some(1.0));
        // Mean 2, squares 4 + 0 + 4 (over weight); pooled 1 and 3 to 2: 1 + 1 of 4 + 1 + 1 + 4.
        assert_eq!(roughness(&curve(&[0.0, 3.0, 1.0, 4.0])), Some(2.0 / 10.0));
        assert_eq!(roughness(&curve(&[2.0, 2.0])), None);
        assert_eq!(roughness(&[]), None);
    }
}
