//! `[features]`: sets of families.

use super::Resolver;
use crate::experiment::config::model::{FeatureSet, Features};
use crate::experiment::config::sets;
use crate::experiment::config::wire::{At, FeaturesWire, SetsWire};
use crate::features::Family;

impl Resolver<'_> {
    pub(in crate::experiment::config) fn features(&mut self, wire: &FeaturesWire) -> Features {
        let mut sets = match wire.sets.as_ref().map(|at| (at, at.get_ref())) {
            None => sets::named(sets::DEFAULT).unwrap_or_default(),
            Some((at, SetsWire::Named(name))) => sets::named(name).unwrap_or_else(|| {
                let known: Vec<_> = sets::NAMES.iter().map(|n| format!("`{n}`")).collect();
                let message = format!(
                    "sets = `{name}` is not known; it can be {}, or a list such as [\"sibling\", \
                     \"grandchild+sibling\"]",
                    known.join(", ")
                );
                self.fault(at, message);
                Vec::new()
            }),
            Some((at, SetsWire::List(list))) => list.iter().filter_map(|name| self.set(at, name)).collect(),
        };
        sets.sort();
        if let (Some(at), Some(twice)) = (&wire.sets, sets.windows(2).find(|w| w[0] == w[1])) {
            self.fault(at, format!("the set `{}` is given twice", twice[0]));
        }
        let third_order = wire.third_order.as_ref().map(|at| {
            if at.get_ref().is_empty() {
                self.fault(at, "third_order = []: name at least one set, `baseline` for no non-local families");
            }
            let named =
                |name: &String| if name == "baseline" { Some(FeatureSet::baseline()) } else { self.set(at, name) };
            at.get_ref().iter().filter_map(named).collect()
        });
        Features { sets, third_order }
    }

    pub(in crate::experiment::config) fn set<T>(&mut self, at: &At<T>, set: &str) -> Option<FeatureSet> {
        let mut families = Vec::new();
        for name in set.split('+').map(str::trim) {
            match Family::parse(name) {
                Some(family) => families.push(family),
                None => {
                    let known: Vec<_> = Family::ALL.iter().map(|f| format!("`{f}`")).collect();
                    self.fault(at, format!("the family `{name}` is not known; families are {}", known.join(", ")));
                    return None;
                }
            }
        }
        Some(FeatureSet::new(families))
    }
}
