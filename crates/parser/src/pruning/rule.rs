//! Which heads of a word are kept.

use std::cmp::{Ordering, Reverse};
use std::hash::{Hash, Hasher};

use treebound_core::graph::Word;

/// How candidate heads are kept, given the pruner's marginals.
///
/// Rules are ordered by the candidates that they leave, most first: `none`, `k=20`, `k=10`, `t=1e-4`, `t=1e-3`.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// Every head.
    None,
    /// The `k` most probable heads of each word, without those of probability 0.
    Best(usize),
    /// Every head at least this times as probable as the word's most probable one.
    Threshold(f64),
}

impl Ord for Rule {
    fn cmp(&self, other: &Self) -> Ordering {
        self.place().cmp(&other.place())
    }
}

impl PartialOrd for Rule {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Rule {}

impl Hash for Rule {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.place().hash(state);
    }
}

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Rule::None => f.write_str("none"),
            Rule::Best(k) => write!(f, "k={k}"),
            Rule::Threshold(t) => write!(f, "t={t:e}"),
        }
    }
}

impl serde::Serialize for Rule {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Rule {
    /// The rule that is displayed so; a rule has one spelling.
    pub fn parse(text: &str) -> Option<Self> {
        let rule = match text.split_once('=') {
            None => (text == "none").then_some(Self::None),
            Some(("k", k)) => k.parse().ok().filter(|&k| k > 0).map(Self::Best),
            Some(("t", t)) => t.parse().ok().filter(|&t| t > 0.0 && t <= 1.0).map(Self::Threshold),
            Some(_) => None,
        };
        rule.filter(|rule| rule.to_string() == text)
    }

    /// By what rules are compared: the kind, then fewer heads or a higher threshold later. The bits of a positive number
    /// sort as the number does.
    fn place(self) -> (u8, Reverse<usize>, u64) {
        match self {
            Self::None => (0, Reverse(0), 0),
            Self::Best(k) => (1, Reverse(k), 0),
            Self::Threshold(t) => (2, Reverse(0), t.to_bits()),
        }
    }

    /// Adds the kept arcs of a sentence to `arcs`, sorted by head, then modifier.
    ///
    /// `marginals[h * (words + 1) + m]`; not looked at for [`Rule::None`]. Of equally probable heads the lower is kept.
    pub fn keep(self, words: usize, marginals: &[f64], arcs: &mut Vec<(Word, Word)>) {
        arcs.clear();
        let w = words + 1;
        let mut heads: Vec<usize> = Vec::with_capacity(w);
        for m in 1..=words {
            heads.clear();
            heads.extend((0..=words).filter(|&h| h != m));
            let p = |h: usize| marginals[h * w + m];
            match self {
                Rule::None => {}
                Rule::Best(k) => {
                    heads.retain(|&h| p(h) > 0.0);
                    if k < heads.len() {
                        heads.select_nth_unstable_by(k, |&a, &b| p(b).total_cmp(&p(a)).then(a.cmp(&b)));
                        heads.truncate(k);
                    }
                }
                Rule::Threshold(t) => {
                    let best = heads.iter().map(|&h| p(h)).fold(0.0, f64::max);
                    heads.retain(|&h| p(h) >= t * best);
                }
            }
            arcs.extend(heads.iter().map(|&h| (Word::new(h), Word::new(m))));
        }
        arcs.sort_unstable();
    }
}
