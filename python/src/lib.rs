//! The decoders of Treebound for NumPy arrays: what `treebound/__init__.py` calls, with arguments that it has made arrays of.
//!
//! A sentence of a batch is decoded by the program over arrays that fits it ([`dense`]), or as a factor graph ([`graph`]). Charts
//! are kept from call to call, one set for each thread. No thread holds the interpreter while it decodes.

mod answer;
mod batch;
mod dense;
mod graph;
mod number;
mod threads;

use numpy::ndarray::{Array1, Array2, Array3};
use numpy::{IntoPyArray, PyReadonlyArray1, PyReadonlyArray3, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use treebound_core::decode::bnb::Limits;
use treebound_core::graph::Trees;

use crate::answer::{Answer, STATUSES};
use crate::batch::{Batch, BySentence, Factors, Fault, Parts, Sparse};
use crate::number::{BITS_OF_SUMS, Grid, Number};

/// Charts of one thread.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    dense: dense::Dense,
    graphs: graph::Graphs,
}

/// The grid for scores whose sums are at most `total`: that which is asked for, or the finest that fits so many bits.
///
/// # Errors
/// If sums would not be exact.
pub(crate) fn grid<T: Number>(b: usize, total: f64, bits: i32, step: Option<f64>) -> Result<Grid, Fault> {
    let most = |bits: i32| (1u64 << bits) as f64;
    if T::IS_WHOLE {
        // Answers are numbers of 64 bits.
        if total > most(62) {
            return Err(Fault(format!(
                "sentence {b}: whole scores that may add up to {total:e} do not fit 64 bits; divide them"
            )));
        }
        return Ok(Grid::WHOLE);
    }
    if !total.is_finite() {
        return Err(Fault(format!("sentence {b}: scores are so large that their sum is no number; divide them")));
    }
    let Some(step) = step else { return Ok(Grid::finest(total, bits)) };
    let grid = Grid::at_most(step);
    if total > grid.step * most(BITS_OF_SUMS) {
        let finest = Grid::finest(total, BITS_OF_SUMS).step;
        return Err(Fault(format!(
            "sentence {b}: grid={step:e} is too fine for scores that may add up to {total:e}: {finest:e} is the finest"
        )));
    }
    Ok(grid)
}

/// The arguments of a batch that all functions share.
#[derive(FromPyObject)]
struct Arguments<'py> {
    lengths: PyReadonlyArray1<'py, i64>,
    candidates: Option<PyReadonlyArray3<'py, bool>>,
    prior: Option<PyReadonlyArray3<'py, f64>>,
    siblings: Option<Bound<'py, PyAny>>,
    grandchildren: Option<Bound<'py, PyAny>>,
    grand_siblings: Option<Bound<'py, PyAny>>,
    factors: Option<Bound<'py, PyAny>>,
    projective: bool,
    single_root: bool,
    threads: usize,
}

/// The arrays of parts, held while slices of them are in use.
struct Held<'py, T: Number> {
    siblings: Option<HeldParts<'py, T>>,
    grandchildren: Option<HeldParts<'py, T>>,
    grand_siblings: Option<HeldParts<'py, T>>,
    factors: Option<(PyReadonlyArray1<'py, i64>, PyReadonlyArray3<'py, i64>, PyReadonlyArray1<'py, T>)>,
}

enum HeldParts<'py, T: Number> {
    Dense(PyReadonlyArrayDyn<'py, T>),
    Sparse(PyReadonlyArrayDyn<'py, i64>, PyReadonlyArray1<'py, T>),
}

impl<'py, T: Number> HeldParts<'py, T> {
    /// A tuple of index and scores, or an array.
    fn new(parts: &Bound<'py, PyAny>) -> PyResult<Self> {
        match parts.extract::<(PyReadonlyArrayDyn<i64>, PyReadonlyArray1<T>)>() {
            Ok((index, scores)) => Ok(Self::Sparse(index, scores)),
            Err(_) => Ok(Self::Dense(parts.extract()?)),
        }
    }

