//! Where the values of a resolved config come from.

use std::collections::BTreeMap;

use super::place::Place;

/// Places by the path of the key in the resolved config, such as `grid.main.seeds`; none of values that are defaults.
///
/// Two configs are equal wherever their values stand, so any two of these are.
#[derive(Clone, Debug, Default)]
pub struct Origins(BTreeMap<String, Place>);

impl Origins {
    pub(super) fn record(&mut self, path: String, place: &Place) {
        self.0.insert(path, place.clone());
    }

    /// That the value at a path is a default after all.
    pub(super) fn forget(&mut self, path: &str) {
        self.0.remove(path);
    }

    /// Where the value at a path comes from, or the nearest table around it whose place is known; none for a default.
    pub fn of(&self, path: &str) -> Option<String> {
        let mut path = path;
        loop {
            if let Some(place) = self.0.get(path) {
                return Some(place.relative());
            }
            path = path.rsplit_once('.')?.0;
        }
    }
}

impl PartialEq for Origins {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
