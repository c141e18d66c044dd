//! How long arcs between words of two tags may be: the pruner's own pruner.
//!
//! Many arcs of a sentence are far longer than any between words of their tags that the treebank has (Eisner & Smith 2005;
//! Rush & Petrov 2012). These are told by a look into a small table and get the probability 0, so that a quarter of all arcs
//! needs no features. The bound is loose on purpose: it should cost no gold arc that the pruner would have kept.

use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::treebank::{Sentence, Token, Tree};

/// Words whose tag the training part has not: their arcs may be of any length.
const UNKNOWN: usize = 0;
const ROOT: usize = 1;
const FIRST_TAG: usize = 2;

/// An arc between tags that were never seen to make one may be so long.
const LEAST: u32 = 4;

/// What an arc may be longer than the longest one seen.
fn with_room(longest: u32) -> u32 {
    // A damaged file may have any number.
    longest.saturating_mul(2).saturating_add(5)
}

/// The longest arcs of the training part by the coarse tags of their ends and their direction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lengths {
    /// Ascending; the number of a tag is its place here and [`FIRST_TAG`].
    tags: Vec<String>,
    /// By head's tag, then modifier's tag, then direction: words from end to end; 0 if there was none.
    longest: Vec<u32>,
    /// What is allowed, by the same places.
    allowed: Vec<u32>,
}

impl Lengths {
    /// Those of the given trees.
    pub fn of(sentences: &[(&Sentence, &Tree)]) -> Self {
        let tokens = sentences.iter().flat_map(|(sentence, _)| &sentence.tokens);
        let mut tags: Vec<String> = tokens.map(|token| token.coarse.clone()).collect();
        tags.sort_unstable();
        tags.dedup();
        let mut lengths = Self { longest: vec![0; Self::places(tags.len())], allowed: Vec::new(), tags };
        let mut numbers = Vec::new();
        for (sentence, tree) in sentences {
            lengths.number(&sentence.tokens, &mut numbers);
            for (i, head) in tree.heads().iter().enumerate() {
                let place = lengths.place(&numbers, head.ix(), i + 1);
                lengths.longest[place] = lengths.longest[place].max(head.ix().abs_diff(i + 1) as u32);
            }
        }
        lengths.allow();
        lengths
    }

    fn places(tags: usize) -> usize {
        (FIRST_TAG + tags).pow(2) * 2
    }

    fn allow(&mut self) {
        let allowed = self.longest.iter().map(|&longest| if longest == 0 { LEAST } else { with_room(longest) });
        self.allowed = allowed.collect();
        let width = FIRST_TAG + self.tags.len();
        for other in 0..width {
            for (head, modifier) in [(UNKNOWN, other), (other, UNKNOWN)] {
                let place = (head * width + modifier) * 2;
                self.allowed[place..place + 2].fill(u32::MAX);
            }
        }
    }

    /// Fills `numbers` with the tags of the root and the words.
    fn number(&self, tokens: &[Token], numbers: &mut Vec<u32>) {
        numbers.clear();
        numbers.push(ROOT as u32);
        numbers.extend(tokens.iter().map(|token| {
            let tag = self.tags.binary_search_by(|tag| tag.as_str().cmp(&token.coarse));
            tag.map_or(UNKNOWN, |place| FIRST_TAG + place) as u32
        }));
    }

    #[inline(always)]
    fn place(&self, numbers: &[u32], h: usize, m: usize) -> usize {
        let width = FIRST_TAG + self.tags.len();
        (numbers[h] as usize * width + numbers[m] as usize) * 2 + usize::from(h < m)
    }

    /// Fills `allowed[h * (words + 1) + m]`; some tree has allowed arcs alone, since neighbours are always allowed.
    pub fn fill(&self, tokens: &[Token], numbers: &mut Vec<u32>, allowed: &mut Vec<bool>) {
        self.number(tokens, numbers);
        let w = tokens.len() + 1;
        allowed.clear();
        for h in 0..w {
            allowed.extend((0..w).map(|m| {
                let length = h.abs_diff(m) as u32;
                m > 0 && length > 0 && length <= self.allowed[self.place(numbers, h, m)]
            }));
        }
    }

