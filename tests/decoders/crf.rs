//! CRFs against their definition: the likelihood and its gradient by enumeration of all trees and by finite differences, and
//! the same weights from any number of threads.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use crate::common::{Draw, random_tree};
use treebound::decode::brute::for_each_tree;
use treebound::decode::{Backbone, DpError};
use treebound::features::groups::Folding;
use treebound::features::parts::BetweenWords;
use treebound::features::{Family, PartList, TemplateGroups, TemplateSet, Views};
use treebound::graph::{TreeArcs, tree_score};
use treebound::learn::crf::lbfgs::{Objective, Settings, Step};
use treebound::learn::crf::objective::Likelihood;
use treebound::learn::crf::stochastic::{Descent, Stochastic};
use treebound::learn::crf::{self, Features, Task, UNIT};
use treebound::learn::mira;
use treebound::learn::online::{Example, Mover, Online};
use treebound::model::build::{Builder, TreeParts};
use treebound::model::{Model, Roots, kinds_wanted, scored_families};
use treebound::pruning::{Candidates, Rule};
use treebound::treebank::synth::{Config, generate};
use treebound::treebank::{Sentence, Tree};
use treebound::weights::contexts::Weights;
use treebound::weights::contexts::for_each_context;
use treebound::weights::contexts::{Context, Entry, Table};

const C: f64 = 2.5;
const TASK_OF_ALL: Task = Task { features: Features::All, ..TASK };
const TASK: Task = Task {
    c: C,
    charge: 0.0,
    features: Features::Gold,
    roots: Roots::One,
    descent: Settings { history: 5, iterations: 60, tolerance: 1e-4 },
};

/// Sentences with trees; every other one lacks some arcs.
struct Text {
    sentences: Vec<Sentence>,
    trees: Vec<Tree>,
    kept: Vec<Candidates>,
}

impl Text {
    /// `many` beginnings of sentences, of up to so many words. Of those of an odd number the trees may have several words on
    /// the root, if `roots` says so.
    fn new(many: usize, longest: usize, roots: Roots) -> Self {
        let treebank = generate(&Config { train: many, dev: 1, test: 1, ..Config::default() }).expect("valid settings");
        let mut draw = Draw::new(7);
        let (mut sentences, mut trees) = (treebank.train, Vec::new());
        for (i, sentence) in sentences.iter_mut().enumerate() {
            sentence.tokens.truncate(2 + i % (longest - 1));
            trees.push(random_tree(&mut draw, sentence.tokens.len(), roots == Roots::One || i % 2 == 0));
            sentence.gold = trees.last().cloned();
        }
        let mut kept = vec![Candidates::default(); sentences.len()];
        for (i, (kept, (sentence, tree))) in kept.iter_mut().zip(sentences.iter().zip(&trees)).enumerate() {
            kept.fill(Rule::None, sentence.len(), &[]);
            let mut arc = 0;
            kept.arcs.retain(|_| {
                arc += 1;
                i % 2 == 0 || arc % 3 != 0
            });
            kept.add(tree.heads(), &[]);
        }
        Self { sentences, trees, kept }
    }

    fn examples(&self) -> Vec<Example<'_>> {
        let pairs = self.sentences.iter().zip(&self.trees).zip(&self.kept);
        pairs.map(|((sentence, tree), candidates)| Example { sentence, tree, candidates }).collect()
    }
}

/// A set of templates over a program.
#[derive(Clone)]
struct Setting {
    templates: TemplateSet,
    families: Vec<Family>,
    backbone: Backbone,
    roots: Roots,
}

impl Setting {
    fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for (set, roots) in [("compact", Roots::One), ("ma-zhao", Roots::One), ("ma-zhao", Roots::Several)] {
            for backbone in Backbone::ALL {
                let templates = TemplateSet::built_in(set).expect("built in").expect("sound");
                all.push(Self { templates, families: scored_families(&[], backbone), backbone, roots });
            }
        }
        all
    }

    fn task(&self, task: Task) -> Task {
        Task { roots: self.roots, ..task }
    }

    fn template_groups(&self) -> TemplateGroups {
        TemplateGroups::new(&self.templates, |kind| kinds_wanted(&self.families, self.backbone, kind), Folding::All)
    }
}

/// Coefficients that are whole numbers of the model's unit, neither large nor all alike.
fn coefficients(len: usize) -> Vec<f64> {
    (0..len as u64).map(|i| ((i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50) as f64 - 8192.0) / UNIT as f64).collect()
}

