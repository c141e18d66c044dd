//! What does tell the head: of the candidates, the right one alone agrees, by the set of arcs that the phenomenon names.

use std::collections::HashMap;

use treebound::graph::Word;
use treebound::treebank::Sentence;
use treebound::treebank::synth::{Phenomenon, Section};

use super::sites::{children, decisions, fine, form, is_adposition, is_ideophone, is_noun, is_verb, only, tree};

/// Of all decisions, in how many the right candidate agrees and no other does.
fn told(phenomenon: Phenomenon, agrees: impl Fn(&Sentence, Word, Word) -> bool) -> (usize, usize) {
    let (mut told, mut all) = (0, 0);
    for marked in only(phenomenon, Section::Test) {
        for d in decisions(phenomenon, &marked) {
            let agree = |i: &usize| agrees(&marked.sentence, d.candidates[*i], d.word);
            told += usize::from((0..d.candidates.len()).filter(agree).eq([d.right]));
            all += 1;
        }
    }
    (told, all)
}

fn check(phenomenon: Phenomenon, agrees: impl Fn(&Sentence, Word, Word) -> bool) {
    let (told, all) = told(phenomenon, agrees);
    assert!(all > 150, "{phenomenon}: {all}");
    // Two of a kind can meet in one sentence, by chance.
    assert!(100 * told >= 98 * all, "{phenomenon}: {told} of {all}");
}

#[test]
fn a_closing_bracket_by_the_opening_one() {
    // Which form opens what another closes is learnt.
    let mut opening: HashMap<String, String> = HashMap::new();
    for marked in only(Phenomenon::Brackets, Section::Train) {
        let s = &marked.sentence;
        for d in decisions(Phenomenon::Brackets, &marked) {
            let first = children(s, d.candidates[d.right]).next().expect("an opening bracket");
            opening.insert(form(s, d.word).to_owned(), form(s, first).to_owned());
        }
    }
    check(Phenomenon::Brackets, |s, h, m| {
        children(s, h).next().map(|first| form(s, first)) == opening.get(form(s, m)).map(String::as_str)
    });
}

#[test]
fn a_conjunct_by_the_others() {
    let conjunct = |s: &Sentence, m: Word| {
        // What comes next on the same word, for a coordinator.
        let next = children(s, tree(s).head(m)).find(|&c| c > m);
        if fine(s, m) == "CC" { next.unwrap_or(m) } else { m }
    };
    check(Phenomenon::Coordination, |s, h, m| {
        let class = fine(s, conjunct(s, m));
        children(s, h).any(|c| h < c && c < m && fine(s, c) == class)
    });
}

#[test]
fn a_parallel_by_the_repeated_adposition() {
    check(Phenomenon::Parallel, |s, h, m| {
        children(s, m).any(|c| is_adposition(fine(s, c)) && form(s, c) == form(s, h))
    });
}

#[test]
fn a_circumposition_by_its_object() {
    check(Phenomenon::Circumposition, |s, h, m| {
        children(s, m).any(|c| fine(s, c) == fine(s, h) || fine(s, c) == "PR" && is_verb(fine(s, h)))
    });
}

#[test]
fn a_resumptive_clause_by_its_pronoun() {
    check(Phenomenon::Resumption, |s, h, m| {
        let wanted = fine(s, h).replace('N', "PX");
        children(s, m).any(|p| children(s, p).any(|c| fine(s, c) == wanted))
    });
}

#[test]
fn a_closing_particle_by_two_others() {
    check(Phenomenon::Concord, |s, h, m| {
        let has = |tag: &str| children(s, h).any(|c| fine(s, c) == tag);
        let alike = has("MA") && has("QA") || has("MB") && has("QB");
        alike == (fine(s, m) == "FA")
    });
}

#[test]
fn ideophones_by_the_parity_of_their_run() {
    check(Phenomenon::Ideophones, |s, h, m| {
        let run = |w: &Word| is_ideophone(fine(s, *w));
        let before = (1..m.ix()).rev().map(Word::new).take_while(run);
        let after = (m.ix()..=s.len()).map(Word::new).take_while(run);
        let even = before.chain(after).filter(|&c| fine(s, c) == "KA").count() % 2 == 0;
        even == is_noun(fine(s, h))
    });
}
