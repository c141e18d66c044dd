//! How numbers are written in derived tables: a fixed number of decimals, so that equal results are equal bytes.

/// `part` of `whole` in percent; none of nothing.
pub fn percent(part: u64, whole: u64) -> Option<f64> {
    ratio(part, whole).map(|share| 100.0 * share)
}

/// `part / whole`; none of nothing.
pub fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// With a fixed number of decimals and no negative zero.
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|b| b == b'0' || b == b'.') => digits.to_owned(),
        _ => text,
    }
}

/// As [`fixed`], with a plus sign before what is more than zero.
pub fn signed(value: f64, decimals: usize) -> String {
    let text = fixed(value, decimals);
    if text.starts_with('-') || text.bytes().all(|b| b == b'0' || b == b'.') { text } else { format!("+{text}") }
}

/// With a comma between groups of three digits; for people, not for files.
pub fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count of things, with the word for one or for several.
pub fn counted(value: u64, one: &str, several: &str) -> String {
    format!("{} {}", grouped(value), if value == 1 { one } else { several })
}

/// The middle of the values, or the mean of the two in the middle, rounded down; none of nothing.
pub fn median(values: &mut [u64]) -> Option<u64> {
    values.sort_unstable();
    let upper = *values.get(values.len() / 2)?;
    if values.len() % 2 == 1 {
        return Some(upper);
    }
    let lower = *values.get(values.len() / 2 - 1)?;
    Some(lower + (upper - lower) / 2)
}

/// Standard deviation of a sample (divided by one less than its size); none of fewer than two values.
pub fn deviation(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
    Some((squares / (values.len() - 1) as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_and_signs() {
        assert_eq!(fixed(-0.004, 2), "0.00");
        assert_eq!(fixed(-0.006, 2), "-0.01");
        assert_eq!(fixed(93.0, 2), "93.00");
        assert_eq!(signed(0.0, 2), "0.00");
        assert_eq!(signed(0.304, 2), "+0.30");
        assert_eq!(signed(-1.0, 1), "-1.0");
        assert_eq!(percent(1, 8), Some(12.5));
        assert_eq!(percent(0, 0), None);
    }

    #[test]
    fn groups_of_three_digits() {
        assert_eq!([0, 999, 1_000, 132_161, 86_700_000].map(grouped), ["0", "999", "1,000", "132,161", "86,700,000"]);
        assert_eq!(counted(1, "seed", "seeds"), "1 seed");
        assert_eq!(counted(2_077, "sentence", "sentences"), "2,077 sentences");
    }

    #[test]
    fn middles_and_spreads() {
        assert_eq!(median(&mut []), None);
        assert_eq!(median(&mut [5, 1, 9]), Some(5));
        assert_eq!(median(&mut [9, 1, 4, 7]), Some(5));
        assert_eq!(deviation(&[1.0]), None);
        // Mean 4; squares 4, 1, 9; 14 / 2 = 7.
        assert_eq!(deviation(&[2.0, 3.0, 7.0]), Some(7.0_f64.sqrt()));
    }
}
