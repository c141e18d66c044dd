//! Bracketed text as constituent trees.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::treebank::Place;
use crate::treebank::error::{BracketFault, TreebankError};
use crate::treebank::penn::category;

/// Characters of text outside brackets that a message shows.
const SHOWN: usize = 60;

/// How the lines above the trees of a file begin that say whose it is.
const COMMENT: &str = "*x*";

/// A node of a constituent tree, with its label as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// A word or an empty category, with the line on which it stands.
    Word { tag: String, form: String, line: usize },
    /// A constituent, with the indices of its children.
    Constituent { label: String, children: Vec<usize> },
}

impl Node {
    /// The label or tag without function tags and indices.
    pub(super) fn category(&self) -> &str {
        match self {
            Node::Word { tag: label, .. } | Node::Constituent { label, .. } => category(label),
        }
    }
}

/// The tree of one sentence, without the unlabelled bracket around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bracketing {
    /// Children before their parents and words in order; the last node is the whole tree. Empty for `( )` and `(())`.
    pub(super) nodes: Vec<Node>,
    /// Where the tree begins.
    pub(super) place: Place,
}

/// All trees of a file; `path` is for messages.
pub(super) fn parse(bytes: &[u8], path: &Path) -> Result<Vec<Bracketing>, TreebankError> {
    let mut reader =
        Reader { path: Arc::new(path.to_owned()), line: 0, trees: Vec::new(), open: Vec::new(), nodes: Vec::new() };
    for raw in bytes.split(|&b| b == b'\n') {
        reader.line += 1;
        let line = std::str::from_utf8(raw)
            .map_err(|e| TreebankError::NotUtf8 { place: reader.place(reader.line), column: e.valid_up_to() + 1 })?;
        // Files that were put one behind the other have a byte order mark each.
        reader.read_line(line.strip_prefix('\u{feff}').unwrap_or(line))?;
    }
    reader.finish()
}

/// A bracket that is not closed yet.
#[derive(Debug)]
struct Open {
    line: usize,
    label: Option<String>,
    word: Option<(String, usize)>,
    children: Vec<usize>,
}

/// Reads line by line. The open brackets are a stack of its own, so that no depth of nesting is too deep.
struct Reader {
    path: Arc<PathBuf>,
    line: usize,
    trees: Vec<Bracketing>,
    /// The open brackets, outermost first; none between trees.
    open: Vec<Open>,
    /// The nodes of the tree that is open.
    nodes: Vec<Node>,
}

impl Reader {
    fn read_line(&mut self, line: &str) -> Result<(), TreebankError> {
        if self.open.is_empty() && line.trim_start().starts_with(COMMENT) {
            return Ok(());
        }
        let mut rest = line;
        loop {
            rest = if self.open.is_empty() {
                // Any blank may stand between trees, but a word may be an ideographic space.
                rest.trim_start()
            } else {
                rest.trim_ascii_start()
            };
            let Some(first) = rest.chars().next() else {
                return Ok(());
            };
            rest = match first {
                '(' => {
                    self.open_bracket()?;
                    &rest[1..]
                }
                ')' => {
                    self.close_bracket()?;
                    &rest[1..]
                }
                '<' if self.open.is_empty() => match after_markup(rest) {
                    Some(after) => after,
                    None => return Err(self.outside(rest)),
                },
                _ if self.open.is_empty() => {
                    return Err(self.outside(rest.split(['(', ')']).next().unwrap_or(rest)));
                }
                _ => {
                    let end =
                        rest.find(|c: char| c.is_ascii_whitespace() || c == '(' || c == ')').unwrap_or(rest.len());
                    self.word(&rest[..end])?;
                    &rest[end..]
                }
            };
        }
    }

    fn open_bracket(&mut self) -> Result<(), TreebankError> {
        let inside = self.open.len() > 1;
        if let Some(top) = self.open.last_mut() {
            if let Some((word, line)) = top.word.take() {
                return Err(self.fault_at(line, BracketFault::Untagged(word)));
            }
            if top.label.is_none() && inside {
                let line = top.line;
                return Err(self.fault_at(line, BracketFault::Unlabelled { began: self.began() }));
            }
        }
        self.open.push(Open { line: self.line, label: None, word: None, children: Vec::new() });
        Ok(())
    }

