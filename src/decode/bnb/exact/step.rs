//! The length of a step: multipliers move along the looseness of a tree until the bound there would meet the incumbent.
//!
//! A Polyak step has the length (bound - target) / |slopes|^2. Here every multiplier stops at its capacity, where its
//! factor is exact; what such a factor cannot give, the others are asked for, like water that rises in vessels of
//! different heights. The target is the incumbent's score.

use super::loose::Move;

/// The time t at which `sum of slope * min(t * slope, capacity)` reaches `wanted`; the last capacity's if it never does.
pub(super) fn length(moves: &[Move], wanted: f64, order: &mut Vec<(f64, f64)>) -> f64 {
    order.clear();
    order.extend(moves.iter().map(|m| (m.capacity / m.slope, m.slope * m.slope)));
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mut rate: f64 = order.iter().map(|m| m.1).sum();
    let (mut gained, mut at) = (0.0, 0.0);
    for &(full, square) in &*order {
        let next = gained + (full - at) * rate;
        if next >= wanted {
            return at + (wanted - gained) / rate;
        }
        (gained, at) = (next, full);
        rate -= square;
    }
    at
}
