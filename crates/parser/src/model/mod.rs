//! Models: features and weights put together into factor graphs, and the path from tokens to tree.

pub mod build;
pub mod explain;
mod file;
mod parse;
pub mod point;
mod search;

use serde::{Deserialize, Serialize};

use crate::bytes::Damaged;
use crate::features::groups::Folding;
use crate::features::{Family, Kind, TemplateGroups, TemplateSet};
use crate::labels::{ArcLabeller, Labeller};
use crate::reranking::Reranker;
use crate::weights::contexts::{Entry, FixedWeights, Table, Weights};
use treebound_core::decode::Backbone;
use treebound_core::decode::first_order::{ArcScores, decode};
use treebound_core::graph::{ArcSpace, Trees, Word};
use treebound_core::tree::Tree;

pub use file::{ModelFileError, TrainedParser};
pub use parse::{FileParser, ParseError, ParsedFile, Parser, Scratch, SentenceError};
pub use search::{Search, SearchError, Solved, check_built};

/// Whether the dynamic program scores the factors of a family itself.
pub fn is_local(family: Family, backbone: Backbone) -> bool {
    backbone == Backbone::GrandSibling && family == Family::Grandchild
}

/// The families that a parser with these non-local families scores, sorted: all that is local to the backbone is scored.
pub fn scored_families(families: &[Family], backbone: Backbone) -> Vec<Family> {
    Family::ALL.into_iter().filter(|&f| families.contains(&f) || is_local(f, backbone)).collect()
}

/// The kinds of parts that a parser with these non-local families scores.
pub fn kinds_wanted(families: &[Family], backbone: Backbone, kind: Kind) -> bool {
    match kind {
        Kind::GrandSibling => return backbone == Backbone::GrandSibling,
        // Arcs alone are local to it.
        Kind::Sibling | Kind::Grandchild if backbone == Backbone::Arborescence => return false,
        _ => {}
    }
    let of_family = |f: &Family| f.kind() == kind;
    families.iter().any(of_family) || !Family::ALL.iter().any(of_family)
}

/// Weights with the templates and families that they belong to.
#[derive(Debug)]
pub struct Model {
    templates: TemplateSet,
    families: Vec<Family>,
    backbone: Backbone,
    folding: Folding,
    template_groups: TemplateGroups,
    entries: Vec<Entry>,
    weights: FixedWeights,
    log_unit: Option<i64>,
    roots: Roots,
    trees: Trees,
    labeller: Option<Labeller>,
    arc_labeller: Option<ArcLabeller>,
    reranker: Option<Reranker>,
}

impl Model {
    /// A model of distinct contexts, sorted, whose trees have one word on the root.
    ///
    /// # Errors
    /// If the system has no memory for the table.
    pub fn new(
        templates: TemplateSet,
        families: &[Family],
        backbone: Backbone,
        folding: Folding,
        entries: Vec<Entry>,
    ) -> std::io::Result<Self> {
        let table = Table::build(&entries)?;
        Ok(Self { entries, ..Self::from_table(templates, families, backbone, folding, table) })
    }

    /// The model of a table, without [`entries`](Self::entries).
    pub fn from_table(
        templates: TemplateSet,
        families: &[Family],
        backbone: Backbone,
        folding: Folding,
        table: Table,
    ) -> Self {
        let families = scored_families(families, backbone);
        let template_groups = TemplateGroups::new(&templates, |kind| kinds_wanted(&families, backbone, kind), folding);
        let weights = FixedWeights::new(table);
        Self {
            templates,
            families,
            backbone,
            folding,
            template_groups,
            entries: Vec::new(),
            weights,
            log_unit: None,
            roots: Roots::One,
            trees: Trees::Projective,
            labeller: None,
            arc_labeller: None,
            reranker: None,
        }
    }

    /// This model, where a score of so many units is a logarithm of a probability: the model is a CRF.
    pub fn with_log_unit(self, log_unit: Option<i64>) -> Self {
        Self { log_unit, ..self }
    }

    /// The score that is a logarithm of 1, if scores are logarithms of probabilities.
    pub fn log_unit(&self) -> Option<i64> {
        self.log_unit
    }

    /// This model, where trees may have so many words on the root.
    pub fn with_roots(self, roots: Roots) -> Self {
        Self { roots, ..self }
    }

