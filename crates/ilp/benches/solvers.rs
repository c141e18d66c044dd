//! Branch and bound beside integer programs: processor time a sentence on the same graphs, one thread, one after the other.
//!
//! ```text
//! cargo bench -p treebound-ilp --features solver                          random graphs
//! cargo bench -p treebound-ilp --features solver -- --seconds 10 FILE..   those of graph files (treebound data graphs)
//! ```
//!
//! `--form flow`, `paths` or `spans` takes another program than the usual one, `--most N` the first graphs of each file,
//! `--dp-calls N` another limit for branch and bound than 10,000 calls, `--each` prints a line a graph. `--seconds` are those of
//! the solver, by the clock. Where both are proven, equal scores are demanded.

#[path = "../tests/programs/graphs.rs"]
mod graphs;

use std::path::PathBuf;
use std::time::Duration;

use treebound_core::decode::bnb::Limits;
use treebound_core::decode::{Backbone, Decoder, Scratch};
use treebound_core::graph::Trees;
use treebound_core::graph::json::{self, Parsed};
use treebound_ilp::{Form, Formulation, Goal, IlpStatus, Settings, decode};

/// Times of a decoder.
#[derive(Clone, Default)]
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
        println!("    {name:<20} {mean:>12.3} {median:>12.3} {p95:>12.3}");
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

/// How both are stopped, and how programs are written; none for the smallest.
struct Asked {
    seconds: f64,
    dp_calls: u64,
    form: Option<Form>,
    /// Whether a line is printed of each graph.
    each: bool,
}

/// What one answer took of the processor.
fn timed<T>(find: impl FnOnce() -> T) -> (T, Duration) {
    let now = || {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    };
    let start = now();
    let found = find();
    (found, now() - start)
}

/// Times of the same graphs.
#[derive(Default)]
struct Group {
    bnb: Times,
    ilp: Times,
    lp: Times,
}

impl Group {
    fn show(&mut self, name: &str) {
        let graphs = self.ilp.0.len();
        if graphs == 0 {
            return;
        }
        println!("  {name}: {graphs} graphs");
        self.bnb.show("bnb");
        self.ilp.show("ilp");
        self.lp.show("lp");
        let of = |share| self.ilp.clone().quantile(share) / self.bnb.clone().quantile(share);
        println!(
            "    {:<20} {:>12.1} {:>12.1} {:>12.1}",
            "ilp over bnb",
            self.ilp.mean() / self.bnb.mean(),
            of(0.5),
            of(0.95)
        );
    }
}

fn compare(name: &str, graphs: &[Parsed], asked: &Asked) {
    let Some(trees) = graphs.first().map(|parsed| parsed.graph.trees) else { return };
    let form = asked.form.unwrap_or(Formulation::usual(trees).form);
    println!("{name}: {trees} trees, form {}; milliseconds a sentence", form.name());
    println!("  {:<22} {:>12} {:>12} {:>12}", "", "mean", "median", "95 %");
    let mut scratch = Scratch::default();
    let limits = Limits { dp_calls: Some(asked.dp_calls), ..Limits::default() };
    let settings = Settings { form: Some(form), seconds: Some(asked.seconds), ..Settings::default() };
    let (mut all, mut proven) = (Group::default(), Group::default());
    let (mut of_ilp, mut of_bnb, mut only_bnb, mut integral, mut nodes) = (0, 0, 0, 0, 0);
    let mut refused: Option<(usize, String)> = None;
    for Parsed { graph, prior, .. } in graphs {
        let search = || Decoder::Bnb.decode(graph, Backbone::Carreras, prior.as_deref(), limits, &mut scratch);
        let (found, bnb) = timed(search);
        let (answer, ilp) = timed(|| decode(graph, Goal::Best, &settings));
        let (_, lp) = timed(|| decode(graph, Goal::Relaxed, &settings));
        let reason = found.as_ref().err().map(ToString::to_string).or(answer.as_ref().err().map(ToString::to_string));
        let (Ok(found), Ok(answer)) = (found, answer) else {
            let before = refused.take().map_or(0, |(graphs, _)| graphs);
            refused = reason.map(|reason| (before + 1, reason));
            continue;
        };
        nodes += answer.nodes;
        integral += usize::from(answer.integral == Some(true));
        let is_proven = matches!(answer.status, IlpStatus::Optimal | IlpStatus::Infeasible);
        of_ilp += usize::from(is_proven);
        of_bnb += usize::from(found.status.is_proof());
        only_bnb += usize::from(found.status.is_proof() && !is_proven);
        let both = is_proven && found.status.is_proof();
        if both {
            assert_eq!(found.score, answer.score, "two proofs that differ");
        }
        if asked.each {
            let (words, ms) = (graph.space.words(), [bnb, ilp, lp].map(|time| time.as_secs_f64() * 1e3));
            let whole = answer.integral.unwrap_or_default();
            println!(
                "    {words} words: bnb {:.3} {}, ilp {:.3} {}, lp {:.3} {whole}",
                ms[0],
                found.status.name(),
                ms[1],
                answer.status.name(),
                ms[2]
            );
        }
        // What is not proven is a bound on what is.
        assert!(found.bound.is_none() || answer.score <= found.bound, "a bound below a tree");
        assert!(answer.bound.is_none() || found.score <= answer.bound, "a bound below a tree");
        for group in [Some(&mut all), both.then_some(&mut proven)].into_iter().flatten() {
            group.bnb.0.push(bnb);
            group.ilp.0.push(ilp);
            group.lp.0.push(lp);
        }
    }
    all.show("all");
    proven.show("proven by both, with equal scores");
    let spent = |group: &Group| group.bnb.0.iter().sum::<Duration>().as_secs_f64();
    println!(
        "  proven by bnb in {} calls {of_bnb}, by ilp in {} s {of_ilp}, by bnb alone {only_bnb}; bnb spent {:.1} % of its time on \
         what is not proven by both",
        asked.dp_calls,
        asked.seconds,
        100.0 * (1.0 - spent(&proven) / spent(&all).max(f64::MIN_POSITIVE))
    );
    println!("  whole relaxations {integral}, nodes {nodes}");
    if let Some((graphs, reason)) = refused {
        println!("  refused {graphs}, the last since {reason}");
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let (mut files, mut most) = (Vec::new(), usize::MAX);
    let mut asked = Asked { seconds: 10.0, dp_calls: 10_000, form: None, each: false };
    while let Some(argument) = arguments.next() {
        let mut next = || arguments.next().expect("a value after a flag");
        match argument.as_str() {
            "--seconds" => asked.seconds = next().parse().expect("seconds"),
            "--each" => asked.each = true,
            "--most" => most = next().parse().expect("a number of graphs"),
            "--dp-calls" => asked.dp_calls = next().parse().expect("a number of calls"),
            "--form" => asked.form = Some(Form::parse(&next()).expect("flow, paths or spans")),
            _ => files.push(PathBuf::from(argument)),
        }
    }
    for file in &files {
        let bytes = std::fs::read(file).expect("a file");
        let graphs: Vec<_> = json::parse(&bytes, file).expect("graphs").into_iter().take(most).collect();
        compare(&file.display().to_string(), &graphs, &asked);
    }
    if files.is_empty() {
        for trees in Trees::ALL {
            for words in [10, 20, 30] {
                compare(&format!("random, {words} words"), &random(words, trees), &asked);
            }
        }
    }
}
