//! Axes: from values to places, and where the ticks are.

use treebound_records::number::{fixed, grouped};

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    low: f64,
    high: f64,
    logarithmic: bool,
    /// Values with a label and a line.
    pub ticks: Vec<(f64, String)>,
    /// Values with a faint line only.
    pub minor: Vec<f64>,
}

/// Values that differ by more than this factor do not show on one linear axis.
const WIDE: f64 = 30.0;

/// True if the values differ so much that a linear axis would not show the small ones.
pub fn is_wide(values: &[f64]) -> bool {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(0.0, f64::max);
    low > 0.0 && high.is_finite() && high > WIDE * low
}

/// True if a few values are so large that a linear axis would not show half of the others.
pub fn is_skewed(values: &[f64]) -> bool {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = sorted.get(sorted.len() / 2..).unwrap_or_default();
    is_wide(values) && is_wide(upper)
}

impl Axis {
    /// An axis for values, none of them negative: linear from 0, or logarithmic if that is asked for and none is 0.
    pub fn of(values: &[f64], logarithmic: bool) -> Self {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(0.0, f64::max);
        if logarithmic && low > 0.0 && low.is_finite() && high.is_finite() {
            Self::logarithmic(low, high)
        } else {
            Self::linear(high, 6, 0.0)
        }
    }

    /// A linear axis for whole numbers from 0 to at least `high`, with about `ticks` ticks.
    pub fn whole(high: u64, ticks: u32) -> Self {
        Self::linear(high as f64, ticks, 1.0)
    }

    /// A linear axis from at most `low` to at least `high`, with about `ticks` ticks, which need not begin at 0.
    pub fn between(low: f64, high: f64, ticks: u32) -> Self {
        let (low, high) = if low < high { (low, high) } else { (low - 0.5, low + 0.5) };
        let step = nice((high - low) / f64::from(ticks.max(1)));
        let decimals = libm::ceil(-libm::log10(step) - 1e-9).clamp(0.0, 12.0) as usize;
        let (first, last) = (libm::floor(low / step + 1e-9), libm::ceil(high / step - 1e-9));
        let tick = |i: u32| {
            let value = (first + f64::from(i)) * step;
            (value, label(value, decimals))
        };
        let ticks = (0..=(last - first) as u32).map(tick).collect();
        Self { low: first * step, high: last * step, logarithmic: false, ticks, minor: Vec::new() }
    }

    /// An axis for things that are no numbers, or whose distances say nothing: the one at place i is the value i.
    pub fn categories(names: impl IntoIterator<Item = String>) -> Self {
        let ticks: Vec<(f64, String)> = names.into_iter().enumerate().map(|(i, name)| (i as f64, name)).collect();
        Self { low: -0.5, high: ticks.len().max(1) as f64 - 0.5, logarithmic: false, ticks, minor: Vec::new() }
    }

    /// A linear axis from 0 to at least `high`, with about `ticks` ticks, which are no less than `least` apart.
    fn linear(high: f64, ticks: u32, least: f64) -> Self {
        let high = if high > 0.0 && high.is_finite() { high } else { 1.0 };
        let step = nice(high / f64::from(ticks.max(1))).max(least);
        let steps = libm::ceil(high / step - 1e-9).max(1.0);
        let decimals = libm::ceil(-libm::log10(step) - 1e-9).clamp(0.0, 12.0) as usize;
        let count = steps as u32;
        let tick = |i: u32| (f64::from(i) * step, label(f64::from(i) * step, decimals));
        Self {
            low: 0.0,
            high: steps * step,
            logarithmic: false,
            ticks: (0..=count).map(tick).collect(),
            minor: Vec::new(),
        }
    }

    /// A logarithmic axis from at most `low` to at least `high`, ending at 1, 2 or 5 times a power of ten.
    fn logarithmic(low: f64, high: f64) -> Self {
        let exponents = (libm::floor(libm::log10(low)) as i32 - 1)..=(libm::ceil(libm::log10(high)) as i32 + 1);
        let marks: Vec<(i32, u8)> = exponents.flat_map(|e| [(e, 1), (e, 2), (e, 5)]).collect();
        let value = |&(exponent, digit): &(i32, u8)| f64::from(digit) * power_of_ten(exponent);
        let first = marks.iter().rposition(|mark| value(mark) <= low).unwrap_or(0);
        let last = marks.iter().position(|mark| value(mark) >= high).unwrap_or(marks.len() - 1);
        let shown = marks.get(first..=last).unwrap_or_default();
        // Over many decades only powers of ten are labelled, and over few of them all marks.
        let every = shown.len() <= 8;
        let (ticks, minor): (Vec<_>, Vec<_>) = shown.iter().partition(|(_, digit)| every || *digit == 1);
        let tick = |mark: &(i32, u8)| (value(mark), label(value(mark), mark.0.min(0).unsigned_abs() as usize));
        Self {
            low: shown.first().map_or(low, value),
            high: shown.last().map_or(high, value),
            logarithmic: true,
            ticks: ticks.iter().map(tick).collect(),
            minor: minor.iter().map(value).collect(),
        }
    }

