//! Small parsers, learnt from a few sentences, whose bytes are seeds.

use std::path::Path;
use std::sync::LazyLock;

use treebound::experiment::config;
use treebound::features::TemplateSet;
use treebound::model::{Roots, TrainedParser};
use treebound::pruning::{self, Rule};
use treebound::systems::graph::GraphSystem;
use treebound::systems::{Nonprojective, Pruned, Task, TrainingPart};
use treebound::tagger::{self, Tagger};
use treebound::treebank::{Punctuation, Sentence, Token, conll};

use crate::CONLL;

/// Few templates, so that seeds stay small.
const TEMPLATES: &str = r#"
[[pattern]]
name = "p"
words = "A:DET .. B ; go"
same = ["A B l"]
trees = ["A>B B>go"]
[[group]]
part = "arc"
variants = ["direction", "distance"]
templates = ["h.t m.t", "h.c m.c", "m.w"]
[[group]]
part = "sibling"
variants = ["direction"]
templates = ["h.t s.t m.t"]
[[group]]
part = "any-sibling"
variants = ["direction"]
templates = ["h.t m.t"]
"#;

const CONFIG: &str = r#"
[[corpus]]
name = "toy"
format = "conllu"
train = "a"
dev = "a"
test = "a"
[training]
epochs = 2
[features]
sets = "sibling"
[[grid]]
name = "main"
baseline = false
"#;

/// The sentences that all is learnt from.
pub fn sentences() -> Vec<Sentence> {
    conll::parse_gold(CONLL.as_bytes(), Path::new("seed")).expect("sentences")
}

/// The templates of the seeds.
pub fn templates() -> TemplateSet {
    TemplateSet::parse(TEMPLATES, "seed").expect("templates")
}

/// The system of the seeds, with these families.
pub fn system() -> GraphSystem {
    let config = config::parse(CONFIG, Path::new("no-such-folder/seed")).expect("a config");
    let grid = &config.grids[0];
    GraphSystem {
        templates: templates(),
        schedule: config.learners.values().next().expect("a learner").clone(),
        set: grid.graph.sets.first().expect("a set").clone(),
        backbone: grid.graph.backbones[0],
        choice_limits: Default::default(),
        label_templates: None,
    }
}

/// A pruner, what it keeps, and what a parser learns from.
pub fn pruned() -> (Pruned, TrainingPart) {
    let part = TrainingPart::new(&sentences(), Nonprojective::Projectivize, Roots::One);
    let pairs: Vec<_> = part.sentences.iter().zip(&part.trees).collect();
    let schedule = pruning::Schedule { epochs: 1, rate: 0.02, seed: 1, method: Default::default() };
    let (pruner, kept) = pruning::train(&templates(), &pairs, schedule, Rule::Best(3)).expect("a pruner");
    (Pruned { pruner, kept }, part)
}

/// A tagger.
pub fn tagger() -> Tagger {
    let sentences = sentences();
    let words: Vec<&[Token]> = sentences.iter().map(|sentence| &sentence.tokens[..]).collect();
    Tagger::train(&words, tagger::Schedule { epochs: 1, seed: 1 }).expect("a tagger")
}

static PUNCTUATION: LazyLock<Punctuation> = LazyLock::new(|| Punctuation::parse("ud").expect("a known one"));

/// What a system is given to learn from these sentences.
pub fn task<'a>(train: &'a TrainingPart, pruned: &'a Pruned) -> Task<'a> {
    Task { train, dev: &[], gold_dev: &[], punctuation: &PUNCTUATION, pruned: Some(pruned), baseline: None, seed: 1 }
}

/// A parser with a tagger or without.
pub fn parser(tagger: Option<Tagger>) -> TrainedParser {
    let (pruned, train) = pruned();
    let model = system().learn(&task(&train, &pruned), &mut |_| {}).expect("a model").model;
    TrainedParser { tagger, pruner: pruned.pruner, rule: Rule::Best(3), model, facts: Vec::new() }
}
