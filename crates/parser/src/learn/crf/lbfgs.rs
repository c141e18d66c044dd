//! L-BFGS (Nocedal 1980; Nocedal & Wright 2006, algorithms 7.4, 3.5 and 3.6) in a space with an inner product of its own.
//!
//! A point is a vector of coefficients x, and ⟨a, b⟩ = aᵀ K b. With K the identity this is the usual method; with the
//! kernel of contexts it runs in the space of features, though no vector of that space is ever made.
//!
//! The two loops need nothing but inner products (Chen, Wang & Zhou 2014): they run over coefficients of the basis
//! s₁ … s_m, y₁ … y_m, g, and only then is the direction summed up. A product ⟨sᵢ, yⱼ⟩ is used where i is no newer than j, so
//! each is found once, from K yⱼ, when the change of gradient yⱼ is new. The history is kept in `f32`; all sums are of `f64`,
//! over chunks of a fixed length in order: the same for any number of threads.

use std::collections::VecDeque;

use rayon::prelude::*;
use thiserror::Error;

/// Numbers that are summed on their own before the sums are.
const CHUNK: usize = 1 << 15;

/// The decrease that a step must bring, as a share of what the slope promises (Nocedal & Wright: c₁).
const DECREASE: f64 = 1e-4;

/// The share of the slope that may be left after a step (Nocedal & Wright: c₂).
const CURVATURE: f64 = 0.9;

/// Points that one line search may look at.
const MOST_POINTS: usize = 30;

/// A differentiable function on a space of coefficients.
pub trait Objective {
    /// Coefficients of a point.
    fn dimensions(&self) -> usize;

    /// The value at `x`; the gradient goes into `gradient`, as coefficients. `scratch` is memory of the same length, to be
    /// used for anything.
    fn value(&mut self, x: &[f64], gradient: &mut [f64], scratch: &mut [f64]) -> f64;

    /// The metric: K `x`.
    fn metric(&self, x: &[f64], out: &mut [f64]);
}

/// How long and how closely is sought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Steps whose changes are remembered.
    pub history: usize,
    /// Steps at most.
    pub iterations: usize,
    /// The descent is over when the norm of the gradient has fallen to this share of what it was at first.
    pub tolerance: f64,
}

/// Where a step led.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Step {
    /// The value.
    pub value: f64,
    /// The norm of the gradient.
    pub gradient_norm: f64,
    /// The length of the step, as a multiple of the direction that was tried first.
    pub length: f64,
    /// Points that the line search looked at.
    pub points: usize,
}

/// Why a descent ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The gradient has become as small as it should.
    Small,
    /// The steps ran out before.
    OutOfSteps,
    /// No lower point was found before.
    NoLowerPoint,
}

/// Why no minimum was found.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum Failure {
    /// The value is no number.
    #[error("the objective is {0}")]
    NotANumber(f64),
}

/// Changes of point and gradient, and their products.
#[derive(Debug, Default)]
struct History {
    /// By pair, the oldest first.
    pairs: VecDeque<Pair>,
}

#[derive(Debug)]
struct Pair {
    /// Change of the point.
    s: Vec<f32>,
    /// Change of the gradient.
    y: Vec<f32>,
    /// ⟨y, y⟩ with this pair and each older one, the newest first.
    yy: Vec<f64>,
    /// ⟨s, y⟩ of the same pairs' s with this y.
    sy: Vec<f64>,
    /// ⟨s, g⟩ and ⟨y, g⟩ with the newest gradient.
    sg: f64,
    yg: f64,
}

impl History {
    /// Adds a pair, if its curvature is positive. `ky` is K y; memory of pairs that are forgotten is used again.
    fn push(&mut self, most: usize, s: impl Fn(usize) -> f64 + Sync, y: &[f64], ky: &[f64]) {
        let mut pair = if self.pairs.len() == most { self.pairs.pop_front() } else { None }.unwrap_or(Pair {
            s: vec![0.0; y.len()],
            y: vec![0.0; y.len()],
            yy: Vec::new(),
            sy: Vec::new(),
            sg: 0.0,
            yg: 0.0,
        });
        pair.s.par_iter_mut().enumerate().for_each(|(i, to)| *to = s(i) as f32);
        pair.y.par_iter_mut().zip(y).for_each(|(to, &from)| *to = from as f32);
        (pair.yy, pair.sy) = (Vec::new(), Vec::new());
        self.pairs.push_back(pair);
        let products: Vec<[f64; 2]> = self.pairs.iter().rev().map(|pair| dots([&pair.s, &pair.y], ky)).collect();
        let Some(newest) = self.pairs.back_mut() else { return };
        newest.sy = products.iter().map(|p| p[0]).collect();
        newest.yy = products.iter().map(|p| p[1]).collect();
        if newest.sy[0].is_nan() || newest.sy[0] <= 0.0 {
            self.pairs.pop_back();
        }
    }

