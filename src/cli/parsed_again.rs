//! Two parsers side by side on the sentences of a part, for the report: rows do not hold trees, so these are parsed again.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;

use super::flags::ConfigFlags;
use super::output::{causes, say};
use super::results::{Opened, frame};
use treebound_experiment::cell::{Cell, cells, usual_cells};
use treebound_experiment::config::Format;
use treebound_experiment::rows::{ScoreRow, csv};
use treebound_experiment::run::ExperimentContext;
use treebound_experiment::store::Store;
use treebound_experiment::trees::{ParsedSentence, classes, trees};
use treebound_parser::cell::{CellKey, Setting, Split};
use treebound_report::frame::{ABSENT, Frame};
use treebound_report::page::{ClassWords, Compared, Section, TwiceParsed, pairs};
use treebound_report::tables::blocks::block_words;

/// Sentences of a synthetic treebank that are drawn if nothing is said.
const SENTENCES: usize = 8;

/// Sections on two parsers a block, as far as their models are available: accuracy by class of words, and `sentences` sentences;
/// without such a number the usual one of synthetic treebanks, and none of others.
pub fn compared(
    opened: &Opened,
    asked_for: impl Fn(&Cell) -> bool,
    flags: &ConfigFlags,
    sentences: Option<usize>,
    store: &Store,
) -> Result<Vec<Section>> {
    let config = &opened.config;
    let usual = usual_cells(config);
    let of_cells = |keep: &dyn Fn(&Cell) -> bool| {
        let kept = cells(config).into_iter().filter(|cell| keep(cell));
        kept.map(|cell| (cell.key(config).to_string(), cell.key(config))).collect::<BTreeMap<String, CellKey>>()
    };
    let framed = |keys: &BTreeMap<String, CellKey>| frame(&keys.values().cloned().collect::<BTreeSet<_>>());
    let keys = of_cells(&|cell| asked_for(cell) && usual.contains(cell));
    let chosen: BTreeSet<String> = pairs(&framed(&keys)?)?.into_iter().flatten().collect();
    let missing = |reason: String| {
        let mut section = Section::new("Accuracy by class of words");
        section.paragraphs.push(reason);
        Ok(vec![section])
    };
    if chosen.is_empty() {
        return missing("No cell stands beside the baseline of the same data, templates, learner and seed.".to_owned());
    }
    let is_chosen = |cell: &Cell| chosen.contains(&cell.key(config).to_string());
    // Parsing again takes seconds, learning again does not.
    let available = match ExperimentContext::open_cells(config, store, |_| false) {
        Ok(context) => of_cells(&|cell| is_chosen(cell) && context.has_models(cell)),
        Err(error) => return missing(format!("The treebanks are not there: {}", causes(&error.into()))),
    };
    let own = framed(&available)?;
    let pairs = pairs(&own)?;
    if pairs.is_empty() {
        let command = opened.results.command("run");
        return missing(format!("The models are not there, and rows do not hold trees; make them with: {command}"));
    }
    let wanted = |cell: &Cell| pairs.iter().flatten().any(|name| *name == cell.key(config).to_string());
    say!("parsing again: {} cells", pairs.len() * 2);
    let context = ExperimentContext::open_cells(config, store, wanted)?;
    let scores: Vec<ScoreRow> = csv::read_if_there(&opened.results.path("scores.csv"))?;
    let trees = trees(&context, &scores, wanted)?;
    let full: BTreeSet<&String> = pairs.iter().map(|[_, full]| full).collect();
    let full = own.only("cell", |cell| full.contains(&cell.to_owned()))?;
    let mut sections = Vec::new();
    for [baseline, larger] in &pairs {
        let [Some(of_baseline), Some(of_full)] = [baseline, larger].map(|name| trees.get(available.get(name)?)) else {
            continue;
        };
        let key = &available[larger];
        let twice: Vec<TwiceParsed> = of_baseline.iter().zip(of_full).map(|(a, b)| twice_parsed(a, b)).collect();
        let views = classes([of_baseline, of_full]).into_iter().map(|(label, words)| {
            let class = |(name, words, correct)| ClassWords { name, words, correct };
            (label, words.into_iter().map(class).collect())
        });
        let views: Vec<(&str, Vec<ClassWords>)> = views.collect();
        let compared = Compared { cell: larger, sentences: &twice, classes: &views };
        let explain = |number| explain(flags, &key.setting, key.seed, number);
        let is_made = config.corpora.iter().any(|c| c.name == key.setting.corpus && c.format == Format::Synthetic);
        let sentences = sentences.or(is_made.then_some(SENTENCES)).ok_or(
            "They are not drawn: the treebank has a licence of its own. --sentences 8 draws those with the largest differences.",
        );
        let both = [compared.breakdown(), compared.sentences(sentences, explain)];
        // One pair needs no name.
        let name = if pairs.len() > 1 { Some(words(&full, larger)?) } else { None };
        sections.extend(both.map(|section| name.iter().fold(section, |section, name| section.named(name))));
    }
    Ok(sections)
}

fn twice_parsed<'a>(baseline: &'a ParsedSentence, full: &'a ParsedSentence) -> TwiceParsed<'a> {
    let tokens = &full.gold.tokens;
    TwiceParsed {
        place: full.gold.place.to_string(),
        words: tokens.iter().map(|token| [token.form.as_str(), token.fine.as_str()]).collect(),
        gold: full.gold.gold.as_ref(),
        scored: &full.scored,
        heads: [&baseline.heads, &full.heads],
    }
}

/// What a pair is called, by its larger set; its pruning is named where there are several.
fn words(full: &Frame, name: &str) -> Result<String> {
    let own = full.only("cell", |cell| cell == name)?;
    let pruning = own.words("pruning")?.swap_remove(0);
    let words = block_words(&own)?;
    let is_pruned_in_several_ways = full.distinct("pruning")?.len() > 1 && pruning != ABSENT;
    Ok(if is_pruned_in_several_ways { format!("{words}, {pruning}") } else { words })
}

/// The command that says why a parser chose the tree of a sentence; none in cross-validation, where no one model parsed all.
fn explain(flags: &ConfigFlags, setting: &Setting, seed: u64, number: usize) -> Option<String> {
    if setting.split == Split::Cv {
        return None;
    }
    let axes = [
        ("corpus", Some(setting.corpus.to_string())),
        ("tags", Some(setting.tags.to_string())),
        ("templates", setting.templates().map(ToString::to_string)),
        ("learner", setting.learner().map(ToString::to_string)),
        ("backbone", setting.backbone().map(|backbone| backbone.to_string())),
        ("features", setting.features().map(ToString::to_string)),
        ("pruning", setting.pruning().map(|rule| rule.to_string())),
        ("decoder", setting.decoder().filter(|decoder| decoder.is_search()).map(|decoder| decoder.to_string())),
    ];
    let axes: String = axes.into_iter().filter_map(|(flag, value)| Some(format!(" --{flag} {}", value?))).collect();
    Some(format!("treebound explain {flags} --split {} --sentence {number}{axes} --seed {seed}", setting.split))
}
