//! Figures from made-up but plausible measurements.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use treebound::random::below;
use treebound::report::figure::figure4::figure4;
use treebound::report::figure::figure5::figure5;
use treebound::report::record::{CellKey, LengthRow, SpeedRow};

use crate::fixture::{cell, text};

const PRUNINGS: [(&str, u64); 5] = [("none", 100), ("k=20", 20), ("k=10", 10), ("k=5", 5), ("k=3", 3)];

/// Sentences of each length up to 81: many short ones, few long ones.
fn sentences(length: u64) -> u64 {
    match length {
        1 => 130,
        2..=30 => 110 - 3 * length,
        31..=50 => (52 - length) * 2 / 3,
        51..=64 => length % 3,
        81 => 1,
        _ => 0,
    }
}

/// 0.5 to 1.5, closer to 1 the more sentences.
fn noise(random: &mut ChaCha8Rng, sentences: u64) -> f64 {
    let draws = sentences.min(20);
    0.5 + (0..draws).map(|_| below(random, 1000) as f64 / 1000.0).sum::<f64>() / draws as f64
}

fn calls(corpus: &str, decoders: &[(&str, f64)]) -> Vec<LengthRow> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut rows = Vec::new();
    for &(decoder, factor) in decoders {
        for (prune, k) in PRUNINGS {
            for seed in 1..=2 {
                let cell = Arc::new(CellKey {
                    corpus: corpus.to_owned(),
                    ..(*cell("grandchild+sibling", prune, decoder, seed)).clone()
                });
                for length in 1..=81 {
                    let sentences = sentences(length);
                    if sentences > 0 {
                        let candidates = k.min(length) as f64;
                        let mean = 1.0
                            + factor
                                * candidates.powf(0.7)
                                * (length as f64).powi(2)
                                * 0.018
                                * noise(&mut random, sentences);
                        rows.push(LengthRow {
                            cell: cell.clone(),
                            length,
                            sentences,
                            dp_calls: (mean * sentences as f64) as u64,
                            proven: sentences,
                            ..LengthRow::default()
                        });
                    }
                }
            }
        }
    }
    rows
}

fn times(decoders: &[(&str, f64)]) -> Vec<SpeedRow> {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    calls("toy", decoders)
        .into_iter()
        .filter(|row| row.cell.seed == 1)
        .flat_map(|row| {
            let ns = row.dp_calls * row.length * row.length * 40;
            let total = move |random: &mut ChaCha8Rng| (ns as f64 * noise(random, 20)) as u64;
            let mut row = |repeat| SpeedRow {
                cell: row.cell.clone(),
                repeat,
                length: row.length,
                sentences: row.sentences,
                prune_ns: 20_000 * row.length,
                score_ns: 40_000 * row.length * row.sentences,
                decode_ns: total(&mut random),
            };
            [row(1), row(2), row(3)]
        })
        .collect()
}

#[test]
fn look() {
    let dir = std::path::Path::new("/tmp/fig");
    figure5(&calls("toy", &[("bnb", 1.0)])).write(&dir.join("one")).unwrap();
    figure4(&times(&[("bnb", 1.0)])).write(&dir.join("one")).unwrap();
    let mut both = calls("en_ewt", &[("bnb", 0.3), ("paper", 1.0)]);
    both.extend(calls("zh_gsd", &[("bnb", 0.2), ("paper", 0.7)]));
    figure5(&both).write(&dir.join("two")).unwrap();
    text(vec![]);
}
