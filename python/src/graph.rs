//! Sentences with parts that need a factor graph: grandchildren, grand-siblings, factors.

use treebound_core::decode::arborescence::{Arborescence, matrix_tree};
use treebound_core::decode::bnb::Limits;
use treebound_core::decode::log_scores::LogScores;
use treebound_core::decode::partition::Partitions;
use treebound_core::decode::{Backbone, Decoder, DpError, Scratch};
use treebound_core::graph::{ArcId, Asked, FactorGraph, GrandSiblings, LocalScores, Room, SpaceError, Trees};
use treebound_core::tree::{Tree, Word};

use crate::answer::{Answer, Status};
use crate::batch::{Batch, Factors, Fault, Parts, Sparse, word};
use crate::dense::{arc_error, sibling_words};
use crate::number::{BITS_OF_SEARCH, BITS_OF_SUMS, Grid, Number};

/// Graphs and decoders, reused from sentence to sentence.
#[derive(Debug, Default)]
pub struct Graphs {
    graph: FactorGraph,
    ends: Vec<(Word, Word)>,
    prior: Vec<f64>,
    scratch: Scratch,
    partitions: Partitions<Vec<f64>>,
    probabilities: Vec<f64>,
    arborescence: Arborescence<i64>,
    wide_arborescence: Arborescence<i128>,
    /// Whether there are siblings, grandchildren or grand-siblings.
    has_parts: bool,
}

/// The best trees of a sentence, best first.
pub struct Ranking {
    /// With their scores, in steps of the grid.
    pub trees: Vec<(Tree, i128)>,
    /// Whether they are proven to be the best.
    pub status: Status,
    /// The step of the grid.
    pub step: f64,
    /// As in [`Answer`].
    pub error: f64,
}

/// The parts of a sentence in units of its arrays, by their places in the graph.
struct Raw<T> {
    local: LocalScores<T>,
    grand_siblings: GrandSiblings<T>,
    factors: Vec<T>,
}

impl Graphs {
    /// The best tree of a sentence, or the best found within limits.
    pub fn decode<T: Number>(
        &mut self,
        batch: &Batch<T>,
        b: usize,
        limits: Limits,
        step: Option<f64>,
        heads: &mut [i64],
    ) -> Result<Answer, Fault> {
        if batch.has_arcs_alone() && batch.trees == Trees::NonProjective {
            return self.arborescence(batch, b, step, heads);
        }
        let Some(raw) = self.build(batch, b, Room::new(limits.bytes, Asked::Tree))? else {
            let (status, step) = (Status::MemoryLimit, Grid::WHOLE.step);
            return Ok(Answer { score: None, bound: None, status, calls: 0, nodes: 0, step, error: 0.0 });
        };
        let prior = batch.prior.is_some();
        let (grid, answer) = if self.needs_search() {
            self.on_grid_of_search(b, &raw, step, |graph, scratch, known| {
                Decoder::Bnb.decode(graph, Backbone::Carreras, prior.then_some(known), limits, scratch)
            })?
        } else {
            let grid = self.put_on_grid(b, &raw, BITS_OF_SUMS, step)?;
            let answer = Decoder::Dp.decode(&self.graph, Backbone::Carreras, None, limits, &mut self.scratch);
            (grid, answer.map_err(|error| refused(b, error))?)
        };
        if let Some(tree) = &answer.tree {
            write_heads(tree, heads);
        }
        Ok(Answer {
            score: answer.score,
            bound: answer.bound,
            status: answer.status,
            calls: answer.dp_calls,
            nodes: answer.nodes,
            step: grid.step,
            error: raw.error(grid, &self.graph),
        })
    }

    /// The best tree of a sentence whose arcs alone have scores and may cross: without the parts that a graph has room for.
    fn arborescence<T: Number>(
        &mut self,
        batch: &Batch<T>,
        b: usize,
        step: Option<f64>,
        heads: &mut [i64],
    ) -> Result<Answer, Fault> {
        let words = batch.lengths[b] as f64;
        let total = 2.0 * words * batch.largest_arc(b)?;
        let grid = crate::grid::<T>(b, total, BITS_OF_SUMS, step)?;
        self.build_space(batch, b)?;
        let space = &self.graph.space;
        let scores = self.ends.iter().map(|(h, m)| batch.arcs[batch.row(b, m.ix()) + h.ix()].whole(grid));
        // What an arc from the root costs is as much as all ranges of scores together, and is paid once a word.
        let (score, arcs) = if total / grid.step * words <= (1u64 << 60) as f64 {
            (self.arborescence.best(space, scores).map(i128::from), self.arborescence.arcs())
        } else {
            (self.wide_arborescence.best(space, scores.map(i128::from)), self.wide_arborescence.arcs())
        };
        if score.is_some() {
            arcs.iter().for_each(|&a| heads[space.modifier(a).ix()] = space.head(a).0.into());
        }
        Ok(Answer::proven(score, grid.step, if T::IS_WHOLE { 0.0 } else { words * arc_error(batch, b, grid) }))
    }

