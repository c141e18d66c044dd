//! Switches of the search.

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
