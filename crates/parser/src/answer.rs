//! What a parser says of a sentence: the tree, what is proven of it, what it cost and how long it took.

use crate::model::Solved;
use crate::reranking::List;
use crate::treebank::{LabelScore, Punctuation, Relations, Sentence, Tree};
use treebound_core::decode::{Decoded, Status};
use treebound_core::graph::Word;

/// The answer of a system for one sentence.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The tree; none if the system gave none.
    pub tree: Option<Tree>,
    /// The relations of its arcs; none if the system gives no labels.
    pub relations: Option<Relations>,
    /// The trees that it was chosen among; none if it was not.
    pub list: Option<List>,
    /// Its score in units of the model, if it has one.
    pub score: Option<i128>,
    /// No tree scores more than this, if that is known.
    pub bound: Option<i128>,
    /// What is proven of the tree.
    pub proof: Proof,
    /// The arcs that the system chose from, sorted by head, then modifier; none if it does not choose candidates.
    pub candidates: Option<Vec<(Word, Word)>>,
    /// What it cost.
    pub effort: Effort,
    /// How long it took.
    pub phases: Phases,
}

impl Answer {
    /// The tree of a system that scores no trees and proves nothing.
    pub fn unscored(tree: Tree, phases: Phases) -> Self {
        Self {
            tree: Some(tree),
            relations: None,
            list: None,
            score: None,
            bound: None,
            proof: Proof::Heuristic,
            candidates: None,
            effort: Effort::default(),
            phases,
        }
    }

    /// This answer with the relations of its tree.
    pub fn with_relations(self, relations: Option<Relations>) -> Self {
        Self { relations, ..self }
    }

    /// This answer with the trees that its own was chosen among.
    pub fn with_list(self, list: Option<List>) -> Self {
        Self { list, ..self }
    }

    /// What a decoder says of the graph over some candidate arcs.
    pub fn from_decoded(decoded: Decoded, candidates: &[(Word, Word)], phases: Phases) -> Self {
        let Decoded { tree, score, bound, status, dp_calls, nodes, fixed_arcs: _ } = decoded;
        Self {
            tree,
            relations: None,
            list: None,
            score,
            bound,
            proof: status.into(),
            candidates: Some(candidates.to_vec()),
            effort: Effort::default().with(Count::Nodes, nodes).with(Count::DpCalls, dp_calls),
            phases,
        }
    }
}

impl Answer {
    /// This answer with what a solver counted, if it comes from one: that made no passes over charts.
    pub fn with_solved(mut self, solved: Option<&Solved>) -> Self {
        if let Some(Solved { is_whole, iterations, .. }) = solved {
            self.effort.set(Count::DpCalls, None);
            let whole = u64::from(*is_whole == Some(true));
            self.effort = self.effort.with(Count::Integral, whole).with(Count::SimplexIterations, *iterations);
        }
        self
    }
}

macro_rules! counts {
    ($($(#[$doc:meta])* $count:ident = $name:literal, $label:literal;)*) => {
        /// Something that some systems count while they parse, or that is counted of what only some answers have.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Count {
            $($(#[$doc])* $count,)*
        }

        impl Count {
            /// All counts, in the order of their columns.
            pub const ALL: &'static [Self] = &[$(Self::$count,)*];

            /// Its column.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$count => $name,)*
                }
            }

            /// What it is called in tables.
            pub fn label(self) -> &'static str {
                match self {
                    $(Self::$count => $label,)*
                }
            }
        }
    };
}

counts! {
    /// Branch-and-bound nodes bounded; 1 for a decoder that does not branch.
    Nodes = "nodes", "nodes";
    /// Max-product passes over the sentence's span chart.
    DpCalls = "dp_calls", "DP calls";
    /// States whose successors a search over states has made.
    States = "states", "states";
    /// Successors that it has made.
    Successors = "successors", "successors";
    /// Successors that were in a state that was there.
    Merges = "merges", "merges";
    /// Minus the score of the answer, in millionths of the model's unit.
    Cost = "cost", "cost";
    /// Words that are no punctuation with the right head and relation.
    ScoredLabelled = "scored_labelled", "words with the right head and relation, without punctuation";
    /// Words with the right head and relation.
    Labelled = "labelled", "words with the right head and relation";
    /// Words with the right head and, but for its subtype, relation: what the official scorer of CoNLL 2018 counts.
    LabelledUniversal = "labelled_universal", "words with the right head and universal relation";
    /// Words that are no punctuation with the right relation, whatever the head.
    ScoredRelations = "scored_relations", "words with the right relation, without punctuation";
    /// Words that are no punctuation with the right head in the best tree of the list that the answer was chosen among.
    ScoredOracle = "scored_oracle", "words with the right head in the best tree of the list, without punctuation";
    /// Integer programs whose relaxation was whole.
    Integral = "integral", "whole relaxations";
    /// Iterations of the simplex method.
    SimplexIterations = "simplex_iterations", "simplex iterations";
}

