//! Trees, lengths, words and noise are as the settings say.

use std::collections::{BTreeMap, HashSet};

use treebound::treebank::synth::{Config, Generator, Marked, Phenomenon, Rates, Section, generate};
use treebound::treebank::{Sentence, Tree};

fn default() -> Config {
    Config { train: 1500, dev: 300, test: 300, ..Config::default() }
}

fn tree(sentence: &Sentence) -> &Tree {
    sentence.gold.as_ref().expect("a gold tree")
}

/// Words of `part` that `known` lacks, of 1,000.
fn unknown_of_1000(part: &[Sentence], known: &HashSet<&str>) -> usize {
    let words: Vec<_> = part.iter().flat_map(|s| &s.tokens).collect();
    1000 * words.iter().filter(|t| !known.contains(t.form.as_str())).count() / words.len()
}

#[test]
fn trees_are_valid_with_one_root_and_lengths_from_3_to_60() {
    let treebank = generate(&Config { train: 8000, ..default() }).expect("valid settings");
    let mut lengths = BTreeMap::new();
    for sentence in treebank.train.iter().chain(&treebank.dev).chain(&treebank.test) {
        let tree = tree(sentence);
        // Read back as any treebank's heads would be.
        assert_eq!(Tree::new(tree.heads().to_vec()).as_ref(), Ok(tree));
        assert_eq!(tree.len(), sentence.len());
        assert_eq!(tree.roots().count(), 1);
        assert!(sentence.tokens.iter().all(|t| !t.form.is_empty() && !t.form.contains(char::is_whitespace)));
        *lengths.entry(sentence.len()).or_insert(0) += 1;
    }
    assert_eq!(lengths.keys().next(), Some(&3), "{lengths:?}");
    assert!(lengths.keys().all(|&l| l <= 60), "{lengths:?}");
    assert!(lengths.range(50..).count() > 0, "{lengths:?}");
}

#[test]
fn words_are_zipfian_and_some_of_the_test_part_are_unknown() {
    let treebank = generate(&default()).expect("valid settings");
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for token in treebank.train.iter().flat_map(|s| &s.tokens) {
        *counts.entry(&token.form).or_default() += 1;
    }
    let known: HashSet<&str> = counts.keys().copied().collect();
    let once = counts.values().filter(|&&n| n == 1).count();
    assert!(3 * once > known.len(), "{once} of {} words occur once", known.len());
    let mut by_count: Vec<usize> = counts.into_values().collect();
    by_count.sort_unstable_by(|a, b| b.cmp(a));
    let (all, top): (usize, usize) = (by_count.iter().sum(), by_count[..100].iter().sum());
    assert!((400..800).contains(&(1000 * top / all)), "the 100 most frequent words are {top} of {all}");
    for part in [&treebank.dev, &treebank.test] {
        let unknown = unknown_of_1000(part, &known);
        assert!((60..150).contains(&unknown), "{unknown} ‰ unknown");
    }
    // With `unknown`, far more; without it, only the tail that a part has not seen.
    let rate = |unknown| {
        let treebank = generate(&Config { unknown, ..default() }).expect("valid settings");
        unknown_of_1000(&treebank.test, &known)
    };
    let (none, many) = (rate(0), rate(500));
    assert!((40..120).contains(&none), "{none} ‰");
    assert!(many > 200, "{many} ‰");
}

#[test]
fn a_few_sentences_are_not_projective_and_rate_0_leaves_none() {
    let share = |nonprojective| {
        let treebank = generate(&Config { nonprojective, ..default() }).expect("valid settings");
        treebank.train.iter().filter(|s| !tree(s).is_projective()).count()
    };
    let few = share(25);
    assert!((8..45).contains(&few), "{few} of 1500");
    assert_eq!(share(0), 0);
    assert!(share(1000) > 500);
}

