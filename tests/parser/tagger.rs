//! The tagger: exact search, determinism, jackknifing, files; and UD English EWT, where it is there.

use crate::properties::cases;
use proptest::prelude::*;
use treebound::bytes::{BytesReader, BytesWriter};
use treebound::cell::Tags;
use treebound::experiment::cell::training_runs;
use treebound::experiment::config;
use treebound::experiment::outcome::Outcome;
use treebound::experiment::progress::Progress;
use treebound::experiment::run::ExperimentContext;
use treebound::experiment::store::Store;
use treebound::model::TrainedParser;
use treebound::sequence::{Lattice, Transitions, Viterbi};
use treebound::tagger::{Accuracy, Schedule, Scratch, Tagger, TaggerError, jackknife};
use treebound::treebank::{Folds, Token, conll};

/// A random search problem: candidates and emission scores by word, and transitions by label before.
#[derive(Clone, Debug)]
struct Problem {
    words: Vec<Vec<(u32, i64)>>,
    transitions: Vec<Vec<i64>>,
}

const LABELS: usize = 4;

fn problems() -> impl Strategy<Value = Problem> {
    // Small ranges make ties, large ones make sums far beyond 32 bits.
    let range = prop_oneof![Just(0i64), Just(1), Just(2), Just(1000), Just(1 << 40)];
    (1usize..=5, range).prop_flat_map(|(words, range)| {
        let score = -range..=range;
        let word = proptest::sample::subsequence((0..LABELS as u32).collect::<Vec<_>>(), 1..=LABELS).prop_flat_map({
            let score = score.clone();
            move |labels| {
                let scores = proptest::collection::vec(score.clone(), labels.len());
                scores.prop_map(move |scores| labels.iter().copied().zip(scores).collect::<Vec<_>>())
            }
        });
        let row = proptest::collection::vec(score, LABELS + 1);
        (proptest::collection::vec(word, words), proptest::collection::vec(row, LABELS + 1))
            .prop_map(|(words, transitions)| Problem { words, transitions })
    })
}

/// The best of all sequences; of equals the one whose last label is smallest, then the one before, and so on.
fn brute_force(problem: &Problem) -> Vec<u32> {
    let mut sequences: Vec<(i64, Vec<u32>)> = vec![(0, Vec::new())];
    for word in &problem.words {
        sequences = sequences
            .iter()
            .flat_map(|(score, path)| {
                word.iter().map(move |&(label, emission)| {
                    let before = path.last().map_or(LABELS, |&l| l as usize);
                    let score = score + emission + problem.transitions[before][label as usize];
                    (score, path.iter().copied().chain([label]).collect())
                })
            })
            .collect();
    }
    let total =
        |(score, path): &(i64, Vec<u32>)| score + path.last().map_or(0, |&l| problem.transitions[l as usize][LABELS]);
    let backwards = |path: &[u32]| path.iter().rev().copied().collect::<Vec<_>>();
    let best = sequences.iter().min_by_key(|s| (-total(s), backwards(&s.1)));
    best.map(|s| s.1.clone()).unwrap_or_default()
}

fn lattice(problem: &Problem) -> Lattice {
    let mut lattice = Lattice::default();
    for word in &problem.words {
        let labels: Vec<u32> = word.iter().map(|w| w.0).collect();
        lattice.push(&labels, |label| word.iter().find(|w| w.0 == label).map_or(0, |w| w.1));
    }
    lattice
}

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn viterbi_is_exact(problem in problems()) {
        let mut whole = Transitions::from_rows(LABELS, |before, row| row.copy_from_slice(&problem.transitions[before]));
        let mut grown = Transitions::new(LABELS);
        for (before, row) in problem.transitions.iter().enumerate() {
            for (label, &score) in row.iter().enumerate() {
                // In two steps, so that the bounds are wider than the scores.
                grown.add(before, label, score * 3);
                grown.add(before, label, score * -2);
            }
        }
        whole.tighten();
        let truth = brute_force(&problem);
        let (mut viterbi, mut path) = (Viterbi::default(), Vec::new());
        for transitions in [&whole, &grown] {
            viterbi.decode(&lattice(&problem), transitions, &mut path);
            prop_assert_eq!(&path, &truth);
        }
    }
}