    fn parts(&self, name: &'static str, columns: usize, sentences: usize) -> PyResult<Parts<'_, T>> {
        match self {
            Self::Dense(scores) => Ok(Parts::Dense(scores.as_slice()?)),
            Self::Sparse(index, scores) => {
                let rows = Sparse::new(name, columns, index.as_slice()?, scores.as_slice()?, sentences);
                Ok(Parts::Sparse(rows.map_err(refused)?))
            }
        }
    }
}

impl<'py, T: Number> Held<'py, T> {
    fn new(arguments: &Arguments<'py>) -> PyResult<Self> {
        let parts = |parts: &Option<Bound<'py, PyAny>>| parts.as_ref().map(HeldParts::new).transpose();
        Ok(Self {
            siblings: parts(&arguments.siblings)?,
            grandchildren: parts(&arguments.grandchildren)?,
            grand_siblings: parts(&arguments.grand_siblings)?,
            factors: arguments.factors.as_ref().map(|factors| factors.extract()).transpose()?,
        })
    }

    fn batch<'a>(
        &'a self,
        arcs: &'a PyReadonlyArray3<'py, T>,
        arguments: &'a Arguments<'py>,
    ) -> PyResult<Batch<'a, T>> {
        let [sentences, cells, _] = *arcs.shape() else {
            return Err(refused(Fault("arcs must have three axes".into())));
        };
        let parts = |held: &'a Option<HeldParts<'py, T>>, name, columns| match held {
            Some(held) => held.parts(name, columns, sentences),
            None => Ok(Parts::None),
        };
        let grand_siblings = match parts(&self.grand_siblings, "grand_siblings", 5)? {
            Parts::Sparse(rows) => Some(rows),
            Parts::None | Parts::Dense(_) => None,
        };
        let factors = match &self.factors {
            Some((of_factor, of_arcs, scores)) => {
                let rows = BySentence::new("factors", of_factor.as_slice()?.iter().copied(), sentences);
                let (arcs, scores) = (of_arcs.as_slice()?, scores.as_slice()?);
                Some(Factors { width: of_arcs.shape()[1], arcs, scores, rows: rows.map_err(refused)? })
            }
            None => None,
        };
        Ok(Batch {
            lengths: arguments.lengths.as_slice()?.iter().map(|&n| n as usize).collect(),
            cells,
            arcs: arcs.as_slice()?,
            candidates: arguments.candidates.as_ref().map(|candidates| candidates.as_slice()).transpose()?,
            prior: arguments.prior.as_ref().map(|prior| prior.as_slice()).transpose()?,
            siblings: parts(&self.siblings, "siblings", 4)?,
            grandchildren: parts(&self.grandchildren, "grandchildren", 4)?,
            grand_siblings,
            factors,
            trees: if arguments.projective { Trees::Projective } else { Trees::NonProjective },
            single_root: arguments.single_root,
        })
    }
}

fn refused(Fault(message): Fault) -> PyErr {
    PyValueError::new_err(message)
}

/// A score or bound, in steps of so much.
type Steps = (Extended, f64);

/// A number of steps, or what stands below or above all.
#[derive(Clone, Copy)]
enum Extended {
    Least,
    Number(i128),
    Greatest,
}

impl Extended {
    fn score(score: Option<i128>) -> Self {
        score.map_or(Self::Least, Self::Number)
    }

    /// No tree scores more than what stands below all, if there is none; of trees of which nothing is known any may.
    fn bound(answer: &Answer) -> Self {
        match answer.bound {
            Some(bound) => Self::Number(bound),
            None if answer.status == answer::Status::Infeasible => Self::Least,
            None => Self::Greatest,
        }
    }
}

/// Scores in the numbers of the arrays.
fn own_numbers<'py, T: Number>(py: Python<'py>, steps: impl Iterator<Item = Steps>) -> Bound<'py, PyAny> {
    if T::IS_WHOLE {
        let whole = |(score, _)| match score {
            Extended::Least => i64::MIN,
            Extended::Number(score) => score as i64,
            Extended::Greatest => i64::MAX,
        };
        return Array1::from_iter(steps.map(whole)).into_pyarray(py).into_any();
    }
    let float = |(score, step)| match score {
        Extended::Least => f64::NEG_INFINITY,
        Extended::Number(score) => score as f64 * step,
        Extended::Greatest => f64::INFINITY,
    };
    Array1::from_iter(steps.map(float)).into_pyarray(py).into_any()
}

