//! The factor graph file: JSON, version 1 (docs/METHOD.md, "The factor graph").
//!
//! ```json
//! {"version": 1, "words": 3, "single_root": true,
//!  "arcs":          [[head, modifier, score], ...],
//!  "siblings":      [[head, inner_or_head, modifier, score], ...],
//!  "grandchildren": [[head, modifier, outermost_child, score], ...],
//!  "grand_siblings": [[grandparent, head, inner_or_head, modifier, score], ...],
//!  "factors":       [{"arcs": [[head, modifier], ...], "score": score}, ...],
//!  "prior":         [probability of arcs[0], ...],
//!  "trees":         "projective" or "non-projective",
//!  "counts":        [{"arcs": [[head, modifier], ...], "scores": [of none, of one, ..., of all larger numbers], "most": number},
//!                    {"head": word, "scores": ...}, ...],
//!  "non_projective": [[head, modifier, score], ...],
//!  "required":      [[head, modifier], ...],
//!  "forbidden":     [[head, modifier], ...]}
//! ```
//!
//! `"roots": "one"` or `"several"` is another way to say `single_root`. A count is over the arcs that it lists or over all of
//! a head; `scores` and `most` may be left out. Of required arcs all must be in the tree, of forbidden ones none: a reader
//! leaves out the candidates that they exclude, and parts with these never count.
//!
//! The prior is where a search may start from; no answer depends on it, but the number of calls does.
//!
//! A file may hold several graphs one after the other. Parts and factors that no tree over the arcs can have are legal and
//! never count; [`Parsed::never`] says how many there were whose arcs are missing or lie on the wrong side.
//!
//! Structs whose fields must be named: serde also reads one from a bare list of its fields, which says nothing of what is
//! what.

use std::cell::Cell;
use std::fmt;
use std::io::Read;
use std::marker::PhantomData;
use std::path::Path;
use std::rc::Rc;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::StreamDeserializer;
use thiserror::Error;

use crate::graph::{
    ArcId, ArcSpace, Counts, FactorGraph, Factors, GrandSiblings, LocalScores, Room, SpaceError, Trees, Word,
};

/// A graph as it stands in a file.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct GraphFile {
    /// Version of the format: 1.
    pub version: u32,
    /// Words of the sentence.
    pub words: usize,
    /// Which trees it is about.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub trees: Trees,
    /// Whether the root takes exactly one modifier, which is so if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub single_root: Option<bool>,
    /// The same in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roots: Option<Roots>,
    /// `[head, modifier, score]`.
    pub arcs: Vec<(u64, u64, i64)>,
    /// `[head, inner modifier (or the head itself: none), modifier, score]`.
    #[serde(default)]
    pub siblings: Vec<(u64, u64, u64, i64)>,
    /// `[head, modifier, outermost child, score]`.
    #[serde(default)]
    pub grandchildren: Vec<(u64, u64, u64, i64)>,
    /// `[grandparent, head, inner modifier (or the head itself: none), modifier, score]`: a sibling part below an arc.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grand_siblings: Vec<(u64, u64, u64, u64, i64)>,
    /// Non-local factors.
    #[serde(default, deserialize_with = "list_by_name")]
    pub factors: Vec<FactorFile>,
    /// Factors that count.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "list_by_name")]
    pub counts: Vec<CountFile>,
    /// `[head, modifier, score]`: counts when the tree has the arc, and it is not projective there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub non_projective: Vec<(u64, u64, i64)>,
    /// Arcs that all trees have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub required: Vec<(u64, u64)>,
    /// Arcs that no tree has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forbidden: Vec<(u64, u64)>,
    /// The probability of each of `arcs`, in their order, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prior: Option<Vec<f64>>,
}

/// How many words may stand on the root.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Roots {
    /// One.
    One,
    /// One or more.
    Several,
}

