//! The chart backwards, in the opposite order of [`inside`](super::inside): the derivative of the sum over all trees.
//!
//! Those of Cr and Cl are the sums of both layouts.

use multiversion::multiversion;

use super::spans::Spans;
use crate::decode::semiring::Semiring;

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
pub(super) fn outside<S: Semiring>(inside: &Spans<S>, chart: &mut Spans<S>, words: usize, arcs: &mut [S]) {
    let n = words;
    for (m, arc) in arcs.iter_mut().enumerate().take(n + 1).skip(1) {
        let (to_left, to_right) = (inside.at(1, m), inside.at(m, n));
        let (left, right) = (inside.cl_by_start[to_left], inside.cr_by_start[to_right]);
        chart.cl_by_start[to_left] = chart.cl_by_start[to_left].plus(arc.times(right));
        chart.cr_by_start[to_right] = chart.cr_by_start[to_right].plus(arc.times(left));
        *arc = left.times(right).times(*arc);
    }
    for m in 0..=n {
        arcs[inside.at(m, 0)] = S::NONE;
        arcs[inside.at(m, m)] = S::NONE;
    }
    for len in (1..n).rev() {
        for s in 1..=n - len {
            let t = s + len;
            let (by_start, by_end) = (inside.at(s, 0), inside.at(t, 0));
            let (r, r_by_end) = (by_start + s + 1..=by_start + t, by_end + s + 1..=by_end + t);
            let (l, l_by_end) = (by_start + s..by_start + t, by_end + s..by_end + t);

            let cr = chart.cr_by_start[by_start + t].plus(chart.cr_by_end[by_end + s]);
            add(&mut chart.ir_by_start[r.clone()], cr, &inside.cr_by_end[r_by_end.clone()]);
            add(&mut chart.cr_by_end[r_by_end.clone()], cr, &inside.ir_by_start[r]);
            let cl = chart.cl_by_start[by_start + t].plus(chart.cl_by_end[by_end + s]);
            add(&mut chart.cl_by_start[l.clone()], cl, &inside.il_by_end[l_by_end.clone()]);
            add(&mut chart.il_by_end[l_by_end], cl, &inside.cl_by_start[l.clone()]);

            let (ir, il) = (chart.ir_by_start[by_start + t], chart.il_by_end[by_end + s]);
            let base = ir.times(arcs[by_start + t]).plus(il.times(arcs[by_end + s]));
            add(&mut chart.cr_by_start[l.clone()], base, &inside.cl_by_end[r_by_end.clone()]);
            add(&mut chart.cl_by_end[r_by_end], base, &inside.cr_by_start[l]);
            arcs[by_start + t] = ir.times(inside.ir_by_start[by_start + t]);
            arcs[by_end + s] = il.times(inside.il_by_end[by_end + s]);
        }
    }
}

/// `to[i] += c * x[i]`.
#[inline(always)]
fn add<S: Semiring>(to: &mut [S], c: S, x: &[S]) {
    for (to, &x) in to.iter_mut().zip(x) {
        *to = to.plus(c.times(x));
    }
}
