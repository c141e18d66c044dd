//! By what power of one quantity another grows.

use crate::CONFIDENT_ERRORS;

/// A line through logarithms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// Its slope: the power.
    pub exponent: f64,
    /// The standard error of the slope, for residuals whose spread may depend on the place.
    pub standard_error: f64,
}

impl Growth {
    /// The interval of the exponent at a confidence of 95 %.
    pub fn interval(&self) -> (f64, f64) {
        let error = CONFIDENT_ERRORS * self.standard_error;
        (self.exponent - error, self.exponent + error)
    }
}

/// The line through (ln x, ln y) by weighted least squares. Points are x, y, both above 0, and a weight. None of fewer than three
/// points, or where all have one x.
///
/// With means m over weights, u = ln x - m(ln x) and residuals r:
///
/// ```text
/// exponent        = sum of w u ln y / sum of w u^2
/// standard error  = sqrt(sum of (w u r)^2) / sum of w u^2
/// ```
pub fn growth(points: &[(f64, f64, f64)]) -> Option<Growth> {
    let logs: Vec<(f64, f64, f64)> = points.iter().map(|&(x, y, w)| (libm::log(x), libm::log(y), w)).collect();
    let sum = |value: &dyn Fn(&(f64, f64, f64)) -> f64| logs.iter().map(value).sum::<f64>();
    let weight = sum(&|point| point.2);
    let [x_mean, y_mean] = [sum(&|point| point.2 * point.0) / weight, sum(&|point| point.2 * point.1) / weight];
    let spread = sum(&|point| point.2 * (point.0 - x_mean).powi(2));
    if logs.len() < 3 || spread.is_nan() || spread <= 1e-12 {
        return None;
    }
    let exponent = sum(&|point| point.2 * (point.0 - x_mean) * point.1) / spread;
    let residual = |point: &(f64, f64, f64)| point.1 - y_mean - exponent * (point.0 - x_mean);
    let errors = sum(&|point| (point.2 * (point.0 - x_mean) * residual(point)).powi(2));
    Some(Growth { exponent, standard_error: libm::sqrt(errors) / spread })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_is_found_whatever_the_factor() {
        for exponent in [-1.0, 0.0, 0.5, 3.0] {
            let points: Vec<(f64, f64, f64)> =
                (1..9_i32).map(|n| (n.into(), 7.0 * libm::pow(n.into(), exponent), f64::from(n % 3 + 1))).collect();
            let found = growth(&points).expect("a line");
            assert!((found.exponent - exponent).abs() < 1e-9 && found.standard_error < 1e-9, "{found:?}");
        }
        assert_eq!(growth(&[(1.0, 1.0, 1.0), (2.0, 3.0, 1.0)]), None);
        assert_eq!(growth(&[(2.0, 1.0, 1.0), (2.0, 3.0, 1.0), (2.0, 5.0, 1.0)]), None);
    }

    #[test]
    fn what_varies_has_a_wide_interval() {
        let noisy = |spread: f64| {
            let points: Vec<(f64, f64, f64)> =
                (1..40_i32).map(|n| (n.into(), f64::from(n) * if n % 2 == 0 { spread } else { 1.0 }, 1.0)).collect();
            growth(&points).expect("a line")
        };
        let (little, much) = (noisy(1.1), noisy(10.0));
        assert!(little.standard_error < much.standard_error);
        assert!(much.interval().0 < 1.0 && 1.0 < much.interval().1);
    }
}
