//! A trained parser's weights, ready to score.

use crate::features::{Family, Kind, Plan, TemplateSet};
use crate::weights::table::{FeatureKey, Table};

/// The kinds of parts that a parser with these non-local families scores.
pub fn kinds_wanted(families: &[Family], kind: Kind) -> bool {
    let of_family = |f: &Family| f.kind() == kind;
    families.iter().any(of_family) || !Family::ALL.iter().any(of_family)
}

/// Weights with the templates and families that they belong to.
#[derive(Debug)]
pub struct Model {
    templates: TemplateSet,
    families: Vec<Family>,
    plan: Plan,
    features: Vec<(FeatureKey, i32)>,
    table: Table,
}

impl Model {
    /// A model of distinct features. `families` are sorted and made distinct.
    ///
    /// # Errors
    /// If the system has no memory for the table.
    pub fn new(
        templates: TemplateSet,
        mut families: Vec<Family>,
        features: Vec<(FeatureKey, i32)>,
    ) -> std::io::Result<Self> {
        families.sort_unstable();
        families.dedup();
        let plan = Plan::new(&templates, |kind| kinds_wanted(&families, kind));
        let table = Table::of(&features)?;
        Ok(Self { templates, families, plan, features, table })
    }

    /// The templates.
    pub fn templates(&self) -> &TemplateSet {
        &self.templates
    }

    /// The non-local families, in order; none for the baseline.
    pub fn families(&self) -> &[Family] {
        &self.families
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
    pub fn table(&self) -> &Table {
        &self.table
    }
}
