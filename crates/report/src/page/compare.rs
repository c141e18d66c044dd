//! Two parsers side by side: accuracy by class of words, and the sentences on which they differ most.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{Drawing, Section};
use crate::figures::trees::{Arcs, drawing};
use crate::frame::{BASELINE, Frame, GRAPH};
use crate::tables::table::{self, Grid, Table};
use treebound_core::tree::{Tree, Word};
use treebound_records::ReportError;
use treebound_records::number::{counted, fixed, grouped, percent, signed};
use treebound_records::sheet::Sheet;

/// The names of pairs of cells to compare: of those that differ in features and decoder alone the baseline, and the one with the
/// most families.
///
/// # Errors
/// If cells have no axes.
pub fn pairs(cells: &Frame) -> Result<Vec<[String; 2]>, ReportError> {
    let axes = ["corpus", "split", "tags", "templates", "learner", "pruning", "backbone", "seed"];
    let axes = axes.map(|axis| cells.words(axis)).into_iter().collect::<Result<Vec<_>, _>>()?;
    let (names, systems, features) = (cells.words("cell")?, cells.words("system")?, cells.words("features")?);
    let families = cells.counts("families")?;
    let mut groups: BTreeMap<Vec<&str>, Vec<usize>> = BTreeMap::new();
    for row in (0..cells.height()).filter(|&row| systems[row] == GRAPH) {
        groups.entry(axes.iter().map(|axis| axis[row].as_str()).collect()).or_default().push(row);
    }
    let pair = |rows: Vec<usize>| {
        let baseline = rows.iter().copied().find(|&row| features[row] == BASELINE)?;
        let others = rows.iter().copied().filter(|&row| features[row] != BASELINE);
        let most = others.rev().max_by_key(|&row| families[row])?;
        Some([baseline, most].map(|row| names[row].clone()))
    };
    Ok(groups.into_values().filter_map(pair).collect())
}

/// A sentence of the treebank as the baseline and the parser with non-local features parsed it.
#[derive(Clone, Debug)]
pub struct TwiceParsed<'a> {
    /// Where it stands.
    pub place: String,
    /// Its words, each with its tag.
    pub words: Vec<[&'a str; 2]>,
    /// The treebank's tree.
    pub gold: Option<&'a Tree>,
    /// By word: whether it is scored.
    pub scored: &'a [bool],
    /// The heads by each parser; none where it gave no tree.
    pub heads: [&'a [Word]; 2],
}

/// The words of a class: how many there are, and how many each parser has right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassWords {
    /// The name of the class.
    pub name: String,
    /// Its words.
    pub words: u64,
    /// Those that the baseline has right, and those of the larger set.
    pub correct: [u64; 2],
}