    /// How many words its trees may have on the root.
    pub fn roots(&self) -> Roots {
        self.roots
    }

    /// This model, whose trees get relations.
    pub fn with_labeller(self, labeller: Option<Labeller>) -> Self {
        Self { labeller, ..self }
    }

    /// Who finds the relations of its trees, if they get any.
    pub fn labeller(&self) -> Option<&Labeller> {
        self.labeller.as_ref()
    }

    /// This model, whose arcs have relations, which count in their scores.
    pub fn with_arc_labeller(self, arc_labeller: Option<ArcLabeller>) -> Self {
        Self { arc_labeller, ..self }
    }

    /// This model, whose trees are chosen among the best ones.
    pub fn with_reranker(self, reranker: Option<Reranker>) -> Self {
        Self { reranker, ..self }
    }

    /// What chooses among its best trees, if something does.
    pub fn reranker(&self) -> Option<&Reranker> {
        self.reranker.as_ref()
    }

    /// Takes away who finds the relations of candidate arcs.
    pub fn take_arc_labeller(&mut self) -> Option<ArcLabeller> {
        self.arc_labeller.take()
    }

    /// Who finds the relations of candidate arcs, if their scores count.
    pub fn arc_labeller(&self) -> Option<&ArcLabeller> {
        self.arc_labeller.as_ref()
    }

    /// This model, where trees may cross or not.
    pub fn with_trees(self, trees: Trees) -> Self {
        Self { trees, ..self }
    }

    /// Which trees it is for.
    pub fn tree_kind(&self) -> TreeKind {
        TreeKind { trees: self.trees, roots: self.roots }
    }

    /// This model in memory of its own, all of it checked.
    ///
    /// # Errors
    /// If the file that it lies in is damaged.
    pub(crate) fn into_memory(self) -> Result<Self, Damaged> {
        let Self { templates, families, backbone, log_unit, roots, trees, folding, labeller, arc_labeller, .. } = self;
        let table = self.weights.into_table().into_memory()?;
        let model = Self::from_table(templates, &families, backbone, folding, table);
        let model = model.with_log_unit(log_unit).with_roots(roots).with_trees(trees);
        Ok(model.with_labeller(labeller).with_arc_labeller(arc_labeller))
    }

    /// The table.
    pub fn into_table(self) -> Table {
        self.weights.into_table()
    }

    /// The templates.
    pub fn templates(&self) -> &TemplateSet {
        &self.templates
    }

    /// The families that are scored, in order.
    pub fn families(&self) -> &[Family] {
        &self.families
    }

    /// The dynamic program that the model is made for.
    pub fn backbone(&self) -> Backbone {
        self.backbone
    }

    /// Of which kinds templates share look-ups.
    pub fn folding(&self) -> Folding {
        self.folding
    }

    /// Whether some families are beyond the dynamic program, so that a search must take them in.
    pub fn needs_search(&self) -> bool {
        self.families.iter().any(|&f| !is_local(f, self.backbone))
    }

    /// The compiled templates.
    pub fn template_groups(&self) -> &TemplateGroups {
        &self.template_groups
    }

    /// The weights by context, sorted: the average times the number of training examples, or in the unit of averages. None of a
    /// model that was read from a file or made of a table.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The weights, for look-ups.
    pub fn weights(&self) -> Weights<'_> {
        self.weights.get()
    }
}

crate::named! {
    /// How many words may hang on the root.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Roots {
        /// Exactly one (paper, section 2.1).
        #[default]
        One = "one",
        /// One or more (Ma & Zhao 2012, section 2.5).
        Several = "several",
    }
}

impl Roots {
    /// What the trees of a graph have.
    pub fn in_space(space: &ArcSpace) -> Self {
        if space.single_root() { Self::One } else { Self::Several }
    }

    /// Whether so many words may hang on the root.
    pub fn allow(self, words: usize) -> bool {
        words == 1 || (words > 1 && self == Self::Several)
    }

    /// Whether a parser of projective trees may give the tree, as far as candidates go.
    pub fn allow_tree(self, tree: &Tree) -> bool {
        TreeKind::from(self).allows(tree)
    }
}

/// Which trees a parser gives and learns from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TreeKind {
    /// Whether arcs may cross.
    pub trees: Trees,
    /// How many words may hang on the root.
    pub roots: Roots,
}

