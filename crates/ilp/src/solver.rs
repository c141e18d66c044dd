//! The solver: relaxations with rows that come in where a point violates them, then branch and cut over these.
//!
//! ```text
//! rows := those that may not be left out
//! repeat: solve the relaxation; add violated rows          until there are none
//! whole?                                                   the tree is a best one
//! repeat: solve for whole numbers; add violated rows       until there are none
//! ```
//!
//! Each of these programs has a subset of the rows, so its value is a bound. A tree's score is taken from the graph, never
//! from the solver, whose tolerance is weighed against the scores of the relaxation.

use std::time::Instant;

use highs::{Col, HighsModelStatus, HighsSolutionStatus, HighsStatus, Model, RowProblem, Sense, SolvedModel};
use treebound_core::decode::arborescence::Arborescence;
use treebound_core::decode::{Backbone, Decoder, Scratch};
use treebound_core::graph::{FactorGraph, LocalScores, TreeArcs, Trees, Word, tree_score};
use treebound_core::tree::Tree;

use crate::decoder::{Answer, Goal, IlpError, IlpStatus, Settings};
use crate::formulation::{Form, Formulation};
use crate::fractions::Fractions;
use crate::program::{ColumnId, Program, RowId};

/// By how much the solver may be off: in a row, a bound, from a whole number.
const TOLERANCE: f64 = 1e-9;

/// How far beyond a row that the solver does not have a point counts as violating it.
const VIOLATED: f64 = 2.0 * TOLERANCE;

/// How near to a whole number a relaxation counts as whole.
const NEAR: f64 = 1e-6;

/// By how much the solver's value may be off, in units of scores; bounds are rounded down with this much to spare.
const SPARE: f64 = 0.49;

/// Costs that do not add up to more are exact in the solver's numbers, with their sums.
const EXACT: f64 = (1u64 << 53) as f64;

/// What a whole arc scores when fractions are rounded to a tree.
const WHOLE: f64 = (1u64 << 30) as f64;

pub fn decode(graph: &FactorGraph, goal: Goal, settings: &Settings) -> Result<Answer, IlpError> {
    let mut formulation = Formulation::usual(graph.trees);
    formulation.form = settings.form.unwrap_or(formulation.form);
    check(graph, formulation.form)?;
    if !graph.space.has_all_heads() {
        return Ok(Answer {
            tree: None,
            score: None,
            bound: None,
            status: IlpStatus::Infeasible,
            integral: None,
            fractions: None,
            nodes: 0,
            iterations: 0,
            columns: 0,
            rows: (0, 0),
        });
    }
    let program = Program::new(graph, formulation);
    check_size(program.ids().map(|c| program.cost(c) as f64 * program.most(c) as f64), EXACT)?;
    let mut search = Search::new(graph, &program, settings);
    let answer = search.relaxation()?;
    if answer.status != IlpStatus::Relaxed || goal == Goal::Relaxed {
        return Ok(answer);
    }
    search.whole(answer)
}

/// Whether the solver can take the graph on.
fn check(graph: &FactorGraph, form: Form) -> Result<(), IlpError> {
    if !form.has(graph.trees) {
        return Err(IlpError::Form);
    }
    let (space, words) = (&graph.space, graph.space.words() as u64);
    let arcs = space.arcs() as u64;
    let of_form = match form {
        Form::Flow | Form::Paths => 8 * arcs * words,
        Form::Spans => 3 * arcs * arcs,
    };
    let parts = 16 * (space.sibling_parts() + space.grandchild_parts() + graph.grand_siblings.len()) as u64;
    let all = of_form + parts + (4 * graph.factors.incidences() + 3 * graph.counts.incidences()) as u64;
    if all > i32::MAX as u64 { Err(IlpError::TooMany(all)) } else { Ok(()) }
}

/// Whether numbers, without their signs, add up to no more than `most`.
fn check_size(numbers: impl Iterator<Item = f64>, most: f64) -> Result<(), IlpError> {
    let all: f64 = numbers.map(f64::abs).sum();
    if all > most { Err(IlpError::TooLarge(all as u128)) } else { Ok(()) }
}