/// A factor that counts, as it stands in a file.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct CountFile {
    /// `[head, modifier]` of each arc.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arcs: Option<Vec<(u64, u64)>>,
    /// Instead of arcs: all of this head.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<u64>,
    /// What 0, 1, .. arcs are worth; the last stands for all larger numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<i64>,
    /// Most of the arcs that a tree may have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<u32>,
}

fn is_usual(trees: &Trees) -> bool {
    *trees == Trees::default()
}

/// A factor as it stands in a file.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct FactorFile {
    /// `[head, modifier]` of each arc.
    pub arcs: Vec<(u64, u64)>,
    /// Counts when the tree has all of the arcs.
    pub score: i64,
}

/// A graph read from a file.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The graph.
    pub graph: FactorGraph,
    /// By arc: the probability from which a search may start.
    pub prior: Option<Vec<f64>>,
    /// Parts and factors that no tree over the arcs can have.
    pub never: usize,
}

/// Parses the bytes of a file; `path` is for messages.
///
/// # Errors
/// The file, the graph and what is wrong with it.
pub fn parse(bytes: &[u8], path: &Path) -> Result<Vec<Parsed>, GraphFileError> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    graphs(serde_json::Deserializer::from_slice(bytes).into_iter(), path, Room::default()).collect()
}

/// The graphs of an input one by one, so that what follows is not waited for; `path` is for messages. A graph may have
/// [`MOST_BYTES`], and it and its decoding must have `room`. What is wrong with one is the last that comes.
pub fn each(
    mut input: impl std::io::BufRead,
    path: &Path,
    room: Room,
) -> impl Iterator<Item = Result<Parsed, GraphFileError>> {
    // What cannot be read is told when the first graph is.
    if input.fill_buf().is_ok_and(|begin| begin.starts_with(BYTE_ORDER_MARK)) {
        input.consume(BYTE_ORDER_MARK.len());
    }
    let left = Rc::new(Cell::new(MOST_BYTES));
    let limited = Limited { input, left: left.clone() };
    let stream = serde_json::Deserializer::from_reader(limited).into_iter();
    graphs(stream, path, room).inspect(move |_| left.set(MOST_BYTES))
}

/// What some editors begin a file with.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Most bytes of one graph of a stream, which need not end.
pub const MOST_BYTES: u64 = 1 << 30;

/// An input of which so many bytes may be read.
struct Limited<R> {
    input: R,
    left: Rc<Cell<u64>>,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.input.read(buffer)?;
        let left = self.left.get().checked_sub(read as u64);
        self.left.set(left.ok_or_else(|| std::io::Error::other("a graph of more than a gibibyte"))?);
        Ok(read)
    }
}

/// The graphs of a stream, up to the first that is none.
fn graphs<'de, R: serde_json::de::Read<'de>>(
    stream: StreamDeserializer<'de, R, ByName<GraphFile>>,
    path: &Path,
    room: Room,
) -> impl Iterator<Item = Result<Parsed, GraphFileError>> {
    let path = path.display().to_string();
    let mut stream = stream.enumerate();
    let (mut is_over, mut has_any) = (false, false);
    std::iter::from_fn(move || {
        if is_over {
            return None;
        }
        let parsed = match stream.next() {
            None if has_any => return None,
            None => Err(GraphFileError::Empty { path: path.clone() }),
            Some((i, Err(source))) => Err(GraphFileError::Json { path: path.clone(), graph: i + 1, source }),
            Some((i, Ok(file))) => {
                let fault = |fault| GraphFileError::Graph { path: path.clone(), graph: i + 1, fault };
                file.0.to_graph(room).map_err(fault)
            }
        };
        (is_over, has_any) = (parsed.is_err(), true);
        Some(parsed)
    })
}