impl Count {
    /// Whether files have its column only where some row has it. Those that came first have theirs everywhere.
    pub fn is_sparse(self) -> bool {
        !matches!(self, Self::Nodes | Self::DpCalls)
    }
}

/// What is counted of a parse, or of several, of some systems: each count, if there is one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Effort([Option<u64>; Count::ALL.len()]);

impl Effort {
    /// All counts 0: what a sum starts from.
    pub const ZERO: Self = Self([Some(0); Count::ALL.len()]);

    /// A count; none if the system does not count it.
    pub fn get(&self, count: Count) -> Option<u64> {
        self.0[count as usize]
    }

    /// Sets a count.
    pub fn set(&mut self, count: Count, value: Option<u64>) {
        self.0[count as usize] = value;
    }

    /// This effort with another count.
    pub fn with(mut self, count: Count, value: u64) -> Self {
        self.set(count, Some(value));
        self
    }

    /// This effort with what is right of the relations.
    fn with_labels(self, score: LabelScore) -> Self {
        self.with(Count::ScoredLabelled, score.scored_labelled)
            .with(Count::Labelled, score.labelled)
            .with(Count::LabelledUniversal, score.labelled_universal)
            .with(Count::ScoredRelations, score.scored_relations)
    }

    /// Adds another parse's; a sum of which a part is not counted is not known.
    pub fn add(&mut self, other: &Self) {
        for (sum, value) in self.0.iter_mut().zip(other.0) {
            *sum = sum.zip(value).map(|(sum, value)| sum.saturating_add(value));
        }
    }
}

/// What is counted of one parsed sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluated {
    /// Words.
    pub tokens: u64,
    /// Words with the right head.
    pub correct: u64,
    /// Words that are no punctuation.
    pub scored_tokens: u64,
    /// Words that are no punctuation, with the right head.
    pub scored_correct: u64,
    /// Whether the words on the root are those of the gold tree.
    pub root_correct: bool,
    /// Whether every head is right.
    pub complete: bool,
    /// Words whose gold head was among the candidates, if the system chose some.
    pub gold_kept: Option<u64>,
    /// Candidate heads, over all words.
    pub heads_kept: Option<u64>,
    /// What is proven of the tree.
    pub proof: Proof,
    /// Score of the tree; the largest number if it does not fit.
    pub score: Option<i64>,
    /// Proven bound on the score of any tree.
    pub bound: Option<i64>,
    /// What it cost.
    pub effort: Effort,
}

impl Evaluated {
    /// Holds an answer against `gold`: the same sentence with gold tags, which say what is punctuation, and gold tree.
    pub fn new(answer: &Answer, gold: &Sentence, punctuation: &Punctuation) -> Self {
        let heads: &[Word] = answer.tree.as_ref().map_or(&[], Tree::heads);
        let gold_heads: &[Word] = gold.gold.as_ref().map_or(&[], Tree::heads);
        let fitted = |score: i128| score.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        let candidates = answer.candidates.as_deref();
        let mut counts = Self {
            tokens: gold.len() as u64,
            correct: 0,
            scored_tokens: 0,
            scored_correct: 0,
            root_correct: heads.iter().map(|h| h.is_root()).eq(gold_heads.iter().map(|h| h.is_root())),
            complete: heads == gold_heads,
            gold_kept: candidates.map(|arcs| {
                let arc = |(i, &head): (usize, &Word)| (head, Word::new(i + 1));
                gold_heads.iter().enumerate().map(arc).filter(|arc| arcs.binary_search(arc).is_ok()).count() as u64
            }),
            heads_kept: candidates.map(|arcs| arcs.len() as u64),
            proof: answer.proof,
            score: answer.score.map(fitted),
            bound: answer.bound.map(fitted),
            effort: answer.effort,
        };
        if let Some(list) = &answer.list {
            let oracle = list.iter().map(|(tree, _)| scored_right(tree.heads(), gold, punctuation)).max();
            counts.effort.set(Count::ScoredOracle, Some(oracle.unwrap_or_default()));
        }
        let theirs = answer.tree.as_ref().zip(answer.relations.as_ref());
        if let Some((own, theirs)) = gold.gold.as_ref().zip(gold.relations.as_ref()).zip(theirs) {
            let scored = gold.tokens.iter().map(|token| !punctuation.covers(token));
            counts.effort = counts.effort.with_labels(LabelScore::new(own, theirs, scored));
        }
        for (i, (token, &head)) in gold.tokens.iter().zip(gold_heads).enumerate() {
            let right = u64::from(heads.get(i) == Some(&head));
            let scored = u64::from(!punctuation.covers(token));
            counts.correct += right;
            counts.scored_tokens += scored;
            counts.scored_correct += right * scored;
        }
        counts
    }
}

