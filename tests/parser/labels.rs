//! Lemmas, features and relations: read, seen by templates, found, scored and written.

use std::collections::BTreeMap;
use std::path::Path;

use proptest::prelude::*;
use proptest::sample::select;
use treebound::bytes::{BytesReader, BytesWriter};
use treebound::features::TemplateSet;
use treebound::features::atoms::Attribute;
use treebound::labels::{LabelError, Labeller, Schedule, Scratch};
use treebound::tree::Word;
use treebound::treebank::conll::{self, Parses};
use treebound::treebank::{Punctuation, Relations, Sentence, SentenceScore, Token, Tree};

use crate::desk::Desk;
use crate::properties::{Tally, cases};

fn parse(text: &str) -> Vec<Sentence> {
    conll::parse_gold(text.as_bytes(), Path::new("a.conllu")).expect("a treebank")
}

#[test]
fn lemmas_and_features_are_read_and_seen() {
    let text = "1\tDogs\tdog\tNOUN\tNNS\tCase=Nom|Number=Plur|Number[psor]=Sing\t2\tnsubj\t_\t_\n\
                2\tbark\t_\tVERB\tVBP\tFin|Mood=\t0\troot\t_\t_\n\n";
    let sentence = parse(text).remove(0);
    let value = |attribute: &str, word: usize| {
        let mut out = "before".to_owned();
        Attribute::parse(attribute).expect(attribute).value(&sentence.tokens[word], &mut out);
        out
    };
    let both = |attribute| [value(attribute, 0), value(attribute, 1)];
    assert_eq!(both("m"), ["dog", ""]);
    assert_eq!(both("f"), ["Case=Nom|Number=Plur|Number[psor]=Sing", "Fin|Mood="]);
    assert_eq!(both("f:Number"), ["Plur", ""]);
    assert_eq!(both("f:Number[psor]"), ["Sing", ""]);
    // As CoNLL-X has features: without values.
    assert_eq!([both("f:Fin"), both("f:Mood")].concat(), ["", "Fin", "", ""]);
    for name in ["f:", "f:a|b", "f:a=b", "f:a b", &format!("f:{}", "x".repeat(32)), "m:Case", "F"] {
        assert_eq!(Attribute::parse(name), None, "{name}");
    }
    let names = ["m", "f", "f:Number[psor]"];
    assert_eq!(
        names.map(|name| Attribute::parse(name).map(|a| a.to_string())),
        names.map(|name| Some(name.to_owned()))
    );
}

/// LAS as the official scorer of the CoNLL 2018 shared task counts it, from the lines of two files: all words, relations up to
/// their colon. Beside it: whole relations, and relations whatever the heads.
fn counted(gold: &str, system: &str) -> [u64; 3] {
    let words = |text: &str| -> Vec<(String, String)> {
        let cells = text.lines().map(|line| line.split('\t').map(str::to_owned).collect::<Vec<_>>());
        let words = cells.filter(|cells| cells.len() == 10 && cells[0].bytes().all(|b| b.is_ascii_digit()));
        words.map(|cells| (cells[6].clone(), cells[7].clone())).collect()
    };
    let plain = |name: &str| name.chars().take_while(|c| *c != ':').collect::<String>();
    let mut counts = [0; 3];
    for ((head, name), (other_head, other)) in words(gold).iter().zip(&words(system)) {
        counts[0] += u64::from(head == other_head && plain(name) == plain(other));
        counts[1] += u64::from(head == other_head && name == other);
        counts[2] += u64::from(name == other);
    }
    counts
}

fn sentence_lines(words: &[(usize, &str)]) -> String {
    let line =
        |(i, (head, name)): (usize, &(usize, &str))| format!("{}\tw{i}\t_\tX\tX\t_\t{head}\t{name}\t_\t_\n", i + 1);
    // A range and an empty node count for nothing.
    format!("1-2\tw\t_\t_\t_\t_\t_\t_\t_\t_\n{}\n", words.iter().enumerate().map(line).collect::<String>()).replacen(
        "2\tw1",
        "1.1\tgone\t_\tX\tX\t_\t_\t_\t0:root\t_\n2\tw1",
        1,
    )
}

/// Heads to the left make a tree.
fn labelled() -> impl Strategy<Value = Vec<(usize, &'static str)>> {
    let name = select(vec!["nsubj", "nsubj:pass", "obl", "obl:npmod:x", "_", "root"]);
    let word = move |i: usize| (0..i, name.clone());
    (2usize..7).prop_flat_map(move |n| (1..=n).map(&word).collect::<Vec<_>>())
}

