//! The pruner: probabilities of arcs, and which of them it rules out by their length.

use crate::desk::Desk;
use treebound::answer::Count;
use treebound::bytes::{BytesReader, BytesWriter};
use treebound::experiment::rows::{ScoreRow, SearchRow, csv};
use treebound::features::TemplateSet;
use treebound::graph::Word;
use treebound::model::{Roots, projectivize};
use treebound::pruning::{self, Candidates, Method, Pruner, PrunerScratch, Rule, Schedule};
use treebound::treebank::synth::{Config, generate};
use treebound::treebank::{Sentence, Token, Tree};

struct Learnt {
    train: Vec<Sentence>,
    trees: Vec<Tree>,
    test: Vec<Sentence>,
    pruner: Pruner,
    kept: Vec<Candidates>,
}

fn learnt(rule: Rule) -> Learnt {
    learnt_by(Method::default(), rule)
}

fn learnt_by(method: Method, rule: Rule) -> Learnt {
    let config = Config { train: 200, dev: 1, test: 60, ..Config::default() };
    let treebank = generate(&config).expect("valid settings");
    let trees: Vec<Tree> =
        treebank.train.iter().map(|s| projectivize(s.gold.as_ref().expect("a tree"), Roots::One)).collect();
    let pairs: Vec<_> = treebank.train.iter().zip(&trees).collect();
    let templates = TemplateSet::built_in("pruner").expect("built in").expect("sound");
    let schedule = Schedule { epochs: 2, rate: 0.1, seed: 1, method };
    let (pruner, kept) = pruning::train(&templates, &pairs, schedule, rule).expect("memory");
    Learnt { train: treebank.train, trees, test: treebank.test, pruner, kept }
}

/// Test sentences; all of them joined two by two; and their words with unknown tags, and with those of their neighbours.
fn texts(test: &[Sentence]) -> Vec<Vec<Token>> {
    let mut texts: Vec<Vec<Token>> = test.iter().map(|s| s.tokens.clone()).collect();
    texts.extend(test.chunks_exact(2).map(|pair| [&pair[0].tokens[..], &pair[1].tokens].concat()));
    for sentence in test.iter().take(10) {
        let mut tokens = sentence.tokens.clone();
        tokens.iter_mut().step_by(3).for_each(|token| token.coarse = "NEVER-SEEN".to_owned());
        texts.push(tokens.clone());
        let tags: Vec<String> = tokens.iter().map(|token| token.coarse.clone()).collect();
        tokens.iter_mut().zip(tags.iter().cycle().skip(1)).for_each(|(token, tag)| token.coarse.clone_from(tag));
        texts.push(tokens);
    }
    texts
}

/// Of all methods; and of unknown sentences each keeps nearly all right heads among five a word.
#[test]
fn probabilities_are_of_heads_and_the_right_ones_are_kept() {
    for method in [Method::ProjectiveSums, Method::TreeSums, Method::Ranker] {
        let learnt = learnt_by(method, Rule::Best(5));
        assert_eq!(learnt.pruner.method(), method);
        probabilities_are_those_of_trees(&learnt);
        let (mut scratch, mut kept) = (PrunerScratch::default(), Candidates::default());
        let (mut words, mut right) = (0, 0);
        for sentence in &learnt.test {
            let marginals = learnt.pruner.marginals(&sentence.tokens, &mut scratch);
            kept.fill(Rule::Best(5), sentence.len(), marginals);
            let gold = sentence.gold.as_ref().expect("a tree");
            words += sentence.len();
            right += (1..=sentence.len()).map(Word::new).filter(|&m| kept.arcs.contains(&(gold.head(m), m))).count();
        }
        assert!(right * 100 >= words * 97, "{method:?}: {right} of {words}");
    }
}

fn probabilities_are_those_of_trees(learnt: &Learnt) {
    let mut scratch = PrunerScratch::default();
    let (mut arcs, mut ruled_out) = (0, 0);
    for tokens in texts(&learnt.test) {
        let w = tokens.len() + 1;
        let marginals = learnt.pruner.marginals(&tokens, &mut scratch);
        assert_eq!(marginals.len(), w * w);
        for m in 1..w {
            // Every tree gives each word one head; were there no tree of allowed arcs, this would not be 1.
            let sum: f64 = (0..w).map(|h| marginals[h * w + m]).sum();
            assert!((sum - 1.0).abs() < 1e-9, "word {m} of {}: {sum}", w - 1);
            assert_eq!(marginals[m * w + m], 0.0);
        }
        arcs += (w - 1) * (w - 1);
        ruled_out += marginals.iter().filter(|&&p| p == 0.0).count() - (2 * w - 1);
    }
    assert!(ruled_out * 20 > arcs && ruled_out * 4 < arcs * 3, "{ruled_out} of {arcs}");
}

