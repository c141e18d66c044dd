//! The report: one page of an experiment for somebody who was not there, as HTML that needs nothing beside it, and as
//! Markdown.
//!
//! A [`Report`] is sections of paragraphs, tables, figures and sentences. The two templates say how these look; what stands
//! in them is decided here.

mod compare;
pub mod sections;

use std::collections::BTreeMap;
use std::path::Path;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, Value, escape_formatter};
use serde::Serialize;
use thiserror::Error;

pub use compare::{ClassWords, Compared, TwiceParsed, pairs};

use crate::tables::table::Grid;

/// A page of an experiment.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// Its title.
    pub title: String,
    /// The sections, in order.
    pub sections: Vec<Section>,
}

/// A part of a page.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Section {
    /// Its title.
    pub title: String,
    /// The name of the place, for links.
    pub id: String,
    /// What is said first.
    pub paragraphs: Vec<String>,
    /// Tables.
    pub tables: Vec<Grid>,
    /// Drawings behind them.
    pub drawings: Vec<Drawing>,
}

/// A figure, or the trees of a sentence.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Drawing {
    /// What it shows.
    pub caption: String,
    /// The same, more of it.
    pub lines: Vec<String>,
    /// A command that says more; none if there is none.
    pub command: Option<String>,
    /// The drawing.
    pub svg: String,
    /// Where a page finds it that cannot hold it; none if it is nowhere else.
    pub file: Option<String>,
    /// The same as words, for such a page.
    pub table: Option<Grid>,
}

/// Why a page cannot be made.
#[derive(Debug, Error)]
#[error("the report cannot be made")]
pub struct RenderError(#[from] minijinja::Error);

impl Section {
    /// A section without anything in it yet.
    pub fn new(title: &str) -> Self {
        let id = title.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        Self { title: title.to_owned(), id, ..Self::default() }
    }

    /// The same with a name behind its title.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        let Self { title, id, .. } = Self::new(&format!("{}: {name}", self.title));
        Self { title, id, ..self }
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.paragraphs.is_empty() && self.tables.is_empty() && self.drawings.is_empty()
    }
}

/// A text without the folders of this machine: a path below the working folder is relative to it, and of any other absolute path the
/// last name is left. What follows `-f` is no path.
pub fn without_folders(text: &str, working: &Path) -> String {
    let is_regex = |before: Option<&str>| before.is_some_and(|word| ["-f", "--filter"].contains(&word));
    let mut shown = String::new();
    let mut before = None;
    for word in text.split_inclusive(char::is_whitespace) {
        let start = word.find(|c: char| !"'\"(=".contains(c)).unwrap_or(0);
        let start = word.find('=').map_or(start, |equals| if word.starts_with("--") { equals + 1 } else { start });
        let (opening, path) = word.split_at(start);
        shown.push_str(opening);
        shown.push_str(match path.strip_prefix('/') {
            Some(below) if !below.trim().is_empty() && !is_regex(before) => match Path::new(path).strip_prefix(working)
            {
                Ok(below) => below.to_str().filter(|below| !below.is_empty()).unwrap_or("."),
                Err(_) => path.trim_end_matches('/').rsplit('/').next().unwrap_or(path),
            },
            _ => path,
        });
        before = Some(word.trim());
    }
    shown
}

impl Section {
    /// The same [without folders](without_folders) in what is said. Words of a treebank, which tables have, stay.
    #[must_use]
    pub fn without_folders(mut self, working: &Path) -> Self {
        let paragraphs = self.paragraphs.iter_mut();
        let of_drawings =
            self.drawings.iter_mut().flat_map(|drawing| drawing.lines.iter_mut().chain(&mut drawing.command));
        paragraphs.chain(of_drawings).for_each(|text| *text = without_folders(text, working));
        self
    }
}

impl Report {
    /// A page of the sections that hold something. Names of places that are there twice get a number.
    pub fn new(title: String, mut sections: Vec<Section>) -> Self {
        sections.retain(|section| !section.is_empty());
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for section in &mut sections {
            let count = seen.entry(section.id.clone()).and_modify(|count| *count += 1).or_insert(1);
            if *count > 1 {
                section.id = format!("{}-{count}", section.id);
            }
        }
        Self { title, sections }
    }

    /// As one HTML file that needs no other, and no script.
    ///
    /// # Errors
    /// If a template is wrong.
    pub fn html(&self) -> Result<String, RenderError> {
        self.render("page.html", include_str!("page.html"), AutoEscape::Html)
    }

    /// As Markdown, which names the files of the figures.
    ///
    /// # Errors
    /// If a template is wrong.
    pub fn markdown(&self) -> Result<String, RenderError> {
        self.render("page.md", include_str!("page.md"), AutoEscape::Custom("markdown".into()))
    }

    fn render(&self, name: &str, template: &str, escape: AutoEscape) -> Result<String, RenderError> {
        let mut environment = Environment::new();
        environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
        environment.set_auto_escape_callback(move |_| escape.clone());
        environment.add_filter("inline", inline);
        environment.set_formatter(|out, state, value| match (state.auto_escape(), value.as_str()) {
            (AutoEscape::Custom(_), Some(text)) if !value.is_safe() => Ok(out.write_str(&plain_markdown(text))?),
            (AutoEscape::Custom(_), _) => Ok(write!(out, "{value}")?),
            _ => escape_formatter(out, state, value),
        });
        environment.add_template(name, template)?;
        Ok(environment.get_template(name)?.render(Serde(self))?)
    }
}

