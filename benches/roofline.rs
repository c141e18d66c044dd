//! How far scoring and the dynamic program are from what the machine allows.
//!
//! `cargo bench --bench roofline` prints what a look-up in a weight table costs that lies in the nearest cache and in one
//! that does not fit any, and what a part costs the dynamic program. With a model and sentences, both files, it says what
//! scoring would cost if look-ups were all that it did:
//!
//! ```text
//! TREEBOUND_MODEL=FILE TREEBOUND_INPUT=FILE.conllu cargo bench --bench roofline
//! ```

use std::env;
use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use treebound::decode::Decoder;
use treebound::decode::bnb::Limits;
use treebound::decode::carreras::Carreras;
use treebound::graph::{ArcSpace, LocalScores, Word};

use treebound::answer::{Phase, Phases, WallClock};
use treebound::model::{Parser, Scratch, TrainedParser};
use treebound::treebank::conll;
use treebound::weights::table::{FeatureKey, SLOTS, Table};

/// Passes; the fastest counts, since whatever disturbs a pass makes it slower.
const PASSES: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    // Cargo passes flags of its own, which mean nothing here.
    let cycle_ns = cycle_ns();
    println!("one dependent addition: {cycle_ns:.3} ns, taken for a cycle\n");
    println!("look-ups, in ns              one after the other   64 lines asked for ahead");
    let [near, far] = [1 << 8, 1 << 22].map(|features| lookup_ns(features).expect("memory for a table"));
    println!("a table in the nearest cache {:19.2} {:26.2}", near[0], near[1]);
    println!("a table of 128 MiB           {:19.2} {:26.2}", far[0], far[1]);
    println!("\ninside pass: words, heads a word, parts, ns a part, cycles a part");
    for words in [10, 20, 40, 80] {
        for heads in [4, 10] {
            let (parts, ns) = inside(words, heads);
            println!("{words:4} {heads:3} {parts:7} {ns:7.2} {:7.1}", ns / cycle_ns);
        }
    }
    match (env::var_os("TREEBOUND_MODEL"), env::var_os("TREEBOUND_INPUT")) {
        (Some(model), Some(input)) => scoring(Path::new(&model), Path::new(&input), near[1], far[1]),
        _ => {
            println!("\nTREEBOUND_MODEL and TREEBOUND_INPUT are not given: scoring is left out");
            Ok(())
        }
    }
}

/// The fastest of some passes, in ns.
fn fastest(mut pass: impl FnMut()) -> f64 {
    (0..PASSES).fold(f64::INFINITY, |best, _| {
        let start = Instant::now();
        pass();
        best.min(start.elapsed().as_nanos() as f64)
    })
}

fn cycle_ns() -> f64 {
    const ADDITIONS: u64 = 100_000_000;
    let ns = fastest(|| {
        let mut sum = 0u64;
        for _ in 0..ADDITIONS {
            // What is opaque cannot be added up beforehand; it stays in a register.
            sum = black_box_in_register(sum.wrapping_add(1));
        }
        black_box(sum);
    });
    ns / ADDITIONS as f64
}

/// Keeps the compiler from looking through `x`, without a trip to memory where that can be said.
#[inline(always)]
fn black_box_in_register(x: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        let mut y = x;
        // SAFETY: an empty instruction that claims to change one register.
        unsafe { std::arch::asm!("/* {0} */", inout(reg) y, options(nomem, nostack, preserves_flags)) };
        y
    }
    #[cfg(not(target_arch = "x86_64"))]
    black_box(x)
}

