//! Lists of feature sets that have a name.

use treebound_parser::cell::FeatureSet;
use treebound_parser::features::Family;

/// The names of all lists.
pub(super) const NAMES: [&str; 7] = ["all", "singles", "leave-one-out", "paper", "paper-zh", "ablation", "ablation-zh"];

/// The sets of the list of that name; the baseline is in none.
///
/// * `all`: every subset of the paper's families;
/// * `singles`: each of them alone;
/// * `leave-one-out`: all of them together, and all but one;
/// * `paper`: the rows of the paper's Table 2, `paper-zh` those that it has for Chinese;
/// * `ablation`: each of its families alone, the paper's best set, and that without each of its families; `ablation-zh` the same of
///   the best set for Chinese.
pub(super) fn named(name: &str) -> Option<Vec<FeatureSet>> {
    let all = Family::of_paper();
    Some(match name {
        "all" => subsets(|_| true),
        "singles" => subsets(|size| size == 1),
        "leave-one-out" => subsets(|size| size + 1 >= all.len()),
        "paper" => spelt(&PAPER),
        "paper-zh" => spelt(&PAPER_ZH),
        "ablation" => ablation(&PAPER),
        "ablation-zh" => ablation(&PAPER_ZH),
        _ => return None,
    })
}

/// The subsets whose size is wanted, none of them empty.
fn subsets(wanted: impl Fn(usize) -> bool) -> Vec<FeatureSet> {
    let all = Family::of_paper();
    let members = |bits: u32| all.iter().enumerate().filter(move |(i, _)| bits >> i & 1 == 1).map(|f| *f.1);
    (1..1u32 << all.len())
        .filter(|bits| wanted(bits.count_ones() as usize))
        .map(|bits| FeatureSet::new(members(bits).collect()))
        .collect()
}

/// The rows of a table, the last of which is the best set, and the best set without each of its families.
fn ablation(rows: &[&str]) -> Vec<FeatureSet> {
    let mut sets = spelt(rows);
    let best = sets.last().map_or(Vec::new(), |best| best.families().to_vec());
    let without = |family: &Family| FeatureSet::new(best.iter().copied().filter(|other| other != family).collect());
    sets.extend(best.iter().map(without));
    sets
}

/// The sets of these names.
fn spelt(names: &[&str]) -> Vec<FeatureSet> {
    names.iter().filter_map(|name| FeatureSet::from_names(name)).collect()
}

const PAPER: [&str; 7] =
    ["comb", "grandchild", "great-grandchild", "hand", "sibling", "tri-sibling", "comb+grandchild+hand+sibling"];

const PAPER_ZH: [&str; 6] =
    ["comb", "grandchild", "great-grandchild", "sibling", "tri-sibling", "comb+grandchild+sibling"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_the_sets_that_their_names_say() {
        let sizes = NAMES.map(|name| named(name).map(|sets| sets.len()));
        assert_eq!(sizes, [Some(63), Some(6), Some(7), Some(7), Some(6), Some(11), Some(9)]);
        let text = |name: &str| named(name).unwrap_or_default().iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(text("paper").last().map(String::as_str), Some("comb+grandchild+hand+sibling"));
        assert_eq!(text("paper-zh").last().map(String::as_str), Some("comb+grandchild+sibling"));
        assert!(text("leave-one-out").contains(&"comb+grandchild+great-grandchild+hand+sibling".to_owned()));
        assert_eq!(text("singles"), ["comb", "grandchild", "great-grandchild", "hand", "sibling", "tri-sibling"]);
        assert_eq!(
            text("ablation")[7..],
            ["grandchild+hand+sibling", "comb+hand+sibling", "comb+grandchild+sibling", "comb+grandchild+hand"]
        );
        assert_eq!(named("some"), None);
    }
}
