//! The shift-reduce system on sentences: searches agree on trained models, and bytes do not depend on threads.

use std::collections::BTreeMap;

use rayon::prelude::*;

use treebound::answer::{Answer, Count, NoClock, Proof};
use treebound::bytes::{BytesReader, BytesWriter};
use treebound::cell::{Axis, AxisValue, AxisValues, SystemName};
use treebound::decode::bnb::Limits;
use treebound::decode::first_order::{self, ArcScores};
use treebound::decode::shift_reduce::{ArcCosts, End, Memory, Search};
use treebound::features::TemplateSet;
use treebound::model::{Roots, projectivize};
use treebound::pruning::{self, PrunerScratch, Rule, Schedule};
use treebound::systems::{Choice, How, Nonprojective, System, Task, Trained, TrainingPart, built_in};
use treebound::treebank::synth::{Config, generate};
use treebound::treebank::{Punctuation, Sentence, Token, Tree, Word, conll};

fn values(axes: &[(&'static str, &str)]) -> AxisValues {
    AxisValues::new(axes.iter().map(|&(axis, text)| (axis.into(), AxisValue::read(axis, text).expect("a value"))))
}

fn system(templates: &str, learner: &str) -> Box<dyn System> {
    let kind = built_in(&SystemName::parse("shift-reduce").expect("a name")).expect("a system");
    let axes = values(&[("templates", templates), ("learner", learner)]);
    let (templates, learners) = (BTreeMap::new(), BTreeMap::new());
    let labels = TemplateSet::built_in("labels").expect("built in").expect("a set");
    let (templates, learners, label_templates) = (&templates, &learners, &labels);
    let choice = Choice { axes: &axes, templates, learners, choice_limits: Limits::default(), label_templates };
    (kind.make)(&choice).expect("it needs nothing else")
}

fn sentences() -> (Vec<Sentence>, Vec<Sentence>) {
    let config = Config { train: 60, dev: 30, test: 1, ..Config::default() };
    let treebank = generate(&config).expect("valid settings");
    // Longer ones take too long without merging.
    (treebank.train, treebank.dev.into_iter().filter(|sentence| sentence.len() <= 11).collect())
}

fn trained(system: &dyn System, threads: usize) -> Box<dyn Trained> {
    let (train, dev) = sentences();
    let train = TrainingPart::new(&train, Nonprojective::Projectivize, Roots::One);
    let punctuation = Punctuation::parse("none").expect("a rule");
    let task = Task {
        train: &train,
        dev: &dev,
        gold_dev: &dev,
        punctuation: &punctuation,
        pruned: None,
        baseline: None,
        seed: 1,
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| system.train(&task, &mut |_| {})).expect("it learns")
}

fn saved(trained: &dyn Trained) -> Vec<u8> {
    let mut to = BytesWriter::default();
    trained.save(&mut to);
    to.into_bytes()
}

fn answers(trained: &dyn Trained, search: &str) -> Vec<Answer> {
    let axes = values(&[("search", search)]);
    let (_, dev) = sentences();
    let tokens: Vec<&[Token]> = dev.iter().map(|sentence| sentence.tokens.as_slice()).collect();
    let mut session =
        trained.session(&How { pruner: None, axes: &axes, limits: Limits::default() }).expect("a session");
    session.parse(&tokens, &mut NoClock).expect("answers")
}

#[test]
fn exact_searches_agree_and_are_no_worse_than_others() {
    for templates in ["huang-sagae", "edge-factored"] {
        let trained = trained(&*system(templates, "maxent"), 2);
        let best = answers(&*trained, "dp-best-first");
        assert!(best.iter().all(|answer| answer.proof == Proof::Optimal && answer.bound == answer.score));
        let scores = |answers: &[Answer]| answers.iter().map(|answer| answer.score).collect::<Vec<_>>();
        for search in ["dp-best-first-lazy", "dp-a-star", "best-first", "dp-beam=1000"] {
            assert_eq!(scores(&answers(&*trained, search)), scores(&best), "{templates}, {search}");
        }
        let states = |answers: &[Answer]| answers.iter().filter_map(|a| a.effort.get(Count::States)).sum::<u64>();
        assert!(states(&answers(&*trained, "dp-a-star")) <= states(&best));
        assert!(states(&best) <= states(&answers(&*trained, "best-first")));
        for search in ["greedy", "beam=2", "dp-beam=2", "best-first+queue=2", "dp-best-first+states=20"] {
            let others = answers(&*trained, search);
            assert!(others.iter().zip(&best).all(|(other, best)| other.score <= best.score), "{search}");
            assert!(others.iter().all(|answer| answer.tree.is_some() && answer.effort.get(Count::DpCalls).is_none()));
        }
    }
}

#[test]
fn models_are_the_same_for_any_number_of_threads_and_are_read_as_they_were_written() {
    for learner in ["maxent", "maxent+penalty=0.1", "perceptron", "perceptron-early+beam=4", "random"] {
        let system = system("huang-sagae", learner);
        let one = trained(&*system, 1);
        let bytes = saved(&*one);
        for threads in [2, 7] {
            assert!(saved(&*trained(&*system, threads)) == bytes, "{learner}, {threads} threads");
        }
        let mut from = BytesReader::new(&bytes);
        let again = system.load(&mut from).expect("a model");
        from.end().expect("all bytes are read");
        assert!(saved(&*again) == bytes, "{learner}");
        let heads = |trained: &dyn Trained| {
            answers(trained, "dp-beam=4").into_iter().map(|answer| answer.tree).collect::<Vec<_>>()
        };
        assert_eq!(heads(&*one), heads(&*again), "{learner}");
        let (_, dev) = sentences();
        let right = |(answer, sentence): (Option<Tree>, &Sentence)| {
            let pairs =
                answer.iter().zip(&sentence.gold).flat_map(|(tree, gold)| tree.heads().iter().zip(gold.heads()));
            pairs.filter(|(head, gold)| head == gold).count()
        };
        if learner == "random" {
            assert!(one.passes().is_empty());
            continue;
        }
        let right: usize = heads(&*one).into_iter().zip(&dev).map(right).sum();
        let words: usize = dev.iter().map(Sentence::len).sum();
        assert!(2 * right > words, "{learner}: {right} of {words} heads are right");
        assert_eq!(one.passes().iter().filter(|pass| pass.chosen).count(), 1);
    }
}

#[test]
fn a_perceptron_is_parsed_with_beams_alone() {
    let trained = trained(&*system("huang-sagae", "perceptron"), 2);
    let axes = values(&[("search", "dp-best-first")]);
    let session = trained.session(&How { pruner: None, axes: &axes, limits: Limits::default() });
    let message = session.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(message.contains("a beam with a perceptron"), "{message}");
    assert!(answers(&*trained, "dp-beam=8").iter().all(|answer| answer.effort.get(Count::Cost).is_none()));
}

/// Costs of arcs are what their probabilities under the pruner, which is a first-order model, lack of 1, in millionths. Both searches
/// are exact, so they agree on every sentence.
#[test]
#[ignore = "slow: every sentence of two treebanks"]
fn search_over_costs_of_arcs_agrees_with_the_first_order_program_on_every_sentence_of_treebanks() {
    for name in ["en_ewt", "zh_gsd"] {
        let Some(folder) = crate::at_hand::treebank(name) else { continue };
        let read = |part: &str| conll::read_gold(&folder.join(part)).expect("a treebank");
        let all: Vec<Sentence> = ["train.conllu", "dev.conllu", "test.conllu"].into_iter().flat_map(read).collect();
        let trees: Vec<Tree> =
            all[..1_000].iter().map(|s| projectivize(s.gold.as_ref().expect("a tree"), Roots::One)).collect();
        let pairs: Vec<_> = all.iter().zip(&trees).collect();
        let templates = TemplateSet::built_in("pruner").expect("built in").expect("sound");
        let schedule = Schedule { epochs: 2, rate: 0.1, seed: 1, method: Default::default() };
        let (pruner, _) = pruning::train(&templates, &pairs, schedule, Rule::Best(5)).expect("memory");
        let search = Search::parse("dp-best-first").expect("a search");
        all.par_iter().for_each_init(
            || (PrunerScratch::default(), Memory::default()),
            |(scratch, memory), sentence| {
                let words = sentence.len();
                let marginals = pruner.marginals(&sentence.tokens, scratch);
                let costs: Vec<i64> = marginals.iter().map(|&p| (1e6 * (1.0 - p)) as i64).collect();
                let mut arcs = ArcScores::new(words);
                for m in 1..=words {
                    for h in (0..=words).filter(|&h| h != m) {
                        arcs.set(Word::new(h), Word::new(m), -costs[h * (words + 1) + m]);
                    }
                }
                let (_, best) = first_order::decode(&arcs).expect("a tree");
                let found = search.run(&mut ArcCosts::new(words as u32, costs), memory);
                assert_eq!((found.end, i128::from(-found.cost)), (End::Optimal, best), "{}", sentence.place);
            },
        );
    }
}