    /// The best trees of a sentence, best first, with their scores; and whether that is proven.
    pub fn best_trees<T: Number>(
        &mut self,
        batch: &Batch<T>,
        b: usize,
        most: usize,
        limits: Limits,
        step: Option<f64>,
    ) -> Result<Ranking, Fault> {
        let Some(raw) = self.build(batch, b, Room::new(limits.bytes, Asked::Tree))? else {
            return Ok(Ranking { trees: Vec::new(), status: Status::MemoryLimit, step: Grid::WHOLE.step, error: 0.0 });
        };
        let (grid, trees, status) = if self.needs_search() {
            let prior = batch.prior.is_some();
            let (grid, best) = self.on_grid_of_search(b, &raw, step, |graph, scratch, known| {
                scratch.search_trees(graph, most, Backbone::Carreras, prior.then_some(known), limits)
            })?;
            (grid, best.trees, best.decoded.status)
        } else {
            let grid = self.put_on_grid(b, &raw, BITS_OF_SUMS, step)?;
            let trees = self.scratch.best_trees(&self.graph, Backbone::Carreras, most);
            let trees = trees.map_err(|error| refused(b, error))?;
            let status = if trees.is_empty() { Status::Infeasible } else { Status::Optimal };
            (grid, trees, status)
        };
        Ok(Ranking { trees, status, step: grid.step, error: raw.error(grid, &self.graph) })
    }

    /// Whether the graph has what no program scores: factors, and in trees that may cross all but arcs.
    fn needs_search(&self) -> bool {
        let FactorGraph { trees, factors, .. } = &self.graph;
        !factors.is_empty() || *trees == Trees::NonProjective && self.has_parts
    }

    /// What a search answers on the finest grid on which its sums are exact, or that which is asked for.
    fn on_grid_of_search<T: Number, R>(
        &mut self,
        b: usize,
        raw: &Raw<T>,
        step: Option<f64>,
        search: impl Fn(&FactorGraph, &mut Scratch, &[f64]) -> Result<R, DpError>,
    ) -> Result<(Grid, R), Fault> {
        let mut fault = DpError::TooLarge;
        for bits in BITS_OF_SEARCH {
            let grid = self.put_on_grid(b, raw, bits, step)?;
            match search(&self.graph, &mut self.scratch, &self.prior) {
                Ok(answer) => return Ok((grid, answer)),
                // On a coarser grid sums are smaller.
                Err(error) => fault = error,
            }
            if fault != DpError::TooLarge || step.is_some() || T::IS_WHOLE {
                break;
            }
        }
        Err(refused(b, fault))
    }

    /// The logarithm of the sum over trees of a sentence without factors; probabilities are written into `marginals`, a row of
    /// heads for each modifier.
    pub fn marginals<T: Number>(
        &mut self,
        batch: &Batch<T>,
        b: usize,
        scale: f64,
        marginals: &mut [f64],
    ) -> Result<Option<f64>, Fault> {
        let (backbone, scores) = self.logarithms(batch, b, scale)?;
        let space = &self.graph.space;
        let log_z = match batch.trees {
            Trees::Projective => self.partitions.sum(backbone, space, &scores, &mut self.probabilities),
            Trees::NonProjective => matrix_tree::sum(space, &scores.local.arc, &mut self.probabilities),
        };
        if log_z.is_some() {
            for (a, &p) in self.probabilities.iter().enumerate() {
                let a = ArcId::new(a);
                marginals[space.modifier(a).ix() * batch.cells + space.head(a).ix()] = p;
            }
        }
        Ok(log_z)
    }

    /// The entropy of the trees of a sentence without factors.
    pub fn entropy<T: Number>(&mut self, batch: &Batch<T>, b: usize, scale: f64) -> Result<Option<f64>, Fault> {
        let (backbone, scores) = self.logarithms(batch, b, scale)?;
        let space = &self.graph.space;
        Ok(match batch.trees {
            Trees::Projective => self.partitions.entropy(backbone, space, &scores),
            Trees::NonProjective => matrix_tree::entropy(space, &scores.local.arc),
        })
    }

