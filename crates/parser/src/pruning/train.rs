//! Learning the pruner, and pruning the training part with pruners that have not seen the sentence.
//!
//! The pruner is a first-order log-linear model over trees, trained by stochastic gradient steps on log-likelihood, or a local
//! model, trained by the same steps on a margin of 1 between a word's right head and every other. Its features are those of gold
//! arcs. A pruner that was trained on a sentence ranks its gold heads far too well, and a
//! parser trained in such a space never learns what to do in a real one; so the training part is cut into [`FOLDS`] folds,
//! and each is pruned by a model whose weights were not learnt from it. Which features have weights, and how long arcs may be, is
//! taken from all sentences, once for all models: to that extent each has seen its fold.
//!
//! All fold models and the final one are learnt in one pass: they differ only in the sentences that they skip, so their
//! weights lie side by side, one lane each, and one look-up, one chart and one gradient step serve all of them.
//!
//! How long arcs between words of two tags may be: the pruner's own pruner.
//!
//! Many arcs of a sentence are far longer than any between words of their tags that the treebank has (Eisner & Smith 2005;
//! Rush & Petrov 2012). These are told by a look into a small table and get the probability 0, so that a quarter of all arcs
//! needs no features. The bound is loose on purpose: it should cost no gold arc that the pruner would have kept.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::features::{Plan, TemplateSet};
use crate::pruning::method::Sums;
use crate::pruning::{AllArcs, Candidates, Method, Pruner, Rule, UNIT};
use crate::random::shuffle;
use crate::treebank::{Folds, Sentence, Token, Tree};
use crate::weights::KeyBuffers;
use crate::weights::walk::{FeatureIds, for_each_feature};
use treebound_core::decode::semiring::Weights;
use treebound_core::graph::Word;

/// Folds of the training part.
pub const FOLDS: usize = 7;
/// One lane a fold, and one for the model trained on everything.
const LANES: usize = FOLDS + 1;
const ALL: usize = FOLDS;

/// How the pruner learns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// Passes over the training part.
    pub epochs: usize,
    /// Step size of the first pass; it falls to a tenth of itself by the end of the last.
    pub rate: f32,
    /// Of the shuffles.
    pub seed: u64,
    /// What is learnt.
    pub method: Method,
}

/// A gradient smaller than this is left out: most arcs of a sentence are hopeless after a few passes.
const SMALLEST_STEP: f32 = 1e-3;

/// Learns a pruner from sentences and their trees, and prunes the same sentences with the fold models.
///
/// Returns the pruner and the candidates of each sentence, those of its tree among them.
///
/// # Errors
/// If the system has no memory.
pub fn train(
    templates: &TemplateSet,
    sentences: &[(&Sentence, &Tree)],
    schedule: Schedule,
    rule: Rule,
) -> std::io::Result<(Pruner, Vec<Candidates>)> {
    let plan = Plan::new(templates);
    let folds = Folds::whole_blocks(FOLDS);
    let lengths = Lengths::from_trees(sentences);
    let ids = gold_features(&plan, sentences)?;
    let mut weights = vec![[0f32; LANES]; ids.keys().len()];
    let mut state = Scratch { method: schedule.method, ..Scratch::default() };
    let mut order: Vec<usize> = (0..sentences.len()).collect();
    let mut random = ChaCha8Rng::seed_from_u64(schedule.seed);
    let steps = (schedule.epochs * sentences.len()).max(1) as f32;
    let mut step = 0;
    for _ in 0..schedule.epochs {
        shuffle(&mut order, &mut random);
        for &i in &order {
            let rate = schedule.rate * (1.0 - 0.9 * (step as f32 / steps));
            step += 1;
            let (sentence, tree) = sentences[i];
            state.marginals(&plan, &lengths, &ids, &weights, sentence);
            state.learn(&mut weights, tree, folds.fold(i), rate);
        }
    }
    let kept = sentences
        .iter()
        .enumerate()
        .map(|(i, (sentence, tree))| {
            state.marginals(&plan, &lengths, &ids, &weights, sentence);
            let marginals: Vec<f64> = state.arcs.iter().map(|Weights(lanes)| lanes[folds.fold(i)]).collect();
            let mut candidates = Candidates::default();
            candidates.fill(rule, sentence.len(), &marginals);
            candidates.add(tree.heads(), &marginals);
            candidates
        })
        .collect();
    let features = ids
        .keys()
        .iter()
        .zip(&weights)
        .map(|(&key, w)| (key, (f64::from(w[ALL]) * UNIT).round() as i32))
        .filter(|(_, w)| *w != 0)
        .collect();
    Ok((Pruner::new(templates.clone(), lengths, features)?.with_method(schedule.method), kept))
}

