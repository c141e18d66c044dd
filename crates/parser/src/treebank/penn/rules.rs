//! Head rules: which child of a constituent is its head child.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::treebank::penn::{CoarseTags, category};
use treebound_files::input;

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

/// The built-in rule files, by name.
const BUILT_IN: [(&str, &str); 2] =
    [("english", include_str!("rules/english.txt")), ("chinese", include_str!("rules/chinese.txt"))];

/// The tags that are punctuation if a file does not say: those of the Penn and of the Chinese Treebank.
const PUNCTUATION: [&str; 9] = ["``", "''", ",", ".", ":", "-LRB-", "-RRB-", "#", "PU"];

/// A rule file that cannot be used.
#[derive(Debug, Error)]
pub enum RulesError {
    /// The file cannot be opened or read.
    #[error("{}: cannot read the head rules: {source} (the built-in tables are english and chinese)", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A line that is no rule.
    #[error("{}:{line}: {fault}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        fault: RuleFault,
    },
    /// No rule at all.
    #[error("{}: the file has no head rules (lines LABEL DIRECTION GROUP GROUP ...)", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

/// What is wrong with one line of a rule file.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum RuleFault {
    /// The line is not UTF-8.
    #[error("byte {column} of the line is not UTF-8")]
    NotUtf8 {
        /// The first bad byte of the line, from 1.
        column: usize,
    },
    /// Nothing after the label.
    #[error(
        "the rule for {label} has no direction; expected LABEL DIRECTION GROUP GROUP ..., where DIRECTION is l or r"
    )]
    NoDirection {
        /// The label.
        label: String,
    },
    /// The second word is no direction.
    #[error("the direction of {label} is `{found}`; expected l (children from the left) or r (from the right)")]
    Direction {
        /// The label.
        label: String,
        /// What stands there.
        found: String,
    },
    /// A set with nothing between two bars, or before the first or after the last.
    #[error("the group `{0}` has an empty label; expected labels with single bars between them, such as NN|NNS")]
    EmptyLabel(String),
    /// A label that can match nothing.
    #[error("`{found}` can match nothing, because function tags and indices are cut from labels first; expected `{}`", category(.found))]
    Uncut {
        /// The label.
        found: String,
    },
    /// Two rules for one label.
    #[error("a second rule for {label}; expected one for each label, and the first is at line {first}")]
    Repeated {
        /// The label.
        label: String,
        /// The line of its first rule.
        first: usize,
    },
    /// A setting that does not exist.
    #[error("there is no setting `{0}`; expected @coarse or @punctuation")]
    Setting(String),
    /// A setting given twice.
    #[error("{0} is set a second time; expected once at most")]
    SetTwice(&'static str),
    /// A value that `@coarse` does not have.
    #[error("@coarse is `{0}`; expected english, chinese or fine")]
    Coarse(String),
}

fn bytes_of(path: &Path) -> Result<Vec<u8>, RulesError> {
    input::read_most(path, input::MOST_SETTINGS).map_err(|source| RulesError::Io { path: path.to_owned(), source })
}

impl HeadRules {
    /// The names of the built-in tables.
    pub const BUILT_IN: [&'static str; 2] = [BUILT_IN[0].0, BUILT_IN[1].0];

    /// A built-in table: `english` (Yamada & Matsumoto, 2003, as Penn2Malt has it) or `chinese` (after Zhang & Clark,
    /// 2008; not checked against a converted corpus).
    pub fn built_in(name: &str) -> Option<Self> {
        let (_, text) = BUILT_IN.iter().find(|(n, _)| *n == name)?;
        Self::parse(text.as_bytes(), Path::new(name)).ok()
    }

    /// The table that a user names: a built-in one, else a file.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn named(name_or_path: &str) -> Result<Self, RulesError> {
        Self::built_in(name_or_path).map_or_else(|| Self::read(Path::new(name_or_path)), Ok)
    }

