//! The labeller: relations of the arcs of a tree (McDonald, Lerman & Pereira 2006, section 3.1).
//!
//! The relations of the modifiers of one head, from left to right, are a [sequence](crate::sequence); those of different heads have
//! nothing to do with each other. So the relations of a tree that score highest are found exactly, head by head. Emissions see the
//! arc and its neighbours in sentence and tree, by templates ([`parts`]); transitions see relations of neighbouring modifiers, so
//! that two subjects are unlikely. Which relations an arc can have follows from the coarse tags of its ends: those that such arcs of
//! the training part have, or all where there was none.

mod inside;
mod parts;
mod train;

use std::sync::Arc;

use crate::bytes::{BytesReader, BytesWriter, Damaged};
use crate::features::{Kind, Plan, TemplateSet};
use crate::sequence::{Lattice, Transitions, Viterbi, add_rows, feature, transitions_of};
use crate::treebank::{Relations, Token, Tree};
use crate::weights::table::{FeatureKey, Line, Table, decode_features, encode_features};

pub(crate) use inside::Charge;
pub use inside::{ArcLabeller, ArcRelations};
pub use parts::ArcKeys;
pub use train::{LabelError, Schedule};

/// The kinds of parts that templates of relations may be of.
pub const KINDS: [Kind; 8] = [
    Kind::Arc,
    Kind::Between,
    Kind::BetweenCoarse,
    Kind::BetweenForm,
    Kind::Sibling,
    Kind::AnySibling,
    Kind::AnyGrandchild,
    Kind::Grandchild,
];

/// Most relations of a treebank that a labeller learns: memory for transitions grows with the square.
pub const MOST_RELATIONS: usize = 1024;

/// Finds the relations of trees.
#[derive(Debug)]
pub struct Labeller {
    templates: TemplateSet,
    plan: Plan,
    choices: Choices,
    /// None of a labeller whose table was read.
    features: Vec<(FeatureKey, i32)>,
    table: Table,
    transitions: Transitions,
}

/// Which relations there are, and which an arc can have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Choices {
    /// All relations, sorted.
    names: Arc<[Arc<str>]>,
    /// The coarse tags of the training part, sorted.
    tags: Vec<String>,
    /// By tag of the head (last, the root symbol) and of the modifier: where its relations end among those of all pairs.
    ends: Vec<u32>,
    /// The relations of all pairs, those of each ascending.
    of_pairs: Vec<u32>,
    /// All relations.
    all: Vec<u32>,
}

impl Choices {
    /// The number of the tag of a word; one that is none of a tag that was never seen.
    fn tag(&self, token: &Token) -> usize {
        self.tags.binary_search_by(|tag| tag.as_str().cmp(&token.coarse)).unwrap_or(usize::MAX)
    }

