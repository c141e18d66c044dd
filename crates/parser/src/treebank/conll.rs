//! CoNLL-U and CoNLL-X: one reader and one writer for both, since they share ten tab-separated columns.
//!
//! Read: ID, FORM, the coarse tag (column 4), the fine tag (column 5; the coarse one where it is `_`) and HEAD. Comments,
//! multiword ranges (`1-2`) and empty nodes (`1.1`) are passed over, and kept when a parsed file is written out again.

use std::borrow::Cow;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use crate::treebank::error::{LineFault, TreebankError};
use crate::treebank::{Place, Sentence, Token};
use treebound_core::tree::{Tree, TreeFault, Word};

const COLUMNS: usize = 10;
const COARSE: usize = 3;
const FINE: usize = 4;
const HEAD: usize = 6;
const DEPREL: usize = 7;
const MISC: usize = 9;

/// The columns that are looked at, by what they hold.
const SEEN: [(usize, &str); 3] = [(1, "form"), (COARSE, "coarse tag"), (FINE, "fine tag")];

/// The lines of one sentence with the numbers they have in the file.
#[derive(Clone, Debug)]
struct Block {
    first_line: usize,
    lines: Vec<String>,
}

/// A file read as sentences, with its lines kept so that it can be written with other heads.
#[derive(Clone, Debug)]
pub struct ConllFile {
    /// The sentences, in order.
    pub sentences: Vec<Sentence>,
    blocks: Vec<Block>,
    /// Comments behind the last sentence.
    last: Vec<String>,
}

/// Reads a file whose sentences may lack heads (all words of a sentence, or none).
///
/// # Errors
/// Anything [`TreebankError`] names, with file, line and sentence.
pub fn read(path: &Path) -> Result<ConllFile, TreebankError> {
    let bytes = fs::read(path).map_err(|source| TreebankError::Io { path: path.to_owned(), source })?;
    parse(&bytes, path)
}

/// Reads a gold treebank: as [`read`], and every sentence must have heads.
///
/// # Errors
/// As [`read`], and words without a head.
pub fn read_gold(path: &Path) -> Result<Vec<Sentence>, TreebankError> {
    gold(read(path)?)
}

/// Parses the bytes of a gold treebank; `path` is for messages.
///
/// # Errors
/// As [`read_gold`].
pub fn parse_gold(bytes: &[u8], path: &Path) -> Result<Vec<Sentence>, TreebankError> {
    gold(parse(bytes, path)?)
}

fn gold(file: ConllFile) -> Result<Vec<Sentence>, TreebankError> {
    match file.sentences.iter().find(|s| s.gold.is_none()) {
        Some(s) => Err(TreebankError::Line { place: s.place.clone(), fault: LineFault::NoGold }),
        None => Ok(file.sentences),
    }
}

/// Parses the bytes of a file; `path` is for messages.
///
/// # Errors
/// As [`read`].
pub fn parse(bytes: &[u8], path: &Path) -> Result<ConllFile, TreebankError> {
    let shared = Arc::new(path.to_owned());
    let mut file = ConllFile { sentences: Vec::new(), blocks: Vec::new(), last: Vec::new() };
    for mut block in blocks(bytes, path)? {
        match sentence(&block, &shared, file.sentences.len() + 1)? {
            Some(sentence) => {
                file.sentences.push(sentence);
                // Comments that stand alone come before the sentence, with the line that parts them from it.
                block.lines.splice(..0, file.last.drain(..));
                file.blocks.push(block);
            }
            None => {
                file.last.append(&mut block.lines);
                file.last.push(String::new());
            }
        }
    }
    if file.sentences.is_empty() {
        return Err(TreebankError::Empty { path: path.to_owned() });
    }
    Ok(file)
}

/// Splits a file at its blank lines. Line ends may be LF or CRLF; a byte order mark is passed over.
fn blocks(bytes: &[u8], path: &Path) -> Result<Vec<Block>, TreebankError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut all = Vec::new();
    let mut lines: Vec<String> = Vec::new();
    let mut number = 0;
    let mut finish = |lines: &mut Vec<String>, next_line: usize| {
        if !lines.is_empty() {
            all.push(Block { first_line: next_line - lines.len(), lines: std::mem::take(lines) });
        }
        all.len()
    };
    let mut sentences = 0;
    for raw in bytes.split(|&b| b == b'\n') {
        number += 1;
        let text = std::str::from_utf8(raw).map_err(|e| TreebankError::NotUtf8 {
            path: path.to_owned(),
            line: number,
            sentence: sentences + 1,
            column: e.valid_up_to() + 1,
        })?;
        let text = text.strip_suffix('\r').unwrap_or(text);
        if text.trim().is_empty() {
            sentences = finish(&mut lines, number);
        } else {
            lines.push(text.to_owned());
        }
    }
    finish(&mut lines, number + 1);
    Ok(all)
}

/// What the first column says a line is.
enum Id {
    Word(u64),
    /// The first and the last word of a multiword token.
    Range(u64, u64),
    /// The word after which an empty node stands; 0 before all.
    EmptyAfter(u64),
}