/// Calls `$function::<T>` by the type of an array's numbers.
macro_rules! by_type {
    ($arcs:expr, $function:ident, $($argument:expr),*) => {
        if let Ok(arcs) = $arcs.extract::<PyReadonlyArray3<f32>>() {
            $function(arcs, $($argument),*)
        } else if let Ok(arcs) = $arcs.extract::<PyReadonlyArray3<f64>>() {
            $function(arcs, $($argument),*)
        } else {
            $function($arcs.extract::<PyReadonlyArray3<i64>>()?, $($argument),*)
        }
    };
}

/// Best trees.
#[pyfunction]
fn decode<'py>(
    py: Python<'py>,
    arcs: &Bound<'py, PyAny>,
    arguments: Arguments<'py>,
    grid: Option<f64>,
    limits: (Option<u64>, Option<u64>, Option<u64>),
) -> PyResult<Bound<'py, PyDict>> {
    let (dp_calls, nodes, bytes) = limits;
    by_type!(arcs, decode_typed, py, &arguments, grid, Limits { dp_calls, nodes, bytes })
}

fn decode_typed<'py, T: Number>(
    arcs: PyReadonlyArray3<'py, T>,
    py: Python<'py>,
    arguments: &Arguments<'py>,
    step: Option<f64>,
    limits: Limits,
) -> PyResult<Bound<'py, PyDict>> {
    let held = Held::new(arguments)?;
    let batch = held.batch(&arcs, arguments)?;
    let mut heads = Array2::from_elem((batch.len(), batch.cells), -1i64);
    let rows: Vec<&mut [i64]> = heads.as_slice_mut().unwrap_or_default().chunks_exact_mut(batch.cells).collect();
    let answers = threads::each(py, arguments.threads, rows, |b, heads, workspace| {
        if batch.is_dense() {
            workspace.dense.decode(&batch, b, step, heads)
        } else {
            workspace.graphs.decode(&batch, b, limits, step, heads)
        }
    })?;
    let result = PyDict::new(py);
    result.set_item("heads", heads.into_pyarray(py))?;
    result.set_item("score", own_numbers::<T>(py, answers.iter().map(|a| (Extended::score(a.score), a.step))))?;
    result.set_item("bound", own_numbers::<T>(py, answers.iter().map(|a| (Extended::bound(a), a.step))))?;
    result.set_item("status", Array1::from_iter(answers.iter().map(|a| answer::code(a.status))).into_pyarray(py))?;
    result.set_item("calls", Array1::from_iter(answers.iter().map(|a| a.calls as i64)).into_pyarray(py))?;
    result.set_item("nodes", Array1::from_iter(answers.iter().map(|a| a.nodes as i64)).into_pyarray(py))?;
    result.set_item("step", Array1::from_iter(answers.iter().map(|a| a.step)).into_pyarray(py))?;
    result.set_item("error", Array1::from_iter(answers.iter().map(|a| a.error)).into_pyarray(py))?;
    Ok(result)
}

/// The best trees in order.
#[pyfunction]
fn kbest<'py>(
    py: Python<'py>,
    arcs: &Bound<'py, PyAny>,
    arguments: Arguments<'py>,
    k: usize,
    grid: Option<f64>,
    limits: (Option<u64>, Option<u64>, Option<u64>),
) -> PyResult<Bound<'py, PyDict>> {
    let (dp_calls, nodes, bytes) = limits;
    by_type!(arcs, kbest_typed, py, &arguments, k, grid, Limits { dp_calls, nodes, bytes })
}

