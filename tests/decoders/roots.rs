//! One or several words on the root: what a parser gives is the best of all trees that its model allows, found from the
//! definition of a tree and scored feature by feature. From config to text, models of both stand side by side.

use crate::common::{Draw, random_tree};
use crate::desk::{Desk, tiny};
use treebound::answer::NoClock;
use treebound::decode::bnb::Limits;
use treebound::decode::{self, Backbone, Decoder};
use treebound::features::groups::Folding;
use treebound::features::{Family, TemplateGroups, TemplateSet};
use treebound::graph::Word;
use treebound::learn::online::{Example, Online, Predicted, Steps};
use treebound::model::explain::Explanation;
use treebound::model::explain::contributions;
use treebound::model::{Model, Parser, Roots, Scratch, kinds_wanted, projectivize, scored_families};
use treebound::pruning::{self, Candidates, Pruner, Rule};
use treebound::treebank::synth::{Config, generate};
use treebound::treebank::{Sentence, Tree, conll};

/// Beginnings of sentences, with random trees of which every other one has one word on the root.
struct Text {
    sentences: Vec<Sentence>,
    trees: Vec<Tree>,
}

impl Text {
    fn new(many: usize, longest: usize) -> Self {
        let treebank = generate(&Config { train: many, dev: 1, test: 1, ..Config::default() }).expect("valid settings");
        let (mut sentences, mut draw) = (treebank.train, Draw::new(3));
        for (i, sentence) in sentences.iter_mut().enumerate() {
            sentence.tokens.truncate(2 + i % (longest - 1));
            sentence.gold = Some(random_tree(&mut draw, sentence.tokens.len(), i % 2 == 0));
        }
        let trees = sentences.iter().filter_map(|sentence| sentence.gold.clone()).collect();
        Self { sentences, trees }
    }

    fn pruner(&self) -> Pruner {
        let set = TemplateSet::built_in("pruner").expect("built in").expect("sound");
        let one: Vec<Tree> = self.trees.iter().map(|tree| projectivize(tree, Roots::One)).collect();
        let pairs: Vec<_> = self.sentences.iter().zip(&one).collect();
        let schedule = pruning::Schedule { epochs: 1, rate: 0.02, seed: 1, method: Default::default() };
        pruning::train(&set, &pairs, schedule, Rule::None).expect("memory").0
    }

    /// A perceptron, not far from where it began.
    fn model(&self, families: &[Family], backbone: Backbone, roots: Roots) -> Model {
        let families = scored_families(families, backbone);
        let templates = TemplateSet::built_in("compact").expect("built in").expect("sound");
        let template_groups =
            TemplateGroups::new(&templates, |kind| kinds_wanted(&families, backbone, kind), Folding::All);
        let mut kept = vec![Candidates::default(); self.sentences.len()];
        kept.iter_mut().zip(&self.sentences).for_each(|(kept, s)| kept.fill(Rule::None, s.len(), &[]));
        let examples: Vec<Example> = (self.sentences.iter().zip(&self.trees).zip(&kept))
            .filter(|((_, tree), _)| roots.allow_tree(tree))
            .map(|((sentence, tree), candidates)| Example { sentence, tree, candidates })
            .collect();
        let steps = Steps::Perceptron;
        let mut online = Online::new(&template_groups, &families, steps.unit(), 1).expect("memory").with_roots(roots);
        let mut scratch = decode::Scratch::default();
        for _ in 0..2 {
            online
                .pass(&examples, steps, |graph, prior| {
                    assert_eq!(Roots::in_space(&graph.space), roots);
                    let limits = Limits { dp_calls: Some(50), ..Limits::default() };
                    Decoder::Bnb.decode(graph, backbone, prior, limits, &mut scratch).map(Predicted::from)
                })
                .expect("a pass");
        }
        let entries = online.average().expect("small weights");
        Model::new(templates, &families, backbone, Folding::All, entries).expect("memory").with_roots(roots)
    }
}

fn parser<'a>(pruner: &'a Pruner, model: &'a Model, rule: Rule, decoder: Decoder) -> Parser<'a> {
    Parser { pruner, rule, model, decoder, limits: Limits::default() }
}

/// Every tree that the model may give, from all heads of all words.
fn all_trees(words: usize, roots: Roots) -> Vec<Tree> {
    let many = (words + 1).pow(words as u32);
    let heads = |i: usize| (0..words).map(|m| Word::new(i / (words + 1).pow(m as u32) % (words + 1))).collect();
    (0..many).filter_map(|i| Tree::new(heads(i)).ok()).filter(|tree| roots.allow_tree(tree)).collect()
}

