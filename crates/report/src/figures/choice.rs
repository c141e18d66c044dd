//! Which settings a figure shows if nobody says: those that the paper shows.

use std::collections::{BTreeMap, BTreeSet};

use treebound_parser::cell::{CorpusName, Setting, Split, Tags};

/// Of each corpus and tags the settings with the most families of features, on the test part, or by
/// cross-validation if test is not among them, or else on the development part.
pub fn main_settings(settings: impl IntoIterator<Item = Setting>) -> BTreeSet<Setting> {
    let mut chosen = BTreeSet::new();
    for settings in on_main_part(settings) {
        let most = settings.iter().map(|setting| setting.families()).max();
        chosen.extend(settings.into_iter().filter(|setting| Some(setting.families()) == most));
    }
    chosen
}

/// The same without a choice of features.
pub fn settings_on_main_part(settings: impl IntoIterator<Item = Setting>) -> BTreeSet<Setting> {
    on_main_part(settings).flatten().collect()
}

/// The settings of each corpus and tags on the part that is shown.
fn on_main_part(settings: impl IntoIterator<Item = Setting>) -> impl Iterator<Item = Vec<Setting>> {
    let mut corpora: BTreeMap<(CorpusName, Tags), Vec<Setting>> = BTreeMap::new();
    for setting in settings {
        corpora.entry((setting.corpus.clone(), setting.tags)).or_default().push(setting);
    }
    corpora.into_values().map(|mut settings| {
        let splits = [Split::Test, Split::Cv];
        if let Some(split) = splits.into_iter().find(|&split| settings.iter().any(|setting| setting.split == split)) {
            settings.retain(|setting| setting.split == split);
        }
        settings
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_sets_on_the_test_part_are_chosen() {
        let setting = |corpus: &str, split: &str, features: &str, pruning: &str| {
            let axes = [corpus, split, "gold", "graph", "compact", "perceptron", features, pruning, "carreras/bnb"];
            Setting::read(axes).expect("a setting")
        };
        let all = [
            setting("a", "dev", "grandchild+sibling", "k=10"),
            setting("a", "test", "grandchild+sibling", "k=10"),
            setting("a", "test", "grandchild+sibling", "k=3"),
            setting("a", "test", "sibling", "k=3"),
            setting("b", "dev", "comb", "k=3"),
            setting("b", "dev", "sibling", "k=3"),
            setting("b", "dev", "baseline", "k=3"),
        ];
        let expected = [1, 2, 4, 5].map(|i| all[i].clone());
        assert_eq!(main_settings(all.clone()), BTreeSet::from(expected));
        let expected = [1, 2, 3, 4, 5, 6].map(|i| all[i].clone());
        assert_eq!(settings_on_main_part(all), BTreeSet::from(expected));
    }
}
