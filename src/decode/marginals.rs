//! First-order marginals: the probability of each arc when projective trees are drawn in proportion to `exp(score)`.
//!
//! Eisner's (1996) chart summed instead of maximised, with exactly one modifier on the root, and the same chart run
//! backwards. With `e(h, m)` the weight of an arc and `s < t`:
//!
//! ```text
//! base(s, t)  = sum over r in s..t   of  Cr(s, r) * Cl(r+1, t)
//! Ir(s, t)    = base(s, t) * e(s, t)          Il(s, t) = base(s, t) * e(t, s)
//! Cr(s, t)    = sum over r in s+1..=t of Ir(s, r) * Cr(r, t)      Cr(s, s) = 1
//! Cl(s, t)    = sum over r in s..t   of  Cl(s, r) * Il(r, t)      Cl(s, s) = 1
//! Z           = sum over m of  e(0, m) * Cl(1, m) * Cr(m, n)
//! ```
//!
//! The backward pass differentiates this chart: `d log Z / d log e` is the marginal.
//!
//! `L` independent models are summed side by side, one a lane. Sums run in one fixed order whatever the machine, so the
//! bits of a marginal do not depend on it. Time O(n^3), space O(n^2).

use multiversion::multiversion;

type Lanes<const L: usize> = [f64; L];

/// A matrix of words by words, row-major; rows and columns run from 0 to n.
type Matrix<const L: usize> = Vec<Lanes<L>>;

/// The charts, reused from sentence to sentence.
#[derive(Clone, Debug, Default)]
pub struct Marginals<const L: usize> {
    stride: usize,
    /// Cr(s, t) at `[s][t]` and again at `[t][s]`, so that every sum runs over contiguous memory.
    cr_by_start: Matrix<L>,
    cr_by_end: Matrix<L>,
    cl_by_start: Matrix<L>,
    cl_by_end: Matrix<L>,
    /// Ir(s, t) at `[s][t]`, Il(s, t) at `[t][s]`.
    ir_by_start: Matrix<L>,
    il_by_end: Matrix<L>,
    /// Adjoints: what each entry is worth to Z. Those of Cr and Cl are the sum of both layouts.
    g_cr_by_start: Matrix<L>,
    g_cr_by_end: Matrix<L>,
    g_cl_by_start: Matrix<L>,
    g_cl_by_end: Matrix<L>,
    g_ir_by_start: Matrix<L>,
    g_il_by_end: Matrix<L>,
}