fn gold_features(plan: &Plan, sentences: &[(&Sentence, &Tree)]) -> std::io::Result<FeatureIds> {
    let mut ids = FeatureIds::new([])?;
    let mut arcs = AllArcs::default();
    let mut buffers = KeyBuffers::default();
    let mut result = Ok(());
    for (sentence, tree) in sentences {
        arcs.fill(plan, &sentence.tokens, |h, m| tree.head(Word::new(m)).ix() == h);
        for (kind, parts) in &arcs.parts {
            if let Some(kind) = plan.kind(*kind) {
                for_each_feature(kind, &arcs.views, parts, &mut buffers, |_, key| {
                    if let Err(e) = ids.number(key) {
                        result = Err(e);
                    }
                });
            }
        }
    }
    result.map(|()| ids)
}

#[derive(Default)]
struct Scratch {
    method: Method,
    all: AllArcs,
    tags: Vec<u32>,
    allowed: Vec<bool>,
    buffers: KeyBuffers,
    /// By arc: its scores.
    scores: Vec<[f32; LANES]>,
    /// By arc: its marginals.
    arcs: Vec<Weights<LANES>>,
    /// By arc: what is added to the weights of its features.
    steps: Vec<[f32; LANES]>,
    sums: Sums<LANES>,
    /// Feature ids of all arcs: pairs of arc and id, in order of parts.
    fired: Vec<(u32, u32)>,
}

impl Scratch {
    /// Fills `arcs` with the marginals of every model.
    fn marginals(
        &mut self,
        plan: &Plan,
        lengths: &Lengths,
        ids: &FeatureIds,
        weights: &[[f32; LANES]],
        sentence: &Sentence,
    ) {
        let n = sentence.len();
        lengths.fill(&sentence.tokens, &mut self.tags, &mut self.allowed);
        self.all.fill(plan, &sentence.tokens, |h, m| self.allowed[h * (n + 1) + m]);
        self.scores.clear();
        self.scores.resize((n + 1) * (n + 1), [0.0; LANES]);
        self.fired.clear();
        for (kind, parts) in &self.all.parts {
            if let Some(kind) = plan.kind(*kind) {
                ids.for_each(kind, &self.all.views, parts, &mut self.buffers, |part, id| {
                    self.fired.push((parts.target[part], id));
                });
            }
        }
        for &(arc, id) in &self.fired {
            for (score, w) in self.scores[arc as usize].iter_mut().zip(&weights[id as usize]) {
                *score += w;
            }
        }
        let score = |a: usize, lane: usize| f64::from(self.scores[a][lane]);
        self.sums.apply(self.method, n, &self.allowed, score, &mut self.arcs);
    }

    /// One gradient step of every model but that of `fold`.
    fn learn(&mut self, weights: &mut [[f32; LANES]], tree: &Tree, fold: usize, rate: f32) {
        self.steps.clear();
        self.steps.resize(self.arcs.len(), [0.0; LANES]);
        match self.method {
            Method::ProjectiveSums | Method::TreeSums => self.follow_likelihood(tree, rate),
            Method::Ranker => self.follow_margin(tree, rate),
        }
        self.steps.iter_mut().for_each(|step| step[fold] = 0.0);
        for &(arc, id) in &self.fired {
            let step = &self.steps[arc as usize];
            if step.iter().any(|&s| s != 0.0) {
                for (weight, s) in weights[id as usize].iter_mut().zip(step) {
                    *weight += s;
                }
            }
        }
    }

    /// Steps along the gradient of the likelihood: rate * (gold - marginal).
    fn follow_likelihood(&mut self, tree: &Tree, rate: f32) {
        let w = tree.len() + 1;
        for (a, (Weights(arc), step)) in self.arcs.iter().zip(&mut self.steps).enumerate() {
            let (h, m) = (a / w, a % w);
            let gold = if m > 0 && tree.head(Word::new(m)).ix() == h { 1.0 } else { 0.0 };
            for lane in 0..LANES {
                let gradient = gold - arc[lane] as f32;
                step[lane] = if gradient.abs() >= SMALLEST_STEP { rate * gradient } else { 0.0 };
            }
        }
    }

    /// Steps from the best wrong head of each word to its right one, where the right one is not ahead by 1. Of equal heads the
    /// first.
    fn follow_margin(&mut self, tree: &Tree, rate: f32) {
        let w = tree.len() + 1;
        for m in 1..w {
            let gold = tree.head(Word::new(m)).ix() * w + m;
            for lane in 0..LANES {
                let others = (0..w).map(|h| h * w + m).filter(|&a| self.allowed[a] && a != gold);
                let best = others.reduce(|a, b| if self.scores[b][lane] > self.scores[a][lane] { b } else { a });
                if let Some(best) = best.filter(|&a| self.scores[gold][lane] < self.scores[a][lane] + 1.0) {
                    self.steps[gold][lane] += rate;
                    self.steps[best][lane] -= rate;
                }
            }
        }
    }
}

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
    /// The lengths of the given trees.
    pub fn from_trees(sentences: &[(&Sentence, &Tree)]) -> Self {
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
        Lengths::from_trees(&[(&short, &tree(&[2, 3, 0])), (&long, &tree(&[0, 6, 6, 6, 6, 1]))])
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
