//! The chart backwards. What an entry of a row is worth outside is known once every arc that may use it has been passed:
//! so all runs in the opposite order of [`inside`](super::inside).

use multiversion::multiversion;

use super::rows::{BLOCK, Rows, block, block_max, block_unit, part_range, raise};
use crate::decode::value::Value;
use crate::graph::{ArcId, ArcSpace, LocalScores, Word};

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
pub(super) fn outside<V: Value>(chart: &mut Rows<V>, space: &ArcSpace, scores: &LocalScores<V>) {
    let n = space.words();
    let Rows { stride, rows, units, open, outside_rows, outside_open, .. } = chart;
    let stride = *stride;
    for a in space.arcs_of(Word::ROOT) {
        outside_rows[a * stride + n] = V::ZERO;
    }
    for s in 0..=n {
        if s > 0 {
            reopen_left(space, scores, rows, open, outside_rows, outside_open, stride, s);
        }
        let head = Word::new(s);
        let into = space.arcs_into(head);
        let left = &into[into.partition_point(|&a| space.head(a) < head)..];
        let (mut left, mut right) =
            (left.iter().rev().copied().peekable(), space.right_arcs_of(head).rev().map(ArcId::new).peekable());
        loop {
            let take_right = match (right.peek(), left.peek()) {
                (Some(&a), Some(&b)) => space.modifier(a) > space.head(b),
                (Some(_), None) => true,
                (None, Some(_)) => false,
                (None, None) => break,
            };
            let Some(a) = (if take_right { right.next() } else { left.next() }) else { break };
            let t = if take_right { space.modifier(a).ix() } else { space.head(a).ix() };
            if take_right {
                let outside = space.outside_children(a);
                let outside_scores = &scores.grandchild[part_range(space, a, &outside)];
                let mut best = [V::NEG_INF; BLOCK];
                let mut place = t / BLOCK * BLOCK;
                while place <= n {
                    let around: [V; BLOCK] = block(outside_rows, a.ix() * stride + place);
                    let unit = block_unit(units, stride, t, place, V::ZERO);
                    let closed = block_max(unit, rows, stride, place, outside.clone(), outside_scores);
                    for i in 0..BLOCK {
                        best[i] = best[i].larger(around[i] + closed[i]);
                    }
                    raise(
                        outside_rows,
                        stride,
                        place,
                        outside.clone(),
                        outside_scores,
                        around.map(|w| w + open[a.ix()]),
                    );
                    place += BLOCK;
                }
                outside_open[a.ix()] = best.into_iter().fold(V::NEG_INF, V::larger);
            }
            let base = outside_open[a.ix()] + scores.arc[a.ix()];

            let siblings = space.siblings_to_follow(a);
            let sibling_scores = &scores.sibling[space.sibling_parts_of(a)];
            let first = scores.sibling[space.first_modifier_part(a)];
            let inside = space.inside_children(a);
            let inside_scores = &scores.grandchild[part_range(space, a, &inside)];
            let (sibling_end, child_end) = if take_right { (s, t - 1) } else { (t - 1, s) };
            let mut place = s / BLOCK * BLOCK;
            while place < t {
                let unit = block_unit(units, stride, sibling_end, place, first);
                let of_siblings = block_max(unit, rows, stride, place, siblings.clone(), sibling_scores);
                let unit = block_unit(units, stride, child_end, place, V::ZERO);
                let of_children = block_max(unit, rows, stride, place, inside.clone(), inside_scores);
                raise(outside_rows, stride, place, siblings.clone(), sibling_scores, of_children.map(|v| v + base));
                raise(outside_rows, stride, place, inside.clone(), inside_scores, of_siblings.map(|v| v + base));
                place += BLOCK;
            }
        }
    }
}

/// Passes what place `s - 1` of left arcs' rows is worth on to their arcs and to the rows of their outside children.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "the fields of a chart, borrowed apart")]
fn reopen_left<V: Value>(
    space: &ArcSpace,
    scores: &LocalScores<V>,
    rows: &[V],
    open: &[V],
    outside_rows: &mut [V],
    outside_open: &mut [V],
    stride: usize,
    s: usize,
) {
    let place = s - 1;
    for t in (s + 1..=space.words()).rev() {
        for a in space.left_arcs_of(Word::new(t)).rev() {
            let id = ArcId::new(a);
            let m = space.modifier(id).ix();
            if m < s {
                break;
            }
            let around = outside_rows[a * stride + place];
            let mut best = if m == s { V::ZERO } else { V::NEG_INF };
            if m > s {
                let children = space.outside_children(id);
                let children_scores = &scores.grandchild[part_range(space, id, &children)];
                for (b, &score) in children.zip(children_scores) {
                    best = best.larger(rows[b * stride + place] + score);
                    let worth = &mut outside_rows[b * stride + place];
                    *worth = worth.larger(around + open[a] + score);
                }
            }
            outside_open[a] = outside_open[a].larger(around + best);
        }
    }
}