/// What is wrong with a graph file.
#[derive(Debug, Error)]
pub enum GraphFileError {
    /// Not JSON, or not of the expected shape. The message names line and column.
    #[error("{path}: graph {graph}: {source}{} (see the factor graph format in docs/METHOD.md)", score_hint(source))]
    Json {
        /// The file.
        path: String,
        /// The graph's number in the file, from 1.
        graph: usize,
        /// Where and what.
        source: serde_json::Error,
    },
    /// The file holds no graph.
    #[error("{path}: the file holds no graph")]
    Empty {
        /// The file.
        path: String,
    },
    /// A graph that contradicts itself.
    #[error("{path}: graph {graph}: {fault}")]
    Graph {
        /// The file.
        path: String,
        /// The graph's number in the file, from 1.
        graph: usize,
        /// What is wrong.
        fault: GraphFault,
    },
}

/// What is wrong with one graph.
#[derive(Debug, Error, PartialEq)]
pub enum GraphFault {
    /// An unknown version.
    #[error("version {0} is not supported; this program reads version 1")]
    Version(u32),
    /// Bad arcs.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// A word beyond the sentence.
    #[error("{part}: word {word} is out of range (heads go from 0 to {words}, modifiers from 1 to {words})")]
    Word {
        /// The part, as in the file.
        part: String,
        /// The word.
        word: u64,
        /// Words of the sentence.
        words: usize,
    },
    /// A part listed twice.
    #[error("{0} is given twice")]
    Duplicate(String),
    /// Two answers to one question.
    #[error("single_root is {single_root}, but roots is \"{}\"; leave one of them out", if *single_root { "several" } else { "one" })]
    Roots {
        /// What the file says of `single_root`.
        single_root: bool,
    },
    /// An arc that must be in the tree, and is no candidate.
    #[error("required arc [{head}, {modifier}] is not among the arcs; list it there with its score")]
    Required {
        /// The arc's head.
        head: u64,
        /// The arc's modifier.
        modifier: u64,
    },
    /// A count of nothing, or of two things.
    #[error("count {0}: give the arcs that are counted, or the head whose arcs are, and not both")]
    Counted(usize),
    /// Scores of crossing arcs where none cross.
    #[error("there are scores of non_projective arcs, but the trees are projective; add \"trees\": \"non-projective\"")]
    NonProjective,
    /// A prior that is not one number an arc.
    #[error("the prior has {found} probabilities for {arcs} arcs; give one for each, or leave it out")]
    PriorLength {
        /// Probabilities in the file.
        found: usize,
        /// Arcs in the file.
        arcs: usize,
    },
    /// A number that is no probability.
    #[error("the prior of arc [{head}, {modifier}] is {probability}; a probability lies between 0 and 1")]
    Probability {
        /// The arc's head.
        head: u64,
        /// The arc's modifier.
        modifier: u64,
        /// What the file has.
        probability: f64,
    },
}

/// What to do where a score is no whole number.
fn score_hint(fault: &serde_json::Error) -> &'static str {
    match fault.is_data() && fault.to_string().contains("expected i64") {
        true => "; scores are whole numbers of 64 bits: multiply fractions, by 1000 say, and round",
        false => "",
    }
}

/// A struct that is read from an object alone.
struct ByName<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for ByName<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Object(PhantomData))
    }
}

/// All structs of a list by name, for `deserialize_with`.
fn list_by_name<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let all: Vec<ByName<T>> = Vec::deserialize(deserializer)?;
    Ok(all.into_iter().map(|one| one.0).collect())
}