/// The nodes of branch and cut, which the safe interface does not tell.
fn nodes(solved: &SolvedModel) -> u64 {
    let mut nodes = 0;
    // SAFETY: the pointer is that of a live solver, which is only read; the name is a C string, and the place is ours.
    unsafe { highs_sys::Highs_getInt64InfoValue(solved.as_ptr(), c"mip_node_count".as_ptr(), &mut nodes) };
    u64::try_from(nodes).unwrap_or(0)
}

/// All variables have bounds, so a program is never unbounded.
fn is_infeasible(status: HighsModelStatus) -> bool {
    matches!(status, HighsModelStatus::Infeasible | HighsModelStatus::UnboundedOrInfeasible)
}

fn failed(status: HighsStatus) -> IlpError {
    IlpError::Solver(format!("{status:?}"))
}

struct Search<'a> {
    graph: &'a FactorGraph,
    program: &'a Program,
    settings: &'a Settings,
    start: Instant,
    /// The rows that the solver has, in its order.
    active: Vec<RowId>,
    is_active: Vec<bool>,
    nodes: u64,
    iterations: u64,
    arcs: TreeArcs,
}

impl<'a> Search<'a> {
    fn new(graph: &'a FactorGraph, program: &'a Program, settings: &'a Settings) -> Self {
        let kept = program.rows().filter(|(_, row)| !(settings.lazy && row.is_lazy));
        let active: Vec<_> = kept.map(|(r, _)| r).collect();
        let mut is_active = vec![false; program.height()];
        for r in &active {
            is_active[r.ix()] = true;
        }
        let arcs = TreeArcs::default();
        Self { graph, program, settings, start: Instant::now(), active, is_active, nodes: 0, iterations: 0, arcs }
    }

    fn model(&self, whole: bool) -> Result<Model, IlpError> {
        let (program, mut problem) = (self.program, RowProblem::default());
        let add = |problem: &mut RowProblem, c| {
            let integer = whole && program.is_integer(c);
            problem.add_column_with_integrality(program.cost(c) as f64, 0.0..=program.most(c) as f64, integer)
        };
        let columns: Vec<Col> = program.ids().map(|c| add(&mut problem, c)).collect();
        for &r in &self.active {
            let (least, most) = self.bounds(r);
            problem.add_row(least..=most, self.terms(r).map(|(c, coefficient)| (columns[c.ix()], coefficient)));
        }
        let mut model = problem.try_optimise(Sense::Maximise).map_err(failed)?;
        model.make_quiet();
        model.set_threads(std::num::NonZeroU32::MIN);
        for option in ["primal_feasibility_tolerance", "dual_feasibility_tolerance", "mip_feasibility_tolerance"] {
            model.set_option(option, TOLERANCE);
        }
        model.set_option("parallel", "off");
        model.set_option("random_seed", 0);
        if whole {
            // With them the solver calls trees optimal that are not: of two forms of one program, one or the other.
            model.set_option("presolve", "off");
        }
        model.set_option("mip_rel_gap", 0.0);
        model.set_option("mip_abs_gap", 0.0);
        Ok(model)
    }

    fn bounds(&self, r: RowId) -> (f64, f64) {
        let row = self.program.row(r);
        (row.least.map_or(f64::NEG_INFINITY, |b| b as f64), row.most.map_or(f64::INFINITY, |b| b as f64))
    }

    fn terms(&self, r: RowId) -> impl Iterator<Item = (ColumnId, f64)> {
        let row = self.program.row(r);
        row.columns.iter().zip(row.coefficients).map(|(&c, &coefficient)| (c, coefficient as f64))
    }

    /// Adds rows to a model all at once: one by one, which is all that the safe interface has, each takes as long as the
    /// whole model is large.
    fn add_rows(&self, model: &mut Model, rows: &[RowId]) -> Result<(), IlpError> {
        let (least, most): (Vec<f64>, Vec<f64>) = rows.iter().map(|&r| self.bounds(r)).unzip();
        let (mut start, mut index, mut value) = (Vec::with_capacity(rows.len()), Vec::<i32>::new(), Vec::new());
        for &r in rows {
            start.push(index.len() as i32);
            for (c, coefficient) in self.terms(r) {
                index.push(c.0 as i32);
                value.push(coefficient);
            }
        }
        // SAFETY: the pointer is that of a live solver; there is a bound and a start for each row, and a value for each index,
        // which is that of a column; the solver copies all of them. `check` has seen that the numbers fit.
        let status = unsafe {
            let highs = model.as_mut_ptr();
            let (rows, entries) = (rows.len() as i32, index.len() as i32);
            let (least, most) = (least.as_ptr(), most.as_ptr());
            highs_sys::Highs_addRows(highs, rows, least, most, entries, start.as_ptr(), index.as_ptr(), value.as_ptr())
        };
        match HighsStatus::try_from(status) {
            Ok(HighsStatus::OK | HighsStatus::Warning) => Ok(()),
            other => Err(IlpError::Solver(format!("{other:?}"))),
        }
    }