    fn logarithms<T: Number>(
        &mut self,
        batch: &Batch<T>,
        b: usize,
        scale: f64,
    ) -> Result<(Backbone, LogScores), Fault> {
        let raw = self.build_without_limit(batch, b)?;
        if batch.trees == Trees::NonProjective && !batch.has_arcs_alone() {
            return Err(refused(b, DpError::NonProjective));
        }
        let mut scores = LogScores::default();
        raw.local.map_into(&mut scores.local, |score| score.near() / scale);
        raw.grand_siblings.map_into(&mut scores.grand.siblings, |score| score.near() / scale);
        let backbone = if raw.grand_siblings.is_empty() { Backbone::Carreras } else { Backbone::GrandSibling };
        if backbone == Backbone::GrandSibling {
            scores.grand.any.resize(self.graph.space.grandchild_parts(), 0.0);
        }
        Ok((backbone, scores))
    }

    fn build_without_limit<T: Number>(&mut self, batch: &Batch<T>, b: usize) -> Result<Raw<T>, Fault> {
        let raw = self.build(batch, b, Room::default())?;
        raw.ok_or_else(|| Fault(format!("sentence {b}: too large")))
    }

    /// Numbers the candidate arcs of a sentence.
    fn build_space<T: Number>(&mut self, batch: &Batch<T>, b: usize) -> Result<(), Fault> {
        let n = batch.lengths[b];
        self.ends.clear();
        for (h, m) in (0..=n).flat_map(|h| (1..=n).map(move |m| (h, m))).filter(|(h, m)| h != m) {
            if batch.is_candidate(batch.row(b, m) + h) {
                self.ends.push((Word::new(h), Word::new(m)));
            }
        }
        self.graph.trees = batch.trees;
        let rebuilt = self.graph.space.rebuild(n, batch.single_root, &self.ends);
        rebuilt.map_err(|error| Fault(format!("sentence {b}: {error}")))
    }

    /// Makes the graph of a sentence, still without scores; none if it needs more memory than it may take.
    fn build<T: Number>(&mut self, batch: &Batch<T>, b: usize, mut room: Room) -> Result<Option<Raw<T>>, Fault> {
        batch.largest_arc(b)?;
        let n = batch.lengths[b];
        self.has_parts = !matches!((&batch.siblings, &batch.grandchildren), (Parts::None, Parts::None));
        self.build_space(batch, b)?;
        let space = &self.graph.space;
        let fault = |error: SpaceError| Fault(format!("sentence {b}: {error}"));
        let of_factors = batch.factors.as_ref().map_or(&[][..], |factors| factors.rows.of(b));
        let has_room = match room.start(space) {
            Err(SpaceError::NoRoom { .. }) => false,
            other => {
                other.map_err(fault)?;
                let width = batch.factors.as_ref().map_or(0, |factors| factors.width);
                of_factors.iter().fold(true, |_, _| room.take_factor(width))
            }
        };
        if !has_room {
            return Ok(None);
        }
        let mut local = LocalScores::filled(space, T::default());
        for (score, (h, m)) in local.arc.iter_mut().zip(&self.ends) {
            *score = batch.arcs[batch.row(b, m.ix()) + h.ix()];
        }
        if let Some(prior) = batch.prior {
            self.prior.clear();
            for (h, m) in &self.ends {
                let p = prior[batch.row(b, m.ix()) + h.ix()];
                if !(0.0..=1.0).contains(&p) {
                    return Err(Fault(format!("prior[{b}, {m}, {h}] is {p}: a probability lies between 0 and 1")));
                }
                self.prior.push(p);
            }
        }
        siblings(batch, b, &self.graph, &mut local.sibling)?;
        grandchildren(batch, b, &self.graph, &mut local.grandchild)?;
        let grand_siblings = match &batch.grand_siblings {
            Some(rows) => grand_siblings(rows, b, n, &self.graph)?,
            None => GrandSiblings::default(),
        };
        self.has_parts |= !grand_siblings.is_empty();
        self.graph.factors.clear();
        let mut scores = Vec::new();
        if let Some(all) = &batch.factors {
            factors(all, b, n, &mut self.graph, &mut scores)?;
        }
        Ok(Some(Raw { local, grand_siblings, factors: scores }))
    }

