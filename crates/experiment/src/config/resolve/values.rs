//! Values that many tables share: prunings, limits, sets, template sets.

use crate::config::model::TemplatesSource;
use crate::config::reader::{Reader, listed, nearest, plain, quoted, shown};
use crate::config::sets;
use crate::config::tree::{Node, Value};
use treebound_core::decode::bnb::Limits;
use treebound_core::decode::bnb::paper::Reading;
use treebound_core::decode::{Backbone, Decoder};
use treebound_parser::cell::{Axis, FeatureSet, Learner, TemplatesName};
use treebound_parser::features::{Family, TemplateSet};
use treebound_parser::pruning::Rule;

impl Reader {
    /// A pruning: `none`, `k=10` or the number 10, `t=1e-3`.
    pub(in crate::config) fn pruning(&mut self, node: &Node, key: &str) -> Option<Rule> {
        let message = match &node.value {
            Value::Whole(Some(k), _) => match usize::try_from(*k) {
                Ok(k @ 1..) => return Some(Rule::Best(k)),
                _ => format!("{key} = {k}: keep at least 1 head a word, or write \"none\" for no pruning"),
            },
            Value::Number(t) => format!("{key} = {}: a threshold is written \"t={}\"", shown(node), plain(*t)),
            Value::Text(text) if text == "none" => return Some(Rule::None),
            Value::Text(text) => match text.split_once('=').map(|(kind, value)| (kind.trim(), value.trim())) {
                Some(("k", k)) => match k.parse() {
                    Ok(k @ 1..) => return Some(Rule::Best(k)),
                    _ => format!("{key} = `{text}`: `{k}` is no number of heads from 1 on; \"none\" is no pruning"),
                },
                Some(("t", t)) => match t.parse() {
                    Ok(t) if t > 0.0 && t <= 1.0 => return Some(Rule::Threshold(t)),
                    _ => format!(
                        "{key} = `{text}`: a head is kept if it is at least this times as probable as the best, so it lies \
                         above 0 and is at most 1"
                    ),
                },
                _ => format!("{key} = `{text}` is no pruning; it can be {}", Rule::EXPECTED),
            },
            _ => format!("{key} = {} is no pruning; it can be {}", shown(node), Rule::EXPECTED),
        };
        self.fault(node, message);
        None
    }

    /// The limits of a search; `from` finds the value of a key.
    pub(super) fn limits<'t>(
        &mut self,
        dp_calls: u64,
        mut from: impl FnMut(&mut Self, &'static str) -> Option<&'t Node>,
    ) -> Limits {
        let (calls, nodes) = (from(self, "dp_calls"), from(self, "nodes"));
        Limits {
            dp_calls: calls.map_or(Some(dp_calls), |node| self.limit(node, "dp_calls")),
            nodes: nodes.and_then(|node| self.limit(node, "nodes")),
            bytes: None,
        }
    }

    fn limit(&mut self, node: &Node, key: &str) -> Option<u64> {
        match &node.value {
            Value::Whole(Some(limit), _) if *limit >= 1 => return u64::try_from(*limit).ok(),
            Value::Text(word) if word == "none" => {}
            _ => self.fault(node, format!("{key} = {}: a whole number from 1 is needed, or \"none\"", shown(node))),
        }
        None
    }

    /// The decoders that handle non-local features.
    pub(super) fn search_decoder(&mut self, node: &Node, key: &str) -> Option<Decoder> {
        self.decoder(node, key, &[Decoder::Bnb, Decoder::PAPER])
    }

    /// One of some decoders; the paper's search stands for all of its readings.
    pub(in crate::config) fn decoder(&mut self, node: &Node, key: &str, known: &[Decoder]) -> Option<Decoder> {
        let text = if let Value::Text(text) = &node.value { text.as_str() } else { "" };
        let found = Decoder::parse(text).filter(|found| match found {
            Decoder::Paper(_) => known.contains(&Decoder::PAPER),
            other => known.contains(other),
        });
        if found.is_none() {
            let names = listed(known.iter());
            let mut message = format!("{key} = {} is not known; it can be {names}", quoted(node));
            if let Some(reading) = Reading::spelt_anyhow(text).filter(|_| known.contains(&Decoder::PAPER)) {
                message = format!("{key} = {} is spelt `{reading}`", quoted(node));
            } else if text.starts_with(Reading::NAME) {
                message += &format!(
                    ", and `{}` with choices behind it, in this order, each after a `+`: {}",
                    Reading::NAME,
                    Reading::WORDS.join(", ")
                );
            }
            self.fault(node, message);
        }
        found
    }

    pub(super) fn backbone(&mut self, node: &Node, key: &str) -> Option<Backbone> {
        self.one_of(node, key, &Backbone::ALL.map(|b| (b.name(), b)))
    }

    pub(super) fn learner(&mut self, node: &Node, key: &str) -> Option<Learner> {
        let found = match &node.value {
            Value::Text(text) => Learner::parse(text),
            _ => None,
        };
        if found.is_none() {
            self.fault(node, format!("{key} = {} is not known; it can be {}", quoted(node), Learner::EXPECTED));
        }
        found
    }

    /// A template set whose name can be on its axis.
    pub(super) fn templates(&mut self, node: &Node, key: &str) -> Option<TemplatesSource> {
        let source = self.templates_source(node, key)?;
        let Some(name) = source.name() else {
            let message = format!("{key} = {source}: results name sets by their files: {}", TemplatesName::EXPECTED);
            self.fault(node, message);
            return None;
        };
        let is_file = matches!(source, TemplatesSource::File(_));
        if is_file && TemplateSet::BUILT_IN.contains(&name.as_str()) {
            let message =
                format!("{key}: `{name}` is a built-in set, and results name sets by their files; rename the file");
            self.fault(node, message);
            return None;
        }
        Some(source)
    }

    /// A template set: a built-in one, or a file beside the one that names it.
    pub(super) fn templates_source(&mut self, node: &Node, key: &str) -> Option<TemplatesSource> {
        let source = TemplatesSource::new(self.text(node, key)?);
        Some(match source {
            TemplatesSource::File(path) => TemplatesSource::File(node.place.rebase(&path)),
            built_in => built_in,
        })
    }

    /// The sets of a list's name, or one set.
    pub(super) fn sets(&mut self, node: &Node) -> Vec<FeatureSet> {
        let Value::Text(text) = &node.value else {
            let message = format!(
                "sets = {}: a name such as \"all\" is needed, or a list such as [\"sibling\", \"grandchild+sibling\"]",
                shown(node)
            );
            self.fault(node, message);
            return Vec::new();
        };
        sets::named(text).unwrap_or_else(|| self.set(node, text).into_iter().collect())
    }

    fn set(&mut self, node: &Node, text: &str) -> Option<FeatureSet> {
        if let Some(set) = FeatureSet::from_names(text) {
            return Some(set);
        }
        let unknown = text.split('+').map(str::trim).find(|name| Family::parse(name).is_none()).unwrap_or_default();
        let names = || Family::ALL.iter().map(|family| family.name());
        let near = nearest(unknown, names().chain(sets::NAMES).chain(["baseline"]));
        let near = near.map_or_else(String::new, |near| format!("did you mean `{near}`? "));
        let (families, lists) = (listed(names()), listed(sets::NAMES.iter()));
        let message = format!(
            "the family `{unknown}` is not known; {near}families are {families}, `baseline` is the set of none, and lists of \
             sets are {lists}"
        );
        self.fault(node, message);
        None
    }
}
