//! How weights are learnt: a method, and where an experiment has several schedules of it, which.

use std::fmt::{self, Display};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Axis;
use super::names::is_name;

/// A way to learn weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The averaged structured perceptron.
    Perceptron,
    /// MIRA with one constraint a sentence, found by exact search with wrong heads charged for.
    Mira,
    /// A conditional random field: the weights of the largest penalised likelihood.
    Crf,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 3] = [Self::Perceptron, Self::Mira, Self::Crf];

    /// The method of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }

    /// The name in configs and results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Perceptron => "perceptron",
            Self::Mira => "mira",
            Self::Crf => "crf",
        }
    }
}

/// A learner, spelt `mira`, or `mira-long` where a config has a second schedule (epochs, candidates, limits) and calls it
/// so: a learner's name begins with its method.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Learner {
    method: Method,
    schedule: Option<Arc<str>>,
}

impl Learner {
    /// The method.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Whether it is learnt by the experiment's own schedule rather than a named one.
    pub fn is_plain(&self) -> bool {
        self.schedule.is_none()
    }
}

impl From<Method> for Learner {
    fn from(method: Method) -> Self {
        Self { method, schedule: None }
    }
}

impl Axis for Learner {
    const NAME: &'static str = "learner";
    const EXPECTED: &'static str =
        "`perceptron`, `mira` or `crf`, or one of these with a word behind it, such as `mira-long`";

    fn parse(text: &str) -> Option<Self> {
        Method::ALL.into_iter().find_map(|method| {
            let rest = text.strip_prefix(method.name())?;
            if rest.is_empty() {
                return Some(method.into());
            }
            let schedule = rest.strip_prefix('-').filter(|word| is_name(word))?;
            Some(Self { method, schedule: Some(schedule.into()) })
        })
    }
}

impl Display for Learner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.method.name())?;
        match &self.schedule {
            Some(schedule) => write!(f, "-{schedule}"),
            None => Ok(()),
        }
    }
}

impl Serialize for Learner {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Learner {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        super::axis::deserialize(deserializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_learner_comes_first_and_schedules_behind_their_method() {
        let mut learners =
            ["mira-long", "mira", "perceptron-half", "perceptron"].map(|l| Learner::parse(l).expect("one"));
        learners.sort();
        assert_eq!(learners.map(|l| l.to_string()), ["perceptron", "perceptron-half", "mira", "mira-long"]);
        for text in ["", "miral", "mira-", "mira-a/b", "mira-A b", "sgd"] {
            assert_eq!(Learner::parse(text), None, "{text}");
        }
    }
}