/// Features' squared lengths and the value by the parser's own scores of every tree; expected less gold counts by context.
fn by_enumeration(setting: &Setting, text: &Text, entries: Vec<Entry>, charge: f64) -> (f64, BTreeMap<Context, f64>) {
    let template_groups = setting.template_groups();
    let model = Model::new(setting.templates.clone(), &[], setting.backbone, Folding::All, entries).expect("memory");
    let mut builder = Builder::default();
    let (mut parts, mut between, mut views) = (TreeParts::default(), BetweenWords::default(), Views::default());
    let (mut value, mut counts) = (0.0, BTreeMap::new());
    for Example { sentence, tree, candidates } in text.examples() {
        let tokens = &sentence.tokens;
        builder
            .build(model.template_groups(), &setting.families, model.weights(), tokens, &candidates.arcs, setting.roots)
            .expect("a small graph");
        let graph = builder.graph();
        let mut trees: Vec<(Tree, f64)> = Vec::new();
        let mut arcs = TreeArcs::default();
        for_each_tree(graph, |heads| {
            assert!(arcs.find(&graph.space, heads));
            let wrong = heads.iter().zip(tree.heads()).filter(|(found, gold)| found != gold).count();
            let score = tree_score(graph, &arcs) as f64 / UNIT as f64 + charge * wrong as f64;
            trees.push((Tree::new(heads.to_vec()).expect("a tree"), score));
        });
        let z: f64 = trees.iter().map(|(_, score)| score.exp()).sum();
        let gold = trees.iter().find(|(of, _)| of == tree).expect("the gold tree").1;
        value += z.ln() - gold;
        views.fill(&template_groups, tokens);
        let mut count = |of: &Tree, by: f64| {
            parts.fill(&template_groups, &setting.families, tokens, of, &mut between);
            for &(kind, part) in &parts.parts {
                let mut list = PartList::default();
                list.push(part, 0);
                let kind = template_groups.kind(kind).expect("a kind that is wanted");
                for_each_context(kind, &views, &list, |seen| *counts.entry(seen.context).or_insert(0.0) += by);
            }
        };
        trees.iter().for_each(|(of, score)| count(of, score.exp() / z));
        count(tree, -1.0);
    }
    (value, counts)
}

#[test]
fn value_and_gradient_are_those_of_all_trees() {
    let tasks = [TASK, TASK_OF_ALL, Task { charge: 1.5, ..TASK_OF_ALL }];
    for (setting, task) in Setting::all().into_iter().flat_map(|s| tasks.map(|task| (s.clone(), task))) {
        let text = Text::new(20, 5, setting.roots);
        let (template_groups, examples, task) = (setting.template_groups(), text.examples(), setting.task(task));
        let (mut likelihood, known) =
            Likelihood::new(&template_groups, setting.backbone, &examples, task).expect("small graphs");
        let x = coefficients(likelihood.dimensions());
        let (mut gradient, mut weights) = (vec![0.0; x.len()], vec![0.0; x.len()]);
        let value = likelihood.value(&x, &mut gradient, &mut vec![0.0; x.len()]);
        likelihood.metric(&x, &mut weights);
        let mut entries: Vec<Entry> = known
            .iter()
            .zip(&x)
            .map(|(known, x)| Entry { context: known.context, weight: (x * UNIT as f64) as i32 })
            .collect();
        entries.sort_unstable();
        let (truth, counts) = by_enumeration(&setting, &text, entries, task.charge);
        let length: f64 = x.iter().zip(&weights).map(|(x, w)| x * w).sum();
        let truth = truth + length / (2.0 * C);
        assert!((value - truth).abs() <= 1e-10 * truth.abs(), "{value} {truth}");
        let of_all: BTreeSet<Context> = known.iter().map(|known| known.context).collect();
        assert_eq!(counts.keys().all(|context| of_all.contains(context)), task.features == Features::All);
        for ((known, g), x) in known.iter().zip(&gradient).zip(&x) {
            let truth = counts.get(&known.context).copied().unwrap_or(0.0) + x / C;
            assert!((g - truth).abs() <= 1e-10 * truth.abs().max(1.0), "{g} {truth}");
        }
    }
}

