//! Learning that does not start from nothing, or not with all features: units, what stays, what there is, and artifacts.

use std::collections::{BTreeMap, BTreeSet};

use crate::desk::Desk;
use treebound::cell::{FeatureSet, Method};
use treebound::decode::bnb::Limits;
use treebound::decode::{self, Backbone, Decoder};
use treebound::features::groups::Folding;
use treebound::features::parts::BetweenWords;
use treebound::features::{Family, Kind, PartList, TemplateGroups, TemplateSet, Views};
use treebound::learn::crf::Features;
use treebound::learn::online::{Example, Online, Predicted, Steps};
use treebound::learn::{crf, mira};
use treebound::model::build::{Builder, TreeParts};
use treebound::model::{Model, Roots, kinds_wanted, projectivize};
use treebound::pruning::{self, Candidates, Rule};
use treebound::systems::graph::{ChooseEpoch, CrfSchedule, GraphSystem, NonlocalFeatures, Schedule, Share, Start};
use treebound::systems::{Pruned, Task, TrainingPart};
use treebound::treebank::synth::{Config, generate};
use treebound::treebank::{Punctuation, Sentence, Tree};
use treebound::weights::contexts::Weights;
use treebound::weights::contexts::for_each_context;
use treebound::weights::contexts::{Context, Entry, Table};

const BACKBONE: Backbone = Backbone::Carreras;
const MIRA: Steps = Steps::Mira { aggressiveness: 0.05 };

/// Sentences with trees, all arcs kept.
struct Text {
    sentences: Vec<Sentence>,
    trees: Vec<Tree>,
    kept: Vec<Candidates>,
}

impl Text {
    fn new() -> Self {
        let treebank = generate(&Config { train: 120, dev: 1, test: 1, ..Config::default() }).expect("valid settings");
        let sentences: Vec<Sentence> = treebank.train.into_iter().filter(|s| s.len() <= 12).collect();
        let trees: Vec<Tree> =
            sentences.iter().map(|s| projectivize(s.gold.as_ref().expect("a tree"), Roots::One)).collect();
        let mut kept = vec![Candidates::default(); sentences.len()];
        kept.iter_mut().zip(&sentences).for_each(|(c, s)| c.fill(Rule::None, s.len(), &[]));
        Self { sentences, trees, kept }
    }

    fn examples(&self) -> Vec<Example<'_>> {
        let pairs = self.sentences.iter().zip(&self.trees).zip(&self.kept);
        pairs.map(|((sentence, tree), candidates)| Example { sentence, tree, candidates }).collect()
    }
}

fn templates() -> TemplateSet {
    TemplateSet::built_in("compact").expect("built in").expect("sound")
}

fn template_groups(families: &[Family], folding: Folding) -> TemplateGroups {
    TemplateGroups::new(&templates(), |kind| kinds_wanted(families, BACKBONE, kind), folding)
}

fn all() -> TemplateGroups {
    template_groups(&Family::ALL, Folding::All)
}

fn by_sight(entries: &[Entry]) -> BTreeMap<Context, i32> {
    entries.iter().map(|e| (e.context, e.weight)).collect()
}

/// The contexts that have a weight.
fn weighted(entries: &[Entry]) -> BTreeSet<Context> {
    entries.iter().filter(|e| e.weight != 0).map(|e| e.context).collect()
}

fn of_baseline(kind: Kind) -> bool {
    kinds_wanted(&[], BACKBONE, kind)
}

fn pass(online: &mut Online, text: &Text, steps: Steps, decoder: Decoder) {
    let mut scratch = decode::Scratch::default();
    let limits = Limits { dp_calls: Some(20), ..Limits::default() };
    online
        .pass(&text.examples(), steps, |graph, prior| {
            decoder.decode(graph, BACKBONE, prior, limits, &mut scratch).map(Predicted::from)
        })
        .expect("a pass");
}

