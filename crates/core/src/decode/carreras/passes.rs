//! The chart forwards: see the recurrence above ([`super`]).

use multiversion::multiversion;

use crate::decode::carreras::{BLOCK, Rows, block, block_max, block_unit, part_range, raise};
use crate::decode::partition::Notes;
use crate::decode::semiring::Semiring;
use crate::graph::{ArcId, ArcSpace, LocalScores, Word};

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
pub(super) fn inside<V: Semiring>(chart: &mut Rows<V>, space: &ArcSpace, scores: &LocalScores<V>) {
    let n = space.words();
    let Rows { stride, rows, units, open, .. } = chart;
    let stride = *stride;
    for s in (0..=n).rev() {
        let head = Word::new(s);
        // Arcs between s and t, t ascending. The right arcs of s are in that order already; the left arcs into s are
        // those of `arcs_into(s)` with heads beyond s.
        let into = space.arcs_into(head);
        let mut left = into[into.partition_point(|&a| space.head(a) < head)..].iter().copied().peekable();
        let mut right = space.right_arcs_of(head).map(ArcId::new).peekable();
        loop {
            let take_right = match (right.peek(), left.peek()) {
                (Some(&a), Some(&b)) => space.modifier(a) <= space.head(b),
                (Some(_), None) => true,
                (None, Some(_)) => false,
                (None, None) => break,
            };
            let Some(a) = (if take_right { right.next() } else { left.next() }) else { break };
            let t = if take_right { space.modifier(a).ix() } else { space.head(a).ix() };

            let siblings = space.siblings_to_follow(a);
            let sibling_scores = &scores.sibling[space.sibling_parts_of(a)];
            let first = scores.sibling[space.first_modifier_part(a)];
            let inside = space.inside_children(a);
            let inside_scores = &scores.grandchild[part_range(space, a, &inside)];
            let (sibling_end, child_end) = if take_right { (s, t - 1) } else { (t - 1, s) };
            let mut best = [V::NONE; BLOCK];
            let mut place = s / BLOCK * BLOCK;
            while place < t {
                let of_siblings = block_max(
                    block_unit(units, stride, sibling_end, place, first),
                    rows,
                    stride,
                    place,
                    siblings.clone(),
                    sibling_scores,
                );
                let of_children = block_max(
                    block_unit(units, stride, child_end, place, V::ONE),
                    rows,
                    stride,
                    place,
                    inside.clone(),
                    inside_scores,
                );
                for i in 0..BLOCK {
                    best[i] = best[i].plus(of_siblings[i].times(of_children[i]));
                }
                place += BLOCK;
            }
            let best = best.into_iter().fold(V::NONE, V::plus);
            let opened = scores.arc[a.ix()].times(best);
            open[a.ix()] = opened;

            if take_right {
                let outside = space.outside_children(a);
                let outside_scores = &scores.grandchild[part_range(space, a, &outside)];
                let mut place = t / BLOCK * BLOCK;
                while place <= n {
                    let unit = block_unit(units, stride, t, place, V::ONE);
                    let closed = block_max(unit, rows, stride, place, outside.clone(), outside_scores);
                    let from = a.ix() * stride + place;
                    for (to, value) in rows[from..from + BLOCK].iter_mut().zip(closed) {
                        *to = value.times(opened);
                    }
                    place += BLOCK;
                }
            }
        }
        if s > 0 {
            close_left(space, scores, rows, open, stride, s);
        }
    }
}

