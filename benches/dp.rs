//! The dynamic programs: inside passes, and inside with outside passes, by sentence length and heads kept a word.
//!
//! `cargo bench --bench dp`; throughput is counted in second-order parts, each of which is one loop over a row.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use treebound::decode::carreras::Carreras;
use treebound::decode::grand_sibling::{GrandScores, GrandSibling};
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
                        let best = chart.best_score(black_box(&space), black_box(&scores));
                        if with_outside {
                            chart.max_marginals(&space, &scores, &mut marginals);
                        }
                        best
                    });
                });
                // The same parts: what the state of the third-order program costs by itself.
                let (mut chart, grand) = (GrandSibling::<f64>::default(), GrandScores::default());
                group.bench_function(BenchmarkId::new(format!("third order, {heads} heads"), words), |b| {
                    b.iter(|| {
                        let best = chart.best_score(black_box(&space), black_box(&scores), &grand);
                        if with_outside {
                            chart.max_marginals(&space, &scores, &grand, &mut marginals);
                        }
                        best
                    });
                });
            }
        }
        group.finish();
    }
}

criterion_group! { name = benches; config = Criterion::default().without_plots(); targets = passes }
criterion_main!(benches);
