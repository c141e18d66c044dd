//! Why a parser chose the tree of a sentence, for people.

use std::fmt::Write;

use thiserror::Error;

use treebound_core::graph::{ArcId, FactorGraph, TreePart, Word};
use treebound_core::shown as safe;
use treebound_parser::model::Model;
use treebound_parser::model::explain::contributions;
use treebound_parser::model::explain::{Explanation, KINDS, ScoredTree, Stopped, Verdict};
use treebound_parser::treebank::{Place, Sentence, Token, Tree};
use treebound_records::number::{counted, grouped};

/// Why an identifier names no one sentence.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum IdError {
    /// No sentence of the part has any.
    #[error("--id {0}: no sentence of the part has a `# sent_id` above it; --sentence takes a number")]
    NoNames(String),
    /// No sentence has it.
    #[error("--id {0}: no sentence of the part has `# sent_id = {0}` above it; --sentence takes its number")]
    Unknown(String),
    /// Several sentences have it.
    #[error("--id {0}: {count} sentences of the part have it; --sentence takes a number: {places}", count = .1.len(), places = listed(.1))]
    Several(String, Vec<(usize, Place)>),
}

fn listed(found: &[(usize, Place)]) -> String {
    let (last, more) = (found.len().min(MOST_LISTED), found.len().saturating_sub(MOST_LISTED));
    let mut text: Vec<String> =
        found[..last].iter().map(|(number, place)| format!("--sentence {number} ({place})")).collect();
    text.extend((more > 0).then(|| format!("{more} more")));
    text.join(", ")
}

/// Sentences of one identifier that a message lists.
const MOST_LISTED: usize = 10;

/// The number, from 1, of the sentence with an identifier.
///
/// # Errors
/// If no sentence has it, or several have.
pub fn number_by_id(sentences: &[Sentence], id: &str) -> Result<usize, IdError> {
    let places = sentences.iter().map(|sentence| &sentence.place).enumerate();
    let found: Vec<(usize, Place)> =
        places.filter(|(_, place)| place.id.as_deref() == Some(id)).map(|(i, place)| (i + 1, place.clone())).collect();
    match &found[..] {
        [(number, _)] => Ok(*number),
        [] if sentences.iter().all(|sentence| sentence.place.id.is_none()) => Err(IdError::NoNames(id.to_owned())),
        [] => Err(IdError::Unknown(id.to_owned())),
        _ => Err(IdError::Several(id.to_owned(), found)),
    }
}

/// An explanation with what it is of.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// The words, with the tags that the parser saw.
    pub tokens: &'a [Token],
    /// The sentence, with its gold tree if it has one.
    pub sentence: &'a Sentence,
    /// The explanation.
    pub found: &'a Explanation,
    /// The graph that was searched.
    pub graph: &'a FactorGraph,
    /// The model.
    pub model: &'a Model,
}

/// Features that are printed of each pair of trees.
const FEATURES: usize = 15;