/// Fills place `s - 1` of the rows of all left arcs whose modifiers are not before `s`.
#[inline(always)]
fn close_left<V: Semiring>(
    space: &ArcSpace,
    scores: &LocalScores<V>,
    rows: &mut [V],
    open: &[V],
    stride: usize,
    s: usize,
) {
    let place = s - 1;
    for t in s + 1..=space.words() {
        let arcs = space.left_arcs_of(Word::new(t));
        for a in arcs.rev() {
            let id = ArcId::new(a);
            let m = space.modifier(id).ix();
            if m < s {
                break;
            }
            let mut best = if m == s { V::ONE } else { V::NONE };
            if m > s {
                let children = space.outside_children(id);
                let children_scores = &scores.grandchild[part_range(space, id, &children)];
                for (b, &score) in children.zip(children_scores) {
                    best = best.plus(rows[b * stride + place].times(score));
                }
            }
            rows[a * stride + place] = open[a].times(best);
        }
    }
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
pub(super) fn outside<V: Semiring, N: Notes<V>>(
    chart: &mut Rows<V>,
    space: &ArcSpace,
    scores: &LocalScores<V>,
    notes: &mut N,
) {
    let n = space.words();
    let Rows { stride, rows, units, open, outside_rows, outside_open, .. } = chart;
    let stride = *stride;
    for a in space.arcs_of(Word::ROOT) {
        outside_rows[a * stride + n] = V::ONE;
    }
    for s in 0..=n {
        if s > 0 {
            reopen_left(space, scores, rows, open, outside_rows, outside_open, notes, stride, s);
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
                let outside_parts = part_range(space, a, &outside);
                let outside_scores = &scores.grandchild[outside_parts.clone()];
                let mut best = [V::NONE; BLOCK];
                let mut place = t / BLOCK * BLOCK;
                while place <= n {
                    let around: [V; BLOCK] = block(outside_rows, a.ix() * stride + place);
                    let unit = block_unit(units, stride, t, place, V::ONE);
                    let closed = block_max(unit, rows, stride, place, outside.clone(), outside_scores);
                    for i in 0..BLOCK {
                        best[i] = best[i].plus(around[i].times(closed[i]));
                    }
                    let around = around.map(|w| w.times(open[a.ix()]));
                    raise(outside_rows, stride, place, outside.clone(), outside_scores, around);
                    if N::WANTED {
                        for ((b, part), &score) in outside.clone().zip(outside_parts.clone()).zip(outside_scores) {
                            notes.grandchild(part, dot(rows, b * stride + place, around).times(score));
                        }
                    }
                    place += BLOCK;
                }
                outside_open[a.ix()] = best.into_iter().fold(V::NONE, V::plus);
            }
            let base = outside_open[a.ix()].times(scores.arc[a.ix()]);

            let siblings = space.siblings_to_follow(a);
            let sibling_parts = space.sibling_parts_of(a);
            let sibling_scores = &scores.sibling[sibling_parts.clone()];
            let first = scores.sibling[space.first_modifier_part(a)];
            let inside = space.inside_children(a);
            let inside_parts = part_range(space, a, &inside);
            let inside_scores = &scores.grandchild[inside_parts.clone()];
            let (sibling_end, child_end) = if take_right { (s, t - 1) } else { (t - 1, s) };
            let mut place = s / BLOCK * BLOCK;
            while place < t {
                let first_here = block_unit(units, stride, sibling_end, place, first);
                let of_siblings = block_max(first_here, rows, stride, place, siblings.clone(), sibling_scores);
                let unit = block_unit(units, stride, child_end, place, V::ONE);
                let of_children = block_max(unit, rows, stride, place, inside.clone(), inside_scores);
                let (of_siblings, of_children) =
                    (of_siblings.map(|v| v.times(base)), of_children.map(|v| v.times(base)));
                raise(outside_rows, stride, place, siblings.clone(), sibling_scores, of_children);
                raise(outside_rows, stride, place, inside.clone(), inside_scores, of_siblings);
                if N::WANTED {
                    notes.sibling(space.first_modifier_part(a), dot(&first_here, 0, of_children));
                    for ((b, part), &score) in siblings.clone().zip(sibling_parts.clone()).zip(sibling_scores) {
                        notes.sibling(part, dot(rows, b * stride + place, of_children).times(score));
                    }
                    for ((b, part), &score) in inside.clone().zip(inside_parts.clone()).zip(inside_scores) {
                        notes.grandchild(part, dot(rows, b * stride + place, of_siblings).times(score));
                    }
                }
                place += BLOCK;
            }
        }
    }
}

/// Passes what place `s - 1` of left arcs' rows is worth on to their arcs and to the rows of their outside children.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "the fields of a chart, borrowed apart")]
fn reopen_left<V: Semiring, N: Notes<V>>(
    space: &ArcSpace,
    scores: &LocalScores<V>,
    rows: &[V],
    open: &[V],
    outside_rows: &mut [V],
    outside_open: &mut [V],
    notes: &mut N,
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
            let mut best = if m == s { V::ONE } else { V::NONE };
            if m > s {
                let children = space.outside_children(id);
                let parts = part_range(space, id, &children);
                for ((b, part), &score) in children.zip(parts.clone()).zip(&scores.grandchild[parts]) {
                    let below = rows[b * stride + place].times(score);
                    best = best.plus(below);
                    let around_open = around.times(open[a]);
                    let worth = &mut outside_rows[b * stride + place];
                    *worth = worth.plus(around_open.times(score));
                    if N::WANTED {
                        notes.grandchild(part, around_open.times(below));
                    }
                }
            }
            outside_open[a] = outside_open[a].plus(around.times(best));
        }
    }
}

/// What a block of a row is worth with `around`, over its places.
#[inline(always)]
fn dot<V: Semiring>(row: &[V], from: usize, around: [V; BLOCK]) -> V {
    let here: [V; BLOCK] = block(row, from);
    here.into_iter().zip(around).fold(V::NONE, |sum, (a, b)| sum.plus(a.times(b)))
}
