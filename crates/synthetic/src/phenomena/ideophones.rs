//! Ideophones: a run of four particles of two sorts between a noun and its verb, or behind a verb's last noun. They hang
//! on the noun if an even number of them is of the first sort, on the verb otherwise: no part of the run tells.

use crate::draft::{Seat, noun, verb};
use crate::phenomena::{Grower, Phenomenon};
use crate::tags::Tag;

/// Particles in a run.
const RUN: usize = 4;

pub(super) fn grow(g: &mut Grower) -> Option<()> {
    let host = g.site(|d, i| {
        let node = &d.nodes[i];
        let fresh = node.tag.is_noun() && node.open && d.right_of(i).next().is_none();
        fresh && d.nodes[node.head].tag.is_verb() && matches!(node.place, verb::SUBJECT | verb::OBJECT)
    })?;
    let node = g.draft.nodes[host];
    g.draft.nodes[host].open = false;
    let on_noun = g.draw.chance(500);
    let (head, place) = match (on_noun, node.place) {
        (true, _) => (host, noun::IDEOPHONE),
        (false, Seat::Left(_)) => (node.head, verb::IDEOPHONE_LEFT),
        (false, _) => (node.head, verb::IDEOPHONE_RIGHT),
    };
    let mut even = true;
    for left in (0..RUN).rev() {
        let first = if left == 0 { even != on_noun } else { g.draw.chance(500) };
        even ^= first;
        let id = g.closed(head, place, if first { Tag::IdeophoneA } else { Tag::IdeophoneB });
        g.draft.nodes[id].decided = Some(Phenomenon::Ideophones);
    }
    Some(())
}
