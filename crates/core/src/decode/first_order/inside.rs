//! The chart forwards: see the recurrence above ([`super`]).

use multiversion::multiversion;

use super::spans::Spans;
use crate::decode::semiring::Semiring;

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
pub(super) fn inside<S: Semiring>(chart: &mut Spans<S>, words: usize, arcs: &[S]) {
    let n = words;
    for s in 1..=n {
        let at = chart.at(s, s);
        for matrix in [&mut chart.cr_by_start, &mut chart.cr_by_end, &mut chart.cl_by_start, &mut chart.cl_by_end] {
            matrix[at] = S::ONE;
        }
    }
    for len in 1..n {
        for s in 1..=n - len {
            let t = s + len;
            let (by_start, by_end) = (chart.at(s, 0), chart.at(t, 0));
            let base =
                dot(&chart.cr_by_start[by_start + s..by_start + t], &chart.cl_by_end[by_end + s + 1..=by_end + t]);
            chart.ir_by_start[by_start + t] = base.times(arcs[by_start + t]);
            chart.il_by_end[by_end + s] = base.times(arcs[by_end + s]);
            let right = by_start + s + 1..=by_start + t;
            let cr = dot(&chart.ir_by_start[right], &chart.cr_by_end[by_end + s + 1..=by_end + t]);
            let cl = dot(&chart.cl_by_start[by_start + s..by_start + t], &chart.il_by_end[by_end + s..by_end + t]);
            chart.cr_by_start[by_start + t] = cr;
            chart.cr_by_end[by_end + s] = cr;
            chart.cl_by_start[by_start + t] = cl;
            chart.cl_by_end[by_end + s] = cl;
        }
    }
}

/// `sum of a[i] * b[i]`, in four interleaved sums that are added up at the end: one fixed order, whatever the machine.
#[inline(always)]
fn dot<S: Semiring>(a: &[S], b: &[S]) -> S {
    let mut sums = [S::NONE; 4];
    let (a4, a_rest) = a.as_chunks::<4>();
    let (b4, b_rest) = b.as_chunks::<4>();
    for (a, b) in a4.iter().zip(b4) {
        for i in 0..4 {
            sums[i] = sums[i].plus(a[i].times(b[i]));
        }
    }
    for (&a, &b) in a_rest.iter().zip(b_rest) {
        sums[0] = sums[0].plus(a.times(b));
    }
    sums[0].plus(sums[1]).plus(sums[2].plus(sums[3]))
}
