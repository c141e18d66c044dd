//! From tokens to tree: prune, score, search. The path that is timed.
//!
//! A CoNLL file parsed with a model, sentence by sentence on all threads.

use std::borrow::Cow;
use std::io;

use rayon::prelude::*;
use thiserror::Error;

use crate::answer::{Clock, NoClock, Phase, Phases};
use crate::labels::{self, ArcRelations};
use crate::model::build::Builder;
use crate::model::{Model, Roots, Search, SearchError, Solved, TreeKind};
use crate::pruning::{Candidates, Pruner, PrunerScratch, Rule};
use crate::reranking::{List, Reranker};
use crate::tagger;
use crate::tagger::Tagger;
use crate::treebank::conll::{ConllFile, Parses};
use crate::treebank::{FineTags, Place, Relations, Sentence, Token, Tree};
use treebound_core::decode::arborescence::Arborescence;
use treebound_core::decode::bnb::Limits;
use treebound_core::decode::first_order::ArcScores;
use treebound_core::decode::mbr::ArcProbabilities;
use treebound_core::decode::{Decoded, Decoder, DpError, Status, first_order};
use treebound_core::graph::{ArcSpace, Asked, FactorGraph, Room, SpaceError, TreeArcs, Trees, Word};

/// Why a sentence could not be parsed.
#[derive(Debug, Error)]
pub enum ParseError {
    /// The sentence has no words, or too many.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// The decoder cannot handle the model's families, or is not there.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The decoder wants probabilities.
    #[error(
        "the model has no probabilities, which the decoder `mbr` and --probabilities need: only a CRF without non-local \
         features has them (learner = \"crf\")"
    )]
    NoProbabilities,
}

impl From<DpError> for ParseError {
    fn from(error: DpError) -> Self {
        Self::Search(error.into())
    }
}

/// A parser: who prunes, who scores and who searches.
#[derive(Clone, Copy, Debug)]
pub struct Parser<'a> {
    /// Chooses candidate heads, and says which the search should believe in at first.
    pub pruner: &'a Pruner,
    /// Which heads are kept.
    pub rule: Rule,
    /// Scores the parts.
    pub model: &'a Model,
    /// Searches.
    pub decoder: Decoder,
    /// Limits of the search.
    pub limits: Limits,
}

/// Memory for parsing, reused from sentence to sentence.
#[derive(Debug, Default)]
pub struct Scratch {
    pruner: PrunerScratch,
    candidates: Candidates,
    builder: Builder,
    search: Search,
    probabilities: ArcProbabilities,
    labels: labels::Scratch,
    arc_relations: ArcRelations,
    tree_arcs: TreeArcs,
    relations: Option<Relations>,
    list: Option<List>,
}

impl Scratch {
    /// The candidate arcs of the last sentence, sorted by head, then modifier.
    pub fn arcs(&self) -> &[(Word, Word)] {
        &self.candidates.arcs
    }

    /// The marginal of each of them under the pruner, if it was asked.
    pub fn prior(&self) -> Option<&[f64]> {
        self.candidates.prior()
    }

    /// Look-ups of features so far: the pruner's, and the parser's. They take most of the time (docs/notebook/scoring.md).
    pub fn lookups(&self) -> [u64; 2] {
        [self.pruner.lookups(), self.builder.lookups()]
    }

    /// The relations of the last sentence that was parsed, if its model has a labeller.
    pub fn take_relations(&mut self) -> Option<Relations> {
        self.relations.take()
    }

    /// The trees that the last tree that was parsed was chosen among, if its model has a reranker.
    pub fn take_list(&mut self) -> Option<List> {
        self.list.take()
    }

    /// What a solver says of the last sentence, if its decoder is one.
    pub fn solved(&self) -> Option<&Solved> {
        self.search.solved()
    }

    /// The factor graph of the last sentence.
    pub fn graph(&self) -> &FactorGraph {
        self.builder.graph()
    }
}

