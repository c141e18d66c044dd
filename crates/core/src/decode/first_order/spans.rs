//! The entries of the chart, as matrices of words by words.

use crate::decode::semiring::Semiring;

/// Row-major matrices; rows and columns run from 0 to n. Those of Cr and Cl stand twice, so that every sum runs over
/// contiguous memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Spans<S> {
    stride: usize,
    /// Cr(s, t) at `[s][t]`.
    pub cr_by_start: Vec<S>,
    /// Cr(s, t) at `[t][s]`.
    pub cr_by_end: Vec<S>,
    /// Cl(s, t) at `[s][t]`.
    pub cl_by_start: Vec<S>,
    /// Cl(s, t) at `[t][s]`.
    pub cl_by_end: Vec<S>,
    /// Ir(s, t) at `[s][t]`.
    pub ir_by_start: Vec<S>,
    /// Il(s, t) at `[t][s]`.
    pub il_by_end: Vec<S>,
}

impl<S: Semiring> Spans<S> {
    /// Empties all matrices.
    pub fn prepare(&mut self, words: usize) {
        self.stride = words + 1;
        let Self { stride, cr_by_start, cr_by_end, cl_by_start, cl_by_end, ir_by_start, il_by_end } = self;
        for matrix in [cr_by_start, cr_by_end, cl_by_start, cl_by_end, ir_by_start, il_by_end] {
            matrix.clear();
            matrix.resize(*stride * *stride, S::NONE);
        }
    }

    /// Where an entry stands.
    #[inline(always)]
    pub fn at(&self, row: usize, column: usize) -> usize {
        row * self.stride + column
    }
}
