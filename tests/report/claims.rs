//! Claims: each kind against results worked out by hand, and what is said where results are missing.

use std::sync::Arc;

use treebound::experiment::config;
use treebound::report::aggregate;
use treebound::report::claims::{ClaimTable, Evidence};
use treebound::report::record::{CellKey, SentenceRow, SpeedRow};
use treebound::report::significance::Draws;

use crate::fixture::{cell, sentence};

/// A claim of the kind, as a config has it, and nothing else.
fn claim(keys: &str) -> Vec<treebound::report::claims::Claim> {
    let corpus = "[[corpus]]\nname = 'toy'\nformat = 'synthetic'\n";
    let text = format!("{corpus}[[claim]]\nname = 'c'\ntext = 'Text.'\nsource = 'Table 9'\n{keys}\n");
    config::parse(&text, std::path::Path::new("toy.toml")).expect(keys).claims.all()
}

/// 40 sentences of 11 words, of which `right(i)` are right.
fn rows(cell: &Arc<CellKey>, right: impl Fn(u64) -> u64) -> Vec<SentenceRow> {
    (1..=40).map(|i| sentence(cell, i, 11, right(i))).collect()
}

/// The verdict and evidence on one claim.
fn verdict(keys: &str, sentences: &[SentenceRow], times: &[SpeedRow], more: &[Arc<CellKey>]) -> (String, String) {
    let wanted = sentences.iter().map(|row| &row.cell).chain(more).map(|cell| (**cell).clone()).collect();
    let scores = aggregate::scores(sentences).expect("sums");
    let lengths = aggregate::by_length(sentences).expect("sums");
    let usual = ("bnb", "test", Draws { rounds: 1000, seed: 1 });
    let evidence = Evidence::new(wanted, &scores, sentences.to_vec(), &lengths, times, usual).expect("evidence");
    let table = ClaimTable::new(&claim(keys), &evidence);
    let [judged] = table.judged() else { panic!("one claim, one corpus, one choice of tags") };
    (judged.verdict.name().to_owned(), judged.evidence.clone())
}

fn sets() -> Vec<SentenceRow> {
    let row = |features, decoder, right: fn(u64) -> u64| rows(&cell(features, "k=10", decoder, 1), right);
    [
        row("baseline", "dp", |_| 5),
        row("sibling", "bnb", |_| 7),
        row("grandchild", "bnb", |_| 6),
        // As good as the baseline, now better, now worse.
        row("comb", "bnb", |i| if i % 2 == 0 { 4 } else { 6 }),
    ]
    .concat()
}

const BETTER: &str = "kind = 'better'\nlevel = 0.05\n";
const LARGEST: &str = "kind = 'largest'\nlevel = 0.05\n";

#[track_caller]
fn assert_is((verdict, evidence): (String, String), expected: &str, says: &str) {
    assert!(verdict == expected && evidence.contains(says), "{verdict}: {evidence}");
}

#[test]
fn better_is_decided_by_a_paired_test_over_each_row() {
    let decide = |a: &str, others: &str| {
        verdict(&format!("{BETTER}a = {{ set = '{a}' }}\nothers = [{others}]"), &sets(), &[], &[])
    };
    let baseline = "{ set = 'baseline' }";
    assert_is(decide("sibling", baseline), "holds", "+20.00 over baseline (p = 0.0010)");
    assert_is(decide("baseline", "{ set = 'sibling' }"), "does not hold", "-20.00 over sibling");
    assert_is(decide("comb", baseline), "undecided", "0.00 over baseline (p = 1.0000)");
    let both = format!("{baseline}, {{ set = 'grandchild' }}");
    assert_is(decide("sibling", &both), "holds", "; +10.00 over grandchild");
    // What is missing does not hide what is decided.
    let missing = "{ set = 'hand' }, { set = 'sibling' }";
    assert_is(
        decide("comb", missing),
        "does not hold",
        "not run: toy/test/predicted/perceptron/hand/k=10/carreras/bnb; -20.00 over sibling",
    );
    assert_is(decide("sibling", "{ set = 'hand' }, { set = 'comb' }"), "undecided", "+20.00 over comb");
}

