//! What the paper leaves open, as choices: a reading of Algorithm 1 settles each of them.
//!
//! A reading has one spelling: `paper` for the usual one, and behind it a word for each choice that differs, joined by
//! `+`, in the order of the fields: `paper+polyak+give-up=50`. Every reading is exact: what it chooses are bounds that
//! hold, and the order in which nodes are bounded. The usual one is that whose DP calls come nearest to the paper's on EWT.

use std::fmt::{self, Display};
use std::num::NonZeroU32;

/// How steps shorten within a node. "The same strategy as Rush et al. (2010)" (section 4.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Steps {
    /// Halved whenever the bound rises.
    Halved,
    /// The first step over 1 + the number of rises (Koo et al. 2010).
    Harmonic,
    /// As long as the first.
    Constant,
    /// By Polyak's rule: the distance to the best known score, over the square of the subgradient.
    Polyak,
}

/// How long the first step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FirstStep {
    /// The largest 1 / |score| (section 4.4): that of the factor with the smallest score.
    Smallest,
    /// The smallest 1 / |score|: no weight moves by more than 1.
    Largest,
}

/// Where the step of a node begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepOfNode {
    /// At the first step.
    Afresh,
    /// Where that of its parent ended.
    Inherited,
}

/// Where the weights p of a node begin. "The optimal solution of its parent node" (section 4.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Duals {
    /// Where the bound of its parent was lowest.
    BestOfParent,
    /// Where the parent ended.
    LastOfParent,
    /// Where those of the root begin.
    Afresh,
}

/// Which lower bound ends a node that the upper bound has come down to (`UB = LB`, section 4.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tight {
    /// The best score known of all trees.
    Incumbent,
    /// The best score of the node's own trees; the incumbent is looked at when the node has ended.
    Own,
}

/// By how much the bound must fall in a step, in millionths of a unit of scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Precision(u32);

/// Which bounds are held against the precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Compared {
    /// As they are.
    Values,
    /// Rounded down to whole scores.
    Rounded,
}

/// What is known of a bound, scores being whole (section 4.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bounds {
    /// Rounded down to a whole score.
    Rounded,
    /// Taken as it is.
    AsTheyAre,
}

/// When a node is branched whose bound still falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GiveUp {
    /// After so many calls.
    After(NonZeroU32),
    /// Never; after a hundred calls where steps need not come to an end by themselves.
    Never,
}

/// In which order nodes are bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Order {
    /// Level by level; a level branches on the arc of its node with the highest lower bound (section 3.3).
    Levels,
    /// Level by level; each node branches on its own arc.
    OwnArcs,
    /// The node with the highest bound first, of equals the last; each branches on its own arc.
    BestFirst,
}

/// The first lower bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FirstBound {
    /// Alternating maximisation of pi (section 3.4).
    Alternating,
    /// The score of the best tree under local scores alone.
    Local,
    /// None.
    None,
}

/// Which calls of the dynamic program the answer counts. Limits are on all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Counted {
    /// All.
    All,
    /// The calls that bound nodes, and not those of the first lower bound.
    OfNodes,
}

/// A reading of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reading {
    /// How steps shorten.
    pub steps: Steps,
    /// How long the first is.
    pub first_step: FirstStep,
    /// Where the step of a node begins.
    pub step_of_node: StepOfNode,
    /// Where the weights of a node begin.
    pub duals: Duals,
    /// Which lower bound ends a node.
    pub tight: Tight,
    /// A node ends when its bound falls by no more than this in a step.
    pub precision: Precision,
    /// Which bounds are held against the precision.
    pub compared: Compared,
    /// What is known of a bound.
    pub bounds: Bounds,
    /// When a node is given up: it is branched.
    pub give_up: GiveUp,
    /// The order of nodes.
    pub order: Order,
    /// The first lower bound.
    pub first_bound: FirstBound,
    /// Which calls count.
    pub counted: Counted,
}

/// Millionths of a unit.
const MILLIONTHS: u32 = 1_000_000;

/// Most calls for a node where steps do not get ever shorter, or begin short, and nothing else is said: the bound might
/// rise and fall for ever, or fall by next to nothing for millions of steps.
const MOST_CALLS: u32 = 100;

/// A change of a reading.
type Choice = fn(&mut Reading);