#[test]
fn the_answer_is_the_best_of_all_trees() {
    let text = Text::new(16, 5);
    let pruner = text.pruner();
    let wide = [Family::Comb, Family::Grandchild, Family::GreatGrandchild, Family::Sibling, Family::TriSibling];
    let mut with_several = 0;
    for (families, backbone) in [
        (&[][..], Backbone::Carreras),
        (&[], Backbone::GrandSibling),
        (&wide, Backbone::Carreras),
        (&wide, Backbone::GrandSibling),
    ] {
        for roots in Roots::ALL {
            let model = text.model(families, backbone, roots);
            for sentence in &text.sentences {
                let tokens = &sentence.tokens;
                let trees = all_trees(tokens.len(), roots);
                // Scores are told apart from that of one tree, feature by feature.
                let beyond = |tree: &Tree| -> i128 {
                    contributions(&model, tokens, tree, &trees[0]).iter().map(|feature| feature.score()).sum()
                };
                let best = trees.iter().map(beyond).max().expect("a tree");
                let is_local = families.is_empty();
                for decoder in [Decoder::Bnb, Decoder::PAPER, Decoder::Brute, Decoder::Dp] {
                    if decoder == Decoder::Dp && !is_local {
                        continue;
                    }
                    let parser = parser(&pruner, &model, Rule::None, decoder);
                    let (answer, _) =
                        parser.parse(tokens, &mut Scratch::default(), &mut NoClock).expect("a small graph");
                    let tree = answer.tree.expect("a tree");
                    assert!(roots.allow_tree(&tree) && answer.status.is_proof(), "{decoder}: {:?}", tree.heads());
                    assert_eq!(beyond(&tree), best, "{roots:?} {decoder}: {:?}", tree.heads());
                    with_several += usize::from(tree.roots().count() > 1);
                }
            }
        }
    }
    assert!(with_several > 40, "{with_several} trees");
}

/// Where pruning leaves trees with several words on the root, and none with one, only a model of one word needs more arcs.
#[test]
fn graphs_are_those_of_the_parse() {
    let text = Text::new(80, 9);
    let pruner = text.pruner();
    let mut added = [0, 0];
    for (roots, added) in Roots::ALL.into_iter().zip(&mut added) {
        let model = text.model(&[], Backbone::Carreras, roots);
        let parser = parser(&pruner, &model, Rule::Best(1), Decoder::Dp);
        for sentence in &text.sentences {
            let (mut first, mut second) = (Scratch::default(), Scratch::default());
            let (answer, _) = parser.parse(&sentence.tokens, &mut first, &mut NoClock).expect("a small graph");
            assert!(roots.allow_tree(&answer.tree.expect("a tree")));
            let graph = parser.graph(&sentence.tokens, &mut second).expect("a small graph");
            assert_eq!(Roots::in_space(&graph.space), roots);
            assert_eq!(first.arcs(), second.arcs());
            *added += usize::from(first.arcs().len() > sentence.len());
        }
    }
    let [one, several] = added;
    assert!(0 < several && several < one, "{added:?}");
}

/// A gold tree with several words on the root is one that a model of several could have given.
#[test]
fn gold_trees_are_looked_at_if_the_model_allows_them() {
    let text = Text::new(20, 5);
    let pruner = text.pruner();
    for roots in Roots::ALL {
        let model = text.model(&[], Backbone::Carreras, roots);
        let parser = parser(&pruner, &model, Rule::None, Decoder::Dp);
        for (sentence, tree) in text.sentences.iter().zip(&text.trees) {
            let found = Explanation::new(&parser, &sentence.tokens, Some(tree), None, &mut Scratch::default());
            let found = found.expect("a small graph");
            assert_eq!(found.verdict().is_some(), roots == Roots::Several || tree.roots().count() == 1);
        }
    }
}

/// Learners of both. All training trees have one word on the root, which is soon learnt, so some see only a few sentences.
const LEARNERS: &str = r#"
[learner.perceptron-few]
sentences = 0.05

[learner.perceptron-several]
roots = "several"
sentences = 0.05

[learner.mira-several]
roots = "several"

[learner.crf-several]
roots = "several"

[learner.crf-batches]
roots = "several"
batch = 3
rate = 0.05

[features]"#;

const GRIDS: &str = r#"
[[grid]]
name = "local"
sets = "baseline"
learners = ["perceptron", "perceptron-few", "perceptron-several", "mira-several", "crf", "crf-several", "crf-batches"]
backbones = ["carreras", "grand-sibling"]