#[test]
fn the_largest_must_beat_the_next_best_and_all_must_be_there() {
    let decide = |a: &str, others: &[&str]| {
        let others: Vec<String> = others.iter().map(|set| format!("{{ set = '{set}' }}")).collect();
        verdict(&format!("{LARGEST}a = {{ set = '{a}' }}\nothers = [{}]", others.join(", ")), &sets(), &[], &[])
    };
    assert_is(decide("sibling", &["comb", "grandchild"]), "holds", "next best: +10.00 over grandchild");
    assert_is(decide("grandchild", &["comb", "sibling"]), "does not hold", "next best: -10.00 over sibling");
    assert_is(
        decide("sibling", &["comb", "hand"]),
        "undecided",
        "not run: toy/test/predicted/perceptron/hand/k=10/carreras/bnb",
    );
}

#[test]
fn intervals_decide_what_is_no_better_or_within() {
    let decide = |kind: &str, a: &str, tolerance: f64| {
        let keys = format!("kind = '{kind}'\nlevel = 0.025\ntolerance = {tolerance:?}\na = {{ set = '{a}' }}");
        verdict(&format!("{keys}\nothers = [{{ set = 'baseline' }}]"), &sets(), &[], &[])
    };
    // Every sentence differs by two words of ten, so there is no doubt about the mean.
    assert_is(decide("no-better", "sibling", 20.0), "holds", "+20.00 over baseline (95 % interval +20.00 to +20.00)");
    assert_is(decide("no-better", "sibling", 19.9), "does not hold", "+20.00");
    assert_is(decide("within", "sibling", 20.0), "holds", "");
    assert_is(decide("within", "sibling", 19.9), "does not hold", "");
    assert_is(decide("no-better", "comb", 0.0), "undecided", "0.00 over baseline (95 % interval -");
    assert_is(decide("no-better", "comb", 10.0), "holds", "");
    assert_is(decide("within", "comb", 0.5), "undecided", "");
    assert_is(decide("within", "comb", 10.0), "holds", "");
}

#[test]
fn measures_are_held_against_published_values() {
    // Two calls a word.
    let decide = |value: f64, relative: f64| {
        let keys = format!("kind = 'near'\nmetric = 'dp-calls'\nvalue = {value:?}\nrelative = {relative:?}");
        verdict(&format!("{keys}\na = {{ set = 'sibling' }}"), &sets(), &[], &[])
    };
    assert_is(decide(20.0, 0.1), "holds", "22.00 where 20 is published (10 % tolerated)");
    assert_is(decide(20.0, 0.09), "does not hold", "22.00");
}

fn timed(cell: &Arc<CellKey>, passes: &[u64]) -> Vec<SpeedRow> {
    let row = |(i, &ns): (usize, &u64)| SpeedRow {
        cell: cell.clone(),
        repeat: i as u64 + 1,
        length: 11,
        sentences: 40,
        prune_ns: 0,
        score_ns: ns,
        decode_ns: 0,
    };
    passes.iter().enumerate().map(row).collect()
}

#[test]
fn ratios_of_times_are_undecided_where_passes_disagree() {
    let [slow, fast] = ["none", "k=10"].map(|prune| cell("sibling", prune, "bnb", 1));
    let sentences = [rows(&slow, |_| 5), rows(&fast, |_| 5)].concat();
    let decide = |passes: [u64; 3], times: bool| {
        let times = if times { [timed(&slow, &passes), timed(&fast, &[100, 100, 100])].concat() } else { Vec::new() };
        let keys = "kind = 'ratio'\nmetric = 'time'\nlow = 2\nhigh = 3.0\na = { set = 'sibling', pruning = 'none' }";
        verdict(&format!("{keys}\nothers = [{{ set = 'sibling' }}]"), &sentences, &times, &[])
    };
    assert_is(decide([250, 260, 240], true), "holds", "2.50 times that of k=10 (2.40 to 2.60 over passes)");
    assert_is(decide([250, 260, 190], true), "undecided", "1.90 to 2.60");
    assert_is(decide([350, 360, 340], true), "does not hold", "3.50");
    assert_is(decide([0; 3], false), "undecided", "not timed: toy/test/predicted/perceptron/sibling/none/carreras/bnb");
}

