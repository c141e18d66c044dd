//! Which lengths share a point, so that no point hangs on one or two sentences.

/// A run of lengths that are plotted as one point, at their mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bin {
    /// The shortest length.
    pub first: u64,
    /// The longest length.
    pub last: u64,
    /// Its sentences.
    pub sentences: u64,
}

/// A point should stand for so many sentences.
pub const ENOUGH: u64 = 10;

/// A point never stands for more than so many lengths, even if it has fewer sentences than [`ENOUGH`].
pub const WIDEST: u64 = 10;

impl Bin {
    /// True if sentences of that length belong to the bin.
    pub fn holds(&self, length: u64) -> bool {
        (self.first..=self.last).contains(&length)
    }

    /// True if the point stands for few sentences and may be far off.
    pub fn is_thin(&self) -> bool {
        self.sentences < ENOUGH
    }
}

/// Bins of the lengths that occur, given with their numbers of sentences in ascending order.
///
/// A length with enough sentences stands alone; others are joined with the next ones until together they have enough or
/// the bin would be too wide.
pub fn bins(lengths: &[(u64, u64)]) -> Vec<Bin> {
    let mut bins: Vec<Bin> = Vec::new();
    for &(length, sentences) in lengths {
        match bins.last_mut() {
            Some(bin) if bin.is_thin() && sentences < ENOUGH && length < bin.first.saturating_add(WIDEST) => {
                bin.last = length;
                bin.sentences = bin.sentences.saturating_add(sentences);
            }
            _ => bins.push(Bin { first: length, last: length, sentences }),
        }
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_lengths_are_joined() {
        let lengths = [(1, 50), (2, 4), (3, 10), (40, 6), (41, 3), (43, 2), (44, 9), (45, 2), (80, 1), (95, 1)];
        let bin = |first, last, sentences| Bin { first, last, sentences };
        let expected = [
            bin(1, 1, 50),
            bin(2, 2, 4),
            bin(3, 3, 10),
            bin(40, 43, 11),
            bin(44, 45, 11),
            bin(80, 80, 1),
            bin(95, 95, 1),
        ];
        assert_eq!(bins(&lengths), expected);
        assert!(bins(&[]).is_empty());
    }

    #[test]
    fn no_bin_is_wide() {
        let lengths: Vec<(u64, u64)> = (60..100).map(|length| (length, u64::from(length % 7 == 0))).collect();
        assert!(bins(&lengths).iter().all(|bin| bin.last - bin.first < WIDEST));
    }
}