    /// Finds the products with a gradient g, of which `kg` is K g.
    fn meet(&mut self, kg: &[f64]) {
        for pair in &mut self.pairs {
            [pair.sg, pair.yg] = dots([&pair.s, &pair.y], kg);
        }
    }

    /// The coefficients of the direction: of g, of each s and of each y.
    ///
    /// ```text
    /// q = g;      newest to oldest:  aᵢ = ⟨sᵢ, q⟩ / ⟨sᵢ, yᵢ⟩,   q -= aᵢ yᵢ
    /// r = γ q;    oldest to newest:  b  = ⟨yᵢ, r⟩ / ⟨sᵢ, yᵢ⟩,   r += (aᵢ - b) sᵢ
    /// ```
    fn direction(&self) -> (f64, Vec<[f64; 2]>) {
        let m = self.pairs.len();
        // `of_s[i]` and `of_y[i]`: what q or r has of sᵢ and yᵢ.
        let (mut of_s, mut of_y) = (vec![0.0; m], vec![0.0; m]);
        let sy = |i: usize, j: usize| self.pairs[j].sy[j - i];
        let yy = |i: usize, j: usize| if i <= j { self.pairs[j].yy[j - i] } else { self.pairs[i].yy[i - j] };
        let mut a = vec![0.0; m];
        for i in (0..m).rev() {
            let newer = (i + 1..m).map(|j| of_y[j] * sy(i, j)).sum::<f64>();
            a[i] = (self.pairs[i].sg + newer) / sy(i, i);
            of_y[i] = -a[i];
        }
        let gamma = self.pairs.back().map_or(1.0, |newest| newest.sy[0] / newest.yy[0]);
        of_y.iter_mut().for_each(|y| *y *= gamma);
        for i in 0..m {
            let ys = (0..m).map(|j| of_y[j] * yy(i, j)).sum::<f64>();
            let older = (0..i).map(|j| of_s[j] * sy(j, i)).sum::<f64>();
            let b = (gamma * self.pairs[i].yg + ys + older) / sy(i, i);
            of_s[i] = a[i] - b;
        }
        (-gamma, of_s.into_iter().zip(of_y).map(|(s, y)| [-s, -y]).collect())
    }

    /// Sums up a direction.
    fn sum(&self, of_g: f64, of_pairs: &[[f64; 2]], g: &[f64], out: &mut [f64]) {
        out.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, out)| {
            let at = chunk * CHUNK..chunk * CHUNK + out.len();
            out.iter_mut().zip(&g[at.clone()]).for_each(|(out, g)| *out = of_g * g);
            for (pair, &[of_s, of_y]) in self.pairs.iter().zip(of_pairs) {
                for ((out, &s), &y) in out.iter_mut().zip(&pair.s[at.clone()]).zip(&pair.y[at.clone()]) {
                    *out += of_s * f64::from(s) + of_y * f64::from(y);
                }
            }
        });
    }
}

/// The products of vectors with `b`.
pub(super) fn dots<const N: usize, T: Copy + Into<f64> + Sync>(of: [&[T]; N], b: &[f64]) -> [f64; N] {
    /// Sums that run side by side.
    const LANES: usize = 8;
    let sums: Vec<[f64; N]> = b
        .par_chunks(CHUNK)
        .enumerate()
        .map(|(chunk, b)| {
            of.map(|a| {
                let a = &a[chunk * CHUNK..][..b.len()];
                let mut lanes = [0.0; LANES];
                for (a, b) in a.chunks(LANES).zip(b.chunks(LANES)) {
                    for ((lane, &a), &b) in lanes.iter_mut().zip(a).zip(b) {
                        *lane += a.into() * b;
                    }
                }
                lanes.iter().sum::<f64>()
            })
        })
        .collect();
    std::array::from_fn(|i| sums.iter().map(|sums| sums[i]).sum())
}

