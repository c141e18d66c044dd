//! The score of a tree as a plain sum of weights: from the parts that the tree has, over the contexts of the model one by
//! one, without a graph, a table or a dynamic program.
//!
//! Models' tables confuse about one absent address in 10^8 with one that is there. A tree whose plain sum is another one
//! is looked up in the table too, which is what its score means then. What labels inside the search add comes on top.

use treebound_core::tree::Tree;
use treebound_parser::features::Kind;
use treebound_parser::features::PartList;
use treebound_parser::features::Views;
use treebound_parser::features::groups::Fold;
use treebound_parser::features::parts::BetweenWords;
use treebound_parser::labels::ArcRelations;
use treebound_parser::model::Model;
use treebound_parser::model::build::TreeParts;
use treebound_parser::treebank::Token;
use treebound_parser::weights::contexts::Weights;
use treebound_parser::weights::contexts::scorer::Scores;
use treebound_parser::weights::contexts::scorer::add_scores;
use treebound_parser::weights::contexts::{Buffers, Context, Entry, at_address};
use treebound_parser::weights::contexts::{Seen, for_each_context};

/// Scores trees by a model; memory is reused from tree to tree.
#[derive(Debug)]
pub struct Scale<'a> {
    model: &'a Model,
    parts: TreeParts,
    between: BetweenWords,
    views: Views,
    list: PartList,
    buffers: Buffers,
    relations: ArcRelations,
}

impl<'a> Scale<'a> {
    /// For a model that has its [entries](Model::entries).
    pub fn new(model: &'a Model) -> Self {
        Self {
            model,
            parts: TreeParts::default(),
            between: BetweenWords::default(),
            views: Views::default(),
            list: PartList::default(),
            buffers: Buffers::default(),
            relations: ArcRelations::default(),
        }
    }

    /// The score of a tree over some words: by its contexts, and if that is not `expected`, by the model's table.
    pub fn score(&mut self, tokens: &[Token], tree: &Tree, expected: Option<i128>) -> i128 {
        let template_groups = self.model.template_groups();
        self.parts.fill(template_groups, self.model.families(), tokens, tree, &mut self.between);
        self.views.fill(template_groups, tokens);
        let labels = self.model.arc_labeller().and_then(|labeller| labeller.score(tokens, tree, &mut self.relations));
        let labels = labels.unwrap_or(0);
        let plain = self.by_sights() + labels;
        if Some(plain) == expected { plain } else { self.by_table() + labels }
    }

    /// Calls `visit` with the parts of each kind.
    fn each_kind(&mut self, mut visit: impl FnMut(&mut Self, Kind)) {
        let parts = std::mem::take(&mut self.parts.parts);
        for of_kind in parts.chunk_by(|a, b| a.0 == b.0) {
            self.list.clear();
            of_kind.iter().for_each(|(_, part)| self.list.push(*part, 0));
            if let Some((kind, _)) = of_kind.first() {
                visit(self, *kind);
            }
        }
        self.parts.parts = parts;
    }

    fn by_sights(&mut self) -> i128 {
        let mut sum = 0;
        self.each_kind(|scale, kind| {
            let Some(template_groups) = scale.model.template_groups().kind(kind) else { return };
            for_each_context(template_groups, &scale.views, &scale.list, |Seen { template_group, context, .. }| {
                sum += learnt(scale.model.entries(), template_group.product.fold, context);
            });
        });
        sum
    }

    fn by_table(&mut self) -> i128 {
        let mut sum = 0;
        let weights = Weights { cache: None, ..self.model.weights() };
        self.each_kind(|scale, kind| {
            let Some(template_groups) = scale.model.template_groups().kind(kind) else { return };
            let mut score = [0];
            add_scores(
                weights,
                template_groups,
                &scale.views,
                &scale.list,
                &mut scale.buffers,
                Scores::new(&mut score),
            );
            sum += i128::from(score[0]);
        });
        sum
    }
}

/// The weights of all features that a context fires: each context of its address counts once for every template that does not
/// tell the two apart. `entries` are sorted.
fn learnt(entries: &[Entry], fold: Fold, context: Context) -> i128 {
    let weight = |entry: &Entry| {
        let other = entry.context;
        let agree = [
            fold.distance && other.first == context.first,
            fold.forms && other.forms == context.forms,
            fold.tags && other.tags == context.tags,
        ];
        i128::from(entry.weight) << agree.iter().filter(|&&agree| agree).count()
    };
    at_address(entries, context).map(weight).sum()
}