    /// Solves a model within what is left of the time.
    fn solve(&mut self, mut model: Model) -> Result<SolvedModel, IlpError> {
        if let Some(seconds) = self.settings.seconds {
            // SAFETY: the pointer is that of a live solver, of which nothing else is held; its clock runs on over solutions.
            unsafe { highs_sys::Highs_zeroAllClocks(model.as_mut_ptr()) };
            model.set_option("time_limit", (seconds - self.start.elapsed().as_secs_f64()).max(0.0));
        }
        let solved = model.try_solve().map_err(failed)?;
        self.iterations += solved.simplex_iteration_count().max(0) as u64;
        Ok(solved)
    }

    /// The rows that a point violates and the solver does not have, which it has from now on.
    fn add_violated(&mut self, point: &[f64]) -> Vec<RowId> {
        let (program, is_active) = (self.program, &self.is_active);
        let violated = program.rows().filter(|(r, row)| {
            !is_active[r.ix()] && {
                let terms = row.columns.iter().zip(row.coefficients);
                let value: f64 = terms.map(|(c, &coefficient)| coefficient as f64 * point[c.ix()]).sum();
                row.least.is_some_and(|least| value < least as f64 - VIOLATED)
                    || row.most.is_some_and(|most| value > most as f64 + VIOLATED)
            }
        });
        let added: Vec<_> = violated.map(|(r, _)| r).collect();
        for r in &added {
            self.is_active[r.ix()] = true;
        }
        self.active.extend(&added);
        added
    }

    fn answer(&self, status: IlpStatus) -> Answer {
        Answer {
            tree: None,
            score: None,
            bound: None,
            status,
            integral: None,
            fractions: None,
            nodes: self.nodes,
            iterations: self.iterations,
            columns: self.program.columns().len(),
            rows: (self.active.len(), self.program.height()),
        }
    }

    fn bound(&self, value: f64) -> Option<i128> {
        value.is_finite().then(|| (value + SPARE).floor() as i128 + self.program.constant())
    }

    /// The relaxation, and the tree that it gives. [`IlpStatus::Relaxed`] if that is not proven to be best.
    fn relaxation(&mut self) -> Result<Answer, IlpError> {
        let mut model = self.model(false)?;
        let (point, value) = loop {
            let solved = self.solve(model)?;
            match solved.status() {
                HighsModelStatus::Optimal => {}
                status if is_infeasible(status) => return Ok(self.answer(IlpStatus::Infeasible)),
                HighsModelStatus::ReachedTimeLimit => return Ok(self.answer(IlpStatus::TimeLimit)),
                other => return Err(IlpError::Solver(format!("{other:?}"))),
            }
            let (point, value) = (solved.get_solution().columns().to_vec(), solved.objective_value());
            let added = self.add_violated(&point);
            if added.is_empty() {
                break (point, value);
            }
            model = Model::from(solved);
            self.add_rows(&mut model, &added)?;
        };
        // What the solver may be off by grows with what it adds up.
        check_size(self.program.ids().map(|c| self.program.cost(c) as f64 * point[c.ix()]), SPARE / TOLERANCE)?;
        let near = |value: f64| (value - value.round()).abs() <= NEAR;
        let integral = self.program.ids().all(|c| !self.program.is_integer(c) || near(point[c.ix()]));
        let tree = if integral { self.own_tree(&point) } else { self.rounded(&point) };
        let mut answer = self.answer(IlpStatus::Relaxed);
        answer.integral = Some(integral);
        answer.bound = self.bound(value);
        answer.fractions = (!integral).then(|| Fractions::new(self.graph, self.program, &point, value));
        if let Some((tree, score)) = tree {
            (answer.tree, answer.score) = (Some(tree), Some(score));
            if answer.score >= answer.bound {
                answer.bound = answer.score;
                answer.status = IlpStatus::Optimal;
            }
        }
        Ok(answer)
    }

