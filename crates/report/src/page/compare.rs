//! Two parsers side by side: accuracy by class of words, and the sentences on which they differ most.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{Drawing, Section};
use crate::figures::trees::{Arcs, drawing};
use crate::tables::table::{self, Grid, Table};
use treebound_core::graph::Word;
use treebound_parser::cell::{CellKey, SystemName};
use treebound_parser::error_analysis::{By, Class, Counts, Parsed, breakdown};
use treebound_parser::treebank::{Sentence, Tree};
use treebound_records::number::{counted, fixed, grouped, percent, signed};
use treebound_records::sheet::Sheet;

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

/// A sentence of the treebank as the baseline and the parser with non-local features parsed it.
#[derive(Clone, Copy, Debug)]
pub struct TwiceParsed<'a> {
    /// The sentence with the treebank's tags and tree.
    pub gold: &'a Sentence,
    /// By word: whether it is scored.
    pub scored: &'a [bool],
    /// The heads by each parser; none where it gave no tree.
    pub heads: [&'a [Word]; 2],
}

impl<'a> TwiceParsed<'a> {
    /// One of the two parses as error analysis takes it; none without a gold tree.
    fn parsed(&self, which: usize) -> Option<Parsed<'a>> {
        let Self { gold: Sentence { place, tokens, gold, .. }, scored, heads } = *self;
        Some(Parsed { place, tokens, gold: gold.as_ref()?, heads: heads[which], scored: scored.to_vec() })
    }
}

/// The baseline and a parser with non-local features on the same sentences.
#[derive(Clone, Copy, Debug)]
pub struct Compared<'a> {
    /// The cell with non-local features.
    pub cell: &'a CellKey,
    /// Its sentences.
    pub sentences: &'a [TwiceParsed<'a>],
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
    /// Accuracy by class of words: one table a view.
    pub fn breakdown(&self) -> Section {
        let mut section = Section::new("Accuracy by class of words");
        let [baseline, full] =
            [0, 1].map(|which| self.sentences.iter().filter_map(|one| one.parsed(which)).collect::<Vec<_>>());
        section.paragraphs.push(format!(
            "{}, held against the baseline with the same data, templates, learner and seed. Words that are not scored are left \
             out; classes are of the gold tree. Small classes move by chance.",
            self.cell
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
            self.cell,
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
        for (i, sentence) in self.sentences.iter().enumerate() {
            let gold = sentence.gold.gold.as_ref().map_or(&[][..], Tree::heads);
            let (mut gain, mut words) = (0, 0);
            for (m, head) in gold.iter().enumerate().filter(|(m, _)| sentence.scored[*m]) {
                let [theirs, ours] = sentence.heads.map(|heads| heads.get(m));
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
        let sentence = &self.sentences[found.number - 1];
        let gold = sentence.gold.gold.as_ref()?;
        let words: Vec<&str> = sentence.gold.tokens.iter().map(|token| token.form.as_str()).collect();
        let trees = sentence.heads.map(|heads| Tree::new(heads.to_vec()).ok());
        let trees = ["baseline", "larger set"].into_iter().zip(&trees);
        let mut arcs = vec![Arcs { name: "gold", tree: gold }];
        arcs.extend(trees.filter_map(|(name, tree)| Some(Arcs { name, tree: tree.as_ref()? })));
        let nearer = match found.gain {
            0 => "as many words right".to_owned(),
            gain => format!("{} right", signed_words(gain)),
        };
        Some(Drawing {
            caption: format!("Sentence {}: {nearer} with the larger set", found.number),
            lines: vec![sentence.gold.place.to_string()],
            command,
            svg: drawing(&words, &arcs),
            file: None,
            table: Some(heads(sentence)),
        })
    }
}

fn signed_words(gain: i64) -> String {
    let words = if gain.abs() == 1 { "word" } else { "words" };
    let sign = if gain < 0 { "fewer" } else { "more" };
    format!("{} {words} {sign}", gain.abs())
}

/// The heads of a sentence by word.
fn heads(TwiceParsed { gold: sentence, heads: [baseline, full], .. }: &TwiceParsed) -> Grid {
    let gold = sentence.gold.as_ref().map_or(&[][..], Tree::heads);
    let shown = |heads: &[Word], m: usize| heads.get(m).map_or_else(String::new, ToString::to_string);
    let marked = |heads: &[Word], m: usize| {
        let mark = if heads.get(m) == gold.get(m) { "" } else { "*" };
        format!("{mark}{}", shown(heads, m))
    };
    let tokens = &sentence.tokens;
    let section = table::Section::default()
        .right("", (1..=tokens.len()).map(|m| m.to_string()))
        .left("word", tokens.iter().map(|token| token.form.clone()))
        .left("tag", tokens.iter().map(|token| token.fine.clone()))
        .right("gold", (0..tokens.len()).map(|m| shown(gold, m)))
        .right("baseline", (0..tokens.len()).map(|m| marked(baseline, m)))
        .right("larger set", (0..tokens.len()).map(|m| marked(full, m)));
    Table::new(vec![section], Sheet::default()).grid()
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
    use treebound_parser::treebank::Token;

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
        let gold = words(&[2, 0, 2]);
        let sentence = Sentence {
            tokens: vec![Token { form: "w".to_owned(), ..Token::default() }; gold.len()],
            gold: Some(Tree::new(gold).expect("a tree")),
            ..Sentence::default()
        };
        let (right, wrong, worse) = (words(&[2, 0, 2]), words(&[2, 0, 1]), words(&[0, 1, 1]));
        let twice = |baseline, full| TwiceParsed { gold: &sentence, scored: &[true; 3], heads: [baseline, full] };
        let sentences = [twice(&right, &right), twice(&wrong, &right), twice(&right, &worse), twice(&wrong, &wrong)];
        let compared = Compared { cell: &cell("comb", 1), sentences: &sentences };
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