impl Parser<'_> {
    /// Parses a sentence, and finds the [relations](Scratch::take_relations) of its tree if the model has a labeller.
    ///
    /// Should the kept arcs hold no tree, those of the tree with most expected correct arcs under the pruner are added.
    ///
    /// # Errors
    /// See [`ParseError`].
    pub fn parse(
        &self,
        tokens: &[Token],
        scratch: &mut Scratch,
        clock: &mut (impl Clock + ?Sized),
    ) -> Result<(Decoded, Phases), ParseError> {
        let start = clock.now_ns();
        self.keep_arcs(tokens, scratch);
        let pruned = clock.now_ns();
        self.build(tokens, scratch)?;
        let scored = clock.now_ns();
        let mut answer = self.search(self.limits, scratch)?;
        // A relaxation may have a point where there is no tree to round it to.
        let has_none = answer.status == Status::Relaxed && answer.tree.is_none();
        if answer.status == Status::Infeasible || has_none {
            self.add_a_tree(tokens, scratch);
            self.build(tokens, scratch)?;
            let first = (answer.dp_calls, answer.nodes);
            answer = self.search(self.limits, scratch)?;
            answer.dp_calls += first.0;
            answer.nodes += first.1;
        }
        let end = clock.now_ns();
        let phases = Phases::default()
            .with(Phase::Prune, pruned - start)
            .with(Phase::Score, scored - pruned)
            .with(Phase::Decode, end - scored);
        if let Some((labeller, tree)) = self.model.arc_labeller().zip(answer.tree.as_ref()) {
            scratch.tree_arcs.find(&scratch.builder.graph().space, tree.heads());
            scratch.relations = Some(labeller.relations(scratch.tree_arcs.arcs(), &scratch.arc_relations));
        }
        let Some(labeller) = self.model.labeller() else { return Ok((answer, phases)) };
        scratch.relations = answer.tree.as_ref().map(|tree| labeller.label(tokens, tree, &mut scratch.labels));
        Ok((answer, phases.with(Phase::Label, clock.now_ns() - end)))
    }

    /// The factor graph of a sentence, in `scratch`: the one whose tree [`parse`](Self::parse) finds.
    ///
    /// # Errors
    /// See [`ParseError`].
    pub fn graph<'s>(&self, tokens: &[Token], scratch: &'s mut Scratch) -> Result<&'s FactorGraph, ParseError> {
        self.candidates(tokens, scratch);
        self.build(tokens, scratch)?;
        Ok(scratch.builder.graph())
    }

    /// The candidate arcs of a sentence: those of its [`graph`](Self::graph), which is not built.
    pub fn candidates<'s>(&self, tokens: &[Token], scratch: &'s mut Scratch) -> &'s [(Word, Word)] {
        self.keep_arcs(tokens, scratch);
        if !hold_a_tree(tokens.len(), scratch.arcs(), self.model.tree_kind()) {
            self.add_a_tree(tokens, scratch);
        }
        scratch.arcs()
    }

    fn keep_arcs(&self, tokens: &[Token], scratch: &mut Scratch) {
        // Where all arcs are kept the search still begins with what the pruner thinks of them; the program alone has no
        // use for that.
        let unasked = self.rule == Rule::None && self.decoder == Decoder::Dp;
        let marginals: &[f64] = if unasked { &[] } else { self.pruner.marginals(tokens, &mut scratch.pruner) };
        scratch.candidates.fill(self.rule, tokens.len(), marginals);
    }

    fn build(&self, tokens: &[Token], scratch: &mut Scratch) -> Result<(), SpaceError> {
        let Self { model, .. } = self;
        let (template_groups, families, arcs) = (model.template_groups(), model.families(), &scratch.candidates.arcs);
        let asked = if self.decoder == Decoder::Mbr { Asked::Sums } else { Asked::Tree };
        scratch.builder.limit(Room::new(self.limits.bytes, asked));
        scratch.builder.build(template_groups, families, model.weights(), tokens, arcs, model.tree_kind())?;
        if let Some(labeller) = model.arc_labeller() {
            labeller.find(tokens, &scratch.builder.graph().space, &mut scratch.arc_relations);
            scratch.builder.add_to_arcs(scratch.arc_relations.scores());
        }
        Ok(())
    }

    /// Searches the graph in `scratch` within other limits than the parser's.
    pub(super) fn search(&self, limits: Limits, scratch: &mut Scratch) -> Result<Decoded, ParseError> {
        let graph = scratch.builder.graph();
        if self.decoder == Decoder::Mbr {
            let unit = self.model.log_unit().ok_or(ParseError::NoProbabilities)?;
            return Ok(scratch.search.least_risk(graph, self.model.backbone(), unit as f64)?);
        }
        if let Some(reranker) = self.model.reranker() {
            return self.choose(reranker, limits, scratch);
        }
        let prior = scratch.candidates.prior();
        Ok(scratch.search.decode(self.decoder, graph, self.model.backbone(), prior, limits)?)
    }

    /// Searches for the best trees, and chooses one of them. Its bound is that of the best tree.
    fn choose(&self, reranker: &Reranker, limits: Limits, scratch: &mut Scratch) -> Result<Decoded, ParseError> {
        let (graph, prior) = (scratch.builder.graph(), scratch.candidates.prior());
        let backbone = self.model.backbone();
        let best = scratch.search.search_trees(graph, reranker.most(), backbone, prior, limits)?;
        let chosen = best.trees.get(reranker.choose(&best.trees)).cloned();
        scratch.list = Some(best.trees);
        let Some((tree, score)) = chosen else { return Ok(best.decoded) };
        Ok(Decoded { tree: Some(tree), score: Some(score), status: Status::Chosen, ..best.decoded })
    }

    /// The probability of each arc of the last sentence's [graph](Scratch::graph); none if it has no tree.
    ///
    /// # Errors
    /// If the model is no CRF, or the sums take more memory than the parser may take.
    pub fn probabilities<'s>(&self, scratch: &'s mut Scratch) -> Result<Option<&'s [f64]>, ParseError> {
        let unit = self.model.log_unit().ok_or(ParseError::NoProbabilities)?;
        Room::new(self.limits.bytes, Asked::Sums).start(&scratch.graph().space)?;
        let found = scratch.probabilities.find(scratch.builder.graph(), self.model.backbone(), unit as f64);
        Ok(found.map_err(SearchError::from)?)
    }

    /// The probability of the head of each word in a tree of the last sentence's [graph](Scratch::graph).
    ///
    /// # Errors
    /// See [`Self::probabilities`].
    pub fn head_probabilities(&self, tree: &Tree, scratch: &mut Scratch) -> Result<Vec<f64>, ParseError> {
        let mut arcs = TreeArcs::default();
        arcs.find(&scratch.graph().space, tree.heads());
        let of_arcs = self.probabilities(scratch)?.unwrap_or_default();
        Ok(arcs.arcs().iter().map(|arc| of_arcs.get(arc.ix()).copied().unwrap_or(0.0)).collect())
    }

    /// Adds the arcs of the projective tree with the largest sum of marginals, which is a tree of all kinds.
    fn add_a_tree(&self, tokens: &[Token], scratch: &mut Scratch) {
        /// Marginals as integers: 2^-40 is far below what the sum's choice could matter for.
        const UNIT: f64 = (1u64 << 40) as f64;
        let n = tokens.len();
        let marginals = self.pruner.marginals(tokens, &mut scratch.pruner);
        let mut arcs = ArcScores::new(n);
        for m in 1..=n {
            for h in (0..=n).filter(|&h| h != m) {
                arcs.set(Word::new(h), Word::new(m), (marginals[h * (n + 1) + m] * UNIT) as i64);
            }
        }
        if let Some((tree, _)) = first_order::decode(&arcs) {
            scratch.candidates.add(tree.heads(), marginals);
        }
    }
}

