//! A page: where its blocks are, filling them, and where they differ from the results.
//!
//! A block lies between a comment `<!-- begin: ... -->`, which may have several lines, and the next line `<!-- end -->`. A
//! marker begins its line, so an indented one (an example) marks nothing.

use std::fmt::{self, Display};

#[cfg(test)]
use super::blocks::read;
use super::blocks::{BlockError, table};
use super::experiment::Experiments;

/// A part of a page. The texts of all parts, one behind the other, are the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Artifact<'t> {
    /// What is never changed, the markers among it.
    Text(&'t str),
    /// What lies between two markers.
    Block(Place<'t>),
}

/// A block on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'t> {
    /// The line of its first marker, from 1.
    pub line: usize,
    /// What that says.
    pub words: &'t str,
    /// The first line behind it, from 1.
    pub first: usize,
    /// What lies between the markers: whole lines.
    pub body: &'t str,
}

/// The artifacts of a page.
///
/// # Errors
/// A marker without its other one, with its line.
pub fn artifacts(page: &str) -> Result<Vec<Artifact<'_>>, (usize, &'static str)> {
    let mut artifacts = Vec::new();
    // Where the text or the body begins that is being read, and the block that it is the body of.
    let (mut start, mut open): (usize, Option<Place<'_>>) = (0, None);
    let mut at = 0;
    let mut lines = (1..).zip(page.split_inclusive('\n'));
    while let Some((line, text)) = lines.next() {
        let here = at;
        at += text.len();
        if let Some(rest) = page[here..].strip_prefix(BEGIN).filter(|_| text.starts_with(BEGIN)) {
            if open.is_some() {
                return Err((line, "a block begins inside a block"));
            }
            let words = rest.find(CLOSE).map(|end| &rest[..end]).filter(|words| !words.contains(OPEN));
            let words = words.ok_or((line, "the comment that begins a block does not end"))?;
            let mut first = line + 1;
            while at < here + BEGIN.len() + words.len() + CLOSE.len() {
                let Some((line, text)) = lines.next() else { break };
                at += text.len();
                first = line + 1;
            }
            artifacts.push(Artifact::Text(&page[start..at]));
            (start, open) = (at, Some(Place { line, words: words.trim(), first, body: "" }));
        } else if text.trim_end() == END {
            let place = open.take().ok_or((line, "a block ends that has not begun"))?;
            artifacts.push(Artifact::Block(Place { body: &page[start..here], ..place }));
            start = here;
        }
    }
    if let Some(place) = open {
        return Err((place.line, "the block does not end: there is no line <!-- end -->"));
    }
    artifacts.push(Artifact::Text(&page[start..]));
    Ok(artifacts)
}

const OPEN: &str = "<!--";
const CLOSE: &str = "-->";
const BEGIN: &str = "<!-- begin:";
const END: &str = "<!-- end -->";

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

impl Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { page, block, line, here, there } = self;
        let shown = |text: &Option<String>| text.clone().unwrap_or_else(|| "(no more lines)".to_owned());
        write!(f, "{page}:{line}: {block}\n  the page has   {}\n  results give   {}", shown(here), shown(there))
    }
}

/// Fills the blocks of a page; its name is for messages.
pub fn fill(experiments: &Experiments, name: &str, page: &str) -> Filled {
    let mut filled = Filled::default();
    let fault = |line, block: &str, error| Fault { page: name.to_owned(), line, block: one_line(block), error };
    let artifacts = match artifacts(page) {
        Ok(artifacts) => artifacts,
        Err((line, error)) => {
            return Filled {
                text: page.to_owned(),
                faults: vec![fault(line, "", BlockError::Marker(error))],
                ..filled
            };
        }
    };
    for artifact in artifacts {
        let place = match artifact {
            Artifact::Text(text) => {
                filled.text.push_str(text);
                continue;
            }
            Artifact::Block(place) => place,
        };
        match table(experiments, place.words) {
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
#[cfg(test)]
pub fn known(name: &str, page: &str) -> Vec<Fault> {
    let fault = |line, block: &str, error| Fault { page: name.to_owned(), line, block: one_line(block), error };
    match artifacts(page) {
        Err((line, error)) => vec![fault(line, "", BlockError::Marker(error))],
        Ok(artifacts) => {
            let blocks = artifacts.into_iter().filter_map(|artifact| match artifact {
                Artifact::Block(place) => read(place.words).err().map(|error| fault(place.line, place.words, error)),
                Artifact::Text(_) => None,
            });
            blocks.collect()
        }
    }
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

/// What is wrong with a page, and where.
#[derive(Debug)]
pub struct Fault {
    /// The page.
    pub page: String,
    /// The line, from 1.
    pub line: usize,
    /// The words of the block; empty if there is none.
    pub block: String,
    /// What is wrong.
    pub error: BlockError,
}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { page, line, block, error } = self;
        let separator = if block.is_empty() { "" } else { ": " };
        write!(f, "{page}:{line}: {block}{separator}{error}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn artifacts_are_the_page() {
        let page =
            "a\n<!-- begin: x y=1 -->\n\nold\n\n<!-- end -->\nb\n    <!-- begin: example -->\n<!-- a comment -->\nend";
        let artifacts = artifacts(page).expect("a page");
        let text = |artifact: &Artifact| match *artifact {
            Artifact::Text(text) => text.to_owned(),
            Artifact::Block(place) => place.body.to_owned(),
        };
        assert_eq!(artifacts.iter().map(text).collect::<String>(), page);
        assert_eq!(artifacts[1], Artifact::Block(Place { line: 2, words: "x y=1", first: 3, body: "\nold\n\n" }));
        assert_eq!(artifacts.len(), 3);
    }

    #[test]
    fn a_first_marker_may_have_several_lines() {
        let artifacts = artifacts("a\n<!-- begin: x\n  y=1\n-->\nold\n<!-- end -->\n").expect("a page");
        assert_eq!(artifacts[1], Artifact::Block(Place { line: 2, words: "x\n  y=1", first: 5, body: "old\n" }));
    }

    #[test]
    fn a_marker_without_its_other_one_is_an_error() {
        let begin = "<!-- begin: x -->\n";
        let line =
            |page: &str| artifacts(page).map_err(|(line, error)| (line, error.to_owned())).expect_err("an error");
        assert_eq!(line(begin), (1, "the block does not end: there is no line <!-- end -->".to_owned()));
        assert_eq!(line("\n<!-- end -->"), (2, "a block ends that has not begun".to_owned()));
        let unclosed = (1, "the comment that begins a block does not end".to_owned());
        assert_eq!(line("<!-- begin: x\n<!-- end -->\n"), unclosed);
        assert_eq!(line(&begin.repeat(2)), (2, "a block begins inside a block".to_owned()));
    }
}