/// A step by batches goes down the gradient, each part rounded to whole numbers.
#[test]
fn steps_by_batches_are_those_of_all_trees() {
    let whole_step = mira::UNIT as f64;
    for (setting, charge) in Setting::all().into_iter().flat_map(|s| [(s.clone(), 0.0), (s, 1.5)]) {
        let text = Text::new(20, 5, setting.roots);
        let (template_groups, examples, task) = (setting.template_groups(), text.examples(), setting.task(TASK_OF_ALL));
        let (likelihood, known) =
            Likelihood::new(&template_groups, setting.backbone, &examples, task).expect("small graphs");
        // Weights that are whole numbers of either unit.
        let x = coefficients(likelihood.dimensions()).into_iter().map(|x| (x * whole_step).floor() as i32);
        let entries_of = |one: i32| {
            let weights = known.iter().zip(x.clone());
            let mut entries: Vec<Entry> =
                weights.map(|(known, x)| Entry { context: known.context, weight: x * one }).collect();
            entries.sort_unstable();
            entries
        };
        let table = Table::build(&entries_of(1)).expect("memory");
        let truth = by_enumeration(&setting, &text, entries_of((UNIT / mira::UNIT) as i32), charge);
        let descent = Descent { batch: 1, rate: 1.0, charge };
        let mut mover = Stochastic::new(&template_groups, &setting.families, setting.backbone, setting.roots, descent);
        let (mut loss, mut counts, mut found) = (0.0, BTreeMap::new(), Vec::new());
        for example in &examples {
            loss += mover.find(Weights::changing(&table), example, &mut found).expect("a small graph");
            for moved in &found {
                *counts.entry(moved.context).or_insert(0.0) -= f64::from(moved.count) / whole_step;
            }
        }
        assert!((loss - truth.0).abs() <= 1e-10 * truth.0.abs(), "{loss} {}", truth.0);
        for (context, truth) in &truth.1 {
            // At most half a unit a part, of which a context here has no more than some hundred.
            let found = counts.remove(context).unwrap_or(0.0);
            assert!((found - truth).abs() <= 100.0 / whole_step, "{found} {truth}");
        }
        assert!(counts.is_empty(), "all that moves is in the graphs' trees");
    }
}

#[test]
fn the_gradient_is_that_of_finite_differences() {
    for setting in Setting::all() {
        let text = Text::new(20, 9, setting.roots);
        let (template_groups, examples, task) = (setting.template_groups(), text.examples(), setting.task(TASK_OF_ALL));
        let (mut likelihood, _) =
            Likelihood::new(&template_groups, setting.backbone, &examples, task).expect("small graphs");
        let x = coefficients(likelihood.dimensions());
        let (mut gradient, mut metric) = (vec![0.0; x.len()], vec![0.0; x.len()]);
        likelihood.value(&x, &mut gradient, &mut vec![0.0; x.len()]);
        likelihood.metric(&gradient, &mut metric);
        for shift in 1..4 {
            let direction: Vec<f64> = (0..x.len()).map(|i| x[(i + 31 * shift) % x.len()]).collect();
            let slope: f64 = direction.iter().zip(&metric).map(|(d, m)| d * m).sum();
            let mut at = |step: f64| {
                let x: Vec<f64> = x.iter().zip(&direction).map(|(x, d)| x + step * d).collect();
                likelihood.value(&x, &mut gradient, &mut vec![0.0; x.len()])
            };
            // Of the fourth order.
            let step = 1e-3;
            let found = (8.0 * (at(step) - at(-step)) - (at(2.0 * step) - at(-2.0 * step))) / (12.0 * step);
            assert!((found - slope).abs() <= 1e-6 * slope.abs().max(1.0), "{found} {slope}");
        }
    }
}

/// Bytes of the weights, and every step, from any number of threads.
#[test]
fn threads_leave_no_trace() {
    for setting in Setting::all() {
        let text = Text::new(30, 9, setting.roots);
        let (template_groups, examples, task) = (setting.template_groups(), text.examples(), setting.task(TASK));
        let learn = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let mut steps: Vec<Step> = Vec::new();
            let field = pool.install(|| {
                crf::learn(&template_groups, setting.backbone, &examples, task, |step| steps.push(step))
                    .expect("small weights")
            });
            (field, steps)
        };
        let (field, steps) = learn(1);
        let last = steps.last().expect("a step");
        assert!(steps.len() > 5 && last.value < 0.5 * steps[0].value, "{steps:?}");
        assert!((field.value_of_whole_numbers - last.value).abs() < 1e-3 * last.value);
        for threads in [2, 7] {
            let (other, other_steps) = learn(threads);
            assert_eq!((&field.entries, &steps), (&other.entries, &other_steps));
            assert_eq!(field.value_of_whole_numbers.to_bits(), other.value_of_whole_numbers.to_bits());
        }
    }
}

