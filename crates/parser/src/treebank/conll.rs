//! CoNLL-U and CoNLL-X: one reader and one writer for both, since they share ten tab-separated columns.
//!
//! Read: ID, FORM, LEMMA, the coarse tag (column 4), the fine tag (column 5; the coarse one where it is `_`), FEATS, HEAD and DEPREL. Comments,
//! multiword ranges (`1-2`) and empty nodes (`1.1`) are passed over, and kept when a parsed file is written out again.
//!
//! CoNLL-U Plus has other columns, which its first line names: `# global.columns = ID FORM UPOS HEAD DEPREL PARSEME:MWE`.
//! Columns are then those of these names; what a file has not is `_`.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::treebank::error::{LineFault, TreebankError};
use crate::treebank::relations::Numbering;
use crate::treebank::{Place, Relations, Sentence, Token, files};
use treebound_core::tree::{Tree, TreeFault, Word};

const COLUMNS: usize = 10;
const ID: usize = 0;
const FORM: usize = 1;
const LEMMA: usize = 2;
const COARSE: usize = 3;
const FINE: usize = 4;
const FEATS: usize = 5;
const HEAD: usize = 6;
const DEPREL: usize = 7;
const MISC: usize = 9;

/// The ten columns, by their names in CoNLL-U Plus.
const NAMES: [&str; COLUMNS] = ["ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"];

/// The columns that are looked at, by what they hold.
const SEEN: [(usize, &str); 6] = [
    (FORM, "form"),
    (LEMMA, "lemma"),
    (COARSE, "coarse tag"),
    (FINE, "fine tag"),
    (FEATS, "features"),
    (DEPREL, "relation"),
];

/// Where a file has the ten columns, and how many columns it has.
#[derive(Clone, Copy, Debug)]
struct Layout {
    place: [Option<usize>; COLUMNS],
    count: usize,
}

impl Layout {
    /// The ten columns, in order.
    fn usual() -> Self {
        Self { place: std::array::from_fn(Some), count: COLUMNS }
    }

    /// What a line says of the columns that follow it, if it does.
    fn named(line: &str) -> Option<Self> {
        let names: Vec<&str> = comment(line, "global.columns")?.split_whitespace().collect();
        Some(Self { place: NAMES.map(|name| names.iter().position(|other| *other == name)), count: names.len() })
    }

    /// The cells of a line, if there are as many as there should be.
    fn cells<'a>(&self, line: &'a str) -> Option<Cells<'a>> {
        let cells: Vec<&str> = line.split('\t').collect();
        (cells.len() == self.count).then_some(Cells { layout: *self, cells })
    }

    fn check_has(&self, column: usize) -> Result<(), LineFault> {
        self.place[column].map(drop).ok_or(LineFault::NoColumn(NAMES[column]))
    }
}

/// The cells of a line.
struct Cells<'a> {
    layout: Layout,
    cells: Vec<&'a str>,
}

impl<'a> Cells<'a> {
    /// What stands in one of the ten columns.
    fn get(&self, column: usize) -> &'a str {
        self.layout.place[column].map_or("_", |place| self.cells[place])
    }

    /// Changes a column, if there is one.
    fn set(&mut self, column: usize, text: &'a str) {
        if let Some(place) = self.layout.place[column] {
            self.cells[place] = text;
        }
    }
}

/// What a comment line says of `name`.
fn comment<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let text = line.strip_prefix('#')?.trim_start().strip_prefix(name)?;
    Some(text.trim_start().strip_prefix('=')?.trim())
}

/// What is done with the heads of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Heads {
    /// They make trees.
    Read,
    /// Nobody looks at them.
    Ignored,
}

/// The distinct texts of a file's columns: words that have the same share it.
#[derive(Default)]
struct Texts {
    shared: HashSet<Arc<str>>,
    relations: Numbering,
}

impl Texts {
    /// A text; `_` is none.
    fn shared(&mut self, text: &str) -> Arc<str> {
        let text = if text == "_" { "" } else { text };
        if let Some(known) = self.shared.get(text) {
            return known.clone();
        }
        let new: Arc<str> = Arc::from(text);
        self.shared.insert(new.clone());
        new
    }
}

/// The lines of one sentence with the numbers they have in the file.
#[derive(Clone, Debug)]
struct Block {
    first_line: usize,
    layout: Layout,
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
    parse(&files::read(path)?, path)
}

/// Reads a gold treebank: as [`read`], and every sentence must have heads.
///
/// # Errors
/// As [`read`], words without a head, and a file without sentences.
pub fn read_gold(path: &Path) -> Result<Vec<Sentence>, TreebankError> {
    gold(read(path)?, path)
}

