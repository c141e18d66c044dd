//! All searches against all derivations, on random costs with ties.

use std::collections::{BTreeMap, BTreeSet};

use super::exhaustive::for_each_derivation;
use super::*;
use crate::decode::first_order::{self, ArcScores};
use crate::tree::{Tree, Word};

/// A random number from others.
fn random(numbers: impl IntoIterator<Item = u64>) -> u64 {
    numbers.into_iter().fold(0x9e37_79b9_7f4a_7c15, |hash, number| {
        let mixed = (hash ^ number).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ (mixed >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb) ^ (mixed >> 32)
    })
}

/// Costs below `most` that are drawn by classes. There are so many classes of words; children are told apart by half as many.
#[derive(Clone)]
struct Drawn {
    words: u32,
    seed: u64,
    classes: u64,
    most: u64,
    estimates: Vec<i64>,
}

impl Drawn {
    fn new(words: u32, seed: u64, classes: u64, most: u64) -> Self {
        let mut drawn = Self { words, seed, classes, most, estimates: vec![0; words as usize + 1] };
        // The cheapest shift of each word, over all states.
        let mut cheapest = vec![i64::MAX; words as usize];
        let mut costs = drawn.clone();
        for_each_derivation(&mut costs.clone(), |actions, _| {
            let mut stack = Stack::default();
            stack.start(words);
            for &action in actions {
                let state = stack.state();
                if action == Action::Shift {
                    let least = &mut cheapest[state.shifted as usize];
                    *least = costs.actions(&state)[0].min(*least);
                }
                stack.take(action);
            }
        });
        for word in (0..words as usize).rev() {
            drawn.estimates[word] = drawn.estimates[word + 1] + cheapest[word];
        }
        drawn
    }

    fn word(&self, word: u32) -> u64 {
        if word == 0 { 0 } else { 1 + random([self.seed, 1, word.into()]) % self.classes }
    }
}

impl Costs for Drawn {
    fn words(&self) -> u32 {
        self.words
    }

    fn class(&self, place: usize, tree: Partial) -> u64 {
        let [head, left, right] = [tree.head, tree.left, tree.right].map(|word| self.word(word));
        match place {
            0 => head + 1000 * (left / 2 + 1000 * (right / 2)),
            1 => head + 1000 * (left / 2),
            _ => head / 2,
        }
    }

    fn actions(&mut self, state: &State) -> Actions<i64> {
        let class = |place: usize| self.class(place, state.trees[place]);
        let cost = |action| random([self.seed, 2, state.shifted.into(), class(0), class(1), class(2), action]);
        [0, 1, 2].map(|action| (cost(action) % self.most) as i64)
    }

    fn end(&self, tree: Partial) -> i64 {
        (random([self.seed, 3, self.class(0, tree)]) % self.most) as i64
    }

    fn estimate(&self, state: &State) -> i64 {
        self.estimates[state.shifted as usize]
    }
}

/// The cost of a derivation, and whether it is a whole one.
fn replayed(costs: &mut impl Costs, actions: &[Action]) -> i64 {
    let mut stack = Stack::default();
    stack.start(costs.words());
    let mut cost = 0;
    for &action in actions {
        let state = stack.state();
        assert!(state.allows(action, costs.words()));
        cost += costs.actions(&state)[action as usize];
        stack.take(action);
    }
    assert_eq!(actions.len(), 2 * costs.words() as usize - 1);
    cost + costs.end(stack.state().trees[0])
}

fn search(name: &str) -> Search {
    Search::parse(name).unwrap_or_else(|| panic!("{name} is a search"))
}