/// A text that Markdown shows as it is: words of a treebank, or names in a config, may look like tags, links or headings.
fn plain_markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let next = rest.peek().copied();
        let is_at_edge = |beside: Option<char>| !beside.is_some_and(char::is_alphanumeric);
        let acts = match c {
            '|' | '`' | '~' | '*' => true,
            '\\' => next.is_some_and(|c| c.is_ascii_punctuation()),
            '_' => is_at_edge(before) || is_at_edge(next),
            '<' => next.is_some_and(|c| c.is_ascii_alphabetic() || "/!?".contains(c)),
            '&' => next.is_some_and(|c| c.is_ascii_alphabetic() || c == '#') && text.contains(';'),
            ']' => next.is_some_and(|c| "([:".contains(c)),
            '#' | '>' | '=' => before.is_none(),
            '+' | '-' => before.is_none() && next.is_none_or(char::is_whitespace),
            '.' | ')' => next.is_none_or(char::is_whitespace) && is_number(&out),
            _ => false,
        };
        if acts {
            out.push('\\');
        }
        out.push(if c == '\n' { ' ' } else { c });
        before = Some(c);
    }
    out
}

/// Whether a text would number an item of a list, with a point behind it.
fn is_number(text: &str) -> bool {
    !text.is_empty() && text.len() < 10 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A drawing inside a page: without the line that only a file has.
fn inline(svg: String) -> Value {
    let start = svg.find("<svg").unwrap_or(0);
    Value::from_safe_string(svg[start..].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::table::{GridCell, GridSection};

    fn report() -> Report {
        let cell = |text: &str, is_number| GridCell { text: text.to_owned(), is_number };
        let grid = Grid {
            sections: vec![GridSection {
                heading: "a & b".to_owned(),
                columns: vec![cell("set", false), cell("UAS", true)],
                rows: vec![vec![cell("x|<y>", false), cell("91.00", true)]],
            }],
            notes: vec!["n < 1".to_owned()],
        };
        let drawing = Drawing {
            caption: "<caption>".to_owned(),
            command: Some("treebound explain a.toml --sentence 1".to_owned()),
            svg: "<?xml version=\"1.0\"?>\n<svg width=\"1\"></svg>\n".to_owned(),
            file: Some("figures/a.svg".to_owned()),
            table: Some(grid.clone()),
            ..Drawing::default()
        };
        let section = Section {
            paragraphs: vec!["1 < 2".to_owned()],
            tables: vec![grid],
            drawings: vec![drawing],
            ..Section::new("The Data")
        };
        Report { title: "a <title>".to_owned(), sections: vec![section] }
    }

    #[test]
    fn html_holds_everything_and_escapes_what_is_text() {
        let html = report().html().expect("a page");
        for wanted in [
            "<title>a &lt;title&gt;</title>",
            "1 &lt; 2",
            "a &amp; b",
            "x|&lt;y&gt;",
            "n &lt; 1",
            "&lt;caption&gt;",
            "<svg width=\"1\"></svg>",
            "href=\"#the-data\"",
            "id=\"the-data\"",
            "treebound explain a.toml --sentence 1",
        ] {
            assert!(html.contains(wanted), "{wanted}: {html}");
        }
        assert!(!html.contains("<?xml") && !html.contains("<script") && !html.contains("http"), "{html}");
        assert_eq!(html.matches("<td").count(), 2, "tables of drawings are for pages that cannot draw");
    }

    #[test]
    fn folders_of_this_machine_are_left_out() {
        let working = Path::new("/home/me/work");
        for (text, shown) in [
            ("run /home/me/work/configs/a.toml --out /tmp/x -q", "run configs/a.toml --out x -q"),
            ("run a.toml -f '/k=10/.*seed=1$' --cache '/tmp/a b'", "run a.toml -f '/k=10/.*seed=1$' --cache 'a b'"),
            ("/data/en/test.conllu:12: sentence 3 (a/b)", "test.conllu:12: sentence 3 (a/b)"),
            ("treebound run --cache=/tmp/cache grid=/x", "treebound run --cache=cache grid=/x"),
            ("en/test/gold and 1 / 2", "en/test/gold and 1 / 2"),
        ] {
            assert_eq!(without_folders(text, working), shown);
        }
    }

    #[test]
    fn words_do_nothing_in_markdown() {
        for (word, shown) in [
            ("<!-- x", "\\<!-- x"),
            ("<i>", "\\<i>"),
            ("a < b", "a < b"),
            ("*b*", "\\*b\\*"),
            ("[x](javascript:y)", "[x\\](javascript:y)"),
            ("scored_correct _b_", "scored_correct \\_b\\_"),
            ("# title", "\\# title"),
            ("- item", "\\- item"),
            ("-1.5", "-1.5"),
            ("12. item", "12\\. item"),
            ("in 12. time", "in 12. time"),
            ("&lt;", "\\&lt;"),
            ("R&D", "R&D"),
            ("a\\*", "a\\\\\\*"),
        ] {
            assert_eq!(plain_markdown(word), shown);
        }
    }

    #[test]
    fn markdown_holds_the_same_as_words() {
        let text = report().markdown().expect("a page");
        for wanted in [
            "# a \\<title>\n",
            "## The Data\n\n1 < 2\n",
            "**a & b**\n\n| set | UAS |\n| --- | ---: |\n| x\\|\\<y> | 91.00 |\n\n- n < 1\n",
            "![\\<caption>](figures/a.svg)\n",
            "    treebound explain a.toml --sentence 1\n",
        ] {
            assert!(text.contains(wanted), "{wanted}: {text}");
        }
        assert!(!text.contains("<svg") && !text.contains("\n\n\n"), "{text}");
    }
}