fn token(form: &str, fine: &str, coarse: &str) -> Token {
    Token { form: form.to_owned(), fine: fine.to_owned(), coarse: coarse.to_owned(), ..Token::default() }
}

/// Sentences of a small language: `can` is a noun after an article and a verb after a pronoun.
fn small_treebank() -> Vec<Vec<Token>> {
    let mut sentences = Vec::new();
    for i in 0..40 {
        let noun = token(&format!("thing{i}ness"), "NN", "NOUN");
        let verb = token(&format!("to{i}ing"), "VBG", "VERB");
        let name = token(&format!("Name{i}"), "NNP", "PROPN");
        let (the, she) = (token("the", "DT", "DET"), token("she", "PRP", "PRON"));
        let (a_can, can) = (token("can", "NN", "NOUN"), token("can", "MD", "AUX"));
        sentences.push(match i % 4 {
            0 => vec![the, noun, verb],
            1 => vec![she, can, verb, name],
            2 => vec![the, a_can, verb, she],
            _ => vec![name, verb, the.clone(), a_can, the, noun],
        });
    }
    sentences
}

fn slices(sentences: &[Vec<Token>]) -> Vec<&[Token]> {
    sentences.iter().map(Vec::as_slice).collect()
}

const SCHEDULE: Schedule = Schedule { epochs: 5, seed: 3 };

fn bytes(tagger: &Tagger) -> Vec<u8> {
    let mut out = BytesWriter::default();
    tagger.encode(&mut out);
    out.into_bytes()
}

#[test]
fn a_small_language_is_learnt_and_words_never_seen_are_guessed() {
    let sentences = small_treebank();
    let tagger = Tagger::train(&slices(&sentences), SCHEDULE).expect("a tagger");
    let (mut accuracy, mut scratch) = (Accuracy::default(), Scratch::default());
    for sentence in &sentences {
        tagger.tagged(sentence, &mut accuracy, &mut scratch);
    }
    assert_eq!(accuracy.both, accuracy.tokens, "{accuracy:?}");
    assert_eq!((accuracy.unknown, accuracy.tokens), (0, 170));

    let gold = [
        token("she", "PRP", "PRON"),
        token("can", "MD", "AUX"),
        token("to99ing", "VBG", "VERB"),
        token("Name77", "NNP", "PROPN"),
        token("the", "DT", "DET"),
        token("thing55ness", "NN", "NOUN"),
    ];
    let mut words: Vec<Token> = gold.iter().map(|t| token(&t.form, "", "")).collect();
    tagger.tag(&mut words, &mut scratch);
    assert_eq!(words, gold);
    assert!(!tagger.knows("to99ing") && tagger.knows("can"));
    tagger.tag(&mut [], &mut scratch);
}

#[test]
fn nothing_to_learn_is_an_error() {
    for sentences in [&[][..], &[&[][..]]] {
        assert!(matches!(Tagger::train(sentences, SCHEDULE), Err(TaggerError::NothingToLearn)));
    }
    let one = [token("word", "NN", "NOUN")];
    let hold_out = |sentences: &[&[Token]], folds| jackknife(sentences, folds, SCHEDULE).map(|_| ());
    for (sentences, folds) in [(&[&one[..]][..], 10), (&[&one[..], &one], 1), (&[], 10)] {
        assert!(matches!(hold_out(sentences, folds), Err(TaggerError::NothingToHoldOut { .. })));
    }
    assert!(hold_out(&[&one, &one], 10).is_ok());
    let many: Vec<Token> = (0..5000).map(|i| token("word", &i.to_string(), "X")).collect();
    assert!(matches!(Tagger::train(&[&many], SCHEDULE), Err(TaggerError::TooManyLabels { found: 5000 })));
}