fn kbest_typed<'py, T: Number>(
    arcs: PyReadonlyArray3<'py, T>,
    py: Python<'py>,
    arguments: &Arguments<'py>,
    k: usize,
    step: Option<f64>,
    limits: Limits,
) -> PyResult<Bound<'py, PyDict>> {
    let held = Held::new(arguments)?;
    let batch = held.batch(&arcs, arguments)?;
    let mut heads = Array3::from_elem((batch.len(), k, batch.cells), -1i64);
    let rows: Vec<&mut [i64]> = heads.as_slice_mut().unwrap_or_default().chunks_exact_mut(k * batch.cells).collect();
    let answers = threads::each(py, arguments.threads, rows, |b, heads, workspace| {
        let ranking = workspace.graphs.best_trees(&batch, b, k, limits, step)?;
        for ((tree, _), row) in ranking.trees.iter().zip(heads.chunks_exact_mut(batch.cells)) {
            graph::write_heads(tree, row);
        }
        Ok(ranking)
    })?;
    let result = PyDict::new(py);
    let of_rank = |rank: usize| {
        let score = move |ranking: &graph::Ranking| ranking.trees.get(rank).map(|(_, score)| *score);
        answers.iter().map(move |ranking| (Extended::score(score(ranking)), ranking.step))
    };
    let scores: Vec<_> = (0..k).map(|rank| own_numbers::<T>(py, of_rank(rank))).collect();
    result.set_item("heads", heads.into_pyarray(py))?;
    result.set_item("score", scores)?;
    result.set_item("count", Array1::from_iter(answers.iter().map(|a| a.trees.len() as i64)).into_pyarray(py))?;
    result.set_item("status", Array1::from_iter(answers.iter().map(|a| answer::code(a.status))).into_pyarray(py))?;
    result.set_item("step", Array1::from_iter(answers.iter().map(|a| a.step)).into_pyarray(py))?;
    result.set_item("error", Array1::from_iter(answers.iter().map(|a| a.error)).into_pyarray(py))?;
    Ok(result)
}

/// Probabilities of arcs and the logarithm of the sum over trees.
#[pyfunction]
fn marginals<'py>(
    py: Python<'py>,
    arcs: &Bound<'py, PyAny>,
    arguments: Arguments<'py>,
    scale: f64,
) -> PyResult<Bound<'py, PyDict>> {
    by_type!(arcs, marginals_typed, py, &arguments, scale)
}

fn marginals_typed<'py, T: Number>(
    arcs: PyReadonlyArray3<'py, T>,
    py: Python<'py>,
    arguments: &Arguments<'py>,
    scale: f64,
) -> PyResult<Bound<'py, PyDict>> {
    let held = Held::new(arguments)?;
    let batch = held.batch(&arcs, arguments)?;
    let cells = batch.cells;
    let mut marginals = Array3::from_elem((batch.len(), cells, cells), 0.0f64);
    let rows: Vec<&mut [f64]> = marginals.as_slice_mut().unwrap_or_default().chunks_exact_mut(cells * cells).collect();
    let sums = threads::each(py, arguments.threads, rows, |b, marginals, workspace| {
        if batch.is_first_order() {
            workspace.dense.marginals(&batch, b, scale, marginals)
        } else {
            workspace.graphs.marginals(&batch, b, scale, marginals)
        }
    })?;
    let result = PyDict::new(py);
    result.set_item("arcs", marginals.into_pyarray(py))?;
    let log_z = sums.into_iter().map(|log_z| log_z.unwrap_or(f64::NEG_INFINITY));
    result.set_item("log_z", Array1::from_iter(log_z).into_pyarray(py))?;
    Ok(result)
}

/// Entropies; NaN where there is no tree.
#[pyfunction]
fn entropy<'py>(
    py: Python<'py>,
    arcs: &Bound<'py, PyAny>,
    arguments: Arguments<'py>,
    scale: f64,
) -> PyResult<Bound<'py, PyAny>> {
    by_type!(arcs, entropy_typed, py, &arguments, scale)
}

fn entropy_typed<'py, T: Number>(
    arcs: PyReadonlyArray3<'py, T>,
    py: Python<'py>,
    arguments: &Arguments<'py>,
    scale: f64,
) -> PyResult<Bound<'py, PyAny>> {
    let held = Held::new(arguments)?;
    let batch = held.batch(&arcs, arguments)?;
    let entropies = threads::each(py, arguments.threads, vec![(); batch.len()], |b, (), workspace| {
        if batch.is_first_order() {
            workspace.dense.entropy(&batch, b, scale)
        } else {
            workspace.graphs.entropy(&batch, b, scale)
        }
    })?;
    let entropies = entropies.into_iter().map(|entropy| entropy.unwrap_or(f64::NAN));
    Ok(Array1::from_iter(entropies).into_pyarray(py).into_any())
}

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("STATUSES", STATUSES.map(|status| status.name()).to_vec())?;
    module.add_function(wrap_pyfunction!(decode, module)?)?;
    module.add_function(wrap_pyfunction!(kbest, module)?)?;
    module.add_function(wrap_pyfunction!(marginals, module)?)?;
    module.add_function(wrap_pyfunction!(entropy, module)?)
}
