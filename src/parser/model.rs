//! A trained parser's weights, ready to score.

use crate::decode::Backbone;
use crate::features::{Family, Kind, Plan, TemplateSet};
use crate::weights::fixed::{FixedWeights, Weights};
use crate::weights::table::{FeatureKey, Table};

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
    plan: Plan,
    features: Vec<(FeatureKey, i32)>,
    weights: FixedWeights,
}

impl Model {
    /// A model of distinct features.
    ///
    /// # Errors
    /// If the system has no memory for the table.
    pub fn new(
        templates: TemplateSet,
        families: &[Family],
        backbone: Backbone,
        features: Vec<(FeatureKey, i32)>,
    ) -> std::io::Result<Self> {
        let families = scored_families(families, backbone);
        let plan = Plan::new(&templates, |kind| kinds_wanted(&families, backbone, kind));
        let weights = FixedWeights::new(Table::of(&features)?);
        Ok(Self { templates, families, backbone, plan, features, weights })
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

    /// Whether some families are beyond the dynamic program, so that a search must take them in.
    pub fn needs_search(&self) -> bool {
        self.families.iter().any(|&f| !is_local(f, self.backbone))
    }

    /// The compiled templates.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The weights: the average times the number of training examples, features sorted by key.
    pub fn features(&self) -> &[(FeatureKey, i32)] {
        &self.features
    }

    /// The weights, for look-ups.
    pub fn weights(&self) -> Weights<'_> {
        self.weights.get()
    }
}
