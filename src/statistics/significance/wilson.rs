//! How sure is a share?

/// The 95 % score interval (Wilson 1927) of a share of which `hits` of `all` were seen, in percent; none of nothing.
///
/// It holds the shares that a test at 5 %, with their own variance, does not reject, so that it has a width where all or none
/// were hits.
pub fn wilson(hits: u64, all: u64) -> Option<(f64, f64)> {
    if all == 0 || hits > all {
        return None;
    }
    let (n, share) = (all as f64, hits as f64 / all as f64);
    let square = Z * Z / n;
    let middle = share + square / 2.0;
    let half = (square * (share * (1.0 - share) + square / 4.0)).sqrt();
    let end = |value: f64| 100.0 * (value / (1.0 + square)).clamp(0.0, 1.0);
    Some((end(middle - half), end(middle + half)))
}

/// Standard errors beyond which 5 % lie.
const Z: f64 = 1.959_963_984_540_054;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn as_printed() {
        // 10 of 20: 29.93 to 70.07; 20 of 20: from 83.89.
        let (low, high) = wilson(10, 20).expect("an interval");
        assert!((low - 29.93).abs() < 0.005 && (high - 70.07).abs() < 0.005, "{low} to {high}");
        let (low, high) = wilson(20, 20).expect("an interval");
        assert!((low - 83.89).abs() < 0.005 && (high - 100.0).abs() < 1e-9, "{low} to {high}");
        assert_eq!((wilson(0, 0), wilson(2, 1)), (None, None));
    }

    proptest! {
        /// Its ends are the shares from which the one seen is as far as the test allows.
        #[test]
        fn ends_are_on_the_edge_of_the_test(all in 1_u64..2000, part in 0.0_f64..1.0) {
            let hits = (part * all as f64) as u64;
            let (low, high) = wilson(hits, all).expect("an interval");
            let share = hits as f64 / all as f64;
            prop_assert!(low / 100.0 <= share + 1e-12 && share <= high / 100.0 + 1e-12);
            for end in [low / 100.0, high / 100.0] {
                let far = (share - end).abs();
                let allowed = Z * (end * (1.0 - end) / all as f64).sqrt();
                prop_assert!((far - allowed).abs() < 1e-7, "{end}: {far} against {allowed}");
            }
        }
    }
}
