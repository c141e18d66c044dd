//! How merged states were made, and the way back to a derivation.

use super::transition::Action;

/// No state.
pub(super) const NONE: u32 = u32::MAX;

/// How a state was made: the left state and the state before of a reduction; of a shift the state before alone; of the start neither.
pub(super) type Back = (u32, u32, Action);

/// Writes the actions of a state's cheapest derivation.
pub(super) fn write_actions(node: u32, back: impl Fn(u32) -> Back, actions: &mut Vec<Action>) {
    #[derive(Clone, Copy)]
    enum Part {
        /// All before a state.
        Whole(u32),
        /// Its top tree alone.
        Top(u32),
        Last(Action),
    }
    actions.clear();
    if node == NONE {
        return;
    }
    let mut left = vec![Part::Whole(node)];
    while let Some(part) = left.pop() {
        let (node, is_whole) = match part {
            Part::Last(action) => {
                actions.push(action);
                continue;
            }
            Part::Whole(node) => (node, true),
            Part::Top(node) => (node, false),
        };
        match back(node) {
            (_, NONE, _) => {}
            (NONE, before, action) if is_whole => left.extend([Part::Last(action), Part::Whole(before)]),
            (NONE, _, action) => left.push(Part::Last(action)),
            (q, p, action) => {
                // The trees below are those of the left state.
                let q = if is_whole { Part::Whole(q) } else { Part::Top(q) };
                left.extend([Part::Last(action), Part::Top(p), q]);
            }
        }
    }
}