    /// Appends the lengths to `out`.
    pub fn encode(&self, out: &mut BytesWriter) {
        out.u64(self.tags.len() as u64);
        self.tags.iter().for_each(|tag| {
            out.text(tag);
        });
        out.u32s(self.longest.iter().copied());
    }

    /// Reads what [`encode`](Self::encode) wrote.
    ///
    /// # Errors
    /// If the bytes are damaged.
    pub fn decode(from: &mut BytesReader) -> Result<Self, Damaged> {
        let number = from.u64()?;
        let tags: Vec<String> = (0..number).map(|_| from.text().map(str::to_owned)).collect::<Result<_, _>>()?;
        let longest: Vec<u32> = from.u32s()?.collect();
        if longest.len() != Self::places(tags.len()) || !tags.is_sorted_by(|a, b| a < b) {
            return Err(Damaged);
        }
        let mut lengths = Self { tags, longest, allowed: Vec::new() };
        lengths.allow();
        Ok(lengths)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use treebound_core::graph::Word;

    fn sentence(tags: &str) -> Sentence {
        let token = |tag: &str| Token { coarse: tag.to_owned(), ..Token::default() };
        Sentence { tokens: tags.split(' ').map(token).collect(), ..Sentence::default() }
    }

    fn learnt() -> Lengths {
        let (short, long) = (sentence("D N V"), sentence("V D D D D N"));
        let tree = |heads: &[u32]| Tree::from_decoder(heads.iter().map(|&h| Word(h)).collect());
        Lengths::of(&[(&short, &tree(&[2, 3, 0])), (&long, &tree(&[0, 6, 6, 6, 6, 1]))])
    }

    fn allowed(lengths: &Lengths, sentence: &Sentence) -> Vec<bool> {
        let mut allowed = Vec::new();
        lengths.fill(&sentence.tokens, &mut Vec::new(), &mut allowed);
        allowed
    }

    #[test]
    fn arcs_may_be_longer_than_those_seen_but_not_much() {
        // Before its noun a determiner was seen four words away: thirteen are allowed; after it none was seen: four are.
        let sentence = sentence("D D X X X X X X X X X X X X N D D D D D");
        let (allowed, w) = (allowed(&learnt(), &sentence), sentence.len() + 1);
        assert_eq!((allowed[15 * w + 1], allowed[15 * w + 2]), (false, true));
        assert_eq!((allowed[15 * w + 19], allowed[15 * w + 20]), (true, false));
    }

    #[test]
    fn words_of_unknown_tags_may_hang_anywhere_and_no_word_on_itself_or_above_the_root() {
        let sentence = sentence("D D X D D D D D D D D D D D D D D D D D D D D D");
        let (allowed, w) = (allowed(&learnt(), &sentence), sentence.len() + 1);
        assert!((0..w).all(|h| allowed[h * w + 3] == (h != 3)));
        assert!((0..w).all(|m| allowed[3 * w + m] == (m != 3 && m != 0)));
        assert!((0..w).all(|i| !allowed[i * w + i] && !allowed[i * w]));
    }

    #[test]
    fn neighbours_are_always_allowed() {
        let sentence = sentence("V V N N D D V N D");
        let (allowed, w) = (allowed(&learnt(), &sentence), sentence.len() + 1);
        assert!((1..w).all(|m| allowed[(m - 1) * w + m] && (m + 1 == w || allowed[(m + 1) * w + m])));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let mut out = BytesWriter::default();
        learnt().encode(&mut out);
        let bytes = out.into_bytes();
        assert_eq!(Lengths::decode(&mut BytesReader::new(&bytes)), Ok(learnt()));
        assert_eq!(Lengths::decode(&mut BytesReader::new(&bytes[..bytes.len() - 4])), Err(Damaged));
    }
}