#[test]
fn a_tagger_comes_back_from_its_bytes() {
    let sentences = small_treebank();
    let tagger = Tagger::train(&slices(&sentences), SCHEDULE).expect("a tagger");
    let written = bytes(&tagger);
    let mut from = BytesReader::new(&written);
    let read = Tagger::decode(&mut from).expect("a tagger");
    from.end().expect("the end");
    assert_eq!(bytes(&read), written);
    let (mut a, mut b) = (Scratch::default(), Scratch::default());
    for sentence in &sentences {
        assert_eq!(tagger.find(sentence, &mut a), read.find(sentence, &mut b));
    }
    for len in [0, 7, 8, 40, written.len() / 2, written.len() - 1] {
        assert!(Tagger::decode(&mut BytesReader::new(&written[..len])).is_err(), "{len} bytes");
    }
}

/// Each sentence has a tag that no other has: a tagger that gives it has seen the sentence.
#[test]
fn jackknifing_shows_no_tagger_its_own_sentence() {
    let mut sentences = small_treebank();
    for (i, sentence) in sentences.iter_mut().enumerate() {
        sentence.push(token(&format!("own{i}"), &format!("OWN{i}"), "X"));
    }
    let (tagged, accuracy) = jackknife(&slices(&sentences), 10, SCHEDULE).expect("tags");
    let mut counted = Accuracy::default();
    let folds = Folds::new(10, sentences.len());
    for (i, (gold, found)) in sentences.iter().zip(&tagged).enumerate() {
        assert!(found.iter().all(|t| t.fine != format!("OWN{i}")), "sentence {i}");
        assert!(gold.iter().map(|t| &t.form).eq(found.iter().map(|t| &t.form)));
        // What the tagger of the other folds says.
        let others: Vec<&[Token]> =
            (0..sentences.len()).filter(|&j| folds.fold(j) != folds.fold(i)).map(|j| &*sentences[j]).collect();
        let tagger = Tagger::train(&others, SCHEDULE).expect("a tagger");
        assert_eq!(&tagger.tagged(gold, &mut counted, &mut Scratch::default()), found, "sentence {i}");
    }
    assert_eq!(accuracy, counted);
}

#[test]
fn tags_do_not_depend_on_the_number_of_threads() {
    let sentences = small_treebank();
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| jackknife(&slices(&sentences), 7, SCHEDULE).expect("tags"))
    };
    assert_eq!(on(1), on(4));
    let train = || bytes(&Tagger::train(&slices(&sentences), SCHEDULE).expect("a tagger"));
    assert_eq!(train(), train());
}

/// The small language with the words hanging on the first one, as CoNLL-U.
fn conllu(sentences: &[Vec<Token>]) -> String {
    let mut text = String::new();
    for sentence in sentences {
        for (i, Token { form, coarse, fine, .. }) in sentence.iter().enumerate() {
            text += &format!("{}\t{form}\t_\t{coarse}\t{fine}\t_\t{}\tdep\t_\t_\n", i + 1, usize::from(i > 0));
        }
        text += "\n";
    }
    text
}

const CONFIG: &str = r#"
tags = ["gold", "predicted"]
[tagger]
epochs = 3
folds = 4
[[corpus]]
name = "small"
format = "conllu"
train = "train.conllu"
dev = "dev.conllu"
test = "dev.conllu"
punctuation = { column = "fine", tags = ["DT"] }
[training]
epochs = 2
choose_epoch = "dev"
[features]
sets = []
"#;

