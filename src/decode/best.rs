//! The best of several choices.

use super::value::Value;

/// The choice with the largest value so far, of equal ones the first; none while all are minus infinity.
pub(super) struct Best<V, T> {
    value: V,
    choice: Option<T>,
}

impl<V: Value, T> Best<V, T> {
    /// No choice yet.
    pub fn none() -> Self {
        Self { value: V::NEG_INF, choice: None }
    }

    /// Takes `choice` if it is better than those before.
    pub fn offer(&mut self, value: V, choice: T) {
        if value > self.value {
            *self = Self { value, choice: Some(choice) };
        }
    }

    /// The best choice.
    pub fn take(self) -> Option<T> {
        self.choice
    }
}
