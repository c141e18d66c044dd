//! The default search: exact, in a handful of calls to the dynamic program.
//!
//! A node is a set of candidate arcs; its trees are those over them. What the paper says in section 3 is done here in four
//! rooms:
//!
//! * `instance`: the graph's factors by shape, in the arrays that all else runs over, and the true score of a tree;
//! * `relaxation` (paper, 3.2, the upper bound function): every factor is replaced by scores on parts that the dynamic
//!   program handles anyway, never less than the factor, and moved about by multipliers; larger factors through links of
//!   their arcs. The multipliers begin where the expected bound under a prior is least;
//! * `looseness` (3.2, the search for the saddle point; 3.3, the gap): which factors are loose at a tree, and steps on
//!   their multipliers;
//! * `search` (3.3, branch and bound; 3.4, lower bounds): nodes, bounding, branching, fixing, and the incumbent.
//!
//! Bounding a node repeats
//!
//! 1. one call: the best tree under the multipliers, whose value is a bound for all trees of the node;
//! 2. the tree's true score, and that of the tree that it can be improved to by moving words, as incumbents;
//! 3. now and then an outside pass: arcs in no tree above the incumbent are dropped, and all arrays shrink with them; of
//!    the others the best trees that have them are gathered;
//! 4. the factors that are loose at the tree, and a step that would close the gap if the bound were linear, for this tree
//!    and for the ones before it,
//!
//! until the bound, rounded down to a whole score, is no more than the incumbent's, or it no longer comes nearer to it and
//! the node is branched on the arc whose factors were loose most. What the first call does not settle goes on over the
//! third-order program, to which all grandchildren are local, and which tells what a pair is worth under each arc above it.
//!
//! All sums are whole numbers of a fixed point, exact in `f64`.

mod instance;
mod looseness;
mod relaxation;
mod search;

pub use search::Exact;

use crate::decode::backbone::Backbone;

/// Switches and settings of the search, for measuring what each idea is worth. They change how many calls a proof takes,
/// never a proven score.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The dynamic program; grand-siblings are always left to the program that scores them.
    pub backbone: Backbone,
    /// Start the multipliers from the prior, if there is one; else all heads of a word are thought alike.
    pub prior: bool,
    /// Drop arcs whose max-marginal shows that no better tree has them.
    pub fixing: bool,
    /// Improve trees by moving single words.
    pub climbing: bool,
    /// Open the node with the highest bound first; else the oldest.
    pub best_first: bool,
    /// Iterations on a node before its first fixing.
    pub first_fixing: u64,
    /// Iterations on a node between fixings.
    pub fixing_every: u64,
    /// Iterations on a node before the third-order program takes over, which needs no bound on grandchildren and sees links
    /// to the arc above.
    pub third_order_after: u64,
    /// Most iterations on a node before it is branched.
    pub iterations: u64,
    /// A node is branched after so many iterations that did not bring its bound nearer to the incumbent by
    /// [`progress`](Self::progress).
    pub patience: u64,
    /// What part of the distance between bound and incumbent counts as progress.
    pub progress: f64,
    /// Most trees that are taken from an outside pass: the best ones with arcs that those before have not.
    pub gather: usize,
    /// How many of these, the best ones, are climbed from.
    pub climbs: usize,
    /// How many trees of a node are kept for steps to go round; at least the newest.
    pub memory: usize,
    /// Most rounds of steps between two calls.
    pub rounds: usize,
    /// Under the third-order program, bound pairs on both sides of a head under each arc into it apart.
    pub pairs_by_arc: bool,
    /// Bound factors of other shapes than pairs through links of their arcs; else through each arc alone, as in the paper.
    pub links: bool,
    /// Factor on the length of steps, where 1 would close the gap if the bound were linear.
    pub step: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            backbone: Backbone::Carreras,
            prior: true,
            fixing: true,
            climbing: true,
            best_first: true,
            first_fixing: 4,
            fixing_every: 2,
            third_order_after: 1,
            iterations: 24,
            patience: 4,
            progress: 0.3,
            gather: 100,
            climbs: 8,
            memory: 100,
            rounds: 3,
            pairs_by_arc: true,
            links: true,
            step: 1.6,
        }
    }
}