/// Whether there is a tree of a kind among some arcs, sorted by head, then modifier.
fn hold_a_tree(words: usize, arcs: &[(Word, Word)], TreeKind { trees, roots }: TreeKind) -> bool {
    if trees == Trees::NonProjective {
        let space = ArcSpace::new(words, roots == Roots::One, arcs);
        return space
            .is_ok_and(|space| Arborescence::<i64>::default().best(&space, (0..space.arcs()).map(|_| 0)).is_some());
    }
    // The program wants one word on the root. Where there may be several, that is a word that stands for the root.
    let before = usize::from(roots == Roots::Several);
    let mut allowed = ArcScores::new(words + before);
    let moved = |word: Word| Word::new(word.ix() + before);
    arcs.iter().for_each(|&(h, m)| allowed.set(moved(h), moved(m), 0));
    if roots == Roots::Several {
        allowed.set(Word::ROOT, moved(Word::ROOT), 0);
    }
    first_order::decode(&allowed).is_some()
}

/// A parser with what it does to the words first and says of their heads afterwards.
#[derive(Clone, Copy, Debug)]
pub struct FileParser<'a> {
    /// The parser.
    pub parser: Parser<'a>,
    /// The tagger of its model, if it was trained with predicted tags.
    pub tagger: Option<&'a Tagger>,
    /// What the model takes for fine tags.
    pub fine_tags: FineTags,
    /// Whether the probabilities of heads are asked for.
    pub has_probabilities: bool,
}

