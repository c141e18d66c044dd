//! The blocks that pages may have, and what the words of a block say: names, then keys with values.

use thiserror::Error;

use super::experiment::{Experiments, selection_keys};
use super::{claims, lines, sections};
use treebound_experiment::config::{ConfigError, nearest};
use treebound_parser::features::template::TemplateError;
use treebound_records::ReportError;
use treebound_report::tables::table::Section;

/// A kind of block.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Its name on pages.
    pub name: &'static str,
    /// What it shows, for people.
    pub help: &'static str,
    /// Whether its keys are those that choose cells: grids and axes.
    chooses_cells: bool,
    /// Its other keys, but for `columns`.
    keys: &'static [&'static str],
    /// The table that it holds.
    section: fn(&Experiments, &Arguments<'_>) -> Result<Section, BlockError>,
}

const fn block(
    name: &'static str,
    help: &'static str,
    keys: &'static [&'static str],
    section: fn(&Experiments, &Arguments<'_>) -> Result<Section, BlockError>,
) -> Block {
    Block { name, help, chooses_cells: false, keys, section }
}

const fn block_of_cells(
    name: &'static str,
    help: &'static str,
    keys: &'static [&'static str],
    section: fn(&Experiments, &Arguments<'_>) -> Result<Section, BlockError>,
) -> Block {
    Block { name, help, chooses_cells: true, keys, section }
}

/// All blocks. A new one is a function and a line here.
pub const BLOCKS: &[Block] = &[
    block("table1", "the parts of treebanks", &[], sections::parts),
    block("origins", "rows by the state of the sources that made them", &[], sections::origins),
    block("templates", "how many templates sets have; named are sets or their files", &[], sections::templates),
    block_of_cells(
        "table2",
        "parsers against their baselines; beside=AXIS puts its values side by side, best=N shows the N best",
        &["beside", "best"],
        lines::table2,
    ),
    block_of_cells(
        "table3",
        "what pruning costs and brings, of parsers with several prunings",
        &["beside"],
        lines::table3,
    ),
    block_of_cells(
        "ablation",
        "what each idea of the search is worth, on one cell; ways=WAY,WAY shows these alone",
        &["ways"],
        sections::ablation,
    ),
    block_of_cells(
        "effects",
        "what kind=family, pair or set adds over every combination of families",
        &["kind"],
        sections::effects,
    ),
    block_of_cells("budget", "what exactness buys, on one cell", &[], sections::budget),
    block_of_cells("calls", "how DP calls are spread over sentences", &[], sections::calls),
    block("growth", "how time and memory grow along axis=AXIS", &["axis"], sections::growth),
    block(
        "learning",
        "how long it takes to learn the models of corpus=NAME, by number of threads",
        &["corpus"],
        sections::learning,
    ),
    block_of_cells("states", "what searches over states find and cost", &[], sections::states),
    block_of_cells("league", "all parsers, most accurate first", &[], sections::league),
    block("claims", "the claims of an experiment with their verdicts", &["corpus", "tags"], claims::claims),
    block("failures", "the claims of an experiment that do not hold, and why", &["corpus", "tags"], claims::failures),
    block("claims-summary", "how many claims hold, by experiment", &[], claims::summary),
];

/// The block that words name, and the rest of them.
///
/// # Errors
/// A block or key that is not known.
pub fn read(words: &str) -> Result<(&'static Block, Arguments<'_>), BlockError> {
    let (name, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    let block = BLOCKS.iter().find(|block| block.name == name);
    let block = block.ok_or_else(|| BlockError::unknown("block", name, BLOCKS.iter().map(|block| block.name)))?;
    let cells = block.chooses_cells.then(selection_keys).into_iter().flatten();
    let keys: Vec<&str> = cells.chain(block.keys.iter().copied()).chain([COLUMNS]).collect();
    Ok((block, Arguments::read(rest, &keys)?))
}

/// What a block holds, in Markdown.
///
/// # Errors
/// If it cannot be filled.
pub fn table(experiments: &Experiments, words: &str) -> Result<String, BlockError> {
    let (block, arguments) = read(words)?;
    Ok((block.section)(experiments, &arguments)?.markdown())
}

/// The words behind a block's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arguments<'t> {
    /// The words without `=`; commas part them too.
    pub names: Vec<&'t str>,
    /// The others. A value may have a `=` of its own, as in `pruning=k=10`.
    keys: Vec<(&'t str, &'t str)>,
}

/// The key that chooses columns; all blocks have it.
pub const COLUMNS: &str = "columns";

