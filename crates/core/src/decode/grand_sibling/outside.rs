//! The chart backwards: what an entry is worth outside is known once all that may use it has been passed, so all runs in
//! the opposite order of [`inside`](super::inside).

use multiversion::multiversion;

use super::inside::{common, may_begin, outer_right_siblings, split_into};
use super::parents::{Parent, above};
use super::spans::{GrandScores, Spans};
use crate::decode::parts::Notes;
use crate::decode::semiring::Semiring;
use crate::graph::{ArcId, ArcSpace, LocalScores, Word};

/// Raises each place of `to` to at least its value plus `around`; the slices have one length.
#[inline(always)]
fn raise<V: Semiring>(to: &mut [V], values: &[V], around: V) {
    for (to, &value) in to.iter_mut().zip(values) {
        *to = to.plus(value.times(around));
    }
}

#[inline(always)]
fn raise_one<V: Semiring>(to: &mut V, value: V) {
    *to = to.plus(value);
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
pub(super) fn outside<V: Semiring, N: Notes<V>>(
    chart: &mut Spans<V>,
    space: &ArcSpace,
    local: &LocalScores<V>,
    grand: &GrandScores<V>,
    notes: &mut N,
) {
    let n = space.words();
    let stride = chart.stride;
    chart.outside_right[Parent::of_root(space).row * stride + n] = V::ONE;
    chart.left_from.clear();
    chart.left_from.extend((0..=n).map(|t| space.left_arcs_of(Word::new(t)).start));
    for s in 0..=n {
        let word = Word::new(s);
        let (left_into, right_into) = split_into(space, word);
        if s > 0 {
            reopen_left(chart, space, local, notes, word);
            left_into.iter().for_each(|&b| chart.left_from[space.head(b).ix()] = b.ix() + 1);
        }
        for &b in left_into.iter().rev() {
            for parent in above(space, space.head(b)).filter(|p| p.left().contains(&b.ix())) {
                reopen_child(chart, space, grand, notes, parent, b);
            }
        }
        for &b in left_into {
            let t = space.head(b).ix();
            let first = space.first_modifier_part(b);
            let around = chart.outside_span[first].times(local.arc[b.ix()]).times(local.sibling[first]);
            raise_one(&mut chart.outside_right[b.ix() * stride + t - 1], around);
            for (c, part) in space.siblings_to_follow(b).zip(space.sibling_parts_of(b)) {
                let m = space.modifier(ArcId::new(c)).ix();
                let places = common(s..m, chart.reach[b.ix()], chart.begin[c]);
                reopen_span(
                    chart,
                    b.ix() * stride,
                    c * stride,
                    places,
                    part,
                    local.arc[b.ix()].times(local.sibling[part]),
                );
            }
        }
        for &c in right_into {
            for b in outer_right_siblings(space, c) {
                let m = space.modifier(ArcId::new(b)).ix();
                let part = space.sibling_part(ArcId::new(b), c);
                let places = common(s..m, chart.reach[c.ix()], chart.begin[b]);
                reopen_span(chart, c.ix() * stride, b * stride, places, part, local.arc[b].times(local.sibling[part]));
            }
        }
        for parent in above(space, word) {
            for b in parent.right() {
                let part = parent.part(b);
                let m = space.modifier(ArcId::new(b)).ix();
                let (from, to) = (parent.row * stride, b * stride);
                let mut best = V::NONE;
                for x in m..=chart.reach[b].min(parent.last(space)) {
                    let around = chart.outside_right[from + x];
                    best = best.plus(around.times(chart.right[to + x]));
                    raise_one(&mut chart.outside_right[to + x], around.times(chart.closed[part]));
                }
                raise_one(&mut chart.outside_open[part], best.times(parent.outermost(local, part, V::ONE)));
                if N::WANTED && parent.is_arc {
                    notes.grandchild(part, best.times(chart.closed[part]));
                }
            }
            for b in parent.right().rev() {
                reopen_child(chart, space, grand, notes, parent, ArcId::new(b));
            }
        }
        for b in space.right_arcs_of(word) {
            let part = space.first_modifier_part(ArcId::new(b));
            let around = chart.outside_span[part].times(local.arc[b]).times(local.sibling[part]);
            raise_one(&mut chart.outside_left[b * stride + s], around);
        }
    }
}

/// Passes what place `s - 1` of L is worth on to I and to the rows of the children.
#[inline(always)]
fn reopen_left<V: Semiring, N: Notes<V>>(
    chart: &mut Spans<V>,
    space: &ArcSpace,
    local: &LocalScores<V>,
    notes: &mut N,
    s: Word,
) {
    let (stride, place) = (chart.stride, s.ix() - 1);
    for t in (s.ix() + 1..=space.words()).rev().map(Word::new) {
        let children = chart.left_from[t.ix()]..space.left_arcs_of(t).end;
        let at = &chart.left_at[place * space.arcs()..][children.clone()];
        if at.iter().all(|&value| value == V::NONE) {
            continue;
        }
        for &a in space.arcs_into(t).iter().filter(|&&a| may_begin(space, a, s)) {
            let around = chart.outside_left[a.ix() * stride + place];
            let parent = Parent::of_arc(space, a);
            for b in children.clone() {
                let (part, row) = (parent.part(b), b * stride + place);
                let beside = around.times(chart.left[row]);
                raise_one(&mut chart.outside_open[part], beside.times(parent.outermost(local, part, V::ONE)));
                if N::WANTED && parent.is_arc {
                    notes.grandchild(part, beside.times(chart.closed[part]));
                }
                raise_one(&mut chart.outside_left[row], around.times(chart.closed[part]));
            }
        }
    }
}

/// Passes what S is worth, with `score`, on to the halves in it, whose rows begin at `first` and `second`.
#[inline(always)]
fn reopen_span<V: Semiring>(
    chart: &mut Spans<V>,
    first: usize,
    second: usize,
    places: std::ops::Range<usize>,
    part: usize,
    score: V,
) {
    let around = chart.outside_span[part].times(score);
    let (first, second) = (first + places.start..first + places.end, second + places.start..second + places.end);
    raise(&mut chart.outside_right[first.clone()], &chart.left[second.clone()], around);
    raise(&mut chart.outside_left[second], &chart.right[first], around);
}

/// Passes what I of `b` is worth on to what it was made from.
#[inline(always)]
fn reopen_child<V: Semiring, N: Notes<V>>(
    chart: &mut Spans<V>,
    space: &ArcSpace,
    grand: &GrandScores<V>,
    notes: &mut N,
    parent: Parent,
    b: ArcId,
) {
    let part = parent.part(b.ix());
    let inner = space.siblings_to_follow(b);
    let first = space.first_modifier_part(b);
    let mut around = chart.outside_open[part];
    if parent.is_arc && !grand.any.is_empty() {
        around = around.times(grand.any[part]);
    }
    let Spans { outside_span, outside_open, open, span, choices, .. } = chart;
    let before = parent.parts(&inner);
    let spans = first + 1..first + 1 + inner.len();
    if !(parent.is_arc && grand.siblings.has(part)) {
        raise_one(&mut outside_span[first], around);
        raise(&mut outside_span[spans.clone()], &open[before.clone()], around);
        raise(&mut outside_open[before], &span[spans], around);
        return;
    }
    // By choice: what `b` is worth with the score of the choice.
    choices.clear();
    choices.resize(1 + inner.len(), around);
    for (sibling, score) in grand.siblings.of(part) {
        choices[sibling - first] = choices[sibling - first].times(score);
    }
    if N::WANTED {
        for (place, sibling) in grand.siblings.places_of(part) {
            let choice = sibling - first;
            let worth = if choice == 0 { span[first] } else { open[before.start + choice - 1].times(span[sibling]) };
            notes.grand_sibling(place, choices[choice].times(worth));
        }
    }
    raise_one(&mut outside_span[first], choices[0]);
    for ((part, before), &around) in spans.zip(before).zip(&choices[1..]) {
        raise_one(&mut outside_span[part], around.times(open[before]));
        raise_one(&mut outside_open[before], around.times(span[part]));
    }
}
