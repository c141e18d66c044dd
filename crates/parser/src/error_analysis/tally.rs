//! Counting: all classes of all views, then examples of the most common patterns.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::Parsed;
use super::attachment::marked;
use super::lexicon::Lexicon;
use super::pattern::{Pattern, Report, Total};
use super::views::{Class, View, class, cues, instead};
use treebound_core::graph::Word;

type ClassKey = (View, Class);
type PatternKey = (ClassKey, String);

#[derive(Default)]
struct Counts {
    all: Total,
    classes: BTreeMap<ClassKey, Total>,
    patterns: BTreeMap<PatternKey, u64>,
}

/// The `top` most common patterns of each view, each with some `examples`.
pub fn tally(sentences: &[Parsed], top: usize, examples: usize) -> Report {
    let lexicon = Lexicon::new(sentences);
    let mut counts = Counts::default();
    for parsed in sentences {
        counts.add(parsed, &lexicon);
    }
    let mut patterns = counts.most_common(top);
    let mut wanted: BTreeMap<PatternKey, BTreeSet<(usize, usize, usize)>> =
        patterns.iter().map(|p| (key(p), BTreeSet::new())).collect();
    for (i, parsed) in sentences.iter().enumerate() {
        find(parsed, &lexicon, |key, m| {
            if let Some(found) = wanted.get_mut(key) {
                found.insert((parsed.tokens.len(), i, m));
                if found.len() > examples {
                    found.pop_last();
                }
            }
        });
    }
    for pattern in &mut patterns {
        pattern.examples = wanted[&key(pattern)].iter().map(|&(_, i, m)| (i, m)).collect();
    }
    Report { all: counts.all, patterns }
}

fn key(pattern: &Pattern) -> PatternKey {
    let class = [&pattern.modifier, &pattern.head, &pattern.context].map(Clone::clone);
    ((pattern.view, class), pattern.instead.clone())
}

/// Whether the head of word `i`, from 0, is wrong; none if it is not scored.
fn is_wrong(parsed: &Parsed, i: usize) -> Option<bool> {
    let gold = parsed.gold.head(Word::new(i + 1));
    parsed.scored[i].then(|| parsed.heads.get(i) != Some(&gold))
}

fn cue_class(text: String) -> Class {
    [String::new(), String::new(), text]
}

impl Counts {
    fn add(&mut self, parsed: &Parsed, lexicon: &Lexicon) {
        let phrases = marked(parsed, lexicon);
        for i in 0..parsed.tokens.len() {
            let Some(wrong) = is_wrong(parsed, i) else { continue };
            let one = Total { words: 1, wrong: wrong.into() };
            self.all.add(one);
            for view in View::ALL {
                if let Some(class) = class(view, parsed, lexicon, &phrases, Word::new(i + 1)) {
                    self.classes.entry((view, class)).or_default().add(one);
                }
            }
        }
        for ((view, text), places) in cues(parsed, lexicon) {
            let class = self.classes.entry((view, cue_class(text))).or_default();
            for wrong in places.into_iter().filter_map(|i| is_wrong(parsed, i)) {
                class.add(Total { words: 1, wrong: wrong.into() });
            }
        }
        let patterns = &mut self.patterns;
        find(parsed, lexicon, |key, _| match patterns.get_mut(key) {
            Some(count) => *count += 1,
            None => {
                patterns.insert(key.clone(), 1);
            }
        });
    }

    fn most_common(&self, top: usize) -> Vec<Pattern> {
        let mut by_view: BTreeMap<View, Vec<_>> = BTreeMap::new();
        for (key, &errors) in &self.patterns {
            let view = key.0.0;
            let weight = if view.says_what_instead() { errors.into() } else { self.beyond(self.classes[&key.0]) };
            by_view.entry(view).or_default().push((Reverse(weight), key, errors));
        }
        let mut patterns = Vec::new();
        for (view, mut found) in by_view {
            found.sort();
            for (i, (_, key, errors)) in found.into_iter().take(top).enumerate() {
                let [modifier, head, context] = key.0.1.clone();
                patterns.push(Pattern {
                    view,
                    rank: i as u64 + 1,
                    modifier,
                    head,
                    context,
                    instead: key.1.clone(),
                    errors,
                    class: self.classes[&key.0],
                    examples: Vec::new(),
                });
            }
        }
        patterns
    }

    /// Errors of a class beyond those of as many words anywhere, times the number of all words, so that it is whole.
    fn beyond(&self, class: Total) -> i128 {
        i128::from(class.wrong) * i128::from(self.all.words) - i128::from(class.words) * i128::from(self.all.wrong)
    }
}

impl Total {
    fn add(&mut self, other: Self) {
        self.words += other.words;
        self.wrong += other.wrong;
    }
}

/// Every error of a sentence under every pattern that it is one of, with its place, from 0.
fn find(parsed: &Parsed, lexicon: &Lexicon, mut visit: impl FnMut(&PatternKey, usize)) {
    let wrong: Vec<usize> = (0..parsed.tokens.len()).filter(|&i| is_wrong(parsed, i) == Some(true)).collect();
    if wrong.is_empty() {
        return;
    }
    let phrases = marked(parsed, lexicon);
    for &i in &wrong {
        let m = Word::new(i + 1);
        let Some(&head) = parsed.heads.get(i) else { continue };
        for view in View::ALL {
            if let Some(class) = class(view, parsed, lexicon, &phrases, m) {
                visit(&((view, class), instead(view, parsed, lexicon, m, head)), i);
            }
        }
    }
    for ((view, text), places) in cues(parsed, lexicon) {
        let key = ((view, cue_class(text)), String::new());
        wrong.iter().filter(|i| places.contains(i)).for_each(|&i| visit(&key, i));
    }
}
