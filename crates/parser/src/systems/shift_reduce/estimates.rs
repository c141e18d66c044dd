//! Estimates for A*: at most the cost from a state to the end, for every state of a sentence (A* is future work of the paper).
//!
//! A word that was just shifted is s0 without children, and all that waits is known. Of what is below, let k say what the kernel
//! asks of s1's head. What more is asked, of s1's children and of s2, is taken as it suits best: a sum of scores leads another
//! by at most the sum of what groups of templates lead by, each with the words before j, or none, that suit it. So `c_a(j, k)`,
//! the cost of action a by these leads, is at most what it costs in any such state. With n words:
//!
//! ```text
//! V(n, k) = min(c_left(n, k), c_right(n, k))                                       word n was just shifted
//! V(j, k) = min(c_shift(j, k) + V(j + 1, kind(j)), min(c_left(j, k), c_right(j, k)) + M(j))
//! M(j)    = min over k of words up to j of V(j + 1, k),    M(n) = 0                word j and a reduction
//!
//! h(state) = V(j, kind(s1))        if s0 is word j alone, and s1 is there
//!            V(j + 1, kind(s0))    if there is no s1 and j < n: the shift is the only action, and costs nothing
//!            0                     if there is no s1 and j = n: the end
//!            M(j)                  else
//! ```
//!
//! It is consistent. A word just shifted: by the definition of V and M, and M(j) <= V(j + 1, kind(s0)) where no s1 is left. Later: a
//! shift leads to V(j + 1, kind(s0)), at least M(j), or just that where there is no s1; a reduction leads to M(j) again or to
//! no s1.
//!
//! So there is one paid action for each word that waits. A reduction for each cannot be charged as well: how many trees are
//! below is no part of a merged state, and where they are one each word can be reduced at once and the next shift is free.

use treebound_core::decode::shift_reduce::{Action, Partial, State};

use super::features::{Hidden, Scores, Sentence};
use super::maxent;
use super::model::Model;

/// The estimates of a sentence; memory is reused.
#[derive(Clone, Debug, Default)]
pub struct Estimates {
    /// None: all estimates are 0.
    words: usize,
    /// By word, from 0.
    kinds: Vec<u32>,
    /// V, by words shifted, by kind.
    fresh: Vec<i64>,
    /// M, by words shifted.
    reduced: Vec<i64>,
    hidden: Hidden,
}

impl Estimates {
    /// Makes all estimates 0.
    pub fn clear(&mut self) {
        self.words = 0;
    }

    /// Computes the estimates of a sentence. Time is its length squared times the templates, and times the kinds of words where
    /// they ask of s1's children or of s2. A sentence so long that its sums are not kept has estimates of 0.
    pub fn fill(&mut self, model: &Model, sentence: &Sentence, scores: &mut Scores) {
        self.words = if sentence.is_kept() { sentence.words() as usize } else { 0 };
        let words = self.words as u32;
        let width = self.words + 1;
        self.kinds.clear();
        self.kinds.push(0);
        self.kinds.extend((1..=words).map(|word| sentence.kind(&model.features, word)));
        self.fresh.clear();
        self.fresh.resize(width * width, 0);
        self.reduced.clear();
        self.reduced.resize(width, 0);
        self.hidden.fill(&model.features, sentence);
        for j in (2..=words).rev() {
            let is_last = j == words;
            if !is_last {
                let kinds = self.kinds[1..=j as usize].iter();
                let least = kinds.map(|&kind| self.fresh[(j as usize + 1) * width + kind as usize]).min();
                self.reduced[j as usize] = least.unwrap_or(0);
            }
            // The first word of a kind stands for it.
            for kind in (1..j).filter(|&word| self.kinds[word as usize] == word) {
                let trees = [Partial::leaf(j), Partial::leaf(kind), Partial::NONE];
                let state = State { shifted: j, trees };
                let add = |key, sums: &mut _| model.add(key, sums);
                let leads = scores.leads(&model.features, sentence, &self.hidden, &state, add);
                let least =
                    |action: Action| maxent::least_cost(leads[action as usize], action as usize, is_last.into());
                let [left, right] = Action::REDUCTIONS.map(least);
                let mut cost = left.min(right) + self.reduced[j as usize];
                if !is_last {
                    let shifted = self.fresh[(j as usize + 1) * width + self.kinds[j as usize] as usize];
                    cost = cost.min(least(Action::Shift) + shifted);
                }
                self.fresh[j as usize * width + kind as usize] = cost;
            }
        }
    }