    /// Where a value is, from 0 (the low end) to 1.
    pub fn place(&self, value: f64) -> f64 {
        let place = |v: f64| if self.logarithmic { libm::log10(v) } else { v };
        (place(value) - place(self.low)) / (place(self.high) - place(self.low))
    }

    /// True if equal distances are equal factors.
    pub fn is_logarithmic(&self) -> bool {
        self.logarithmic
    }
}

/// The least of 1, 2 and 5 times a power of ten that is no less than `step`.
fn nice(step: f64) -> f64 {
    let unit = power_of_ten(libm::floor(libm::log10(step)) as i32);
    let fits = |digit: &f64| digit * unit >= step * (1.0 - 1e-9);
    unit * [1.0, 2.0, 5.0].into_iter().find(fits).unwrap_or(10.0)
}

/// 10 to a whole power, correctly rounded for all that is plotted.
fn power_of_ten(exponent: i32) -> f64 {
    libm::exp10(f64::from(exponent))
}

fn label(value: f64, decimals: usize) -> String {
    if decimals == 0 && (0.0..1e15).contains(&value) {
        grouped(libm::round(value) as u64)
    } else {
        fixed(value, decimals)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|(_, label)| label.as_str()).collect()
    }

    #[test]
    fn linear_axes_start_at_nothing() {
        let axis = Axis::of(&[3.0, 47.0], false);
        assert_eq!(labels(&axis), ["0", "10", "20", "30", "40", "50"]);
        assert_eq!((axis.place(0.0), axis.place(25.0), axis.place(50.0)), (0.0, 0.5, 1.0));
        assert_eq!(labels(&Axis::of(&[0.0, 0.42], true)), ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]);
        assert_eq!(labels(&Axis::whole(81, 8)), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(labels(&Axis::of(&[], true)).last(), Some(&"1.0"));
        assert_eq!(labels(&Axis::of(&[0.0], false)).last(), Some(&"1.0"));
    }

    #[test]
    fn whole_numbers_have_whole_ticks() {
        assert_eq!(labels(&Axis::whole(1, 3)), ["0", "1"]);
        assert_eq!(labels(&Axis::whole(2, 10)), ["0", "1", "2"]);
        assert_eq!(labels(&Axis::whole(0, 3)), ["0", "1"]);
        assert_eq!(labels(&Axis::whole(2077, 3)), ["0", "1,000", "2,000", "3,000"]);
    }

    #[test]
    fn close_values_are_spread_out() {
        let axis = Axis::between(89.38, 90.17, 5);
        assert_eq!(labels(&axis), ["89.2", "89.4", "89.6", "89.8", "90.0", "90.2"]);
        assert_eq!((axis.place(89.2), axis.place(90.2)), (0.0, 1.0));
        assert_eq!(labels(&Axis::between(76.4, 100.0, 5)), ["75", "80", "85", "90", "95", "100"]);
        assert_eq!(labels(&Axis::between(7.0, 7.0, 2)), ["6.5", "7.0", "7.5"]);
    }

    #[test]
    fn categories_are_equally_far_apart() {
        let axis = Axis::categories(["1", "50", "no limit"].map(str::to_owned));
        assert_eq!(labels(&axis), ["1", "50", "no limit"]);
        assert_eq!((axis.place(0.0), axis.place(1.0)), (0.5 / 3.0, 0.5));
    }

    #[test]
    fn ranges_are_told_apart() {
        assert!(is_wide(&[1.0, 40.0]) && !is_wide(&[1.0, 20.0]) && !is_wide(&[0.0, 40.0]) && !is_wide(&[]));
        // As in the paper: the longest sentences need many times the calls of the middling ones, but not 30 times.
        assert!(!is_skewed(&[1.0, 5.0, 30.0, 200.0]));
        assert!(is_skewed(&[1.0, 2.0, 3.0, 3000.0]) && !is_skewed(&[]));
    }

    #[test]
    fn logarithmic_axes_end_at_round_numbers() {
        let axis = Axis::of(&[1.0, 2900.0], true);
        assert!(axis.is_logarithmic());
        assert_eq!(labels(&axis), ["1", "10", "100", "1,000"]);
        assert_eq!(axis.minor.len(), 8);
        assert_eq!((axis.place(1.0), axis.place(5000.0)), (0.0, 1.0));
        let axis = Axis::of(&[0.06, 3.0], true);
        assert_eq!(labels(&axis), ["0.05", "0.1", "0.2", "0.5", "1", "2", "5"]);
    }
}