/// The averaged baseline, and what is a weight of 1 in it.
fn baseline(text: &Text, steps: Steps) -> (Vec<Entry>, i64) {
    let template_groups = template_groups(&[], Folding::All);
    let mut online = Online::new(&template_groups, &[], steps.unit(), 1).expect("memory");
    // One pass only, so that mistakes are left to learn from.
    pass(&mut online, text, steps, Decoder::Dp);
    let one = if steps == Steps::Perceptron { text.sentences.len() as i64 } else { mira::AVERAGE_UNIT };
    (online.average().expect("small sums"), one)
}

/// What template groups see of trees.
fn seen(
    template_groups: &TemplateGroups,
    families: &[Family],
    text: &Text,
    of: impl Fn(Kind) -> bool,
) -> BTreeSet<Context> {
    let (mut parts, mut between) = (TreeParts::default(), BetweenWords::default());
    let (mut views, mut contexts) = (Views::default(), BTreeSet::new());
    for (sentence, tree) in text.sentences.iter().zip(&text.trees) {
        views.fill(template_groups, &sentence.tokens);
        parts.fill(template_groups, families, &sentence.tokens, tree, &mut between);
        for &(kind, part) in parts.parts.iter().filter(|(kind, _)| of(*kind)) {
            let mut list = PartList::default();
            list.push(part, 0);
            let kind = template_groups.kind(kind).expect("a kind that is wanted");
            for_each_context(kind, &views, &list, |seen| {
                contexts.insert(seen.context);
            });
        }
    }
    contexts
}

/// Local scores of all sentences, and the factors that score.
fn graphs(
    template_groups: &TemplateGroups,
    families: &[Family],
    table: &Table,
    text: &Text,
    mut builder: Builder,
) -> (Vec<i64>, Vec<i64>) {
    let (mut local, mut factors) = (Vec::new(), Vec::new());
    for Example { sentence, candidates, .. } in text.examples() {
        let weights = Weights { table, cache: None };
        let graph = builder
            .build(template_groups, families, weights, &sentence.tokens, &candidates.arcs, Roots::One)
            .expect("all arcs");
        local.extend(graph.local.arc.iter().chain(&graph.local.sibling).chain(&graph.local.grandchild));
        factors.extend(graph.factors.iter().map(|(_, _, score)| score));
    }
    (local, factors)
}

/// Before the first pass a parser that starts from the baseline has its scores, in the learner's own unit, and no other.
#[test]
fn the_start_is_the_baseline() {
    let text = Text::new();
    for steps in [Steps::Perceptron, MIRA] {
        let (entries, one) = baseline(&text, steps);
        let all = all();
        let mut online = Online::new(&all, &Family::ALL, steps.unit(), 1).expect("memory");
        online.start_from(&entries, one).expect("memory");
        let (local, factors) = graphs(&all, &Family::ALL, online.table(), &text, Builder::default());
        let own = Model::new(templates(), &[], BACKBONE, Folding::All, entries).expect("memory");
        let (wanted, _) = graphs(own.template_groups(), &[], own.weights().table, &text, Builder::default());
        assert_eq!(local.len(), wanted.len());
        assert!(wanted.iter().any(|&score| score != 0) && factors.is_empty());
        for (score, wanted) in local.iter().zip(&wanted) {
            let [score, wanted] = [*score as f64 / mira::UNIT as f64, *wanted as f64 / one as f64];
            // Hundreds of weights are rounded to 2^-14 each.
            assert!((score - wanted).abs() < 0.02, "{steps:?}: {score} {wanted}");
        }
    }
}

