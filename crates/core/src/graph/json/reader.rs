//! From a file's words to the ids of a graph.

use super::{GraphFault, GraphFile, Parsed};
use crate::graph::{ArcId, ArcSpace, FactorGraph, Factors, GrandSiblings, LocalScores, Room, SpaceError, Word};

/// Most words of a graph in a file: a decoder's chart has a place for every two words, and a number in a file is no
/// reason to ask the system for more memory than there is.
const MOST_WORDS: usize = 10_000;

impl GraphFile {
    /// The graph that the file describes, if it and its decoding have `room`.
    ///
    /// # Errors
    /// See [`GraphFault`].
    pub fn to_graph(&self, mut room: Room) -> Result<Parsed, GraphFault> {
        if self.version != 1 {
            return Err(GraphFault::Version(self.version));
        }
        if self.words > MOST_WORDS {
            return Err(SpaceError::TooLarge { words: self.words, most: MOST_WORDS }.into());
        }
        let reader = Reader { words: self.words };
        let mut arcs = Vec::with_capacity(self.arcs.len());
        for &(h, m, _) in &self.arcs {
            arcs.push(reader.arc(h, m)?);
        }
        let space = ArcSpace::new(self.words, self.single_root, &arcs)?;
        room.start(&space)?;
        self.factors.iter().for_each(|factor| _ = room.take_factor(factor.arcs.len()));
        room.check(&space)?;
        let mut local = LocalScores::filled(&space, 0);
        for (&(h, m), &(_, _, score)) in arcs.iter().zip(&self.arcs) {
            if let Some(a) = space.find(h, m) {
                local.arc[a.ix()] = score;
            }
        }
        let mut never = 0;
        reader.siblings(self, &space, &mut local.sibling, &mut never)?;
        reader.grandchildren(self, &space, &mut local.grandchild, &mut never)?;
        let grand_siblings = reader.grand_siblings(self, &space, &mut never)?;
        let factors = reader.factors(self, &space, &mut never)?;
        let prior = self.prior.as_ref().map(|prior| self.prior(prior, &arcs, &space)).transpose()?;
        Ok(Parsed { graph: FactorGraph { space, local, grand_siblings, factors }, prior, never })
    }

    /// The probabilities in the order of the space.
    fn prior(&self, prior: &[f64], arcs: &[(Word, Word)], space: &ArcSpace) -> Result<Vec<f64>, GraphFault> {
        if prior.len() != arcs.len() {
            return Err(GraphFault::PriorLength { found: prior.len(), arcs: arcs.len() });
        }
        let mut by_arc = vec![0.0; space.arcs()];
        for ((&probability, &(h, m)), &(head, modifier, _)) in prior.iter().zip(arcs).zip(&self.arcs) {
            if !(0.0..=1.0).contains(&probability) {
                return Err(GraphFault::Probability { head, modifier, probability });
            }
            if let Some(a) = space.find(h, m) {
                by_arc[a.ix()] = probability;
            }
        }
        Ok(by_arc)
    }
}

struct Reader {
    words: usize,
}

impl Reader {
    fn arc(&self, h: u64, m: u64) -> Result<(Word, Word), GraphFault> {
        let words = self.words;
        if h > words as u64 {
            return Err(SpaceError::HeadOutOfRange { head: h, modifier: m, words }.into());
        }
        if m == 0 || m > words as u64 {
            return Err(SpaceError::ModifierOutOfRange { head: h, modifier: m, words }.into());
        }
        Ok((Word::new(h as usize), Word::new(m as usize)))
    }

    fn word(&self, word: u64, least: u64, part: impl Fn() -> String) -> Result<Word, GraphFault> {
        if word < least || word > self.words as u64 {
            return Err(GraphFault::Word { part: part(), word, words: self.words });
        }
        Ok(Word::new(word as usize))
    }

    fn siblings(
        &self,
        file: &GraphFile,
        space: &ArcSpace,
        scores: &mut [i64],
        never: &mut usize,
    ) -> Result<(), GraphFault> {
        let mut seen = vec![false; scores.len()];
        for &(h, s, m, score) in &file.siblings {
            let name = || format!("sibling [{h}, {s}, {m}]");
            let (head, modifier) = (self.word(h, 0, name)?, self.word(m, 1, name)?);
            let inner = self.word(s, 0, name)?;
            let part = space.find(head, modifier).and_then(|a| sibling_part(space, a, inner));
            put(part, score, scores, &mut seen, never, name)?;
        }
        Ok(())
    }

