//! Coordination: a list of conjuncts, separators and coordinators, all hanging flat on the word that governs the list. The
//! conjuncts are of one noun class, or names, which have none; the governor and what separates them do not show it.
//!
//! A list on a verb ends in a name with a phrase, whose object is a list of its own, of another class. Where the inner
//! list ends and the outer goes on is seen only by comparing a conjunct with its siblings: the nearest ones are
//! separators, and the name above the inner list has no class to compare with. Possessors of the other class keep what
//! stands between from telling.

use crate::draft::{Id, Seat, adposition, noun, verb};
use crate::phenomena::{Grower, Phenomenon};
use crate::phrases::Before;
use crate::tags::{GENDERS, Tag};

/// Conjuncts added to the inner and to the outer list. As long as a conjunct may hang on either, it hangs on each as
/// often; after those of the outer list none of the inner one can come.
const CONTINUED: [(usize, usize); 8] = [(1, 0), (2, 0), (1, 1), (2, 1), (0, 1), (0, 2), (0, 2), (0, 3)];

pub(super) fn grow(g: &mut Grower) -> Option<()> {
    let governor = g.objectless()?;
    let mut genders: Vec<usize> = (0..GENDERS).collect();
    g.draw.shuffle(&mut genders);
    let (outer, inner) = (genders[0], genders[1]);

    item(g, governor, verb::OBJECT, outer);
    separator(g, governor, verb::OBJECT);
    let name = g.name_of(governor, verb::OBJECT);
    let p = g.adposition(name, noun::PHRASE, None);
    let first = item(g, p, adposition::OBJECT, inner);
    // A noun of the outer list's class inside the inner list: what stands between must not tell.
    if g.draw.chance(800) && !g.draft.has(first, noun::POSSESSOR) {
        g.possessor(first, outer);
    }
    // How many more conjuncts each list has.
    let (of_inner, of_outer) = CONTINUED[g.draw.below(CONTINUED.len())];
    continue_list(g, p, adposition::OBJECT, inner, of_inner);
    continue_list(g, governor, verb::OBJECT, outer, of_outer);
    Some(())
}

/// A conjunct, never next to what stands before its phrase.
fn item(g: &mut Grower, head: Id, place: Seat, gender: usize) -> Id {
    let id = g.noun(head, place, gender, Before::Something);
    g.draft.nodes[id].open = false;
    if g.draw.chance(200) {
        let gender = g.draw.below(GENDERS);
        g.possessor(id, gender);
    }
    id
}

/// `, N CC N`. A coordinator does not mean that the list is at its end.
fn continue_list(g: &mut Grower, head: Id, place: Seat, gender: usize, more: usize) {
    for _ in 0..more {
        let between = separator(g, head, place);
        if g.draft.nodes[between].tag == Tag::Coordinator {
            g.draft.nodes[between].decided = Some(Phenomenon::Coordination);
        }
        let id = item(g, head, place, gender);
        g.draft.nodes[id].decided = Some(Phenomenon::Coordination);
    }
}

/// A comma or a coordinator.
fn separator(g: &mut Grower, head: Id, place: Seat) -> Id {
    let tag = if g.draw.chance(500) { Tag::Coordinator } else { Tag::Comma };
    g.closed(head, place, tag)
}
