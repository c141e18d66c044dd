//! The chart forwards: see the recurrence above ([`super`]).

use std::ops::Range;

use multiversion::multiversion;

use crate::decode::grand_sibling::{GrandScores, Parent, Spans, above};
use crate::decode::partition::Notes;
use crate::decode::semiring::Semiring;
use crate::graph::{ArcId, ArcSpace, LocalScores, Word};

/// Sums compared at once.
const LANES: usize = 8;

/// The largest sum of two values at one place; the slices have one length.
#[inline(always)]
pub(super) fn best_sum<V: Semiring>(a: &[V], b: &[V]) -> V {
    let larger = |best: V, (&a, &b): (&V, &V)| best.plus(a.times(b));
    if a.len() < LANES {
        return a.iter().zip(b).fold(V::NONE, larger);
    }
    let mut lanes = [V::NONE; LANES];
    let (a, a_rest) = a.as_chunks::<LANES>();
    let (b, b_rest) = b.as_chunks::<LANES>();
    for (a, b) in a.iter().zip(b) {
        for i in 0..LANES {
            lanes[i] = lanes[i].plus(a[i].times(b[i]));
        }
    }
    let rest = a_rest.iter().zip(b_rest).fold(V::NONE, larger);
    lanes.into_iter().fold(rest, V::plus)
}

/// The arcs of the same head on the same side that may follow `c`.
#[inline(always)]
pub(super) fn outer_right_siblings(space: &ArcSpace, c: ArcId) -> Range<usize> {
    let end = space.right_arcs_of(space.head(c)).end;
    if space.single_root() && space.head(c).is_root() { end..end } else { c.ix() + 1..end }
}

/// The left arcs into word `s`, by ascending head, and the right ones.
#[inline(always)]
pub(super) fn split_into(space: &ArcSpace, s: Word) -> (&[ArcId], &[ArcId]) {
    let into = space.arcs_into(s);
    let (right, left) = into.split_at(into.partition_point(|&a| space.head(a) < s));
    (left, right)
}