    fn grand_siblings(
        &self,
        file: &GraphFile,
        space: &ArcSpace,
        never: &mut usize,
    ) -> Result<GrandSiblings<i64>, GraphFault> {
        let mut parts = Vec::new();
        for &(g, h, s, m, score) in &file.grand_siblings {
            let name = || format!("grand-sibling [{g}, {h}, {s}, {m}]");
            let (upper, head) = (self.word(g, 0, name)?, self.word(h, 1, name)?);
            let (inner, modifier) = (self.word(s, 1, name)?, self.word(m, 1, name)?);
            let part = space.find(upper, head).zip(space.find(head, modifier)).and_then(|(a, b)| {
                let is_child = space.children(a).contains(&b.ix());
                Some((is_child.then(|| space.grandchild_part(a, b))?, sibling_part(space, b, inner)?))
            });
            match part {
                Some(part) => parts.push((part, score, name())),
                None => *never += 1,
            }
        }
        parts.sort_by_key(|p| p.0);
        if let Some(twice) = parts.windows(2).find(|w| w[0].0 == w[1].0) {
            return Err(GraphFault::Duplicate(twice[1].2.clone()));
        }
        let mut scores = GrandSiblings::default();
        parts.iter().for_each(|&((grandchild, sibling), score, _)| scores.push(grandchild, sibling, score));
        Ok(scores)
    }

    fn grandchildren(
        &self,
        file: &GraphFile,
        space: &ArcSpace,
        scores: &mut [i64],
        never: &mut usize,
    ) -> Result<(), GraphFault> {
        let mut seen = vec![false; scores.len()];
        for &(h, m, c, score) in &file.grandchildren {
            let name = || format!("grandchild [{h}, {m}, {c}]");
            let (head, modifier) = (self.word(h, 0, name)?, self.word(m, 1, name)?);
            let child = self.word(c, 1, name)?;
            let part = space
                .find(head, modifier)
                .zip(space.find(modifier, child))
                .and_then(|(a, b)| space.children(a).contains(&b.ix()).then(|| space.grandchild_part(a, b)));
            put(part, score, scores, &mut seen, never, name)?;
        }
        Ok(())
    }

    fn factors(&self, file: &GraphFile, space: &ArcSpace, never: &mut usize) -> Result<Factors, GraphFault> {
        let mut factors = Factors::default();
        let mut arcs = Vec::new();
        for (i, factor) in file.factors.iter().enumerate() {
            arcs.clear();
            let mut possible = true;
            for &(h, m) in &factor.arcs {
                let name = || format!("factor {}: arc [{h}, {m}]", i + 1);
                match space.find(self.word(h, 0, name)?, self.word(m, 1, name)?) {
                    Some(a) => arcs.push(a),
                    None => possible = false,
                }
            }
            arcs.sort_unstable();
            arcs.dedup();
            if possible {
                factors.push(&arcs, factor.score);
            } else {
                *never += 1;
            }
        }
        Ok(factors)
    }
}

/// The part of arc `a` after the arc to `inner`, or as first modifier if that is the head; none if no tree has it.
fn sibling_part(space: &ArcSpace, a: ArcId, inner: Word) -> Option<usize> {
    if inner == space.head(a) {
        return Some(space.first_modifier_part(a));
    }
    let b = space.find(space.head(a), inner).filter(|b| space.inner_siblings(a).contains(&b.ix()))?;
    Some(space.sibling_part(a, b))
}

fn put(
    part: Option<usize>,
    score: i64,
    scores: &mut [i64],
    seen: &mut [bool],
    never: &mut usize,
    name: impl Fn() -> String,
) -> Result<(), GraphFault> {
    match part {
        Some(part) if seen[part] => return Err(GraphFault::Duplicate(name())),
        Some(part) => {
            seen[part] = true;
            scores[part] = score;
        }
        None => *never += 1,
    }
    Ok(())
}
