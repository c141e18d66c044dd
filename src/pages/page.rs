//! The blocks of a page: from a comment `<!-- begin: ... -->`, which may have several lines, to the next line `<!-- end -->`. A
//! marker begins its line, so what is indented (an example) is none.

/// A part of a page. The texts of all parts, one behind the other, are the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'t> {
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

/// The pieces of a page.
///
/// # Errors
/// A marker without its other one, with its line.
pub fn pieces(page: &str) -> Result<Vec<Piece<'_>>, (usize, &'static str)> {
    let mut pieces = Vec::new();
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
            pieces.push(Piece::Text(&page[start..at]));
            (start, open) = (at, Some(Place { line, words: words.trim(), first, body: "" }));
        } else if text.trim_end() == END {
            let place = open.take().ok_or((line, "a block ends that has not begun"))?;
            pieces.push(Piece::Block(Place { body: &page[start..here], ..place }));
            start = here;
        }
    }
    if let Some(place) = open {
        return Err((place.line, "the block does not end: there is no line <!-- end -->"));
    }
    pieces.push(Piece::Text(&page[start..]));
    Ok(pieces)
}

const OPEN: &str = "<!--";
const CLOSE: &str = "-->";
const BEGIN: &str = "<!-- begin:";
const END: &str = "<!-- end -->";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_page() {
        let page =
            "a\n<!-- begin: x y=1 -->\n\nold\n\n<!-- end -->\nb\n    <!-- begin: example -->\n<!-- a comment -->\nend";
        let pieces = pieces(page).expect("a page");
        let text = |piece: &Piece| match *piece {
            Piece::Text(text) => text.to_owned(),
            Piece::Block(place) => place.body.to_owned(),
        };
        assert_eq!(pieces.iter().map(text).collect::<String>(), page);
        assert_eq!(pieces[1], Piece::Block(Place { line: 2, words: "x y=1", first: 3, body: "\nold\n\n" }));
        assert_eq!(pieces.len(), 3);
    }

    #[test]
    fn a_first_marker_may_have_several_lines() {
        let pieces = pieces("a\n<!-- begin: x\n  y=1\n-->\nold\n<!-- end -->\n").expect("a page");
        assert_eq!(pieces[1], Piece::Block(Place { line: 2, words: "x\n  y=1", first: 5, body: "old\n" }));
    }

    #[test]
    fn a_marker_without_its_other_one_is_an_error() {
        let begin = "<!-- begin: x -->\n";
        let line = |page: &str| pieces(page).map_err(|(line, error)| (line, error.to_owned())).expect_err("an error");
        assert_eq!(line(begin), (1, "the block does not end: there is no line <!-- end -->".to_owned()));
        assert_eq!(line("\n<!-- end -->"), (2, "a block ends that has not begun".to_owned()));
        let unclosed = (1, "the comment that begins a block does not end".to_owned());
        assert_eq!(line("<!-- begin: x\n<!-- end -->\n"), unclosed);
        assert_eq!(line(&begin.repeat(2)), (2, "a block begins inside a block".to_owned()));
    }
}
