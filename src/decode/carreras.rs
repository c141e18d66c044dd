//! The second-order dynamic program of Carreras (2007), sparse over the kept arcs.
//!
//! A tree's score is the sum of its arcs, of its pairs of adjacent modifiers on one side of a head, and of its arcs
//! paired with the outermost child that their modifier has on each side.
//!
//! # Recurrence
//!
//! The chart has one row an arc. For a right arc `a = (s -> t)` and a left arc `a = (t -> s)`, always `s < t`:
//!
//! ```text
//! R[a][x], x >= t   best score of words s..=x where a is the outermost arc of s to the right
//! L[a][r], r <  s   best score of words r+1..=t where a is the outermost arc of t to the left
//! O[a]              best score of words s..=t with a between them
//!
//! right a:  O[a]    = arc(a) + max over r in s..t of  S[r] + I[r]
//!           S[r]    = first(a) if r = s;     max over inner siblings b of  R[b][r] + sibling(a, b)
//!           I[r]    = 0 if r = t-1;          max over inside children b of L[b][r] + grandchild(a, b)
//!           R[a][x] = O[a] + (0 if x = t;    max over outside children b of R[b][x] + grandchild(a, b))
//!
//! left a:   O[a]    = arc(a) + max over r in s..t of  I[r] + S[r]
//!           I[r]    = 0 if r = s;            max over inside children b of R[b][r] + grandchild(a, b)
//!           S[r]    = first(a) if r = t-1;   max over inner siblings b of  L[b][r] + sibling(a, b)
//!           L[a][r] = O[a] + (0 if r = s-1;  max over outside children b of L[b][r] + grandchild(a, b))
//! ```
//!
//! `r` is the last word of the left half of a split, so the rows of both halves line up and a split is a sum of two rows,
//! place by place. "0 if r = x" is one more row, the unit row of `x`; then every maximum above is a maximum over rows
//! plus a constant each, over contiguous memory, with no case left to branch on.
//!
//! # Order
//!
//! `s` descends and `t` ascends within it. Everything inside `s+1..` is complete when `s` is reached, so a whole row of R
//! is computed at once. A row of L is filled one place at a time: place `s-1` of all rows, once the arcs of `s` are open.
//!
//! Time O(parts * n), where dense spaces have O(n^3) parts; space O(arcs * n).

use multiversion::multiversion;

use super::outcome::Decoded;
use super::value::Value;
use crate::graph::{ArcId, ArcSpace, LocalScores, Word};
use crate::treebank::Tree;

/// Places in a block: rows are padded to whole blocks so that loops over them have no remainder.
const BLOCK: usize = 8;

/// The chart, reused from sentence to sentence.
#[derive(Debug, Default)]
pub struct Carreras<V> {
    stride: usize,
    /// One row an arc: R for a right arc, L for a left arc; minus infinity where undefined.
    rows: Vec<V>,
    /// One row a word x: 0 at place x, minus infinity elsewhere.
    units: Vec<V>,
    /// O by arc.
    open: Vec<V>,
    /// As `rows`: the best score of the rest of a tree that uses the entry.
    outside_rows: Vec<V>,
    /// As `open`: the best score of the rest of a tree around the open arc.
    outside_open: Vec<V>,
    calls: u64,
    into: Vec<ArcId>,
}

impl<V: Value> Carreras<V> {
    /// An empty chart.
    pub fn new() -> Self {
        Self {
            stride: 0,
            rows: Vec::new(),
            units: Vec::new(),
            open: Vec::new(),
            outside_rows: Vec::new(),
            outside_open: Vec::new(),
            calls: 0,
            into: Vec::new(),
        }
    }

    /// Passes since the last call of this function: DP calls, inside and outside passes alike.
    pub fn take_calls(&mut self) -> u64 {
        std::mem::take(&mut self.calls)
    }

    /// The best tree's score; minus infinity if `space` has no tree. One DP call.
    pub fn best_score(&mut self, space: &ArcSpace, scores: &LocalScores<V>) -> V {
        self.calls += 1;
        self.prepare(space);
        inside(self, space, scores);
        self.root_arc(space).map_or(V::NEG_INF, |a| self.rows[a.ix() * self.stride + space.words()])
    }

    /// The arcs of the best tree of the last [`best_score`](Self::best_score), the arc into word `i + 1` at place `i`.
    ///
    /// Must follow a call with the same arguments that found a tree.
    pub fn best_arcs(&mut self, space: &ArcSpace, scores: &LocalScores<V>) -> &[ArcId] {
        self.trace(space, scores);
        &self.into
    }

