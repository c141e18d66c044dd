//! Coordination: a list of conjuncts, separators and a coordinator, all hanging flat on the word that governs the list.
//! The conjuncts are of one noun class and the coordinator agrees with it; the governor does not.
//!
//! A list on a verb has a phrase on one of its conjuncts with a list of its own, of another class. Where the inner list
//! ends and the outer goes on is seen only by comparing a conjunct with its siblings; the nearest ones are separators.
//! Possessors of any class keep what stands between from telling.

use super::{Grower, Phenomenon};
use crate::treebank::synth::draft::{Id, Place};
use crate::treebank::synth::phrases::Before;
use crate::treebank::synth::places::{adposition, noun, verb};
use crate::treebank::synth::tags::{GENDERS, Tag};

/// Conjuncts added to the inner and to the outer list: at least one in all. After those of the outer list none of the
/// inner one can come.
const CONTINUED: [(usize, usize); 8] = [(1, 0), (2, 0), (3, 0), (0, 1), (0, 1), (0, 2), (1, 1), (2, 1)];

pub(super) fn grow(g: &mut Grower) -> Option<()> {
    let governor = g.objectless()?;
    let mut genders: Vec<usize> = (0..GENDERS).collect();
    g.draw.shuffle(&mut genders);
    let (outer, inner) = (genders[0], genders[1]);

    let mut last = item(g, governor, verb::OBJECT, outer);
    if g.draw.chance(350) {
        g.closed(governor, verb::OBJECT, Tag::Comma);
        last = item(g, governor, verb::OBJECT, outer);
    }
    let p = g.adposition(last, noun::PHRASE, None);
    let first = item(g, p, adposition::OBJECT, inner);
    // A noun of the outer list's class inside the inner list: what stands between must not tell.
    if g.draw.chance(800) && !g.draft.has(first, noun::POSSESSOR) {
        g.possessor(first, outer);
    }
    if g.draw.chance(300) {
        g.closed(p, adposition::OBJECT, Tag::Comma);
        item(g, p, adposition::OBJECT, inner);
    }
    // How many more conjuncts each list has.
    let (of_inner, of_outer) = CONTINUED[g.draw.below(CONTINUED.len())];
    continue_list(g, p, adposition::OBJECT, inner, of_inner);
    continue_list(g, governor, verb::OBJECT, outer, of_outer);
    Some(())
}

/// A conjunct, never next to what stands before its phrase.
fn item(g: &mut Grower, head: Id, place: Place, gender: usize) -> Id {
    let id = g.noun(head, place, gender, Before::Something);
    g.draft.nodes[id].open = false;
    if g.draw.chance(200) {
        let gender = g.draw.below(GENDERS);
        g.possessor(id, gender);
    }
    id
}

/// `, N CC N`. A coordinator does not mean that the list is at its end.
fn continue_list(g: &mut Grower, head: Id, place: Place, gender: usize, more: usize) {
    for _ in 0..more {
        if g.draw.chance(600) {
            let entry = g.lexicon.nth(Tag::Coordinator, gender);
            let id = g.draft.add(head, place, Tag::Coordinator, entry);
            g.draft.nodes[id].decided = Some(Phenomenon::Coordination);
        } else {
            g.closed(head, place, Tag::Comma);
        }
        let id = item(g, head, place, gender);
        g.draft.nodes[id].decided = Some(Phenomenon::Coordination);
    }
}
