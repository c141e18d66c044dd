//! What happens to a sentence on its way to a tree: pruner, feature scores, search; and all of it together.
//!
//! `cargo bench --bench parsing`. The sentences are synthetic and the model has seen a few hundred of them once, so the
//! figures compare one version of the code with another; those of real sentences come from `treebound measure time`. Throughput
//! is counted in words.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use treebound::answer::NoClock;
use treebound::decode::bnb::Limits;
use treebound::decode::{Backbone, Decoder, Scratch as DecoderScratch};
use treebound::features::groups::Folding;
use treebound::features::{Family, TemplateGroups, TemplateSet};
use treebound::graph::FactorGraph;
use treebound::learn::online::{Example, Online, Predicted, Steps};
use treebound::model::build::Builder;
use treebound::model::{Model, Parser, Roots, Scratch, kinds_wanted};
use treebound::pruning::{self, Candidates, Pruner, PrunerScratch, Rule, Schedule};
use treebound::systems::{Nonprojective, TrainingPart};
use treebound::treebank::Sentence;
use treebound::treebank::synth::{Config, Generator, Section};

const RULE: Rule = Rule::Best(10);
/// The paper's search may need very many calls.
const LIMITS: Limits = Limits { dp_calls: Some(500), nodes: None, bytes: None };

/// A parser, and sentences that it has not seen.
struct Bench {
    pruner: Pruner,
    /// Without non-local families, and with all of them.
    models: [Model; 2],
    sentences: Vec<Sentence>,
    words: u64,
}

impl Bench {
    fn new() -> Self {
        let config = Config { train: 400, test: 60, ..Config::default() };
        let generator = Generator::new(&config).expect("a valid config");
        let made = |part| generator.sentences(part).expect("sentences");
        let training = TrainingPart::new(&made(Section::Train), Nonprojective::Projectivize, Roots::One);
        let templates = |name| TemplateSet::built_in(name).expect("built in").expect("valid");
        let pairs: Vec<_> = training.sentences.iter().zip(&training.trees).collect();
        let schedule = Schedule { epochs: 1, rate: 0.02, seed: 1, method: Default::default() };
        let (pruner, kept) = pruning::train(&templates("pruner"), &pairs, schedule, RULE).expect("memory");
        let examples: Vec<Example> = pairs
            .iter()
            .zip(&kept)
            .map(|((sentence, tree), candidates)| Example { sentence, tree, candidates })
            .collect();
        let models = [&[][..], &Family::ALL[..]].map(|families| model(&templates("compact"), families, &examples));
        let sentences = made(Section::Test);
        let words = sentences.iter().map(|s| s.len() as u64).sum();
        Self { pruner, models, sentences, words }
    }

    fn parser(&self, model: usize, decoder: Decoder) -> Parser<'_> {
        Parser { pruner: &self.pruner, rule: RULE, model: &self.models[model], decoder, limits: LIMITS }
    }

    /// Graphs of all sentences, with the pruner's probabilities.
    fn graphs(&self, model: usize) -> Vec<(FactorGraph, Vec<f64>)> {
        let parser = self.parser(model, Decoder::Bnb);
        let mut scratch = Scratch::default();
        let mut graph = |sentence: &Sentence| {
            let graph = parser.graph(&sentence.tokens, &mut scratch).expect("a graph").clone();
            (graph, scratch.prior().expect("probabilities").to_vec())
        };
        self.sentences.iter().map(&mut graph).collect()
    }
}

/// A model after one pass.
fn model(templates: &TemplateSet, families: &[Family], examples: &[Example]) -> Model {
    let wanted = |kind| kinds_wanted(families, Backbone::Carreras, kind);
    let template_groups = TemplateGroups::new(templates, wanted, Folding::All);
    let mut online = Online::new(&template_groups, families, Steps::Perceptron.unit(), 1).expect("memory");
    let decoder = if families.is_empty() { Decoder::Dp } else { Decoder::Bnb };
    let limits = Limits { dp_calls: Some(50), ..Limits::default() };
    let mut scratch = DecoderScratch::default();
    online
        .pass(examples, Steps::Perceptron, |graph, prior| {
            decoder.decode(graph, Backbone::Carreras, prior, limits, &mut scratch).map(Predicted::from)
        })
        .expect("a pass over valid examples");
    let entries = online.average().expect("small sums");
    Model::new(templates.clone(), families, Backbone::Carreras, Folding::All, entries).expect("memory")
}

fn parsing(c: &mut Criterion) {
    let bench = Bench::new();
    let mut group = c.benchmark_group("parsing");
    group.throughput(Throughput::Elements(bench.words));

    let mut scratch = PrunerScratch::default();
    group.bench_function("pruner: features and marginals", |b| {
        b.iter(|| {
            for sentence in &bench.sentences {
                black_box(bench.pruner.marginals(&sentence.tokens, &mut scratch));
            }
        });
    });

    let kept: Vec<Candidates> = bench
        .sentences
        .iter()
        .map(|sentence| {
            let mut candidates = Candidates::default();
            candidates.fill(RULE, sentence.len(), bench.pruner.marginals(&sentence.tokens, &mut scratch));
            candidates
        })
        .collect();
    for (name, model) in ["scores: baseline", "scores: all families"].iter().zip(&bench.models) {
        let mut builder = Builder::default();
        group.bench_function(*name, |b| {
            b.iter(|| {
                for (sentence, candidates) in bench.sentences.iter().zip(&kept) {
                    let (template_groups, families, weights) =
                        (model.template_groups(), model.families(), model.weights());
                    let graph = builder.build(
                        template_groups,
                        families,
                        weights,
                        &sentence.tokens,
                        &candidates.arcs,
                        model.roots(),
                    );
                    black_box(graph.expect("a graph"));
                }
            });
        });
    }

    for (name, model, decoder) in [
        ("search: baseline, dp", 0, Decoder::Dp),
        ("search: all families, bnb", 1, Decoder::Bnb),
        ("search: all families, paper", 1, Decoder::PAPER),
    ] {
        let graphs = bench.graphs(model);
        let mut scratch = DecoderScratch::default();
        group.sample_size(if decoder == Decoder::PAPER { 10 } else { 50 });
        group.bench_function(name, |b| {
            b.iter(|| {
                for (graph, prior) in &graphs {
                    black_box(
                        decoder
                            .decode(graph, Backbone::Carreras, Some(prior), LIMITS, &mut scratch)
                            .expect("an answer"),
                    );
                }
            });
        });
    }

    group.sample_size(50);
    for (name, model, decoder) in
        [("tokens to tree: baseline", 0, Decoder::Dp), ("tokens to tree: all families, bnb", 1, Decoder::Bnb)]
    {
        let parser = bench.parser(model, decoder);
        let mut scratch = Scratch::default();
        group.bench_function(name, |b| {
            b.iter(|| {
                for sentence in &bench.sentences {
                    black_box(parser.parse(&sentence.tokens, &mut scratch, &mut NoClock).expect("a tree"));
                }
            });
        });
    }
    group.finish();
}

criterion_group! { name = benches; config = Criterion::default().without_plots(); targets = parsing }
criterion_main!(benches);
