//! `[[corpus]]`.

use crate::config::model::{Corpus, Counts, Encoding, Expected, Format, Places};
use crate::config::reader::{Keys, Reader, Section, quoted, shown};
use crate::config::tree::{Node, Value};
use treebound_parser::cell::{Axis, CorpusName, Split};
use treebound_parser::systems::Nonprojective;
use treebound_parser::treebank::penn::HeadRules;
use treebound_parser::treebank::{FineTags, Punctuation, TagColumn};

const CORPUS: Keys = Keys {
    table: "a corpus",
    known: &[
        "name",
        "format",
        "rules",
        "encoding",
        "fine_tags",
        "folder",
        "train",
        "dev",
        "test",
        "punctuation",
        "nonprojective",
        "published",
        "expected",
        "synthetic",
    ],
    old: &[],
};

const EXPECTED: Keys = Keys { table: "[corpus.expected]", known: &["train", "dev", "test"], old: &[] };

const COUNTS: Keys = Keys { table: "an expected count", known: &["sentences", "tokens"], old: &[] };

const PUNCTUATION: Keys = Keys { table: "punctuation", known: &["column", "tags"], old: &[] };

impl Reader {
    pub(super) fn corpus(&mut self, node: &Node) -> Option<Corpus> {
        let name = node.name().unwrap_or_default();
        let table = self.section(Some(node), format!("corpus.{name}"), &CORPUS);
        let named = match self.get(&table, "name") {
            None => {
                self.fault(node, "the corpus has no key `name`");
                None
            }
            Some(node) => {
                let text = self.text(node, "name");
                let name = text.and_then(CorpusName::parse);
                if let (Some(text), None) = (text, &name) {
                    self.fault(node, format!("the corpus needs another name than {text:?}: {}", CorpusName::EXPECTED));
                }
                name
            }
        };
        let formats = Format::ALL.map(|format| (format.name(), format));
        let format = match self.get(&table, "format") {
            None => {
                self.fault(node, "the corpus has no key `format`");
                None
            }
            Some(node) => self.one_of(node, "format", &formats),
        };
        // What follows from a format cannot be told without one.
        let format = format?;
        let synthetic = format == Format::Synthetic;
        for key in ["folder", "train", "dev", "test", "encoding"] {
            if let (true, Some(node)) = (synthetic, table.find(key)) {
                self.fault(node, format!("{key}: a synthetic corpus has no files; remove the key"));
            }
        }
        let [train, dev, test] = ["train", "dev", "test"].map(|key| self.files(&table, key, node, format));
        let rules = self.rules(&table, node, format);
        let settings = self.get(&table, "synthetic");
        if let (false, Some(settings)) = (synthetic, settings) {
            self.fault(settings, "[corpus.synthetic] is for format = \"synthetic\"");
        }
        let synthetic = synthetic.then(|| self.synthetic(settings, &format!("{}.synthetic", table.path)));
        let encodings = [("utf-8", Encoding::Utf8), ("gb18030", Encoding::Gb18030)];
        let data_sets = [("PTB", "PTB"), ("CTB", "CTB"), ("PDT", "PDT")];
        let kept = [("projectivize", Nonprojective::Projectivize), ("drop", Nonprojective::Drop)];
        let fine_tags = self.fine_tags(&table, format);
        let (encoding, nonprojective) = (self.get(&table, "encoding"), self.get(&table, "nonprojective"));
        let (punctuation, published) = (self.get(&table, "punctuation"), self.get(&table, "published"));
        let folder = self.get(&table, "folder");
        let expected = self.section(table.find("expected"), format!("{}.expected", table.path), &EXPECTED);
        Some(Corpus {
            name: named?,
            format,
            rules,
            encoding: self.one_or(encoding, "encoding", &encodings, Encoding::Utf8),
            fine_tags,
            folder: folder.map_or_else(Vec::new, |node| self.paths(node, "folder")),
            train,
            dev,
            test,
            punctuation: self.punctuation(punctuation, format, &table.path),
            nonprojective: self.one_or(nonprojective, "nonprojective", &kept, Nonprojective::Projectivize),
            published: published.and_then(|node| self.one_of(node, "published", &data_sets)).map(str::to_owned),
            expected: Expected {
                train: self.counts(&expected, Split::Train),
                dev: self.counts(&expected, Split::Dev),
                test: self.counts(&expected, Split::Test),
            },
            synthetic,
            places: places(node, &table, &expected),
        })
    }

    /// The files of a part. They start in `folder`, and where there is none beside the file that names them.
    fn files(&mut self, table: &Section, key: &str, corpus: &Node, format: Format) -> Vec<String> {
        let node = self.get(table, key);
        let files = match node {
            Some(node) if table.find("folder").is_some() => self.texts(node, key),
            Some(node) => self.paths(node, key),
            None => Vec::new(),
        };
        let is_given = node.is_some_and(|node| !node.each().is_empty());
        if !is_given && format != Format::Synthetic {
            self.fault(corpus, format!("the corpus has no `{key}` files"));
        }
        files
    }

