//! Where the scores of parts go: to their targets, or to sums by part before that.

/// Where the scores of parts go: the score of each is added to its target.
#[derive(Debug)]
pub struct Scores<'a> {
    /// The scores of the kind.
    pub own: &'a mut [i64],
    /// The scores of its twin, by the same targets; empty if they are not wanted.
    pub twin: &'a mut [i64],
}

impl<'a> Scores<'a> {
    /// The scores of the kind alone.
    pub fn of(own: &'a mut [i64]) -> Self {
        Self { own, twin: &mut [] }
    }

    /// Adds the scores of a part to its target.
    #[inline(always)]
    pub(super) fn add(&mut self, target: u32, [own, twin]: [i64; 2]) {
        self.own[target as usize] += own;
        if !self.twin.is_empty() {
            self.twin[target as usize] += twin;
        }
    }
}

/// Sums of so many parts: of their kind, and of its twin, if these are wanted.
#[derive(Clone, Debug, Default)]
pub struct PartSums {
    own: Vec<i64>,
    twin: Vec<i64>,
}

impl PartSums {
    /// All 0, for so many parts.
    pub fn reset(&mut self, parts: usize, with_twin: bool) {
        self.own.clear();
        self.own.resize(parts, 0);
        self.twin.clear();
        self.twin.resize(if with_twin { parts } else { 0 }, 0);
    }

    /// To be added to, targets being the numbers of the parts.
    pub fn scores(&mut self) -> Scores<'_> {
        Scores { own: &mut self.own, twin: &mut self.twin }
    }

    /// The sums of a part.
    #[inline(always)]
    pub fn get(&self, part: usize) -> [i64; 2] {
        [self.own[part], self.twin.get(part).copied().unwrap_or(0)]
    }
}