/// A point on the line of a search.
#[derive(Clone, Copy, Debug)]
struct OnLine {
    at: f64,
    value: f64,
    slope: f64,
}

impl OnLine {
    /// The minimum of the cubic through two points with these slopes, if it has one.
    fn cubic_minimum(self, other: Self) -> Option<f64> {
        let width = other.at - self.at;
        let d = self.slope + other.slope - 3.0 * (other.value - self.value) / width;
        let root = (d * d - self.slope * other.slope).sqrt().copysign(width);
        let minimum = other.at - width * (other.slope + root - d) / (other.slope - self.slope + 2.0 * root);
        minimum.is_finite().then_some(minimum)
    }
}

/// The line that is searched, with the newest point on it.
struct Line<'a, O> {
    objective: &'a mut O,
    start: &'a [f64],
    direction: &'a [f64],
    /// The point looked at last, its gradient, and K times that.
    x: &'a mut Vec<f64>,
    gradient: &'a mut Vec<f64>,
    metric: &'a mut Vec<f64>,
    points: usize,
}

impl<O: Objective> Line<'_, O> {
    fn look(&mut self, at: f64) -> OnLine {
        self.points += 1;
        let Self { start, direction, .. } = *self;
        self.x.par_iter_mut().zip(start).zip(direction).for_each(|((x, start), d)| *x = start + at * d);
        let value = self.objective.value(self.x, self.gradient, self.metric);
        self.objective.metric(self.gradient, self.metric);
        let [slope] = dots([direction], self.metric);
        OnLine { at, value, slope }
    }

    /// A point by the strong Wolfe conditions, or the lowest that was met when points ran out; none if none is lower.
    /// The point is the one looked at last.
    fn search(&mut self, from: OnLine, first: f64) -> Option<OnLine> {
        let enough = |point: OnLine| point.value <= from.value + DECREASE * point.at * from.slope;
        let flat = |point: OnLine| point.slope.abs() <= -CURVATURE * from.slope;
        let (mut low, mut high) = (from, None);
        let mut at = first;
        while self.points < MOST_POINTS {
            let point = self.look(at);
            let is_lower = point.value.is_finite() && enough(point) && point.value < low.value;
            if is_lower && flat(point) {
                return Some(point);
            }
            if !is_lower {
                high = Some(point);
            } else {
                // The minimum lies where the slope falls from the lower point.
                let turned = point.slope >= 0.0;
                high = match high {
                    None if !turned => None,
                    None => Some(low),
                    Some(_) if point.slope * (at - low.at) >= 0.0 => Some(low),
                    high => high,
                };
                low = point;
            }
            at = match high {
                None => 2.0 * at,
                Some(high) => {
                    let (width, middle) = (high.at - low.at, (low.at + high.at) / 2.0);
                    if width.abs() <= f64::EPSILON * low.at.abs().max(first) {
                        break;
                    }
                    let inside = |at: &f64| (at - middle).abs() <= 0.4 * width.abs();
                    let cubic = if high.value.is_finite() { low.cubic_minimum(high) } else { None };
                    cubic.filter(inside).unwrap_or(middle)
                }
            };
        }
        if low.at == 0.0 {
            return None;
        }
        // Its gradient was not kept.
        Some(self.look(low.at))
    }
}

