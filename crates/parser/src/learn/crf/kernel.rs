//! Inner products of what contexts see, in the space of features: the metric in which a CRF is learnt.
//!
//! Weights are kept by context ([`crate::weights::contexts`]): w = Φᵀ α, where row u of Φ has a 1 for each feature that context u
//! shows. Whatever is wanted of w goes through K = Φ Φᵀ, which has a block an address:
//!
//! ```text
//! K[u, v]       = number of features that u and v share = product over folded details of (1 + [u and v agree in it])
//! (K α)[u]      = the weight of all features of u       = sum over D ⊆ details of  sum over v that agree with u in D of α[v]
//! |w|²          = α · K α
//! ```
//!
//! Short blocks are multiplied pair by pair; in long ones the inner sums are made once a group.

use rayon::prelude::*;

use crate::learn::crf::rows::Known;

/// Members from which on a block is summed by groups.
const LONG: usize = 24;

/// Contexts that one job multiplies, about.
const CHUNK: usize = 1 << 16;

/// Details: bin of the distance, forms, tags.
const DETAILS: usize = 3;

/// Contexts of one address.
#[derive(Clone, Copy, Debug)]
struct Block {
    start: u32,
    end: u32,
    /// Where its [groups](Kernel::groups) or [products](Kernel::products) begin.
    at: usize,
    /// The details that its template group folds, as bits.
    folded: u8,
}

/// The matrix K.
#[derive(Debug, Default)]
pub struct Kernel {
    contexts: usize,
    /// Of more than one member.
    blocks: Vec<Block>,
    /// By chunk of contexts: where its blocks begin, and where its contexts do.
    chunks: Vec<(usize, usize)>,
    /// By member: features of its own, K[u, u].
    own: Vec<u8>,
    /// By short block, row and column: K.
    products: Vec<u8>,
    /// By long block, by proper nonempty subset of what is folded, by member: the number of the group.
    groups: Vec<u32>,
}

impl Kernel {
    /// Of contexts that stand address by address.
    pub fn new(known: &[Known]) -> Self {
        let mut kernel = Self { contexts: known.len(), ..Self::default() };
        let (mut start, mut chunk_end) = (0, 0);
        for run in known.chunk_by(|a, b| a.context.whole_address() == b.context.whole_address()) {
            if start >= chunk_end {
                kernel.chunks.push((kernel.blocks.len(), start));
                chunk_end = start + CHUNK;
            }
            let folded = run[0].folded();
            kernel.own.extend(run.iter().map(|_| 1u8 << folded.count_ones()));
            if run.len() > 1 {
                let end = start + run.len();
                let at = if run.len() < LONG { kernel.products.len() } else { kernel.groups.len() };
                kernel.blocks.push(Block { start: start as u32, end: end as u32, at, folded });
                if run.len() < LONG { kernel.multiply(run) } else { kernel.group(run, folded) }
            }
            start += run.len();
        }
        kernel.chunks.push((kernel.blocks.len(), start));
        kernel
    }

    fn multiply(&mut self, run: &[Known]) {
        for u in run {
            self.products.extend(run.iter().map(|v| 1u8 << agreeing(u, v).count_ones()));
        }
    }

    fn group(&mut self, run: &[Known], folded: u8) {
        let mut order: Vec<usize> = (0..run.len()).collect();
        for subset in subsets(folded) {
            let seen = |i: usize| details(&run[i], subset);
            order.sort_unstable_by_key(|&i| (seen(i), i));
            let at = self.groups.len();
            self.groups.resize(at + run.len(), 0);
            let mut group = 0;
            for (place, &i) in order.iter().enumerate() {
                group += u32::from(place > 0 && seen(order[place - 1]) != seen(i));
                self.groups[at + i] = group;
            }
        }
    }

    /// Contexts.
    pub fn dimensions(&self) -> usize {
        self.contexts
    }