/// The choices that are a word each, in the order of spellings: none of them is usual. What has a number stands between
/// them: the precision before `rounded-precision`, and when nodes are given up before `own-arcs`.
const CHOICES: [(&str, Choice); 15] = [
    ("harmonic", |reading| reading.steps = Steps::Harmonic),
    ("constant", |reading| reading.steps = Steps::Constant),
    ("polyak", |reading| reading.steps = Steps::Polyak),
    ("short-first-step", |reading| reading.first_step = FirstStep::Largest),
    ("step-goes-on", |reading| reading.step_of_node = StepOfNode::Inherited),
    ("last-duals", |reading| reading.duals = Duals::LastOfParent),
    ("fresh-duals", |reading| reading.duals = Duals::Afresh),
    ("own-tight", |reading| reading.tight = Tight::Own),
    ("rounded-precision", |reading| reading.compared = Compared::Rounded),
    ("unrounded", |reading| reading.bounds = Bounds::AsTheyAre),
    ("own-arcs", |reading| reading.order = Order::OwnArcs),
    ("best-first", |reading| reading.order = Order::BestFirst),
    ("local-first-bound", |reading| reading.first_bound = FirstBound::Local),
    ("no-first-bound", |reading| reading.first_bound = FirstBound::None),
    ("nodes-only", |reading| reading.counted = Counted::OfNodes),
];

impl Precision {
    /// A thousandth of a unit. The paper's 1e-8 is of an averaged weight: with some 100,000 examples in the average, a
    /// hundred-thousandth of a weight is a unit of scores.
    pub const USUAL: Self = Self(1000);

    /// Reads a decimal number with at most six places.
    fn parse(text: &str) -> Option<Self> {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty() || part.len() > 6 || !digits(whole) || !digits(part) {
            return None;
        }
        let part: u32 = format!("{part:0<6}").parse().ok()?;
        whole.parse::<u32>().ok()?.checked_mul(MILLIONTHS)?.checked_add(part).map(Self)
    }

    /// The precision in a fixed point with so many bits below the unit.
    pub(super) fn scaled(self, bits: u32) -> i128 {
        (i128::from(self.0) << bits) / i128::from(MILLIONTHS)
    }
}

impl Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0 / MILLIONTHS, self.0 % MILLIONTHS);
        let text = format!("{whole}.{part:06}");
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl GiveUp {
    /// What its word is followed by.
    const NEVER: &'static str = "never";

    fn parse(text: &str) -> Option<Self> {
        if text == Self::NEVER { Some(Self::Never) } else { text.parse().ok().map(Self::After) }
    }
}

impl Display for GiveUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::After(calls) => calls.fmt(f),
            Self::Never => f.write_str(Self::NEVER),
        }
    }
}

impl Reading {
    /// The reading that `paper` stands for.
    pub const USUAL: Self = Self {
        steps: Steps::Halved,
        first_step: FirstStep::Smallest,
        step_of_node: StepOfNode::Afresh,
        duals: Duals::BestOfParent,
        tight: Tight::Incumbent,
        precision: Precision::USUAL,
        compared: Compared::Values,
        bounds: Bounds::Rounded,
        give_up: GiveUp::After(NonZeroU32::MIN.saturating_add(9)),
        order: Order::Levels,
        first_bound: FirstBound::Alternating,
        counted: Counted::All,
    };

    /// The usual reading, but that each node is bounded until its bound falls no more. Keys spell choices from this one, so
    /// that which reading is the usual one decides no key.
    pub const TO_THE_END: Self = Self { give_up: GiveUp::Never, ..Self::USUAL };

    /// The name of the usual reading, with which all begin.
    pub const NAME: &'static str = "paper";

    /// The words of choices, in order, for messages.
    pub const WORDS: [&'static str; 18] = [
        "harmonic",
        "constant",
        "polyak",
        "short-first-step",
        "step-goes-on",
        "last-duals",
        "fresh-duals",
        "own-tight",
        "precision=0.01",
        "rounded-precision",
        "unrounded",
        "give-up=50",
        "give-up=never",
        "own-arcs",
        "best-first",
        "local-first-bound",
        "no-first-bound",
        "nodes-only",
    ];

    /// The reading that is [displayed](Display) so; one that has another spelling, or none, is none.
    pub fn parse(text: &str) -> Option<Self> {
        Self::spelt_anyhow(text).filter(|reading| reading.to_string() == text)
    }

    /// The reading that these words choose, in whatever order, and be it the usual choice.
    pub fn spelt_anyhow(text: &str) -> Option<Self> {
        Self::read(text, Self::USUAL)
    }

    /// The reading that keys spell so.
    pub fn parse_key(text: &str) -> Option<Self> {
        Self::read(text, Self::TO_THE_END)
    }