#[test]
fn exact_searches_find_the_cheapest_derivation_of_all() {
    let mut memory = Memory::default();
    for words in 1..=7 {
        for seed in 0..if words == 7 { 12 } else { 60 } {
            for (classes, most) in [(1, 3), (2, 2), (4, 1), (3, 50), (1000, 1000)] {
                let mut costs = Drawn::new(words, seed, classes, most);
                let mut least = i64::MAX;
                for_each_derivation(&mut costs.clone(), |_, cost| least = least.min(cost));
                for name in ["best-first", "dp-best-first", "dp-best-first-lazy", "dp-a-star"] {
                    let found = search(name).run(&mut costs, &mut memory);
                    assert_eq!(found.end, End::Optimal);
                    assert_eq!(found.cost, least, "{name}, {words} words, seed {seed}, {classes} classes");
                    assert_eq!(replayed(&mut costs, &memory.actions), least, "{name}");
                }
                for name in ["beam=100000", "dp-beam=100000"] {
                    let found = search(name).run(&mut costs, &mut memory);
                    assert_eq!((found.end, found.cost), (End::Inexact, least), "{name}, {words} words, seed {seed}");
                    assert_eq!(replayed(&mut costs, &memory.actions), least, "{name}");
                }
            }
        }
    }
}

#[test]
fn inexact_searches_say_what_their_derivation_costs() {
    let mut memory = Memory::default();
    for words in 1..=12 {
        for seed in 0..20 {
            let mut costs = Drawn { words, seed, classes: 3, most: 9, estimates: vec![0; words as usize + 1] };
            let least = search("dp-best-first").run(&mut costs, &mut memory).cost;
            for name in [
                "greedy",
                "beam=1",
                "beam=4",
                "dp-beam=1",
                "dp-beam=4",
                "best-first+queue=1",
                "best-first+queue=5",
                "best-first+states=7",
                "dp-best-first+queue=1",
                "dp-best-first+queue=4",
                "dp-best-first-lazy+queue=1",
                "dp-best-first-lazy+queue=4+states=9",
                "dp-a-star+queue=3",
            ] {
                let found = search(name).run(&mut costs, &mut memory);
                assert_eq!(found.cost, replayed(&mut costs, &memory.actions), "{name}, {words} words, seed {seed}");
                assert!(found.cost >= least && (found.end != End::Optimal || found.cost == least), "{name}");
                assert!(found.end != End::Optimal || name.contains("states"), "{name}");
            }
            let [greedy, beam, dp] = ["greedy", "beam=1", "dp-beam=1"].map(|name| {
                let found = search(name).run(&mut costs, &mut memory);
                (found.cost, memory.actions.clone())
            });
            assert!(greedy == beam && beam == dp, "{words} words, seed {seed}");
        }
    }
}

/// Merged and not, where the second ends.
#[test]
fn merging_saves_states_and_no_more() {
    let mut memory = Memory::default();
    for seed in 0..6 {
        let mut costs = Drawn { words: 11, seed, classes: 2, most: 30, estimates: vec![0; 12] };
        let plain = search("best-first").run(&mut costs, &mut memory);
        let merged = search("dp-best-first").run(&mut costs, &mut memory);
        let lazy = search("dp-best-first-lazy").run(&mut costs, &mut memory);
        assert_eq!((plain.cost, plain.cost), (merged.cost, lazy.cost));
        assert!(merged.work.expanded < plain.work.expanded);
        assert!(lazy.work.generated <= merged.work.generated);
    }
}

#[test]
fn with_costs_of_arcs_the_cheapest_derivation_is_the_first_order_programs_tree() {
    let mut memory = Memory::default();
    for words in 1..=14u32 {
        for seed in 0..10 {
            let width = words + 1;
            let arcs: Vec<i64> =
                (0..width * width).map(|arc| (random([seed, words.into(), arc.into()]) % 7) as i64).collect();
            let score = |h: usize, m: usize| -arcs[h * width as usize + m];
            let best = first_order_best(words as usize, score);
            let mut costs = ArcCosts::new(words, arcs.clone());
            for name in ["dp-best-first", "dp-best-first-lazy"] {
                let found = search(name).run(&mut costs, &mut memory);
                assert_eq!((found.end, found.cost), (End::Optimal, -best), "{name}, {words} words, seed {seed}");
                let tree = heads(&memory.actions, words);
                let cost: i64 = (1..=words).map(|m| arcs[(tree.head(Word(m)).0 * width + m) as usize]).sum();
                assert_eq!(cost, found.cost);
            }
        }
    }
}

