//! Features by their descriptions: an account of what an arc fires that shares no code with the hashes that scoring
//! adds up.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use treebound::features::describe;
use treebound::features::parts::Part;
use treebound::features::plan::{KindPlan, Views};
use treebound::features::template::Template;
use treebound::features::{Kind, PartList, Plan, TemplateSet};
use treebound::treebank::Token;
use treebound::weights::KeyBuffers;
use treebound::weights::table::FeatureKey;
use treebound::weights::walk::for_each_feature;

/// The features of one kind of arcs.
pub struct Described {
    plan: Plan,
    kind: Kind,
    /// In the order in which the plan visits them.
    templates: Vec<Template>,
    /// By template and description.
    keys: HashMap<(usize, String), FeatureKey>,
    descriptions: HashMap<FeatureKey, (usize, String)>,
    views: Views,
    buffers: KeyBuffers,
}

/// The templates of a plan, in the order in which it visits their features.
fn in_order(plan: &KindPlan) -> Vec<Template> {
    let mut templates = Vec::new();
    for layer in &plan.layers {
        for group in &layer.groups {
            for key in group.keys.clone() {
                let of = |&variant| Template { kind: plan.kind, atoms: layer.keys[key].clone(), variant };
                templates.extend(group.variants.iter().map(of));
            }
        }
    }
    templates
}

impl Described {
    pub fn new(set: &TemplateSet, kind: Kind) -> Self {
        let plan = Plan::new(set);
        let templates = plan.kind(kind).map(in_order).unwrap_or_default();
        let mut sorted = templates.clone();
        sorted.sort();
        assert!(sorted.iter().eq(set.for_kind(kind)), "{kind}: the plan has each template once");
        let (keys, descriptions) = (HashMap::new(), HashMap::new());
        Self { plan, kind, templates, keys, descriptions, views: Views::default(), buffers: KeyBuffers::default() }
    }

    /// Looks at another sentence.
    pub fn begin(&mut self, tokens: &[Token]) {
        self.views.fill(&self.plan, tokens);
    }

    /// The features of a part of the sentence, one a template: two are the same feature if and only if the template is
    /// the same and so is what it sees.
    pub fn features(&mut self, part: Part, tokens: &[Token]) -> Vec<FeatureKey> {
        let Some(kind) = self.plan.kind(self.kind) else { return Vec::new() };
        let mut list = PartList::default();
        list.push(part, 0);
        let mut found = Vec::new();
        for_each_feature(kind, &self.views, &list, &mut self.buffers, |_, key| found.push(key));
        assert_eq!(found.len(), self.templates.len());
        let with_template = |(template, &key): (usize, &FeatureKey)| {
            let description = (template, describe::feature(&self.templates[template], part, tokens));
            match self.keys.entry(description.clone()) {
                Entry::Vacant(entry) => {
                    let other = self.descriptions.insert(key, description.clone());
                    assert_eq!(other, None, "one key for `{}` and {description:?}", self.templates[template]);
                    *entry.insert(key)
                }
                Entry::Occupied(entry) => {
                    assert_eq!(*entry.get(), key, "`{}`: two keys for {description:?}", self.templates[template]);
                    key
                }
            }
        };
        found.iter().enumerate().map(with_template).collect()
    }
}