impl<const L: usize> Marginals<L> {
    /// Turns arc weights into arc marginals, in place: `arcs[h * (words + 1) + m]` for head h and modifier m. Entries that
    /// are no arcs (m = 0, h = m) are ignored and become 0.
    ///
    /// Where the sum over trees leaves the range of `f64` (it takes hundreds of words), a lane gets the weights normalised
    /// by modifier instead: the marginals of heads drawn independently.
    pub fn of(&mut self, words: usize, arcs: &mut [Lanes<L>]) {
        self.stride = words + 1;
        let size = self.stride * self.stride;
        for matrix in [
            &mut self.cr_by_start,
            &mut self.cr_by_end,
            &mut self.cl_by_start,
            &mut self.cl_by_end,
            &mut self.ir_by_start,
            &mut self.il_by_end,
            &mut self.g_cr_by_start,
            &mut self.g_cr_by_end,
            &mut self.g_cl_by_start,
            &mut self.g_cl_by_end,
            &mut self.g_ir_by_start,
            &mut self.g_il_by_end,
        ] {
            matrix.clear();
            matrix.resize(size, [0.0; L]);
        }
        run(self, words, arcs);
    }
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
fn run<const L: usize>(chart: &mut Marginals<L>, n: usize, arcs: &mut [Lanes<L>]) {
    forward(chart, n, arcs);
    backward(chart, n, arcs);
}

#[inline(always)]
fn forward<const L: usize>(chart: &mut Marginals<L>, n: usize, arcs: &[Lanes<L>]) {
    let w = chart.stride;
    for s in 1..=n {
        for matrix in [&mut chart.cr_by_start, &mut chart.cr_by_end, &mut chart.cl_by_start, &mut chart.cl_by_end] {
            matrix[s * w + s] = [1.0; L];
        }
    }
    for len in 1..n {
        for s in 1..=n - len {
            let t = s + len;
            let base = dot(&chart.cr_by_start[s * w + s..s * w + t], &chart.cl_by_end[t * w + s + 1..=t * w + t]);
            chart.ir_by_start[s * w + t] = times(base, arcs[s * w + t]);
            chart.il_by_end[t * w + s] = times(base, arcs[t * w + s]);
            let cr = dot(&chart.ir_by_start[s * w + s + 1..=s * w + t], &chart.cr_by_end[t * w + s + 1..=t * w + t]);
            let cl = dot(&chart.cl_by_start[s * w + s..s * w + t], &chart.il_by_end[t * w + s..t * w + t]);
            chart.cr_by_start[s * w + t] = cr;
            chart.cr_by_end[t * w + s] = cr;
            chart.cl_by_start[s * w + t] = cl;
            chart.cl_by_end[t * w + s] = cl;
        }
    }
}

#[inline(always)]
fn backward<const L: usize>(chart: &mut Marginals<L>, n: usize, arcs: &mut [Lanes<L>]) {
    let w = chart.stride;
    let mut z = [0.0; L];
    for (m, &arc) in arcs.iter().enumerate().take(w).skip(1) {
        let both = times(chart.cl_by_start[w + m], chart.cr_by_start[m * w + n]);
        z = plus(z, times(both, arc));
    }
    // A sum that is not a normal number has no inverse that is one.
    let in_range = z.map(|z| z.is_normal() && z > 0.0);
    let inverse = std::array::from_fn(|lane| if in_range[lane] { 1.0 / z[lane] } else { 0.0 });
    let independent = if in_range == [true; L] { Vec::new() } else { normalised(n, arcs) };
    for (m, arc) in arcs.iter_mut().enumerate().take(w).skip(1) {
        let (left, right) = (chart.cl_by_start[w + m], chart.cr_by_start[m * w + n]);
        let both = times(left, right);
        add(&mut chart.g_cl_by_start[w + m], times(*arc, right));
        add(&mut chart.g_cr_by_start[m * w + n], times(*arc, left));
        *arc = times(times(both, *arc), inverse);
    }
    for m in 0..=n {
        arcs[m * w] = [0.0; L];
        arcs[m * w + m] = [0.0; L];
    }
    for len in (1..n).rev() {
        for s in 1..=n - len {
            let t = s + len;
            let g_cr = plus(chart.g_cr_by_start[s * w + t], chart.g_cr_by_end[t * w + s]);
            let from = s + 1;
            axpy(&mut chart.g_ir_by_start[s * w + from..=s * w + t], g_cr, &chart.cr_by_end[t * w + from..=t * w + t]);
            axpy(&mut chart.g_cr_by_end[t * w + from..=t * w + t], g_cr, &chart.ir_by_start[s * w + from..=s * w + t]);
            let g_cl = plus(chart.g_cl_by_start[s * w + t], chart.g_cl_by_end[t * w + s]);
            axpy(&mut chart.g_cl_by_start[s * w + s..s * w + t], g_cl, &chart.il_by_end[t * w + s..t * w + t]);
            axpy(&mut chart.g_il_by_end[t * w + s..t * w + t], g_cl, &chart.cl_by_start[s * w + s..s * w + t]);

            let (g_ir, g_il) = (chart.g_ir_by_start[s * w + t], chart.g_il_by_end[t * w + s]);
            let g_base = plus(times(g_ir, arcs[s * w + t]), times(g_il, arcs[t * w + s]));
            axpy(&mut chart.g_cr_by_start[s * w + s..s * w + t], g_base, &chart.cl_by_end[t * w + from..=t * w + t]);
            axpy(&mut chart.g_cl_by_end[t * w + from..=t * w + t], g_base, &chart.cr_by_start[s * w + s..s * w + t]);
            arcs[s * w + t] = times(times(g_ir, chart.ir_by_start[s * w + t]), inverse);
            arcs[t * w + s] = times(times(g_il, chart.il_by_end[t * w + s]), inverse);
        }
    }
    for (arc, independent) in arcs.iter_mut().zip(&independent) {
        for lane in (0..L).filter(|&lane| !in_range[lane]) {
            arc[lane] = independent[lane];
        }
    }
}

/// Weights divided by their sum over the heads of a modifier.
fn normalised<const L: usize>(n: usize, arcs: &[Lanes<L>]) -> Vec<Lanes<L>> {
    let w = n + 1;
    let mut result = arcs.to_vec();
    for m in 1..=n {
        let heads = || (0..=n).filter(|&h| h != m).map(|h| h * w + m);
        let sum = heads().fold([0.0; L], |sum, a| plus(sum, arcs[a]));
        for a in heads() {
            for lane in 0..L {
                result[a][lane] = arcs[a][lane] / sum[lane];
            }
        }
    }
    result
}

#[inline(always)]
fn times<const L: usize>(a: Lanes<L>, b: Lanes<L>) -> Lanes<L> {
    std::array::from_fn(|i| a[i] * b[i])
}

#[inline(always)]
fn plus<const L: usize>(a: Lanes<L>, b: Lanes<L>) -> Lanes<L> {
    std::array::from_fn(|i| a[i] + b[i])
}

#[inline(always)]
fn add<const L: usize>(to: &mut Lanes<L>, b: Lanes<L>) {
    *to = plus(*to, b);
}

/// `sum of a[i] * b[i]`, in four interleaved sums that are added up at the end.
#[inline(always)]
fn dot<const L: usize>(a: &[Lanes<L>], b: &[Lanes<L>]) -> Lanes<L> {
    let mut sums = [[0.0; L]; 4];
    let (a4, a_rest) = a.as_chunks::<4>();
    let (b4, b_rest) = b.as_chunks::<4>();
    for (a, b) in a4.iter().zip(b4) {
        for i in 0..4 {
            add(&mut sums[i], times(a[i], b[i]));
        }
    }
    for (&a, &b) in a_rest.iter().zip(b_rest) {
        add(&mut sums[0], times(a, b));
    }
    plus(plus(sums[0], sums[1]), plus(sums[2], sums[3]))
}

/// `to[i] += c * x[i]`.
#[inline(always)]
fn axpy<const L: usize>(to: &mut [Lanes<L>], c: Lanes<L>, x: &[Lanes<L>]) {
    for (to, &x) in to.iter_mut().zip(x) {
        add(to, times(c, x));
    }
}
