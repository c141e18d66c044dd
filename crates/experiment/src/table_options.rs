//! What tables need to know of a config.

use super::config::Config;
use treebound_records::TableOptions;

/// What the tables need to know of the config.
pub fn table_options(config: &Config) -> TableOptions {
    let published = config.corpora.iter().filter_map(|c| Some((c.name.to_string(), c.published.clone()?))).collect();
    let rounds = u32::try_from(config.evaluation.rounds).unwrap_or(u32::MAX);
    let systems = config.kinds.iter().map(|kind| kind.name.to_owned()).collect();
    let (punctuation, random_seed) = (rules(config), config.evaluation.seed);
    TableOptions {
        punctuation,
        published,
        rounds,
        random_seed,
        folds: config.evaluation.folds,
        systems,
        beside: Vec::new(),
    }
}

/// The punctuation rules, for people: one for all, or one a corpus.
fn rules(config: &Config) -> String {
    let rules: Vec<(&str, String)> =
        config.corpora.iter().map(|c| (c.name.as_str(), c.punctuation.to_string())).collect();
    match rules.split_first() {
        Some(((_, first), rest)) if rest.iter().all(|(_, rule)| rule == first) => first.clone(),
        _ => rules.iter().map(|(name, rule)| format!("{name}: {rule}")).collect::<Vec<_>>().join("; "),
    }
}