    /// The table that a user names, as [`Self::named`] finds it but with paths from `base`; and its text, which tells one
    /// conversion from another.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn with_text(name_or_path: &str, base: &Path) -> Result<(Self, Vec<u8>), RulesError> {
        let (text, path) = match BUILT_IN.iter().find(|(name, _)| *name == name_or_path) {
            Some((name, text)) => (text.as_bytes().to_vec(), PathBuf::from(name)),
            None => {
                let path = base.join(name_or_path);
                (bytes_of(&path)?, path)
            }
        };
        Ok((Self::parse(&text, &path)?, text))
    }

    /// Reads a rule file.
    ///
    /// # Errors
    /// A file that cannot be read, a line that is no rule, a file without rules.
    pub fn read(path: &Path) -> Result<Self, RulesError> {
        Self::parse(&bytes_of(path)?, path)
    }

    /// Parses the bytes of a rule file; `path` is for messages.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn parse(bytes: &[u8], path: &Path) -> Result<Self, RulesError> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut file = RuleFile::default();
        for (i, raw) in bytes.split(|&b| b == b'\n').enumerate() {
            std::str::from_utf8(raw)
                .map_err(|e| RuleFault::NotUtf8 { column: e.valid_up_to() + 1 })
                .and_then(|line| file.line(line, i + 1))
                .map_err(|fault| RulesError::Line { path: path.to_owned(), line: i + 1, fault })?;
        }
        if file.rules.is_empty() {
            return Err(RulesError::Empty { path: path.to_owned() });
        }
        Ok(Self {
            rules: file.rules.into_iter().map(|(label, (rule, _))| (label, rule)).collect(),
            punctuation: file.punctuation.unwrap_or_else(|| PUNCTUATION.map(str::to_owned).into()),
            coarse: file.coarse.unwrap_or_default(),
        })
    }
}

/// What the lines so far say.
#[derive(Default)]
struct RuleFile {
    /// With the line of each rule.
    rules: BTreeMap<String, (Rule, usize)>,
    punctuation: Option<Vec<String>>,
    coarse: Option<CoarseTags>,
}

impl RuleFile {
    fn line(&mut self, line: &str, number: usize) -> Result<(), RuleFault> {
        if line.starts_with('#') {
            return Ok(());
        }
        let mut words = line.split_whitespace();
        match words.next() {
            None => Ok(()),
            Some("@coarse") => {
                let name = words.collect::<Vec<_>>().join(" ");
                let coarse = CoarseTags::named(&name).ok_or(RuleFault::Coarse(name))?;
                set(&mut self.coarse, coarse, "@coarse")
            }
            Some("@punctuation") => {
                let tags = words.map(label).collect::<Result<_, _>>()?;
                set(&mut self.punctuation, tags, "@punctuation")
            }
            Some(word) if word.starts_with('@') => Err(RuleFault::Setting(word.to_owned())),
            Some(word) => self.rule(label(word)?, words, number),
        }
    }

    fn rule<'a>(
        &mut self,
        label: String,
        mut words: impl Iterator<Item = &'a str>,
        number: usize,
    ) -> Result<(), RuleFault> {
        let direction = match words.next() {
            Some("l") => Direction::Left,
            Some("r") => Direction::Right,
            Some(found) => {
                return Err(RuleFault::Direction { label, found: found.to_owned() });
            }
            None => return Err(RuleFault::NoDirection { label }),
        };
        let groups = words.map(group).collect::<Result<_, _>>()?;
        match self.rules.entry(label) {
            Entry::Occupied(e) => Err(RuleFault::Repeated { label: e.key().clone(), first: e.get().1 }),
            Entry::Vacant(e) => {
                e.insert((Rule { direction, groups }, number));
                Ok(())
            }
        }
    }
}

fn set<T>(setting: &mut Option<T>, value: T, name: &'static str) -> Result<(), RuleFault> {
    match setting.replace(value) {
        None => Ok(()),
        Some(_) => Err(RuleFault::SetTwice(name)),
    }
}

fn group(text: &str) -> Result<Vec<String>, RuleFault> {
    if text.split('|').any(str::is_empty) {
        return Err(RuleFault::EmptyLabel(text.to_owned()));
    }
    text.split('|').map(label).collect()
}