/// The average is over all weights, those that the start brought too, from the first pass on.
#[test]
fn fixed_weights_stay_and_the_others_learn() {
    let text = Text::new();
    for steps in [Steps::Perceptron, MIRA] {
        let (entries, one) = baseline(&text, steps);
        let all = all();
        let learnt = |fixed: bool| {
            let mut online = Online::new(&all, &Family::ALL, steps.unit(), 1).expect("memory");
            online.start_from(&entries, one).expect("memory");
            if fixed {
                online.fix(of_baseline);
            }
            pass(&mut online, &text, steps, Decoder::Bnb);
            by_sight(&online.average().expect("small sums"))
        };
        let as_average = |weight: i32| f64::from(weight) / one as f64 * mira::AVERAGE_UNIT as f64;
        let rounding = (mira::AVERAGE_UNIT / mira::UNIT) as f64;
        let (fixed, moved) = (learnt(true), learnt(false));
        let stays = |weights: &BTreeMap<Context, i32>| {
            entries.iter().all(|e| (f64::from(weights[&e.context]) - as_average(e.weight)).abs() <= rounding)
        };
        assert!(stays(&fixed), "{steps:?}: fixed");
        assert!(!stays(&moved), "{steps:?}: moved");
        let known: BTreeSet<Context> = entries.iter().map(|e| e.context).collect();
        let others = fixed.keys().filter(|context| !known.contains(context)).copied().collect::<BTreeSet<_>>();
        let local = seen(&all, &Family::ALL, &text, of_baseline);
        assert!(!others.is_empty() && others.is_disjoint(&local), "{steps:?}: only non-local kinds learn");
    }
}

/// The graph system knows what a weight of 1 is in its baseline, whichever passes that averaged and chose, and however
/// much of the training part it saw.
#[test]
fn the_system_starts_from_the_chosen_average() {
    let text = Text::new();
    let train =
        TrainingPart { sentences: text.sentences.clone(), trees: text.trees.clone(), ..TrainingPart::default() };
    let pairs: Vec<_> = text.sentences.iter().zip(&text.trees).collect();
    let schedule = pruning::Schedule { epochs: 1, rate: 0.02, seed: 1, method: Default::default() };
    let of_pruner = TemplateSet::built_in("pruner").expect("built in").expect("sound");
    let (pruner, kept) = pruning::train(&of_pruner, &pairs, schedule, Rule::Best(4)).expect("memory");
    let pruned = Pruned { pruner, kept };
    let punctuation = Punctuation::parse("none").expect("a rule");
    let task = Task {
        train: &train,
        dev: &text.sentences,
        gold_dev: &text.sentences,
        punctuation: &punctuation,
        pruned: Some(&pruned),
        baseline: None,
        seed: 1,
    };
    let crf = CrfSchedule {
        c: 1.0,
        charge: 0.0,
        features: Features::Gold,
        tolerance: 0.01,
        iterations: 20,
        history: 5,
        batches: None,
    };
    for method in [Method::Perceptron, Method::Mira, Method::Crf] {
        let schedule = Schedule {
            method,
            aggressiveness: 0.01,
            kbest: 1,
            crf: (method == Method::Crf).then_some(crf),
            epochs: 3,
            average_from: 2,
            choose_epoch: ChooseEpoch::Dev,
            sentences: Share::new(0.25).expect("a share"),
            start: Start::BaselineFixed,
            nonlocal_features: NonlocalFeatures::Seen,
            roots: Roots::One,
            trees: Default::default(),
            longest: None,
            pruning: Rule::Best(4),
            decoder: Decoder::Bnb,
            limits: Limits { dp_calls: Some(10), ..Limits::default() },
        };
        let system = |set| GraphSystem {
            templates: templates(),
            schedule: schedule.clone(),
            set,
            backbone: BACKBONE,
            choice_limits: Limits { dp_calls: Some(10), ..Limits::default() },
            label_templates: None,
        };
        let parser = system(FeatureSet::new(vec![Family::Sibling]));
        assert!(parser.needs_baseline() && parser.learn(&task, &mut |_| {}).is_err());
        let baseline = system(FeatureSet::baseline()).learn(&task, &mut |_| {}).expect("a model");
        let learnt = parser.learnt(&baseline, &text.sentences);
        let chosen = baseline.passes.iter().position(|pass| pass.chosen).expect("a pass") as i64 + 1;
        let examples = text.sentences.len() as i64 / 4;
        let one = match method {
            Method::Perceptron => examples * (chosen - 1),
            Method::Mira => mira::AVERAGE_UNIT,
            Method::Crf => crf::UNIT,
        };
        assert_eq!(learnt.one, one, "{method:?}: pass {chosen}");
        let model = parser.learn(&Task { baseline: Some(learnt), ..task }, &mut |_| {}).expect("a model").model;
        let weights = by_sight(model.entries());
        assert!(!baseline.model.entries().is_empty(), "{method:?}");
        for Entry { context, weight } in baseline.model.entries() {
            // What is rounded to 0 need not be there.
            let found = f64::from(weights.get(context).copied().unwrap_or(0)) / mira::AVERAGE_UNIT as f64;
            let wanted = f64::from(*weight) / one as f64;
            assert!((found - wanted).abs() <= 1.0 / mira::UNIT as f64, "{method:?}: {found} {wanted}");
        }
    }
}