/// The baseline and a parser with non-local features on the same sentences.
#[derive(Clone, Copy, Debug)]
pub struct Compared<'a> {
    /// The name of the cell with non-local features.
    pub cell: &'a str,
    /// Its sentences.
    pub sentences: &'a [TwiceParsed<'a>],
    /// Views: what words are told apart by, for people, and the classes.
    pub classes: &'a [(&'a str, Vec<ClassWords>)],
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
        section.paragraphs.push(format!(
            "{}, held against the baseline with the same data, templates, learner and seed. Words that are not scored are left \
             out; classes are of the gold tree. Small classes move by chance.",
            self.cell
        ));
        section.tables.extend(self.classes.iter().map(|(label, view)| classes(label, view).grid()));
        section
    }

    /// The sentences on which they differ most, `most` at most, or `why` there are none; `explain` tells the command that says more of
    /// one.
    pub fn sentences(&self, most: Result<usize, &str>, explain: impl Fn(usize) -> Option<String>) -> Section {
        let mut section = Section::new("Sentences");
        let differing = self.differing();
        let gains = |sign: i64| differing.iter().filter(|found| found.gain.signum() == sign).count() as u64;
        section.paragraphs.push(format!(
            "{} and the baseline give different trees for {}: with {} of them the larger set is nearer to the gold tree, with {} \
             farther from it, with {} as near. {}",
            self.cell,
            counted(differing.len() as u64, "sentence", "sentences"),
            gains(1),
            gains(-1),
            gains(0),
            most.err().unwrap_or(
                "Those with the largest differences follow. The gold tree stands above the words; below them stand the arcs of \
                 each parser that are not in it."
            ),
        ));
        for found in differing.iter().take(most.unwrap_or(0)) {
            section.drawings.extend(self.drawing(found, explain(found.number)));
        }
        section
    }

    /// Sentences with different heads of scored words: largest gain or loss first.
    fn differing(&self) -> Vec<Differing> {
        let mut all: Vec<Differing> = Vec::new();
        for (i, sentence) in self.sentences.iter().enumerate() {
            let gold = sentence.gold.map_or(&[][..], Tree::heads);
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
        let gold = sentence.gold?;
        let words: Vec<&str> = sentence.words.iter().map(|[form, _]| *form).collect();
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
            lines: vec![sentence.place.clone()],
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
fn heads(TwiceParsed { words, gold, heads: [baseline, full], .. }: &TwiceParsed) -> Grid {
    let gold = gold.map_or(&[][..], Tree::heads);
    let shown = |heads: &[Word], m: usize| heads.get(m).map_or_else(String::new, ToString::to_string);
    let marked = |heads: &[Word], m: usize| {
        let mark = if heads.get(m) == gold.get(m) { "" } else { "*" };
        format!("{mark}{}", shown(heads, m))
    };
    let section = table::Section::default()
        .right("", (1..=words.len()).map(|m| m.to_string()))
        .left("word", words.iter().map(|[form, _]| (*form).to_owned()))
        .left("tag", words.iter().map(|[_, tag]| (*tag).to_owned()))
        .right("gold", (0..words.len()).map(|m| shown(gold, m)))
        .right("baseline", (0..words.len()).map(|m| marked(baseline, m)))
        .right("larger set", (0..words.len()).map(|m| marked(full, m)));
    Table::new(vec![section], Sheet::default()).grid()
}

fn classes(label: &str, classes: &[ClassWords]) -> Table {
    let uas = |class: &ClassWords, which: usize| percent(class.correct[which], class.words);
    let shown = |value: Option<f64>| value.map_or_else(String::new, |value| fixed(value, 2));
    let gain = |class: &ClassWords| Some(uas(class, 1)? - uas(class, 0)?);
    let section = table::Section::new("")
        .left(label, classes.iter().map(|class| class.name.clone()))
        .right("words", classes.iter().map(|class| grouped(class.words)))
        .right("UAS, baseline", classes.iter().map(|class| shown(uas(class, 0))))
        .right("UAS, larger set", classes.iter().map(|class| shown(uas(class, 1))))
        .right("difference", classes.iter().map(|class| gain(class).map_or_else(String::new, |gain| signed(gain, 2))));
    Table::new(vec![section], Sheet::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(features: &str, seed: u64) -> (Vec<String>, u64) {
        let decoding = if features == "baseline" { "carreras/dp" } else { "carreras/bnb" };
        let axes = ["a", "test", "gold", "graph", "compact", "mira", features, "k=10", decoding];
        (axes.map(str::to_owned).into(), seed)
    }

    #[test]
    fn the_largest_set_is_held_against_its_own_baseline() {
        let axes = ["corpus", "split", "tags", "system", "templates", "learner", "features", "pruning", "decoding"];
        let cells = [cell("baseline", 1), cell("comb", 1), cell("comb", 2), cell("comb+sibling", 1)];
        let frame = |cells: &[(Vec<String>, u64)]| Frame::cells(&axes, cells).expect("cells");
        let name = |(axes, seed): &(Vec<String>, u64)| format!("{}/seed={seed}", axes.join("/"));
        assert_eq!(pairs(&frame(&cells)).expect("axes"), [[name(&cells[0]), name(&cells[3])]]);
        assert!(pairs(&frame(&cells[1..])).expect("axes").is_empty());
    }

    #[test]
    fn sentences_come_by_what_they_gain_or_lose() {
        let words = |heads: &[usize]| heads.iter().map(|&head| Word::new(head)).collect::<Vec<_>>();
        let gold = words(&[2, 0, 2]);
        let gold = Tree::new(gold).expect("a tree");
        let (right, wrong, worse) = (words(&[2, 0, 2]), words(&[2, 0, 1]), words(&[0, 1, 1]));
        let twice = |baseline, full| TwiceParsed {
            place: String::new(),
            words: vec![["w", ""]; 3],
            gold: Some(&gold),
            scored: &[true; 3],
            heads: [baseline, full],
        };
        let sentences = [twice(&right, &right), twice(&wrong, &right), twice(&right, &worse), twice(&wrong, &wrong)];
        let view = [ClassWords { name: "1 to 10".to_owned(), words: 12, correct: [10, 8] }];
        let compared = Compared { cell: "comb", sentences: &sentences, classes: &[("length", view.into())] };
        let section = compared.sentences(Ok(9), |number| Some(format!("explain {number}")));
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
        assert_eq!(compared.sentences(Ok(1), |_| None).drawings.len(), 1);
        let without = compared.sentences(Err("They are not drawn."), |_| None);
        assert!(without.drawings.is_empty() && without.paragraphs[0].ends_with("as near. They are not drawn."));
        let table = &compared.breakdown().tables[0].sections[0];
        let cells: Vec<&str> = table.rows[0].iter().map(|cell| cell.text.as_str()).collect();
        assert_eq!(cells, ["1 to 10", "12", "83.33", "66.67", "-16.67"]);
    }
}
