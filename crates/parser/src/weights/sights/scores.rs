//! Where the scores of parts go.

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
}