    /// Gives the graph its scores, on the grid that is asked for or else the finest on which sums stay within so many bits.
    fn put_on_grid<T: Number>(&mut self, b: usize, raw: &Raw<T>, bits: i32, step: Option<f64>) -> Result<Grid, Fault> {
        let grid = crate::grid::<T>(b, raw.largest_sum(&self.graph), bits, step)?;
        let Self { graph, .. } = self;
        raw.local.map_into(&mut graph.local, |score| score.whole(grid));
        raw.grand_siblings.map_into(&mut graph.grand_siblings, |score| score.whole(grid));
        let mut arcs = Vec::new();
        let unscored = std::mem::take(&mut graph.factors);
        for ((_, of_factor, _), score) in unscored.iter().zip(&raw.factors) {
            arcs.clear();
            arcs.extend_from_slice(of_factor);
            graph.factors.push(&arcs, score.whole(grid));
        }
        Ok(grid)
    }
}

impl<T: Number> Raw<T> {
    /// No part of a tree, with any share of the factors added to its arcs, has a score beyond this.
    fn largest_sum(&self, graph: &FactorGraph) -> f64 {
        let mut by_arc: Vec<f64> = self.local.arc.iter().map(|score| score.near().abs()).collect();
        let mut constants = 0.0;
        for ((_, arcs, _), score) in graph.factors.iter().zip(&self.factors) {
            let size = score.near().abs();
            arcs.iter().for_each(|a| by_arc[a.ix()] += size);
            constants += size * arcs.len().max(1) as f64;
        }
        let arc = by_arc.iter().copied().fold(0.0, f64::max);
        let Raw { local, grand_siblings, .. } = self;
        let parts =
            T::largest(&local.sibling) + T::largest(grand_siblings.scores()) + 2.0 * T::largest(&local.grandchild);
        2.0 * ((arc + parts) * graph.space.words() as f64 + constants)
    }

    /// How far a tree's score on the grid may be from its own.
    fn error(&self, grid: Grid, graph: &FactorGraph) -> f64 {
        if T::IS_WHOLE {
            return 0.0;
        }
        let worst = |scores: &[T]| grid.largest_error(scores);
        let Raw { local, grand_siblings, factors } = self;
        // A tree that has a factor has the factor's first arc, and one arc into each word.
        let mut by_arc: Vec<f64> = local.arc.iter().map(|&score| worst(&[score])).collect();
        let mut always = 0.0;
        for ((_, arcs, _), &score) in graph.factors.iter().zip(factors) {
            *arcs.first().map_or(&mut always, |a| &mut by_arc[a.ix()]) += worst(&[score]);
        }
        let space = &graph.space;
        let of_arcs: f64 = (1..=space.words())
            .map(|m| space.arcs_into(Word::new(m)).iter().map(|a| by_arc[a.ix()]).fold(0.0, f64::max))
            .sum();
        // A word is the modifier of one pair of siblings, and the child of one grandchild part.
        let of_word = worst(&local.sibling) + worst(&local.grandchild) + worst(grand_siblings.scores());
        of_arcs + of_word * space.words() as f64 + always
    }
}

/// A message about scores that no decoder has room for, or knows.
fn refused(b: usize, error: DpError) -> Fault {
    match error {
        DpError::NonProjective => Fault(format!(
            "sentence {b}: sums over trees that may cross are there for scores of arcs alone; leave other parts out, or take \
             trees=\"projective\""
        )),
        other => Fault(format!("sentence {b}: {other}")),
    }
}

/// Writes heads into an array, by word from 1.
pub fn write_heads(tree: &Tree, heads: &mut [i64]) {
    heads[1..=tree.len()].iter_mut().zip(tree.heads()).for_each(|(to, head)| *to = head.0.into());
}

fn finite<T: Number>(score: T, name: impl Fn() -> String) -> Result<T, Fault> {
    if score.is_missing() || T::largest(&[score]) == f64::INFINITY {
        let name = name();
        return Err(Fault(format!(
            "{name} is {score}: a score of a part is finite; only an arc may be ruled out by -inf"
        )));
    }
    Ok(score)
}

fn siblings<T: Number>(batch: &Batch<T>, b: usize, graph: &FactorGraph, scores: &mut [T]) -> Result<(), Fault> {
    let (space, n) = (&graph.space, batch.lengths[b]);
    match &batch.siblings {
        Parts::None => Ok(()),
        Parts::Dense(all) => {
            for a in (0..space.arcs()).map(ArcId::new) {
                let (h, m) = (space.head(a).ix(), space.modifier(a).ix());
                let row = (batch.row(b, m) + h) * batch.cells;
                let score = |r: usize| finite(all[row + r], || format!("siblings[{b}, {m}, {h}, {r}]"));
                scores[space.first_modifier_part(a)] = score(h)?;
                for (part, inner) in space.sibling_parts_of(a).zip(space.inner_siblings(a)) {
                    scores[part] = score(space.modifier(ArcId::new(inner)).ix())?;
                }
            }
            Ok(())
        }
        Parts::Sparse(rows) => put_all(rows, b, scores, |words| {
            let [m, h, r] = sibling_words(words, n)?.map(Word::new);
            Ok(space.find_sibling_part(h, r, m))
        }),
    }
}