    /// That of a state, which is not the one without trees.
    #[inline]
    pub fn of(&self, state: &State) -> i64 {
        let j = state.shifted as usize;
        if self.words == 0 {
            return 0;
        }
        let fresh =
            |j: usize, tree: Partial| self.fresh[j * (self.words + 1) + self.kinds[tree.head as usize] as usize];
        let [s0, s1, _] = state.trees;
        if s1.is_none() {
            if j < self.words { fresh(j + 1, s0) } else { 0 }
        } else if s0 == Partial::leaf(state.shifted) {
            fresh(j, s1)
        } else {
            self.reduced[j]
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use treebound_core::decode::shift_reduce::exhaustive::for_each_derivation;
    use treebound_core::decode::shift_reduce::{Costs, End, Found, Memory, Search, Stack};

    use super::super::features::StateFeatures;
    use super::super::model::{ModelCosts, Scale};
    use super::super::templates::StateTemplates;
    use super::super::weights::WeightTable;
    use super::*;
    use crate::features::atoms::mix;
    use crate::treebank::Token;

    /// Sets: the built-in ones, and those that ask of little or of much that is not known.
    fn sets() -> Vec<StateTemplates> {
        let built_in =
            StateTemplates::BUILT_IN.map(|name| StateTemplates::built_in(name).expect("there").expect("right"));
        let more = [
            "'s0.t', 'q1.t'",
            "'s1.w s2lc.t', 's2rc.w s1lc.t s0.t'",
            "'s1lc.w', 's2.t s1rc.t', 's0-1.t q0.w', 's1+1.t'",
        ];
        let more = more.map(|templates| {
            let text = format!("[[group]]\npart = 'state'\ntemplates = [{templates}]\n");
            StateTemplates::parse(&text, "some.toml").expect("a set")
        });
        built_in.into_iter().chain(more).collect()
    }

    /// How weights are drawn.
    #[derive(Clone, Copy, Debug)]
    enum Draw {
        /// Of -1, 0 and 1: ties.
        Few,
        /// Of all up to a number.
        Many(i32),
    }

    /// A sentence and a model with drawn weights for the features of all its states.
    struct Case {
        model: Model,
        sentence: Sentence,
        scores: Scores,
        estimates: Estimates,
    }

    impl Case {
        fn new(set: &StateTemplates, words: u32, seed: u64, draw: Draw) -> Self {
            let mut random = mix(seed ^ 0x9e37_79b9_7f4a_7c15);
            let mut next = |below: u64| {
                random = mix(random.wrapping_add(0x9e37_79b9_7f4a_7c15));
                random % below
            };
            let token = |draws: [u64; 2]| Token {
                form: format!("w{}", draws[0]),
                fine: format!("t{}", draws[1]),
                ..Token::default()
            };
            let tokens: Vec<Token> = (0..words).map(|_| token([next(5), next(3)])).collect();
            let features = StateFeatures::new(set);
            let mut sentence = Sentence::default();
            sentence.fill(&features, &tokens);
            let table = WeightTable::new(&[], &[]);
            let mut model = Model { features, table, scale: Scale::Random };
            let mut case = Self { model, sentence, scores: Scores::default(), estimates: Estimates::default() };
            // Weights of all keys, which do not depend on the order that they come in.
            let mut keys = Vec::new();
            let Self { model: of_keys, sentence, .. } = &case;
            each_state(words, &mut |state, _, _| sentence.push_keys(&of_keys.features, state, &mut keys));
            keys.sort_unstable();
            keys.dedup();
            let mut weight = || match draw {
                Draw::Few => (next(3) as i32 - 1) << 16,
                Draw::Many(most) => next(2 * most as u64) as i32 - most,
            };
            let weights: Vec<[i32; 3]> = keys.iter().map(|_| std::array::from_fn(|_| weight())).collect();
            model = Model { table: WeightTable::new(&keys, &weights), scale: Scale::MaxEnt, ..case.model };
            case = Self { model, ..case };
            let Self { model, sentence, scores, estimates } = &mut case;
            scores.start(&model.features, sentence, |key, sums| model.add(key, sums));
            estimates.fill(model, sentence, scores);
            case
        }

        fn costs(&mut self) -> ModelCosts<'_> {
            let Self { model, sentence, scores, estimates } = self;
            ModelCosts { model, sentence, scores, estimates }
        }

        fn run(&mut self, search: &str) -> Found {
            Search::parse(search).expect("a search").run(&mut self.costs(), &mut Memory::default())
        }
    }

    /// No costs: for all derivations.
    struct Free(u32);

    impl Costs for Free {
        fn words(&self) -> u32 {
            self.0
        }

        fn class(&self, _: usize, _: Partial) -> u64 {
            0
        }

        fn actions(&mut self, _: &State) -> [i64; 3] {
            [0; 3]
        }
    }

    /// Visits the states of all derivations with the action there and the state after it.
    fn each_state(words: u32, visit: &mut dyn FnMut(&State, Action, &State)) {
        for_each_derivation(&mut Free(words), |actions, _| {
            let mut stack = Stack::default();
            stack.start(words);
            for &action in actions {
                let before = stack.state();
                stack.take(action);
                visit(&before, action, &stack.state());
            }
        });
    }

    const DRAWS: [Draw; 3] = [Draw::Few, Draw::Many(1 << 15), Draw::Many(1 << 19)];

    #[test]
    fn no_action_costs_less_than_the_estimate_falls_and_merged_states_have_one() {
        let mut positive = 0;
        for set in sets() {
            for (words, draw) in (1..=6).flat_map(|words| DRAWS.map(|draw| (words, draw))) {
                let mut case = Case::new(&set, words, u64::from(words), draw);
                let mut costs = case.costs();
                let mut merged = BTreeMap::new();
                each_state(words, &mut |before, action, after| {
                    let estimate = costs.estimate(after);
                    assert!(estimate >= 0);
                    let is_fresh = after.trees[0] == Partial::leaf(after.shifted);
                    let classes: [_; 3] = std::array::from_fn(|place| costs.class(place, after.trees[place]));
                    let known = *merged.entry((after.shifted, is_fresh, classes)).or_insert(estimate);
                    assert_eq!(known, estimate, "{set}{words} words, {draw:?}");
                    if after.shifted == words && after.trees[1].is_none() {
                        assert_eq!(estimate, 0);
                    }
                    if !before.trees[0].is_none() {
                        positive += u32::from(estimate > 0);
                        let cost = costs.actions(before)[action as usize];
                        let fall = costs.estimate(before) - estimate;
                        assert!(cost >= fall, "{set}{words} words, {draw:?}: {action:?} costs {cost}, not {fall}");
                    }
                });
            }
        }
        assert!(positive > 0);
    }

    #[test]
    fn a_star_finds_what_the_other_exact_searches_find() {
        for set in sets() {
            for (words, draw) in (1..=7).flat_map(|words| DRAWS.map(|draw| (words, draw))) {
                for seed in 0..if words == 7 { 2 } else { 6 } {
                    let mut case = Case::new(&set, words, seed, draw);
                    let mut least = i64::MAX;
                    for_each_derivation(&mut case.costs(), |_, cost| least = least.min(cost));
                    for search in ["dp-a-star", "dp-best-first"] {
                        let found = case.run(search);
                        assert_eq!(
                            (found.end, found.cost),
                            (End::Optimal, least),
                            "{set}{words} words, {seed}, {draw:?}"
                        );
                    }
                }
            }
        }
    }

    /// Where no two derivations cost the same, A* expands only what the other does.
    #[test]
    fn a_star_expands_no_more_states_where_costs_are_drawn_from_many() {
        let mut saved = 0;
        for set in sets() {
            for (words, draw) in (1..=7).flat_map(|words| [(words, DRAWS[1]), (words, DRAWS[2])]) {
                for seed in 0..6 {
                    let mut case = Case::new(&set, words, seed, draw);
                    let [a_star, other] = ["dp-a-star", "dp-best-first"].map(|search| case.run(search).work.expanded);
                    assert!(a_star <= other, "{set}{words} words, {seed}, {draw:?}: {a_star} states, not {other}");
                    saved += other - a_star;
                }
            }
        }
        assert!(saved > 0);
    }
}