    /// Branch and cut, after a relaxation.
    fn whole(&mut self, relaxed: Answer) -> Result<Answer, IlpError> {
        let (mut best, mut bound) = (relaxed.tree.zip(relaxed.score), relaxed.bound);
        let status = loop {
            let mut model = self.model(true)?;
            if let Some(nodes) = self.settings.nodes {
                let left = nodes.saturating_sub(self.nodes).min(i32::MAX as u64);
                model.set_option("mip_max_nodes", left as i32);
            }
            let solved = self.solve(model)?;
            self.nodes += nodes(&solved);
            let (status, found) = (solved.status(), solved.primal_solution_status());
            if is_infeasible(status) {
                return Ok(Answer { integral: relaxed.integral, ..self.answer(IlpStatus::Infeasible) });
            }
            // Of a program that its first reductions solve, the solver does not say so in its bound, only in its status.
            let most = match status {
                HighsModelStatus::Optimal => solved.objective_value(),
                _ => solved.double_info_value(c"mip_dual_bound").map_err(failed)?,
            };
            bound = [bound, self.bound(most)].into_iter().flatten().min();
            let point = (found == HighsSolutionStatus::Feasible).then(|| solved.get_solution().columns().to_vec());
            let found = point.as_deref().and_then(|point| self.own_tree(point));
            if let Some((tree, score)) = found
                && best.as_ref().is_none_or(|(_, best)| score > *best)
            {
                best = Some((tree, score));
            }
            if best.as_ref().map(|(_, score)| *score) >= bound && best.is_some() {
                break IlpStatus::Optimal;
            }
            match status {
                HighsModelStatus::Optimal => {}
                HighsModelStatus::ReachedTimeLimit => break IlpStatus::TimeLimit,
                // The solver calls the end of its nodes a limit on solutions.
                HighsModelStatus::ReachedSolutionLimit | HighsModelStatus::ReachedIterationLimit => {
                    break IlpStatus::NodeLimit;
                }
                other => return Err(IlpError::Solver(format!("{other:?}"))),
            }
            if point.is_none_or(|point| self.add_violated(&point).is_empty()) {
                break IlpStatus::Inexact;
            }
        };
        let (tree, score) = best.unzip();
        if status == IlpStatus::Optimal {
            bound = score;
        }
        Ok(Answer { tree, score, bound, integral: relaxed.integral, ..self.answer(status) })
    }

    /// The tree of a whole point with its score, if it is one of the graph's.
    fn own_tree(&mut self, point: &[f64]) -> Option<(Tree, i128)> {
        let space = &self.graph.space;
        let into = |m: usize| space.arcs_into(Word::new(m)).iter().find(|a| point[a.ix()] > 0.5);
        let heads = (1..=space.words()).map(|m| into(m).map(|&a| space.head(a)));
        self.scored(heads.collect::<Option<_>>()?)
    }

    /// The best tree where each arc scores what the point has of it, with its own score.
    fn rounded(&mut self, point: &[f64]) -> Option<(Tree, i128)> {
        let space = &self.graph.space;
        let weights = point[..space.arcs()].iter().map(|&value| (value * WHOLE).round() as i64);
        let heads = match self.graph.trees {
            Trees::NonProjective => {
                let mut arborescence = Arborescence::default();
                arborescence.best(space, weights)?;
                arborescence.arcs().iter().map(|&a| space.head(a)).collect()
            }
            Trees::Projective => {
                let mut local = LocalScores::filled(space, 0);
                local.arc = weights.collect();
                let graph = FactorGraph { space: space.clone(), local, ..Default::default() };
                let answer =
                    Decoder::Dp.decode(&graph, Backbone::Carreras, None, Default::default(), &mut Scratch::default());
                answer.ok()?.tree?.heads().to_vec()
            }
        };
        self.scored(heads)
    }

    fn scored(&mut self, heads: Vec<Word>) -> Option<(Tree, i128)> {
        let (graph, tree) = (self.graph, Tree::new(heads).ok()?);
        let fits = (graph.trees == Trees::NonProjective || tree.is_projective())
            && (!graph.space.single_root() || tree.roots().count() == 1);
        if !fits || !self.arcs.find(&graph.space, tree.heads()) || !graph.allows(&self.arcs) {
            return None;
        }
        let score = tree_score(graph, &self.arcs);
        Some((tree, score))
    }
}