    /// How many relations there are.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// The number of a relation.
    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        self.names.binary_search_by(|known| (**known).cmp(name)).ok().map(|at| at as u32)
    }

    /// The number of the root symbol among tags of heads.
    fn root(&self) -> usize {
        self.tags.len()
    }

    /// What the arc from a head to a modifier with these tags can be, ascending.
    fn of(&self, head: usize, modifier: usize) -> &[u32] {
        let seen = (head <= self.root() && modifier < self.tags.len()).then(|| {
            let pair = head * self.tags.len() + modifier;
            let start = pair.checked_sub(1).map_or(0, |before| self.ends[before]);
            &self.of_pairs[start as usize..self.ends[pair] as usize]
        });
        seen.filter(|seen| !seen.is_empty()).unwrap_or(&self.all)
    }

    fn encode(&self, out: &mut BytesWriter) {
        out.u64(self.names.len() as u64);
        self.names.iter().for_each(|name| {
            out.text(name);
        });
        out.u64(self.tags.len() as u64);
        self.tags.iter().for_each(|tag| {
            out.text(tag);
        });
        out.u32s(self.ends.iter().copied()).u32s(self.of_pairs.iter().copied());
    }

    fn decode(from: &mut BytesReader) -> Result<Self, Damaged> {
        fn sorted<T: for<'a> From<&'a str> + Ord>(from: &mut BytesReader) -> Result<Vec<T>, Damaged> {
            let mut all = Vec::new();
            for _ in 0..from.u64()? {
                all.push(T::from(from.text()?));
            }
            if all.is_sorted_by(|a, b| a < b) { Ok(all) } else { Err(Damaged) }
        }
        let names: Vec<Arc<str>> = sorted(from)?;
        let tags: Vec<String> = sorted(from)?;
        let (ends, of_pairs): (Vec<u32>, Vec<u32>) = (from.u32s()?.collect(), from.u32s()?.collect());
        let pairs = (tags.len() + 1).checked_mul(tags.len());
        let are_whole = pairs == Some(ends.len())
            && ends.is_sorted()
            && ends.last().map_or(0, |&end| end as usize) == of_pairs.len()
            && of_pairs.iter().all(|&relation| (relation as usize) < names.len());
        if names.is_empty() || names.len() > MOST_RELATIONS || !are_whole {
            return Err(Damaged);
        }
        let all = (0..names.len() as u32).collect();
        let choices = Self { names: names.into(), tags, ends, of_pairs, all };
        let starts = std::iter::once(0).chain(choices.ends.iter().copied());
        let mut pairs = starts.zip(&choices.ends).map(|(a, &b)| &choices.of_pairs[a as usize..b as usize]);
        if pairs.all(|pair| pair.is_sorted_by(|a, b| a < b)) { Ok(choices) } else { Err(Damaged) }
    }
}

/// All of a labeller but its weights, in either way to label.
fn encode_head(templates: &TemplateSet, choices: &Choices, out: &mut BytesWriter) {
    out.text(&templates.to_string());
    choices.encode(out);
}

/// Reads what [`encode_head`] wrote.
fn decode_head(from: &mut BytesReader) -> Result<(TemplateSet, Choices), Damaged> {
    let templates = TemplateSet::from_lines(from.text()?).map_err(|_| Damaged)?;
    Ok((templates, Choices::decode(from)?))
}

/// Memory for labelling, reused from sentence to sentence.
#[derive(Debug, Default)]
pub struct Scratch {
    keys: ArcKeys,
    search: Search,
}

/// The search, without the keys that it looks up.
#[derive(Debug, Default)]
struct Search {
    /// By word: the number of its tag.
    tags: Vec<usize>,
    scores: Vec<i64>,
    lattice: Lattice,
    viterbi: Viterbi,
    /// The best relations of the modifiers of one head.
    path: Vec<u32>,
}

impl Search {
    /// Begins a sentence.
    fn begin(&mut self, choices: &Choices, tokens: &[Token]) {
        self.tags.clear();
        self.tags.extend(tokens.iter().map(|token| choices.tag(token)));
    }

    /// Finds the best relations of the modifiers of a head; words are counted from 1, the root symbol is 0.
    fn find(&mut self, choices: &Choices, lines: &[Line], transitions: &Transitions, keys: &ArcKeys, head: usize) {
        let tag_of_head = head.checked_sub(1).map_or(choices.root(), |word| self.tags[word]);
        self.lattice.clear();
        for &modifier in keys.modifiers(head) {
            let word = modifier as usize - 1;
            self.scores.clear();
            self.scores.resize(transitions.labels(), 0);
            add_rows(lines, keys.of(word), &mut self.scores);
            let candidates = choices.of(tag_of_head, self.tags[word]);
            self.lattice.push(candidates, |relation| self.scores[relation as usize]);
        }
        self.viterbi.decode(&self.lattice, transitions, &mut self.path);
    }
}