    /// The max-marginals of the last [`best_score`](Self::best_score): for each arc the score of the best tree that has
    /// it, minus infinity if none has. One DP call, an outside pass; must follow with the same arguments.
    pub fn max_marginals(&mut self, space: &ArcSpace, scores: &LocalScores<V>, marginals: &mut Vec<V>) {
        self.calls += 1;
        self.outside_rows.clear();
        self.outside_rows.resize(self.rows.len(), V::NEG_INF);
        self.outside_open.clear();
        self.outside_open.resize(self.open.len(), V::NEG_INF);
        outside(self, space, scores);
        marginals.clear();
        marginals.extend(self.open.iter().zip(&self.outside_open).map(|(&a, &b)| a + b));
    }

    /// The best tree and its score.
    pub fn decode(&mut self, space: &ArcSpace, scores: &LocalScores<V>) -> Decoded {
        let before = self.calls;
        let best = self.best_score(space, scores).to_score().map(|score| {
            let heads = self.best_arcs(space, scores).iter().map(|&a| space.head(a)).collect();
            (Tree::from_decoder(heads), score)
        });
        Decoded::proven(best, self.calls - before)
    }

    fn prepare(&mut self, space: &ArcSpace) {
        let stride = (space.words() + 1).next_multiple_of(BLOCK);
        if stride != self.stride {
            self.stride = stride;
            self.units.clear();
            self.units.resize(stride * stride, V::NEG_INF);
            for x in 0..stride {
                self.units[x * stride + x] = V::ZERO;
            }
        }
        self.rows.clear();
        self.rows.resize(space.arcs() * stride, V::NEG_INF);
        self.open.clear();
        self.open.resize(space.arcs(), V::NEG_INF);
    }

    /// The outermost root arc of the best tree.
    fn root_arc(&self, space: &ArcSpace) -> Option<ArcId> {
        let n = space.words();
        let mut best = None;
        let mut best_score = V::NEG_INF;
        for a in space.arcs_of(Word::ROOT) {
            let score = self.rows[a * self.stride + n];
            if score > best_score {
                (best, best_score) = (Some(ArcId::new(a)), score);
            }
        }
        best
    }

    #[inline(always)]
    fn at(&self, b: usize, r: usize) -> V {
        self.rows[b * self.stride + r]
    }

    /// Follows the best choices down from the root. Choices are recomputed, not stored: a tree has n arcs, the chart
    /// thousands. Of equal choices the first is taken: the smallest split, then the unit row, then the lowest arc.
    fn trace(&mut self, space: &ArcSpace, scores: &LocalScores<V>) {
        let mut into = std::mem::take(&mut self.into);
        into.clear();
        into.resize(space.words(), ArcId(0));
        // Rows still to be expanded: an arc and the place of its row.
        let mut todo: Vec<(ArcId, usize)> = self.root_arc(space).map(|a| (a, space.words())).into_iter().collect();
        while let Some((a, x)) = todo.pop() {
            let (h, m) = (space.head(a), space.modifier(a));
            into[m.ix() - 1] = a;
            let right = h < m;
            let (s, t) = if right { (h.ix(), m.ix()) } else { (m.ix(), h.ix()) };

            let outside = space.outside_children(a);
            let outside_scores = &scores.grandchild[part_range(space, a, &outside)];
            let end = if right { t } else { s - 1 };
            if let (Some(b), _) = self.choose(end, V::ZERO, outside, outside_scores, x) {
                todo.push((b, x));
            }

            let inside = space.inside_children(a);
            let inside_scores = &scores.grandchild[part_range(space, a, &inside)];
            let siblings = siblings_of(space, a);
            let sibling_scores = &scores.sibling[space.sibling_parts_of(a)][..siblings.len()];
            let first = scores.sibling[space.first_modifier_part(a)];
            let (sibling_end, child_end) = if right { (s, t - 1) } else { (t - 1, s) };
            let mut best = V::NEG_INF;
            let mut chosen = (None, None, s);
            for r in s..t {
                let (b, of_siblings) = self.choose(sibling_end, first, siblings.clone(), sibling_scores, r);
                let (c, of_children) = self.choose(child_end, V::ZERO, inside.clone(), inside_scores, r);
                let both = of_siblings + of_children;
                if both > best {
                    best = both;
                    chosen = (b, c, r);
                }
            }
            let (b, c, r) = chosen;
            todo.extend(b.map(|b| (b, r)));
            todo.extend(c.map(|c| (c, r)));
        }
        self.into = into;
    }

    /// The best of the unit row of `end` (plus `none`) and the rows of `arcs` (plus their scores) at place `r`.
    fn choose(&self, end: usize, none: V, arcs: std::ops::Range<usize>, scores: &[V], r: usize) -> (Option<ArcId>, V) {
        let mut best = if r == end { none } else { V::NEG_INF };
        let mut chosen = None;
        for (b, &score) in arcs.zip(scores) {
            let value = self.at(b, r) + score;
            if value > best {
                (chosen, best) = (Some(ArcId::new(b)), value);
            }
        }
        (chosen, best)
    }
}