/// Words that are no punctuation, by the gold tags, with the right head.
pub fn scored_right(heads: &[Word], gold: &Sentence, punctuation: &Punctuation) -> u64 {
    let gold_heads: &[Word] = gold.gold.as_ref().map_or(&[], Tree::heads);
    let right = |(token, (head, gold_head)): (_, (&Word, &Word))| head == gold_head && !punctuation.covers(token);
    gold.tokens.iter().zip(heads.iter().zip(gold_heads)).filter(|&word| right(word)).count() as u64
}

/// What tells the time, in nanoseconds from any origin; a test can bring its own.
pub trait Clock {
    /// Now.
    fn now_ns(&mut self) -> u64;

    /// How long this process has had a processor so far, in all its threads; none where that is not counted.
    fn processor_ns(&mut self) -> Option<u64> {
        None
    }

    /// Whether it is worth measuring by it.
    fn is_running(&self) -> bool {
        true
    }
}

/// A clock that stands still: for passes that are not timed.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoClock;

impl Clock for NoClock {
    fn now_ns(&mut self) -> u64 {
        0
    }

    fn is_running(&self) -> bool {
        false
    }
}

/// The machine's monotonic clock.
#[derive(Clone, Copy, Debug)]
pub struct WallClock(std::time::Instant);

impl Default for WallClock {
    fn default() -> Self {
        Self(std::time::Instant::now())
    }
}

impl Clock for WallClock {
    fn now_ns(&mut self) -> u64 {
        u64::try_from(self.0.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    fn processor_ns(&mut self) -> Option<u64> {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        let [seconds, rest] = [time.tv_sec, time.tv_nsec].map(|part| u64::try_from(part).ok());
        seconds?.checked_mul(1_000_000_000)?.checked_add(rest?)
    }
}

/// A stretch of a parse that is timed on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Starting a process and loading its model: reported apart, no part of the time from tokens to tree.
    Start,
    /// Choosing candidate heads.
    Prune,
    /// Features and the scores of parts and factors.
    Score,
    /// Search.
    Decode,
    /// The relations of the tree that was found.
    Label,
}

impl Phase {
    /// All phases, in the order of their columns.
    pub const ALL: [Self; 5] = [Self::Start, Self::Prune, Self::Score, Self::Decode, Self::Label];

    /// Its column: nanoseconds.
    pub fn column(self) -> &'static str {
        match self {
            Self::Start => "start_ns",
            Self::Prune => "prune_ns",
            Self::Score => "score_ns",
            Self::Decode => "decode_ns",
            Self::Label => "label_ns",
        }
    }

    /// Whether files have its column only where some row has it.
    pub fn is_sparse(self) -> bool {
        self == Self::Label
    }
}

/// Where the time of a parse, or of several, went, in nanoseconds: each phase, if the system has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Phases([Option<u64>; Phase::ALL.len()]);

impl Phases {
    /// A phase's time; none if the system does not have it.
    pub fn get(&self, phase: Phase) -> Option<u64> {
        self.0[phase as usize]
    }

    /// Sets a phase's time.
    pub fn set(&mut self, phase: Phase, ns: Option<u64>) {
        self.0[phase as usize] = ns;
    }

    /// These phases with another one's time.
    pub fn with(mut self, phase: Phase, ns: u64) -> Self {
        self.set(phase, Some(ns));
        self
    }