/// The same by batches, whose sentences share movers: more of them than movers, and fewer.
#[test]
fn threads_leave_no_trace_on_steps_by_batches() {
    for setting in Setting::all() {
        let text = Text::new(12, 7, setting.roots);
        let (template_groups, examples) = (setting.template_groups(), text.examples());
        let learn = |threads: usize, batch: usize| {
            let descent = Descent { batch, rate: 0.002, charge: 1.0 };
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| {
                let online = Online::new(&template_groups, &setting.families, mira::UNIT, 3).expect("memory");
                let mut online = online.with_roots(setting.roots);
                let mover =
                    || Stochastic::new(&template_groups, &setting.families, setting.backbone, setting.roots, descent);
                let movers: Vec<_> = (0..threads).map(|_| Mutex::new(mover())).collect();
                let pass = |_| online.pass_of_batches::<_, DpError>(&examples, batch, &movers).expect("small graphs");
                let losses = [0; 2].map(pass);
                (losses, online.average().expect("small weights"))
            })
        };
        let [of_one, of_four, of_all] = [1, 4, 100].map(|batch| {
            let (losses, entries) = learn(1, batch);
            assert!(losses.is_sorted_by(|a, b| a > b), "{losses:?}");
            for threads in [2, 7] {
                assert_eq!(learn(threads, batch), (losses, entries.clone()));
            }
            entries
        });
        assert!(of_one != of_four && of_four != of_all, "a batch is one set of weights");
    }
}

/// Of two words one arrangement is seen three times, the other once: with no penalty to speak of the field learns that, and
/// with a large one next to nothing.
#[test]
fn a_field_learns_how_often_trees_are_seen() {
    let sentence = Text::new(1, 2, Roots::One).sentences.remove(0);
    assert_eq!(sentence.len(), 2);
    let words = |heads: [u32; 2]| Tree::new(heads.into_iter().map(treebound::graph::Word).collect()).expect("a tree");
    let (often, once) = (words([0, 1]), words([2, 0]));
    let mut all = Candidates::default();
    all.fill(Rule::None, 2, &[]);
    let text = Text {
        sentences: vec![sentence.clone(); 4],
        trees: vec![often.clone(), often.clone(), once, often.clone()],
        kept: vec![all.clone(); 4],
    };
    let setting = &Setting::all()[0];
    let template_groups = setting.template_groups();
    let chance = |c: f64| {
        let task = Task { c, descent: Settings { tolerance: 1e-9, ..TASK.descent }, ..TASK };
        let field = crf::learn(&template_groups, setting.backbone, &text.examples(), task, |_| {}).expect("weights");
        let model = Model::new(setting.templates.clone(), &[], setting.backbone, Folding::All, field.entries);
        let model = model.expect("memory");
        let mut builder = Builder::default();
        builder
            .build(
                model.template_groups(),
                &setting.families,
                model.weights(),
                &sentence.tokens,
                &all.arcs,
                setting.roots,
            )
            .expect("a small graph");
        let graph = builder.graph();
        let mut arcs = TreeArcs::default();
        let mut weight = |tree: &Tree| {
            assert!(arcs.find(&graph.space, tree.heads()));
            (tree_score(graph, &arcs) as f64 / UNIT as f64).exp()
        };
        let (often, once) = (weight(&often), weight(&words([2, 0])));
        often / (often + once)
    };
    assert!((chance(1e6) - 0.75).abs() < 1e-3, "{}", chance(1e6));
    assert!((chance(1e-6) - 0.5).abs() < 1e-3, "{}", chance(1e-6));
}

/// A tree with two words on the root is none of a space that wants one: it teaches nothing, and the rest is learnt. Where
/// several may hang there it teaches like any other.
#[test]
fn what_is_no_tree_teaches_nothing() {
    let mut text = Text::new(20, 6, Roots::One);
    let at = 3;
    let setting = &Setting::all()[0];
    let template_groups = setting.template_groups();
    let at_zero = |text: &Text, roots: Roots| {
        let (examples, task) = (text.examples(), Task { roots, ..TASK_OF_ALL });
        let (mut likelihood, _) =
            Likelihood::new(&template_groups, setting.backbone, &examples, task).expect("small graphs");
        let x = vec![0.0; likelihood.dimensions()];
        likelihood.value(&x, &mut vec![0.0; x.len()], &mut vec![0.0; x.len()])
    };
    let mut without = Text::new(20, 6, Roots::One);
    without.sentences.remove(at);
    without.trees.remove(at);
    without.kept.remove(at);
    let flat = Tree::new(vec![treebound::graph::Word(0); text.sentences[at].len()]).expect("a tree");
    text.kept[at].add(flat.heads(), &[]);
    text.trees[at] = flat;
    assert_eq!(at_zero(&text, Roots::One), at_zero(&without, Roots::One));
    assert!(at_zero(&text, Roots::Several) > at_zero(&without, Roots::Several));
}
