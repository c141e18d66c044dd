//! L-BFGS against another program and another method (SLSQP of NLopt, as the crate `slsqp`), and its steps against the
//! conditions that its line search promises.

use std::cell::RefCell;

use crate::common::Draw;
use treebound::learn::crf::lbfgs::{End, Objective, Settings, minimise};

/// A function to be minimised, by its value and gradient at a point.
type Function = Box<dyn Fn(&[f64], &mut [f64]) -> f64>;

/// A function, and where to start.
struct Problem {
    name: String,
    of: Function,
    start: Vec<f64>,
}

/// What a function is at a point that was looked at.
#[derive(Clone, Debug)]
struct Look {
    at: Vec<f64>,
    value: f64,
    gradient: Vec<f64>,
}

/// A problem of which all looks are kept.
struct Watched<'a> {
    problem: &'a Problem,
    looks: &'a RefCell<Vec<Look>>,
}

impl Objective for Watched<'_> {
    fn dimensions(&self) -> usize {
        self.problem.start.len()
    }

    fn value(&mut self, x: &[f64], gradient: &mut [f64], _: &mut [f64]) -> f64 {
        let value = (self.problem.of)(x, gradient);
        self.looks.borrow_mut().push(Look { at: x.to_vec(), value, gradient: gradient.to_vec() });
        value
    }

    fn metric(&self, x: &[f64], out: &mut [f64]) {
        out.copy_from_slice(x);
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Numbers from -1 to 1.
fn numbers(draw: &mut Draw, many: usize) -> Vec<f64> {
    (0..many).map(|_| draw.below(2001) as f64 / 1000.0 - 1.0).collect()
}

/// Rosenbrock's function, where each coordinate is tied to the next.
fn rosenbrock(dimensions: usize) -> Problem {
    let of = |x: &[f64], gradient: &mut [f64]| {
        gradient.fill(0.0);
        (1..x.len())
            .map(|i| {
                let (bend, rest) = (x[i] - x[i - 1] * x[i - 1], 1.0 - x[i - 1]);
                gradient[i - 1] -= 400.0 * bend * x[i - 1] + 2.0 * rest;
                gradient[i] += 200.0 * bend;
                100.0 * bend * bend + rest * rest
            })
            .sum()
    };
    let start = (0..dimensions).map(|i| if i % 2 == 0 { 0.3 } else { 1.4 }).collect();
    Problem { name: format!("Rosenbrock's function of {dimensions}"), of: Box::new(of), start }
}

/// A quadratic whose curvatures lie 10^4 apart, along axes that are no coordinates.
fn quadratic(dimensions: usize) -> Problem {
    let mut draw = Draw::new(5);
    let (normal, pull) = (numbers(&mut draw, dimensions), numbers(&mut draw, dimensions));
    let curvature = move |i: usize| 1e4f64.powf(i as f64 / (dimensions - 1) as f64);
    let mirrored = move |x: &[f64]| -> Vec<f64> {
        let by = 2.0 * dot(&normal, x) / dot(&normal, &normal);
        x.iter().zip(&normal).map(|(x, n)| x - by * n).collect()
    };
    let of = move |x: &[f64], gradient: &mut [f64]| {
        let y = mirrored(x);
        let bent: Vec<f64> = y.iter().enumerate().map(|(i, y)| curvature(i) * y).collect();
        gradient.iter_mut().zip(mirrored(&bent)).zip(&pull).for_each(|((g, bent), pull)| *g = bent - pull);
        0.5 * dot(&y, &bent) - dot(x, &pull)
    };
    Problem { name: "a quadratic".to_owned(), of: Box::new(of), start: vec![0.0; dimensions] }
}

/// What a CRF minimises, over a few choices: the sum of log Z less the score of the right one, and a penalty.
fn choices(dimensions: usize) -> Problem {
    let mut draw = Draw::new(9);
    let seen: Vec<Vec<Vec<f64>>> = (0..20).map(|_| (0..4).map(|_| numbers(&mut draw, dimensions)).collect()).collect();
    let of = move |x: &[f64], gradient: &mut [f64]| {
        gradient.iter_mut().zip(x).for_each(|(g, x)| *g = x / 50.0);
        let losses = seen.iter().map(|choice| {
            let scores: Vec<f64> = choice.iter().map(|features| 3.0 * dot(features, x)).collect();
            let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let z: f64 = scores.iter().map(|score| (score - most).exp()).sum();
            for (i, (features, score)) in choice.iter().zip(&scores).enumerate() {
                let expected = (score - most).exp() / z - f64::from(u8::from(i == 0));
                gradient.iter_mut().zip(features).for_each(|(g, f)| *g += 3.0 * expected * f);
            }
            most + z.ln() - scores[0]
        });
        losses.sum::<f64>() + dot(x, x) / 100.0
    };
    Problem { name: "choices".to_owned(), of: Box::new(of), start: vec![0.0; dimensions] }
}

fn problems() -> Vec<Problem> {
    vec![rosenbrock(2), rosenbrock(5), rosenbrock(12), quadratic(12), choices(8)]
}

/// Goes down; all looks, and of each step the place of the look that it accepted.
fn descend(problem: &Problem, tolerance: f64, ends: &[End]) -> (Vec<f64>, Vec<Look>, Vec<usize>) {
    let (looks, mut steps, mut x) = (RefCell::new(Vec::new()), Vec::new(), problem.start.clone());
    let settings = Settings { history: 8, iterations: 5000, tolerance };
    let end = minimise(&mut Watched { problem, looks: &looks }, &mut x, settings, |step| {
        let last = looks.borrow().len() - 1;
        assert_eq!(step.value, looks.borrow()[last].value, "a step ends where the search looked last");
        steps.push(last);
    });
    assert!(ends.contains(&end.expect("numbers")), "{}: {end:?}", problem.name);
    (x, looks.into_inner(), steps)
}

#[test]
fn minima_are_those_of_another_program() {
    for problem in problems() {
        // Or to where values differ no longer.
        let (x, looks, _) = descend(&problem, 1e-9, &[End::Small, End::NoLowerPoint]);
        let value = looks.last().expect("a look").value;
        let of = |x: &[f64], gradient: Option<&mut [f64]>, _: &mut ()| match gradient {
            Some(gradient) => (problem.of)(x, gradient),
            None => (problem.of)(x, &mut vec![0.0; x.len()]),
        };
        let none: &[&dyn slsqp::Func<()>] = &[];
        let bounds = vec![(-1e4, 1e4); x.len()];
        let closely = slsqp::StopTols { xtol_rel: 1e-12, ..slsqp::StopTols::default() };
        // It ends well, or where rounding lets it go no further.
        let (Ok((_, other, least)) | Err((_, other, least))) =
            slsqp::minimize(of, &problem.start, &bounds, none, (), 20_000, Some(closely));
        let name = &problem.name;
        assert!((value - least).abs() <= 1e-8 * least.abs().max(1.0), "{name}: {value} {least}");
        for (x, other) in x.iter().zip(&other) {
            assert!((x - other).abs() <= 1e-6 * other.abs().max(1.0), "{name}: {x} {other}");
        }
    }
}

/// The strong Wolfe conditions, with c1 = 1e-4 and c2 = 0.9, along the line of each step.
#[test]
fn steps_meet_the_conditions_of_wolfe() {
    let mut searched = 0;
    for problem in problems() {
        let (_, looks, steps) = descend(&problem, 1e-5, &[End::Small]);
        let name = &problem.name;
        assert!(steps.len() > 3, "{name}: {} steps", steps.len());
        for (from, to) in [0].iter().chain(&steps).zip(&steps) {
            searched += usize::from(to - from > 1);
            let (from, to) = (&looks[*from], &looks[*to]);
            let step: Vec<f64> = to.at.iter().zip(&from.at).map(|(to, from)| to - from).collect();
            let (before, after) = (dot(&from.gradient, &step), dot(&to.gradient, &step));
            // Room for the last digits of sums.
            let room = 1e-12 * from.value.abs().max(1.0);
            assert!(before < 0.0, "{name}: a step goes down");
            assert!(to.value <= from.value + 1e-4 * before + room, "{name}: {from:?} {to:?}");
            assert!(after.abs() <= -0.9 * before + room, "{name}: {before} {after}");
        }
    }
    assert!(searched > 10, "{searched} searches looked at several points");
}
