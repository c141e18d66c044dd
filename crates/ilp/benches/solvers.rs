//! Branch and bound beside integer programs: time a sentence on the same graphs, one thread, one after the other.
//!
//! ```text
//! cargo bench -p treebound-ilp --features solver                          random graphs
//! cargo bench -p treebound-ilp --features solver -- --seconds 10 FILE..   those of graph files (treebound data graphs)
//! ```
//!
//! `--form flow`, `paths` or `spans` takes another program than the usual one, `--most N` the first graphs of each file.
//! Where both are proven, equal scores are demanded.

#[path = "../tests/programs/graphs.rs"]
mod graphs;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use treebound_core::decode::bnb::Limits;
use treebound_core::decode::{Backbone, Decoder, Scratch};
use treebound_core::graph::json::{self, Parsed};
use treebound_core::graph::{FactorGraph, Trees};
use treebound_ilp::{Answer, Form, Formulation, Goal, IlpStatus, Settings, decode};

/// Times of a decoder on graphs that both had proven.
#[derive(Default)]
struct Times(Vec<Duration>);

impl Times {
    fn mean(&self) -> f64 {
        self.0.iter().map(Duration::as_secs_f64).sum::<f64>() / self.0.len().max(1) as f64
    }

    /// The time that so large a share of graphs does not exceed.
    fn quantile(&mut self, share: f64) -> f64 {
        self.0.sort_unstable();
        let at = (share * self.0.len() as f64).ceil() as usize;
        self.0.get(at.saturating_sub(1)).map_or(0.0, Duration::as_secs_f64)
    }

    fn show(&mut self, name: &str) {
        let (mean, median, p95) = (self.mean() * 1e3, self.quantile(0.5) * 1e3, self.quantile(0.95) * 1e3);
        println!("  {name:<22} {mean:>12.3} {median:>12.3} {p95:>12.3}");
    }
}

/// Random graphs of so many words, ten arcs a word, with all that a graph may have.
fn random(words: usize, trees: Trees) -> Vec<Parsed> {
    let of = |seed| {
        let missing = 100 - (1_000 / words as u64).min(100);
        let shape = graphs::Shape {
            words,
            trees,
            single_root: true,
            missing,
            scored: 50,
            largest: 1_000,
            factors: 5 * words,
            counts: 3,
            seed,
        };
        let mut graph = shape.graph();
        // Arcs say most, as they do in graphs of a parser.
        for score in &mut graph.local.arc {
            *score *= 20;
        }
        Parsed { graph, prior: None, never: 0 }
    };
    (0..20).map(of).collect()
}

fn ilp(graph: &FactorGraph, goal: Goal, form: Form, seconds: f64) -> (Result<Answer, String>, Duration) {
    let settings = Settings { form: Some(form), seconds: Some(seconds), ..Settings::default() };
    let start = Instant::now();
    let answer = decode(graph, goal, &settings).map_err(|error| error.to_string());
    (answer, start.elapsed())
}

fn compare(name: &str, graphs: &[Parsed], form: Option<Form>, seconds: f64) {
    let Some(trees) = graphs.first().map(|parsed| parsed.graph.trees) else { return };
    println!("{name}: {} graphs, {trees} trees; milliseconds a sentence", graphs.len());
    println!("  {:<22} {:>12} {:>12} {:>12}", "", "mean", "median", "95 %");
    let mut scratch = Scratch::default();
    let limits = Limits { dp_calls: Some(10_000), ..Limits::default() };
    let form = form.unwrap_or(Formulation::usual(trees).form);
    let (mut own, mut exact, mut relaxed) = (Times::default(), Times::default(), Times::default());
    let (mut limited, mut integral, mut nodes, mut refused) = (0, 0, 0, 0);
    for Parsed { graph, prior, .. } in graphs {
        let start = Instant::now();
        let found = Decoder::Bnb.decode(graph, Backbone::Carreras, prior.as_deref(), limits, &mut scratch);
        let taken = start.elapsed();
        let (answer, ilp_taken) = ilp(graph, Goal::Best, form, seconds);
        let Ok(answer) = answer else {
            refused += 1;
            continue;
        };
        relaxed.0.push(ilp(graph, Goal::Relaxed, form, seconds).1);
        nodes += answer.nodes;
        integral += usize::from(answer.integral == Some(true));
        limited += usize::from(!matches!(answer.status, IlpStatus::Optimal | IlpStatus::Infeasible));
        exact.0.push(ilp_taken);
        match found {
            Ok(found) => {
                own.0.push(taken);
                if found.status.is_proof() && matches!(answer.status, IlpStatus::Optimal | IlpStatus::Infeasible) {
                    assert_eq!(found.score, answer.score, "two proofs that differ");
                }
            }
            Err(error) => {
                if own.0.is_empty() && exact.0.len() == 1 {
                    println!("  bnb: {error}");
                }
            }
        }
    }
    if !own.0.is_empty() {
        own.show("bnb");
    }
    exact.show(&format!("ilp, {}", form.name()));
    relaxed.show(&format!("lp, {}", form.name()));
    if !own.0.is_empty() {
        let ratios = (exact.mean() / own.mean(), exact.quantile(0.95) / own.quantile(0.95));
        println!("  ilp over bnb           {:>12.1} {:>12} {:>12.1}", ratios.0, "", ratios.1);
    }
    println!("  whole relaxations {integral}, nodes {nodes}, not proven in {seconds} s {limited}, refused {refused}");
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let (mut seconds, mut files, mut most, mut form) = (10.0, Vec::new(), usize::MAX, None);
    while let Some(argument) = arguments.next() {
        let mut next = || arguments.next().expect("a value after a flag");
        match argument.as_str() {
            "--seconds" => seconds = next().parse().expect("seconds"),
            "--most" => most = next().parse().expect("a number of graphs"),
            "--form" => form = Some(Form::parse(&next()).expect("flow, paths or spans")),
            _ => files.push(PathBuf::from(argument)),
        }
    }
    for file in &files {
        let bytes = std::fs::read(file).expect("a file");
        let graphs: Vec<_> = json::parse(&bytes, file).expect("graphs").into_iter().take(most).collect();
        compare(&file.display().to_string(), &graphs, form, seconds);
    }
    if files.is_empty() {
        for trees in Trees::ALL {
            for words in [10, 20, 30] {
                compare(&format!("random, {words} words"), &random(words, trees), form, seconds);
            }
        }
    }
}
