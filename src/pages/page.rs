//! The blocks of a page: from a line `<!-- begin: ... -->` to the next line `<!-- end -->`. A marker begins its line, so what
//! is indented (an example) is none.

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
    let (mut start, mut open): (usize, Option<(usize, &str)>) = (0, None);
    let mut at = 0;
    for (line, text) in (1..).zip(page.split_inclusive('\n')) {
        let (here, next) = (at, at + text.len());
        at = next;
        match (marker(text), open) {
            (None, _) => {}
            (Some(Marker::Begin(words)), None) => {
                pieces.push(Piece::Text(&page[start..next]));
                (start, open) = (next, Some((line, words)));
            }
            (Some(Marker::End), Some((line, words))) => {
                pieces.push(Piece::Block(Place { line, words, body: &page[start..here] }));
                (start, open) = (here, None);
            }
            (Some(Marker::Begin(_)), Some(_)) => {
                return Err((line, "a block begins inside a block"));
            }
            (Some(Marker::End), None) => return Err((line, "a block ends that has not begun")),
        }
    }
    if let Some((line, _)) = open {
        return Err((line, "the block does not end: there is no line <!-- end -->"));
    }
    pieces.push(Piece::Text(&page[start..]));
    Ok(pieces)
}

enum Marker<'t> {
    Begin(&'t str),
    End,
}

fn marker(line: &str) -> Option<Marker<'_>> {
    let comment = line.trim_end().strip_prefix("<!--")?.strip_suffix("-->")?.trim();
    if comment == "end" { Some(Marker::End) } else { comment.strip_prefix("begin:").map(|w| Marker::Begin(w.trim())) }
}

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
        assert_eq!(pieces[1], Piece::Block(Place { line: 2, words: "x y=1", body: "\nold\n\n" }));
        assert_eq!(pieces.len(), 3);
    }

    #[test]
    fn a_marker_without_its_other_one_is_an_error() {
        let begin = "<!-- begin: x -->\n";
        let line = |page: &str| pieces(page).map_err(|(line, error)| (line, error.to_owned())).expect_err("an error");
        assert_eq!(line(begin), (1, "the block does not end: there is no line <!-- end -->".to_owned()));
        assert_eq!(line("\n<!-- end -->"), (2, "a block ends that has not begun".to_owned()));
        assert_eq!(line(&begin.repeat(2)), (2, "a block begins inside a block".to_owned()));
    }
}