/// Parses the bytes of a gold treebank; `path` is for messages.
///
/// # Errors
/// As [`read_gold`].
pub fn parse_gold(bytes: &[u8], path: &Path) -> Result<Vec<Sentence>, TreebankError> {
    gold(parse(bytes, path)?, path)
}

fn gold(file: ConllFile, path: &Path) -> Result<Vec<Sentence>, TreebankError> {
    if file.sentences.is_empty() {
        return Err(TreebankError::Empty { path: path.to_owned() });
    }
    match file.sentences.iter().find(|s| s.gold.is_none()) {
        Some(s) => Err(TreebankError::Line { place: s.place.clone(), fault: LineFault::NoGold }),
        None => Ok(file.sentences),
    }
}

/// Parses the bytes of a file, which may have no sentences; `path` is for messages.
///
/// # Errors
/// As [`read`].
pub fn parse(bytes: &[u8], path: &Path) -> Result<ConllFile, TreebankError> {
    parse_with(bytes, path, Heads::Read)
}

/// Parses the bytes of a file whose heads are to be replaced: nobody looks at them, and no sentence has a tree.
///
/// # Errors
/// As [`read`], but for heads; and a file without a column for them.
pub fn parse_words(bytes: &[u8], path: &Path) -> Result<ConllFile, TreebankError> {
    parse_with(bytes, path, Heads::Ignored)
}

