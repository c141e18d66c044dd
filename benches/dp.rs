//! The dynamic programs: inside passes, and inside with outside passes, by sentence length and heads kept a word.
//!
//! `cargo bench --bench dp`; throughput is counted in second-order parts, each of which is one loop over a row.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use treebound::decode::Backbone;
use treebound::decode::carreras::Carreras;
use treebound::decode::grand_sibling::{GrandScores, GrandSibling};
use treebound::decode::log_scores::LogScores;
use treebound::decode::partition::Partitions;
use treebound::graph::{ArcSpace, LocalScores, Word};

/// A space with `heads` random heads a word, one of which is the word before it so that there is a tree; random scores.
fn random_space(words: usize, heads: usize) -> (ArcSpace, LocalScores<f64>) {
    let mut random = ChaCha8Rng::seed_from_u64((words * 1000 + heads) as u64);
    let mut below = |n: usize| (random.next_u64() % n as u64) as usize;
    let mut arcs = Vec::new();
    for m in 1..=words {
        let mut others: Vec<usize> = (0..=words).filter(|&h| h != m && h != m - 1).collect();
        arcs.push((Word::new(m - 1), Word::new(m)));
        for _ in 1..heads.min(words) {
            arcs.push((Word::new(others.swap_remove(below(others.len()))), Word::new(m)));
        }
    }
    let space = ArcSpace::new(words, true, &arcs).expect("valid arcs");
    let mut scores = LocalScores::filled(&space, 0.0);
    for score in scores.arc.iter_mut().chain(&mut scores.sibling).chain(&mut scores.grandchild) {
        *score = below(2001) as f64 - 1000.0;
    }
    (space, scores)
}

/// Sums over all trees with the probabilities of arcs, beside the maxima of [`passes`]: the same spaces, scores of the size of
/// logarithms.
fn sums(c: &mut Criterion) {
    let mut group = c.benchmark_group("sums");
    for words in [10, 20, 40, 80] {
        let (space, mut local) = random_space(words, 4);
        for scores in [&mut local.arc, &mut local.sibling, &mut local.grandchild] {
            scores.iter_mut().for_each(|score| *score /= 300.0);
        }
        let scores = LogScores { local, grand: GrandScores::default() };
        group.throughput(Throughput::Elements((space.sibling_parts() + space.grandchild_parts()) as u64));
        for backbone in Backbone::ALL {
            let (mut partitions, mut probabilities) = (Partitions::<Vec<f64>>::default(), Vec::new());
            group.bench_function(BenchmarkId::new(backbone.to_string(), words), |b| {
                b.iter(|| partitions.sum(backbone, black_box(&space), black_box(&scores), &mut probabilities));
            });
        }
    }
    group.finish();
}

fn passes(c: &mut Criterion) {
    for with_outside in [false, true] {
        let mut group = c.benchmark_group(if with_outside { "inside and outside" } else { "inside" });
        for words in [10, 20, 40, 80] {
            for heads in [4, 10] {
                let (space, scores) = random_space(words, heads);
                let (mut chart, mut marginals) = (Carreras::<f64>::default(), Vec::new());
                group.throughput(Throughput::Elements((space.sibling_parts() + space.grandchild_parts()) as u64));
                group.bench_function(BenchmarkId::new(format!("{heads} heads"), words), |b| {
                    b.iter(|| {
                        let best = chart.sum(black_box(&space), black_box(&scores));
                        if with_outside {
                            chart.sums_with(&space, &scores, &mut marginals);
                        }
                        best
                    });
                });
                // The same parts: what the state of the third-order program costs by itself.
                let (mut chart, grand) = (GrandSibling::<f64>::default(), GrandScores::default());
                group.bench_function(BenchmarkId::new(format!("third order, {heads} heads"), words), |b| {
                    b.iter(|| {
                        let best = chart.sum(black_box(&space), black_box(&scores), &grand);
                        if with_outside {
                            chart.sums_with(&space, &scores, &grand, &mut marginals);
                        }
                        best
                    });
                });
            }
        }
        group.finish();
    }
}

criterion_group! { name = benches; config = Criterion::default().without_plots(); targets = passes, sums }
criterion_main!(benches);