#[test]
fn every_proof_counts() {
    let mut sentences = sets();
    let decide =
        |sentences: &[SentenceRow], more: &[Arc<CellKey>]| verdict("kind = 'all-proven'", sentences, &[], more);
    assert_is(decide(&sentences, &[]), "holds", "all of 160 searches are proven");
    let more = [cell("hand", "k=10", "bnb", 1)];
    assert_is(
        decide(&sentences, &more),
        "undecided",
        "not run: 1 cell, the first toy/test/predicted/perceptron/hand/k=10/carreras/bnb/seed=1",
    );
    sentences[50].status = "node-limit".to_owned();
    assert_is(decide(&sentences, &more), "does not hold", "1 of 160 searches ended without a proof");
}

#[test]
fn growth_is_smooth_if_a_rising_curve_explains_it() {
    let cell = cell("sibling", "k=10", "bnb", 1);
    let curve = |calls: [u64; 6]| -> Vec<SentenceRow> {
        let row = |i: u64| {
            let length = i % 6;
            SentenceRow { dp_calls: calls[length as usize], ..sentence(&cell, i + 1, 5 + 10 * length, 2) }
        };
        (0..60).map(row).collect()
    };
    let decide = |calls, to_length: u64| {
        let keys = format!("kind = 'smooth-growth'\nmetric = 'dp-calls'\nto_length = {to_length}\ntolerance = 0.1");
        verdict(&format!("{keys}\na = {{ set = 'sibling' }}"), &curve(calls), &[], &[])
    };
    assert_is(decide([1, 2, 2, 5, 9, 3], 45), "holds", "explains 100.0 % of the variation between 5 lengths");
    assert_is(decide([1, 2, 2, 5, 9, 3], 55), "does not hold", "between 6 lengths");
    assert_is(decide([1, 2, 2, 5, 9, 3], 40), "undecided", "only 4 lengths have enough sentences (up to 40 words)");
    assert_is(decide([3; 6], 55), "does not hold", "the curve is flat");
}

#[test]
fn every_seed_of_the_experiment_is_needed_and_axes_are_named() {
    let sentences = sets();
    let more = [cell("sibling", "k=10", "bnb", 2)];
    let keys = format!("{BETTER}a = {{ set = 'sibling' }}\nothers = [{{ set = 'baseline' }}]");
    assert_is(
        verdict(&keys, &sentences, &[], &more),
        "undecided",
        "not run: toy/test/predicted/perceptron/sibling/k=10/carreras/bnb/seed=2",
    );
    let other = "{ set = 'baseline', backbone = 'grand-sibling', learner = 'mira' }";
    let keys = format!("{BETTER}a = {{ set = 'sibling' }}\nothers = [{other}]");
    let name = "not run: toy/test/predicted/mira/baseline/k=10/grand-sibling/dp";
    assert_is(verdict(&keys, &sentences, &[], &[]), "undecided", name);
    // Named as it is anyway, it is the same row.
    let other = "{ set = 'baseline', backbone = 'carreras', learner = 'perceptron', split = 'test', pruning = 10, tags = 'predicted' }";
    let keys = format!("{BETTER}a = {{ set = 'sibling' }}\nothers = [{other}]");
    assert_is(verdict(&keys, &sentences, &[], &[]), "holds", "");
}
