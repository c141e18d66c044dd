//! Two parsers side by side: accuracy by class of words, and the sentences on which they differ most.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{Drawing, Section};
use treebound_core::graph::Word;
use treebound_experiment::trees::ParsedSentence;
use treebound_parser::cell::{CellKey, SystemName};
use treebound_parser::treebank::{Tree, TreeFault};
use treebound_records::number::{counted, fixed, grouped, percent, signed};
use treebound_records::sheet::Sheet;
use treebound_report::error_analysis::{By, Class, Counts, Parsed, breakdown};
use treebound_report::figures::trees::{Arcs, drawing};
use treebound_report::tables::table::{self, Grid, Table};

/// The pairs of cells to compare: of those that differ in features and decoder alone the baseline, and the one with the most
/// families.
pub fn pairs<'c>(cells: impl IntoIterator<Item = &'c CellKey>) -> Vec<[&'c CellKey; 2]> {
    let mut groups: BTreeMap<[String; 7], Vec<&CellKey>> = BTreeMap::new();
    for cell in cells.into_iter().filter(|cell| cell.setting.system.as_str() == SystemName::GRAPH) {
        let [corpus, split, tags, _, templates, learner, _, pruning, _] = cell.setting.spelt();
        let backbone = cell.setting.backbone().map_or_else(String::new, |backbone| backbone.to_string());
        let key = [corpus, split, tags, templates, learner, pruning, format!("{backbone} {}", cell.seed)];
        groups.entry(key).or_default().push(cell);
    }
    let pair = |cells: Vec<&'c CellKey>| {
        let baseline = cells.iter().copied().find(|cell| cell.setting.is_baseline())?;
        let others = cells.iter().copied().filter(|cell| !cell.setting.is_baseline());
        Some([baseline, others.rev().max_by_key(|cell| cell.setting.families())?])
    };
    groups.into_values().filter_map(pair).collect()
}

/// Two parsers on the same sentences.
#[derive(Clone, Copy, Debug)]
pub struct Compared<'a> {
    /// The baseline.
    pub baseline: (&'a CellKey, &'a [ParsedSentence]),
    /// The parser with non-local features.
    pub full: (&'a CellKey, &'a [ParsedSentence]),
}

/// A sentence on which they differ.
struct Differing {
    number: usize,
    /// Scored words that the full parser has right beyond the baseline.
    gain: i64,
    /// Scored words with different heads.
    words: usize,
}