#[test]
fn las_is_that_of_the_official_scorer() {
    let tally = Tally::default();
    let pairs = labelled().prop_flat_map(|gold| {
        let words = gold.len();
        let other = labelled().prop_filter("as many words", move |other| other.len() >= words);
        (Just(gold), other)
    });
    proptest!(cases(500), |((gold, mut other) in pairs)| {
        other.truncate(gold.len());
        let texts = [&gold, &other].map(|words| sentence_lines(words));
        let [a, b] = texts.each_ref().map(|text| parse(text).remove(0));
        let score = SentenceScore::new(&a, &b, &Punctuation::parse("none").expect("a rule")).expect("the same words");
        let has_names = [&gold, &other].map(|words| words.iter().any(|(_, name)| *name != "_"));
        prop_assert_eq!(score.labels.is_some(), has_names == [true; 2]);
        if let Some(labels) = score.labels {
            let found = [labels.labelled_universal, labels.labelled, labels.scored_relations];
            prop_assert_eq!(found, counted(&texts[0], &texts[1]));
            prop_assert_eq!(labels.scored_labelled, labels.labelled);
            tally.add(if found[0] == found[1] { "no matter of subtypes" } else { "one of subtypes" });
        }
    });
    tally.has(["no matter of subtypes", "one of subtypes"]);
}

#[test]
fn relations_are_written_as_they_were_found() {
    let text = sentence_lines(&[(0, "root"), (1, "obl:npmod"), (2, "obj")]);
    let file = conll::parse(text.as_bytes(), Path::new("a")).expect("a file");
    let gold = &file.sentences[0];
    let (trees, relations) = ([gold.gold.clone().expect("a tree")], [gold.relations.clone().expect("relations")]);
    let mut out = Vec::new();
    let parses = Parses { trees: &trees, relations: Some(&relations), ..Parses::default() };
    file.write_parsed(parses, &mut out).expect("written");
    assert_eq!(String::from_utf8(out).expect("text"), text);
}

/// Sentences of a small language in which the relation follows from tags, direction and neighbours.
fn small_treebank() -> Vec<Sentence> {
    let lines = ["D N V D N .", "N V N", "D N V P N .", "V N P D N", "N V P N P N ."];
    let one = |text: &str| {
        let tags: Vec<&str> = text.split(' ').collect();
        let verb = tags.iter().position(|tag| *tag == "V").expect("a verb");
        let noun_behind = |at: usize| tags[at..].iter().position(|tag| *tag == "N").expect("a noun") + at + 1;
        let word = |(at, tag): (usize, &&str)| match *tag {
            "V" => (0, "root"),
            "D" => (noun_behind(at), "det"),
            "P" => (noun_behind(at), "case"),
            "." => (verb + 1, "punct"),
            _ if at < verb => (verb + 1, "nsubj"),
            _ if tags[at - 1] == "P" || tags[at.saturating_sub(2)] == "P" => (verb + 1, "obl"),
            _ => (verb + 1, "obj"),
        };
        let words: Vec<(usize, &str)> = tags.iter().enumerate().map(word).collect();
        let mut sentence = parse(&sentence_lines(&words)).remove(0);
        for (token, tag) in sentence.tokens.iter_mut().zip(tags) {
            *token = Token { form: tag.to_lowercase(), coarse: tag.into(), fine: tag.into(), ..Token::default() };
        }
        sentence
    };
    lines.map(one).into()
}

fn learnt(sentences: &[Sentence], seed: u64) -> Result<Labeller, LabelError> {
    let templates = TemplateSet::built_in("labels").expect("built in").expect("a set");
    let trees = sentences.iter().filter_map(|sentence| Some((sentence, sentence.gold.as_ref()?)));
    Labeller::train(&templates, trees, Schedule { epochs: 10, seed })
}

fn bytes(labeller: &Labeller) -> Vec<u8> {
    let mut out = BytesWriter::default();
    labeller.encode(&mut out);
    out.into_bytes()
}

#[test]
fn a_labeller_learns_its_treebank_and_reads_back() {
    let sentences = small_treebank();
    let labeller = learnt(&sentences, 1).expect("learnt");
    let again = Labeller::decode(&mut BytesReader::new(&bytes(&labeller))).expect("decoded");
    assert_eq!(bytes(&again), bytes(&labeller));
    assert_eq!(bytes(&learnt(&sentences, 1).expect("learnt")), bytes(&labeller), "from one seed comes one labeller");
    let mut scratch = Scratch::default();
    for sentence in &sentences {
        let tree = sentence.gold.as_ref().expect("a tree");
        for labeller in [&labeller, &again] {
            assert_eq!(Some(labeller.label(&sentence.tokens, tree, &mut scratch)), sentence.relations);
        }
    }
    // Whatever is cut off or changed, bytes decode or are refused.
    let whole = bytes(&labeller);
    for at in (0..whole.len()).step_by(7) {
        assert!(Labeller::decode(&mut BytesReader::new(&whole[..at])).is_err());
        let mut changed = whole.clone();
        changed[at] ^= 0x81;
        drop(Labeller::decode(&mut BytesReader::new(&changed)));
    }
}

