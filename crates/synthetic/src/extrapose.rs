//! Extraposition: a constituent is moved to the end of its sentence, across the arc from its head's head.

use super::draft::{Draft, Id, Seat};
use super::draw::Draw;
use super::tags::Tag;

/// Moves a modifier of a noun, with all that hangs on it, before the final stop of `order`; nothing if there is none to
/// move so that the sentence becomes non-projective.
pub(super) fn extrapose(draft: &Draft, order: &mut Vec<Id>, draw: &mut Draw) {
    let movable: Vec<Id> = (0..draft.len())
        .filter(|&i| {
            let node = &draft.nodes[i];
            let head = &draft.nodes[node.head];
            // Something other than the final stop follows the constituent, and hangs on neither it nor its noun.
            matches!(node.place, Seat::Right(_))
                && head.tag.is_noun()
                && order.iter().rposition(|&w| under(draft, w, node.head)).is_some_and(|last| last + 2 < order.len())
        })
        .collect();
    if let Some(root) = draw.pick(&movable) {
        let stop = order.last().copied().filter(|&w| draft.nodes[w].tag == Tag::Stop);
        let (mut moved, mut rest): (Vec<Id>, Vec<Id>) =
            order.iter().filter(|&&w| Some(w) != stop).partition(|&&w| under(draft, w, root));
        rest.append(&mut moved);
        rest.extend(stop);
        *order = rest;
    }
}

/// Whether `word` is `ancestor` or hangs on it, directly or not.
fn under(draft: &Draft, word: Id, ancestor: Id) -> bool {
    let mut at = word;
    loop {
        if at == ancestor {
            return true;
        }
        let node = &draft.nodes[at];
        if node.place == Seat::Root {
            return false;
        }
        at = node.head;
    }
}
