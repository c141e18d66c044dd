//! Maximum spanning arborescences of 40 words with 10 candidate heads each, one word on the root and several: the best tree, the
//! ten best, and sums over all. The target of a best tree is 10 microseconds.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use treebound::decode::arborescence::{Arborescence, matrix_tree};
use treebound::graph::{ArcSpace, Word};

const WORDS: usize = 40;
const HEADS: usize = 10;
const GRAPHS: u64 = 20;

/// The ten nearest heads of each word, the root among them for every fourth, and random scores.
fn graph(single_root: bool, seed: u64) -> (ArcSpace, Vec<i64>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut arcs = Vec::new();
    for m in 1..=WORDS {
        let mut heads: Vec<usize> = (1..=WORDS).filter(|&h| h != m).collect();
        heads.sort_by_key(|&h| h.abs_diff(m));
        heads.truncate(HEADS - usize::from(m % 4 == 0));
        heads.extend((m % 4 == 0).then_some(0));
        arcs.extend(heads.into_iter().map(|h| (Word::new(h), Word::new(m))));
    }
    let space = ArcSpace::new(WORDS, single_root, &arcs).expect("valid arcs");
    let scores = (0..space.arcs()).map(|_| i64::from(rng.next_u32() % 20_000) - 10_000).collect();
    (space, scores)
}

fn arborescences(c: &mut Criterion) {
    for single_root in [false, true] {
        let roots = if single_root { "one" } else { "several" };
        let graphs: Vec<_> = (0..GRAPHS).map(|seed| graph(single_root, seed)).collect();
        let mut at = graphs.iter().cycle();
        let mut next = || at.next().expect("a graph");
        let mut program = Arborescence::<i64>::default();
        let mut group = c.benchmark_group("arborescence");
        group.bench_function(BenchmarkId::new("best", roots), |b| {
            b.iter(|| {
                let (space, scores) = next();
                black_box(program.best(space, scores.iter().copied()))
            });
        });
        group.bench_function(BenchmarkId::new("ten-best", roots), |b| {
            b.iter(|| {
                let (space, scores) = next();
                let mut listed = 0;
                program.best(space, scores.iter().copied());
                program.each_tree(space, |_, _, _| {
                    listed += 1;
                    listed < 10
                })
            });
        });
        let mut probabilities = Vec::new();
        group.bench_function(BenchmarkId::new("sums", roots), |b| {
            b.iter(|| {
                let (space, scores) = next();
                let scores: Vec<f64> = scores.iter().map(|&score| score as f64 / 2_000.0).collect();
                black_box(matrix_tree::sum(space, &scores, &mut probabilities))
            });
        });
        group.finish();
    }
}

criterion_group! { name = benches; config = Criterion::default().without_plots(); targets = arborescences }
criterion_main!(benches);