fn parse_with(bytes: &[u8], path: &Path, heads: Heads) -> Result<ConllFile, TreebankError> {
    let shared = Arc::new(path.to_owned());
    let mut file = ConllFile { sentences: Vec::new(), blocks: Vec::new(), last: Vec::new() };
    let mut texts = Texts::default();
    let mut relations = Vec::new();
    for mut block in blocks(bytes, &shared)? {
        match sentence(&block, &shared, file.sentences.len() + 1, heads, &mut texts)? {
            Some((sentence, of_words)) => {
                file.sentences.push(sentence);
                relations.push(of_words);
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
    // All sentences share the names of the whole file.
    let names = texts.relations.names();
    for (sentence, of_words) in file.sentences.iter_mut().zip(relations) {
        // A file without relations has `_` in all places.
        let has_some = sentence.gold.is_some() && of_words.iter().any(|&number| &*names[number as usize] != "_");
        sentence.relations = Relations::new(names.clone(), of_words).filter(|_| has_some);
    }
    Ok(file)
}

/// Splits a file at its blank lines. Line ends may be LF or CRLF; a byte order mark is passed over at the head of any line, since
/// files that were put one behind the other have one each.
fn blocks(bytes: &[u8], path: &Arc<PathBuf>) -> Result<Vec<Block>, TreebankError> {
    let mut all = Vec::new();
    let mut lines: Vec<String> = Vec::new();
    let mut layout = Layout::usual();
    let mut number = 0;
    let mut finish = |lines: &mut Vec<String>, layout: Layout, next_line: usize| {
        if !lines.is_empty() {
            all.push(Block { first_line: next_line - lines.len(), layout, lines: std::mem::take(lines) });
        }
        all.len()
    };
    let mut sentences = 0;
    for raw in bytes.split(|&b| b == b'\n') {
        number += 1;
        check_bounds(number, sentences, path)?;
        let at =
            |lines: &[String]| Place { path: path.clone(), line: number, sentence: sentences + 1, id: id_of(lines) };
        let text = std::str::from_utf8(raw)
            .map_err(|e| TreebankError::NotUtf8 { place: at(&lines), column: e.valid_up_to() + 1 })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let text = text.strip_suffix('\r').unwrap_or(text);
        if let Some(named) = Layout::named(text) {
            let check = [ID, FORM].into_iter().try_for_each(|column| named.check_has(column));
            check.map_err(|fault| TreebankError::Line { place: at(&lines), fault })?;
            layout = named;
        }
        if text.trim().is_empty() {
            sentences = finish(&mut lines, layout, number);
        } else {
            lines.push(text.to_owned());
        }
    }
    finish(&mut lines, layout, number + 1);
    Ok(all)
}

/// Most sentences and lines of a file: those of all larger treebanks together, and a few GiB once they are read.
const MOST_SENTENCES: usize = 2_000_000;
const MOST_LINES: usize = 10_000_000;

/// A short file that is compressed may hold more than any memory.
fn check_bounds(lines: usize, sentences: usize, path: &Path) -> Result<(), TreebankError> {
    let (what, most) = match (sentences > MOST_SENTENCES, lines > MOST_LINES) {
        (true, _) => ("sentences", MOST_SENTENCES),
        (false, true) => ("lines", MOST_LINES),
        (false, false) => return Ok(()),
    };
    let message = format!("it has more than {most} {what}; give it in parts");
    let source = io::Error::new(io::ErrorKind::FileTooLarge, message);
    Err(TreebankError::Io { path: path.to_owned(), source })
}

/// The `sent_id` that stands among some lines.
fn id_of(lines: &[String]) -> Option<Arc<str>> {
    lines.iter().find_map(|line| comment(line, "sent_id")).map(Arc::from)
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

/// The sentence of a block, and the numbers of its relations; none if it has only comments.
fn sentence(
    block: &Block,
    path: &Arc<PathBuf>,
    number: usize,
    reading: Heads,
    texts: &mut Texts,
) -> Result<Option<(Sentence, Vec<u32>)>, TreebankError> {
    let layout = &block.layout;
    let name = id_of(&block.lines);
    let at = |i: usize| Place { path: path.clone(), line: block.first_line + i, sentence: number, id: name.clone() };
    let mut tokens: Vec<Token> = Vec::new();
    let mut lines = Vec::new();
    let mut heads: Vec<Option<u64>> = Vec::new();
    let mut relations = Vec::new();
    // Where the last range ends, and its line.
    let mut range = (0, 0);
    for (i, line) in block.lines.iter().enumerate() {
        if line.starts_with('#') && !line.contains('\t') {
            continue;
        }
        let fail = |fault| TreebankError::Line { place: at(i), fault };
        let Some(cells) = layout.cells(line) else {
            if line.starts_with('#') {
                continue;
            }
            let found = line.split('\t').count();
            return Err(fail(LineFault::Columns { found, expected: layout.count }));
        };
        let word = cells.get(ID);
        match id(word) {
            None if line.starts_with('#') => continue,
            None => return Err(fail(LineFault::Id(word.to_owned()))),
            Some(Id::Range(first, last)) => {
                if first != tokens.len() as u64 + 1 || first <= range.0 {
                    return Err(fail(LineFault::Range { id: word.to_owned(), next: tokens.len() + 1 }));
                }
                range = (last, i);
                continue;
            }
            Some(Id::EmptyAfter(before)) => {
                if before != tokens.len() as u64 {
                    return Err(fail(LineFault::Empty { id: word.to_owned(), last: tokens.len() }));
                }
                continue;
            }
            Some(Id::Word(found)) if found != tokens.len() as u64 + 1 => {
                return Err(fail(LineFault::Skip { found, expected: tokens.len() + 1 }));
            }
            Some(Id::Word(_)) => {}
        }
        let [form, coarse, fine] = [FORM, COARSE, FINE].map(|column| cells.get(column));
        if form.is_empty() {
            return Err(fail(LineFault::Form));
        }
        for (column, what) in SEEN {
            if cells.get(column).contains('\0') {
                return Err(fail(LineFault::Nul { what, text: cells.get(column).to_owned() }));
            }
        }
        match (reading, cells.get(HEAD)) {
            (Heads::Ignored, _) => layout.check_has(HEAD).map_err(fail)?,
            (Heads::Read, "_") => heads.push(None),
            (Heads::Read, head) => {
                heads.push(Some(digits(head).ok_or_else(|| fail(LineFault::Head(head.to_owned())))?));
            }
        }
        let fine = if fine == "_" { coarse } else { fine };
        let [lemma, feats] = [LEMMA, FEATS].map(|column| texts.shared(cells.get(column)));
        tokens.push(Token { form: form.to_owned(), coarse: coarse.to_owned(), fine: fine.to_owned(), lemma, feats });
        relations.push(texts.relations.number(cells.get(DEPREL)));
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
    Ok(Some((Sentence { tokens, gold, relations: None, place: at(first) }, relations)))
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

/// What a parser says of a file, each by sentence.
#[derive(Clone, Copy, Debug, Default)]
pub struct Parses<'a> {
    /// The trees.
    pub trees: &'a [Tree],
    /// The words with their tags, if they were tagged.
    pub tagged: Option<&'a [Vec<Token>]>,
    /// Their relations, if the parser gives any.
    pub relations: Option<&'a [Relations]>,
    /// By word: the probability of its head.
    pub probabilities: Option<&'a [Vec<f64>]>,
    /// Whether no other tree is better; of all sentences if nothing is said.
    pub proven: Option<&'a [bool]>,
}

/// The comment above a sentence that says whether its tree is known to be the best.
const PROVEN: &str = "proven";

impl ConllFile {
    /// Writes the file again with heads, with tags if words were tagged, with the probabilities of heads in the last column, and
    /// `# proven = no` above trees of which it is not known that they are the best; all else stays. Of a
    /// parser that gives no relations, a word that has none (`_`), goes to the root or comes from there has `root` or `dep`.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write_parsed(&self, parses: Parses<'_>, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        let Parses { trees, tagged, relations, probabilities, proven } = parses;
        for (i, (block, tree)) in self.blocks.iter().zip(trees).enumerate() {
            let tokens = tagged.and_then(|tagged| tagged.get(i));
            let relations = relations.and_then(|relations| relations.get(i));
            let mut is_unproven = proven.is_some_and(|proven| proven.get(i) == Some(&false));
            let mut word = 0;
            for line in &block.lines {
                // What another parser said.
                if comment(line, PROVEN).is_some() {
                    continue;
                }
                if is_unproven && !line.is_empty() && !line.starts_with('#') {
                    writeln!(out, "# {PROVEN} = no")?;
                    is_unproven = false;
                }
                let cells = block.layout.cells(line);
                let Some(mut cells) = cells.filter(|cells| matches!(id(cells.get(ID)), Some(Id::Word(_)))) else {
                    writeln!(out, "{line}")?;
                    continue;
                };
                let head = tree.heads()[word];
                let relation = relations.map_or_else(|| relation(&cells, head), |of| of.name(word));
                let head_text = head.to_string();
                let probability = probabilities.and_then(|of| of.get(i)?.get(word));
                let misc = with_probability(cells.get(MISC), probability.copied());
                if let Some(token) = tokens.and_then(|tokens| tokens.get(word)) {
                    cells.set(COARSE, &token.coarse);
                    cells.set(FINE, &token.fine);
                }
                cells.set(HEAD, &head_text);
                cells.set(DEPREL, relation);
                cells.set(MISC, &misc);
                writeln!(out, "{}", cells.cells.join("\t"))?;
                word += 1;
            }
            writeln!(out)?;
        }
        self.last.iter().try_for_each(|line| writeln!(out, "{line}"))
    }

    /// Writes the words of the file as CoNLL-X: no comments, ranges and empty nodes, `_` for blanks, and nothing in the last two
    /// columns, which CoNLL-U has other things in. Heads are those of the sentences; a word that goes to the root, or comes from
    /// there, has the relation `root` or `dep` then.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write_words(&self, out: &mut impl Write) -> io::Result<()> {
        for (block, sentence) in self.blocks.iter().zip(&self.sentences) {
            let words = block.lines.iter().filter_map(|line| block.layout.cells(line));
            let words = words.filter(|cells| matches!(id(cells.get(ID)), Some(Id::Word(_))));
            for (word, cells) in words.enumerate() {
                let head = sentence.gold.as_ref().map(|tree| tree.heads()[word]);
                let (head, relation) = match head {
                    None => (cells.get(HEAD).to_owned(), cells.get(DEPREL)),
                    Some(head) => (head.to_string(), relation(&cells, head)),
                };
                for column in ID..HEAD {
                    write!(out, "{}\t", without_blanks(cells.get(column)))?;
                }
                writeln!(out, "{head}\t{}\t_\t_", without_blanks(relation))?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

/// A text as CoNLL-X has it: many readers of it part columns at any blank.
pub fn without_blanks(text: &str) -> Cow<'_, str> {
    let is_blank = |c: char| c.is_whitespace() || c.is_ascii_control();
    if text.contains(is_blank) { Cow::Owned(text.replace(is_blank, "_")) } else { Cow::Borrowed(text) }
}

/// The relation of a word that gets a head: its own, but `root` or `dep` where it has none, goes to the root or comes from
/// there.
fn relation<'a>(cells: &Cells<'a>, head: Word) -> &'a str {
    match (cells.get(DEPREL), cells.get(HEAD) == "0", head.is_root()) {
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

/// Writes sentences as CoNLL-X, `_` for blanks, heads `_` where a sentence has none; of relations `root` and `dep` alone.
///
/// # Errors
/// What the writer says.
pub fn write_conllx<'a>(sentences: impl IntoIterator<Item = &'a Sentence>, out: &mut impl Write) -> io::Result<()> {
    for sentence in sentences {
        for (i, token) in sentence.tokens.iter().enumerate() {
            let [form, coarse, fine] = [&token.form, &token.coarse, &token.fine].map(|text| without_blanks(text));
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
