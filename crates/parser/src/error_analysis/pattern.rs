//! What is reported of a pattern.

use super::views::View;

/// Words that are scored, and how many of them have a wrong head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// Scored words.
    pub words: u64,
    /// Those with a wrong head.
    pub wrong: u64,
}

/// A class of attachments and what the parser did instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The view.
    pub view: View,
    /// Its place among the patterns of the view, from 1.
    pub rank: u64,
    /// The modifier; empty if the view does not look at it.
    pub modifier: String,
    /// Its gold head; likewise.
    pub head: String,
    /// The surroundings; likewise.
    pub context: String,
    /// What the parser did instead; empty for anything.
    pub instead: String,
    /// Errors of this kind.
    pub errors: u64,
    /// All words of the class.
    pub class: Total,
    /// Some of the errors: sentence and word, each from 0. The shortest sentences, in order.
    pub examples: Vec<(usize, usize)>,
}

impl Pattern {
    /// Its part of all errors, in percent.
    pub fn share(&self, all: Total) -> f64 {
        100.0 * share(self.errors, all.wrong)
    }

    /// How many of the class are wrong, in any way, in percent.
    pub fn rate(&self) -> f64 {
        100.0 * share(self.class.wrong, self.class.words)
    }

    /// How many times as often as any word one of the class is wrong.
    pub fn lift(&self, all: Total) -> f64 {
        let any = share(all.wrong, all.words);
        if any > 0.0 { share(self.class.wrong, self.class.words) / any } else { 0.0 }
    }
}

/// A part of a whole; 0 of nothing.
fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// The patterns of a parsed treebank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Everything that was looked at.
    pub all: Total,
    /// By view, then rank.
    pub patterns: Vec<Pattern>,
}