/// The grandchild parts of `a` with `children`, a subrange of its children.
#[inline(always)]
fn part_range(space: &ArcSpace, a: ArcId, children: &std::ops::Range<usize>) -> std::ops::Range<usize> {
    let first = space.grandchild_parts_of(a).start + children.start - space.children(a).start;
    first..first + children.len()
}

/// The inner siblings that `a` may follow: none for a root arc when the root takes one modifier.
#[inline(always)]
fn siblings_of(space: &ArcSpace, a: ArcId) -> std::ops::Range<usize> {
    let inner = space.inner_siblings(a);
    if space.single_root() && space.head(a).is_root() { inner.start..inner.start } else { inner }
}

/// `max over b of rows[b][place] + score[b]` for the places of one block, on top of `acc`.
#[inline(always)]
fn block_max<V: Value>(
    mut acc: [V; BLOCK],
    rows: &[V],
    stride: usize,
    place: usize,
    arcs: std::ops::Range<usize>,
    scores: &[V],
) -> [V; BLOCK] {
    for (b, &score) in arcs.zip(scores) {
        let from = b * stride + place;
        let row: &[V; BLOCK] = rows[from..from + BLOCK].try_into().expect("a block of a padded row");
        for (best, &value) in acc.iter_mut().zip(row) {
            *best = best.larger(value + score);
        }
    }
    acc
}

/// A block of the unit row of `end`, plus `score`.
#[inline(always)]
fn block_unit<V: Value>(units: &[V], stride: usize, end: usize, place: usize, score: V) -> [V; BLOCK] {
    let from = end * stride + place;
    let row: &[V; BLOCK] = units[from..from + BLOCK].try_into().expect("a block of a padded row");
    row.map(|v| v + score)
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
fn inside<V: Value>(chart: &mut Carreras<V>, space: &ArcSpace, scores: &LocalScores<V>) {
    let n = space.words();
    let Carreras { stride, rows, units, open, .. } = chart;
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

            let siblings = siblings_of(space, a);
            let sibling_scores = &scores.sibling[space.sibling_parts_of(a)];
            let first = scores.sibling[space.first_modifier_part(a)];
            let inside = space.inside_children(a);
            let inside_scores = &scores.grandchild[part_range(space, a, &inside)];
            let (sibling_end, child_end) = if take_right { (s, t - 1) } else { (t - 1, s) };
            let mut best = [V::NEG_INF; BLOCK];
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
                    block_unit(units, stride, child_end, place, V::ZERO),
                    rows,
                    stride,
                    place,
                    inside.clone(),
                    inside_scores,
                );
                for i in 0..BLOCK {
                    best[i] = best[i].larger(of_siblings[i] + of_children[i]);
                }
                place += BLOCK;
            }
            let best = best.into_iter().fold(V::NEG_INF, V::larger);
            let opened = scores.arc[a.ix()] + best;
            open[a.ix()] = opened;

            if take_right {
                let outside = space.outside_children(a);
                let outside_scores = &scores.grandchild[part_range(space, a, &outside)];
                let mut place = t / BLOCK * BLOCK;
                while place <= n {
                    let unit = block_unit(units, stride, t, place, V::ZERO);
                    let closed = block_max(unit, rows, stride, place, outside.clone(), outside_scores);
                    let from = a.ix() * stride + place;
                    for (to, value) in rows[from..from + BLOCK].iter_mut().zip(closed) {
                        *to = value + opened;
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
fn close_left<V: Value>(
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
            let mut best = if m == s { V::ZERO } else { V::NEG_INF };
            if m > s {
                let children = space.outside_children(id);
                let children_scores = &scores.grandchild[part_range(space, id, &children)];
                for (b, &score) in children.zip(children_scores) {
                    best = best.larger(rows[b * stride + place] + score);
                }
            }
            rows[a * stride + place] = open[a] + best;
        }
    }
}

/// The chart backwards. What an entry of a row is worth outside is known once every arc that may use it has been passed:
/// so all runs in the opposite order of [`inside`].
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
fn outside<V: Value>(chart: &mut Carreras<V>, space: &ArcSpace, scores: &LocalScores<V>) {
    let n = space.words();
    let Carreras { stride, rows, units, open, outside_rows, outside_open, .. } = chart;
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

            let siblings = siblings_of(space, a);
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

#[inline(always)]
fn block<V: Value>(rows: &[V], from: usize) -> [V; BLOCK] {
    rows[from..from + BLOCK].try_into().expect("a block of a padded row")
}

/// Raises one block of the rows of `arcs` to at least `around` plus the score of each.
#[inline(always)]
fn raise<V: Value>(
    rows: &mut [V],
    stride: usize,
    place: usize,
    arcs: std::ops::Range<usize>,
    scores: &[V],
    around: [V; BLOCK],
) {
    for (b, &score) in arcs.zip(scores) {
        let from = b * stride + place;
        for (to, value) in rows[from..from + BLOCK].iter_mut().zip(around) {
            *to = to.larger(value + score);
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
