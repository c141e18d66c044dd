//! Shapes of random graphs.

use proptest::prelude::*;
use treebound_core::graph::Trees;

use crate::graphs::Shape;

/// Shapes of up to so many words.
pub fn shapes(words: usize) -> impl Strategy<Value = Shape> {
    let trees = prop_oneof![Just(Trees::Projective), Just(Trees::NonProjective)];
    let chances = (prop_oneof![Just(0), 0u64..70], 0u64..=100, prop_oneof![Just(2), Just(1_000), Just(1_000_000)]);
    (1..=words, trees, any::<bool>(), chances, 0usize..12, 0usize..5, any::<u64>()).prop_map(
        |(words, trees, single_root, (missing, scored, largest), factors, counts, seed)| Shape {
            words,
            trees,
            single_root,
            missing,
            scored,
            largest,
            factors,
            counts,
            seed,
        },
    )
}