/// With local weights left at 0, all that is learnt is non-local.
#[test]
fn only_gold_features_are_there() {
    let text = Text::new();
    let all = template_groups(&Family::ALL, Folding::Local);
    let nonlocal = |kind| !of_baseline(kind);
    let gold = seen(&all, &Family::ALL, &text, nonlocal);
    for steps in [Steps::Perceptron, MIRA] {
        let learnt = |only_gold: bool| {
            let mut online = Online::new(&all, &Family::ALL, steps.unit(), 1).expect("memory");
            online.fix(of_baseline);
            if only_gold {
                online.learn_gold_only(&text.examples(), nonlocal).expect("memory");
            }
            (0..2).for_each(|_| pass(&mut online, &text, steps, Decoder::Bnb));
            // Guards say what there is, so graphs are those of all look-ups.
            let guarded = graphs(&all, &Family::ALL, online.table(), &text, Builder::default());
            let looked_up = graphs(&all, &Family::ALL, online.table(), &text, Builder::unguarded());
            assert!(guarded == looked_up && !guarded.1.is_empty(), "{steps:?}");
            weighted(&online.average().expect("small sums"))
        };
        let (any, chosen) = (learnt(false), learnt(true));
        assert!(!any.is_subset(&gold), "{steps:?}");
        assert!(chosen.len() > 100 && chosen.is_subset(&gold), "{steps:?}");
    }
}

#[test]
fn a_share_is_spread_evenly() {
    let share = |share: f64| Share::new(share).map(|share| (0..8).filter(|&i| share.has(i)).collect::<Vec<_>>());
    assert_eq!(share(1.0), Some((0..8).collect()));
    assert_eq!(share(0.5), Some(vec![1, 3, 5, 7]));
    assert_eq!(share(0.25), Some(vec![3, 7]));
    assert_eq!([0.0, -0.5, 1.1, f64::NAN, 1e-9].map(Share::new), [None; 5]);
    assert_eq!(Share::new(0.125).map(|share| share.to_string()).as_deref(), Some("0.125"));
}

const CONFIG: &str = r#"
[[corpus]]
name = "made"
format = "synthetic"

[corpus.synthetic]
seed = 3
train = 30
dev = 8
test = 8
vocabulary = 500

[pruner]
epochs = 1

[training]
epochs = 2
choose_epoch = "dev"
pruning = "k=4"
dp_calls = 10

[learner.perceptron-baseline]
start = "baseline"

[learner.perceptron-fixed]
start = "baseline-fixed"

[learner.perceptron-gold]
nonlocal_features = "gold"

[learner.perceptron-half]
sentences = 0.5

[learner.mira-baseline]
start = "baseline"

[learner.mira-fixed]
start = "baseline-fixed"
nonlocal_features = "gold"
sentences = 0.5