    /// Adds another parse's: a phase that only some have takes its time there only.
    pub fn add(&mut self, other: &Self) {
        for (sum, value) in self.0.iter_mut().zip(other.0) {
            if let Some(value) = value {
                *sum = Some(sum.unwrap_or(0).saturating_add(value));
            }
        }
    }

    /// Time from tokens to trees: all phases but the start.
    pub fn total_ns(&self) -> u64 {
        let timed = Phase::ALL.into_iter().filter(|&phase| phase != Phase::Start);
        timed.filter_map(|phase| self.get(phase)).fold(0, u64::saturating_add)
    }
}

/// A limit that stopped a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Limit {
    /// Branch-and-bound nodes.
    Nodes,
    /// Calls to the dynamic program.
    DpCalls,
    /// Memory of nodes that wait to be opened.
    Memory,
    /// States of a search over states.
    States,
}

/// What is proven of a tree. "Exact" is a status, not a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Proof {
    /// No tree scores more.
    Optimal,
    /// There is no projective tree.
    Infeasible,
    /// A limit was reached before either was proven.
    Stopped(Limit),
    /// The system proves nothing of scores, by design.
    Heuristic,
    /// The tree comes from a relaxation whose value it does not reach.
    Relaxed,
}

/// Every proof with its name in results. What is not listed in [`Proof::code`] does not compile.
const NAMED: [(Proof, &str); 8] = [
    (Proof::Optimal, "optimal"),
    (Proof::Infeasible, "infeasible"),
    (Proof::Stopped(Limit::Nodes), "node-limit"),
    (Proof::Stopped(Limit::DpCalls), "dp-call-limit"),
    (Proof::Heuristic, "heuristic"),
    (Proof::Stopped(Limit::Memory), "memory-limit"),
    (Proof::Stopped(Limit::States), "state-limit"),
    (Proof::Relaxed, "relaxed"),
];

impl Proof {
    /// Its number in stored rows: its place among the names.
    pub fn code(self) -> u8 {
        match self {
            Self::Optimal => 0,
            Self::Infeasible => 1,
            Self::Stopped(Limit::Nodes) => 2,
            Self::Stopped(Limit::DpCalls) => 3,
            Self::Heuristic => 4,
            Self::Stopped(Limit::Memory) => 5,
            Self::Stopped(Limit::States) => 6,
            Self::Relaxed => 7,
        }
    }

    /// The proof of that number.
    pub fn from_code(code: u64) -> Option<Self> {
        NAMED.get(usize::try_from(code).ok()?).map(|named| named.0)
    }

    /// The name in results.
    pub fn name(self) -> &'static str {
        NAMED[usize::from(self.code())].1
    }

    /// The proof of that name.
    pub fn parse(name: &str) -> Option<Self> {
        NAMED.into_iter().find(|named| named.1 == name).map(|named| named.0)
    }

    /// Whether the tree is proven to be a best one; none where the system proves nothing by design.
    pub fn is_optimal(self) -> Option<bool> {
        match self {
            Self::Optimal => Some(true),
            Self::Infeasible | Self::Stopped(_) | Self::Relaxed => Some(false),
            Self::Heuristic => None,
        }
    }
}

impl From<Status> for Proof {
    fn from(status: Status) -> Self {
        match status {
            Status::Optimal => Self::Optimal,
            Status::Infeasible => Self::Infeasible,
            Status::NodeLimit => Self::Stopped(Limit::Nodes),
            Status::DpCallLimit => Self::Stopped(Limit::DpCalls),
            Status::MemoryLimit => Self::Stopped(Limit::Memory),
            Status::LeastRisk | Status::LocalOptimum | Status::Chosen => Self::Heuristic,
            Status::Relaxed => Self::Relaxed,
        }
    }
}

impl std::fmt::Display for Proof {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_counted_is_empty_and_stays_so_in_sums() {
        let one = Effort::default().with(Count::Nodes, 3);
        let mut sum = Effort::ZERO;
        sum.add(&one);
        sum.add(&one);
        assert_eq!(sum.get(Count::Nodes), Some(6));
        assert_eq!(sum.get(Count::DpCalls), None);
    }

    #[test]
    fn codes_and_names_are_those_of_the_list() {
        for (i, (proof, name)) in NAMED.into_iter().enumerate() {
            assert_eq!(usize::from(proof.code()), i);
            assert_eq!(Proof::from_code(i as u64), Some(proof));
            assert_eq!(Proof::parse(name), Some(proof));
        }
        assert_eq!(Proof::from_code(8), None);
    }
}