    /// The reading that these words choose instead of what `usual` does.
    fn read(text: &str, usual: Self) -> Option<Self> {
        let mut words = text.split('+');
        let mut reading = (words.next() == Some(Self::NAME)).then_some(usual)?;
        for word in words {
            match word.split_once('=') {
                Some(("precision", number)) => reading.precision = Precision::parse(number)?,
                Some(("give-up", calls)) => reading.give_up = GiveUp::parse(calls)?,
                Some(_) => return None,
                None => reading.choose(word)?,
            }
        }
        Some(reading)
    }

    fn choose(&mut self, word: &str) -> Option<()> {
        let (_, choose) = CHOICES.iter().find(|(name, _)| *name == word)?;
        choose(self);
        Some(())
    }

    /// Most calls for a node; none if its steps come to an end by themselves.
    pub fn most_calls(&self) -> Option<u64> {
        let ending =
            Self { steps: Steps::Halved, first_step: FirstStep::Smallest, step_of_node: StepOfNode::Afresh, ..*self };
        let most = match self.give_up {
            GiveUp::After(calls) => Some(calls.get()),
            GiveUp::Never => (*self != ending).then_some(MOST_CALLS),
        };
        most.map(u64::from)
    }

    /// Its spelling in keys.
    pub fn for_keys(&self) -> String {
        self.spelt(Self::TO_THE_END.give_up)
    }

    /// The words of what it chooses otherwise than usual, where a node is usually given up then.
    fn spelt(&self, usual: GiveUp) -> String {
        let mut words = vec![Self::NAME.to_owned()];
        for (word, choose) in CHOICES {
            match word {
                "rounded-precision" if self.precision != Precision::USUAL => {
                    words.push(format!("precision={}", self.precision));
                }
                "own-arcs" if self.give_up != usual => words.push(format!("give-up={}", self.give_up)),
                _ => {}
            }
            let mut chosen = *self;
            choose(&mut chosen);
            if chosen == *self {
                words.push(word.to_owned());
            }
        }
        words.join("+")
    }
}

impl Default for Reading {
    fn default() -> Self {
        Self::USUAL
    }
}

impl Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.spelt(Self::USUAL.give_up))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_has_one_spelling() {
        let words = Reading::WORDS;
        for (i, a) in words.iter().enumerate() {
            let text = format!("paper+{a}");
            let reading = Reading::parse(&text).unwrap_or_else(|| panic!("{text}"));
            assert_ne!(reading, Reading::USUAL, "{text}");
            assert_eq!(reading.to_string(), text);
            for b in &words[i + 1..] {
                // In the other order, or twice of one choice, it is none.
                assert_eq!(Reading::parse(&format!("paper+{b}+{a}")), None);
                if let Some(both) = Reading::parse(&format!("paper+{a}+{b}")) {
                    assert_eq!(both.to_string(), format!("paper+{a}+{b}"));
                }
            }
        }
        assert_eq!(Reading::parse("paper"), Some(Reading::USUAL));
        for text in [
            "",
            "bnb",
            "paper+",
            "paper+polyak+polyak",
            "paper+give-up=0",
            "paper+give-up=050",
            "paper+give-up=10",
            "paper+give-up=nevermore",
            "paper+precision=.5",
            "paper+precision=0.010",
            "paper+precision=0.001",
            "paper+precision=0.0000001",
            "paper+precision=5000",
            "paper+polyak=1",
            "paper+halved",
        ] {
            assert_eq!(Reading::parse(text), None, "{text}");
        }
    }

    #[test]
    fn keys_spell_what_results_were_made_with_before_the_usual_reading_gave_up_nodes() {
        for (now, in_keys) in [
            ("paper", "paper+give-up=10"),
            ("paper+give-up=never", "paper"),
            ("paper+give-up=50", "paper+give-up=50"),
            ("paper+polyak", "paper+polyak+give-up=10"),
            ("paper+polyak+give-up=never", "paper+polyak"),
        ] {
            assert_eq!(Reading::parse(now).map(|reading| reading.for_keys()).as_deref(), Some(in_keys), "{now}");
            assert_eq!(Reading::parse_key(in_keys), Reading::parse(now), "{in_keys}");
        }
    }

    #[test]
    fn a_precision_is_in_units() {
        for (text, scaled) in [("1", 1 << 16), ("0.5", 1 << 15), ("12.25", 49 << 14), ("0.001", 65), ("0", 0)] {
            assert_eq!(Precision::parse(text).map(|p| (p.to_string(), p.scaled(16))), Some((text.to_owned(), scaled)));
        }
    }
}