    /// K `x`.
    pub fn apply(&self, x: &[f64], out: &mut [f64]) {
        assert!(x.len() == self.contexts && out.len() == self.contexts, "a number a context");
        let mut jobs = Vec::with_capacity(self.chunks.len());
        let mut rest = out;
        for ends in self.chunks.windows(2) {
            let (here, after) = rest.split_at_mut(ends[1].1 - ends[0].1);
            rest = after;
            jobs.push((&self.blocks[ends[0].0..ends[1].0], ends[0].1, here));
        }
        jobs.into_par_iter().for_each_init(Vec::new, |sums, (blocks, start, out)| {
            let end = start + out.len();
            for ((out, x), &own) in out.iter_mut().zip(&x[start..end]).zip(&self.own[start..end]) {
                *out = x * f64::from(own);
            }
            for block in blocks {
                let range = block.start as usize..block.end as usize;
                let out = &mut out[range.start - start..range.end - start];
                if range.len() < LONG {
                    self.by_pairs(block, &x[range], out);
                } else {
                    self.by_groups(block, &x[range], out, sums);
                }
            }
        });
    }

    fn by_pairs(&self, block: &Block, x: &[f64], out: &mut [f64]) {
        let products = self.products[block.at..].chunks_exact(x.len());
        for (out, products) in out.iter_mut().zip(products) {
            *out = x.iter().zip(products).map(|(x, &product)| x * f64::from(product)).sum();
        }
    }

    fn by_groups(&self, block: &Block, x: &[f64], out: &mut [f64], sums: &mut Vec<f64>) {
        let all: f64 = x.iter().sum();
        // Those that agree with a context in all details are itself; where nothing is folded there is no other.
        out.iter_mut().zip(x).for_each(|(out, x)| *out = all + x);
        for (_, groups) in subsets(block.folded).zip(self.groups[block.at..].chunks_exact(x.len())) {
            sums.clear();
            sums.resize(x.len(), 0.0);
            groups.iter().zip(x).for_each(|(&group, x)| sums[group as usize] += x);
            groups.iter().zip(out.iter_mut()).for_each(|(&group, out)| *out += sums[group as usize]);
        }
    }
}

/// The details in which two contexts of one address agree, of those that their template group folds.
fn agreeing(u: &Known, v: &Known) -> u8 {
    let agree =
        [u.context.first == v.context.first, u.context.forms == v.context.forms, u.context.tags == v.context.tags];
    let agree = agree.iter().rev().fold(0, |bits, &agree| bits << 1 | u8::from(agree));
    agree & u.folded()
}

/// What a context has of some details.
fn details(known: &Known, of: u8) -> [u32; DETAILS] {
    let all = [known.context.first, known.context.forms, known.context.tags];
    std::array::from_fn(|i| if of >> i & 1 == 1 { all[i] } else { 0 })
}

/// The subsets of some details, without the empty one and all of them.
fn subsets(of: u8) -> impl Iterator<Item = u8> {
    (1..of).filter(move |subset| subset & of == *subset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::contexts::Context;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    /// Blocks of all lengths and foldings, against the definition.
    #[test]
    fn the_product_is_that_of_the_matrix() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut known = Vec::new();
        for (address, len) in [1usize, 2, 3, 7, 23, 24, 60, 200, 1, 90].into_iter().enumerate() {
            for folded in 0..8u32 {
                let detail = |on: u32, random: &mut ChaCha8Rng| if on == 1 { 1 + random.next_u32() % 5 } else { 0 };
                let mut run: Vec<Known> = (0..len)
                    .map(|_| {
                        let bin = detail(folded & 1, &mut random);
                        let details = [detail(folded >> 1 & 1, &mut random), detail(folded >> 2, &mut random)];
                        let address = (address as u64 * 8 + u64::from(folded) + 1) << 40;
                        Known {
                            context: Context::new(address, 0, bin, details),
                            folds_distance: folded & 1 == 1,
                            guards: false,
                        }
                    })
                    .collect();
                run.sort_unstable();
                run.dedup();
                known.extend(run);
            }
        }
        let kernel = Kernel::new(&known);
        let x: Vec<f64> = known.iter().map(|_| f64::from(random.next_u32() % 1000) - 500.0).collect();
        let mut out = vec![0.0; x.len()];
        kernel.apply(&x, &mut out);
        for (u, found) in known.iter().zip(&out) {
            let product = |(v, x): (&Known, &f64)| {
                let alike = u.context.whole_address() == v.context.whole_address();
                if alike { x * f64::from(1u8 << agreeing(u, v).count_ones()) } else { 0.0 }
            };
            assert_eq!(*found, known.iter().zip(&x).map(product).sum::<f64>());
        }
        assert!(kernel.blocks.iter().any(|block| (block.end - block.start) as usize >= LONG));
    }
}
