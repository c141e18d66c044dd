//! Numbers of many sentences in one field.
//!
//! ```text
//! 0 to 9, a to z, A to Z   0 to 61
//! (62)                     any other number
//! -                        nothing
//! 1{17}                    seventeen times the same
//! =                        alone: as in the row above
//! ```

use std::sync::Arc;

use super::table::MAX_COUNT;

const DIGITS: &[u8; 62] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Shorter runs are written out.
const SHORTEST_RUN: u64 = 5;

/// What a field holds.
pub const EXPECTED: &str = "numbers of sentences, such as `02(70)1{17}`";

/// A number, or nothing, and how often it comes.
type Run = (Option<u64>, u64);

/// A number for each sentence of a part, or nothing, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Series {
    /// What comes how often; what comes next differs. Shared by all rows that repeat it.
    runs: Arc<[Run]>,
    /// Written as that of the row above; it has no runs then.
    is_as_above: bool,
}

impl Series {
    /// That of the row above.
    pub fn as_above() -> Self {
        Self { runs: Arc::default(), is_as_above: true }
    }

    /// Whether it stands for that of the row above.
    pub fn is_as_above(&self) -> bool {
        self.is_as_above
    }

    /// How many numbers it has.
    pub fn len(&self) -> u64 {
        self.runs.iter().fold(0, |sum, run| sum.saturating_add(run.1))
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// The numbers.
    pub fn iter(&self) -> impl Iterator<Item = Option<u64>> {
        self.runs.iter().flat_map(|&(value, times)| (0..times).map(move |_| value))
    }

    /// The sum of the numbers; what is nothing counts for nothing.
    pub fn sum(&self) -> u64 {
        let sum = |(value, times): &Run| value.unwrap_or(0).saturating_mul(*times);
        self.runs.iter().map(sum).fold(0, u64::saturating_add)
    }

    /// How many of the numbers are this one.
    pub fn count(&self, wanted: Option<u64>) -> u64 {
        self.runs.iter().filter(|(value, _)| *value == wanted).map(|(_, times)| times).sum()
    }

    fn of(each: impl IntoIterator<Item = Run>) -> Self {
        let mut runs: Vec<Run> = Vec::new();
        for (value, times) in each {
            match runs.last_mut() {
                Some(last) if last.0 == value => last.1 = last.1.saturating_add(times),
                _ => runs.push((value, times)),
            }
        }
        Self { runs: runs.into(), is_as_above: false }
    }

    /// Reads a field; none if it is no such numbers.
    pub fn read(text: &str) -> Option<Self> {
        if text == "=" {
            return Some(Self::as_above());
        }
        let mut runs: Vec<Run> = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            rest = &rest[first.len_utf8()..];
            let value = match first {
                '-' => None,
                '(' => Some(number(&mut rest, ')').filter(|value| (DIGITS.len() as u64..=MAX_COUNT).contains(value))?),
                _ => Some(DIGITS.iter().position(|&digit| char::from(digit) == first)? as u64),
            };
            let times = match rest.strip_prefix('{') {
                Some(after) => {
                    rest = after;
                    number(&mut rest, '}').filter(|&times| times >= SHORTEST_RUN)?
                }
                None => 1,
            };
            runs.push((value, times));
        }
        let series = Self::of(runs);
        (series.text() == text).then_some(series)
    }

    /// The field.
    pub fn text(&self) -> String {
        if self.is_as_above {
            return "=".to_owned();
        }
        let mut text = String::new();
        for &(value, times) in self.runs.iter() {
            let value = match value {
                None => "-".to_owned(),
                Some(value) => match usize::try_from(value).ok().and_then(|at| DIGITS.get(at)) {
                    Some(&digit) => char::from(digit).to_string(),
                    None => format!("({value})"),
                },
            };
            if times < SHORTEST_RUN {
                (0..times).for_each(|_| text.push_str(&value));
            } else {
                text.push_str(&format!("{value}{{{times}}}"));
            }
        }
        text
    }
}

/// Takes a number and the sign behind it.
fn number(rest: &mut &str, end: char) -> Option<u64> {
    let (digits, after) = rest.split_once(end)?;
    let is_written_so = !digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit());
    *rest = after;
    is_written_so.then(|| digits.parse().ok()).flatten()
}

impl FromIterator<Option<u64>> for Series {
    fn from_iter<I: IntoIterator<Item = Option<u64>>>(values: I) -> Self {
        Self::of(values.into_iter().map(|value| (value, 1)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_are_written_in_few_signs() {
        let of = |values: &[Option<u64>]| values.iter().copied().collect::<Series>();
        let ones = [Some(1); 17];
        let series = of(&[&[Some(0), Some(61), Some(62), None][..], &ones, &[Some(10); 4]].concat());
        assert_eq!(series.text(), "0Z(62)-1{17}aaaa");
        assert_eq!(Series::read("0Z(62)-1{17}aaaa"), Some(series));
        assert_eq!(Series::read("="), Some(Series::as_above()));
        assert_eq!(Series::read(""), Some(Series::default()));
    }

    #[test]
    fn what_would_be_written_otherwise_is_refused() {
        for text in [
            "(61)",
            "(062)",
            "()",
            "(62",
            "(9007199254740993)",
            "1{4}",
            "1{}",
            "1{05}",
            "1{17",
            "{17}",
            "=1",
            " ",
            "é",
            "11111",
            "1{5}1",
        ] {
            assert_eq!(Series::read(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(values in prop::collection::vec(prop::option::of(0u64..70), 0..60)) {
            let series: Series = values.iter().copied().collect();
            prop_assert_eq!(series.len(), values.len() as u64);
            prop_assert_eq!(series.iter().collect::<Vec<_>>(), values);
            prop_assert_eq!(Series::read(&series.text()), Some(series));
        }
    }
}