#[test]
fn what_no_labels_can_be_learnt_from_is_refused() {
    let mut sentences = small_treebank();
    sentences.iter_mut().for_each(|sentence| sentence.relations = None);
    assert!(matches!(learnt(&sentences, 1), Err(LabelError::NoRelations)));
    let sentences = small_treebank();
    let templates = TemplateSet::parse(
        "[[group]]\npart = \"comb\"\nvariants = [\"direction\"]\ntemplates = [\"h.t\"]",
        "some.toml",
    );
    let trees = sentences.iter().filter_map(|sentence| Some((sentence, sentence.gold.as_ref()?)));
    let fault = Labeller::train(&templates.expect("a set"), trees, Schedule { epochs: 1, seed: 1 });
    let fault = fault.expect_err("no parts of arcs").to_string();
    assert!(fault.contains("`comb` parts") && fault.contains("any-sibling"), "{fault}");
}

/// All relations of a few words, against the labeller, with scores from the definition.
#[test]
fn relations_are_the_best_of_all() {
    let sentences = small_treebank();
    let labeller = learnt(&sentences, 3).expect("learnt");
    let names: Vec<&str> = labeller.names().iter().map(|name| &**name).collect();
    let tally = Tally::default();
    let word = |i: usize| (0..i, select(vec!["N", "V", "P", "D", ".", "unseen"]));
    let words = (1usize..5).prop_flat_map(move |n| (1..=n).map(word).collect::<Vec<_>>());
    proptest!(cases(60), |(words in words)| {
        let tree = Tree::new(words.iter().map(|(head, _)| Word::new(*head)).collect()).expect("a tree");
        let token = |(_, tag): &(usize, &str)| Token {
            form: tag.to_lowercase(), coarse: (*tag).into(), fine: (*tag).into(), ..Token::default()
        };
        let tokens: Vec<Token> = words.iter().map(token).collect();
        let mut scratch = Scratch::default();
        let found = labeller.label(&tokens, &tree, &mut scratch);
        let found: Vec<&str> = found.iter().collect();
        let own = labeller.score(&tokens, &tree, &found, &mut scratch);
        let mut all: Vec<Vec<&str>> = vec![Vec::new()];
        for _ in &tokens {
            all = all.iter().flat_map(|some| names.iter().map(move |name| [&some[..], &[*name]].concat())).collect();
        }
        let mut by_score: BTreeMap<i64, usize> = BTreeMap::new();
        for relations in &all {
            if let Some(score) = labeller.score(&tokens, &tree, relations, &mut scratch) {
                *by_score.entry(score).or_default() += 1;
            }
        }
        let best = by_score.last_key_value().map(|(score, _)| *score);
        prop_assert_eq!(own, best);
        prop_assert!(own.is_some());
        tally.add(if by_score.len() > 1 { "a choice" } else { "no choice" });
    });
    tally.has(["a choice"]);
}