impl Labeller {
    fn new(templates: TemplateSet, choices: Choices, features: Vec<(FeatureKey, i32)>, table: Table) -> Self {
        let transitions = transitions_of(choices.names.len(), table.lines());
        Self { plan: Plan::of_kinds(&templates, &KINDS), templates, choices, features, table, transitions }
    }

    /// The relations that it knows, sorted.
    pub fn names(&self) -> &[Arc<str>] {
        &self.choices.names
    }

    /// The templates.
    pub fn templates(&self) -> &TemplateSet {
        &self.templates
    }

    /// The relations of a tree that score highest.
    pub fn label(&self, tokens: &[Token], tree: &Tree, scratch: &mut Scratch) -> Relations {
        let Scratch { keys, search } = scratch;
        keys.fill(&self.plan, tokens, tree, self.table.lines());
        search.begin(&self.choices, tokens);
        let mut numbers = vec![0; tokens.len()];
        for head in 0..=tokens.len() {
            search.find(&self.choices, self.table.lines(), &self.transitions, keys, head);
            for (&modifier, &relation) in keys.modifiers(head).iter().zip(&search.path) {
                numbers[modifier as usize - 1] = relation;
            }
        }
        Relations::new(self.choices.names.clone(), numbers).unwrap_or_default()
    }

    /// The score of some relations of a tree, from its definition: the sum of the weights of their features. None if one of them is
    /// not known, or not possible where it stands.
    pub fn score(&self, tokens: &[Token], tree: &Tree, relations: &[&str], scratch: &mut Scratch) -> Option<i64> {
        let Scratch { keys, .. } = scratch;
        keys.fill(&self.plan, tokens, tree, self.table.lines());
        let numbers = relations.iter().map(|name| self.choices.find(name)).collect::<Option<Vec<u32>>>()?;
        let tag =
            |position: usize| position.checked_sub(1).map_or(self.choices.root(), |i| self.choices.tag(&tokens[i]));
        let mut score = 0;
        for head in 0..=tokens.len() {
            let boundary = self.transitions.labels();
            let mut before = boundary;
            for &modifier in keys.modifiers(head) {
                let relation = numbers[modifier as usize - 1];
                if !self.choices.of(tag(head), tag(modifier as usize)).contains(&relation) {
                    return None;
                }
                let weights =
                    keys.of(modifier as usize - 1).iter().map(|&key| self.table.weight(feature(key, relation)));
                score += weights.map(i64::from).sum::<i64>() + self.transitions.get(before, relation as usize);
                before = relation as usize;
            }
            // A head without modifiers has no sequence.
            if before != boundary {
                score += self.transitions.get(before, boundary);
            }
        }
        Some(score)
    }

    /// Appends the labeller to `out`.
    pub fn encode(&self, out: &mut BytesWriter) {
        self.encode_head(out);
        encode_features(&self.features, out);
    }

    /// Reads what [`encode`](Self::encode) wrote.
    ///
    /// # Errors
    /// If the bytes are damaged, or the system has no memory for the weights.
    pub fn decode(from: &mut BytesReader) -> Result<Self, Damaged> {
        let (templates, choices) = decode_head(from)?;
        let features = decode_features(from)?;
        let table = Table::build(&features).map_err(|_| Damaged)?;
        Ok(Self::new(templates, choices, features, table))
    }

    /// Appends all but the weights to `out`.
    pub(crate) fn encode_head(&self, out: &mut BytesWriter) {
        encode_head(&self.templates, &self.choices, out);
    }

    /// Reads what [`encode_head`](Self::encode_head) wrote; the weights are put there later.
    pub(crate) fn headed(from: &mut BytesReader) -> Result<impl FnOnce(Table) -> Self + use<>, Damaged> {
        let (templates, choices) = decode_head(from)?;
        Ok(move |table| Self::new(templates, choices, Vec::new(), table))
    }

    /// The weights.
    pub(crate) fn table(&self) -> &Table {
        &self.table
    }
}