#[test]
fn an_experiment_and_its_model_file_carry_predicted_tags() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut train = small_treebank();
    // Words that no tagger can get right: a tag that no other word has, and a wrong one.
    train[2][2].fine = "ODD".to_owned();
    let mut dev = vec![train[0].clone(), train[1].clone()];
    dev[0][1].fine = "DT".to_owned();
    for (name, sentences) in [("train.conllu", &train), ("dev.conllu", &dev)] {
        std::fs::write(dir.path().join(name), conllu(sentences)).expect("written");
    }
    let path = dir.path().join("small.toml");
    let config = config::parse(CONFIG, &path).expect("a config");
    assert_eq!(config::parse(&config::resolved(&config), &path).expect("a config"), config);
    let store = Store::new(dir.path().join("cache"));
    let open = || ExperimentContext::open(&config, &store).expect("an experiment context");
    let mut context = open();

    let rows = context.tagging_rows();
    let of = |split: &str| rows.iter().find(|r| r.split.name() == split).expect("a row");
    assert_eq!((rows.len(), of("train").sentences, of("train").tokens), (3, 40, 170));
    assert!(of("train").unknown_tokens > 0 && of("train").fine_correct < 170);
    assert_eq!((of("dev").tokens, of("dev").unknown_tokens), (7, 0));
    assert!(of("dev").fine_correct <= 6);
    let again = open();
    assert_eq!(again.tagging_rows(), rows, "from the store");
    let runs = training_runs(&config);
    let with = |tags| runs.iter().find(|run| run.tags == tags).expect("a run");
    let [predicted, gold] = [Tags::Predicted, Tags::Gold].map(|tags| context.prepared(with(tags)));
    assert_eq!(again.prepared(with(Tags::Predicted)).train.sentences, predicted.train.sentences);
    assert_ne!(predicted.train.sentences, gold.train.sentences);
    assert_eq!(predicted.train.trees, gold.train.trees);
    assert_eq!(predicted.gold_dev(), &gold.dev[..]);
    assert_ne!(predicted.dev, gold.dev);

    let Outcome { training, cells, .. } = context.run(|_| true, &Progress::new(0, None, true), &|_, _| {});
    let of = |tags| cells.iter().find(|c| c.cell.run.tags == tags).and_then(|c| c.rows.as_ref().ok()).expect("rows");
    let scored = |tags| of(tags).iter().map(|r| r.scored_tokens).sum::<u64>();
    assert_eq!((scored(Tags::Gold), scored(Tags::Predicted)), (5, 5), "the gold tags say what is punctuation");
    let run = &training.iter().find(|t| t.run.tags == Tags::Predicted).expect("a run").run;
    let rule = run.pruning(&config).expect("a pruning");
    let pruned = context.builder.pruned(context.prepared(run), rule, run.seed).expect("a pruner");
    let trained = context.builder.trained_graph(context.dataset(run), &pruned, run, &mut |_| {});
    assert!(context.take_tagger(0, Tags::Gold).is_none());
    let tagger = context.take_tagger(0, Tags::Predicted);
    let expected = bytes(tagger.as_ref().expect("a tagger"));
    let model = trained.expect("a model").model;
    let parser = TrainedParser { tagger, pruner: pruned.pruner, rule, model, facts: Vec::new() };
    let file = dir.path().join("model");
    parser.write(&file).expect("written");
    let read = TrainedParser::read(&file).expect("a model");
    assert_eq!(bytes(read.tagger.as_ref().expect("a tagger")), expected);
    let (read, written) = (read.model.weights().table, parser.model.weights().table);
    assert!(parser.model.entries().iter().all(|entry| read.weight(entry.context) == Some(entry.weight)));
    assert_eq!(read.largest(), written.largest());
}

#[test]
fn english_web_text_is_tagged_well() {
    let Some(folder) = crate::at_hand::treebank("en_ewt") else { return };
    let read = |part: &str| conll::read_gold(&folder.join(part)).expect("a treebank");
    let (train, dev) = (read("train.conllu"), read("dev.conllu"));
    let sentences: Vec<&[Token]> = train.iter().map(|s| s.tokens.as_slice()).collect();
    let tagger = Tagger::train(&sentences, Schedule { epochs: 3, seed: 1 }).expect("a tagger");
    let (mut accuracy, mut scratch) = (Accuracy::default(), Scratch::default());
    for sentence in &dev {
        tagger.tagged(&sentence.tokens, &mut accuracy, &mut scratch);
    }
    assert_eq!(accuracy.tokens, 25_147);
    assert!(accuracy.fine * 1000 >= accuracy.tokens * 938, "{accuracy:?}");
    assert!(accuracy.coarse * 1000 >= accuracy.tokens * 945, "{accuracy:?}");
    assert!(accuracy.unknown_fine * 1000 >= accuracy.unknown * 760, "{accuracy:?}");
}