fn first_order_best(words: usize, score: impl Fn(usize, usize) -> i64) -> i64 {
    let mut arcs = ArcScores::new(words);
    for m in 1..=words {
        (0..=words).filter(|&h| h != m).for_each(|h| arcs.set(Word::new(h), Word::new(m), score(h, m)));
    }
    let (_, best) = first_order::decode(&arcs).expect("a tree");
    i64::try_from(best).expect("a small score")
}

/// Each tree has one canonical derivation, which is one of its derivations.
#[test]
fn the_canonical_derivation_gives_its_tree_back() {
    for words in 1..=6 {
        let mut costs = Drawn { words, seed: 0, classes: 1, most: 1, estimates: vec![0; words as usize + 1] };
        let mut derivations: BTreeMap<Tree, BTreeSet<Vec<Action>>> = BTreeMap::new();
        for_each_derivation(&mut costs, |actions, _| {
            derivations.entry(heads(actions, words)).or_default().insert(actions.to_vec());
        });
        // Projective trees with one word on the root (OEIS A006013, shifted).
        assert_eq!(derivations.len(), [1, 2, 7, 30, 143, 728][words as usize - 1]);
        for (tree, all) in derivations {
            let actions = gold_actions(&tree).expect("a derivation");
            assert!(all.contains(&actions));
            assert_eq!(heads(&actions, words), tree);
        }
    }
    let tree = |heads: &[u32]| Tree::new(heads.iter().map(|&head| Word(head)).collect()).expect("a tree");
    assert_eq!(gold_actions(&tree(&[3, 4, 0, 3])), None, "crossing arcs");
    assert_eq!(gold_actions(&tree(&[0, 0])), None, "two words on the root");
    assert_eq!(gold_actions(&tree(&[2, 0, 2])).map(|actions| actions.len()), Some(5));
}

#[test]
fn names_are_read_as_they_are_written() {
    for name in [
        "greedy",
        "beam=8",
        "dp-beam=16",
        "best-first+states=100000",
        "dp-best-first+queue=50",
        "dp-best-first-lazy+queue=50+states=7",
        "dp-a-star",
    ] {
        assert_eq!(search(name).to_string(), name);
    }
    for name in ["", "beam", "beam=0", "beam=08", "beam=+8", "greedy+queue=5", "best-first+queue=0", "dp-a-star+", "dp"]
    {
        assert_eq!(Search::parse(name), None, "{name}");
    }
}

#[test]
fn no_words_need_no_search() {
    let mut memory = Memory::default();
    let mut costs = ArcCosts::new(0, vec![0]);
    for name in ["greedy", "beam=2", "dp-beam=2", "best-first", "dp-best-first"] {
        assert_eq!(search(name).run(&mut costs, &mut memory).cost, 0);
        assert!(memory.actions.is_empty());
    }
}

/// States of the worst kind: all costs are drawn from the same range, so little is to be left out. Their number grows with a power of
/// the length, of which METHOD has the exponent; without merging it doubles with each word.
#[test]
fn states_grow_with_a_power_of_the_length() {
    let mut memory = Memory::default();
    let mut states = |words: u32| -> f64 {
        let one = |seed: u64| {
            let arc = |arc: u32| 50 + (random([seed, words.into(), arc.into()]) % 50) as i64;
            let mut costs = ArcCosts::new(words, (0..(words + 1).pow(2)).map(arc).collect());
            search("dp-best-first").run(&mut costs, &mut memory).work.expanded
        };
        (0..5).map(one).sum::<u64>() as f64 / 5.0
    };
    let points: Vec<(f64, f64)> =
        [8, 12, 16, 24, 32].map(|words| (libm::log(words.into()), libm::log(states(words)))).to_vec();
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let slope = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>()
        / points.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>();
    println!("the exponent is {slope:.2}");
    // A state is two ends and two heads.
    assert!((2.0..4.0).contains(&slope), "{slope}");
    let steps = points.windows(2).map(|pair| (pair[1].1 - pair[0].1) / (pair[1].0 - pair[0].0));
    assert!(steps.clone().all(|step| step < 4.5), "{:?}", steps.collect::<Vec<_>>());
}