/// Digits and nothing else.
fn digits(text: &str) -> Option<u64> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

fn id(text: &str) -> Option<Id> {
    if let Some(n) = digits(text) {
        return Some(Id::Word(n));
    }
    if let Some((first, last)) = text.split_once('-') {
        let (first, last) = (digits(first)?, digits(last)?);
        return (first < last).then_some(Id::Range(first, last));
    }
    let (before, number) = text.split_once('.')?;
    digits(number)?;
    digits(before).map(Id::EmptyAfter)
}

/// The sentence of a block; none if it has only comments.
fn sentence(block: &Block, path: &Arc<PathBuf>, number: usize) -> Result<Option<Sentence>, TreebankError> {
    let at = |i: usize| Place { path: path.clone(), line: block.first_line + i, sentence: number };
    let mut tokens: Vec<Token> = Vec::new();
    let mut lines = Vec::new();
    let mut heads: Vec<Option<u64>> = Vec::new();
    // Where the last range ends, and its line.
    let mut range = (0, 0);
    for (i, line) in block.lines.iter().enumerate() {
        if line.starts_with('#') && !line.contains('\t') {
            continue;
        }
        let fail = |fault| TreebankError::Line { place: at(i), fault };
        let columns: Vec<&str> = line.split('\t').collect();
        if columns.len() != COLUMNS {
            if line.starts_with('#') {
                continue;
            }
            return Err(fail(LineFault::Columns { found: columns.len() }));
        }
        match id(columns[0]) {
            None if line.starts_with('#') => continue,
            None => return Err(fail(LineFault::Id(columns[0].to_owned()))),
            Some(Id::Range(first, last)) => {
                if first != tokens.len() as u64 + 1 || first <= range.0 {
                    return Err(fail(LineFault::Range { id: columns[0].to_owned(), next: tokens.len() + 1 }));
                }
                range = (last, i);
                continue;
            }
            Some(Id::EmptyAfter(word)) => {
                if word != tokens.len() as u64 {
                    return Err(fail(LineFault::Empty { id: columns[0].to_owned(), last: tokens.len() }));
                }
                continue;
            }
            Some(Id::Word(found)) if found != tokens.len() as u64 + 1 => {
                return Err(fail(LineFault::Skip { found, expected: tokens.len() + 1 }));
            }
            Some(Id::Word(_)) => {}
        }
        if columns[1].is_empty() {
            return Err(fail(LineFault::Form));
        }
        for (column, what) in SEEN {
            if columns[column].chars().any(char::is_control) {
                return Err(fail(LineFault::Control { what, text: columns[column].to_owned() }));
            }
        }
        heads.push(match columns[HEAD] {
            "_" => None,
            text => Some(digits(text).ok_or_else(|| fail(LineFault::Head(text.to_owned())))?),
        });
        let coarse = columns[COARSE];
        let fine = if columns[FINE] == "_" { coarse } else { columns[FINE] };
        tokens.push(Token { form: columns[1].to_owned(), coarse: coarse.to_owned(), fine: fine.to_owned() });
        lines.push(i);
    }
    let Some(&first) = lines.first() else { return Ok(None) };
    let (end, line) = range;
    if end > tokens.len() as u64 {
        return Err(TreebankError::Line { place: at(line), fault: LineFault::RangeEnd { end, words: tokens.len() } });
    }
    let gold = if heads.iter().all(Option::is_none) {
        None
    } else {
        Some(gold_tree(&heads).map_err(|fault| match fault {
            GoldFault::Missing(i) => TreebankError::Line { place: at(lines[i]), fault: LineFault::MissingHead },
            GoldFault::Tree(fault) => TreebankError::Tree { place: at(line_of(&fault, &lines)), fault },
        })?)
    };
    Ok(Some(Sentence { tokens, gold, place: at(first) }))
}

enum GoldFault {
    Missing(usize),
    Tree(TreeFault),
}

fn gold_tree(heads: &[Option<u64>]) -> Result<Tree, GoldFault> {
    let words = heads.len();
    let mut gold = Vec::with_capacity(words);
    for (i, head) in heads.iter().enumerate() {
        let head = head.ok_or(GoldFault::Missing(i))?;
        if head > words as u64 {
            return Err(GoldFault::Tree(TreeFault::HeadOutOfRange { word: i + 1, head, words }));
        }
        gold.push(Word::new(head as usize));
    }
    Tree::new(gold).map_err(GoldFault::Tree)
}

/// The line, within its block, of the word that a fault names.
fn line_of(fault: &TreeFault, lines: &[usize]) -> usize {
    let word = match fault {
        TreeFault::HeadOutOfRange { word, .. } | TreeFault::OwnHead { word } => *word,
        TreeFault::Cycle { words } => words.first().copied().unwrap_or(1),
        TreeFault::NoRoot => 1,
    };
    lines[word - 1]
}

