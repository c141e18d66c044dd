//! Head rules: which child of a constituent is its head child.

use std::collections::BTreeMap;

use super::coarse::CoarseTags;

/// The end from which children are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Left,
    Right,
}

/// The rule of one label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    pub(super) direction: Direction,
    /// Sets of labels, tried in order.
    pub(super) groups: Vec<Vec<String>>,
}

/// A label that no rule names.
static ANY_OTHER: Rule = Rule { direction: Direction::Right, groups: Vec::new() };

/// A table of head rules, with what else a treebank's labels decide: what is punctuation, and how coarse tags are made.
///
/// # Rule files
///
/// Lines `LABEL DIRECTION GROUP GROUP ...`, separated by white space. DIRECTION is `l` (the children are looked at from
/// the left) or `r` (from the right). A GROUP is a label, or a set of labels written `A|B|C`. A line whose first
/// character is `#` is a comment. Two settings may stand anywhere, once each:
///
/// * `@coarse english`, `chinese` or `fine`: how coarse tags are made (see [`CoarseTags`]); `english` if absent.
/// * `@punctuation TAG TAG ...`: the tags that are never a head while there is another choice; if absent, those of the
///   Penn Treebank and the one of the Chinese Treebank: ``` `` '' , . : -LRB- -RRB- # PU ```.
///
/// # How a head child is chosen
///
/// The groups are tried in order; the first group with a label that some child has decides, and of the children with a
/// label of that group the first in the rule's direction is taken. If there is none: the first child in that direction
/// that is not punctuation, else the first. A label without a rule is looked at from the right with no groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadRules {
    pub(super) rules: BTreeMap<String, Rule>,
    pub(super) punctuation: Vec<String>,
    pub(super) coarse: CoarseTags,
}

impl HeadRules {
    /// The index of the head child of a constituent; none only if there are no children.
    ///
    /// Labels come without function tags and indices.
    pub fn head_child(&self, label: &str, children: &[&str]) -> Option<usize> {
        let rule = self.rules.get(label).unwrap_or(&ANY_OTHER);
        let first = |wanted: &dyn Fn(&str) -> bool| match rule.direction {
            Direction::Left => children.iter().position(|c| wanted(c)),
            Direction::Right => children.iter().rposition(|c| wanted(c)),
        };
        rule.groups
            .iter()
            .find_map(|group| first(&|c| group.iter().any(|g| g == c)))
            .or_else(|| first(&|c| !self.punctuation.iter().any(|p| p == c)))
            .or_else(|| first(&|_| true))
    }

    /// How coarse tags are made.
    pub fn coarse(&self) -> CoarseTags {
        self.coarse
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn rules(text: &str) -> HeadRules {
        HeadRules::parse(text.as_bytes(), Path::new("test.rules")).expect("rules")
    }

    #[test]
    fn groups_are_tried_in_order_before_positions() {
        let r = rules("VP l MD VB");
        assert_eq!(r.head_child("VP", &["VB", "NP", "MD"]), Some(2));
        assert_eq!(r.head_child("VP", &["NP", "VB", "VB"]), Some(1));
    }

    #[test]
    fn the_labels_of_a_set_are_equals() {
        let r = rules("NP r NN|POS JJ\nXP l NN|POS JJ");
        assert_eq!(r.head_child("NP", &["NN", "POS", "JJ"]), Some(1));
        assert_eq!(r.head_child("NP", &["POS", "NN", "JJ"]), Some(1));
        assert_eq!(r.head_child("XP", &["JJ", "POS", "NN"]), Some(1));
    }

    #[test]
    fn without_a_match_punctuation_is_passed_over() {
        let r = rules("NP r NN\nFRAG l");
        assert_eq!(r.head_child("NP", &["JJ", "DT", ","]), Some(1));
        assert_eq!(r.head_child("FRAG", &["``", "JJ", "DT"]), Some(1));
        assert_eq!(r.head_child("FRAG", &["PU", "AD", "PU"]), Some(1));
    }

    #[test]
    fn nothing_but_punctuation_has_a_head_too() {
        let r = rules("NP r NN\nFRAG l");
        assert_eq!(r.head_child("NP", &["-LRB-", ":", "-RRB-"]), Some(2));
        assert_eq!(r.head_child("FRAG", &["#", "."]), Some(0));
    }

    #[test]
    fn a_group_may_name_punctuation() {
        let r = rules("LST l LS :");
        assert_eq!(r.head_child("LST", &["-LRB-", ":", "JJ"]), Some(1));
    }

    #[test]
    fn any_other_label_takes_its_last_word() {
        let r = rules("NP l NN");
        assert_eq!(r.head_child("ZP", &["NN", "JJ", "."]), Some(1));
        assert_eq!(r.head_child("", &["NN", "JJ"]), Some(1));
        assert_eq!(r.head_child("NP", &[]), None);
    }

    #[test]
    fn a_file_may_say_what_is_punctuation() {
        let r = rules("@punctuation Z SYM\nNP r");
        assert_eq!(r.head_child("NP", &["NN", ",", "SYM", "Z"]), Some(1));
        let none = rules("@punctuation\nNP r");
        assert_eq!(none.head_child("NP", &["NN", ","]), Some(1));
    }
}