fn grandchildren<T: Number>(batch: &Batch<T>, b: usize, graph: &FactorGraph, scores: &mut [T]) -> Result<(), Fault> {
    let (space, n) = (&graph.space, batch.lengths[b]);
    match &batch.grandchildren {
        Parts::None => Ok(()),
        Parts::Dense(all) => {
            for a in (0..space.arcs()).map(ArcId::new) {
                let (h, m) = (space.head(a).ix(), space.modifier(a).ix());
                let row = (batch.row(b, m) + h) * batch.cells;
                for (part, child) in space.grandchild_parts_of(a).zip(space.children(a)) {
                    let c = space.modifier(ArcId::new(child)).ix();
                    scores[part] = finite(all[row + c], || format!("grandchildren[{b}, {m}, {h}, {c}]"))?;
                }
            }
            Ok(())
        }
        Parts::Sparse(rows) => put_all(rows, b, scores, |words| {
            let (m, h) = (word("modifier", words[0], 1, n)?, word("head", words[1], 0, n)?);
            let child = word("child", words[2], 1, n)?;
            Ok(space.find_grandchild_part(Word::new(h), Word::new(m), Word::new(child)))
        }),
    }
}

/// Puts the scores of rows at the places of their parts; rows that no tree can have are left out.
fn put_all<T: Number>(
    rows: &Sparse<T>,
    b: usize,
    scores: &mut [T],
    part: impl Fn(&[i64]) -> Result<Option<usize>, String>,
) -> Result<(), Fault> {
    let mut seen = vec![false; scores.len()];
    for (row, words, score) in rows.of(b) {
        let part = part(words).map_err(|what| rows.fault(row, what))?;
        let score = finite(score, || rows.fault(row, "the score").0)?;
        if let Some(part) = part {
            if std::mem::replace(&mut seen[part], true) {
                return Err(rows.fault(row, "is given twice"));
            }
            scores[part] = score;
        }
    }
    Ok(())
}

fn grand_siblings<T: Number>(
    rows: &Sparse<T>,
    b: usize,
    n: usize,
    graph: &FactorGraph,
) -> Result<GrandSiblings<T>, Fault> {
    let space = &graph.space;
    let mut parts = Vec::new();
    for (row, words, score) in rows.of(b) {
        let fault = |what| rows.fault(row, what);
        let [m, h, r] = sibling_words(words, n).map_err(fault)?.map(Word::new);
        let upper = Word::new(word("grandparent", words[3], 0, n).map_err(fault)?);
        let score = finite(score, || rows.fault(row, "the score").0)?;
        if let Some(part) = space.find_grandchild_part(upper, h, m).zip(space.find_sibling_part(h, r, m)) {
            parts.push((part, row, score));
        }
    }
    parts.sort_by_key(|&(part, row, _)| (part, row));
    if let Some(twice) = parts.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(rows.fault(twice[1].1, "is given twice"));
    }
    let mut scores = GrandSiblings::default();
    parts.into_iter().for_each(|((grandchild, sibling), _, score)| scores.push(grandchild, sibling, score));
    Ok(scores)
}

/// Adds the factors that trees over the graph's arcs may have, with score 0, and their scores to `scores`.
fn factors<T: Number>(
    all: &Factors<T>,
    b: usize,
    n: usize,
    graph: &mut FactorGraph,
    scores: &mut Vec<T>,
) -> Result<(), Fault> {
    let mut arcs = Vec::new();
    for &row in all.rows.of(b) {
        let row = row as usize;
        let score = finite(all.scores[row], || format!("factors: the score of row {row}"))?;
        arcs.clear();
        let mut is_possible = true;
        for (i, ends) in all.arcs[2 * row * all.width..2 * (row + 1) * all.width].chunks_exact(2).enumerate() {
            if ends == [-1, -1] {
                continue;
            }
            let fault = |what| Fault(format!("factors: row {row}, arc {i}: {what}"));
            let m = word("modifier", ends[0], 1, n).map_err(fault)?;
            let h = word("head", ends[1], 0, n).map_err(fault)?;
            match graph.space.find(Word::new(h), Word::new(m)) {
                Some(a) => arcs.push(a),
                None => is_possible = false,
            }
        }
        arcs.sort_unstable();
        arcs.dedup();
        if is_possible {
            graph.factors.push(&arcs, 0);
            scores.push(score);
        }
    }
    Ok(())
}