/// Whether a left half of the modifier of `a` may begin at `s`: not on or beyond the head.
#[inline(always)]
pub(super) fn may_begin(space: &ArcSpace, a: ArcId, s: Word) -> bool {
    let h = space.head(a);
    h > space.modifier(a) || h < s
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
pub(super) fn inside<V: Semiring>(
    chart: &mut Spans<V>,
    space: &ArcSpace,
    local: &LocalScores<V>,
    grand: &GrandScores<V>,
) {
    let n = space.words();
    chart.left_from.clear();
    chart.left_from.extend((0..=n).map(|t| space.left_arcs_of(Word::new(t)).end));
    let Spans { stride, right, left, left_at, span, open, closed, reach, begin, left_from, choices, .. } = chart;
    let (stride, arcs) = (*stride, space.arcs());
    for s in (0..=n).rev() {
        let word = Word::new(s);
        let (left_into, right_into) = split_into(space, word);

        for b in space.right_arcs_of(word) {
            let part = space.first_modifier_part(ArcId::new(b));
            span[part] = local.arc[b].times(local.sibling[part]).times(left[b * stride + s]);
        }
        for parent in above(space, word) {
            for b in parent.right() {
                open_child(space, local, grand, parent, ArcId::new(b), span, open, closed, choices);
            }
            let from = parent.row * stride;
            right[from + s] = V::ONE;
            let mut last = s;
            for b in parent.right() {
                let m = space.modifier(ArcId::new(b)).ix();
                let score = closed[parent.part(b)];
                let end = reach[b].min(parent.last(space)) + 1;
                let [row, of_child] = rows(right, stride, parent.row, b);
                for (best, &value) in row[m..end].iter_mut().zip(&of_child[m..end]) {
                    *best = best.plus(score.times(value));
                }
                last = last.max(end - 1);
            }
            reach[parent.row] = last;
        }

        for &c in right_into {
            for b in outer_right_siblings(space, c) {
                let m = space.modifier(ArcId::new(b)).ix();
                let part = space.sibling_part(ArcId::new(b), c);
                let places = common(s..m, reach[c.ix()], begin[b]);
                let between = best_sum(&right[c.ix() * stride..][places.clone()], &left[b * stride..][places]);
                span[part] = local.arc[b].times(local.sibling[part]).times(between);
            }
        }
        for &b in left_into {
            let t = space.head(b).ix();
            let row = &right[b.ix() * stride..][..stride];
            let first = space.first_modifier_part(b);
            span[first] = local.arc[b.ix()].times(local.sibling[first]).times(row[t - 1]);
            for (c, part) in space.siblings_to_follow(b).zip(space.sibling_parts_of(b)) {
                let m = space.modifier(ArcId::new(c)).ix();
                let places = common(s..m, reach[b.ix()], begin[c]);
                let between = best_sum(&row[places.clone()], &left[c * stride..][places]);
                span[part] = local.arc[b.ix()].times(local.sibling[part]).times(between);
            }
        }
        for &b in left_into {
            for parent in above(space, space.head(b)).filter(|p| p.left().contains(&b.ix())) {
                open_child(space, local, grand, parent, b, span, open, closed, choices);
            }
        }

        if s == 0 {
            continue;
        }
        let place = s - 1;
        for &a in space.arcs_into(word) {
            left[a.ix() * stride + place] = V::ONE;
            left_at[place * arcs + a.ix()] = V::ONE;
            begin[a.ix()] = place;
        }
        left_into.iter().for_each(|&b| left_from[space.head(b).ix()] = b.ix());
        for t in (s + 1..=n).map(Word::new) {
            let children = left_from[t.ix()]..space.left_arcs_of(t).end;
            let at = place * arcs;
            if left_at[at..][children.clone()].iter().all(|&value| value == V::NONE) {
                continue;
            }
            for &a in space.arcs_into(t).iter().filter(|&&a| may_begin(space, a, word)) {
                let of_a = &closed[Parent::from_arc(space, a).parts(&children)];
                let value = best_sum(of_a, &left_at[at..][children.clone()]);
                if value != V::NONE {
                    left[a.ix() * stride + place] = value;
                    left_at[at + a.ix()] = value;
                    begin[a.ix()] = place;
                }
            }
        }
    }
}

/// Of places within a span, those where both R, which ends at `reach`, and L, which begins at `begin`, have values.
#[inline(always)]
pub(super) fn common(within: Range<usize>, reach: usize, begin: usize) -> Range<usize> {
    let end = within.end.min(reach + 1);
    within.start.max(begin).min(end)..end
}

/// Two different rows of R, the first to be written.
#[inline(always)]
fn rows<V>(right: &mut [V], stride: usize, first: usize, second: usize) -> [&mut [V]; 2] {
    let (first, second) = (first * stride, second * stride);
    // An arc is not its own child.
    let [a, b] =
        right.get_disjoint_mut([first..first + stride, second..second + stride]).expect("rows of two different arcs");
    [a, b]
}

/// I of `b` below `parent`.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "the fields of a chart, borrowed apart")]
fn open_child<V: Semiring>(
    space: &ArcSpace,
    local: &LocalScores<V>,
    grand: &GrandScores<V>,
    parent: Parent,
    b: ArcId,
    span: &[V],
    open: &mut [V],
    closed: &mut [V],
    choices: &mut Vec<V>,
) {
    let part = parent.part(b.ix());
    let inner = space.siblings_to_follow(b);
    let first = space.first_modifier_part(b);
    let mut best = if parent.is_arc && grand.siblings.has(part) {
        list_choices(space, grand, parent, b, span, open, choices);
        choices.iter().fold(V::NONE, |best, &value| best.plus(value))
    } else {
        let of_inner = best_sum(&open[parent.parts(&inner)], &span[first + 1..first + 1 + inner.len()]);
        span[first].plus(of_inner)
    };
    if parent.is_arc && !grand.any.is_empty() {
        best = best.times(grand.any[part]);
    }
    open[part] = best;
    closed[part] = best.times(parent.outermost(local, part, V::ONE));
}

/// What `b` is worth below `parent` as first modifier, then after each inner sibling in the order of their numbers.
#[inline(always)]
pub(super) fn list_choices<V: Semiring>(
    space: &ArcSpace,
    grand: &GrandScores<V>,
    parent: Parent,
    b: ArcId,
    span: &[V],
    open: &[V],
    choices: &mut Vec<V>,
) {
    let inner = space.siblings_to_follow(b);
    let first = space.first_modifier_part(b);
    choices.clear();
    choices.push(span[first]);
    let before = &open[parent.parts(&inner)];
    choices.extend(before.iter().zip(&span[first + 1..]).map(|(&before, &span)| before.times(span)));
    if parent.is_arc {
        for (sibling, score) in grand.siblings.entries(parent.part(b.ix())) {
            choices[sibling - first] = choices[sibling - first].times(score);
        }
    }
}

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
    chart.outside_right[Parent::virtual_arc(space).row * stride + n] = V::ONE;
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
            let parent = Parent::from_arc(space, a);
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
    for (sibling, score) in grand.siblings.entries(part) {
        choices[sibling - first] = choices[sibling - first].times(score);
    }
    if N::WANTED {
        for (place, sibling) in grand.siblings.places(part) {
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