impl<'t> Arguments<'t> {
    /// Reads the words behind a block's name, whose keys are known.
    ///
    /// # Errors
    /// A key that is not known, or is there twice.
    fn read(words: &'t str, known: &[&str]) -> Result<Self, BlockError> {
        let (mut names, mut keys) = (Vec::new(), Vec::new());
        for word in words.split_whitespace() {
            let Some((key, value)) = word.split_once('=') else {
                names.extend(word.split(',').filter(|name| !name.is_empty()));
                continue;
            };
            if !known.contains(&key) {
                return Err(BlockError::unknown("key", key, known.iter().copied()));
            }
            if keys.iter().any(|(other, _)| *other == key) {
                return Err(BlockError::Words(format!("the key `{key}` stands there twice")));
            }
            keys.push((key, value));
        }
        Ok(Self { names, keys })
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&'t str> {
        self.keys.iter().find(|(name, _)| *name == key).map(|(_, value)| *value)
    }

    /// The values of a key, which commas part.
    pub fn list(&self, key: &str) -> Option<Vec<&'t str>> {
        self.get(key).map(|value| value.split(',').collect())
    }

    /// The one name.
    ///
    /// # Errors
    /// If there is none, or there are several.
    pub fn name(&self) -> Result<&'t str, BlockError> {
        match self.names[..] {
            [name] => Ok(name),
            _ => Err(BlockError::several_experiments()),
        }
    }

    /// The columns that are asked for, or the usual ones if none are.
    ///
    /// # Errors
    /// A column that there is not.
    pub fn columns(&self, section: Section, usual: &[&str]) -> Result<Section, BlockError> {
        let names = section.names();
        let asked = self.list(COLUMNS);
        let chosen = section.choose(asked.as_deref().unwrap_or(usual));
        chosen.map_err(|column| BlockError::unknown("column", column, names.iter().map(String::as_str)))
    }

    /// The columns that are asked for, or all of them.
    ///
    /// # Errors
    /// A column that there is not.
    pub fn columns_or_all(&self, section: Section) -> Result<Section, BlockError> {
        let names = section.names();
        self.columns(section, &names.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Keeps the rows whose text for a key is one of its values; all if the key is not there and not `needed`.
    ///
    /// # Errors
    /// A value that no row has.
    pub fn retain<R>(
        &self,
        key: &str,
        is_needed: bool,
        rows: &mut Vec<R>,
        text: impl Fn(&R) -> String,
    ) -> Result<(), BlockError> {
        let asked = match self.list(key) {
            Some(asked) => asked,
            None if is_needed => vec![""],
            None => return Ok(()),
        };
        let mut known: Vec<String> = Vec::new();
        for row in &*rows {
            let text = text(row);
            if !known.contains(&text) {
                known.push(text);
            }
        }
        if let Some(unknown) = asked.iter().find(|asked| known.iter().all(|known| known != *asked)) {
            return Err(BlockError::unknown(key, unknown, known.iter().map(String::as_str)));
        }
        rows.retain(|row| asked.contains(&text(row).as_str()));
        Ok(())
    }
}

/// A block that cannot be filled.
#[derive(Debug, Error)]
pub enum BlockError {
    /// A marker without its other one.
    #[error("{0}")]
    Marker(&'static str),
    /// A name that nothing has.
    #[error("unknown {what} `{name}`; {hint}")]
    Unknown {
        /// What should have that name.
        what: String,
        /// The name.
        name: String,
        /// The right one, or all that there are.
        hint: String,
    },
    /// Words that make no table.
    #[error("{0}")]
    Words(String),
    /// Results that are not there.
    #[error("{what}; make it with: {command}")]
    Missing {
        /// What is missing.
        what: String,
        /// What makes it.
        command: String,
    },
    /// A config that cannot be read.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Results that cannot be read.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// Templates that cannot be read.
    #[error(transparent)]
    Templates(#[from] TemplateError),
}

impl BlockError {
    /// A name that is none of those that are known.
    pub fn unknown<'n>(what: impl Into<String>, name: &str, known: impl Iterator<Item = &'n str> + Clone) -> Self {
        let hint = match nearest(name, known.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", known.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")),
        };
        Self::Unknown { what: what.into(), name: name.to_owned(), hint }
    }

    /// Several experiments, or none, for a block of one.
    pub fn several_experiments() -> Self {
        Self::Words("the block is of one experiment, which is named behind the block".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_keys() {
        let read = |words| Arguments::read(words, &["pruning", "grid"]);
        let arguments = read("ewt,gsd-zh  wsj grid=a,b pruning=k=10").expect("arguments");
        assert_eq!(arguments.names, ["ewt", "gsd-zh", "wsj"]);
        assert_eq!(arguments.list("grid"), Some(vec!["a", "b"]));
        assert_eq!(arguments.get("pruning"), Some("k=10"));
        assert_eq!(arguments.get("seed"), None);
        assert!(arguments.name().is_err());
        let message = |words| read(words).expect_err("an error").to_string();
        assert_eq!(message("prunings=k=3"), "unknown key `prunings`; did you mean `pruning`?");
        assert_eq!(message("x=1"), "unknown key `x`; there are `pruning`, `grid`");
        assert_eq!(message("grid=a grid=b"), "the key `grid` stands there twice");
    }
}
