//! Student's t distribution.

/// Terms of the continued fraction; it converges in far fewer.
const TERMS: u32 = 10_000;

/// The probability that a t of so many degrees of freedom (above 0, not necessarily whole) lies at least as far from 0, in either
/// direction.
///
/// It is the regularised incomplete beta function I(degrees / (degrees + t^2); degrees / 2, 1 / 2).
pub fn two_sided(t: f64, degrees: f64) -> f64 {
    let square = t * t;
    if square == 0.0 {
        return 1.0;
    }
    if square.is_infinite() {
        return 0.0;
    }
    // Both shares are computed from what is small, so that neither loses digits.
    let (near, far) = (degrees / (degrees + square), square / (degrees + square));
    let (a, b) = (degrees / 2.0, 0.5);
    let front =
        libm::exp(libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b) + a * libm::log(near) + b * libm::log(far));
    // The fraction converges fast on one side of the mean; the other is the rest.
    let share = if near < (a + 1.0) / (a + b + 2.0) {
        front * fraction(near, a, b) / a
    } else {
        1.0 - front * fraction(far, b, a) / b
    };
    share.clamp(0.0, 1.0)
}

/// The t beyond which, in either direction, `p` (above 0, below 1) of the distribution lies: the inverse of [`two_sided`]. Infinite
/// where it is beyond all bounds.
pub fn beyond(p: f64, degrees: f64) -> f64 {
    let mut ends = (0.0, 1.0);
    while two_sided(ends.1, degrees) > p {
        ends = (ends.1, 2.0 * ends.1);
        if ends.1 > 1e150 {
            return f64::INFINITY;
        }
    }
    // Half a unit in the last place is reached in fewer steps.
    for _ in 0..200 {
        let middle = 0.5 * (ends.0 + ends.1);
        if two_sided(middle, degrees) > p {
            ends.0 = middle;
        } else {
            ends.1 = middle;
        }
    }
    ends.1
}

/// The continued fraction of the incomplete beta function, by the modified method of Lentz (Press et al., Numerical Recipes,
/// section 6.4).
fn fraction(x: f64, a: f64, b: f64) -> f64 {
    let away = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / away(1.0 - (a + b) * x / (a + 1.0));
    let mut value = d;
    for m in 1..TERMS {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut last = 1.0;
        for term in [even, odd] {
            d = 1.0 / away(1.0 + term * d);
            c = away(1.0 + term / c);
            last = c * d;
            value *= last;
        }
        if (last - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_degrees_have_closed_forms() {
        for t in [0.01, 0.3, 1.0, 2.5, 12.0, 400.0_f64] {
            // One degree is Cauchy's distribution.
            let cauchy = 1.0 - 2.0 / std::f64::consts::PI * t.atan();
            let two = 1.0 - t / (2.0 + t * t).sqrt();
            assert!((two_sided(t, 1.0) - cauchy).abs() < 1e-12, "{t}");
            assert!((two_sided(-t, 2.0) - two).abs() < 1e-12, "{t}");
        }
    }

    #[test]
    fn as_in_printed_tables() {
        // Points beyond which 5 and 1 % lie, to three decimals.
        for (degrees, five, one) in
            [(1.0, 12.706, 63.657), (4.0, 2.776, 4.604), (30.0, 2.042, 2.750), (1e7, 1.960, 2.576)]
        {
            assert!((two_sided(five, degrees) - 0.05).abs() < 5e-5, "{degrees}");
            assert!((two_sided(one, degrees) - 0.01).abs() < 2e-5, "{degrees}");
        }
    }

    #[test]
    fn points_are_where_the_rest_lies_beyond() {
        for (degrees, five, eighty) in
            [(1.0, 12.706, 1.376), (4.0, 2.776, 0.941), (30.0, 2.042, 0.854), (1e7, 1.960, 0.842)]
        {
            // One-sided 80 % leaves out 20 % at each end.
            assert!((beyond(0.05, degrees) - five).abs() < 5e-4, "{degrees}");
            assert!((beyond(0.4, degrees) - eighty).abs() < 5e-4, "{degrees}");
        }
        assert!((two_sided(beyond(0.3, 0.7), 0.7) - 0.3).abs() < 1e-9);
        assert_eq!(beyond(1e-9, 1e-3), f64::INFINITY);
    }

    #[test]
    fn as_the_area_under_the_density() {
        for degrees in [1.3_f64, 2.7, 9.5] {
            let scale = libm::exp(libm::lgamma((degrees + 1.0) / 2.0) - libm::lgamma(degrees / 2.0))
                / (degrees * std::f64::consts::PI).sqrt();
            let density = |x: f64| scale * (1.0 + x * x / degrees).powf(-(degrees + 1.0) / 2.0);
            // From 0 to 1.7 by Simpson's rule.
            let step = 1.7 / 2000.0;
            let weight = |i: u32| if i == 0 || i == 2000 { 1.0 } else { 2.0 + 2.0 * f64::from(i % 2) };
            let area: f64 = (0..=2000).map(|i| weight(i) * density(f64::from(i) * step)).sum::<f64>() * step / 3.0;
            assert!((two_sided(1.7, degrees) - (1.0 - 2.0 * area)).abs() < 1e-9, "{degrees}");
        }
    }

    #[test]
    fn ends() {
        assert_eq!(two_sided(0.0, 3.0), 1.0);
        assert_eq!(two_sided(f64::INFINITY, 3.0), 0.0);
        assert!(two_sided(1e-9, 3.0) > 0.999 && two_sided(1e9, 3.0) < 1e-12);
    }
}