/// Steps down from `x` until the gradient is small, the steps run out or no lower point is found, and says which it was;
/// `log` is told of each step.
///
/// # Errors
/// See [`Failure`].
pub fn minimise<O: Objective>(
    objective: &mut O,
    x: &mut Vec<f64>,
    settings: Settings,
    mut log: impl FnMut(Step),
) -> Result<End, Failure> {
    let zeros = || vec![0.0; objective.dimensions()];
    let (mut gradient, mut direction, mut next_x, mut next_gradient) = (zeros(), zeros(), zeros(), zeros());
    // K times the gradient, or the newest one that was looked at.
    let mut metric = zeros();
    let mut history = History::default();
    let mut value = objective.value(x, &mut gradient, &mut metric);
    if !value.is_finite() {
        return Err(Failure::NotANumber(value));
    }
    objective.metric(&gradient, &mut metric);
    let norm = |gradient: &[f64], metric: &[f64]| dots([gradient], metric)[0].max(0.0).sqrt();
    let at_first = norm(&gradient, &metric);
    let mut gradient_norm = at_first;
    let is_small = |gradient_norm: f64| gradient_norm <= settings.tolerance * at_first;
    for _ in 0..settings.iterations {
        if is_small(gradient_norm) {
            break;
        }
        history.meet(&metric);
        let (of_g, of_pairs) = history.direction();
        history.sum(of_g, &of_pairs, &gradient, &mut direction);
        let [slope] = dots([&direction[..]], &metric);
        // Without a history nothing is known of the scale; the first step is one of length 1.
        let first = if history.pairs.is_empty() { 1.0 / gradient_norm } else { 1.0 };
        let mut line = Line {
            objective,
            start: x,
            direction: &direction,
            x: &mut next_x,
            gradient: &mut next_gradient,
            metric: &mut metric,
            points: 0,
        };
        let found = line.search(OnLine { at: 0.0, value, slope }, first);
        let points = line.points;
        let Some(found) = found else {
            if history.pairs.is_empty() {
                return Ok(End::NoLowerPoint);
            }
            // A direction that leads nowhere comes from a history that is no longer true.
            history.pairs.clear();
            objective.metric(&gradient, &mut metric);
            continue;
        };
        value = found.value;
        std::mem::swap(x, &mut next_x);
        std::mem::swap(&mut gradient, &mut next_gradient);
        // What was before becomes what changed. K times the gradient before was not kept: the point before makes room for it.
        let (old_gradient, old_metric) = (&mut next_gradient, &mut next_x);
        objective.metric(old_gradient, old_metric);
        let changed = |old: &mut [f64], new: &[f64]| {
            old.par_iter_mut().zip(new).for_each(|(old, new)| *old = new - *old);
        };
        changed(old_gradient, &gradient);
        changed(old_metric, &metric);
        history.push(settings.history, |i| found.at * direction[i], old_gradient, old_metric);
        gradient_norm = norm(&gradient, &metric);
        log(Step { value, gradient_norm, length: found.at, points });
    }
    Ok(if is_small(gradient_norm) { End::Small } else { End::OutOfSteps })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rosenbrock's function in many dimensions, in a space stretched by `metric`: coefficients a stand for the point √K a.
    struct Valley {
        roots: Vec<f64>,
        looks: usize,
    }

    impl Objective for Valley {
        fn dimensions(&self) -> usize {
            self.roots.len()
        }

        fn value(&mut self, a: &[f64], gradient: &mut [f64], _: &mut [f64]) -> f64 {
            self.looks += 1;
            let x: Vec<f64> = a.iter().zip(&self.roots).map(|(a, root)| a * root).collect();
            let mut value = 0.0;
            gradient.fill(0.0);
            for i in (0..x.len()).step_by(2) {
                let (bend, rest) = (x[i + 1] - x[i] * x[i], 1.0 - x[i]);
                value += 100.0 * bend * bend + rest * rest;
                gradient[i] = -400.0 * bend * x[i] - 2.0 * rest;
                gradient[i + 1] = 200.0 * bend;
            }
            gradient.iter_mut().zip(&self.roots).for_each(|(g, root)| *g /= root);
            value
        }

        fn metric(&self, a: &[f64], out: &mut [f64]) {
            out.iter_mut().zip(a).zip(&self.roots).for_each(|((out, a), root)| *out = a * root * root);
        }
    }

    const SETTINGS: Settings = Settings { history: 7, iterations: 500, tolerance: 1e-9 };

    fn descend(roots: Vec<f64>) -> (Vec<f64>, Vec<Step>, usize) {
        let mut valley = Valley { looks: 0, roots };
        let mut x: Vec<f64> =
            (0..valley.dimensions()).map(|i| if i % 2 == 0 { -1.2 } else { 1.0 } / valley.roots[i]).collect();
        let mut steps = Vec::new();
        let end = minimise(&mut valley, &mut x, SETTINGS, |step| steps.push(step));
        assert_eq!(end, Ok(End::Small));
        let x = x.iter().zip(&valley.roots).map(|(x, root)| x * root).collect();
        (x, steps, valley.looks)
    }

    #[test]
    fn the_floor_of_a_bent_valley_is_found() {
        for len in [2, 10, 100_000] {
            let (x, steps, looks) = descend(vec![1.0; len]);
            assert!(x.iter().all(|x| (x - 1.0).abs() < 1e-6), "{len}: {:?}", steps.last());
            assert!(steps.windows(2).all(|pair| pair[1].value < pair[0].value), "each step goes down");
            assert!(looks < 100, "{len}: {looks}");
        }
    }

    /// The same path, whatever coefficients the points are written in.
    #[test]
    fn a_metric_changes_the_writing_and_not_the_path() {
        let (plain, steps, _) = descend(vec![1.0; 6]);
        let (stretched, stretched_steps, _) = descend(vec![4.0, 0.5, 1.0, 2.0, 0.125, 8.0]);
        assert_eq!(steps, stretched_steps, "powers of two round nothing");
        assert_eq!(plain, stretched);
    }

    /// A quadratic with as many curvatures as steps are remembered: at the same place as the solution of its equations.
    #[test]
    fn a_quadratic_is_solved() {
        struct Bowl(Vec<f64>);
        impl Objective for Bowl {
            fn dimensions(&self) -> usize {
                self.0.len()
            }
            fn value(&mut self, x: &[f64], gradient: &mut [f64], _: &mut [f64]) -> f64 {
                for ((g, x), c) in gradient.iter_mut().zip(x).zip(&self.0) {
                    *g = c * x - 1.0;
                }
                x.iter().zip(&self.0).map(|(x, c)| 0.5 * c * x * x - x).sum()
            }
            fn metric(&self, x: &[f64], out: &mut [f64]) {
                out.copy_from_slice(x);
            }
        }
        let mut bowl = Bowl((0..50).map(|i| 1.5f64.powi(i % 12)).collect());
        let mut x = vec![0.0; 50];
        minimise(&mut bowl, &mut x, Settings { tolerance: 1e-10, ..SETTINGS }, |_| {}).expect("numbers");
        for (x, c) in x.iter().zip(&bowl.0) {
            assert!((x * c - 1.0).abs() < 1e-6, "{x} {c}");
        }
    }

    #[test]
    fn the_bytes_are_those_of_any_number_of_threads() {
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| descend(vec![1.0; 200_000]))
        };
        let (one, steps, _) = with(1);
        for threads in [2, 7] {
            let (other, other_steps, _) = with(threads);
            assert!(one.iter().zip(&other).all(|(a, b)| a.to_bits() == b.to_bits()) && steps == other_steps);
        }
    }

    #[test]
    fn it_is_said_why_it_ended() {
        let ended = |iterations: usize, tolerance: f64| {
            let (mut valley, mut x) = (Valley { looks: 0, roots: vec![1.0; 2] }, vec![-1.2, 1.0]);
            minimise(&mut valley, &mut x, Settings { iterations, tolerance, ..SETTINGS }, |_| {})
        };
        assert_eq!(ended(500, 1e-9), Ok(End::Small));
        assert_eq!(ended(3, 1e-9), Ok(End::OutOfSteps));
        assert_eq!(ended(0, 1.0), Ok(End::Small));
        // No step is as short as the last digits of the minimum.
        struct Notch;
        impl Objective for Notch {
            fn dimensions(&self) -> usize {
                1
            }
            fn value(&mut self, x: &[f64], gradient: &mut [f64], _: &mut [f64]) -> f64 {
                gradient[0] = 1.0;
                x[0].abs()
            }
            fn metric(&self, x: &[f64], out: &mut [f64]) {
                out.copy_from_slice(x);
            }
        }
        assert_eq!(minimise(&mut Notch, &mut vec![0.0], SETTINGS, |_| {}), Ok(End::NoLowerPoint));
    }

    #[test]
    fn what_is_no_number_is_a_failure() {
        struct Nowhere;
        impl Objective for Nowhere {
            fn dimensions(&self) -> usize {
                1
            }
            fn value(&mut self, _: &[f64], gradient: &mut [f64], _: &mut [f64]) -> f64 {
                gradient[0] = 1.0;
                f64::NAN
            }
            fn metric(&self, x: &[f64], out: &mut [f64]) {
                out.copy_from_slice(x);
            }
        }
        let found = minimise(&mut Nowhere, &mut vec![0.0], SETTINGS, |_| {});
        assert!(matches!(found, Err(Failure::NotANumber(_))));
    }
}