[decoding]
pruning = "k=4"
dp_calls = 20

[[grid]]
name = "main"
sets = "grandchild+sibling"
learners = [
    "perceptron", "perceptron-baseline", "perceptron-fixed", "perceptron-gold", "perceptron-half", "mira", "mira-baseline",
    "mira-fixed",
]
"#;

/// Each setting has a model of its own; baselines that are the same are one, and are trained once.
#[test]
fn artifacts_depend_on_what_decides_them() {
    let desk = Desk::new();
    desk.write("tiny.toml", CONFIG);
    let list = desk.treebound(&["check", "--cells", "tiny.toml", "--keys"]).success();
    let mut reader = csv::Reader::from_reader(list.as_bytes());
    let mut keys: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for row in reader.records() {
        let row = row.expect("a row");
        let (learner, set, key) = (&row[5], &row[6], &row[row.len() - 1]);
        keys.entry(key.to_owned()).or_default().insert(format!("{learner} {set}"));
    }
    let shared: Vec<usize> = keys.values().map(BTreeSet::len).filter(|&n| n > 1).collect();
    // Baselines: four perceptrons in one, a half of its own; two of MIRA in one, a half of its own.
    assert_eq!((keys.len(), shared.iter().sum::<usize>()), (8 + 4, 4 + 2), "{keys:?}");
    desk.treebound(&["run", "tiny.toml", "-q"]).success();
    let models = || {
        let files = desk.files("cache").into_keys().map(|name| name.to_string_lossy().into_owned());
        files.filter(|name| name.starts_with("model-")).count()
    };
    assert_eq!(models(), 12);
    // Training sentences are those that a model learnt from, not all that there are.
    let text = desk.read("results/tiny/training.csv");
    let mut training = csv::Reader::from_reader(text.as_bytes());
    let headers = training.headers().expect("headers").clone();
    let column = |name: &str| headers.iter().position(|header| header == name).expect(name);
    let (learner, sentences) = (column("learner"), column("sentences"));
    for row in training.records() {
        let row = row.expect("a row");
        let half = row[learner].ends_with("-half") || row[learner].ends_with("mira-fixed");
        assert_eq!(&row[sentences], if half { "15" } else { "30" }, "{row:?}");
    }
    // The same from an empty cache and the set alone: the baseline that it starts from is made beside it.
    let scores = desk.read("results/tiny/scores.csv");
    std::fs::remove_dir_all(desk.path("cache")).expect("removed");
    let filter = "/mira-fixed/grandchild.sibling/";
    desk.treebound(&["run", "tiny.toml", "-q", "-f", filter, "--out", "alone"]).success();
    let alone = desk.read("alone/results/tiny/scores.csv");
    let line = alone.lines().nth(1).expect("a row");
    assert!(scores.lines().any(|other| other == line), "{line}\n{scores}");
    assert_eq!(alone.lines().count(), 2);
}

#[test]
fn settings_are_checked_and_written_out() {
    let desk = Desk::new();
    desk.write("tiny.toml", CONFIG);
    let resolved = desk.treebound(&["check", "tiny.toml", "--resolved"]).success();
    for line in ["start = \"baseline-fixed\"", "nonlocal_features = \"gold\"", "sentences = 0.5"] {
        assert!(resolved.contains(line), "{line}\n{resolved}");
    }
    for (key, expected) in [
        ("training.start=\"base\"", "it can be `zero`, `baseline`, `baseline-fixed`"),
        ("training.nonlocal_features=\"all\"", "it can be `seen`, `gold`"),
        ("training.roots=\"two\"", "it can be `one`, `several`"),
        ("training.sentences=0", "lies above 0 and is at most 1"),
        ("training.sentences=2", "lies above 0 and is at most 1"),
        ("decoding.decoders=\"paper+fast\"", "each after a `+`"),
    ] {
        desk.treebound(&["check", "tiny.toml", "--set", key]).failure(&[expected]);
    }
}
