//! How sure is a share?

use crate::CONFIDENT_ERRORS;

/// The 95 % score interval (Wilson 1927) of a share of which `hits` of `all` were seen, in percent; none of nothing.
///
/// It holds the shares that a test at 5 %, with their own variance, does not reject, so that it has a width where all or none
/// were hits.
pub fn wilson(hits: u64, all: u64) -> Option<(f64, f64)> {
    if all == 0 || hits > all {
        return None;
    }
    let (n, share) = (all as f64, hits as f64 / all as f64);
    let square = CONFIDENT_ERRORS * CONFIDENT_ERRORS / n;
    let middle = share + square / 2.0;
    let half = (square * (share * (1.0 - share) + square / 4.0)).sqrt();
    let end = |value: f64| 100.0 * (value / (1.0 + square)).clamp(0.0, 1.0);
    Some((end(middle - half), end(middle + half)))
}

/// The least number of sentences of which `hits` of `all` put the whole [interval](wilson) on their side of a share from 0 to 1; none
/// where they are that share, and where no number would.
pub fn wilson_needs(hits: u64, all: u64, share: f64) -> Option<u64> {
    let far = hits as f64 / all as f64 - share;
    // An end is as far from the share seen as its own variance allows.
    let needed = (CONFIDENT_ERRORS * CONFIDENT_ERRORS * share * (1.0 - share) / (far * far)).ceil();
    // Of nothing, and of a share of all, it is no number.
    (needed.is_finite() && needed < u64::MAX as f64).then_some((needed as u64).max(1))
}

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

    #[test]
    fn so_many_without_a_miss_show_a_share() {
        let needed = wilson_needs(1, 1, 0.999).expect("a number");
        assert_eq!(needed, 3_838);
        assert!(wilson(needed, needed).expect("an interval").0 >= 99.9);
        assert!(wilson(needed - 1, needed - 1).expect("an interval").0 < 99.9);
        // At 90 % it takes 62 to leave out 80 %: 60 are too few, and 70 enough.
        assert_eq!(wilson_needs(9, 10, 0.8), Some(62));
        let [few, enough] = [wilson(54, 60), wilson(63, 70)].map(|ends| ends.expect("an interval").0);
        assert!(few < 80.0 && enough > 80.0, "{few} {enough}");
        assert_eq!([wilson_needs(1, 2, 0.5), wilson_needs(1, 1, 1.0), wilson_needs(0, 0, 0.5)], [None; 3]);
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
                let allowed = CONFIDENT_ERRORS * (end * (1.0 - end) / all as f64).sqrt();
                prop_assert!((far - allowed).abs() < 1e-7, "{end}: {far} against {allowed}");
            }
        }
    }
}
