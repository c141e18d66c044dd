//! Systems that learn nothing: a rule that gives every sentence its tree.

use super::{Facts, How, Needs, PassRecord, Session, System, SystemError, Task, Trained, Versions};
use crate::answer::{Answer, Clock, Phase, Phases};
use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::cell::SystemName;
use crate::treebank::{Token, Tree};

/// A system that is a rule.
#[derive(Clone, Debug)]
pub(super) struct Unlearnt {
    /// Its name.
    pub name: SystemName,
    /// Of its answers; raised when the rule changes.
    pub version: u32,
    /// The tree of a sentence.
    pub tree: fn(&[Token]) -> Tree,
}

impl System for Unlearnt {
    fn name(&self) -> SystemName {
        self.name.clone()
    }

    fn versions(&self) -> Versions {
        Versions { model: self.version, answers: self.version }
    }

    fn facts(&self) -> Result<Facts, SystemError> {
        Ok(Facts::new())
    }

    fn needs(&self) -> Needs {
        Needs::default()
    }

    fn passes(&self) -> usize {
        0
    }

    fn train(&self, _: &Task, _: &mut dyn FnMut(&[PassRecord])) -> Result<Box<dyn Trained>, SystemError> {
        Ok(Box::new(self.clone()))
    }

    fn load(&self, _: &mut BytesReader) -> Result<Box<dyn Trained>, Damaged> {
        Ok(Box::new(self.clone()))
    }
}

impl Trained for Unlearnt {
    fn save(&self, _: &mut BytesWriter) {}

    fn passes(&self) -> &[PassRecord] {
        &[]
    }

    fn session<'a>(&'a self, _: &How<'a>) -> Result<Box<dyn Session + 'a>, SystemError> {
        Ok(Box::new(Ruled { tree: self.tree }))
    }
}

struct Ruled {
    tree: fn(&[Token]) -> Tree,
}

impl Session for Ruled {
    fn parse(&mut self, sentences: &[&[Token]], clock: &mut dyn Clock) -> Result<Vec<Answer>, SystemError> {
        let one = |tokens: &&[Token]| {
            let start = clock.now_ns();
            let tree = (self.tree)(tokens);
            Answer::unscored(tree, Phases::default().with(Phase::Decode, clock.now_ns() - start))
        };
        Ok(sentences.iter().map(one).collect())
    }
}