struct Object<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Object<T> {
    type Value = ByName<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with named fields, as in {\"version\": 1, ...}")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(ByName)
    }
}

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
        let single_root = self.single_root()?;
        let mut space = ArcSpace::new(self.words, single_root, &arcs)?;
        if !self.required.is_empty() || !self.forbidden.is_empty() {
            let possible = reader.possible(self, &space, &arcs)?;
            space = ArcSpace::new(self.words, single_root, &possible)?;
        }
        room.start(&space)?;
        self.factors.iter().for_each(|factor| _ = room.take_factor(factor.arcs.len()));
        for count in &self.counts {
            let arcs = count.arcs.as_ref().map_or(self.words, Vec::len);
            _ = room.take_factor(arcs + count.scores.len());
        }
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
        let counts = reader.counts(self, &space)?;
        let non_projective = reader.non_projective(self, &space, &mut never)?;
        let graph = FactorGraph { space, trees: self.trees, local, grand_siblings, factors, counts, non_projective };
        Ok(Parsed { graph, prior, never })
    }

    /// Whether the root takes exactly one modifier.
    fn single_root(&self) -> Result<bool, GraphFault> {
        let in_words = self.roots.map(|roots| roots == Roots::One);
        match (self.single_root, in_words) {
            (Some(single_root), Some(in_words)) if single_root != in_words => Err(GraphFault::Roots { single_root }),
            (said, in_words) => Ok(said.or(in_words).unwrap_or(true)),
        }
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
            put(space.find_sibling_part(head, inner, modifier), score, scores, &mut seen, never, name)?;
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
            let grandchild = space.find_grandchild_part(upper, head, modifier);
            match grandchild.zip(space.find_sibling_part(head, inner, modifier)) {
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
            put(space.find_grandchild_part(head, modifier, child), score, scores, &mut seen, never, name)?;
        }
        Ok(())
    }

    /// The arcs that are left where some must be in the tree and some must not: no others into the words of the former, and none
    /// of the latter.
    fn possible(
        &self,
        file: &GraphFile,
        space: &ArcSpace,
        arcs: &[(Word, Word)],
    ) -> Result<Vec<(Word, Word)>, GraphFault> {
        let mut keep = vec![true; space.arcs()];
        for &(head, modifier) in &file.required {
            let (h, m) = self.arc(head, modifier)?;
            let a = space.find(h, m).ok_or(GraphFault::Required { head, modifier })?;
            for &rival in space.arcs_into(m).iter().filter(|&&rival| rival != a) {
                keep[rival.ix()] = false;
            }
        }
        for &(head, modifier) in &file.forbidden {
            let (h, m) = self.arc(head, modifier)?;
            if let Some(a) = space.find(h, m) {
                keep[a.ix()] = false;
            }
        }
        let is_kept = |&&(h, m): &&(Word, Word)| space.find(h, m).is_some_and(|a| keep[a.ix()]);
        Ok(arcs.iter().filter(is_kept).copied().collect())
    }

    fn counts(&self, file: &GraphFile, space: &ArcSpace) -> Result<Counts, GraphFault> {
        let mut counts = Counts::default();
        let mut arcs = Vec::new();
        for (i, count) in file.counts.iter().enumerate() {
            arcs.clear();
            match (&count.arcs, count.head) {
                (Some(listed), None) => {
                    for &(h, m) in listed {
                        let name = || format!("count {}: arc [{h}, {m}]", i + 1);
                        // One that is no candidate is in no tree.
                        arcs.extend(space.find(self.word(h, 0, name)?, self.word(m, 1, name)?));
                    }
                }
                (None, Some(head)) => {
                    let head = self.word(head, 0, || format!("count {}: head {head}", i + 1))?;
                    arcs.extend(space.arcs_of(head).map(ArcId::new));
                }
                _ => return Err(GraphFault::Counted(i + 1)),
            }
            arcs.sort_unstable();
            arcs.dedup();
            counts.push(&arcs, &count.scores, count.most);
        }
        Ok(counts)
    }

    fn non_projective(&self, file: &GraphFile, space: &ArcSpace, never: &mut usize) -> Result<Vec<i64>, GraphFault> {
        if file.non_projective.is_empty() {
            return Ok(Vec::new());
        }
        if file.trees == Trees::Projective {
            return Err(GraphFault::NonProjective);
        }
        let (mut scores, mut seen) = (vec![0; space.arcs()], vec![false; space.arcs()]);
        for &(h, m, score) in &file.non_projective {
            let name = || format!("non-projective arc [{h}, {m}]");
            let part = space.find(self.word(h, 0, name)?, self.word(m, 1, name)?).map(ArcId::ix);
            put(part, score, &mut scores, &mut seen, never, name)?;
        }
        Ok(scores)
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

impl GraphFile {
    /// The file of a graph and the probabilities of its arcs; parts with score 0 are left out.
    pub fn from_graph(graph: &FactorGraph, prior: Option<&[f64]>) -> Self {
        let space = &graph.space;
        let ends = |a: ArcId| (u64::from(space.head(a).0), u64::from(space.modifier(a).0));
        let mut file = GraphFile {
            version: 1,
            words: space.words(),
            trees: graph.trees,
            single_root: Some(space.single_root()),
            roots: None,
            arcs: Vec::new(),
            siblings: Vec::new(),
            grandchildren: Vec::new(),
            grand_siblings: Vec::new(),
            factors: Vec::new(),
            counts: Vec::new(),
            non_projective: Vec::new(),
            required: Vec::new(),
            forbidden: Vec::new(),
            prior: prior.map(<[f64]>::to_vec),
        };
        for a in (0..space.arcs()).map(ArcId::new) {
            let (h, m) = ends(a);
            file.arcs.push((h, m, graph.local.arc[a.ix()]));
            let mut sibling = |inner: u64, part: usize| {
                let score = graph.local.sibling[part];
                if score != 0 {
                    file.siblings.push((h, inner, m, score));
                }
            };
            sibling(h, space.first_modifier_part(a));
            for b in space.inner_siblings(a).map(ArcId::new) {
                sibling(ends(b).1, space.sibling_part(a, b));
            }
            for b in space.children(a).map(ArcId::new) {
                let part = space.grandchild_part(a, b);
                let (child, score) = (ends(b).1, graph.local.grandchild[part]);
                if score != 0 {
                    file.grandchildren.push((h, m, child, score));
                }
                for (sibling, score) in graph.grand_siblings.entries(part).filter(|(_, score)| *score != 0) {
                    let inner = sibling.checked_sub(space.first_modifier_part(b) + 1);
                    let inner = inner.map_or(m, |i| ends(ArcId::new(space.inner_siblings(b).start + i)).1);
                    file.grand_siblings.push((h, m, inner, child, score));
                }
            }
        }
        for (_, arcs, score) in graph.factors.iter() {
            file.factors.push(FactorFile { arcs: arcs.iter().map(|&a| ends(a)).collect(), score });
        }
        for c in graph.counts.ids() {
            file.counts.push(CountFile {
                arcs: Some(graph.counts.arcs(c).iter().map(|&a| ends(a)).collect()),
                head: None,
                scores: graph.counts.scores(c).to_vec(),
                most: Some(graph.counts.most(c)).filter(|&most| most < u32::MAX),
            });
        }
        for (a, &score) in graph.non_projective.iter().enumerate().filter(|(_, score)| **score != 0) {
            let (h, m) = ends(ArcId::new(a));
            file.non_projective.push((h, m, score));
        }
        file
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::CountId;

    fn graph(text: &str) -> Result<Parsed, GraphFault> {
        serde_json::from_str::<GraphFile>(text).expect("JSON").to_graph(Room::default())
    }

    #[test]
    fn a_graph_survives_writing_and_reading() {
        let text = r#"{"version": 1, "words": 3, "single_root": false,
            "arcs": [[2, 1, 5], [0, 2, 7], [2, 3, -4], [0, 1, 0], [1, 3, 2]],
            "siblings": [[2, 2, 1, 3], [0, 1, 2, 9]], "grandchildren": [[0, 2, 3, 8], [0, 1, 3, -1]],
            "grand_siblings": [[0, 2, 2, 3, 4], [0, 2, 2, 1, 5]],
            "factors": [{"arcs": [[2, 1], [2, 3]], "score": 6}], "prior": [0.1, 0.7, 0.3, 0.2, 1e-300]}"#;
        let parsed = graph(text).expect("a graph");
        assert_eq!(parsed.never, 0);
        let again = GraphFile::from_graph(&parsed.graph, parsed.prior.as_deref());
        let twice = again.to_graph(Room::default()).expect("a graph");
        assert_eq!(GraphFile::from_graph(&twice.graph, twice.prior.as_deref()), again);
        let arcs: Vec<_> = again.arcs.iter().map(|&(h, m, _)| (h, m)).collect();
        assert_eq!(arcs, [(0, 1), (0, 2), (1, 3), (2, 1), (2, 3)]);
        assert_eq!(again.prior, Some(vec![0.2, 0.7, 1e-300, 0.1, 0.3]));
        assert_eq!(
            (again.arcs.len(), again.siblings.len(), again.grandchildren.len(), again.factors.len()),
            (5, 2, 2, 1)
        );
        assert_eq!(again.grand_siblings, [(0, 2, 2, 1, 5), (0, 2, 2, 3, 4)]);
    }

    #[test]
    fn counts_and_constraints_are_read() {
        let text = r#"{"version": 1, "words": 3, "trees": "non-projective", "roots": "several",
            "arcs": [[0, 1, 1], [0, 2, 2], [2, 1, 3], [3, 1, 4], [2, 3, 5], [0, 3, 6]],
            "counts": [{"arcs": [[0, 1], [2, 3], [1, 3]], "scores": [0, 7]}, {"head": 2, "scores": [1, 2, 3]},
                       {"head": 0, "most": 1}],
            "non_projective": [[2, 1, -4], [3, 1, 9]], "required": [[0, 2]], "forbidden": [[3, 1]]}"#;
        let Parsed { graph: parsed, never, .. } = graph(text).expect("a graph");
        assert_eq!((parsed.space.arcs(), parsed.space.single_root(), never), (5, false, 1));
        let arcs = |c| parsed.counts.arcs(c).iter().map(|&a| (parsed.space.head(a).0, parsed.space.modifier(a).0));
        let all: Vec<Vec<_>> = parsed.counts.ids().map(|c| arcs(c).collect()).collect();
        assert_eq!(all, [vec![(0, 1), (2, 3)], vec![(2, 1), (2, 3)], vec![(0, 1), (0, 2), (0, 3)]]);
        assert_eq!(parsed.counts.most(CountId(2)), 1);
        let score = |count| parsed.counts.score(CountId(1), count);
        assert_eq!([score(0), score(1), score(2), score(9)], [1, 2, 3, 3]);
        let again = GraphFile::from_graph(&parsed, None);
        let twice = again.to_graph(Room::default()).expect("a graph");
        assert_eq!(GraphFile::from_graph(&twice.graph, None), again);
        assert_eq!(again.non_projective, [(2, 1, -4)]);
        let heads = |heads: [u32; 3]| heads.map(Word);
        let allows = |wanted| {
            let mut arcs = crate::graph::TreeArcs::default();
            arcs.find(&parsed.space, &heads(wanted)) && parsed.allows(&arcs)
        };
        assert!(allows([2, 0, 2]) && !allows([0, 0, 2]) && !allows([3, 0, 2]));
    }

    #[test]
    fn a_byte_order_mark_is_passed_over() {
        let text = "\u{feff}{\"version\": 1, \"words\": 1, \"arcs\": [[0, 1, 3]]}";
        let streamed: Vec<_> = each(text.as_bytes(), Path::new("x.json"), Room::default()).collect();
        assert!(streamed.len() == 1 && streamed[0].is_ok());
        assert_eq!(parse(text.as_bytes(), Path::new("x.json")).expect("a graph").len(), 1);
    }

    #[test]
    fn parts_that_no_tree_has_are_counted() {
        let parsed = graph(
            r#"{"version": 1, "words": 2, "arcs": [[0, 1, 0], [1, 2, 0]],
                "siblings": [[2, 2, 1, 1], [0, 2, 1, 1]], "factors": [{"arcs": [[2, 1]], "score": 1}]}"#,
        )
        .expect("a graph");
        assert_eq!(parsed.never, 3);
    }

    #[test]
    fn faults_are_named() {
        let fault = |text| graph(text).map(|_| ()).expect_err("a fault").to_string();
        assert_eq!(
            fault(r#"{"version": 1, "words": 10001, "arcs": []}"#),
            "10001 words are too many for one sentence, which may have 10000; cut it into sentences"
        );
        assert_eq!(
            fault(r#"{"version": 2, "words": 1, "arcs": []}"#),
            "version 2 is not supported; this program reads version 1"
        );
        assert_eq!(fault(r#"{"version": 1, "words": 0, "arcs": []}"#), "a graph needs at least one word");
        assert_eq!(
            fault(r#"{"version": 1, "words": 1, "arcs": [[2, 1, 0]]}"#),
            "arc [2, 1]: the head must lie between 0 and 1"
        );
        assert_eq!(
            fault(r#"{"version": 1, "words": 1, "arcs": [[1, 1, 0]]}"#),
            "arc [1, 1] goes from a word to itself"
        );
        assert_eq!(fault(r#"{"version": 1, "words": 1, "arcs": [[0, 1, 0], [0, 1, 3]]}"#), "arc [0, 1] is given twice");
        assert_eq!(
            fault(r#"{"version": 1, "words": 1, "arcs": [[0, 1, 0]], "siblings": [[0, 0, 2, 1]]}"#),
            "sibling [0, 0, 2]: word 2 is out of range (heads go from 0 to 1, modifiers from 1 to 1)"
        );
        assert_eq!(
            fault(r#"{"version": 1, "words": 1, "arcs": [[0, 1, 0]], "siblings": [[0, 0, 1, 1], [0, 0, 1, 2]]}"#),
            "sibling [0, 0, 1] is given twice"
        );
        assert_eq!(
            fault(
                r#"{"version": 1, "words": 2, "arcs": [[0, 1, 0], [1, 2, 0]],
                    "grand_siblings": [[0, 1, 1, 2, 1], [0, 1, 1, 2, 2]]}"#
            ),
            "grand-sibling [0, 1, 1, 2] is given twice"
        );
        assert_eq!(
            fault(r#"{"version": 1, "words": 1, "arcs": [[0, 1, 0]], "single_root": true, "roots": "several"}"#),
            "single_root is true, but roots is \"several\"; leave one of them out"
        );
        assert_eq!(
            fault(r#"{"version": 1, "words": 2, "arcs": [[0, 1, 0]], "required": [[1, 2]]}"#),
            "required arc [1, 2] is not among the arcs; list it there with its score"
        );
        assert_eq!(
            fault(r#"{"version": 1, "words": 1, "arcs": [[0, 1, 0]], "counts": [{"scores": [1]}]}"#),
            "count 1: give the arcs that are counted, or the head whose arcs are, and not both"
        );
        assert_eq!(
            fault(r#"{"version": 1, "words": 1, "arcs": [[0, 1, 0]], "non_projective": [[0, 1, 1]]}"#),
            "there are scores of non_projective arcs, but the trees are projective; add \"trees\": \"non-projective\""
        );
        assert_eq!(
            fault(r#"{"version": 1, "words": 1, "arcs": [[0, 1, 0]], "prior": []}"#),
            "the prior has 0 probabilities for 1 arcs; give one for each, or leave it out"
        );
        assert_eq!(
            fault(r#"{"version": 1, "words": 1, "arcs": [[0, 1, 0]], "prior": [1.5]}"#),
            "the prior of arc [0, 1] is 1.5; a probability lies between 0 and 1"
        );
    }
}