/// Projective trees.
impl From<Roots> for TreeKind {
    fn from(roots: Roots) -> Self {
        Self { roots, trees: Trees::Projective }
    }
}

impl TreeKind {
    /// All, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        Trees::ALL.into_iter().flat_map(|trees| Roots::ALL.into_iter().map(move |roots| Self { trees, roots }))
    }

    /// Whether the tree is one of them.
    pub fn allows(self, tree: &Tree) -> bool {
        (self.trees == Trees::NonProjective || tree.is_projective()) && self.roots.allow(tree.roots().count())
    }

    /// The one of them that shares most arcs with `tree`; itself if it is one.
    pub fn nearest(self, tree: &Tree) -> Tree {
        if self.allows(tree) {
            return tree.clone();
        }
        match self.trees {
            Trees::Projective => projectivize(tree, self.roots),
            // It has too many words on the root: the first stays, with the others below it.
            Trees::NonProjective => {
                let first = tree.roots().next().unwrap_or(Word::ROOT);
                let heads = (1..=tree.len()).map(Word::new).map(|m| {
                    let head = tree.head(m);
                    if head.is_root() && m != first { first } else { head }
                });
                Tree::from_decoder(heads.collect())
            }
        }
    }
}

/// The projective tree with so many words on the root that shares most arcs with `tree`.
///
/// A projective tree with no more of them is returned as it is.
pub fn projectivize(tree: &Tree, roots: Roots) -> Tree {
    if roots.allow_tree(tree) {
        return tree.clone();
    }
    let n = tree.len();
    // The program wants one word on the root. Where there may be several, that is a word that stands for the root.
    let before = usize::from(roots == Roots::Several);
    let moved = |word: Word| Word::new(word.ix() + before);
    let mut arcs = ArcScores::new(n + before);
    if roots == Roots::Several {
        arcs.set(Word::ROOT, moved(Word::ROOT), 0);
    }
    // All liftings of all words together are worth less than one gold arc.
    let gold = (n as i64 + 1) * (n as i64 + 1);
    for m in (1..=n).map(Word::new) {
        for h in (0..=n).map(Word::new).filter(|&h| h != m) {
            arcs.set(moved(h), moved(m), 0);
        }
        let mut worth = gold;
        let mut h = tree.head(m);
        loop {
            arcs.set(moved(h), moved(m), worth);
            worth = if worth == gold { n as i64 } else { worth - 1 };
            if h.is_root() {
                break;
            }
            h = tree.head(h);
        }
    }
    let Some((found, _)) = decode(&arcs) else { return tree.clone() };
    let heads = found.heads()[before..].iter().map(|head| Word::new(head.ix() - before));
    Tree::from_decoder(heads.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(heads: &[u32]) -> Tree {
        Tree::new(heads.iter().map(|&h| Word(h)).collect()).expect("a tree")
    }

    #[test]
    fn a_projective_tree_stays() {
        let t = tree(&[2, 0, 5, 5, 2]);
        assert!(Roots::ALL.into_iter().all(|roots| projectivize(&t, roots) == t));
    }

    /// Word 1 hangs on 3 across the arc 0 -> 2: lifting it to 3's head, 2, keeps all other arcs.
    #[test]
    fn a_crossing_arc_is_lifted_to_the_nearest_ancestor() {
        let t = tree(&[3, 0, 4, 2]);
        assert!(!t.is_projective());
        assert!(Roots::ALL.into_iter().all(|roots| projectivize(&t, roots) == tree(&[2, 0, 4, 2])));
    }

    #[test]
    fn several_roots_become_one_where_there_may_be_no_more() {
        let t = tree(&[0, 0, 0]);
        assert_eq!(projectivize(&t, Roots::One).roots().count(), 1);
        assert_eq!(projectivize(&t, Roots::Several), t);
    }

    /// Word 1 hangs on 4 across the root's second word, 3.
    #[test]
    fn words_stay_on_the_root_where_another_arc_crosses() {
        let t = tree(&[4, 1, 0, 0, 4]);
        assert!(!t.is_projective());
        assert_eq!(projectivize(&t, Roots::Several), tree(&[0, 1, 0, 0, 4]));
        assert_eq!(projectivize(&t, Roots::One).roots().count(), 1);
    }
}