impl Page<'_> {
    /// The trees that there are, by name.
    fn trees(&self) -> Vec<(&'static str, &ScoredTree)> {
        let Explanation { chosen, local, baseline, gold, .. } = self.found;
        let trees = [("chosen", chosen), ("local parts alone", local), ("baseline", baseline), ("gold", gold)];
        trees.into_iter().filter_map(|(name, tree)| Some((name, tree.as_ref()?))).collect()
    }

    fn word(&self, word: Word) -> String {
        let form = word.ix().checked_sub(1).and_then(|i| self.tokens.get(i)).map(|token| safe::shown(&token.form));
        form.map_or_else(|| "root".to_owned(), |form| format!("{word}:{form}"))
    }

    fn arc(&self, arc: ArcId) -> String {
        let space = &self.graph.space;
        format!("{} -> {}", self.word(space.head(arc)), self.word(space.modifier(arc)))
    }

    fn part(&self, part: TreePart) -> String {
        let beside = |inner: Option<ArcId>| match inner {
            Some(inner) => format!(" next to {}", self.word(self.graph.space.modifier(inner))),
            None => " first on its side".to_owned(),
        };
        match part {
            TreePart::Arc(arc) => format!("arc            {}", self.arc(arc)),
            TreePart::Sibling(arc, inner) => format!("sibling        {}{}", self.arc(arc), beside(inner)),
            TreePart::GrandSibling(above, arc, inner) => {
                format!(
                    "grand-sibling  {} -> {}{}",
                    self.word(self.graph.space.head(above)),
                    self.arc(arc),
                    beside(inner)
                )
            }
            TreePart::Grandchild(arc, child) => {
                format!("grandchild     {} -> {}", self.arc(arc), self.word(self.graph.space.modifier(child)))
            }
            TreePart::Factor(factor) => {
                let arcs: Vec<String> = self.graph.factors.arcs(factor).iter().map(|&arc| self.arc(arc)).collect();
                format!("factor         {}", arcs.join(", "))
            }
            TreePart::Count(count, number) => {
                let arcs: Vec<String> = self.graph.counts.arcs(count).iter().map(|&arc| self.arc(arc)).collect();
                format!("{number} of         {}", arcs.join(", "))
            }
            TreePart::NonProjective(arc) => format!("non-projective {}", self.arc(arc)),
        }
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing into a string cannot fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) -> std::fmt::Result {
        let trees = self.trees();
        let gold = self.sentence.gold.as_ref();
        let width = self.tokens.iter().map(|token| safe::shown(&token.form).chars().count()).max().unwrap_or(0).max(4);
        let beside = if self.found.baseline.is_some() { format!(" {:>8}", "baseline") } else { String::new() };
        writeln!(
            text,
            "{:>4}  {:<width$}  {:<8} {:>6} {:>7}{beside} {:>6}",
            "", "word", "tag", "chosen", "local", "gold"
        )?;
        for (i, token) in self.tokens.iter().enumerate() {
            let m = Word::new(i + 1);
            let head = |tree: &Option<ScoredTree>| tree.as_ref().map(|tree| tree.tree.head(m));
            let [chosen, local, baseline] = [&self.found.chosen, &self.found.local, &self.found.baseline].map(head);
            let gold = gold.map(|gold| gold.head(m));
            let shown = |head: Option<Word>| {
                let mark = if gold.is_some() && head.is_some() && head != gold { "*" } else { "" };
                head.map_or("-".to_owned(), |head| format!("{mark}{head}"))
            };
            let (tag, form) = (safe::shown(&token.fine), safe::shown(&token.form));
            let pruned = if self.found.pruned.contains(&m) { "  pruned away" } else { "" };
            let beside = baseline.map_or_else(String::new, |head| format!(" {:>8}", shown(Some(head))));
            let [chosen, local, gold] =
                [shown(chosen), shown(local), gold.map_or("-".to_owned(), |gold| gold.to_string())];
            writeln!(text, "{m:>4}  {form:<width$}  {tag:<8} {chosen:>6} {local:>7}{beside} {gold:>6}{pruned}")?;
        }
        write!(text, "\n{:<18} {:>16}", "tree", "score")?;
        KINDS.iter().try_for_each(|kind| write!(text, " {kind:>16}"))?;
        for (name, tree) in &trees {
            write!(text, "\n{name:<18} {:>16}", tree.score())?;
            tree.sums().iter().try_for_each(|sum| write!(text, " {sum:>16}"))?;
        }
        let decoded = &self.found.decoded;
        let calls = counted(decoded.dp_calls, "call", "calls");
        let nodes = counted(decoded.nodes, "node", "nodes");
        let arcs = counted(self.found.arcs as u64, "arc", "arcs");
        let factors = counted(self.found.factors as u64, "factor", "factors");
        let status = decoded.status.name();
        writeln!(text, "\n\nsearch: {status}, {calls} to the dynamic program, {nodes}, {arcs}, {factors}")?;
        if let (Some(bound), Some(score)) = (decoded.bound, decoded.score) {
            let apart = u64::try_from(bound - score).map_or("?".to_owned(), grouped);
            writeln!(text, "no tree scores more than {bound}, {apart} above the chosen one")?;
        }
        self.write_trace(text)?;
        match self.found.verdict() {
            None => writeln!(text, "there is no gold tree that a projective parser could give")?,
            Some(Verdict::Right) => writeln!(text, "the chosen tree is the gold one")?,
            Some(Verdict::Pruning) => writeln!(text, "the gold tree was pruned away: no search could find it")?,
            Some(Verdict::Search) => {
                writeln!(text, "search error: the model prefers the gold tree, and the search missed it")?
            }
            Some(Verdict::Model) => {
                writeln!(text, "model error: the model does not prefer the gold tree to the chosen one")?
            }
        }
        let Some(chosen) = &self.found.chosen else { return Ok(()) };
        for (name, other) in trees.iter().filter(|(name, _)| *name != "chosen") {
            if other.tree == chosen.tree {
                writeln!(text, "\nthe tree of {name} is the chosen one")?;
                continue;
            }
            for (title, of, than) in [("the chosen tree", chosen, *other), (*name, *other, chosen)] {
                let beyond = if title == *name { "the chosen tree" } else { *name };
                writeln!(text, "\nparts of {title} that {beyond} lacks:")?;
                for (part, score) in of.parts_beyond(than) {
                    writeln!(text, "{score:>16}  {}", self.part(part))?;
                }
            }
            self.write_features(text, chosen, name, other)?;
        }
        Ok(())
    }

    /// How the search closed, call by call; of one call there is nothing to tell.
    fn write_trace(&self, text: &mut String) -> std::fmt::Result {
        if self.found.trace.len() < 2 {
            return Ok(());
        }
        let columns = ["best tree", "bound", "between"].map(|column| format!("{column:>16}")).join(" ");
        writeln!(text, "\n{:>5} {:>6} {columns} {:>10}", "calls", "nodes", "arcs fixed")?;
        for Stopped { dp_calls, nodes, score, bound, fixed_arcs } in &self.found.trace {
            let shown = |value: Option<i128>| value.map_or("-".to_owned(), |value| value.to_string());
            let between = bound.zip(*score).map(|(bound, score)| bound - score);
            let [score, bound, between] = [*score, *bound, between].map(shown);
            writeln!(text, "{dp_calls:>5} {nodes:>6} {score:>16} {bound:>16} {between:>16} {fixed_arcs:>10}")?;
        }
        writeln!(text)
    }

    /// The features that decide most between two trees.
    fn write_features(
        &self,
        text: &mut String,
        chosen: &ScoredTree,
        name: &str,
        other: &ScoredTree,
    ) -> std::fmt::Result {
        let all = contributions(self.model, self.tokens, &chosen.tree, &other.tree);
        let count = counted(all.len() as u64, "feature tells", "features tell");
        writeln!(
            text,
            "\n{count} the chosen tree from {name}; those that decide most, for the chosen one if above 0:"
        )?;
        for one in all.iter().take(FEATURES) {
            let times = if one.count.abs() == 1 { String::new() } else { format!(" ({} times)", one.count.abs()) };
            writeln!(text, "{:>16}  {:<44} {}{times}", one.score(), one.template, one.value)?;
        }
        Ok(())
    }

    /// The trees to draw, by name: at most three.
    pub fn drawn_trees(&self) -> Vec<(&'static str, &Tree)> {
        let all = self.trees();
        let named =
            |name: &str| all.iter().find(|(other, _)| *other == name).map(|&(name, scored)| (name, &scored.tree));
        let gold = self.sentence.gold.as_ref().map(|tree| ("gold", tree));
        let other = named("baseline").or(named("local parts alone"));
        [named("chosen"), gold, other].into_iter().flatten().collect()
    }
}
