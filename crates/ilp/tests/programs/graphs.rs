//! Random graphs with everything that a graph may have.

use treebound_core::graph::{ArcId, ArcSpace, FactorGraph, GrandSiblings, LocalScores, Trees, Word};

/// What a random graph is like.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub words: usize,
    pub trees: Trees,
    pub single_root: bool,
    /// Of a hundred arcs, so many are no candidates.
    pub missing: u64,
    /// Of a hundred parts, so many have a score.
    pub scored: u64,
    /// Scores lie between this and its negative; small ones have ties.
    pub largest: u64,
    /// Factors, counts.
    pub factors: usize,
    pub counts: usize,
    pub seed: u64,
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn score(&mut self, largest: u64) -> i64 {
        self.below(2 * largest + 1) as i64 - largest as i64
    }

    /// Up to `most` different arcs of `all`, and at least one.
    fn arcs(&mut self, all: &[ArcId], most: u64) -> Vec<ArcId> {
        let wanted = 1 + self.below(most);
        let mut arcs: Vec<_> = (0..wanted).map(|_| all[self.below(all.len() as u64) as usize]).collect();
        arcs.sort_unstable();
        arcs.dedup();
        arcs
    }
}

impl Shape {
    pub fn graph(&self) -> FactorGraph {
        let mut random = Random(self.seed);
        let all = |h| (1..=self.words).filter(move |&m| m != h).map(move |m| (Word::new(h), Word::new(m)));
        let mut pairs: Vec<_> = (0..=self.words).flat_map(all).collect();
        pairs.retain(|_| random.below(100) >= self.missing);
        let space = ArcSpace::new(self.words, self.single_root, &pairs).expect("arcs");
        let mut graph = FactorGraph { trees: self.trees, ..Default::default() };
        graph.local = LocalScores::filled(&space, 0);
        for score in &mut graph.local.arc {
            *score = random.score(self.largest);
        }
        for score in graph.local.sibling.iter_mut().chain(&mut graph.local.grandchild) {
            if random.below(100) < self.scored {
                *score = random.score(self.largest);
            }
        }
        graph.grand_siblings = self.grand_siblings(&space, &mut random);
        let arcs: Vec<_> = (0..space.arcs()).map(ArcId::new).collect();
        if !arcs.is_empty() {
            for _ in 0..self.factors {
                graph.factors.push(&random.arcs(&arcs, 4), random.score(self.largest));
            }
            for i in 0..self.counts {
                let counted = match i {
                    0 => random.arcs(&arcs, 5),
                    _ => {
                        space.arcs_of(Word::new(random.below(self.words as u64 + 1) as usize)).map(ArcId::new).collect()
                    }
                };
                let scores: Vec<_> = (0..random.below(6)).map(|_| random.score(self.largest)).collect();
                let most = (random.below(4) == 0).then(|| random.below(3) as u32);
                graph.counts.push(&counted, &scores, most);
            }
        }
        if self.trees == Trees::NonProjective && random.below(4) > 0 {
            graph.non_projective = (0..space.arcs()).map(|_| random.score(self.largest)).collect();
        }
        graph.space = space;
        graph
    }

    fn grand_siblings(&self, space: &ArcSpace, random: &mut Random) -> GrandSiblings<i64> {
        let mut scores = GrandSiblings::default();
        if random.below(3) > 0 {
            return scores;
        }
        for above in (0..space.arcs()).map(ArcId::new) {
            for a in space.children(above).map(ArcId::new) {
                let first = space.first_modifier_part(a);
                for sibling in first..space.sibling_parts_of(a).end {
                    if random.below(100) < self.scored {
                        scores.push(space.grandchild_part(above, a), sibling, random.score(self.largest));
                    }
                }
            }
        }
        scores
    }
}
