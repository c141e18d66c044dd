//! A system of a file: words in chunks of a size, the first of a chunk on the first of the one before, the others on the first of
//! their own; or the other way round, if the learner counts more arcs that go to the left.

use std::fmt;

use treebound::answer::{Answer, Clock, Phases};
use treebound::bytes::{BytesReader, BytesWriter, Damaged};
use treebound::cell::{Axis, SystemName};
use treebound::graph::Word;
use treebound::systems::{
    AxisKind, Choice, Facts, How, Kind, Needs, PassRecord, Session, Stage, System, SystemError, Task, Trained, Versions,
};
use treebound::treebank::{Token, Tree};

pub const KIND: Kind = Kind::new("chunks", |choice| Ok(Box::new(Chunks::new(choice))))
    .with_axes(&[
        AxisKind::new::<Learner>(Stage::Model).words(&["fixed", "counted"]).usual("fixed"),
        AxisKind::new::<Size>(Stage::Parse).words(&["size="]).usual("size=4"),
    ])
    .with_seed();

/// Words of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Size(usize);

impl Axis for Size {
    const NAME: &'static str = "size";
    const EXPECTED: &'static str = "a size such as `size=4`";

    fn parse(text: &str) -> Option<Self> {
        text.strip_prefix("size=")?.parse().ok().filter(|size| *size > 0).map(Self)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "size={}", self.0)
    }
}

/// Whether it learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Learner {
    Fixed,
    Counted,
}

impl Axis for Learner {
    const NAME: &'static str = "learner";
    const EXPECTED: &'static str = "`fixed` or `counted`";

    fn parse(text: &str) -> Option<Self> {
        [Self::Fixed, Self::Counted].into_iter().find(|learner| learner.to_string() == text)
    }
}

impl fmt::Display for Learner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::Fixed { "fixed" } else { "counted" })
    }
}

struct Chunks {
    learner: Option<Learner>,
}

impl Chunks {
    fn new(choice: &Choice) -> Self {
        Self { learner: Learner::parse(&choice.axes.spelt(Learner::NAME)) }
    }
}

impl System for Chunks {
    fn name(&self) -> SystemName {
        KIND.system_name()
    }

    fn versions(&self) -> Versions {
        Versions { model: 1, answers: 1 }
    }

    fn facts(&self) -> Result<Facts, SystemError> {
        Ok(vec![("learner", self.learner.map_or_else(String::new, |learner| learner.to_string()))])
    }

    fn needs(&self) -> Needs {
        Needs::default()
    }

    fn passes(&self) -> usize {
        0
    }

    fn train(&self, task: &Task, _: &mut dyn FnMut(&[PassRecord])) -> Result<Box<dyn Trained>, SystemError> {
        let arcs = task.train.trees.iter().flat_map(|tree| tree.heads().iter().enumerate());
        let (left, all) = arcs.fold((0, 0), |(left, all), (i, head)| (left + usize::from(head.ix() > i + 1), all + 1));
        Ok(Box::new(Model { is_reversed: self.learner == Some(Learner::Counted) && 2 * left > all }))
    }

    fn load(&self, from: &mut BytesReader) -> Result<Box<dyn Trained>, Damaged> {
        Ok(Box::new(Model { is_reversed: from.u64()? == 1 }))
    }
}

struct Model {
    is_reversed: bool,
}

impl Trained for Model {
    fn save(&self, to: &mut BytesWriter) {
        to.u64(self.is_reversed.into());
    }

    fn passes(&self) -> &[PassRecord] {
        &[]
    }

    fn session<'a>(&'a self, how: &How<'a>) -> Result<Box<dyn Session + 'a>, SystemError> {
        let size = Size::parse(&how.axes.spelt(Size::NAME))
            .ok_or(SystemError::Missing { system: "chunks", what: "a size" })?;
        Ok(Box::new(Parsing { size: size.0, is_reversed: self.is_reversed }))
    }
}

struct Parsing {
    size: usize,
    is_reversed: bool,
}

impl Parsing {
    fn tree(&self, words: usize) -> Tree {
        // Of the i-th word from 0, in the direction of reading: the number of its head from 1, and 0 of the first.
        let head = |i: usize| match i % self.size {
            0 => (i + 1).saturating_sub(self.size),
            place => i + 1 - place,
        };
        let heads: Vec<usize> = match self.is_reversed {
            false => (0..words).map(head).collect(),
            true => (0..words).rev().map(|i| if head(i) == 0 { 0 } else { words + 1 - head(i) }).collect(),
        };
        Tree::from_decoder(heads.into_iter().map(Word::new).collect())
    }
}

impl Session for Parsing {
    fn parse(&mut self, sentences: &[&[Token]], _: &mut dyn Clock) -> Result<Vec<Answer>, SystemError> {
        let answer = |tokens: &&[Token]| Answer::unscored(self.tree(tokens.len()), Phases::default());
        Ok(sentences.iter().map(answer).collect())
    }
}
