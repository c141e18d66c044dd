//! Fewer templates of the same kinds: every second, fourth or eighth of a set.

use serde::{Deserialize, Serialize};

use treebound_core::decode::Backbone;
use treebound_parser::features::{Family, Kind, TemplateSet};
use treebound_parser::model::kinds_wanted;

/// A template set, or a share of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Templates {
    /// The set: a built-in name, or a file beside the config.
    pub name: String,
    /// One template in so many is kept; 1 for all.
    pub one_in: usize,
}

impl Templates {
    /// All of a set.
    pub fn all(name: &str) -> Self {
        Self { name: name.to_owned(), one_in: 1 }
    }
}

impl std::fmt::Display for Templates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.one_in {
            1 => f.write_str(&self.name),
            n => write!(f, "{}/{n}", self.name),
        }
    }
}

/// One template in `one_in` of each kind, the first among them.
pub fn thinned(set: &TemplateSet, one_in: usize) -> TemplateSet {
    if one_in <= 1 {
        return set.clone();
    }
    let mut last = "";
    let mut place = 0;
    let text = set.to_string();
    let mut kept = String::new();
    for line in text.lines() {
        let kind = line.split(' ').next().unwrap_or_default();
        place = if kind == last { place + 1 } else { 0 };
        last = kind;
        // Hand-crafted patterns are no templates.
        if kind == "pattern" || place % one_in == 0 {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    // What a set has written can be read.
    TemplateSet::from_lines(&kept).unwrap_or_else(|_| set.clone())
}

/// How many templates a parser with these families looks at.
pub(super) fn looked_at(set: &TemplateSet, families: &[Family], backbone: Backbone) -> usize {
    let wanted = Kind::ALL.into_iter().filter(|&kind| kinds_wanted(families, backbone, kind));
    wanted.map(|kind| set.for_kind(kind).count()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_keeps_its_share() {
        let set = TemplateSet::built_in("compact").expect("built in").expect("read");
        let half = thinned(&set, 2);
        for kind in Kind::ALL {
            assert_eq!(half.for_kind(kind).count(), set.for_kind(kind).count().div_ceil(2), "{kind}");
        }
        assert_eq!(thinned(&set, 1).to_string(), set.to_string());
        assert!(half.for_kind(Kind::Arc).all(|template| set.for_kind(Kind::Arc).any(|t| t == template)));
    }

    #[test]
    fn families_add_their_templates() {
        let set = TemplateSet::built_in("compact").expect("built in").expect("read");
        let count = |families: &[Family]| looked_at(&set, families, Backbone::Carreras);
        let siblings = set.for_kind(Kind::AnySibling).count();
        assert!(siblings > 0);
        assert_eq!(count(&[Family::Sibling]), count(&[]) + siblings);
    }
}
