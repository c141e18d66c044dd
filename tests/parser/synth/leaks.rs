//! No leak: whoever sees one arc, however much of its surroundings, cannot tell the right head from the other candidates.

use std::collections::HashMap;

use treebound::graph::Word;
use treebound::treebank::Sentence;
use treebound::treebank::synth::{Marked, Phenomenon, Section};

use super::sites::{Decision, decisions, fine, form, only};

/// What is seen of an arc: head, modifier, how many candidates there are, and which of them this is.
type View = fn(&Sentence, Word, Word, usize, usize) -> String;

fn around(s: &Sentence, w: Word) -> String {
    let [before, after] = [w.ix().saturating_sub(1), w.ix() + 1].map(|i| fine(s, Word::new(i)));
    format!("{before} {} {after}", fine(s, w))
}

const VIEWS: [(&str, View); 8] = [
    ("tags", |s, h, m, _, _| format!("{} {}", fine(s, h), fine(s, m))),
    ("forms", |s, h, m, _, _| format!("{} {}", form(s, h), form(s, m))),
    ("form of the head", |s, h, m, _, _| format!("{} {}", form(s, h), fine(s, m))),
    ("form of the modifier", |s, h, m, _, _| format!("{} {}", fine(s, h), form(s, m))),
    ("context of the head", |s, h, m, _, _| format!("{} {}", around(s, h), fine(s, m))),
    ("context of the modifier", |s, h, m, _, _| format!("{} {}", fine(s, h), around(s, m))),
    ("distance", |s, h, m, _, _| format!("{} {} {}", fine(s, h), fine(s, m), h.ix().abs_diff(m.ix()).min(15))),
    ("place among the candidates", |_, _, _, of, i| format!("{i} of {of}")),
];

/// How often a view was seen of the right candidate, and of any.
type Counts = HashMap<String, (f64, f64)>;

fn learn(view: View, part: &[(&Sentence, Decision)]) -> Counts {
    let mut counts = Counts::new();
    for (sentence, d) in part {
        for (i, &h) in d.candidates.iter().enumerate() {
            let entry = counts.entry(view(sentence, h, d.word, d.candidates.len(), i)).or_default();
            entry.0 += f64::from(u8::from(i == d.right));
            entry.1 += 1.0;
        }
    }
    counts
}

/// The share of decisions that are right if the candidate that looked best in training is always taken.
fn accuracy(view: View, counts: &Counts, part: &[(&Sentence, Decision)]) -> f64 {
    let right = part.iter().filter(|(sentence, d)| {
        let value = |i: usize| {
            let seen = counts.get(&view(sentence, d.candidates[i], d.word, d.candidates.len(), i));
            let (right, all) = seen.copied().unwrap_or_default();
            (right + 1.0) / (all + 2.0)
        };
        let best = (0..d.candidates.len()).max_by(|&a, &b| value(a).total_cmp(&value(b)));
        best == Some(d.right)
    });
    right.count() as f64 / part.len() as f64
}

fn all(phenomenon: Phenomenon, part: &[Marked]) -> Vec<(&Sentence, Decision)> {
    part.iter().flat_map(|m| decisions(phenomenon, m).into_iter().map(|d| (&m.sentence, d))).collect()
}

fn check(phenomenon: Phenomenon) {
    let (train, test) = (only(phenomenon, Section::Train), only(phenomenon, Section::Test));
    let (train, test) = (all(phenomenon, &train), all(phenomenon, &test));
    assert!(train.len() > 500 && test.len() > 150, "{phenomenon}: {} and {} decisions", train.len(), test.len());
    let chance = test.iter().map(|(_, d)| 1.0 / d.candidates.len() as f64).sum::<f64>() / test.len() as f64;
    for (name, view) in VIEWS {
        let found = accuracy(view, &learn(view, &train), &test);
        assert!(found < chance + 0.09, "{phenomenon}: {name} tells {found:.3}, chance is {chance:.3}");
    }
}

#[test]
fn no_arc_tells_the_head_of_a_closing_bracket() {
    check(Phenomenon::Brackets);
}

#[test]
fn no_arc_tells_which_list_a_conjunct_continues() {
    check(Phenomenon::Coordination);
}

#[test]
fn no_arc_tells_the_head_of_a_parallel() {
    check(Phenomenon::Parallel);
}

#[test]
fn no_arc_tells_the_head_of_a_circumposition() {
    check(Phenomenon::Circumposition);
}

#[test]
fn no_arc_tells_the_head_of_a_resumptive_clause() {
    check(Phenomenon::Resumption);
}

#[test]
fn no_arc_tells_whose_the_closing_particle_is() {
    check(Phenomenon::Concord);
}

#[test]
fn no_arc_tells_the_head_of_ideophones() {
    check(Phenomenon::Ideophones);
}
