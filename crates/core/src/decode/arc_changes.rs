//! From a projective tree to one that may cross, by greedy changes (McDonald & Pereira 2006, section 2.2, figure 4).
//!
//! ```text
//! repeat:  of all trees that differ from y in the head of one word, take the best; stop if it is no better than y
//! ```
//!
//! Of equal trees the one that changes an earlier word counts, and of one word the lower head. Scores are those of the whole
//! graph, so each factor and count has its say, and each step gains a unit at least: it ends.

use crate::decode::outcome::{Decoded, Status};
use crate::graph::{FactorGraph, TreeArcs, Trees, Word, tree_score};
use crate::tree::{Tree, descends};

/// The tree that greedy changes end with, from that of `start`. As it is if there is none; one that the graph does not allow,
/// with more counted arcs than there may be, is left for the first change that it allows.
pub fn climb(graph: &FactorGraph, start: Decoded) -> Decoded {
    let space = &graph.space;
    let Some(tree) = &start.tree else { return start };
    let mut heads = tree.heads().to_vec();
    let mut arcs = TreeArcs::default();
    if !arcs.find(space, &heads) {
        return start;
    }
    let mut score = graph.allows(&arcs).then(|| tree_score(graph, &arcs));
    loop {
        let mut best: Option<(i128, Word, Word)> = None;
        for m in (1..=space.words()).map(Word::new) {
            let own = heads[m.ix() - 1];
            for h in space.arcs_into(m).iter().map(|&a| space.head(a)) {
                if h == own || !may_move(graph, &heads, m, h) {
                    continue;
                }
                heads[m.ix() - 1] = h;
                let is_tree = graph.trees == Trees::NonProjective || Tree::from_decoder(heads.clone()).is_projective();
                if is_tree && arcs.find(space, &heads) && graph.allows(&arcs) {
                    let changed = tree_score(graph, &arcs);
                    if best.map(|best| best.0).max(score).is_none_or(|most| changed > most) {
                        best = Some((changed, m, h));
                    }
                }
            }
            heads[m.ix() - 1] = own;
        }
        let Some((changed, m, h)) = best else { break };
        heads[m.ix() - 1] = h;
        score = Some(changed);
    }
    let (tree, status) = (score.map(|_| Tree::from_decoder(heads)), Status::LocalOptimum);
    Decoded { tree, score, bound: None, status, ..start }
}

/// Whether the heads are a tree still if word `m` goes to `h`: that must not descend from it, and words on the root stay as
/// many as there must be.
fn may_move(graph: &FactorGraph, heads: &[Word], m: Word, h: Word) -> bool {
    let own = heads[m.ix() - 1];
    let roots = heads.iter().filter(|head| head.is_root()).count();
    if (own.is_root() && roots == 1) || (h.is_root() && graph.space.single_root()) {
        return false;
    }
    !descends(h, m, |word| heads[word.ix() - 1])
}