#[test]
fn eval_has_las_where_both_files_have_relations() {
    let desk = Desk::new();
    let [gold, other] =
        [[(0, "root"), (1, "obl:npmod")], [(0, "root"), (1, "obl")]].map(|words| sentence_lines(&words));
    desk.write("gold.conllu", &gold);
    desk.write("other.conllu", &other);
    desk.write("bare.conllu", other.replace("\troot\t", "\t_\t").replace("\tobl\t", "\t_\t"));
    let text = desk.treebound(&["eval", "gold.conllu", "other.conllu", "--by", "relation"]).success();
    for line in [
        "LAS, all tokens, no subtypes      100.00   2 / 2",
        "LAS, all tokens                    50.00   1 / 2",
        "label accuracy, without punct.     50.00   1 / 2",
        "UAS, without punctuation, by relation of the gold arc",
        "LAS, without punctuation, by relation of the gold arc",
        "obl:npmod                           0.00   0 / 1",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let text = desk.treebound(&["eval", "gold.conllu", "bare.conllu", "--by", "relation"]).success();
    assert!(!text.contains("LAS") && text.contains("obl:npmod"), "{text}");
}

#[test]
fn numbers_without_names_are_no_relations() {
    assert_eq!(Relations::new(["a".into()].into(), vec![0, 1]).map(|relations| relations.len()), None);
}

/// The small treebank as a file, each sentence several times, with a tag on its words for the reader.
fn small_file() -> String {
    let one = |sentence: &Sentence| {
        let heads = sentence.gold.iter().flat_map(|tree| tree.heads());
        let relations = sentence.relations.iter().flat_map(|relations| relations.iter());
        let words = sentence.tokens.iter().zip(heads).zip(relations).enumerate();
        let line = |(i, ((Token { form, coarse, fine, .. }, head), name)): (usize, ((&Token, &Word), &str))| {
            format!("{}\t{form}\t_\t{coarse}\t{fine}\t_\t{head}\t{name}\t_\t_\n", i + 1)
        };
        words.map(line).collect::<String>() + "\n"
    };
    small_treebank().iter().cycle().take(40).map(one).collect()
}

const BARE: &str = "1\tn\t_\tN\tN\t_\t_\t_\t_\t_\n2\tv\t_\tV\tV\t_\t_\t_\t_\t_\n3\tn\t_\tN\tN\t_\t_\t_\t_\t_\n\n";

/// Without a config: a model of either kind labels words that had no relation, and says what it is.
#[test]
fn a_model_is_learnt_from_files_alone_and_labels() {
    let desk = Desk::new();
    desk.write("a.conllu", small_file());
    desk.write("bare.conllu", BARE);
    let quick = ["--set", "training.templates=\"compact\"", "--set", "training.epochs=3", "--features", "sibling"];
    for (labels, told) in [("second-stage", "second stage, "), ("in-search", "in the search, "), ("none", "none")] {
        let train = ["train", "--train", "a.conllu", "--dev", "a.conllu", "--model", "m", "--labels", labels];
        desk.treebound(&[&train[..], &quick].concat()).success();
        let said = desk.treebound(&["model", "m"]).success();
        let line = |name: &str| said.lines().find(|line| line.starts_with(name)).unwrap_or_default().to_owned();
        assert!(line("labels").contains(told), "{said}");
        assert!(
            line("training part").contains("40 sentences") && line("non-local features").ends_with("sibling"),
            "{said}"
        );
        assert_eq!(line("its accuracy").contains("LAS"), labels != "none", "{said}");
        let parsed = desk.treebound(&["parse", "--model", "m", "bare.conllu"]).success();
        let names: Vec<&str> = parsed.lines().filter_map(|line| line.split('\t').nth(7)).collect();
        let expected = if labels == "none" { ["dep", "root", "dep"] } else { ["nsubj", "root", "obj"] };
        assert_eq!(names, expected, "{parsed}");
    }
    desk.treebound(&["train", "--train", "a.conllu", "--model", "m", "--labels", "early"]).failure(&["--labels early"]);
    let whole = small_file();
    let bare = whole.lines().map(|line| {
        let mut cells: Vec<&str> = line.split('\t').collect();
        if let Some(relation) = cells.get_mut(7) {
            *relation = "_";
        }
        cells.join("\t") + "\n"
    });
    desk.write("c.conllu", bare.collect::<String>());
    let train = ["train", "--train", "c.conllu", "--model", "m"];
    desk.treebound(&[&train[..], &quick].concat()).failure(&["no training sentence has relations"]);
}

/// Rows of both kinds have LAS, and what `verify` makes anew of trees, relations and scores is the same.
#[test]
fn cells_with_labels_have_las_and_are_verified() {
    let desk = Desk::new();
    desk.write("a.conllu", small_file());
    desk.write(
        "configs/c.toml",
        "[[corpus]]\nname = 'c'\nformat = 'conllu'\nfolder = '..'\ntrain = 'a.conllu'\ndev = 'a.conllu'\ntest = 'a.conllu'\n\
         [training]\nlearner = 'mira'\nepochs = 2\nchoose_epoch = 'dev'\n\
         [[grid]]\nname = 'g'\nsets = 'sibling'\nlabels = ['none', 'second-stage', 'in-search']\n",
    );
    desk.treebound(&["run", "configs/c.toml"]).success();
    let scores = desk.read("results/c/scores.csv");
    let header: Vec<&str> = scores.lines().next().expect("a header").split(',').collect();
    let column = |name: &str| header.iter().position(|column| *column == name).expect("a column");
    let mut seen = BTreeMap::new();
    for row in scores.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>()) {
        let [labels, labelled, correct] = ["labels", "labelled", "correct"].map(|name| row[column(name)]);
        assert_eq!(labelled.is_empty(), labels == "-", "{scores}");
        if let Ok(labelled) = labelled.parse::<u64>() {
            assert!(labelled > 0 && labelled <= correct.parse().expect("a count"), "{scores}");
        }
        *seen.entry(labels.to_owned()).or_insert(0) += 1;
    }
    assert_eq!(
        seen,
        [("-", 2), ("in-search", 2), ("second-stage", 2)].map(|(name, many)| (name.to_owned(), many)).into()
    );
    let table = desk.treebound(&["table", "configs/c.toml", "2"]).success();
    assert!(table.contains("LAS") && table.contains("labels in-search"), "{table}");
    desk.treebound(&["verify", "results/c"]).success();
}