impl ConllFile {
    /// Writes the file again with the heads of `trees`, one a sentence, with the tags of `tagged`, if words were tagged, and
    /// with the `probabilities` of heads in the last column; all else stays. The parser gives no relations: a word that has
    /// none (`_`), goes to the root or comes from there has `root` or `dep`.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write_parsed(
        &self,
        trees: &[Tree],
        tagged: Option<&[Vec<Token>]>,
        probabilities: Option<&[Vec<f64>]>,
        out: &mut (impl Write + ?Sized),
    ) -> io::Result<()> {
        for (i, (block, tree)) in self.blocks.iter().zip(trees).enumerate() {
            let tokens = tagged.and_then(|tagged| tagged.get(i));
            let mut word = 0;
            for line in &block.lines {
                let columns: Vec<&str> = line.split('\t').collect();
                if columns.len() != COLUMNS || !matches!(id(columns[0]), Some(Id::Word(_))) {
                    writeln!(out, "{line}")?;
                    continue;
                }
                let head = tree.heads()[word];
                let (coarse, fine) = match tokens.and_then(|tokens| tokens.get(word)) {
                    Some(token) => (token.coarse.as_str(), token.fine.as_str()),
                    None => (columns[COARSE], columns[FINE]),
                };
                let relation = relation(&columns, head);
                let before = columns[..COARSE].join("\t");
                let (features, between) = (columns[FINE + 1], columns[DEPREL + 1..MISC].join("\t"));
                let probability = probabilities.and_then(|of| of.get(i)?.get(word));
                let misc = with_probability(columns[MISC], probability.copied());
                writeln!(out, "{before}\t{coarse}\t{fine}\t{features}\t{head}\t{relation}\t{between}\t{misc}")?;
                word += 1;
            }
            writeln!(out)?;
        }
        self.last.iter().try_for_each(|line| writeln!(out, "{line}"))
    }
}

impl ConllFile {
    /// Writes the words of the file, all columns but the heads as they stand, without comments, ranges and empty nodes:
    /// what CoNLL-X has. Heads are those of the sentences; a word that goes to the root, or comes from there, has the
    /// relation `root` or `dep` then.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write_words(&self, out: &mut impl Write) -> io::Result<()> {
        for (block, sentence) in self.blocks.iter().zip(&self.sentences) {
            let mut word = 0;
            for line in &block.lines {
                let columns: Vec<&str> = line.split('\t').collect();
                if columns.len() != COLUMNS || !matches!(id(columns[0]), Some(Id::Word(_))) {
                    continue;
                }
                let head = sentence.gold.as_ref().map(|tree| tree.heads()[word]);
                let (head_text, relation) = match head {
                    None => (columns[HEAD].to_owned(), columns[DEPREL]),
                    Some(head) => (head.to_string(), relation(&columns, head)),
                };
                let (before, behind) = (columns[..HEAD].join("\t"), columns[DEPREL + 1..].join("\t"));
                writeln!(out, "{before}\t{head_text}\t{relation}\t{behind}")?;
                word += 1;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

/// The relation of a word that gets a head: its own, but `root` or `dep` where it has none, goes to the root or comes from
/// there.
fn relation<'a>(columns: &[&'a str], head: Word) -> &'a str {
    match (columns[DEPREL], columns[HEAD] == "0", head.is_root()) {
        ("_", _, true) | (_, false, true) => "root",
        ("_", _, false) | (_, true, false) => "dep",
        (relation, ..) => relation,
    }
}

/// The name of a head's probability in the last column.
const PROBABILITY: &str = "HeadProb=";

/// The last column with the probability of the head, if there is one; one of another head, or by another model, goes.
fn with_probability(misc: &str, probability: Option<f64>) -> Cow<'_, str> {
    let is_old = |item: &str| item.starts_with(PROBABILITY);
    if probability.is_none() && !misc.split('|').any(is_old) {
        return Cow::Borrowed(misc);
    }
    let others = misc.split('|').filter(|item| *item != "_" && !is_old(item));
    let own = probability.map(|p| format!("{PROBABILITY}{p:.6}"));
    let items: Vec<&str> = others.chain(own.as_deref()).collect();
    Cow::Owned(if items.is_empty() { "_".to_owned() } else { items.join("|") })
}

/// Writes sentences as CoNLL-X, heads `_` where a sentence has none.
///
/// # Errors
/// What the writer says.
pub fn write_conllx<'a>(sentences: impl IntoIterator<Item = &'a Sentence>, out: &mut impl Write) -> io::Result<()> {
    for sentence in sentences {
        for (i, token) in sentence.tokens.iter().enumerate() {
            let Token { form, coarse, fine } = token;
            match &sentence.gold {
                Some(tree) => {
                    let head = tree.heads()[i];
                    let relation = if head.is_root() { "root" } else { "dep" };
                    writeln!(out, "{}\t{form}\t_\t{coarse}\t{fine}\t_\t{head}\t{relation}\t_\t_", i + 1)?;
                }
                None => writeln!(out, "{}\t{form}\t_\t{coarse}\t{fine}\t_\t_\t_\t_\t_", i + 1)?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}