[[grid]]
name = "risk"
sets = "baseline"
learners = "crf-several"
decoders = "mbr"

[[grid]]
name = "searched"
sets = ["comb+grandchild+sibling+tri-sibling"]
learners = ["perceptron", "perceptron-several", "crf-several"]
decoders = ["bnb", "paper"]
"#;

/// How many words of each sentence hang on the root.
fn on_root(text: &str) -> Vec<usize> {
    let is_root = |line: &&str| line.split('\t').nth(6) == Some("0");
    text.trim_end().split("\n\n").map(|sentence| sentence.lines().filter(is_root).count()).collect()
}

#[test]
fn both_stand_side_by_side() {
    let desk = Desk::new();
    let config = tiny(60, 10, 80).replace("[features]", LEARNERS) + GRIDS;
    desk.write("made.toml", &config);
    desk.treebound(&["run", "made.toml", "-q"]).success();
    let scores = desk.read("results/made/scores.csv");
    for learner in ["perceptron-several", "mira-several", "crf-several", "crf-batches"] {
        assert!(scores.contains(&format!(",{learner},")), "{scores}");
    }
    let said = desk.treebound(&["verify", "results/made"]).success();
    assert!(said.contains("kept trees: the counts") && !said.contains("WRONG"), "{said}");

    // The model alone says how many there may be; what the cells have kept are the same trees.
    desk.treebound(&["data", "synth", "--config", "made.toml", "--out", "synth"]).success();
    for learner in ["perceptron-few", "perceptron-several", "crf-several"] {
        let train = ["train", "made.toml", "--learner", learner, "--features", "baseline", "--model", "a.model"];
        desk.treebound(&train).success();
        let parse = ["parse", "--model", "a.model", "synth/test.conllu"];
        let roots = on_root(&desk.treebound(&parse).success());
        assert!(roots.len() == 80 && !roots.contains(&0), "{roots:?}");
        match learner {
            "perceptron-few" => assert!(roots.iter().all(|&roots| roots == 1), "{roots:?}"),
            "perceptron-several" => assert!(roots.iter().any(|&roots| roots > 1), "{roots:?}"),
            _ => {
                desk.treebound(&[&parse[..], &["--probabilities", "--decoder", "mbr"]].concat()).success();
            }
        }
        let filter = format!("/test/.*/{learner}/baseline/.*carreras/dp/");
        desk.treebound(&["data", "graphs", "made.toml", "--output", learner, "-f", &filter]).success();
        let wanted = format!("\"single_root\":{}", learner == "perceptron-few");
        let graphs: String = desk.files(learner).into_values().map(|b| String::from_utf8(b).expect("text")).collect();
        assert_eq!(graphs.lines().filter(|line| line.contains(&wanted)).count(), 80, "{learner}");
        desk.treebound(&["explain", "made.toml", "--learner", learner, "--features", "baseline", "--sentence", "1"])
            .success();
    }
}

/// It is said only where it is not usual: keys and settings of all others are what they were.
#[test]
fn one_word_is_usual() {
    let desk = Desk::new();
    let config = tiny(60, 10, 20).replace("[features]", LEARNERS) + GRIDS;
    desk.write("made.toml", &config);
    let list = |more: &[&str]| {
        let list = desk.treebound(&[&["check", "--cells", "made.toml", "--keys"], more].concat()).success();
        let (several, one): (Vec<String>, Vec<String>) =
            list.lines().map(str::to_owned).partition(|line| line.contains("-several,") || line.contains("-batches,"));
        (one, several)
    };
    let usual = list(&[]);
    assert_eq!(list(&["--set", "training.roots=\"one\""]), usual);
    let other = list(&["--set", "training.roots=\"several\""]);
    assert_eq!(other.1, usual.1);
    assert!(usual.0.len() > 10 && other.0[1..].iter().all(|line| !usual.0.contains(line)), "{usual:?} {other:?}");
    let resolved = |more: &[&str]| {
        let text = desk.treebound(&[&["check", "made.toml", "--resolved"], more].concat()).success();
        text.lines().filter(|line| line.contains("roots")).count()
    };
    assert_eq!((resolved(&[]), resolved(&["--set", "training.roots=\"one\""])), (4, 4));
}