#[test]
fn noise_changes_as_many_heads_and_tags_as_asked() {
    let quiet = Config { head_noise: 0, tag_noise: 0, nonprojective: 0, ..default() };
    let clean = generate(&quiet).expect("valid settings");
    let words: usize = clean.train.iter().map(Sentence::len).sum();
    let heads = generate(&Config { head_noise: 30, ..quiet.clone() }).expect("valid settings");
    let tags = generate(&Config { tag_noise: 10, ..quiet }).expect("valid settings");
    let (mut changed_heads, mut changed_tags) = (0, 0);
    for ((c, h), t) in clean.train.iter().zip(&heads.train).zip(&tags.train) {
        assert_eq!(tree(c), tree(t));
        changed_heads += tree(c).heads().iter().zip(tree(h).heads()).filter(|(a, b)| a != b).count();
        changed_tags += c.tokens.iter().zip(&t.tokens).filter(|(a, b)| a.fine != b.fine).count();
        assert!(tree(h).is_projective());
    }
    let of_1000 = |n: usize| 1000 * n / words;
    assert!((20..=30).contains(&of_1000(changed_heads)), "{changed_heads} of {words}");
    assert!((7..=11).contains(&of_1000(changed_tags)), "{changed_tags} of {words}");
}

fn decided(config: &Config) -> BTreeMap<Phenomenon, usize> {
    let generator = Generator::new(config).expect("valid settings");
    let mut counts = BTreeMap::new();
    for Marked { sentence, decided } in generator.marked(Section::Train).expect("trees") {
        assert_eq!(decided.len(), sentence.len());
        for phenomenon in decided.into_iter().flatten() {
            *counts.entry(phenomenon).or_default() += 1;
        }
    }
    counts
}

#[test]
fn every_phenomenon_occurs_and_its_rate_0_switches_it_off() {
    let all = decided(&default());
    for phenomenon in Phenomenon::ALL {
        assert!(all.get(&phenomenon).is_some_and(|&n| n > 50), "{phenomenon}: {all:?}");
        let mut without = default();
        *without.phenomena.rate_mut(phenomenon) = 0;
        let others = decided(&without);
        assert_eq!(others.len(), Phenomenon::ALL.len() - 1, "{phenomenon}: {others:?}");
        assert!(!others.contains_key(&phenomenon));
    }
    assert!(decided(&Config { phenomena: Rates::NONE, ..default() }).is_empty());
}

#[test]
fn some_lists_have_many_conjuncts() {
    let generator = Generator::new(&default()).expect("valid settings");
    let most = generator.marked(Section::Train).expect("trees").into_iter().map(|m| {
        let heads = tree(&m.sentence).heads();
        let nouns = (0..m.sentence.len())
            .filter(|&i| m.decided[i] == Some(Phenomenon::Coordination) && m.sentence.tokens[i].coarse == "NOUN");
        let heads: Vec<_> = nouns.map(|i| heads[i]).collect();
        heads.iter().map(|h| heads.iter().filter(|g| *g == h).count()).max().unwrap_or(0)
    });
    // Beside the first ones, which nothing decides.
    assert!(most.max() >= Some(3));
}

#[test]
fn settings_out_of_range_are_named() {
    let fault = |config: Config| generate(&config).expect_err("out of range").to_string();
    let mut rates = default();
    rates.phenomena.brackets = 900;
    for (config, says) in [
        (Config { train: 0, ..default() }, "train = 0"),
        (Config { test: 2_000_000, ..default() }, "test = 2000000"),
        (Config { vocabulary: 10, ..default() }, "vocabulary = 10"),
        (Config { head_noise: 1001, ..default() }, "head_noise = 1001"),
        (rates, "the phenomena add up to"),
    ] {
        let message = fault(config);
        assert!(message.contains(says), "{message}");
    }
    let mut all = Config { train: 0, dev: 0, ..default() };
    all.phenomena.concord = 1001;
    let keys: Vec<_> = all.faults().iter().map(|f| f.key()).collect();
    assert_eq!(keys, ["train", "dev", "concord"]);
}