impl Compared<'_> {
    /// What is compared, for people.
    fn name(&self) -> String {
        self.full.0.to_string()
    }

    /// Accuracy by class of words: one table a view.
    pub fn breakdown(&self) -> Section {
        let mut section = Section::new("Accuracy by class of words");
        let [baseline, full] = [self.baseline.1, self.full.1].map(parsed);
        section.paragraphs.push(format!(
            "{}, held against the baseline with the same data, templates, learner and seed. Words that are not scored are left \
             out; classes are of the gold tree. Small classes move by chance.",
            self.name()
        ));
        for by in By::GOLD {
            let [baseline, full] = [&baseline, &full].map(|sentences| breakdown(sentences, by));
            section.tables.push(classes(by, &baseline, &full).grid());
        }
        section
    }

    /// The sentences on which they differ most, `most` at most; `explain` tells the command that says more of one.
    pub fn sentences(&self, most: usize, explain: impl Fn(usize) -> Option<String>) -> Section {
        let mut section = Section::new("Sentences");
        let differing = self.differing();
        let gains = |sign: i64| differing.iter().filter(|found| found.gain.signum() == sign).count() as u64;
        section.paragraphs.push(format!(
            "{} and the baseline give different trees for {}: with {} of them the larger set is nearer to the gold tree, with {} \
             farther from it, with {} as near. Those with the largest differences follow. The gold tree stands above the \
             words; below them stand the arcs of each parser that are not in it.",
            self.name(),
            counted(differing.len() as u64, "sentence", "sentences"),
            gains(1),
            gains(-1),
            gains(0)
        ));
        for found in differing.iter().take(most) {
            section.drawings.extend(self.drawing(found, explain(found.number)));
        }
        section
    }

    /// Sentences with different heads of scored words: largest gain or loss first.
    fn differing(&self) -> Vec<Differing> {
        let mut all: Vec<Differing> = Vec::new();
        for (i, (baseline, full)) in self.baseline.1.iter().zip(self.full.1).enumerate() {
            let gold = full.gold.gold.as_ref().map_or(&[][..], Tree::heads);
            let (mut gain, mut words) = (0, 0);
            for (m, head) in gold.iter().enumerate().filter(|(m, _)| full.scored[*m]) {
                let [ours, theirs] = [full, baseline].map(|parsed| parsed.heads.get(m));
                gain += i64::from(ours == Some(head)) - i64::from(theirs == Some(head));
                words += usize::from(ours != theirs);
            }
            if words > 0 {
                all.push(Differing { number: i + 1, gain, words });
            }
        }
        all.sort_by_key(|found| (Reverse(found.gain.abs()), Reverse(found.words), found.number));
        all
    }

    fn drawing(&self, found: &Differing, command: Option<String>) -> Option<Drawing> {
        let [baseline, full] = [self.baseline.1, self.full.1].map(|sentences| &sentences[found.number - 1]);
        let gold = full.gold.gold.as_ref()?;
        let words: Vec<&str> = full.gold.tokens.iter().map(|token| token.form.as_str()).collect();
        let trees = [("baseline", baseline), ("larger set", full)];
        let trees = trees.map(|(name, parsed)| (name, tree(parsed).ok()));
        let mut arcs = vec![Arcs { name: "gold", tree: gold }];
        arcs.extend(trees.iter().filter_map(|(name, tree)| Some(Arcs { name, tree: tree.as_ref()? })));
        let nearer = match found.gain {
            0 => "as many words right".to_owned(),
            gain => format!("{} right", signed_words(gain)),
        };
        Some(Drawing {
            caption: format!("Sentence {}: {nearer} with the larger set", found.number),
            lines: vec![full.gold.place.to_string()],
            command,
            svg: drawing(&words, &arcs),
            file: None,
            table: Some(heads(full, baseline)),
        })
    }
}

fn signed_words(gain: i64) -> String {
    let words = if gain.abs() == 1 { "word" } else { "words" };
    let sign = if gain < 0 { "fewer" } else { "more" };
    format!("{} {words} {sign}", gain.abs())
}

fn tree(parsed: &ParsedSentence) -> Result<Tree, TreeFault> {
    Tree::new(parsed.heads.clone())
}

/// The heads of a sentence by word.
fn heads(full: &ParsedSentence, baseline: &ParsedSentence) -> Grid {
    let gold = full.gold.gold.as_ref().map_or(&[][..], Tree::heads);
    let shown = |heads: &[Word], m: usize| heads.get(m).map_or_else(String::new, ToString::to_string);
    let marked = |heads: &[Word], m: usize| {
        let mark = if heads.get(m) == gold.get(m) { "" } else { "*" };
        format!("{mark}{}", shown(heads, m))
    };
    let tokens = &full.gold.tokens;
    let section = table::Section::default()
        .right("", (1..=tokens.len()).map(|m| m.to_string()))
        .left("word", tokens.iter().map(|token| token.form.clone()))
        .left("tag", tokens.iter().map(|token| token.fine.clone()))
        .right("gold", (0..tokens.len()).map(|m| shown(gold, m)))
        .right("baseline", (0..tokens.len()).map(|m| marked(&baseline.heads, m)))
        .right("larger set", (0..tokens.len()).map(|m| marked(&full.heads, m)));
    Table::new(vec![section], Sheet::default()).grid()
}

/// Sentences as error analysis takes them; those without a gold tree are left out.
fn parsed(sentences: &[ParsedSentence]) -> Vec<Parsed<'_>> {
    sentences.iter().filter_map(ParsedSentence::parsed).collect()
}