/// Cost of finding one of `features` features: each look-up waiting for the last, and with lines asked for ahead.
fn lookup_ns(features: usize) -> std::io::Result<[f64; 2]> {
    const AHEAD: usize = 64;
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let all: Vec<(FeatureKey, i32)> = (0..features).map(|_| (FeatureKey(random.next_u64() | 1), 1)).collect();
    let table = Table::build(&all)?;
    let order: Vec<FeatureKey> = (0..1 << 20).map(|_| all[random.next_u64() as usize % features].0).collect();
    let waiting = fastest(|| {
        let mut last = 0;
        for &key in &order {
            // The weight found, 1, is part of the next address: 1 - 1 changes nothing but the order of work.
            last = table.weight(FeatureKey(key.0 + last)) as u64 - 1;
        }
        black_box(last);
    });
    let ahead = fastest(|| {
        // As the scorer does it: all slots are compared, without a branch that depends on what is found.
        let mut sums = [0; SLOTS];
        for (i, &key) in order.iter().enumerate() {
            if let Some(&next) = order.get(i + AHEAD) {
                table.ask(next);
            }
            let line = &table.lines()[table.home(key.0)];
            for (slot, sum) in sums.iter_mut().enumerate() {
                *sum += line.weight[slot] & -i32::from(line.fingerprint[slot] == key.0 as u32);
            }
        }
        black_box(sums);
    });
    Ok([waiting, ahead].map(|ns| ns / order.len() as f64))
}

/// Parts of a random graph, and ns a part of an inside pass.
fn inside(words: usize, heads: usize) -> (usize, f64) {
    let mut random = ChaCha8Rng::seed_from_u64((words * 1000 + heads) as u64);
    let mut arcs = Vec::new();
    for m in 1..=words {
        let mut others: Vec<usize> = (0..=words).filter(|&h| h != m && h != m - 1).collect();
        arcs.push((Word::new(m - 1), Word::new(m)));
        for _ in 1..heads.min(words) {
            let at = random.next_u64() as usize % others.len();
            arcs.push((Word::new(others.swap_remove(at)), Word::new(m)));
        }
    }
    let space = ArcSpace::new(words, true, &arcs).expect("valid arcs");
    let scores = LocalScores::filled(&space, 1.0);
    let parts = space.sibling_parts() + space.grandchild_parts();
    let mut chart = Carreras::<f64>::default();
    const REPEATS: usize = 200;
    let ns = fastest(|| {
        for _ in 0..REPEATS {
            black_box(chart.sum(black_box(&space), black_box(&scores)));
        }
    });
    (parts, ns / (REPEATS * parts) as f64)
}

/// What scoring costs a word, beside what its look-ups would cost alone.
fn scoring(model: &Path, input: &Path, near_ns: f64, far_ns: f64) -> Result<(), Box<dyn Error>> {
    let trained = TrainedParser::read(model)?;
    let sentences = conll::read(input)?.sentences;
    let words: usize = sentences.iter().map(|s| s.tokens.len()).sum();
    let parser = Parser {
        pruner: &trained.pruner,
        rule: trained.rule,
        model: &trained.model,
        decoder: if trained.model.needs_search() { Decoder::Bnb } else { Decoder::Dp },
        limits: Limits::default(),
    };
    let mut scratch = Scratch::default();
    let mut clock = WallClock::default();
    let (mut best, mut lookups, mut calls) = ([f64::INFINITY; 3], [0; 2], 0);
    for _ in 0..PASSES {
        let before = scratch.lookups();
        let mut phases = Phases::default();
        calls = 0;
        for sentence in &sentences {
            let (answer, of) = parser.parse(&sentence.tokens, &mut scratch, &mut clock)?;
            phases.add(&of);
            calls += answer.dp_calls;
        }
        lookups = [0, 1].map(|i| scratch.lookups()[i] - before[i]);
        let ns = [Phase::Prune, Phase::Score, Phase::Decode].map(|phase| phases.get(phase).unwrap_or(0));
        best = [0, 1, 2].map(|i| best[i].min(ns[i] as f64 / words as f64));
    }
    println!("\n{words} words; ns a word");
    println!("           look-ups a word   all cached   none cached   measured   measured / none cached");
    for (name, lookups, ns) in [("pruner", lookups[0], best[0]), ("scores", lookups[1], best[1])] {
        let each = lookups as f64 / words as f64;
        let (least, most) = (each * near_ns, each * far_ns);
        println!("{name:10} {each:15.1} {least:12.0} {most:13.0} {ns:10.0} {:24.2}", ns / most);
    }
    println!("search     {:.2} DP calls a sentence {:>34.0}", calls as f64 / sentences.len() as f64, best[2]);
    println!("tokens to tree: {:.0} words/s", 1e9 / best.iter().sum::<f64>());
    Ok(())
}