fn label(text: &str) -> Result<String, RuleFault> {
    if category(text) == text { Ok(text.to_owned()) } else { Err(RuleFault::Uncut { found: text.to_owned() }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

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

    fn parse(text: &str) -> Result<HeadRules, RulesError> {
        HeadRules::parse(text.as_bytes(), Path::new("my.rules"))
    }

    fn message(text: &str) -> String {
        parse(text).expect_err(text).to_string()
    }

    #[test]
    fn the_built_in_tables_are_rule_files() {
        for name in HeadRules::BUILT_IN {
            assert_eq!(HeadRules::built_in(name), HeadRules::named(name).ok(), "{name}");
            assert!(HeadRules::built_in(name).is_some(), "{name}");
        }
        let english = HeadRules::built_in("english").expect("english");
        assert_eq!((english.rules.len(), english.coarse), (26, CoarseTags::English));
        assert_eq!(english.punctuation, PUNCTUATION[..8]);
        let chinese = HeadRules::built_in("chinese").expect("chinese");
        assert_eq!((chinese.rules.len(), chinese.coarse), (22, CoarseTags::Chinese));
        assert_eq!(chinese.punctuation, ["PU"]);
        assert_eq!(HeadRules::built_in("klingon"), None);
    }

    #[test]
    fn comments_white_space_and_line_ends_do_not_count() {
        let plain = parse("NP r NN|NNS $\nVP l").expect("rules");
        let other = parse("\u{feff}# about\r\n\r\n  NP\tr  NN|NNS   $\r\n#VP r\nVP l\n\n").expect("rules");
        assert_eq!(plain, other);
        assert_eq!(plain.coarse, CoarseTags::English);
        assert_eq!(plain.rules["NP"].groups, [vec!["NN", "NNS"], vec!["$"]]);
    }

    #[test]
    fn a_hash_is_a_label_except_at_the_start_of_a_line() {
        assert_eq!(parse("QP r $ #").expect("rules").rules["QP"].groups, [["$"], ["#"]]);
    }

    #[test]
    fn a_file_chooses_its_coarse_tags() {
        assert_eq!(parse("IP r VP\n@coarse chinese").expect("rules").coarse(), CoarseTags::Chinese);
    }

    #[test]
    fn faults_name_file_line_and_what_was_expected() {
        assert_eq!(
            message("NP r\nVP"),
            "my.rules:2: the rule for VP has no direction; expected LABEL DIRECTION GROUP GROUP ..., where DIRECTION is l or r"
        );
        assert_eq!(
            message("# x\n\nNP right NN"),
            "my.rules:3: the direction of NP is `right`; expected l (children from the left) or r (from the right)"
        );
        assert_eq!(
            message("NP r NN||NNS"),
            "my.rules:1: the group `NN||NNS` has an empty label; expected labels with single bars between them, such as NN|NNS"
        );
        assert_eq!(
            message("NP r |"),
            "my.rules:1: the group `|` has an empty label; expected labels with single bars between them, such as NN|NNS"
        );
        assert_eq!(
            message("NP r NP-SBJ"),
            "my.rules:1: `NP-SBJ` can match nothing, because function tags and indices are cut from labels first; expected `NP`"
        );
        assert_eq!(
            message("NP r\nVP l\nNP l NN"),
            "my.rules:3: a second rule for NP; expected one for each label, and the first is at line 1"
        );
        assert_eq!(
            message("@course english"),
            "my.rules:1: there is no setting `@course`; expected @coarse or @punctuation"
        );
        assert_eq!(message("@coarse\nNP r"), "my.rules:1: @coarse is ``; expected english, chinese or fine");
        assert_eq!(
            message("@coarse english\n@coarse chinese\nNP r"),
            "my.rules:2: @coarse is set a second time; expected once at most"
        );
        assert_eq!(
            message("# nothing\n@coarse english\n"),
            "my.rules: the file has no head rules (lines LABEL DIRECTION GROUP GROUP ...)"
        );
        let bytes = HeadRules::parse(b"NP r\nVP l \xc4\xe3", Path::new("my.rules"));
        assert_eq!(bytes.expect_err("not UTF-8").to_string(), "my.rules:2: byte 6 of the line is not UTF-8");
    }

    #[test]
    fn a_name_that_is_neither_a_table_nor_a_file_is_told_the_tables() {
        let text = HeadRules::named("no/such/rules").expect_err("no file").to_string();
        assert!(text.starts_with("no/such/rules: cannot read the head rules: "), "{text}");
        assert!(text.ends_with("(the built-in tables are english and chinese)"), "{text}");
    }
}