    /// Paths, from the config's folder.
    fn paths(&mut self, node: &Node, key: &str) -> Vec<String> {
        let rebase = |path: &String| node.place.rebase(path);
        self.texts(node, key).iter().map(rebase).collect()
    }

    fn rules(&mut self, table: &Section, corpus: &Node, format: Format) -> Option<String> {
        let node = self.get(table, "rules");
        match (node, format) {
            (None, Format::Penn) => {
                self.fault(corpus, "brackets need head rules: add rules = \"english\", \"chinese\" or a file");
            }
            (Some(node), Format::Conllu | Format::Conllx | Format::Synthetic) => {
                let message = format!("rules are for format = \"penn\": in {} words have heads", format.name());
                self.fault(node, message);
            }
            _ => {}
        }
        let rules = self.text(node?, "rules")?;
        Some(if HeadRules::BUILT_IN.contains(&rules) { rules.to_owned() } else { node?.place.rebase(rules) })
    }

    fn fine_tags(&mut self, table: &Section, format: Format) -> FineTags {
        let node = self.get(table, "fine_tags");
        if let (Some(node), Format::Penn | Format::Synthetic) = (node, format) {
            self.fault(node, "fine_tags is for CoNLL files, which have two columns of tags: remove the key");
        }
        let sources = FineTags::ALL.map(|fine_tags| (fine_tags.name(), fine_tags));
        self.one_or(node, "fine_tags", &sources, FineTags::Own)
    }

    fn counts(&mut self, expected: &Section, split: Split) -> Option<Counts> {
        let node = self.get(expected, split.name())?;
        let table = self.section(Some(node), format!("{}.{split}", expected.path), &COUNTS);
        let mut counts = |key: &str| {
            let Some(node) = self.get(&table, key) else { return Vec::new() };
            if node.each().is_empty() {
                self.fault(node, format!("{key} = []: no count will do; name one, or remove the key"));
            }
            let count = |node: &Node| match &node.value {
                Value::Whole(Some(count), _) => u64::try_from(*count).ok(),
                _ => None,
            };
            let counts: Option<Vec<u64>> = node.each().iter().map(count).collect();
            if counts.is_none() {
                let message =
                    format!("{key} = {}: a whole number is needed, or a list of those that will do", shown(node));
                self.fault(node, message);
            }
            counts.unwrap_or_default()
        };
        Some(Counts { sentences: counts("sentences"), tokens: counts("tokens") })
    }

    fn punctuation(&mut self, node: Option<&Node>, format: Format, path: &str) -> Punctuation {
        let none = Punctuation { column: TagColumn::Fine, tags: Vec::new() };
        let usual = Punctuation::named(if format == Format::Penn { "ptb" } else { "ud" }).unwrap_or(none);
        let Some(node) = node else { return usual };
        match &node.value {
            Value::Text(name) => Punctuation::named(name).unwrap_or_else(|| {
                let message = format!(
                    "punctuation = `{name}` is not known; it can be `ud` (coarse tag PUNCT), `ptb` (fine tags `` '' : , .), \
                     `ctb` (fine tag PU), `none`, or {{ column = \"fine\", tags = [...] }}"
                );
                self.fault(node, message);
                usual
            }),
            Value::Table(_) => {
                let table = self.section(Some(node), format!("{path}.punctuation"), &PUNCTUATION);
                let (Some(column), Some(tags)) = (table.find("column"), table.find("tags")) else {
                    self.fault(node, "punctuation needs both keys, as in { column = \"fine\", tags = [\".\"] }");
                    return usual;
                };
                let columns = [("fine", TagColumn::Fine), ("coarse", TagColumn::Coarse)];
                let column = self.one_or(Some(column), "column", &columns, TagColumn::Fine);
                Punctuation { column, tags: self.texts(tags, "tags") }
            }
            _ => {
                let message = format!(
                    "punctuation = {}: a name is needed, or a table such as {{ column = \"fine\", tags = [\".\"] }}",
                    quoted(node)
                );
                self.fault(node, message);
                usual
            }
        }
    }
}

/// Where the keys stand; the whole table stands for those that are not there.
fn places(node: &Node, table: &Section, expected: &Section) -> Places {
    let place = |found: Option<&Node>| found.unwrap_or(node).place.clone();
    Places {
        folder: place(table.find("folder")),
        parts: Split::PARTS.map(|split| place(table.find(split.name()))),
        expected: Split::PARTS.map(|split| place(expected.find(split.name()))),
        rules: place(table.find("rules")),
    }
}
