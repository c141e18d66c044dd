//! All derivations of a sentence, each by definition: the specification of the searches.

use super::transition::{Action, Costs, Stack};

/// Visits every derivation with its cost. Time exponential in the number of words.
pub fn for_each_derivation(costs: &mut impl Costs, mut visit: impl FnMut(&[Action], i64)) {
    let mut stack = Stack::default();
    stack.start(costs.words());
    extend(costs, &stack, &mut Vec::new(), 0, &mut visit);
}

fn extend(
    costs: &mut impl Costs,
    stack: &Stack,
    actions: &mut Vec<Action>,
    cost: i64,
    visit: &mut impl FnMut(&[Action], i64),
) {
    let (state, words) = (stack.state(), costs.words());
    if actions.len() + 1 == 2 * words as usize || words == 0 {
        let end = if words == 0 { 0 } else { costs.end(state.trees[0]) };
        return visit(actions, cost + end);
    }
    let by_action = costs.actions(&state);
    for action in state.allowed(words) {
        let mut next = stack.clone();
        next.take(action);
        actions.push(action);
        extend(costs, &next, actions, cost + by_action[action as usize], visit);
        actions.pop();
    }
}
