//! Values that many tables share: names out of a choice, lists, prunings, limits.

use super::Resolver;
use crate::decode::Decoder;
use crate::experiment::config::wire::{At, KWire, LimitWire};
use crate::pruning::Rule;

impl Resolver<'_> {
    /// A non-empty list of distinct names out of a fixed choice.
    pub(in crate::experiment::config) fn list<T: Copy + PartialEq>(
        &mut self,
        list: Option<&At<Vec<At<String>>>>,
        key: &str,
        choice: &[(&str, T)],
        default: T,
    ) -> Vec<T> {
        let Some(list) = list else { return vec![default] };
        if list.get_ref().is_empty() {
            self.fault(list, format!("{key} = []: the grid is empty; name at least one"));
        }
        let mut values = Vec::new();
        for at in list.get_ref() {
            if let Some(value) = self.one_of(at, key, choice) {
                if values.contains(&value) {
                    self.fault(at, format!("`{}` is given twice", at.get_ref()));
                }
                values.push(value);
            }
        }
        values
    }

    pub(in crate::experiment::config) fn one_of<T: Copy>(
        &mut self,
        at: &At<String>,
        key: &str,
        choice: &[(&str, T)],
    ) -> Option<T> {
        let found = choice.iter().find(|(name, _)| name == at.get_ref()).map(|c| c.1);
        if found.is_none() {
            let names: Vec<String> = choice.iter().map(|(name, _)| format!("`{name}`")).collect();
            self.fault(at, format!("{key} = `{}` is not known; it can be {}", at.get_ref(), names.join(", ")));
        }
        found
    }

    pub(in crate::experiment::config) fn one_or<T: Copy>(
        &mut self,
        at: Option<&At<String>>,
        key: &str,
        choice: &[(&str, T)],
        default: T,
    ) -> T {
        at.and_then(|at| self.one_of(at, key, choice)).unwrap_or(default)
    }

    pub(in crate::experiment::config) fn at_least_one<N: Copy + Default + PartialEq>(
        &mut self,
        at: Option<&At<N>>,
        key: &str,
        default: N,
    ) -> N {
        let Some(at) = at else { return default };
        if *at.get_ref() == N::default() {
            self.fault(at, format!("{key} = 0: it must be at least 1"));
        }
        *at.get_ref()
    }

    pub(in crate::experiment::config) fn rule(&mut self, at: &At<KWire>) -> Option<Rule> {
        match at.get_ref() {
            KWire::Number(k) if *k >= 1 => Some(Rule::Best(*k as usize)),
            KWire::Word(word) if word == "none" => Some(Rule::None),
            KWire::Number(k) => {
                self.fault(at, format!("k = {k}: keep at least 1 head a word, or write \"none\" for no pruning"));
                None
            }
            KWire::Word(word) => {
                self.fault(at, format!("k = `{word}` is neither a number of heads nor \"none\""));
                None
            }
        }
    }

    pub(in crate::experiment::config) fn threshold(&mut self, at: &At<f64>) -> Option<Rule> {
        let t = *at.get_ref();
        if t > 0.0 && t <= 1.0 {
            return Some(Rule::Threshold(t));
        }
        self.fault(
            at,
            format!("threshold = {t}: a head is kept if it is at least this times as probable as the best, so it lies above 0 and is at most 1"),
        );
        None
    }

    pub(in crate::experiment::config) fn limit(
        &mut self,
        at: Option<&At<LimitWire>>,
        key: &str,
        default: Option<u64>,
    ) -> Option<u64> {
        let Some(at) = at else { return default };
        match at.get_ref() {
            LimitWire::Number(n) if *n >= 1 => Some(*n as u64),
            LimitWire::Word(word) if word == "none" => None,
            LimitWire::Number(n) => {
                self.fault(at, format!("{key} = {n}: a limit is at least 1, or \"none\""));
                default
            }
            LimitWire::Word(word) => {
                self.fault(at, format!("{key} = `{word}` is neither a number nor \"none\""));
                default
            }
        }
    }
}

/// The decoders that handle non-local features.
pub(super) fn search_decoders() -> [(&'static str, Decoder); 2] {
    [Decoder::Bnb, Decoder::Paper].map(|d| (d.name(), d))
}
