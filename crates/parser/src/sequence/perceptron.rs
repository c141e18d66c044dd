//! The averaged perceptron over label sequences (Collins, 2002).

use super::{Transitions, feature, transition_key};
use crate::weights::learner::{LearnError, Learner};
use crate::weights::table::{FeatureKey, Line};

/// Weights being learnt.
#[derive(Debug)]
pub struct Perceptron {
    learner: Learner,
    /// The learner's weights of transitions, for the search.
    transitions: Transitions,
}

impl Perceptron {
    /// One of so many labels, all of whose weights are 0.
    ///
    /// # Errors
    /// If the system has no memory.
    pub fn new(labels: usize) -> std::io::Result<Self> {
        Ok(Self { learner: Learner::new(1 << 16)?, transitions: Transitions::new(labels) })
    }

    /// The weights so far.
    pub fn lines(&self) -> &[Line] {
        self.learner.table().lines()
    }

    /// Those of transitions.
    pub fn transitions(&self) -> &Transitions {
        &self.transitions
    }

    /// Begins a pass.
    pub fn next_pass(&mut self) {
        self.transitions.tighten();
    }

    /// Counts one more example; updates after this call belong to it.
    pub fn next_example(&mut self) {
        self.learner.next_example();
    }

    /// A step from the sequence `found` towards `gold`, of places with these keys; what they share is left alone.
    ///
    /// # Errors
    /// If the system has no memory.
    pub fn update<'k>(
        &mut self,
        keys: impl Fn(usize) -> &'k [u64],
        gold: &[u32],
        found: &[u32],
    ) -> std::io::Result<()> {
        for (place, (&right, &wrong)) in gold.iter().zip(found).enumerate().filter(|(_, (a, b))| a != b) {
            for &key in keys(place) {
                self.learner.update(feature(key, right), 1)?;
                self.learner.update(feature(key, wrong), -1)?;
            }
        }
        let boundary = self.transitions.labels() as u32;
        for after in 0..=gold.len() {
            let pair = |path: &[u32]| {
                let before = after.checked_sub(1).map_or(boundary, |i| path[i]);
                (before, path.get(after).copied().unwrap_or(boundary))
            };
            let (right, wrong) = (pair(gold), pair(found));
            if right != wrong {
                for ((before, label), delta) in [(right, 1), (wrong, -1)] {
                    self.learner.update(feature(transition_key(before), label), delta)?;
                    self.transitions.add(before as usize, label as usize, i64::from(delta));
                }
            }
        }
        Ok(())
    }

    /// The features of the average, times the number of examples.
    ///
    /// # Errors
    /// If a sum does not fit 32 bits.
    pub fn summed(&self) -> Result<Vec<(FeatureKey, i32)>, LearnError> {
        self.learner.summed()
    }
}
