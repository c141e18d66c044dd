//! Which heads of a word are kept.

use crate::graph::Word;

/// How candidate heads are kept, given the pruner's marginals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// Every head.
    None,
    /// The `k` most probable heads of each word, without those of probability 0.
    Best(usize),
    /// Every head at least this times as probable as the word's most probable one.
    Threshold(f64),
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

impl Rule {
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