/// Two sentences of a treebank as one, with both words on the root.
fn joined(pair: &[Sentence]) -> Sentence {
    let mut joined = pair[0].clone();
    let heads = |sentence: &Sentence, before: usize| -> Vec<Word> {
        let moved = |&head: &Word| if head.is_root() { head } else { Word::new(head.ix() + before) };
        sentence.gold.as_ref().expect("a tree").heads().iter().map(moved).collect()
    };
    joined.gold = Tree::new([heads(&pair[0], 0), heads(&pair[1], pair[0].len())].concat()).ok();
    joined.tokens.extend(pair[1].tokens.iter().cloned());
    joined
}

/// Trees of several words on the root are learnt from as they are, and such are given. Beside them stands a parser that may
/// give one, and whose trees have one.
#[test]
fn trees_with_several_words_on_the_root_are_learnt_from() {
    let desk = Desk::new();
    let made = generate(&Config { train: 160, dev: 20, test: 60, ..Config::default() }).expect("valid settings");
    let mut crossing = 0;
    for (name, part) in [("train", made.train), ("dev", made.dev), ("test", made.test)] {
        let (mut sentences, mut bytes) = (part.chunks_exact(2).map(joined).collect::<Vec<_>>(), Vec::new());
        if name == "train" {
            // The first words of two arcs lie within the other.
            sentences[0].tokens.truncate(4);
            sentences[0].gold = Tree::new([4, 1, 0, 0].map(Word).to_vec()).ok();
            crossing =
                sentences.iter().filter(|sentence| !sentence.gold.as_ref().expect("a tree").is_projective()).count();
        }
        conll::write_conllx(&sentences, &mut bytes).expect("memory");
        desk.write(&format!("{name}.conllx"), bytes);
    }
    let config = |policy: &str, learners: &str| {
        format!(
            r#"
seeds = [1]
[[corpus]]
name = "made"
format = "conllx"
folder = "."
train = "train.conllx"
dev = "dev.conllx"
test = "test.conllx"
punctuation = "ud"
nonprojective = "{policy}"
[tagger]
epochs = 1
folds = 2
[training]
epochs = 3
[learner.perceptron-several]
roots = "several"
[[grid]]
name = "both"
tags = "predicted"
sets = "baseline"
learners = {learners}
splits = ["test", "cv"]
[evaluation]
folds = 3
"#
        )
    };
    desk.write("both.toml", config("projectivize", r#"["perceptron", "perceptron-several"]"#));
    desk.treebound(&["run", "both.toml", "-q"]).success();
    let said = desk.treebound(&["verify", "results/both"]).success();
    assert!(!said.contains("WRONG") && !said.contains("not in the cache"), "{said}");
    let column = |name: &str, rows: &str, of: &str| -> Vec<usize> {
        let at = rows.lines().next().expect("a head").split(',').position(|column| column == name).expect(name);
        let found = rows.lines().filter(|row| row.contains(of));
        found.map(|row| row.split(',').nth(at).and_then(|count| count.parse().ok()).expect("a count")).collect()
    };
    let training = desk.read("results/both/training.csv");
    let changed = column("projectivized", &training, ",perceptron-several,");
    // Three passes over the training part, and over that of each of three folds: what crosses alone is changed.
    assert!(changed.len() == 12 && changed[..3] == [crossing; 3] && (1..10).contains(&crossing), "{training}");
    assert!(changed.iter().all(|&changed| changed < 10), "{training}");
    assert_eq!(column("projectivized", &training, ",perceptron,")[..3], [80; 3], "{training}");
    // What there is on the root has no part in the tags, which are told once.
    let tagging = desk.read("results/both/tagging.csv");
    assert_eq!(tagging.lines().count(), 1 + 4, "{tagging}");
    assert_eq!(column("sentences", &tagging, ",cv,"), [120], "{tagging}");
    let scores = desk.read("results/both/scores.csv");
    let right = |learner: &str| column("root_correct", &scores, &format!(",{learner},"));
    assert!(right("perceptron").iter().all(|&right| right == 0), "{scores}");
    assert!(right("perceptron-several").iter().all(|&right| right >= 15), "{scores}");

    desk.write("dropped.toml", config("drop", r#"["perceptron-several"]"#));
    desk.treebound(&["run", "dropped.toml", "-q", "-f", "/test/"]).success();
    let training = desk.read("results/dropped/training.csv");
    for (name, wanted) in [("sentences", 80 - crossing), ("projectivized", 0), ("dropped", crossing)] {
        assert_eq!(column(name, &training, "made"), [wanted; 3], "{training}");
    }
    desk.write("dropped.toml", config("drop", r#"["perceptron"]"#));
    desk.treebound(&["check", "dropped.toml"]).failure(&["no training sentence is left"]);
}
