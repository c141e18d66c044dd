//! A trained parser's weights, ready to score.

use super::roots::Roots;
use crate::features::bundles::Folding;
use crate::features::{Bundles, Family, Kind, TemplateSet};
use crate::weights::sights::fixed::{FixedWeights, Weights};
use crate::weights::sights::{Entry, Table};
use treebound_core::decode::Backbone;

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
    if kind == Kind::GrandSibling {
        return backbone == Backbone::GrandSibling;
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
    bundles: Bundles,
    entries: Vec<Entry>,
    weights: FixedWeights,
    log_unit: Option<i64>,
    roots: Roots,
}

impl Model {
    /// A model of distinct sights, sorted, whose trees have one word on the root.
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
        let table = Table::of(&entries)?;
        Ok(Self { entries, ..Self::of_table(templates, families, backbone, folding, table) })
    }

    /// The model of a table, without [`entries`](Self::entries).
    pub fn of_table(
        templates: TemplateSet,
        families: &[Family],
        backbone: Backbone,
        folding: Folding,
        table: Table,
    ) -> Self {
        let families = scored_families(families, backbone);
        let bundles = Bundles::new(&templates, |kind| kinds_wanted(&families, backbone, kind), folding);
        let weights = FixedWeights::new(table);
        let (entries, log_unit, roots) = (Vec::new(), None, Roots::One);
        Self { templates, families, backbone, folding, bundles, entries, weights, log_unit, roots }
    }

    /// The same, where a score of so many units is a logarithm of a probability: the model is a CRF.
    pub fn with_log_unit(self, log_unit: Option<i64>) -> Self {
        Self { log_unit, ..self }
    }

    /// The score that is a logarithm of 1, if scores are logarithms of probabilities.
    pub fn log_unit(&self) -> Option<i64> {
        self.log_unit
    }

    /// The same, where trees may have so many words on the root.
    pub fn with_roots(self, roots: Roots) -> Self {
        Self { roots, ..self }
    }

    /// How many words its trees may have on the root.
    pub fn roots(&self) -> Roots {
        self.roots
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
    pub fn bundles(&self) -> &Bundles {
        &self.bundles
    }

    /// The weights by sight, sorted: the average times the number of training examples, or in the unit of averages.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The weights, for look-ups.
    pub fn weights(&self) -> Weights<'_> {
        self.weights.get()
    }
}