#[test]
fn no_arc_of_the_training_part_is_ruled_out_and_all_are_candidates() {
    let learnt = learnt(Rule::Threshold(1e-2));
    let mut scratch = PrunerScratch::default();
    for ((sentence, tree), kept) in learnt.train.iter().zip(&learnt.trees).zip(&learnt.kept) {
        let w = sentence.len() + 1;
        let marginals = learnt.pruner.marginals(&sentence.tokens, &mut scratch);
        for (i, &h) in tree.heads().iter().enumerate() {
            assert!(marginals[h.ix() * w + i + 1] > 0.0, "{}: word {}", sentence.place, i + 1);
            assert!(kept.arcs.iter().any(|&(head, m)| head == h && m.ix() == i + 1));
        }
        assert!(kept.arcs.len() < (w - 1) * (w - 1) || w < 8, "{}: nothing was pruned", sentence.place);
    }
}

#[test]
fn a_pruner_read_again_gives_the_same_bits() {
    let learnt = learnt(Rule::Best(5));
    let mut out = BytesWriter::default();
    learnt.pruner.encode(&mut out);
    let bytes = out.into_bytes();
    let mut from = BytesReader::new(&bytes);
    let again = Pruner::decode(learnt.pruner.templates().clone(), &mut from).expect("sound");
    from.end().expect("all of it");
    let (mut one, mut two) = (PrunerScratch::default(), PrunerScratch::default());
    for tokens in texts(&learnt.test) {
        let bits = |marginals: &[f64]| marginals.iter().map(|p| p.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(learnt.pruner.marginals(&tokens, &mut one)), bits(again.marginals(&tokens, &mut two)));
    }
}

/// Of two words, the first may hang on the root alone; three heads a word are asked for.
#[test]
fn heads_without_a_probability_are_not_among_the_best() {
    let mut candidates = Candidates::default();
    let words = 2;
    // By head, then modifier, the root first.
    let marginals = [0.0, 1.0, 0.25, 0.0, 0.0, 0.75, 0.0, 0.0, 0.0];
    let kept = |candidates: &Candidates| candidates.arcs.iter().map(|(h, m)| (h.ix(), m.ix())).collect::<Vec<_>>();
    candidates.fill(Rule::Best(3), words, &marginals);
    assert_eq!(kept(&candidates), [(0, 1), (0, 2), (1, 2)]);
    candidates.fill(Rule::Best(1), words, &marginals);
    assert_eq!(kept(&candidates), [(0, 1), (1, 2)]);
    candidates.fill(Rule::None, words, &[]);
    assert_eq!(kept(&candidates), [(0, 1), (0, 2), (1, 2), (2, 1)]);
}

/// Where the kept arcs hold no tree, the searches of `budget` and `ablation` have the graph of the parse: arcs of a tree are added.
#[test]
fn searches_are_of_the_graphs_that_are_parsed() {
    let desk = Desk::new();
    desk.write("tiny.toml", ONE_HEAD);
    for verb in [&["run"][..], &["measure", "budget"], &["measure", "search-ablation"]] {
        desk.treebound(&[verb, &["tiny.toml", "-q"]].concat()).success();
    }
    let scores: Vec<ScoreRow> = csv::read(&desk.path("results/tiny/scores.csv")).expect("scores");
    let parsed = scores.iter().find(|row| !row.cell.setting.is_baseline()).expect("a cell");
    let parsed = parsed.counts.as_ref().expect("counts");
    let dp_calls = parsed.effort.get(Count::DpCalls).expect("counted");
    // The parser needs a call to see that there is no tree.
    assert!(dp_calls > parsed.sentences + 5, "{parsed:?}");
    for (file, way) in [("budget.csv", "no limit"), ("search.csv", "bnb"), ("search.csv", "paper")] {
        let rows: Vec<SearchRow> = csv::read(&desk.path(&format!("results/tiny/{file}"))).expect("rows");
        let row = rows.iter().find(|row| row.way == way).expect("a way");
        let all = [row.sentences, row.proven, row.scored_correct];
        assert_eq!(all, [parsed.sentences, parsed.sentences, parsed.scored_correct], "{way}");
        assert!(way == "paper" || row.dp_calls < dp_calls, "{way}");
    }
    let line = desk.treebound(&["data", "graphs", "tiny.toml", "-o", "graphs", "-f", "sibling"]).success();
    assert_eq!(line, "");
    for graphs in desk.files("graphs").keys() {
        let decoded = desk.treebound(&["decode", &format!("graphs/{}", graphs.display())]).success();
        assert_eq!(decoded.matches("\"optimal\"").count() as u64, parsed.sentences);
    }
}

const ONE_HEAD: &str = r#"
[[corpus]]
name = "made"
format = "synthetic"

[corpus.synthetic]
seed = 3
train = 60
dev = 5
test = 60
vocabulary = 500

[pruner]
epochs = 1

[training]
epochs = 1
pruning = "k=4"
dp_calls = 10

[features]
sets = ["sibling"]

[decoding]
pruning = "k=1"
"#;