/// A sentence that was not parsed.
#[derive(Debug, Error)]
pub enum SentenceError {
    /// The parser has failed.
    #[error("{0}")]
    Parse(Place, #[source] ParseError),
    /// No tree fits into the arcs that are kept.
    #[error("{0}: no tree was found")]
    NoTree(Place),
}

/// The trees of a file.
#[derive(Clone, Debug)]
pub struct ParsedFile(Vec<ParsedSentence>);

#[derive(Clone, Debug)]
struct ParsedSentence {
    tree: Tree,
    relations: Option<Relations>,
    status: Status,
    /// With the model's tags, if it has a tagger.
    tokens: Option<Vec<Token>>,
    /// By word: the probability of its head.
    probabilities: Option<Vec<f64>>,
}

impl FileParser<'_> {
    /// The words of a sentence with the tags that the parser sees.
    pub fn tokens<'s>(&self, sentence: &'s Sentence, tagging: &mut tagger::Scratch) -> Cow<'s, [Token]> {
        let mut tokens = Cow::Borrowed(sentence.tokens.as_slice());
        if !self.fine_tags.are_own() {
            self.fine_tags.put(tokens.to_mut());
        }
        if let Some(tagger) = self.tagger {
            tagger.tag(tokens.to_mut(), tagging);
        }
        tokens
    }

    /// Parses sentences.
    ///
    /// # Errors
    /// If a sentence cannot be parsed: the first of them.
    pub fn parse(&self, sentences: &[Sentence]) -> Result<ParsedFile, SentenceError> {
        let parsed = sentences
            .par_iter()
            .with_min_len(16)
            .map_init(Default::default, |(tagging, scratch), sentence| self.parse_sentence(sentence, tagging, scratch))
            .collect::<Result<_, _>>()?;
        Ok(ParsedFile(parsed))
    }

    fn parse_sentence(
        &self,
        sentence: &Sentence,
        tagging: &mut tagger::Scratch,
        scratch: &mut Scratch,
    ) -> Result<ParsedSentence, SentenceError> {
        let failed = |error| SentenceError::Parse(sentence.place.clone(), error);
        let tokens = self.tokens(sentence, tagging);
        let (answer, _) = self.parser.parse(&tokens, scratch, &mut NoClock).map_err(failed)?;
        let tree = answer.tree.ok_or_else(|| SentenceError::NoTree(sentence.place.clone()))?;
        let probabilities = match self.has_probabilities {
            true => Some(self.parser.head_probabilities(&tree, scratch).map_err(failed)?),
            false => None,
        };
        let (relations, tokens) = (scratch.take_relations(), self.tagger.is_some().then(|| tokens.into_owned()));
        Ok(ParsedSentence { tree, relations, status: answer.status, tokens, probabilities })
    }
}

impl ParsedSentence {
    /// Whether the tree is the best, or the best by the decoder's own measure: no limit has stopped a search, and no fraction was
    /// rounded.
    fn is_proven(&self) -> bool {
        !matches!(self.status, Status::DpCallLimit | Status::MemoryLimit | Status::Relaxed)
    }
}

impl ParsedFile {
    /// The number of sentences.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no sentence.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of searches that ended in a way.
    pub fn ended(&self, status: Status) -> usize {
        self.0.iter().filter(|parsed| parsed.status == status).count()
    }

    /// Writes the file that was parsed with these trees.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write(self, input: &ConllFile, out: &mut dyn io::Write) -> io::Result<()> {
        let trees: Vec<Tree> = self.0.iter().map(|parsed| parsed.tree.clone()).collect();
        let proven: Vec<bool> = self.0.iter().map(|parsed| parsed.is_proven()).collect();
        let (mut tokens, mut probabilities, mut relations) = (Vec::new(), Vec::new(), Vec::new());
        for parsed in self.0 {
            tokens.push(parsed.tokens);
            probabilities.push(parsed.probabilities);
            relations.push(parsed.relations);
        }
        // All sentences have them or none has.
        let tokens: Option<Vec<_>> = tokens.into_iter().collect();
        let probabilities: Option<Vec<_>> = probabilities.into_iter().collect();
        let relations: Option<Vec<_>> = relations.into_iter().collect();
        let parses = Parses {
            trees: &trees,
            tagged: tokens.as_deref(),
            relations: relations.as_deref(),
            probabilities: probabilities.as_deref(),
            proven: Some(&proven),
        };
        input.write_parsed(parses, out)
    }
}