    /// A label or a word: the first text in a bracket is its label.
    fn word(&mut self, text: &str) -> Result<(), TreebankError> {
        let line = self.line;
        if text.contains('\0') {
            return Err(self.fault(BracketFault::Nul(text.to_owned())));
        }
        match self.open.last_mut() {
            Some(top) if top.label.is_none() && top.children.is_empty() => {
                top.label = Some(text.to_owned());
                Ok(())
            }
            Some(top) if top.word.is_none() && top.children.is_empty() => {
                top.word = Some((text.to_owned(), line));
                Ok(())
            }
            _ if text.starts_with('<') => {
                let (markup, began) = (text.to_owned(), self.began());
                Err(self.fault(BracketFault::Markup { markup, began }))
            }
            _ => Err(self.fault(BracketFault::Untagged(text.to_owned()))),
        }
    }

    fn close_bracket(&mut self) -> Result<(), TreebankError> {
        let Some(Open { line, label, word, children }) = self.open.pop() else {
            return Err(self.fault(BracketFault::Unopened));
        };
        let outermost = self.open.is_empty();
        let node = match (label, word) {
            (Some(tag), Some((form, line))) => Some(Node::Word { tag, form, line }),
            (Some(label), None) if !children.is_empty() => Some(Node::Constituent { label, children }),
            // The unlabelled bracket around a tree, which is a node only if it holds several.
            (None, _) if outermost => {
                (children.len() > 1).then(|| Node::Constituent { label: String::new(), children })
            }
            // Nothing, in the outer bracket of an empty tree.
            (None, None) if children.is_empty() && self.open.len() == 1 => return Ok(()),
            (label, _) => {
                return Err(self.fault_at(line, BracketFault::Hollow(label.unwrap_or_default())));
            }
        };
        if let Some(parent) = self.open.last_mut() {
            parent.children.push(self.nodes.len());
        }
        self.nodes.extend(node);
        if outermost {
            let place = self.place(line);
            self.trees.push(Bracketing { nodes: std::mem::take(&mut self.nodes), place });
        }
        Ok(())
    }

    fn finish(self) -> Result<Vec<Bracketing>, TreebankError> {
        match self.open.first() {
            Some(first) => Err(self.fault_at(first.line, BracketFault::Unclosed { open: self.open.len() })),
            None => Ok(self.trees),
        }
    }

    /// The line on which the open tree began.
    fn began(&self) -> usize {
        self.open.first().map_or(self.line, |open| open.line)
    }

    fn place(&self, line: usize) -> Place {
        Place { path: self.path.clone(), line, sentence: self.trees.len() + 1, id: None }
    }

    fn fault_at(&self, line: usize, fault: BracketFault) -> TreebankError {
        TreebankError::Brackets { place: self.place(line), fault }
    }

    /// Text outside brackets, as much of it as a message can hold.
    fn outside(&self, text: &str) -> TreebankError {
        let start = text.trim_end().chars().take(SHOWN).collect();
        self.fault(BracketFault::Outside(start))
    }

    fn fault(&self, fault: BracketFault) -> TreebankError {
        self.fault_at(self.line, fault)
    }
}

/// What follows the markup at the start of `text` on its line: a tag, or a whole element if it holds plain text
/// (`<DATE> today </DATE>`); none if this is no markup. An element that holds a bracket is entered.
fn after_markup(text: &str) -> Option<&str> {
    let (tag, after) = text.strip_prefix('<')?.split_once('>')?;
    let name = tag.split_whitespace().next().filter(|_| tag.starts_with(is_name_start))?;
    let element = after.split_once('<').filter(|(inner, _)| !inner.contains(['(', ')']));
    let end = element.and_then(|(_, rest)| rest.strip_prefix('/')?.strip_prefix(name));
    Some(end.and_then(|rest| rest.trim_start().strip_prefix('>')).unwrap_or(after))
}

fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')
}
