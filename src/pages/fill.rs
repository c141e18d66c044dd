//! Filling a page, and saying where it differs from the results.

use super::arguments::{Arguments, COLUMNS};
use super::blocks::{BLOCKS, Block};
use super::error::{BlockError, Fault};
use super::page::{Piece, Place, pieces};
use super::select;
use super::shelf::Shelf;

/// A page with its blocks filled.
#[derive(Debug, Default)]
pub struct Filled {
    /// The page. Blocks that cannot be filled are as they were.
    pub text: String,
    /// Blocks that differed.
    pub differences: Vec<Difference>,
    /// What cannot be filled, and why.
    pub faults: Vec<Fault>,
}

/// A block that is not what the results say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The page.
    pub page: String,
    /// The words of the block.
    pub block: String,
    /// The first line that differs, from 1.
    pub line: usize,
    /// What stands there; none if the block has fewer lines.
    pub here: Option<String>,
    /// What the results say; none if they have fewer lines.
    pub there: Option<String>,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { page, block, line, here, there } = self;
        let shown = |text: &Option<String>| text.clone().unwrap_or_else(|| "(no more lines)".to_owned());
        write!(f, "{page}:{line}: {block}\n  the page has   {}\n  results give   {}", shown(here), shown(there))
    }
}

/// Fills the blocks of a page; its name is for messages.
pub fn fill(shelf: &Shelf, name: &str, page: &str) -> Filled {
    let mut filled = Filled::default();
    let fault = |line, block: &str, error| Fault { page: name.to_owned(), line, block: one_line(block), error };
    let pieces = match pieces(page) {
        Ok(pieces) => pieces,
        Err((line, error)) => {
            return Filled {
                text: page.to_owned(),
                faults: vec![fault(line, "", BlockError::Marker(error))],
                ..filled
            };
        }
    };
    for piece in pieces {
        let place = match piece {
            Piece::Text(text) => {
                filled.text.push_str(text);
                continue;
            }
            Piece::Block(place) => place,
        };
        match table(shelf, place.words) {
            Ok(table) => {
                let body = format!("\n{table}\n");
                filled.differences.extend(difference(name, &place, &body));
                filled.text.push_str(&body);
            }
            Err(error) => {
                filled.faults.push(fault(place.line, place.words, error));
                filled.text.push_str(place.body);
            }
        }
    }
    filled
}

/// Faults of the blocks of a page that no results can mend: unknown names and keys.
pub fn known(name: &str, page: &str) -> Vec<Fault> {
    let fault = |line, block: &str, error| Fault { page: name.to_owned(), line, block: one_line(block), error };
    match pieces(page) {
        Err((line, error)) => vec![fault(line, "", BlockError::Marker(error))],
        Ok(pieces) => {
            let blocks = pieces.into_iter().filter_map(|piece| match piece {
                Piece::Block(place) => read(place.words).err().map(|error| fault(place.line, place.words, error)),
                Piece::Text(_) => None,
            });
            blocks.collect()
        }
    }
}

/// The block that words name, and the rest of them.
fn read(words: &str) -> Result<(&'static Block, Arguments<'_>), BlockError> {
    let (name, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    let block = BLOCKS.iter().find(|block| block.name == name);
    let block = block.ok_or_else(|| BlockError::unknown("block", name, BLOCKS.iter().map(|block| block.name)))?;
    let cells = block.chooses_cells.then(select::keys).into_iter().flatten();
    let keys: Vec<&str> = cells.chain(block.keys.iter().copied()).chain([COLUMNS]).collect();
    Ok((block, Arguments::read(rest, &keys)?))
}

/// What a block holds, in Markdown.
fn table(shelf: &Shelf, words: &str) -> Result<String, BlockError> {
    let (block, arguments) = read(words)?;
    let section = (block.section)(shelf, &arguments)?;
    Ok(section.markdown())
}

/// The first line of a block that differs.
fn difference(page: &str, place: &Place<'_>, body: &str) -> Option<Difference> {
    if place.body == body {
        return None;
    }
    let (mut here, mut there) = (place.body.lines(), body.lines());
    let mut line = place.first;
    loop {
        let pair = (here.next(), there.next());
        // Texts whose lines are all the same differ in how lines end.
        if pair.0 != pair.1 || pair == (None, None) {
            let [here, there] = [pair.0, pair.1].map(|line| line.map(str::to_owned));
            return Some(Difference { page: page.to_owned(), block: one_line(place.words), line, here, there });
        }
        line += 1;
    }
}

/// Words that may stand in several lines, in one.
fn one_line(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}