fn classes(by: By, baseline: &BTreeMap<Class, Counts>, full: &BTreeMap<Class, Counts>) -> Table {
    let uas = |counts: Counts| percent(counts.correct, counts.words);
    let shown = |value: Option<f64>| value.map_or_else(String::new, |value| fixed(value, 2));
    // Both have the words of the gold trees, so they have the same classes.
    let lines =
        || full.iter().map(|(class, counts)| (class, baseline.get(class).copied().unwrap_or_default(), *counts));
    let gain = |(_, before, now): (&Class, Counts, Counts)| Some(uas(now)? - uas(before)?);
    let section = table::Section::new("")
        .left(by.label(), lines().map(|(class, ..)| class.name().to_owned()))
        .right("words", lines().map(|(_, _, counts)| grouped(counts.words)))
        .right("UAS, baseline", lines().map(|(_, counts, _)| shown(uas(counts))))
        .right("UAS, larger set", lines().map(|(_, _, counts)| shown(uas(counts))))
        .right("difference", lines().map(|line| gain(line).map_or_else(String::new, |gain| signed(gain, 2))));
    Table::new(vec![section], Sheet::default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use treebound_parser::cell::Setting;
    use treebound_parser::treebank::{Sentence, Token};

    fn cell(features: &str, seed: u64) -> CellKey {
        let decoding = if features == "baseline" { "carreras/dp" } else { "carreras/bnb" };
        let axes = ["a", "test", "gold", "graph", "compact", "mira", features, "k=10", decoding];
        Setting::read(axes).expect("a setting").with_seed(seed)
    }

    #[test]
    fn the_largest_set_is_held_against_its_own_baseline() {
        let cells = [cell("baseline", 1), cell("comb", 1), cell("comb+sibling", 1), cell("comb", 2)];
        assert_eq!(pairs(&cells), [[&cells[0], &cells[2]]]);
        assert!(pairs(&cells[1..]).is_empty());
    }

    #[test]
    fn sentences_come_by_what_they_gain_or_lose() {
        let words = |heads: &[usize]| heads.iter().map(|&head| Word::new(head)).collect::<Vec<_>>();
        let sentence = |gold: &[usize], heads: &[usize]| ParsedSentence {
            gold: Sentence {
                tokens: vec![Token { form: "w".to_owned(), ..Token::default() }; gold.len()],
                gold: Some(Tree::new(words(gold)).expect("a tree")),
                ..Sentence::default()
            },
            scored: vec![true; gold.len()],
            heads: words(heads),
        };
        let gold: &[usize] = &[2, 0, 2];
        let (right, wrong, worse): (&[usize], &[usize], &[usize]) = (&[2, 0, 2], &[2, 0, 1], &[0, 1, 1]);
        let baseline = [sentence(gold, right), sentence(gold, wrong), sentence(gold, right), sentence(gold, wrong)];
        let full = [sentence(gold, right), sentence(gold, right), sentence(gold, worse), sentence(gold, wrong)];
        let keys = [cell("baseline", 1), cell("comb", 1)];
        let compared = Compared { baseline: (&keys[0], &baseline), full: (&keys[1], &full) };
        let section = compared.sentences(9, |number| Some(format!("explain {number}")));
        let captions: Vec<&str> = section.drawings.iter().map(|drawing| drawing.caption.as_str()).collect();
        assert_eq!(
            captions,
            [
                "Sentence 3: 3 words fewer right with the larger set",
                "Sentence 2: 1 word more right with the larger set"
            ]
        );
        assert!(section.paragraphs[0].contains("for 2 sentences: with 1 of them"), "{:?}", section.paragraphs);
        assert_eq!(section.drawings[0].command.as_deref(), Some("explain 3"));
        // The three arcs of the gold tree, and three that are not in it.
        assert_eq!(section.drawings[0].svg.matches("class=\"arc\"").count(), 6);
        assert_eq!(compared.sentences(1, |_| None).drawings.len(), 1);
        let table = &compared.breakdown().tables[0].sections[0];
        let cells: Vec<&str> = table.rows[0].iter().map(|cell| cell.text.as_str()).collect();
        assert_eq!(cells, ["1 to 10", "12", "83.33", "66.67", "-16.67"]);
    }
}
